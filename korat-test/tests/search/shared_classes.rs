//! Summaries of classes with shared objects that are no trees of nodes: boxes that nothing opens, nodes without cells.

use std::rc::{Rc, Weak};

use korat::{Finitize, Search, Summaries, rep_ok};

#[derive(Debug, Finitize)]
struct Leaf {
    flag: bool,
}

#[derive(Debug, Finitize)]
struct Holder {
    leaf: Option<Rc<Leaf>>,
}

#[derive(Debug, Finitize)]
struct Unopened {
    one: Option<Box<Holder>>,
    two: Option<Box<Holder>>,
}

#[rep_ok]
impl Unopened {
    fn rep_ok(&self) -> bool {
        true
    }
}

/// Boxes that nothing opens may hold one object.
#[test]
fn boxes_that_nothing_opens() {
    let values = |how: Summaries| {
        let report = Search::new(Unopened::scope(2)).exact().summaries(how).for_each(|_| {});
        (report.valid, report.summaries.and_then(|summaries| summaries.why_not))
    };
    let (summarised, searched) = (values(Summaries::Always), values(Summaries::Never));
    assert_eq!(summarised.0, searched.0, "{:?}", summarised.1);
}

#[derive(Debug, Finitize)]
struct Frozen {
    #[finitize(0..=2)]
    key: usize,
    left: Option<Rc<Frozen>>,
    right: Option<Rc<Frozen>>,
    parent: Weak<Frozen>,
}

#[derive(Debug, Finitize)]
struct FrozenTree {
    root: Option<Rc<Frozen>>,
}

#[rep_ok]
impl FrozenTree {
    fn rep_ok(&self) -> bool {
        Self::check(&self.root, None, None, None)
    }
    fn check(node: &Option<Rc<Frozen>>, above: Option<&Rc<Frozen>>, lo: Option<usize>, hi: Option<usize>) -> bool {
        let Some(n) = node else { return true };
        let is_child = match (n.parent.upgrade(), above) {
            (None, None) => true,
            (Some(parent), Some(above)) => Rc::ptr_eq(&parent, above),
            _ => false,
        };
        is_child
            && lo.is_none_or(|lo| n.key > lo)
            && hi.is_none_or(|hi| n.key < hi)
            && Self::check(&n.left, Some(n), lo, Some(n.key))
            && Self::check(&n.right, Some(n), Some(n.key), hi)
    }
}

#[test]
fn frozen_trees() {
    let values = |how: Summaries| {
        let mut values = Vec::new();
        let report = Search::new(FrozenTree::scope(3))
            .exact()
            .summaries(how)
            .for_each(|value| values.push(format!("{value:?}")));
        values.sort();
        (values, report.summaries.and_then(|summaries| summaries.why_not))
    };
    let (summarised, searched) = (values(Summaries::Always), values(Summaries::Never));
    assert_eq!(summarised, (searched.0, None));
}
