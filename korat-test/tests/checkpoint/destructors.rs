//! Destructors that run while a search goes back or ends, and do more than to free what they hold.

/// Destructors that make containers while the search goes back.
mod that_make_containers {
    use std::fmt::Debug;

    use korat::{Finitize, Search, rep_ok};

    use crate::{MODES, agree};

    struct Loud<T: Clone + Debug>(T);

    impl<T: Clone + Debug> Drop for Loud<T> {
        fn drop(&mut self) {
            assert!(!format!("{:?}", self.0.clone()).is_empty());
        }
    }

    #[derive(Debug, Finitize)]
    struct Pair {
        one: u8,
        two: u8,
    }

    #[rep_ok(plain(Loud))]
    impl Pair {
        fn rep_ok(&self) -> bool {
            let mut before: Vec<u8> = vec![1, 2];
            before.push(self.one);
            let mut guards = Vec::new();
            guards.push(Loud(before.clone()));
            before.push(3);
            before.push(self.two);
            before.len() == 5 && before[4] > 0
        }
    }

    #[test]
    fn run_within_their_search() {
        for mode in MODES {
            for values in [0, 1, 2, 3, 6] {
                let search = Search::new(Pair::scope(2)).backtracking(mode).iter();
                assert_eq!(search.take(values).count(), values);
            }
        }
        assert_eq!(agree(|| Pair::scope(2)), 6);
    }
}

/// Destructors that panic when a search ends.
mod that_panic {
    use std::cell::Cell;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use korat::{Finitize, Search, rep_ok};

    use crate::MODES;

    thread_local! {
        static PANICS: Cell<bool> = const { Cell::new(false) };
    }

    #[derive(Clone)]
    struct Bomb;

    impl Drop for Bomb {
        fn drop(&mut self) {
            assert!(!PANICS.get(), "a destructor panics");
        }
    }

    #[derive(Debug, Finitize)]
    struct One {
        number: u8,
    }

    #[rep_ok(plain(Bomb))]
    impl One {
        fn rep_ok(&self) -> bool {
            let one = vec![Bomb];
            let two = vec![Bomb];
            one.len() + two.len() == 2 && self.number < 2
        }
    }

    #[test]
    fn are_heard_once() {
        for mode in MODES {
            let mut search = Search::new(One::scope(2)).backtracking(mode).iter();
            assert!(search.next().is_some());
            PANICS.set(true);
            assert!(catch_unwind(AssertUnwindSafe(|| drop(search))).is_err());
            PANICS.set(false);
            assert_eq!(Search::new(One::scope(2)).backtracking(mode).iter().count(), 2);
        }
    }
}
