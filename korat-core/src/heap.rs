//! The bounded heap of one search: its classes' objects and the engine over their slots. Takes bounds, gives views to run a
//! predicate on, builds values from assignments and assignments from values.

use std::any::TypeId;
use std::mem::ManuallyDrop;

use smallvec::SmallVec;

use crate::Pruning;
use crate::abstraction::{Abstraction, OutOfBounds, TakenApart};
use crate::alloc::AnyAlloc;
use crate::ambient::Limits;
use crate::arena::Arena;
use crate::bounds::Bounds;
use crate::census::Census;
use crate::class::{Class, ClassTable, View};
use crate::cut;
use crate::cycles::AnyWeak;
use crate::engine::layout::Edge;
use crate::engine::{Engine, Repairing, UNASSIGNED};
use crate::extent::{Extent, Fresh};
use crate::ids::{AllocId, ClassId, HeapId, ObjectId, SlotId, small};
use crate::plan::{BoundsError, PlannedAlloc, PlannedClass, Planner};
use crate::retired;
use crate::rewrite::Rewrite;
use crate::settled::Settled;
use crate::slot::{AnySlot, Eraser};
use crate::undo::Workspace;

/// How many values a field has at least, where lists are cut.
const LISTED: usize = 1024;

/// Bounds that are made of a value.
pub(crate) struct OfValue {
    pub(crate) extent: Extent,
    /// Whether its lists would be others without it: they have values of it that they would not have, or keys.
    has_own_lists: bool,
    /// Whether the value before it made the same bounds.
    pub(crate) is_as_before: bool,
}

impl OfValue {
    /// Its lists have got values that they would not have.
    pub(crate) fn note_own_lists(&mut self) {
        (self.has_own_lists, self.is_as_before) = (true, false);
    }

    /// Whether both are bounds of one extent, with no lists that only one of their values has made.
    fn is_like(&self, other: &Self) -> bool {
        !self.has_own_lists && !other.has_own_lists && self.extent == other.extent
    }
}

/// Everything one search runs on.
pub(crate) struct Heap<T: Class> {
    pub(crate) engine: Engine,
    /// What the running predicate makes.
    pub(crate) work: Workspace,
    /// The same for runs from the top beside a machine, which leave `work` as it is; made for the first of them.
    pub(crate) work_beside: Option<Box<Workspace>>,
    root: &'static ClassTable<T>,
    classes: Vec<PlannedClass>,
    pub(crate) allocs: Vec<PlannedAlloc>,
    /// How it is searched.
    pruning: Pruning,
    /// Elements that have their values, for the next value to be taken apart.
    settled: Settled,
    /// What its bounds were made of, if that was a value.
    pub(crate) of_value: Option<OfValue>,
    /// Dropped last: the tables above are kept here.
    _arena: Arena,
}

impl<T: Class> Heap<T> {
    /// A heap for a search that begins: one that an earlier search has left, or a new one.
    pub(crate) fn new(
        bounds: &Bounds<T>,
        scope: usize,
        pruning: Pruning,
        limits: Limits,
    ) -> Result<Box<Self>, Vec<BoundsError>> {
        let mut arena = Arena::default();
        let mut planner = Planner::new(scope, bounds.overrides(), &mut arena);
        let root = {
            // A list that grows with the scope stays whole.
            let _cut = bounds.overrides().census.as_ref().map(|_| cut::after(2 * scope + LISTED));
            planner.plan_all::<T>()
        };
        if !planner.errors.is_empty() {
            return Err(planner.errors);
        }
        let has_own_lists = planner.has_own_lists;
        let extent = bounds.overrides().census.as_ref().map(|census| census.extent.clone());
        let mut of_value = extent.map(|extent| OfValue { extent, has_own_lists, is_as_before: false });
        let fits = |heap: &Heap<T>| heap.pruning == pruning && heap.engine.layout.can_be(&planner.layout);
        let last = of_value.as_ref().and_then(|_| retired::take_last(Heap::is_of_value, fits));
        if let (Some(last), Some(now)) = (&last, &mut of_value) {
            now.is_as_before = last.of_value.as_ref().is_some_and(|last| last.is_like(now));
        }
        if let Some(heap) = last.or_else(|| retired::take(fits)) {
            // Values of the user's are cloned and dropped: if one panics, the heap is left as it is, and not freed.
            let mut heap = ManuallyDrop::new(heap);
            heap.begin_again(limits);
            // A search chooses all there is.
            if of_value.is_none() {
                heap.settled = Settled::default();
            }
            heap.engine.take_values_of(&planner.layout);
            heap.of_value = of_value;
            return Ok(ManuallyDrop::into_inner(heap));
        }
        let id = HeapId::fresh();
        planner.make_objects(id);
        let first = planner.layout.classes[root.id.index()].first_object;
        let engine = Engine::new(id, planner.layout, first, pruning, limits);
        let (classes, allocs) = (planner.classes, planner.allocs);
        let work = Workspace::default();
        Ok(Box::new(Heap {
            engine,
            work,
            work_beside: None,
            root,
            classes,
            allocs,
            pruning,
            settled: Settled::default(),
            of_value,
            _arena: arena,
        }))
    }

    /// The heap that was made of the last value, if the next one is likely to make the same: so did the two before it.
    pub(crate) fn of_last_value(pruning: Pruning, limits: Limits) -> Option<Box<Self>> {
        let is_as_before = |heap: &Heap<T>| heap.of_value.as_ref().is_some_and(|last| last.is_as_before);
        let fits = |heap: &Heap<T>| is_as_before(heap) && heap.pruning == pruning;
        let mut heap = ManuallyDrop::new(retired::take_last(Heap::is_of_value, fits)?);
        heap.begin_again(limits);
        Some(ManuallyDrop::into_inner(heap))
    }

    fn is_of_value(&self) -> bool {
        self.of_value.is_some()
    }

    /// Forgets the search that has left it.
    fn begin_again(&mut self, limits: Limits) {
        self.engine.reset();
        self.engine.limits = limits;
        self.work.reset();
    }

    /// The root object, as a predicate sees it.
    pub(crate) fn root(&self) -> &'static View<T> {
        // The table is kept in the arena; callers stop using the view before the heap is dropped.
        self.root.view(0)
    }

    /// Calls `visit` on every slot of the value, in the order in which a walk from the root meets the objects; slots that
    /// `visit` decides lead further.
    pub(crate) fn walk(&mut self, mut visit: impl FnMut(&mut Engine, &dyn AnySlot)) {
        self.walk_in(|engine, _, slot| visit(engine, slot));
    }

    /// The same with the workspace, for a `visit` that reads slots.
    pub(crate) fn walk_in(&mut self, mut visit: impl FnMut(&mut Engine, &Workspace, &dyn AnySlot)) {
        let root = self.engine.links.root();
        let mut met = vec![false; self.engine.layout.objects.len()];
        met[root.index()] = true;
        let mut queue = std::collections::VecDeque::from([root]);
        // Not every slot with an index is one of the value where elements are settled: they keep theirs beyond the length of their vector.
        let has_settled = self.settled.indices().next().is_some();
        let mut visited: SmallVec<[SlotId; 32]> = SmallVec::new();
        while let Some(object) = queue.pop_front() {
            let (class, ordinal) = self.place(object);
            let (engine, work) = (&mut self.engine, &self.work);
            visited.clear();
            self.classes[class].table.visit(ordinal, &mut |slot| {
                if has_settled {
                    visited.push(slot.id());
                }
                visit(engine, work, slot);
            });
            self.engine.tell_top();
            let mut meet = |target: ObjectId| {
                if !std::mem::replace(&mut met[target.index()], true) {
                    queue.push_back(target);
                }
            };
            if has_settled {
                visited.iter().filter_map(|&slot| self.engine.target(slot)).for_each(|(_, target)| meet(target));
            } else {
                self.engine.targets(object).for_each(|(_, target)| meet(target));
            }
        }
    }

    /// Per slot, whether the value has it. Every slot of the value is decided.
    pub(crate) fn present(&mut self) -> Vec<bool> {
        let mut present = vec![false; self.engine.layout.slots.len()];
        self.walk(|_, slot| present[slot.id().index()] = true);
        present
    }

    /// An object's class and its number there.
    fn place(&self, object: ObjectId) -> (usize, usize) {
        let class = self.engine.layout.objects[object.index()].class.index();
        (class, object.index() - self.engine.layout.classes[class].first_object.index())
    }

    /// Builds the user's value from the current assignment, in which every slot that the value has is decided; also gives
    /// weak pointers to its objects, if they may form a cycle.
    pub(crate) fn materialise(&self) -> (T, Vec<Box<dyn AnyWeak>>) {
        #[cfg(feature = "id-arena")]
        let _building = crate::adapter::begin_value();
        let allocated: Vec<(ObjectId, AllocId)> = self.engine.allocated();
        self.build_objects(&allocated);
        let value = self.root.plan().materialise(self.root.view(0));
        (value, self.release_objects(&allocated))
    }

    /// Builds objects from the current assignment.
    fn build_objects(&self, allocated: &[(ObjectId, AllocId)]) {
        self.reserve_objects(allocated);
        for (object, alloc) in self.owned_first(allocated) {
            self.build_object(object, alloc);
        }
    }

    /// Gives objects that are built next their memory.
    pub(crate) fn reserve_objects(&self, allocated: &[(ObjectId, AllocId)]) {
        for &(object, alloc) in allocated {
            let (table, ordinal) = self.allocated_at(object, alloc);
            table.reserve(ordinal);
        }
    }

    /// Builds one; what it owns must be there.
    pub(crate) fn build_object(&self, object: ObjectId, alloc: AllocId) {
        let (table, ordinal) = self.allocated_at(object, alloc);
        table.build(ordinal);
    }

    /// Gives up the hold on objects that were built; gives weak pointers to them, if they may form a cycle.
    pub(crate) fn release_objects(&self, allocated: &[(ObjectId, AllocId)]) -> Vec<Box<dyn AnyWeak>> {
        let release = |&(object, alloc): &(ObjectId, AllocId)| {
            let (table, ordinal) = self.allocated_at(object, alloc);
            table.release(ordinal)
        };
        let counted: Vec<Option<Box<dyn AnyWeak>>> = allocated.iter().map(release).collect();
        // Where no reference can close a cycle there is nothing to look after.
        if self.engine.layout.may_cycle { counted.into_iter().flatten().collect() } else { Vec::new() }
    }

    /// The table of an object that is allocated one way, and its number there.
    fn allocated_at(&self, object: ObjectId, alloc: AllocId) -> (&'static dyn AnyAlloc, usize) {
        (self.allocs[alloc.index()].table, self.place(object).1)
    }

    /// What a value has, whatever the bounds of this heap; for bounds with room for `fresh` objects of each class.
    pub(crate) fn census(&self, value: &T, fresh: Fresh) -> Result<Census, OutOfBounds> {
        let mut to = Abstraction::new(&self.engine.layout, self.root.id, &self.allocs);
        to.gather();
        self.root.plan().abstract_to(value, self.root.view(0), &mut to)?;
        let (foreign, lens, met) = to.finish_gathering()?;
        Ok(Census { foreign, extent: Extent::of(&met, &lens, fresh) })
    }

    /// The classes, with their names.
    pub(crate) fn classes(&self) -> impl Iterator<Item = (TypeId, &'static str)> + '_ {
        let names = self.engine.layout.classes.iter().map(|class| class.name);
        self.classes.iter().map(|planned| planned.type_id).zip(names)
    }

    /// The number of the object of a class whose view lies at an address.
    pub(crate) fn ordinal_at(&self, class: ClassId, address: usize) -> Option<u32> {
        self.classes[class.index()].table.ordinal_at(address).map(small)
    }

    /// Writes changed slots back into the root.
    pub(crate) fn rewrite_root(&self, value: &mut T, to: &mut Rewrite<'_>) {
        self.root.plan().rewrite(value, self.root.view(0), to);
    }

    /// The objects in an order in which every boxed one stands before its owner, and before the holder of its owner.
    pub(crate) fn owned_first(&self, allocated: &[(ObjectId, AllocId)]) -> Vec<(ObjectId, AllocId)> {
        // Of each object, whether it was met, and how it is allocated.
        let mut objects = vec![(false, None); self.engine.layout.objects.len()];
        for &(object, alloc) in allocated {
            objects[object.index()].1 = Some(alloc);
        }
        let mut order = Vec::with_capacity(allocated.len());
        let mut waiting: Vec<(ObjectId, bool)> = allocated.iter().rev().map(|&(object, _)| (object, false)).collect();
        while let Some((object, children_done)) = waiting.pop() {
            if children_done {
                order.extend(objects[object.index()].1.map(|alloc| (object, alloc)));
                continue;
            }
            if std::mem::replace(&mut objects[object.index()].0, true) {
                continue;
            }
            waiting.push((object, true));
            for (reference, target) in self.engine.targets(object) {
                let is_owned = reference.edge == Edge::Owned && objects[target.index()].1.is_some();
                if is_owned || reference.edge == Edge::Part {
                    waiting.push((target, false));
                }
            }
        }
        order
    }

    /// The assignment of a value, with its objects numbered in the order in which a walk from the root meets them.
    pub(crate) fn abstract_value(&self, value: &T) -> Result<Vec<u32>, OutOfBounds> {
        let mut to = Abstraction::new(&self.engine.layout, self.root.id, &self.allocs);
        self.root.plan().abstract_to(value, self.root.view(0), &mut to)?;
        to.finish()
    }

    /// The same, with where the objects lie. Elements that lie in their vectors have their values from now on.
    pub(crate) fn abstract_with_objects(&mut self, value: &T) -> Result<TakenApart, OutOfBounds> {
        let spare = std::mem::take(&mut self.engine.spare.original);
        let mut to = Abstraction::in_table(spare, &self.engine.layout, self.root.id, &self.allocs);
        to.note_objects(std::mem::take(&mut self.settled));
        self.root.plan().abstract_to(value, self.root.view(0), &mut to)?;
        let (taken, settled) = to.finish_with_objects()?;
        self.settled = settled;
        Ok(taken)
    }

    /// Makes choices for the repair of the value that was taken apart last, from now on.
    pub(crate) fn begin_repair(&mut self, repairing: Repairing) {
        self.engine.begin_repair(repairing, self.settled.indices());
    }

    /// Puts a whole assignment in place; gives handles to make its slots unassigned again. No search may be under way.
    pub(crate) fn load(&mut self, values: &[u32]) -> Vec<Eraser> {
        self.engine.load(values);
        let mut erasers = Vec::new();
        self.walk(|engine, slot| {
            let index = engine.value(slot.id());
            assert!(index != UNASSIGNED, "[korat internal bug] an assignment leaves out a slot of the value");
            slot.set_index(index);
            erasers.push(slot.eraser());
        });
        erasers
    }

    /// The part of an assignment that is a value of the user's type, if it is one: every slot that the root leads to is decided, and
    /// every object has the owners that it may have. No search may be under way.
    pub(crate) fn value_in(&mut self, values: &[u32]) -> Option<Vec<u32>> {
        self.engine.load(values);
        let (mut erasers, mut slots, mut is_whole) = (Vec::new(), Vec::new(), true);
        self.walk(|engine, slot| {
            let index = engine.value(slot.id());
            is_whole &= index != UNASSIGNED;
            // A part that is not there leads nowhere.
            if index != UNASSIGNED || slot.domain_len() > 0 {
                slot.set_index(if index == UNASSIGNED { 0 } else { index });
                erasers.push(slot.eraser());
            }
            slots.push(slot.id());
        });
        let mut value = vec![UNASSIGNED; values.len()];
        for slot in &slots {
            value[slot.index()] = values[slot.index()];
        }
        let is_value = is_whole && self.engine.is_whole_value(&slots, &value);
        self.unload(&mut erasers);
        is_value.then_some(value)
    }

    /// Takes an assignment that was put in place out again.
    pub(crate) fn unload(&mut self, erasers: &mut Vec<Eraser>) {
        for eraser in erasers.drain(..) {
            eraser.erase();
        }
        self.engine.unload();
    }
}
