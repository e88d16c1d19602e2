//! A thread-local cap on the length of domains. A search needs every value of a domain and rejects one that is too
//! large; a repair within bounds derived from a large value needs only some of them.

use std::cell::Cell;

thread_local! {
    static MOST: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Caps domains listed on this thread while it lives.
pub(crate) struct ListCapGuard(Option<usize>);

/// Truncates domains after `most` values, and before the first value that does not fit its type.
pub(crate) fn set(most: usize) -> ListCapGuard {
    ListCapGuard(MOST.replace(Some(most)))
}

impl Drop for ListCapGuard {
    fn drop(&mut self) {
        MOST.set(self.0);
    }
}

/// Returns the current cap, if there is one.
pub(crate) fn current() -> Option<usize> {
    MOST.get()
}

/// The number of combinations listed while domains are capped: texts, heaps, orders of keys. There are exponentially many of
/// them, and a repair tries each. It adds those of the value that it repairs; the others only have to give it something
/// else to try, and a few small ones do: these are nearly all texts of up to four letters.
const COMBINATIONS: usize = 30;

/// While domains are capped, caps them at a few combinations.
pub(crate) fn few_combinations() -> Option<ListCapGuard> {
    current().map(|_| set(COMBINATIONS))
}

/// Returns the sizes of combinations: `sizes` themselves, or a few small ones while domains are capped. Combinations of a large
/// size are too many, and each of them is too large.
pub(crate) fn sizes_of_combinations(sizes: &[usize]) -> Vec<usize> {
    match current() {
        Some(_) => sizes.iter().copied().filter(|&size| size <= COMBINATIONS).take(COMBINATIONS).collect(),
        None => sizes.to_vec(),
    }
}

/// The largest scope for combined values while domains are capped.
const FEW: usize = 8;

/// Returns the scope for values that are combined with others: `scope` itself, or at most `FEW` while domains are
/// capped.
pub fn scope_of_combined(scope: usize) -> usize {
    if current().is_some() { scope.min(FEW) } else { scope }
}

#[cfg(test)]
mod tests {
    use crate::class::bounds::{into_values, listed};

    #[test]
    fn lists_are_cut_only_where_somebody_says_so() {
        let bytes = || into_values::<u8, _>(0..=1000_usize);
        assert_eq!(bytes(), Err("256 is not a value of type u8".to_string()));
        {
            let _cut = super::set(600);
            assert_eq!(bytes(), Ok((0..=255).collect()));
            assert_eq!(listed(0..).map(|values: Vec<u64>| values.len()), Ok(600));
            assert_eq!(super::scope_of_combined(1000), super::FEW);
            assert_eq!(super::sizes_of_combinations(&[40, 2, 30]), [2, 30]);
            let _few = super::few_combinations();
            assert_eq!(super::current(), Some(30));
        }
        assert!(bytes().is_err());
        assert_eq!(super::scope_of_combined(1000), 1000);
        assert_eq!(super::sizes_of_combinations(&[40, 2, 30]), [40, 2, 30]);
        assert!(super::few_combinations().is_none());
    }
}
