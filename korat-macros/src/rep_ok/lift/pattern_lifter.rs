//! Destructures the classes and sequences in a pattern: replaces the user's patterns for their fields by bindings of cells, and collects
//! the user's patterns, which `patterns` matches against the cells.

use syn::{
    ExprPath, FieldPat, Ident, Member, Pat, PatOr, PatReference, PatSlice, PatStruct, PatTupleStruct, Path, parse_quote,
};

use super::Lifter;
use super::views::variant_owner;
use crate::rep_ok::names::{Fate, fate};
use crate::walk::visit_mut::{self, VisitMut};

/// A field of a destructured class: the user's pattern for it, and the variable bound to its cell.
pub(super) struct CellPattern {
    pub(super) pat: Pat,
    pub(super) cell: Ident,
    pub(super) kind: CellKind,
    pub(super) bound: Bound,
}

/// How the parts of a matched value are bound.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Bound {
    ByReference,
    ByValue,
    /// By value, unless what is matched is a reference: only its type tells `*x` of a `&T` from `*x` of a `&&T`.
    ByType,
    /// As `ByType` for the class or the sequence that this variable is bound to.
    As(Ident),
}

/// What a cell is part of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CellKind {
    /// A field of a class.
    Field,
    /// An element of a sequence.
    Element,
    /// Consecutive elements of a sequence.
    Rest,
    /// A whole sequence inside another pattern.
    Sequence,
}

/// Finds and destructures the classes in a pattern.
pub(super) struct PatternLifter<'l> {
    lifter: &'l mut Lifter,
    pub(super) cells: Vec<CellPattern>,
    in_alternative: bool,
    pub(super) bound: Bound,
    /// Whether the view is matched by value, so that its cells are bound by `ref`.
    below_reference: bool,
}

impl<'l> PatternLifter<'l> {
    pub(super) fn new(lifter: &'l mut Lifter) -> Self {
        PatternLifter {
            lifter,
            cells: Vec::new(),
            in_alternative: false,
            bound: Bound::ByReference,
            below_reference: false,
        }
    }

    /// Returns a fresh name for a cell, and the pattern that binds it.
    fn binding(&mut self) -> (Ident, Pat) {
        let cell = self.lifter.fresh("__korat_cell_");
        let binding = if self.below_reference { parse_quote!(ref #cell) } else { parse_quote!(#cell) };
        (cell, binding)
    }

    /// Runs `inside` for a pattern below `&`.
    fn below_reference(&mut self, inside: impl FnOnce(&mut Self)) {
        let outside = (std::mem::replace(&mut self.bound, Bound::ByValue), self.below_reference);
        self.below_reference = true;
        inside(self);
        (self.bound, self.below_reference) = outside;
    }

    /// Destructures a class or a sequence by `parts`, which returns the pattern for it. Binds a variable to the whole if
    /// its type is needed.
    fn whole(&mut self, parts: impl FnOnce(&mut Self) -> Pat) -> Pat {
        if self.bound != Bound::ByType {
            return parts(self);
        }
        let first = self.cells.len();
        let whole = self.lifter.fresh("__korat_cell_");
        let outside = std::mem::replace(&mut self.bound, Bound::As(whole.clone()));
        let pat = parts(self);
        self.bound = outside;
        if self.cells[first..].iter().any(|cell| cell.whole() == Some(&whole)) {
            return parse_quote!(#whole @ #pat);
        }
        pat
    }

    /// Returns whether the pattern is itself one of a class.
    pub(super) fn is_class_pattern(&mut self, pat: &Pat) -> bool {
        match pat {
            Pat::Struct(PatStruct { qself: None, path, .. })
            | Pat::TupleStruct(PatTupleStruct { qself: None, path, .. }) => self.view(path).is_some(),
            // A unit variant is lifted already.
            Pat::Path(ExprPath { qself: None, path, .. }) => variant_owner(path).is_some_and(|owner| {
                owner.segments.last().is_some_and(|last| last.ident.to_string().starts_with("__Korat"))
            }),
            Pat::Paren(paren) => self.is_class_pattern(&paren.pat),
            Pat::Or(or) => or.cases.iter().any(|case| self.is_class_pattern(case)),
            _ => false,
        }
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
        self.cells.push(CellPattern { pat, cell, kind: CellKind::Field, bound: self.bound.clone() });
        FieldPat { attrs: Vec::new(), member, colon_token: Some(Default::default()), pat: Box::new(binding) }
    }

    fn destructure(&mut self, view: Path, fields: Vec<(Member, Pat)>) -> Pat {
        let binds = fields.iter().any(|(_, pat)| !matches!(pat, Pat::Wild(_)));
        if self.in_alternative && binds {
            self.lifter
                .refuse(&view, "a class cannot be destructured in an alternative; write an arm of its own for it");
        }
        self.whole(|this| {
            let first = this.cells.len();
            let fields: Vec<FieldPat> = fields.into_iter().map(|(member, pat)| this.cell(member, pat)).collect();
            this.look_inside(first);
            parse_quote!(#view { #(#fields,)* .. })
        })
    }

    /// Destructures a sequence: `[first, .., last]`, `[head, rest @ ..]`.
    pub(super) fn slice(&mut self, pat: &mut Pat) {
        match pat {
            Pat::Slice(slice) => {
                if self.in_alternative && slice.elems.iter().any(|elem| !matches!(elem, Pat::Wild(_) | Pat::Rest(_))) {
                    self.lifter.refuse(slice, "elements cannot be matched in an alternative; write an arm of its own");
                }
                let mut slice = slice.clone();
                *pat = self.whole(|this| {
                    this.elements(&mut slice);
                    Pat::Slice(slice)
                });
            }
            Pat::Paren(paren) => self.slice(&mut paren.pat),
            Pat::Reference(reference) => {
                // The elements of a twin are already behind a reference.
                let mut inside = (*reference.pat).clone();
                let outside = std::mem::replace(&mut self.bound, Bound::ByValue);
                self.slice(&mut inside);
                self.bound = outside;
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

    /// Binds the elements of a sequence.
    fn elements(&mut self, slice: &mut PatSlice) {
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
            self.cells.push(CellPattern { pat, cell, kind, bound: self.bound.clone() });
        }
        self.look_inside(first);
    }

    /// Destructures the user's patterns for the cells from `first` on.
    fn look_inside(&mut self, first: usize) {
        // The pattern of a field may destructure a class in turn; the fields of that class follow directly.
        let mut later = self.cells.split_off(first);
        for mut cell in later.drain(..) {
            let mut inside = PatternLifter::new(self.lifter);
            inside.bound = cell.bound.clone();
            if is_slice_pattern(&cell.pat) {
                inside.slice(&mut cell.pat);
            } else {
                inside.below_reference = matches!(cell.bound, Bound::ByValue | Bound::As(_));
                inside.visit_pat_mut(&mut cell.pat);
            }
            let inside = inside.cells;
            self.cells.push(cell);
            self.cells.extend(inside);
        }
    }
}

impl VisitMut for PatternLifter<'_> {
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
                self.cells.push(CellPattern { pat, cell, kind: CellKind::Sequence, bound: self.bound.clone() });
                self.look_inside(first);
                return;
            }
            Pat::Reference(PatReference { mutability: None, pat, .. }) => {
                self.below_reference(|this| this.visit_pat_mut(pat));
                return;
            }
            Pat::Tuple(tuple) => {
                // A tuple never contains a class by value, only behind a reference.
                let outside = (std::mem::replace(&mut self.bound, Bound::ByReference), self.below_reference);
                self.below_reference = false;
                tuple.elems.iter_mut().for_each(|elem| self.visit_pat_mut(elem));
                (self.bound, self.below_reference) = outside;
                return;
            }
            Pat::Struct(PatStruct { qself: None, path, fields, .. }) => {
                if let Some(view) = self.view(path) {
                    let fields = fields.iter().map(|field| (field.member.clone(), (*field.pat).clone())).collect();
                    *pat = self.destructure(view, fields);
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
                    *pat = self.destructure(view, fields);
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
