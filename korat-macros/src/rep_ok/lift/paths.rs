//! Lifts paths in expressions, such as `Type::name`, whose type may be a class or have a twin.

use quote::{ToTokens, format_ident};
use syn::spanned::Spanned;
use syn::{Expr, ExprPath, Ident, Path, PathArguments, PathSegment, parse_quote, parse_quote_spanned};

use super::Lifter;
use crate::finitize::view_name;
use crate::rep_ok::names::{Fate, fate, is_pointer_function, own_twin};
use crate::rep_ok::same_tokens;
use crate::walk::visit_mut;

impl Lifter {
    /// Lifts `Type::name` and longer paths in an expression; returns the replacement if the path needs one.
    pub(super) fn visit_expr_path(&mut self, expr: &mut ExprPath) -> Option<Expr> {
        if let Some(last) = expr.path.segments.last()
            && is_layout_question(last)
        {
            self.refuse(
                &last.ident.clone(),
                "the layout of a class is not known while the search runs; leave it out of `rep_ok`",
            );
        }
        visit_mut::visit_path_mut(self, &mut expr.path);
        if self.copies && expr.path.is_ident(&self.class_name) {
            return Some(parse_quote_spanned!(expr.span()=> Self));
        }
        if let Some(of) = &mut expr.qself
            && let Some(lifted) = self.implementing_type(&of.ty, of.position, &expr.path)
        {
            *of.ty = lifted;
        }
        if let Some(helper) = self.lifted_helper(expr) {
            expr.path = helper;
            return None;
        }
        if expr.qself.is_some() || expr.path.segments.len() < 2 {
            return None;
        }
        let count = expr.path.segments.len();
        let (owner, last) = (&expr.path.segments[count - 2], &expr.path.segments[count - 1]);
        let (owner_name, last_name) = (owner.ident.to_string(), last.ident.to_string());
        let is_function = is_function(&last.ident);
        if owner_name == "Self" {
            // Constants belong to the user's type, and methods to the view.
            let class = &self.class;
            return (!is_function).then(|| parse_quote_spanned!(last.span()=> <#class>::#last));
        }
        let fate = if self.class_name == owner_name { Fate::Lifted } else { fate(&owner_name) };
        if self.own_names.contains(&owner_name) || !owner_name.starts_with(char::is_uppercase) {
            return None;
        }
        let private = &self.private;
        match fate {
            Fate::Twin if is_function => Some(parse_quote_spanned!(owner.span()=> #private::twin::#owner::#last)),
            Fate::TwinAroundStructure if is_pointer_function(&owner_name, &last_name) => {
                Some(parse_quote_spanned!(owner.span()=> #private::twin::#owner::#last))
            }
            Fate::TwinAroundStructure if is_function => {
                let mut owner = owner.clone();
                owner.ident = Ident::new(own_twin(&owner_name)?, owner.ident.span());
                Some(parse_quote_spanned!(owner.span()=> #private::twin::#owner::#last))
            }
            // Std containers have no constants or variants, so this is a user's type of the same name.
            Fate::Twin | Fate::TwinAroundStructure | Fate::Kept => None,
            // Its arguments are to be inferred.
            Fate::Lifted if is_function && self.is_generic && owner.arguments.is_none() => {
                let mut path = expr.path.clone();
                path.segments[count - 2].ident = view_name(&owner.ident);
                Some(parse_quote!(#path))
            }
            Fate::Lifted if is_function => {
                let segments = expr.path.segments.iter().take(count - 1);
                let colon = expr.path.leading_colon;
                let lifted = self.lifted_class(&parse_quote!(#colon #(#segments)::*), None);
                Some(parse_quote_spanned!(last.span()=> <#lifted>::#last))
            }
            // A constant or a variant of the user's type.
            Fate::Lifted => None,
        }
    }

    /// Returns the path of the lifted form of a function that `uses(..)` names by this path. A single name is imported instead.
    fn lifted_helper(&self, expr: &ExprPath) -> Option<Path> {
        if expr.qself.is_some() || expr.path.segments.len() == 1 {
            return None;
        }
        let plain = without_arguments(&expr.path);
        self.uses.iter().find(|helper| same_tokens(*helper, &plain))?;
        let mut path = expr.path.clone();
        let last = path.segments.last_mut()?;
        last.ident = helper_name(&last.ident);
        Some(path)
    }
}

/// Returns whether the name is that of a function, not of a constant, a variant or a type.
pub(super) fn is_function(name: &Ident) -> bool {
    name.to_string().starts_with(|first: char| first.is_lowercase() || first == '_')
}

fn without_arguments(path: &Path) -> Path {
    let mut path = path.clone();
    path.segments.iter_mut().for_each(|segment| segment.arguments = PathArguments::None);
    path
}

/// Returns the name of the lifted form of a function outside the block.
pub(crate) fn helper_name(function: &Ident) -> Ident {
    format_ident!("__korat_{}", function)
}

/// Returns whether the function inspects the layout of a type, as `size_of::<Node>` and `size_of_val` do. For a view,
/// the result would not be that of the user's type.
fn is_layout_question(function: &PathSegment) -> bool {
    if ["size_of_val", "align_of_val", "type_name_of_val"].iter().any(|name| function.ident == name) {
        return true;
    }
    let of_type = ["size_of", "align_of", "type_name"].iter().any(|name| function.ident == name);
    let words = function.arguments.to_token_stream().to_string();
    of_type && words.split(|c: char| !c.is_alphanumeric()).any(|word| word.starts_with(char::is_uppercase))
}
