//! Values drawn at random: each with the same probability, with a seed the same, and with a report that says from how many.

use std::collections::BTreeMap;
use std::fmt::Debug;

use korat::{Ending, Finitize, RepOk, Search, rep_ok};

use crate::search_trees::SearchTree;
use crate::structures::Plant;

#[derive(Debug, Finitize)]
enum Expr {
    Zero,
    Not(Box<Expr>),
    Add(Box<Expr>, Box<Expr>),
}

#[rep_ok]
impl Expr {
    fn rep_ok(&self) -> bool {
        self.depth() <= 3
    }

    fn depth(&self) -> u8 {
        match self {
            Expr::Zero => 0,
            Expr::Not(inner) => inner.depth() + 1,
            Expr::Add(one, other) => one.depth().max(other.depth()) + 1,
        }
    }
}

#[derive(Debug, Finitize)]
struct Link {
    #[finitize(0..=scope)]
    key: usize,
    next: Option<Box<Link>>,
}

/// A list that is read twice.
#[derive(Debug, Finitize)]
struct List {
    head: Option<Box<Link>>,
    len: usize,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        Self::is_sorted(&self.head, 0) && Self::len(&self.head) == self.len
    }

    fn is_sorted(link: &Option<Box<Link>>, least: usize) -> bool {
        link.as_ref().is_none_or(|link| link.key >= least && Self::is_sorted(&link.next, link.key))
    }

    fn len(link: &Option<Box<Link>>) -> usize {
        link.as_ref().map_or(0, |link| 1 + Self::len(&link.next))
    }
}

/// Asserts that the values occur equally often, by a chi-square test at a level of one in a million for a fixed seed.
fn assert_uniform<T: Finitize + RepOk + Debug>(search: impl Fn() -> Search<T>, samples: u64, expected: u64) {
    let mut times: BTreeMap<String, u64> = BTreeMap::new();
    for value in search() {
        times.insert(format!("{value:?}"), 0);
    }
    assert_eq!(times.len() as u64, expected);
    let report = search().sample(samples).seed(1).for_each(|value| {
        *times.get_mut(&format!("{value:?}")).expect("a drawn value is a valid one") += 1;
    });
    assert_eq!((report.valid, report.ending), (samples, Ending::Sampled));
    assert_eq!(report.sampled_of, Some(expected.into()));
    let mean = samples as f64 / expected as f64;
    let chi_square: f64 = times.values().map(|times| (*times as f64 - mean).powi(2) / mean).sum();
    // The normal approximation of Wilson and Hilferty.
    let free = expected as f64 - 1.0;
    let deviations = ((chi_square / free).cbrt() - (1.0 - 2.0 / (9.0 * free))) / (2.0 / (9.0 * free)).sqrt();
    assert!(deviations.abs() < 4.9, "{deviations} standard deviations");
}

fn assert_all_uniform(samples: u64) {
    // The Catalan number of 6 times the sets of 6 of 7 keys.
    assert_uniform(|| Search::new(SearchTree::scope(6)).exact(), samples, 132 * 7);
    assert_uniform(|| Search::new(Plant::scope(4)), samples, 2 + 4 + 2 * 8 + 4 * 16);
    assert_uniform(|| Search::new(Expr::scope(5)), samples, 1 + 1 + 2 + 4 + 8);
    assert_uniform(|| Search::new(List::scope(4)), samples, 1 + 5 + 15 + 35 + 70);
}

#[test]
fn every_value_is_drawn_equally_often() {
    assert_all_uniform(20_000);
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn every_value_of_a_million_is_drawn_equally_often() {
    assert_all_uniform(1_000_000);
}

#[test]
fn a_seed_draws_the_same_values() {
    let drawn = |seed| {
        let mut texts = Vec::new();
        Search::new(SearchTree::scope(12)).sample(20).seed(seed).for_each(|tree| texts.push(format!("{tree:?}")));
        texts
    };
    assert_eq!(drawn(3), drawn(3));
    assert_ne!(drawn(3), drawn(4));
}

#[test]
fn the_report_says_from_how_many() {
    let report = Search::new(SearchTree::scope(20)).sample(10).for_each(|tree| tree.rep_ok());
    let text = report.to_string();
    assert!(
        text.starts_with("sampled 10 of 3,717,464,256,720 values of SearchTree at scope 20; NOT exhaustive"),
        "{text}"
    );
}

/// Nothing is built for a report, but it is about the sample.
#[test]
fn a_report_is_about_the_sample() {
    let more = Search::new(SearchTree::scope(4)).sample(1_000).report();
    assert_eq!((more.valid, more.is_complete()), (1_000, false));
    let search = || Search::new(SearchTree::scope(20)).sample(10).seed(5);
    let report = search().report();
    assert_eq!((report.valid, report.ending, report.sample), (10, Ending::Sampled, Some(10)));
    assert_eq!(report.sampled_of, Some(3_717_464_256_720.into()));
    assert!(report.to_string().starts_with("sampled 10 of 3,717,464,256,720 values of SearchTree"), "{report}");
    // These are the values that a property runs on.
    assert_eq!(report.by_size.iter().map(|(_, values)| values).sum::<u64>(), 10);
    assert_eq!(report.by_size, search().for_each(|tree| tree.rep_ok()).by_size);
}
