//! Types that are not part of the structure, declared outside the block: the compiler tells them from classes.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;

use korat::{Finitize, rep_ok};

use crate::forms::{Color, Node, lists_where, valid};

/// What is wrong with a list.
#[derive(Debug, PartialEq)]
enum Fault {
    Unsorted { at: usize },
    Last(u8),
}

/// Numbers and names about a list.
#[derive(Default)]
struct Stats {
    nodes: usize,
    red: usize,
    names: Vec<String>,
}

impl Stats {
    const MOST: usize = 3;

    fn new() -> Self {
        Stats::default()
    }

    fn is_small(&self) -> bool {
        self.nodes < Self::MOST
    }
}

/// A type with a parameter, which may stand for a part of the structure.
struct Ranked<T> {
    rank: usize,
    what: T,
}

/// A type with a lifetime.
struct Label<'a>(&'a str);

#[derive(Debug, Finitize)]
struct List {
    head: Option<Box<Node>>,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        let stats: Stats = match self.check() {
            Ok(stats) => stats,
            Err(Fault::Unsorted { at }) => return at > Stats::MOST,
            Err(Fault::Last(key)) => return key == 1,
        };
        let shared: Rc<RefCell<Stats>> = Rc::new(RefCell::new(Stats::new()));
        shared.borrow_mut().nodes += stats.red;
        let Stats { nodes, .. } = &stats;
        let both = Rc::clone(&shared);
        stats.is_small() && *nodes != 1 && Self::below(&both) && Self::named(Label("x"), &[Some(Fault::Last(1))])
    }

    fn check(&self) -> Result<Stats, Fault> {
        let mut stats = Stats::new();
        let mut last: Option<Ranked<&Node>> = None;
        let mut seen: HashSet<*const Node> = HashSet::new();
        let mut at = &self.head;
        while let Some(node) = at {
            if !seen.insert(&**node) {
                return Err(Fault::Last(9));
            }
            if let Some(last) = &last
                && last.what.key > node.key
            {
                return Err(Fault::Unsorted { at: last.rank });
            }
            stats.nodes += 1;
            stats.red += usize::from(node.color == Color::Red);
            stats.names.push(stats.nodes.to_string());
            last = Some(Ranked { rank: stats.nodes, what: node });
            at = &node.next;
        }
        match last {
            Some(last) if last.rank > 1 && last.what.key == 2 => Err(Fault::Last(2)),
            _ => Ok(stats),
        }
    }

    fn below(stats: &Rc<RefCell<Stats>>) -> bool {
        stats.borrow().nodes < 2
    }

    fn named(label: Label<'_>, faults: &[Option<Fault>]) -> bool {
        label.0 == "x" && faults.iter().all(|fault| matches!(fault, Some(Fault::Last(1..=2))))
    }
}

#[test]
fn types_outside_the_block_need_no_attribute() {
    let holds = |list: &[(Color, u8)]| {
        let is_sorted = list.windows(2).all(|pair| pair[0].1 <= pair[1].1);
        let ends_in_two = list.len() > 1 && list.last().is_some_and(|(_, key)| *key == 2);
        let red = list.iter().filter(|(color, _)| *color == Color::Red).count();
        is_sorted && !ends_in_two && list.len() < 3 && list.len() != 1 && red < 2
    };
    assert_eq!(valid::<List>(3), lists_where(3, holds));
}

/// A type around a parameter of the block, which must be listed.
struct Limits<T> {
    least: T,
}

#[derive(Debug, Finitize)]
struct Above<T> {
    count: T,
    other: T,
}

#[rep_ok(plain(Limits<T>))]
impl<T: PartialOrd + Copy> Above<T> {
    fn rep_ok(&self) -> bool {
        let limits: Limits<T> = Limits { least: self.other };
        let Limits { least } = limits;
        self.above(&Limits { least })
    }

    fn above(&self, limits: &Limits<T>) -> bool {
        self.count > limits.least
    }
}

#[test]
fn a_type_around_a_parameter_is_listed() {
    assert_eq!(valid::<Above<u8>>(3), 1 + 2 + 3);
}
