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

/// Entries of maps and sets, and elements inside lost elements.
mod elements {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Index {
        ids: Vec<u16>,
        by_id: BTreeMap<u16, usize>,
    }

    #[rep_ok]
    impl Index {
        fn rep_ok(&self) -> bool {
            self.by_id.len() == self.ids.len()
                && self.ids.iter().enumerate().all(|(at, id)| self.by_id.get(id) == Some(&at))
        }
    }

    fn index<const N: usize>(ids: &[u16], entries: [(u16, usize); N]) -> Index {
        Index { ids: ids.to_vec(), by_id: BTreeMap::from(entries) }
    }

    #[test]
    fn an_entry_of_a_map() {
        let broken = index(&[100, 200], [(100, 0), (200, 1), (300, 2)]);
        let repair = |dropped| Repair::new().keep(field!(Index.ids)).max_dropped(dropped).max_tries(20_000);
        let error = repair(0).dry_run(&broken).expect_err("an entry has to go");
        assert_eq!(error.reason, Reason::MaxDropped);
        assert_eq!(repair(1).dry_run(&broken).expect("one may go").lost, 1);
    }

    /// A key that replaces another one is no loss; each brings its own value.
    #[test]
    fn a_key_that_becomes_another() {
        let broken = index(&[100, 200, 300], [(100, 0), (250, 1), (300, 2)]);
        let repaired = Repair::new().keep(field!(Index.ids)).max_dropped(0).dry_run(&broken).expect("it is moved");
        let changes: Vec<String> = repaired.changes.iter().map(ToString::to_string).collect();
        let expected =
            ["by_id.contains_key(200): false -> true (by_id[200]: 1)", "by_id.contains_key(250): true -> false"];
        assert_eq!((repaired.lost, &changes[..]), (0, &expected.map(String::from)[..]));
        let broken = index(&[100, 200, 300], [(200, 1)]);
        let repaired = Repair::new().keep(field!(Index.ids)).dry_run(&broken).expect("entries are added");
        for change in &repaired.changes {
            assert_eq!(change.brings.len(), 1, "{repaired}");
        }
    }

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Members {
        #[finitize(0..=9)]
        members: BTreeSet<u8>,
        count: usize,
    }

    #[rep_ok]
    impl Members {
        fn rep_ok(&self) -> bool {
            self.members.len() == self.count
        }
    }

    #[test]
    fn members_of_a_set() {
        let broken = Members { members: BTreeSet::from([1, 2, 3, 4]), count: 2 };
        let repaired = Repair::new().keep(field!(Members.count)).dry_run(&broken).expect("two may go");
        assert_eq!((repaired.changes.len(), repaired.lost), (2, 2), "{repaired}");
    }

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Rows {
        rows: Vec<Vec<u8>>,
        count: usize,
    }

    #[rep_ok]
    impl Rows {
        fn rep_ok(&self) -> bool {
            self.rows.len() == self.count && self.rows.iter().all(|row| row.len() == 3)
        }
    }

    #[test]
    fn a_row_is_lost_with_all_that_is_in_it() {
        let broken = Rows { rows: vec![vec![1, 2, 3], vec![4, 5, 6], vec![7, 8, 9]], count: 2 };
        let repaired = Repair::new().keep(field!(Rows.count)).dry_run(&broken).expect("a row may go");
        assert_eq!((repaired.changes.len(), repaired.lost), (1, 1 + 3), "{repaired}");
    }
}

/// A lost object takes the elements of its vectors with it.
#[test]
fn elements_of_a_lost_object() {
    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Page {
        words: Vec<u8>,
        next: Option<Box<Page>>,
    }

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Book {
        first: Option<Box<Page>>,
        pages: usize,
    }

    #[rep_ok]
    impl Book {
        fn rep_ok(&self) -> bool {
            let (mut rest, mut pages) = (&self.first, 0);
            while let Some(page) = rest {
                if page.words.len() != 2 {
                    return false;
                }
                (rest, pages) = (&page.next, pages + 1);
            }
            pages == self.pages
        }
    }

    let page = |next| Some(Box::new(Page { words: vec![1, 2], next }));
    let broken = Book { first: page(page(page(None))), pages: 2 };
    let repaired = Repair::new().keep(field!(Book.pages)).dry_run(&broken).expect("a page may go");
    assert_eq!((repaired.dropped.len(), repaired.lost), (1, 1 + 2), "{repaired}");
}

/// A small value is not repaired by losing nearly all of it.
#[test]
fn a_nearer_value_is_searched_with_more_than_two_changes() {
    #[derive(Clone, Debug, PartialEq, Finitize)]
    enum Expr {
        Int(u8),
        Bool(bool),
        Add(Box<Expr>, Box<Expr>),
        If(Box<Expr>, Box<Expr>, Box<Expr>),
        Eq(Box<Expr>, Box<Expr>),
    }

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Program {
        main: Box<Expr>,
        size: usize,
    }

    #[rep_ok]
    impl Program {
        fn rep_ok(&self) -> bool {
            let mut size = 0;
            Self::is_int(&self.main, &mut size) == Some(true) && size == self.size
        }

        fn is_int(expr: &Expr, size: &mut usize) -> Option<bool> {
            *size += 1;
            match expr {
                Expr::Int(_) => Some(true),
                Expr::Bool(_) => Some(false),
                Expr::Add(one, two) => (Self::is_int(one, size)? && Self::is_int(two, size)?).then_some(true),
                Expr::If(condition, one, two) => {
                    if Self::is_int(condition, size)? {
                        return None;
                    }
                    let is_int = Self::is_int(one, size)?;
                    (is_int == Self::is_int(two, size)?).then_some(is_int)
                }
                Expr::Eq(one, two) => (Self::is_int(one, size)? == Self::is_int(two, size)?).then_some(false),
            }
        }
    }

    let int = |number| Box::new(Expr::Int(number));
    let add = Box::new(Expr::Add(int(0), int(4)));
    // The condition and the branch are exchanged.
    let main = Box::new(Expr::If(int(1), Box::new(Expr::Eq(int(2), int(4))), add));
    let mut program = Program { main, size: 8 };
    let repaired = Repair::new().repair(&mut program).expect("there is a value");
    assert!(repaired.changes.len() + repaired.lost <= 5, "{repaired}");
}

/// Maps in a vector are counted each by itself, whatever their keys are called.
#[test]
fn maps_in_a_vector() {
    use std::collections::BTreeMap;

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Shelves {
        shelves: Vec<BTreeMap<String, u8>>,
        most: usize,
    }

    #[rep_ok]
    impl Shelves {
        fn rep_ok(&self) -> bool {
            self.shelves.iter().all(|shelf| shelf.len() == self.most)
        }
    }

    let shelf = |keys: &[&str]| keys.iter().map(|key| (key.to_string(), 1)).collect::<BTreeMap<_, _>>();
    let broken = Shelves { shelves: vec![shelf(&["a", ".contains(]"]), shelf(&[])], most: 1 };
    let repaired = Repair::new().keep(field!(Shelves.most)).dry_run(&broken).expect("one may go, one may come");
    assert_eq!((repaired.changes.len(), repaired.lost), (2, 1), "{repaired}");
    let added = repaired.changes.iter().find(|change| change.new == "true").expect("a key is added");
    assert_eq!(added.brings.len(), 1, "{repaired}");
}
