//! Classes with containers of other crates, compared as wholes by operators that run on copies.

use std::rc::Rc;

use fixedbitset::FixedBitSet;
use indexmap::{IndexMap, IndexSet};

use super::*;

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Page {
    #[finitize(len = 0..=1)]
    used: FixedBitSet,
    #[finitize(0..=1)]
    sizes: IndexMap<u8, bool>,
    #[finitize(0..=0)]
    locked: IndexSet<u8>,
}

/// Two pages that are equal, or of which the first has one certain map, as it is printed. The order of the keys of a map does
/// not count for `==`.
#[derive(Clone, Debug, Finitize)]
struct Pages {
    first: Page,
    second: Page,
}

#[rep_ok]
impl Pages {
    fn rep_ok(&self) -> bool {
        self.first == self.second || format!("{:?}", self.first.clone().sizes) == "{1: true, 0: false}"
    }
}

#[test]
fn pages_are_compared() {
    let mut used = vec![FixedBitSet::with_capacity(0), FixedBitSet::with_capacity(1), FixedBitSet::with_capacity(1)];
    used[2].insert(0);
    let orders: [&[u8]; 5] = [&[], &[0], &[1], &[0, 1], &[1, 0]];
    let mut pages = Vec::new();
    for used in &used {
        for order in orders {
            for marks in lists(&[false, true], order.len()) {
                for locked in [vec![], vec![0]] {
                    let sizes = order.iter().copied().zip(marks.clone()).collect();
                    pages.push(Page { used: used.clone(), sizes, locked: locked.into_iter().collect() });
                }
            }
        }
    }
    let pair = |first: &Page| {
        let first = first.clone();
        pages.iter().map(move |second| Pages { first: first.clone(), second: second.clone() })
    };
    let form = |pages: &Pages| {
        let page = |page: &Page| {
            let bits: Vec<bool> = (0..page.used.len()).map(|bit| page.used.contains(bit)).collect();
            format!("{bits:?} {:?} {:?}", page.sizes, page.locked)
        };
        format!("{} {}", page(&pages.first), page(&pages.second))
    };
    // Per set of bits and lock: 5 maps of at most one key equal only themselves, 8 of two keys each equal two. One map goes with
    // every page, two of which are counted already.
    assert_eq!(agree(1, pages.iter().flat_map(pair), form), 3 * 2 * (5 + 8 * 2) + 3 * 2 * (3 * 2 * 13 - 2));
}

#[derive(Debug, Finitize)]
struct Seat {
    is_taken: bool,
}

/// Equal to another with the same objects behind the same keys.
#[derive(Debug, Finitize)]
struct Row {
    #[finitize(0..=0)]
    seats: IndexMap<u8, Rc<Seat>>,
}

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        let same = |(one, other): (&Rc<Seat>, &Rc<Seat>)| Rc::ptr_eq(one, other);
        self.seats.len() == other.seats.len() && self.seats.values().zip(other.seats.values()).all(same)
    }
}

#[derive(Debug, Finitize)]
struct Rows {
    rows: [Row; 2],
}

#[rep_ok]
impl Rows {
    fn rep_ok(&self) -> bool {
        self.rows[0] == self.rows[1]
    }
}

#[test]
fn copies_share_what_the_maps_share() {
    // Both empty, or both with one seat, which is taken or not.
    assert_eq!(count::<Rows>(2), 1 + 2);
}
