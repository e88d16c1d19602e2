//! `MaybeUninit`: a value that the invariant reads is initialised; any other may be or not. A model with options in place
//! of `MaybeUninit` is listed by hand, and says what a value is by its slots, which the value itself cannot tell.

#![allow(clippy::unit_cmp, reason = "reading is what is tested")]

use std::collections::BTreeSet;
use std::mem::MaybeUninit;

use korat::{Backtracking, Finitize, Repair, Search, SelfCheck, Unread, rep_ok};
use korat_core::{Pruning, Searcher, Settings};

use crate::by_hand::lists;

/// A sorted buffer: the first `len` places hold values.
#[derive(Debug, Finitize)]
struct Buffer {
    #[finitize(0..=3)]
    len: usize,
    #[finitize(0..=2)]
    items: [MaybeUninit<u8>; 3],
}

#[rep_ok]
impl Buffer {
    fn rep_ok(&self) -> bool {
        // SAFETY: the first places are initialised.
        (1..self.len).all(|at| unsafe { self.items[at - 1].assume_init_ref() <= self.items[at].assume_init_ref() })
            && (self.len != 1 || unsafe { self.items[0].assume_init() } > 0)
    }
}

fn buffer_holds(len: usize, items: &[Option<u8>]) -> Option<bool> {
    for at in 1..len {
        if items[at - 1]? > items[at]? {
            return Some(false);
        }
    }
    Some(len != 1 || items[0]? > 0)
}

/// A ring on the heap, whose values begin at `head`; it may have a value aside.
#[derive(Debug, Finitize)]
struct Ring {
    #[finitize(0..=1)]
    head: usize,
    #[finitize(0..=2)]
    len: usize,
    #[finitize(len = 2..=2)]
    slots: Box<[MaybeUninit<bool>]>,
    aside: Option<MaybeUninit<()>>,
}

#[rep_ok]
impl Ring {
    fn rep_ok(&self) -> bool {
        let mut trues = 0;
        for step in 0..self.len {
            let slot = &self.slots[(self.head + step) % 2];
            trues += usize::from(Self::read(slot));
        }
        if trues > 1 {
            return false;
        }
        match self.aside {
            // SAFETY: what lies aside is initialised.
            Some(aside) => unsafe { aside.assume_init_read() == () },
            None => true,
        }
    }

    fn read(slot: &MaybeUninit<bool>) -> bool {
        // SAFETY: the caller has asked for a place of the ring.
        unsafe { *slot.assume_init_ref() }
    }
}

fn ring_holds(head: usize, len: usize, slots: &[Option<bool>], aside: Option<Option<()>>) -> Option<bool> {
    let mut trues = 0;
    for step in 0..len {
        trues += usize::from(slots[(head + step) % 2]?);
    }
    if trues > 1 {
        return Some(false);
    }
    if let Some(aside) = aside {
        aside?;
    }
    Some(true)
}

/// The slots of every value that a search finds, each once.
fn slots_of<T: Finitize + korat::RepOk>(pruning: Pruning, backtracking: Backtracking) -> BTreeSet<Vec<u32>> {
    let settings = Settings { pruning, backtracking, self_check: SelfCheck::All, ..Settings::default() };
    let mut search = Searcher::<T>::new(&T::scope(1), settings).expect("the bounds are right");
    let mut found = BTreeSet::new();
    while search.advance().expect("the search goes on") {
        search.check_value().expect("the untouched invariant agrees");
        assert!(search.value().holds());
        assert!(found.insert(search.slot_vector().0), "a value comes twice");
    }
    found
}

fn agree<T: Finitize + korat::RepOk>(expected: &BTreeSet<Vec<u32>>) {
    for pruning in [Pruning::Ownership, Pruning::Classic] {
        for backtracking in [Backtracking::Checkpoint, Backtracking::Reexecute] {
            assert_eq!(slots_of::<T>(pruning, backtracking), *expected, "{pruning:?}, {backtracking:?}");
        }
    }
}

/// The index of an optional value whose values are numbered from zero.
fn index(value: Option<u8>) -> u32 {
    value.map_or(0, |value| u32::from(value) + 1)
}

#[test]
fn a_buffer_reads_what_is_initialised() {
    let mut expected = BTreeSet::new();
    for len in 0..=3 {
        for items in lists(&[None, Some(0), Some(1), Some(2)], 3) {
            if buffer_holds(len, &items) == Some(true) {
                expected.insert([len as u32].into_iter().chain(items.into_iter().map(index)).collect());
            }
        }
    }
    // Empty: 4^3; one place: 2 * 4^2; two: 6 pairs * 4; three: 10 multisets.
    assert_eq!(expected.len(), 64 + 32 + 24 + 10);
    agree::<Buffer>(&expected);
}

#[test]
fn a_ring_reads_what_is_initialised() {
    let mut expected = BTreeSet::new();
    for (head, len) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)] {
        for slots in lists(&[None, Some(false), Some(true)], 2) {
            for aside in [None, Some(None), Some(Some(()))] {
                if ring_holds(head, len, &slots, aside) == Some(true) {
                    let slots = slots.iter().map(|slot| index(slot.map(u8::from)));
                    let aside = match aside {
                        None => vec![0],
                        Some(inside) => vec![1, u32::from(inside.is_some())],
                    };
                    expected.insert([head as u32, len as u32, 0].into_iter().chain(slots).chain(aside).collect());
                }
            }
        }
    }
    agree::<Ring>(&expected);
}

#[test]
fn values_hold_what_their_slots_say() {
    let mut search = Searcher::<Buffer>::new(&Buffer::scope(0), Settings::default()).expect("the bounds are right");
    while search.advance().expect("the search goes on") {
        let (value, slots) = (search.value(), search.slot_vector().0);
        for (item, &index) in value.items.iter().zip(&slots[1..]).filter(|(_, index)| **index > 0) {
            // SAFETY: an index other than 0 stands for a value.
            assert_eq!(u32::from(unsafe { item.assume_init() }) + 1, index);
        }
    }
}

#[test]
fn unread_places_are_empty_if_one_representative_is_wanted() {
    let found = Search::new(Buffer::scope(0)).unread(Unread::First).count();
    assert_eq!(found, 1 + 2 + 6 + 10);
}

#[test]
fn restored_values_are_rejected_where_nothing_is_initialised() {
    let mut search = Searcher::<Buffer>::new(&Buffer::scope(0), Settings::default()).expect("the bounds are right");
    search.restore(&korat_core::SlotVector(vec![2, 1, 0, 0])).expect("the list is well formed");
    assert_eq!(search.accepts().ok(), Some(false));
    search.restore(&korat_core::SlotVector(vec![2, 1, 1, 0])).expect("the list is well formed");
    assert_eq!(search.accepts().ok(), Some(true));
}

#[test]
fn what_may_be_uninitialised_cannot_be_taken_apart() {
    let mut buffer = Buffer { len: 1, items: [MaybeUninit::new(0); 3] };
    let error = Repair::new().repair(&mut buffer).expect_err("it is unknown what the places hold");
    assert!(error.to_string().contains("`MaybeUninit` does not say whether it holds a value"), "{error}");
}
