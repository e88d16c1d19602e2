//! Invariants at fault: they panic, loop, recurse without end, are not deterministic, or accept what is no value.

use super::*;

#[derive(Debug, Finitize)]
struct Link {
    next: Option<Rc<RefCell<Link>>>,
}

#[derive(Debug, Finitize)]
struct Fragile {
    head: Option<Rc<RefCell<Link>>>,
    #[finitize(1..=3)]
    len: usize,
}

#[rep_ok]
impl Fragile {
    fn rep_ok(&self) -> bool {
        let Some(first) = &self.head else { return false };
        assert!(self.len < 2, "the length is {}", self.len);
        first.borrow().next.is_none()
    }
}

#[derive(Debug, Finitize)]
struct Ring {
    head: Option<Rc<RefCell<Link>>>,
    #[finitize(1..=2)]
    len: usize,
}

#[rep_ok]
impl Ring {
    fn rep_ok(&self) -> bool {
        let mut len = 0;
        let mut at = self.head.clone();
        while let Some(link) = at {
            len += 1;
            at = link.borrow().next.clone();
        }
        len == self.len
    }
}

#[derive(Debug, Finitize)]
struct DeepRing {
    head: Option<Rc<RefCell<Link>>>,
}

#[rep_ok]
impl DeepRing {
    fn rep_ok(&self) -> bool {
        Self::depth(&self.head) == 1
    }

    fn depth(link: &Option<Rc<RefCell<Link>>>) -> usize {
        match link {
            Some(link) => 1 + Self::depth(&link.borrow().next),
            None => 0,
        }
    }
}

#[derive(Debug, Finitize)]
struct ChainedRing {
    head: Option<Rc<RefCell<Link>>>,
}

#[rep_ok]
impl ChainedRing {
    fn rep_ok(&self) -> bool {
        std::iter::successors(self.head.clone(), |link| link.borrow().next.clone()).count() == 1
    }
}

#[derive(Debug, Finitize)]
struct Stuck {
    flag: bool,
}

#[rep_ok]
impl Stuck {
    fn rep_ok(&self) -> bool {
        let mut at = 0u8;
        while self.flag && at < 3 {
            at = (at + 1) % 2;
        }
        true
    }
}

static RUNS: AtomicUsize = AtomicUsize::new(0);

#[derive(Debug, Finitize)]
struct Moody {
    left: bool,
    right: bool,
}

#[rep_ok]
impl Moody {
    fn rep_ok(&self) -> bool {
        if RUNS.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) { self.left } else { self.right }
    }
}

#[derive(Debug, Finitize)]
struct Forgetful {
    left: bool,
}

static LOOKS: AtomicUsize = AtomicUsize::new(0);

#[rep_ok]
impl Forgetful {
    fn rep_ok(&self) -> bool {
        LOOKS.fetch_add(1, Ordering::Relaxed) == 0 && self.left
    }
}

#[derive(Debug, Finitize)]
struct Leaf {
    key: bool,
}

#[derive(Debug, Finitize)]
struct Twins {
    left: Option<Box<Leaf>>,
    right: Option<Box<Leaf>>,
}

#[rep_ok]
impl Twins {
    fn rep_ok(&self) -> bool {
        self.left.is_some() && self.right.is_some()
    }
}

#[derive(Debug, Finitize)]
struct Knot {
    next: Option<Rc<Knot>>,
}

#[derive(Debug, Finitize)]
struct Rope {
    start: Rc<Knot>,
}

#[rep_ok]
impl Rope {
    fn rep_ok(&self) -> bool {
        self.start.next.is_some()
    }
}

#[derive(Debug, Finitize)]
struct Impossible {
    #[finitize(0..=2)]
    low: usize,
    #[finitize(0..=2)]
    high: usize,
}

#[rep_ok]
impl Impossible {
    fn rep_ok(&self) -> bool {
        self.low > 1 && self.high < self.low && self.high > self.low
    }
}

#[derive(Debug, Finitize)]
struct NeverLooks {
    flag: bool,
}

#[rep_ok]
impl NeverLooks {
    fn rep_ok(&self) -> bool {
        false
    }
}

#[test]
fn panic_comes_with_the_candidate() {
    insta::assert_snapshot!(message_of(|| count(Fragile::scope(2))), @"
    rep_ok panicked: the length is 2
    on the candidate
      Fragile { head: Link#0, len: 2 }
      Link#0 (nothing read)
    so far 4 explored, 1 valid
    ");
}

#[test]
fn loop_on_a_cyclic_candidate() {
    insta::assert_snapshot!(message_of(|| count(Ring::scope(2))), @"
    rep_ok took 10000000 steps without reading a new field; it seems to loop on the candidate
      Ring { head: Link#0 }
      Link#0 { next: Link#0 }
    note: a structure may be cyclic until rep_ok says it is not; remember the visited nodes, or raise the limit with `.step_limit(n)`
    so far 4 explored, 1 valid
    ");
}

#[test]
fn step_limit_is_adjustable() {
    insta::assert_snapshot!(message_of(|| Search::new(Ring::scope(2)).step_limit(100).report()), @"
    rep_ok took 100 steps without reading a new field; it seems to loop on the candidate
      Ring { head: Link#0 }
      Link#0 { next: Link#0 }
    note: a structure may be cyclic until rep_ok says it is not; remember the visited nodes, or raise the limit with `.step_limit(n)`
    so far 4 explored, 1 valid
    ");
}

#[test]
fn loop_without_any_read() {
    insta::assert_snapshot!(message_of(|| Search::new(Stuck::scope(2)).step_limit(1000).report()), @"
    rep_ok took 1000 steps without reading a new field; it seems to loop on the candidate
      Stuck { flag: true }
    note: a structure may be cyclic until rep_ok says it is not; remember the visited nodes, or raise the limit with `.step_limit(n)`
    so far 1 explored, 1 valid
    ");
}

#[test]
fn recursion_on_a_cyclic_candidate() {
    // The stack that a test thread has by default.
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    let thread = thread.spawn(|| message_of(|| count(DeepRing::scope(2)))).expect("a thread starts");
    insta::assert_snapshot!(thread.join().expect("no stack overflow"), @"
    rep_ok recursed through 2000000 calls; it seems to recurse without end on the candidate
      DeepRing { head: Link#0 }
      Link#0 { next: Link#0 }
    note: a structure may be cyclic until rep_ok says it is not; remember the visited nodes
    so far 2 explored, 1 valid
    ");
}

#[test]
fn stack_limit_is_adjustable() {
    let search = Search::new(DeepRing::scope(2)).stack_limit(100_000).backtracking(Backtracking::Reexecute);
    insta::assert_snapshot!(message_of(|| search.report()), @"
    rep_ok recursed through 100000 bytes of stack; it seems to recurse without end on the candidate
      DeepRing { head: Link#0 }
      Link#0 { next: Link#0 }
    note: a structure may be cyclic until rep_ok says it is not; remember the visited nodes, or raise the limit with `.stack_limit(bytes)`
    so far 2 explored, 1 valid
    ");
}

#[test]
fn loop_inside_an_iterator() {
    let search = Search::new(ChainedRing::scope(1)).step_limit(1000);
    assert!(message_of(|| search.report()).starts_with("rep_ok took 1000 steps"));
}

#[test]
fn other_fields_on_replay() {
    // Re-entered at its last read, the predicate is not asked again which field it wants; what checks the search runs it once more.
    let unchecked = || Search::new(Moody::scope(1)).self_check(SelfCheck::Off);
    let search = || unchecked().backtracking(Backtracking::Reexecute);
    insta::assert_snapshot!(message_of(|| search().report()), @"
    rep_ok read different fields on replay; is it deterministic? it read Moody.left before and Moody.right now, on the candidate
      Moody { left: true }
    so far 1 explored, 0 valid
    ");
}

#[test]
fn no_field_on_replay() {
    insta::assert_snapshot!(message_of(|| count(Forgetful::scope(1))), @"
    rep_ok read different fields on replay at korat-test/tests/search/bad_input/invariants.rs:118; is it deterministic? it read Forgetful.left before and nothing more now, on the candidate
      Forgetful { left: false }
    so far 0 explored, 0 valid
    ");
}

#[test]
fn two_boxes_own_one_object() {
    insta::assert_snapshot!(message_of(|| Search::new(Twins::scope(2)).pruning(Pruning::Classic).report()), @"
    rep_ok accepts a shape that the type cannot hold: Leaf#0 is owned by both Twins.left and Twins.right
      Twins { left: Leaf#0, right: Leaf#0 }
      Leaf#0 (nothing read)
    note: reject it in rep_ok, or search with `Pruning::Ownership`, which never tries it
    so far 3 explored, 0 valid
    ");
    assert_eq!(count(Twins::scope(2)).valid, 4);
}

#[test]
fn cycle_of_pointers_that_cannot_be_set() {
    insta::assert_snapshot!(message_of(|| Search::new(Rope::scope(2)).pruning(Pruning::Classic).report()), @"
    rep_ok accepts a shape that the type cannot hold: Knot#0 leads back to itself through references that cannot be set after they were made
      Rope { start: Knot#0 }
      Knot#0 { next: Knot#0 }
    note: reject it in rep_ok, or search with `Pruning::Ownership`, which never tries it
    so far 2 explored, 0 valid
    ");
    assert_eq!(count(Rope::scope(2)).valid, 1);
}

#[test]
fn no_valid_value_says_what_was_read_last() {
    insta::assert_snapshot!(message_of(|| count(Impossible::scope(2))), @"
    no valid value of Impossible at scope 2: rep_ok rejected every candidate (5 of them); read last before the rejection: Impossible.high (60 %), Impossible.low (40 %)
    note: if that is right, say so with `.allow_empty(true)`
    ");
    assert_eq!(Search::new(Impossible::scope(2)).allow_empty(true).count(), 0);
}

#[test]
fn no_valid_value_and_no_read_at_all() {
    insta::assert_snapshot!(message_of(|| korat::for_each_valid(NeverLooks::scope(2), drop)), @"
    no valid value of NeverLooks at scope 2: rep_ok rejected every candidate (1 of them); read last before the rejection: no field at all (100 %)
    note: if that is right, say so with `.allow_empty(true)`
    ");
}

#[test]
fn an_iterator_may_be_empty() {
    assert_eq!(korat::valid(Impossible::scope(2)).count(), 0);
}

#[test]
fn a_refused_invariant_leaves_the_thread_usable() {
    message_of(|| count(Fragile::scope(2)));
    message_of(|| Search::new(Ring::scope(2)).step_limit(100).report());
    message_of(|| count(DeepRing::scope(2)));
    message_of(|| Search::new(Twins::scope(2)).pruning(Pruning::Classic).report());
    assert_eq!(count(Twins::scope(2)).valid, 4);
}

/// A stack whose destructor relies on more than `rep_ok` says.
#[derive(Debug, Finitize)]
struct Stack {
    items: Vec<bool>,
}

#[rep_ok]
impl Stack {
    fn rep_ok(&self) -> bool {
        self.items.len() < 2
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        assert!(!self.items.is_empty(), "no items");
    }
}

#[test]
fn a_destructor_that_panics_on_an_accepted_value() {
    insta::assert_snapshot!(message_of(|| Search::new(Stack::scope(1)).report()), @"
    rep_ok panicked: in a destructor, on a value that it accepts: no items
    on the candidate
      Stack { items.len(): 0 }
    so far 1 explored, 1 valid
    ");
}
