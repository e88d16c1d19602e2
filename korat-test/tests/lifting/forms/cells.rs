//! Cells behind shared pointers: guards, and ways back that may be missing or dangling.

mod guards {
    use std::cell::RefCell;
    use std::collections::HashSet;
    use std::rc::Rc;

    use korat::{Finitize, rep_ok};

    use crate::forms::valid;

    #[derive(Debug, Finitize)]
    struct Knot {
        to: Option<Rc<RefCell<Knot>>>,
    }

    /// A chain of at most `scope` knots that ends.
    #[derive(Debug, Finitize)]
    struct Rope {
        start: Option<Rc<RefCell<Knot>>>,
        other: Option<Rc<RefCell<Knot>>>,
    }

    #[rep_ok]
    impl Rope {
        fn rep_ok(&self) -> bool {
            let mut seen = HashSet::new();
            let mut at = self.start.clone();
            while let Some(knot) = at {
                if !seen.insert(knot.as_ptr()) {
                    return false;
                }
                let to = &knot.borrow().to;
                at = to.as_ref().map(Rc::clone);
            }
            // `other` is one of the chain, or nothing.
            self.other.as_ref().is_none_or(|other| seen.contains(&other.as_ptr()))
        }
    }

    #[test]
    fn live_as_long_as_in_the_original() {
        // A chain of n knots, and n + 1 ways to choose the other end.
        assert_eq!(valid::<Rope>(3), (0..=3).map(|n| n + 1).sum::<u64>());
    }
}

mod optional_weak {
    use std::cell::RefCell;
    use std::rc::{Rc, Weak};

    use korat::{Finitize, rep_ok};

    use crate::forms::valid;

    #[derive(Debug, Finitize)]
    struct Stop {
        next: Option<Rc<RefCell<Stop>>>,
        prev: Option<Weak<RefCell<Stop>>>,
    }

    /// A line in both directions; the first stop has no way back.
    #[derive(Debug, Finitize)]
    struct Line {
        first: Option<Rc<RefCell<Stop>>>,
        /// Never read: `None`, dangling, or any stop.
        favourite: Option<Weak<RefCell<Stop>>>,
    }

    #[rep_ok]
    impl Line {
        fn rep_ok(&self) -> bool {
            let mut behind: Option<Rc<RefCell<Stop>>> = None;
            let mut at = self.first.clone();
            while let Some(stop) = at {
                let mirrored = match (&behind, &stop.borrow().prev) {
                    (None, None) => true,
                    (Some(behind), Some(prev)) => prev.upgrade().is_some_and(|prev| Rc::ptr_eq(behind, &prev)),
                    (None, Some(_)) | (Some(_), None) => false,
                };
                if !mirrored {
                    return false;
                }
                at = stop.borrow().next.clone();
                behind = Some(stop);
            }
            true
        }
    }

    #[test]
    fn none_dangling_and_every_object_are_different() {
        // A line of n stops, and n + 2 values of the favourite.
        assert_eq!(valid::<Line>(3), (0..=3).map(|n| n + 2).sum::<u64>());
    }
}
