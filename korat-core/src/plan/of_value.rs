//! Lists of values, lengths and keys for bounds that are made of a value to be repaired: what it has, and room for some more.

use std::fmt;

use super::Planner;
use crate::census::Census;
use crate::domain::{List, Roomy};
use crate::engine::layout::SlotKind;
use crate::ids::{ClassId, FieldId, small};

impl Planner<'_> {
    /// The lengths of a vector; if the bounds are made of a value, none that is much longer than the longest that it has there.
    pub(crate) fn lens_of_value(&self, path: &str, lens: Result<Vec<usize>, String>) -> Result<Vec<usize>, String> {
        let Some(census) = &self.overrides.census else { return lens };
        let mut lens = lens?;
        // One that may not be as short as that stays as short as it can be.
        let most = census.most_elements(path).max(lens.iter().copied().min().unwrap_or(0));
        lens.retain(|&len| len <= most);
        Ok(lens)
    }

    /// The keys of a map; if the bounds are made of a value, those that it has there, and some.
    pub(crate) fn keys_of_value<K: Clone + fmt::Debug + PartialEq + 'static>(
        &self,
        path: &str,
        keys: Result<Vec<K>, String>,
    ) -> Result<Vec<K>, String> {
        let Some(census) = &self.overrides.census else { return keys };
        // Each key has slots of its own in every object, so that there are few where there may be many objects.
        let is_root = self.class == ClassId(0);
        Ok(census.foreign.keys(path, keys?, is_root))
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
                List::Fixed(self.keep(values))
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
        let values = self.checked_values(values.map(|values| census.foreign.with_own(&path, values)));
        let list: &'static Roomy<T> = self.keep(Roomy::new(values));
        self.own_lists.push((path, list));
        List::Roomy(list)
    }
}
