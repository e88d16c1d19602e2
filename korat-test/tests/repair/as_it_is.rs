//! The first thing that a repair does: it runs `rep_ok` on the value as it is, by its own machine. What is valid is not touched, whatever
//! lies in it; and whatever is wrong, the run ends, needs no stack, and prints nothing.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};

use korat::{Finitize, Interruption, Reason, Repair, field, rep_ok};

/// A list in a slab, whose nodes are counted by one that does not remember where it was.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Slab {
    nodes: Vec<SlabNode>,
    #[finitize(index_of = nodes)]
    head: Option<usize>,
    len: usize,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct SlabNode {
    #[finitize(index_of = nodes)]
    next: Option<usize>,
}

#[rep_ok]
impl Slab {
    fn rep_ok(&self) -> bool {
        let (mut at, mut count) = (self.head, 0);
        while let Some(index) = at {
            count += 1;
            at = self.nodes[index].next;
        }
        count == self.len && count == self.nodes.len()
    }
}

impl Slab {
    fn of(len: usize) -> Self {
        let nodes = (1..=len).map(|next| SlabNode { next: (next < len).then_some(next) }).collect();
        Slab { nodes, head: (len > 0).then_some(0), len }
    }
}

#[test]
fn it_is_said_where_it_loops() {
    let mut ring = Slab::of(10);
    ring.nodes[7].next = Some(2);
    let before = ring.clone();
    let why = korat::repair(&mut ring).expect_err("nobody has said when it loops");
    assert_eq!(ring, before);
    assert!(matches!(&why.reason, Reason::CannotRun(what) if what.contains("`.step_limit(n)`")), "{why}");
    let rejection = why.rejection.as_ref().expect("it was run");
    assert_eq!(rejection.interruption, Some(Interruption::Loop));
    assert!(["count += 1;", "at = self.nodes[index].next;"].contains(&rejection.text), "{why}");
}

#[test]
fn a_ring_in_a_list_that_is_only_counted() {
    for len in [10, 3_000] {
        for (from, to) in [(len - 3, 2), (len - 1, len - 1), (0, 0), (len / 2, 0)] {
            let mut ring = Slab::of(len);
            ring.nodes[from].next = Some(to);
            let repaired = Repair::new().step_limit(10 * len as u64).repair(&mut ring).expect("one link is wrong");
            assert!(ring == Slab::of(len), "{repaired}");
            assert!(
                repaired.to_string().contains("\nwhere it loops\nthe field read last is SlabNode.next\n"),
                "{repaired}"
            );
        }
    }
}

/// A list whose invariant calls itself for the rest.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Deep {
    nodes: Vec<DeepNode>,
    #[finitize(index_of = nodes)]
    head: Option<usize>,
    len: usize,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct DeepNode {
    #[finitize(index_of = nodes)]
    next: Option<usize>,
}

#[rep_ok]
impl Deep {
    fn rep_ok(&self) -> bool {
        self.count(self.head) == self.len
    }

    fn count(&self, at: Option<usize>) -> usize {
        match at {
            Some(index) => self.count(self.nodes[index].next) + 1,
            None => 0,
        }
    }
}

impl Deep {
    fn of(len: usize) -> Self {
        let Slab { nodes, head, len } = Slab::of(len);
        Deep { nodes: nodes.into_iter().map(|SlabNode { next }| DeepNode { next }).collect(), head, len }
    }
}

#[test]
fn calls_within_calls_take_no_stack() {
    let mut deep = Deep::of(300_000);
    assert!(korat::repair(&mut deep).expect("it is valid").is_unchanged());
    deep.len = 7;
    let repaired = korat::repair(&mut deep).expect("the length is wrong");
    assert_eq!((repaired.changes.len(), deep.len), (1, 300_000));
    // Of what it was run on, not all is told.
    let mut ring = Deep::of(3_000);
    ring.nodes[2_990].next = Some(2_980);
    let why = korat::repair(&mut ring).expect_err("it calls itself without end").to_string();
    assert!(why.contains("calls") && why.contains(".. and ") && why.len() < 10_000, "{}: {why}", why.len());
    let mut ring = Deep::of(100);
    ring.nodes[60].next = Some(40);
    let repaired = Repair::new().step_limit(1_000).repair(&mut ring).expect("one link is wrong");
    assert_eq!(ring, Deep::of(100), "{repaired}");
}

/// What its numbers say is looked at again and again.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Slow {
    numbers: Vec<u32>,
}

#[rep_ok]
impl Slow {
    /// Each number is there once.
    fn rep_ok(&self) -> bool {
        for (at, one) in self.numbers.iter().enumerate() {
            for other in &self.numbers[..at] {
                if one == other {
                    return false;
                }
            }
        }
        let mut rounds = 0_u64;
        while rounds < 120_000 * self.numbers.len() as u64 {
            rounds += 1;
        }
        true
    }
}

#[test]
fn one_that_takes_long_is_not_taken_to_loop() {
    let mut slow = Slow { numbers: (0..100).collect() };
    // Of so few fields it takes too long.
    let why = korat::repair(&mut slow).expect_err("it takes twelve million steps");
    assert!(matches!(why.reason, Reason::CannotRun(_)), "{why}");
    assert!(Repair::new().step_limit(20_000_000).repair(&mut slow).expect("it is valid").is_unchanged());
}

#[test]
fn time_is_looked_at_while_it_loops() {
    let mut ring = Slab::of(200_000);
    ring.nodes[150_000].next = Some(3);
    let begun = Instant::now();
    let why = Repair::new().time_limit(Duration::from_millis(1)).repair(&mut ring).expect_err("it loops");
    assert_eq!(why.reason, Reason::TimeLimit);
    // Two billion steps would be allowed otherwise.
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    assert_eq!(ring.nodes[150_000].next, Some(3));
}

#[test]
fn a_valid_value_is_valid_whatever_the_limits_are() {
    let repair = || Repair::new().max_tries(0).max_changes(0).time_limit(Duration::ZERO);
    let mut slab = Slab::of(5);
    assert!(repair().repair(&mut slab).expect("it is valid").is_unchanged());
    slab.len = 4;
    assert_eq!(repair().repair(&mut slab).expect_err("it is not").reason, Reason::TimeLimit);
}

/// An index that leads out of its arena stands for none.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Open {
    nodes: Vec<OpenNode>,
    count: usize,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct OpenNode {
    #[finitize(index_of = nodes)]
    next: usize,
}

#[rep_ok]
impl Open {
    fn rep_ok(&self) -> bool {
        let (mut at, mut count) = (0, 0);
        while let Some(node) = self.nodes.get(at) {
            count += 1;
            if count > self.nodes.len() {
                return false;
            }
            at = node.next;
        }
        count == self.count
    }
}

#[test]
fn an_index_that_leads_out_of_its_arena_may_be_right() {
    let open = || Open { nodes: [1, 2, 3, 900].map(|next| OpenNode { next }).into(), count: 4 };
    let mut value = open();
    assert!(korat::repair(&mut value).expect("it is valid").is_unchanged());
    assert_eq!(value, open());
}

/// A list that knows the hash of what korat knows nothing of.
#[derive(Debug, PartialEq, Finitize)]
struct Words {
    first: Option<Box<Word>>,
    count: u32,
}

#[derive(Debug, PartialEq, Finitize)]
struct Word {
    #[finitize(skip = "new".to_string())]
    text: String,
    length: usize,
    next: Option<Box<Word>>,
}

#[rep_ok]
impl Words {
    fn rep_ok(&self) -> bool {
        let (mut at, mut count) = (&self.first, 0);
        while let Some(word) = at {
            if word.text.len() != word.length || Words::hashed(&word.text) == 0 {
                return false;
            }
            count += 1;
            at = &word.next;
        }
        count == self.count
    }

    fn hashed(text: &str) -> u64 {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        hasher.finish()
    }
}

fn words(texts: &[&str]) -> Words {
    let mut words = Words { first: None, count: texts.len() as u32 };
    for text in texts.iter().rev() {
        words.first = Some(Box::new(Word { text: text.to_string(), length: text.len(), next: words.first.take() }));
    }
    words
}

#[test]
fn what_is_left_out_is_seen_as_it_is() {
    let texts = ["a", "few", "words", "of", "different", "lengths"];
    for turn in 0..4 {
        let mut valid = words(&texts[turn..]);
        assert!(korat::repair(&mut valid).expect("it is valid").is_unchanged());
        let mut wrong = words(&texts[turn..]);
        let second = wrong.first.as_mut().and_then(|first| first.next.as_mut()).expect("there are two");
        second.length = 1;
        let repaired = korat::repair(&mut wrong).expect("a length is wrong");
        assert_eq!(wrong, words(&texts[turn..]), "{repaired}");
        // A new one has what `skip` says.
        let mut short = words(&texts[turn..]);
        short.count += 1;
        let repaired = Repair::new().keep(field!(Words.count)).repair(&mut short).expect("a word is missing");
        assert!(short.rep_ok(), "{repaired}\n{short:?}");
        assert_eq!(repaired.added, ["Word"]);
    }
    // Nothing of that is left to those who search.
    let mut values = 0;
    korat::for_each_valid(Words::scope(3), |words| {
        let mut at = &words.first;
        while let Some(word) = at {
            assert_eq!(word.text, "new");
            at = &word.next;
        }
        values += 1;
    });
    assert_eq!(values, 4);
}
