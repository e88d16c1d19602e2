//! Whatever is checked, the counts are the same.

use std::fmt::Debug;

use super::*;
use crate::alternating::Tree;

const BOTH: [Pruning; 2] = [Pruning::Ownership, Pruning::Classic];

/// An arena, whose length is decided before an index is, and unread fields.
#[derive(Debug, Finitize)]
struct Slab {
    #[finitize(len = 0..=scope)]
    next: Vec<Link>,
    #[finitize(index_of = next)]
    first: Option<usize>,
    unread: bool,
}

#[derive(Debug, Finitize)]
struct Link {
    #[finitize(index_of = next)]
    to: Option<usize>,
}

#[rep_ok]
impl Slab {
    fn rep_ok(&self) -> bool {
        let (mut at, mut seen) = (self.first, vec![]);
        while let Some(index) = at {
            if seen.contains(&index) {
                return false;
            }
            seen.push(index);
            at = self.next[index].to;
        }
        seen.len() == self.next.len()
    }
}

/// Two boxes, and objects for one of them: no candidate gets to the second.
#[derive(Debug, Finitize)]
struct Crowd {
    first: Box<Guest>,
    second: Option<Box<Guest>>,
    third: Box<Guest>,
}

#[derive(Debug, Finitize)]
struct Guest {
    #[finitize(0..=1)]
    age: u8,
}

#[rep_ok]
impl Crowd {
    fn rep_ok(&self) -> bool {
        self.first.age == 0 && self.second.as_ref().is_none_or(|second| second.age == 1) && self.third.age == 1
    }
}

fn numbers(report: &Report) -> [u64; 4] {
    [report.explored, report.valid, report.field_inits, report.undo_ops]
}

/// Whatever is checked, the counts are the same; with `All`, all candidates of one pass are compared.
fn are_the_same<T: Finitize + RepOk + Debug>(prunings: &[Pruning], search: impl Fn() -> Search<T>) {
    for &pruning in prunings {
        let search = || search().pruning(pruning).allow_empty(true);
        let all = search().self_check(SelfCheck::All).report();
        assert_eq!((all.candidates_checked, all.values_checked), (all.explored, all.valid), "{pruning:?}: {all}");
        for which in [SelfCheck::Off, SelfCheck::Sample] {
            assert_eq!(numbers(&search().self_check(which).report()), numbers(&all), "{pruning:?}, {which:?}");
        }
        let [off, all] = [SelfCheck::Off, SelfCheck::All].map(|which| search().self_check(which).for_each(drop));
        assert_eq!(numbers(&off), numbers(&all), "{pruning:?}");
    }
}

#[test]
fn of_trees() {
    are_the_same(&BOTH, || Search::new(Tree::scope(5)));
}

#[test]
fn of_arenas() {
    are_the_same(&BOTH, || Search::new(Slab::scope(3)));
}

#[test]
fn of_dead_ends() {
    are_the_same(&[Pruning::Ownership], || Search::new(Crowd::scope(2).objects::<Guest>(2)));
    are_the_same(&[Pruning::Ownership], || Search::new(Crowd::scope(2).objects::<Guest>(3)));
}
