//! Structures and protocols that are explored from their operations: every state that they can reach. Each also has a seeded bug, which
//! is found with the shortest sequence of operations.
//!
//! | | |
//! | --- | --- |
//! | beside an invariant | [`tree_map`], [`file_system`] |
//! | beside a model | [`two_stack_queue`], [`cache`] |
//! | with a monitor, and messages that get lost | [`connection`] |

#[cfg(test)]
pub(crate) mod breadth_first;
pub mod cache;
pub mod connection;
pub mod file_system;
pub mod tree_map;
pub mod two_stack_queue;
