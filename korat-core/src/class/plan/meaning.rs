//! The meaning of fields beyond their values: indices into an arena, names of which only equality matters, unordered
//! vectors. Turns the derive's attributes into slot kinds.

use std::any::Any;
use std::cell::OnceCell;
use std::fmt;
use std::rc::Rc;

use super::planner::Planner;
use crate::class::plan::index::Indexing;
use crate::model::bounds_error::BoundsError;
use crate::model::ids::{ClassId, FieldId, to_u32};
use crate::slots::domain::{AnyDomain, List, MutableList};
use crate::slots::kinds::{Index, Name, SlotKind};
use crate::slots::unordered::Role;

impl Planner<'_> {
    /// Declares the next field an index into the arena in the vector of that name.
    pub fn index_of<L: Indexing>(&mut self, arena: &'static str, none: Option<L>) {
        let values = move |capacity: usize| Indexing::values(none.clone(), capacity);
        let nulls = to_u32(values(0).len());
        let values: MakeIndices<L> = Rc::new(values);
        self.next_meaning.index = Some(IndexMeaning { arena, nulls, values: Rc::new(values) });
    }

    /// Declares that only equality matters among the next field's values and others of the same group. The first
    /// `nulls` values are exempt.
    pub fn identity(&mut self, group: &'static str, nulls: u32) {
        self.next_meaning.name = Some((group, nulls));
    }

    /// Declares that the order of the next field's elements does not matter.
    pub fn unordered(&mut self) {
        self.next_meaning.unordered = true;
    }

    /// Declares the next field parallel to the vector of that name in the same struct, which is planned already.
    pub fn parallel_to(&mut self, vector: &'static str) {
        self.next_meaning.parallel = Some(vector);
    }

    /// Returns the vector that the current field is parallel to.
    pub(crate) fn take_parallel_to(&mut self) -> Option<ParallelTo> {
        let field = self.take_name_of_parallel()?;
        let is_named = |vector: &&Vector| vector.class == self.class && vector.field == field;
        let Some(vector) = self.vectors.iter().rfind(is_named) else {
            // Only a vector and an array differ in kind: others are rejected by their types.
            self.errors.push(BoundsError::NotAsLong { field: self.field_name(), partner: field });
            return None;
        };
        Some(ParallelTo { path: vector.path.clone(), len_field: vector.len_field, lens: vector.listed })
    }

    /// Returns the name of the vector that the current field is parallel to. Clears it, so that vectors inside the
    /// elements are not parallel to anything.
    pub(super) fn take_name_of_parallel(&mut self) -> Option<String> {
        let name = self.meaning.parallel.take()?;
        let (around, dot) = self.field.rsplit_once('.').map_or(("", ""), |(around, _)| (around, "."));
        Some(format!("{around}{dot}{name}"))
    }

    /// Records a vector, whose elements `describe` describes. Only the innermost of nested vectors becomes a set.
    pub(crate) fn vector<R>(
        &mut self,
        path: &Rc<str>,
        (len_field, lens): (FieldId, &'static [usize]),
        is_parallel: bool,
        describe: impl FnOnce(&mut Self, usize) -> R,
    ) -> R {
        let capacity = lens.iter().copied().max().unwrap_or(0);
        let outside = std::mem::replace(&mut self.meaning.has_set, false);
        let described = describe(self, capacity);
        let set = self.meaning.unordered && !self.meaning.has_set;
        self.meaning.has_set |= outside || set;
        // Without elements it is unknown whether they are sets themselves.
        if set && is_parallel && capacity > 0 {
            self.errors.push(BoundsError::SetBeside { field: self.field_name() });
        }
        // Without elements nothing can be an index or a name.
        self.meaning.used |= capacity == 0;
        self.vectors.push(Vector {
            class: self.class,
            field: self.field.clone(),
            path: path.clone(),
            len_field,
            listed: lens,
            lens: lens.iter().map(|&len| to_u32(len)).collect(),
            capacity,
            role: Role { arena: false, set },
        });
        described
    }

    /// Finds the arena of every index and lists the index's values.
    pub(super) fn resolve_indices(&mut self) {
        for PendingIndex { field, arena: name, nulls, make_list } in std::mem::take(&mut self.indices) {
            let of_vectors = self.vectors.iter().map(|vector| (vector.class, vector.field.as_str()));
            let in_vector = self.arena_of(field, name, of_vectors);
            let found = in_vector.or_else(|found| {
                let of_arrays = self.arrays.iter().map(|array| (array.class, array.field.as_str()));
                let in_array = self.arena_of(field, name, of_arrays);
                in_array.map(|array| self.arena_of_array(array)).map_err(|others| found + others)
            });
            let found = match found {
                Ok(found) => found,
                Err(found) => {
                    let info = &self.layout.fields[field.index()];
                    let field = format!("{}.{}", self.layout.classes[info.class.index()].name, info.name);
                    self.errors.push(BoundsError::NoArena { field, arena: name.to_string(), found });
                    continue;
                }
            };
            let Vector { len_field, capacity, .. } = self.vectors[found];
            // Parallel vectors form one arena.
            for vector in self.vectors.iter_mut().filter(|vector| vector.len_field == len_field) {
                vector.role.arena = true;
            }
            self.layout.fields[field.index()].kind = SlotKind::Index(Index { nulls, arena: len_field });
            let domain = make_list(self, capacity);
            self.layout.fields[field.index()].domain = Some(domain);
        }
    }

    /// Returns the number of the arena among `all` that an index leads into; the number of those with its name if that
    /// is ambiguous.
    fn arena_of<'p>(
        &self,
        index: FieldId,
        name: &str,
        all: impl Iterator<Item = (ClassId, &'p str)> + Clone,
    ) -> Result<usize, usize> {
        let info = &self.layout.fields[index.index()];
        // Prefer the nearest one of that name: in the same struct, or in one that holds it by value.
        let mut around = info.name.as_str();
        let mut own = None;
        while own.is_none() && !around.is_empty() {
            around = around.rsplit_once('.').map_or("", |(around, _)| around);
            let dot = if around.is_empty() { "" } else { "." };
            let near = format!("{around}{dot}{name}");
            own = all.clone().position(|(class, field)| class == info.class && field == near);
        }
        let suffix = format!(".{name}");
        let mut named = all.clone().enumerate().filter(|(_, (_, field))| *field == name || field.ends_with(&suffix));
        let (first, others) = (named.next(), named.count());
        let only = first.filter(|_| others == 0).map(|(number, _)| number);
        // The arena must be unambiguous: in the index's own class, in a class with one object, or in the root's class if
        // no reference leads to it.
        let is_single = |class: ClassId| {
            let count = self.layout.classes[class.index()].count;
            class == info.class || count == 1 || class == ClassId(0) && !self.is_referred_to(class)
        };
        let found = own.or(only).filter(|&found| all.clone().nth(found).is_some_and(|(class, _)| is_single(class)));
        found.ok_or(usize::from(first.is_some()) + others)
    }

    /// Adds a field of plain values, or of indices or names if the current field is declared so.
    pub(crate) fn leaf_field<T: Clone + fmt::Debug + PartialEq + 'static>(
        &mut self,
        values: Result<Vec<T>, String>,
    ) -> (FieldId, LeafValues<T>) {
        if let Some(index) = &self.meaning.index
            && let Some(make) = index.values.downcast_ref::<MakeIndices<T>>()
        {
            let (arena, nulls, make) = (index.arena, index.nulls, make.clone());
            self.meaning.used = true;
            let listed: &'static OnceCell<List<T>> = self.keep(OnceCell::new());
            let field = self.push_field(SlotKind::Value { len: 0 }, None);
            let path = self.declared_path();
            let make_list = Box::new(move |planner: &mut Planner<'_>, capacity: usize| {
                listed.get_or_init(|| planner.index_list(&path, capacity, &make)).domain()
            });
            self.indices.push(PendingIndex { field, arena, nulls, make_list });
            return (field, LeafValues::Indices(listed));
        }
        let (field, list) = self.listed_field(values);
        if let Some((group, nulls)) = self.meaning.name {
            self.meaning.used = true;
            self.name_field(field, group, nulls, to_u32(list.values().len()));
        }
        (field, LeafValues::Listed(list))
    }

    /// Returns the values of an index. Fields with equal values share one list.
    fn index_list<T: Clone + fmt::Debug + PartialEq + 'static>(
        &mut self,
        path: &str,
        capacity: usize,
        make: &MakeIndices<T>,
    ) -> List<T> {
        self.note_values_of::<T>();
        let nulls = make(0);
        let is_alike = |list: &&'static Vec<T>| list.len() == nulls.len() + capacity && list.starts_with(&nulls);
        let known = self.index_lists.iter().filter_map(|list| list.downcast_ref()).find(is_alike);
        let values: &'static Vec<T> = known.unwrap_or_else(|| {
            let values: &'static Vec<T> = self.keep(make(capacity));
            self.index_lists.push(values);
            values
        });
        // An index outside the arena is a possible value of a broken structure, though never of a repaired one.
        let census = self.overrides.census.as_ref();
        let beyond =
            census.map(|census| census.plain_values.beyond_positions(path, values, capacity)).unwrap_or_default();
        if beyond.is_empty() {
            return List::fixed(values);
        }
        self.has_own_lists = true;
        List::Mutable(self.keep(MutableList::new([&values[..], &beyond].concat())))
    }

    /// Makes a field one of names.
    fn name_field(&mut self, field: FieldId, group: &'static str, nulls: u32, len: u32) {
        let names = len.saturating_sub(nulls);
        let number = match self.groups.iter().position(|(name, _)| name == group) {
            Some(number) => number,
            None => {
                self.groups.push((group.to_string(), names));
                self.layout.name_groups += 1;
                self.groups.len() - 1
            }
        };
        if self.groups[number].1 != names {
            self.errors.push(BoundsError::DifferentNames { field: self.field_name(), group: group.to_string() });
        }
        self.layout.fields[field.index()].kind = SlotKind::Name(Name { nulls, len, group: to_u32(number) });
    }
}

/// The values of a field.
pub(crate) enum LeafValues<T: 'static> {
    Listed(List<T>),
    /// Index values. Their number depends on the arena, which is known only when all classes are planned.
    Indices(&'static OnceCell<List<T>>),
}

impl<T> LeafValues<T> {
    pub(crate) fn list(&self) -> List<T> {
        match self {
            LeafValues::Listed(list) => *list,
            LeafValues::Indices(list) => {
                *list.get().expect("[korat internal bug] indices are listed before objects are made")
            }
        }
    }
}

/// The meaning of a field beyond its values.
#[derive(Default)]
pub(super) struct Meaning {
    index: Option<IndexMeaning>,
    /// The group, and how many of the first values are not names.
    name: Option<(&'static str, u32)>,
    unordered: bool,
    /// The vector that the field is parallel to, until `take_parallel_to` takes it.
    parallel: Option<&'static str>,
    /// Whether an index or a name was found.
    used: bool,
    /// Whether a set was found.
    has_set: bool,
}

impl Meaning {
    /// Returns the attribute of the field that does not fit its type.
    pub(super) fn unused(&self) -> Option<&'static str> {
        match self {
            Meaning { index: Some(_), used: false, .. } => Some("index_of"),
            Meaning { name: Some(_), used: false, .. } => Some("identity"),
            Meaning { unordered: true, has_set: false, .. } => Some("set"),
            _ => None,
        }
    }
}

struct IndexMeaning {
    arena: &'static str,
    nulls: u32,
    /// A `MakeIndices` of the index's type.
    values: Rc<dyn Any>,
}

/// Lists the indices into an arena of the given capacity.
type MakeIndices<T> = Rc<dyn Fn(usize) -> Vec<T>>;

/// Lists the values of an index, given the capacity of its arena.
type MakeIndexList = Box<dyn FnOnce(&mut Planner<'_>, usize) -> &'static dyn AnyDomain>;

/// An index whose arena is not known yet.
pub(super) struct PendingIndex {
    field: FieldId,
    arena: &'static str,
    nulls: u32,
    make_list: MakeIndexList,
}

/// The vector that another one is parallel to.
pub(crate) struct ParallelTo {
    /// The path under which a census keeps the lengths of a value's vectors.
    pub(crate) path: Rc<str>,
    pub(crate) len_field: FieldId,
    pub(crate) lens: &'static [usize],
}

/// A vector of the structure.
pub(super) struct Vector {
    pub(super) class: ClassId,
    /// The field's name as the user wrote it.
    pub(super) field: String,
    /// The path under which a census keeps the lengths of a value's vectors.
    pub(super) path: Rc<str>,
    /// Parallel vectors share one. The first vector with it is the one that the others are parallel to.
    pub(super) len_field: FieldId,
    /// The length for each index.
    pub(super) listed: &'static [usize],
    pub(super) lens: Rc<[u32]>,
    pub(super) capacity: usize,
    pub(super) role: Role,
}
