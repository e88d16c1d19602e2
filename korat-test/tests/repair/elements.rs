//! Repairs of what lies in vectors and deques: one element changes where it lies, whatever the elements are made of, and what lies
//! beside it stays; a search that uses the same heap afterwards finds everything as it was.

use std::cell::OnceCell;
use std::collections::{BTreeMap, VecDeque};
use std::num::NonZero;

use korat::{Finitize, Repair, Search, field, rep_ok};

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Row {
    cells: Vec<u32>,
    number: u32,
}

/// Elements of one slot, of several, and of numbers of slots that differ.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Table {
    keys: Vec<u32>,
    queue: VecDeque<u32>,
    pairs: Vec<(u32, u32)>,
    groups: Vec<Vec<u32>>,
    rows: Vec<Row>,
}

#[rep_ok]
impl Table {
    fn rep_ok(&self) -> bool {
        for at in 0..self.keys.len() {
            if self.keys[at] != 3 * at as u32 {
                return false;
            }
        }
        for (at, &waiting) in self.queue.iter().enumerate() {
            if waiting != 2 * at as u32 {
                return false;
            }
        }
        for (at, &(one, other)) in self.pairs.iter().enumerate() {
            if one != at as u32 || other != one + 1 {
                return false;
            }
        }
        for (at, group) in self.groups.iter().enumerate() {
            if group.iter().any(|&number| number != at as u32) {
                return false;
            }
        }
        for (at, row) in self.rows.iter().enumerate() {
            if row.number != at as u32 || row.cells.iter().any(|&cell| cell != row.number) {
                return false;
            }
        }
        true
    }
}

fn table() -> Table {
    let row = |at: u32| Row { cells: vec![at; at as usize % 4], number: at };
    Table {
        keys: (0..20).map(|at| 3 * at).collect(),
        queue: (0..9).map(|at| 2 * at).collect(),
        pairs: (0..8).map(|at| (at, at + 1)).collect(),
        groups: (0..6).map(|at| vec![at; at as usize % 3]).collect(),
        rows: (0..10).map(row).collect(),
    }
}

#[test]
fn one_element_changes_where_it_lies() {
    type Break = fn(&mut Table);
    let breaks: [(Break, &str); 9] = [
        (|table| table.keys[0] = 59, "keys[0]"),
        (|table| table.keys[19] = 1, "keys[19]"),
        (|table| table.queue[4] = 9, "queue[4]"),
        (|table| table.queue[8] = 0, "queue[8]"),
        (|table| table.pairs[7].1 = 0, "pairs[7].1"),
        (|table| table.pairs[3].0 = 40, "pairs[3].0"),
        (|table| table.groups[5][1] = 3, "groups[5][1]"),
        (|table| table.rows[6].number = 0, "rows[6].number"),
        (|table| table.rows[9].cells[0] = 7, "rows[9].cells[0]"),
    ];
    for (broken_by, place) in breaks {
        let mut broken = table();
        // A ring that does not begin where its memory does.
        broken.queue.rotate_left(4);
        broken.queue.rotate_right(4);
        broken_by(&mut broken);
        assert!(!broken.rep_ok());
        let (keys, cells) = (broken.keys.as_ptr(), broken.rows[3].cells.as_ptr());
        let repaired = korat::repair(&mut broken).unwrap_or_else(|error| panic!("{place}: {error}"));
        assert_eq!(repaired.changes.len(), 1, "{place}: {repaired}");
        let change = &repaired.changes[0];
        let dot = if change.path.is_empty() { "" } else { "." };
        assert_eq!(format!("{}{dot}{}", change.path, change.field), place);
        assert_eq!(broken, table(), "{place}");
        assert_eq!((broken.keys.as_ptr(), broken.rows[3].cells.as_ptr()), (keys, cells), "what stays is not made anew");
    }
}

/// Many at once, in vectors of every kind.
#[test]
fn several_elements_change_where_they_lie() {
    let mut broken = table();
    broken.keys[3] = 0;
    broken.keys[17] = 0;
    broken.queue[1] = 7;
    broken.pairs[5] = (5, 1);
    broken.groups[4][0] = 0;
    broken.rows[2].number = 9;
    broken.rows[7].cells[2] = 9;
    let repaired = korat::repair(&mut broken).expect("each is repaired by itself");
    assert_eq!((repaired.changes.len(), broken), (7, table()), "{repaired}");
    assert!(repaired.tries < 2_000, "each by itself, and not all of them together: {} tries", repaired.tries);
}

/// Values that no domain lists, of every kind of plain type, in each of many elements.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Entry {
    letter: char,
    balance: i64,
    grade: Option<u8>,
    id: NonZero<u32>,
    hash: u128,
    is_open: bool,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Ledger {
    entries: Vec<Entry>,
    open: usize,
}

#[rep_ok]
impl Ledger {
    fn rep_ok(&self) -> bool {
        self.open == self.entries.iter().filter(|entry| entry.is_open).count()
    }
}

#[test]
fn values_that_no_domain_lists_stay() {
    let entry = |at: u32| Entry {
        letter: char::from_u32(0x3b1 + at % 20).unwrap(),
        balance: -1000 * i64::from(at) - 1,
        grade: (!at.is_multiple_of(5)).then_some((at % 251) as u8),
        id: NonZero::new(u32::MAX - at).unwrap(),
        hash: u128::MAX - u128::from(at * at),
        is_open: at.is_multiple_of(3),
    };
    let ledger = Ledger { entries: (0..300).map(entry).collect(), open: 100 };
    assert!(ledger.rep_ok());
    // The second time on the same heap, with other values.
    for first in [0, 7] {
        let mut ledger = Ledger { entries: ledger.entries[first..].to_vec(), open: 0 };
        ledger.open = ledger.entries.iter().filter(|entry| entry.is_open).count();
        let mut broken = Ledger { open: 3, ..ledger.clone() };
        let repaired = korat::repair(&mut broken).unwrap_or_else(|error| panic!("from {first} on: {error}"));
        assert_eq!((repaired.changes.len(), broken), (1, ledger));
    }
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Link {
    #[finitize(index_of = links)]
    next: Option<usize>,
}

/// A chain in an arena, without gaps.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Chain {
    links: Vec<Link>,
    #[finitize(index_of = links)]
    first: Option<usize>,
}

#[rep_ok]
impl Chain {
    fn rep_ok(&self) -> bool {
        let (mut seen, mut at) = (vec![false; self.links.len()], self.first);
        while let Some(link) = at {
            if seen[link] {
                return false;
            }
            seen[link] = true;
            at = self.links[link].next;
        }
        seen.iter().all(|&seen| seen)
    }
}

/// In a repair, elements are the objects that lie beside them; in a search they need not be.
#[test]
fn a_search_after_a_repair_finds_what_it_found_before() {
    let bounds = || Chain::scope(4);
    let all = || Search::new(bounds()).into_iter().collect::<Vec<Chain>>();
    let before = all();
    assert_eq!(before.len(), 5, "one of each length");
    let links = |next: [Option<usize>; 3]| next.map(|next| Link { next }).to_vec();
    for first in [0, 1, 2] {
        let mut broken = Chain { links: links([Some(1), Some(2), Some(first)]), first: Some(0) };
        Repair::new().within(bounds()).repair(&mut broken).expect("a ring is cut");
        assert_eq!(broken, Chain { links: links([Some(1), Some(2), None]), first: Some(0) });
        assert_eq!(all(), before);
        // Longer than the bounds allow: the repair does not begin.
        let mut broken = Chain { links: vec![Link { next: None }; 5], first: Some(0) };
        assert!(Repair::new().within(bounds()).repair(&mut broken).is_err());
        assert_eq!(all(), before);
    }
}

/// Fields that are written as a whole, and of which `rep_ok` reads one part, or none.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Wholes {
    pair: (u8, u8),
    map: BTreeMap<u8, u8>,
    lists: BTreeMap<u8, Vec<u8>>,
    perhaps: Option<Vec<u8>>,
    once: OnceCell<u8>,
    number: u8,
}

#[rep_ok]
impl Wholes {
    fn rep_ok(&self) -> bool {
        match self.number {
            0 => self.pair.0 == 7,
            1 => self.map.get(&1) == Some(&7),
            2 => self.perhaps.as_ref().is_some_and(|list| list[0] == 7),
            number => number == 3,
        }
    }
}

#[test]
fn what_is_written_as_a_whole_keeps_what_was_not_read() {
    let wholes = |number| Wholes {
        pair: (5, 6),
        map: [(1, 5), (2, 6)].into(),
        lists: [(1, vec![3, 4]), (8, vec![])].into(),
        perhaps: Some(vec![5, 6]),
        once: OnceCell::from(9),
        number,
    };
    let expected = [
        Wholes { pair: (7, 6), ..wholes(0) },
        Wholes { map: [(1, 7), (2, 6)].into(), ..wholes(1) },
        Wholes { perhaps: Some(vec![7, 6]), ..wholes(2) },
    ];
    for (number, expected) in (0..).zip(expected) {
        let mut wrong = wholes(number);
        let told = Repair::new().keep(field!(Wholes.number)).repair(&mut wrong).expect("one part is wrong");
        assert_eq!(wrong, expected, "{told}");
    }
    let mut wrong = wholes(4);
    let told = korat::repair(&mut wrong).expect("the number is wrong");
    assert_eq!((told.changes.len(), Wholes { number: 4, ..wrong }), (1, wholes(4)), "nothing else changes: {told}");
}
