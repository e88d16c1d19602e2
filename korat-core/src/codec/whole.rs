//! Types whose values can be listed as a whole even where a field of theirs has several slots: keys of maps and sets,
//! and fields of plain types.

use std::collections::{LinkedList, VecDeque};
use std::fmt::Debug;

use super::array::ArrayOf;
use super::listed::Listed;
use super::pointed::{Alone, AtPlace, BoxFamily};
use super::sequence::VecOf;
use super::sequence_types::Sequence;
use super::text::{Text, TextOf, default_texts};
use super::tuple_option::{Copied, Maybe, TupleOf};
use crate::class::bounds::listed;
use crate::class::codec::{Codec, Field};
use crate::class::list_cap::scope_of_combined;

/// A codec whose values can be listed as a whole.
pub trait Whole<T>: Codec<Value = T> {
    /// Returns the default values.
    fn values(scope: usize) -> Result<Vec<T>, String>;
    /// Returns the default keys of a map or a set.
    fn keys(scope: usize) -> Result<Vec<T>, String> {
        Self::values(scope)
    }
    /// Returns a copy of a value that shares no memory with it.
    fn copy(value: &T) -> T;
}

impl<T: Field<Codec = Listed<T>> + Clone + PartialEq + Debug> Whole<T> for Listed<T> {
    fn values(scope: usize) -> Result<Vec<T>, String> {
        T::default_values(scope)
    }
    fn copy(value: &T) -> T {
        value.clone()
    }
}

/// Uses keys of one letter: all texts up to the default length would be too many.
impl<W: Text> Whole<W> for TextOf<W> {
    fn values(scope: usize) -> Result<Vec<W>, String> {
        default_texts(scope)
    }
    fn keys(scope: usize) -> Result<Vec<W>, String> {
        Ok(<char as Field>::default_values(scope)?.into_iter().map(|letter| W::from(letter.to_string())).collect())
    }
    fn copy(value: &W) -> W {
        W::from(value.borrow())
    }
}

impl<T, C: Whole<T> + Copied> Whole<Option<T>> for Maybe<C> {
    fn values(scope: usize) -> Result<Vec<Option<T>>, String> {
        Ok(std::iter::once(None).chain(C::values(scope)?.into_iter().map(Some)).collect())
    }
    fn keys(scope: usize) -> Result<Vec<Option<T>>, String> {
        Ok(std::iter::once(None).chain(C::keys(scope)?.into_iter().map(Some)).collect())
    }
    fn copy(value: &Option<T>) -> Option<T> {
        value.as_ref().map(C::copy)
    }
}

/// Collects lists of positions. Fails if there are too many.
type Collect = fn(&mut dyn Iterator<Item = Vec<usize>>) -> Result<Vec<Vec<usize>>, String>;

/// Returns every list of `len` positions below `count`, the last one varying fastest.
fn positions(count: usize, len: usize, collect: Collect) -> Result<Vec<Vec<usize>>, String> {
    let mut lists: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..len {
        let longer = |list: &Vec<usize>| (0..count).map(|at| [&list[..], &[at]].concat()).collect::<Vec<_>>();
        lists = collect(&mut lists.iter().flat_map(longer))?;
    }
    Ok(lists)
}

/// Returns every array of these values.
fn arrays<T, C: Whole<T>, const N: usize>(values: &[T]) -> Result<Vec<[T; N]>, String> {
    let array = |list: &Vec<usize>| std::array::from_fn(|at| C::copy(&values[list[at]]));
    Ok(positions(values.len(), N, |lists| listed(lists))?.iter().map(array).collect())
}

/// Returns every sequence of these values and lengths.
pub(super) fn sequences<T: 'static, C: Whole<T>, W: Sequence<T>>(
    values: &[T],
    lens: &[usize],
    collect: Collect,
) -> Result<Vec<W>, String> {
    let mut all = Vec::new();
    for &len in lens {
        Extend::extend(&mut all, positions(values.len(), len, collect)?);
    }
    let sequence = |list: Vec<usize>| W::of(list.iter().map(|&at| C::copy(&values[at])).collect());
    Ok(collect(&mut all.into_iter())?.into_iter().map(sequence).collect())
}

/// Implements `Whole` for sequences. Their keys have one element: all sequences up to the default length would be too
/// many.
macro_rules! sequences {
    ($($type:ty)*) => {$(
        impl<T: 'static, C: Whole<T>> Whole<$type> for VecOf<C, $type> {
            fn values(scope: usize) -> Result<Vec<$type>, String> {
                let scope = scope_of_combined(scope);
                sequences::<T, C, $type>(&C::values(scope)?, &listed(0..=scope)?, |lists| listed(lists))
            }
            fn keys(scope: usize) -> Result<Vec<$type>, String> {
                sequences::<T, C, $type>(&C::keys(scope)?, &[1], |lists| listed(lists))
            }
            fn copy(value: &$type) -> $type {
                Sequence::of(value.elements().map(C::copy).collect())
            }
        }
    )*};
}

sequences! { Vec<T> VecDeque<T> LinkedList<T> Box<[T]> }

impl<T: 'static, C: Whole<T> + AtPlace> Whole<Box<T>> for Alone<BoxFamily, C> {
    fn values(scope: usize) -> Result<Vec<Box<T>>, String> {
        Ok(C::values(scope)?.into_iter().map(Box::new).collect())
    }
    fn keys(scope: usize) -> Result<Vec<Box<T>>, String> {
        Ok(C::keys(scope)?.into_iter().map(Box::new).collect())
    }
    fn copy(value: &Box<T>) -> Box<T> {
        Box::new(C::copy(value))
    }
}

impl<T, C: Whole<T>, const N: usize> Whole<[T; N]> for ArrayOf<C, N> {
    fn values(scope: usize) -> Result<Vec<[T; N]>, String> {
        arrays::<T, C, N>(&C::values(scope_of_combined(scope))?)
    }
    fn keys(scope: usize) -> Result<Vec<[T; N]>, String> {
        arrays::<T, C, N>(&C::keys(scope_of_combined(scope))?)
    }
    fn copy(value: &[T; N]) -> [T; N] {
        value.each_ref().map(C::copy)
    }
}

/// Implements `Whole` for tuples: the combinations of the members, the last one varying fastest.
macro_rules! tuples {
    ($($($type:ident $number:tt)*;)*) => {$(
        impl<$($type: Field<Codec: Whole<$type> + Copied>),*> Whole<($($type,)*)> for TupleOf<($($type,)*)> {
            fn values(scope: usize) -> Result<Vec<Self::Value>, String> {
                let scope = scope_of_combined(scope);
                let members = ($($type::Codec::values(scope)?,)*);
                tuples!(@combined members $($type $number)*)
            }
            fn keys(scope: usize) -> Result<Vec<Self::Value>, String> {
                let scope = scope_of_combined(scope);
                let members = ($($type::Codec::keys(scope)?,)*);
                tuples!(@combined members $($type $number)*)
            }
            fn copy(value: &Self::Value) -> Self::Value {
                ($($type::Codec::copy(&value.$number),)*)
            }
        }
    )*};
    (@combined $members:ident $($type:ident $number:tt)*) => {{
        let lens = [$($members.$number.len()),*];
        let count = lens.iter().try_fold(1_usize, |count, &len| count.checked_mul(len)).unwrap_or(usize::MAX);
        listed((0..count).map(|mut combination| {
            let mut positions = lens;
            for position in positions.iter_mut().rev() {
                let len = *position;
                *position = combination % len;
                combination /= len;
            }
            ($($type::Codec::copy(&$members.$number[positions[$number]]),)*)
        }))
    }};
}

tuples! {
    A 0;
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
    A 0 B 1 C 2 D 3 E 4;
    A 0 B 1 C 2 D 3 E 4 F 5;
}
