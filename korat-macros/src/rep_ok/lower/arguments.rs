//! Visits the arguments of std macros that take expressions, and tells how the macro uses each of them. Only rustc
//! knows what any other macro does with its arguments, so a method that calls one is not lowered.

use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Macro, Path, Token};

use crate::rep_ok::names::EXPRESSION_MACROS;

/// How a macro uses an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::rep_ok) enum Argument {
    /// Moves or copies it.
    Value,
    /// Borrows it.
    Looked,
    /// Calls a method that modifies it.
    Written,
}

/// Macros whose arguments are not expressions, or never name locals.
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

/// Passes the arguments of a macro to `visit`. Returns false if it is unknown how the macro uses them.
pub(in crate::rep_ok) fn edit(mac: &mut Macro, visit: &mut dyn FnMut(&mut Expr, Argument)) -> bool {
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
            // A named argument of a format string, `name = value`.
            Expr::Assign(assign) if argument == Argument::Looked => visit(&mut assign.right, argument),
            arg => visit(arg, argument),
        }
    }
    mac.tokens = args.to_token_stream();
    true
}

/// Passes the arguments of a macro to `visit`, read-only. Returns false if it is unknown how the macro uses them.
pub(in crate::rep_ok) fn look(mac: &Macro, visit: &mut dyn FnMut(&Expr)) -> bool {
    edit(&mut mac.clone(), &mut |arg, _| visit(arg))
}

/// Returns whether it is known how the macro uses its arguments.
pub(in crate::rep_ok) fn is_known(mac: &Macro) -> bool {
    look(mac, &mut |_| {})
}

/// Returns the name of a macro that is written without a path, or with a path into std or korat.
fn name_of(path: &Path) -> Option<String> {
    let last = path.segments.last()?.ident.to_string();
    let crates = ["std", "core", "alloc"];
    let is_own = path.segments.iter().any(|segment| segment.ident == "__private");
    let is_std = path.segments.len() == 1 || crates.iter().any(|name| path.segments[0].ident == name);
    (is_std || is_own).then_some(last)
}

/// Parses the arguments of `vec![value; len]`.
fn repeated(input: ParseStream<'_>) -> syn::Result<(Expr, Expr)> {
    let value = input.parse()?;
    input.parse::<Token![;]>()?;
    Ok((value, input.parse()?))
}
