//! Finds where the user's syntax leaves its block: `break` and `continue` of loops that were split.

use syn::{Expr, ExprBreak, ExprContinue, Item, Lifetime, Macro, Pat, Stmt, parse_quote};

use super::arguments;
use super::blocks::Dest;
use super::ir::{BlockId, Code, Exit, Leave};
use crate::walk::visit_mut::{self, VisitMut};

/// A loop or labeled block that was split.
pub(super) struct Loop {
    pub(super) label: Lifetime,
    pub(super) next: BlockId,
    pub(super) after: BlockId,
    pub(super) result: Dest,
}

pub(super) fn stmt(mut syntax: Stmt, loops: &[Loop]) -> Code<Stmt> {
    let exits = found(loops, |finder| finder.visit_stmt_mut(&mut syntax));
    Code { syntax, exits }
}

pub(super) fn expr(mut syntax: Expr, loops: &[Loop]) -> Code<Expr> {
    let exits = found(loops, |finder| finder.visit_expr_mut(&mut syntax));
    Code { syntax, exits }
}

/// Returns the exits in the guard of a pattern.
pub(super) fn of_pat(pat: &mut Pat, loops: &[Loop]) -> Vec<Exit> {
    found(loops, |finder| finder.visit_pat_mut(pat))
}

/// Returns the loop that a label names, if the loop was split.
pub(super) fn find<'l>(loops: &'l [Loop], label: Option<&Lifetime>) -> Option<&'l Loop> {
    loops.iter().find(|known| Some(&known.label) == label)
}

fn found(loops: &[Loop], visit: impl FnOnce(&mut ExitFinder<'_>)) -> Vec<Exit> {
    let mut finder = ExitFinder { loops, exits: Vec::new() };
    visit(&mut finder);
    finder.exits
}

struct ExitFinder<'l> {
    loops: &'l [Loop],
    exits: Vec<Exit>,
}

impl ExitFinder<'_> {
    fn note(&mut self, leave: Leave, label: &Lifetime, to: BlockId) {
        self.exits.push(Exit { leave, label: label.clone(), to });
    }
}

impl VisitMut for ExitFinder<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        match expr {
            Expr::Break(ExprBreak { label, expr: value, .. }) => {
                let Some(target) = find(self.loops, label.as_ref()) else { return };
                self.note(Leave::Break, &target.label, target.after);
                let label = &target.label;
                let value = value.take();
                *expr = match (&target.result, value) {
                    (Dest::Into(result), Some(value)) => parse_quote!({ #result = #value; break #label }),
                    (Dest::Return, Some(value)) => parse_quote!(return #value),
                    (Dest::Return, None) => parse_quote!(return ()),
                    (Dest::Ignore, Some(value)) => parse_quote!({ #value; break #label }),
                    (Dest::Ignore | Dest::Into(_), None) => parse_quote!(break #label),
                };
            }
            Expr::Continue(ExprContinue { label, .. }) => {
                if let Some(target) = find(self.loops, label.as_ref()) {
                    self.note(Leave::Continue, &target.label, target.next);
                }
            }
            _ => {}
        }
    }
    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        arguments::edit(mac, &mut |arg, _| self.visit_expr_mut(arg));
    }
    fn visit_item_mut(&mut self, _: &mut Item) {}
}
