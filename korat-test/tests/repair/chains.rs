//! Repairs of a hash index, whose entries lie in one vector and are chained by their positions: several lists that end in the same way, and
//! a count that is compared at the end.

use korat::{Backtracking, Finitize, Repair, rep_ok};

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Entry {
    key: u32,
    #[finitize(index_of = entries)]
    next: Option<u32>,
}

/// Keys that leave the same rest are in one chain; free entries are in another one.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Index {
    entries: Vec<Entry>,
    #[finitize(index_of = entries)]
    buckets: [Option<u32>; 4],
    #[finitize(index_of = entries)]
    free: Option<u32>,
    used: usize,
}

#[rep_ok]
impl Index {
    fn rep_ok(&self) -> bool {
        let mut seen = vec![false; self.entries.len()];
        let mut used = 0;
        for (bucket, first) in self.buckets.iter().enumerate() {
            let mut at = *first;
            while let Some(position) = at {
                let entry = &self.entries[position as usize];
                if seen[position as usize] || entry.key as usize % 4 != bucket {
                    return false;
                }
                seen[position as usize] = true;
                used += 1;
                at = entry.next;
            }
        }
        let (mut free, mut at) = (0, self.free);
        while let Some(position) = at {
            if seen[position as usize] {
                return false;
            }
            seen[position as usize] = true;
            free += 1;
            at = self.entries[position as usize].next;
        }
        used == self.used && used + free == self.entries.len()
    }
}

/// An index of so many entries, each ninth of which is free.
fn index(len: u32) -> Index {
    let mut index = Index { entries: Vec::new(), buckets: [None; 4], free: None, used: 0 };
    for key in 0..len {
        let is_free = key % 9 == 5;
        let first = if is_free { &mut index.free } else { &mut index.buckets[key as usize % 4] };
        index.entries.push(Entry { key, next: first.replace(key) });
        index.used += usize::from(!is_free);
    }
    index
}

/// Repairs an index after a fault, in both ways; returns how often `rep_ok` ran, and the number of changes.
fn repaired(len: u32, fault: impl Fn(&mut Index)) -> (Index, u64, usize) {
    let mut broken = index(len);
    assert!(broken.rep_ok());
    fault(&mut broken);
    let mut other = broken.clone();
    let repaired = Repair::new().repair(&mut broken).unwrap_or_else(|why| panic!("{len}: {why}"));
    assert!(broken.rep_ok());
    Repair::new().backtracking(Backtracking::Reexecute).repair(&mut other).unwrap_or_else(|why| panic!("{len}: {why}"));
    assert!(other.rep_ok());
    (broken, repaired.tries, repaired.changes.len())
}

const LENS: [u32; 3] = [12, 200, 3_000];

/// The index is as it was before the fault, after a few tries.
fn is_as_before(len: u32, most: u64, fault: impl Fn(&mut Index)) {
    let (whole, tries, changes) = repaired(len, fault);
    assert_eq!(whole, index(len), "{len}: {changes} changes");
    assert!(tries < most, "{len}: {tries} tries");
}

fn cut(place: u32) -> impl Fn(&mut Index) {
    move |index| index.entries[place as usize].next = None
}

#[test]
fn a_chain_that_is_cut_is_linked_again() {
    for len in LENS {
        for place in [len / 2, len / 2 + 1, len - 1, 9] {
            is_as_before(len, 100, cut(place));
        }
    }
}

#[test]
fn chains_that_are_cut_are_all_linked_again() {
    for len in LENS {
        let places: Vec<u32> = [len - 1, len / 2, len / 3].into_iter().filter(|place| place % 9 != 5).collect();
        let (whole, tries, changes) = repaired(len, |index| places.iter().for_each(|&place| cut(place)(index)));
        assert!(changes <= places.len(), "{len}: {changes} changes");
        assert_eq!(whole.used, index(len).used, "{len}: nothing is freed that was used");
        assert!(tries < 600, "{len}: {tries} tries");
    }
}

#[test]
fn free_entries_that_are_lost_are_free_again() {
    for (len, place) in [(20, 14), (200, 104), (3_000, 1_814)] {
        assert_eq!(place % 9, 5);
        is_as_before(len, 100, cut(place));
    }
}

#[test]
fn a_wrong_count_and_a_chain_that_is_cut() {
    for len in LENS {
        is_as_before(len, 300, |index| {
            cut(len / 2)(index);
            index.used += 1;
        });
    }
}

#[test]
fn the_first_link_of_a_chain_is_lost() {
    for len in LENS {
        for bucket in 0..4 {
            is_as_before(len, 100, |index| index.buckets[bucket] = None);
        }
        is_as_before(len, 100, |index| index.free = None);
    }
}

#[test]
fn a_link_into_another_chain() {
    for len in LENS {
        is_as_before(len, 100, |index| index.entries[len as usize / 2].next = Some(len / 2 + 3));
    }
}
