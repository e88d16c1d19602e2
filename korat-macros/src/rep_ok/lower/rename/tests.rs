//! Each test shows a body and what it becomes.

use syn::parse_quote;

use super::*;
use crate::rep_ok::lower::words::words;

/// Renames a body, which must become `expected`.
#[track_caller]
fn becomes(mut body: Block, expected: Block) -> Renamer {
    let words = words(body.to_token_stream()).into_iter().collect();
    let mut renamer = Renamer { words, ..Renamer::default() };
    renamer.visit_block_mut(&mut body);
    assert_eq!(body.to_token_stream().to_string(), expected.to_token_stream().to_string());
    renamer
}

#[test]
fn a_local_that_hides_another_has_a_name_of_its_own() {
    becomes(
        parse_quote!({
            let x = 1;
            let x = x + 1;
            {
                let x = x;
                f(x);
            }
            x
        }),
        parse_quote!({
            let x = 1;
            let x_2 = x + 1;
            {
                let x_3 = x_2;
                f(x_3);
            }
            x_2
        }),
    );
}

#[test]
fn a_name_of_the_user_is_given_to_nothing_else() {
    becomes(
        parse_quote!({
            let x = 1;
            let x = 2;
            let x_2 = 3;
            x + x_2
        }),
        parse_quote!({
            let x = 1;
            let x_3 = 2;
            let x_2 = 3;
            x_3 + x_2
        }),
    );
}

#[test]
fn a_function_in_the_body_keeps_its_name() {
    let mut renamer = Renamer { reserved: ["count".to_string()].into(), ..Renamer::default() };
    assert_eq!(renamer.bind(&parse_quote!(count), false, false), "count_1");
}

#[test]
fn what_a_condition_binds_is_not_there_in_else() {
    becomes(
        parse_quote!({
            let x = 1;
            if let Some(x) = g() {
                x
            } else {
                x
            };
            let Some(x) = h() else { return x };
            x
        }),
        parse_quote!({
            let x = 1;
            if let Some(x_2) = g() {
                x_2
            } else {
                x
            };
            let Some(x_3) = h() else { return x };
            x_3
        }),
    );
}

#[test]
fn alternatives_bind_one_local() {
    let renamer = becomes(
        parse_quote!({
            let x = 1;
            match v {
                Left(x) | Right(x) if x > 0 => x,
                _ => x,
            }
        }),
        parse_quote!({
            let x = 1;
            match v {
                Left(x_2) | Right(x_2) if x_2 > 0 => x_2,
                _ => x,
            }
        }),
    );
    assert_eq!(renamer.locals.len(), 2);
    // Only rustc knows whether `x` is a constant in this pattern.
    assert_eq!(renamer.bindings, ["x"]);
}

#[test]
fn capitals_in_a_pattern_that_may_not_match_are_constants() {
    becomes(
        parse_quote!({
            let MAX = 1;
            let MAX = 2;
            match v {
                MAX => MAX,
                _ => 0,
            }
        }),
        parse_quote!({
            let MAX = 1;
            let MAX_2 = 2;
            match v {
                MAX => MAX_2,
                _ => 0,
            }
        }),
    );
}

#[test]
fn fields_keep_their_names() {
    becomes(
        parse_quote!({
            let x = 1;
            let Point { x } = p;
            Point { x, y: p.x }
        }),
        parse_quote!({
            let x = 1;
            let Point { x: x_2 } = p;
            Point { x: x_2, y: p.x }
        }),
    );
}

#[test]
fn items_hide_locals_in_their_block() {
    becomes(
        parse_quote!({
            let f = 1;
            let f = 2;
            {
                g(f());
                fn f() {}
            }
            f
        }),
        parse_quote!({
            let f = 1;
            let f_2 = 2;
            {
                g(f());
                fn f() {}
            }
            f_2
        }),
    );
}

#[test]
fn every_loop_has_a_label_and_is_named_by_its_exits() {
    becomes(
        parse_quote!({
            'a: loop {
                'a: while true {
                    'block: {
                        break;
                        continue 'a;
                        break 'block;
                    }
                }
                continue 'a;
            }
            for x in 0..3 {
                continue;
            }
        }),
        parse_quote!({
            'a_1: loop {
                'a_2: while true {
                    'block_3: {
                        break 'a_2;
                        continue 'a_2;
                        break 'block_3;
                    }
                }
                continue 'a_1;
            }
            '__korat_loop_4: for x in 0..3 {
                continue '__korat_loop_4;
            }
        }),
    );
}

#[test]
fn names_in_format_strings_become_arguments() {
    becomes(
        parse_quote!({
            let x = 1;
            let x = 2;
            println!("{x} {x:?} {{x}} {other}");
            println!("{x}", x = 3);
        }),
        parse_quote!({
            let x = 1;
            let x_2 = 2;
            println!("{x} {x:?} {{x}} {other}", x = x_2);
            println!("{x}", x = 3);
        }),
    );
    assert_eq!(captures(r#""{a} {b:>width$.digits$} {{c}} {} {0} {_}""#), ["a", "b", "width", "digits"]);
    assert_eq!(captures("'{'"), [""; 0]);
}

#[test]
fn what_is_bound_by_a_reference_is_one() {
    let renamer = becomes(
        parse_quote!({
            let a = &v;
            let b = v;
            let Some(c) = v.first() else { return };
            let &d = &v;
            let ref e = v;
        }),
        parse_quote!({
            let a = &v;
            let b = v;
            let Some(c) = v.first() else { return };
            let &d = &v;
            let ref e = v;
        }),
    );
    let references = renamer.locals.iter().filter(|local| local.is_reference);
    assert_eq!(references.map(|local| local.name.to_string()).collect::<Vec<_>>(), ["a", "c", "e"]);
}
