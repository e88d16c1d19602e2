//! How large a value is, in round numbers: values of about the same size have bounds of the same size. Takes what was counted, gives the
//! size of bounds that are made of the value.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::domain::rounded;

/// How long vectors are, by the field in which they stand; and how many elements and entries there are in all.
#[derive(Default)]
pub(crate) struct Lens {
    longest: Vec<(Rc<str>, usize)>,
    total: usize,
}

impl Lens {
    /// Adds a vector to those of a field.
    pub(crate) fn add(&mut self, field: &Rc<str>, len: usize) {
        self.add_entries(len);
        // One heap has one text for a field.
        match self.longest.iter_mut().find(|(name, _)| Rc::ptr_eq(name, field)) {
            Some((_, longest)) => *longest = len.max(*longest),
            None => self.longest.push((field.clone(), len)),
        }
    }

    /// Adds the entries of a map or a set.
    pub(crate) fn add_entries(&mut self, entries: usize) {
        self.total = self.total.saturating_add(entries);
    }
}

/// How many objects of each class a repair may add to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fresh {
    /// Wherever one is tried.
    pub usual: usize,
    /// Where something has to be made anew; of a class that has few, fewer.
    pub most: usize,
}

impl Fresh {
    /// So many, of every class and wherever one is tried.
    pub fn exactly(objects: usize) -> Self {
        Fresh { usual: objects, most: objects }
    }

    /// How many of a class of which the value has so many.
    fn beside(self, present: usize) -> usize {
        (self.usual + present / 4).min(self.most).max(self.usual)
    }
}

impl Default for Fresh {
    fn default() -> Self {
        Fresh { usual: 1, most: 16 }
    }
}

/// How large bounds are that are made of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) scope: usize,
    /// Per class, how many objects there may be.
    pub(crate) objects: Vec<usize>,
    /// How many elements a vector may have, by the field; those of other fields have none, and may have `fresh` ones.
    elements: BTreeMap<Rc<str>, usize>,
    fresh: Fresh,
}

impl Extent {
    /// For a value with so many objects of each class and such vectors, with room for `fresh` ones of each, or some more.
    pub(crate) fn of(objects: &[u32], lens: &Lens, fresh: Fresh) -> Self {
        let all: usize = objects.iter().map(|&count| count as usize).sum();
        // Elements and entries may be counted somewhere.
        let scope = rounded(all.max(lens.total) + fresh.usual);
        let with_fresh = |&count: &u32| rounded(count as usize + fresh.beside(count as usize));
        let objects = objects.iter().map(with_fresh).collect();
        let present = lens.longest.iter().filter(|&&(_, len)| len > 0);
        let elements = present.map(|(field, len)| (field.clone(), rounded(len + fresh.usual))).collect();
        Extent { scope, objects, elements, fresh }
    }

    /// How many elements the vectors of a field may have.
    pub(crate) fn most_elements(&self, field: &str) -> usize {
        self.elements.get(field).copied().unwrap_or(rounded(self.fresh.usual))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lens(vectors: &[(&Rc<str>, usize)]) -> Lens {
        let mut lens = Lens::default();
        vectors.iter().for_each(|&(field, len)| lens.add(field, len));
        lens
    }

    #[test]
    fn vectors_have_room_for_the_longest_of_their_field_and_fresh_elements() {
        let (nodes, free): (Rc<str>, Rc<str>) = ("Tree.nodes".into(), "Tree.free".into());
        let extent =
            Extent::of(&[1, 4], &lens(&[(&nodes, 3), (&free, 0), (&nodes, 4), (&nodes, 1)]), Fresh::exactly(2));
        assert_eq!((extent.scope, &extent.objects[..]), (10, &[3, 6][..]), "eight elements are more than five objects");
        assert_eq!((extent.most_elements("Tree.nodes"), extent.most_elements("Tree.free")), (6, 2));
    }

    #[test]
    fn a_class_with_many_objects_has_room_for_more() {
        let objects = |fresh| Extent::of(&[1, 8, 40, 1_000], &Lens::default(), fresh).objects;
        assert_eq!(objects(Fresh::default())[..2], [2, 11]);
        assert!(objects(Fresh::default())[2] >= 51 && objects(Fresh::default())[3] >= 1_016);
        assert_eq!(objects(Fresh::exactly(0))[..2], [1, 8]);
    }

    #[test]
    fn values_of_about_the_same_size_have_one_extent() {
        let nodes: Rc<str> = "Tree.nodes".into();
        let of = |count: u32| Extent::of(&[1, count], &lens(&[(&nodes, count as usize)]), Fresh::exactly(2));
        assert_eq!(of(1_000), of(1_010));
        assert_ne!(of(1_000), of(1_200));
        let empty: Rc<str> = "Tree.free".into();
        let with_empty = Extent::of(&[1, 9], &lens(&[(&nodes, 9), (&empty, 0)]), Fresh::exactly(2));
        assert_eq!(with_empty, of(9), "a vector without elements is as one that was not met");
    }
}
