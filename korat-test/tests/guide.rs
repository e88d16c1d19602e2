//! The guide under `docs/`: its chapters, links and blocks are all there, and the output that it shows is that of real runs. That its
//! examples compile and hold is for the doctests of this crate, see `src/guide.rs`.

#[path = "guide/book.rs"]
mod book;
#[path = "guide/chapter.rs"]
mod chapter;
#[path = "guide/package.rs"]
mod package;
#[path = "guide/picture.rs"]
mod picture;
#[path = "guide/shown.rs"]
mod shown;
