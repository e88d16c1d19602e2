//! The name of a type with its arguments, as replays, regressions and snapshots know it.

use std::any::type_name;

use korat_core::Finitize;

/// Returns `Ring`, or `Ring<u8>` for a generic type, without module paths.
pub(crate) fn type_text<T: Finitize>() -> String {
    let full = type_name::<T>();
    match full.find('<') {
        None => T::NAME.to_string(),
        Some(arguments) => format!("{}{}", T::NAME, without_paths(&full[arguments..])),
    }
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
    use super::without_paths;

    #[test]
    fn arguments_lose_their_paths() {
        assert_eq!(
            without_paths("<u8, a::b::Pair<core::option::Option<x::Y>, [z::Z; 3]>>"),
            "<u8, Pair<Option<Y>, [Z; 3]>>"
        );
    }
}
