//! Macros of std whose arguments are expressions. Takes a call, hands its arguments on one by one, and how each is used. What any other
//! macro does with its arguments only rustc knows: a method that calls one is no method of the machine.

use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Macro, Path, Token};

use crate::rep_ok::names::EXPRESSION_MACROS;

/// What a macro does with an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Argument {
    /// Moves or copies it.
    Value,
    /// Looks at it.
    Looked,
    /// Calls a method that changes it.
    Written,
}

/// Macros whose arguments are no expressions, or none that name locals.
const VERBATIM: &[&str] = &[
    "cfg",
    "column",
    "compile_error",
    "concat",
    "env",
    "file",
    "include_bytes",
    "include_str",
    "line",
    "module_path",
    "option_env",
    "stringify",
];

/// Hands the arguments of a macro on. False if it is not known what the macro does with them.
pub(super) fn edit(mac: &mut Macro, visit: &mut dyn FnMut(&mut Expr, Argument)) -> bool {
    let Some(name) = name_of(&mac.path) else { return false };
    if VERBATIM.contains(&name.as_str()) {
        return true;
    }
    if !EXPRESSION_MACROS.contains(&name.as_str()) {
        return false;
    }
    if name == "vec"
        && let Ok((mut value, mut len)) = repeated.parse2(mac.tokens.clone())
    {
        visit(&mut value, Argument::Value);
        visit(&mut len, Argument::Value);
        mac.tokens = quote!(#value; #len);
        return true;
    }
    let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
    let Ok(mut args) = parser.parse2(mac.tokens.clone()) else { return false };
    for (at, arg) in args.iter_mut().enumerate() {
        let argument = match name.as_str() {
            "vec" | "dbg" => Argument::Value,
            "write" | "writeln" if at == 0 => Argument::Written,
            _ => Argument::Looked,
        };
        match arg {
            // `name = value` of a format string.
            Expr::Assign(assign) if argument == Argument::Looked => visit(&mut assign.right, argument),
            arg => visit(arg, argument),
        }
    }
    mac.tokens = args.to_token_stream();
    true
}

/// Looks at the arguments of a macro.
pub(super) fn look(mac: &Macro, visit: &mut dyn FnMut(&Expr)) -> bool {
    edit(&mut mac.clone(), &mut |arg, _| visit(arg))
}

/// Whether a macro is one of std's whose arguments can be handed on.
pub(super) fn is_known(mac: &Macro) -> bool {
    look(mac, &mut |_| {})
}

/// The name of a macro that stands there by itself, or is named as one of std.
fn name_of(path: &Path) -> Option<String> {
    let last = path.segments.last()?.ident.to_string();
    let crates = ["std", "core", "alloc"];
    let is_own = path.segments.iter().any(|segment| segment.ident == "__private");
    let is_std = path.segments.len() == 1 || crates.iter().any(|name| path.segments[0].ident == name);
    (is_std || is_own).then_some(last)
}

/// `vec![value; len]`.
fn repeated(input: ParseStream<'_>) -> syn::Result<(Expr, Expr)> {
    let value = input.parse()?;
    input.parse::<Token![;]>()?;
    Ok((value, input.parse()?))
}
