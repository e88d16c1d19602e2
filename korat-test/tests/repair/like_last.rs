//! A repair may take up what the last one has made, and must not be another one for it: every value is repaired as it is in a thread
//! that has repaired nothing before.

use korat::{Finitize, RepOk, Repair, field, rep_ok};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Link {
    #[finitize(index_of = links)]
    next: Option<usize>,
    key: u32,
    marks: Vec<bool>,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Chain {
    links: Vec<Link>,
    #[finitize(index_of = links)]
    first: Option<usize>,
    len: usize,
    /// Where it is `strict`, the only value that it may have is not compared with it, so that its bounds decide what it becomes.
    odd: u32,
    strict: bool,
    /// Where this is so, it is compared with that value.
    exact: bool,
}

#[rep_ok]
impl Chain {
    /// All links are in the chain, which ends.
    fn rep_ok(&self) -> bool {
        let (mut at, mut len) = (self.first, 0);
        while let Some(number) = at {
            let Some(link) = self.links.get(number) else { return false };
            len += 1;
            if len > self.links.len() || link.marks.len() > 3 || (link.key > 5_000 && link.marks.is_empty()) {
                return false;
            }
            at = link.next;
        }
        len == self.links.len()
            && len == self.len
            && (!self.strict || self.odd + 5 == 100)
            && (!self.exact || self.odd == 95)
    }
}

fn chain(len: usize) -> Chain {
    let link = |number: usize| Link {
        next: Some(number + 1).filter(|&next| next < len),
        key: number as u32,
        marks: vec![true; number % 3],
    };
    let (links, first) = ((0..len).map(link).collect(), Some(0).filter(|_| len > 0));
    Chain { links, first, len, odd: 0, strict: false, exact: false }
}

/// What comes of a repair, and what is said of it.
fn outcome<T: Finitize + RepOk>(mut value: T, repair: Repair<T>) -> (T, String) {
    let said = match repair.repair(&mut value) {
        Ok(repaired) => repaired.to_string(),
        Err(irreparable) => irreparable.to_string(),
    };
    (value, said)
}

/// Repairs a value in a thread where nothing was repaired before.
fn outcome_alone<T: Finitize + RepOk + Clone + Send>(value: &T, repair: fn() -> Repair<T>) -> (T, String) {
    let value = value.clone();
    std::thread::spawn(move || outcome(value, repair())).join().expect("nothing panics")
}

fn of_chains() -> Repair<Chain> {
    Repair::new().keep(field!(Chain.strict)).keep(field!(Chain.exact)).max_tries(2_000)
}

fn repaired_alone(chain: &Chain) -> (Chain, String) {
    outcome_alone(chain, of_chains)
}

fn all_alike(chains: impl IntoIterator<Item = Chain>) {
    for (number, chain) in chains.into_iter().enumerate() {
        assert_eq!(outcome(chain.clone(), of_chains()), repaired_alone(&chain), "value {number}: {chain:?}");
    }
}

/// Its bounds have no number that `odd` may be, unless they are those of a larger one.
fn small() -> Chain {
    Chain { strict: true, ..chain(20) }
}

fn large() -> Chain {
    Chain { strict: true, ..chain(200) }
}

#[test]
fn a_smaller_value_has_bounds_of_its_own() {
    assert_eq!(repaired_alone(&small()).0, small(), "there is no value within its bounds");
    assert!(repaired_alone(&large()).0.rep_ok());
    all_alike([large(), large(), large(), large(), small(), large(), small(), small(), small(), large()]);
}

#[test]
fn a_value_does_not_get_the_values_of_the_last_one() {
    // Not in its bounds, and just what `odd` may be.
    let foreign = |odd| Chain { odd, len: 3, ..small() };
    all_alike([foreign(95), foreign(95), foreign(95), foreign(95), small(), small(), small(), foreign(95)]);
    all_alike([small(), small(), small(), small(), foreign(95), small(), foreign(95), small(), small()]);
}

#[test]
fn a_value_does_not_get_what_the_last_one_was_compared_with() {
    let exact = || Chain { exact: true, ..chain(20) };
    let (repaired, _) = repaired_alone(&exact());
    assert_eq!((repaired.odd, repaired.rep_ok()), (95, true), "more than its bounds have");
    all_alike([exact(), exact(), exact(), exact(), small(), exact(), small(), small(), small(), exact(), small()]);
}

#[test]
fn a_longer_vector_has_room() {
    let long = |marks: usize| {
        let mut chain = chain(12);
        chain.links[5].marks = vec![false; marks];
        chain
    };
    all_alike([long(4), long(4), long(4), long(40), long(4), long(4), long(4), long(5), long(400), long(9)]);
}

#[test]
fn an_index_that_leads_out_of_its_arena() {
    let out = |next: usize| {
        let mut chain = chain(12);
        chain.links[7].next = Some(next);
        chain
    };
    all_alike([out(3), out(4), out(2), out(11), out(500), out(3), out(500), out(500), out(3), out(usize::MAX), out(8)]);
}

#[test]
fn whatever_comes_after_whatever() {
    let mut random = StdRng::seed_from_u64(11);
    let mut last = chain(8);
    let chains = (0..120).map(|_| {
        // Mostly about as large as the last one: only then it is as before.
        let mut chain = match random.random_range(0..8) {
            0 => chain(random.random_range(0..40)),
            1 => chain(last.links.len() + random.random_range(0..3)),
            _ => chain(last.links.len()),
        };
        last = chain.clone();
        chain.strict = random.random_range(0..4) == 0;
        for _ in 0..random.random_range(0..3) {
            let at = random.random_range(0..chain.links.len().max(1));
            let Some(link) = chain.links.get_mut(at) else { continue };
            match random.random_range(0..8) {
                0 => link.next = Some(random.random_range(0..50)),
                1 => link.next = None,
                2 => link.marks = vec![false; random.random_range(0..6)],
                3 => link.key = random.random_range(0..9_000),
                4 => chain.odd = random.random_range(0..400),
                5 => chain.first = None,
                _ => chain.len = random.random_range(0..50),
            }
        }
        chain
    });
    all_alike(chains.collect::<Vec<_>>());
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Item {
    weight: u32,
}

/// Two vectors of one class: which object an element is depends on how long the other one is, and on what comes before.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Scales {
    spare: Option<Box<Item>>,
    left: Vec<Item>,
    right: Vec<Item>,
    items: usize,
}

#[rep_ok]
impl Scales {
    /// Each weighs as much as the next one or less, on both sides.
    fn rep_ok(&self) -> bool {
        for side in [&self.left, &self.right] {
            let mut last = 0;
            for item in side.iter() {
                if item.weight < last {
                    return false;
                }
                last = item.weight;
            }
        }
        self.left.len() + self.right.len() == self.items
    }
}

fn scales(left: u32, right: u32, has_spare: bool) -> Scales {
    let items = |count: u32, first: u32| (0..count).map(|number| Item { weight: first + number / 2 }).collect();
    let spare = has_spare.then(|| Box::new(Item { weight: 7 }));
    Scales { spare, left: items(left, 0), right: items(right, 50), items: (left + right) as usize }
}

#[test]
fn elements_are_other_objects_where_another_vector_is_longer() {
    // Numbers that are rounded to the same, so that one heap serves all.
    let sides = [(66, 69), (66, 69), (66, 69), (69, 66), (67, 67), (66, 69), (66, 68), (66, 66), (69, 69), (66, 67)];
    for fault in 0..3 {
        for (number, &(left, right)) in sides.iter().cycle().take(3 * sides.len()).enumerate() {
            let mut wrong = scales(left, right, number % 3 == 0);
            match fault {
                0 => wrong.right[3].weight = 0,
                1 => wrong.left[left as usize - 1].weight = 1,
                _ => wrong.items += 1,
            }
            let any = outcome_alone(&wrong, || Repair::new().max_tries(300));
            assert_eq!(outcome(wrong.clone(), Repair::new().max_tries(300)), any, "{left} and {right}, fault {fault}");
            assert!(any.0.rep_ok(), "{left} and {right}, fault {fault}: {}", any.1);
            let of_count = outcome_alone(&wrong, || with_count().max_tries(300));
            assert_eq!(outcome(wrong, with_count().max_tries(300)), of_count, "{left} and {right}, fault {fault}");
        }
    }
}

/// The fewest changes that leave the number of items as it is.
fn with_count() -> Repair<Scales> {
    Repair::new().keep(field!(Scales.items)).minimal()
}

#[test]
fn elements_that_the_last_value_had_are_added_as_new_ones() {
    let without_one = |has_spare: bool| Scales { items: 77, ..scales(40, 36, has_spare) };
    let wrong = |at: usize| {
        let mut wrong = scales(40, 37, false);
        wrong.right[at].weight = 0;
        wrong
    };
    let values = [wrong(3), wrong(4), wrong(5), without_one(false), wrong(6), wrong(2), without_one(true)];
    for value in values {
        let alone = outcome_alone(&value, with_count);
        assert!(alone.0.rep_ok(), "{}", alone.1);
        assert_eq!(outcome(value, with_count()), alone);
    }
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Bead {
    #[finitize(0..=9)]
    colour: u8,
    /// A value that is looked at where its list has it.
    label: String,
    next: Option<Box<Bead>>,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Necklace {
    first: Option<Box<Bead>>,
    #[finitize(0..=100)]
    beads: u32,
    sealed: bool,
}

#[rep_ok]
impl Necklace {
    /// A necklace that is sealed is refused before anybody has looked at it.
    fn rep_ok(&self) -> bool {
        if self.sealed {
            return false;
        }
        let (mut count, mut bead) = (0, &self.first);
        while let Some(one) = bead {
            if one.colour > 9 || one.label.len() > 9 {
                return false;
            }
            count += 1;
            bead = &one.next;
        }
        count == self.beads
    }
}

fn necklace(beads: u32, count: u32, sealed: bool) -> Necklace {
    let label = |number: u32| if sealed { format!("bead {number}") } else { String::new() };
    let bead = |first, number| Some(Box::new(Bead { colour: 7, label: label(number), next: first }));
    Necklace { first: (0..beads).fold(None, bead), beads: count, sealed }
}

#[test]
fn what_is_new_is_not_what_the_last_value_had_there() {
    fn with_count() -> Repair<Necklace> {
        Repair::new().keep(field!(Necklace.beads)).keep(field!(Necklace.sealed)).max_tries(2_000)
    }
    let short = necklace(68, 69, false);
    let alone = outcome_alone(&short, with_count);
    assert!(alone.0.rep_ok(), "{}", alone.1);
    for _ in 0..3 {
        let (_, said) = outcome(necklace(69, 69, true), with_count());
        assert!(said.contains("not repaired"), "{said}");
    }
    assert_eq!(outcome(short, with_count()), alone);
}

/// Plain values in a vector, of which there have to be so many.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Row {
    cells: Vec<u8>,
    #[finitize(0..=100)]
    wanted: usize,
    sealed: bool,
}

#[rep_ok]
impl Row {
    fn rep_ok(&self) -> bool {
        !self.sealed && self.cells.len() == self.wanted && self.cells.iter().all(|&cell| cell < 99)
    }
}

#[test]
fn new_elements_are_not_what_the_last_value_had_there() {
    fn with_length() -> Repair<Row> {
        Repair::new().keep(field!(Row.wanted)).keep(field!(Row.sealed)).max_tries(2_000)
    }
    let row = |cells, sealed| Row { cells: vec![7; cells], wanted: 69, sealed };
    let alone = outcome_alone(&row(68, false), with_length);
    assert!(alone.0.rep_ok(), "{}", alone.1);
    for _ in 0..3 {
        let (_, said) = outcome(row(69, true), with_length());
        assert!(said.contains("not repaired"), "{said}");
    }
    assert_eq!(outcome(row(68, false), with_length()), alone);
}
