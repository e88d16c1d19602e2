//! What a shard says, and what it leaves to the sum of all.

use korat::{Error, Finitize, Search, Shard, Summaries};

use crate::search_trees::SearchTree;

fn search(index: u32) -> Search<SearchTree> {
    Search::new(SearchTree::scope(3))
        .summaries(Summaries::Never)
        .shard(Shard::new(index, 60).expect("it is one of them"))
}

#[test]
fn a_report_names_the_shard() {
    let report = search(2).report();
    assert_eq!(report.shard, Shard::new(2, 60));
    let text = report.to_string();
    assert!(text.contains("of SearchTree at scope 3, shard 2/60; "), "{text}");
    assert!(text.contains("divided by first choices, in "), "{text}");
}

#[test]
fn totals_are_left_to_the_sum() {
    let total = Search::new(SearchTree::scope(3)).report().valid;
    let mut sum = 0;
    for index in 1..=60 {
        let report = search(index).expect_count(total).expect_complete().report();
        sum += report.expect_count(total).expect_complete().valid;
    }
    assert_eq!(sum, total);
    // A shard without values is no failure.
    assert!((1..=60).any(|index| search(index).report().valid == 0));
    // A shard that is cut, or has more values than all may have, is one.
    let cut = (1..=60).find_map(|index| search(index).limit(1).expect_complete().try_report().err());
    assert!(matches!(cut, Some(Error::Expectation(_))));
    let more = (1..=60).find_map(|index| search(index).expect_count(0).try_report().err());
    assert!(matches!(more, Some(Error::Expectation(_))));
}
