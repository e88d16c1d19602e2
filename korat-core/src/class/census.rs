//! The plain values and keys of a value, which its domains may not list. The abstraction walk gathers them before the
//! heap is laid out; the planner reads them when it derives bounds from the value.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt::Debug;
use std::rc::{Rc, Weak};
use std::sync::atomic::{AtomicU64, Ordering};

use super::bounds_size::BoundsSize;
use crate::model::deadline;
use crate::slots::lookup;
use crate::slots::lookup::{DebugTextIndex, OffsetGuess};

/// A bit set of small non-negative integers.
#[derive(Default)]
struct Numbers(Vec<u64>);

impl Numbers {
    /// The first integer that is too large for the set.
    const END: usize = 1 << 22;

    /// Returns the set of all integers below `end`.
    fn below(end: usize) -> Self {
        let end = end.min(Self::END);
        let rest = (1 << (end % 64)) - 1;
        Numbers(std::iter::repeat_n(u64::MAX, end / 64).chain([rest]).collect())
    }

    /// Returns the small integers of a list.
    fn of<T: 'static>(listed: &[T]) -> Self {
        let mut numbers = Numbers(vec![0; listed.len().min(Self::END) / 64 + 1]);
        for value in listed {
            numbers.add(value);
        }
        numbers
    }

    /// Adds the integer that `value` represents. Returns `false` if it is not a small non-negative integer.
    #[inline]
    fn add<T: 'static>(&mut self, value: &T) -> bool {
        let Some(number) = lookup::number(value).filter(|number| (0..Self::END as i128).contains(number)) else {
            return false;
        };
        let (word, bit) = (number as usize / 64, 1 << (number % 64));
        if word >= self.0.len() {
            self.0.resize((word + 1).next_power_of_two(), 0);
        }
        self.0[word] |= bit;
        true
    }

    /// Returns the integers that `other` does not contain, in increasing order.
    fn beyond(&self, other: &Numbers) -> impl Iterator<Item = i128> {
        let words = self.0.iter().enumerate();
        let bits = words.map(|(at, bits)| (at, bits & !other.0.get(at).copied().unwrap_or(0)));
        bits.filter(|&(_, bits)| bits != 0).flat_map(|(at, bits)| {
            (0..64).filter(move |bit| bits & 1 << bit != 0).map(move |bit| (64 * at + bit) as i128)
        })
    }
}

/// The plain values of a field.
struct FieldValues<T> {
    /// Whether `T` is an integer type or an option of one.
    are_integers: bool,
    numbers: Numbers,
    /// Values outside `numbers`, without consecutive duplicates.
    others: Vec<T>,
}

impl<T: Clone + PartialEq + 'static> FieldValues<T> {
    fn new() -> Self {
        let are_integers = lookup::of_number::<T>(1).is_some();
        FieldValues { are_integers, numbers: Numbers::default(), others: Vec::new() }
    }

    #[inline]
    fn add(&mut self, value: &T) {
        let is_noted = self.are_integers && self.numbers.add(value);
        if !is_noted && self.others.last() != Some(value) {
            self.others.push(value.clone());
        }
    }

    /// Returns the values that may be missing from a list with the integers `listed`.
    fn beyond(&self, listed: &Numbers) -> impl Iterator<Item = T> {
        let numbers = self.numbers.beyond(listed).filter_map(lookup::of_number);
        numbers.chain(self.others.iter().cloned()).inspect(|_| deadline::unwind_if_passed_after(1))
    }
}

/// A field's handle on its gathered values. It lives in the field's plan, so that adding a value needs no lookup.
pub(crate) struct Gathered<T> {
    /// The field's path, under which the census keeps its values.
    path: Rc<str>,
    /// The census that `values` belongs to.
    census: Cell<u64>,
    values: RefCell<Weak<RefCell<FieldValues<T>>>>,
}

impl<T: Clone + PartialEq + 'static> Gathered<T> {
    pub(crate) fn new(path: Rc<str>) -> Self {
        Gathered { path, census: Cell::new(0), values: RefCell::new(Weak::new()) }
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }
}

/// Plain values by field.
pub(crate) struct PlainValues {
    /// The id of this census.
    census: u64,
    fields: Vec<GatheredField>,
}

/// The gathered values of one field.
struct GatheredField {
    path: Rc<str>,
    /// A `RefCell<FieldValues<T>>` for the type `T` of the field.
    values: Rc<dyn Any>,
    /// [`PlainValues::occurring_as`] for that type.
    occurring: fn(&PlainValues, &str, usize) -> Vec<Box<dyn Any>>,
}

impl Default for PlainValues {
    fn default() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        PlainValues { census: LAST.fetch_add(1, Ordering::Relaxed) + 1, fields: Vec::new() }
    }
}

impl PlainValues {
    /// Adds a value of a field.
    #[inline]
    pub(crate) fn add<T: Clone + Debug + PartialEq + 'static>(&mut self, to: &Gathered<T>, value: &T) {
        if to.census.get() != self.census {
            self.begin(to);
        }
        if let Some(values) = to.values.borrow().upgrade() {
            values.borrow_mut().add(value);
        }
    }

    /// Connects a field's handle to this census.
    #[cold]
    #[inline(never)]
    fn begin<T: Clone + Debug + PartialEq + 'static>(&mut self, to: &Gathered<T>) {
        let mut known = self.fields.iter().filter(|field| field.path == to.path);
        let values = match known.find_map(|field| field.values.clone().downcast().ok()) {
            Some(values) => values,
            None => {
                let values = Rc::new(RefCell::new(FieldValues::<T>::new()));
                let occurring = PlainValues::occurring_as::<T>;
                self.fields.push(GatheredField { path: to.path.clone(), values: values.clone(), occurring });
                values
            }
        };
        to.values.replace(Rc::downgrade(&values));
        to.census.set(self.census);
    }

    /// Returns the values of a field that `listed` does not contain, without duplicates; integers in increasing order.
    pub(crate) fn beyond<T: Clone + Debug + PartialEq + 'static>(&self, field: &str, listed: &[T]) -> Vec<T> {
        self.beyond_numbers(field, listed, &Numbers::of(listed))
    }

    /// Returns the values of a field that `listed` does not contain, without duplicates; integers in increasing order.
    /// `listed` must contain the integers below `positions`.
    pub(crate) fn beyond_positions<T: Clone + Debug + PartialEq + 'static>(
        &self,
        field: &str,
        listed: &[T],
        positions: usize,
    ) -> Vec<T> {
        self.beyond_numbers(field, listed, &Numbers::below(positions))
    }

    fn beyond_numbers<T: Clone + Debug + PartialEq + 'static>(
        &self,
        field: &str,
        listed: &[T],
        numbers: &Numbers,
    ) -> Vec<T> {
        let mut fields = self.fields.iter().filter(|known| *known.path == *field);
        let values = fields.find_map(|field| field.values.downcast_ref::<RefCell<FieldValues<T>>>());
        let values = values.map(RefCell::borrow);
        let (mut by_text, distance) = (None, OffsetGuess::default());
        let mut is_listed = |value: &T| {
            let steps = || deadline::unwind_if_passed_after(1);
            let mut by_text =
                || by_text.get_or_insert_with(|| DebugTextIndex::of(listed, steps)).position(listed, value);
            distance.position(listed, value, || lookup::guessed(listed, value).or_else(&mut by_text)).is_some()
        };
        let values = values.iter().flat_map(|values| values.beyond(numbers));
        let mut beyond: Vec<T> = values.filter(|value| !is_listed(value)).collect();
        if beyond.iter().all(|value| lookup::number(value).is_some()) {
            sort(&mut beyond);
            return beyond;
        }
        let (mut once, mut known) = (Vec::new(), DebugTextIndex::default());
        for value in beyond {
            deadline::unwind_if_passed_after(1);
            if known.position(&once, &value).is_none() {
                known.add(once.len(), &value);
                once.push(value);
            }
        }
        once
    }

    /// Returns the first few keys of a list and the keys of the field that are not among them. If `all` is set, adds
    /// the values of the same type in any other field, since each of them may be a key.
    pub(crate) fn keys<K: Clone + Debug + PartialEq + 'static>(
        &self,
        field: &str,
        listed: Vec<K>,
        all: bool,
    ) -> Vec<K> {
        const LISTED: usize = 16;
        let mut keys: Vec<K> = listed.into_iter().take(LISTED).collect();
        keys.extend(self.beyond(field, &keys));
        if all {
            self.add_from_elsewhere(field, &mut keys);
        }
        keys
    }

    /// Adds the values of the same type in other fields, as long as a list is not very long.
    fn add_from_elsewhere<T: Clone + Debug + PartialEq + 'static>(&self, field: &str, listed: &mut Vec<T>) {
        const MOST: usize = 1 << 14;
        for other in self.fields.iter().filter(|other| *other.path != *field) {
            let room = MOST.saturating_sub(listed.len());
            if room > 0 {
                let more = self.beyond(&other.path, listed);
                listed.extend(more.into_iter().take(room));
            }
        }
    }

    /// Returns values of the type of a field that occur in the value: first those that the field itself has nowhere, since a wrong value may
    /// have replaced one of them, unless there are more than `most`; then those that it has, unless they are numbers, up to `most`.
    pub(crate) fn occurring(&self, field: &str, most: usize) -> Vec<Box<dyn Any>> {
        let known = self.fields.iter().find(|known| *known.path == *field);
        known.map(|known| (known.occurring)(self, field, most)).unwrap_or_default()
    }

    fn occurring_as<T: Clone + Debug + PartialEq + 'static>(&self, field: &str, most: usize) -> Vec<Box<dyn Any>> {
        let mut own: Vec<T> = self.beyond(field, &[]);
        let len = own.len();
        self.add_from_elsewhere(field, &mut own);
        let mut found = own.split_off(len);
        if found.len() > most {
            found.clear();
        }
        if own.iter().all(|value| lookup::number(value).is_none()) {
            found.extend(own.into_iter().take(most));
        }
        found.into_iter().map(|value| Box::new(value) as Box<dyn Any>).collect()
    }

    /// Returns a list with the values of the field that it lacks and, for integers, their neighbours: where keys are sorted, the
    /// right value for a wrong key lies between two others. Adds values of the same type in other fields. Integers are sorted, so that lookups can
    /// guess their positions.
    pub(crate) fn with_own<T: Clone + Debug + PartialEq + 'static>(&self, field: &str, mut listed: Vec<T>) -> Vec<T> {
        let len = listed.len();
        let beyond = self.beyond(field, &listed);
        let next_to = |value: &T| {
            deadline::unwind_if_passed_after(1);
            lookup::number(value).map(|number| [number.checked_sub(1), number.checked_add(1)])
        };
        let near: Vec<T> =
            beyond.iter().filter_map(next_to).flatten().flatten().filter_map(lookup::of_number).collect();
        listed.extend(beyond);
        self.add_from_elsewhere(field, &mut listed);
        listed.extend(near);
        if listed.len() > len && listed.iter().any(|value| lookup::number(value).is_some()) {
            sort(&mut listed);
        }
        listed
    }
}

/// Sorts values by the integers that they represent, and removes duplicates. The keys are cached, because finding the
/// integer of a value is slow.
fn sort<T: PartialEq + 'static>(values: &mut Vec<T>) {
    values.sort_by_cached_key(|value| {
        deadline::unwind_if_passed_after(1);
        lookup::number(value)
    });
    values.dedup();
}

/// Everything that bounds derived from a value need to know about it.
pub(crate) struct Census {
    pub(crate) plain_values: PlainValues,
    pub(crate) bounds_size: BoundsSize,
}
