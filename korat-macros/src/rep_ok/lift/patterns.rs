//! Lifts patterns that destructure a class, such as `let Node { key, left, .. } = &**n`. The lifted pattern binds the
//! cells of the view, and one `let` per field reads the cell and matches the user's pattern for that field:
//!
//! ```ignore
//! if let Some(Node { color: Color::Red, next, .. }) = n { .. }
//! if let Some(__KoratView0 { color: __korat_cell_0, next: __korat_cell_1, .. }) = n
//!     && let Color::Red = __korat_cell_0.__korat_cell()
//!     && let next = __korat_cell_1.__korat_cell() { .. }
//! ```
//!
//! Slice patterns work in the same way: `[first, rest @ ..]` binds the elements of a twin, and each element is read
//! when its own pattern is matched. A slice pattern inside another pattern, as in `Some([a, b])`, is matched after the
//! rest of the pattern.
//!
//! Fields of `*x` are bound by value if `x` is a `&Node`, and by reference if it is a `&&Node`. Only types tell the two
//! apart, so the pattern also binds the whole, and a field with variables is matched through it:
//!
//! ```ignore
//! if let Node { key, .. } = *n { .. }
//! if let __korat_cell_0 @ __KoratView0 { key: __korat_cell_1, .. } = &(*n)
//!     && let key = *__korat_cell_0.__korat_whole().__korat_part(__korat_cell_1.__korat_cell()) { .. }
//! ```
//!
//! Every field is read exactly where its part of the pattern is matched, in the order of the pattern.

use proc_macro2::Span;
use syn::{
    Arm, Block, Expr, ExprLet, ExprMatch, Ident, Local, Pat, PatGuard, PatIdent, Stmt, Token, UnOp, parse_quote,
};

use super::Lifter;
use super::chains::in_own_edition;
use super::pattern_lifter::{Bound, CellKind, CellPattern, PatternLifter, is_slice_pattern};
use super::views::variant_owner;
use crate::rep_ok::{block_of, same_tokens};
use crate::walk::visit::{self, Visit};
use crate::walk::visit_mut::VisitMut;

impl CellPattern {
    fn read(&self) -> Expr {
        let cell = &self.cell;
        let read: Expr = match self.kind {
            CellKind::Field | CellKind::Element => parse_quote!(#cell.__korat_cell()),
            CellKind::Rest => return parse_quote!(#cell.__korat_rest()),
            CellKind::Sequence => parse_quote!(#cell),
        };
        if is_slice_pattern(&self.pat) {
            return parse_quote!(#read.__korat_whole().__korat_elems());
        }
        match self.whole() {
            Some(whole) => parse_quote!((*#whole.__korat_whole().__korat_part(#read))),
            None if self.bound == Bound::ByReference && !has_constant(&self.pat) => read,
            None => parse_quote!((*#read)),
        }
    }

    /// Returns the variable whose type says how the user's variables are bound, if there are any.
    pub(super) fn whole(&self) -> Option<&Ident> {
        let is_read = matches!(self.kind, CellKind::Field | CellKind::Element) && !is_slice_pattern(&self.pat);
        match &self.bound {
            Bound::As(whole) if is_read && !has_constant(&self.pat) && has_variable(&self.pat) => Some(whole),
            _ => None,
        }
    }

    fn as_let(&self) -> Expr {
        let (pat, read) = (&self.pat, self.read());
        Expr::Let(ExprLet {
            attrs: Vec::new(),
            let_token: Token![let](Span::mixed_site()),
            pat: Box::new(pat.clone()),
            eq_token: Default::default(),
            expr: Box::new(read),
        })
    }

    pub(super) fn as_stmt(&self) -> Stmt {
        let (pat, read) = (in_let(&self.pat), self.read());
        parse_quote!(let #pat = #read;)
    }
}

/// Returns a pattern as a `let` statement takes it: `let 1 | 2 = ..` needs parentheses.
fn in_let(pat: &Pat) -> Pat {
    match pat {
        Pat::Or(_) => parse_quote!((#pat)),
        pat => pat.clone(),
    }
}

/// Returns whether the pattern is a constant, which rustc does not match through a reference.
fn has_constant(pat: &Pat) -> bool {
    match pat {
        Pat::Path(_) => true,
        Pat::Ident(ident) => ident.subpat.is_none() && ident.ident.to_string().starts_with(char::is_uppercase),
        Pat::Or(or) => or.cases.iter().any(has_constant),
        Pat::Paren(paren) => has_constant(&paren.pat),
        _ => false,
    }
}

/// Returns whether the pattern binds a variable of the user's.
fn has_variable(pat: &Pat) -> bool {
    struct Finder(bool);
    impl Visit for Finder {
        fn visit_pat_ident(&mut self, ident: &PatIdent) {
            self.0 |= !ident.ident.to_string().starts_with("__korat_cell_");
            visit::visit_pat_ident(self, ident);
        }
    }
    let mut finder = Finder(false);
    finder.visit_pat(pat);
    finder.0
}

/// Returns whether every value matches the pattern.
fn is_irrefutable(pat: &Pat) -> bool {
    match pat {
        // An uppercase name is a constant or a unit variant: `None`, `Red`.
        Pat::Ident(ident) if ident.ident.to_string().starts_with(char::is_uppercase) => false,
        Pat::Ident(ident) => ident.subpat.as_ref().is_none_or(|(_, pat)| is_irrefutable(pat)),
        Pat::Wild(_) | Pat::Rest(_) => true,
        Pat::Tuple(tuple) => tuple.elems.iter().all(is_irrefutable),
        Pat::Paren(paren) => is_irrefutable(&paren.pat),
        Pat::Reference(reference) => is_irrefutable(&reference.pat),
        Pat::Type(typed) => is_irrefutable(&typed.pat),
        Pat::Struct(parts) => {
            variant_owner(&parts.path).is_none() && parts.fields.iter().all(|field| is_irrefutable(&field.pat))
        }
        _ => false,
    }
}

impl Lifter {
    /// Destructures the classes in a pattern whose types and constants are already lifted. Modifies `scrutinee`,
    /// against which it is matched, if it is a class by value or a sequence.
    fn destructure_classes(&mut self, pat: &mut Pat, scrutinee: Option<&mut Expr>) -> Vec<CellPattern> {
        let is_place = scrutinee.as_ref().is_some_and(|expr| is_deref(expr));
        let is_slice = scrutinee.is_some() && is_slice_pattern(pat);
        let mut finder = PatternLifter::new(self);
        if is_place {
            finder.bound = Bound::ByType;
        }
        let of_class = finder.is_class_pattern(pat);
        if is_slice {
            finder.slice(pat);
        } else {
            finder.visit_pat_mut(pat);
        }
        let cells = finder.cells;
        if let Some(scrutinee) = scrutinee {
            if is_place && (!cells.is_empty() || is_slice) {
                *scrutinee = parse_quote!(&(#scrutinee));
            }
            if is_slice && !is_elems(scrutinee) {
                *scrutinee = parse_quote!((#scrutinee).__korat_whole().__korat_elems());
            }
            if of_class && self.may_be_member(scrutinee) && !is_object(scrutinee) {
                *scrutinee = parse_quote!((#scrutinee).__korat_object());
            }
        }
        cells
    }

    /// Lifts `let PAT = init else { .. }`; returns the statements that follow it.
    pub(super) fn lift_local(&mut self, local: &mut Local) -> Vec<Stmt> {
        if let Some(init) = &mut local.init
            && init.diverge.is_some()
            && let Some((pat, expr)) = self.without_alternatives(&local.pat, &init.expr)
        {
            (local.pat, *init.expr) = (pat, expr);
            let Expr::Match(choice) = &mut *init.expr else { unreachable!("it was just made one") };
            self.lift_arms(choice);
            return Vec::new();
        }
        self.visit_pat_mut(&mut local.pat);
        let scrutinee = local.init.as_mut().map(|init| &mut *init.expr);
        let cells = self.destructure_classes(&mut local.pat, scrutinee);
        let otherwise = local.init.as_ref().and_then(|init| init.diverge.as_ref()).map(|(_, otherwise)| otherwise);
        let as_stmt = |cell: &CellPattern| match otherwise {
            Some(otherwise) if !is_irrefutable(&cell.pat) => {
                let (pat, read) = (in_let(&cell.pat), cell.read());
                parse_quote!(let #pat = #read else #otherwise;)
            }
            Some(_) | None => cell.as_stmt(),
        };
        cells.iter().map(as_stmt).collect()
    }

    /// Lifts `let PAT = expr` in a condition to a `let` chain, or returns `None` if it needs none.
    pub(super) fn lift_condition(&mut self, condition: &mut ExprLet) -> Option<Expr> {
        self.visit_pat_mut(&mut condition.pat);
        let cells = self.destructure_classes(&mut condition.pat, Some(&mut condition.expr));
        if cells.is_empty() {
            return None;
        }
        in_own_edition(&mut condition.let_token.span);
        Some(chain(Expr::Let(condition.clone()), &cells))
    }

    /// Lifts `PAT if guard => body`, whose body is already lifted. Returns the scrutinee as the arm needs it, and
    /// whether a part of the pattern became a guard.
    fn lift_arm(&mut self, arm: &mut Arm, scrutinee: &Expr) -> (Expr, bool) {
        let (mut pat, guard) = match std::mem::replace(&mut arm.pat, parse_quote!(_)) {
            Pat::Guard(PatGuard { pat, guard, .. }) => (*pat, Some(*guard)),
            pat => (pat, None),
        };
        let guard = guard.map(|mut guard| {
            self.hiding(|names| names.visit_pat(&pat), |this| this.visit_expr_mut(&mut guard));
            guard
        });
        let mut changed = scrutinee.clone();
        self.visit_pat_mut(&mut pat);
        let cells = self.destructure_classes(&mut pat, Some(&mut changed));
        // Bind the names of fields in the body if possible, so that the arm stays irrefutable; otherwise use a guard.
        let reads = if guard.is_none() && cells.iter().all(|cell| is_irrefutable(&cell.pat)) {
            if !cells.is_empty() {
                let block = block_of(cells.iter().map(CellPattern::as_stmt).collect(), &arm.body);
                *arm.body = parse_quote!(#block);
            }
            None
        } else {
            cells.split_first().map(|(first, rest)| chain(first.as_let(), rest))
        };
        let is_conditional = reads.is_some();
        let guard = match (reads, guard) {
            (Some(reads), Some(guard)) => Some(parse_quote!(#reads && #guard)),
            (Some(only), None) | (None, Some(only)) => Some(only),
            (None, None) => None,
        };
        arm.pat = match guard {
            Some(guard) => Pat::Guard(PatGuard {
                attrs: Vec::new(),
                pat: Box::new(pat),
                if_token: Token![if](Span::mixed_site()),
                guard: Box::new(guard),
            }),
            None => pat,
        };
        (changed, is_conditional)
    }

    /// Lifts the arms of a `match` whose scrutinee and bodies are already lifted.
    pub(super) fn lift_arms(&mut self, choice: &mut ExprMatch) {
        self.expand_alternatives(&mut choice.arms);
        // If one arm destructures a sequence, a name for the whole sequence in another arm is bound to the elements.
        let is_slice = choice.arms.iter().any(|arm| is_slice_pattern(&arm.pat));
        let scrutinee = (*choice.expr).clone();
        let mut any_conditional = false;
        for arm in &mut choice.arms {
            if is_slice
                && let Pat::Ident(ident) = &arm.pat
                && ident.subpat.is_none()
            {
                let whole = &ident.ident;
                let block = block_of(vec![parse_quote!(let #whole = #whole.__korat_rest();)], &arm.body);
                *arm.body = parse_quote!(#block);
            }
            let (changed, is_conditional) = self.lift_arm(arm, &scrutinee);
            any_conditional |= is_conditional;
            if !same_tokens(&changed, &scrutinee) {
                *choice.expr = changed;
            }
        }
        if any_conditional {
            // The arms are exhaustive, but rustc does not take guards into account.
            let private = &self.private;
            choice.arms.push(parse_quote!(_ => #private::std::unreachable!("[korat internal bug] no arm matches"),));
        }
    }

    /// Lifts the pattern of a parameter or a loop variable, whose types are already lifted, in front of its body.
    pub(super) fn bind_cells(&mut self, pat: &mut Pat, body: &mut Block) {
        let cells = self.destructure_classes(pat, None);
        for (at, cell) in cells.iter().enumerate() {
            body.stmts.insert(at, cell.as_stmt());
        }
    }
}

fn chain(first: Expr, cells: &[CellPattern]) -> Expr {
    cells.iter().fold(first, |all, cell| {
        let next = cell.as_let();
        parse_quote!(#all && #next)
    })
}

fn is_elems(expr: &Expr) -> bool {
    matches!(expr, Expr::MethodCall(call) if call.method == "__korat_elems")
}

fn is_object(expr: &Expr) -> bool {
    matches!(expr, Expr::MethodCall(call) if call.method == "__korat_object")
}

fn is_deref(expr: &Expr) -> bool {
    match expr {
        Expr::Index(_) => true,
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)),
        Expr::Paren(paren) => is_deref(&paren.expr),
        Expr::Group(group) => is_deref(&group.expr),
        _ => false,
    }
}
