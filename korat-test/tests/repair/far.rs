//! Repairs in long values: choices far from a rejection share the statement that they re-enter, and the last ones are gone over once more.
//! What is changed, and what is said of it, is the same as in short values, and the same as when everything is run from the top.

use std::collections::{BTreeMap, HashMap, HashSet};

use korat::{Backtracking, Finitize, Interruption, RepOk, Repair, field, rep_ok};

/// Repairs a value in both ways; gives the changes.
fn repaired<T: Finitize + RepOk + Clone + PartialEq + std::fmt::Debug>(value: &mut T) -> Vec<String> {
    let mut other = value.clone();
    let changes = |mode, value: &mut T| -> Vec<String> {
        let repaired = Repair::new().backtracking(mode).repair(value).unwrap_or_else(|why| panic!("{why}"));
        repaired.changes.iter().map(ToString::to_string).collect()
    };
    let found = changes(Backtracking::Checkpoint, value);
    assert_eq!(found, changes(Backtracking::Reexecute, &mut other));
    assert_eq!(*value, other);
    assert!(value.holds());
    found
}

/// Two numbers that are compared long after they were read, one of them in the middle.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Ledger {
    first: u32,
    amounts: Vec<u32>,
    middle: u32,
}

#[rep_ok]
impl Ledger {
    fn rep_ok(&self) -> bool {
        let first = self.first;
        let (mut middle, mut sum) = (0, 0);
        for (at, &amount) in self.amounts.iter().enumerate() {
            if amount > 9 {
                return false;
            }
            sum += amount;
            if at == self.amounts.len() / 2 {
                middle = self.middle;
                if middle != sum {
                    return false;
                }
            }
        }
        self.amounts.first().is_some_and(|&amount| amount == first) && middle <= sum
    }
}

fn ledger() -> Ledger {
    let amounts: Vec<u32> = (0..1000).map(|at| (at + 7) % 10).collect();
    Ledger { first: 7, middle: amounts[..=500].iter().sum(), amounts }
}

#[test]
fn what_was_read_long_before_is_changed() {
    assert!(ledger().rep_ok());
    let mut wrong = Ledger { first: 3, ..ledger() };
    assert_eq!(repaired(&mut wrong), ["first: 3 -> 7"]);
    let mut wrong = Ledger { middle: 12, ..ledger() };
    assert_eq!(repaired(&mut wrong), [format!("middle: 12 -> {}", ledger().middle)]);
    assert_eq!(wrong, ledger());
}

/// Counts that are read before what they count.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct List {
    len: usize,
    sum: u32,
    head: Option<Box<Node>>,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Node {
    key: u32,
    next: Option<Box<Node>>,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        let (len, sum) = (self.len, self.sum);
        let (mut at, mut count, mut total) = (&self.head, 0, 0);
        while let Some(node) = at {
            (count, total) = (count + 1, total + node.key);
            at = &node.next;
        }
        count == len && total == sum
    }
}

#[test]
fn counts_that_are_read_first_are_changed_and_nothing_else() {
    for nodes in [3, 30, 300] {
        let mut head = None;
        for key in 0..nodes {
            head = Some(Box::new(Node { key: 10 + key % 5, next: head }));
        }
        let list = List { len: nodes as usize, sum: (0..nodes).map(|key| 10 + key % 5).sum(), head };
        let (len, sum) = (format!("len: 2 -> {}", list.len), format!("sum: 7 -> {}", list.sum));
        assert_eq!(repaired(&mut List { len: 2, ..list.clone() }), std::slice::from_ref(&len));
        assert_eq!(repaired(&mut List { sum: 7, ..list.clone() }), std::slice::from_ref(&sum));
        assert_eq!(repaired(&mut List { len: 2, sum: 7, ..list }), [len, sum]);
    }
}

#[test]
fn faults_far_from_each_other_are_repaired_one_by_one() {
    let mut wrong = ledger();
    for at in [1, 63, 64, 65, 130, 300, 499] {
        wrong.amounts[at] = 1000;
    }
    let changes = repaired(&mut wrong);
    // The sum is that of the amounts as they are then.
    assert!(changes.len() <= 8, "{changes:?}");
}

/// Everything that a predicate may keep between two reads: its own containers, frames of a recursion, closures.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Index {
    words: Vec<Word>,
    longest: usize,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Word {
    #[finitize(0..=scope)]
    letter: usize,
    #[finitize(index_of = words)]
    next: Option<usize>,
    #[finitize(0..=scope)]
    place: usize,
}

#[rep_ok]
impl Index {
    fn rep_ok(&self) -> bool {
        let mut seen = HashSet::new();
        let mut by_letter: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut places = BTreeMap::new();
        let is_small = |letter: usize| letter < 4;
        let mut at = if self.words.is_empty() { None } else { Some(0) };
        while let Some(here) = at {
            let Some(word) = self.words.get(here) else { return false };
            if !seen.insert(here) || !is_small(word.letter) {
                return false;
            }
            by_letter.entry(word.letter).or_default().push(here);
            if places.insert(word.place, here).is_some() {
                return false;
            }
            at = word.next;
        }
        let most = by_letter.values().map(Vec::len).max().unwrap_or(0);
        self.count(0) == self.words.len() && seen.len() == self.words.len() && most == self.longest
    }

    fn count(&self, from: usize) -> usize {
        match self.words.get(from) {
            Some(word) => 1 + word.next.map_or(0, |next| self.count(next)),
            None => 0,
        }
    }
}

fn index(len: usize) -> Index {
    let word = |at: usize| Word { letter: at % 4, next: (at + 1 < len).then_some(at + 1), place: (at * 7) % len };
    Index { words: (0..len).map(word).collect(), longest: len.div_ceil(4) }
}

#[test]
fn what_a_predicate_keeps_is_as_it_was_wherever_it_goes_on() {
    let len = 400;
    assert!(index(len).rep_ok());
    let mut wrong = index(len);
    wrong.longest = 3;
    assert_eq!(repaired(&mut wrong), ["longest: 3 -> 100"]);
    for at in [5, 64, 70, 200, 333] {
        let mut wrong = index(len);
        wrong.words[at].next = Some(at - 3);
        assert_eq!(repaired(&mut wrong), [format!("words[{at}].next: Some({}) -> Some({})", at - 3, at + 1)]);
        let mut wrong = index(len);
        wrong.words[at].letter = 77;
        // Which letter it was, nothing says but the counts.
        assert!(repaired(&mut wrong).len() <= 4);
    }
    let mut wrong = index(len);
    for at in [90, 180, 270] {
        wrong.words[at].next = None;
    }
    assert_eq!(repaired(&mut wrong).len(), 3);
    assert_eq!(wrong, index(len));
}

#[test]
fn it_is_known_which_line_rejects_however_long_it_took() {
    let rejection = |len: usize| {
        let mut wrong = index(len);
        wrong.longest = 0;
        let why = Repair::new().keep(field!(Index.longest)).max_tries(50).repair(&mut wrong).unwrap_err();
        assert_eq!(wrong, Index { longest: 0, ..index(len) });
        why.rejection.expect("the value was run")
    };
    let (short, long) = (rejection(3), rejection(500));
    assert!(short.text.starts_with("self.count(0) == self.words.len()"), "{short:?}");
    assert_eq!(short, long);
}

/// A predicate that panics where it should reject.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Chain {
    links: Vec<Link>,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Link {
    #[finitize(index_of = links)]
    next: usize,
}

#[rep_ok]
impl Chain {
    fn rep_ok(&self) -> bool {
        let mut seen = HashSet::new();
        let mut at = 0;
        while seen.insert(at) {
            at = self.links[at].next;
        }
        at == 0 && seen.len() == self.links.len()
    }
}

#[test]
fn a_panic_is_a_rejection_and_is_repaired() {
    let chain = |len: usize| Chain { links: (0..len).map(|at| Link { next: (at + 1) % len }).collect() };
    for len in [3, 40, 300] {
        for at in [0, len / 2, len - 1] {
            let mut wrong = chain(len);
            wrong.links[at].next = 900;
            assert_eq!(repaired(&mut wrong), [format!("links[{at}].next: 900 -> {}", (at + 1) % len)]);
            assert_eq!(wrong, chain(len));
        }
    }
}

/// Parts that are checked by assertions.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Shares {
    parts: Vec<u32>,
}

#[rep_ok]
impl Shares {
    fn rep_ok(&self) -> bool {
        for &part in &self.parts {
            assert!(part <= 100, "a part is {part} percent");
        }
        true
    }
}

#[test]
fn it_is_said_what_it_has_panicked_with() {
    let mut wrong = Shares { parts: vec![7; 500] };
    wrong.parts[400] = 101;
    assert_eq!(repaired(&mut wrong.clone()), ["parts[400]: 101 -> 100"]);
    let why = Repair::new().keep(field!(Shares.parts)).max_tries(50).repair(&mut wrong).unwrap_err();
    assert_eq!(wrong.parts[400], 101);
    let rejection = why.rejection.as_ref().expect("the value was run");
    assert_eq!(rejection.interruption, Some(Interruption::Panic("a part is 101 percent".to_string())));
    assert!(
        why.to_string().contains("\nby a panic: a part is 101 percent\nthe field read last is Shares.parts"),
        "{why}"
    );
}
