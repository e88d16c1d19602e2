//! Predicates that do not always say the same about a part of the structure, so that it cannot be found out once.

use std::sync::atomic::{AtomicUsize, Ordering};

use korat::{Finitize, Report, Search, Summaries, rep_ok};

use super::message_of;

#[derive(Debug, Finitize)]
struct Node {
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

static CALLS: AtomicUsize = AtomicUsize::new(0);

/// Every third end of a branch is one too many.
#[derive(Debug, Finitize)]
struct Moody {
    root: Option<Box<Node>>,
}

#[rep_ok]
impl Moody {
    fn rep_ok(&self) -> bool {
        Self::is_liked(&self.root)
    }

    fn is_liked(link: &Option<Box<Node>>) -> bool {
        let Some(node) = link else { return !CALLS.fetch_add(1, Ordering::Relaxed).is_multiple_of(3) };
        Self::is_liked(&node.left) && Self::is_liked(&node.right)
    }
}

/// Asserts that a search asks, and that it does not take the predicate's fault for one of its own.
fn assert_asked(search: impl FnOnce(Search<Moody>) -> Report) {
    let message = message_of(|| search(Search::new(Moody::scope(4))));
    assert!(message.starts_with("rep_ok gave different verdicts on replay; is it deterministic? it "), "{message}");
    assert!(message.contains(", on the candidate\n  Moody { root: "), "{message}");
}

#[test]
fn other_verdicts_on_a_part() {
    assert_asked(|search| search.summaries(Summaries::Always).for_each(|_| true));
    assert_asked(|search| search.summaries(Summaries::Always).exact().for_each(|_| true));
    assert_asked(|search| search.sample(3).for_each(|_| true));
    assert_asked(|search| search.ranks(0..3).for_each(|_| true));
}
