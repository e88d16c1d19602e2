//! Lifting and lowering: the generated forms of a predicate mean what the predicate means, whatever Rust it is written in, and
//! the machine resumes it after every choice.

mod alternating;
mod checkpoint;
mod compared;
mod containers;
mod forms;
mod hygiene;
mod machine;
mod self_check;
