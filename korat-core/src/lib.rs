//! The search engine of korat. Users depend on `korat-test`, whose library is named `korat`; this crate is its implementation.
//!
//! Data flows one way: `bounds -> plan -> heap -> engine -> search`. A class describes itself to the planner through
//! its codecs ([`Codec`](__private::Codec)), the heap creates the objects, the engine chooses values for their slots,
//! the search runs the predicate (lifted, or lowered to a machine), and the codecs build the user's value from the
//! slots.
//!
//! Small functions that generated code calls for every statement are `#[cfg_attr(not(debug_assertions), inline(always))]`: in a release
//! build they vanish in the caller, and in a dev build they stay in this crate, which users are told to optimise, instead of being
//! compiled again without optimisation in theirs.
//!
//! Unsafe code is confined to the files below; a file whose argument spans several blocks states it in its header.
//!
//! - `memory`: every file
//! - `slots`: `domain`, `slot`, `slot_handle`
//! - `class`: `abstraction`, `alloc`, `fixed_slots`, `form::write`, `skipped_cell`, `table`, and in `plan`: `planner`, `slot_maker`
//! - `codec`: `inline`, `raw_cell`, `tuple_option`
//! - `engine`: `choice`, `choice_stack`, `rerun`, `resume_point`, `rules`
//! - `predicate`: `compared::operand`, `context`; in `machine`: `frame`, `local`, `saved_by_clone` and the module itself; in
//!   `undo`: `bits`, `data_handle`, `late_drop`, `log`, `reentry` and the module itself; in `twin`: `array`, `cell`, `deque`,
//!   `deque_edit`, `deque_iter`, `elem`, `keyed`, `maybe_uninit`, `own_ref_cell`, `pointer`, `ring`, `slice`, `sorted`,
//!   `sorted_entries`, `structure_cell`, `table`, `table_entries`, `vec`, `vec_edit`, `vec_iter`
//! - `search`: `lifecycle`
//! - `repair`: `borrowed_value`, `describe`, `write` and the module itself

#![cfg_attr(not(feature = "repair"), allow(dead_code, reason = "some of it serves repairs only"))]

mod class;
mod codec;
mod engine;
mod heap;
mod memory;
mod model;
mod predicate;
#[cfg(feature = "repair")]
mod repair;
mod search;
mod slots;
mod summary;

#[doc(hidden)]
pub use predicate::{compared, twin};

pub use crate::class::abstraction::OutOfBounds;
pub use crate::class::bounds::{Bounds, FieldOf, IntoValue};
pub use crate::class::bounds_size::FreshObjects;
pub use crate::class::form::{Forms, NoForm, SharedObjects};
pub use crate::class::shared_bounds::SharedBounds;
pub use crate::class::traits::{Finitize, RepOk};
#[cfg(feature = "petgraph")]
pub use crate::codec::adapter::{GraphWeight, graph_weights};
pub use crate::engine::sharing::PieceStart;
pub use crate::heap::field_use::FieldUse;
pub use crate::heap::retired::join_thread;
pub use crate::heap::slot_vector::{NoSuchValue, SlotVector};
pub use crate::memory::crash_file::{CrashFile, CrashFileContents};
pub use crate::model::bounds_error::BoundsError;
pub use crate::model::counters::Counters;
pub use crate::model::error::{Disagreement, SearchError, panic_message};
pub use crate::model::outline::{Outline, OutlineElement, OutlineLink, OutlineObject, OutlineValue};
pub use crate::model::part::Part;
pub use crate::model::settings::{Backtracking, Limits, Pruning, SelfCheck, Settings, Unread};
pub use crate::model::turns::Turns;
pub use crate::predicate::caught_panics::is_panic_caught;
pub use crate::predicate::machine::explain::{Explanation, Statement};
pub use crate::predicate::machine::profile::{Profile, ProfiledField, ProfiledLine, ReadLast};
#[cfg(feature = "repair")]
pub use crate::repair::Repairer;
#[cfg(feature = "repair")]
pub use crate::repair::choices::alternatives::Target;
#[cfg(feature = "repair")]
pub use crate::repair::choices::state::Interruption;
#[cfg(feature = "repair")]
pub use crate::repair::describe::{Change, Fix};
#[cfg(feature = "repair")]
pub use crate::repair::outcome::{Attempt, CannotBegin, Effort, NamedFields, NotRepaired, Rejection};
#[cfg(feature = "repair")]
pub use crate::repair::write::NotWritten;
pub use crate::search::bookmark::Bookmark;
pub use crate::search::candidate::Candidate;
pub use crate::search::current_value::CanonicalValue;
pub use crate::search::descent::{Descended, Simpler};
pub use crate::search::kept_values::KeptValues;
pub use crate::search::sample::Checked;
pub use crate::search::searcher::{PatchedValue, Searcher};
pub use crate::search::untyped::{StepResult, UntypedSearcher};
pub use crate::summary::effort::SummaryEffort;
pub use crate::summary::explain::MethodNote;
pub use crate::summary::natural::Natural;
pub use crate::summary::solver::Solving;

/// Replaces `vec!` in a lifted predicate.
#[doc(hidden)]
#[macro_export]
macro_rules! __korat_vec {
    // `vec!` evaluates the value before the length.
    ($value:expr; $len:expr) => {
        match ($value, $len) {
            (value, len) => {
                let mut vec = $crate::__private::twin::Vec::new();
                vec.resize(len, value);
                vec
            }
        }
    };
    ($($value:expr),* $(,)?) => {
        $crate::__private::twin::Vec::of([$($value),*])
    };
}

/// Items that generated code names. They are not a public interface, and not sound in other hands: `Frames` and `Local`
/// rely on a contract that generated code upholds without `unsafe`, because the user's crate may forbid `unsafe`.
#[doc(hidden)]
pub mod __private {
    // Generated code reaches std through this path, whatever names the user's module declares.
    pub use std;

    pub use crate::__korat_vec as vec;
    pub use crate::class::abstraction::{Abstraction, OutOfBounds};
    pub use crate::class::alloc::pointee::Pointee;
    pub use crate::class::bounds::{into_values, listed};
    pub use crate::class::codec::{Codec, Field};
    pub use crate::class::copies::{CloneOut, Copies, both_copied, cloned_out, copied};
    pub use crate::class::cycles::AnyStrong;
    pub use crate::class::form::{FormReader, FormWriter};
    pub use crate::class::lift::{HasLift, LiftOr, Lifting, NoLift, TwinOr};
    pub use crate::class::list_cap::scope_of_combined;
    pub use crate::class::patch::Patch;
    pub use crate::class::plan::index::Position;
    pub use crate::class::plan::planner::{Attrs, Planner};
    pub use crate::class::plan::slot_maker::SlotMaker;
    pub use crate::class::rewrite::Rewrite;
    pub use crate::class::traits::{Class, ClassOfPlain, Finitize, Lift, NoOwnDrop, OwnDrop, RepOk, Verdict, View};
    pub use crate::codec::inline::{Inline, MaybeInline, ObjectOf};
    pub use crate::codec::listed::{Listed, Optional, PlainField, optional_values, plain_values};
    pub use crate::codec::pointed::{Pointed, ToObject, ToValue};
    pub use crate::codec::pointer::NoDomain;
    pub use crate::codec::record::{MaybeRecord, Record, RecordOf};
    pub use crate::codec::sequence::{Elementwise, HasLen, elementwise, lens};
    pub use crate::codec::skipped::{HasherParameter, Skipped};
    pub use crate::codec::tuple_option::Copied;
    pub use crate::codec::via::values_via;
    pub use crate::predicate::caught_panics::panics_reject;
    pub use crate::predicate::context::{call, step};
    pub use crate::predicate::machine::early::early;
    pub use crate::predicate::machine::explain::{MachineInfo, NO_BLOCK, block};
    pub use crate::predicate::machine::frame::Frames;
    pub use crate::predicate::machine::local::{Lend, Local, Look, Receive, moved};
    pub use crate::predicate::machine::probe::{
        AnyType, Clonable, LockFree, MaybeLocked, MutReference, NotClonable, NotMutReference, NotRestorable, Opaque,
        Probe, Restorable, Translucent, check_early_drop, check_temporary_drop,
    };
    pub use crate::predicate::machine::receiver::{
        Captured, CapturedAny, CapturedCopy, CapturedMut, Receiver, ReceiverAny, ReceiverInto, ReceiverIterator,
        ReceiverObject, ReceiverOption, ReceiverOrd, ReceiverPlain,
    };
    pub use crate::predicate::machine::try_operator::{FromResidual, Try};
    pub use crate::predicate::machine::{Control, Machine};
    pub use crate::predicate::undo::bits::touch;
    pub use crate::predicate::undo::late_drop::LateDrop;
    pub use crate::predicate::undo::test_workspace::TestWorkspace;
    pub use crate::predicate::{calls, compared, twin};
    pub use crate::slots::object_view::{Located, ObjectView};
    pub use crate::slots::slot::{AnySlot, Read, ReadCell, Slot, ViewMarker};
}
