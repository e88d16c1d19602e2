//! Jumps between blocks: `break` and `continue` of loops that were taken apart, and the numbers of the blocks.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprBreak, ExprContinue, Item, Lifetime, parse_quote};

use super::blocks::Dest;
use super::{Block, BlockId, Op, Program};

/// A loop that was taken apart.
pub(super) struct Loop {
    pub(super) label: Option<Lifetime>,
    pub(super) next: BlockId,
    pub(super) after: BlockId,
    pub(super) result: Dest,
}

/// Numbers the blocks in the order of the source.
pub(super) fn number_blocks(program: &mut Program, blocks: Vec<Option<Block>>, order: &[BlockId]) {
    struct Renumber<'n>(&'n [usize]);
    impl VisitMut for Renumber<'_> {
        fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
            if let Some(to) = jump_target(mac) {
                let number = self.0[to.0];
                mac.tokens = quote!(#number);
            }
        }
    }
    let mut numbers = vec![usize::MAX; blocks.len()];
    for (number, id) in order.iter().enumerate() {
        numbers[id.0] = number;
    }
    let mut blocks: Vec<Option<Block>> = blocks;
    let mut renumber = Renumber(&numbers);
    for id in order {
        let Some(mut block) = blocks[id.0].take() else { continue };
        for op in &mut block.ops {
            match op {
                Op::Stmt(stmt) => renumber.visit_stmt_mut(stmt),
                Op::Return(value) => renumber.visit_expr_mut(value),
                Op::Call { args, then, .. } => {
                    args.iter_mut().for_each(|arg| renumber.visit_expr_mut(arg));
                    then.iter_mut().for_each(|then| then.0 = numbers[then.0]);
                }
                Op::Goto(to) => to.0 = numbers[to.0],
                Op::Declare(..) | Op::Result { .. } => {}
            }
        }
        program.blocks.push(block);
    }
    for method in &mut program.methods {
        method.entry.0 = numbers[method.entry.0];
    }
}

/// Where `__korat_goto!(n)` leads.
pub(super) fn jump_target(mac: &syn::Macro) -> Option<BlockId> {
    if mac.path.is_ident(GOTO) { number(&mac.tokens) } else { None }
}

const GOTO: &str = "__korat_goto";

fn number(tokens: &TokenStream) -> Option<BlockId> {
    let number = tokens.to_string();
    let digits = number.trim_end_matches(char::is_alphabetic);
    digits.parse().ok().map(BlockId)
}

/// The tokens with every `__korat_goto!(n)` as what `jump` makes of it.
pub(super) fn expanded(tokens: TokenStream, jump: &dyn Fn(BlockId) -> TokenStream) -> TokenStream {
    let mut all = TokenStream::new();
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(word) if word == GOTO => {
                let to = tokens.nth(1).and_then(|target| match target {
                    TokenTree::Group(group) => number(&group.stream()),
                    _ => None,
                });
                all.extend(to.map(jump));
            }
            TokenTree::Group(group) => {
                let mut inside = Group::new(group.delimiter(), expanded(group.stream(), jump));
                inside.set_span(group.span());
                all.extend([TokenTree::Group(inside)]);
            }
            other => all.extend([other]),
        }
    }
    all
}

pub(super) fn goto(to: BlockId) -> Expr {
    let number = to.0;
    parse_quote!(__korat_goto!(#number))
}

pub(super) fn find_loop<'l>(loops: &'l [Loop], label: Option<&Lifetime>) -> Option<&'l Loop> {
    match label {
        Some(label) => loops.iter().rev().find(|known| known.label.as_ref().is_some_and(|known| known == label)),
        None => loops.iter().rev().find(|known| known.next != known.after),
    }
}

/// Turns `break` and `continue` of loops that were taken apart into jumps.
pub(super) struct Jumps<'l> {
    pub(super) loops: &'l [Loop],
    /// Loops around that were not taken apart.
    pub(super) inside: usize,
    /// The labels of such loops.
    pub(super) labels: Vec<Lifetime>,
}

impl Jumps<'_> {
    fn target(&self, label: Option<&Lifetime>) -> Option<&Loop> {
        match label {
            None if self.inside > 0 => None,
            Some(label) if self.labels.contains(label) => None,
            label => find_loop(self.loops, label),
        }
    }

    fn inside_loop(&mut self, label: Option<&syn::Label>, visit: impl FnOnce(&mut Self)) {
        let known = self.labels.len();
        self.labels.extend(label.map(|label| label.name.clone()));
        self.inside += 1;
        visit(self);
        self.inside -= 1;
        self.labels.truncate(known);
    }
}

impl VisitMut for Jumps<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Closure(_) => {}
            Expr::Break(ExprBreak { label, expr: value, .. }) => {
                if let Some(value) = value {
                    self.visit_expr_mut(value);
                }
                if let Some(target) = self.target(label.as_ref()) {
                    let jump = goto(target.after);
                    *expr = match (&target.result, value) {
                        (Dest::Into(result), Some(value)) => parse_quote!({ #result = #value; #jump }),
                        (Dest::Return, Some(value)) => parse_quote!(return #value),
                        (Dest::Return, None) => parse_quote!(return ()),
                        (Dest::Ignore, Some(value)) => parse_quote!({ #value; #jump }),
                        (Dest::Ignore | Dest::Into(_), None) => jump,
                    };
                }
            }
            Expr::Continue(ExprContinue { label, .. }) => {
                if let Some(target) = self.target(label.as_ref()) {
                    *expr = goto(target.next);
                }
            }
            Expr::Loop(repeat) => {
                let label = repeat.label.clone();
                self.inside_loop(label.as_ref(), |this| visit_mut::visit_expr_loop_mut(this, repeat));
            }
            Expr::While(repeat) => {
                let label = repeat.label.clone();
                self.inside_loop(label.as_ref(), |this| visit_mut::visit_expr_while_mut(this, repeat));
            }
            Expr::ForLoop(repeat) => {
                let label = repeat.label.clone();
                self.inside_loop(label.as_ref(), |this| visit_mut::visit_expr_for_loop_mut(this, repeat));
            }
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }
    fn visit_item_mut(&mut self, _: &mut Item) {}
}
