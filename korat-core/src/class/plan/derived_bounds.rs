//! Lengths and keys for bounds derived from a value that is to be repaired: those of the value, with some spare room.

use std::fmt;

use super::planner::Planner;
use crate::model::ids::ClassId;

impl Planner<'_> {
    /// Returns the lengths of a vector. If the bounds are derived from a value, drops those that exceed the value's
    /// longest vector in this field by more than the spare room.
    pub(crate) fn lens_of_value(&self, path: &str, lens: Result<Vec<usize>, String>) -> Result<Vec<usize>, String> {
        let Some(census) = &self.overrides.census else { return lens };
        let mut lens = lens?;
        // If every allowed length is larger than that, the shortest remains.
        let most = census.bounds_size.most_elements(path).max(lens.iter().copied().min().unwrap_or(0));
        lens.retain(|&len| len <= most);
        Ok(lens)
    }

    /// Returns the keys of a map. If the bounds are derived from a value, returns the value's own keys and a few more.
    pub(crate) fn keys_of_value<K: Clone + fmt::Debug + PartialEq + 'static>(
        &mut self,
        path: &str,
        keys: Result<Vec<K>, String>,
    ) -> Result<Vec<K>, String> {
        let Some(census) = &self.overrides.census else { return keys };
        // Every object has slots for each key, so classes other than the root's, which may have many objects, get few keys.
        self.has_own_lists = true;
        let is_root = self.class == ClassId(0);
        Ok(census.plain_values.keys(path, keys?, is_root))
    }
}
