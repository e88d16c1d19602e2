//! Finds the methods of a block that are lifted: those that `rep_ok` reaches.

use std::collections::{HashMap, HashSet};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{FnArg, GenericArgument, Ident, ImplItemFn, Pat, PathArguments, ReturnType, Signature, Type, TypePath};

use super::std_methods::STD_METHODS;

/// Returns the names of the methods reachable from `rep_ok` and from `others`, or of all callable methods in a block of
/// helpers. Excludes those that a predicate cannot call.
pub(super) fn reached(
    methods: &HashMap<String, &ImplItemFn>,
    class: &Ident,
    from_rep_ok: bool,
    others: Vec<String>,
) -> HashSet<String> {
    let mut work = others;
    if from_rep_ok {
        work.push("rep_ok".to_string());
    } else {
        let callable = methods.iter().filter(|(_, method)| is_callable(method, class));
        work.extend(callable.map(|(name, _)| name.clone()));
    }
    // A call of such a name usually means the std method. Lifting the block's method is harmless if its signature has
    // plain types only.
    let is_ambiguous = |(name, method): (&String, &&ImplItemFn)| {
        (STD_METHODS.contains(&name.as_str()) && !is_plain(&method.sig)).then(|| name.clone())
    };
    let ambiguous: Vec<String> = methods.iter().filter_map(is_ambiguous).collect();
    let mut reached: HashSet<String> = work.iter().cloned().collect();
    while let Some(name) = work.pop() {
        let mut called = HashSet::new();
        let method = methods[&name];
        let selves = selves(method, class);
        called_names(method.block.to_token_stream(), class, &selves, &ambiguous, &mut called);
        for name in called {
            if methods.get(&name).is_some_and(|method| is_callable(method, class)) && reached.insert(name.clone()) {
                work.push(name);
            }
        }
    }
    reached
}

/// Returns whether a predicate can call the method: it neither modifies nor consumes `self`, nor creates the class.
pub(super) fn is_callable(method: &ImplItemFn, class: &Ident) -> bool {
    let reads = match method.sig.inputs.first() {
        Some(FnArg::Receiver(receiver)) => is_shared_self(receiver),
        Some(FnArg::Typed(_)) | None => true,
    };
    reads && !makes_class(&method.sig.output, class)
}

/// Returns whether the signature consists of plain types only.
fn is_plain(sig: &Signature) -> bool {
    let plain = |ty: &Type| {
        let words = ty.to_token_stream().to_string();
        let mut names =
            words.split(|c: char| !c.is_alphanumeric()).filter(|word| word.starts_with(char::is_alphabetic));
        names.all(|word| word.starts_with(char::is_lowercase) && word != "impl" && word != "dyn" || word == "Option")
    };
    let inputs = sig.inputs.iter().all(|input| match input {
        FnArg::Receiver(_) => true,
        FnArg::Typed(typed) => plain(&typed.ty),
    });
    inputs
        && match &sig.output {
            ReturnType::Type(_, ty) => plain(ty),
            ReturnType::Default => true,
        }
}

/// Returns whether a method returns a new value of the class, for which a predicate has no use.
fn makes_class(output: &ReturnType, class: &Ident) -> bool {
    match output {
        ReturnType::Type(_, ty) => holds_class(ty, class),
        ReturnType::Default => false,
    }
}

/// Returns whether a value of the type owns one of the class, other than behind a reference.
fn holds_class(ty: &Type, class: &Ident) -> bool {
    match ty {
        Type::Path(TypePath { path, .. }) => path.segments.iter().any(|segment| {
            let arguments = match &segment.arguments {
                PathArguments::AngleBracketed(arguments) => arguments.args.iter().collect(),
                _ => Vec::new(),
            };
            let in_arguments = arguments.iter().any(|argument| match argument {
                GenericArgument::Type(ty) => holds_class(ty, class),
                _ => false,
            });
            // `Self::Item` is another type.
            in_arguments || path.is_ident("Self") || segment.ident == *class
        }),
        Type::Tuple(tuple) => tuple.elems.iter().any(|ty| holds_class(ty, class)),
        Type::Array(array) => holds_class(&array.elem, class),
        Type::Paren(paren) => holds_class(&paren.elem, class),
        Type::Group(group) => holds_class(&group.elem, class),
        _ => false,
    }
}

/// Returns `self` and the parameters that are references to the class.
fn selves(method: &ImplItemFn, class: &Ident) -> Vec<String> {
    let mut selves = vec!["self".to_string()];
    for input in &method.sig.inputs {
        if let FnArg::Typed(typed) = input
            && let Pat::Ident(name) = &*typed.pat
            && let Type::Reference(reference) = &*typed.ty
            && let Type::Path(path) = &*reference.elem
            && (path.path.is_ident("Self") || path.path.is_ident(class))
        {
            selves.push(name.ident.to_string());
        }
    }
    selves
}

/// Collects the names in `self.name`, `Self::name`, `Class::name` and `x.name`, including those in macro arguments.
fn called_names(
    tokens: TokenStream,
    class: &Ident,
    selves: &[String],
    ambiguous: &[String],
    called: &mut HashSet<String>,
) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_punct = |at: Option<usize>, what: char| matches!(at.and_then(|at| tokens.get(at)), Some(TokenTree::Punct(punct)) if punct.as_char() == what);
    let word = |at: Option<usize>| match at.and_then(|at| tokens.get(at)) {
        Some(TokenTree::Ident(word)) => Some(word.to_string()),
        _ => None,
    };
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => called_names(group.stream(), class, selves, ambiguous, called),
            TokenTree::Ident(name) => {
                let name = name.to_string();
                let after_dot = is_punct(at.checked_sub(1), '.');
                let after_path = is_punct(at.checked_sub(1), ':') && is_punct(at.checked_sub(2), ':');
                let on_self = word(at.checked_sub(2)).is_some_and(|owner| selves.contains(&owner));
                let of_class = word(at.checked_sub(3)).is_some_and(|owner| owner == "Self" || *class == owner);
                let method = after_dot && (on_self || !ambiguous.contains(&name));
                if method || (after_path && of_class) {
                    called.insert(name);
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Returns whether the receiver is `&self`, `&'a self` or `self: &Self`.
pub(super) fn is_shared_self(receiver: &syn::Receiver) -> bool {
    let words: Vec<String> = receiver.to_token_stream().into_iter().map(|token| token.to_string()).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let short = matches!(words[..], ["&", "self"] | ["&", "'", _, "self"]);
    let long = matches!(words[..], ["self", ":", "&", "Self"] | ["self", ":", "&", "'", _, "Self"]);
    short || long
}
