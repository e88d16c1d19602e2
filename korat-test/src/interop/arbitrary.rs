//! Valid values for fuzzers, through [arbitrary](https://docs.rs/arbitrary).

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use arbitrary::{Arbitrary, Result, Unstructured};
use korat_core::{Finitize, Natural, RepOk};

use super::picks::Picks;
use crate::pool::Wanted;

/// A valid value of `T` within `T::scope(SCOPE)`, as an input for a fuzzer.
///
/// The input bytes are the index of the value, smallest values first. They are as many bytes as the largest index
/// needs, and none if there is only one value. Missing bytes count as zero, so short inputs select small values.
///
/// The first value runs the search, once per type, scope and thread. Up to 100,000 values are stored as slots: four bytes
/// for every field of every object, and about 50 more for each value. If there are more and parts of the structure can be
/// [summarised](crate::Search::summaries), values are built by their index instead, and none is stored; otherwise all are stored. If all values fit in memory,
/// [`for_each_valid`](crate::for_each_valid) tests all of them in less time; this type is for inputs that consist of
/// more than the structure, such as a structure and operations on it.
///
/// # Panics
///
/// Panics if there is no valid value at that scope.
///
/// ```
/// use arbitrary::{Arbitrary, Unstructured};
/// use korat::interop::arbitrary::Valid;
/// use korat::{Finitize, rep_ok};
///
/// #[derive(Debug, Finitize)]
/// struct Interval {
///     low: u8,
///     high: u8,
/// }
///
/// #[rep_ok]
/// impl Interval {
///     fn rep_ok(&self) -> bool {
///         self.low <= self.high
///     }
/// }
///
/// // In a fuzz target: fuzz_target!(|input: (Valid<Interval, 4>, u8)| { .. });
/// let mut bytes = Unstructured::new(&[7, 200]);
/// let (interval, number) = <(Valid<Interval, 4>, u8)>::arbitrary(&mut bytes)?;
/// assert!(interval.rep_ok());
/// assert_eq!(number, 200);
/// let interval: Interval = interval.into_inner();
/// # drop(interval);
/// # Ok::<(), arbitrary::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Valid<T, const SCOPE: usize>(T);

impl<T, const SCOPE: usize> Valid<T, SCOPE> {
    /// Returns the inner value.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T, const SCOPE: usize> Deref for Valid<T, SCOPE> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T, const SCOPE: usize> DerefMut for Valid<T, SCOPE> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<'a, T: Finitize + RepOk, const SCOPE: usize> Arbitrary<'a> for Valid<T, SCOPE> {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let picks = picks::<T>(SCOPE);
        let mut picks = picks.borrow_mut();
        let index = match picks.listed() {
            Some(listed) => Natural::from(bytes.choose_index(listed)? as u64),
            None => {
                let len = picks.len();
                let bytes = bytes.bytes(bytes_of(&len).min(bytes.len()))?;
                let number = bytes.iter().fold(Natural::ZERO, |mut number, byte| {
                    number = number * &Natural::from(256);
                    number += &Natural::from(u64::from(*byte));
                    number
                });
                number.divided(&len).1
            }
        };
        Ok(Valid(picks.build(&index)))
    }

    fn size_hint(_depth: usize) -> (usize, Option<usize>) {
        let bytes = bytes_of(&picks::<T>(SCOPE).borrow().len());
        (bytes, Some(bytes))
    }
}

/// Returns the number of bytes that any number below `len` fits in.
fn bytes_of(len: &Natural) -> usize {
    let (mut bytes, mut numbers) = (0, Natural::ONE);
    while numbers < *len {
        (bytes, numbers) = (bytes + 1, numbers * &Natural::from(256));
    }
    bytes
}

/// Returns what this thread picks values at a scope from.
fn picks<T: Finitize + RepOk>(scope: usize) -> Rc<RefCell<Picks<T>>> {
    thread_local! {
        static PICKS: RefCell<BTreeMap<(TypeId, usize), Rc<dyn Any>>> = RefCell::default();
    }
    let key = (TypeId::of::<T>(), scope);
    let known = PICKS.with_borrow(|picks| picks.get(&key).map(Rc::clone));
    // The map must not be borrowed during the search, which runs user code.
    let picks = known.unwrap_or_else(|| {
        let made: Rc<dyn Any> = Rc::new(RefCell::new(Picks::new(&Wanted::new(T::scope(scope)))));
        PICKS.with_borrow_mut(|picks| Rc::clone(picks.entry(key).or_insert(made)))
    });
    picks.downcast().expect("[korat internal bug] picks are kept under the type of their values")
}
