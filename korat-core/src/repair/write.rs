//! Writes a repair back: takes the slots that it found, and changes the user's own value in place.
//!
//! # Safety argument
//! The value is borrowed mutably for the repair, which holds its address (`Repairer::value`), so no other code uses it or any object that
//! it owns. The addresses of its objects were read from the pointers of the value when it was decomposed, and nothing in it has changed
//! since; each object has the type of its allocation table. Shared objects that others hold as well change through their cells or not at
//! all, which the first pass checks. Once a pointer is moved out of the value, its object belongs to its allocation table and lives until
//! `let_go`. A `Box` asserts that its content has no older pointer: so an object changes before its box moves to a new owner (`attach`),
//! and through the address that the box was turned into when it was moved out.

use std::collections::{BTreeSet, HashMap};

use super::borrowed_value::BorrowedValue;
use super::choices::state::State;
use super::loss::Less;
use super::{ChangedSlot, Repairer};
use crate::class::alloc::AnyAlloc;
use crate::class::cycles::AnyWeak;
use crate::class::rewrite::{Pass, Rewrite};
use crate::heap::bounded::Heap;
use crate::model::ids::{AllocId, ObjectId, SlotId};
use crate::slots::kinds::SlotKind;
use crate::slots::slot::UNASSIGNED;

/// Why a repair cannot be written back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotWritten {
    /// The field is part of something that can only be written as a whole.
    Field(String),
    /// An object of this class is also held outside the value, and has no cell to write through.
    Shared(&'static str),
}

/// The objects that a repair changes, drops and creates.
struct Objects {
    /// Per object, the changed slots in it and in its parts, if any.
    touched: Vec<bool>,
    changed: Vec<Object>,
    /// The changed slots, and those that hold a changed part, in order.
    affected: Vec<SlotId>,
    /// Objects that the value loses.
    dropped: Vec<Object>,
    /// Slots that the value loses: those of lost objects, of lost parts, and of vectors that get shorter.
    left: Vec<SlotId>,
    fresh: Vec<(ObjectId, AllocId)>,
}

/// An object of the value with an allocation of its own.
#[derive(Clone, Copy)]
struct Object {
    id: ObjectId,
    table: &'static dyn AnyAlloc,
    alloc: AllocId,
    number: usize,
    content: *mut (),
    /// Number of owning pointers to it in the value, if it may have several.
    owners: usize,
}

impl Repairer<'_> {
    /// Writes the repair into the value, or leaves the value unchanged if that is impossible.
    pub(super) fn write_back(&mut self, changed: &[ChangedSlot], less: &Less) -> Result<(), NotWritten> {
        let objects = self.objects(changed, less);
        let heap = &**self.searcher.heap;
        let mut is_changed = vec![false; self.layout().slots.len()];
        for change in changed {
            is_changed[change.slot.index()] = true;
        }
        let mut to =
            Rewrite::new(&heap.engine.layout, &self.state.original, &is_changed, &objects.touched, &objects.affected);
        // SAFETY: the value is borrowed for this repair alone, so that the pointer is good, and its objects lie where they were met, as the
        // header says.
        let watched = unsafe {
            heap.pass_over(&*self.value, &objects, Pass::Check, &self.state, &mut to)?;
            if let Some(field) = to.take_refused() {
                return Err(NotWritten::Field(field));
            }
            heap.pass_over(&*self.value, &objects, Pass::Detach, &self.state, &mut to)?;
            self.make_ready(&objects, changed);
            heap.attach(&*self.value, &objects, &mut to)?;
            self.let_go(&objects, changed)
        };
        self.searcher.watch(watched);
        Ok(())
    }

    /// Determines which objects change, which are lost, and which are new.
    fn objects(&self, changed: &[ChangedSlot], less: &Less) -> Objects {
        let mut touched = vec![false; self.layout().objects.len()];
        let (mut ids, mut affected) = (Vec::new(), Vec::new());
        for change in changed {
            // What changes in a part is written by way of its holder.
            let mut concerns = Some(change.slot);
            while let Some(slot) = concerns {
                affected.push(slot);
                let object = self.layout().slots[slot.index()].object;
                if std::mem::replace(&mut touched[object.index()], true) {
                    break;
                }
                ids.push(object);
                concerns = self.choices().slot_of_part(object);
            }
        }
        affected.sort_unstable();
        let mut gone: Vec<ObjectId> =
            less.objects.iter().filter_map(|&(slot, index)| self.choices().led_to(slot, index)).collect();
        gone.sort_unstable();
        gone.dedup();
        let of_gone = gone.iter().flat_map(|&object| self.layout().slots_of(object));
        let left = less.slots.iter().copied().chain(of_gone).collect();
        ids.retain(|object| gone.binary_search(object).is_err());
        let mut objects = Objects {
            touched,
            changed: ids.into_iter().filter_map(|object| self.object(object)).collect(),
            affected,
            dropped: gone.into_iter().filter_map(|object| self.object(object)).collect(),
            left,
            fresh: self.choices().added_objects(),
        };
        // Those that may have several owners: how many of them are in the value.
        if objects.all().any(|object| object.table.counts()) {
            let owners = self.owners();
            for object in objects.changed.iter_mut().chain(&mut objects.dropped) {
                object.owners = owners[object.id.index()];
            }
        }
        objects
    }

    /// Returns the allocation of an object, if it has one of its own.
    fn object(&self, id: ObjectId) -> Option<Object> {
        let allocs = &self.searcher.heap.allocs;
        let class = self.layout().objects[id.index()].class;
        let number = id.0 - self.layout().classes[class.index()].first_object.0;
        let known = self.choices().alloc_of(id);
        let is_of_class = |alloc: &usize| allocs[*alloc].table.class() == class;
        let mut ways = (0..allocs.len()).filter(is_of_class).map(AllocId::new);
        let (alloc, content) = ways
            .by_ref()
            .filter(|alloc| known.is_none_or(|known| known == *alloc))
            .find_map(|alloc| Some((alloc, self.contents.at(alloc, number)?)))?;
        let table = allocs[alloc.index()].table;
        (!table.is_part()).then_some(Object { id, table, alloc, number: number as usize, content, owners: 0 })
    }

    /// Counts the owning pointers to each object in the value.
    fn owners(&self) -> Vec<usize> {
        let mut owners = vec![0; self.layout().objects.len()];
        for slot in (0..self.layout().slots.len()).map(SlotId::new) {
            if let SlotKind::Reference(reference) = self.layout().kind(slot)
                && reference.edge.owns()
                && let Some(ordinal) = self.choices().original(slot).and_then(|index| reference.object(index))
            {
                owners[self.layout().object_of(reference, ordinal).index()] += 1;
            }
        }
        owners
    }
}

impl Objects {
    fn all(&self) -> impl Iterator<Item = &Object> {
        self.changed.iter().chain(&self.dropped)
    }
}

impl Heap {
    /// Checks or decomposes all changed and lost objects, before anything new is created.
    ///
    /// # Safety
    /// Objects must lie where they are said to, be alive, and the value that owns them be used by nobody else.
    unsafe fn pass_over(
        &self,
        value: &dyn BorrowedValue,
        objects: &Objects,
        pass: Pass,
        state: &State,
        to: &mut Rewrite<'_>,
    ) -> Result<(), NotWritten> {
        if objects.touched[self.engine.links.root().index()] {
            to.begin(pass, false);
            // SAFETY: the caller promises that nobody else uses the value.
            unsafe { value.rewrite(self, to) };
        }
        // Decompose lost objects, unless something outside the value holds them.
        let left = self.left_alone(objects, state);
        let dropped = objects.dropped.iter().filter(|object| !left.contains(&object.id));
        let changed = objects.changed.iter().map(|object| (object, false));
        for (object, goes) in changed.chain(dropped.map(|object| (object, true))) {
            to.begin(pass, goes);
            // Once it is known that nobody else holds it, the pointers that a repair makes itself are no others.
            let owners = if pass == Pass::Check { object.owners } else { usize::MAX };
            // SAFETY: the caller promises that the object lies there, and that nobody else uses the value.
            unsafe { self.rewrite(object, owners, to)? };
        }
        Ok(())
    }

    /// Rebuilds all changed objects and builds the new ones, owned objects before their owners.
    ///
    /// # Safety
    /// Objects must lie where they are said to, be alive, and the value that owns them be used by nobody else.
    unsafe fn attach(
        &self,
        value: &dyn BorrowedValue,
        objects: &Objects,
        to: &mut Rewrite<'_>,
    ) -> Result<(), NotWritten> {
        to.begin(Pass::Attach, false);
        let changed: HashMap<ObjectId, &Object> = objects.changed.iter().map(|object| (object.id, object)).collect();
        let all = objects.changed.iter().map(|object| (object.id, object.alloc)).chain(objects.fresh.iter().copied());
        for (object, alloc) in self.owned_first(&all.collect::<Vec<_>>()) {
            match changed.get(&object) {
                // SAFETY: the caller promises that the object lies there, and that nobody else uses the value.
                Some(object) => unsafe { self.rewrite(object, usize::MAX, to)? },
                None => self.build_object(object, alloc),
            }
        }
        if objects.touched[self.engine.links.root().index()] {
            // SAFETY: the caller promises that nobody else uses the value.
            unsafe { value.rewrite(self, to) };
        }
        Ok(())
    }

    /// Visits one object, which has `owners` owning pointers in the value and the repair.
    ///
    /// # Safety
    /// The object must lie where it is said to, be alive, and the value that owns it be used by nobody else.
    unsafe fn rewrite(&self, object: &Object, owners: usize, to: &mut Rewrite<'_>) -> Result<(), NotWritten> {
        // SAFETY: the caller promises what the table asks for; the address has the type of its way of allocation.
        if unsafe { object.table.rewrite_at(object.number, object.content, owners, to) } {
            return Ok(());
        }
        let class = self.engine.layout.objects[object.id.index()].class;
        Err(NotWritten::Shared(self.engine.layout.classes[class.index()].name))
    }

    /// Returns the lost objects that something outside the value holds, with everything reachable from them.
    fn left_alone(&self, objects: &Objects, state: &State) -> BTreeSet<ObjectId> {
        let is_held_elsewhere = |object: &&Object| {
            // SAFETY: the object is one of the value, which is borrowed for the repair, and lies where it was met.
            let owners = unsafe { object.table.owners(object.content) };
            owners.is_some_and(|owners| owners > object.owners)
        };
        let mut work: Vec<ObjectId> =
            objects.dropped.iter().filter(is_held_elsewhere).map(|object| object.id).collect();
        let mut left = BTreeSet::new();
        while let Some(object) = work.pop() {
            if !left.insert(object) {
                continue;
            }
            for slot in self.engine.layout.slots_of(object) {
                if let SlotKind::Reference(reference) = self.engine.layout.kind(slot)
                    && reference.edge.owns()
                    && let Some(ordinal) = state.original(slot).and_then(|index| reference.object(index))
                {
                    work.push(self.engine.layout.object_of(reference, ordinal));
                }
            }
        }
        left
    }
}

impl Repairer<'_> {
    /// Allocates the new objects, and makes the targets of new pointers available.
    ///
    /// # Safety
    /// Objects must lie where they are said to, be alive, and the value that owns them be used by nobody else.
    unsafe fn make_ready(&self, objects: &Objects, changed: &[ChangedSlot]) {
        let new_slots = objects.fresh.iter().flat_map(|&(object, _)| self.layout().slots_of(object));
        let slots = changed.iter().map(|change| change.slot).chain(new_slots);
        let pointed_to = slots.filter_map(|slot| self.target(slot, self.index(slot)));
        // Hold lost reference-counted objects until all are decomposed, so that dropping one does not drop the next.
        let dropped = objects.dropped.iter().copied().filter(|object| object.table.counts());
        for object in pointed_to.chain(dropped) {
            if !object.table.has_store(object.number) {
                // SAFETY: the caller promises that the object lies there and is alive.
                unsafe { object.table.adopt(object.number, object.content) };
            }
        }
        self.searcher.heap.reserve_objects(&objects.fresh);
    }

    /// Drops unreachable objects; registers weak pointers to objects that may form a cycle.
    fn let_go(&self, objects: &Objects, changed: &[ChangedSlot]) -> Vec<Box<dyn AnyWeak>> {
        let of_left = objects.left.iter().filter_map(|&slot| self.target(slot, self.choices().original(slot)?));
        let of_changed = changed.iter().flat_map(|change| [change.old, change.new].map(|index| (change.slot, index)));
        let of_changed = of_changed.filter_map(|(slot, index)| self.target(slot, index));
        let new_slots = objects.fresh.iter().flat_map(|&(object, _)| self.layout().slots_of(object));
        let of_fresh = new_slots.filter_map(|slot| self.target(slot, self.index(slot)));
        for object in of_left.chain(of_changed).chain(of_fresh).chain(objects.dropped.iter().copied()) {
            object.table.discard(object.number);
        }
        self.searcher.heap.release_objects(&objects.fresh)
    }

    /// Returns the object of the value that a slot refers to with an index.
    fn target(&self, slot: SlotId, index: u32) -> Option<Object> {
        let layout = self.layout();
        let SlotKind::Reference(reference) = layout.kind(slot) else { return None };
        let ordinal = if index == UNASSIGNED { None } else { reference.object(index) };
        self.object(layout.object_of(reference, ordinal?))
    }
}
