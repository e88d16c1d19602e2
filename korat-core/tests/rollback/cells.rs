//! Trials of cells, which change through shared references.

use std::cell::{Cell, RefCell};

use korat_core::__private::twin;
use rand::RngExt;
use rand::rngs::SmallRng;

use crate::harness::Trial;

type Wide = (u8, [u64; 2]);

type Lists = [twin::OwnRefCell<twin::Vec<u32>>; 2];

/// Two cells of each kind.
pub struct Cells {
    numbers: ([twin::Cell<u32>; 2], [Cell<u32>; 2]),
    wide: ([twin::Cell<Wide>; 2], [Cell<Wide>; 2]),
    lists: (Lists, [RefCell<Vec<u32>>; 2]),
    plain: ([twin::OwnRefCell<Wide>; 2], [RefCell<Wide>; 2]),
}

impl Trial for Cells {
    fn new() -> Self {
        Cells {
            numbers: Default::default(),
            wide: Default::default(),
            lists: Default::default(),
            plain: Default::default(),
        }
    }

    fn step(&mut self, rng: &mut SmallRng) {
        let (value, at): (u32, usize) = (rng.random_range(0..9), rng.random_range(0..2));
        let wide = (value as u8, [u64::from(value), 1]);
        macro_rules! both {
            ($field:ident, |$it:ident| $body:expr) => {{
                let ours = {
                    let $it = &mut self.$field.0;
                    $body
                };
                let theirs = {
                    let $it = &mut self.$field.1;
                    $body
                };
                assert_eq!(ours, theirs);
            }};
        }
        match rng.random_range(0..20) {
            0..=2 => both!(numbers, |it| it[at].set(value)),
            3 => both!(numbers, |it| it[at].replace(value)),
            4 => both!(numbers, |it| it[at].take()),
            5 => both!(numbers, |it| it[at].update(|known| known + value)),
            6 => both!(numbers, |it| it[at].swap(&it[0])),
            7 => both!(numbers, |it| std::mem::replace(it[at].get_mut(), value)),
            8 => both!(wide, |it| it[at].replace(wide)),
            9 => both!(wide, |it| it[0].swap(&it[1])),
            10 => both!(lists, |it| it[at].borrow_mut().push(value)),
            11 => both!(lists, |it| it[at].borrow_mut().pop()),
            12 => both!(lists, |it| it[at].take().len()),
            13 => both!(lists, |it| it[at].replace([value, value].into()).len()),
            14 => both!(lists, |it| it[0].swap(&it[1])),
            15 => both!(lists, |it| {
                let guard = it[at].borrow();
                let again = (it[at].try_borrow().is_ok(), it[at].try_borrow_mut().is_ok());
                (guard.len(), again)
            }),
            16 => both!(lists, |it| {
                let mut guard = it[at].borrow_mut();
                guard.extend([value, 2, 3]);
                (it[at].try_borrow().is_ok(), it[at].try_borrow_mut().is_ok())
            }),
            17 => both!(plain, |it| it[at].borrow_mut().1[1] += 1),
            18 => both!(plain, |it| it[at].replace_with(|known| (known.0 + 1, wide.1))),
            _ => both!(plain, |it| {
                it[at] = it[1 - at].clone();
                it[at].get_mut().0 = 3;
                it[at].clone().into_inner()
            }),
        }
    }

    fn check(&self) {
        for at in 0..2 {
            assert_eq!(self.numbers.0[at].get(), self.numbers.1[at].get());
            assert_eq!(self.wide.0[at].get(), self.wide.1[at].get());
            assert!(self.lists.0[at].borrow().iter().eq(self.lists.1[at].borrow().iter()));
            assert_eq!(*self.plain.0[at].borrow(), *self.plain.1[at].borrow());
            assert_eq!(format!("{:?}", self.lists.0[at]), format!("{:?}", self.lists.1[at]));
            assert!(self.lists.0[at].try_borrow_mut().is_ok());
        }
    }

    fn snapshot(&self) -> Self {
        Cells {
            numbers: (self.numbers.0, self.numbers.1.clone()),
            wide: (self.wide.0, self.wide.1.clone()),
            lists: (self.lists.0, self.lists.1.clone()),
            plain: (self.plain.0, self.plain.1.clone()),
        }
    }
}
