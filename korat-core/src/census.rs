//! What a value has, counted before its bounded heap is laid out: the lengths of vectors, and plain values and keys, which its domains
//! may not list. Filled by the walk that takes values apart, asked when bounds are planned that are made of the value.

use std::any::Any;
use std::fmt::Debug;
use std::rc::Rc;

use crate::codec::lookup::{self, ByText, Distance};
use crate::domain::rounded;

/// Plain values, by the field in which they stand.
#[derive(Default)]
pub(crate) struct Foreign {
    fields: Vec<(Rc<str>, Box<dyn Any>)>,
    /// The field that a value was added to last; and per field, to which one the next was: one object after the other has the same.
    last: usize,
    followers: Vec<usize>,
}

impl Foreign {
    /// Adds a value to those of a field.
    #[inline]
    pub(crate) fn add<T: 'static>(&mut self, field: &Rc<str>, value: T) {
        let guessed = self.followers.get(self.last).copied().unwrap_or(0);
        // One plan has one text.
        let at = match self.fields.get(guessed) {
            Some((known, _)) if Rc::ptr_eq(known, field) => guessed,
            _ => self.at::<T>(field),
        };
        self.last = at;
        if let Some(values) = self.fields[at].1.downcast_mut::<Vec<T>>() {
            values.push(value);
        }
    }

    /// Where a field is; adds it if it is not there.
    #[inline(never)]
    fn at<T: 'static>(&mut self, field: &Rc<str>) -> usize {
        let at = self.fields.iter().position(|(known, _)| known == field).unwrap_or_else(|| {
            self.fields.push((field.clone(), Box::new(Vec::<T>::new())));
            self.followers.push(0);
            self.fields.len() - 1
        });
        self.followers[self.last] = at;
        at
    }

    /// The values of a field that a list does not have, each once; numbers in order.
    pub(crate) fn beyond<T: Clone + Debug + PartialEq + 'static>(&self, field: &str, listed: &[T]) -> Vec<T> {
        let values = self.fields.iter().find(|(name, _)| **name == *field);
        let values = values.and_then(|(_, values)| values.downcast_ref::<Vec<T>>());
        let (mut by_text, distance) = (None, Distance::default());
        let mut is_listed = |value: &T| {
            let mut by_text = || by_text.get_or_insert_with(|| ByText::of(listed)).position(listed, value);
            distance.position(listed, value, || lookup::guessed(listed, value).or_else(&mut by_text)).is_some()
        };
        let mut beyond: Vec<T> = values.into_iter().flatten().filter(|value| !is_listed(value)).cloned().collect();
        if beyond.iter().all(|value| lookup::number(value).is_some()) {
            beyond.sort_by_key(lookup::number);
            beyond.dedup();
            return beyond;
        }
        let (mut once, mut known) = (Vec::new(), ByText::default());
        for value in beyond {
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
        for (other, _) in self.fields.iter().filter(|_| all) {
            let room = MOST.saturating_sub(keys.len());
            keys.extend(self.beyond(other, &keys).into_iter().take(room));
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
        let next_to = |value: &T| lookup::number(value).map(|number| [number.checked_sub(1), number.checked_add(1)]);
        let near: Vec<T> =
            beyond.iter().filter_map(next_to).flatten().flatten().filter_map(lookup::of_number).collect();
        listed.extend(beyond);
        listed.extend(near);
        if listed.iter().any(|value| lookup::number(value).is_some()) {
            listed.sort_by_key(lookup::number);
            listed.dedup();
        }
        listed
    }
}

/// How long vectors are, by the field in which they stand; and how many elements and entries there are in all.
#[derive(Default)]
pub(crate) struct Lens {
    longest: Vec<(Rc<str>, usize)>,
    total: usize,
}

impl Lens {
    /// Adds a vector to those of a field.
    pub(crate) fn add(&mut self, field: &Rc<str>, len: usize) {
        self.add_entries(len);
        // One plan has one text.
        match self.longest.iter_mut().find(|(name, _)| Rc::ptr_eq(name, field)) {
            Some((_, longest)) => *longest = len.max(*longest),
            None => self.longest.push((field.clone(), len)),
        }
    }

    /// Adds the entries of a map or a set.
    pub(crate) fn add_entries(&mut self, entries: usize) {
        self.total = self.total.saturating_add(entries);
    }

    /// The longest vector of a field.
    fn longest_of(&self, field: &str) -> usize {
        self.longest.iter().filter(|(name, _)| **name == *field).map(|&(_, len)| len).max().unwrap_or(0)
    }

    /// How many elements and entries there are in all, each of which may be counted somewhere.
    pub(crate) fn total(&self) -> usize {
        self.total
    }
}

/// What was counted so far.
#[derive(Default)]
pub(crate) struct Census {
    pub(crate) foreign: Foreign,
    pub(crate) lens: Lens,
    /// How many more objects of each class there may be, and elements of each vector.
    pub(crate) fresh: usize,
}

impl Census {
    /// How many elements the vectors of a field may have.
    pub(crate) fn most_elements(&self, field: &str) -> usize {
        rounded(self.lens.longest_of(field) + self.fresh)
    }
}
