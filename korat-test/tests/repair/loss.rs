//! What a repair loses: objects and elements count as changes, a limit on them holds, and a dry run changes nothing.

use korat::{Finitize, Reason, Repair, field, rep_ok};

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Entry {
    key: u32,
    next: Option<Box<Entry>>,
}

/// A hash map with chains: the key of each entry belongs into its bucket.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Buckets {
    buckets: Vec<Option<Box<Entry>>>,
}

#[rep_ok]
impl Buckets {
    fn rep_ok(&self) -> bool {
        for (number, bucket) in self.buckets.iter().enumerate() {
            let mut rest = bucket;
            while let Some(entry) = rest {
                if entry.key as usize % self.buckets.len() != number {
                    return false;
                }
                rest = &entry.next;
            }
        }
        true
    }
}

fn chain(keys: impl DoubleEndedIterator<Item = u32>) -> Option<Box<Entry>> {
    keys.rev().fold(None, |next, key| Some(Box::new(Entry { key, next })))
}

/// Three buckets of `entries` entries each.
fn buckets(entries: u32) -> Buckets {
    Buckets { buckets: (0..3).map(|number| chain((0..entries).map(|entry| 30 + number + 3 * entry))).collect() }
}

/// Cutting off a bucket is one change and loses its entries; exchanging two links loses nothing.
#[test]
fn two_buckets_that_are_exchanged_are_not_cut_off() {
    for is_minimal in [false, true] {
        let mut broken = buckets(4);
        broken.buckets.swap(0, 2);
        let repair = Repair::new().keep(field!(Entry.key));
        let repair = if is_minimal { repair.minimal() } else { repair };
        let repaired = repair.repair(&mut broken).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!((broken, repaired.lost), (buckets(4), 0), "{repaired}");
    }
}

/// Numbers in ascending order, as many as it says.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Sorted {
    numbers: Vec<u32>,
}

#[rep_ok]
impl Sorted {
    fn rep_ok(&self) -> bool {
        self.numbers.windows(2).all(|two| two[0] < two[1])
    }
}

/// Without the last six numbers one change would be enough.
#[test]
fn a_vector_is_not_shortened_by_six_for_one_wrong_number() {
    for at in [3, 4, 8] {
        let sorted = Sorted { numbers: (0..10).map(|number| 10 * number).collect() };
        let mut broken = sorted.clone();
        broken.numbers[at] = 5;
        let repaired = Repair::new().minimal().repair(&mut broken).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!((broken.numbers.len(), repaired.changes.len(), repaired.lost), (10, 1, 0), "{repaired}");
    }
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct List {
    head: Option<Box<Entry>>,
    len: usize,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        let (mut rest, mut len) = (&self.head, 0);
        while let Some(entry) = rest {
            (rest, len) = (&entry.next, len + 1);
        }
        len == self.len
    }
}

#[test]
fn no_more_is_dropped_than_allowed() {
    let list = |len| List { head: chain(0..5), len };
    let repair = |dropped| Repair::new().keep(field!(List.len)).max_dropped(dropped).max_tries(20_000);
    let mut broken = list(2);
    let error = repair(2).repair(&mut broken).expect_err("three entries have to go");
    assert_eq!((error.reason, broken), (Reason::MaxDropped, list(2)));
    let mut broken = list(2);
    let repaired = repair(3).repair(&mut broken).expect("three may go");
    assert_eq!((repaired.lost, repaired.dropped.len()), (3, 3), "{repaired}");
    assert!(broken.rep_ok());
    // Whatever is the reason if nothing is lost.
    let mut broken = list(9);
    let error = repair(0).fresh(0).repair(&mut broken).expect_err("there are no nine entries");
    assert_eq!(error.reason, Reason::NoValidValue);
}

#[test]
fn a_dry_run_changes_nothing() {
    let (broken, shorter) = (List { head: chain(0..5), len: 2 }, field!(List.len));
    let address = broken.head.as_deref().map(std::ptr::from_ref);
    let planned = Repair::new().keep(shorter).dry_run(&broken).expect("entries may go");
    assert_eq!(broken, List { head: chain(0..5), len: 2 });
    assert_eq!(broken.head.as_deref().map(std::ptr::from_ref), address);
    // It tells what the repair then does.
    let mut value = broken.clone();
    let repaired = Repair::new().keep(field!(List.len)).repair(&mut value).expect("entries may go");
    assert_eq!(
        (planned.changes.clone(), planned.dropped.clone()),
        (repaired.changes.clone(), repaired.dropped.clone())
    );
    assert_eq!(planned.to_string(), repaired.to_string());
    assert!(value.rep_ok() && !broken.rep_ok());
}

#[test]
fn a_dry_run_of_a_valid_value_finds_nothing() {
    let planned = Repair::new().dry_run(&List { head: chain(0..5), len: 5 }).expect("it is valid");
    assert!(planned.is_unchanged());
}
