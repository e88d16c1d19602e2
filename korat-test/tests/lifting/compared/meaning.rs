//! Comparisons that a hook could spoil: operands that are moved, coerced, borrowed, changed by the other one, of types that are
//! inferred later. Each predicate is held to the untouched one, on all values.

use std::fmt::Debug;

use korat::{Backtracking, Finitize, RepOk, Search, rep_ok};

/// The search finds just those pairs that the untouched `rep_ok` accepts.
fn agrees<T: Finitize + RepOk + Debug>(make: impl Fn(u8, u8) -> T) {
    let pairs = (0..=3).flat_map(|a| (0..=3).map(move |b| (a, b)));
    let expected = pairs.filter(|(a, b)| make(*a, *b).holds()).count() as u64;
    for backtracking in [Backtracking::Reexecute, Backtracking::Checkpoint] {
        let search = Search::new(T::scope(3)).backtracking(backtracking).allow_empty(true);
        assert_eq!(search.for_each(|value| assert!(value.holds())).valid, expected);
    }
    assert!(0 < expected && expected < 16, "a predicate that says something, not {expected} of 16");
}

/// A struct of two numbers, and the test of its predicate.
macro_rules! pair {
    ($name:ident, $test:ident) => {
        #[derive(Debug, Finitize)]
        struct $name {
            a: u8,
            b: u8,
        }

        #[test]
        fn $test() {
            agrees(|a, b| $name { a, b });
        }
    };
}

pair!(Changed, an_operand_may_change_what_the_other_one_has_read);

fn bump(x: &mut u8) -> &mut u8 {
    *x += 1;
    x
}

#[rep_ok]
impl Changed {
    fn rep_ok(&self) -> bool {
        let (mut x, mut y) = (self.a, self.b);
        let differs = x != *bump(&mut x) && *bump(&mut y) == y;
        let mut rest = [self.a, self.b, 2].into_iter();
        let meets = rest.next() == Some(1) || rest.next() == rest.next();
        differs && meets && x == self.a + 1 && y == self.b + 1
    }
}

pair!(Coerced, an_operand_becomes_what_the_other_one_is);

#[rep_ok]
impl Coerced {
    fn rep_ok(&self) -> bool {
        fn same(x: u8) -> u8 {
            x
        }
        fn other(x: u8) -> u8 {
            x + 1
        }
        let function: fn(u8) -> u8 = if self.a < 2 { same } else { other };
        let one = self.b;
        let pointer: *const u8 = &one;
        let bytes: Option<&[u8]> = if self.b > 0 { Some(&[1, 2]) } else { None };
        let is_same = function == same;
        let here = pointer == &one;
        is_same && here && bytes == Some(&[1, 2])
    }
}

pair!(InferredLater, types_are_inferred_from_what_comes_after);

#[rep_ok]
impl InferredLater {
    fn rep_ok(&self) -> bool {
        let mut name = None;
        let mut number = 0;
        if name == Some(Default::default()) || number == 7 {
            return false;
        }
        name = Some(String::from("ab"));
        number += self.a as usize;
        let mut bound = std::ops::Bound::Unbounded;
        let unbounded = bound == std::ops::Bound::Unbounded;
        if self.b == 2 {
            bound = std::ops::Bound::Included(3_i16);
        }
        unbounded && name.as_deref() == Some("ab") && number < 2 && bound != std::ops::Bound::Unbounded
            || "300".parse() == Ok(300_u16) && 3_u128 == self.a.into() && 250 > self.b
    }
}

#[derive(Clone, Debug, PartialEq, PartialOrd)]
struct Version(u8, String);

/// Equal to numbers, and to nothing of its own kind.
struct Even;

impl PartialEq<u8> for Even {
    fn eq(&self, number: &u8) -> bool {
        number % 2 == 0
    }
}

pair!(Others, types_with_comparisons_of_their_own);

#[rep_ok(plain(Version, Even))]
impl Others {
    const LIMIT: u8 = if 3 < 4 { 3 } else { 0 };

    fn rep_ok(&self) -> bool {
        let (one, two) = (Version(self.a, "x".into()), Version(self.b, "x".to_string()));
        let texts = ["a".to_string(), format!("{}", self.a)];
        let table = [0; (Self::LIMIT == 3) as usize];
        Even == self.a
            && one <= two
            && (self.a, "x") == (self.a, one.1.as_str())
            && texts[0] == "a"
            && *texts[1] == self.a.to_string()
            && texts[..] != [texts[0].clone()]
            && f64::from(self.a) * 0.5 <= f64::from(self.b)
            && table.len() == const { (2 > 1) as usize }
            && Version(0, String::new()) < two.clone()
            && self.b < Self::LIMIT
    }
}

pair!(Boxes, boxes_are_compared_and_stay);

#[rep_ok(plain(Version))]
impl Boxes {
    fn rep_ok(&self) -> bool {
        let one: Box<Version> = Box::new(Version(self.a, String::new()));
        let two = Box::new(Version(self.b, String::new()));
        let cell = std::cell::RefCell::new(self.a);
        let again = one == two && *one == *two && &one == &two && cell.borrow().clone() == *cell.borrow();
        again && one.0 == two.0 || cell.replace(9) < cell.take() && two.0 > 2
    }
}

pair!(Leaving, an_operand_that_leaves_the_comparison);

#[rep_ok]
impl Leaving {
    fn rep_ok(&self) -> bool {
        let checked = || Some(self.a == self.b.checked_sub(1)?);
        let found = 'search: {
            for x in 0..4 {
                if x == (if self.a == 3 { break 'search false } else { self.b }) {
                    break 'search true;
                }
            }
            false
        };
        let Some(follows) = checked() else { return self.a == 0 };
        found && (follows || self.b == Self::half(self.a).unwrap_or(9))
    }

    fn half(x: u8) -> Option<u8> {
        (x % 2 == 0).then_some(x / 2)
    }
}

/// Takes a comparison apart by its tokens.
macro_rules! swapped {
    ($left:tt < $right:tt) => {
        $right < $left
    };
}

pair!(InMacros, comparisons_in_macros);

#[rep_ok]
impl InMacros {
    fn rep_ok(&self) -> bool {
        let swapped = {
            let (one, two) = (self.a, self.b);
            swapped!(one < two)
        };
        assert!(self.a < 100 && self.b != 100, "{} and {}", self.a == 1, self.b);
        swapped || matches!(self.a, x if x == self.b) && vec![self.a == 1, true][0]
    }
}
