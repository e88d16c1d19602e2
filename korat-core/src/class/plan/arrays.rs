//! Arrays as arenas. An array has no length to decide; one that indices lead into gets a length slot with a single
//! value, so that it is an arena like any vector. Other arrays have no slots but those of their elements.

use std::cell::OnceCell;

use super::meaning::Vector;
use super::planner::Planner;
use crate::model::bounds_error::BoundsError;
use crate::model::ids::{ClassId, FieldId, to_u32};
use crate::slots::unordered::Role;

/// The field of an array's length, with the length; set once an index leads into the array.
pub(crate) type ArrayLen = OnceCell<(FieldId, &'static [usize])>;

/// An array of the structure.
pub(super) struct Array {
    pub(super) class: ClassId,
    /// The field's name as the user wrote it.
    pub(super) field: String,
    declared_path: String,
    declared: String,
    known_as: Vec<String>,
    is_bound: bool,
    elements: usize,
    /// Parallel arrays share one.
    len: &'static ArrayLen,
}

/// How the length of an array is planned.
pub(crate) struct PlannedLen {
    pub(crate) len: &'static ArrayLen,
    /// Whether the array uses the length slot of the one that it is parallel to.
    pub(crate) is_parallel: bool,
}

impl Planner<'_> {
    /// Records the current field as an array. Returns `None` if it lies in a vector or in another array: then several
    /// arrays would have its name, and none of them is an arena.
    pub(crate) fn array(&mut self, elements: usize) -> Option<PlannedLen> {
        let parallel = self.take_name_of_parallel();
        if self.field.contains('[') {
            return None;
        }
        let partner = parallel.as_ref().map(|field| {
            let is_named = |array: &&Array| array.class == self.class && array.field == *field;
            self.arrays.iter().rfind(is_named).filter(|array| array.elements == elements).map(|array| array.len)
        });
        let len = match partner {
            Some(None) => {
                let partner = parallel.unwrap_or_default();
                self.errors.push(BoundsError::NotAsLong { field: self.field_name(), partner });
                return None;
            }
            Some(Some(len)) => len,
            None => self.keep(ArrayLen::new()),
        };
        self.arrays.push(Array {
            class: self.class,
            field: self.field.clone(),
            declared_path: self.declared_path.clone(),
            declared: self.declared.clone(),
            known_as: self.known_as.clone(),
            is_bound: self.bound,
            elements,
            len,
        });
        Some(PlannedLen { len, is_parallel: partner.is_some() })
    }

    /// Gives an array a length slot, and the arrays beside it the same one. Returns its number among the vectors.
    pub(super) fn arena_of_array(&mut self, array: usize) -> usize {
        let Array { class, field, declared_path, declared, known_as, is_bound, elements, len } = &self.arrays[array];
        let (elements, len) = (*elements, *len);
        (self.class, self.bound) = (*class, *is_bound);
        (self.field, self.declared_path) = (field.clone(), declared_path.clone());
        (self.declared, self.known_as) = (declared.clone(), known_as.clone());
        let path = self.declared_path();
        if len.get().is_none() {
            let planned = self.part(".len()", |planner| planner.shape_field(Ok(vec![elements])));
            len.get_or_init(|| planned);
            let beside = self.arrays.iter().filter(|other| std::ptr::eq(other.len, len));
            let vectors = beside.map(|other| Vector {
                class: other.class,
                field: other.field.clone(),
                path: path.clone(),
                len_field: planned.0,
                listed: planned.1,
                lens: [to_u32(elements)].into(),
                capacity: elements,
                role: Role::default(),
            });
            self.vectors.extend(vectors);
        }
        let len_field = len.get().map(|&(field, _)| field);
        let known = self.vectors.iter().position(|vector| Some(vector.len_field) == len_field);
        known.expect("[korat internal bug] an array with a length is recorded as a vector")
    }
}
