//! Valid values for fuzzers, through [arbitrary](https://docs.rs/arbitrary).

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use arbitrary::{Arbitrary, Result, Unstructured};
use korat_core::{Finitize, RepOk};

use crate::pool::{Pool, Wanted};

/// A valid value of `T` within `T::scope(SCOPE)`, as an input for a fuzzer.
///
/// The input bytes are the index of the value, smallest values first. They are as many bytes as the largest index
/// needs, and none if there is only one value. Missing bytes count as zero, so short inputs select small values.
///
/// The first value runs the whole search, once per type, scope and thread. All values are stored as slots: four bytes
/// for every field of every object, and about 50 more for each value. If all values fit in memory,
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
        let pool = pool::<T>(SCOPE);
        let mut pool = pool.borrow_mut();
        let index = bytes.choose_index(pool.len())?;
        Ok(Valid(pool.build(index)))
    }

    fn size_hint(_depth: usize) -> (usize, Option<usize>) {
        let largest = pool::<T>(SCOPE).borrow().len() - 1;
        let bytes = (usize::BITS - largest.leading_zeros()).div_ceil(8) as usize;
        (bytes, Some(bytes))
    }
}

/// Returns this thread's pool of the values at a scope.
fn pool<T: Finitize + RepOk>(scope: usize) -> Rc<RefCell<Pool<T>>> {
    thread_local! {
        static POOLS: RefCell<BTreeMap<(TypeId, usize), Rc<dyn Any>>> = RefCell::default();
    }
    let key = (TypeId::of::<T>(), scope);
    let known = POOLS.with_borrow(|pools| pools.get(&key).map(Rc::clone));
    // The map must not be borrowed during the search, which runs user code.
    let pool = known.unwrap_or_else(|| {
        let made: Rc<dyn Any> = Rc::new(RefCell::new(Pool::of_some(&Wanted::new(T::scope(scope)))));
        POOLS.with_borrow_mut(|pools| Rc::clone(pools.entry(key).or_insert(made)))
    });
    pool.downcast().expect("[korat internal bug] a pool is kept under the type of its values")
}
