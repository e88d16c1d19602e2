//! Errors in bounds, with the messages that users see.

use std::fmt;

/// A bound that no search can run under.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoundsError {
    /// A field's domain is empty.
    EmptyDomain {
        /// `Class.field`.
        field: String,
        /// The scope the domain was evaluated at.
        scope: usize,
    },
    /// A domain contains something that is not a value of the field's type.
    NotRepresentable {
        /// `Class.field`.
        field: String,
        /// The scope the domain was evaluated at.
        scope: usize,
        /// The part that does not fit.
        what: String,
    },
    /// A domain lists a value twice, which would generate every structure with that value twice.
    Repeated {
        /// `Class.field`.
        field: String,
        /// The scope the domain was evaluated at.
        scope: usize,
        /// The repeated value.
        value: String,
    },
    /// The heap would have more slots than korat can number.
    TooLarge {
        /// The class with too many objects.
        class: String,
        /// The number of objects requested.
        objects: usize,
    },
    /// An override names a class that the root cannot reach, or a field without a domain of that type.
    NothingToOverride {
        /// The class, or `Class.field`.
        name: String,
    },
    /// A class contains itself by value, inside an `Option` or inside a tuple in a vector, so its fields would never end.
    HoldsItself {
        /// The class.
        class: String,
        /// The path of the field: `Class.field.field`.
        field: String,
    },
    /// `index_of` names no vector, or an ambiguous one.
    NoArena {
        /// `Class.field`.
        field: String,
        /// The name of the vector.
        arena: String,
        /// The number of vectors with that name. One means that several objects may have this vector.
        found: usize,
    },
    /// `index_of`, `identity` or `set` on a field that does not support it.
    NoMeaning {
        /// `Class.field`.
        field: String,
        /// The attribute: `index_of`, `identity` or `set`.
        what: &'static str,
    },
    /// `set` on a vector whose elements belong to those of another vector (`beside`).
    SetBeside {
        /// `Class.field`.
        field: String,
    },
    /// `beside` between arrays of different lengths, or between an array and a vector.
    NotAsLong {
        /// `Class.field`.
        field: String,
        /// The name of the other field.
        partner: String,
    },
    /// Fields of one `identity` group have different domains.
    DifferentNames {
        /// `Class.field`.
        field: String,
        /// The name of the group.
        group: String,
    },
    /// The bounds allow no object of the root's class.
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
                "set" => write!(f, "`set` is for vectors, and {field} is not one; remove it"),
                "identity" => write!(f, "`identity` is for plain values, and {field} has none; remove it"),
                _ => {
                    write!(f, "{field} holds no index; `{what}` is for integers, ids, and options and vectors of these")
                }
            },
            BoundsError::SetBeside { field } => {
                write!(f, "{field} is parallel to another vector, so it cannot be a set; remove `set` or `beside`")
            }
            BoundsError::NotAsLong { field, partner } => write!(
                f,
                "{field} is beside `{partner}`, but not always as long; make both vectors, or both arrays of one length"
            ),
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
