//! Limits of time and memory where values come from summaries: what is found in time is exact, and the rest is searched for or fails.

use std::collections::BTreeSet;
use std::time::Duration;

use korat::{Ending, Error, Finitize, Natural, Search, Summaries, SummaryReport, rep_ok};

use crate::search_trees::SearchTree;

const INSTANT: Duration = Duration::from_nanos(1);

/// Returns the number of search trees of up to `most` nodes with keys up to `most`: a shape and a set of keys for each.
fn search_trees(most: u32) -> Natural {
    let (mut all, mut shapes, mut sets) = (0_u128, 1_u128, 1_u128);
    for nodes in 0..=u128::from(most) {
        all += shapes * sets;
        shapes = shapes * 2 * (2 * nodes + 1) / (nodes + 2);
        sets = sets * (u128::from(most) + 1 - nodes) / (nodes + 1);
    }
    all.to_string().parse().unwrap()
}

/// Asserts that a count fails because its time is over.
fn assert_over(count: Result<Natural, Error>) {
    let Err(Error::Expectation(text)) = count else { panic!("it fails, and not: {count:?}") };
    assert!(text.starts_with("the time limit has ended the count: stopped after "), "{text}");
    assert!(text.contains(" of SearchTree at scope 30; NOT exhaustive"), "{text}");
}

#[test]
fn a_count_is_exact_or_fails() {
    let search = || Search::new(SearchTree::scope(30));
    let exact = search_trees(30);
    assert_eq!(search().count(), exact);
    assert_over(search().time_limit(Duration::from_millis(1)).try_count());
    assert_over(search().summaries(Summaries::Never).time_limit(Duration::from_millis(20)).try_count());
    // At some of these times, some values were found and not all, by summaries or by searching.
    for doubled in 0.. {
        match search().time_limit(Duration::from_millis(1 << doubled)).try_count() {
            Ok(number) => return assert_eq!(number, exact),
            failed => assert_over(failed),
        }
    }
}

#[test]
fn a_sample_without_time_fails() {
    for summaries in [Summaries::Auto, Summaries::Always, Summaries::Never] {
        let search = || Search::new(SearchTree::scope(30)).summaries(summaries).sample(5).time_limit(INSTANT);
        let mut ran = 0;
        let failed = [search().try_for_each(|_| ran += 1), search().try_report()];
        for failed in failed {
            let Err(Error::Expectation(text)) = failed else { panic!("it fails, and not: {failed:?}") };
            let beginning = "the time limit was over before a value was drawn: stopped after ";
            let drew = ": drew 0 values of SearchTree at scope 30, not 5; NOT exhaustive";
            assert!(text.starts_with(beginning) && text.contains(drew), "{text}");
        }
        assert_eq!(ran, 0);
    }
}

#[derive(Debug, Finitize)]
struct Link {
    #[finitize(0..32)]
    key: u8,
    next: Option<Box<Link>>,
}

/// What a call says about the rest depends on the last key and on a sum: there are many calls, and few values.
#[derive(Debug, Finitize)]
struct Checksum {
    head: Option<Box<Link>>,
}

#[rep_ok]
impl Checksum {
    fn rep_ok(&self) -> bool {
        Self::is_right(&self.head, 0, 3)
    }

    fn is_right(link: &Option<Box<Link>>, least: u8, sum: u8) -> bool {
        let Some(link) = link else { return sum == 3 };
        link.key >= least && Self::is_right(&link.next, link.key + 1, (sum + link.key) % 32)
    }
}

impl Checksum {
    fn len(&self) -> usize {
        std::iter::successors(self.head.as_ref(), |link| link.next.as_ref()).count()
    }
}

/// Returns the values of a search, which come smallest first, and how they were summarised.
fn values_of(search: Search<Checksum>) -> (BTreeSet<String>, Option<SummaryReport>) {
    let (mut texts, mut longest) = (BTreeSet::new(), 0);
    let report = search.for_each(|list| {
        assert!(list.len() >= longest, "a smaller one comes later");
        longest = list.len();
        assert!(texts.insert(format!("{list:?}")), "{list:?} comes twice");
    });
    assert_eq!(report.ending, Ending::Complete);
    (texts, report.summaries)
}

#[test]
fn tables_that_become_too_large_are_left_for_a_search() {
    let all_sizes = || Search::new(Checksum::scope(4));
    for search in [&all_sizes as &dyn Fn() -> Search<Checksum>, &|| all_sizes().exact()] {
        let (all, _) = values_of(search().summaries(Summaries::Never));
        assert!(all.len() > 1_000);
        let summarised = |bytes| {
            let (found, summaries) = values_of(search().summaries(Summaries::Always).summary_memory(bytes));
            assert!(found == all, "{bytes} bytes");
            summaries.expect("they were tried")
        };
        let complete = summarised(1 << 26);
        let needed = complete.effort.bytes;
        assert!(complete.why_not.is_none() && needed > 100_000, "{complete}");
        for bytes in [0, needed / 4, needed / 2, needed - 1] {
            let given_up = summarised(bytes);
            assert_eq!(given_up.why_not, Some(format!("its tables take more than {} MiB", bytes >> 20)));
            assert!(given_up.effort.runs > 0, "{given_up}");
        }
        assert_eq!(summarised(needed), complete);
    }
}

#[test]
fn a_sample_without_memory_is_drawn_by_descents() {
    let report = Search::new(Checksum::scope(4)).summary_memory(0).sample(20).for_each(|list| list.rep_ok());
    let beginning =
        "drew 20 values of Checksum at scope 4 by random descents, not uniformly: its tables take more than 0 MiB; ";
    assert!(report.valid == 20 && report.to_string().starts_with(beginning), "{report}");
}

#[derive(Debug, Finitize)]
struct Leaf {
    bit: bool,
}

#[derive(Debug, Finitize)]
struct Holder {
    leaf: Option<Box<Leaf>>,
    bit: bool,
}

#[rep_ok]
impl Holder {
    fn rep_ok(&self) -> bool {
        self.bit
    }
}

/// Nothing is known of the fields of such objects, not even that nobody reads them.
#[test]
fn unread_links_may_lead_to_no_object() {
    for scope in [0, 2] {
        let run = |summaries| {
            let search = Search::new(Holder::scope(scope).objects::<Leaf>(0)).summaries(summaries);
            let report = search.for_each(|holder| assert!(holder.leaf.is_none()));
            (report.valid, report.unread_fields)
        };
        assert_eq!(run(Summaries::Always), run(Summaries::Never));
        assert_eq!(run(Summaries::Always).0, 1);
    }
}
