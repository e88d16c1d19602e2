//! Lists of values as fields: what is wrong with a list, and what a value to be repaired adds to it.

use std::fmt;

use super::{BoundsError, Planner};
use crate::census::Census;
use crate::clock;
use crate::domain::{List, Roomy};
use crate::engine::layout::SlotKind;
use crate::ids::{FieldId, small};

impl Planner<'_> {
    /// What a domain lists, each value once; what is wrong with it is an error of the bounds.
    pub(crate) fn checked<T: fmt::Debug + PartialEq>(&mut self, values: Result<Vec<T>, String>) -> Vec<T> {
        let (field, scope) = (self.field_name(), self.scope);
        clock::stop_if_over_after(values.as_ref().map_or(0, Vec::len));
        let values = values.unwrap_or_else(|what| {
            self.errors.push(BoundsError::NotRepresentable { field: field.clone(), scope, what });
            Vec::new()
        });
        if let Some(value) = repeated(&values) {
            self.errors.push(BoundsError::Repeated { field, scope, value: format!("{value:?}") });
        }
        values
    }

    /// A field of listed values.
    pub(crate) fn value_field<T: fmt::Debug + PartialEq>(
        &mut self,
        values: Result<Vec<T>, String>,
    ) -> (FieldId, &'static [T]) {
        let values = self.checked_values(values);
        let values: &'static Vec<T> = self.keep(values);
        (self.push_field(SlotKind::Value { len: small(values.len()) }, Some(values)), values)
    }

    /// What a domain lists that may not be empty.
    fn checked_values<T: fmt::Debug + PartialEq>(&mut self, values: Result<Vec<T>, String>) -> Vec<T> {
        if values.as_ref().is_ok_and(Vec::is_empty) {
            self.errors.push(BoundsError::EmptyDomain { field: self.field_name(), scope: self.scope });
        }
        self.checked(values)
    }

    /// A field whose value says which other slots there are: a length, a variant, whether something is there.
    pub(crate) fn shape_field<T: fmt::Debug + PartialEq>(
        &mut self,
        values: Result<Vec<T>, String>,
    ) -> (FieldId, &'static [T]) {
        self.layout.has_optional_slots = true;
        let (field, values) = self.value_field(values);
        self.layout.fields[field.index()].is_shape = true;
        (field, values)
    }

    /// A field of listed values; if the bounds are made of a value, those that it has there are listed, too.
    pub(super) fn listed_field<T: Clone + fmt::Debug + PartialEq + 'static>(
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
        (self.push_field(SlotKind::Value { len: small(list.values().len()) }, Some(list.domain())), list)
    }

    /// The list of the current field, with the values that it has in the value that the bounds are made of.
    fn own_list<T: Clone + fmt::Debug + PartialEq + 'static>(
        &mut self,
        census: &Census,
        values: Result<Vec<T>, String>,
    ) -> List<T> {
        let path = self.declared_path();
        let known = self.own_lists.iter().find(|(known, _)| *known == path);
        if let Some(known) = known.and_then(|(_, list)| list.downcast_ref()) {
            return List::Roomy(known);
        }
        let values = values.map(|values| {
            let len = values.len();
            let values = census.foreign.with_own(&path, values);
            self.has_own_lists |= values.len() > len;
            values
        });
        let values = self.checked_values(values);
        let list: &'static Roomy<T> = self.keep(Roomy::new(values));
        self.own_lists.push((path, list));
        List::Roomy(list)
    }
}

/// A value that a domain lists twice. Of a long one only neighbours are compared.
fn repeated<T: PartialEq>(values: &[T]) -> Option<&T> {
    const LONG: usize = 2_000;
    if values.len() > LONG {
        return values.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| &pair[0]);
    }
    values.iter().enumerate().find(|(at, value)| values[..*at].contains(value)).map(|(_, value)| value)
}
