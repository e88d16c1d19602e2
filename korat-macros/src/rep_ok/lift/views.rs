//! Names views in patterns, for classes such as `Node` and variants such as `Expr::Add`.

use quote::format_ident;
use syn::{Ident, ImplItemFn, Path, PathArguments, PathSegment, parse_quote};

use super::Lifter;
use crate::finitize::view_name;
use crate::rep_ok::names::{Fate, fate};
use crate::rep_ok::same_tokens;
use crate::walk::visit::{self, Visit};

/// Returns the type in a path like `Type::Variant`.
pub(super) fn variant_owner(path: &Path) -> Option<Path> {
    let mut owner = path.clone();
    owner.segments.pop()?;
    owner.segments.pop_punct();
    let name = owner.segments.last()?.ident.to_string();
    let is_type = name.trim_start_matches('_').starts_with(char::is_uppercase);
    is_type.then_some(owner)
}

impl Lifter {
    /// Returns the path that replaces a class in patterns: a type alias declared in the function, or the name of the
    /// view if generic arguments have to be inferred.
    pub(super) fn view_path(&mut self, class: &Path) -> Path {
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

    /// Returns the path that replaces `Type::Variant` in patterns, or `None` if the type is not part of the structure.
    pub(super) fn view_of_variant(&mut self, path: &Path, owner: &Path) -> Option<Path> {
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

    /// Returns the path that replaces a unit variant in a pattern, or `None` for a constant, which stays the user's.
    pub(super) fn lift_unit_variant(&mut self, path: &Path) -> Option<Path> {
        let owner = variant_owner(path)?;
        let variant = path.segments.last()?.ident.to_string();
        let is_constant = variant.len() > 1 && !variant.contains(|c: char| c.is_lowercase());
        if is_constant { None } else { self.view_of_variant(path, &owner) }
    }

    /// Returns the alias of the view of a class in patterns. The function that is being lifted declares it.
    fn view_alias(&mut self, class: &Path) -> Ident {
        if let Some((alias, _)) = self.view_aliases.iter().find(|(_, known)| same_tokens(known, class)) {
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

/// Collects the types that are named with generic arguments.
pub(super) struct GenericNames(Vec<String>);

impl GenericNames {
    pub(super) fn of(methods: &[ImplItemFn]) -> Vec<String> {
        let mut found = GenericNames(Vec::new());
        methods.iter().for_each(|method| found.visit_impl_item_fn(method));
        found.0
    }
}

impl Visit for GenericNames {
    fn visit_path_segment(&mut self, segment: &PathSegment) {
        if matches!(segment.arguments, PathArguments::AngleBracketed(_)) {
            self.0.push(segment.ident.to_string());
        }
        visit::visit_path_segment(self, segment);
    }
}
