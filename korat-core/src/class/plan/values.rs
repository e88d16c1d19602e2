//! Fields with listed values: checks the lists, and adds the values of a value that is to be repaired.

use std::fmt;

use super::planner::Planner;
use crate::class::census::Census;
use crate::model::bounds_error::BoundsError;
use crate::model::deadline;
use crate::model::ids::{FieldId, to_u32};
use crate::slots::domain::{List, MutableList};
use crate::slots::kinds::SlotKind;
use crate::slots::layout::KeyNames;
use crate::slots::lookup;

impl Planner<'_> {
    /// Returns the values of a domain. Reports a domain that cannot be represented or lists a value twice.
    pub(crate) fn checked<T: fmt::Debug + PartialEq + 'static>(&mut self, values: Result<Vec<T>, String>) -> Vec<T> {
        self.note_values_of::<T>();
        let (field, scope) = (self.field_name(), self.scope);
        deadline::unwind_if_passed_after(values.as_ref().map_or(0, Vec::len));
        let values = values.unwrap_or_else(|what| {
            self.errors.push(BoundsError::NotRepresentable { field: field.clone(), scope, what });
            Vec::new()
        });
        if let Some(value) = repeated(&values) {
            self.errors.push(BoundsError::Repeated { field, scope, value: format!("{value:?}") });
        }
        #[allow(clippy::eq_op, reason = "this is how a NaN is told from other values")]
        if let Some(value) = values.iter().find(|value| value != value) {
            let what = format!("{value:?} does not equal itself, so no value could be recognized as it");
            self.errors.push(BoundsError::NotRepresentable { field: self.field_name(), scope, what });
        }
        values
    }

    /// Adds a field of listed values.
    pub(crate) fn value_field<T: fmt::Debug + PartialEq + 'static>(
        &mut self,
        values: Result<Vec<T>, String>,
    ) -> (FieldId, &'static [T]) {
        let values = self.checked_values(values);
        let values: &'static Vec<T> = self.keep(values);
        (self.push_field(SlotKind::Value { len: to_u32(values.len()) }, Some(values)), values)
    }

    /// Returns the values of a domain that must not be empty.
    fn checked_values<T: fmt::Debug + PartialEq + 'static>(&mut self, values: Result<Vec<T>, String>) -> Vec<T> {
        if values.as_ref().is_ok_and(Vec::is_empty) {
            self.errors.push(BoundsError::EmptyDomain { field: self.field_name(), scope: self.scope });
        }
        self.checked(values)
    }

    /// Adds a field whose value determines which other slots exist: a length, a variant, the presence of something.
    pub(crate) fn shape_field<T: fmt::Debug + PartialEq + 'static>(
        &mut self,
        values: Result<Vec<T>, String>,
    ) -> (FieldId, &'static [T]) {
        self.layout.has_optional_slots = true;
        let (field, values) = self.value_field(values);
        self.layout.fields[field.index()].is_shape = true;
        (field, values)
    }

    /// Adds a field whose value determines which other slots exist, but is no count of them: the keys of an ordered map.
    #[cfg(feature = "indexmap")]
    pub(crate) fn selecting_field<T: fmt::Debug + PartialEq + 'static>(
        &mut self,
        values: Result<Vec<T>, String>,
    ) -> (FieldId, &'static [T]) {
        let (field, values) = self.shape_field(values);
        self.layout.fields[field.index()].is_variant = true;
        (field, values)
    }

    /// Adds the field that says whether a map or set has a key.
    pub(crate) fn presence_field<T: fmt::Debug + PartialEq + 'static>(
        &mut self,
        names: KeyNames,
        values: [T; 2],
    ) -> FieldId {
        let (field, _) = self.part(&names.presence, |planner| planner.shape_field(Ok(Vec::from(values))));
        self.layout.fields[field.index()].key = Some(names);
        field
    }

    /// Adds a field of listed values. If the bounds are derived from a value, also lists the values that this field has
    /// there.
    pub(crate) fn listed_field<T: Clone + fmt::Debug + PartialEq + 'static>(
        &mut self,
        values: Result<Vec<T>, String>,
    ) -> (FieldId, List<T>) {
        let list = match &self.overrides.census {
            Some(census) => self.own_list(census, values),
            None => {
                let values = self.checked_values(values);
                List::fixed(self.keep(values))
            }
        };
        (self.push_field(SlotKind::Value { len: to_u32(list.values().len()) }, Some(list.domain())), list)
    }

    /// Returns the list of the current field, including the values that it has in the value from which the bounds are
    /// derived.
    fn own_list<T: Clone + fmt::Debug + PartialEq + 'static>(
        &mut self,
        census: &Census,
        values: Result<Vec<T>, String>,
    ) -> List<T> {
        let path = self.declared_path();
        let known = self.own_lists.iter().find(|(known, _)| *known == path);
        if let Some(known) = known.and_then(|(_, list)| list.downcast_ref()) {
            return List::Mutable(known);
        }
        let values = values.map(|values| {
            let len = values.len();
            let values = census.plain_values.with_own(&path, values);
            self.has_own_lists |= values.len() > len;
            values
        });
        let values = self.checked_values(values);
        let list: &'static MutableList<T> = self.keep(MutableList::new(values));
        self.own_lists.push((path, list));
        List::Mutable(list)
    }
}

/// At most this many values are compared each with each other, which takes milliseconds.
const LONG: usize = 2_000;

/// Returns a value that a domain lists twice. Exact for up to `LONG` values, and for numbers. Of more values of another type, it
/// compares those that print alike, `LONG` at a time: equal values that print differently go unnoticed there, as `0.0` and
/// `-0.0` do.
fn repeated<T: fmt::Debug + PartialEq + 'static>(values: &[T]) -> Option<&T> {
    if values.len() <= LONG {
        return repeated_among(values);
    }
    // Most long domains are ranges, which need not be sorted.
    if values.iter().map(lookup::number).is_sorted_by(|one, next| one < next) {
        return None;
    }
    // No number equals a value that is none, such as `None`.
    let (mut numbers, others): (Vec<&T>, Vec<&T>) = values.iter().partition(|value| lookup::number(*value).is_some());
    numbers.sort_by_cached_key(|value| lookup::number(*value));
    if let Some(pair) = numbers.windows(2).find(|pair| pair[0] == pair[1]) {
        return Some(pair[0]);
    }
    if others.len() <= LONG {
        return repeated_among(&others).copied();
    }
    let mut texts: Vec<(u64, &T)> = others.into_iter().map(|value| (lookup::hash_of_text(value), value)).collect();
    texts.sort_by_key(|(hash, _)| *hash);
    let mut alike = texts.chunk_by(|(one, _), (other, _)| one == other).flat_map(|alike| alike.chunks(LONG));
    alike.find_map(|alike| {
        deadline::unwind_if_passed_after(alike.len());
        repeated_among(alike).map(|(_, value)| *value)
    })
}

/// Returns a value that equals an earlier one.
fn repeated_among<T: PartialEq>(values: &[T]) -> Option<&T> {
    values.iter().enumerate().find(|(at, value)| values[..*at].contains(value)).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Prints the same whatever it is.
    #[derive(PartialEq)]
    struct Opaque(usize);

    impl fmt::Debug for Opaque {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("..")
        }
    }

    /// Lists `count` values, of which the last is that of `again`.
    fn found<T: fmt::Debug + PartialEq + 'static>(count: usize, again: usize, value: impl Fn(usize) -> T) -> bool {
        let mut values: Vec<T> = (0..count).map(&value).collect();
        assert_eq!(repeated(&values), None);
        values.push(value(again));
        repeated(&values) == Some(&value(again))
    }

    #[test]
    fn a_value_listed_twice_is_found_wherever_it_stands() {
        for count in [7, LONG, 3 * LONG] {
            for again in [0, count - 1] {
                assert!(found(count, again, |at| at));
                assert!(found(count, again, |at| u128::MAX - at as u128));
                assert!(found(count, again, |at| at.checked_sub(1).map(|at| 7 * at as i64 % 9973)));
                assert!(found(count, again, |at| at.to_string()));
                assert!(found(count, again, |at| (at, at as f64)));
            }
        }
        assert!(found(LONG - 1, 0, Opaque) && found(2 * LONG - 1, LONG, Opaque));
    }

    #[test]
    fn equal_values_that_print_alike_far_apart_in_a_long_list_are_not_found() {
        assert!(!found(2 * LONG, 0, Opaque));
    }
}
