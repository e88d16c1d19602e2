//! Changes that no statement of the predicate shows: in a cell of a plain local, through a borrow that a struct holds, and in
//! a listed value.

use std::cell::Cell;

list!(
    a_plain_local_with_a_cell(Counter),
    |list| {
        let counter = Counter::default();
        let mut rest = &list.head;
        while let Some(node) = rest {
            if node.key > 1 {
                return false;
            }
            counter.bump();
            rest = &node.next;
        }
        counter.count() == u32::from(list.len)
    },
    15,
    {
        #[derive(Default)]
        pub struct Counter(Cell<u32>);
        impl Counter {
            pub fn bump(&self) {
                self.0.set(self.0.get() + 1);
            }
            pub fn count(&self) -> u32 {
                self.0.get()
            }
        }
    }
);

list!(
    a_struct_that_holds_a_borrow(),
    |list| {
        struct Account<'a> {
            total: &'a mut u8,
        }
        impl Account<'_> {
            fn add(&mut self, amount: u8) {
                *self.total += amount;
            }
        }
        let mut total = 0;
        let mut account = Account { total: &mut total };
        let mut rest = &list.head;
        while let Some(node) = rest {
            account.add(node.key);
            rest = &node.next;
        }
        total == list.len
    },
    35
);

/// Listed values that change behind a shared reference.
mod memo {
    use std::cell::RefCell;

    use korat::{Finitize, Search, SelfCheck, rep_ok};

    use crate::checkpoint::MODES;

    #[derive(Clone, Debug, PartialEq)]
    struct Memo(RefCell<Vec<u32>>);

    impl Memo {
        fn grow(&self) -> usize {
            self.0.borrow_mut().extend(0..100);
            self.0.borrow().len()
        }
    }

    fn memos() -> Vec<Memo> {
        vec![Memo(RefCell::new(vec![1, 2, 3])), Memo(RefCell::new(vec![4, 5]))]
    }

    #[derive(Debug, Finitize)]
    struct Noted {
        #[finitize(values = memos())]
        memo: Memo,
        number: u8,
    }

    #[rep_ok]
    impl Noted {
        fn rep_ok(&self) -> bool {
            self.memo.grow() > 100 && self.number < 3
        }
    }

    #[test]
    fn is_read_where_it_is_owned() {
        for mode in MODES {
            let search = Search::new(Noted::scope(3)).backtracking(mode).self_check(SelfCheck::Off).into_iter();
            let greatest: Vec<_> = search.map(|noted| noted.memo.0.into_inner().into_iter().max()).collect();
            assert_eq!(greatest, [Some(99); 6]);
        }
    }
}
