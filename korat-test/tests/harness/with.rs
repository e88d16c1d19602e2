//! Properties of several values at once: every combination, once; failures that can be replayed, kept and pasted.

use std::collections::BTreeSet;

use korat::{Error, Finitize, Order, PropertyFailed, Search, for_each_valid, rep_ok};

#[derive(Debug, Finitize)]
struct Node {
    #[finitize(0..=1)]
    key: u8,
    next: Option<Box<Node>>,
}

/// Neither it nor its nodes can be cloned.
#[derive(Debug, Finitize)]
struct List {
    head: Option<Box<Node>>,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        let mut at = &self.head;
        while let Some(node) = at {
            if node.next.as_ref().is_some_and(|next| next.key < node.key) {
                return false;
            }
            at = &node.next;
        }
        true
    }
}

impl List {
    fn keys(&self) -> Vec<u8> {
        std::iter::successors(self.head.as_deref(), |node| node.next.as_deref()).map(|node| node.key).collect()
    }

    /// Has a bug: looks at the first key only.
    fn contains(&self, key: u8) -> bool {
        self.head.as_ref().is_some_and(|node| node.key == key)
    }

    fn append(&mut self, other: List) {
        let mut at = &mut self.head;
        while let Some(node) = at {
            at = &mut node.next;
        }
        *at = other.head;
    }
}

/// Rising lists of at most `most` zeros and ones.
fn lists(most: usize) -> usize {
    (0..=most).map(|len| len + 1).sum()
}

fn failed(result: Result<korat::Report, Error>) -> PropertyFailed {
    match result.expect_err("the property fails") {
        Error::Property(failed) => failed,
        other => panic!("{other}"),
    }
}

#[test]
fn every_combination_comes_once() {
    let mut met = BTreeSet::new();
    let report = for_each_valid((List::scope(3), 5..=7_u16), |(list, key)| assert!(met.insert((list.keys(), key))));
    assert_eq!(
        (report.valid as usize, report.combinations as usize, met.len()),
        (lists(3), lists(3) * 3, lists(3) * 3)
    );
    assert!(
        report.to_string().starts_with("complete: all 10 values of List at scope 3 in 30 combinations;"),
        "{report}"
    );
}

/// Each structure has as many objects as its own bounds say.
#[test]
fn structures_have_objects_of_their_own() {
    let mut met = BTreeSet::new();
    let report = for_each_valid((List::scope(2), List::scope(3)), |(mut one, other)| {
        let (first, second) = (one.keys(), other.keys());
        one.append(other);
        assert_eq!(one.keys(), [&first[..], &second[..]].concat());
        assert!(met.insert((first, second)));
    });
    assert_eq!((report.combinations as usize, met.len()), (lists(2) * lists(3), lists(2) * lists(3)));
}

#[test]
fn three_at_once() {
    let mut met = Vec::new();
    for_each_valid((List::scope(1), List::scope(1), [true, false]), |(one, other, flag)| {
        met.push((one.keys(), other.keys(), flag));
    });
    assert_eq!(met.len(), 3 * 3 * 2);
    assert_eq!(met[..3], [(vec![], vec![], true), (vec![], vec![], false), (vec![], vec![0], true)]);
    assert_eq!(met.iter().collect::<BTreeSet<_>>().len(), met.len());
}

#[test]
fn the_settings_are_those_of_the_search() {
    let report = Search::new(List::scope(4)).order(Order::AsFound).limit(2).with(vec!["a", "b"]).for_each(|_| true);
    assert_eq!((report.valid, report.combinations, report.is_complete()), (2, 4, false));
    Search::new(List::scope(4)).exact().expect_count(5).with(0..2).for_each(|(list, _)| list.keys().len() == 4);
}

#[test]
fn a_failure_shows_all_values_and_how_to_replay_them() {
    let holds = |(list, key): (List, u8)| list.contains(key) == list.keys().contains(&key);
    let search = || Search::new(List::scope(2)).regressions(false).with(0..=1_u8);
    let failure = &failed(search().try_for_each(holds)).failures[0];
    assert_eq!(failure.replay, "List,u8:2:1.0.2.1.0+1");
    // The fifth list, with the second key.
    let message = search().try_for_each(holds).expect_err("the property fails").to_string();
    assert!(message.starts_with("property failed on structure #5, combination #10, size 2"), "{message}");
    assert_eq!(failure.drawing, "List\n`- head: Node { key: 0 }\n   `- next: Node { key: 1 }\nwith\n1\n");
    assert!(failure.debug.starts_with("(List {") && failure.debug.ends_with("}, 1)"), "{}", failure.debug);
    let mut replayed = Vec::new();
    let report = search().replay(&failure.replay, |(list, key)| replayed.push((list.keys(), key)));
    assert_eq!((replayed, report.is_complete()), (vec![(vec![0, 1], 1)], false));
}

#[test]
fn two_structures_are_replayed() {
    let holds = |(one, other): (List, List)| one.keys().len() + other.keys().len() < 3;
    let search = || Search::new(List::scope(2)).regressions(false).with(List::scope(2));
    let failure = &failed(search().try_for_each(holds)).failures[0];
    let text = "List\n`- head: Node { key: 0 }\nwith\nList\n`- head: Node { key: 0 }\n   `- next: Node { key: 0 }\n";
    assert_eq!(failure.drawing, text);
    let mut replayed = Vec::new();
    search().replay(&failure.replay, |(one, other)| replayed.push((one.keys(), other.keys())));
    assert_eq!(replayed, [(vec![0], vec![0, 0])]);
}

#[test]
fn what_is_no_combination_is_refused() {
    let refused = |text: &str| {
        let replay = || Search::new(List::scope(2)).with(0..=1_u8).replay(text, |_| ());
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(replay)).expect_err(text);
        panic.downcast_ref::<String>().cloned().unwrap_or_default()
    };
    for text in
        ["List,u8:2:0+2", "List,u8:2:0", "List,u8:2:0+1+1", "List,u8:2:0+1.1", "List,u8:2:0+", "List,u8:2:0+2/1"]
    {
        assert!(refused(text).contains("there are no such values beside it"), "{text}: {}", refused(text));
    }
    assert!(refused("List:2:0").contains("is a value of List, not of List,u8"), "{}", refused("List:2:0"));
    assert!(refused("List,u8:2:0+x").contains("slots are numbers"), "{}", refused("List,u8:2:0+x"));
}

#[test]
fn without_values_beside_the_property_never_runs() {
    let error = Search::new(List::scope(2)).with(Vec::<u8>::new()).try_for_each(|_| true).expect_err("there are none");
    assert!(error.to_string().contains("there is no value of u8 for it"), "{error}");
}

/// The scope of each structure is part of the text, so that it decodes whatever the scope of the test is.
#[test]
fn a_structure_is_replayed_at_its_own_scope() {
    let mut replayed = Vec::new();
    let search = || Search::new(List::scope(1)).with(List::scope(1)).with([7, 8]);
    search().replay("List,List,i32:2:0+3/1.0.2.0.3.0.0+1", |(one, other, number)| {
        replayed.push((one.keys(), other.keys(), number));
    });
    assert_eq!(replayed, [(vec![], vec![0, 0, 0], 8)]);
    let failure =
        &failed(search().try_for_each(|(_, other, number)| other.keys().is_empty() || number < 8)).failures[0];
    assert_eq!(failure.replay, "List,List,i32:1:0+1/1.0.0+1");
}
