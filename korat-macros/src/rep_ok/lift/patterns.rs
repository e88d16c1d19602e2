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
//! Every field is read exactly where its part of the pattern is matched, in the order of the pattern.

use proc_macro2::Span;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Arm, Block, Expr, ExprLet, ExprMatch, FieldPat, Ident, Local, Member, Pat, PatGuard, PatOr, PatReference,
    PatStruct, PatTupleStruct, Path, Stmt, Token, UnOp, parse_quote,
};

use super::Lifter;
use super::chains::in_own_edition;
use super::views::variant_owner;
use crate::rep_ok::names::{Fate, fate};

/// A field of a destructured class: the user's pattern for it, and the variable bound to its cell.
pub(super) struct CellPattern {
    pat: Pat,
    cell: Ident,
    kind: CellKind,
    /// Whether the whole value is matched by value, so that its parts are bound by value too.
    by_value: bool,
}

/// What a cell is part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CellKind {
    /// A field of a class.
    Field,
    /// An element of a sequence.
    Element,
    /// Consecutive elements of a sequence.
    Rest,
    /// A whole sequence inside another pattern.
    Sequence,
}

impl CellPattern {
    fn read(&self) -> Expr {
        let cell = &self.cell;
        let read: Expr = match self.kind {
            CellKind::Field | CellKind::Element => parse_quote!(#cell.__korat_cell()),
            CellKind::Rest => return parse_quote!(#cell.__korat_rest()),
            CellKind::Sequence => parse_quote!(#cell),
        };
        if is_slice_pattern(&self.pat) {
            return parse_quote!(#read.__korat_elems());
        }
        if self.by_value || has_constant(&self.pat) { parse_quote!((*#read)) } else { read }
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
        let (pat, read) = (&self.pat, self.read());
        parse_quote!(let #pat = #read;)
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
    fn take_classes_apart(&mut self, pat: &mut Pat, scrutinee: Option<&mut Expr>) -> Vec<CellPattern> {
        let by_value = scrutinee.as_ref().is_some_and(|expr| is_deref(expr));
        let is_slice = scrutinee.is_some() && is_slice_pattern(pat);
        let mut finder = Finder::new(self);
        finder.by_value = by_value;
        if is_slice {
            finder.slice(pat);
        } else {
            finder.visit_pat_mut(pat);
        }
        let cells = finder.cells;
        if let Some(scrutinee) = scrutinee {
            if by_value && (!cells.is_empty() || is_slice) {
                *scrutinee = parse_quote!(&(#scrutinee));
            }
            if is_slice && !is_elems(scrutinee) {
                *scrutinee = parse_quote!((#scrutinee).__korat_elems());
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
        let cells = self.take_classes_apart(&mut local.pat, scrutinee);
        let otherwise = local.init.as_ref().and_then(|init| init.diverge.as_ref()).map(|(_, otherwise)| otherwise);
        let as_stmt = |cell: &CellPattern| match otherwise {
            Some(otherwise) if !is_irrefutable(&cell.pat) => {
                let (pat, read) = (&cell.pat, cell.read());
                parse_quote!(let #pat = #read else #otherwise;)
            }
            Some(_) | None => cell.as_stmt(),
        };
        cells.iter().map(as_stmt).collect()
    }

    /// Lifts `let PAT = expr` in a condition to a `let` chain, or returns `None` if it needs none.
    pub(super) fn lift_condition(&mut self, condition: &mut ExprLet) -> Option<Expr> {
        self.visit_pat_mut(&mut condition.pat);
        let cells = self.take_classes_apart(&mut condition.pat, Some(&mut condition.expr));
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
        let cells = self.take_classes_apart(&mut pat, Some(&mut changed));
        // Bind the names of fields in the body if possible, so that the arm stays irrefutable; otherwise use a guard.
        let reads = if guard.is_none() && cells.iter().all(|cell| is_irrefutable(&cell.pat)) {
            let (body, stmts) = (&arm.body, cells.iter().map(CellPattern::as_stmt));
            if !cells.is_empty() {
                *arm.body = parse_quote!({ #(#stmts)* #body });
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
                let body = &arm.body;
                *arm.body = parse_quote!({ let #whole = #whole.__korat_rest(); #body });
            }
            let (changed, is_conditional) = self.lift_arm(arm, &scrutinee);
            any_conditional |= is_conditional;
            if changed != scrutinee {
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
        let cells = self.take_classes_apart(pat, None);
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

/// Returns whether the pattern is itself a slice pattern, not one that contains a slice pattern.
pub(super) fn is_slice_pattern(pat: &Pat) -> bool {
    match pat {
        Pat::Slice(_) => true,
        Pat::Paren(paren) => is_slice_pattern(&paren.pat),
        Pat::Guard(guarded) => is_slice_pattern(&guarded.pat),
        Pat::Reference(reference) => is_slice_pattern(&reference.pat),
        Pat::Or(or) => or.cases.iter().any(is_slice_pattern),
        _ => false,
    }
}

fn is_elems(expr: &Expr) -> bool {
    matches!(expr, Expr::MethodCall(call) if call.method == "__korat_elems")
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

/// Finds and destructures the classes in a pattern.
struct Finder<'l> {
    lifter: &'l mut Lifter,
    cells: Vec<CellPattern>,
    in_alternative: bool,
    /// Whether parts are bound by value.
    by_value: bool,
    /// Whether the view is matched by value, so that its cells are bound by `ref`.
    below_reference: bool,
}

impl<'l> Finder<'l> {
    fn new(lifter: &'l mut Lifter) -> Self {
        Finder { lifter, cells: Vec::new(), in_alternative: false, by_value: false, below_reference: false }
    }

    /// Returns a fresh name for a cell, and the pattern that binds it.
    fn binding(&mut self) -> (Ident, Pat) {
        let cell = self.lifter.fresh("__korat_cell_");
        let binding = if self.below_reference { parse_quote!(ref #cell) } else { parse_quote!(#cell) };
        (cell, binding)
    }

    /// Runs `inside` for a pattern below `&`.
    fn below_reference(&mut self, inside: impl FnOnce(&mut Self)) {
        let outside = (self.by_value, self.below_reference);
        (self.by_value, self.below_reference) = (true, true);
        inside(self);
        (self.by_value, self.below_reference) = outside;
    }

    /// Returns the path of the view, if the path of the pattern certainly names a class or a variant of one.
    fn view(&mut self, path: &Path) -> Option<Path> {
        let last = path.segments.last()?;
        let name = last.ident.to_string();
        if path.segments.len() == 1 && name == "Self" {
            return Some(path.clone());
        }
        if let Some(owner) = variant_owner(path) {
            return self.lifter.view_of_variant(path, &owner);
        }
        let is_std = self.lifter.class_name != name && fate(&name) != Fate::Lifted
            || matches!(name.as_str(), "Some" | "Ok" | "Err");
        if is_std || self.lifter.own_names.contains(&name) {
            return None;
        }
        Some(self.lifter.view_path(path))
    }

    fn cell(&mut self, member: Member, pat: Pat) -> FieldPat {
        if matches!(pat, Pat::Wild(_)) {
            return FieldPat { attrs: Vec::new(), member, colon_token: Some(Default::default()), pat: Box::new(pat) };
        }
        let (cell, binding) = self.binding();
        self.cells.push(CellPattern { pat, cell, kind: CellKind::Field, by_value: self.by_value });
        FieldPat { attrs: Vec::new(), member, colon_token: Some(Default::default()), pat: Box::new(binding) }
    }

    fn take_apart(&mut self, view: Path, fields: Vec<(Member, Pat)>) -> Pat {
        let binds = fields.iter().any(|(_, pat)| !matches!(pat, Pat::Wild(_)));
        if self.in_alternative && binds {
            self.lifter
                .refuse(&view, "a class cannot be destructured in an alternative; write an arm of its own for it");
        }
        let first = self.cells.len();
        let fields: Vec<FieldPat> = fields.into_iter().map(|(member, pat)| self.cell(member, pat)).collect();
        self.look_inside(first);
        parse_quote!(#view { #(#fields,)* .. })
    }

    /// Destructures a sequence: `[first, .., last]`, `[head, rest @ ..]`.
    fn slice(&mut self, pat: &mut Pat) {
        match pat {
            Pat::Slice(slice) => {
                if self.in_alternative && slice.elems.iter().any(|elem| !matches!(elem, Pat::Wild(_) | Pat::Rest(_))) {
                    self.lifter.refuse(slice, "elements cannot be matched in an alternative; write an arm of its own");
                }
                let first = self.cells.len();
                for elem in &mut slice.elems {
                    let kind = match elem {
                        Pat::Wild(_) | Pat::Rest(_) => continue,
                        Pat::Ident(ident) if matches!(&ident.subpat, Some((_, rest)) if matches!(**rest, Pat::Rest(_))) => {
                            CellKind::Rest
                        }
                        _ => CellKind::Element,
                    };
                    let cell = self.lifter.fresh("__korat_cell_");
                    let binding: Pat = match kind {
                        CellKind::Rest => parse_quote!(#cell @ ..),
                        CellKind::Element | CellKind::Field | CellKind::Sequence => parse_quote!(#cell),
                    };
                    let mut pat = std::mem::replace(elem, binding);
                    if let (CellKind::Rest, Pat::Ident(ident)) = (kind, &mut pat) {
                        ident.subpat = None;
                    }
                    self.cells.push(CellPattern { pat, cell, kind, by_value: self.by_value });
                }
                self.look_inside(first);
            }
            Pat::Paren(paren) => self.slice(&mut paren.pat),
            Pat::Reference(reference) => {
                // The elements of a twin are already behind a reference.
                let mut inside = (*reference.pat).clone();
                let outside = std::mem::replace(&mut self.by_value, true);
                self.slice(&mut inside);
                self.by_value = outside;
                *pat = inside;
            }
            Pat::Or(PatOr { cases, .. }) => {
                let outside = std::mem::replace(&mut self.in_alternative, true);
                cases.iter_mut().for_each(|case| self.slice(case));
                self.in_alternative = outside;
            }
            _ => self.visit_pat_mut(pat),
        }
    }

    /// Destructures the user's patterns for the cells from `first` on.
    fn look_inside(&mut self, first: usize) {
        // The pattern of a field may destructure a class in turn; the fields of that class follow directly.
        let mut later = self.cells.split_off(first);
        for mut cell in later.drain(..) {
            let mut inside = Finder::new(self.lifter);
            inside.by_value = cell.by_value;
            if is_slice_pattern(&cell.pat) {
                inside.slice(&mut cell.pat);
            } else {
                inside.below_reference = cell.by_value;
                inside.visit_pat_mut(&mut cell.pat);
            }
            let inside = inside.cells;
            self.cells.push(cell);
            self.cells.extend(inside);
        }
    }
}

impl VisitMut for Finder<'_> {
    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        match pat {
            Pat::Slice(_) if self.in_alternative => {
                self.lifter
                    .refuse(pat, "a sequence cannot be destructured in an alternative here; write one arm for each");
                return;
            }
            pat if is_slice_pattern(pat) => {
                let first = self.cells.len();
                let (cell, binding) = self.binding();
                let pat = std::mem::replace(pat, binding);
                self.cells.push(CellPattern { pat, cell, kind: CellKind::Sequence, by_value: self.by_value });
                self.look_inside(first);
                return;
            }
            Pat::Reference(PatReference { mutability: None, pat, .. }) => {
                self.below_reference(|this| this.visit_pat_mut(pat));
                return;
            }
            Pat::Tuple(tuple) => {
                // A tuple never contains a class by value, only behind a reference.
                let outside = (self.by_value, self.below_reference);
                (self.by_value, self.below_reference) = (false, false);
                tuple.elems.iter_mut().for_each(|elem| self.visit_pat_mut(elem));
                (self.by_value, self.below_reference) = outside;
                return;
            }
            Pat::Struct(PatStruct { qself: None, path, fields, .. }) => {
                if let Some(view) = self.view(path) {
                    let fields = fields.iter().map(|field| (field.member.clone(), (*field.pat).clone())).collect();
                    *pat = self.take_apart(view, fields);
                    return;
                }
            }
            Pat::TupleStruct(PatTupleStruct { qself: None, path, elems, .. }) => {
                if let Some(view) = self.view(path) {
                    let rest = elems.iter().position(|elem| matches!(elem, Pat::Rest(_)));
                    if rest.is_some_and(|rest| rest + 1 < elems.len()) {
                        self.lifter
                            .refuse(path, "`..` before a field of a class cannot be lifted; write `_` for each field");
                    }
                    let member = |index: usize| Member::Unnamed(syn::Index::from(index));
                    let fields = (elems.iter().enumerate())
                        .filter(|(_, pat)| !matches!(pat, Pat::Rest(_)))
                        .map(|(index, pat)| (member(index), pat.clone()))
                        .collect();
                    *pat = self.take_apart(view, fields);
                    return;
                }
            }
            Pat::Or(PatOr { cases, .. }) => {
                let outside = std::mem::replace(&mut self.in_alternative, true);
                cases.iter_mut().for_each(|case| self.visit_pat_mut(case));
                self.in_alternative = outside;
                return;
            }
            _ => {}
        }
        visit_mut::visit_pat_mut(self, pat);
    }
}
