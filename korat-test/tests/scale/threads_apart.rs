//! Threads that meet no value, where others do, come to the end of the same passes.

use std::rc::Rc;

use korat::{Finitize, Order, Summaries, rep_ok};

use crate::threads::{agree, searched};

/// There is one value, which only one thread meets.
#[derive(Debug, Finitize)]
struct Alone {
    all: [bool; 12],
}

#[rep_ok]
impl Alone {
    fn rep_ok(&self) -> bool {
        self.all.iter().all(|switch| *switch)
    }
}

/// Parts may be shared, which summaries find out late: after values of theirs were given.
#[derive(Debug, Finitize)]
struct Lattice {
    top: Option<Rc<Knot>>,
}

#[derive(Debug, Finitize)]
struct Knot {
    is_marked: bool,
    left: Option<Rc<Knot>>,
    right: Option<Rc<Knot>>,
}

#[rep_ok]
impl Lattice {
    fn rep_ok(&self) -> bool {
        Self::go(&self.top, 0)
    }

    /// Below two others, a marked knot has the same one on both sides.
    fn go(knot: &Option<Rc<Knot>>, depth: u8) -> bool {
        let Some(knot) = knot else { return true };
        let is_right = match (&knot.left, &knot.right) {
            (Some(left), Some(right)) => Rc::ptr_eq(left, right) == (depth >= 2 && knot.is_marked),
            _ => !knot.is_marked,
        };
        is_right && Self::go(&knot.left, depth + 1) && Self::go(&knot.right, depth + 1)
    }
}

#[test]
fn a_value_that_one_thread_meets() {
    agree::<Alone>(1, |search| searched(search).order(Order::AsFound));
    agree::<Alone>(1, searched);
}

#[test]
fn summaries_that_are_given_up() {
    for scope in [3, 4] {
        let summarised = agree::<Lattice>(scope, |search| search.summaries(Summaries::Always));
        assert_eq!(summarised.by_size, agree::<Lattice>(scope, searched).by_size);
    }
}
