//! Writes the user's statements. Takes the statements of one block, gives them with every name of a kept local as the use of
//! its cell: looked at, moved, changed, lent. What is changed is saved by the cell.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Arm, BinOp, Block as Braces, Expr, ExprLit, Ident, Item, Lit, LitBool, Local as LetStmt, Macro, Pat, Stmt, Token,
    UnOp, parse_quote, parse_quote_spanned,
};

use super::hygiene::{block_label, frames_of, handle, machine_label, own};
use super::jumps::jump_target;
use super::order::consumes;
use super::patterns::{BoundNames, bound_in_condition, has_ref, has_ref_mut, unmut, unmut_condition};
use super::tokens::label_number;
use super::words::{replaced, words};
use super::{BlockId, Program};
use crate::rep_ok::lift::is_compound_assignment;
use crate::rep_ok::names::{EXPRESSION_MACROS, Fate, SELF_SAVING_METHODS, fate};

/// Writes the statements of one block.
pub(super) struct Writer<'p> {
    pub(super) program: &'p Program,
    pub(super) method: usize,
    /// The block in whose arm the statements stand, if it can be re-entered.
    pub(super) arm: Option<BlockId>,
    pub(super) in_loop: bool,
    /// Kept locals that are just being bound, and are still plain names.
    pub(super) plain: Vec<String>,
    pub(super) in_closure: bool,
    /// Whether the expression is kept in the activation record.
    pub(super) detached: bool,
    /// In a closure that is kept: the locals it has handles of.
    pub(super) handles: Option<Vec<Ident>>,
}

/// How the name of a kept local is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    /// Moved or copied.
    Value,
    /// Moved or copied to a function, which may change what it leads to.
    Lent,
    /// Looked at.
    Place,
    /// The receiver of a method; a container saves its own changes.
    Receiver,
    /// The receiver of a method that may put something else in its place.
    Whole,
    /// Called.
    Callee,
    /// Changed, by what saves it.
    Bare,
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

    pub(super) fn kept(&self, name: &Ident) -> bool {
        !self.plain.contains(&name.to_string()) && self.program.hoisted.contains(self.method, name)
    }

    /// Ends the activation with a value.
    pub(super) fn leave(&self, value: &Expr) -> Expr {
        let (m, pc, label) = (own("m"), own("pc"), machine_label());
        let name = &self.program.methods[self.method].name;
        if name == "rep_ok" && !self.program.is_called("rep_ok") {
            return match (value, self.arm) {
                (Expr::Lit(ExprLit { lit: Lit::Bool(LitBool { value: false, .. }), .. }), Some(arm)) => {
                    // Most often the next candidate begins where this one has ended.
                    let (number, block) = (label_number(arm), block_label());
                    parse_quote!({ if #m.again(#number) { continue #block; } break #label #value })
                }
                (Expr::Lit(_) | Expr::Path(_) | Expr::Paren(_), _) => parse_quote!(break #label #value),
                (value, _) => parse_quote!(break #label (#value)),
            };
        }
        let frames = frames_of(&self.program.methods[self.method]);
        parse_quote!({ #pc = #frames.leave(#m, #value); continue #label; })
    }

    fn kept_path<'e>(&self, expr: &'e Expr) -> Option<&'e Ident> {
        match expr {
            Expr::Path(path) if path.qself.is_none() => path.path.get_ident().filter(|name| self.kept(name)),
            Expr::Paren(paren) => self.kept_path(&paren.expr),
            _ => None,
        }
    }

    fn local(&self, name: &Ident) -> Option<&super::Local> {
        self.program.methods[self.method].locals.iter().find(|local| local.name == *name)
    }

    /// The cell of a kept local.
    fn cell(&mut self, name: &Ident) -> TokenStream {
        let f = own("f");
        match &mut self.handles {
            Some(handles) => {
                if !handles.contains(name) {
                    handles.push(name.clone());
                }
                handle(name).into_token_stream()
            }
            None => quote!(#f.#name),
        }
    }

    /// A use of a kept local.
    fn access(&mut self, name: &Ident, context: Context) -> Expr {
        let x = self.cell(name);
        let local = self.local(name);
        let is_mut = local.is_some_and(|local| local.is_mut);
        let span = name.span();
        match context {
            Context::Value => parse_quote_spanned!(span=> #x.value()),
            Context::Lent => parse_quote_spanned!(span=> #x.lent()),
            Context::Place => parse_quote_spanned!(span=> (*#x.get())),
            Context::Bare => parse_quote_spanned!(span=> (*#x.place())),
            Context::Receiver if local.is_some_and(|local| local.is_mut_container) => {
                parse_quote_spanned!(span=> (*#x.place()))
            }
            Context::Receiver if is_mut => parse_quote_spanned!(span=> (*#x.receiver())),
            Context::Whole if is_mut => parse_quote_spanned!(span=> (*#x.whole())),
            Context::Receiver | Context::Whole => parse_quote_spanned!(span=> (*#x.look())),
            Context::Callee if is_mut => parse_quote_spanned!(span=> (*#x.edit())),
            Context::Callee => parse_quote_spanned!(span=> (*#x.look())),
        }
    }

    /// Moves names that were just bound into the activation record.
    pub(super) fn keep(&self, names: &[Ident]) -> TokenStream {
        let f = own("f");
        let kept = names.iter().filter(|name| self.program.hoisted.contains(self.method, name));
        let gives = kept.map(|name| {
            let is_mut = self.local(name).is_some_and(|local| local.is_mut);
            let give = match (self.in_loop, is_mut) {
                (true, _) => own("set"),
                (false, true) => own("init"),
                (false, false) => own("give"),
            };
            quote!(#f.#name.#give(#name);)
        });
        quote!(#(#gives)*)
    }

    fn keep_stmts(&self, names: &[Ident]) -> Vec<Stmt> {
        let moves = self.keep(names);
        let block: Braces = parse_quote!({ #moves });
        block.stmts
    }

    /// The kept names that a pattern binds.
    fn bound(&self, pat: &Pat) -> Vec<Ident> {
        let mut finder = BoundNames(Vec::new());
        finder.visit_pat(pat);
        finder.0.retain(|name| self.program.hoisted.contains(self.method, name));
        finder.0
    }

    pub(super) fn statement(&mut self, stmt: Stmt, body: &mut TokenStream) {
        match stmt {
            Stmt::Local(local) => {
                for stmt in self.let_statement(local) {
                    stmt.to_tokens(body);
                }
            }
            mut stmt => {
                self.visit_stmt_mut(&mut stmt);
                stmt.to_tokens(body);
            }
        }
    }

    /// A `let`, and the moves of what it binds.
    fn let_statement(&mut self, mut local: LetStmt) -> Vec<Stmt> {
        let bound = self.bound(&local.pat);
        let Some(init) = &mut local.init else {
            let f = own("f");
            let Some(name) = bound.first() else { return vec![Stmt::Local(local)] };
            let declare = if self.in_loop { own("declare_again") } else { own("declare") };
            return vec![parse_quote!(#f.#name.#declare();)];
        };
        let by_ref = has_ref(&local.pat);
        let mut before = Vec::new();
        let outside = std::mem::replace(&mut self.detached, !bound.is_empty());
        if !has_ref_mut(&local.pat) || !self.matched_mut(&mut init.expr) {
            self.matched(&mut init.expr, by_ref);
        }
        self.detached = outside;
        if let Some((_, otherwise)) = &mut init.diverge {
            self.visit_expr_mut(otherwise);
        }
        unmut(&mut local.pat, &bound);
        before.push(Stmt::Local(local));
        before.extend(self.keep_stmts(&bound));
        before
    }

    /// What a pattern with `ref mut` is matched against, if it is a part of a kept local.
    fn matched_mut(&mut self, expr: &mut Expr) -> bool {
        let rooted = self.is_rooted(expr);
        if rooted {
            self.place(expr);
            let k = &self.program.private;
            *expr = parse_quote!((*#k::touch(&mut #expr)));
        }
        rooted
    }

    /// What a pattern is matched against.
    fn matched(&mut self, expr: &mut Expr, by_ref: bool) {
        match self.kept_path(expr).cloned() {
            Some(name) => *expr = self.access(&name, if by_ref { Context::Place } else { Context::Value }),
            None if by_ref => self.looked_at(expr),
            None => self.visit_expr_mut(expr),
        }
    }

    pub(super) fn value(&mut self, mut expr: Expr) -> Expr {
        self.visit_expr_mut(&mut expr);
        expr
    }

    /// An argument of a machine call: `&mut x` is a handle, whose user saves what it changes.
    pub(super) fn argument(&mut self, mut expr: Expr) -> Expr {
        if let Expr::Reference(reference) = &mut expr
            && reference.mutability.is_some()
        {
            self.place(&mut reference.expr);
            return expr;
        }
        self.value(expr)
    }

    /// A place that is changed by what saves it: names in it are handles.
    fn place(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Path(_) => {
                if let Some(name) = self.kept_path(expr).cloned() {
                    *expr = self.access(&name, Context::Bare);
                }
            }
            Expr::Field(field) => self.place(&mut field.base),
            Expr::Index(index) => {
                self.place(&mut index.expr);
                self.visit_expr_mut(&mut index.index);
            }
            Expr::Paren(paren) => self.place(&mut paren.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.place(&mut unary.expr),
            _ => self.visit_expr_mut(expr),
        }
    }

    /// Whether a place is, or is reached through, a kept local.
    fn is_rooted(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Path(_) => self.kept_path(expr).is_some(),
            Expr::Field(field) => self.is_rooted(&field.base),
            Expr::Index(index) => self.is_rooted(&index.expr),
            Expr::Paren(paren) => self.is_rooted(&paren.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.is_rooted(&unary.expr),
            _ => false,
        }
    }

    /// Whether the expression is the iterator of a loop that was taken apart.
    fn is_own_iterator(&self, expr: &Expr) -> bool {
        self.kept_path(expr).is_some_and(|name| {
            name.to_string().starts_with("__korat_") && self.local(name).is_some_and(|local| local.is_mut)
        })
    }

    /// The left side of an assignment.
    fn assigned(&mut self, expr: &mut Expr) {
        if let Some(name) = self.kept_path(expr).cloned() {
            let x = self.cell(&name);
            *expr = parse_quote!(*#x.edit());
        } else if let Expr::Tuple(tuple) = expr {
            tuple.elems.iter_mut().for_each(|elem| self.assigned(elem));
        } else if let Expr::Array(array) = expr {
            array.elems.iter_mut().for_each(|elem| self.assigned(elem));
        } else if matches!(expr, Expr::Infer(_)) {
        } else if self.is_rooted(expr) || is_indirect(expr) {
            self.place(expr);
            let k = &self.program.private;
            *expr = parse_quote!(*#k::touch(&mut #expr));
        } else {
            self.visit_expr_mut(expr);
        }
    }

    /// A condition: names that it binds are plain in it, and are moved at the start of `body`.
    fn condition(&mut self, cond: &mut Expr, body: &mut Braces) {
        let bound = bound_in_condition(cond, |pat| self.bound(pat));
        let known = self.plain.len();
        self.plain.extend(bound.iter().map(ToString::to_string));
        self.visit_expr_mut(cond);
        unmut_condition(cond, &bound);
        self.plain.truncate(known);
        self.visit_block_mut(body);
        body.stmts.splice(0..0, self.keep_stmts(&bound));
    }

    fn arm(&mut self, arm: &mut Arm) {
        let bound = self.bound(&arm.pat);
        let known = self.plain.len();
        self.plain.extend(bound.iter().map(ToString::to_string));
        if let Pat::Guard(guarded) = &mut arm.pat {
            self.visit_expr_mut(&mut guarded.guard);
        }
        self.plain.truncate(known);
        unmut(&mut arm.pat, &bound);
        self.visit_expr_mut(&mut arm.body);
        let moves = self.keep(&bound);
        if !moves.is_empty() {
            let body = &arm.body;
            *arm.body = parse_quote!({ #moves #body });
        }
    }
}

/// Whether an assignment to the place may change what somebody else holds.
fn is_indirect(expr: &Expr) -> bool {
    match expr {
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)),
        Expr::Field(field) => is_indirect(&field.base),
        Expr::Paren(paren) => is_indirect(&paren.expr),
        Expr::MethodCall(_) | Expr::Call(_) => true,
        Expr::Index(index) => is_indirect(&index.expr),
        _ => false,
    }
}

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
            }
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
                self.looked_at(&mut binary.left);
                self.looked_at(&mut binary.right);
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
            for arg in &mut args {
                match arg {
                    // `name = value` of a format string.
                    Expr::Assign(assign) => self.looked_at(&mut assign.right),
                    arg if EXPRESSION_MACROS.contains(&name.as_str()) && name != "vec" => self.looked_at(arg),
                    arg => self.visit_expr_mut(arg),
                }
            }
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
    /// An expression that is looked at, where it is a name.
    fn looked_at(&mut self, expr: &mut Expr) {
        if let Some(name) = self.kept_path(expr).cloned() {
            *expr = self.access(&name, Context::Place);
            return;
        }
        match expr {
            Expr::Field(field) => self.looked_at(&mut field.base),
            Expr::Paren(paren) => self.looked_at(&mut paren.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.looked_at(&mut unary.expr),
            _ => self.visit_expr_mut(expr),
        }
    }

    /// The receiver of a method, which may change it: `x.items.push(1)`.
    fn receiver(&mut self, expr: &mut Expr) {
        let mut root = &*expr;
        let mut is_path = true;
        loop {
            root = match root {
                Expr::Field(field) => &field.base,
                Expr::Index(index) => &index.expr,
                Expr::Paren(paren) => &paren.expr,
                Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => &unary.expr,
                _ => break,
            };
            is_path = false;
        }
        let name = self.kept_path(root).cloned();
        match name {
            Some(name) if !is_path => self.part_of(expr, &name),
            _ => self.looked_at(expr),
        }
    }

    /// A part of a local or of what it refers to, which is saved as a whole where it may be changed.
    fn part_of(&mut self, expr: &mut Expr, name: &Ident) {
        match expr {
            Expr::Field(field) => self.part_of(&mut field.base, name),
            Expr::Index(index) => {
                self.part_of(&mut index.expr, name);
                self.visit_expr_mut(&mut index.index);
            }
            Expr::Paren(paren) if !matches!(*paren.expr, Expr::Path(_)) => self.part_of(&mut paren.expr, name),
            Expr::Unary(unary) => self.part_of(&mut unary.expr, name),
            _ => *expr = self.access(name, Context::Receiver),
        }
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
