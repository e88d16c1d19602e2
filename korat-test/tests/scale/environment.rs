//! Shards that the environment asks for, in processes of their own.

use std::collections::BTreeSet;
use std::process::{Command, Output};

use korat::{Finitize, Search};

use crate::search_trees::SearchTree;

/// Runs in the child processes.
#[test]
#[ignore = "it is run by the other tests, which set its environment"]
fn child() {
    let mut values = 0;
    let report = korat::for_each_valid(SearchTree::scope(4), |_| values += 1);
    println!("{values} values of shard {:?}", report.shard.map(|shard| shard.to_string()));
}

/// Prints the pairs of values that tests try who put two searches together, or take all values.
#[test]
#[ignore = "it is run by the other tests, which set its environment"]
fn pairs() {
    let bounds = || SearchTree::scope(2);
    let print = |how: &str, one: &SearchTree, other: &SearchTree| println!("pair {how} {one:?} {other:?}");
    korat::for_each_valid(bounds(), |one| {
        korat::for_each_valid(bounds(), |other| print("property in property", &one, &other));
        for other in korat::valid(bounds()) {
            print("loop in property", &one, &other);
        }
    });
    for one in korat::valid(bounds()) {
        korat::for_each_valid(bounds(), |other| print("property in loop", &one, &other));
        for other in korat::valid(bounds()) {
            print("loop in loop", &one, &other);
        }
    }
    let all: Vec<SearchTree> = korat::valid(bounds()).collect();
    all.iter().for_each(|one| all.iter().for_each(|other| print("collected", one, other)));
    korat::for_each_valid(bounds(), |one| all.iter().for_each(|other| print("collected beside", &one, other)));
    // What the test itself says about all values holds in every shard.
    assert_eq!((all.len(), Search::new(bounds()).count()), (10, 10_u64.into()));
    let whole = Search::new(bounds()).standalone(true).report();
    assert_eq!((whole.valid, whole.shard), (10, None));
}

fn run(variables: &[(&str, &str)]) -> (bool, String) {
    run_test("child", variables)
}

fn run_test(name: &str, variables: &[(&str, &str)]) -> (bool, String) {
    let mut child = Command::new(std::env::current_exe().expect("this test runs"));
    child.args(["--exact", &format!("environment::{name}"), "--ignored", "--nocapture"]);
    for name in ["KORAT_SHARD", "KORAT_SHARDS", "TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", "TEST_SHARD_STATUS_FILE"] {
        child.env_remove(name);
    }
    let names = ["CI_NODE", "CIRCLE_NODE", "BUILDKITE_PARALLEL", "SLURM_ARRAY", "JOB_COMPLETION"];
    let scheduled = std::env::vars().map(|(name, _)| name).filter(|name| names.iter().any(|of| name.starts_with(of)));
    scheduled.for_each(|name| _ = child.env_remove(name));
    let Output { status, stdout, stderr } = child.envs(variables.iter().copied()).output().expect("it runs");
    (status.success(), String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr))
}

fn values(variables: &[(&str, &str)]) -> u64 {
    let (is_passed, text) = run(variables);
    assert!(is_passed, "{text}");
    let number = text.split(" values of shard ").next().and_then(|before| before.lines().last());
    number.and_then(|number| number.trim().rsplit(' ').next()?.parse().ok()).unwrap_or_else(|| panic!("{text}"))
}

#[test]
fn processes_share_a_search() {
    let all = Search::new(SearchTree::scope(4)).report().valid;
    assert_eq!((1..=3).map(|index| values(&[("KORAT_SHARD", &format!("{index}/3"))])).sum::<u64>(), all);
    let file = std::env::temp_dir().join(format!("korat-shard-status-{}", std::process::id()));
    let bazel = |index: &str| {
        let path = file.to_str().expect("the path is text");
        let scheduled = [("TEST_SHARD_INDEX", index), ("TEST_TOTAL_SHARDS", "2"), ("TEST_SHARD_STATUS_FILE", path)];
        [&[("KORAT_SHARD", "auto")], &scheduled[..]]
            .concat()
            .iter()
            .map(|&(name, value)| (name, value.to_string()))
            .collect::<Vec<_>>()
    };
    let mut sum = 0;
    for index in ["0", "1"] {
        let variables = bazel(index);
        let variables: Vec<(&str, &str)> = variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
        sum += values(&variables);
        assert!(file.exists(), "Bazel is told that its shards are understood");
        std::fs::remove_file(&file).expect("it can be removed");
        // Without `auto`, other tools may divide the tests.
        assert_eq!(values(&variables[1..]), all);
        assert!(!file.exists());
    }
    assert_eq!(sum, all);
}

/// A value of one shard meets those of all others.
#[test]
fn no_pair_is_lost_between_shards() {
    let pairs = |shard: &str| {
        let (is_passed, text) = run_test("pairs", &[("KORAT_SHARD", shard)]);
        assert!(is_passed, "{text}");
        // The name of the test stands before the first.
        let pair = |line: &str| Some(line.split_once("pair ")?.1.to_string());
        text.lines().filter_map(pair).collect::<Vec<_>>()
    };
    let whole: BTreeSet<String> = pairs("").into_iter().collect();
    assert_eq!(whole.len(), 6 * 10 * 10);
    let shards: Vec<Vec<String>> = (1..=3).map(|index| pairs(&format!("{index}/3"))).collect();
    assert!(shards.iter().all(|shard| shard.len() < whole.len()));
    assert_eq!(shards.into_iter().flatten().collect::<BTreeSet<_>>(), whole);
}

#[test]
fn mistakes_are_errors() {
    let (is_passed, text) = run(&[("KORAT_SHARD", "9/8")]);
    assert!(!is_passed && text.contains("KORAT_SHARD=9/8 is no shard: the second of eight is 2/8"), "{text}");
    let (is_passed, text) = run(&[("KORAT_SHARD", "auto"), ("JOB_COMPLETION_INDEX", "3")]);
    assert!(
        !is_passed && text.contains("JOB_COMPLETION_INDEX=3 is set, as by Kubernetes, but KORAT_SHARDS is not"),
        "{text}"
    );
}
