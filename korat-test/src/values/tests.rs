use super::passes::sizes_to_take;
use super::*;
use crate::subject::Subject;
use crate::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
#[finitize(crate = crate)]
struct Node {
    key: u8,
    next: Option<Box<Node>>,
}

#[derive(Debug, Finitize)]
#[finitize(crate = crate)]
struct List {
    head: Option<Box<Node>>,
}

#[rep_ok(crate = crate)]
impl List {
    fn rep_ok(&self) -> bool {
        let (mut at, mut last) = (&self.head, None);
        while let Some(node) = at {
            if last.is_some_and(|last| node.key <= last) {
                return false;
            }
            (at, last) = (&node.next, Some(node.key));
        }
        true
    }
}

fn searcher() -> UntypedSearcher {
    Subject::new(List::scope(6)).searcher(Settings::default()).unwrap()
}

/// Returns the texts of all values in order, and the passes, with a limit on the bytes of waiting values.
fn all(most_waiting: usize) -> (Vec<String>, Vec<RangeInclusive<usize>>) {
    let mut values = Values::new(searcher(), Settings::default(), Order::SmallestFirst, 0..=usize::MAX);
    values.most_waiting = most_waiting;
    let (mut texts, mut passes) = (Vec::new(), Vec::new());
    loop {
        match values.next().unwrap() {
            Next::Value => {
                let text = format!("{:?}", values.searcher_mut().value::<List>());
                // Building the value again gives the same text.
                assert_eq!(format!("{:?}", values.searcher_mut().value::<List>()), text);
                assert_eq!(values.searcher().size(), values.size());
                texts.push(text);
                if passes.last() != Some(values.pass()) {
                    passes.push(values.pass().clone());
                }
            }
            Next::Paused => {}
            Next::Done => return (texts, passes),
        }
    }
}

#[test]
fn growth_that_slows_down_takes_more_sizes() {
    let taken = [(4.0, 4.0), (12.0, 8.0), (6.2, 21.0), (2.0, 2.0), (1.2, 1.5), (1.0, 1.0)];
    assert_eq!(taken.map(|(growth, before)| sizes_to_take(growth, before, 640)), [2, 1, 3, 4, 64, 64]);
}

#[test]
fn the_last_sizes_are_split_evenly() {
    assert_eq!([9, 8, 7, 6, 5, 4, 3, 2, 1].map(|left| sizes_to_take(2.0, 2.0, left)), [3, 4, 4, 3, 3, 4, 3, 2, 1]);
}

/// The caller can check its clock however many values wait, and the reported stage is that of the current pass.
#[test]
fn the_clock_is_looked_at_while_values_wait() {
    let mut values = Values::new(searcher(), Settings::default(), Order::SmallestFirst, 2..=4);
    values.pass = 2..=4;
    values.begin_pass();
    values.pause_every(1);
    let began = Instant::now();
    let (mut searching, mut giving) = (0, Vec::new());
    loop {
        let next = values.next().unwrap();
        match values.stage() {
            PassProgress::Searching { done, waiting } => {
                searching += u64::from(waiting > 0 && matches!(next, Next::Paused));
                assert!(done.is_none_or(|(part, took)| (0.0..=1.0).contains(&part) && took <= began.elapsed()));
            }
            PassProgress::Giving { given, left, .. } => giving.push((given, left)),
            PassProgress::Selecting { .. } => panic!("all values are wanted"),
        }
        match next {
            Next::Value | Next::Paused => {}
            Next::Done => break,
        }
    }
    // The lists with three and four of the seven keys wait.
    let waited = 35 + 35;
    assert!(searching >= waited, "it paused {searching} times");
    let expected: Vec<(u64, u64)> = (1..=waited).map(|given| (given, waited - given)).collect();
    assert_eq!(giving[..waited as usize], expected);
}

#[test]
fn values_that_cannot_wait_come_in_a_pass_of_their_own() {
    let (texts, passes) = all(MOST_WAITING);
    // Lists with up to six of the keys 0..=6.
    assert_eq!(texts.len(), (1 << 7) - 1);
    assert!(passes.len() < 7, "{passes:?}");
    for most_waiting in [0, 50, 250] {
        let (others, more_passes) = all(most_waiting);
        assert_eq!(others, texts, "{most_waiting} bytes may wait");
        assert!(more_passes.len() > passes.len(), "{more_passes:?}");
    }
}

/// Values that waited in another process were lost: the pass leaves them to the next one, if there is one.
#[test]
fn no_pass_comes_after_the_largest_size() {
    let mut values = Values::new(searcher(), Settings::default(), Order::SmallestFirst, 0..=usize::MAX);
    let largest = values.searcher().max_size();
    values.pass = largest..=largest;
    values.begin_pass();
    values.leaves_waiting = true;
    let mut given = 0;
    loop {
        match values.next().unwrap() {
            Next::Value => given += 1,
            Next::Paused => {}
            Next::Done => break,
        }
    }
    // Lists with six of the seven keys.
    assert_eq!((given, values.pass()), (7, &(largest..=largest)));
}
