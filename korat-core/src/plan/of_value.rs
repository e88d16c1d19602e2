//! Lengths and keys for bounds that are made of a value to be repaired: what it has, and room for some more.

use std::fmt;

use super::Planner;
use crate::ids::ClassId;

impl Planner<'_> {
    /// The lengths of a vector; if the bounds are made of a value, none that is much longer than the longest that it has there.
    pub(crate) fn lens_of_value(&self, path: &str, lens: Result<Vec<usize>, String>) -> Result<Vec<usize>, String> {
        let Some(census) = &self.overrides.census else { return lens };
        let mut lens = lens?;
        // One that may not be as short as that stays as short as it can be.
        let most = census.extent.most_elements(path).max(lens.iter().copied().min().unwrap_or(0));
        lens.retain(|&len| len <= most);
        Ok(lens)
    }

    /// The keys of a map; if the bounds are made of a value, those that it has there, and some.
    pub(crate) fn keys_of_value<K: Clone + fmt::Debug + PartialEq + 'static>(
        &mut self,
        path: &str,
        keys: Result<Vec<K>, String>,
    ) -> Result<Vec<K>, String> {
        let Some(census) = &self.overrides.census else { return keys };
        // Each key has slots of its own in every object, so that there are few where there may be many objects.
        self.has_own_lists = true;
        let is_root = self.class == ClassId(0);
        Ok(census.foreign.keys(path, keys?, is_root))
    }
}
