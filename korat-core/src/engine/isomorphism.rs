//! Which objects a reference slot may hold. Takes the assignment, gives the next allowed index.
//!
//! The rule: null, any object of the class that is already reached, or *one* fresh object, the next by number. Objects of a
//! class are therefore numbered in the order of their first mention, and no two assignments are equal up to renaming them.
//! On top of it, what the types themselves exclude: an object is allocated in one way only, a `Box` never shares, an
//! immutable `Rc` never closes a cycle. A raw pointer may lead anywhere.

use std::cell::Cell;

use super::choice::UNASSIGNED;
use super::layout::{ClassInfo, Edge, FieldInfo, Layout, Reference, SlotKind};
use super::ownership::{Way, leads_to, targets};
use super::rules::{group_count, mixed_classes};
use crate::ids::{AllocId, ClassId, ObjectId, SlotId};

/// How an object is held under the current assignment; kept only for classes whose references are filtered.
#[derive(Clone, Copy)]
struct Held {
    /// The way of allocation its first mention gave it; `None` for the root and for objects not reached.
    alloc: Option<AllocId>,
    /// The slot that mentioned it first.
    maker: Option<SlotId>,
    /// The `Box` slot that owns it.
    owner: Option<SlotId>,
}

impl Held {
    const NOT: Self = Held { alloc: None, maker: None, owner: None };
}

/// What one more object of a class adds.
#[derive(Clone, Copy)]
struct Each {
    slots: u32,
    /// One; nothing for names, and for the root if no other object can be of its class: it is always there.
    size: u32,
}

/// Reachability and ownership, kept up to date by the engine where a choice is made, moves on or is dropped.
pub(crate) struct Links {
    /// Per class, how many of its objects are reached; they are the first ones. At the end, none of no class, and the names of each group.
    reached: Vec<u32>,
    /// How many objects are reached, the root included.
    objects_reached: usize,
    /// How many slots they have.
    slots_reached: usize,
    /// The size: how many objects are reached that count, see `Each::size`.
    size: usize,
    /// The largest size that is wanted, and the one that a fresh object may lead to now.
    most: usize,
    limit: usize,
    /// Whether something was left out for that.
    was_cut: Cell<bool>,
    /// Per class, what an object of it adds; at the end, what no object and what a name adds.
    each: Vec<Each>,
    /// Per object; empty before the first of them is linked, as it stays in most searches.
    held: Vec<Held>,
    /// Per class, whether its objects are allocated or owned in different ways, so that `held` must be looked at.
    mixed: Vec<bool>,
    root: ObjectId,
}

impl Links {
    pub(crate) fn new(layout: &Layout, root: ObjectId) -> Self {
        let mixed = mixed_classes(layout, root);
        let slots_of =
            |class: &ClassInfo| layout.objects.get(class.first_object.index()).map_or(0, |first| first.slots);
        let root_class = layout.objects[root.index()].class;
        let is_target = |field: &FieldInfo| matches!(field.kind, SlotKind::Reference(to) if to.target == root_class);
        let is_counted = |class: usize| class != root_class.index() || layout.fields.iter().any(is_target);
        let of_class =
            |(number, class): (usize, &ClassInfo)| Each { slots: slots_of(class), size: u32::from(is_counted(number)) };
        let others = std::iter::repeat_n(Each { slots: 0, size: 0 }, group_count(layout));
        let mut links = Links {
            reached: Vec::new(),
            objects_reached: 0,
            slots_reached: 0,
            size: 0,
            most: usize::MAX,
            limit: usize::MAX,
            was_cut: Cell::new(false),
            each: layout.classes.iter().enumerate().map(of_class).chain(others).collect(),
            held: Vec::new(),
            mixed,
            root,
        };
        links.reset(layout);
        links
    }

    /// Only the root is reached.
    pub(crate) fn reset(&mut self, layout: &Layout) {
        self.reached.clear();
        self.reached.resize(layout.classes.len() + group_count(layout), 0);
        (self.objects_reached, self.slots_reached, self.size) = (0, 0, 0);
        self.set_reached(layout.objects[self.root.index()].class, 1);
        self.held.clear();
    }

    /// How many objects of each class, and names of each group, are reached.
    pub(crate) fn all_reached(&self) -> &[u32] {
        &self.reached
    }

    /// Takes the counts of another time.
    pub(super) fn set_all_reached(&mut self, reached: &[u32]) {
        for (class, &count) in reached.iter().enumerate() {
            self.set_reached(ClassId::new(class), count);
        }
    }

    /// How many objects of a class, or names of a group, are reached.
    #[inline(always)]
    pub(super) fn reached(&self, class: ClassId) -> u32 {
        self.reached[class.index()]
    }

    /// Counts a fresh object.
    #[inline(always)]
    pub(super) fn reach(&mut self, class: ClassId) {
        self.set_reached(class, self.reached(class) + 1);
    }

    /// Takes the newest object back.
    #[inline(always)]
    pub(super) fn unreach(&mut self, class: ClassId) {
        self.set_reached(class, self.reached(class) - 1);
    }

    /// Sets how many objects of a class, or names of a group, are reached. A name counts as an object without slots: one that
    /// is mentioned twice makes no forest, but then nothing is left out.
    #[inline(always)]
    pub(super) fn set_reached(&mut self, class: ClassId, count: u32) {
        let before = std::mem::replace(&mut self.reached[class.index()], count);
        let Each { slots, size } = self.each[class.index()];
        let (count, before, slots, size) = (count as usize, before as usize, slots as usize, size as usize);
        self.objects_reached = self.objects_reached + count - before;
        self.slots_reached = self.slots_reached + slots * count - slots * before;
        self.size = self.size + size * count - size * before;
    }

    /// Bounds the size from now on.
    pub(super) fn set_most(&mut self, most: usize) {
        (self.most, self.limit) = (most, most);
        self.was_cut.set(false);
    }

    /// Lets fresh objects lead to any size for a while, or no longer.
    pub(crate) fn lift_bound(&mut self, lifted: bool) {
        self.limit = if lifted { usize::MAX } else { self.most };
    }

    /// Whether the size allows a fresh object of a class.
    #[inline(always)]
    pub(super) fn has_room(&self, class: ClassId) -> bool {
        self.has_room_for(self.each[class.index()].size as usize)
    }

    /// Whether the size allows so many fresh objects.
    #[inline(always)]
    pub(super) fn has_room_for(&self, objects: usize) -> bool {
        let has_room = self.size + objects <= self.limit;
        if !has_room {
            self.was_cut.set(true);
        }
        has_room
    }

    /// Whether what is reached is within the bound on the size.
    pub(crate) fn is_within(&self) -> bool {
        let is_within = self.size <= self.most;
        if !is_within {
            self.was_cut.set(true);
        }
        is_within
    }

    /// Whether something was left out since the size was bounded.
    pub(crate) fn was_cut(&self) -> bool {
        self.was_cut.get()
    }

    /// How many objects are reached; the root counts if other objects can be of its class.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Counts the objects of a whole assignment that is numbered as a search numbers them.
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

    /// The first index from `from` on that a slot of `holder` may hold. `by_type`: leave out what ownership excludes.
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
        let is_fresh = ordinal == reached && reached < layout.classes[class].count;
        let fresh_allowed = is_fresh && self.has_room(reference.target);
        fresh_allowed.then_some(ordinal + nulls)
    }

    /// Whether the types allow a reference from `holder` to the reached `object`.
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
            // What is reached is a part of something already, or stands on its own.
            Edge::Part => false,
            Edge::Owned => {
                let is_free = self.held(object).owner.is_none() && !self.owns(layout, object, holder);
                // Only a raw pointer reaches what nothing owns yet.
                is_free && !(layout.has_raw && leads_to(layout, values, object, holder, Way::Frozen))
            }
            Edge::Shared => reference.settable || !leads_to(layout, values, object, holder, Way::Frozen),
        }
    }

    /// Whether `object` is `holder` or one of the owners of `holder`, which would make it own itself.
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

    fn held(&self, object: ObjectId) -> Held {
        self.held.get(object.index()).copied().unwrap_or(Held::NOT)
    }

    pub(super) fn link(&mut self, layout: &Layout, reference: Reference, slot: SlotId, ordinal: u32) {
        let is_new = ordinal >= self.reached(reference.target);
        if is_new {
            self.set_reached(reference.target, ordinal + 1);
        }
        if self.held.is_empty() {
            self.held.resize(layout.objects.len(), Held::NOT);
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

    /// Undoes `link`. Choices are undone in reverse, so the object that the slot mentioned first is the newest of its class.
    pub(super) fn unlink(&mut self, layout: &Layout, reference: Reference, slot: SlotId, ordinal: u32) {
        let held = &mut self.held[layout.object_of(reference, ordinal).index()];
        if held.owner == Some(slot) {
            held.owner = None;
        }
        if held.maker == Some(slot) {
            *held = Held::NOT;
            self.set_reached(reference.target, ordinal);
        }
    }

    /// The reached objects other than the root, with their way of allocation, in the order of their numbers.
    pub(super) fn allocated(&self, layout: &Layout, values: &[u32]) -> Vec<(ObjectId, AllocId)> {
        let mut allocs = vec![None; layout.objects.len()];
        let reached = self.reached_objects(layout);
        for &holder in &reached {
            for (reference, object) in targets(layout, values, holder) {
                allocs[object.index()] = Some(reference.alloc);
            }
        }
        reached.into_iter().filter_map(|object| Some((object, allocs[object.index()]?))).collect()
    }

    /// How many objects are reached, the root included.
    #[inline]
    pub(super) fn reached_count(&self) -> usize {
        self.objects_reached
    }

    /// How many slots the reached objects have.
    #[inline]
    pub(crate) fn reached_slots(&self) -> usize {
        self.slots_reached
    }

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
