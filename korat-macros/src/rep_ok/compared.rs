//! Instruments comparisons, so that a repair can see what a predicate compared last. Hooks wrap the operands of lifted
//! expressions without changing their meaning, the inferred types or the borrows:
//!
//! - `n.key <= lo` becomes `*left(LessOrEqual, &(n.key), &lo) <= lo`: a local or a literal can be read twice.
//! - `a.len() == b.len()` becomes `first_value(a.len()) == second_value(Equal, b.len())`; a place becomes `*first(&(a[0]))`.
//! - `ptr::eq(a, b)` becomes `ptr::eq(first_value(a), second_value(Equal, b))`.
//!
//! The user's operator and operands stay in place. In `pointer == &node`, for example, each operand gets its type and
//! its coercions from the other one; a match on references to both, as in `assert_eq!`, would lose them.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    BinOp, Expr, ExprBinary, ExprCall, ExprClosure, ExprConst, ExprLit, ExprRepeat, GenericArgument, Ident,
    ImplItemConst, ImplItemFn, Item, ItemFn, Lit, LitInt, Macro, Path, Token, TraitItemConst, Type, UnOp,
};

use super::names::EXPRESSION_MACROS;
use crate::walk::visit::{self, Visit};
use crate::walk::visit_mut::{self, VisitMut};

/// How the hooks report the two operands of a comparison.
pub(super) enum Hooks {
    /// The hook on the left operand also reads the right one.
    Left,
    /// The hook on the right operand also reads the left one.
    Right,
    /// Each operand has a hook of its own, which reports it when it is evaluated.
    Both,
}

impl Hooks {
    /// Selects the hooks for a comparison as the user wrote it, or `None` if it is not instrumented.
    pub(super) fn of(comparison: &ExprBinary) -> Option<Hooks> {
        operator(&comparison.op)?;
        let (left, right) = (&*comparison.left, &*comparison.right);
        let is_literal = |side| matches!(side, Some(Again::Literal));
        match (again(left), again(right)) {
            (one, two) if is_literal(one) && is_literal(two) => None,
            (_, Some(again)) if again.is_free(right, left) => Some(Hooks::Left),
            (Some(again), _) if again.is_free(left, right) => Some(Hooks::Right),
            // The right operand may leave the comparison after the left one was reported; a macro may do so too.
            _ if escapes(right, |_| true) => None,
            _ => Some(Hooks::Both),
        }
    }

    /// Wraps the operands in the hooks.
    pub(super) fn put(self, private: &Path, comparison: &mut ExprBinary) {
        let Some(operator) = operator(&comparison.op) else { return };
        let operator = quote!(#private::compared::Operator::#operator,);
        let (left, right) = (&mut *comparison.left, &mut *comparison.right);
        match self {
            Hooks::Left => {
                let other = seen_again(right);
                hook(private, "left", &operator, left, &other);
            }
            Hooks::Right => {
                let other = seen_again(left);
                hook(private, "right", &operator, right, &other);
            }
            Hooks::Both => {
                hook(private, "first", &TokenStream::new(), left, &TokenStream::new());
                hook(private, "second", &operator, right, &TokenStream::new());
            }
        }
    }
}

/// Wraps one operand in a hook.
fn hook(private: &Path, name: &str, operator: &TokenStream, operand: &mut Expr, other: &TokenStream) {
    // rustc reports type errors at the operand.
    let span = Span::mixed_site().located_at(operand.span());
    if is_place(operand) {
        let name = Ident::new(name, span);
        *operand = Expr::Verbatim(quote_spanned!(span=> *#private::compared::#name(#operator &(#operand), #other)));
    } else {
        let name = format_ident!("{name}_value", span = span);
        *operand = Expr::Verbatim(quote_spanned!(span=> #private::compared::#name(#operator #operand, #other)));
    }
}

/// An operand that can be evaluated a second time without effects.
#[derive(Clone, Copy)]
enum Again {
    Literal,
    Local,
}

impl Again {
    /// Returns whether the operand can be borrowed while the other one is evaluated.
    fn is_free(self, operand: &Expr, other: &Expr) -> bool {
        match self {
            Again::Literal => true,
            Again::Local => !names(other, operand),
        }
    }
}

fn again(operand: &Expr) -> Option<Again> {
    match operand {
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => {
            (!int.suffix().is_empty() || int.base10_parse::<i128>().is_ok()).then_some(Again::Literal)
        }
        Expr::Lit(_) => Some(Again::Literal),
        Expr::Paren(paren) => again(&paren.expr),
        Expr::Group(group) => again(&group.expr),
        Expr::Path(path) if path.qself.is_none() => {
            // An uppercase name may be a unit variant, whose type only the other operand determines.
            let name = path.path.get_ident()?.to_string();
            name.starts_with(|first: char| first.is_lowercase() || first == '_').then_some(Again::Local)
        }
        _ => None,
    }
}

/// Returns a reference to an operand that can be evaluated again.
fn seen_again(operand: &Expr) -> TokenStream {
    let span = Span::mixed_site().located_at(operand.span());
    match operand {
        Expr::Paren(paren) => seen_again(&paren.expr),
        Expr::Group(group) => seen_again(&group.expr),
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) if int.suffix().is_empty() => {
            // Here the literal would not get the type of the other operand, so it gets the widest one.
            let wide = LitInt::new(&format!("{}i128", int.base10_digits()), span);
            quote_spanned!(span=> &#wide)
        }
        operand => quote_spanned!(span=> &#operand),
    }
}

/// Returns whether the expression names the local, and so may borrow it.
fn names(expr: &Expr, local: &Expr) -> bool {
    fn name(local: &Expr) -> Option<&Ident> {
        match local {
            Expr::Paren(paren) => name(&paren.expr),
            Expr::Group(group) => name(&group.expr),
            Expr::Path(path) => path.path.get_ident(),
            _ => None,
        }
    }
    struct Finder<'l> {
        local: &'l Ident,
        found: bool,
    }
    impl Visit for Finder<'_> {
        fn visit_ident(&mut self, ident: &Ident) {
            self.found |= ident == self.local;
        }
        fn visit_macro(&mut self, _: &Macro) {
            // The arguments may name anything.
            self.found = true;
        }
    }
    let Some(local) = name(local) else { return true };
    let mut finder = Finder { local, found: false };
    finder.visit_expr(expr);
    finder.found
}

/// Returns the name of a comparison operator, or `None` for any other operator.
fn operator(op: &BinOp) -> Option<TokenStream> {
    match op {
        BinOp::Eq(_) => Some(quote!(Equal)),
        BinOp::Ne(_) => Some(quote!(NotEqual)),
        BinOp::Lt(_) => Some(quote!(Less)),
        BinOp::Le(_) => Some(quote!(LessOrEqual)),
        BinOp::Gt(_) => Some(quote!(Greater)),
        BinOp::Ge(_) => Some(quote!(GreaterOrEqual)),
        _ => None,
    }
}

fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => true,
        Expr::Paren(paren) => is_place(&paren.expr),
        Expr::Group(group) => is_place(&group.expr),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)),
        _ => false,
    }
}

/// Returns whether evaluating the expression may leave it, by `?`, `return`, `break` or `continue`, or inside a macro
/// for which `in_macro` returns true.
pub(super) fn escapes(expr: &Expr, in_macro: fn(&Macro) -> bool) -> bool {
    struct Finder(bool, fn(&Macro) -> bool);
    impl Visit for Finder {
        fn visit_expr(&mut self, expr: &Expr) {
            self.0 |= matches!(expr, Expr::Try(_) | Expr::Return(_) | Expr::Break(_) | Expr::Continue(_));
            visit::visit_expr(self, expr);
        }
        fn visit_macro(&mut self, mac: &Macro) {
            self.0 |= self.1(mac);
        }
        fn visit_expr_closure(&mut self, _: &ExprClosure) {}
        fn visit_item(&mut self, _: &Item) {}
    }
    let mut finder = Finder(false, in_macro);
    finder.visit_expr(expr);
    finder.0
}

/// Wraps the arguments of `ptr::eq` and `ptr::addr_eq` in hooks, unless evaluating them may leave the call.
pub(super) fn hook_pointers(private: &Path, call: &mut ExprCall) {
    if !compares_pointers(call) {
        return;
    }
    let operator = quote!(#private::compared::Operator::Equal,);
    if let [left, right] = call.args.iter_mut().collect::<Vec<_>>().as_mut_slice() {
        by_value(private, "first_value", &TokenStream::new(), left);
        by_value(private, "second_value", &operator, right);
    }
}

/// Wraps one argument of a function call in a hook.
fn by_value(private: &Path, name: &str, operator: &TokenStream, argument: &mut Expr) {
    let span = Span::mixed_site().located_at(argument.span());
    let name = Ident::new(name, span);
    *argument = Expr::Verbatim(quote_spanned!(span=> #private::compared::#name(#operator #argument)));
}

fn compares_pointers(call: &ExprCall) -> bool {
    let Expr::Path(path) = &*call.func else { return false };
    let names: Vec<String> = path.path.segments.iter().rev().take(2).map(|segment| segment.ident.to_string()).collect();
    let is_eq = matches!(names.as_slice(), [name, owner] if owner == "ptr" && (name == "eq" || name == "addr_eq"));
    is_eq && call.args.len() == 2 && !call.args.iter().any(|argument| escapes(argument, |_| true))
}

/// Returns whether the arguments of the macro are known to be expressions.
pub(super) fn is_expression_macro(mac: &Macro) -> bool {
    mac.path.segments.last().is_some_and(|last| EXPRESSION_MACROS.iter().any(|name| last.ident == name))
}

/// Instruments all comparisons of a lifted function and of the items in its body, except those in constants.
pub(super) struct Hooking<'p> {
    pub(super) private: &'p Path,
}

impl VisitMut for Hooking<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Binary(binary) => {
                let hooks = Hooks::of(binary);
                visit_mut::visit_expr_binary_mut(self, binary);
                if let Some(hooks) = hooks {
                    hooks.put(self.private, binary);
                }
            }
            Expr::Call(call) => {
                visit_mut::visit_expr_call_mut(self, call);
                hook_pointers(self.private, call);
            }
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_expr_repeat_mut(&mut self, repeat: &mut ExprRepeat) {
        self.visit_expr_mut(&mut repeat.expr);
    }

    fn visit_item_mut(&mut self, item: &mut Item) {
        if !matches!(item, Item::Const(_) | Item::Static(_) | Item::Enum(_)) {
            visit_mut::visit_item_mut(self, item);
        }
    }

    fn visit_item_fn_mut(&mut self, item: &mut ItemFn) {
        if item.sig.constness.is_none() {
            self.visit_block_mut(&mut item.block);
        }
    }

    fn visit_impl_item_fn_mut(&mut self, method: &mut ImplItemFn) {
        if method.sig.constness.is_none() {
            self.visit_block_mut(&mut method.block);
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
        if is_expression_macro(mac)
            && let Ok(mut args) = parser.parse2(mac.tokens.clone())
        {
            args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
            mac.tokens = quote!(#args);
        }
    }

    fn visit_impl_item_const_mut(&mut self, _: &mut ImplItemConst) {}
    fn visit_trait_item_const_mut(&mut self, _: &mut TraitItemConst) {}
    fn visit_expr_const_mut(&mut self, _: &mut ExprConst) {}
    fn visit_generic_argument_mut(&mut self, _: &mut GenericArgument) {}
    fn visit_type_mut(&mut self, _: &mut Type) {}
}
