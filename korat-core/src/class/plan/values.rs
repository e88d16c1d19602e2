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

impl Planner<'_> {
    /// Returns the values of a domain. Reports a domain that cannot be represented or lists a value twice.
    pub(crate) fn checked<T: fmt::Debug + PartialEq>(&mut self, values: Result<Vec<T>, String>) -> Vec<T> {
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
    pub(crate) fn value_field<T: fmt::Debug + PartialEq>(
        &mut self,
        values: Result<Vec<T>, String>,
    ) -> (FieldId, &'static [T]) {
        let values = self.checked_values(values);
        let values: &'static Vec<T> = self.keep(values);
        (self.push_field(SlotKind::Value { len: to_u32(values.len()) }, Some(values)), values)
    }

    /// Returns the values of a domain that must not be empty.
    fn checked_values<T: fmt::Debug + PartialEq>(&mut self, values: Result<Vec<T>, String>) -> Vec<T> {
        if values.as_ref().is_ok_and(Vec::is_empty) {
            self.errors.push(BoundsError::EmptyDomain { field: self.field_name(), scope: self.scope });
        }
        self.checked(values)
    }

    /// Adds a field whose value determines which other slots exist: a length, a variant, the presence of something.
    pub(crate) fn shape_field<T: fmt::Debug + PartialEq>(
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
    pub(crate) fn selecting_field<T: fmt::Debug + PartialEq>(
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

/// Returns a value that a domain lists twice. Compares only neighbours in a long domain, to stay linear.
fn repeated<T: PartialEq>(values: &[T]) -> Option<&T> {
    const LONG: usize = 2_000;
    if values.len() > LONG {
        return values.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| &pair[0]);
    }
    values.iter().enumerate().find(|(at, value)| values[..*at].contains(value)).map(|(_, value)| value)
}
