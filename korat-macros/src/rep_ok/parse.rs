//! Parses the attribute and the block, and selects the methods that the predicate can reach. Rejects a block whose
//! `rep_ok` is missing or has a wrong signature.

use std::collections::HashMap;

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    Error, Expr, FnArg, GenericArgument, Generics, Ident, ImplItem, ImplItemFn, ItemFn, ItemImpl, Lifetime, Path,
    PathArguments, Result, ReturnType, Safety, Type, TypePath, Visibility, parse_quote,
};

use super::args::Args;
use super::reached::{is_callable, is_shared_self, reached};
use super::same_tokens;
use crate::errors::Errors;
use crate::finitize::default_crate;

/// What the attribute stands on.
#[derive(Clone)]
pub(crate) enum Form {
    /// `impl Type`.
    Inherent,
    /// `impl Trait for Type`, with its items other than methods.
    Trait(Path, Vec<ImplItem>),
    /// A function outside any block.
    Function(Visibility),
}

/// A block whose methods can be lifted.
#[derive(Clone)]
pub(crate) struct RepOkImpl {
    pub(crate) form: Form,
    /// The type of the block.
    pub(crate) class: Type,
    /// The generics of the block.
    pub(crate) generics: Generics,
    /// Whether the user's block has type parameters.
    pub(crate) is_generic: bool,
    /// The instances for which the methods are lifted; empty if they are lifted for all plain arguments.
    pub(crate) instances: Vec<Type>,
    /// The name of the class: the last segment of its path.
    pub(crate) class_name: Ident,
    /// The methods reachable from `rep_ok`, including itself, in the order of the block.
    pub(crate) methods: Vec<ImplItemFn>,
    /// Whether the block has a `rep_ok`.
    pub(crate) has_rep_ok: bool,
    /// Functions outside the block that have a lifted form, too.
    pub(crate) uses: Vec<Path>,
    /// Types that the user declared not to be part of the structure.
    pub(crate) plain: Vec<Ident>,
    /// Whether the predicate runs from the top for every candidate.
    pub(crate) reexecute: bool,
    /// The function that sees the built values which `rep_ok` accepts.
    pub(crate) filter: Option<Expr>,
    /// Whether a panic rejects a value.
    pub(crate) panics_reject: bool,
    /// Whether the type of the block is copied (`#[finitize(copy)]`).
    pub(crate) copies: bool,
    /// Path of the korat crate in generated code.
    pub(crate) krate: Path,
}

pub(crate) fn parse(args: TokenStream, item: TokenStream) -> Result<RepOkImpl> {
    let args: Args = syn::parse2(args)?;
    if let (true, Ok(function)) = (args.helpers, syn::parse2::<ItemFn>(item.clone())) {
        if let Some(listed) = args.instances.first() {
            return Err(Error::new_spanned(listed, "a function has no instances; remove `instances`"));
        }
        if let Some(listed) = args.uses.iter().find(|path| own_method(path).is_some()) {
            let message = "a function has no `Self`; name the method in the `#[rep_ok]` of its block";
            return Err(Error::new_spanned(listed, message));
        }
        return Ok(free_function(function, args));
    }
    let block: ItemImpl = syn::parse2(item.clone()).map_err(|error| {
        let is_impl = item.clone().into_iter().any(|token| matches!(&token, TokenTree::Ident(word) if word == "impl"));
        if is_impl {
            error
        } else {
            Error::new_spanned(keyword(&item), "`#[rep_ok]` belongs on an `impl` block; move it there")
        }
    })?;
    if let (Some((path, _)), false) = (&block.trait_, args.helpers) {
        let message = "`#[rep_ok]` belongs on an inherent `impl`; use `impl Type { .. }`, or `#[rep_ok(helpers)]` if another \
                       `rep_ok` calls these methods";
        return Err(Error::new_spanned(path, message));
    }
    if let (Some((path, _)), false) = (&block.trait_, args.copies)
        && let Some(operator) = operator(path, &block.self_ty)
    {
        let message = format!(
            "korat runs your `{operator}` as it is, on copies of the values; remove the attribute, or write \
             `#[rep_ok(helpers, copy)]` if the type is marked `#[finitize(copy)]`"
        );
        return Err(Error::new_spanned(path, message));
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
    let (own, uses): (Vec<Path>, Vec<Path>) = args.uses.into_iter().partition(|path| own_method(path).is_some());
    let own = called_from_outside(&own, &methods, &class_name)?;
    let reached = match args.copies {
        true => methods.keys().cloned().collect(),
        false => reached(&methods, &class_name, has_rep_ok, own),
    };
    let (mut methods, mut rest) = (Vec::new(), Vec::new());
    for item in block.items {
        match item {
            ImplItem::Fn(method) if reached.contains(&method.sig.ident.to_string()) => methods.push(method),
            // A trait wants all of its methods.
            ImplItem::Fn(mut method) if block.trait_.is_some() => {
                method.block = parse_quote!({
                    panic!("[korat] `rep_ok` cannot call what changes, consumes or makes the structure")
                });
                methods.push(method);
            }
            ImplItem::Fn(_) => {}
            item => rest.push(item),
        }
    }
    let form = block.trait_.map_or(Form::Inherent, |(path, _)| Form::Trait(path, rest));
    let krate = args.krate.unwrap_or_else(default_crate);
    Ok(RepOkImpl {
        form,
        uses,
        class: *block.self_ty,
        is_generic: block.generics.type_params().next().is_some(),
        generics: block.generics,
        instances: args.instances,
        class_name,
        methods,
        has_rep_ok,
        plain: args.plain,
        reexecute: args.reexecute,
        filter: args.filter,
        panics_reject: args.panics_reject,
        copies: args.copies,
        krate,
    })
}

/// Returns the name of an operator that each class has in `rep_ok` if the user's type has it. A trait of the user's own with such
/// a name is told by its path; `PartialEq<u8>` is another trait than `PartialEq`.
fn operator<'p>(path: &'p Path, class: &Type) -> Option<&'p Ident> {
    const OPERATORS: &[&str] = &["PartialEq", "Eq", "PartialOrd", "Ord", "Hash", "Debug", "Clone"];
    let mut names = path.segments.iter().rev();
    let last = names.next()?;
    let is_std =
        names.next().is_none_or(|module| ["cmp", "hash", "fmt", "clone"].iter().any(|known| module.ident == known));
    let is_with_itself = match &last.arguments {
        PathArguments::AngleBracketed(other) => {
            other.args.iter().all(|other| same_tokens(other, &quote!(Self)) || same_tokens(other, class))
        }
        PathArguments::None | PathArguments::Parenthesized(_) => true,
    };
    let is_operator = is_std && is_with_itself && OPERATORS.iter().any(|known| last.ident == known);
    is_operator.then_some(&last.ident)
}

/// Returns the name in `Self::name`.
fn own_method(path: &Path) -> Option<&Ident> {
    let is_own = path.segments.len() == 2 && path.segments[0].ident == "Self";
    is_own.then(|| &path.segments[1].ident)
}

/// Returns the names of the methods that `uses(Self::name)` says functions outside the block call.
fn called_from_outside(listed: &[Path], methods: &HashMap<String, &ImplItemFn>, class: &Ident) -> Result<Vec<String>> {
    let mut errors = Errors::default();
    let mut names = Vec::new();
    for name in listed.iter().filter_map(own_method) {
        match methods.get(&name.to_string()) {
            Some(method) if is_callable(method, class) => names.push(name.to_string()),
            Some(_) => errors.push(Error::new_spanned(
                name,
                "a predicate cannot call what changes, consumes or makes the structure; name a method that only reads it",
            )),
            None => errors.push(Error::new_spanned(
                name,
                format!("no method `{name}` in this block; name it in the attribute of its own block"),
            )),
        }
    }
    errors.into_result().map(|()| names)
}

/// Treats a function as a block with one method.
fn free_function(function: ItemFn, mut args: Args) -> RepOkImpl {
    let ItemFn { attrs, vis, modifiers, sig, block } = function;
    // It may call itself.
    args.uses.push(sig.ident.clone().into());
    RepOkImpl {
        form: Form::Function(vis),
        uses: args.uses,
        class: parse_quote!(__KoratNoClass),
        generics: Generics::default(),
        is_generic: false,
        instances: Vec::new(),
        class_name: parse_quote!(__KoratNoClass),
        methods: vec![ImplItemFn { attrs, vis: Visibility::Inherited, modifiers, sig, block: *block }],
        has_rep_ok: false,
        plain: args.plain,
        reexecute: false,
        filter: None,
        panics_reject: false,
        copies: false,
        krate: args.krate.unwrap_or_else(default_crate),
    }
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
