//! The bounded heap of one search: the objects of its classes, and the engine over their slots. Provides the views that
//! a predicate runs on, and converts between values and assignments.

use std::any::{Any, TypeId};
use std::mem::ManuallyDrop;

use smallvec::SmallVec;

use super::{build, retired};
use crate::class::abstraction::{AbstractedValue, Abstraction, OutOfBounds};
use crate::class::bounds::Overrides;
use crate::class::bounds_size::{BoundsSize, FreshObjects};
use crate::class::census::Census;
use crate::class::fixed_slots::FixedSlots;
use crate::class::list_cap;
use crate::class::plan::planner::{PlannedAlloc, PlannedClass, Planner};
use crate::class::rewrite::Rewrite;
use crate::class::table::{AnyClass, ClassTable};
use crate::class::traits::{Class, View};
use crate::engine::choice_stack::Engine;
use crate::memory::arena::Arena;
use crate::model::bounds_error::BoundsError;
use crate::model::ids::{ClassId, HeapId, ObjectId, SlotId, to_u32};
use crate::model::settings::{Limits, Pruning};
use crate::predicate::undo::Workspace;
use crate::slots::slot::{AnySlot, UNASSIGNED};
use crate::slots::slot_handle::SlotHandle;

/// The least number of values that a list keeps when lists are capped; the cap grows with the scope.
const LISTED: usize = 1024;

/// Bounds made from a value.
pub(crate) struct DerivedBounds {
    /// The size of the bounds.
    pub(crate) bounds_size: BoundsSize,
    /// Whether lists contain values or keys of this value that they would lack without it.
    has_own_lists: bool,
    /// Whether the previous value led to the same bounds.
    pub(crate) is_as_before: bool,
}

impl DerivedBounds {
    /// Records that lists have got values that they would otherwise lack.
    pub(crate) fn note_own_lists(&mut self) {
        (self.has_own_lists, self.is_as_before) = (true, false);
    }

    /// Returns whether both bounds have the same extent, and no lists specific to their values.
    fn is_like(&self, other: &Self) -> bool {
        !self.has_own_lists && !other.has_own_lists && self.bounds_size == other.bounds_size
    }
}

/// The class that a search generates: the first one that is planned.
const ROOT: ClassId = ClassId(0);

/// Everything that one search runs on.
pub(crate) struct Heap {
    pub(crate) engine: Engine,
    /// The memory of the running predicate.
    pub(crate) work: Workspace,
    /// The memory of runs from the top beside a machine, which leave `work` unchanged; allocated for the first of them.
    pub(crate) check_workspace: Option<Box<Workspace>>,
    classes: Vec<PlannedClass>,
    pub(crate) allocs: Vec<PlannedAlloc>,
    /// The most objects that a value may have whose objects are built inside one another.
    pub(super) most_nested: usize,
    /// The pruning of the search.
    pruning: Pruning,
    /// Elements that keep their values, for the next value to be decomposed.
    fixed_slots: FixedSlots,
    /// The bounds, if they were made from a value.
    pub(crate) derived_bounds: Option<DerivedBounds>,
    /// Tables that the last client of the heap leaves for the next one.
    pub(crate) spare_tables: Option<Box<dyn Any>>,
    /// Dropped last: it owns the tables above.
    _arena: Arena,
}

impl Heap {
    /// Returns a heap for a new search: one that an earlier search has retired, or a new one.
    pub(crate) fn new<T: Class>(
        overrides: &Overrides,
        scope: usize,
        pruning: Pruning,
        limits: Limits,
    ) -> Result<Box<Self>, Vec<BoundsError>> {
        Heap::planned(|planner| planner.plan_root::<T>(), overrides, scope, pruning, limits)
    }

    fn planned(
        plan_root: fn(&mut Planner<'_>),
        overrides: &Overrides,
        scope: usize,
        pruning: Pruning,
        limits: Limits,
    ) -> Result<Box<Self>, Vec<BoundsError>> {
        let mut arena = Arena::default();
        let mut planner = Planner::new(scope, overrides, &mut arena);
        {
            // The cap exceeds twice the scope, so that lists that grow with the scope stay whole.
            let _cut = overrides.census.as_ref().map(|_| list_cap::set(2 * scope + LISTED));
            plan_root(&mut planner);
            planner.plan_all();
        }
        if !planner.errors.is_empty() {
            return Err(planner.errors);
        }
        let has_own_lists = planner.has_own_lists;
        let bounds_size = overrides.census.as_ref().map(|census| census.bounds_size.clone());
        let mut derived_bounds =
            bounds_size.map(|bounds_size| DerivedBounds { bounds_size, has_own_lists, is_as_before: false });
        let root = planner.classes[ROOT.index()].type_id;
        let fits = |heap: &Heap| {
            let layout = &heap.engine.layout;
            heap.pruning == pruning && layout.is_like(&planner.layout) && layout.can_take_values_of(&planner.layout)
        };
        let last = derived_bounds.as_ref().and_then(|_| retired::take_last(root, Heap::has_derived_bounds, fits));
        if let (Some(last), Some(now)) = (&last, &mut derived_bounds) {
            now.is_as_before = last.derived_bounds.as_ref().is_some_and(|last| last.is_like(now));
        }
        if let Some(heap) = last.or_else(|| retired::take(root, fits)) {
            // The user's values are cloned and dropped below: if that panics, the heap is leaked, not freed.
            let mut heap = ManuallyDrop::new(heap);
            heap.begin_again(limits);
            // A search chooses every slot.
            if derived_bounds.is_none() {
                heap.fixed_slots = FixedSlots::default();
            }
            heap.engine.take_values_of(&planner.layout);
            heap.derived_bounds = derived_bounds;
            return Ok(ManuallyDrop::into_inner(heap));
        }
        let id = HeapId::fresh();
        planner.make_objects(id);
        let first = planner.layout.classes[ROOT.index()].first_object;
        let engine = Engine::new(id, planner.layout, first, pruning, limits);
        let (classes, allocs) = (planner.classes, planner.allocs);
        let most_nested = build::most_nested(&engine.layout, &allocs);
        let work = Workspace::default();
        Ok(Box::new(Heap {
            engine,
            work,
            check_workspace: None,
            classes,
            allocs,
            most_nested,
            pruning,
            fixed_slots: FixedSlots::default(),
            derived_bounds,
            spare_tables: None,
            _arena: arena,
        }))
    }

    /// Returns the heap made from the last value, if that value led to the same bounds as the one before it: the next
    /// one is then likely to do so, too.
    pub(crate) fn of_last_value<T: Class>(pruning: Pruning, limits: Limits) -> Option<Box<Self>> {
        Heap::of_last(TypeId::of::<T>(), pruning, limits)
    }

    fn of_last(root: TypeId, pruning: Pruning, limits: Limits) -> Option<Box<Self>> {
        let is_as_before = |heap: &Heap| heap.derived_bounds.as_ref().is_some_and(|last| last.is_as_before);
        let fits = |heap: &Heap| is_as_before(heap) && heap.pruning == pruning;
        let mut heap = ManuallyDrop::new(retired::take_last(root, Heap::has_derived_bounds, fits)?);
        heap.begin_again(limits);
        Some(ManuallyDrop::into_inner(heap))
    }

    fn has_derived_bounds(&self) -> bool {
        self.derived_bounds.is_some()
    }

    /// Clears the state of the search that retired the heap.
    fn begin_again(&mut self, limits: Limits) {
        self.engine.reset();
        self.engine.limits = limits;
        self.work.reset();
    }

    /// Returns whether a search of another thread may use the heap, once nothing of this thread does.
    pub(super) fn can_change_threads(&self) -> bool {
        !self.engine.layout.stays_on_thread
    }

    /// Returns the type that the search generates.
    pub(super) fn root_type(&self) -> TypeId {
        self.classes[ROOT.index()].type_id
    }

    pub(super) fn root_table<T: Class>(&self) -> &'static ClassTable<T> {
        self.classes[ROOT.index()].any.downcast_ref().expect("[korat internal bug] a heap is used for another type")
    }

    /// Returns the root object as a predicate sees it.
    pub(crate) fn root<T: Class>(&self) -> &'static View<T> {
        // The arena keeps the table; callers stop using the view before the heap is dropped.
        self.root_table::<T>().view(0)
    }

    /// Calls `visit` on every slot of the value, with the objects in breadth-first order from the root. Follows
    /// references that `visit` decides.
    pub(crate) fn walk(&mut self, mut visit: impl FnMut(&mut Engine, &dyn AnySlot)) {
        self.walk_in(&mut |engine, _, slot| visit(engine, slot));
    }

    /// Calls `visit` on every slot of the value, as [`walk`](Heap::walk) does, and passes it the workspace, which it
    /// needs to read slots.
    pub(crate) fn walk_in(&mut self, visit: &mut dyn FnMut(&mut Engine, &Workspace, &dyn AnySlot)) {
        let root = self.engine.links.root();
        let mut met = vec![false; self.engine.layout.objects.len()];
        met[root.index()] = true;
        let mut queue = std::collections::VecDeque::from([root]);
        // With fixed elements, a slot with an index need not belong to the value: elements beyond the length of their
        // vector keep theirs.
        let has_fixed = self.fixed_slots.indices().next().is_some();
        let mut visited: SmallVec<[SlotId; 32]> = SmallVec::new();
        while let Some(object) = queue.pop_front() {
            let (class, ordinal) = self.place(object);
            let (engine, work) = (&mut self.engine, &self.work);
            visited.clear();
            self.classes[class].table.visit(ordinal, &mut |slot| {
                if has_fixed {
                    visited.push(slot.id());
                }
                visit(engine, work, slot);
            });
            self.engine.record_last_choice();
            let mut meet = |target: ObjectId| {
                if !std::mem::replace(&mut met[target.index()], true) {
                    queue.push_back(target);
                }
            };
            if has_fixed {
                visited.iter().filter_map(|&slot| self.engine.target(slot)).for_each(|(_, target)| meet(target));
            } else {
                self.engine.targets(object).for_each(|(_, target)| meet(target));
            }
        }
    }

    /// Returns, for each slot, whether the value has it. All slots of the value must be decided.
    pub(crate) fn present(&mut self) -> Vec<bool> {
        let mut present = vec![false; self.engine.layout.slots.len()];
        self.walk(|_, slot| present[slot.id().index()] = true);
        present
    }

    /// Returns the table of a class.
    pub(crate) fn class_table(&self, class: ClassId) -> &'static dyn AnyClass {
        self.classes[class.index()].table
    }

    /// Returns an object's class and its number within the class.
    pub(super) fn place(&self, object: ObjectId) -> (usize, usize) {
        let class = self.engine.layout.objects[object.index()].class.index();
        (class, object.index() - self.engine.layout.classes[class].first_object.index())
    }

    /// Counts what a value contains, whatever the bounds of this heap. The result is for bounds with room for `fresh`
    /// objects of each class.
    pub(crate) fn census<T: Class>(&self, value: &T, fresh: FreshObjects) -> Result<Census, OutOfBounds> {
        let mut to = Abstraction::new(&self.engine.layout, ROOT, &self.allocs);
        to.gather();
        self.abstract_root(value, &mut to)?;
        let (plain_values, lens, met) = to.finish_gathering()?;
        Ok(Census { plain_values, bounds_size: BoundsSize::of(&met, &lens, fresh) })
    }

    /// Returns the classes with their names.
    pub(crate) fn classes(&self) -> impl Iterator<Item = (TypeId, &'static str)> + '_ {
        let names = self.engine.layout.classes.iter().map(|class| class.name);
        self.classes.iter().map(|planned| planned.type_id).zip(names)
    }

    /// Returns the number of the object of a class whose view lies at an address.
    pub(crate) fn ordinal_at(&self, class: ClassId, address: usize) -> Option<u32> {
        self.classes[class.index()].table.ordinal_at(address).map(to_u32)
    }

    /// Writes changed slots back into the root.
    pub(crate) fn rewrite_root<T: Class>(&self, value: &mut T, to: &mut Rewrite<'_>) {
        let table = self.root_table::<T>();
        table.plan().rewrite(value, table.view(0), to);
    }

    /// Returns the assignment of a value, with its objects numbered in the order of a walk from the root.
    pub(crate) fn abstract_value<T: Class>(&self, value: &T) -> Result<Vec<u32>, OutOfBounds> {
        let mut to = Abstraction::new(&self.engine.layout, ROOT, &self.allocs);
        self.abstract_root(value, &mut to)?;
        to.finish()
    }

    fn abstract_root<T: Class>(&self, value: &T, to: &mut Abstraction<'_>) -> Result<(), OutOfBounds> {
        let table = self.root_table::<T>();
        table.plan().abstract_to(value, table.view(0), to)
    }

    /// Returns the assignment of a value together with the addresses of its objects. From now on, elements that lie in
    /// their vectors keep their values.
    pub(crate) fn abstract_with_objects<T: Class>(
        &mut self,
        value: &T,
        table: Vec<u32>,
    ) -> Result<AbstractedValue, OutOfBounds> {
        let mut to = Abstraction::in_table(table, &self.engine.layout, ROOT, &self.allocs);
        to.note_objects(std::mem::take(&mut self.fixed_slots));
        self.abstract_root(value, &mut to)?;
        let (taken, fixed_slots) = to.finish_with_objects()?;
        self.fixed_slots = fixed_slots;
        Ok(taken)
    }

    /// Tells the engine the indices of elements that keep theirs from one value to the next.
    pub(crate) fn record_fixed_slots(&mut self) {
        for (slot, index) in self.fixed_slots.indices() {
            self.engine.values[slot.index()] = index;
        }
    }

    /// Loads a whole assignment. Returns handles that make its slots unassigned again. No search may be running.
    pub(crate) fn load(&mut self, values: &[u32]) -> Vec<SlotHandle> {
        self.engine.load(values);
        let mut handles = Vec::new();
        self.walk(|engine, slot| {
            let index = engine.value(slot.id());
            assert!(index != UNASSIGNED, "[korat internal bug] an assignment leaves out a slot of the value");
            slot.set_index(index);
            handles.push(slot.slot_handle());
        });
        handles
    }

    /// Returns the part of an assignment that is a value of the user's type, if there is one: every slot reachable from
    /// the root is decided, and every object has the owners that its type allows. No search may be running.
    pub(crate) fn value_in(&mut self, values: &[u32]) -> Option<Vec<u32>> {
        self.engine.load(values);
        let (mut handles, mut slots, mut is_whole) = (Vec::new(), Vec::new(), true);
        self.walk(|engine, slot| {
            let index = engine.value(slot.id());
            is_whole &= index != UNASSIGNED;
            // A missing part leads nowhere.
            if index != UNASSIGNED || slot.domain_len() > 0 {
                slot.set_index(if index == UNASSIGNED { 0 } else { index });
                handles.push(slot.slot_handle());
            }
            slots.push(slot.id());
        });
        let mut value = vec![UNASSIGNED; values.len()];
        for slot in &slots {
            value[slot.index()] = values[slot.index()];
        }
        let is_value = is_whole && self.engine.is_whole_value(&slots, &value);
        self.unload(&mut handles);
        is_value.then_some(value)
    }

    /// Removes a loaded assignment.
    pub(crate) fn unload(&mut self, handles: &mut Vec<SlotHandle>) {
        for handle in handles.drain(..) {
            handle.erase();
        }
        self.engine.unload();
    }
}
