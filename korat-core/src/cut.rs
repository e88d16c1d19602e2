//! How far lists of values go. A search needs every value of a domain, and one that is too large is a mistake; a repair within bounds
//! that are made of a large value needs some, and gets those that there are.

use std::cell::Cell;

thread_local! {
    static MOST: Cell<Option<usize>> = const { Cell::new(None) };
}

/// While this lives, lists of values on this thread are cut.
pub(crate) struct Cut(Option<usize>);

/// Cuts lists after so many values, and where the next one does not fit its type.
pub(crate) fn after(most: usize) -> Cut {
    Cut(MOST.replace(Some(most)))
}

impl Drop for Cut {
    fn drop(&mut self) {
        MOST.set(self.0);
    }
}

/// After how many values lists are cut, if they are.
pub(crate) fn most() -> Option<usize> {
    MOST.get()
}

/// So many combinations are enough where lists are cut.
const FEW: usize = 8;

/// The scope of values that are combined with others: all combinations, unless lists are cut.
pub fn scope_of_combined(scope: usize) -> usize {
    if most().is_some() { scope.min(FEW) } else { scope }
}

#[cfg(test)]
mod tests {
    use crate::bounds::{into_values, listed};

    #[test]
    fn lists_are_cut_only_where_somebody_says_so() {
        let bytes = || into_values::<u8, _>(0..=1000_usize);
        assert_eq!(bytes(), Err("256 is not a value of type u8".to_string()));
        {
            let _cut = super::after(600);
            assert_eq!(bytes(), Ok((0..=255).collect()));
            assert_eq!(listed(0..).map(|values: Vec<u64>| values.len()), Ok(600));
            assert_eq!(super::scope_of_combined(1000), super::FEW);
        }
        assert!(bytes().is_err());
        assert_eq!(super::scope_of_combined(1000), 1000);
    }
}
