//! The fields of the class that is being planned: their names, their kinds, and the classes and allocation kinds that
//! they refer to.

use std::any::TypeId;
use std::ops::Range;
use std::rc::Rc;

use super::planner::{MOST_OBJECTS, VariantName};
use crate::__private::Planner;
use crate::class::alloc::{Alloc, AllocTable};
use crate::class::plan::planner::{PlannedAlloc, PlannedClass};
use crate::class::table::ClassTable;
use crate::class::traits::Class;
use crate::memory::prefetch::PrefetchRow;
use crate::model::bounds_error::BoundsError;
use crate::model::ids::{AllocId, ClassId, DeclaredId, FieldId, ObjectId, to_u32};
use crate::slots::domain::AnyDomain;
use crate::slots::kinds::{Edge, Reference, SlotKind};
use crate::slots::layout::{ClassInfo, DeclaredField, DependentSlots, ElementSlots, FieldInfo, VARIANT};

impl<'h> Planner<'h> {
    /// Returns the current field as `Class.field`.
    pub(crate) fn field_name(&self) -> String {
        format!("{}.{}", self.layout.classes[self.class.index()].name, self.field)
    }

    /// Returns the current field as `Class.field`, with `[..]` for any element.
    pub(crate) fn declared_path(&mut self) -> Rc<str> {
        let path = format!("{}.{}", self.layout.classes[self.class.index()].name, self.declared_path);
        if let Some(known) = self.paths.get(path.as_str()) {
            return known.clone();
        }
        let path: Rc<str> = path.into();
        self.paths.insert(path.clone());
        path
    }

    /// Adds the variant slot of an enum.
    pub(crate) fn variant_field(&mut self, names: impl Iterator<Item = &'static str>) -> FieldId {
        let suffix = if self.field.is_empty() { VARIANT } else { "" };
        let field = self.part(suffix, |planner| planner.shape_field(Ok(names.map(VariantName).collect())).0);
        self.layout.fields[field.index()].is_variant = true;
        field
    }

    /// Returns the table of class `C`. A class that was not known yet is planned later.
    pub(crate) fn class<C: Class>(&mut self) -> &'static ClassTable<C> {
        if let Some(known) = self.classes.iter().find(|class| class.type_id == TypeId::of::<C>()) {
            return known.any.downcast_ref().expect("[korat internal bug] a class table has its class's type");
        }
        let (id, count) = self.new_class(TypeId::of::<C>(), C::NAME, C::objects(self.scope));
        let table = self.keep(ClassTable::<C>::new(id, count));
        self.classes.push(PlannedClass { type_id: TypeId::of::<C>(), table, any: table });
        table
    }

    /// Numbers a class that was not known yet, and determines how many objects it has: by default, `count`.
    fn new_class(&mut self, class: TypeId, name: &'static str, mut count: usize) -> (ClassId, usize) {
        for (over, used) in self.overrides.objects.iter().zip(&mut self.used.objects) {
            if over.class == class {
                count = over.count;
                *used = true;
            }
        }
        if self.classes.is_empty() && count == 0 && self.overrides.objects.iter().all(|over| over.class != class) {
            // At scope 0 the root itself still exists.
            count = 1;
        }
        if count > MOST_OBJECTS {
            self.errors.push(BoundsError::TooLarge { class: name.to_string(), objects: count });
            count = 0;
        }
        let id = ClassId::new(self.classes.len());
        // Objects are numbered once all classes are known.
        self.layout.classes.push(ClassInfo {
            name,
            first_object: ObjectId(0),
            count: to_u32(count),
            rows: [PrefetchRow::NONE; 2],
        });
        (id, count)
    }

    /// Returns the table of objects with allocation kind `A`.
    pub(crate) fn alloc<A: Alloc>(&mut self) -> &'static AllocTable<A> {
        if let Some(known) = self.allocs.iter().find(|alloc| alloc.type_id == TypeId::of::<A>()) {
            return known.any.downcast_ref().expect("[korat internal bug] an allocation table has its type");
        }
        let class = self.class();
        let id = AllocId::new(self.allocs.len());
        let table = self.keep(AllocTable::<A>::new(id, class));
        self.allocs.push(PlannedAlloc { type_id: TypeId::of::<A>(), table, any: table });
        table
    }

    /// Returns the list of pointers that fields of one type range over, the first `nulls` of them null. Calls `make`
    /// for the first such field.
    pub(crate) fn pointers<L: 'static>(
        &mut self,
        alloc: AllocId,
        nulls: usize,
        make: impl FnOnce() -> Vec<L>,
    ) -> &'static Vec<L> {
        let known = self.pointers.iter().filter(|known| (known.0, known.1) == (alloc, nulls));
        if let Some(known) = known.filter_map(|known| known.2.downcast_ref()).next() {
            return known;
        }
        let values: &'static Vec<L> = self.keep(make());
        self.pointers.push((alloc, nulls, values));
        values
    }

    /// Runs `describe` for a part of the current field, such as an element or a length.
    pub(crate) fn part<R>(&mut self, suffix: &str, describe: impl FnOnce(&mut Self) -> R) -> R {
        let lens = self.begin_part(suffix);
        let described = describe(self);
        self.end_part(lens);
        described
    }

    /// Enters a part of the current field; returns the lengths of the paths outside it.
    pub(super) fn begin_part(&mut self, suffix: &str) -> (usize, usize) {
        let lens = (self.field.len(), self.declared_path.len());
        self.field.push_str(suffix);
        self.declared_path.push_str(if suffix.starts_with('[') { "[..]" } else { suffix });
        lens
    }

    pub(super) fn end_part(&mut self, (field, declared_path): (usize, usize)) {
        self.field.truncate(field);
        self.declared_path.truncate(declared_path);
    }

    /// Runs `describe` for parts of something that a rewrite replaces as a whole.
    pub(crate) fn as_whole<R>(&mut self, describe: impl FnOnce(&mut Self) -> R) -> R {
        let outside = std::mem::replace(&mut self.bound, true);
        let described = describe(self);
        self.bound = outside;
        described
    }

    /// Returns the number of the field that is described next.
    pub(crate) fn next_field(&self) -> FieldId {
        FieldId::new(self.layout.fields.len())
    }

    /// Declares that these fields of the current field's first element stand for those of every element.
    pub(crate) fn share_fields(&mut self, fields: Range<FieldId>) {
        let name_at = to_u32(self.field.len());
        for field in &mut self.layout.fields[fields.start.index()..fields.end.index()] {
            // The positions of the slots are known when they are made.
            field.elements = Some(ElementSlots { name_at, first: 0, slots: 1 });
        }
    }

    /// Returns the number of vectors recorded so far.
    pub(crate) fn vectors(&self) -> usize {
        self.vectors.len()
    }

    /// Runs `describe` for the content of a cell that can be set later.
    pub(crate) fn inside_cell<R>(&mut self, describe: impl FnOnce(&mut Self) -> R) -> R {
        let outside = std::mem::replace(&mut self.in_cell, true);
        let described = describe(self);
        self.in_cell = outside;
        described
    }

    /// Adds a field that refers to objects.
    pub(crate) fn reference_field(
        &mut self,
        target: ClassId,
        alloc: AllocId,
        edge: Edge,
        nulls: u32,
        settable: bool,
    ) -> FieldId {
        self.layout.has_weak |= edge == Edge::Weak;
        self.layout.has_shared |= edge == Edge::Shared;
        self.layout.has_raw |= edge == Edge::Raw;
        let settable = settable || self.in_cell;
        self.layout.may_cycle |= edge.owns() && settable;
        let reference = Reference { target, nulls, edge, settable, alloc };
        self.push_field(SlotKind::Reference(reference), None)
    }

    pub(crate) fn push_field(&mut self, kind: SlotKind, domain: Option<&'static dyn AnyDomain>) -> FieldId {
        let id = FieldId::new(self.layout.fields.len());
        let (class, declared) = (self.class, self.declared_field());
        self.layout.fields.push(FieldInfo {
            class,
            declared,
            name: self.field.clone(),
            elements: None,
            kind,
            is_shape: false,
            is_variant: false,
            key: None,
            inside: DependentSlots::default(),
            is_bound: self.bound,
            domain,
        });
        id
    }

    /// Returns the declared field that is being described, numbering it on its first occurrence.
    fn declared_field(&mut self) -> DeclaredId {
        let name = if self.declared.is_empty() { VARIANT } else { &self.declared };
        // Search from the end: classes describe themselves one after the other, so it is one of the last.
        let is_known = |other: &DeclaredField| other.class == self.class && other.name == name;
        let known = self.layout.declared.iter().rposition(is_known);
        DeclaredId::new(known.unwrap_or_else(|| {
            let (name, known_as) = (name.to_string(), self.known_as.clone());
            self.layout.declared.push(DeclaredField { class: self.class, name, known_as });
            self.layout.declared.len() - 1
        }))
    }
}
