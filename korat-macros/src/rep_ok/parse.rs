//! Parses the attribute and the block, and selects the methods that the predicate can reach. Rejects a block whose
//! `rep_ok` is missing or has a wrong signature.

use std::collections::{HashMap, HashSet};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::token::Paren;
use syn::{
    Error, Expr, FnArg, GenericArgument, Generics, Ident, ImplItem, ImplItemFn, ItemImpl, Lifetime, Pat, Path,
    PathArguments, Result, ReturnType, Safety, Signature, Token, Type, TypePath, parenthesized,
};

use super::std_methods::STD_METHODS;
use crate::errors::Errors;
use crate::finitize::default_crate;

/// A block whose methods can be lifted.
pub(crate) struct RepOkImpl {
    /// The type of the block.
    pub(crate) class: Type,
    /// The generics of the block.
    pub(crate) generics: Generics,
    /// The name of the class: the last segment of its path.
    pub(crate) class_name: Ident,
    /// The methods reachable from `rep_ok`, including itself, in the order of the block.
    pub(crate) methods: Vec<ImplItemFn>,
    /// Whether the block has a `rep_ok`.
    pub(crate) has_rep_ok: bool,
    /// Types that the user declared not to be part of the structure.
    pub(crate) plain: Vec<Ident>,
    /// Whether the predicate runs from the top for every candidate.
    pub(crate) reexecute: bool,
    /// The function that sees the built values which `rep_ok` accepts.
    pub(crate) filter: Option<Expr>,
    /// Whether a panic rejects a value.
    pub(crate) panics_reject: bool,
    /// Path of the korat crate in generated code.
    pub(crate) krate: Path,
}

struct Args {
    helpers: bool,
    reexecute: bool,
    filter: Option<Expr>,
    panics_reject: bool,
    plain: Vec<Ident>,
    krate: Option<Path>,
}

impl Parse for Args {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut args = Args {
            helpers: false,
            reexecute: false,
            filter: None,
            panics_reject: false,
            plain: Vec::new(),
            krate: None,
        };
        while !input.is_empty() {
            if input.peek(Token![crate]) {
                let token: Token![crate] = input.parse()?;
                input.parse::<Token![=]>()?;
                if args.krate.replace(input.call(Path::parse_mod_style)?).is_some() {
                    return Err(Error::new_spanned(token, "`crate` is given twice; keep one"));
                }
            } else {
                let key: Ident = input.parse()?;
                if key == "helpers" {
                    if std::mem::replace(&mut args.helpers, true) {
                        return Err(Error::new_spanned(key, "`helpers` is given twice; keep one"));
                    }
                } else if key == "reexecute" {
                    if std::mem::replace(&mut args.reexecute, true) {
                        return Err(Error::new_spanned(key, "`reexecute` is given twice; keep one"));
                    }
                } else if key == "filter" {
                    input.parse::<Token![=]>()?;
                    if args.filter.replace(input.parse()?).is_some() {
                        return Err(Error::new_spanned(
                            key,
                            "`filter` is given twice; keep one, which calls the other",
                        ));
                    }
                } else if key == "panics" {
                    let says_invalid = input.parse::<Token![=]>().is_ok()
                        && input.parse::<Ident>().is_ok_and(|word| word == "invalid");
                    if !says_invalid {
                        return Err(Error::new_spanned(key, "write `panics = invalid`: a panic rejects the value"));
                    }
                    args.panics_reject = true;
                } else if key == "plain" {
                    if !input.peek(Paren) {
                        return Err(Error::new_spanned(key, "`plain` needs a list; write `plain(Type, ..)`"));
                    }
                    let names;
                    parenthesized!(names in input);
                    let paths = names.parse_terminated(Path::parse_mod_style, Token![,])?;
                    args.plain.extend(paths.into_iter().filter_map(|path| Some(path.segments.last()?.ident.clone())));
                } else {
                    let message = format!(
                        "unknown key `{key}`; `helpers`, `plain(..)`, `filter = ..`, `panics = invalid`, `reexecute` and `crate = ..` are known"
                    );
                    return Err(Error::new_spanned(key, message));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(args)
    }
}

pub(crate) fn parse(args: TokenStream, item: TokenStream) -> Result<RepOkImpl> {
    let args: Args = syn::parse2(args)?;
    let block: ItemImpl = syn::parse2(item.clone()).map_err(|error| {
        let is_impl = item.clone().into_iter().any(|token| matches!(&token, TokenTree::Ident(word) if word == "impl"));
        if is_impl {
            error
        } else {
            Error::new_spanned(keyword(&item), "`#[rep_ok]` belongs on an `impl` block; move it there")
        }
    })?;
    if let Some((path, _)) = &block.trait_ {
        return Err(Error::new_spanned(path, "`#[rep_ok]` belongs on an inherent `impl`; use `impl Type { .. }`"));
    }
    if let Some(param) = block.generics.lifetimes().next() {
        return Err(Error::new_spanned(param, "a class has no lifetimes; own what it borrows"));
    }
    if let Some(lifetime) = lifetime(&block.self_ty) {
        return Err(Error::new_spanned(lifetime, "a class has no lifetimes; own what it borrows"));
    }
    let class_name = class_name(&block.self_ty)?;
    let mut methods = HashMap::new();
    for item in &block.items {
        if let ImplItem::Fn(method) = item {
            methods.insert(method.sig.ident.to_string(), method);
        }
    }
    let has_rep_ok = match methods.get("rep_ok") {
        Some(method) => {
            check_signature(method)?;
            true
        }
        None if args.helpers => false,
        None => {
            let message = "no `fn rep_ok(&self) -> bool` in this block; add it, or write `#[rep_ok(helpers)]` if the \
                           block only has methods that another `rep_ok` calls";
            return Err(Error::new_spanned(&block.self_ty, message));
        }
    };
    let reached = reached(&methods, &class_name, has_rep_ok);
    let methods = (block.items.into_iter())
        .filter_map(|item| if let ImplItem::Fn(method) = item { Some(method) } else { None })
        .filter(|method| reached.contains(&method.sig.ident.to_string()))
        .collect();
    let krate = args.krate.unwrap_or_else(default_crate);
    Ok(RepOkImpl {
        class: *block.self_ty,
        generics: block.generics,
        class_name,
        methods,
        has_rep_ok,
        plain: args.plain,
        reexecute: args.reexecute,
        filter: args.filter,
        panics_reject: args.panics_reject,
        krate,
    })
}

/// Returns the class of a block with a `rep_ok`, and the path of the korat crate, as far as they can be parsed. The
/// fallback for a rejected block implements `RepOk` with them.
pub(crate) fn refused(args: TokenStream, item: TokenStream) -> Option<(Type, Path)> {
    let block: ItemImpl = syn::parse2(item).ok()?;
    let has_rep_ok = |item: &ImplItem| matches!(item, ImplItem::Fn(method) if method.sig.ident == "rep_ok");
    let has_parameters = !block.generics.params.is_empty() || lifetime(&block.self_ty).is_some();
    if block.trait_.is_some() || has_parameters || !block.items.iter().any(has_rep_ok) {
        return None;
    }
    let krate = syn::parse2::<Args>(args).ok().and_then(|args| args.krate).unwrap_or_else(default_crate);
    Some((*block.self_ty, krate))
}

/// Returns the keyword of the item for an error message: its first identifier outside attributes, other than `pub`.
fn keyword(item: &TokenStream) -> TokenStream {
    let word = item.clone().into_iter().find(|token| matches!(token, TokenTree::Ident(word) if word != "pub"));
    word.map_or_else(|| item.clone(), TokenStream::from)
}

/// Returns the lifetime in `Name<'_>`.
fn lifetime(class: &Type) -> Option<&Lifetime> {
    let Type::Path(TypePath { path, .. }) = class else { return None };
    let PathArguments::AngleBracketed(arguments) = &path.segments.last()?.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Lifetime(lifetime) => Some(lifetime),
        _ => None,
    })
}

fn class_name(class: &Type) -> Result<Ident> {
    if let Type::Path(TypePath { qself: None, path, .. }) = class
        && let Some(last) = path.segments.last()
    {
        return Ok(last.ident.clone());
    }
    Err(Error::new_spanned(class, "`#[rep_ok]` needs a class by its name; derive `Finitize` for a struct and name it"))
}

/// Reports every deviation of the signature from `fn rep_ok(&self) -> bool`.
fn check_signature(method: &ImplItemFn) -> Result<()> {
    let sig = &method.sig;
    let mut errors = Errors::default();
    let mut refuse = |at: &dyn ToTokens, what: &str| {
        errors.push(Error::new_spanned(at, format!("{what}; write `fn rep_ok(&self) -> bool`")));
    };
    if let Some(token) = &sig.asyncness {
        refuse(token, "`rep_ok` cannot be `async`");
    }
    if let Safety::Unsafe(token) = &sig.safety {
        refuse(token, "`rep_ok` cannot be `unsafe`");
    }
    if !sig.generics.params.is_empty() {
        refuse(&sig.generics.params, "`rep_ok` cannot be generic");
    }
    match sig.inputs.first() {
        Some(FnArg::Receiver(receiver)) if is_shared_self(receiver) => {}
        Some(first) => refuse(first, "`rep_ok` takes `&self`"),
        None => refuse(&sig.ident, "`rep_ok` takes `&self`"),
    }
    if let Some(more) = sig.inputs.get(1) {
        refuse(more, "`rep_ok` takes nothing but `&self`");
    }
    match &sig.output {
        ReturnType::Type(_, ty) if is_bool(ty) => {}
        ReturnType::Type(_, ty) => refuse(ty, "`rep_ok` returns `bool`"),
        ReturnType::Default => refuse(&sig.ident, "`rep_ok` returns `bool`"),
    }
    errors.into_result()
}

/// Returns whether the type is `bool`, or `std::primitive::bool` as written where `bool` is shadowed.
fn is_bool(ty: &Type) -> bool {
    let Type::Path(TypePath { qself: None, path, .. }) = ty else { return false };
    let names: Vec<String> = path.segments.iter().rev().map(|segment| segment.to_token_stream().to_string()).collect();
    names == ["bool"] || names.starts_with(&["bool".to_string(), "primitive".to_string()])
}

/// Returns whether the receiver is `&self`, `&'a self` or `self: &Self`.
fn is_shared_self(receiver: &syn::Receiver) -> bool {
    let words: Vec<String> = receiver.to_token_stream().into_iter().map(|token| token.to_string()).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let short = matches!(words[..], ["&", "self"] | ["&", "'", _, "self"]);
    let long = matches!(words[..], ["self", ":", "&", "Self"] | ["self", ":", "&", "'", _, "Self"]);
    short || long
}

/// Returns the names of the methods reachable from `rep_ok`, or of all callable methods in a block of helpers. Excludes
/// methods that modify or consume `self`, which a predicate cannot call, and methods that create the class.
fn reached(methods: &HashMap<String, &ImplItemFn>, class: &Ident, from_rep_ok: bool) -> HashSet<String> {
    let callable = |method: &ImplItemFn| {
        let reads = match method.sig.inputs.first() {
            Some(FnArg::Receiver(receiver)) => is_shared_self(receiver),
            Some(FnArg::Typed(_)) | None => true,
        };
        reads && !makes_class(&method.sig.output, class)
    };
    let mut work: Vec<String> = if from_rep_ok {
        vec!["rep_ok".to_string()]
    } else {
        methods.iter().filter(|(_, method)| callable(method)).map(|(name, _)| name.clone()).collect()
    };
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
            if methods.get(&name).is_some_and(|method| callable(method)) && reached.insert(name.clone()) {
                work.push(name);
            }
        }
    }
    reached
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
    let ReturnType::Type(_, ty) = output else { return false };
    let mut before = String::new();
    for token in ty.to_token_stream() {
        let token = token.to_string();
        if (token == "Self" || *class == token) && !matches!(before.as_str(), "&" | "mut") {
            return true;
        }
        // A lifetime is two tokens, between `&` and the type.
        if token != "'" && before != "'" {
            before = token;
        }
    }
    false
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
