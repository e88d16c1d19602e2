//! Lists of the values that fields range over, with their type forgotten where only indices matter. A heap is never freed, so the lists
//! that are made of one value to be repaired have room for those of the next.

use std::any::Any;
use std::cell::{Cell, UnsafeCell};
use std::fmt::Debug;

use crate::codec::lookup::{self, Run};
use crate::ids::small;

/// A round number that is as large, or larger by an eighth at most: values of about the same size are repaired on one heap, as heaps are
/// never freed.
pub(crate) fn rounded(number: usize) -> usize {
    const EXACT: usize = 16;
    if number <= EXACT { number } else { number.next_multiple_of(1 << (number.ilog2() - 3)) }
}

/// A list of values whose type is forgotten.
pub(crate) trait AnyDomain: Any {
    /// The value at an index, printed.
    fn show(&self, index: u32) -> String;
    /// The number that the value at an index is, if it is one.
    fn number(&self, index: u32) -> Option<i128>;
    /// The index of the value that is a number.
    fn index_of_number(&self, number: i128) -> Option<u32>;
    /// Whether it has the values of the other list, or can take them.
    fn can_be(&self, other: &dyn AnyDomain) -> bool;
    /// Takes the values of the other list, if they are not its own.
    fn become_like(&self, _other: &dyn AnyDomain) {}
    /// Whether it can.
    fn is_roomy(&self) -> bool {
        false
    }
    /// Takes a number that it has not, after all others, if it can. Gives the index.
    fn admit(&self, _number: i128) -> Option<u32> {
        None
    }
    /// Only so many values remain: those that were admitted last go.
    fn withdraw(&self, _len: u32) {}
}

impl<T: Debug + PartialEq + 'static> AnyDomain for Vec<T> {
    fn show(&self, index: u32) -> String {
        format!("{:?}", self[index as usize])
    }
    fn number(&self, index: u32) -> Option<i128> {
        lookup::number(self.get(index as usize)?)
    }
    fn index_of_number(&self, number: i128) -> Option<u32> {
        lookup::position_of_number(self, number).map(small)
    }
    fn can_be(&self, other: &dyn AnyDomain) -> bool {
        (other as &dyn Any).downcast_ref() == Some(self)
    }
}

/// All lists have room for so many numbers that are admitted later.
const ADMITTED: usize = 128;

/// A list whose values can be others later, at the same place.
pub(crate) struct Roomy<T> {
    /// The values, and the last of them again wherever there is room for more, so that there is one at every place.
    places: UnsafeCell<Vec<T>>,
    len: Cell<usize>,
    /// How many of the values were not admitted later.
    listed: Cell<usize>,
    /// The run of numbers among these.
    run: Cell<Run>,
}

impl<T: Clone + 'static> Roomy<T> {
    /// Has room for a few more.
    pub(crate) fn new(mut values: Vec<T>) -> Self {
        let (len, run) = (values.len(), Run::of(&values));
        if let Some(last) = values.last().cloned() {
            values.resize(rounded(len + ADMITTED), last);
        }
        Roomy { places: UnsafeCell::new(values), len: Cell::new(len), listed: Cell::new(len), run: Cell::new(run) }
    }
}

impl<T> Roomy<T> {
    /// The values.
    pub(crate) fn values(&self) -> &[T] {
        &self.places()[..self.len.get()]
    }

    /// The values, and what fills the room for more.
    pub(crate) fn places(&self) -> &[T] {
        // SAFETY: the places are written in `become_like` only, when a heap is taken up again, and in `admit`. Nobody looks at values
        // then: the codecs, which do while they take values apart or build them, are not at work, and no predicate runs.
        unsafe { &*self.places.get() }
    }
}

impl<T: Clone + Debug + PartialEq + 'static> AnyDomain for Roomy<T> {
    fn show(&self, index: u32) -> String {
        format!("{:?}", self.values()[index as usize])
    }
    fn number(&self, index: u32) -> Option<i128> {
        lookup::number(self.values().get(index as usize)?)
    }
    fn index_of_number(&self, number: i128) -> Option<u32> {
        let (listed, admitted) = self.values().split_at(self.listed.get());
        let is_it = |value: &T| lookup::number(value) == Some(number);
        let among_admitted = || admitted.iter().position(is_it).map(|at| listed.len() + at);
        lookup::position_of_number(listed, number).or_else(among_admitted).map(small)
    }
    fn can_be(&self, other: &dyn AnyDomain) -> bool {
        let other: Option<&Self> = (other as &dyn Any).downcast_ref();
        other.is_some_and(|other| (1..=self.places().len()).contains(&other.values().len()))
    }
    fn become_like(&self, other: &dyn AnyDomain) {
        let Some(other) = (other as &dyn Any).downcast_ref::<Self>() else { return };
        let (Some(last), true) = (other.values().last(), self.can_be(other)) else { return };
        if self.values() == other.values() && self.listed.get() == self.len.get() {
            return;
        }
        // All values are cloned before anything is written: a clone that panics changes nothing.
        let filled = other.values().iter().chain(std::iter::repeat(last));
        let values: Vec<T> = filled.take(self.places().len()).cloned().collect();
        self.len.set(other.values().len());
        self.listed.set(other.values().len());
        self.run.set(other.run.get());
        // SAFETY: as in `places`. What was there is swapped out, and dropped when nothing here is borrowed any more.
        let before = unsafe {
            (*self.places.get()).iter_mut().zip(values).map(|(place, value)| std::mem::replace(place, value))
        };
        drop(before.collect::<Vec<T>>());
    }
    fn is_roomy(&self) -> bool {
        true
    }
    fn admit(&self, number: i128) -> Option<u32> {
        let (at, value) = (self.len.get(), lookup::of_number(number)?);
        if at == self.places().len() || at == self.listed.get() + ADMITTED {
            return None;
        }
        // SAFETY: as in `places`: it is done between two runs of the predicate, when no codec is at work, and nothing has the index of
        // this place, or no longer, if it was withdrawn. A number is not dropped.
        unsafe { (&mut *self.places.get())[at] = value };
        self.len.set(at + 1);
        Some(small(at))
    }
    fn withdraw(&self, len: u32) {
        self.len.set((len as usize).clamp(self.listed.get(), self.len.get()));
    }
}

/// The values of a field.
pub(crate) enum List<T: 'static> {
    Fixed(&'static Vec<T>, Run),
    Roomy(&'static Roomy<T>),
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for List<T> {}

impl<T: Clone + Debug + PartialEq + 'static> List<T> {
    /// One that stays as it is.
    pub(crate) fn fixed(values: &'static Vec<T>) -> Self {
        List::Fixed(values, Run::of(values))
    }

    pub(crate) fn values(self) -> &'static [T] {
        match self {
            List::Fixed(values, _) => values,
            List::Roomy(list) => list.values(),
        }
    }

    /// Where a value stands, if that is known without a look at the list.
    #[inline(always)]
    pub(crate) fn known_position(self, value: &T) -> Option<usize> {
        match self {
            List::Fixed(_, run) => run.position(value),
            List::Roomy(list) => list.run.get().position(value),
        }
    }

    /// The values, and what fills the room for more.
    pub(crate) fn places(self) -> &'static [T] {
        match self {
            List::Fixed(values, _) => values,
            List::Roomy(list) => list.places(),
        }
    }

    pub(crate) fn domain(self) -> &'static dyn AnyDomain {
        match self {
            List::Fixed(values, _) => values,
            List::Roomy(list) => list,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_takes_the_values_of_another_where_its_own_are() {
        let list = Roomy::new(vec!["a".to_string(), "b".to_string(), "c".to_string()]);
        let place = list.places().as_ptr();
        let room = list.places().len();
        assert_eq!((list.values().len(), room), (3, rounded(3 + ADMITTED)));
        for other in [vec!["x"], vec!["x", "y", "z", "w"], vec!["p", "q"]] {
            let other = Roomy::new(other.into_iter().map(String::from).collect());
            assert!(list.can_be(&other));
            list.become_like(&other);
            assert_eq!(list.values(), other.values());
            assert_eq!(list.places().as_ptr(), place);
            assert_eq!(list.places().len(), room);
        }
    }

    #[test]
    fn a_list_admits_some_numbers_more() {
        let list = Roomy::new((0..10_000_u16).collect());
        assert_eq!(
            (list.admit(70_000), list.index_of_number(20_000)),
            (None, None),
            "one is too large for the type, one is not there yet"
        );
        for admitted in 0..ADMITTED as u32 {
            let number = i128::from(20_000 - 7 * admitted);
            assert_eq!(
                (list.admit(number), list.index_of_number(number)),
                (Some(10_000 + admitted), Some(10_000 + admitted))
            );
            assert_eq!(list.number(10_000 + admitted), Some(number));
        }
        assert_eq!((list.admit(30_000), list.index_of_number(9_999)), (None, Some(9_999)));
        list.withdraw(10_001);
        assert_eq!((list.index_of_number(20_000), list.index_of_number(19_993)), (Some(10_000), None));
        assert_eq!((list.admit(30_000), list.index_of_number(30_000)), (Some(10_001), Some(10_001)));
        list.withdraw(5);
        assert_eq!((list.values().len(), list.admit(30_000)), (10_000, Some(10_000)), "what it was made of stays");
        let before = Roomy::new((0..10_000_u16).collect());
        list.become_like(&before);
        assert_eq!((list.values(), list.index_of_number(20_000)), (before.values(), None));
        assert_eq!(list.admit(30_000), Some(10_000));
    }

    #[test]
    fn a_list_knows_where_its_numbers_stand() {
        let list: &'static Roomy<u32> = Box::leak(Box::new(Roomy::new((10..20).collect())));
        let known = |value| List::Roomy(list).known_position(&value);
        assert_eq!((known(9), known(10), known(19), known(20)), (None, Some(0), Some(9), None));
        list.admit(20);
        assert_eq!((known(19), known(20)), (Some(9), None));
        list.become_like(&Roomy::new(vec![7_u32, 30, 31, 32]));
        assert_eq!((known(7), known(10), known(31), known(33)), (None, None, Some(2), None));
        list.become_like(&Roomy::new(vec![7_u32, 9]));
        assert_eq!((known(7), known(31)), (None, None));
    }

    #[test]
    fn a_list_does_not_take_what_it_has_no_room_for() {
        let list = Roomy::new(vec![1, 2, 3]);
        let longer = Roomy::new((0..200).collect());
        assert!(!list.can_be(&longer) && longer.can_be(&list));
        assert!(!list.can_be(&vec![1, 2, 3]), "one that stays as it is belongs to another heap");
        list.become_like(&longer);
        assert_eq!(list.values(), [1, 2, 3]);
    }

    #[test]
    fn a_list_that_has_become_another_admits_as_many_as_that() {
        let list = Roomy::new(vec![1_u32, 2, 3]);
        assert_eq!(list.admit(9), Some(3));
        list.become_like(&Roomy::new(vec![1_u32, 2, 3, 9]));
        let admitted = (0..=ADMITTED).filter(|&more| list.admit(100 + more as i128).is_some()).count();
        assert_eq!((admitted, list.index_of_number(9)), (ADMITTED, Some(3)));
    }
}
