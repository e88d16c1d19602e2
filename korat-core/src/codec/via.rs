//! Values of a type that korat does not know, made from those of a container that it knows. The field is then a listed
//! value, which a predicate sees as a whole. The list is checked as any other: two sources of equal values are an error of
//! the bounds.

use std::any::type_name;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use super::entries::Key;
use super::whole::{Whole, sequences};
use crate::class::bounds::listed;
use crate::class::codec::Field;
use crate::class::list_cap::{self, scope_of_combined};

/// A container whose values can be listed, for `#[finitize(via = ..)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the source of a field's values",
    label = "not a container that `via` takes",
    note = "`via` takes `Vec<T>`, `BTreeMap<K, V>` and `BTreeSet<K>`, where `T`, `K` and `V` are plain, strings, or tuples, arrays and options of these"
)]
pub trait Source: IntoIterator + Sized {
    /// Returns every container, or every one with these numbers of elements.
    fn all(scope: usize, lens: Option<Vec<usize>>) -> Result<Vec<Self>, String>;
}

/// The largest number of values that a source may give. Each is compared with all others, which takes a second for these.
const MOST: usize = 10_000;

/// Collects values of a source. Fails if there are too many; while domains are capped, returns the first ones instead.
fn limited<T>(values: impl Iterator<Item = T>) -> Result<Vec<T>, String> {
    if let Some(_cut) = list_cap::few_combinations() {
        return listed(values);
    }
    let values: Vec<T> = values.take(MOST + 1).collect();
    if values.len() > MOST {
        return Err(format!("the type in `via` has more than {MOST} values; bound them with `len`"));
    }
    Ok(values)
}

/// Returns the values of a field of type `W`, each collected from the elements of one `S`.
pub fn values_via<W: FromIterator<S::Item> + PartialEq + Debug, S: Source>(
    scope: usize,
    lens: Option<Result<Vec<usize>, String>>,
) -> Result<Vec<W>, String> {
    let all = S::all(scope_of_combined(scope), lens.transpose()?)?;
    let source = type_name::<S>();
    let values: Vec<W> = all.into_iter().map(|source| source.into_iter().collect()).collect();
    match values.iter().enumerate().find(|(at, value)| values[..*at].contains(value)) {
        Some((_, value)) => Err(format!(
            "two values of `{source}` give the same value, {value:?}; use a source that has each once, such as `BTreeMap` or `BTreeSet`"
        )),
        None => Ok(values),
    }
}

impl<T: Field<Codec: Whole<T>>> Source for Vec<T> {
    fn all(scope: usize, lens: Option<Vec<usize>>) -> Result<Vec<Self>, String> {
        let values = T::Codec::values(scope)?;
        let lens = lens.map_or_else(|| listed(0..=scope), Ok)?;
        sequences::<T, T::Codec, Self>(&values, &lens, |lists| limited(lists))
    }
}

/// Returns every choice of some of `keys` keys, each with one of `values` values.
fn entries(keys: usize, values: usize, lens: Option<Vec<usize>>) -> Result<Vec<Vec<(usize, usize)>>, String> {
    let mut all: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
    for key in 0..keys {
        let with_key = |entries: &Vec<(usize, usize)>| {
            let with = (0..values).map(|value| [&entries[..], &[(key, value)]].concat());
            std::iter::once(entries.clone()).chain(with).collect::<Vec<_>>()
        };
        all = limited(all.iter().flat_map(with_key))?;
    }
    all.retain(|entries| lens.as_ref().is_none_or(|lens| lens.contains(&entries.len())));
    Ok(all)
}

impl<K: Key + Ord, V: Field<Codec: Whole<V>>> Source for BTreeMap<K, V> {
    fn all(scope: usize, lens: Option<Vec<usize>>) -> Result<Vec<Self>, String> {
        let (keys, values) = (K::Codec::keys(scope)?, V::Codec::values(scope)?);
        let copied = |(key, value): (usize, usize)| (K::Codec::copy(&keys[key]), V::Codec::copy(&values[value]));
        let all = entries(keys.len(), values.len(), lens)?;
        Ok(all.into_iter().map(|entries| entries.into_iter().map(copied).collect()).collect())
    }
}

impl<K: Key + Ord> Source for BTreeSet<K> {
    fn all(scope: usize, lens: Option<Vec<usize>>) -> Result<Vec<Self>, String> {
        let keys = K::Codec::keys(scope)?;
        let copied = |(key, _): (usize, usize)| K::Codec::copy(&keys[key]);
        let all = entries(keys.len(), 1, lens)?;
        Ok(all.into_iter().map(|entries| entries.into_iter().map(copied).collect()).collect())
    }
}
