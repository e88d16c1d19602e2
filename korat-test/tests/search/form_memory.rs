//! The memory of the canonical forms by which values of arenas are recognised: where it is used up, the search ends, says so, and has given what it gives
//! with more memory, up to there.

use std::collections::BTreeMap;
use std::fmt::Debug;

use korat::{Config, Ending, Error, Finitize, Order, RepOk, Report, Search, Shard, Unread, rep_ok};
use korat_core::{SearchError, Searcher, Settings};
use parking_lot::Mutex;

#[derive(Debug, Finitize)]
struct Cell {
    #[finitize(0..=1)]
    mark: u8,
    #[finitize(index_of = cells)]
    next: Option<usize>,
}

/// A list in an arena, on a chain of boxes that give values a size; other cells are free.
#[derive(Debug, Finitize)]
struct List {
    chain: Option<Box<Link>>,
    #[finitize(index_of = cells)]
    head: Option<usize>,
    cells: Vec<Cell>,
}

#[derive(Debug, Finitize)]
struct Link {
    next: Option<Box<Link>>,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        let mut seen = vec![false; self.cells.len()];
        let mut at = self.head;
        while let Some(index) = at {
            if std::mem::replace(&mut seen[index], true) {
                return false;
            }
            at = self.cells[index].next;
        }
        let (mut link, mut links) = (&self.chain, 0);
        while let Some(next) = link {
            (link, links) = (&next.next, links + 1);
        }
        links <= 3
    }
}

/// Three elements of an arena, each of which leads to any. They are read by position.
#[derive(Debug, Finitize)]
struct Three {
    #[finitize(index_of = links, len = 3..=3)]
    links: Vec<usize>,
}

#[rep_ok]
impl Three {
    fn rep_ok(&self) -> bool {
        self.links.iter().all(|&link| link < 3)
    }
}

fn search() -> Search<List> {
    Search::new(List::scope(3)).regressions(false).crash_notes(false)
}

/// Returns the values of a search in their order, and its report.
fn values<T: Finitize + RepOk + Debug>(search: Search<T>) -> (Vec<String>, Report) {
    let mut found = Vec::new();
    let report = search.for_each(|value| found.push(format!("{value:?}")));
    (found, report)
}

/// Returns bounds that end a search, each half as large as the next.
fn bounds(search: impl Fn() -> Search<List>) -> Vec<usize> {
    let is_cut = |bytes: &usize| !values(search().form_memory(*bytes)).1.is_complete();
    let bounds: Vec<usize> = (9..30).map(|bits| 1 << bits).take_while(is_cut).collect();
    assert!((2..21).contains(&bounds.len()), "{bounds:?}");
    bounds
}

#[test]
fn a_search_gives_its_first_values() {
    let settings: [fn(Search<List>) -> Search<List>; 4] = [
        |search| search,
        |search| search.order(Order::AsFound),
        |search| search.unread(Unread::First),
        |search| search.sizes(1..=2),
    ];
    for set in settings {
        let search = || set(search());
        let (all, whole) = values(search());
        assert_eq!(whole.ending, Ending::Complete);
        // What nobody notices that has room for all.
        assert_eq!(values(search().form_memory(1 << 30)).0, all);
        let mut lengths = Vec::new();
        let mut sizes = Vec::new();
        for most in bounds(search) {
            let (found, report) = values(search().form_memory(most));
            assert_eq!(found, all[..found.len()], "{report}");
            let Ending::MemoryLimit { size, bytes } = report.ending else { panic!("{report}") };
            assert_eq!((bytes, report.valid), (most, found.len() as u64));
            // Of smaller sizes, all values were generated.
            let smaller = |report: &Report| -> BTreeMap<usize, u64> {
                report.by_size.iter().copied().filter(|(of, _)| *of < size).collect()
            };
            assert_eq!(smaller(&report), smaller(&whole), "{report}");
            lengths.push(found.len());
            sizes.push(size);
        }
        assert!(lengths.is_sorted() && lengths[0] < lengths[lengths.len() - 1] && lengths[0] > 0, "{lengths:?}");
        assert!(sizes.is_sorted(), "{sizes:?}");
    }
}

#[test]
fn threads_end_at_the_same_value() {
    let counts = |report: &Report| {
        let Report { explored, valid, by_size, ending, .. } = report.clone();
        (explored, valid, by_size, ending)
    };
    for most in bounds(search) {
        let (mut expected, one) = values(search().form_memory(most));
        expected.sort();
        for threads in [2, 3] {
            let found = Mutex::new(Vec::new());
            let report = search().form_memory(most).threads(threads).par_for_each(|list| {
                let text = format!("{list:?}");
                found.lock().push(text);
            });
            let mut found = found.into_inner();
            found.sort();
            assert!(found == expected, "{threads} threads: {report}");
            assert_eq!(counts(&report), counts(&one), "{threads} threads");
        }
    }
}

/// Every shard has as much, and keeps only what is its own.
#[test]
fn shards_need_less() {
    let most = bounds(search).pop().expect("there are some");
    let (mut all, _) = values(search());
    let shard = |index| {
        let (found, report) = values(search().form_memory(most).shard(Shard::new(index, 8).unwrap()));
        assert_eq!(report.ending, Ending::Complete, "{report}");
        found
    };
    let mut found: Vec<String> = (1..=8).flat_map(shard).collect();
    all.sort();
    found.sort();
    assert_eq!(found, all);
}

#[test]
fn the_report_says_it() {
    let (_, report) = values(search().form_memory(16 << 10));
    let Ending::MemoryLimit { size, .. } = report.ending else { panic!("{report}") };
    let text = report.to_string();
    let beginning = format!("stopped at size {size}, because the canonical forms of values take more than 16 KiB: ");
    let rest = format!(
        " of List at scope 3; NOT exhaustive; values from size {size} on may be missing: raise `.form_memory(bytes)` or KORAT_FORM_MEMORY; "
    );
    assert!(text.starts_with(&beginning) && text.contains(&rest), "{text}");
    let expected = |failed: Result<Report, Error>, beginning: &str| {
        let Err(Error::Expectation(text)) = failed else { panic!("it fails, and not: {failed:?}") };
        assert!(text.starts_with(beginning), "{text}");
    };
    let small = || search().form_memory(16 << 10);
    expected(small().expect_complete().try_for_each(|_| {}), "expected a complete search, but stopped at size ");
    expected(small().expect_count(report.valid).try_for_each(|_| {}), "expected a complete search, but stopped at ");
    let nothing = Search::new(Three::scope(3)).form_memory(0).try_for_each(|_| {});
    expected(nothing, "the memory was used up before the first value: stopped at size ");
    let counted = small().try_count();
    let Err(Error::Expectation(text)) = counted else { panic!("it fails, and not: {counted:?}") };
    assert!(text.starts_with("the memory limit has ended the count: stopped at size 0, "), "{text}");
    // What has no report fails.
    let settings = Settings { form_bytes: 1 << 10, ..Settings::default() };
    let mut searcher = Searcher::new(&List::scope(3), settings).unwrap();
    while let Ok(more) = searcher.advance().inspect_err(|error| {
        assert!(matches!(error, SearchError::TooManyForms { bytes: 1_024 }), "{error}");
    }) {
        assert!(more, "it fails before the end");
    }
}

/// The next run would end at the same value.
#[test]
fn nothing_is_left_to_do() {
    let folder = std::env::temp_dir().join(format!("korat-forms-{}", std::process::id()));
    let config = || Config::new().checkpoints(&folder).regressions(false).crash_notes(false);
    let kept = || std::fs::read_dir(&folder).map_or(0, |files| files.count());
    let report = Search::new(List::scope(3)).config(config().form_memory(16 << 10)).for_each(|_| {});
    assert!(matches!(report.ending, Ending::MemoryLimit { .. }), "{report}");
    assert_eq!(kept(), 0);
    std::fs::remove_dir_all(&folder).unwrap();
}
