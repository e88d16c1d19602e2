//! Draws values: as text for a terminal, and, with the feature `pictures`, as SVG, as DOT, and as a page with many
//! pictures. Works on outlines; only [`Search::draw`](crate::Search::draw) and its siblings run a search.

use std::fmt::{Arguments, Write};

mod fields;
#[cfg(feature = "pictures")]
mod graphic;
mod line;
mod search;
mod text;
mod tree;

#[cfg(feature = "merge")]
pub(crate) use graphic::merged_page;
#[cfg(feature = "pictures")]
pub(crate) use graphic::write_gallery;
pub(crate) use line::line;
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
