//! Determines for every kind of expression how it uses the kept locals in it. Any use that is not certainly read-only
//! saves the local first.

use quote::ToTokens;
use syn::{Block as Braces, Expr, ExprClosure, ExprMethodCall, Ident, Item, Macro, Pat, Stmt, parse_quote};

use super::{Context, Writer};
use crate::rep_ok::compared::{Hooks, hook_pointers, is_expression_macro};
use crate::rep_ok::lift::is_compound_assignment;
use crate::rep_ok::lower::arguments::{self, Argument};
use crate::rep_ok::lower::hygiene::own;
use crate::rep_ok::lower::ir::Leave;
use crate::rep_ok::lower::order::is_comparison;
use crate::rep_ok::lower::patterns::unmut;
use crate::rep_ok::lower::words::words;
use crate::rep_ok::std_methods::{SELF_SAVING_METHODS, by_value};
use crate::walk::visit_mut::{self, VisitMut};

impl VisitMut for Writer<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Some(name) = self.kept_path(expr).cloned() {
            *expr = self.access(&name, Context::Value);
            return;
        }
        match expr {
            Expr::MethodCall(call) => self.method_call(call),
            Expr::Call(call) => {
                match self.kept_path(&call.func).cloned() {
                    Some(name) => *call.func = self.access(&name, Context::Callee),
                    None => self.visit_expr_mut(&mut call.func),
                }
                call.args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
                if !self.in_macro {
                    hook_pointers(&self.program.private, call);
                }
            }
            // Constants cannot name locals.
            Expr::Const(_) => {}
            Expr::Repeat(repeat) => self.visit_expr_mut(&mut repeat.expr),
            Expr::Reference(reference) if reference.mutability.is_some() && self.is_own_iterator(&reference.expr) => {
                // The iterator may be a `&mut` to another iterator, which is then saved too.
                if let Some(name) = self.kept_path(&reference.expr).cloned() {
                    *reference.expr = self.access(&name, Context::Receiver);
                }
            }
            Expr::Reference(reference)
                if reference.mutability.is_some() && self.kept_path(&reference.expr).is_some() =>
            {
                // Both the local and its referent may be modified.
                if let Some(name) = self.kept_path(&reference.expr).cloned() {
                    *reference.expr = self.access(&name, Context::Whole);
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
            Expr::Field(field) => self.operand(&mut field.base),
            Expr::Unary(unary) => self.operand(&mut unary.expr),
            Expr::Cast(cast) => self.operand(&mut cast.expr),
            Expr::Index(index) => {
                // An element is copied out; if it is a `&mut` that is reborrowed, the local is not restorable anyway.
                match self.kept_path(&index.expr).cloned() {
                    Some(name) if self.captured.is_none() => *index.expr = self.access(&name, Context::Indexed),
                    _ => self.looked_at(&mut index.expr),
                }
                self.operand(&mut index.index);
            }
            Expr::Binary(binary) if is_compound_assignment(&binary.op) => {
                self.assigned(&mut binary.left);
                self.operand(&mut binary.right);
            }
            Expr::Binary(binary) if is_comparison(&binary.op) => {
                let hooks = Hooks::of(binary).filter(|_| !self.in_macro);
                self.looked_at(&mut binary.left);
                self.looked_at(&mut binary.right);
                if let Some(hooks) = hooks {
                    hooks.put(&self.program.private, binary);
                }
            }
            Expr::Binary(binary) => {
                self.operand(&mut binary.left);
                self.operand(&mut binary.right);
            }
            Expr::Assign(assign) => {
                self.rebuilt(assign);
                if self.captured.is_none()
                    && let Some(name) = self.kept_path(&assign.left).cloned()
                {
                    let (value, x) = (self.value((*assign.right).clone()), self.cell(&name));
                    *expr = parse_quote!(#x.assign(#value));
                    return;
                }
                self.assigned(&mut assign.left);
                self.visit_expr_mut(&mut assign.right);
            }
            Expr::Let(test) => self.scrutinee(&mut test.expr, std::iter::once(&*test.pat)),
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
                self.scrutinee(&mut choice.expr, choice.arms.iter().map(|arm| &arm.pat));
                choice.arms.iter_mut().for_each(|arm| self.arm(arm));
            }
            Expr::Closure(closure) => *expr = self.closure(closure.clone()),
            Expr::Break(leave) => {
                if let Some(value) = &mut leave.expr {
                    self.visit_expr_mut(value);
                }
                if let Some(jump) = self.exit(Leave::Break, leave.label.as_ref()) {
                    *expr = jump;
                }
            }
            Expr::Continue(leave) => {
                if let Some(jump) = self.exit(Leave::Continue, leave.label.as_ref()) {
                    *expr = jump;
                }
            }
            // Inside a closure, `return` and `?` leave only the closure.
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
                    match #k::Try::branch(#tested) {
                        #k::std::ops::ControlFlow::Continue(#value) => #value,
                        #k::std::ops::ControlFlow::Break(#residual) => #leave,
                    }
                };
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
        let outside = self.in_macro;
        self.in_macro |= !is_expression_macro(mac);
        arguments::edit(mac, &mut |arg, argument| match argument {
            Argument::Value => self.visit_expr_mut(arg),
            Argument::Looked => self.looked_at(arg),
            Argument::Written => match self.kept_path(arg).cloned() {
                Some(name) => *arg = self.access(&name, Context::Whole),
                None => self.receiver(arg),
            },
        });
        self.in_macro = outside;
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
    fn visit_pat_mut(&mut self, _: &mut Pat) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
}

impl Writer<'_> {
    /// Rewrites an operand of an operation that modifies nothing.
    fn operand(&mut self, expr: &mut Expr) {
        match self.kept_path(expr).cloned() {
            Some(name) => *expr = self.access(&name, Context::Operand),
            None => self.visit_expr_mut(expr),
        }
    }

    /// Rewrites the receiver in `x = x.method(..)`. Whether the method consumes, reads or modifies `x`, only its result
    /// remains.
    fn rebuilt(&mut self, assign: &mut syn::ExprAssign) {
        let Some(name) = self.kept_path(&assign.left).cloned() else { return };
        let Expr::MethodCall(call) = &mut *assign.right else { return };
        let names_it = |expr: &Expr| words(expr.to_token_stream()).iter().any(|word| name == word);
        if self.kept_path(&call.receiver) == Some(&name) && !call.args.iter().any(names_it) {
            *call.receiver = Expr::Verbatim(self.access(&name, Context::Operand).into_token_stream());
        }
    }

    fn method_call(&mut self, call: &mut ExprMethodCall) {
        let method = call.method.to_string();
        let k = self.program.private.clone();
        let name = self.kept_path(&call.receiver).cloned();
        match (name, by_value(&method, call.args.len())) {
            (Some(name), Some(group)) => {
                let (group, value) = (own(group), self.access(&name, Context::Value));
                *call.receiver = parse_quote!((&&&&#k::Receiver::new(#value)).#group());
            }
            (Some(name), None) if SELF_SAVING_METHODS.contains(&method.as_str()) => {
                *call.receiver = self.access(&name, Context::Receiver);
            }
            (Some(name), None) => *call.receiver = self.access(&name, Context::Whole),
            (None, Some(group)) if self.is_rooted(&call.receiver) => {
                let group = own(group);
                self.looked_at(&mut call.receiver);
                let part = &call.receiver;
                // A field of a node is a slot, and the method takes the value in the slot.
                *call.receiver = parse_quote!((&&&&#k::Receiver::new(#k::moved((&#part).__korat_read()))).#group());
            }
            (None, _) => self.receiver(&mut call.receiver),
        }
        call.args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
    }

    /// Rewrites a closure. A `move` closure gets its own copies of the kept locals when it is created. Any other
    /// closure accesses them through references created with it or, if it is itself kept, through handles, which save
    /// changes in each statement that calls the closure.
    fn closure(&mut self, mut closure: ExprClosure) -> Expr {
        let outside = std::mem::replace(&mut self.in_closure, true);
        let written = if closure.capture.is_some() {
            let copied = self.kept_in(&closure.body);
            let values: Vec<Expr> = copied.iter().map(|name| self.access(name, Context::Value)).collect();
            let known = self.plain.len();
            self.plain.extend(copied.iter().map(ToString::to_string));
            self.visit_expr_mut(&mut closure.body);
            self.plain.truncate(known);
            parse_quote!({ #(let mut #copied = #values;)* #closure })
        } else if self.captured.is_some() || self.handles.is_some() {
            // The enclosing closure already has the captures.
            self.visit_expr_mut(&mut closure.body);
            Expr::Closure(closure)
        } else if self.detached {
            self.handles = Some(Vec::new());
            self.visit_expr_mut(&mut closure.body);
            let handles = self.handles.take().unwrap_or_default();
            // Capture handles by value: the closure must not borrow the activation record that stores it.
            closure.capture = Some(Default::default());
            let handed = self.handed(&handles);
            parse_quote!({ #handed #closure })
        } else {
            self.captured = Some(Vec::new());
            self.visit_expr_mut(&mut closure.body);
            let captured = self.captured.take().unwrap_or_default();
            let captures = self.captures(&captured);
            if captures.is_empty() { Expr::Closure(closure) } else { parse_quote!({ #captures #closure }) }
        };
        self.in_closure = outside;
        written
    }

    /// Returns the kept locals that a closure names.
    fn kept_in(&self, body: &Expr) -> Vec<Ident> {
        let mut names: Vec<Ident> = Vec::new();
        for word in words(body.to_token_stream()) {
            let local = self.program.method(self.method).locals.iter().find(|local| local.name == word);
            if let Some(local) = local
                && self.kept(&local.name)
                && !names.contains(&local.name)
            {
                names.push(local.name.clone());
            }
        }
        names
    }

    /// Returns whether the expression is the iterator of a `for` loop that was split.
    fn is_own_iterator(&self, expr: &Expr) -> bool {
        self.kept_path(expr).is_some_and(|name| {
            name.to_string().starts_with("__korat_") && self.local(name).is_some_and(|local| local.is_mut)
        })
    }
}
