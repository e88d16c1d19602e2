//! Patterns that take a class apart: `let Node { key, left, .. } = &**n`. Takes the user's pattern, gives a pattern of the view
//! that binds its cells, and one `let` per field that reads the cell and matches what the user wrote there:
//!
//! ```ignore
//! if let Some(Node { color: Color::Red, next, .. }) = n { .. }
//! if let Some(__KoratView0 { color: __korat_cell_0, next: __korat_cell_1, .. }) = n
//!     && let Color::Red = __korat_cell_0.__korat_cell()
//!     && let next = __korat_cell_1.__korat_cell() { .. }
//! ```
//!
//! Slice patterns work alike: `[first, rest @ ..]` binds the elements of a twin, and each is read when what the user wrote for
//! it is matched. One that is a part of another pattern, as in `Some([a, b])`, is matched after the rest.
//!
//! A field is read where its part of the pattern is matched, in the order of the pattern, and not before.

use proc_macro2::Span;
use quote::{format_ident, quote};
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Arm, Block, Expr, ExprLet, ExprMatch, FieldPat, Ident, Local, Member, Pat, PatGuard, PatOr, PatReference, PatSlice,
    PatStruct, PatTupleStruct, Path, Stmt, Token, UnOp, parse_quote,
};

use super::{BoundNames, Lifter, allow_chains};
use crate::finitize::view_name;
use crate::rep_ok::names::{Fate, fate};

/// One field of a taken-apart class: what the user wrote for it, and the binding of its cell.
pub(super) struct CellPattern {
    pat: Pat,
    cell: Ident,
    kind: CellKind,
    /// Whether the whole was matched by value, so that its parts are bound by value too.
    by_value: bool,
}

/// What a cell is a part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CellKind {
    /// A field of a class.
    Field,
    /// An element of a sequence.
    Element,
    /// Several elements of a sequence.
    Rest,
    /// A sequence in a pattern of something else.
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

/// Whether a constant is matched, which rustc does not look for behind a reference.
fn has_constant(pat: &Pat) -> bool {
    match pat {
        Pat::Path(_) => true,
        Pat::Ident(ident) => ident.subpat.is_none() && ident.ident.to_string().starts_with(char::is_uppercase),
        Pat::Or(or) => or.cases.iter().any(has_constant),
        Pat::Paren(paren) => has_constant(&paren.pat),
        _ => false,
    }
}

/// Whether every value matches the pattern.
fn is_irrefutable(pat: &Pat) -> bool {
    match pat {
        // A name that begins like a constant is one: `None`, `Red`.
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
    /// Takes apart the classes in a pattern, whose types and constants are lifted already. It is matched against
    /// `scrutinee`, which is changed where a class is taken apart by value.
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

    /// `let PAT = init else { .. }`, as statements.
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

    /// `let PAT = expr` in a condition, as a chain.
    pub(super) fn lift_condition(&mut self, condition: &mut ExprLet) -> Option<Expr> {
        self.visit_pat_mut(&mut condition.pat);
        let cells = self.take_classes_apart(&mut condition.pat, Some(&mut condition.expr));
        if cells.is_empty() {
            return None;
        }
        allow_chains(&mut condition.let_token.span);
        Some(chain(Expr::Let(condition.clone()), &cells))
    }

    /// `PAT if guard => body`; the body is lifted already. Gives the scrutinee as the arm needs it, and whether the arm got a
    /// condition in place of a pattern.
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
        // Names for fields are bound in the body, so that the arm stays one that always matches; all else is a condition.
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

    /// `let A(x) | B(x) = expr` in a condition, where the alternatives take classes apart.
    pub(super) fn alternatives_of_condition(&self, condition: &ExprLet) -> Option<ExprLet> {
        let (pat, expr) = self.without_alternatives(&condition.pat, &condition.expr)?;
        let mut lifted = condition.clone();
        (*lifted.pat, *lifted.expr) = (pat, expr);
        Some(lifted)
    }

    /// For a refutable pattern whose alternatives take classes apart: a pattern of its names, and a `match` that gives them.
    fn without_alternatives(&self, pat: &Pat, expr: &Expr) -> Option<(Pat, Expr)> {
        if !self.has_class_in_alternative(pat) {
            return None;
        }
        let mut names = BoundNames(Vec::new());
        alternatives(pat).first().into_iter().for_each(|first| names.visit_pat(first));
        let names = names.0.iter().filter(|name| !name.starts_with(char::is_uppercase));
        let names: Vec<Ident> = names.map(|name| format_ident!("{name}")).collect();
        let names = quote!((#(#names,)*));
        Some((parse_quote!(Some(#names)), parse_quote!(match #expr { #pat => Some(#names), _ => None })))
    }

    /// Whether an alternative binds parts of a class, which each binds for itself.
    fn has_class_in_alternative(&self, pat: &Pat) -> bool {
        struct Search<'l> {
            lifter: &'l Lifter,
            in_alternative: bool,
            /// Whether the whole is a sequence, whose alternatives may have different lengths.
            is_slice: bool,
            found: bool,
        }
        impl Search<'_> {
            fn note(&mut self, path: &Path, binds: bool) {
                let Some(last) = path.segments.last() else { return };
                let name = variant_owner(path).and_then(|owner| Some(owner.segments.last()?.ident.to_string()));
                let name = name.unwrap_or_else(|| last.ident.to_string());
                let is_class = self.lifter.class_name == name || fate(&name) == Fate::Lifted || name == "Self";
                let is_class = is_class && !matches!(name.as_str(), "Some" | "Ok" | "Err");
                self.found |= self.in_alternative && binds && is_class && !self.lifter.own_names.contains(&name);
            }
        }
        impl<'ast> Visit<'ast> for Search<'_> {
            fn visit_pat_or(&mut self, or: &'ast PatOr) {
                let outside = std::mem::replace(&mut self.in_alternative, true);
                syn::visit::visit_pat_or(self, or);
                self.in_alternative = outside;
            }
            fn visit_pat_tuple_struct(&mut self, pat: &'ast PatTupleStruct) {
                let binds = pat.elems.iter().any(|elem| !matches!(elem, Pat::Wild(_) | Pat::Rest(_)));
                self.note(&pat.path, binds);
                syn::visit::visit_pat_tuple_struct(self, pat);
            }
            fn visit_pat_struct(&mut self, pat: &'ast PatStruct) {
                let binds = pat.fields.iter().any(|field| !matches!(*field.pat, Pat::Wild(_)));
                self.note(&pat.path, binds);
                syn::visit::visit_pat_struct(self, pat);
            }
            fn visit_pat_slice(&mut self, pat: &'ast PatSlice) {
                let binds = pat.elems.iter().any(|elem| !matches!(elem, Pat::Wild(_) | Pat::Rest(_)));
                self.found |= self.in_alternative && (binds || !self.is_slice);
                syn::visit::visit_pat_slice(self, pat);
            }
        }
        let mut search = Search { lifter: self, in_alternative: false, is_slice: is_slice_pattern(pat), found: false };
        search.visit_pat(pat);
        search.found
    }

    /// The arms of a `match`, whose scrutinee and bodies are lifted already.
    pub(super) fn lift_arms(&mut self, choice: &mut ExprMatch) {
        // An alternative that takes a class apart becomes an arm of its own.
        for arm in std::mem::take(&mut choice.arms) {
            let (pat, guard) = match &arm.pat {
                Pat::Guard(PatGuard { pat, guard, .. }) => (&**pat, Some(guard)),
                pat => (pat, None),
            };
            if !self.has_class_in_alternative(pat) {
                choice.arms.push(arm);
                continue;
            }
            for pat in alternatives(pat) {
                let mut arm = arm.clone();
                arm.pat = match guard {
                    Some(guard) => Pat::Guard(PatGuard {
                        attrs: Vec::new(),
                        pat: Box::new(pat),
                        if_token: Token![if](Span::mixed_site()),
                        guard: guard.clone(),
                    }),
                    None => pat,
                };
                choice.arms.push(arm);
            }
        }
        // Where one arm takes a sequence apart, a name for all of it in another arm stands for its elements.
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
            // The arms cover everything, but with their conditions rustc cannot see it.
            let private = &self.private;
            choice.arms.push(parse_quote!(_ => #private::std::unreachable!("[korat internal bug] no arm matches"),));
        }
    }

    /// A pattern in front of a body, whose types are lifted already: a parameter, a loop variable.
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

/// The patterns without alternatives that the pattern stands for, in order.
fn alternatives(pat: &Pat) -> Vec<Pat> {
    /// One pattern for each choice among the alternatives of its parts.
    fn products(parts: Vec<Pat>, build: impl Fn(Vec<Pat>) -> Pat) -> Vec<Pat> {
        let mut all: Vec<Vec<Pat>> = vec![Vec::new()];
        for part in parts {
            let choices = alternatives(&part);
            let longer = |start: &Vec<Pat>| {
                let start = start.clone();
                choices.iter().map(move |choice| start.iter().cloned().chain([choice.clone()]).collect()).collect()
            };
            all = all.iter().flat_map(|start| -> Vec<Vec<Pat>> { longer(start) }).collect();
        }
        all.into_iter().map(build).collect()
    }
    match pat {
        Pat::Or(or) => or.cases.iter().flat_map(alternatives).collect(),
        Pat::Paren(paren) => alternatives(&paren.pat),
        Pat::Reference(reference) => products(vec![(*reference.pat).clone()], |mut parts| {
            let mut whole = reference.clone();
            *whole.pat = parts.remove(0);
            Pat::Reference(whole)
        }),
        Pat::Ident(ident) => match &ident.subpat {
            Some((at, inside)) => products(vec![(**inside).clone()], |mut parts| {
                let mut whole = ident.clone();
                whole.subpat = Some((*at, Box::new(parts.remove(0))));
                Pat::Ident(whole)
            }),
            None => vec![pat.clone()],
        },
        Pat::Tuple(tuple) => products(tuple.elems.iter().cloned().collect(), |parts| {
            let mut whole = tuple.clone();
            whole.elems = parts.into_iter().collect();
            if whole.elems.len() == 1 {
                whole.elems.push_punct(Default::default());
            }
            Pat::Tuple(whole)
        }),
        Pat::TupleStruct(tuple) => products(tuple.elems.iter().cloned().collect(), |parts| {
            let mut whole = tuple.clone();
            whole.elems = parts.into_iter().collect();
            Pat::TupleStruct(whole)
        }),
        Pat::Slice(slice) => products(slice.elems.iter().cloned().collect(), |parts| {
            let mut whole = slice.clone();
            whole.elems = parts.into_iter().collect();
            Pat::Slice(whole)
        }),
        Pat::Struct(parts) => products(parts.fields.iter().map(|field| (*field.pat).clone()).collect(), |pats| {
            let mut whole = parts.clone();
            for (field, pat) in whole.fields.iter_mut().zip(pats) {
                *field.pat = pat;
            }
            Pat::Struct(whole)
        }),
        _ => vec![pat.clone()],
    }
}

/// Whether the pattern is a slice pattern itself, not around one.
fn is_slice_pattern(pat: &Pat) -> bool {
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

/// Finds the classes in a pattern and takes them apart.
struct Finder<'l> {
    lifter: &'l mut Lifter,
    cells: Vec<CellPattern>,
    in_alternative: bool,
    /// Whether parts are bound by value.
    by_value: bool,
    /// Whether the view itself is matched by value, so that its cells are bound by `ref`.
    below_reference: bool,
}

impl<'l> Finder<'l> {
    fn new(lifter: &'l mut Lifter) -> Self {
        Finder { lifter, cells: Vec::new(), in_alternative: false, by_value: false, below_reference: false }
    }

    /// A name for a cell, and the pattern that binds it.
    fn binding(&mut self) -> (Ident, Pat) {
        let cell = self.lifter.fresh("__korat_cell_");
        let binding = if self.below_reference { parse_quote!(ref #cell) } else { parse_quote!(#cell) };
        (cell, binding)
    }

    /// `inside` below `&`.
    fn below_reference(&mut self, inside: impl FnOnce(&mut Self)) {
        let outside = (self.by_value, self.below_reference);
        (self.by_value, self.below_reference) = (true, true);
        inside(self);
        (self.by_value, self.below_reference) = outside;
    }

    /// The path of the view, if the path of the pattern can only be a class or a variant of one.
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
                .refuse(&view, "a class cannot be taken apart in an alternative; write an arm of its own for it");
        }
        let first = self.cells.len();
        let fields: Vec<FieldPat> = fields.into_iter().map(|(member, pat)| self.cell(member, pat)).collect();
        self.look_inside(first);
        parse_quote!(#view { #(#fields,)* .. })
    }

    /// Takes a sequence apart: `[first, .., last]`, `[head, rest @ ..]`.
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
                // The elements of a twin are behind a reference already.
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

    /// Takes apart what the user wrote for the cells from `first` on.
    fn look_inside(&mut self, first: usize) {
        // What the user wrote for a field may take a class apart in turn; its fields come right after.
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
                    .refuse(pat, "a sequence cannot be taken apart in an alternative here; write them one by one");
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
                // No class is in a tuple by value: it is behind a reference of its own.
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

/// The type of a path like `Type::Variant`.
fn variant_owner(path: &Path) -> Option<Path> {
    let mut owner = path.clone();
    owner.segments.pop()?;
    owner.segments.pop_punct();
    let name = owner.segments.last()?.ident.to_string();
    let is_type = name.trim_start_matches('_').starts_with(char::is_uppercase);
    is_type.then_some(owner)
}

impl Lifter {
    /// The path that stands for a class in patterns: an alias that the function declares, or, where parameters are to be
    /// inferred, the view by its name.
    fn view_path(&mut self, class: &Path) -> Path {
        let has_arguments = class.segments.last().is_some_and(|last| !last.arguments.is_none());
        let is_known = |name: &Ident| self.generic_names.iter().any(|known| name == known);
        if self.is_generic || !has_arguments && class.segments.last().is_some_and(|last| is_known(&last.ident)) {
            let mut path = class.clone();
            if let Some(last) = path.segments.last_mut() {
                last.ident = view_name(&last.ident);
            }
            return path;
        }
        self.view_alias(class).into()
    }

    /// The same for `Type::Variant`; nothing if the type is none of the structure's.
    fn view_of_variant(&mut self, path: &Path, owner: &Path) -> Option<Path> {
        let name = owner.segments.last()?.ident.to_string();
        if name == "Self" {
            return Some(path.clone());
        }
        if self.own_names.contains(&name) || self.class_name != name && fate(&name) != Fate::Lifted {
            return None;
        }
        let (view, variant) = (self.view_path(owner), path.segments.last()?);
        Some(parse_quote!(#view::#variant))
    }

    /// A variant without fields, named in a pattern. A constant is the user's own.
    pub(super) fn lift_unit_variant(&mut self, path: &Path) -> Option<Path> {
        let owner = variant_owner(path)?;
        let variant = path.segments.last()?.ident.to_string();
        let is_constant = variant.len() > 1 && !variant.contains(|c: char| c.is_lowercase());
        if is_constant { None } else { self.view_of_variant(path, &owner) }
    }

    /// A name for the view of a class, which patterns need; the function that is being lifted declares it.
    fn view_alias(&mut self, class: &Path) -> Ident {
        if let Some((alias, _)) = self.view_aliases.iter().find(|(_, known)| known == class) {
            return alias.clone();
        }
        let mut alias = self.fresh("__KoratView");
        if let Some(last) = class.segments.last() {
            alias.set_span(last.ident.span());
        }
        self.view_aliases.push((alias.clone(), class.clone()));
        alias
    }

    pub(super) fn fresh(&mut self, prefix: &str) -> Ident {
        self.fresh_names += 1;
        format_ident!("{prefix}{}", self.fresh_names - 1)
    }
}
