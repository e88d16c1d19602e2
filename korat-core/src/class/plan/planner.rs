//! Plans a bounded heap: finds every class reachable from the root, asks each for its fields, and collects all errors
//! in the bounds. Makes no objects before `make_objects`.

use std::any::{Any, TypeId};
use std::fmt;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::arrays::Array;
use super::meaning::{Meaning, PendingIndex, Vector};
use super::slot_maker::SlotMaker;
use crate::class::alloc::AnyAlloc;
use crate::class::bounds::Overrides;
use crate::class::class_plan::ClassPlan;
use crate::class::codec::Codec;
use crate::class::portable::is_portable;
use crate::class::table::AnyClass;
use crate::class::traits::Class;
use crate::memory::arena::Arena;
use crate::model::bounds_error::BoundsError;
use crate::model::ids::{AllocId, ClassId, FieldId, HeapId, ObjectId};
use crate::slots::kinds::SlotKind;
use crate::slots::layout::{Layout, with_any_index};

/// The evaluated attribute expressions of one field.
pub struct Attrs<L> {
    /// The values of one slot, or why the domain cannot be represented.
    pub values: Result<Vec<L>, String>,
    /// The lengths of a vector.
    pub len: Option<Result<Vec<usize>, String>>,
}

/// The state of a planner outside the field that it describes.
struct OutsideField {
    /// The separator between the fields around it and its name.
    dot: &'static str,
    meaning: Meaning,
    declared: String,
    /// The lengths of the paths.
    lens: (usize, usize),
}

/// The maximum number of objects of a class. A larger bound is a mistake, and would not fit into memory.
pub(super) const MOST_OBJECTS: usize = 1 << 24;

/// Collects the tables of a heap while classes describe themselves.
pub struct Planner<'h> {
    pub(super) scope: usize,
    pub(super) overrides: &'h Overrides,
    arena: &'h mut Arena,
    pub(crate) layout: Layout,
    pub(crate) classes: Vec<PlannedClass>,
    pub(crate) allocs: Vec<PlannedAlloc>,
    /// Lists of pointers, by allocation kind and number of nulls.
    pub(super) pointers: Vec<(AllocId, usize, &'static dyn Any)>,
    /// Lists of index values.
    pub(super) index_lists: Vec<&'static dyn Any>,
    /// Lists derived from a value, by field path: all elements of a vector share one, as do all values of a map.
    pub(super) own_lists: Vec<(Rc<str>, &'static dyn Any)>,
    /// Whether any of these lists, or of the keys, would differ without the value.
    pub(crate) has_own_lists: bool,
    pub(crate) errors: Vec<BoundsError>,
    /// Which overrides matched a class or a field.
    pub(super) used: Used,
    /// The meaning declared for the next field.
    pub(super) next_meaning: Meaning,
    pub(super) meaning: Meaning,
    /// The vectors of the structure.
    pub(super) vectors: Vec<Vector>,
    /// The arrays of the structure.
    pub(super) arrays: Vec<Array>,
    /// Indices, whose values depend on the size of their arena.
    pub(super) indices: Vec<PendingIndex>,
    /// The groups of names, with the number of names in each.
    pub(super) groups: Vec<(String, u32)>,
    /// The class that is describing itself.
    pub(super) class: ClassId,
    /// The field that is being described, as the user wrote it. A field of a class held by value is prefixed with the
    /// name of the field that holds it.
    pub(super) field: String,
    /// `field` with `[..]` for any element.
    pub(super) declared_path: String,
    /// Interned values of `declared_path`, with the class.
    pub(super) paths: FxHashSet<Rc<str>>,
    /// The innermost declared field, in the notation of `declared_path`; empty for an object's variant slot.
    pub(super) declared: String,
    /// The classes held by value that are being described, innermost last.
    inside: Vec<(TypeId, &'static str)>,
    /// The fields that are being described, innermost last, each with the class that declares it.
    pub(super) known_as: Vec<String>,
    /// Whether the current field lies inside a cell that can be set later.
    pub(super) in_cell: bool,
    /// Whether the current field lies in something that a rewrite replaces as a whole.
    pub(super) bound: bool,
}

#[derive(Default)]
pub(super) struct Used {
    pub(super) objects: Vec<bool>,
    values: Vec<bool>,
}

pub(crate) struct PlannedClass {
    pub(crate) type_id: TypeId,
    /// The table, to call it; `any` is the same table, to downcast it.
    pub(crate) table: &'static dyn AnyClass,
    pub(crate) any: &'static dyn Any,
}

pub(crate) struct PlannedAlloc {
    pub(super) type_id: TypeId,
    pub(crate) table: &'static dyn AnyAlloc,
    pub(super) any: &'static dyn Any,
}

impl<'h> Planner<'h> {
    pub(crate) fn new(scope: usize, overrides: &'h Overrides, arena: &'h mut Arena) -> Self {
        let used = Used { objects: vec![false; overrides.objects.len()], values: vec![false; overrides.values.len()] };
        Planner {
            scope,
            overrides,
            arena,
            layout: Layout::default(),
            classes: Vec::new(),
            allocs: Vec::new(),
            pointers: Vec::new(),
            index_lists: Vec::new(),
            own_lists: Vec::new(),
            has_own_lists: false,
            errors: Vec::new(),
            used,
            next_meaning: Meaning::default(),
            meaning: Meaning::default(),
            vectors: Vec::new(),
            arrays: Vec::new(),
            indices: Vec::new(),
            groups: Vec::new(),
            class: ClassId(0),
            field: String::new(),
            declared_path: String::new(),
            paths: FxHashSet::default(),
            declared: String::new(),
            inside: Vec::new(),
            known_as: Vec::new(),
            in_cell: false,
            bound: false,
        }
    }

    /// Begins with the class that a search generates.
    pub(crate) fn plan_root<T: Class>(&mut self) {
        if self.class::<T>().count() == 0 {
            self.errors.push(BoundsError::NoRoot { class: T::NAME.to_string() });
        }
    }

    /// Plans every class reachable from the first one.
    pub(crate) fn plan_all(&mut self) {
        let mut next = 0;
        while next < self.classes.len() {
            self.class = ClassId::new(next);
            (self.field, self.in_cell) = (String::new(), false);
            (self.declared_path, self.declared) = (String::new(), String::new());
            let table = self.classes[next].table;
            table.make_plan(self);
            next += 1;
        }
        self.resolve_indices();
        self.number_objects();
        for (over, used) in self.overrides.objects.iter().zip(&self.used.objects) {
            if !used {
                self.errors.push(BoundsError::NothingToOverride { name: over.class_name.to_string() });
            }
        }
        for (over, used) in self.overrides.values.iter().zip(&self.used.values) {
            if !used {
                let name = format!("{}.{}", over.class_name, over.field);
                self.errors.push(BoundsError::NothingToOverride { name });
            }
        }
        // An error in one element recurs in every other.
        let mut told = Vec::new();
        self.errors.retain(|error| {
            let text = with_any_index(&error.to_string());
            let is_new = !told.contains(&text);
            told.push(text);
            is_new
        });
    }

    /// Numbers the objects of all classes. If no reference leads to the root's class, only the root itself can be
    /// reached, so that one object of it suffices.
    fn number_objects(&mut self) {
        if !self.is_referred_to(ClassId(0)) {
            let root = &mut self.layout.classes[0];
            root.count = root.count.min(1);
        }
        let mut next = 0;
        for class in &mut self.layout.classes {
            class.first_object = ObjectId(next);
            next += class.count;
        }
    }

    /// Returns whether any field refers to objects of a class.
    pub(super) fn is_referred_to(&self, class: ClassId) -> bool {
        let mut kinds = self.layout.fields.iter().map(|field| field.kind);
        kinds.any(|kind| matches!(kind, SlotKind::Reference(reference) if reference.target == class))
    }

    /// Makes every object of every planned class.
    pub(crate) fn make_objects(&mut self, heap: HeapId) {
        for ordinal in 0..self.classes.len() {
            let table = self.classes[ordinal].table;
            let vectors = &self.vectors;
            let layout = &mut self.layout;
            let mut slots =
                SlotMaker { heap, layout, arena: self.arena, vectors, shared: Vec::new(), lengths: Vec::new() };
            let rows = table.make_views(&mut slots);
            self.layout.classes[ordinal].rows = rows;
        }
        self.layout.compute_memberships();
    }

    /// Records whether the structure contains a destructor of the user's or a lock. If so, checks of a search build no
    /// invalid values.
    pub fn note_side_effects(&mut self, has_side_effects: bool) {
        self.layout.has_side_effects |= has_side_effects;
    }

    /// Records values of a type that the heap holds. Names of variants mean the same everywhere, too.
    pub(crate) fn note_values_of<T: 'static>(&mut self) {
        self.layout.stays_on_thread |= !is_portable::<T>() && TypeId::of::<T>() != TypeId::of::<VariantName>();
    }

    /// Returns the scope, for attribute expressions.
    pub fn scope(&self) -> usize {
        self.scope
    }

    /// Plans one field of the class that is describing itself.
    pub fn field<C: Codec>(&mut self, class: TypeId, name: &'static str, mut attrs: Attrs<C::Leaf>) -> C::Plan {
        for (over, used) in self.overrides.values.iter().zip(&mut self.used.values) {
            if over.class != class || over.field != name {
                continue;
            }
            match &over.values {
                Ok(values) => {
                    let Some(values) = values.downcast_ref::<Vec<C::Leaf>>() else { continue };
                    attrs.values = Ok(values.clone());
                }
                Err(what) => attrs.values = Err(what.clone()),
            }
            *used = true;
        }
        self.layout.is_rebuilt |= !C::patches();
        let outside = self.begin_field(name);
        let plan = C::plan(self, attrs);
        self.end_field(name, outside);
        plan
    }

    /// Enters a field; returns what `end_field` restores.
    fn begin_field(&mut self, name: &str) -> OutsideField {
        let dot = if self.field.is_empty() { "" } else { "." };
        let meaning = std::mem::take(&mut self.next_meaning);
        let class = self.inside.last().map_or(self.layout.classes[self.class.index()].name, |&(_, class)| class);
        self.known_as.push(format!("{class}.{name}"));
        let lens = self.begin_part(&format!("{dot}{name}"));
        OutsideField {
            dot,
            meaning: std::mem::replace(&mut self.meaning, meaning),
            declared: std::mem::replace(&mut self.declared, self.declared_path.clone()),
            lens,
        }
    }

    fn end_field(&mut self, name: &str, outside: OutsideField) {
        self.declared = outside.declared;
        self.end_part(outside.lens);
        self.known_as.pop();
        let meaning = std::mem::replace(&mut self.meaning, outside.meaning);
        if let Some(what) = meaning.unused() {
            let field = format!("{}{}{name}", self.field_name(), outside.dot);
            self.errors.push(BoundsError::NoMeaning { field, what });
        }
    }

    /// Plans an option of a class held by value: a slot for `None` or a variant, and the class.
    pub(crate) fn optional_by_value<C: Class>(&mut self) -> (FieldId, Option<ClassPlan<C>>) {
        let names = if C::VARIANTS.is_empty() { &[C::NAME] } else { C::VARIANTS };
        let field = self.variant_field(std::iter::once("None").chain(names.iter().copied()));
        let class = self.guarded(|planner| ClassPlan::without_tag(planner));
        (field, class)
    }

    /// Plans a class held by value. Returns `None` and reports an error if the class contains itself.
    pub(crate) fn by_value<C: Class>(&mut self) -> Option<ClassPlan<C>> {
        self.guarded(ClassPlan::new)
    }

    fn guarded<C: Class>(&mut self, plan: impl FnOnce(&mut Self) -> ClassPlan<C>) -> Option<ClassPlan<C>> {
        let id = TypeId::of::<C>();
        if self.inside.iter().any(|&(inside, _)| inside == id) {
            self.errors.push(BoundsError::HoldsItself { class: C::NAME.to_string(), field: self.field_name() });
            return None;
        }
        self.inside.push((id, C::NAME));
        let plan = plan(self);
        self.inside.pop();
        Some(plan)
    }

    /// Moves a value into the heap's arena and returns a reference to it.
    pub(crate) fn keep<T: 'static>(&mut self, value: T) -> &'static T {
        // SAFETY: the heap that owns the arena uses what is planned, and is never freed; if the bounds are wrong,
        // nothing uses it.
        unsafe { self.arena.keep(value) }
    }
}

/// The name of a variant, whose `Debug` output has no quotes.
#[derive(PartialEq)]
pub(super) struct VariantName(pub(super) &'static str);

impl fmt::Debug for VariantName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
