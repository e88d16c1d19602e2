//! The engine: which slot holds which index, in what order they were chosen, and what comes next. It knows slots,
//! objects and classes by number only: no Rust types, no syntax, no values.

pub(crate) mod assignment;
pub(crate) mod canonical;
pub(crate) mod choice;
pub(crate) mod choice_stack;
pub(crate) mod descent;
pub(crate) mod describe;
pub(crate) mod filtered;
pub(crate) mod frontier;
pub(crate) mod isomorphism;
pub(crate) mod ownership;
pub(crate) mod prefix;
pub(crate) mod promises;
pub(crate) mod reordering;
pub(crate) mod rerun;
pub(crate) mod resume_point;
pub(crate) mod rules;
pub(crate) mod sharing;
pub(crate) mod stop;
pub(crate) mod symmetry;
pub(crate) mod trail;
pub(crate) mod type_violation;
pub(crate) mod values;
