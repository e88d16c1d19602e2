//! The way back: the user's value becomes an assignment. Objects are numbered in the order in which a walk over the fields
//! first meets them, so two values are isomorphic exactly when their assignments are equal.

use std::any::Any;
use std::fmt;

use ahash::AHashMap;

use crate::engine::UNASSIGNED;
use crate::ids::{AllocId, SlotId};
use crate::plan::PlannedAlloc;

/// The value is not one of the values within the bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutOfBounds {
    what: String,
}

impl OutOfBounds {
    pub(crate) fn value(what: impl fmt::Debug) -> Self {
        OutOfBounds { what: format!("{what:?} is not in the domain of its field") }
    }

    pub(crate) fn too_many_objects(class: &str) -> Self {
        OutOfBounds { what: format!("there are more objects of {class} than the bound allows") }
    }

    pub(crate) fn borrowed() -> Self {
        OutOfBounds { what: "a cell is borrowed mutably".to_string() }
    }
}

impl fmt::Display for OutOfBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for OutOfBounds {}

/// An assignment in the making.
pub struct Abstraction<'h> {
    values: Vec<u32>,
    allocs: &'h [PlannedAlloc],
    /// Per class, how many objects were met.
    met: Vec<u32>,
    /// Objects by address and way of allocation.
    numbers: AHashMap<(AllocId, usize), u32>,
    /// Keeps counted objects alive until they are walked, whatever user code that compares values does meanwhile.
    held: Vec<Box<dyn Any>>,
    /// Objects met whose fields are still to be walked.
    waiting: std::collections::VecDeque<(AllocId, u32, *const ())>,
}

impl<'h> Abstraction<'h> {
    /// Starts with the root met, which is the first object of its class.
    pub(crate) fn new(slots: usize, classes: usize, root_class: usize, allocs: &'h [PlannedAlloc]) -> Self {
        let mut met = vec![0; classes];
        met[root_class] = 1;
        Abstraction {
            values: vec![UNASSIGNED; slots],
            allocs,
            met,
            numbers: AHashMap::new(),
            held: Vec::new(),
            waiting: Default::default(),
        }
    }

    /// Holds an object until the walk is over.
    pub(crate) fn hold(&mut self, object: Box<dyn Any>) {
        self.held.push(object);
    }

    pub(crate) fn set(&mut self, slot: SlotId, index: u32) {
        self.values[slot.index()] = index;
    }

    /// The number of the object at `content` among the objects of its class; its fields are walked later.
    pub(crate) fn meet(
        &mut self,
        alloc: AllocId,
        class: usize,
        bound: usize,
        class_name: &str,
        content: *const (),
        has_address: bool,
    ) -> Result<u32, OutOfBounds> {
        // An object in a box is met by the box and by raw pointers to it.
        if has_address && let Some(&number) = self.numbers.get(&(alloc, content.addr())) {
            return Ok(number);
        }
        let number = self.met[class];
        if number as usize >= bound {
            return Err(OutOfBounds::too_many_objects(class_name));
        }
        self.met[class] += 1;
        self.numbers.insert((alloc, content.addr()), number);
        self.waiting.push_back((alloc, number, content));
        Ok(number)
    }

    /// Walks the fields of every object met.
    pub(crate) fn finish(mut self) -> Result<Vec<u32>, OutOfBounds> {
        while let Some((alloc, number, content)) = self.waiting.pop_front() {
            let table = self.allocs[alloc.index()].table;
            // SAFETY: `content` was met through a pointer of this way of allocation: a counted object, which `held` keeps
            // alive; or a boxed one inside the value that the caller holds by reference until this is done; or the target of
            // a raw pointer of that value, which is null or points to an object.
            unsafe { table.abstract_at(number as usize, content, &mut self)? };
        }
        Ok(self.values)
    }
}
