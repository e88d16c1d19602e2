//! The lists of values that fields range over, type-erased where only indices matter. Heaps are never freed, so a list
//! made from one value to be repaired has spare capacity for the values of the next.
//!
//! # Safety argument
//! A `MutableList` is a vector of cells, each of which holds a value. It never grows: slots store the address of the
//! first cell and read values there whenever a predicate runs. That address comes from the vector itself (`places`), so
//! a write to a cell does not invalidate it.
//!
//! Cells are written in `take_values_of`, when a heap is reused, and in `admit`, between two runs of a predicate. No
//! reference to a value exists at these times: no predicate runs, every slot of the list is unassigned or holds the
//! index of another place, and no codec, which reads values while it decomposes or builds one, is at work. The vector
//! drops its values, once.

use std::any::Any;
use std::cell::{Cell, UnsafeCell};
use std::fmt::Debug;
use std::{ptr, slice};

use super::lookup;
use super::lookup::ConsecutiveRun;
use crate::model::ids::to_u32;

/// Rounds up, by at most an eighth, so that values of about the same size are repaired on one heap: heaps are never freed.
pub(crate) fn rounded(number: usize) -> usize {
    const EXACT: usize = 16;
    if number <= EXACT { number } else { number.next_multiple_of(1 << (number.ilog2() - 3)) }
}

/// A type-erased list of values.
pub(crate) trait AnyDomain: Any {
    /// Formats the value at an index.
    fn show(&self, index: u32) -> String;
    /// Returns the value at an index as a number, if it is one.
    fn number(&self, index: u32) -> Option<i128>;
    /// Returns the index of the value that is this number.
    fn index_of_number(&self, number: i128) -> Option<u32>;
    /// Returns the index of a value, if the list has it.
    fn index_of(&self, value: &dyn Any) -> Option<u32>;
    /// Returns whether the list has the values of the other list, or can take them over.
    fn can_take_values_of(&self, other: &dyn AnyDomain) -> bool;
    /// Takes over the values of the other list, unless it has them already.
    fn take_values_of(&self, _other: &dyn AnyDomain) {}
    /// Returns whether the list can take over values or admit numbers.
    fn is_mutable(&self) -> bool {
        false
    }
    /// Appends a number that the list does not have, if it can. Returns its index.
    fn admit(&self, _number: i128) -> Option<u32> {
        None
    }
    /// Shortens the list to `len` values: removes those that were admitted last, and no others.
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
        lookup::position_of_number(self, number).map(to_u32)
    }
    fn index_of(&self, value: &dyn Any) -> Option<u32> {
        lookup::position(self, value.downcast_ref()?).map(to_u32)
    }
    fn can_take_values_of(&self, other: &dyn AnyDomain) -> bool {
        (other as &dyn Any).downcast_ref() == Some(self)
    }
}

/// Spare capacity of every `MutableList` for numbers that are admitted later.
const ADMITTED: usize = 128;

/// A list whose values can be replaced in place.
pub(crate) struct MutableList<T> {
    /// The values, followed by copies of the last one in the spare capacity, so that every place holds a value.
    places: Vec<UnsafeCell<T>>,
    /// The number of values.
    len: Cell<usize>,
    /// The number of values that were not admitted later.
    listed: Cell<usize>,
    /// The run of consecutive numbers among those values.
    run: Cell<ConsecutiveRun>,
}

impl<T: Clone + 'static> MutableList<T> {
    /// Creates a list with spare capacity.
    pub(crate) fn new(mut values: Vec<T>) -> Self {
        let (len, run) = (values.len(), ConsecutiveRun::of(&values));
        if let Some(last) = values.last().cloned() {
            values.resize(rounded(len + ADMITTED), last);
        }
        let places = values.into_iter().map(UnsafeCell::new).collect();
        MutableList { places, len: Cell::new(len), listed: Cell::new(len), run: Cell::new(run) }
    }
}

impl<T> MutableList<T> {
    /// Returns the values.
    pub(crate) fn values(&self) -> &[T] {
        // SAFETY: there are at least that many cells, each with a value, and none is written while the slice is in use,
        // by the safety argument in the header.
        unsafe { slice::from_raw_parts(self.places.as_ptr().cast(), self.len.get()) }
    }

    /// Returns the address of the values and of the copies in the spare capacity.
    pub(crate) fn places(&self) -> *const [T] {
        ptr::slice_from_raw_parts(self.places.as_ptr().cast(), self.places.len())
    }
}

impl<T: Clone + Debug + PartialEq + 'static> AnyDomain for MutableList<T> {
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
        lookup::position_of_number(listed, number).or_else(among_admitted).map(to_u32)
    }
    fn index_of(&self, value: &dyn Any) -> Option<u32> {
        lookup::position(self.values(), value.downcast_ref()?).map(to_u32)
    }
    fn can_take_values_of(&self, other: &dyn AnyDomain) -> bool {
        let other: Option<&Self> = (other as &dyn Any).downcast_ref();
        other.is_some_and(|other| (1..=self.places.len()).contains(&other.values().len()))
    }
    fn take_values_of(&self, other: &dyn AnyDomain) {
        let Some(other) = (other as &dyn Any).downcast_ref::<Self>() else { return };
        let (Some(last), true) = (other.values().last(), self.can_take_values_of(other)) else { return };
        if self.values() == other.values() && self.listed.get() == self.len.get() {
            return;
        }
        // Clones all values before it writes any: a clone that panics changes nothing.
        let filled = other.values().iter().chain(std::iter::repeat(last));
        let values: Vec<T> = filled.take(self.places.len()).cloned().collect();
        self.len.set(other.values().len());
        self.listed.set(other.values().len());
        self.run.set(other.run.get());
        // SAFETY: no reference to a value exists, by the safety argument in the header. The old values are swapped out,
        // and dropped once all new ones are in place.
        let replace = |(place, value): (&UnsafeCell<T>, T)| unsafe { place.get().replace(value) };
        drop(self.places.iter().zip(values).map(replace).collect::<Vec<T>>());
    }
    fn is_mutable(&self) -> bool {
        true
    }
    fn admit(&self, number: i128) -> Option<u32> {
        let (at, value) = (self.len.get(), lookup::of_number(number)?);
        if at == self.places.len() || at == self.listed.get() + ADMITTED {
            return None;
        }
        // SAFETY: no reference to a value exists, by the safety argument in the header, and no slot holds the index of
        // this place (or no longer, if it was withdrawn). The place holds a value to replace.
        unsafe { *self.places[at].get() = value };
        self.len.set(at + 1);
        Some(to_u32(at))
    }
    fn withdraw(&self, len: u32) {
        self.len.set((len as usize).clamp(self.listed.get(), self.len.get()));
    }
}

/// The values of a field.
pub(crate) enum List<T: 'static> {
    Fixed(&'static Vec<T>, ConsecutiveRun),
    Mutable(&'static MutableList<T>),
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for List<T> {}

impl<T: Clone + Debug + PartialEq + 'static> List<T> {
    /// Creates a list that never changes.
    pub(crate) fn fixed(values: &'static Vec<T>) -> Self {
        List::Fixed(values, ConsecutiveRun::of(values))
    }

    pub(crate) fn values(self) -> &'static [T] {
        match self {
            List::Fixed(values, _) => values,
            List::Mutable(list) => list.values(),
        }
    }

    /// Returns the position of a value, if it is known without searching the list.
    #[inline(always)]
    pub(crate) fn known_position(self, value: &T) -> Option<usize> {
        match self {
            List::Fixed(_, run) => run.position(value),
            List::Mutable(list) => list.run.get().position(value),
        }
    }

    /// Returns the address of the values and of the copies in the spare capacity.
    pub(crate) fn places(self) -> *const [T] {
        match self {
            List::Fixed(values, _) => values.as_slice(),
            List::Mutable(list) => list.places(),
        }
    }

    pub(crate) fn domain(self) -> &'static dyn AnyDomain {
        match self {
            List::Fixed(values, _) => values,
            List::Mutable(list) => list,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_takes_the_values_of_another_where_its_own_are() {
        let list = MutableList::new(vec!["a".to_string(), "b".to_string(), "c".to_string()]);
        let place = list.places().cast::<String>();
        let room = list.places().len();
        assert_eq!((list.values().len(), room), (3, rounded(3 + ADMITTED)));
        for other in [vec!["x"], vec!["x", "y", "z", "w"], vec!["p", "q"]] {
            let other = MutableList::new(other.into_iter().map(String::from).collect());
            assert!(list.can_take_values_of(&other));
            list.take_values_of(&other);
            assert_eq!(list.values(), other.values());
            assert_eq!(list.places().cast::<String>(), place);
            assert_eq!(list.places().len(), room);
        }
    }

    #[test]
    fn a_list_admits_some_numbers_more() {
        let list = MutableList::new((0..10_000_u16).collect());
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
        let before = MutableList::new((0..10_000_u16).collect());
        list.take_values_of(&before);
        assert_eq!((list.values(), list.index_of_number(20_000)), (before.values(), None));
        assert_eq!(list.admit(30_000), Some(10_000));
    }

    #[test]
    fn a_list_knows_where_its_numbers_stand() {
        let list: &'static MutableList<u32> = Box::leak(Box::new(MutableList::new((10..20).collect())));
        let known = |value| List::Mutable(list).known_position(&value);
        assert_eq!((known(9), known(10), known(19), known(20)), (None, Some(0), Some(9), None));
        list.admit(20);
        assert_eq!((known(19), known(20)), (Some(9), None));
        list.take_values_of(&MutableList::new(vec![7_u32, 30, 31, 32]));
        assert_eq!((known(7), known(10), known(31), known(33)), (None, None, Some(2), None));
        list.take_values_of(&MutableList::new(vec![7_u32, 9]));
        assert_eq!((known(7), known(31)), (None, None));
    }

    #[test]
    fn a_list_does_not_take_what_it_has_no_room_for() {
        let list = MutableList::new(vec![1, 2, 3]);
        let longer = MutableList::new((0..200).collect());
        assert!(!list.can_take_values_of(&longer) && longer.can_take_values_of(&list));
        assert!(!list.can_take_values_of(&vec![1, 2, 3]), "one that stays as it is belongs to another heap");
        list.take_values_of(&longer);
        assert_eq!(list.values(), [1, 2, 3]);
    }

    #[test]
    fn a_list_that_has_become_another_admits_as_many_as_that() {
        let list = MutableList::new(vec![1_u32, 2, 3]);
        assert_eq!(list.admit(9), Some(3));
        list.take_values_of(&MutableList::new(vec![1_u32, 2, 3, 9]));
        let admitted = (0..=ADMITTED).filter(|&more| list.admit(100 + more as i128).is_some()).count();
        assert_eq!((admitted, list.index_of_number(9)), (ADMITTED, Some(3)));
    }
}
