//! What a value has, gathered before its bounded heap is laid out: plain values and keys, which its domains may not list. Filled by the
//! walk that takes values apart, asked when bounds are planned that are made of the value.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt::Debug;
use std::rc::{Rc, Weak};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::clock;
use crate::codec::lookup::{self, ByText, Distance};
use crate::extent::Extent;

/// Numbers from zero on that are not large, as bits.
#[derive(Default)]
struct Numbers(Vec<u64>);

impl Numbers {
    /// Those from here on are large.
    const END: usize = 1 << 22;

    /// All below one.
    fn below(end: usize) -> Self {
        let end = end.min(Self::END);
        let rest = (1 << (end % 64)) - 1;
        Numbers(std::iter::repeat_n(u64::MAX, end / 64).chain([rest]).collect())
    }

    /// Those of a list.
    fn of<T: 'static>(listed: &[T]) -> Self {
        let mut numbers = Numbers(vec![0; listed.len().min(Self::END) / 64 + 1]);
        for value in listed {
            numbers.add(value);
        }
        numbers
    }

    /// Adds the number that a value is; false if it is none of these.
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

    /// Those that the other ones do not have, in order.
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
    /// Whether they are integers, or options of some.
    are_integers: bool,
    numbers: Numbers,
    /// The others, but for one that is like the last of them.
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

    /// Those that a list with these numbers may not have.
    fn beyond(&self, listed: &Numbers) -> impl Iterator<Item = T> {
        let numbers = self.numbers.beyond(listed).filter_map(lookup::of_number);
        numbers.chain(self.others.iter().cloned()).inspect(|_| clock::stop_if_over_after(1))
    }
}

/// Where the values of a field are gathered: what its plan keeps, so that nothing is looked for when a value is added.
pub(crate) struct Gathered<T> {
    /// Where the values of a field are looked for.
    path: Rc<str>,
    /// The census that they are gathered for, and what that has of them.
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

/// Plain values, by the field in which they stand.
pub(crate) struct Foreign {
    /// Tells one census from the other.
    census: u64,
    fields: Vec<Field>,
}

/// A field with a value.
struct Field {
    path: Rc<str>,
    /// A `RefCell` of the `FieldValues` of its type.
    values: Rc<dyn Any>,
}

impl Default for Foreign {
    fn default() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Foreign { census: LAST.fetch_add(1, Ordering::Relaxed) + 1, fields: Vec::new() }
    }
}

impl Foreign {
    /// Adds a value to those of a field.
    #[inline]
    pub(crate) fn add<T: Clone + PartialEq + 'static>(&mut self, to: &Gathered<T>, value: &T) {
        if to.census.get() != self.census {
            self.begin(to);
        }
        if let Some(values) = to.values.borrow().upgrade() {
            values.borrow_mut().add(value);
        }
    }

    /// Gathers the values of a field from now on.
    #[cold]
    #[inline(never)]
    fn begin<T: Clone + PartialEq + 'static>(&mut self, to: &Gathered<T>) {
        let mut known = self.fields.iter().filter(|field| field.path == to.path);
        let values = match known.find_map(|field| field.values.clone().downcast().ok()) {
            Some(values) => values,
            None => {
                let values = Rc::new(RefCell::new(FieldValues::<T>::new()));
                self.fields.push(Field { path: to.path.clone(), values: values.clone() });
                values
            }
        };
        to.values.replace(Rc::downgrade(&values));
        to.census.set(self.census);
    }

    /// The values of a field that a list does not have, each once; numbers in order.
    pub(crate) fn beyond<T: Clone + Debug + PartialEq + 'static>(&self, field: &str, listed: &[T]) -> Vec<T> {
        self.beyond_numbers(field, listed, &Numbers::of(listed))
    }

    /// The same of a list that has so many numbers, from zero on.
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
        let (mut by_text, distance) = (None, Distance::default());
        let mut is_listed = |value: &T| {
            let steps = || clock::stop_if_over_after(1);
            let mut by_text = || by_text.get_or_insert_with(|| ByText::of(listed, steps)).position(listed, value);
            distance.position(listed, value, || lookup::guessed(listed, value).or_else(&mut by_text)).is_some()
        };
        let values = values.iter().flat_map(|values| values.beyond(numbers));
        let mut beyond: Vec<T> = values.filter(|value| !is_listed(value)).collect();
        if beyond.iter().all(|value| lookup::number(value).is_some()) {
            sort(&mut beyond);
            return beyond;
        }
        let (mut once, mut known) = (Vec::new(), ByText::default());
        for value in beyond {
            clock::stop_if_over_after(1);
            if known.position(&once, &value).is_none() {
                known.add(once.len(), &value);
                once.push(value);
            }
        }
        once
    }

    /// The first keys of a list, those of a field that are not among them, and if `all` is said, whatever may be one: values of that type
    /// in any field.
    pub(crate) fn keys<K: Clone + Debug + PartialEq + 'static>(
        &self,
        field: &str,
        listed: Vec<K>,
        all: bool,
    ) -> Vec<K> {
        const LISTED: usize = 16;
        const MOST: usize = 1 << 14;
        let mut keys: Vec<K> = listed.into_iter().take(LISTED).collect();
        keys.extend(self.beyond(field, &keys));
        for other in self.fields.iter().filter(|_| all) {
            let room = MOST.saturating_sub(keys.len());
            keys.extend(self.beyond(&other.path, &keys).into_iter().take(room));
        }
        keys
    }

    /// A list and the values that it does not have, and of numbers those next to them: where keys are in order, what a wrong one is to be
    /// lies between two others. Numbers in order, so that they are found.
    pub(crate) fn with_own<T: Clone + Debug + PartialEq + 'static>(&self, field: &str, mut listed: Vec<T>) -> Vec<T> {
        let beyond = self.beyond(field, &listed);
        if beyond.is_empty() {
            return listed;
        }
        let next_to = |value: &T| {
            clock::stop_if_over_after(1);
            lookup::number(value).map(|number| [number.checked_sub(1), number.checked_add(1)])
        };
        let near: Vec<T> =
            beyond.iter().filter_map(next_to).flatten().flatten().filter_map(lookup::of_number).collect();
        listed.extend(beyond);
        listed.extend(near);
        if listed.iter().any(|value| lookup::number(value).is_some()) {
            sort(&mut listed);
        }
        listed
    }
}

/// Sorts values as the numbers that they are, each once. What number a value is takes a while to find out.
fn sort<T: PartialEq + 'static>(values: &mut Vec<T>) {
    values.sort_by_cached_key(|value| {
        clock::stop_if_over_after(1);
        lookup::number(value)
    });
    values.dedup();
}

/// What a value has.
pub(crate) struct Census {
    pub(crate) foreign: Foreign,
    pub(crate) extent: Extent,
}
