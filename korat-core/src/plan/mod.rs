//! Plans a bounded heap: finds every class the root leads to, asks each for its fields, and collects all bounds that are
//! wrong. Takes `Bounds`, gives the tables of a `Layout`; makes no objects.

mod error;
mod meaning;
mod of_value;
mod slots;
mod values;

use std::any::{Any, TypeId};
use std::fmt;
use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::ahead::Row;
use crate::alloc::{Alloc, AllocTable, AnyAlloc};
use crate::arena::Arena;
use crate::bounds::Overrides;
use crate::class::{AnyClass, Class, ClassPlan, ClassTable, Codec};
use crate::domain::AnyDomain;
use crate::engine::layout::{
    ClassInfo, DeclaredField, Edge, Elements, FieldInfo, Inside, Layout, Reference, SlotKind, VARIANT,
};
use crate::ids::{AllocId, ClassId, DeclaredId, FieldId, HeapId, ObjectId, small};

pub use error::BoundsError;
pub(crate) use meaning::{Beside, Values};
use meaning::{Meaning, PendingIndex, Vector};
pub use slots::SlotMaker;

/// What the derive says of one field: evaluated attribute expressions.
pub struct Attrs<L> {
    /// The values of one slot, or why the domain cannot be represented.
    pub values: Result<Vec<L>, String>,
    /// The lengths of a vector.
    pub len: Option<Result<Vec<usize>, String>>,
}

/// A class with more objects than this is a mistake, and would not fit into memory.
const MOST_OBJECTS: usize = 1 << 24;

/// Collects the tables of a heap while classes describe themselves.
pub struct Planner<'h> {
    scope: usize,
    overrides: &'h Overrides,
    arena: &'h mut Arena,
    pub(crate) layout: Layout,
    pub(crate) classes: Vec<PlannedClass>,
    pub(crate) allocs: Vec<PlannedAlloc>,
    /// Lists of pointers, by way of allocation and number of nulls.
    pointers: Vec<(AllocId, usize, &'static dyn Any)>,
    /// Lists of the values of indices.
    index_lists: Vec<&'static dyn Any>,
    /// Lists that are made of a value, by the field: elements and the values of a map have the same.
    own_lists: Vec<(Rc<str>, &'static dyn Any)>,
    /// Whether one of them, or of the keys, would be another without the value.
    pub(crate) has_own_lists: bool,
    pub(crate) errors: Vec<BoundsError>,
    /// Which overrides found their class and field.
    used: Used,
    /// What the next field is to mean, and what the current one means.
    next_meaning: Meaning,
    meaning: Meaning,
    /// Vectors of the structure.
    vectors: Vec<Vector>,
    /// Indices, whose values depend on the size of their arena.
    indices: Vec<PendingIndex>,
    /// The names of groups of names, with how many values each has.
    groups: Vec<(String, u32)>,
    /// The class that is describing itself.
    class: ClassId,
    /// The field that is being described, as the user wrote it; a field of a class that is held by value begins with the
    /// name of the field that holds it.
    field: String,
    /// The same with `[..]` for any element.
    declared_path: String,
    /// Texts of that, each once.
    paths: FxHashSet<Rc<str>>,
    /// The innermost field that a class declares, written like that; nothing for the slot of an object's variant.
    declared: String,
    /// The classes held by value that are being described, the innermost last.
    inside: Vec<(TypeId, &'static str)>,
    /// The fields that are being described, the innermost last, each with the class that declares it.
    known_as: Vec<String>,
    /// Whether that field lies inside a cell that can be set later.
    in_cell: bool,
    /// Whether it lies in something that is written as a whole.
    bound: bool,
}

#[derive(Default)]
struct Used {
    objects: Vec<bool>,
    values: Vec<bool>,
}

pub(crate) struct PlannedClass {
    pub(crate) type_id: TypeId,
    /// The same table twice: once to call, once to get its type back.
    pub(crate) table: &'static dyn AnyClass,
    any: &'static dyn Any,
}

pub(crate) struct PlannedAlloc {
    type_id: TypeId,
    pub(crate) table: &'static dyn AnyAlloc,
    any: &'static dyn Any,
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

    /// Plans every class that `T` leads to.
    pub(crate) fn plan_all<T: Class>(&mut self) -> &'static ClassTable<T> {
        let root = self.class::<T>();
        if root.count() == 0 {
            self.errors.push(BoundsError::NoRoot { class: T::NAME.to_string() });
        }
        let mut next = 0;
        while next < self.classes.len() {
            self.class = ClassId::new(next);
            (self.field, self.in_cell) = (String::new(), false);
            (self.declared_path, self.declared) = (String::new(), String::new());
            let table = self.classes[next].table;
            table.make_plan(self);
            next += 1;
        }
        self.settle_indices();
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
        // What is wrong with one element is wrong with all.
        let mut told = Vec::new();
        self.errors.retain(|error| {
            let text = without_indices(&error.to_string());
            let is_new = !told.contains(&text);
            told.push(text);
            is_new
        });
        root
    }

    /// Numbers the objects of all classes. Where no reference leads to the class of the root, the root is the only one of it that
    /// any value has.
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

    /// Whether some field refers to objects of a class.
    fn is_referred_to(&self, class: ClassId) -> bool {
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
        self.layout.settle_places();
    }

    /// Notes whether something has a destructor of the user's, or is a lock: invalid values are not built to check a search then.
    pub fn note_unseen(&mut self, acts_unseen: bool) {
        self.layout.acts_unseen |= acts_unseen;
    }

    /// The scope, for attribute expressions.
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
        let dot = if self.field.is_empty() { "" } else { "." };
        let meaning = std::mem::take(&mut self.next_meaning);
        let outer = std::mem::replace(&mut self.meaning, meaning);
        let class = self.inside.last().map_or(self.layout.classes[self.class.index()].name, |&(_, class)| class);
        self.known_as.push(format!("{class}.{name}"));
        let plan = self.part(&format!("{dot}{name}"), |planner| {
            let outer = std::mem::replace(&mut planner.declared, planner.declared_path.clone());
            let plan = C::plan(planner, attrs);
            planner.declared = outer;
            plan
        });
        self.known_as.pop();
        let meaning = std::mem::replace(&mut self.meaning, outer);
        if let Some(what) = meaning.unused() {
            let field = format!("{}{dot}{name}", self.field_name());
            self.errors.push(BoundsError::NoMeaning { field, what });
        }
        plan
    }

    /// Plans an option of a class that is held by value: the slot for nothing or a variant, and the class.
    pub(crate) fn optional_by_value<C: Class>(&mut self) -> (FieldId, Option<ClassPlan<C>>) {
        let names = if C::VARIANTS.is_empty() { &[C::NAME] } else { C::VARIANTS };
        let field = self.variant_field(std::iter::once("None").chain(names.iter().copied()));
        let class = self.guarded(|planner| ClassPlan::without_tag(planner));
        (field, class)
    }

    /// Plans a class that is held by value; nothing if it holds itself, which is an error.
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

    /// `Class.field`.
    fn field_name(&self) -> String {
        format!("{}.{}", self.layout.classes[self.class.index()].name, self.field)
    }

    /// `Class.field`, with `[..]` for any element.
    pub(crate) fn declared_path(&mut self) -> Rc<str> {
        let path = format!("{}.{}", self.layout.classes[self.class.index()].name, self.declared_path);
        if let Some(known) = self.paths.get(path.as_str()) {
            return known.clone();
        }
        let path: Rc<str> = path.into();
        self.paths.insert(path.clone());
        path
    }

    /// The slot that says which variant an enum has.
    pub(crate) fn variant_field(&mut self, names: impl Iterator<Item = &'static str>) -> FieldId {
        let suffix = if self.field.is_empty() { VARIANT } else { "" };
        let field = self.part(suffix, |planner| planner.shape_field(Ok(names.map(VariantName).collect())).0);
        self.layout.fields[field.index()].is_variant = true;
        field
    }

    /// The table of class `C`, planned now or later.
    pub(crate) fn class<C: Class>(&mut self) -> &'static ClassTable<C> {
        if let Some(known) = self.classes.iter().find(|class| class.type_id == TypeId::of::<C>()) {
            return known.any.downcast_ref().expect("[korat internal bug] a class table has its class's type");
        }
        let mut count = C::objects(self.scope);
        for (over, used) in self.overrides.objects.iter().zip(&mut self.used.objects) {
            if over.class == TypeId::of::<C>() {
                count = over.count;
                *used = true;
            }
        }
        if self.classes.is_empty() && count == 0 && self.overrides.objects.iter().all(|o| o.class != TypeId::of::<C>())
        {
            // Scope 0 still has the root itself.
            count = 1;
        }
        if count > MOST_OBJECTS {
            self.errors.push(BoundsError::TooLarge { class: C::NAME.to_string(), objects: count });
            count = 0;
        }
        let id = ClassId::new(self.classes.len());
        // Objects are numbered when all classes are known.
        self.layout.classes.push(ClassInfo {
            name: C::NAME,
            first_object: ObjectId(0),
            count: small(count),
            rows: [Row::NONE; 2],
        });
        let table = self.keep(ClassTable::<C>::new(id, count));
        self.classes.push(PlannedClass { type_id: TypeId::of::<C>(), table, any: table });
        table
    }

    /// The table of objects allocated the way `A` says.
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

    /// The list of pointers that fields of one type range over, `nulls` of them null; `make` lists them for the first field.
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

    /// Keeps something for as long as the heap lives.
    pub(crate) fn keep<T: 'static>(&mut self, value: T) -> &'static T {
        // SAFETY: what is planned is used by the heap that owns the arena, which is never freed, or by nobody if the bounds are
        // wrong.
        unsafe { self.arena.keep(value) }
    }

    /// Runs `describe` for a part of the current field: an element, a length.
    pub(crate) fn part<R>(&mut self, suffix: &str, describe: impl FnOnce(&mut Self) -> R) -> R {
        let whole = (self.field.len(), self.declared_path.len());
        self.field.push_str(suffix);
        self.declared_path.push_str(if suffix.starts_with('[') { "[..]" } else { suffix });
        let described = describe(self);
        self.field.truncate(whole.0);
        self.declared_path.truncate(whole.1);
        described
    }

    /// Runs `describe` for parts of something that is written as a whole.
    pub(crate) fn as_whole<R>(&mut self, describe: impl FnOnce(&mut Self) -> R) -> R {
        let outside = std::mem::replace(&mut self.bound, true);
        let described = describe(self);
        self.bound = outside;
        described
    }

    /// The number of the field that is described next.
    pub(crate) fn next_field(&self) -> FieldId {
        FieldId::new(self.layout.fields.len())
    }

    /// Says that these fields of the first element of the current field are those of every element.
    pub(crate) fn share_fields(&mut self, fields: Range<FieldId>) {
        let name_at = small(self.field.len());
        for field in &mut self.layout.fields[fields.start.index()..fields.end.index()] {
            // Where the slots lie is known when they are made.
            field.elements = Some(Elements { name_at, first: 0, slots: 1 });
        }
    }

    /// How many vectors were noted.
    pub(crate) fn vectors(&self) -> usize {
        self.vectors.len()
    }

    /// Runs `describe` for what lies inside a cell that can be set later.
    pub(crate) fn inside_cell<R>(&mut self, describe: impl FnOnce(&mut Self) -> R) -> R {
        let outside = std::mem::replace(&mut self.in_cell, true);
        let described = describe(self);
        self.in_cell = outside;
        described
    }

    /// A field that refers to objects.
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

    fn push_field(&mut self, kind: SlotKind, domain: Option<&'static dyn AnyDomain>) -> FieldId {
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
            inside: Inside::default(),
            is_bound: self.bound,
            domain,
        });
        id
    }

    /// The declared field that is being described, numbered when it is first met.
    fn declared_field(&mut self) -> DeclaredId {
        let name = if self.declared.is_empty() { VARIANT } else { &self.declared };
        // Classes describe themselves one after the other, so that it is one of the last.
        let is_known = |other: &DeclaredField| other.class == self.class && other.name == name;
        let known = self.layout.declared.iter().rposition(is_known);
        DeclaredId::new(known.unwrap_or_else(|| {
            let (name, known_as) = (name.to_string(), self.known_as.clone());
            self.layout.declared.push(DeclaredField { class: self.class, name, known_as });
            self.layout.declared.len() - 1
        }))
    }
}

/// The name of a variant, which prints as it stands.
#[derive(PartialEq)]
struct VariantName(&'static str);

impl fmt::Debug for VariantName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// The text without what stands in brackets.
fn without_indices(text: &str) -> String {
    let mut depth = 0;
    let keep = |c: &char| {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        depth == 0
    };
    text.chars().filter(keep).collect()
}
