//! Memory does not grow with the number of repairs.

use korat::{Finitize, rep_ok};

use crate::counting::{LIVE, left_by};

#[derive(Clone, Debug, Finitize)]
struct Entry {
    key: u32,
    next: Option<Box<Entry>>,
}

#[derive(Clone, Debug, Finitize)]
struct Sorted {
    head: Option<Box<Entry>>,
    name: String,
    len: usize,
}

#[rep_ok]
impl Sorted {
    fn rep_ok(&self) -> bool {
        let (mut len, mut last) = (0, None);
        let mut rest = &self.head;
        while let Some(entry) = rest {
            if last.is_some_and(|last| last >= entry.key) {
                return false;
            }
            (len, last) = (len + 1, Some(entry.key));
            rest = &entry.next;
        }
        len == self.len
    }
}

/// A sorted list whose keys are in no domain, and whose length is wrong.
fn wrong_list(entries: u32, seed: u32) -> Sorted {
    let mut list = Sorted { head: None, name: format!("list {seed:06}"), len: entries as usize + 1 };
    for entry in (0..entries).rev() {
        list.head = Some(Box::new(Entry { key: seed + entry * 1000, next: list.head.take() }));
    }
    list
}

/// A heap is never freed, but that of one repair serves others: values of about the same size, whatever they hold.
#[test]
fn memory_does_not_grow_with_the_number_of_repairs() {
    // Lists have the room that the last value needed: less than one heap.
    const FEW: isize = 2000;
    let mut seed = 0;
    let mut repair = |entries: u32| {
        seed += 7;
        let mut list = wrong_list(entries, seed);
        let repaired = korat::repair(&mut list).expect("a wrong length is repaired");
        assert_eq!((repaired.changes.len(), list.len), (1, entries as usize));
    };
    let all_sizes = |repair: &mut dyn FnMut(u32)| (0..12).chain(900..908).for_each(repair);
    let left = left_by(|| all_sizes(&mut repair)).cast_signed();
    assert!(left < FEW, "{left} bytes");
    // Nearly the same size, nearly the same memory.
    let before = LIVE.get();
    (908..916).for_each(&mut repair);
    let left = LIVE.get().wrapping_sub(before).cast_signed();
    assert!(left < FEW, "{left} bytes");
}
