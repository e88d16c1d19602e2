//! The name of a type with its arguments, as replays, regressions and snapshots know it.

use std::any::type_name;

use korat_core::Finitize;

/// Returns `Ring`, or `Ring<u8>` for a generic type, without module paths.
pub(crate) fn type_text<T: Finitize>() -> String {
    format!("{}{}", T::NAME, without_paths(arguments(type_name::<T>())))
}

/// Returns the name of any type, without module paths.
pub(crate) fn any_type_text<T>() -> String {
    without_paths(type_name::<T>())
}

/// Returns the arguments at the end of a type's name; those of a function around the type are none of its own.
fn arguments(full: &str) -> &str {
    if !full.ends_with('>') {
        return "";
    }
    let mut depth = 0;
    let start = full.char_indices().rev().find(|(_, c)| {
        depth += i32::from(*c == '>') - i32::from(*c == '<');
        depth == 0
    });
    start.map_or("", |(start, _)| &full[start..])
}

fn without_paths(text: &str) -> String {
    let mut shown = String::new();
    let mut word = String::new();
    for letter in text.chars() {
        if letter.is_alphanumeric() || letter == '_' {
            word.push(letter);
        } else if letter == ':' {
            word.clear();
        } else {
            shown.push_str(&word);
            word.clear();
            shown.push(letter);
        }
    }
    shown + &word
}

#[cfg(test)]
mod tests {
    use super::{arguments, without_paths};

    #[test]
    fn only_the_types_own_arguments_count() {
        let cases = [
            ("a::Ring", ""),
            ("a::Ring<b::Pair<u8>, u8>", "<b::Pair<u8>, u8>"),
            ("a::check<u8>::Ring", ""),
            ("<a::S as a::Tr<u8>>::check::Ring<u8>", "<u8>"),
        ];
        for (full, own) in cases {
            assert_eq!(arguments(full), own, "{full}");
        }
    }

    #[test]
    fn arguments_lose_their_paths() {
        assert_eq!(
            without_paths("<u8, a::b::Pair<core::option::Option<x::Y>, [z::Z; 3]>>"),
            "<u8, Pair<Option<Y>, [Z; 3]>>"
        );
    }
}
