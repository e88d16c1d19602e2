//! Shows the watcher of calls what a method uses after a call: where its rest depends on the answer and on plain locals only, a search
//! that has seen the rest with the same ones need not run the method again:
//!
//! ```ignore
//! let right = Self::ordered(&n.right, Some(n.key), hi)?;
//! Some(left + right + 1)
//! // becomes
//! if __korat_is_body {
//!     static __KORAT_REST: RestSite = RestSite { callee: "ordered", line: .. };
//!     let mut __korat_live = Packed::default();
//!     Give(&left).local(&mut __korat_live);       // the types decide whether the locals are plain
//!     lives_on(&__KORAT_REST, &__korat_live);
//! }
//! let right = Self::ordered(&n.right, Some(n.key), hi)?;
//! Some(left + right + 1)
//! ```
//!
//! A call is left alone unless all of this holds:
//! - It is what its statement evaluates first, so that no temporary is pending. The statement is one of the method's own block, so
//!   that neither a loop nor a closure is around, and nothing else of the method follows than the statements after it.
//! - It calls a method of the block by `Self::` or `self.`, whose arguments make no other call.
//! - What the rest of the method names is known: it has no macros but those whose arguments are expressions, and no items.
//! - The locals in it can be borrowed before the statement, and rustc knows their types there. The rest uses them, so that none was
//!   moved, and nothing borrows them mutably, because the method has no `mut`.

use std::collections::HashSet;

use proc_macro2::Ident;
use quote::{ToTokens, quote};
use syn::{Block, Expr, ExprBlock, ImplItemFn, Item, Local, Path, Stmt, parse_quote};

use super::known::is_read;
use super::lift::is_compound_assignment;
use super::lower::arguments;
use super::mentions::{add_words, free_names};
use super::scope::Scope;
use crate::walk::visit::{self, Visit};

/// The methods that may be called: their names, and the lines where they are declared.
pub(super) type Callees = Vec<(String, u32)>;

/// Inserts what is shown before the calls in a method. Returns whether there is any.
pub(super) fn watch(method: &mut ImplItemFn, callees: &Callees, own_methods: &[String], k: &Path) -> bool {
    let mut words = HashSet::new();
    add_words(method.sig.to_token_stream(), &mut words);
    add_words(method.block.to_token_stream(), &mut words);
    let declares = |stmt: &Stmt| matches!(stmt, Stmt::Item(item) if !matches!(item, Item::Type(_)));
    if words.contains("mut") || words.contains("unsafe") || method.block.stmts.iter().any(declares) {
        return false;
    }
    let mut scope = Scope { own_methods, locals: Vec::new() };
    method.sig.inputs.iter().for_each(|input| scope.bind_param(input));
    let stmts = std::mem::take(&mut method.block.stmts);
    let mut is_any = false;
    for (at, stmt) in stmts.iter().enumerate() {
        let shown = called_first(&mut stmt.clone(), callees).and_then(|(callee, rest)| {
            let live = live(rest, &stmts[at + 1..], &scope)?;
            Some(show(callee, &live, k))
        });
        is_any |= shown.is_some();
        method.block.stmts.extend(shown);
        method.block.stmts.push(stmt.clone());
        if let Stmt::Local(local) = stmt {
            scope.bind_local(local);
        }
    }
    is_any
}

/// Returns the statement at the beginning of a method that tells whether it is run as the body of a call.
pub(super) fn is_body(k: &Path) -> Stmt {
    parse_quote!(let __korat_is_body = #k::calls::begins_body();)
}

/// Returns the callee of the call that a statement evaluates first, and the statement without the call.
fn called_first<'c>(stmt: &mut Stmt, callees: &'c Callees) -> Option<(&'c (String, u32), Stmt)> {
    let expr = match stmt {
        Stmt::Local(Local { init: Some(init), .. }) => &mut *init.expr,
        Stmt::Expr(expr, _) => expr,
        Stmt::Local(_) | Stmt::Item(_) | Stmt::Macro(_) => return None,
    };
    let call = first_of(expr)?;
    let name = match call {
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) if path.qself.is_none() && path.path.segments.len() == 2 => {
                let is_own = path.path.segments[0].ident == "Self" && path.path.segments[1].arguments.is_none();
                is_own.then(|| path.path.segments[1].ident.to_string())?
            }
            _ => return None,
        },
        Expr::MethodCall(call) => {
            let is_own = matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident("self"));
            (is_own && call.turbofish.is_none()).then(|| call.method.to_string())?
        }
        _ => return None,
    };
    let mut found = callees.iter().filter(|(known, _)| *known == name);
    let (callee, other) = (found.next()?, found.next());
    if other.is_some() || !asks_once(call) {
        return None;
    }
    *call = parse_quote!(__korat_answer);
    Some((callee, stmt.clone()))
}

/// Returns whether the arguments of a call certainly make no call that is asked about, and do not leave the statement.
fn asks_once(call: &Expr) -> bool {
    fn is_simple(expr: &Expr) -> bool {
        match expr {
            Expr::Path(_) | Expr::Lit(_) => true,
            Expr::Field(field) => is_simple(&field.base),
            Expr::Reference(reference) => is_simple(&reference.expr),
            Expr::Unary(unary) => is_simple(&unary.expr),
            Expr::Paren(paren) => is_simple(&paren.expr),
            Expr::Group(group) => is_simple(&group.expr),
            Expr::Cast(cast) => is_simple(&cast.expr),
            Expr::Binary(binary) => is_simple(&binary.left) && is_simple(&binary.right),
            Expr::Tuple(tuple) => tuple.elems.iter().all(is_simple),
            Expr::MethodCall(read) => is_read(expr) && is_simple(&read.receiver),
            Expr::Call(call) => {
                let is_some = matches!(&*call.func, Expr::Path(path) if path.path.is_ident("Some"));
                is_some && call.args.iter().all(is_simple)
            }
            _ => false,
        }
    }
    match call {
        Expr::Call(call) => call.args.iter().all(is_simple),
        Expr::MethodCall(call) => call.args.iter().all(is_simple),
        _ => false,
    }
}

/// Returns the call that an expression evaluates before anything else that could matter.
fn first_of(expr: &mut Expr) -> Option<&mut Expr> {
    let is_call = match expr {
        Expr::Call(call) => matches!(&*call.func, Expr::Path(path) if !path.path.is_ident("Some")),
        Expr::MethodCall(call) => matches!(&*call.receiver, Expr::Path(_)),
        _ => false,
    };
    if is_call {
        return Some(expr);
    }
    match expr {
        Expr::Call(call) => first_of(call.args.first_mut()?),
        Expr::MethodCall(call) => first_of(&mut call.receiver),
        Expr::Try(tried) => first_of(&mut tried.expr),
        Expr::Unary(unary) => first_of(&mut unary.expr),
        Expr::Cast(cast) => first_of(&mut cast.expr),
        Expr::Paren(paren) => first_of(&mut paren.expr),
        Expr::Group(group) => first_of(&mut group.expr),
        Expr::Return(leave) => first_of(leave.expr.as_mut()?),
        Expr::If(branch) => first_of(&mut branch.cond),
        Expr::Let(test) => first_of(&mut test.expr),
        Expr::Match(choice) => first_of(&mut choice.expr),
        Expr::Binary(binary) if is_compound_assignment(&binary.op) => None,
        Expr::Binary(binary) => {
            let is_lit = matches!(&*binary.left, Expr::Lit(_));
            first_of(if is_lit { &mut binary.right } else { &mut binary.left })
        }
        _ => None,
    }
}

/// Returns the locals that a method uses from a statement on, or `None` if they are not known, or cannot be shown.
fn live<'s>(stmt: Stmt, after: &[Stmt], scope: &'s Scope<'_>) -> Option<Vec<&'s Ident>> {
    let stmts: Vec<Stmt> = std::iter::once(stmt).chain(after.iter().cloned()).collect();
    // Of locals that are used in vain, rustc does not tell whether they were moved.
    let leaves = |stmt: &Stmt| matches!(stmt, Stmt::Expr(Expr::Return(_) | Expr::Loop(_) | Expr::Macro(_), _));
    let (_, others) = stmts.split_last()?;
    let rest = Expr::Block(ExprBlock {
        attrs: Vec::new(),
        label: None,
        block: Block { brace_token: Default::default(), stmts: stmts.clone() },
    });
    if others.iter().any(leaves) || !is_known(&rest) {
        return None;
    }
    let mut words = HashSet::new();
    add_words(rest.to_token_stream(), &mut words);
    let free = free_names(&rest);
    let mut live: Vec<&Ident> = Vec::new();
    for local in scope.locals.iter().rev() {
        let name = local.name.to_string();
        if !words.contains(&name) || live.iter().any(|known| **known == local.name) {
            continue;
        }
        if name == "self" || !free.contains(&name) || !local.is_plain || !local.known.is_known {
            return None;
        }
        live.push(&local.name);
    }
    Some(live)
}

/// Returns whether all names in code can be found.
fn is_known(rest: &Expr) -> bool {
    struct Finder(bool);
    impl Visit for Finder {
        fn visit_expr(&mut self, expr: &Expr) {
            self.0 &= !matches!(expr, Expr::Verbatim(_) | Expr::Async(_) | Expr::Const(_) | Expr::Yield(_));
            visit::visit_expr(self, expr);
        }
        fn visit_macro(&mut self, mac: &syn::Macro) {
            self.0 &= arguments::is_known(mac);
        }
        fn visit_stmt(&mut self, stmt: &Stmt) {
            self.0 &= !matches!(stmt, Stmt::Item(_));
            visit::visit_stmt(self, stmt);
        }
        fn visit_item(&mut self, _: &Item) {}
    }
    let mut finder = Finder(true);
    finder.visit_expr(rest);
    finder.0
}

/// Returns the statement that shows locals before a call.
fn show((callee, line): &(String, u32), live: &[&Ident], k: &Path) -> Stmt {
    let packed = live.iter().map(|name| quote!((&&&#k::calls::Give(&#name)).local(&mut __korat_live);));
    parse_quote! {
        if __korat_is_body {
            use #k::calls::{GiveBehind as _, GiveNamed as _, GivePortable as _};
            static __KORAT_REST: #k::calls::RestSite = #k::calls::RestSite { callee: #callee, line: #line };
            let mut __korat_live = #k::calls::Packed::default();
            #( #packed )*
            #k::calls::lives_on(&__KORAT_REST, &__korat_live);
        }
    }
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;
    use quote::{ToTokens, quote};
    use syn::{ImplItemFn, parse_quote};

    /// Returns the locals that are shown before each call of a method, or "none" where nothing is shown.
    fn shown(body: TokenStream) -> Vec<String> {
        let mut method: ImplItemFn = parse_quote! {
            fn f(node: &Option<Box<Node>>, lo: Option<usize>, hi: usize) -> Option<usize> { #body }
        };
        let (callees, own) = (vec![("f".to_string(), 7), ("g".to_string(), 8)], vec!["f".to_string(), "g".to_string()]);
        let is_any = super::watch(&mut method, &callees, &own, &parse_quote!(k));
        let stmts = method.block.stmts.iter().map(|stmt| stmt.to_token_stream().to_string());
        let shown: Vec<String> = stmts
            .filter(|stmt| stmt.starts_with("if __korat_is_body"))
            .map(|stmt| {
                let locals = stmt.split("Give (& ").skip(1).map(|rest| rest.split(')').next().unwrap_or_default());
                locals.map(str::trim).collect::<Vec<_>>().join(" ")
            })
            .collect();
        assert_eq!(is_any, !shown.is_empty());
        shown
    }

    #[test]
    fn locals_that_live_on_are_shown() {
        let lets = quote!(let l = Self::f(&n.left, lo, 1)?; let r = Self::f(&n.right, lo, hi)?;);
        assert_eq!(shown(quote!(#lets Some(l + r))), ["hi lo", "l"]);
        assert_eq!(shown(quote!(#lets Some(l + r + hi)))[1], "l hi");
        assert_eq!(shown(quote!(#lets Some(format!("{l}{r}").len())))[1], "l");
        assert_eq!(shown(quote!(#lets let l = r; Some(l))).len(), 1);
    }

    #[test]
    fn a_call_may_stand_wherever_nothing_is_pending() {
        for call in [
            quote!(let r = Self::f(a, lo, hi); r),
            quote!(let Some(r) = Self::f(a, lo, hi) else { return None }; r),
            quote!(if Self::g(a).is_some() { return Some(1); } None),
            quote!(if !Self::g(a) { None } else { Some(2) }),
            quote!(match Self::g(a) {
                Some(r) => Some(r),
                None => None,
            }),
            quote!(1 + Self::g(a)),
            quote!(return Self::g(a);),
            quote!(Some(self.g(a)? + 1)),
        ] {
            assert_eq!(shown(call.clone()), [""], "{call}");
        }
    }

    #[test]
    fn a_call_is_left_alone_where_something_could_be_missed() {
        for call in [
            // Something is pending, or evaluated before.
            quote!(x() + Self::g(a)),
            quote!(key + Self::g(a)),
            quote!(other(x, Self::g(a))),
            quote!(first() && Self::g(a)),
            quote!(total += Self::g(a);),
            quote!({
                let r = Self::g(a);
                r
            }),
            quote!(for side in sides {
                Self::g(side)?;
            }),
            quote!(let each = |side| Self::g(side);),
            // An argument makes a call, or leaves.
            quote!(Self::g(Self::g(a))),
            quote!(Self::g(a?)),
            quote!(Self::g(x.weight())),
            quote!(Self::g(weigh!(a))),
            // It is none of the block's methods.
            quote!(other(a)),
            quote!(Self::h(a)),
            quote!(x.g(a)),
            // The method changes something.
            quote!(let mut r = Self::g(a); r),
            quote!(unsafe { x }; Self::g(a)),
            // It is not known what the rest names, or of which type it is.
            quote!(let r = Self::g(a); unknown!(r)),
            quote!(fn inner() {} let r = Self::g(a); r),
            quote!(let r = Self::g(a); fn inner() {} r),
            quote!(let x = build(); let r = Self::g(a); r + x),
            quote!(let x; let r = Self::g(a); x = r; x),
            quote!(let r = Self::g(a); x.hi + r),
            quote!(return Some(1); let r = Self::g(a); return r; hi),
        ] {
            assert!(shown(call.clone()).is_empty(), "{call}");
        }
    }
}
