//! What people are told: every text is that of a real run, in a process of its own. The scenarios are ignored tests of this
//! binary, which the others run.

mod child;
mod dying;
mod endings;
mod failures;
mod kept;
mod pasted;
mod sampled;
mod scenarios;
mod settings;
