//! The shortest sequences of operations that reveal the seeded bugs, and those that a random test shrinks to.

use std::ops::Range;

use super::graphs::{Dags, Programs, UnionFinds};
use super::machine::{Machine, Version, assert_shortest};
use super::maps::{LruCaches, Slabs, Tries};
use super::random::{Found, found};
use super::sequences::{Deques, LinkedLists, PieceTables, Rings};
use super::sets::{BTrees, RedBlackTrees, SkipLists};

/// Asserts that these calls are a shortest sequence that reveals the bug, and that the right version passes.
fn assert_found<M: Machine>(calls: &[&str]) {
    assert_shortest(|| M::exploration(Version::Seeded), calls);
    M::exploration(Version::Right).depth(calls.len()).run().expect_complete();
}

#[test]
fn b_tree() {
    assert_found::<BTrees>(&[
        "insert(1)",
        "insert(2)",
        "insert(3)",
        "insert(4)",
        "remove(1)",
        "insert(1)",
        "remove(4)",
    ]);
}

#[test]
fn dag() {
    assert_found::<Dags>(&[
        "add_node()",
        "add_node()",
        "add_node()",
        "add_node()",
        "add_edge(0, 1)",
        "add_edge(0, 2)",
        "add_edge(1, 3)",
        "add_edge(3, 2)",
        "reduce()",
    ]);
}

#[test]
fn deque() {
    assert_found::<Deques>(&["push_front(0)", "rotate_left(0)"]);
}

#[test]
fn expression() {
    assert_found::<Programs>(&["int(0)", "int(1)", "var('x')", "bind('x')", "bind('x')"]);
}

#[test]
fn linked_list() {
    assert_found::<LinkedLists>(&["push_front(0)", "push_front(0)", "split_off(1)"]);
}

#[test]
fn lru_cache() {
    assert_found::<LruCaches>(&["put(1, 0)", "put(2, 0)", "remove(1)", "put(1, 0)"]);
}

#[test]
fn piece_table() {
    assert_found::<PieceTables>(&["insert(0, \"xy\")", "insert(1, \"x\")"]);
}

#[test]
fn red_black_arena() {
    assert_found::<RedBlackTrees>(&["insert(1)", "insert(3)", "insert(2)", "remove(1)"]);
}

#[test]
fn ring_buffer() {
    assert_found::<Rings>(&["push_back(0)", "push_front(1)", "remove(0)"]);
}

#[test]
fn skip_list() {
    assert_found::<SkipLists>(&["insert_with_height(1, 1)", "insert_with_height(2, 2)", "remove(1)"]);
}

#[test]
fn slab() {
    assert_found::<Slabs>(&["insert(0)", "insert(0)", "remove(0)", "remove(1)", "insert_at(0)"]);
}

#[test]
fn trie() {
    assert_found::<Tries>(&["insert(\"ab\")", "remove(\"a\")"]);
}

#[test]
fn union_find() {
    assert_found::<UnionFinds>(&["push()", "push()", "push()", "union(0, 1)", "union(1, 2)"]);
}

/// Writes the row of the guide's table for a bug. Asserts that the random test does not end with fewer operations for any of the seeds.
fn write_row<M: Machine>(table: &mut String, seeds: Range<u8>) {
    let failed = M::exploration(Version::Seeded).regressions(false).try_run().unwrap_err();
    let (shortest, executions) = (failed.failures[0].calls.len(), failed.report.executions);
    let random: Vec<Found> = seeds.map(found::<M>).collect();
    for found in &random {
        assert!(shortest <= found.operations, "{}: {shortest} operations, but {found:?}", M::BUG);
    }
    let operations = least_and_most(random.iter().map(|found| found.operations));
    let cases = least_and_most(random.iter().map(|found| found.cases));
    *table += &format!("| {} | {shortest} | {executions} | {operations} | {cases} |\n", M::BUG);
}

fn least_and_most(numbers: impl Iterator<Item = usize> + Clone) -> String {
    match (numbers.clone().min(), numbers.max()) {
        (Some(least), Some(most)) if least < most => format!("{least} to {most}"),
        (least, _) => least.map_or(String::new(), |least| least.to_string()),
    }
}

/// Returns the rows of the guide's table.
fn table(seeds: Range<u8>) -> String {
    let mut table = String::new();
    for write_row in [
        write_row::<BTrees>,
        write_row::<Dags>,
        write_row::<Deques>,
        write_row::<Programs>,
        write_row::<LinkedLists>,
        write_row::<LruCaches>,
        write_row::<PieceTables>,
        write_row::<RedBlackTrees>,
        write_row::<Rings>,
        write_row::<SkipLists>,
        write_row::<Slabs>,
        write_row::<Tries>,
        write_row::<UnionFinds>,
    ] {
        write_row(&mut table, seeds.clone());
    }
    table
}

#[test]
fn no_random_test_shrinks_to_fewer_operations() {
    assert_eq!(table(0..1).lines().count(), 13);
}

#[test]
#[ignore = "takes long in a debug build"]
fn the_guide_compares_with_random_tests() {
    let table = table(0..10);
    assert!(include_str!("../../../docs/src/explore.md").contains(&table), "the table is\n{table}");
}
