//! Derives bounds from the value to be repaired. Walks the value as the decomposition does, over a heap of a few objects, each of which stands for
//! all of its class.

use super::begin::decompose;
use super::outcome::CannotBegin;
use crate::class::abstraction::AbstractedValue;
use crate::class::bounds::Bounds;
use crate::class::bounds_size::FreshObjects;
use crate::class::list_cap;
use crate::class::traits::RepOk;
use crate::model::settings::Settings;
use crate::search::searcher::Searcher;

/// The scope at which the walk is planned. Any will do: domains must exist, but their values do not matter.
const SCOPE: usize = 8;

/// The number of values in a domain of the walk, so that none of them is too large.
const LISTED: usize = 100;

/// Returns bounds for a value, with room for at least `fresh` new objects of each class.
pub(super) fn bounds_of<T: RepOk>(value: &T, fresh: FreshObjects) -> Result<Bounds<T>, CannotBegin> {
    let small = Bounds::<T>::new(SCOPE);
    let searcher = {
        let _cut = list_cap::set(LISTED);
        Searcher::new(&small, Settings::default()).map_err(CannotBegin::Bounds)?
    };
    let census = searcher.heap.census(value, fresh)?;
    let mut bounds = Bounds::new(census.bounds_size.scope);
    for ((class, name), &count) in searcher.heap.classes().zip(&census.bounds_size.objects) {
        bounds.set_objects(class, name, count);
    }
    bounds.set_census(census);
    Ok(bounds)
}

/// Decomposes a value on the heap of the last one, if the derived bounds are equal.
pub(super) fn decomposed_like_last<T: RepOk>(
    value: &T,
    fresh: FreshObjects,
    settings: Settings,
) -> Option<(Searcher<T>, AbstractedValue)> {
    let mut searcher = Searcher::on_heap_of_last_value(settings)?;
    let taken = decompose(&mut searcher, value).ok();
    let last = searcher.heap.derived_bounds.as_mut()?;
    // Every value was found in its list, so that no list would be another one.
    let taken = taken.filter(|taken| taken.contents.bounds_size(fresh) == last.bounds_size);
    last.is_as_before = taken.is_some();
    Some((searcher, taken?))
}
