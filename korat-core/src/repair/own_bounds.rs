//! Bounds that are made of the value to be repaired. Takes the value, gives bounds that it is within.
//!
//! The value is walked as it is when it is taken apart, over a heap of a few objects, each of which stands for all of its class.

use super::begin::take_apart;
use super::outcome::CannotBegin;
use crate::class::abstraction::AbstractedValue;
use crate::class::bounds::Bounds;
use crate::class::bounds_size::FreshObjects;
use crate::class::traits::RepOk;
use crate::model::settings::Settings;
use crate::search::searcher::Searcher;

/// The scope at which the walk is planned: domains must be there, but what they list does not matter.
const SCOPE: usize = 8;

/// Bounds that a value is within, with room for `fresh` objects of each class, or some more.
pub(super) fn bounds_of<T: RepOk>(value: &T, fresh: FreshObjects) -> Result<Bounds<T>, CannotBegin> {
    let small = Bounds::new(SCOPE);
    let searcher = Searcher::new(&small, Settings::default()).map_err(CannotBegin::Bounds)?;
    let census = searcher.heap.census(value, fresh)?;
    let mut bounds = Bounds::new(census.bounds_size.scope);
    for ((class, name), &count) in searcher.heap.classes().zip(&census.bounds_size.objects) {
        bounds.set_objects(class, name, count);
    }
    bounds.set_census(census);
    Ok(bounds)
}

/// Takes a value apart on the heap of the last one, if it makes the same bounds: they need not be made again.
pub(super) fn taken_apart_like_last<T: RepOk>(
    value: &T,
    fresh: FreshObjects,
    settings: Settings,
) -> Option<(Searcher<T>, AbstractedValue)> {
    let mut searcher = Searcher::on_heap_of_last_value(settings)?;
    let taken = take_apart(&mut searcher, value).ok();
    let last = searcher.heap.derived_bounds.as_mut()?;
    // Every value was found in its list, so that no list would be another one.
    let taken = taken.filter(|taken| taken.contents.bounds_size(fresh) == last.bounds_size);
    last.is_as_before = taken.is_some();
    Some((searcher, taken?))
}
