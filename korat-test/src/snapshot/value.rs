//! Draws one value of the user, within given or default bounds.

use korat_core::{Bounds, Finitize, RepOk, Searcher, Settings};

use super::name::bounds_text;
use super::redact::Redactions;
use crate::picture;
use crate::pool::Wanted;
use crate::search::Search;
use crate::type_text::type_text;

/// Maximum scope to try if no bounds are given.
const MOST_SCOPE: usize = 32;

/// A drawing, and the name of its snapshot if one was given.
pub struct Drawn {
    /// The name; `None` selects that of the test.
    pub name: Option<String>,
    /// The drawing.
    pub text: String,
}

/// The first of two arguments: the name of a snapshot, or the bounds of its value.
pub trait NameOrBounds<T: Finitize + RepOk> {
    /// Returns one or the other.
    fn name_or_bounds(self) -> (Option<String>, Option<Search<T>>);
}

impl<T: Finitize + RepOk> NameOrBounds<T> for &str {
    fn name_or_bounds(self) -> (Option<String>, Option<Search<T>>) {
        (Some(self.to_string()), None)
    }
}

impl<T: Finitize + RepOk> NameOrBounds<T> for String {
    fn name_or_bounds(self) -> (Option<String>, Option<Search<T>>) {
        (Some(self), None)
    }
}

impl<T: Finitize + RepOk> NameOrBounds<T> for Bounds<T> {
    fn name_or_bounds(self) -> (Option<String>, Option<Search<T>>) {
        (None, Some(Search::new(self)))
    }
}

impl<T: Finitize + RepOk> NameOrBounds<T> for Search<T> {
    fn name_or_bounds(self) -> (Option<String>, Option<Search<T>>) {
        (None, Some(self))
    }
}

/// Draws a value with a given name or within given bounds.
#[track_caller]
pub fn value_within<T: Finitize + RepOk>(first: impl NameOrBounds<T>, value: &T, mut redactions: Redactions) -> Drawn {
    let (name, search) = first.name_or_bounds();
    match search.map(Wanted::new) {
        None => Drawn { name, ..self::value(value, redactions) },
        Some(wanted) => match drawn(&wanted.bounds, value, &mut redactions) {
            Ok(text) => Drawn { name, text },
            Err(reason) => panic!(
                "the value is not one of {}: {reason}; give bounds that it is within, or leave them out",
                bounds_text(&wanted)
            ),
        },
    }
}

/// Draws a value at the smallest scope that contains it.
#[track_caller]
pub fn value<T: Finitize + RepOk>(value: &T, mut redactions: Redactions) -> Drawn {
    let mut reason = None;
    for scope in 0..=MOST_SCOPE {
        match drawn(&T::scope(scope), value, &mut redactions) {
            Ok(text) => return Drawn { name: None, text },
            Err(why) => reason = Some(why),
        }
    }
    let name = type_text::<T>();
    let reason = reason.expect("[korat internal bug] there is a scope to try");
    panic!(
        "no scope up to {MOST_SCOPE} has this value of {name}: {reason}; give bounds that it is within: \
         `snapshot_value!({name}::scope(..), &value)`, with `.domain(..)` or `.objects(..)` if need be"
    );
}

/// Returns the drawing, or why the value is not within these bounds.
#[track_caller]
fn drawn<T: Finitize + RepOk>(bounds: &Bounds<T>, value: &T, redactions: &mut Redactions) -> Result<String, String> {
    let mut searcher = Searcher::new(bounds, Settings::default()).map_err(|error| error.to_string())?;
    let slots = searcher.abstract_value(value).map_err(|error| error.to_string())?;
    let mut outline = searcher.outline_of(&slots);
    redactions.apply(&mut outline);
    redactions.check();
    Ok(picture::text(&outline))
}
