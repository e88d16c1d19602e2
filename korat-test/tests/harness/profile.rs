//! Where candidates are rejected: counts worked out by hand, in both ways of backtracking, and what is printed of them.

use std::collections::HashSet;
use std::rc::Rc;

use korat::{Backtracking, Finitize, Profile, Pruning, RepOk, Report, Search, field, rep_ok};
use korat_core::{Searcher, Settings};

use crate::rerun;

#[derive(Debug, Finitize)]
struct Node {
    next: Option<Box<Node>>,
}

#[derive(Debug, Finitize)]
struct List {
    head: Option<Box<Node>>,
    #[finitize(scope..=scope)]
    len: usize,
}

/// The line of the attribute: the statements are counted from here.
const LIST: u32 = line!() + 1;
#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        let mut seen: HashSet<*const Node> = HashSet::new();
        let mut rest = &self.head;
        while let Some(node) = rest {
            if !seen.insert(&**node) {
                return false;
            }
            rest = &node.next;
        }
        seen.len() == self.len
    }
}

fn profiled<T: Finitize + RepOk>(search: Search<T>) -> (Report, Profile) {
    let mut report = search.profile(true).report();
    let profile = report.profile.take().expect("it was asked for");
    (report, profile)
}

/// Line (counted from a first one), rejected, reads, re-entries, fields read last with the lines that read them.
type Line<'p> = (u32, u64, u64, u64, Vec<(&'p str, u32, u64)>);

fn lines(profile: &Profile, first: u32) -> Vec<Line<'_>> {
    let from_first = |line: Option<u32>| line.map_or(0, |line| line - first);
    let told = profile.lines.iter().map(|line| {
        let read_last =
            line.read_last.iter().map(|last| (last.field.as_str(), from_first(last.line), last.candidates)).collect();
        (from_first(line.line), line.rejected, line.reads, line.reentries, read_last)
    });
    told.collect()
}

/// Name, reads, rejected after it.
fn fields(profile: &Profile) -> Vec<(&str, u64, u64)> {
    profile.fields.iter().map(|field| (field.name.as_str(), field.reads, field.rejected)).collect()
}

/// The six candidates of the classic space, as they are in ARCHITECTURE.md, each with what it decides:
///
/// 1. head, len: no node, rejected by the last line
/// 2. head, next, len: one node, rejected by the last line
/// 3. next: a ring, rejected after `rest = &node.next`
/// 4. next, next, len: accepted
/// 5. next: a ring
/// 6. next: a ring
///
/// `len` has one value only, so that the last decision before the last line is the head or a `next`.
#[test]
fn six_candidates_of_a_list() {
    let search = || Search::new(List::scope(2)).pruning(Pruning::Classic);
    let (report, profile) = profiled(search());
    assert_eq!((report.explored, report.valid, report.field_inits), (6, 1, 11));
    assert_eq!((profile.explored, profile.rejected, profile.dead_ends), (6, 5, 0));
    let expected = [
        (9, 3, 6, 4, vec![("Node.next", 9, 3)]),
        (11, 2, 3, 0, vec![("List.head", 4, 1), ("Node.next", 9, 1)]),
        (4, 0, 2, 1, vec![]),
    ];
    assert_eq!(lines(&profile, LIST), expected);
    let read = [("Node.next", 6, 4), ("List.head", 2, 1), ("List.len", 3, 0)];
    assert_eq!(fields(&profile), read);

    // From the top, the same candidates decide the same fields.
    let (_, profile) = profiled(search().backtracking(Backtracking::Reexecute));
    assert_eq!((profile.explored, profile.rejected), (6, 5));
    assert!(profile.lines.is_empty() && profile.file.is_none());
    assert_eq!(fields(&profile), read);
}

#[derive(Debug, Finitize)]
struct Leaf {
    key: u8,
    left: Option<Box<Leaf>>,
    right: Option<Box<Leaf>>,
}

#[derive(Debug, Finitize)]
struct Tree {
    root: Option<Box<Leaf>>,
}

const TREE: u32 = line!() + 1;
#[rep_ok]
impl Tree {
    fn rep_ok(&self) -> bool {
        Self::ordered(&self.root, None, None)
    }

    fn ordered(node: &Option<Box<Leaf>>, low: Option<u8>, high: Option<u8>) -> bool {
        let Some(leaf) = node else { return true };
        if low.is_some_and(|low| leaf.key <= low) || high.is_some_and(|high| leaf.key >= high) {
            return false;
        }
        Self::ordered(&leaf.left, low, Some(leaf.key)) && Self::ordered(&leaf.right, Some(leaf.key), high)
    }
}

/// A rejection inside a helper is one of the helper's own line. At scope 1 nothing is rejected: no node, or one node with key
/// 0 or 1. At scope 2 there are keys 0 to 2, and the second node is the left child (its key is compared with that of the root) or
/// the right one.
#[test]
fn a_rejection_in_a_helper_is_one_of_its_line() {
    let (_, profile) = profiled(Search::new(Tree::scope(1)));
    assert_eq!((profile.explored, profile.rejected), (3, 0));
    assert_eq!(profile.headline(), "no rejection in 3 candidates");

    let (report, profile) = profiled(Search::new(Tree::scope(2)));
    // Of the nine pairs of keys three are in order, to the left as to the right.
    assert_eq!((report.valid, profile.explored, profile.rejected), (1 + 3 + 3 + 3, 1 + 3 + 9 + 9, 6 + 6));
    let rejecting: Vec<Line<'_>> = lines(&profile, TREE).into_iter().filter(|line| line.1 > 0).collect();
    assert_eq!(rejecting.len(), 1);
    assert_eq!((rejecting[0].0, rejecting[0].1, &rejecting[0].4), (8, 12, &vec![("Leaf.key", 8, 12)]));
    assert_eq!(profile.lines[0].method, "ordered");
    let reentries: u64 = profile.lines.iter().map(|line| line.reentries).sum();
    let reads: u64 = profile.lines.iter().map(|line| line.reads).sum();
    assert_eq!((reentries, reads), (report.explored - 1, report.field_inits));
}

/// What is printed.
mod texts {
    use super::*;

    #[test]
    fn lines_and_fields() {
        let (_, profile) = profiled(Search::new(List::scope(2)).pruning(Pruning::Classic));
        insta::assert_snapshot!(profile);
    }

    #[test]
    fn a_tree() {
        let (_, profile) = profiled(Search::new(Tree::scope(4)));
        insta::assert_snapshot!(profile);
    }

    #[test]
    fn fields_only() {
        let search = Search::new(List::scope(2)).backtracking(Backtracking::Reexecute);
        insta::assert_snapshot!(profiled(search).1);
    }

    #[test]
    fn nothing_to_say() {
        let (_, profile) = profiled(Search::new(List::scope(0)));
        insta::assert_snapshot!(profile);
    }
}

/// Predicates that are run from the top although the search could go back.
mod from_the_top {
    use super::*;

    #[derive(Debug, Finitize)]
    struct Told {
        one: bool,
        two: bool,
    }

    #[rep_ok(reexecute)]
    impl Told {
        fn rep_ok(&self) -> bool {
            self.one && self.two
        }
    }

    #[test]
    fn because_the_block_says_so() {
        let (_, profile) = profiled(Search::new(Told::scope(1)));
        assert_eq!(profile.lines_unknown.as_deref(), Some("`#[rep_ok(reexecute)]` says so"));
        // Candidates: one is false; both; only one is true.
        assert_eq!((profile.explored, profile.rejected, profile.lines.len()), (3, 2, 0));
        assert_eq!(fields(&profile), [("Told.one", 2, 1), ("Told.two", 2, 1)]);
        assert_eq!(profile.headline(), "33 % of 3 candidates are rejected after Told.one was read last");
    }

    #[derive(Debug, Finitize)]
    struct Kept {
        one: bool,
        two: bool,
        three: bool,
    }

    #[rep_ok(plain(Rc))]
    impl Kept {
        fn rep_ok(&self) -> bool {
            let one = self.one;
            // Cannot be restored, which shows when the second field is decided already.
            let two = Rc::new(self.two);
            one != self.three && *two
        }
    }

    /// The candidate that shows it is counted once. Re-executing gives the same numbers.
    #[test]
    fn because_a_local_cannot_be_restored() {
        let (report, profile) = profiled(Search::new(Kept::scope(1)));
        let why = profile.lines_unknown.clone().expect("it is run from the top");
        assert!(why.contains("which backtracking cannot restore"), "{why}");
        assert!(profile.lines.is_empty());
        // All eight combinations; two of them are fine.
        assert_eq!((report.valid, profile.explored, profile.rejected), (2, 8, 6));
        let expected = [("Kept.three", 8, 6), ("Kept.two", 4, 0), ("Kept.one", 2, 0)];
        assert_eq!(fields(&profile), expected);
        let (_, again) = profiled(Search::new(Kept::scope(1)).backtracking(Backtracking::Reexecute));
        assert_eq!(fields(&again), expected);
        assert_eq!(again.lines_unknown.as_deref(), Some("the search is set to re-execute it"));
    }
}

/// Ends of candidates that are not after a read.
mod corners {
    use super::*;

    #[derive(Debug, Finitize)]
    struct Never {
        one: bool,
    }

    #[rep_ok]
    impl Never {
        fn rep_ok(&self) -> bool {
            let limit = 3;
            limit == 4 && self.one
        }
    }

    #[test]
    fn before_the_first_read() {
        let (_, profile) = profiled(Search::new(Never::scope(1)).allow_empty(true));
        assert_eq!((profile.explored, profile.rejected, profile.fields.len()), (1, 1, 0));
        assert!(profile.headline().contains("rejects 100 % of 1 candidate; no field was decided before"), "{profile}");
    }

    #[derive(Debug, Finitize)]
    struct Item {
        key: u8,
    }

    #[derive(Debug, Finitize)]
    struct Holder {
        open: bool,
        item: Box<Item>,
    }

    const HOLDER: u32 = line!() + 1;
    #[rep_ok]
    impl Holder {
        fn rep_ok(&self) -> bool {
            let open = self.open;
            let item = &self.item;
            open && item.key == 0
        }
    }

    /// A reference finds no object: the line that asks rejects, and what was decided before it was read last.
    #[test]
    fn no_object_left() {
        let (_, profile) = profiled(Search::new(Holder::scope(1).objects::<Item>(0)).allow_empty(true));
        assert_eq!((profile.explored, profile.rejected, profile.dead_ends), (2, 2, 2));
        insta::assert_snapshot!(profile);
        let expected = [(4, 2, 0, 0, vec![("Holder.open", 3, 2)]), (3, 0, 2, 1, vec![])];
        assert_eq!(lines(&profile, HOLDER), expected);
    }

    #[derive(Debug, Finitize)]
    struct Many {
        #[finitize(0..=1, len = 0..=2)]
        items: Vec<u8>,
        pairs: [(bool, bool); 2],
    }

    #[rep_ok]
    impl Many {
        fn rep_ok(&self) -> bool {
            self.items.iter().all(|item| *item == 1) && self.pairs[0].0 && !self.pairs[1].0
        }
    }

    /// Elements and lengths are counted with their field.
    #[test]
    fn elements_belong_to_their_field() {
        let (_, profile) = profiled(Search::new(Many::scope(2)));
        let mut names: Vec<&str> = profile.fields.iter().map(|field| field.name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["Many.items", "Many.pairs"]);
        // Lengths 0, 1 and 2, the first element twice for each of two lengths, the second twice: all ones go on to the pairs.
        assert_eq!(
            profile.fields.iter().find(|field| field.name == "Many.items").map(|field| field.reads),
            Some(3 + 4 + 2)
        );
    }

    /// A search in parts gives one profile: all that begins with a head of null, and all that begins with a node.
    #[test]
    fn parts_of_a_search_are_added_up() {
        let mut settings = Settings::default();
        (settings.profile, settings.pruning) = (true, Pruning::Classic);
        let part = |prefix: &[u32]| {
            let mut searcher = Searcher::new(&List::scope(2), settings).expect("the bounds are right");
            searcher.start_at(prefix);
            while searcher.advance().expect("nothing goes wrong") {}
            searcher.profile().expect("it was asked for")
        };
        let mut sum = part(&[0]);
        assert_eq!((sum.explored, sum.rejected), (1, 1));
        sum.merge(part(&[1]));
        let (_, whole) = profiled(Search::new(List::scope(2)).pruning(Pruning::Classic));
        assert_eq!((sum.explored, sum.rejected, fields(&sum)), (whole.explored, whole.rejected, fields(&whole)));
        let rejected =
            |profile: &Profile| profile.lines.iter().map(|line| (line.line, line.rejected)).collect::<Vec<_>>();
        assert_eq!(rejected(&sum), rejected(&whole));
    }

    /// Values in between do not disturb it: the counts are those of the candidates, not of what they are completed to.
    #[test]
    fn an_iterator_has_a_profile_at_any_time() {
        let mut values = Search::new(Tree::scope(2).domain(field!(Leaf.key), [1, 2])).profile(true).into_iter();
        assert!(values.next().is_some());
        let one = values.report().profile.expect("it was asked for");
        assert_eq!((one.explored, one.rejected), (1, 0));
        assert_eq!(values.by_ref().count(), 2 + 1 + 1);
        let all = values.report().profile.expect("it was asked for");
        assert_eq!((all.explored, all.rejected), (1 + 2 + 4 + 4, 3 + 3));
    }
}

/// A search that was stopped: what is said of its candidates is said of those that the report counts.
mod stopped {
    use super::*;

    #[test]
    fn the_profile_has_the_candidates_of_the_report() {
        for limit in 1..=40 {
            let report = Search::new(Tree::scope(4)).limit(limit).profile(true).explain(true).for_each(|_| {});
            let profile = report.profile.expect("it was asked for");
            assert_eq!(profile.explored, report.explored, "after {limit} values");
            let explanation = report.explanation.expect("it was asked for");
            let reentries: u64 = explanation.statements.iter().map(|statement| statement.reentries).sum();
            assert_eq!(reentries, report.explored - 1, "after {limit} values");
        }
    }
}

mod environment;
