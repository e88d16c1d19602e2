//! Pictures of values: as text for a terminal, as SVG, as DOT, and a page with many of them. Takes outlines, gives text; writes
//! no file and runs no search, but for [`Search::dot`](crate::Search::dot) and what its tests use.

use std::fmt::{Arguments, Write};

mod curve;
mod dot;
mod fields;
mod gallery;
mod layout;
mod line;
mod plot;
mod scene;
mod search;
mod svg;
#[cfg(test)]
mod tests;
mod text;
mod tree;

pub(crate) use dot::dot;
pub(crate) use gallery::{Gallery, Totals};
pub(crate) use line::line;
pub(crate) use search::write_gallery;
pub(crate) use svg::svg;
pub(crate) use text::text;

/// Appends to a text.
fn put(text: &mut String, more: Arguments<'_>) {
    text.write_fmt(more).expect("writing to a string cannot fail");
}

/// The character as pictures show it: what moves a cursor would spoil the lines, and XML has no way to write it.
fn drawable(c: char) -> char {
    match c {
        '\n' | '\t' => ' ',
        c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => '\u{fffd}',
        c => c,
    }
}
