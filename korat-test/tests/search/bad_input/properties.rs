//! Properties that fail, and searches that stop early, in the process of the test.

use super::*;

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Node {
    #[finitize(1..=2)]
    key: usize,
    next: Option<Box<Node>>,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct List {
    head: Option<Box<Node>>,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        let mut at = &self.head;
        while let Some(node) = at {
            at = &node.next;
        }
        true
    }
}

impl List {
    fn len(&self) -> usize {
        std::iter::successors(self.head.as_deref(), |node| node.next.as_deref()).count()
    }
}

/// What a failing run says of the value, without the places in this file.
fn told<R>(run: impl FnOnce() -> R) -> String {
    let text = message_of(run);
    let lines = text.lines().take_while(|line| !line.starts_with("replay:") && !line.starts_with("backtrace of"));
    lines.filter(|line| !line.starts_with("  at ")).collect::<Vec<_>>().join("\n").trim_end().to_string()
}

/// Lists of up to `scope` nodes, with two keys.
const VALID: [u64; 4] = [1, 3, 7, 15];

#[test]
fn a_failing_property_shows_the_structure() {
    let run = || korat::for_each_valid(List::scope(2), |list| assert!(list.len() < 2, "{} nodes", list.len()));
    insta::assert_snapshot!(told(run), @"
    property failed on structure #4, size 2, smallest failing: 2 nodes

    List
    `- head: Node { key: 1 }
       `- next: Node { key: 1 }

    List {
        head: Some(
            Node {
                key: 1,
                next: Some(
                    Node {
                        key: 1,
                        next: None,
                    },
                ),
            },
        ),
    }
    ");
}

#[test]
fn the_structure_is_shown_as_it_was_before_the_property_changed_it() {
    let run = || {
        korat::for_each_valid(List::scope(1), |mut list| {
            if let Some(node) = list.head.take() {
                assert_eq!(node.key, 0);
            }
        })
    };
    insta::assert_snapshot!(told(run), @"
    property failed on structure #2, size 1, smallest failing: assertion `left == right` failed
      left: 1
     right: 0

    List
    `- head: Node { key: 1 }

    List {
        head: Some(
            Node {
                key: 1,
                next: None,
            },
        ),
    }
    ");
}

#[test]
fn a_panic_without_a_text() {
    let run = || korat::for_each_valid(List::scope(0), |_| std::panic::panic_any(7));
    insta::assert_snapshot!(told(run), @"
    property failed on structure #1, size 0, smallest failing: a panic without a message

    List

    List {
        head: None,
    }
    ");
}

#[test]
fn a_failing_property_leaves_the_thread_usable() {
    for (scope, valid) in VALID.into_iter().enumerate() {
        message_of(|| korat::for_each_valid(List::scope(scope), |list| assert!(list.len() < scope)));
        assert_eq!(count(List::scope(scope)).valid, valid);
    }
}

#[test]
fn a_search_inside_a_property() {
    let mut pairs = 0;
    let outer = korat::for_each_valid(List::scope(2), |list| {
        let inner = korat::for_each_valid(List::scope(list.len()), |_| pairs += 1);
        assert_eq!(inner.valid, VALID[list.len()]);
    });
    assert_eq!((outer.valid, pairs), (7, 1 + 2 * 3 + 4 * 7));
}

#[test]
fn a_failing_search_inside_a_property() {
    let run = || {
        korat::for_each_valid(List::scope(2), |outer| {
            korat::for_each_valid(List::scope(1), |inner| assert_ne!(outer, inner));
        })
    };
    let text = message_of(run);
    let failed = "property failed on structure #1, size 0, smallest failing: ";
    let expected = format!("{failed}{failed}assertion `left != right`");
    assert!(text.starts_with(&expected), "{text}");
    assert!(text.ends_with("so far: 1 explored, 1 valid"), "{text}");
}

#[test]
fn an_iterator_resumes() {
    let mut lists = korat::valid(List::scope(2));
    let first: Vec<List> = lists.by_ref().take(3).collect();
    insta::assert_snapshot!(shown(&lists.report()), @"unfinished: 3 values of List at scope 2 so far; 2 candidates explored, 3 field initialisations, 0 undone, 2 candidates and 3 values checked");
    let mut nested = korat::valid(List::scope(1));
    assert_eq!(nested.next().as_ref(), first.first());
    let rest: Vec<List> = lists.by_ref().collect();
    assert_eq!((first.len(), rest.len(), nested.count()), (3, 4, 2));
    insta::assert_snapshot!(shown(&lists.report()), @"complete: all 7 values of List at scope 2; 3 candidates explored, 5 field initialisations, 1 undone, 3 candidates and 7 values checked");
    assert!(lists.next().is_none());
    assert!(first.iter().all(|list| !rest.contains(list)));
}

#[test]
fn a_limit_is_not_exhaustive() {
    let mut seen = 0;
    let report = Search::new(List::scope(3)).limit(4).for_each(|_| seen += 1);
    assert_eq!((seen, report.valid, report.is_complete()), (4, 4, false));
    insta::assert_snapshot!(shown(&report), @"stopped at the limit of 4 values of List at scope 3; NOT exhaustive; 3 candidates explored, 5 field initialisations, 1 undone, 3 candidates and 4 values checked");
}

#[test]
fn a_limit_that_is_not_reached() {
    let report = Search::new(List::scope(1)).limit(4).report();
    assert!(report.is_complete());
    insta::assert_snapshot!(shown(&report), @"complete: all 3 values of List at scope 1; 2 candidates explored, 3 field initialisations, 0 undone, 2 candidates and 3 values checked");
}

#[test]
fn a_limit_of_all_values_does_not_look_further() {
    let report = Search::new(List::scope(1)).limit(3).report();
    assert!(!report.is_complete());
    insta::assert_snapshot!(message_of(|| Search::new(List::scope(1)).limit(0).report()), @"a limit of 0 values runs the property on nothing; a limit is at least 1");
}

#[test]
fn one_representative_is_said_to_be_one() {
    let report = Search::new(List::scope(3)).unread(Unread::First).report();
    assert_eq!(report.valid, 4);
    insta::assert_snapshot!(shown(&report), @"complete: all 4 values of List at scope 3 (one representative for the fields that rep_ok never reads); 4 candidates explored, 7 field initialisations, 2 undone, 4 candidates and 4 values checked");
}

#[test]
fn numbers_are_grouped() {
    insta::assert_snapshot!(shown(&count(List::scope(10))), @"complete: all 2,047 values of List at scope 10; 11 candidates explored, 21 field initialisations, 9 undone, 11 candidates and 64 values checked");
}
