//! The size of bounds derived from a value. Sizes are rounded, so that values of similar size have equal bounds.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::slots::domain::rounded;

/// The longest vector of each field, and the total number of elements and entries.
#[derive(Default)]
pub(crate) struct VectorLengths {
    longest: Vec<(Rc<str>, usize)>,
    total: usize,
}

impl VectorLengths {
    /// Records a vector of a field.
    pub(crate) fn add(&mut self, field: &Rc<str>, len: usize) {
        self.add_entries(len);
        // Pointer equality suffices: a heap has one `Rc` per field path.
        match self.longest.iter_mut().find(|(name, _)| Rc::ptr_eq(name, field)) {
            Some((_, longest)) => *longest = len.max(*longest),
            None => self.longest.push((field.clone(), len)),
        }
    }

    /// Records the entries of a map or a set.
    pub(crate) fn add_entries(&mut self, entries: usize) {
        self.total = self.total.saturating_add(entries);
    }
}

/// How many objects of each class a repair may add to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FreshObjects {
    /// Objects that a repair may add wherever it tries one.
    pub usual: usize,
    /// Objects that a repair may add where it rebuilds something that is missing; classes with few objects get fewer.
    pub most: usize,
}

impl FreshObjects {
    /// Allows `objects` fresh objects of every class, wherever a repair tries one.
    pub fn exactly(objects: usize) -> Self {
        FreshObjects { usual: objects, most: objects }
    }

    /// Returns the number of fresh objects for a class of which the value has `present`.
    fn for_class(self, present: usize) -> usize {
        (self.usual + present / 4).min(self.most).max(self.usual)
    }
}

impl Default for FreshObjects {
    fn default() -> Self {
        FreshObjects { usual: 1, most: 16 }
    }
}

/// The size of bounds derived from a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BoundsSize {
    pub(crate) scope: usize,
    /// Per class, the maximum number of objects.
    pub(crate) objects: Vec<usize>,
    /// The maximum number of elements of a vector, by field. Fields that are not listed have no elements in the value,
    /// and may get `fresh` ones.
    elements: BTreeMap<Rc<str>, usize>,
    fresh: FreshObjects,
}

impl BoundsSize {
    /// Computes the extent for a value with the given number of objects per class and the given vectors. Leaves room
    /// for at least `fresh` objects of each class.
    pub(crate) fn of(objects: &[u32], lens: &VectorLengths, fresh: FreshObjects) -> Self {
        let all: usize = objects.iter().map(|&count| count as usize).sum();
        // A field may hold the number of elements or entries, so the scope covers them as well.
        let scope = rounded(all.max(lens.total) + fresh.usual);
        let with_fresh = |&count: &u32| rounded(count as usize + fresh.for_class(count as usize));
        let objects = objects.iter().map(with_fresh).collect();
        let present = lens.longest.iter().filter(|&&(_, len)| len > 0);
        let elements = present.map(|(field, len)| (field.clone(), rounded(len + fresh.usual))).collect();
        BoundsSize { scope, objects, elements, fresh }
    }

    /// Returns the maximum number of elements of a field's vectors.
    pub(crate) fn most_elements(&self, field: &str) -> usize {
        self.elements.get(field).copied().unwrap_or(rounded(self.fresh.usual))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lens(vectors: &[(&Rc<str>, usize)]) -> VectorLengths {
        let mut lens = VectorLengths::default();
        vectors.iter().for_each(|&(field, len)| lens.add(field, len));
        lens
    }

    #[test]
    fn vectors_have_room_for_the_longest_of_their_field_and_fresh_elements() {
        let (nodes, free): (Rc<str>, Rc<str>) = ("Tree.nodes".into(), "Tree.free".into());
        let bounds_size = BoundsSize::of(
            &[1, 4],
            &lens(&[(&nodes, 3), (&free, 0), (&nodes, 4), (&nodes, 1)]),
            FreshObjects::exactly(2),
        );
        assert_eq!(
            (bounds_size.scope, &bounds_size.objects[..]),
            (10, &[3, 6][..]),
            "eight elements are more than five objects"
        );
        assert_eq!((bounds_size.most_elements("Tree.nodes"), bounds_size.most_elements("Tree.free")), (6, 2));
    }

    #[test]
    fn a_class_with_many_objects_has_room_for_more() {
        let objects = |fresh| BoundsSize::of(&[1, 8, 40, 1_000], &VectorLengths::default(), fresh).objects;
        assert_eq!(objects(FreshObjects::default())[..2], [2, 11]);
        assert!(objects(FreshObjects::default())[2] >= 51 && objects(FreshObjects::default())[3] >= 1_016);
        assert_eq!(objects(FreshObjects::exactly(0))[..2], [1, 8]);
    }

    #[test]
    fn values_of_about_the_same_size_have_one_extent() {
        let nodes: Rc<str> = "Tree.nodes".into();
        let of = |count: u32| BoundsSize::of(&[1, count], &lens(&[(&nodes, count as usize)]), FreshObjects::exactly(2));
        assert_eq!(of(1_000), of(1_010));
        assert_ne!(of(1_000), of(1_200));
        let empty: Rc<str> = "Tree.free".into();
        let with_empty = BoundsSize::of(&[1, 9], &lens(&[(&nodes, 9), (&empty, 0)]), FreshObjects::exactly(2));
        assert_eq!(with_empty, of(9), "a vector without elements is as one that was not met");
    }
}
