//! Destructors that do more than to free what they hold: they run where the predicate runs them, and not when the search goes back.

/// Destructors that make containers.
mod that_make_containers {
    use std::fmt::Debug;

    use korat::{Finitize, Search, rep_ok};

    use crate::checkpoint::{MODES, agree};

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
                let search = Search::new(Pair::scope(2)).backtracking(mode).into_iter();
                assert_eq!(search.take(values).count(), values);
            }
        }
        assert_eq!(agree(|| Pair::scope(2)), 6);
    }
}

/// Destructors of what is left in a collection: they would run when the search goes on, which is too late.
mod of_what_is_left {
    use std::cell::Cell;

    use korat::{Finitize, Search, SelfCheck, rep_ok};

    use crate::checkpoint::{MODES, agree};

    thread_local! {
        static RUN: Cell<u32> = const { Cell::new(0) };
    }

    /// Looks at what it borrows when it is dropped.
    struct Guard<'a>(&'a u8);

    impl Drop for Guard<'_> {
        fn drop(&mut self) {
            assert_eq!(*self.0 / 10, 4, "the local is there");
            RUN.set(RUN.get() + 1);
        }
    }

    #[derive(Debug, Finitize)]
    struct Left {
        number: u8,
    }

    #[rep_ok(plain(Guard))]
    impl Left {
        fn rep_ok(&self) -> bool {
            let local = 40 + self.number;
            let mut guards = Vec::new();
            guards.push(Guard(&local));
            guards.push(Guard(&local));
            drop(guards.pop());
            self.number < 2 && guards.len() == 1
        }
    }

    #[derive(Debug, Finitize)]
    struct Emptied {
        number: u8,
    }

    #[rep_ok(plain(Guard))]
    impl Emptied {
        fn rep_ok(&self) -> bool {
            let local = 40 + self.number;
            let mut guards = vec![Guard(&local)];
            guards.push(Guard(&local));
            guards.clear();
            self.number < 2
        }
    }

    /// How many destructors a search runs, of three candidates.
    fn run(search: impl FnOnce()) -> u32 {
        RUN.set(0);
        search();
        RUN.get()
    }

    #[test]
    fn are_not_run() {
        for mode in MODES {
            let search = Search::new(Left::scope(2)).backtracking(mode).self_check(SelfCheck::Off);
            assert_eq!(run(|| assert_eq!(search.count(), 2)), 3, "{mode:?}: those of what was popped");
            let search = Search::new(Emptied::scope(2)).backtracking(mode).self_check(SelfCheck::Off);
            assert_eq!(run(|| assert_eq!(search.count(), 2)), 6, "{mode:?}: all");
        }
        assert_eq!((agree(|| Left::scope(2)), agree(|| Emptied::scope(2))), (2, 2));
    }
}
