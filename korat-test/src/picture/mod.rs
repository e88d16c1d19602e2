//! Draws values as text for a terminal, as SVG, as DOT, and as a page with many pictures. Works on outlines; only
//! [`Search::dot`](crate::Search::dot) and its siblings run a search.

use std::fmt::{Arguments, Write};

mod detour;
mod dot;
mod fields;
mod gallery;
mod lanes;
mod layout;
mod line;
mod nulls;
mod plot;
mod routes;
mod scene;
mod search;
mod shapes;
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

/// Appends formatted text.
fn put(text: &mut String, more: Arguments<'_>) {
    text.write_fmt(more).expect("writing to a string cannot fail");
}

/// Replaces a character that pictures cannot show: control characters would break the lines, and XML cannot represent them.
fn drawable(c: char) -> char {
    match c {
        '\n' | '\t' => ' ',
        c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => '\u{fffd}',
        c => c,
    }
}
