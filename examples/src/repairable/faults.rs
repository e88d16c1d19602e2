//! Faults: what can be wrong with a structure, and how to inject a given number of them into a valid one, reproducibly
//! from a seed.

use korat::RepOk;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

/// One wrong field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// A link leads to the wrong node.
    WrongLink,
    /// A link leads back to a node from which it is reached.
    Cycle,
    /// A link that should be null leads to the child of another node, which then has two parents.
    SharedChild,
    /// A link is null, though there are more nodes.
    NullInTheMiddle,
    /// The stored size is wrong.
    WrongSize,
    /// A key is out of place: another node has the same one.
    WrongKey,
    /// The stored height or rank of a node does not fit those around it.
    WrongHeight,
}

/// A structure that can be built at any size and broken.
pub trait Faulty: RepOk + Sized {
    /// Builds a valid value of `n` nodes in linear time. The result depends only on `n`.
    fn build(n: usize) -> Self;

    /// Returns the faults that the structure can have.
    fn faults() -> &'static [Fault];

    /// Returns how often the structure can have a fault: a size, for example, is wrong only once.
    fn most(fault: Fault) -> usize {
        if fault == Fault::WrongSize { 1 } else { usize::MAX }
    }

    /// Returns the number of sites for faults. Each is the position of at most one node.
    fn sites(&self) -> usize;

    /// Changes one field of the node at a site, so that a valid structure becomes invalid; for a wrong size, the site
    /// does not matter. Returns whether that was possible: a leaf, for example, has no link that could be wrong.
    ///
    /// # Panics
    ///
    /// Panics if `fault` is not one of the structure's [`faults`](Faulty::faults).
    fn inject(&mut self, fault: Fault, site: usize, rng: &mut StdRng) -> bool;

    /// Returns the number of reachable nodes, whatever else is wrong.
    fn reachable(&self) -> usize;

    /// Returns the number of fields that differ from those of a value that was built with as many nodes, whatever else
    /// is wrong.
    fn differences(&self, other: &Self) -> usize;
}

/// Injects `count` faults of one kind, or as many as the structure can have ([`Faulty::most`]), each at another node
/// chosen at random. Returns their number.
///
/// # Panics
///
/// Panics if the structure is too small, or cannot have such a fault.
pub fn corrupt<T: Faulty>(value: &mut T, fault: Fault, count: usize, seed: u64) -> usize {
    let count = count.min(T::most(fault));
    corrupt_with(value, &vec![fault; count], seed);
    count
}

/// Injects faults of several kinds in order, each at another node chosen at random.
///
/// # Panics
///
/// Panics if the structure is too small, cannot have such a fault, or cannot have it that often.
pub fn corrupt_with<T: Faulty>(value: &mut T, faults: &[Fault], seed: u64) {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut sites: Vec<usize> = (0..value.sites()).collect();
    sites.shuffle(&mut rng);
    let mut sites = sites.into_iter();
    for (place, &fault) in faults.iter().enumerate() {
        let before = faults[..place].iter().filter(|&&other| other == fault).count();
        assert!(before < T::most(fault), "{fault:?} can be there {} times only", T::most(fault));
        let found = sites.any(|site| value.inject(fault, site, &mut rng));
        assert!(found, "{place} faults leave no room for {fault:?}");
    }
}

/// Returns `count` faults that cycle through all kinds of the structure, none more often than possible.
pub fn mixture<T: Faulty>(count: usize) -> Vec<Fault> {
    let rounds = (0..count).flat_map(|round| T::faults().iter().filter(move |&&fault| round < T::most(fault)));
    rounds.copied().take(count).collect()
}

/// Returns a number from `0..n` other than `present`, if there is one.
pub(super) fn another(n: usize, present: Option<usize>, rng: &mut StdRng) -> Option<usize> {
    match present {
        Some(present) if present < n => {
            // Choose from one number less, and move those from `present` on up by one.
            let other = (n > 1).then(|| rng.random_range(0..n - 1))?;
            Some(if other < present { other } else { other + 1 })
        }
        _ => (n > 0).then(|| rng.random_range(0..n)),
    }
}

/// Returns the number of `true` items.
pub(super) fn count_true(all: impl IntoIterator<Item = bool>) -> usize {
    all.into_iter().filter(|&one| one).count()
}

/// Replaces a number by another one from `0..n`. Returns whether there is one.
pub(super) fn replace(number: &mut usize, n: usize, rng: &mut StdRng) -> bool {
    let other = another(n, Some(*number), rng);
    *number = other.unwrap_or(*number);
    other.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repairable::avl_tree::AvlTree;

    #[test]
    fn another_number_is_any_but_the_present_one() {
        let mut rng = StdRng::seed_from_u64(1);
        let mut met = [0; 5];
        for _ in 0..500 {
            met[another(5, Some(2), &mut rng).unwrap()] += 1;
        }
        assert_eq!(met[2], 0);
        assert!(met.iter().filter(|&&times| times > 0).count() == 4, "{met:?}");
        assert_eq!(another(0, None, &mut rng), None);
        assert_eq!(another(1, Some(0), &mut rng), None);
        assert_eq!(another(1, Some(1), &mut rng), Some(0));
    }

    #[test]
    fn the_same_seed_gives_the_same_faults() {
        let broken = |seed| {
            let mut tree = AvlTree::build(500);
            corrupt_with(&mut tree, &[Fault::WrongKey, Fault::Cycle, Fault::WrongSize], seed);
            tree
        };
        assert_eq!(broken(3), broken(3));
        assert_ne!(broken(3), broken(4));
    }

    #[test]
    fn a_mixture_has_every_kind_and_one_wrong_size() {
        let mixture = mixture::<AvlTree>(100);
        assert_eq!(mixture.len(), 100);
        for &fault in AvlTree::faults() {
            let times = mixture.iter().filter(|&&other| other == fault).count();
            // The other six share the rest.
            assert!(if fault == Fault::WrongSize { times == 1 } else { matches!(times, 16 | 17) }, "{times} {fault:?}");
        }
        let mut tree = AvlTree::build(1000);
        corrupt_with(&mut tree, &mixture, 0);
        assert!(!tree.rep_ok());
    }

    #[test]
    #[should_panic = "2 faults leave no room for WrongKey"]
    fn a_small_structure_has_no_room_for_many_faults() {
        corrupt(&mut AvlTree::build(2), Fault::WrongKey, 3, 0);
    }

    #[test]
    #[should_panic = "WrongSize can be there 1 times only"]
    fn a_size_is_wrong_only_once() {
        corrupt_with(&mut AvlTree::build(5), &[Fault::WrongSize, Fault::WrongSize], 0);
    }
}
