//! The kinds of slots: values, references, arena indices, names.

use crate::model::ids::{AllocId, ClassId, FieldId};

/// What the slots of a field range over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotKind {
    /// The values `0..len` of the field's list.
    Value { len: u32 },
    /// The nulls, then the objects of `target` in order.
    Reference(Reference),
    /// The nulls, then the positions of an arena.
    Index(Index),
    /// The nulls, then values of which only equality matters.
    Name(Name),
}

/// An index that names an element of an arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Index {
    /// The number of leading values that name no element.
    pub(crate) nulls: u32,
    /// The field of the arena's length.
    pub(crate) arena: FieldId,
}

/// A value of which only equality matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    /// The number of leading values that are no names.
    pub(crate) nulls: u32,
    /// The number of values, the nulls included.
    pub(crate) len: u32,
    /// The group: names of one group are compared with each other.
    pub(crate) group: u32,
}

/// A reference to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    /// The class of the object.
    pub(crate) target: ClassId,
    /// The number of leading indices that stand for no object: `None`, a dangling `Weak`.
    pub(crate) nulls: u32,
    /// What the reference does with its object.
    pub(crate) edge: Edge,
    /// Whether interior mutability allows the reference, or what it points to, to change after its creation. Such a
    /// reference may close a cycle.
    pub(crate) settable: bool,
    /// How the object is allocated.
    pub(crate) alloc: AllocId,
}

/// What a reference does with the object that it points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    /// By value, in a vector or a map: the object is a part of its holder and of nothing else.
    Part,
    /// `Box`: the only owner.
    Owned,
    /// `Rc`: one of several owners.
    Shared,
    /// `Weak`: does not keep its object alive.
    Weak,
    /// A raw pointer: owns nothing, but its object exists all the same. The structure itself is responsible for freeing it.
    Raw,
}

impl Edge {
    /// Returns whether dropping the holder takes part in dropping the object.
    pub(crate) fn owns(self) -> bool {
        match self {
            Edge::Part | Edge::Owned | Edge::Shared => true,
            Edge::Weak | Edge::Raw => false,
        }
    }
}

impl Reference {
    /// Returns the ordinal of the object that an index stands for, or `None` for null.
    #[inline]
    pub(crate) fn object(self, index: u32) -> Option<u32> {
        index.checked_sub(self.nulls)
    }
}
