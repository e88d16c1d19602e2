//! Determines which objects a reference slot may hold, and returns the next allowed index.
//!
//! A slot may hold null, any object of the class that is already reached, or *one* fresh object, the next by number.
//! The objects of a class are therefore numbered in the order of their first mention, so no two assignments are equal
//! up to renaming objects. In addition, the types themselves exclude candidates: an object has only one allocation, a
//! `Box` never shares, and an immutable `Rc` never closes a cycle. A raw pointer may lead anywhere.

use std::cell::Cell;

use super::ownership::{PathKind, leads_to, targets};
use super::rules::{group_count, mixed_classes};
use crate::model::ids::{AllocId, ClassId, ObjectId, SlotId, to_u32};
use crate::slots::kinds::{Edge, Reference, SlotKind};
use crate::slots::layout::{ClassInfo, FieldInfo, Layout};
use crate::slots::slot::UNASSIGNED;

/// How an object is held under the current assignment; tracked only for classes whose references are filtered.
#[derive(Clone, Copy)]
struct Ownership {
    /// The allocation that its first mention gave it; `None` for the root and for objects that are not reached.
    alloc: Option<AllocId>,
    /// The slot that mentioned it first.
    maker: Option<SlotId>,
    /// The slot that owns it, as a `Box` or as a part of its holder.
    owner: Option<SlotId>,
}

impl Ownership {
    const NOT: Self = Ownership { alloc: None, maker: None, owner: None };
}

/// What one more object of a class adds to the totals.
#[derive(Clone, Copy)]
struct PerObject {
    /// The slots of the object.
    slots: u32,
    /// One; zero for names, and for the root if no other object can be of its class, since it always exists.
    size: u32,
}

/// Reachability and ownership. The engine updates it when a choice is made, moves on or is dropped.
pub(crate) struct OwnershipGraph {
    /// For each class, the number of its objects that are reached, which are its first ones. After the classes: zero
    /// for "no class", then the numbers of names for each group.
    reached: Vec<u32>,
    /// The number of reached objects, the root included.
    objects_reached: usize,
    /// The number of their slots.
    slots_reached: usize,
    /// For each class, the number of its objects without those that decided lengths promise and that are not reached yet.
    unpromised: Vec<u32>,
    /// The size: the number of reached and promised objects that count, see `PerObject::size`.
    size: usize,
    /// The largest wanted size, and the largest size that a fresh object may lead to now.
    most: usize,
    limit: usize,
    /// Whether the bound on the size has excluded something.
    hit_size_bound: Cell<bool>,
    /// For each class, what an object of it adds; after the classes, for "no class" and for the names of each group.
    each: Vec<PerObject>,
    /// For each object, how it is held; empty until the first object is linked, which in most searches never happens.
    held: Vec<Ownership>,
    /// For each class, whether its objects are allocated or owned in different ways, so that `held` must be consulted.
    mixed: Vec<bool>,
    root: ObjectId,
}

impl OwnershipGraph {
    pub(crate) fn new(layout: &Layout, root: ObjectId) -> Self {
        let mixed = mixed_classes(layout, root);
        let slots_of =
            |class: &ClassInfo| layout.objects.get(class.first_object.index()).map_or(0, |first| first.slots);
        let root_class = layout.objects[root.index()].class;
        let is_target = |field: &FieldInfo| matches!(field.kind, SlotKind::Reference(to) if to.target == root_class);
        let is_counted = |class: usize| class != root_class.index() || layout.fields.iter().any(is_target);
        let of_class = |(number, class): (usize, &ClassInfo)| PerObject {
            slots: slots_of(class),
            size: u32::from(is_counted(number)),
        };
        let others = std::iter::repeat_n(PerObject { slots: 0, size: 0 }, group_count(layout));
        let mut links = OwnershipGraph {
            reached: Vec::new(),
            objects_reached: 0,
            slots_reached: 0,
            unpromised: Vec::new(),
            size: 0,
            most: usize::MAX,
            limit: usize::MAX,
            hit_size_bound: Cell::new(false),
            each: layout.classes.iter().enumerate().map(of_class).chain(others).collect(),
            held: Vec::new(),
            mixed,
            root,
        };
        links.reset(layout);
        links
    }

    /// Resets to the state in which only the root is reached.
    pub(crate) fn reset(&mut self, layout: &Layout) {
        self.reached.clear();
        self.reached.resize(layout.classes.len() + group_count(layout), 0);
        self.unpromised.clear();
        self.unpromised.extend(layout.classes.iter().map(|class| class.count));
        (self.objects_reached, self.slots_reached, self.size) = (0, 0, 0);
        self.set_reached(layout.objects[self.root.index()].class, 1);
        self.held.clear();
    }

    /// Returns the numbers of reached objects for each class, and of names for each group.
    pub(crate) fn all_reached(&self) -> &[u32] {
        &self.reached
    }

    /// Restores the counts of an earlier time.
    pub(crate) fn set_all_reached(&mut self, reached: &[u32]) {
        for (class, &count) in reached.iter().enumerate() {
            if self.reached[class] != count {
                self.set_reached(ClassId::new(class), count);
            }
        }
    }

    /// Returns the number of reached objects of a class, or of names of a group.
    #[inline(always)]
    pub(super) fn reached(&self, class: ClassId) -> u32 {
        self.reached[class.index()]
    }

    /// Counts a fresh object.
    #[inline(always)]
    pub(super) fn reach(&mut self, class: ClassId) {
        self.set_reached(class, self.reached(class) + 1);
    }

    /// Uncounts the newest object.
    #[inline(always)]
    pub(super) fn unreach(&mut self, class: ClassId) {
        self.set_reached(class, self.reached(class) - 1);
    }

    /// Sets the number of reached objects of a class, or of names of a group. A name counts as an object without slots:
    /// a name that is mentioned twice makes `is_forest` false, which costs a full check but excludes no value.
    #[inline(always)]
    pub(super) fn set_reached(&mut self, class: ClassId, count: u32) {
        let before = std::mem::replace(&mut self.reached[class.index()], count);
        let PerObject { slots, size } = self.each[class.index()];
        let (count, before, slots, size) = (count as usize, before as usize, slots as usize, size as usize);
        self.objects_reached = self.objects_reached + count - before;
        self.slots_reached = self.slots_reached + slots * count - slots * before;
        self.size = self.size + size * count - size * before;
    }

    /// Counts objects of a class that a length promises.
    pub(super) fn reserve(&mut self, class: ClassId, objects: usize) {
        self.unpromised[class.index()] -= to_u32(objects);
        self.size += objects * self.each[class.index()].size as usize;
    }

    /// Undoes `reserve`: the length has changed, or the objects are about to be reached.
    pub(super) fn release(&mut self, class: ClassId, objects: usize) {
        self.unpromised[class.index()] += to_u32(objects);
        self.size -= objects * self.each[class.index()].size as usize;
    }

    /// Returns the number of objects of a class that are neither reached nor promised.
    pub(super) fn left(&self, class: ClassId) -> usize {
        (self.unpromised[class.index()] - self.reached(class)) as usize
    }

    /// Bounds the size from now on.
    pub(crate) fn set_max_size(&mut self, most: usize) {
        (self.most, self.limit) = (most, most);
        self.hit_size_bound.set(false);
    }

    /// Suspends the bound on the size, or restores it.
    pub(crate) fn suspend_size_bound(&mut self, lifted: bool) {
        self.limit = if lifted { usize::MAX } else { self.most };
    }

    /// Returns whether the bound on the size allows a fresh object of a class.
    #[inline(always)]
    pub(super) fn has_room(&self, class: ClassId) -> bool {
        self.has_room_for(self.each[class.index()].size as usize)
    }

    /// Returns whether the bound on the size allows this many fresh objects.
    #[inline(always)]
    pub(super) fn has_room_for(&self, objects: usize) -> bool {
        let has_room = self.size + objects <= self.limit;
        if !has_room {
            self.hit_size_bound.set(true);
        }
        has_room
    }

    /// Returns whether the reached objects are within the bound on the size.
    pub(crate) fn is_within(&self) -> bool {
        let is_within = self.size <= self.most;
        if !is_within {
            self.hit_size_bound.set(true);
        }
        is_within
    }

    /// Sets whether the bound on the size has excluded something.
    pub(crate) fn set_hit_size_bound(&self, hit: bool) {
        self.hit_size_bound.set(hit);
    }

    /// Returns whether the bound on the size has excluded something since it was set.
    pub(crate) fn hit_size_bound(&self) -> bool {
        self.hit_size_bound.get()
    }

    /// Returns whether the objects of a class count as the size of a value.
    pub(crate) fn counts(&self, class: ClassId) -> bool {
        self.each[class.index()].size > 0
    }

    /// Returns the number of reached and promised objects; the root counts if other objects can be of its class.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Returns the size of a value that has every object of the bounds.
    pub(crate) fn max_size(&self, layout: &Layout) -> usize {
        layout.classes.iter().zip(&self.each).map(|(class, each)| class.count as usize * each.size as usize).sum()
    }

    /// Counts the objects of a whole assignment, whose objects are numbered as a search numbers them.
    pub(super) fn count_reached(&mut self, layout: &Layout, values: &[u32]) {
        for (slot, &index) in values.iter().enumerate() {
            if index != UNASSIGNED
                && let SlotKind::Reference(reference) = layout.kind(SlotId::new(slot))
                && let Some(ordinal) = reference.object(index)
            {
                self.set_reached(reference.target, self.reached(reference.target).max(ordinal + 1));
            }
        }
    }

    /// Returns the index of a fresh object, which a length has promised to the slot, if it is not below `from`.
    pub(super) fn next_promised(&self, reference: Reference, from: u32) -> Option<u32> {
        let fresh = reference.nulls + self.reached(reference.target);
        // The bound on the size may have become smaller since.
        (from <= fresh && self.has_room_for(0)).then_some(fresh)
    }

    /// Returns the first index from `from` on that a slot of `holder` may hold. With `by_type`, excludes what the rules
    /// of ownership exclude.
    pub(super) fn next(
        &self,
        layout: &Layout,
        values: &[u32],
        reference: Reference,
        holder: ObjectId,
        from: u32,
        by_type: bool,
    ) -> Option<u32> {
        let nulls = reference.nulls;
        if from < nulls {
            return Some(from);
        }
        let class = reference.target.index();
        let reached = self.reached[class];
        let mut ordinal = from - nulls;
        while ordinal < reached {
            let object = layout.object_of(reference, ordinal);
            let allocated_alike = !self.mixed[class] || self.held(object).alloc == Some(reference.alloc);
            let must_ask = by_type || reference.edge == Edge::Part;
            if allocated_alike && (!must_ask || self.may_hold(layout, values, reference, holder, object)) {
                return Some(ordinal + nulls);
            }
            ordinal += 1;
        }
        let is_fresh = ordinal == reached && reached < self.unpromised[class];
        let fresh_allowed = is_fresh && self.has_room(reference.target);
        fresh_allowed.then_some(ordinal + nulls)
    }

    /// Returns whether the types allow a reference from `holder` to the reached `object`.
    fn may_hold(
        &self,
        layout: &Layout,
        values: &[u32],
        reference: Reference,
        holder: ObjectId,
        object: ObjectId,
    ) -> bool {
        match reference.edge {
            Edge::Weak | Edge::Raw => true,
            // A reached object is a part of something already, or stands on its own.
            Edge::Part => false,
            Edge::Owned => {
                let is_free = self.held(object).owner.is_none() && !self.owns(layout, object, holder);
                // Only a raw pointer reaches an object that has no owner yet.
                is_free && !(layout.has_raw && leads_to(layout, values, object, holder, PathKind::Frozen))
            }
            Edge::Shared => reference.settable || !leads_to(layout, values, object, holder, PathKind::Frozen),
        }
    }

    /// Returns whether `object` is `holder` or one of its transitive owners, and would thus own itself.
    fn owns(&self, layout: &Layout, object: ObjectId, holder: ObjectId) -> bool {
        let mut at = holder;
        loop {
            if at == object {
                return true;
            }
            match self.held(at).owner {
                Some(slot) => at = layout.slots[slot.index()].object,
                None => return false,
            }
        }
    }

    fn held(&self, object: ObjectId) -> Ownership {
        self.held.get(object.index()).copied().unwrap_or(Ownership::NOT)
    }

    /// Records that a slot holds an object; counts the object if it is fresh.
    pub(super) fn link(&mut self, layout: &Layout, reference: Reference, slot: SlotId, ordinal: u32) {
        let is_new = ordinal >= self.reached(reference.target);
        if is_new {
            self.set_reached(reference.target, ordinal + 1);
        }
        if self.held.is_empty() {
            self.held.resize(layout.objects.len(), Ownership::NOT);
        }
        let held = &mut self.held[layout.object_of(reference, ordinal).index()];
        if is_new {
            held.alloc = Some(reference.alloc);
            held.maker = Some(slot);
        }
        if matches!(reference.edge, Edge::Owned | Edge::Part) && held.owner.is_none() {
            held.owner = Some(slot);
        }
    }

    /// Undoes `link`. Choices are undone in reverse order, so the object that the slot mentioned first is the newest of
    /// its class.
    pub(super) fn unlink(&mut self, layout: &Layout, reference: Reference, slot: SlotId, ordinal: u32) {
        let held = &mut self.held[layout.object_of(reference, ordinal).index()];
        if held.owner == Some(slot) {
            held.owner = None;
        }
        if held.maker == Some(slot) {
            *held = Ownership::NOT;
            self.set_reached(reference.target, ordinal);
        }
    }

    /// Returns the reached objects that something refers to, each with its allocation and after such an object.
    pub(super) fn allocated(&self, layout: &Layout, values: &[u32]) -> Vec<(ObjectId, AllocId)> {
        let mut seen = vec![false; layout.objects.len()];
        let mut found: Vec<(ObjectId, AllocId)> = Vec::with_capacity(self.objects_reached);
        let (mut holder, mut next) = (self.root, 0);
        loop {
            for (reference, object) in targets(layout, values, holder) {
                if !std::mem::replace(&mut seen[object.index()], true) {
                    found.push((object, reference.alloc));
                }
            }
            let Some(&(object, _)) = found.get(next) else { return found };
            (holder, next) = (object, next + 1);
        }
    }

    /// Returns the number of reached objects, the root included.
    #[inline]
    pub(crate) fn reached_count(&self) -> usize {
        self.objects_reached
    }

    /// Returns the number of slots of the reached objects.
    #[inline]
    pub(crate) fn reached_slots(&self) -> usize {
        self.slots_reached
    }

    /// Returns the reached objects, class by class.
    pub(super) fn reached_objects(&self, layout: &Layout) -> Vec<ObjectId> {
        let of_class = |(class, &reached): (&ClassInfo, &u32)| {
            let first = class.first_object.0;
            (first..first + reached).map(ObjectId)
        };
        layout.classes.iter().zip(&self.reached).flat_map(of_class).collect()
    }

    pub(crate) fn root(&self) -> ObjectId {
        self.root
    }
}
