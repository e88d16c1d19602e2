//! Tests that leave reports, each run in a process of its own.

use korat::{Explore, Finitize, Search, Shard, Summaries, Unread, field, rep_ok};

#[derive(Debug, Finitize)]
pub struct Node {
    pub value: u8,
    pub next: Option<Box<Node>>,
}

#[derive(Debug, Finitize)]
pub struct Sorted {
    pub head: Option<Box<Node>>,
}

#[rep_ok]
impl Sorted {
    fn rep_ok(&self) -> bool {
        let (mut rest, mut last) = (&self.head, None);
        while let Some(node) = rest {
            if last.is_some_and(|last| node.value <= last) {
                return false;
            }
            (rest, last) = (&node.next, Some(node.value));
        }
        true
    }
}

/// An invariant that panics on the last value.
#[derive(Debug, Finitize)]
struct Fragile(u8);

#[rep_ok]
impl Fragile {
    fn rep_ok(&self) -> bool {
        assert!(self.0 < 3, "too high");
        true
    }
}

/// Marks that are read only for one kind.
#[derive(Debug, Finitize)]
struct Unread5 {
    kind: bool,
    marks: [bool; 5],
    tail: Option<Box<Node>>,
}

#[rep_ok]
impl Unread5 {
    fn rep_ok(&self) -> bool {
        self.kind || !self.marks[0]
    }
}

impl Sorted {
    fn len(&self) -> usize {
        std::iter::successors(self.head.as_ref(), |node| node.next.as_ref()).count()
    }
}

/// Elements of an arena, each of which leads to any.
#[derive(Debug, Finitize)]
struct Links {
    #[finitize(index_of = links)]
    links: Vec<usize>,
}

#[rep_ok]
impl Links {
    fn rep_ok(&self) -> bool {
        self.links.iter().all(|&link| link < self.links.len())
    }
}

/// A structure without any valid value.
#[derive(Debug, Finitize)]
struct Never(u8);

#[rep_ok]
impl Never {
    fn rep_ok(&self) -> bool {
        self.0 > 200
    }
}

#[test]
#[ignore = "a scenario"]
fn passing() {
    korat::for_each_valid(Sorted::scope(4), |list| list.len() <= 4).expect_count(31);
}

#[test]
#[ignore = "a scenario"]
fn failing() {
    Search::new(Sorted::scope(4)).failures(2).for_each(|list| {
        assert!(list.len() < 3, "too long");
        list.head.is_none_or(|node| node.value != 3)
    });
}

#[test]
#[ignore = "a scenario"]
fn shrunk() {
    Search::new(Sorted::scope(6)).sample(20).for_each(|list| assert!(list.len() < 2, "<too> \"long\" & more"));
}

#[test]
#[ignore = "a scenario"]
fn limited() {
    Search::new(Sorted::scope(4)).limit(3).expect_complete().for_each(|_| {});
}

#[test]
#[ignore = "a scenario"]
fn remembered() {
    korat::for_each_valid(Links::scope(4), |_| {});
}

#[test]
#[ignore = "a scenario"]
fn miscounted() {
    korat::for_each_valid(Sorted::scope(4), |_| {}).expect_count(30);
}

#[test]
#[ignore = "a scenario"]
fn empty() {
    korat::for_each_valid(Never::scope(1), |_| {});
}

#[test]
#[ignore = "a scenario"]
fn in_a_loop() {
    for scope in 1..=3 {
        korat::for_each_valid(Sorted::scope(scope), |_| {});
    }
}

/// The loop of the guide, after a whole search there; with two numbers of shards, and two searches of each shard.
#[test]
#[ignore = "a scenario"]
fn shards_in_a_loop() {
    let search = |scope, shard: Option<Shard>| {
        let search = Search::new(Sorted::scope(scope));
        let search = if let Some(shard) = shard { search.shard(shard) } else { search };
        search.for_each(|list| list.len() <= scope);
    };
    search(4, None);
    for of in [3, 4] {
        for index in 1..=of {
            for scope in [4, 5] {
                search(scope, Shard::new(index, of));
            }
        }
    }
}

#[test]
#[ignore = "a scenario"]
fn in_threads() {
    std::thread::scope(|threads| {
        for _ in 0..8 {
            threads.spawn(|| (0..4).for_each(|_| drop(Search::new(Sorted::scope(2)).report())));
        }
    });
}

#[test]
#[ignore = "a scenario"]
fn in_a_property() {
    korat::for_each_valid(Sorted::scope(2), |list| {
        Search::new(Sorted::scope(list.len())).report();
        assert!(korat::valid(Sorted::scope(list.len())).count() > 0);
        Explore::from(0_u8).operation("add", 1..=2_u8, |sum, more| *sum += more).depth(2).run();
    });
    let failing = Search::new(Sorted::scope(2)).standalone(true);
    assert!(failing.try_for_each(|list| list.len() < 2).is_err());
}

/// An invariant that panics while values are only counted.
#[test]
#[ignore = "a scenario"]
fn failing_count() {
    Search::new(Fragile::scope(3)).report();
}

/// Values from summaries: all, and one for those that differ in what is not read.
#[test]
#[ignore = "a scenario"]
fn summarised() {
    let search = || Search::new(Sorted::scope(5)).summaries(Summaries::Always);
    search().for_each(|list| list.len() <= 5);
    Search::new(Unread5::scope(3)).summaries(Summaries::Always).unread(Unread::First).for_each(|_| {});
}

#[test]
#[ignore = "a scenario"]
fn counted() {
    Search::new(Sorted::scope(4)).report();
}

#[test]
#[ignore = "a scenario"]
fn used_up() {
    assert_eq!(Search::new(Sorted::scope(4)).expect_count(31).into_iter().count(), 31);
}

#[test]
#[ignore = "a scenario"]
fn given_up() {
    assert!(korat::valid(Sorted::scope(4)).any(|list| list.len() == 2));
}

#[test]
#[ignore = "a scenario"]
fn panicking() {
    for list in korat::valid(Sorted::scope(4)) {
        assert!(list.len() < 2, "in the loop");
    }
}

#[test]
#[ignore = "a scenario"]
fn aborting() {
    korat::for_each_valid(Sorted::scope(4), |list| {
        if list.len() == 2 {
            std::process::abort();
        }
    });
}

#[test]
#[ignore = "a scenario"]
fn out_of_bounds() {
    korat::for_each_valid(Sorted::scope(3).objects::<Never>(2), |_| {});
}

#[test]
#[ignore = "a scenario"]
fn waiting() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(korat::for_each_valid_async(Sorted::scope(4), async |list| list.len() <= 4));
}

#[test]
#[ignore = "a scenario"]
fn beside() {
    korat::for_each_valid((Sorted::scope(2), 0..3_u8), |(list, _)| list.len() <= 2);
}

/// Points and lists beside each list, as the test that runs it asks.
#[test]
#[ignore = "a scenario"]
fn beside_what_is_asked() {
    let asked = |name: &str| -> Vec<u8> {
        let asked = std::env::var(name).expect("it is asked for");
        asked.split(',').map(|number| number.parse().expect("it is a number")).collect()
    };
    let lists = Sorted::scope(1).domain(field!(Node.value), asked("VALUES"));
    Search::new(Sorted::scope(2)).with(asked("POINTS")).with(lists).for_each(|_| {});
}

/// Texts of functions have addresses, which differ between processes.
#[test]
#[ignore = "a scenario"]
fn beside_functions() {
    let functions: [fn(u8) -> u32; 2] = [u8::count_ones, u8::count_zeros];
    Search::new(Sorted::scope(2)).with(functions).for_each(|_| {});
}

#[test]
#[ignore = "a scenario"]
fn explored() {
    let explore = Explore::from(Vec::new()).operation("push", 1..=3_u8, |stack, item| stack.push(item));
    explore.depth(3).run().expect_states(40);
}

#[test]
#[ignore = "a scenario"]
fn explored_to_a_failure() {
    let explore = Explore::from(Vec::new()).operation("push", 1..=3_u8, |stack, item| stack.push(item));
    explore.check(|stack| stack.len() < 2).run();
}
