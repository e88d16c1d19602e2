//! The guide under `docs/`: its chapters, links and blocks are all there, and the output that it shows is that of real runs. That its
//! examples compile and hold is for the doctests of this crate, see `src/guide.rs`.

pub mod book;
pub mod chapter;
mod limits;
mod package;
mod picture;
mod shown;
