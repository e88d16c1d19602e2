//! Bounds that are made of the value to be repaired. Takes the value, gives bounds that it is within.
//!
//! The value is walked as it is when it is taken apart, over a heap of a few objects, each of which stands for all of its class.

use crate::abstraction::OutOfBounds;
use crate::bounds::Bounds;
use crate::class::RepOk;
use crate::domain::rounded;
use crate::error::SearchError;
use crate::search::Searcher;
use crate::settings::Settings;

/// The scope at which the walk is planned: domains must be there, but what they list does not matter.
const SCOPE: usize = 8;

/// Why the objects of a value cannot be counted.
pub(super) enum Uncounted {
    Bounds(SearchError),
    Value(OutOfBounds),
}

/// Bounds that a value is within, with room for `fresh` more objects of each class, or some more.
pub(super) fn bounds_of<T: RepOk>(value: &T, fresh: usize) -> Result<Bounds<T>, Uncounted> {
    let small = Bounds::new(SCOPE);
    let searcher = Searcher::new(&small, Settings::default()).map_err(Uncounted::Bounds)?;
    let (mut census, counts) = searcher.heap.census(value).map_err(Uncounted::Value)?;
    let all: usize = counts.iter().map(|count| count.objects).sum();
    let mut bounds = Bounds::new(rounded(all.max(census.lens.total()) + fresh));
    for count in counts {
        bounds.set_objects(count.class, count.name, rounded(count.objects + fresh));
    }
    census.fresh = fresh;
    bounds.set_census(census);
    Ok(bounds)
}
