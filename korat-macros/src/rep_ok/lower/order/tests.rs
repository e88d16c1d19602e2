use quote::ToTokens;
use syn::parse_quote;

use super::Use::{Compared, Place, Receiver, Value};
use super::*;

/// The parts of an expression, as texts.
fn parts(mut expr: Expr) -> Vec<(String, Use)> {
    parts_of(&mut expr).into_iter().map(|(part, how)| (part.to_token_stream().to_string(), how)).collect()
}

fn texts<const N: usize>(parts: [(&str, Use); N]) -> Vec<(String, Use)> {
    parts.map(|(text, how)| (text.to_string(), how)).into()
}

#[test]
fn the_value_of_an_assignment_comes_before_its_place() {
    assert_eq!(parts(parse_quote!(a = b)), texts([("b", Value), ("a", Place)]));
    assert_eq!(parts(parse_quote!(a += b)), texts([("b", Value), ("a", Place)]));
    assert_eq!(parts(parse_quote!(a + b)), texts([("a", Value), ("b", Value)]));
    assert_eq!(parts(parse_quote!(a < b)), texts([("a", Compared), ("b", Compared)]));
}

#[test]
fn receivers_and_functions_come_before_arguments() {
    assert_eq!(parts(parse_quote!(a.m(b, c))), texts([("a", Receiver), ("b", Value), ("c", Value)]));
    assert_eq!(parts(parse_quote!(f(b, c))), texts([("f", Place), ("b", Value), ("c", Value)]));
    assert_eq!(parts(parse_quote!(a[i])), texts([("a", Receiver), ("i", Value)]));
}

#[test]
fn fields_come_as_written_and_the_rest_last() {
    assert_eq!(parts(parse_quote!(S { b: x, a: y, ..rest })), texts([("x", Value), ("y", Value), ("rest", Value)]));
}

#[test]
fn what_is_evaluated_only_sometimes_is_no_part() {
    assert_eq!(parts(parse_quote!(if a { b } else { c })), []);
    assert_eq!(parts(parse_quote!(|a| b)), []);
}

#[test]
fn values_that_borrow_from_temporaries_are_not_anchored() {
    let anchored: [Expr; 8] = [
        parse_quote!(x.f),
        parse_quote!(f(x).unwrap()),
        parse_quote!((&x.f).__korat_read()),
        parse_quote!(&x[i]),
        parse_quote!(&1),
        parse_quote!(S { a: x }),
        parse_quote!((x, y + 1)),
        parse_quote!(x.m(y)?),
    ];
    let others: [Expr; 8] = [
        parse_quote!(f(x).g),
        parse_quote!(f(x).iter()),
        parse_quote!(&f(x)),
        parse_quote!(|| x),
        parse_quote!(vec![x]),
        parse_quote!(x += 1),
        parse_quote!(S { ..x }),
        parse_quote!(f(&g(x))),
    ];
    for expr in anchored {
        assert!(is_anchored(&expr), "{}", expr.to_token_stream());
    }
    for expr in others {
        assert!(!is_anchored(&expr), "{}", expr.to_token_stream());
    }
}

#[test]
fn what_borrows_from_a_temporary_is_unsteady() {
    let unsteady: [Expr; 7] = [
        parse_quote!(f(x).iter()),
        parse_quote!(f(x).iter().next()),
        parse_quote!(&f(x)),
        parse_quote!(&mut 1),
        parse_quote!(*f(x)),
        parse_quote!((1, f(x).g)),
        parse_quote!(Some(f(x).iter())),
    ];
    let others: [Expr; 6] = [
        parse_quote!(x.iter()),
        parse_quote!(f(x).len()),
        parse_quote!(&1),
        parse_quote!(&x.f),
        parse_quote!((&x.f).__korat_read().iter()),
        // What a function returns does not borrow from its arguments, as far as its name says.
        parse_quote!(some(f(x).iter())),
    ];
    for expr in unsteady {
        assert!(is_unsteady(&expr), "{}", expr.to_token_stream());
    }
    for expr in others {
        assert!(!is_unsteady(&expr), "{}", expr.to_token_stream());
    }
}

#[test]
fn a_place_is_pure_without_an_index_or_a_call() {
    let [pure, indexed, called]: [Expr; 3] = [parse_quote!((*x.f).g), parse_quote!(x[0].f), parse_quote!(x.m().f)];
    assert!(is_pure_place(&pure) && is_place(&pure));
    assert!(!is_pure_place(&indexed) && is_place(&indexed));
    assert!(!is_pure_place(&called));
}

/// The reads and calls of an expression.
fn atoms(expr: Expr) -> Vec<String> {
    let mut atoms = Atoms::default();
    atoms.visit_expr(&expr);
    atoms.0
}

#[test]
fn atoms_are_in_the_order_of_evaluation() {
    assert_eq!(atoms(parse_quote!(f(g(), x.h(i())))), ["g", "i", "h", "f"]);
    assert_eq!(atoms(parse_quote!(x.place().f = value())), ["value", "place"]);
    assert_eq!(atoms(parse_quote!(x.place().f += value())), ["value", "place"]);
    assert_eq!(atoms(parse_quote!(a() && b())), ["a", "b"]);
    assert_eq!(
        atoms(parse_quote!(for x in all() {
            each()
        })),
        ["all", "each"]
    );
    assert_eq!(
        atoms(parse_quote!({
            let Some(x) = f() else { return g() };
            h(x)
        })),
        ["f", "g", "h"]
    );
    // All guards and patterns come before the bodies.
    assert_eq!(
        atoms(parse_quote!(match f() {
            A if g() => h(),
            B if i() => j(),
            _ => k(),
        })),
        ["f", "g", "i", "h", "j", "k"]
    );
}

#[test]
fn generated_calls_are_no_atoms() {
    assert_eq!(atoms(parse_quote!(::korat::__private::step(f()))), ["f"]);
}

#[test]
fn items_of_a_closure_are_not_those_of_the_expression() {
    assert!(declares_items(&parse_quote!(if a {
        const N: u8 = 1;
    })));
    assert!(!declares_items(&parse_quote!(f(|| {
        const N: u8 = 1;
    }))));
}
