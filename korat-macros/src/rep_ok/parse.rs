//! Reads the attribute and the block. Takes tokens, gives the block with the methods that the predicate can reach; refuses a
//! block whose `rep_ok` is missing or has another signature.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Error, FnArg, Ident, ImplItem, ImplItemFn, ItemImpl, Path, Result, ReturnType, Token, Type, TypePath, parenthesized,
};

use crate::finitize::default_crate;

/// A block whose methods can be lifted.
pub(crate) struct Block {
    /// The class.
    pub(crate) class: Type,
    /// The class's own name, the last segment of its path.
    pub(crate) class_name: Ident,
    /// The methods that `rep_ok` reaches, itself included, in the order of the block.
    pub(crate) methods: Vec<ImplItemFn>,
    /// Whether there is a `rep_ok`.
    pub(crate) has_rep_ok: bool,
    /// Types that the user says are not part of the structure.
    pub(crate) plain: Vec<Ident>,
    /// Where generated code finds korat.
    pub(crate) krate: Path,
}

struct Args {
    helpers: bool,
    plain: Vec<Ident>,
    krate: Option<Path>,
}

impl Parse for Args {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut args = Args { helpers: false, plain: Vec::new(), krate: None };
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
                    args.helpers = true;
                } else if key == "plain" {
                    let names;
                    parenthesized!(names in input);
                    args.plain.extend(Punctuated::<Ident, Token![,]>::parse_terminated(&names)?);
                } else {
                    let message = format!("unknown key `{key}`; `helpers`, `plain(..)` and `crate = ..` are known");
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

pub(crate) fn parse(args: TokenStream, item: TokenStream) -> Result<Block> {
    let args: Args = syn::parse2(args)?;
    let block: ItemImpl = syn::parse2(item.clone()).map_err(|error| {
        let is_impl = item.clone().into_iter().any(|token| matches!(&token, TokenTree::Ident(word) if word == "impl"));
        if is_impl { error } else { Error::new_spanned(item, "`#[rep_ok]` belongs on an `impl` block; move it there") }
    })?;
    if let Some((path, _)) = &block.trait_ {
        return Err(Error::new_spanned(path, "`#[rep_ok]` belongs on an inherent `impl`; use `impl Type { .. }`"));
    }
    if let Some(param) = block.generics.params.first() {
        let message = "a generic `impl` cannot be lifted yet; write it for a type without parameters";
        return Err(Error::new_spanned(param, message));
    }
    let class_name = class_name(&block.self_ty)?;
    let mut methods = BTreeMap::new();
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
    Ok(Block { class: *block.self_ty, class_name, methods, has_rep_ok, plain: args.plain, krate })
}

fn class_name(class: &Type) -> Result<Ident> {
    if let Type::Path(TypePath { qself: None, path, .. }) = class
        && let Some(last) = path.segments.last()
        && last.arguments.is_empty()
    {
        return Ok(last.ident.clone());
    }
    Err(Error::new_spanned(class, "`#[rep_ok]` needs a class by its name; derive `Finitize` for a struct and name it"))
}

fn check_signature(method: &ImplItemFn) -> Result<()> {
    let sig = &method.sig;
    let by_reference =
        sig.inputs.len() == 1 && matches!(&sig.inputs[0], FnArg::Receiver(receiver) if is_shared_self(receiver));
    let gives_bool = matches!(&sig.output, ReturnType::Type(_, ty) if ty.to_token_stream().to_string() == "bool");
    let plain = sig.asyncness.is_none() && sig.generics.params.is_empty() && sig.generics.where_clause.is_none();
    if by_reference && gives_bool && plain {
        return Ok(());
    }
    Err(Error::new_spanned(sig, "`rep_ok` has another signature; write `fn rep_ok(&self) -> bool`"))
}

fn is_shared_self(receiver: &syn::Receiver) -> bool {
    receiver.to_token_stream().to_string() == "& self"
}

/// Methods of std types: a call to one of these names on anything but `self` does not mean the block's method.
const STD_METHODS: &[&str] = &[
    "all",
    "any",
    "as_ref",
    "clone",
    "cmp",
    "contains",
    "contains_key",
    "count",
    "drain",
    "entry",
    "eq",
    "extend",
    "find",
    "first",
    "get",
    "get_mut",
    "insert",
    "into_iter",
    "is_empty",
    "iter",
    "iter_mut",
    "keys",
    "last",
    "len",
    "max",
    "min",
    "new",
    "next",
    "peek",
    "pop",
    "pop_back",
    "pop_front",
    "push",
    "push_back",
    "push_front",
    "remove",
    "retain",
    "sort",
    "swap",
    "take",
    "values",
];

/// The names of the methods that can be called, directly or not, from `rep_ok` (from anywhere, in a block of helpers).
/// Methods that change or take `self` are none: a predicate cannot call them.
fn reached(methods: &BTreeMap<String, &ImplItemFn>, class: &Ident, from_rep_ok: bool) -> BTreeSet<String> {
    let callable = |method: &ImplItemFn| match method.sig.inputs.first() {
        Some(FnArg::Receiver(receiver)) => is_shared_self(receiver),
        Some(FnArg::Typed(_)) | None => true,
    };
    let mut work: Vec<String> = if from_rep_ok {
        vec!["rep_ok".to_string()]
    } else {
        methods.iter().filter(|(_, method)| callable(method)).map(|(name, _)| name.clone()).collect()
    };
    let mut reached: BTreeSet<String> = work.iter().cloned().collect();
    while let Some(name) = work.pop() {
        let mut called = BTreeSet::new();
        called_names(methods[&name].block.to_token_stream(), class, &mut called);
        for name in called {
            if methods.get(&name).is_some_and(|method| callable(method)) && reached.insert(name.clone()) {
                work.push(name);
            }
        }
    }
    reached
}

/// Every name that is called as `self.name`, `Self::name`, `Class::name` or `x.name`, macros' arguments included.
fn called_names(tokens: TokenStream, class: &Ident, called: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_punct = |at: Option<usize>, what: char| matches!(at.and_then(|at| tokens.get(at)), Some(TokenTree::Punct(punct)) if punct.as_char() == what);
    let word = |at: Option<usize>| match at.and_then(|at| tokens.get(at)) {
        Some(TokenTree::Ident(word)) => Some(word.to_string()),
        _ => None,
    };
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => called_names(group.stream(), class, called),
            TokenTree::Ident(name) => {
                let name = name.to_string();
                let after_dot = is_punct(at.checked_sub(1), '.');
                let after_path = is_punct(at.checked_sub(1), ':') && is_punct(at.checked_sub(2), ':');
                let on_self = word(at.checked_sub(2)).is_some_and(|owner| owner == "self");
                let of_class = word(at.checked_sub(3)).is_some_and(|owner| owner == "Self" || *class == owner);
                let method = after_dot && (on_self || !STD_METHODS.contains(&name.as_str()));
                if method || (after_path && of_class) {
                    called.insert(name);
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
