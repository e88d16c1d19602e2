//! Code of the user's that keeps what it should not, panics where it hurts, or asks for the impossible: never undefined
//! behaviour, a wrong count or a hang. Run it under AddressSanitizer too.

use std::cell::{Cell, RefCell};
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use korat::{Finitize, Order, Search, SelfCheck, rep_ok};

use crate::panics::message_of;

mod kept {
    use super::*;

    thread_local! {
        static KEPT: RefCell<Vec<Box<dyn Debug>>> = const { RefCell::new(Vec::new()) };
    }

    fn keep<T: Debug + 'static>(value: T) -> bool {
        KEPT.with_borrow_mut(|kept| kept.push(Box::new(value)));
        true
    }

    #[derive(Debug, Finitize)]
    struct Pair {
        numbers: [u8; 2],
    }

    #[rep_ok]
    impl Pair {
        fn rep_ok(&self) -> bool {
            keep(self.numbers) && self.numbers[0] < 2
        }
    }

    #[test]
    fn a_copy_of_a_field_outlives_the_search() {
        let report = Search::new(Pair::scope(2)).self_check(SelfCheck::Off).report();
        assert_eq!(report.valid, 6);
        let kept = KEPT.take();
        // Another search may use the same memory meanwhile.
        let _again = korat::valid(Pair::scope(2)).next();
        for value in kept {
            let _text_or_panic = catch_unwind(AssertUnwindSafe(|| format!("{value:?}")));
        }
    }
}

mod building {
    use super::*;

    thread_local! {
        static CLONES_LEFT: Cell<u32> = const { Cell::new(0) };
    }

    #[derive(Debug, PartialEq)]
    struct Evil(String);

    impl Clone for Evil {
        fn clone(&self) -> Self {
            let left = CLONES_LEFT.get();
            assert!(left > 0, "no more clones");
            CLONES_LEFT.set(left - 1);
            Evil(self.0.clone())
        }
    }

    #[derive(Debug, Finitize)]
    struct Inner {
        back: Option<Rc<Outer>>,
    }

    #[derive(Debug, Finitize)]
    struct Outer {
        #[finitize(values = vec![Evil("evil".to_string())])]
        evil: Evil,
        inner: RefCell<Option<Box<Inner>>>,
    }

    #[derive(Debug, Finitize)]
    struct Root {
        outer: Option<Rc<Outer>>,
        other: Option<Rc<Outer>>,
    }

    #[rep_ok]
    impl Root {
        fn rep_ok(&self) -> bool {
            self.outer.is_some()
        }
    }

    #[test]
    fn a_clone_that_panics_leaves_nothing_half_built() {
        for clones in 0..4 {
            CLONES_LEFT.set(clones);
            let message = message_of(|| korat::valid(Root::scope(2)).for_each(drop));
            assert!(message.contains("no more clones"), "{message}");
        }
        CLONES_LEFT.set(u32::MAX);
        assert!(korat::valid(Root::scope(2)).count() > 0);
    }
}

mod rings {
    use super::*;

    thread_local! {
        static ALIVE: Cell<i64> = const { Cell::new(0) };
    }

    /// Counts how many there are.
    #[derive(Debug)]
    struct Counter;

    impl Clone for Counter {
        fn clone(&self) -> Self {
            ALIVE.set(ALIVE.get() + 1);
            Counter
        }
    }

    impl PartialEq for Counter {
        fn eq(&self, _other: &Self) -> bool {
            true
        }
    }

    impl Drop for Counter {
        fn drop(&mut self) {
            ALIVE.set(ALIVE.get() - 1);
        }
    }

    fn counters() -> Vec<Counter> {
        ALIVE.set(ALIVE.get() + 1);
        vec![Counter]
    }

    #[derive(Finitize)]
    struct Hub {
        #[finitize(values = counters())]
        _counter: Counter,
        spoke: RefCell<Option<Box<Spoke>>>,
        plain: Option<Box<Plain>>,
    }

    #[derive(Finitize)]
    struct Spoke {
        back: Option<Rc<Hub>>,
    }

    #[derive(Finitize)]
    struct Plain {
        back: RefCell<Option<Rc<Hub>>>,
    }

    #[derive(Finitize)]
    struct Wheel {
        hub: Option<Rc<Hub>>,
    }

    impl Debug for Wheel {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a wheel")
        }
    }

    #[rep_ok]
    impl Wheel {
        fn rep_ok(&self) -> bool {
            true
        }
    }

    #[test]
    fn through_boxes_are_freed() {
        ALIVE.set(0);
        // The counter of the domain stays with the heap.
        let report = Search::new(Wheel::scope(2)).self_check(SelfCheck::Off).for_each(drop);
        assert!(report.valid > 10, "{report}");
        assert_eq!(ALIVE.get(), 1);
    }

    #[test]
    fn that_outlive_the_next_value_do_not_pile_up() {
        ALIVE.set(0);
        let mut last = None;
        let mut most = 0;
        Search::new(Wheel::scope(2)).self_check(SelfCheck::Off).order(Order::AsFound).for_each(|wheel| {
            last = Some(wheel);
            most = most.max(ALIVE.get());
        });
        assert!(most < 200, "{most} alive");
    }
}

mod endings {
    use super::*;

    #[derive(Debug, Finitize)]
    struct Fragile {
        number: u8,
    }

    #[rep_ok]
    impl Fragile {
        fn rep_ok(&self) -> bool {
            assert!(self.number != 1, "it broke");
            true
        }
    }

    #[test]
    fn a_search_that_failed_is_not_complete() {
        let mut values = korat::valid(Fragile::scope(3));
        assert_eq!(values.next().map(|fragile| fragile.number), Some(0));
        assert!(message_of(|| values.next()).contains("it broke"));
        assert!(values.next().is_none());
        assert!(!values.report().is_complete());
    }

    #[derive(Debug, Finitize)]
    struct Link {
        next: Option<Rc<RefCell<Link>>>,
    }

    /// A link to itself, whose derived `Debug` never ends.
    #[derive(Debug, Finitize)]
    struct Knot {
        link: Option<Rc<RefCell<Link>>>,
    }

    #[rep_ok]
    impl Knot {
        fn rep_ok(&self) -> bool {
            self.link
                .as_ref()
                .is_some_and(|link| link.borrow().next.as_ref().is_some_and(|next| Rc::ptr_eq(link, next)))
        }
    }

    #[test]
    fn a_value_whose_text_never_ends_is_cut() {
        let message = message_of(|| korat::for_each_valid(Knot::scope(1), |_| panic!("seen")));
        assert!(message.contains("seen") && message.contains("never ends"), "{message}");
        // Where the environment asks for backtraces, one follows the value, as long as the names of functions make it.
        let value = message.split("backtrace of the property:").next().expect("there is always a first part");
        assert!(value.len() < 20_000, "{} bytes", value.len());
    }

    thread_local! {
        static CALLS: Cell<u64> = const { Cell::new(0) };
    }

    #[derive(Debug, Finitize)]
    struct Nothing {
        #[finitize(0..1_000)]
        one: u32,
        #[finitize(0..1_000)]
        two: u32,
    }

    #[rep_ok]
    impl Nothing {
        fn rep_ok(&self) -> bool {
            CALLS.set(CALLS.get() + 1);
            self.one + self.two > 10_000
        }
    }

    #[test]
    fn an_empty_search_is_not_run_twice_to_say_why() {
        let message = message_of(|| Search::new(Nothing::scope(1)).report());
        assert!(
            message.contains("(1,000,000 of them); read last before the rejection: Nothing.two (100 %)"),
            "{message}"
        );
        assert!(CALLS.get() <= 1_100_000, "{} calls", CALLS.get());
    }

    #[derive(Debug, Finitize)]
    struct Stubborn {
        number: u8,
    }

    #[rep_ok]
    impl Stubborn {
        fn rep_ok(&self) -> bool {
            let endless = || loop {
                if self.number > 9 {
                    break;
                }
            };
            catch_unwind(AssertUnwindSafe(endless)).is_err()
        }
    }

    #[test]
    fn a_predicate_that_catches_panics_is_still_endless() {
        let search = Search::new(Stubborn::scope(3)).step_limit(1_000);
        assert!(message_of(|| search.report()).contains("it seems to loop"));
    }
}

mod bounds {
    use super::*;

    #[derive(Debug, Finitize)]
    struct Repeats {
        #[finitize([1, 1, 2])]
        number: u8,
        #[finitize(len = [1, 2, 1])]
        list: Vec<bool>,
    }

    #[rep_ok]
    impl Repeats {
        fn rep_ok(&self) -> bool {
            self.number > 0 && !self.list.is_empty()
        }
    }

    #[test]
    fn a_value_listed_twice_is_a_mistake() {
        let message = message_of(|| Search::new(Repeats::scope(1)).report());
        assert!(message.contains("Repeats.number at scope 1 lists 1 twice"), "{message}");
        assert!(message.contains("Repeats.list.len() at scope 1 lists 1 twice"), "{message}");
    }

    thread_local! {
        static HIGHEST: Cell<u8> = const { Cell::new(1) };
    }

    /// A domain that is not the same every time.
    #[derive(Debug, Finitize)]
    struct Moody {
        #[finitize(0..=HIGHEST.get())]
        number: u8,
    }

    #[rep_ok]
    impl Moody {
        fn rep_ok(&self) -> bool {
            self.number < 9
        }
    }

    #[test]
    fn a_domain_is_evaluated_for_every_search() {
        for (highest, valid) in [(1, 2), (3, 4), (1, 2)] {
            HIGHEST.set(highest);
            assert_eq!(Search::new(Moody::scope(1)).count(), valid);
        }
        let overridden = |most: u8| Search::new(Moody::scope(1).domain(korat::field!(Moody.number), 0..=most)).count();
        assert_eq!([overridden(5), overridden(2), overridden(5)], [6, 3, 6]);
    }

    #[derive(Debug, Finitize)]
    struct Long {
        list: Vec<bool>,
        #[finitize(values = 0..)]
        number: u32,
    }

    #[rep_ok]
    impl Long {
        fn rep_ok(&self) -> bool {
            self.list.is_empty() && self.number == 0
        }
    }

    #[test]
    fn domains_without_end_are_a_mistake() {
        let message = message_of(|| Search::new(Long::scope(1 << 31)).report());
        assert!(message.contains("Long.list.len()") && message.contains("more than"), "{message}");
        assert!(message.contains("Long.number") && message.contains("more than"), "{message}");
    }
}
