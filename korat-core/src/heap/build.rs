//! Builds values of the user's types from the assignment of a heap: each object when its owner asks for it, if owners are all that
//! leads to objects and the value is small, and otherwise owned objects before their owners.

use super::bounded::Heap;
use crate::class::alloc::AnyAlloc;
use crate::class::cycles::AnyWeak;
use crate::class::patch::Patch;
use crate::class::plan::planner::PlannedAlloc;
use crate::class::traits::Class;
use crate::model::ids::{AllocId, ObjectId};
use crate::slots::kinds::Edge;
use crate::slots::layout::Layout;

/// The bytes of stack that objects may take which are built inside one another; a test's thread has two mebibytes.
const NESTED_BYTES: usize = 128 << 10;

/// The bytes of stack that each of them takes at most: its content, which functions that the compiler has not optimised hand on to one
/// another, and their frames.
const fn frame_bytes(object_bytes: usize) -> usize {
    512 + 16 * object_bytes
}

/// Returns the most objects of a value that are built inside one another: none, if something beside its owner may lead to an object.
pub(super) fn most_nested(layout: &Layout, allocs: &[PlannedAlloc]) -> usize {
    if layout.has_shared || layout.has_weak || layout.has_raw {
        return 0;
    }
    let largest = allocs.iter().map(|alloc| alloc.table.object_bytes()).max().unwrap_or_default();
    NESTED_BYTES / frame_bytes(largest)
}

/// While it lives, an object is built when its owner asks for it.
struct Nesting<'h>(&'h [PlannedAlloc]);

impl<'h> Nesting<'h> {
    fn begin(allocs: &'h [PlannedAlloc]) -> Self {
        allocs.iter().for_each(|alloc| alloc.table.set_nested(true));
        Nesting(allocs)
    }
}

impl Drop for Nesting<'_> {
    fn drop(&mut self) {
        self.0.iter().for_each(|alloc| alloc.table.set_nested(false));
    }
}

impl Heap {
    /// Builds the user's value from the current assignment, in which every slot of the value is decided. Also returns
    /// weak pointers to the objects, if they may form a cycle.
    pub(crate) fn materialise<T: Class>(&self) -> (T, Vec<Box<dyn AnyWeak>>) {
        #[cfg(feature = "id-arena")]
        let _building = crate::codec::adapter::begin_value();
        let table = self.root_table::<T>();
        let build_root = || table.plan().materialise(table.view(0));
        if self.engine.links.reached_count() <= self.most_nested {
            let _nesting = Nesting::begin(&self.allocs);
            return (build_root(), Vec::new());
        }
        let allocated = self.build_objects();
        let value = build_root();
        (value, self.release_objects(&allocated))
    }

    /// Returns whether a property that sees a value by reference may see the current one patched: nobody can tell it from one that
    /// is built, or keep a part of it, and its objects may be built inside one another.
    pub(crate) fn patches(&self) -> bool {
        let Layout { is_rebuilt, has_side_effects, .. } = self.engine.layout;
        !is_rebuilt && !has_side_effects && self.engine.links.reached_count() <= self.most_nested
    }

    /// Makes a value what [`materialise`](Heap::materialise) would build, if such values may be [patched](Heap::patches).
    pub(crate) fn patch<T: Class>(&self, value: &mut T, to: &mut Patch) {
        let table = self.root_table::<T>();
        let _nesting = Nesting::begin(&self.allocs);
        table.plan().patch(value, table.view(0), to);
    }

    /// Builds the objects of the current assignment, and returns them.
    fn build_objects(&self) -> Vec<(ObjectId, AllocId)> {
        let allocated = self.engine.allocated();
        self.reserve_objects(&allocated);
        if self.engine.layout.has_raw {
            self.owned_first(&allocated).into_iter().for_each(|(object, alloc)| self.build_object(object, alloc));
        } else {
            // Nothing but its owner leads to a boxed object, so it comes after its owner.
            allocated.iter().rev().for_each(|&(object, alloc)| self.build_object(object, alloc));
        }
        allocated
    }

    /// Allocates the memory of objects that are built next.
    pub(crate) fn reserve_objects(&self, allocated: &[(ObjectId, AllocId)]) {
        for &(object, alloc) in allocated {
            let (table, ordinal) = self.allocated_at(object, alloc);
            table.reserve(ordinal);
        }
    }

    /// Builds an object; the objects that it owns must be built already.
    pub(crate) fn build_object(&self, object: ObjectId, alloc: AllocId) {
        let (table, ordinal) = self.allocated_at(object, alloc);
        table.build(ordinal);
    }

    /// Releases objects that were built. Returns weak pointers to them, if they may form a cycle.
    pub(crate) fn release_objects(&self, allocated: &[(ObjectId, AllocId)]) -> Vec<Box<dyn AnyWeak>> {
        let release = |&(object, alloc): &(ObjectId, AllocId)| {
            let (table, ordinal) = self.allocated_at(object, alloc);
            table.release(ordinal)
        };
        let counted: Vec<Option<Box<dyn AnyWeak>>> = allocated.iter().map(release).collect();
        // If no reference can close a cycle, no cycle needs to be collected.
        if self.engine.layout.may_cycle { counted.into_iter().flatten().collect() } else { Vec::new() }
    }

    /// Returns the table for an object and its allocation, and the object's number in it.
    fn allocated_at(&self, object: ObjectId, alloc: AllocId) -> (&'static dyn AnyAlloc, usize) {
        (self.allocs[alloc.index()].table, self.place(object).1)
    }

    /// Returns the objects in an order in which every boxed object precedes its owner, and the holder of its owner.
    pub(crate) fn owned_first(&self, allocated: &[(ObjectId, AllocId)]) -> Vec<(ObjectId, AllocId)> {
        // For each object, whether it was visited, and how it is allocated.
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
}
