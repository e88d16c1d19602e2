//! Instances of a generic type, as `instances(List<Node>, List<String>)` lists them. Takes the generics and the listed type,
//! gives an argument for each parameter. The derive and `#[rep_ok]` emit separate code for each instance: the code of a
//! class is different from that of a plain value, so no generic code can stand for both.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::token::Paren;
use syn::{
    Error, GenericArgument, GenericParam, Generics, Ident, PathArguments, Result, Token, Type, TypePath, parenthesized,
    parse_quote,
};

/// The arguments of a generic type.
#[derive(Clone)]
pub(crate) struct Instance {
    /// Each parameter with its argument.
    pub(crate) arguments: Vec<(GenericParam, GenericArgument)>,
}

/// Parses the list in `instances(Type, ..)`.
pub(crate) fn listed(input: ParseStream<'_>, key: &Ident) -> Result<Vec<Type>> {
    if !input.peek(Paren) {
        return Err(Error::new_spanned(key, "`instances` needs a list; write `instances(List<Node>, List<String>)`"));
    }
    let types;
    parenthesized!(types in input);
    Ok(types.parse_terminated(Type::parse, Token![,])?.into_iter().collect())
}

/// Returns the name and the arguments of a type.
fn applied(ty: &Type) -> Option<(&Ident, Vec<&GenericArgument>)> {
    let Type::Path(TypePath { qself: None, path, .. }) = ty else { return None };
    let last = path.segments.last()?;
    let arguments = match &last.arguments {
        PathArguments::AngleBracketed(arguments) => arguments.args.iter().collect(),
        PathArguments::None | PathArguments::Parenthesized(_) => Vec::new(),
    };
    Some((&last.ident, arguments))
}

/// Returns whether an argument consists of the name of a parameter.
fn names(argument: &GenericArgument, param: &GenericParam) -> bool {
    let name = match param {
        GenericParam::Type(param) => &param.ident,
        GenericParam::Const(param) => &param.ident,
        GenericParam::Lifetime(_) => return false,
    };
    matches!(argument, GenericArgument::Type(Type::Path(path)) if path.path.is_ident(name))
}

impl Instance {
    /// Matches a listed type with `class`, the type in terms of the parameters.
    pub(crate) fn of(class: &Type, generics: &Generics, listed: &Type) -> Result<Instance> {
        let (Some((name, written)), Some((listed_name, given))) = (applied(class), applied(listed)) else {
            return Err(Error::new_spanned(listed, "an instance is the type with its arguments: `List<Node>`"));
        };
        if name != listed_name {
            let message = format!("not an instance of `{name}`; write `{name}<..>` with its arguments");
            return Err(Error::new_spanned(listed, message));
        }
        let mut arguments = Vec::new();
        for param in &generics.params {
            let position = written.iter().position(|argument| names(argument, param));
            let argument = position.and_then(|at| given.get(at)).map(|&argument| argument.clone());
            let default = || match param {
                GenericParam::Type(param) => param.default.clone().map(|(_, default)| GenericArgument::Type(default)),
                GenericParam::Const(param) => param.default.clone().map(|(_, default)| GenericArgument::Const(default)),
                GenericParam::Lifetime(_) => None,
            };
            let Some(argument) = argument.or_else(default) else {
                let message = format!("an argument is missing; write `{name}<..>` with one for each parameter");
                return Err(Error::new_spanned(listed, message));
            };
            arguments.push((param.clone(), argument));
        }
        if given.len() > written.len() {
            return Err(Error::new_spanned(listed, format!("`{name}` has fewer parameters; remove an argument")));
        }
        if arguments.is_empty() {
            return Err(Error::new_spanned(listed, format!("`{name}` has no parameters; remove `instances`")));
        }
        Ok(Instance { arguments })
    }

    /// Returns items that give the parameters' names their meaning: `type T = Node; const N: usize = 4;`.
    pub(crate) fn items(&self) -> TokenStream {
        self.arguments
            .iter()
            .map(|(param, argument)| match param {
                GenericParam::Type(param) => {
                    let name = &param.ident;
                    quote!(type #name = #argument;)
                }
                GenericParam::Const(param) => {
                    let (name, ty) = (&param.ident, &param.ty);
                    quote!(const #name: #ty = #argument;)
                }
                GenericParam::Lifetime(_) => TokenStream::new(),
            })
            .collect()
    }
}

/// Returns the type with its parameters as arguments: `List<T>`.
pub(crate) fn in_parameters(name: &Ident, generics: &Generics) -> Type {
    let (_, arguments, _) = generics.split_for_impl();
    parse_quote!(#name #arguments)
}
