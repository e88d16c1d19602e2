//! Vectors beside an arena everywhere else than in the search: built and taken apart, written down and read back, replayed, one
//! representative of unread fields, drawn, repaired.

use std::collections::BTreeSet;

use korat::{Finitize, RepOk, Repair, Search, Unread, rep_ok};
use korat_core::{Searcher, Settings, SlotVector};

use crate::panics::message_of;

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Node {
    #[finitize(index_of = nodes)]
    next: usize,
}

/// Marked nodes do not lead to themselves; the note of a node is never read.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Graph {
    #[finitize(beside = nodes)]
    mark: Vec<bool>,
    nodes: Vec<Node>,
    #[finitize(beside = mark)]
    note: Vec<Option<bool>>,
}

#[rep_ok]
impl Graph {
    fn rep_ok(&self) -> bool {
        self.mark.len() == self.nodes.len()
            && (0..self.nodes.len()).all(|at| !(self.mark[at] & (self.nodes[at].next == at)))
    }
}

fn searcher(settings: Settings) -> Searcher<Graph> {
    Searcher::new(&Graph::scope(2), settings).expect("the bounds are right")
}

#[test]
fn values_are_taken_apart_and_written_down_and_built_again() {
    let (mut search, mut idle, mut restored) =
        (searcher(Settings::default()), searcher(Settings::default()), searcher(Settings::default()));
    let mut vectors = BTreeSet::new();
    let mut count = 0;
    while search.advance().expect("the search goes on") {
        let value = search.value();
        let slots = search.abstract_value(&value).expect("a generated value is within the bounds");
        assert_eq!(idle.build(&slots), value);
        assert_eq!(idle.outline_of(&slots), search.outline());
        let vector = search.slot_vector();
        restored.restore(&vector).expect("a vector that was written is read");
        assert_eq!(restored.value(), value);
        assert_eq!(restored.accepts().expect("the predicate runs"), value.rep_ok());
        // One length for all three vectors: nothing is written twice.
        assert_eq!(vector.0.len(), 1 + 4 * value.nodes.len(), "{value:?}");
        vectors.insert(vector);
        count += 1;
    }
    assert_eq!(vectors.len(), count);
}

#[test]
fn wrong_lists_of_slots_are_refused() {
    let mut search = searcher(Settings::default());
    // A length of one, the object of the node, mark and note, and the link of the node.
    for (list, what) in [
        (vec![1, 0, 0], "it ends before Graph.note[0]"),
        (vec![1, 0, 0, 0, 1], "Node#0.next names no element"),
        (vec![0, 0], "it is longer than the value's slots by 1"),
    ] {
        let error = search.restore(&SlotVector(list.clone())).expect_err("the list is wrong").to_string();
        assert_eq!(error, what, "{list:?}");
    }
}

#[test]
fn vectors_of_other_lengths_are_out_of_bounds() {
    let search = searcher(Settings::default());
    let mut graph = Graph { mark: vec![false], nodes: vec![Node { next: 0 }], note: vec![None] };
    assert!(search.abstract_value(&graph).is_ok());
    graph.mark.push(true);
    let error = search.abstract_value(&graph).expect_err("there is a mark too many").to_string();
    assert_eq!(error, "Graph.mark and Graph.nodes differ in length, but `beside` makes them parallel");
    let error = korat::repair(&mut graph).expect_err("it is no value of the bounds").to_string();
    assert!(error.contains("Graph.mark and Graph.nodes differ in length"), "{error}");
}

#[test]
fn unread_elements_have_every_value_or_one() {
    let all = Search::new(Graph::scope(2)).report();
    assert_eq!(all.unread_fields, ["Graph.note"]);
    let mut first = BTreeSet::new();
    let report = Search::new(Graph::scope(2)).unread(Unread::First).for_each(|graph: Graph| {
        assert_eq!(graph.note, vec![None; graph.nodes.len()]);
        let (mark, next) = (graph.mark, graph.nodes.iter().map(|node| node.next).collect::<Vec<_>>());
        assert!(first.insert((mark, next)));
    });
    // Without notes there are eight values of two nodes at most, see `symmetry/beside.rs`.
    assert_eq!((report.valid, first.len()), (8, 8));
    assert!(all.valid > report.valid);
}

#[test]
fn a_value_is_replayed_from_its_line() {
    let text = message_of(|| {
        Search::new(Graph::scope(2))
            .regressions(false)
            .for_each(|graph: Graph| assert!(graph.mark.iter().filter(|mark| **mark).count() != 1));
    });
    let line = text.lines().find_map(|line| line.split_once("KORAT_REPLAY=")).expect("there is a line to replay").1;
    let value = line.trim_matches(|c| c != '\'' && c != '"');
    let value = value.split(['\'', '"']).nth(1).or_else(|| line.split_whitespace().next()).expect("it has a value");
    let mut seen = Vec::new();
    Search::new(Graph::scope(2))
        .replay(value, |graph: Graph| seen.push(graph.mark.iter().filter(|mark| **mark).count()));
    assert_eq!(seen, [1]);
}

#[test]
fn an_element_beside_is_drawn_in_a_list() {
    let mut search = searcher(Settings::default());
    let graph = Graph {
        mark: vec![true, false],
        nodes: vec![Node { next: 1 }, Node { next: 1 }],
        note: vec![None, Some(true)],
    };
    let slots = search.abstract_value(&graph).expect("it is within the bounds");
    let outline = search.outline_of(&slots);
    let names: Vec<&str> = outline.objects[0].fields.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["nodes.len()", "nodes[0]", "nodes[1]", "mark[0]", "mark[1]", "note[0]", "note[1]"]);
    assert_eq!(outline.objects[0].arenas, ["nodes"]);
}

#[test]
fn marks_are_repaired_where_they_are() {
    let nodes: Vec<Node> = [1, 2, 3, 4, 0, 6, 7, 5].into_iter().map(|next| Node { next }).collect();
    let whole = Graph { mark: vec![true; 8], note: vec![Some(true); 8], nodes };
    assert!(whole.rep_ok());
    let mut broken = whole.clone();
    broken.nodes[3].next = 3;
    let repaired = korat::repair(&mut broken).expect("it can be repaired");
    assert!(RepOk::holds(&broken));
    assert_eq!(repaired.changes.len(), 1, "{repaired:?}");
    assert_eq!(broken.note, whole.note);
    // With the links kept, the mark has to go.
    let mut broken = whole.clone();
    broken.nodes[3].next = 3;
    let repaired = Repair::new().keep(korat::field!(Node.next)).repair(&mut broken).expect("it can be repaired");
    assert_eq!(repaired.changes.len(), 1, "{repaired:?}");
    assert_eq!((broken.mark[3], broken.nodes[3].next), (false, 3));
}

/// One column more than another, and a number that says how many elements there are.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Counted {
    #[finitize(index_of = next)]
    next: Vec<usize>,
    #[finitize(beside = next)]
    key: Vec<u8>,
    count: usize,
}

#[rep_ok]
impl Counted {
    fn rep_ok(&self) -> bool {
        self.count == self.key.len() && self.next.iter().zip(&self.key).all(|(&next, &key)| self.key[next] >= key)
    }
}

#[test]
fn a_repair_that_changes_the_length_changes_that_of_all_vectors() {
    for count in [2, 4] {
        let mut value = Counted { next: vec![0, 0, 0], key: vec![3, 2, 1], count };
        Repair::new().keep(korat::field!(Counted.count)).repair(&mut value).expect("it can be repaired");
        assert_eq!((value.next.len(), value.key.len()), (count, count), "{value:?}");
        assert!(value.rep_ok());
        assert_eq!(value.key[..2], [3, 2]);
    }
}

#[test]
fn a_large_value_is_repaired_twice() {
    for at in [17, 40] {
        let mut value = Counted { next: (0..100).collect(), key: vec![7; 100], count: 100 };
        value.next[at] = 3;
        value.key[3] = 2;
        assert!(!value.rep_ok());
        let repaired = korat::repair(&mut value).expect("it can be repaired");
        assert!(value.rep_ok());
        assert_eq!(repaired.changes.len(), 1, "{repaired:?}");
    }
}

/// A set whose members are said to belong to other elements.
#[derive(Clone, Debug, Finitize)]
struct Contradiction {
    keys: Vec<u8>,
    #[finitize(set, beside = keys)]
    values: Vec<u8>,
}

#[rep_ok]
impl Contradiction {
    fn rep_ok(&self) -> bool {
        self.keys.len() == self.values.len()
    }
}

#[test]
fn a_set_does_not_lie_beside_another_vector() {
    let error = Searcher::new(&Contradiction::scope(2), Settings::default()).err().expect("the bounds are wrong");
    let expected =
        "Contradiction.values is parallel to another vector, so it cannot be a set; remove `set` or `beside`";
    assert_eq!(error.to_string(), expected);
}
