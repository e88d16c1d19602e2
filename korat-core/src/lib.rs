//! The search engine of korat. Users depend on `korat-test`, whose library is named `korat`; this crate is its inside.
//!
//! Data flows one way: `bounds -> plan -> heap -> engine -> search`. A class describes itself to the planner through its
//! codecs ([`Codec`](__private::Codec)), the heap makes its objects, the engine chooses values for their slots, the search
//! runs the predicate, lifted or lowered to a machine, and the codecs build the user's value from the slots.
//!
//! `unsafe` is in `slot`, `ambient`, `arena`, `pages`, `survivor`, `domain`, `ahead`, `plan` (what it keeps), `class` (tables of views), `engine` (`stack`, `choice`,
//! `decision`, `picks`, `rerun`, `rules`, `targets`, `as_it_was`), `search` (leaving the heap), `alloc`, `codec` (`joint`, `skipped`), `settled`, `abstraction`,
//! `compared::reading`, `repair` (and `write`), `undo`, `machine`, and in `twin` (`pointer`, `elem`, `slice`, `vec`, `deque`, `keyed`, `table`, `sorted`,
//! `cell`, `own_ref_cell`, `seen_cell`), and nowhere else. What carries it is said in the header of each.

mod abstraction;
mod adapter;
mod ahead;
mod alloc;
mod ambient;
mod arena;
mod bounds;
mod census;
mod class;
mod clock;
mod codec;
#[doc(hidden)]
pub mod compared;
mod cut;
mod cycles;
mod domain;
mod engine;
mod error;
mod extent;
mod field_use;
mod heap;
mod ids;
mod lift;
mod machine;
mod outline;
mod pages;
mod plan;
mod repair;
mod retired;
mod rewrite;
mod search;
mod settings;
mod settled;
mod slot;
mod slot_vector;
mod survivor;
#[doc(hidden)]
pub mod twin;
mod undo;

pub use abstraction::OutOfBounds;
#[cfg(feature = "petgraph")]
pub use adapter::{GraphWeight, graph_weights};
pub use ambient::Limits;
pub use bounds::{Bounds, FieldOf, IntoValue};
pub use class::{Finitize, RepOk};
pub use engine::{Counters, Target};
pub use error::{Disagreement, SearchError, panic_message};
pub use field_use::FieldUse;
pub use machine::{Explanation, Profile, ProfiledField, ProfiledLine, ReadLast, Statement};
pub use outline::{Outline, OutlineElement, OutlineLink, OutlineObject, OutlineValue};
pub use plan::BoundsError;
pub use repair::{
    Attempt, BrokenOff, CannotBegin, Change, Effort, Fix, Fresh, NotRepaired, NotWritten, Rejection, Repairer,
};
pub use search::{Abstract, Candidate, Checked, Kept, Searcher, Step, is_checking};
pub use settings::{Backtracking, Pruning, SelfCheck, Settings, Unread};
pub use slot_vector::{NoSuchValue, SlotVector};
pub use survivor::{Left, Survivor};

/// `vec!` in a lifted predicate.
#[doc(hidden)]
#[macro_export]
macro_rules! __korat_vec {
    // The value is evaluated before the length.
    ($value:expr; $len:expr) => {
        match ($value, $len) {
            (value, len) => {
                let mut vec = $crate::twin::Vec::new();
                vec.resize(len, value);
                vec
            }
        }
    };
    ($($value:expr),* $(,)?) => {
        $crate::twin::Vec::of([$($value),*])
    };
}

/// What generated code names. Nothing here is for people, nor is it sound in other hands: `Frames` and `Local` rely on the contract that
/// generated code keeps, without `unsafe`, because it lies in crates that may forbid that.
#[doc(hidden)]
pub mod __private {
    pub use crate::abstraction::{Abstraction, OutOfBounds};
    pub use crate::alloc::Pointee;
    pub use crate::ambient::{call, step};
    pub use crate::bounds::{into_values, listed};
    pub use crate::class::{Class, ClassOfPlain, Codec, Field, Finitize, Lift, NoOwnDrop, OwnDrop, RepOk, Seen, View};
    pub use crate::codec::{
        Elementwise, HasLen, Inline, Listed, MaybeInline, NoDomain, ObjectOf, Optional, PlainField, Position, Skipped,
        elementwise, lens, optional_values, plain_values,
    };
    pub use crate::compared;
    pub use crate::cut::scope_of_combined;
    pub use crate::cycles::AnyStrong;
    pub use crate::machine::{
        AnyType, Captured, CapturedAny, CapturedCopy, CapturedMut, Clonable, Control, Frames, FromResidual, Itself,
        Lend, Local, Locked, Look, Machine, MachineInfo, NO_BLOCK, NotClonable, NotRestorable, Opaque, Probe, Receive,
        Restorable, Taken, TakenAny, TakenInto, TakenIterator, TakenObject, TakenOption, TakenOrd, TakenPlain, Target,
        Translucent, Tried, Unlocked, block, ends_early, moved, passing,
    };
    pub use crate::plan::{Attrs, Planner, SlotMaker};
    pub use crate::rewrite::Rewrite;
    pub use crate::slot::{AnySlot, Mark, Read, Shown, Slot};
    pub use crate::undo::{LateDrop, Workbench, touch};
    pub use crate::{__korat_vec as vec, twin};
    // Std names for generated code, whatever the user's module calls its own types.
    pub use std;
}
