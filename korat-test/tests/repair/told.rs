//! What a repair tells of a value that has less than before: shorter vectors, other variants, options without a content. What it lists as
//! dropped is what the value has lost and freed, and what it draws is the value as it is then.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use korat::{Finitize, Repair, Repaired, field, rep_ok};

thread_local! {
    static LIFE: Rc<()> = Rc::new(());
}

/// Counts the leaves that are alive: all but those that a repair has made.
type Life = Option<Rc<()>>;

fn life() -> Life {
    LIFE.with(|life| Some(Rc::clone(life)))
}

fn alive() -> usize {
    LIFE.with(Rc::strong_count) - 1
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Leaf {
    number: u8,
    #[finitize(skip = None)]
    life: Life,
}

fn leaf(number: u8) -> Option<Box<Leaf>> {
    Some(Box::new(Leaf { number, life: life() }))
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Row {
    number: u8,
    leaf: Option<Box<Leaf>>,
    cells: Vec<Field>,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Field {
    number: u8,
}

fn row(number: u8) -> Row {
    Row { number, leaf: leaf(number), cells: vec![Field { number }; number as usize % 3] }
}

#[derive(Clone, Debug, PartialEq, Finitize)]
enum Shape {
    Dot,
    Line(Box<Leaf>, u8),
    Many { rows: Vec<Row>, spare: Option<Box<Leaf>> },
}

/// Something of every kind that can become less, and how much there is to be of it.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Store {
    rows: Vec<Row>,
    #[allow(clippy::vec_box)]
    kids: Vec<Box<Row>>,
    inner: Option<Row>,
    shape: Shape,
    groups: Vec<Vec<u8>>,
    text: String,
    map: BTreeMap<u8, u8>,
    set: BTreeSet<u8>,
    lens: (usize, usize, usize, usize),
    entries: (usize, usize),
    has_inner: bool,
    kind: u8,
    is_sound: bool,
}

#[rep_ok]
impl Store {
    fn rep_ok(&self) -> bool {
        let kind = match &self.shape {
            Shape::Dot => 0,
            Shape::Line(..) => 1,
            Shape::Many { .. } => 2,
        };
        self.is_sound
            && self.rows.len() == self.lens.0
            && self.kids.len() == self.lens.1
            && self.groups.len() == self.lens.2
            && self.text.len() == self.lens.3
            && self.map.len() == self.entries.0
            && self.set.len() == self.entries.1
            && self.inner.is_some() == self.has_inner
            && kind == self.kind
    }
}

fn store() -> Store {
    Store {
        rows: (1..=4).map(row).collect(),
        kids: (5..=6).map(|number| Box::new(row(number))).collect(),
        inner: Some(row(7)),
        shape: Shape::Many { rows: vec![row(8)], spare: leaf(9) },
        groups: vec![vec![1, 2], vec![], vec![3]],
        text: "abcd".to_string(),
        map: [(1, 10), (4, 40)].into(),
        set: [2, 5].into(),
        lens: (4, 2, 3, 4),
        entries: (2, 2),
        has_inner: true,
        kind: 2,
        is_sound: true,
    }
}

/// Repairs a store that has more than it is to have; gives it, and what is told. What is drawn and what lives is what it has.
fn repaired(wrong: impl FnOnce(&mut Store)) -> (Store, Repaired) {
    let others = alive();
    let mut store = store();
    wrong(&mut store);
    let repair = Repair::new().keep(field!(Store.lens)).keep(field!(Store.entries));
    let repair = repair.keep(field!(Store.has_inner)).keep(field!(Store.kind));
    let told = repair.repair(&mut store).expect("it has more than it is to have");
    assert!(store.rep_ok());
    let drawn = told.to_string();
    let (_, after) = drawn.split_once("after:\n").expect("it is small enough to be drawn");
    assert_eq!(after.trim_end(), picture(&store).trim_end(), "{told}");
    assert_eq!(alive() - others, leaves(&store), "what goes is freed, and nothing else: {told}");
    (store, told)
}

/// The picture of a store, as it is drawn before a repair of something that does not show elsewhere.
fn picture(store: &Store) -> String {
    let told = korat::repair(&mut Store { is_sound: false, ..store.clone() }).expect("it was sound").to_string();
    let drawn = told.split_once("before:\n").and_then(|(_, drawn)| drawn.split_once("after:\n"));
    drawn.expect("it is small enough to be drawn").0.replace("is_sound: false", "is_sound: true")
}

fn leaves(store: &Store) -> usize {
    let kids = store.kids.iter().map(|kid| &**kid);
    let (rows, other): (&[Row], _) = match &store.shape {
        Shape::Dot => (&[], None),
        Shape::Line(leaf, _) => (&[], Some(leaf)),
        Shape::Many { rows, spare } => (rows, spare.as_ref()),
    };
    let rows = store.rows.iter().chain(kids).chain(&store.inner).chain(rows);
    let leaves = rows.filter_map(|row| row.leaf.as_ref()).chain(other);
    leaves.filter(|leaf| leaf.life.is_some()).count()
}

#[test]
fn elements_that_go_are_dropped_with_what_they_own() {
    let (store, told) = repaired(|store| store.lens.0 = 2);
    assert_eq!(store.rows, [row(1), row(2)]);
    assert_eq!(told.changes.len(), 1, "{told}");
    assert_eq!(told.changes[0].to_string(), "rows.len(): 4 -> 2");
    let dropped = ["rows[2]", "rows[3]", "rows[2].leaf", "rows[3].leaf", "rows[3].cells[0]"];
    assert_eq!(told.dropped, dropped, "{told}");
    assert!(told.to_string().contains("5 objects dropped"), "{told}");
    let (_, told) = repaired(|store| store.lens.1 = 1);
    assert_eq!(told.dropped, ["kids[1]", "kids[1].leaf"], "{told}");
}

#[test]
fn an_option_without_a_content_drops_what_that_owned() {
    let (_, told) = repaired(|store| store.has_inner = false);
    assert_eq!(told.dropped, ["inner.leaf", "inner.cells[0]"], "{told}");
}

#[test]
fn a_variant_that_goes_drops_what_it_owned() {
    for kind in [0, 1] {
        let (_, told) = repaired(|store| store.kind = kind);
        let dropped = ["shape.Many.rows[0]", "shape.Many.spare", "shape.Many.rows[0].leaf"];
        assert_eq!(told.dropped[..3], dropped, "{told}");
        assert_eq!(told.dropped.len(), 5, "two cells: {told}");
        assert_eq!(told.added.len(), usize::from(kind), "{told}");
    }
    let (_, told) = repaired(|store| {
        (store.kind, store.shape) = (0, Shape::Line(Box::new(Leaf { number: 1, life: life() }), 3));
    });
    assert_eq!(told.dropped, ["shape.Line.0"], "{told}");
}

#[test]
fn plain_values_that_go_are_no_objects() {
    let (store, told) = repaired(|store| store.lens.2 = 1);
    assert_eq!((store.groups, told.dropped.len()), (vec![vec![1, 2]], 0), "{told}");
    let (store, told) = repaired(|store| store.lens.3 = 2);
    assert_eq!((store.text.len(), told.dropped.len()), (2, 0), "{told}");
    let (store, told) = repaired(|store| store.entries = (1, 1));
    assert_eq!((store.map.len(), store.set.len(), told.dropped.len()), (1, 1, 0), "{told}");
}

/// An arena with a list through all of its nodes, which are not to be more than a number.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Slab {
    nodes: Vec<Node>,
    #[finitize(index_of = nodes)]
    head: Option<usize>,
    len: usize,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Node {
    #[finitize(index_of = nodes)]
    next: Option<usize>,
    leaf: Option<Box<Leaf>>,
}

#[rep_ok]
impl Slab {
    fn rep_ok(&self) -> bool {
        let (mut at, mut len) = (self.head, 0);
        while let Some(node) = at {
            (at, len) = (self.nodes[node].next, len + 1);
            if len > self.nodes.len() {
                return false;
            }
        }
        len == self.len && len == self.nodes.len()
    }
}

/// What an element had that goes is not said to be changed.
#[test]
fn elements_of_an_arena_that_go_are_not_changed_before() {
    let node = |number: u8| Node { next: Some(number as usize + 1).filter(|&next| next < 4), leaf: leaf(number) };
    let mut slab = Slab { nodes: (0..4).map(node).collect(), head: Some(0), len: 2 };
    let told = Repair::new().keep(field!(Slab.len)).repair(&mut slab).expect("two nodes are too many");
    assert!(slab.rep_ok(), "{told}");
    let changes: Vec<String> = told.changes.iter().map(ToString::to_string).collect();
    assert_eq!(changes, ["nodes.len(): 4 -> 2", "nodes[1].next: Some(2) -> None"]);
    assert_eq!(told.dropped, ["nodes[2]", "nodes[3]", "nodes[2].leaf", "nodes[3].leaf"]);
}

/// Rows that share what they hold.
#[derive(Clone, Debug, Finitize)]
struct Shares {
    rows: Vec<Share>,
    loose: Vec<Option<Rc<Leaf>>>,
    perhaps: Option<Share>,
    lens: (usize, usize, bool),
}

#[derive(Clone, Debug, Finitize)]
struct Share {
    leaf: Option<Rc<Leaf>>,
}

#[rep_ok]
impl Shares {
    fn rep_ok(&self) -> bool {
        (self.rows.len(), self.loose.len(), self.perhaps.is_some()) == self.lens
    }
}

#[test]
fn what_is_shared_loses_only_the_owners_that_go() {
    for lens in [(1, 2, true), (2, 1, true), (2, 2, false), (1, 1, false), (1, 0, false), (0, 0, false)] {
        let leaf = Rc::new(Leaf { number: 3, life: life() });
        let shared = || Some(Rc::clone(&leaf));
        let share = || Share { leaf: shared() };
        let (rows, loose) = (vec![share(), share()], vec![shared(), shared()]);
        let mut shares = Shares { rows, loose, perhaps: Some(share()), lens };
        let told = Repair::new().keep(field!(Shares.lens)).repair(&mut shares).expect("it has too much");
        let owners = lens.0 + lens.1 + usize::from(lens.2);
        assert_eq!(Rc::strong_count(&leaf), 1 + owners, "{told}");
        let is_lost = owners == 0;
        let leaf = told.dropped.iter().filter(|path| !matches!(&path[..], "rows[0]" | "rows[1]")).count();
        assert_eq!((leaf, told.dropped.len()), (usize::from(is_lost), 2 - lens.0 + leaf), "{told}");
    }
    assert_eq!(alive(), 0);
}
