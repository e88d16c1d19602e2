//! Each test shows a method and the locals of it that are kept. A statement that reads a field begins a block of its own.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::built;
use super::*;
use crate::rep_ok::{lift, parse};

/// The kept locals of the first method of a block, other than `self`.
fn kept(methods: TokenStream) -> Vec<String> {
    let lifted = parse::parse(TokenStream::new(), quote!(impl Subject { #methods })).and_then(lift::lift);
    let program = built(&lifted.unwrap_or_else(|error| panic!("{error}")));
    assert!(program.left_out.is_empty(), "{:?}", program.left_out);
    program.hoisted.of(MethodId(0)).iter().map(ToString::to_string).filter(|name| name != "this").collect()
}

#[test]
fn a_local_of_one_block_is_not_kept() {
    let method = quote! {
        fn rep_ok(&self) -> bool {
            let two = 2;
            let three = two + 1;
            self.number == three
        }
    };
    assert_eq!(kept(method), ["three"]);
}

#[test]
fn kept_locals_are_in_the_order_of_their_declaration() {
    let method = quote! {
        fn rep_ok(&self) -> bool {
            let zebra = 1;
            let ant = 2;
            self.number == zebra && self.other == ant
        }
    };
    assert_eq!(kept(method), ["zebra", "ant"]);
}

#[test]
fn what_a_kept_local_borrows_from_is_kept() {
    let method = quote! {
        fn rep_ok(&self) -> bool {
            let all = vec![1, 2];
            let first = &all[0];
            self.number == *first
        }
    };
    assert_eq!(kept(method), ["all", "first"]);
    // `some` has moved into `rest`, and what it borrows from has to stay.
    let through_another = quote! {
        fn rep_ok(&self) -> bool {
            let all = vec![1, 2];
            let some = all.iter();
            let mut rest = some.skip(1);
            self.number == 1 && rest.next().is_some()
        }
    };
    assert_eq!(kept(through_another), ["all", "rest"]);
}

#[test]
fn what_is_borrowed_through_a_reference_is_elsewhere() {
    let method = quote! {
        fn rep_ok(&self) -> bool {
            let all = vec![1, 2];
            let whole = &all;
            let first = whole.first();
            self.number == 1 && first.is_some()
        }
    };
    assert_eq!(kept(method), ["all", "first"]);
}

#[test]
fn what_a_closure_holds_is_kept_and_what_it_binds_is_not() {
    let method = quote! {
        fn rep_ok(&self) -> bool {
            let limit = 3;
            let small = |number: u8| number < limit;
            small(self.number) && small(self.other)
        }
    };
    assert_eq!(kept(method), ["limit", "small"]);
}

#[test]
fn what_a_callee_is_lent_is_kept() {
    let method = quote! {
        fn rep_ok(&self) -> bool {
            let mut seen = Vec::new();
            let limit = 3;
            self.fits(&mut seen, limit)
        }
        fn fits(&self, seen: &mut Vec<u8>, limit: u8) -> bool {
            self.number < limit
        }
    };
    assert_eq!(kept(method), ["seen"]);
}

#[test]
fn what_a_callee_is_lent_inside_another_value_is_kept() {
    let method = quote! {
        fn rep_ok(&self) -> bool {
            let all = vec![1, 2];
            let pair = (&all, 1);
            let wrapped = Some(pair);
            self.fits(wrapped)
        }
        fn fits(&self, wrapped: Option<(&Vec<u8>, u8)>) -> bool {
            self.number == 1
        }
    };
    assert_eq!(kept(method), ["all"]);
}

#[test]
fn what_ends_inside_a_statement_is_not_kept() {
    let method = quote! {
        fn rep_ok(&self) -> bool {
            let mut total = 0;
            total += match (&u32::from(self.number), &(self.other as u32)) {
                (0, other) => *other,
                (number, other) => number + other,
            };
            total += vec![{ let once = &self.number; let twice = &once; **twice }].len();
            total == self.number
        }
    };
    assert_eq!(kept(method), ["total"]);
    let held_outside = quote! {
        fn rep_ok(&self) -> bool {
            let zero = 0;
            let mut held = &zero;
            let total = { let inner = 1; held = &inner; self.number + *held };
            held = &zero;
            total == self.other + *held
        }
    };
    assert_eq!(kept(held_outside), ["zero", "held", "inner", "total"]);
}
