//! Faults: what can be wrong with a structure, and how that many of them are put into a valid one, the same for the same
//! seed.

use korat::RepOk;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

/// One wrong field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// A link leads to another node than it should.
    WrongLink,
    /// A link leads back to a node from which it is reached.
    Cycle,
    /// A place that should be vacant has the child of another node, which then has two parents.
    SharedChild,
    /// A link leads nowhere, though there is more to come.
    NullInTheMiddle,
    /// The structure counts its parts wrongly.
    WrongSize,
    /// A key is not where it should be: another node has it.
    WrongKey,
    /// The stored height of a node, or its rank, does not fit those around it.
    WrongHeight,
}

/// A structure that can be built at any size, and broken.
pub trait Faulty: RepOk + Sized {
    /// A valid one of `n` nodes, always the same. Takes time in proportion to `n`.
    fn build(n: usize) -> Self;

    /// The faults that it can have.
    fn faults() -> &'static [Fault];

    /// How often it can have a fault: a size is wrong only once.
    fn most(fault: Fault) -> usize {
        if fault == Fault::WrongSize { 1 } else { usize::MAX }
    }

    /// How many sites there are for faults. Each is the place of a node, or of none.
    fn sites(&self) -> usize;

    /// Changes one field of the node at a site, any for a wrong size, so that a valid structure becomes invalid. Says
    /// whether it could: a leaf, for one, has no link that could be wrong.
    ///
    /// # Panics
    ///
    /// If it is not one of the [`faults`](Faulty::faults) of the structure.
    fn inject(&mut self, fault: Fault, site: usize, rng: &mut StdRng) -> bool;

    /// The number of nodes that the links lead to, whatever else is wrong.
    fn reachable(&self) -> usize;

    /// How many fields differ from those of another one that was built with as many nodes, whatever else is wrong.
    fn differences(&self, other: &Self) -> usize;
}

/// Puts `count` faults of one kind into a structure, fewer only if it cannot have so many ([`Faulty::most`]): each at a
/// node chosen at random, no two at the same one. Says how many.
///
/// # Panics
///
/// If the structure is too small for so many, or does not have such faults.
pub fn corrupt<T: Faulty>(value: &mut T, fault: Fault, count: usize, seed: u64) -> usize {
    let count = count.min(T::most(fault));
    corrupt_with(value, &vec![fault; count], seed);
    count
}

/// Puts faults of several kinds into a structure, one after the other, each at a node chosen at random, no two at the
/// same one.
///
/// # Panics
///
/// If the structure is too small for so many, or does not have such faults, or not so often.
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

/// So many faults, of all kinds that the structure can have in turn, none more often than it can have it.
pub fn mixture<T: Faulty>(count: usize) -> Vec<Fault> {
    let rounds = (0..count).flat_map(|round| T::faults().iter().filter(move |&&fault| round < T::most(fault)));
    rounds.copied().take(count).collect()
}

/// A number from `0..n` other than `present`, if there is one.
pub(super) fn another(n: usize, present: Option<usize>, rng: &mut StdRng) -> Option<usize> {
    match present {
        Some(present) if present < n => {
            // One less to choose from; those from `present` on are moved up by one.
            let other = (n > 1).then(|| rng.random_range(0..n - 1))?;
            Some(if other < present { other } else { other + 1 })
        }
        _ => (n > 0).then(|| rng.random_range(0..n)),
    }
}

/// How many are true.
pub(super) fn count_true(all: impl IntoIterator<Item = bool>) -> usize {
    all.into_iter().filter(|&one| one).count()
}

/// Replaces a number by another one from `0..n`; says whether there is one.
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
            // The other six share what is left.
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
