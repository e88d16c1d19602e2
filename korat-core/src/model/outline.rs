//! A value as plain data, for drawing it: its objects and the contents of their fields.

/// The objects of one value, the root first. A depth-first walk along owning references meets the others in this order; raw and
/// weak references are followed only to objects that have no owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// The objects, each once.
    pub objects: Vec<OutlineObject>,
}

/// One object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineObject {
    /// The class; for an enum, with the variant: `Expr::Add`.
    pub class: String,
    /// The fields in order. The elements of a vector are fields, after its length.
    pub fields: Vec<(String, OutlineValue)>,
    /// The fields that are arenas: vectors whose elements are named by indices.
    pub arenas: Vec<String>,
}

/// The contents of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutlineValue {
    /// A plain value, formatted.
    Plain(String),
    /// A reference of this kind to no object.
    Null(OutlineLink),
    /// A reference to the object at this position of `Outline::objects`.
    Object {
        /// The position.
        to: usize,
        /// What the reference does with the object.
        link: OutlineLink,
    },
    /// An index into an arena.
    Index {
        /// The index, formatted.
        shown: String,
        /// The element that it names, if any.
        element: Option<OutlineElement>,
    },
}

/// What a reference does with the object that it points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutlineLink {
    /// The object is a part of its holder, in a vector or a map.
    Part,
    /// A `Box`: the only owner.
    Owned,
    /// An `Rc` or `Arc`: one of several owners.
    Shared,
    /// A `Weak`.
    Weak,
    /// A raw pointer.
    Raw,
}

/// An element of an arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineElement {
    /// The position of the object that has the arena.
    pub holder: usize,
    /// The vector, one of `OutlineObject::arenas`.
    pub arena: String,
    /// The position in the vector.
    pub position: usize,
}
