//! Where a choice re-enters the predicate: within a callee, within a scope, and within a statement.

list!(
    a_value_before_a_temporary_that_changes_it(),
    |list| {
        fn count_up(number: &mut u8) -> u8 {
            *number += 1;
            *number
        }
        let mut number = 0;
        let mut rest = &list.head;
        while let Some(node) = rest {
            let pair = (number, &count_up(&mut number));
            if node.key != pair.0 {
                return false;
            }
            rest = &node.next;
            if *pair.1 != pair.0 + 1 {
                return false;
            }
        }
        number == list.len
    },
    4
);

mod quiet_after_a_call {
    use korat::{Finitize, rep_ok};

    use crate::checkpoint::agree;

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Pair {
        #[finitize(0..=3)]
        a: u8,
        #[finitize(0..=1, len = 0..=3)]
        items: Vec<u8>,
    }

    #[rep_ok]
    impl Pair {
        fn rep_ok(&self) -> bool {
            let items = &self.items;
            Self::within(self, 1, 2) && items.len() == 2
        }

        fn within(pair: &Pair, low: u8, high: u8) -> bool {
            pair.a >= low && pair.a <= high
        }
    }

    #[test]
    fn a_choice_of_the_caller_re_enters_the_callee() {
        assert_eq!(agree(|| Pair::scope(3)), 8);
    }
}

mod scopes {
    use std::cell::RefCell;

    use korat::{Finitize, rep_ok};

    use crate::checkpoint::agree;

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Pair {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
    }

    #[rep_ok]
    impl Pair {
        fn rep_ok(&self) -> bool {
            let number = RefCell::new(0u8);
            let _guard = number.borrow_mut();
            let a = self.a;
            number.try_borrow().is_err() && self.b >= a
        }
    }

    #[test]
    fn a_guard_lives_to_the_end_of_its_scope() {
        assert_eq!(agree(|| Pair::scope(2)), 6);
    }
}
