//! Samples and long searches: what is said about a value that was drawn and fails, and about a search that will not end in time.

use std::fs;
use std::time::Duration;

use korat::{Finitize, Search, rep_ok};

use super::child::Child;
use super::scenarios::SortedList;
use crate::search_trees::Node;

const FILE: &str = "korat-regressions/harness.reports.sampled.txt";

#[test]
#[ignore = "fails on purpose"]
fn too_long_lists() {
    Search::new(SortedList::scope(12)).sample(20).for_each(|list| assert!(list.len() < 2, "too long"));
}

#[derive(Debug, Finitize)]
struct Tree {
    root: Option<Box<Node>>,
}

#[rep_ok]
impl Tree {
    fn rep_ok(&self) -> bool {
        Self::is_ordered(&self.root, None, None)
    }

    /// Reads what is on the right first.
    fn is_ordered(node: &Option<Box<Node>>, low: Option<usize>, high: Option<usize>) -> bool {
        let Some(node) = node else { return true };
        low.is_none_or(|low| low < node.key)
            && high.is_none_or(|high| node.key < high)
            && Self::is_ordered(&node.right, Some(node.key), high)
            && Self::is_ordered(&node.left, low, Some(node.key))
    }
}

/// Says on which keys it dies.
#[test]
#[ignore = "dies on purpose"]
fn dying_on_a_tree() {
    Search::new(Tree::scope(12)).sample(1).seed(4).for_each(|tree| {
        if std::env::var_os("MENDED").is_none() {
            eprintln!("{}", format!("{tree:?}").replace("key", "\nkey"));
            std::process::abort();
        }
    });
}

/// The keys in a text, in the order in which they stand there.
fn keys(text: &str) -> Vec<&str> {
    text.split("key: ").skip(1).filter_map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()).collect()
}

#[test]
fn the_next_run_says_on_which_drawn_value_the_last_one_died() {
    let child = Child::of("sampled", "dying_on_a_tree").alone();
    let first = child.run();
    let died_on = keys(&first.text);
    assert!(!first.passed && died_on.len() > 5, "{}", first.text);
    let next = child.env("MENDED", "1").run();
    assert!(next.passed && next.text.contains("died while the property ran on this value:"), "{}", next.text);
    assert_eq!(keys(&next.text), died_on, "{}", next.text);
}

#[test]
#[ignore = "takes long"]
fn too_many_lists() {
    Search::new(SortedList::scope(14)).time_limit(Duration::from_secs(2)).for_each(|list| {
        std::thread::sleep(Duration::from_millis(2));
        list.len() < 20
    });
}

#[test]
fn a_drawn_value_is_shrunk_and_kept() {
    let child = Child::of("sampled", "too_long_lists");
    let said = child.run();
    assert!(!said.passed);
    let beginning = "property failed on a structure of size 2, smallest failing, shrunk from structure #1, size ";
    assert!(said.text.contains(beginning), "{}", said.text);
    assert!(said.text.contains("\nshrunk: ") && said.text.contains("\nas drawn: KORAT_REPLAY='"), "{}", said.text);
    let kept = fs::read_to_string(child.file(FILE)).unwrap();
    let line = kept.lines().last().unwrap_or_default();
    assert_eq!(line.matches("Node#").count(), 4, "{line}");
    let (_, replay) = said.text.split_once("replay: KORAT_REPLAY='").unwrap();
    let (replay, _) = replay.split_once('\'').unwrap();
    assert!(line.starts_with(&format!("too_long_lists {replay} # ")), "{line}");
    // It is run first the next time, and not shrunk again.
    let again = child.run();
    assert!(again.text.contains("property failed on a saved structure, size 2"), "{}", again.text);
    assert!(!again.text.contains("shrunk"), "{}", again.text);
}

#[test]
fn the_environment_says_how_far_to_shrink() {
    let said = Child::of("sampled", "too_long_lists").env("KORAT_SHRINK", "0").run();
    assert!(said.text.contains("property failed on structure #1, size "), "{}", said.text);
}

#[test]
fn a_search_that_will_not_end_in_time_says_so() {
    let said = Child::of("sampled", "too_many_lists").run();
    assert!(said.passed, "{}", said.text);
    let lines: Vec<&str> = said.text.lines().collect();
    let of = |beginning: &str| lines.iter().filter(|line| line.starts_with(beginning)).copied().collect::<Vec<_>>();
    // Sets of up to 14 of 15 numbers.
    let [said_before] = of("korat: SortedList at scope 14 has 32,767 values, which take about ")[..] else {
        panic!("{}", said.text)
    };
    assert!(said_before.ends_with(" a second: longer than the time limit of 2s"), "{said_before}");
    let [by_size] = of("korat: values by size: 0: 1, 1: 15, 2: 105")[..] else { panic!("{}", said.text) };
    assert!(by_size.ends_with("`.sample(1000)` or KORAT_SAMPLE=1000 draws from all of them"), "{by_size}");
    let [stopped] = of("korat: stopped after ")[..] else { panic!("{}", said.text) };
    assert!(stopped.contains(" of 32,767 values (") && stopped.contains(" %) of SortedList at scope 14"), "{stopped}");
}

#[test]
fn progress_is_exact_where_the_number_is_known() {
    // The second line comes two seconds after the first.
    let child = Child::of("sampled", "too_many_lists").env("KORAT_TIME_LIMIT", "3s");
    let said = child.env("KORAT_PROGRESS", "always").run();
    assert!(
        said.text.lines().any(|line| line.contains(" a second; ") && line.contains(" % of 32,767 values")),
        "{}",
        said.text
    );
}

#[test]
fn a_search_that_ends_in_time_says_nothing() {
    let said = Child::new("passing").env("KORAT_TIME_LIMIT", "60s").run();
    assert_eq!((said.passed, said.text.as_str()), (true, ""));
}
