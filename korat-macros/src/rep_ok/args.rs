//! Parses the arguments of `#[rep_ok(..)]`.

use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::token::Paren;
use syn::{Error, Expr, Ident, Path, Result, Token, Type, parenthesized};

use crate::instances;

/// The arguments of the attribute.
pub(super) struct Args {
    pub(super) helpers: bool,
    pub(super) copies: bool,
    pub(super) reexecute: bool,
    pub(super) filter: Option<Expr>,
    pub(super) panics_reject: bool,
    pub(super) uses: Vec<Path>,
    pub(super) plain: Vec<Ident>,
    pub(super) instances: Vec<Type>,
    pub(super) krate: Option<Path>,
}

impl Parse for Args {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut args = Args {
            helpers: false,
            copies: false,
            reexecute: false,
            filter: None,
            panics_reject: false,
            uses: Vec::new(),
            plain: Vec::new(),
            instances: Vec::new(),
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
                } else if key == "copy" {
                    args.copies = true;
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
                    let types = listed(input, &key, "Type", Path::parse)?.into_iter();
                    args.plain.extend(types.filter_map(|path| Some(path.segments.last()?.ident.clone())));
                } else if key == "instances" {
                    args.instances.extend(instances::listed(input, &key)?);
                } else if key == "uses" {
                    args.uses.extend(listed(input, &key, "function", Path::parse_mod_style)?);
                } else {
                    let message = format!(
                        "unknown key `{key}`; `helpers`, `copy`, `uses(..)`, `plain(..)`, `instances(..)`, `filter = ..`, `panics = invalid`, `reexecute` and `crate = ..` are known"
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

/// Parses the list in `key(item, ..)`.
fn listed(
    input: ParseStream<'_>,
    key: &Ident,
    item: &str,
    parse: fn(ParseStream<'_>) -> Result<Path>,
) -> Result<Punctuated<Path, Token![,]>> {
    if !input.peek(Paren) {
        return Err(Error::new_spanned(key, format!("`{key}` needs a list; write `{key}({item}, ..)`")));
    }
    let names;
    parenthesized!(names in input);
    names.parse_terminated(parse, Token![,])
}
