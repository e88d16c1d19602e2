//! Lifts function bodies: every kind of expression, statement and item. Loop iterations and closures count a step.

use syn::spanned::Spanned;
use syn::{
    BinOp, Block, Expr, ExprField, ExprMacro, Ident, ImplItemFn, Item, ItemFn, ItemStruct, LocalInit, Macro, Pat,
    ReceiverKind, Stmt, StmtMacro, Type, parse_quote, parse_quote_spanned,
};

use super::Lifter;
use super::chains::{allow_chains, left_associated};
use super::places::is_compound_assignment;
use crate::rep_ok::block_of;
use crate::walk::visit::Visit;
use crate::walk::visit_mut::{self, VisitMut};

impl Lifter {
    /// Inserts a step counter into the body of a loop.
    fn count_rounds(&self, body: &mut Block) {
        let private = &self.private;
        body.stmts.insert(0, parse_quote!(#private::step();));
    }
}

impl VisitMut for Lifter {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Field(field) if self.is_own_value(&field.base) => {}
            Expr::Field(field) => {
                self.visit_base(&mut field.base);
                let ExprField { member, .. } = field;
                let read = Ident::new("__korat_read", member.span());
                // By reference, because auto-deref would read the target of a field that is itself a reference.
                *expr = parse_quote_spanned!(member.span()=> (*(&#field).#read()));
            }
            Expr::Assign(assign) => {
                self.visit_place(&mut assign.left);
                self.visit_expr_mut(&mut assign.right);
            }
            Expr::Binary(binary) if is_compound_assignment(&binary.op) => {
                self.visit_place(&mut binary.left);
                self.visit_expr_mut(&mut binary.right);
            }
            Expr::Binary(binary) if is_equality(&binary.op) && (is_none(&binary.left) || is_none(&binary.right)) => {
                // A comparison with `None` compares no objects, which views do not support.
                let other = if is_none(&binary.left) { &mut binary.right } else { &mut binary.left };
                self.visit_expr_mut(other);
                *expr = if matches!(binary.op, BinOp::Eq(_)) {
                    parse_quote!((#other).is_none())
                } else {
                    parse_quote!((#other).is_some())
                };
            }
            Expr::If(branch) => {
                let condition = branch.cond.clone();
                self.hiding(|names| names.visit_expr(&condition), |this| visit_mut::visit_expr_if_mut(this, branch));
                allow_chains(&mut branch.if_token.span, &branch.cond);
            }
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
                visit_mut::visit_expr_binary_mut(self, binary);
                left_associated(binary);
            }
            Expr::Let(condition) => {
                self.check_variants(&condition.expr, std::iter::once(&*condition.pat));
                if let Some(alternatives) = self.alternatives_of_condition(condition) {
                    *condition = alternatives;
                }
                self.visit_expr_mut(&mut condition.expr);
                if let Some(lifted) = self.lift_condition(condition) {
                    *expr = lifted;
                }
            }
            Expr::Match(choice) => {
                self.check_variants(&choice.expr, choice.arms.iter().map(|arm| &arm.pat));
                self.visit_expr_mut(&mut choice.expr);
                for arm in &mut choice.arms {
                    let pat = arm.pat.clone();
                    self.hiding(|names| names.visit_pat(&pat), |this| this.visit_expr_mut(&mut arm.body));
                }
                self.lift_arms(choice);
            }
            Expr::Closure(closure) => {
                let inputs = closure.inputs.clone();
                self.hiding(
                    |names| inputs.iter().for_each(|input| names.visit_pat(input)),
                    |this| visit_mut::visit_expr_closure_mut(this, closure),
                );
                let private = &self.private;
                let mut block = block_of(vec![parse_quote!(#private::step();)], &closure.body);
                for input in &mut closure.inputs {
                    self.bind_cells(input, &mut block);
                }
                *closure.body = parse_quote!(#block);
            }
            Expr::Reference(reference) if matches!(&*reference.expr, Expr::Array(_) | Expr::Repeat(_)) => {
                // An array literal behind a reference is usually coerced to a slice.
                visit_mut::visit_expr_reference_mut(self, reference);
                let (private, literal) = (&self.private, &reference.expr);
                *reference.expr = parse_quote!(#private::twin::Array::from(#literal));
            }
            Expr::Reference(reference) if reference.mutability.is_some() => self.visit_place(&mut reference.expr),
            Expr::MethodCall(call) => self.visit_method_call(call),
            Expr::Call(call) if self.is_about_own_pointer(call) => {
                call.args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
            }
            Expr::Path(path) => {
                if let Some(lifted) = self.visit_expr_path(path) {
                    *expr = lifted;
                }
            }
            Expr::Unsafe(block) => {
                let outer = std::mem::replace(&mut self.in_unsafe, true);
                visit_mut::visit_expr_unsafe_mut(self, block);
                self.in_unsafe = outer;
            }
            Expr::While(repeat) => {
                let condition = repeat.cond.clone();
                self.hiding(|names| names.visit_expr(&condition), |this| visit_mut::visit_expr_while_mut(this, repeat));
                allow_chains(&mut repeat.while_token.span, &repeat.cond);
                self.count_rounds(&mut repeat.body);
            }
            Expr::Loop(repeat) => {
                visit_mut::visit_expr_loop_mut(self, repeat);
                self.count_rounds(&mut repeat.body);
            }
            Expr::ForLoop(repeat) => {
                let pat = repeat.pat.clone();
                self.visit_expr_mut(&mut repeat.expr);
                self.visit_pat_mut(&mut repeat.pat);
                self.hiding(|names| names.visit_pat(&pat), |this| this.visit_block_mut(&mut repeat.body));
                self.bind_cells(&mut repeat.pat, &mut repeat.body);
                self.count_rounds(&mut repeat.body);
            }
            Expr::Macro(ExprMacro { mac, .. }) => {
                if let Some(lifted) = self.visit_macro(mac) {
                    *expr = lifted;
                }
            }
            Expr::Async(block) => {
                self.refuse(&block.async_token, "an `async` block cannot be lifted; write the invariant without it");
            }
            Expr::Await(wait) => {
                self.refuse(&wait.await_token, "`.await` cannot be lifted; write the invariant without awaiting");
            }
            Expr::Yield(give) => {
                self.refuse(&give.yield_token, "`yield` cannot be lifted; return the values in a collection");
            }
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::Macro(StmtMacro { mac, semi_token, .. }) => {
                if let Some(lifted) = self.visit_macro(mac) {
                    *stmt = Stmt::Expr(lifted, *semi_token);
                }
            }
            _ => visit_mut::visit_stmt_mut(self, stmt),
        }
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        // Types declared in the body are in scope from its start.
        let known = self.own_names.len();
        for stmt in &block.stmts {
            match stmt {
                Stmt::Item(Item::Struct(item)) => self.own_names.push(item.ident.to_string()),
                Stmt::Item(Item::Enum(item)) => self.own_names.push(item.ident.to_string()),
                Stmt::Item(Item::Type(item)) => self.own_names.push(item.ident.to_string()),
                _ => {}
            }
        }
        let known_values = self.own_values.len();
        for mut stmt in std::mem::take(&mut block.stmts) {
            if let Stmt::Local(local) = &mut stmt {
                block.stmts.extend(self.keep_temporary(local));
                if let Some(LocalInit { expr, diverge: Some(_), .. }) = &local.init {
                    self.check_variants(expr, std::iter::once(&local.pat));
                }
                let before = local.clone();
                if let Some(init) = &mut local.init {
                    self.visit_expr_mut(&mut init.expr);
                    if let Some((_, otherwise)) = &mut init.diverge {
                        self.visit_expr_mut(otherwise);
                    }
                }
                self.note_local(&before);
                let reads = self.lift_local(local);
                block.stmts.push(stmt);
                block.stmts.extend(reads);
            } else {
                self.visit_stmt_mut(&mut stmt);
                block.stmts.push(stmt);
            }
        }
        self.own_values.truncate(known_values);
        self.own_names.truncate(known);
    }

    fn visit_item_mut(&mut self, item: &mut Item) {
        match item {
            Item::Fn(ItemFn { sig, block, .. }) => self.lift_fn(sig, block),
            Item::Struct(ItemStruct { fields, .. }) => visit_mut::visit_fields_mut(self, fields),
            // Constants keep the user's types and values.
            Item::Const(_) | Item::Static(_) => {}
            // An import in a body may name the std type; its uses are replaced one by one.
            _ => visit_mut::visit_item_mut(self, item),
        }
    }

    /// Lifts a method of a type that is declared in a body.
    fn visit_impl_item_fn_mut(&mut self, method: &mut ImplItemFn) {
        let changes = method.sig.receiver().is_some_and(|receiver| match &receiver.kind {
            ReceiverKind::Reference(_, _, mutability) => mutability.is_some(),
            _ => true,
        });
        let outer = std::mem::replace(&mut self.self_changes, changes);
        visit_mut::visit_impl_item_fn_mut(self, method);
        self.self_changes = outer;
    }

    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        if let Pat::Path(path) = pat {
            if let Some(lifted) = self.lift_unit_variant(&path.path) {
                path.path = lifted;
            } else if let Some(Expr::Path(lifted)) = self.visit_expr_path(path) {
                *path = lifted;
            }
            return;
        }
        visit_mut::visit_pat_mut(self, pat);
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        self.lift_type(ty);
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        // `visit_macro` lifts macros in expressions and statements; the remaining ones expand to types, patterns or items.
        let _ = mac;
    }
}

fn is_equality(op: &BinOp) -> bool {
    matches!(op, BinOp::Eq(_) | BinOp::Ne(_))
}

fn is_none(expr: &Expr) -> bool {
    matches!(expr, Expr::Path(path) if path.path.is_ident("None"))
}
