//! Expressions: which use each kind makes of the names in it.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Block as Braces, Expr, Ident, Item, Macro, Pat, Stmt, Token, parse_quote};

use super::{Context, Writer};
use crate::rep_ok::compared::{Hooks, hook_pointers, is_expression_macro};
use crate::rep_ok::lift::is_compound_assignment;
use crate::rep_ok::lower::hygiene::{handle, own};
use crate::rep_ok::lower::jumps::jump_target;
use crate::rep_ok::lower::order::consumes;
use crate::rep_ok::lower::patterns::{has_ref, has_ref_mut, unmut};
use crate::rep_ok::lower::words::{replaced, words};
use crate::rep_ok::names::{EXPRESSION_MACROS, Fate, SELF_SAVING_METHODS, fate};

impl VisitMut for Writer<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Path(_) => {
                if let Some(name) = self.kept_path(expr).cloned() {
                    *expr = self.access(&name, Context::Value);
                }
            }
            Expr::Paren(_) if self.kept_path(expr).is_some() => {
                if let Some(name) = self.kept_path(expr).cloned() {
                    *expr = self.access(&name, Context::Value);
                }
            }
            Expr::MethodCall(call) => {
                let consumes = consumes(call);
                match self.kept_path(&call.receiver).cloned() {
                    Some(name) if consumes => *call.receiver = self.access(&name, Context::Value),
                    Some(name) if SELF_SAVING_METHODS.contains(&call.method.to_string().as_str()) => {
                        *call.receiver = self.access(&name, Context::Receiver);
                    }
                    Some(name) => *call.receiver = self.access(&name, Context::Whole),
                    None if consumes => self.visit_expr_mut(&mut call.receiver),
                    None => self.receiver(&mut call.receiver),
                }
                call.args.iter_mut().for_each(|arg| self.lent(arg));
            }
            Expr::Call(call) => {
                match self.kept_path(&call.func).cloned() {
                    Some(name) => *call.func = self.access(&name, Context::Callee),
                    None => self.visit_expr_mut(&mut call.func),
                }
                if is_making(&call.func) {
                    call.args.iter_mut().for_each(|arg| self.pledged(arg));
                } else {
                    call.args.iter_mut().for_each(|arg| self.lent(arg));
                }
                if !self.in_macro {
                    hook_pointers(&self.program.private, call);
                }
            }
            // Constants name no locals.
            Expr::Const(_) => {}
            Expr::Repeat(repeat) => self.visit_expr_mut(&mut repeat.expr),
            Expr::Reference(reference) if reference.mutability.is_some() && self.is_own_iterator(&reference.expr) => {
                // It may be `&mut` of another iterator, which is saved too.
                if let Some(name) = self.kept_path(&reference.expr).cloned() {
                    *reference.expr = self.access(&name, Context::Receiver);
                }
            }
            Expr::Reference(reference)
                if reference.mutability.is_some() && self.kept_path(&reference.expr).is_some() =>
            {
                // The local as a whole may change.
                if let Some(name) = self.kept_path(&reference.expr).cloned() {
                    let x = self.cell(&name);
                    *expr = parse_quote!(#x.edit());
                }
            }
            Expr::Reference(reference) if reference.mutability.is_some() => {
                let rooted = self.is_rooted(&reference.expr);
                self.place(&mut reference.expr);
                if rooted {
                    let k = &self.program.private;
                    *expr = parse_quote!(#k::touch(#expr));
                }
            }
            Expr::Reference(reference) => self.looked_at(&mut reference.expr),
            // A part that is moved or copied out of a local.
            Expr::Field(field) => self.visit_expr_mut(&mut field.base),
            Expr::Index(index) => {
                self.looked_at(&mut index.expr);
                self.visit_expr_mut(&mut index.index);
            }
            Expr::Struct(literal) => {
                literal.fields.iter_mut().for_each(|field| self.pledged(&mut field.expr));
                if let Some(rest) = &mut literal.rest {
                    self.visit_expr_mut(rest);
                }
            }
            Expr::Binary(binary) if is_compound_assignment(&binary.op) => {
                self.assigned(&mut binary.left);
                self.visit_expr_mut(&mut binary.right);
            }
            Expr::Binary(binary) if is_comparison(&binary.op) => {
                let hooks = Hooks::of(binary).filter(|_| !self.in_macro);
                self.looked_at(&mut binary.left);
                self.looked_at(&mut binary.right);
                if let Some(hooks) = hooks {
                    hooks.put(&self.program.private, binary);
                }
            }
            Expr::Assign(assign) => {
                if let Some(name) = self.kept_path(&assign.left).cloned() {
                    let value = self.value((*assign.right).clone());
                    let x = self.cell(&name);
                    *expr = parse_quote!(#x.assign(#value));
                    return;
                }
                self.assigned(&mut assign.left);
                self.visit_expr_mut(&mut assign.right);
            }
            Expr::Let(test) => {
                let by_ref = has_ref(&test.pat);
                if !has_ref_mut(&test.pat) || !self.matched_mut(&mut test.expr) {
                    self.matched(&mut test.expr, by_ref);
                }
            }
            Expr::If(branch) => {
                self.condition(&mut branch.cond, &mut branch.then_branch);
                if let Some((_, otherwise)) = &mut branch.else_branch {
                    self.visit_expr_mut(otherwise);
                }
            }
            Expr::While(repeat) => {
                let outside = std::mem::replace(&mut self.in_loop, true);
                self.condition(&mut repeat.cond, &mut repeat.body);
                self.in_loop = outside;
            }
            Expr::Loop(repeat) => {
                let outside = std::mem::replace(&mut self.in_loop, true);
                self.visit_block_mut(&mut repeat.body);
                self.in_loop = outside;
            }
            Expr::ForLoop(repeat) => {
                let outside = std::mem::replace(&mut self.in_loop, true);
                self.visit_expr_mut(&mut repeat.expr);
                let bound = self.bound(&repeat.pat);
                unmut(&mut repeat.pat, &bound);
                self.visit_block_mut(&mut repeat.body);
                repeat.body.stmts.splice(0..0, self.keep_stmts(&bound));
                self.in_loop = outside;
            }
            Expr::Match(choice) => {
                let by_ref = choice.arms.iter().any(|arm| has_ref(&arm.pat));
                let by_ref_mut = choice.arms.iter().any(|arm| has_ref_mut(&arm.pat));
                if !by_ref_mut || !self.matched_mut(&mut choice.expr) {
                    self.matched(&mut choice.expr, by_ref);
                }
                choice.arms.iter_mut().for_each(|arm| self.arm(arm));
            }
            Expr::Closure(closure) if closure.capture.is_some() && !self.in_closure => {
                // It has copies of its own, made now.
                let mut copied: Vec<Ident> = Vec::new();
                for word in words(closure.body.to_token_stream()) {
                    let local = self.program.methods[self.method].locals.iter().find(|local| local.name == word);
                    if let Some(local) = local
                        && self.kept(&local.name)
                        && !copied.contains(&local.name)
                    {
                        copied.push(local.name.clone());
                    }
                }
                let values: Vec<Expr> = copied.iter().map(|name| self.access(name, Context::Value)).collect();
                let known = self.plain.len();
                self.plain.extend(copied.iter().map(ToString::to_string));
                self.in_closure = true;
                self.visit_expr_mut(&mut closure.body);
                self.in_closure = false;
                self.plain.truncate(known);
                *expr = parse_quote!({ #(let mut #copied = #values;)* #expr });
            }
            Expr::Closure(closure) => {
                // Inside, `return` and `?` are the closure's own.
                let outside = std::mem::replace(&mut self.in_closure, true);
                let handles = std::mem::take(&mut self.handles);
                let is_outermost = self.detached && handles.is_none();
                self.handles = if is_outermost { Some(Vec::new()) } else { handles };
                self.visit_expr_mut(&mut closure.body);
                self.in_closure = outside;
                if is_outermost {
                    // It must not hold the activation record, which holds it.
                    let f = own("f");
                    let handles = self.handles.take().unwrap_or_default();
                    closure.capture.get_or_insert_with(Default::default);
                    let bound = handles.iter().map(handle);
                    *expr = parse_quote!({ #(let #bound = &#f.#handles;)* #expr });
                }
            }
            Expr::Return(give) if !self.in_closure => {
                let value = match give.expr.take() {
                    Some(value) => self.value(*value),
                    None => parse_quote!(()),
                };
                *expr = self.leave(&value);
            }
            Expr::Try(tried) if !self.in_closure => {
                let k = self.program.private.clone();
                let tested = self.value((*tried.expr).clone());
                let (value, residual) = (own("value"), own("residual"));
                let leave = self.leave(&parse_quote!(#k::FromResidual::from_residual(#residual)));
                *expr = parse_quote! {
                    match #k::Tried::branch(#tested) {
                        #k::std::ops::ControlFlow::Continue(#value) => #value,
                        #k::std::ops::ControlFlow::Break(#residual) => #leave,
                    }
                };
            }
            Expr::Macro(mac) => {
                // Jumps are written last.
                if jump_target(&mac.mac).is_none() {
                    self.visit_macro_mut(&mut mac.mac);
                }
            }
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_block_mut(&mut self, block: &mut Braces) {
        for stmt in std::mem::take(&mut block.stmts) {
            match stmt {
                Stmt::Local(local) => block.stmts.extend(self.let_statement(local)),
                mut stmt => {
                    self.visit_stmt_mut(&mut stmt);
                    block.stmts.push(stmt);
                }
            }
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        let name = mac.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
        if name == "vec"
            && let Ok(tokens) = self.repeated(mac.tokens.clone())
        {
            mac.tokens = tokens;
            return;
        }
        if let Ok(mut args) = parser.parse2(mac.tokens.clone()) {
            let outside = self.in_macro;
            self.in_macro |= !is_expression_macro(mac);
            for arg in &mut args {
                match arg {
                    // `name = value` of a format string.
                    Expr::Assign(assign) => self.looked_at(&mut assign.right),
                    arg if EXPRESSION_MACROS.contains(&name.as_str()) && name != "vec" => self.looked_at(arg),
                    arg => self.visit_expr_mut(arg),
                }
            }
            self.in_macro = outside;
            mac.tokens = quote!(#args);
        } else {
            // No expressions: names are replaced where they stand.
            mac.tokens = replaced(std::mem::take(&mut mac.tokens), &mut |name| {
                self.kept(name).then(|| self.access(name, Context::Place).into_token_stream())
            });
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
    fn visit_pat_mut(&mut self, _: &mut Pat) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
}

impl Writer<'_> {
    /// What a struct of the predicate's gets, and may keep.
    fn pledged(&mut self, arg: &mut Expr) {
        if let Expr::Reference(reference) = &*arg
            && reference.mutability.is_some()
            && let Some(name) = self.kept_path(&reference.expr).cloned()
        {
            let x = self.cell(&name);
            *arg = parse_quote!(#x.pledged());
        } else if let Some(name) = self.kept_path(arg).cloned()
            && !self.local(&name).is_some_and(|local| local.is_mut_container)
        {
            let x = self.cell(&name);
            *arg = parse_quote!(#x.pledged_value());
        } else {
            self.visit_expr_mut(arg);
        }
    }

    /// What a function outside the machine gets.
    fn lent(&mut self, arg: &mut Expr) {
        match self.kept_path(arg).cloned() {
            Some(name) => *arg = self.access(&name, Context::Lent),
            None => self.visit_expr_mut(arg),
        }
    }

    /// Whether the expression is the iterator of a loop that was taken apart.
    fn is_own_iterator(&self, expr: &Expr) -> bool {
        self.kept_path(expr).is_some_and(|name| {
            name.to_string().starts_with("__korat_") && self.local(name).is_some_and(|local| local.is_mut)
        })
    }

    /// `vec![value; len]`.
    fn repeated(&mut self, tokens: TokenStream) -> syn::Result<TokenStream> {
        let parse = |input: syn::parse::ParseStream<'_>| -> syn::Result<(Expr, Expr)> {
            let value = input.parse()?;
            input.parse::<Token![;]>()?;
            Ok((value, input.parse()?))
        };
        let (value, len) = parse.parse2(tokens)?;
        let (value, len) = (self.value(value), self.value(len));
        Ok(quote!(#value; #len))
    }
}

/// Whether a function makes a value of a type of the user's, as far as its name says: `Walk::new`, `Walk`, and not `Some`.
fn is_making(func: &Expr) -> bool {
    let Expr::Path(path) = func else { return false };
    let names: Vec<String> = path.path.segments.iter().rev().take(2).map(|segment| segment.ident.to_string()).collect();
    let is_type = |name: &String| name.starts_with(char::is_uppercase);
    match names.as_slice() {
        [name] => is_type(name) && !["Some", "Ok", "Err"].contains(&name.as_str()),
        [_, owner] => is_type(owner) && owner != "Self" && fate(owner) == Fate::Lifted,
        _ => false,
    }
}

fn is_comparison(op: &BinOp) -> bool {
    matches!(op, BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_))
}
