//! Plain data that all other modules use: ids, settings, limits, errors.

pub(crate) mod bounds_error;
pub(crate) mod counters;
pub(crate) mod deadline;
pub(crate) mod error;
pub(crate) mod ids;
pub(crate) mod outline;
pub(crate) mod part;
pub(crate) mod settings;
pub(crate) mod turns;
