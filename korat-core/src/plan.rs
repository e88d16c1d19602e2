//! Plans a bounded heap: finds every class the root leads to, asks each for its fields, and collects all bounds that are
//! wrong. Takes `Bounds`, gives the tables of a `Layout`; makes no objects.

use std::any::{Any, TypeId};
use std::cell::OnceCell;
use std::fmt;
use std::rc::Rc;

use crate::alloc::{Alloc, AllocTable, AnyAlloc};
use crate::arena::Arena;
use crate::bounds::Overrides;
use crate::class::{AnyClass, Class, ClassPlan, ClassTable, Codec};
use crate::codec::Indexing;
use crate::engine::layout::{
    AnyDomain, ClassInfo, Edge, FieldInfo, Index, Layout, Name, ObjectInfo, Reference, Role, Sequence, SlotInfo,
    SlotKind, VARIANT,
};
use crate::ids::{AllocId, ClassId, FieldId, HeapId, ObjectId, SlotId, small};
use crate::slot::{Eraser, Slot};

/// What the derive says of one field: evaluated attribute expressions.
pub struct Attrs<L> {
    /// The values of one slot, or why the domain cannot be represented.
    pub values: Result<Vec<L>, String>,
    /// The lengths of a vector.
    pub len: Option<Result<Vec<usize>, String>>,
}

/// A bound that no search can run under.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoundsError {
    /// A field has no value to choose from.
    EmptyDomain {
        /// `Class.field`.
        field: String,
        /// The scope the domain was evaluated at.
        scope: usize,
    },
    /// A domain holds something that is not a value of the field's type.
    NotRepresentable {
        /// `Class.field`.
        field: String,
        /// The scope the domain was evaluated at.
        scope: usize,
        /// What does not fit.
        what: String,
    },
    /// A domain lists a value twice, so that every structure with it would be generated twice.
    Repeated {
        /// `Class.field`.
        field: String,
        /// The scope the domain was evaluated at.
        scope: usize,
        /// The value.
        value: String,
    },
    /// The heap would have more slots than korat can number.
    TooLarge {
        /// The class with too many objects.
        class: String,
        /// How many were asked for.
        objects: usize,
    },
    /// An override names a class that the root does not lead to, or a field that has no domain of that type.
    NothingToOverride {
        /// The class or `Class.field`.
        name: String,
    },
    /// A class holds itself by value, inside an `Option` or a tuple in a vector, without end.
    HoldsItself {
        /// The class.
        class: String,
        /// The field, as `Class.field.field`.
        field: String,
    },
    /// `index_of` names no vector, or one of which there are several.
    NoArena {
        /// `Class.field`.
        field: String,
        /// The name of the vector.
        arena: String,
        /// How many there are.
        found: usize,
    },
    /// `index_of`, `identity` or `set` on a field of another kind.
    NoMeaning {
        /// `Class.field`.
        field: String,
        /// What was said of it.
        what: &'static str,
    },
    /// Fields of one group of names have different domains.
    DifferentNames {
        /// `Class.field`.
        field: String,
        /// The group.
        group: String,
    },
    /// The root's own class has no object.
    NoRoot {
        /// The root's class.
        class: String,
    },
}

impl fmt::Display for BoundsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoundsError::EmptyDomain { field, scope } => {
                write!(f, "the domain of {field} is empty at scope {scope}; every field needs at least one value")
            }
            BoundsError::NotRepresentable { field, scope, what } => {
                write!(f, "the domain of {field} at scope {scope} cannot be represented: {what}")
            }
            BoundsError::Repeated { field, scope, value } => {
                write!(f, "the domain of {field} at scope {scope} lists {value} twice; list every value once")
            }
            BoundsError::TooLarge { class, objects } => {
                write!(f, "{objects} objects of {class} are more than a bounded heap can hold")
            }
            BoundsError::NothingToOverride { name } => write!(
                f,
                "an override names {name}, but the structure has no such class or field with a domain of that type"
            ),
            BoundsError::HoldsItself { class, field } => write!(
                f,
                "{field} holds {class} by value inside {class}; put a pointer in between, as in `Option<Box<{class}>>`"
            ),
            BoundsError::NoArena { field, arena, found } => {
                write!(f, "{field} is an index of `{arena}`, but ")?;
                match found {
                    0 => write!(f, "the structure has no vector of that name; name one of its vectors"),
                    1 => write!(
                        f,
                        "there may be several objects with that vector; allow one, `#[finitize(objects = 1)]`, or make the \
                         index a number: `#[finitize(0..scope)]`"
                    ),
                    _ => write!(
                        f,
                        "there are {found} vectors of that name; give each a name of its own, or make the index a number: \
                         `#[finitize(0..scope)]`"
                    ),
                }
            }
            BoundsError::NoMeaning { field, what } => match *what {
                "set" => write!(f, "{field} is no vector, and `set` is for these; remove it"),
                "identity" => write!(f, "{field} has no plain values, and `identity` is for these; remove it"),
                _ => {
                    write!(f, "{field} holds no index; `{what}` is for integers, ids, and options and vectors of these")
                }
            },
            BoundsError::DifferentNames { field, group } => write!(
                f,
                "{field} has another number of values than other fields of the group `{group}`, but `identity` compares \
                 them; give all the same domain, or another group: `identity = \"name\"`"
            ),
            BoundsError::NoRoot { class } => {
                write!(f, "the bound on {class} is 0 objects, but the root itself is one; allow at least 1")
            }
        }
    }
}

impl std::error::Error for BoundsError {}

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
    /// The classes held by value that are being described, the innermost last.
    inside: Vec<TypeId>,
    /// Whether that field lies inside a cell that can be set later.
    in_cell: bool,
}

#[derive(Default)]
struct Used {
    objects: Vec<bool>,
    values: Vec<bool>,
}

pub(crate) struct PlannedClass {
    type_id: TypeId,
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
            errors: Vec::new(),
            used,
            next_meaning: Meaning::default(),
            meaning: Meaning::default(),
            vectors: Vec::new(),
            indices: Vec::new(),
            groups: Vec::new(),
            class: ClassId(0),
            field: String::new(),
            inside: Vec::new(),
            in_cell: false,
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
            let table = self.classes[next].table;
            table.make_plan(self);
            next += 1;
        }
        self.settle_indices();
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

    /// Makes every object of every planned class.
    pub(crate) fn make_objects(&mut self, heap: HeapId) {
        for ordinal in 0..self.classes.len() {
            let table = self.classes[ordinal].table;
            let vectors = &self.vectors;
            table.make_views(&mut SlotMaker { heap, layout: &mut self.layout, arena: self.arena, vectors });
        }
        self.layout.settle_places();
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
        let plan = self.part(&format!("{dot}{name}"), |planner| C::plan(planner, attrs));
        let meaning = std::mem::replace(&mut self.meaning, outer);
        if let Some(what) = meaning.unused() {
            let field = format!("{}{dot}{name}", self.field_name());
            self.errors.push(BoundsError::NoMeaning { field, what });
        }
        plan
    }

    /// The next field is an index of the arena in the vector of that name.
    pub fn index_of<L: Indexing>(&mut self, arena: &'static str, none: Option<L>) {
        let values = move |capacity: usize| Indexing::values(none.clone(), capacity);
        let nulls = small(values(0).len());
        let values: MakeIndices<L> = Rc::new(values);
        self.next_meaning.index = Some(IndexMeaning { arena, nulls, values: Rc::new(values) });
    }

    /// Of the next field's values only equality matters, to others of the same group; the first `nulls` are no such values.
    pub fn identity(&mut self, group: &'static str, nulls: u32) {
        self.next_meaning.name = Some((group, nulls));
    }

    /// The order of the next field's elements does not matter.
    pub fn unordered(&mut self) {
        self.next_meaning.unordered = true;
    }

    /// Notes a vector, whose elements `describe` describes. The innermost one is the set, if there is any.
    pub(crate) fn vector<R>(
        &mut self,
        len_field: FieldId,
        lens: &[usize],
        capacity: usize,
        describe: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let outside = std::mem::replace(&mut self.meaning.has_set, false);
        let described = describe(self);
        let set = self.meaning.unordered && !self.meaning.has_set;
        self.meaning.has_set |= outside || set;
        // Without elements there is nothing to mean anything.
        self.meaning.used |= capacity == 0;
        self.vectors.push(Vector {
            class: self.class,
            field: self.field.clone(),
            len_field,
            lens: lens.iter().map(|&len| small(len)).collect(),
            capacity,
            role: Role { arena: false, set },
        });
        described
    }

    /// Finds the arena of every index, and lists its values.
    fn settle_indices(&mut self) {
        for PendingIndex { field, arena: name, nulls, settle } in std::mem::take(&mut self.indices) {
            let class = self.layout.fields[field.index()].class;
            let is_named = |vector: &Vector| vector.field == name || vector.field.ends_with(&format!(".{name}"));
            // The nearest one: of the same struct, or of one that holds it by value.
            let mut around = self.layout.fields[field.index()].name.as_str();
            let mut own = None;
            while own.is_none() && !around.is_empty() {
                around = around.rsplit_once('.').map_or("", |(around, _)| around);
                let dot = if around.is_empty() { "" } else { "." };
                let near = format!("{around}{dot}{name}");
                own = self.vectors.iter().position(|vector| vector.class == class && vector.field == near);
            }
            let named: Vec<usize> = (0..self.vectors.len()).filter(|&at| is_named(&self.vectors[at])).collect();
            let only = if let [only] = named[..] { Some(only) } else { None };
            let found = own.or(only);
            let is_referred_to = |class: ClassId| {
                let mut kinds = self.layout.fields.iter().map(|field| field.kind);
                kinds.any(|kind| matches!(kind, SlotKind::Reference(reference) if reference.target == class))
            };
            // There is one object of a class, or one that is reached: the root.
            let is_single = |vector: &Vector| {
                let count = self.layout.classes[vector.class.index()].count;
                vector.class == class || count == 1 || vector.class == ClassId(0) && !is_referred_to(vector.class)
            };
            let Some(found) = found.filter(|&found| is_single(&self.vectors[found])) else {
                let info = &self.layout.fields[field.index()];
                let field = format!("{}.{}", self.layout.classes[class.index()].name, info.name);
                self.errors.push(BoundsError::NoArena { field, arena: name.to_string(), found: named.len() });
                continue;
            };
            let vector = &mut self.vectors[found];
            vector.role.arena = true;
            let info = &mut self.layout.fields[field.index()];
            info.kind = SlotKind::Index(Index { nulls, arena: vector.len_field });
            info.domain = Some(settle(vector.capacity));
        }
    }

    /// A field of plain values, or of what the current field means.
    pub(crate) fn leaf_field<T: fmt::Debug + PartialEq>(
        &mut self,
        values: Result<Vec<T>, String>,
    ) -> (FieldId, Values<T>) {
        if let Some(index) = &self.meaning.index
            && let Some(make) = index.values.downcast_ref::<MakeIndices<T>>()
        {
            let (arena, nulls, make) = (index.arena, index.nulls, make.clone());
            self.meaning.used = true;
            let listed: &'static OnceCell<Vec<T>> = self.keep(OnceCell::new());
            let field = self.push_field(SlotKind::Value { len: 0 }, None);
            let settle =
                Box::new(move |capacity: usize| listed.get_or_init(|| make(capacity)) as &'static dyn AnyDomain);
            self.indices.push(PendingIndex { field, arena, nulls, settle });
            return (field, Values::Indices(listed));
        }
        let (field, values) = self.value_field(values);
        if let Some((group, nulls)) = self.meaning.name {
            self.meaning.used = true;
            self.name_field(field, group, nulls, small(values.len()));
        }
        (field, Values::Listed(values))
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
        self.layout.fields[field.index()].kind = SlotKind::Name(Name { nulls, len, group: small(number) });
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
        if self.inside.contains(&id) {
            self.errors.push(BoundsError::HoldsItself { class: C::NAME.to_string(), field: self.field_name() });
            return None;
        }
        self.inside.push(id);
        let plan = plan(self);
        self.inside.pop();
        Some(plan)
    }

    /// `Class.field`.
    fn field_name(&self) -> String {
        format!("{}.{}", self.layout.classes[self.class.index()].name, self.field)
    }

    /// The slot that says which variant an enum has.
    pub(crate) fn variant_field(&mut self, names: impl Iterator<Item = &'static str>) -> FieldId {
        self.layout.has_optional_slots = true;
        let suffix = if self.field.is_empty() { VARIANT } else { "" };
        self.part(suffix, |planner| planner.value_field(Ok(names.map(VariantName).collect())).0)
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
        let first_object = self.layout.classes.last().map_or(0, |last| last.first_object.0 + last.count);
        let (id, first_object) = (ClassId::new(self.classes.len()), ObjectId(first_object));
        self.layout.classes.push(ClassInfo { name: C::NAME, first_object, count: small(count) });
        let table = self.keep(ClassTable::<C>::new(id, first_object, count));
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

    /// Keeps something for as long as the heap lives.
    pub(crate) fn keep<T: 'static>(&mut self, value: T) -> &'static T {
        // SAFETY: what is planned is used by the heap that owns the arena, which is never freed, or by nobody if the bounds are
        // wrong.
        unsafe { self.arena.keep(value) }
    }

    /// Runs `describe` for a part of the current field: an element, a length.
    pub(crate) fn part<R>(&mut self, suffix: &str, describe: impl FnOnce(&mut Self) -> R) -> R {
        let whole = self.field.clone();
        self.field.push_str(suffix);
        let described = describe(self);
        self.field = whole;
        described
    }

    /// Runs `describe` for what lies inside a cell that can be set later.
    pub(crate) fn inside_cell<R>(&mut self, describe: impl FnOnce(&mut Self) -> R) -> R {
        let outside = std::mem::replace(&mut self.in_cell, true);
        let described = describe(self);
        self.in_cell = outside;
        described
    }

    /// What a domain lists, each value once; what is wrong with it is an error of the bounds.
    pub(crate) fn checked<T: fmt::Debug + PartialEq>(&mut self, values: Result<Vec<T>, String>) -> Vec<T> {
        let (field, scope) = (self.field_name(), self.scope);
        let values = values.unwrap_or_else(|what| {
            self.errors.push(BoundsError::NotRepresentable { field: field.clone(), scope, what });
            Vec::new()
        });
        if let Some(value) = repeated(&values) {
            self.errors.push(BoundsError::Repeated { field, scope, value: format!("{value:?}") });
        }
        values
    }

    /// A field of listed values.
    pub(crate) fn value_field<T: fmt::Debug + PartialEq>(
        &mut self,
        values: Result<Vec<T>, String>,
    ) -> (FieldId, &'static [T]) {
        if values.as_ref().is_ok_and(Vec::is_empty) {
            self.errors.push(BoundsError::EmptyDomain { field: self.field_name(), scope: self.scope });
        }
        let values = self.checked(values);
        let len = small(values.len());
        let values: &'static Vec<T> = self.keep(values);
        (self.push_field(SlotKind::Value { len }, Some(values)), values)
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
        self.layout.fields.push(FieldInfo { class: self.class, name: self.field.clone(), kind, domain });
        id
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

/// The values of a field.
pub(crate) enum Values<T: 'static> {
    Listed(&'static [T]),
    /// How many there are depends on the arena, which is known when all classes are planned.
    Indices(&'static OnceCell<Vec<T>>),
}

impl<T> Values<T> {
    pub(crate) fn get(&self) -> &'static [T] {
        match self {
            Values::Listed(values) => values,
            Values::Indices(values) => {
                values.get().expect("[korat internal bug] indices are listed before objects are made")
            }
        }
    }
}

/// What a field means beyond its values.
#[derive(Default)]
struct Meaning {
    index: Option<IndexMeaning>,
    /// The group, and how many of the first values are no names.
    name: Option<(&'static str, u32)>,
    unordered: bool,
    /// Whether an index or a name was found.
    used: bool,
    /// Whether a set was found.
    has_set: bool,
}

impl Meaning {
    /// What was said of the field and does not fit it.
    fn unused(&self) -> Option<&'static str> {
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
    /// A `MakeIndices` of the type of the index.
    values: Rc<dyn Any>,
}

/// Lists the indices of an arena with room for so many elements.
type MakeIndices<T> = Rc<dyn Fn(usize) -> Vec<T>>;

/// An index whose arena is not known yet.
struct PendingIndex {
    field: FieldId,
    arena: &'static str,
    nulls: u32,
    settle: Box<dyn FnOnce(usize) -> &'static dyn AnyDomain>,
}

/// A vector of the structure.
struct Vector {
    class: ClassId,
    /// As the user wrote it.
    field: String,
    len_field: FieldId,
    lens: Vec<u32>,
    capacity: usize,
    role: Role,
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

/// A value that a domain lists twice. Of a long one only neighbours are compared.
fn repeated<T: PartialEq>(values: &[T]) -> Option<&T> {
    const LONG: usize = 2_000;
    if values.len() > LONG {
        return values.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| &pair[0]);
    }
    values.iter().enumerate().find(|(at, value)| values[..*at].contains(value)).map(|(_, value)| value)
}

/// Numbers the slots while views are made.
pub struct SlotMaker<'h> {
    heap: HeapId,
    layout: &'h mut Layout,
    arena: &'h mut Arena,
    vectors: &'h [Vector],
}

impl SlotMaker<'_> {
    pub(crate) fn begin_object(&mut self, class: ClassId) {
        let first_slot = SlotId::new(self.layout.slots.len());
        self.layout.objects.push(ObjectInfo { class, first_slot, slots: 0 });
    }

    /// Keeps a slot, or what belongs to slots, at a place of its own, for what is copied around.
    pub(crate) fn keep<T: 'static>(&mut self, kept: T) -> &'static T {
        // SAFETY: the arena belongs to a heap, and a heap with objects is never freed.
        unsafe { self.arena.keep(kept) }
    }

    pub(crate) fn slot<T: 'static>(&mut self, field: FieldId, values: &'static [T]) -> Slot<T> {
        let reserved = self.reserve(field);
        self.reserved(reserved, values)
    }

    /// Begins a vector; gives its number if its elements have no order of their own.
    pub(crate) fn begin_vector(&mut self, len_field: FieldId, len_slot: SlotId, len: Eraser) -> Option<usize> {
        let vector = self.vectors.iter().find(|vector| vector.len_field == len_field)?;
        if vector.role == Role::default() {
            return None;
        }
        self.layout.sequences.push(Sequence {
            len_field,
            object: ObjectId::new(self.layout.objects.len() - 1),
            len_slot,
            len,
            lens: vector.lens.clone(),
            elements: Vec::new(),
            role: vector.role,
        });
        Some(self.layout.sequences.len() - 1)
    }

    /// Makes one element of a vector.
    pub(crate) fn element<R>(&mut self, vector: Option<usize>, make: impl FnOnce(&mut Self) -> R) -> R {
        let first = small(self.layout.slots.len());
        let made = make(self);
        if let Some(vector) = vector {
            let end = small(self.layout.slots.len());
            self.layout.sequences[vector].elements.push(first..end);
        }
        made
    }

    /// Numbers a slot that is made later.
    pub(crate) fn reserve(&mut self, field: FieldId) -> SlotId {
        let id = SlotId::new(self.layout.slots.len());
        let object = ObjectId::new(self.layout.objects.len() - 1);
        self.layout.slots.push(SlotInfo { object, field });
        self.layout.objects[object.index()].slots += 1;
        id
    }

    /// Makes a slot that was numbered before.
    pub(crate) fn reserved<T: 'static>(&mut self, id: SlotId, values: &'static [T]) -> Slot<T> {
        Slot::new(self.heap, id, values)
    }
}
