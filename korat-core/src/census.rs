//! What a value has, counted before its bounded heap is laid out: objects of each class, the longest vector, and plain values,
//! which its domains may not list. Takes a value, gives bounds that it is within.
//!
//! The value is walked as it is when it is taken apart, over a heap of a few objects, each of which stands for all of its class.

use std::any::Any;
use std::rc::Rc;

use crate::abstraction::OutOfBounds;
use crate::bounds::Bounds;
use crate::class::RepOk;
use crate::codec::lookup;
use crate::error::SearchError;
use crate::search::Searcher;
use crate::settings::Settings;

/// The scope at which the walk is planned: domains must be there, but what they list does not matter.
const SCOPE: usize = 8;

/// Plain values, by the field in which they stand.
#[derive(Default)]
pub(crate) struct Foreign {
    fields: Vec<(Rc<str>, Box<dyn Any>)>,
    /// The field after the one that a value was added to last: one object after the other has the same fields.
    next: usize,
}

impl Foreign {
    pub(crate) fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Adds a value to those of a field.
    pub(crate) fn add<T: 'static>(&mut self, field: &Rc<str>, value: T) {
        let (before, after) = (0..self.next, self.next..self.fields.len());
        // One plan has one text.
        let is_field = |&at: &usize| Rc::ptr_eq(&self.fields[at].0, field) || self.fields[at].0 == *field;
        match after.chain(before).find(is_field) {
            Some(at) => {
                if let Some(values) = self.fields[at].1.downcast_mut::<Vec<T>>() {
                    values.push(value);
                }
                self.next = at + 1;
            }
            None => self.fields.push((field.clone(), Box::new(vec![value]))),
        }
    }

    /// The values of a field that a list does not have, each once; numbers in order.
    pub(crate) fn beyond<T: Clone + PartialEq + 'static>(&self, field: &str, listed: &[T]) -> Vec<T> {
        let values = self.fields.iter().find(|(name, _)| **name == *field);
        let values = values.and_then(|(_, values)| values.downcast_ref::<Vec<T>>());
        let is_beyond = |value: &&T| lookup::position(listed, value).is_none();
        let mut beyond: Vec<T> = values.into_iter().flatten().filter(is_beyond).cloned().collect();
        if beyond.iter().all(|value| lookup::number(value).is_some()) {
            beyond.sort_by_key(lookup::number);
            beyond.dedup();
            return beyond;
        }
        let mut once: Vec<T> = Vec::new();
        for value in beyond {
            if !once.contains(&value) {
                once.push(value);
            }
        }
        once
    }

    /// A list and the values that it does not have; numbers in order, so that they are found.
    pub(crate) fn with_own<T: Clone + PartialEq + 'static>(&self, field: &str, mut listed: Vec<T>) -> Vec<T> {
        let beyond = self.beyond(field, &listed);
        if !beyond.is_empty() {
            listed.extend(beyond);
            if listed.iter().any(|value| lookup::number(value).is_some()) {
                listed.sort_by_key(lookup::number);
            }
        }
        listed
    }
}

/// What was counted so far.
#[derive(Default)]
pub(crate) struct Census {
    pub(crate) foreign: Foreign,
    /// The length of the longest vector.
    pub(crate) longest: usize,
}

/// Why the objects of a value cannot be counted.
pub(crate) enum Uncounted {
    Bounds(SearchError),
    Value(OutOfBounds),
}

/// Bounds that a value is within, with room for `fresh` more objects of each class.
pub(crate) fn bounds_of<T: RepOk>(value: &T, fresh: usize) -> Result<Bounds<T>, Uncounted> {
    let small = Bounds::new(SCOPE);
    let searcher = Searcher::new(&small, Settings::default()).map_err(Uncounted::Bounds)?;
    let (census, counts) = searcher.heap.census(value).map_err(Uncounted::Value)?;
    let most = counts.iter().map(|count| count.objects).max().unwrap_or(0);
    let mut bounds = Bounds::new(most.max(census.longest));
    for count in counts {
        bounds.set_objects(count.class, count.name, count.objects + fresh);
    }
    bounds.set_foreign(census.foreign);
    Ok(bounds)
}
