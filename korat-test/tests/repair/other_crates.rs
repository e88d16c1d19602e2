//! Repairs of fields of other crates' types, of containers made via others, and of instances of generic classes.

use arrayvec::ArrayVec;
use fixedbitset::FixedBitSet;
use indexmap::IndexMap;
use korat::{Finitize, Reason, rep_ok};
use slab::Slab;
use smallvec::{SmallVec, smallvec};

/// A container that korat does not know.
#[derive(Clone, Debug, PartialEq)]
struct Row(Vec<u32>);

impl FromIterator<u32> for Row {
    fn from_iter<I: IntoIterator<Item = u32>>(items: I) -> Self {
        Row(items.into_iter().collect())
    }
}

#[derive(Debug, Finitize)]
#[finitize(instances(Pile<String>))]
struct Pile<T> {
    items: Vec<T>,
    count: usize,
}

#[derive(Debug, Finitize)]
struct Store {
    small: SmallVec<[u32; 2]>,
    array: ArrayVec<u32, 4>,
    brown: hashbrown::HashMap<u32, bool>,
    slab: Slab<u32>,
    bits: FixedBitSet,
    #[finitize(via = Vec<u32>)]
    row: Row,
    pile: Pile<String>,
    count: usize,
}

#[rep_ok]
impl Store {
    /// Everything has `count` elements.
    fn rep_ok(&self) -> bool {
        self.small.len() == self.count
            && self.array.len() == self.count
            && self.brown.len() == self.count
            && self.slab.len() == self.count
            && self.bits.count_ones(..) == self.count
            && self.row.0.len() == self.count
            && self.pile.items.len() == self.count
            && self.pile.count == self.count
    }
}

fn store() -> Store {
    let mut bits = FixedBitSet::with_capacity(9);
    bits.insert(3);
    bits.insert(8);
    Store {
        small: smallvec![500, 70],
        array: ArrayVec::from_iter([8, 900]),
        brown: [(300, true), (40, false)].into_iter().collect(),
        slab: Slab::from_iter([(0, 17), (1, 18)]),
        bits,
        row: Row(vec![21, 22]),
        pile: Pile { items: vec!["first".to_string(), "second".to_string()], count: 2 },
        count: 2,
    }
}

#[test]
fn fields_of_other_crates_are_repaired() {
    let breaks: [fn(&mut Store); 6] = [
        |store| store.small.push(1),
        |store| assert!(store.array.pop().is_some()),
        |store| assert!(store.brown.insert(7, true).is_none()),
        |store| store.bits.insert(0),
        |store| assert_eq!(store.slab.insert(5), 2),
        |store| store.pile.count = 9,
    ];
    for (number, break_it) in breaks.into_iter().enumerate() {
        let mut store = store();
        assert!(store.rep_ok());
        break_it(&mut store);
        assert!(!store.rep_ok());
        let repaired = korat::repair(&mut store).unwrap_or_else(|error| panic!("{number}: {error}"));
        assert!(store.rep_ok(), "{number}: {repaired}");
        // Where a count is wrong, nothing else changes.
        assert!(number < 5 || store.pile.items == ["first", "second"] && store.count == 2, "{repaired}");
    }
}

#[derive(Debug, Finitize)]
struct Ranked {
    scores: IndexMap<u32, bool>,
    count: usize,
}

#[rep_ok]
impl Ranked {
    fn rep_ok(&self) -> bool {
        self.scores.len() == self.count
    }
}

#[test]
fn ordered_maps_are_repaired_if_they_are_small() {
    let mut ranked = Ranked { scores: IndexMap::from_iter([(30, true)]), count: 4 };
    let repaired = korat::repair(&mut ranked).expect("the count is wrong");
    assert!(ranked.rep_ok(), "{repaired}");
    assert_eq!((ranked.count, ranked.scores.get(&30)), (1, Some(&true)), "{repaired}");
    let mut large = Ranked { scores: (0..100).map(|key| (key, true)).collect(), count: 4 };
    let error = korat::repair(&mut large).expect_err("there are too many orders of its keys");
    assert!(matches!(error.reason, Reason::OutOfBounds(_)), "{error}");
}
