//! Searches check themselves: a machine that disagrees with its predicate, and a lifted predicate that disagrees with the plain
//! one, are found, and a predicate that is not deterministic is told apart from both. What is checked changes no count.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use korat::{Backtracking, Finitize, Order, Pruning, RepOk, Report, Search, SelfCheck, rep_ok};
use korat_core::__private::{Control, Machine, MachineInfo, NO_BLOCK, View, block};
use korat_core::{Searcher, Settings, Step};

/// What the search is given in place of one predicate: three of them.
#[derive(Clone, Copy)]
struct Forms {
    machine: fn(&View<Planted>) -> bool,
    from_top: fn(&View<Planted>) -> bool,
    plain: fn(&Planted) -> bool,
}

thread_local! {
    static FORMS: Cell<Forms> = const {
        Cell::new(Forms { machine: |_| true, from_top: |_| true, plain: |_| true })
    };
    static CALLS: Cell<u32> = const { Cell::new(0) };
}

/// A class whose predicate is written by hand, in all its forms.
#[derive(Debug, Finitize)]
struct Planted {
    one: u8,
    two: u8,
    three: u8,
}

impl RepOk for Planted {
    fn lifted(view: &View<Self>) -> bool {
        (FORMS.get().from_top)(view)
    }

    /// One block, which is re-entered after every choice.
    fn machine(view: &'static View<Self>) -> Machine {
        let blocks = const { &[NO_BLOCK, block(77, "rep_ok", "true", "")] };
        let info = MachineInfo { file: "planted.rs", blocks, left_out: &[] };
        Machine::new(info, move |control: &mut Control| {
            let mut label = control.start();
            loop {
                if label == 0 {
                    control.at(1);
                }
                let accepted = (FORMS.get().machine)(view);
                match control.finish(accepted) {
                    Some(next) => label = next,
                    None => return accepted,
                }
            }
        })
    }

    fn holds(&self) -> bool {
        (FORMS.get().plain)(self)
    }
}

fn sorted(view: &View<Planted>) -> bool {
    *view.one <= *view.two && *view.two <= *view.three
}

fn plainly_sorted(value: &Planted) -> bool {
    value.one <= value.two && value.two <= value.three
}

const SORTED: Forms = Forms { machine: sorted, from_top: sorted, plain: plainly_sorted };

fn search(forms: Forms, scope: usize) -> Search<Planted> {
    FORMS.set(forms);
    CALLS.set(0);
    Search::new(Planted::scope(scope)).allow_empty()
}

/// What a run says that fails.
fn failure<R>(run: impl FnOnce() -> R) -> String {
    let payload = catch_unwind(AssertUnwindSafe(run)).err().expect("it cannot go through");
    korat_core::panic_message(&*payload)
}

mod machines {
    use super::*;

    #[test]
    fn that_accept_what_is_rejected_are_found() {
        let forms = Forms { machine: |view| sorted(view) || *view.one == 2, ..SORTED };
        insta::assert_snapshot!(failure(|| search(forms, 2).count()), @r"
        [korat internal bug] the search and rep_ok disagree at planted.rs:77 on the candidate
          Planted { one: 2, two: 0 }
        korat's machine for rep_ok accepts it
        rep_ok run from the top rejects it
        note: please report this as a bug of korat, with the code of rep_ok and this text; until it is fixed, `#[rep_ok(reexecute)]` runs rep_ok from the top for every candidate
        so far 16 explored, 9 valid
        ");
    }

    #[test]
    fn that_reject_what_is_accepted_are_found() {
        let forms = Forms { machine: |view| sorted(view) && *view.three != 2, ..SORTED };
        insta::assert_snapshot!(failure(|| search(forms, 2).count()), @r"
        [korat internal bug] the search and rep_ok disagree at planted.rs:77 on the candidate
          Planted { one: 0, two: 0, three: 2 }
        korat's machine for rep_ok rejects it
        rep_ok run from the top accepts it
        note: please report this as a bug of korat, with the code of rep_ok and this text; until it is fixed, `#[rep_ok(reexecute)]` runs rep_ok from the top for every candidate
        so far 2 explored, 2 valid
        ");
    }

    #[test]
    fn that_read_in_another_order_are_found() {
        let forms = Forms { machine: |view| *view.one <= *view.three && sorted(view), ..SORTED };
        insta::assert_snapshot!(failure(|| search(forms, 2).count()), @r"
        [korat internal bug] the search and rep_ok disagree at planted.rs:77 on the candidate
          Planted { one: 0, two: 0, three: 0 }
        korat's machine for rep_ok reads Planted.three after 1 field
        rep_ok run from the top reads Planted.two after 1 field
        note: please report this as a bug of korat, with the code of rep_ok and this text; until it is fixed, `#[rep_ok(reexecute)]` runs rep_ok from the top for every candidate
        so far 0 explored, 0 valid
        ");
    }

    #[test]
    fn that_read_less_are_found() {
        let forms = Forms {
            machine: |view| *view.one == 0 && sorted(view),
            from_top: |view| sorted(view) && *view.one == 0,
            ..SORTED
        };
        insta::assert_snapshot!(failure(|| search(forms, 2).count()), @r"
        [korat internal bug] the search and rep_ok disagree at planted.rs:77 on the candidate
          Planted { one: 1 }
        korat's machine for rep_ok rejects it after 1 field
        rep_ok run from the top reads Planted.two after 1 field
        note: please report this as a bug of korat, with the code of rep_ok and this text; until it is fixed, `#[rep_ok(reexecute)]` runs rep_ok from the top for every candidate
        so far 9 explored, 6 valid
        ");
    }

    #[test]
    fn that_read_more_are_found() {
        let forms = Forms {
            machine: |view| sorted(view) && *view.one == 0,
            from_top: |view| *view.one == 0 && sorted(view),
            ..SORTED
        };
        insta::assert_snapshot!(failure(|| search(forms, 2).count()), @r"
        [korat internal bug] the search and rep_ok disagree at planted.rs:77 on the candidate
          Planted { one: 1, two: 0 }
        korat's machine for rep_ok reads Planted.two after 1 field
        rep_ok run from the top rejects it after 1 field
        note: please report this as a bug of korat, with the code of rep_ok and this text; until it is fixed, `#[rep_ok(reexecute)]` runs rep_ok from the top for every candidate
        so far 9 explored, 6 valid
        ");
    }

    #[test]
    fn that_end_where_the_predicate_panics_are_found() {
        let from_top = |view: &View<Planted>| {
            assert!(*view.one < 2, "too large");
            sorted(view)
        };
        let message = failure(|| search(Forms { from_top, ..SORTED }, 2).count());
        assert!(message.contains("run from the top panics on it (too large) after 1 field"), "{message}");
    }

    /// A machine that goes astray is not taken for a predicate that panics, loops or is not deterministic.
    #[test]
    fn that_go_astray_are_not_blamed_on_the_predicate() {
        let panics: fn(&View<Planted>) -> bool = |view| {
            assert!(*view.one < 2, "too large");
            sorted(view)
        };
        let loops: fn(&View<Planted>) -> bool = |view| {
            loop {
                if *view.one != 2 {
                    return sorted(view);
                }
                korat_core::__private::step();
            }
        };
        let forgets: fn(&View<Planted>) -> bool = |view| {
            CALLS.set(CALLS.get() + 1);
            CALLS.get() > 5 || sorted(view)
        };
        for (machine, says) in [
            (panics, "panics on it (too large) after 1 field"),
            (loops, "does not end on it after 1 field"),
            (forgets, "for rep_ok reads other fields than before after 3 fields"),
        ] {
            CALLS.set(0);
            let message = failure(|| search(Forms { machine, ..SORTED }, 2).count());
            assert!(message.starts_with("[korat internal bug] the search and rep_ok disagree"), "{message}");
            assert!(message.contains(says), "{message}");
        }
    }

    /// All entrances lead to the same check.
    #[test]
    fn are_found_however_the_search_is_run() {
        let forms = Forms { machine: |view| sorted(view) && *view.three != 2, ..SORTED };
        let runs: [fn(Search<Planted>); 5] = [
            |search| drop(search.count()),
            |search| drop(search.for_each(drop)),
            |search| drop(search.iter().collect::<Vec<_>>()),
            |search| drop(search.order(Order::AsFound).iter().collect::<Vec<_>>()),
            |search| drop(search.profile().explain().count()),
        ];
        for run in runs {
            let message = failure(|| run(search(forms, 2)));
            assert!(
                message.starts_with("[korat internal bug] the search and rep_ok disagree at planted.rs:77"),
                "{message}"
            );
        }
    }

    /// Where the machine goes from one candidate to the next by itself, it comes out for the sample.
    #[test]
    fn that_go_wrong_late_are_found() {
        let rejects: fn(&View<Planted>) -> bool = |view| sorted(view) && *view.one < 50;
        let accepts: fn(&View<Planted>) -> bool = |view| sorted(view) || *view.one >= 50;
        for (machine, machine_says, rep_ok_says) in [(rejects, "rejects", "accepts"), (accepts, "accepts", "rejects")] {
            let message = failure(|| search(Forms { machine, ..SORTED }, 100).count());
            assert!(message.contains(&format!("machine for rep_ok {machine_says} it\n")), "{message}");
            assert!(message.contains(&format!("run from the top {rep_ok_says} it\n")), "{message}");
        }
    }

    #[test]
    fn are_not_run_beside_themselves_without_backtracking() {
        let forms = Forms { machine: |_| panic!("nobody runs it"), ..SORTED };
        let report = search(forms, 2).backtracking(Backtracking::Reexecute).self_check(SelfCheck::All).count();
        assert_eq!((report.valid, report.compared, report.shown), (10, 0, 10));
    }
}

mod plain {
    use super::*;

    #[test]
    fn predicates_that_reject_a_value_are_found() {
        let forms = Forms { plain: |value| plainly_sorted(value) && value.three != 2, ..SORTED };
        insta::assert_snapshot!(failure(|| search(forms, 2).count()), @r"
        [korat internal bug] the search and rep_ok disagree on the candidate
          Planted { one: 0, two: 0, three: 2 }
        korat's machine for rep_ok accepts it
        rep_ok run from the top accepts it
        the untouched rep_ok rejects it
        note: please report this as a bug of korat, with the code of rep_ok and this text; or does rep_ok depend on something other than the value's fields? until it is fixed, write that part of rep_ok in another way
        so far 3 explored, 3 valid
        ");
    }

    /// What the search rejects is completed to a value, which the plain predicate must reject.
    #[test]
    fn predicates_that_accept_what_is_rejected_are_found() {
        let forms = Forms { plain: |value| plainly_sorted(value) || value.one == 2, ..SORTED };
        for backtracking in [Backtracking::Checkpoint, Backtracking::Reexecute] {
            let message = failure(|| search(forms, 2).backtracking(backtracking).count());
            assert!(
                message.contains("disagree on the candidate\n  Planted { one: 2, two: 0, three: 0 }\n"),
                "{message}"
            );
            assert!(message.contains("from the top rejects it\nthe untouched rep_ok accepts it\n"), "{message}");
        }
        assert_eq!(search(forms, 2).self_check(SelfCheck::Off).count().valid, 10);
    }

    #[test]
    fn predicates_that_panic_on_a_value_are_found() {
        let forms = Forms { plain: |value| 2 / (2 - value.three) > 0, ..SORTED };
        let message = failure(|| search(forms, 2).count());
        assert!(message.contains("the untouched rep_ok panics on it (attempt to divide by zero)"), "{message}");
    }

    #[test]
    fn predicates_are_run_however_the_search_is() {
        let forms = Forms { plain: |value| plainly_sorted(value) && value.three != 2, ..SORTED };
        let runs: [fn(Search<Planted>); 5] = [
            |search| drop(search.count()),
            |search| drop(search.for_each(drop)),
            |search| drop(search.iter().collect::<Vec<_>>()),
            |search| drop(search.backtracking(Backtracking::Reexecute).for_each(drop)),
            |search| korat::assert_valid_snapshot!(search, @""),
        ];
        for run in runs {
            let message = failure(|| run(search(forms, 2)));
            assert!(message.contains("the untouched rep_ok rejects it"), "{message}");
        }
    }
}

mod not_deterministic {
    use super::*;

    fn moody() -> bool {
        CALLS.set(CALLS.get() + 1);
        CALLS.get().is_multiple_of(3)
    }

    #[test]
    fn verdicts_are_no_disagreement() {
        let form = |view: &View<Planted>| sorted(view) && moody();
        let forms = Forms { machine: form, from_top: form, plain: |_| true };
        insta::assert_snapshot!(failure(|| search(forms, 2).count()), @r"
        rep_ok gave different verdicts on replay; is it deterministic? it accepted before and rejected now, on the candidate
          Planted { one: 0, two: 0, three: 0 }
        so far 0 explored, 0 valid
        ");
    }

    #[test]
    fn reads_are_no_disagreement() {
        let form = |view: &View<Planted>| *view.one == 0 && if moody() { *view.two == 1 } else { *view.three == 0 };
        let forms = Forms { machine: |view| *view.one == 0 && *view.two == 1, from_top: form, plain: |_| true };
        insta::assert_snapshot!(failure(|| search(forms, 2).count()), @r"
        rep_ok read different fields on replay at planted.rs:77; is it deterministic? it read Planted.three before and Planted.two now, on the candidate
          Planted { one: 0, two: 0 }
        so far 0 explored, 0 valid
        ");
    }

    /// All runs from the top agree, but the machine itself says something else when it begins anew.
    #[test]
    fn a_first_candidate_that_is_never_seen_again_is_no_disagreement() {
        fn once(view: &View<Planted>) -> bool {
            CALLS.set(CALLS.get() + 1);
            sorted(view) && CALLS.get() == 1
        }
        let forms = Forms { machine: once, from_top: once, ..SORTED };
        let message = failure(|| search(forms, 2).count());
        assert!(message.starts_with("rep_ok gave different verdicts on replay; is it deterministic?"), "{message}");
    }

    /// Nobody can know who is at fault where the predicate changes its mind later, and for good.
    #[test]
    fn a_later_change_of_mind_is_a_question() {
        fn for_a_while(view: &View<Planted>) -> bool {
            CALLS.set(CALLS.get() + 1);
            sorted(view) && CALLS.get() < 6
        }
        let forms = Forms { machine: for_a_while, from_top: for_a_while, ..SORTED };
        let message = failure(|| search(forms, 2).count());
        assert!(message.contains("or does rep_ok depend on something other than the value's fields?"), "{message}");
    }

    #[test]
    fn verdicts_on_a_value_are_no_disagreement() {
        let forms = Forms { plain: |_| moody(), ..SORTED };
        insta::assert_snapshot!(failure(|| search(forms, 2).count()), @r"
        rep_ok gave different verdicts on replay; is it deterministic? it rejected before and accepted now, on the candidate
          Planted { one: 0, two: 0, three: 0 }
        so far 1 explored, 1 valid
        ");
    }
}

mod settings {
    use super::*;

    #[test]
    fn off_checks_nothing() {
        let forms = Forms {
            machine: |view| *view.one == 0,
            from_top: |_| panic!("nobody runs it"),
            plain: |_| panic!("nor this"),
        };
        for report in [
            search(forms, 2).self_check(SelfCheck::Off).count(),
            search(forms, 2).self_check(SelfCheck::Off).for_each(drop),
        ] {
            assert_eq!((report.valid, report.compared, report.shown), (9, 0, 0));
            assert!(!report.to_string().contains("checked"), "{report}");
        }
    }

    #[test]
    fn all_checks_everything() {
        let report = search(SORTED, 40).self_check(SelfCheck::All).count();
        assert!(report.explored > 10_000);
        assert_eq!((report.compared, report.shown), (report.explored, report.valid));
        assert!(report.to_string().contains("undone, 36,121 candidates and 12,341 values checked, in "), "{report}");
    }

    /// Pauses come by the clock, and change nothing.
    #[test]
    fn a_sample_is_the_same_however_often_the_search_pauses() {
        let checked = |pause| {
            FORMS.set(SORTED);
            let mut searcher = Searcher::new(&Planted::scope(100), Settings::default()).expect("the bounds are right");
            searcher.pause_every(pause);
            while searcher.count_on(u64::MAX).expect("all agree") != Step::Done {}
            (searcher.checked(), searcher.counters())
        };
        let once = checked(u64::MAX >> 1);
        for pause in [1, 7, 64, 1000, 4096] {
            assert_eq!(checked(pause), once, "a pause after {pause} candidates");
        }
    }

    #[test]
    fn a_sample_checks_the_first_ones_and_then_fewer() {
        let all = search(SORTED, 12).order(Order::AsFound).count();
        assert!(all.explored < 2048 && all.compared == all.explored);
        let (short, long) = (search(SORTED, 60).count(), search(SORTED, 100).count());
        let again = search(SORTED, 100).count();
        assert_eq!((long.compared, long.shown), (again.compared, again.shown));
        // The longer a search, the more are checked, and the smaller a part of it.
        assert!(long.compared > short.compared && long.shown > short.shown, "{short}\n{long}");
        assert!(long.compared * short.explored < short.compared * long.explored, "{short}\n{long}");
        assert!(long.shown * short.valid < short.shown * long.valid, "{short}\n{long}");
    }
}

mod counts {
    use std::collections::HashSet;
    use std::fmt::Debug;

    use super::*;

    const BOTH: [Pruning; 2] = [Pruning::Ownership, Pruning::Classic];

    #[derive(Debug, Finitize)]
    struct Node {
        #[finitize(0..=1)]
        key: u8,
        left: Option<Box<Node>>,
        right: Option<Box<Node>>,
    }

    #[derive(Debug, Finitize)]
    struct Tree {
        root: Option<Box<Node>>,
        size: usize,
    }

    #[rep_ok]
    impl Tree {
        fn rep_ok(&self) -> bool {
            let mut seen = HashSet::new();
            Self::alternates(&self.root, 0, &mut seen) && seen.len() == self.size
        }

        fn alternates(node: &Option<Box<Node>>, key: u8, seen: &mut HashSet<*const Node>) -> bool {
            let Some(node) = node else { return true };
            if !seen.insert(&**node) || node.key != key {
                return false;
            }
            Self::alternates(&node.left, 1 - key, seen) && Self::alternates(&node.right, 1 - key, seen)
        }
    }

    /// An arena, whose length is decided before an index is, and unread fields.
    #[derive(Debug, Finitize)]
    struct Slab {
        #[finitize(len = 0..=scope)]
        next: Vec<Link>,
        #[finitize(index_of = next)]
        first: Option<usize>,
        unread: bool,
    }

    #[derive(Debug, Finitize)]
    struct Link {
        #[finitize(index_of = next)]
        to: Option<usize>,
    }

    #[rep_ok]
    impl Slab {
        fn rep_ok(&self) -> bool {
            let (mut at, mut seen) = (self.first, vec![]);
            while let Some(index) = at {
                if seen.contains(&index) {
                    return false;
                }
                seen.push(index);
                at = self.next[index].to;
            }
            seen.len() == self.next.len()
        }
    }

    /// Two boxes, and objects for one of them: no candidate gets to the second.
    #[derive(Debug, Finitize)]
    struct Crowd {
        first: Box<Guest>,
        second: Option<Box<Guest>>,
        third: Box<Guest>,
    }

    #[derive(Debug, Finitize)]
    struct Guest {
        #[finitize(0..=1)]
        age: u8,
    }

    #[rep_ok]
    impl Crowd {
        fn rep_ok(&self) -> bool {
            self.first.age == 0 && self.second.as_ref().is_none_or(|second| second.age == 1) && self.third.age == 1
        }
    }

    fn numbers(report: &Report) -> [u64; 4] {
        [report.explored, report.valid, report.field_inits, report.undo_ops]
    }

    /// Whatever is checked, the counts are the same; with `All`, all candidates of one pass are compared.
    fn are_the_same<T: Finitize + RepOk + Debug>(prunings: &[Pruning], search: impl Fn() -> Search<T>) {
        for &pruning in prunings {
            let search = || search().pruning(pruning).allow_empty();
            let all = search().self_check(SelfCheck::All).count();
            assert_eq!((all.compared, all.shown), (all.explored, all.valid), "{pruning:?}: {all}");
            for which in [SelfCheck::Off, SelfCheck::Sample] {
                assert_eq!(numbers(&search().self_check(which).count()), numbers(&all), "{pruning:?}, {which:?}");
            }
            let [off, all] = [SelfCheck::Off, SelfCheck::All].map(|which| search().self_check(which).for_each(drop));
            assert_eq!(numbers(&off), numbers(&all), "{pruning:?}");
        }
    }

    #[test]
    fn of_trees() {
        are_the_same(&BOTH, || Search::new(Tree::scope(5)));
    }

    #[test]
    fn of_arenas() {
        are_the_same(&BOTH, || Search::new(Slab::scope(3)));
    }

    #[test]
    fn of_dead_ends() {
        are_the_same(&[Pruning::Ownership], || Search::new(Crowd::scope(2)).objects::<Guest>(2));
        are_the_same(&[Pruning::Ownership], || Search::new(Crowd::scope(2)).objects::<Guest>(3));
    }
}

/// What a predicate is never run on otherwise: values of rejected candidates, which may wait, recurse or drop what they must not.
mod rejected {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Debug, Finitize)]
    struct Node {
        next: Option<Arc<Mutex<Node>>>,
        key: u8,
    }

    #[derive(Debug, Finitize)]
    struct Chain {
        head: Arc<Mutex<Node>>,
    }

    #[korat::rep_ok]
    impl Chain {
        fn rep_ok(&self) -> bool {
            let head = self.head.lock().unwrap();
            match &head.next {
                None => head.key == 1,
                Some(next) => {
                    // Waits forever if it is the head.
                    let next = next.lock().unwrap();
                    next.key < head.key && next.next.is_none()
                }
            }
        }
    }

    #[test]
    fn a_lock_is_not_waited_for() {
        assert_eq!(Search::new(Chain::scope(2)).self_check(SelfCheck::All).count().valid, 4);
    }

    #[derive(Debug)]
    struct Armed(bool);

    impl Drop for Armed {
        fn drop(&mut self) {
            assert!(!self.0 || std::thread::panicking(), "it is armed");
        }
    }

    #[derive(Debug, Finitize)]
    struct Bomb {
        low: u8,
        high: u8,
        #[finitize(skip = Armed(true))]
        armed: Armed,
    }

    #[korat::rep_ok]
    impl Bomb {
        fn rep_ok(&self) -> bool {
            self.low < self.high
        }
    }

    #[test]
    fn a_skipped_field_with_a_destructor_is_not_dropped() {
        let report = Search::new(Bomb::scope(2)).for_each(|mut bomb: Bomb| bomb.armed.0 = false);
        assert_eq!(report.valid, 3);
    }

    #[derive(Debug, Finitize)]
    struct Link {
        next: Option<Box<Link>>,
    }

    #[derive(Debug, Finitize)]
    struct Deep {
        head: Option<Box<Link>>,
        #[finitize(0..=1)]
        len: usize,
    }

    #[korat::rep_ok]
    impl Deep {
        fn rep_ok(&self) -> bool {
            Self::count(&self.head) == self.len
        }

        fn count(link: &Option<Box<Link>>) -> usize {
            let Some(link) = link else { return 0 };
            let much = [1u8; 2000];
            let count = Self::count(&link.next);
            count + usize::from(much[count % 2000])
        }
    }

    #[test]
    fn the_native_stack_is_not_used_up() {
        let search = Search::new(Deep::scope(1500)).order(Order::AsFound).self_check(SelfCheck::All);
        assert_eq!(search.count().valid, 2);
    }
}
