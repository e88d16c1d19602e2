//! Splits control flow: branches, loops and conditions become blocks that jump to each other.

use quote::quote;
use syn::{
    BinOp, Expr, ExprBlock, ExprBreak, ExprForLoop, ExprIf, ExprLoop, ExprMatch, ExprWhile, Label, Lifetime, Stmt,
    UnOp, parse_quote,
};

use super::{BlockId, Dest, Loop, Splitter, Terminator, reason};
use crate::rep_ok::lower::choices::{is_logical, weight_of_stmt};
use crate::rep_ok::lower::exits;
use crate::rep_ok::lower::ir::Choice;
use crate::rep_ok::lower::order::{has_unsteady_let, is_unsteady};

impl Splitter<'_> {
    /// Splits an expression whose value goes to `dest`.
    pub(in crate::rep_ok::lower) fn expr(&mut self, expr: Expr, dest: &Dest) {
        if !self.is_split(&expr) {
            return self.finish(expr, dest);
        }
        match expr {
            expr if self.is_last_call(&expr, dest) => self.last_call(expr),
            Expr::Paren(paren) => self.expr(*paren.expr, dest),
            Expr::Group(group) => self.expr(*group.expr, dest),
            Expr::If(branch) => self.branch(branch, dest),
            Expr::Match(choice) => self.choice(choice, dest),
            Expr::Block(ExprBlock { label: None, block, .. }) => self.stmts(block.stmts, dest),
            Expr::Block(ExprBlock { label: Some(label), block, .. }) => {
                let after = self.new_block();
                self.loops.push(Loop { label: label.name, next: after, after, result: dest.clone() });
                self.stmts(block.stmts, dest);
                self.goto(after);
                self.loops.pop();
                self.begin(after);
            }
            Expr::Unsafe(inside) => {
                let (first, after) = (self.new_block(), self.new_block());
                self.goto(first);
                let outside = std::mem::replace(&mut self.is_unsafe, true);
                self.begin(first);
                self.stmts(inside.block.stmts, dest);
                self.goto(after);
                self.is_unsafe = outside;
                self.begin(after);
            }
            Expr::Loop(ExprLoop { label, body, .. }) => {
                let (next, after) = (self.new_block(), self.new_block());
                self.goto(next);
                self.loops.push(Loop { label: named(label), next, after, result: dest.clone() });
                self.begin(next);
                self.stmts(body.stmts, &Dest::Ignore);
                self.goto(next);
                self.loops.pop();
                self.begin(after);
            }
            Expr::While(ExprWhile { label, cond, body, .. }) => {
                let (next, inside, after) = (self.new_block(), self.new_block(), self.new_block());
                self.goto(next);
                self.loops.push(Loop { label: named(label), next, after, result: Dest::Ignore });
                self.begin(next);
                self.test(*cond, inside, after);
                self.begin(inside);
                self.stmts(body.stmts, &Dest::Ignore);
                self.goto(next);
                self.loops.pop();
                self.begin(after);
                self.finish(parse_quote!(()), dest);
            }
            Expr::ForLoop(repeat) => self.for_loop(repeat, dest),
            Expr::Binary(binary) if is_logical(&binary.op) => {
                let (right, short, after) = (self.new_block(), self.new_block(), self.new_block());
                let is_or = matches!(binary.op, BinOp::Or(_));
                let (yes, no) = if is_or { (short, right) } else { (right, short) };
                self.test(*binary.left, yes, no);
                self.begin(short);
                self.finish(parse_quote!(#is_or), dest);
                self.goto(after);
                self.begin(right);
                self.expr(*binary.right, dest);
                self.goto(after);
                self.begin(after);
            }
            Expr::Return(give) => match give.expr {
                Some(value) => self.expr(*value, &Dest::Return),
                None => self.finish(parse_quote!(()), &Dest::Return),
            },
            Expr::Break(ExprBreak { label, expr: Some(value), .. }) if self.target(label.as_ref()).is_some() => {
                let target = self.target(label.as_ref()).map(|target| (target.result.clone(), target.after));
                let Some((result, after)) = target else { return };
                self.expr(*value, &result);
                self.goto(after);
            }
            expr => {
                let expr = self.flat(expr);
                self.finish(expr, dest);
            }
        }
    }

    fn target(&self, label: Option<&Lifetime>) -> Option<&Loop> {
        exits::find(&self.loops, label)
    }

    fn branch(&mut self, branch: ExprIf, dest: &Dest) {
        let (then, other, after) = (self.new_block(), self.new_block(), self.new_block());
        self.test(*branch.cond, then, other);
        self.begin(then);
        self.stmts(branch.then_branch.stmts, dest);
        self.goto(after);
        self.begin(other);
        match branch.else_branch {
            Some((_, otherwise)) => self.expr(*otherwise, dest),
            None => self.finish(parse_quote!(()), dest),
        }
        self.goto(after);
        self.begin(after);
    }

    /// Splits a `match`: one block selects the arm, and jumps to the block of the arm's body.
    fn choice(&mut self, choice: ExprMatch, dest: &Dest) {
        let scrutinee = self.flat(*choice.expr);
        let scrutinee = self.steady(scrutinee);
        let scrutinee = self.passing(scrutinee);
        let after = self.new_block();
        let targets: Vec<BlockId> = choice.arms.iter().map(|_| self.new_block()).collect();
        let (pats, attrs) = (choice.arms.iter().map(|arm| &arm.pat), choice.arms.iter().map(|arm| &arm.attrs));
        let test: Stmt = parse_quote!(match #scrutinee { #(#(#attrs)* #pats => (),)* });
        self.begin_test(&test);
        let mut arms = Vec::new();
        for (arm, to) in choice.arms.iter().zip(&targets) {
            let mut pat = arm.pat.clone();
            let exits = exits::of_pat(&mut pat, &self.loops);
            arms.push(Choice { attrs: arm.attrs.clone(), pat, exits, to: *to });
        }
        let scrutinee = exits::expr(scrutinee, &self.loops);
        self.end(Terminator::Select { scrutinee, arms });
        for (arm, to) in choice.arms.into_iter().zip(targets) {
            self.begin(to);
            self.expr(*arm.body, dest);
            self.goto(after);
        }
        self.begin(after);
    }

    fn for_loop(&mut self, repeat: ExprForLoop, dest: &Dest) {
        let ExprForLoop { label, pat, expr, body, for_token, .. } = repeat;
        let private = self.private;
        let (next, inside, after) = (self.new_block(), self.new_block(), self.new_block());
        let iterated = self.flat(*expr);
        let iter = self.fresh(for_token.span);
        if let Some(local) = self.renamer.locals.last_mut() {
            local.is_mut = true;
        }
        let iterated = self.steady(iterated);
        let iterated = self.passing(iterated);
        self.whole(parse_quote!(let mut #iter = #private::std::iter::IntoIterator::into_iter(#iterated);));
        self.goto(next);
        self.loops.push(Loop { label: named(label), next, after, result: Dest::Ignore });
        self.begin(next);
        let some = quote!(#private::std::option::Option::Some);
        let test: Expr = parse_quote!(let #some(#pat) = #private::std::iter::Iterator::next(&mut #iter));
        self.test(test, inside, after);
        self.begin(inside);
        self.stmts(body.stmts, &Dest::Ignore);
        self.goto(next);
        self.loops.pop();
        self.begin(after);
        self.finish(parse_quote!(()), dest);
    }

    /// Splits a condition, which continues with `then` or `other`.
    pub(super) fn test(&mut self, cond: Expr, then: BlockId, other: BlockId) {
        match cond {
            Expr::Paren(paren) => self.test(*paren.expr, then, other),
            Expr::Binary(binary)
                if is_logical(&binary.op)
                    && (has_unsteady_let(&binary.right) || self.is_split(&Expr::Binary(binary.clone()))) =>
            {
                let middle = self.new_block();
                match binary.op {
                    BinOp::And(_) => self.test(*binary.left, middle, other),
                    _ => self.test(*binary.left, then, middle),
                }
                self.begin(middle);
                self.test(*binary.right, then, other);
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) && self.is_split(&unary.expr) => {
                self.test(*unary.expr, other, then);
            }
            Expr::Let(mut test) if is_unsteady(&test.expr) => {
                *test.expr = self.steady(*test.expr);
                self.test(Expr::Let(test), then, other);
            }
            Expr::Let(mut test) if self.is_split(&test.expr) => {
                *test.expr = self.flat(*test.expr);
                self.test(Expr::Let(test), then, other);
            }
            cond if self.is_split(&cond) => {
                let flat = self.flat(cond);
                self.test(flat, then, other);
            }
            Expr::Lit(lit) if matches!(&lit.lit, syn::Lit::Bool(value) if value.value) => self.goto(then),
            Expr::Let(mut condition) => {
                *condition.expr = self.passing(*condition.expr);
                self.finish_test(Expr::Let(condition), then, other);
            }
            cond => self.finish_test(cond, then, other),
        }
    }

    /// Ends the block with a condition that is not split any further.
    fn finish_test(&mut self, cond: Expr, then: BlockId, other: BlockId) {
        let test: ExprIf = parse_quote!(if #cond {});
        self.begin_test(&Stmt::Expr(Expr::If(test), None));
        let cond = exits::expr(cond, &self.loops);
        self.end(Terminator::Test { cond, then, other });
    }

    /// Ensures that choices of a test, which ends its block, re-enter a block that begins with the test.
    fn begin_test(&mut self, test: &Stmt) {
        if weight_of_stmt(test) > 0 {
            self.begin_choosing(test, reason(test));
        }
    }
}

/// Returns the label of a loop; `rename` gave one to every loop.
fn named(label: Option<Label>) -> Lifetime {
    label.map(|label| label.name).expect("[korat internal bug] a loop without a label")
}
