//! What is noted of numbers, in all places where comparisons stand.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;

use korat::__private::compared::Comparison;
use korat::__private::compared::Operand::{self, Integer, Nothing, Other};
use korat::__private::compared::Operator::{self, Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
use korat::{Backtracking, Finitize, rep_ok};

use crate::compared::each_accepted;

fn comparison(operator: Operator, left: Operand, right: Operand) -> Comparison {
    Comparison { operator, left, right }
}

fn integer(value: impl TryInto<i128>) -> Operand {
    value.try_into().map_or(Other, Integer)
}

#[derive(Debug, Finitize)]
struct Numbers {
    small: u8,
    #[finitize(-1..=0)]
    signed: i64,
    letter: char,
    flag: bool,
    maybe: Option<u16>,
}

#[rep_ok]
impl Numbers {
    fn rep_ok(&self) -> bool {
        let all = [
            self.small == 3,
            -1 != self.signed,
            self.letter < 'x',
            self.flag >= true,
            self.maybe == Some(2),
            self.small as i64 > self.signed,
            (self.small as usize) < (self.signed as usize),
        ];
        all.len() == 7
    }
}

#[test]
fn integers_of_all_kinds_are_noted() {
    each_accepted::<Numbers>(1, |_, value, last| {
        let maybe = value.maybe.map_or(Nothing, integer);
        let expected = [
            comparison(Equal, Integer(7), Integer(7)),
            comparison(Less, integer(value.small as usize), integer(value.signed as usize)),
            comparison(Greater, integer(value.small), integer(value.signed)),
            comparison(Equal, maybe, Integer(2)),
            comparison(GreaterOrEqual, integer(value.flag as u8), Integer(1)),
            comparison(Less, integer(value.letter as u32), integer('x' as u32)),
            comparison(NotEqual, Integer(-1), integer(value.signed)),
            comparison(Equal, integer(value.small), Integer(3)),
        ];
        assert_eq!(last, expected);
    });
}

#[derive(Debug, PartialEq, Eq, Finitize)]
struct Node {
    key: usize,
    next: Option<Box<Node>>,
}

#[derive(Debug, Finitize)]
struct Sorted {
    head: Option<Box<Node>>,
    size: usize,
}

#[rep_ok]
impl Sorted {
    fn rep_ok(&self) -> bool {
        Self::length(&self.head, None) == Some(self.size)
    }
    fn length(node: &Option<Box<Node>>, lo: Option<usize>) -> Option<usize> {
        let Some(n) = node else { return Some(0) };
        if lo.is_some_and(|lo| n.key <= lo) {
            return None;
        }
        Some(Self::length(&n.next, Some(n.key))? + 1)
    }
}

#[test]
fn calls_and_closures_are_noted_in_the_order_of_evaluation() {
    each_accepted::<Sorted>(3, |backtracking, value, last| {
        let mut keys = Vec::new();
        let mut at = &value.head;
        while let Some(node) = at {
            keys.push(node.key);
            at = &node.next;
        }
        assert_eq!(last[0], comparison(Equal, integer(keys.len()), integer(value.size)));
        let pairs = keys.windows(2).rev().map(|pair| comparison(LessOrEqual, integer(pair[1]), integer(pair[0])));
        let between: Vec<Comparison> = pairs.collect();
        if backtracking == Backtracking::Reexecute {
            assert_eq!(last[1..=between.len()], between);
        }
    });
}

#[derive(Debug, Finitize)]
struct Places {
    a: usize,
    b: usize,
    #[finitize(len = 2..=2)]
    items: Vec<u8>,
    cell: Cell<u32>,
    shared: RefCell<usize>,
}

#[rep_ok]
impl Places {
    /// The last comparison of each statement is the one that is looked for.
    fn rep_ok(&self) -> bool {
        let mut rounds = 0;
        while rounds < self.a {
            rounds += 1;
        }
        let guarded = match self.b {
            b if b > rounds => 1,
            _ => 0,
        };
        let negated = !(self.items[0] != self.items[1]);
        let both = self.cell.get() == 1 || *self.shared.borrow() == guarded;
        assert!(self.items.len() == 2, "of {}", self.a);
        let counted = self.items.iter().all(|item| item >= &0);
        counted == matches!(self.b, b if b <= 100) || both != negated
    }
}

#[test]
fn comparisons_are_noted_wherever_they_stand() {
    each_accepted::<Places>(1, |backtracking, value, last| {
        let guarded = usize::from(value.b > value.a);
        let mut expected = vec![comparison(Less, integer(value.a), integer(value.a))];
        expected.push(comparison(Greater, integer(value.b), integer(value.a)));
        expected.push(comparison(NotEqual, integer(value.items[0]), integer(value.items[1])));
        expected.push(comparison(Equal, integer(value.cell.get()), Integer(1)));
        if value.cell.get() != 1 {
            expected.push(comparison(Equal, integer(*value.shared.borrow()), integer(guarded)));
        }
        expected.push(comparison(Equal, Integer(2), Integer(2)));
        expected.extend(value.items.iter().map(|item| comparison(GreaterOrEqual, integer(*item), Integer(0))));
        expected.push(comparison(LessOrEqual, integer(value.b), Integer(100)));
        expected.push(comparison(Equal, Integer(1), Integer(1)));
        expected.reverse();
        if backtracking == Backtracking::Reexecute {
            assert_eq!(last, &expected[..8]);
        } else {
            // The last statement, and what it was reached from.
            assert_eq!(last[..2], expected[..2]);
        }
    });
}

#[derive(Debug, Finitize)]
struct Generic {
    a: u8,
    b: u8,
}

#[rep_ok]
impl Generic {
    fn rep_ok(&self) -> bool {
        fn ordered<T: PartialOrd>(one: &T, two: &T) -> bool {
            one <= two
        }
        fn same<T: PartialEq + ?Sized>(one: &T, two: &T) -> bool {
            *one == *two
        }
        let mut seen: HashSet<u8> = HashSet::new();
        seen.insert(self.a);
        let all = [ordered(&self.a, &self.b), same("a", "b"), seen.len() == self.b as usize];
        all.len() == 3
    }
}

#[test]
fn generic_functions_note_what_they_are_called_with() {
    each_accepted::<Generic>(2, |_, value, last| {
        let expected = [
            comparison(Equal, Integer(3), Integer(3)),
            comparison(Equal, Integer(1), integer(value.b)),
            comparison(Equal, Other, Other),
            comparison(LessOrEqual, integer(value.a), integer(value.b)),
        ];
        assert_eq!(last[..4], expected);
    });
}
