//! Names snapshots after the type and the bounds, in characters that are valid in file names.

use korat_core::{Finitize, Unread};

use crate::config::Sizes;
use crate::pool::Wanted;
use crate::type_text::type_text;

/// Returns `SearchTree_scope_3` or, with more bounds than the scope, `SearchTree_scope_3_Node_2_Node.key`.
pub(super) fn bounds_name<T: Finitize>(wanted: &Wanted<T>) -> String {
    let name = format!("{}_scope_{}", type_text::<T>(), wanted.bounds.scope());
    file_name(&said(wanted).into_iter().fold(name, |name, said| format!("{name}_{said}")))
}

/// Returns `SearchTree at scope 3` or, with more bounds than the scope, `SearchTree at scope 3 (Node <= 2, Node.key)`.
pub(super) fn bounds_text<T: Finitize>(wanted: &Wanted<T>) -> String {
    let text = format!("{} at scope {}", type_text::<T>(), wanted.bounds.scope());
    let said = said(wanted);
    if said.is_empty() { text } else { format!("{text} ({})", said.join(", ")) }
}

/// Returns the restrictions on the values other than type, scope and limit.
fn said<T: Finitize>(Wanted { bounds, config }: &Wanted<T>) -> Vec<String> {
    let mut said = bounds.overridden();
    match &config.sizes {
        Sizes::All => {}
        Sizes::Scope => said.push("exact".to_string()),
        Sizes::Range(sizes) => said.push(format!("sizes {} to {}", sizes.start(), sizes.end())),
    }
    match config.unread {
        Unread::All => {}
        Unread::First => said.push("unread first".to_string()),
    }
    said
}

/// Replaces every sequence of characters that do not belong in a file name by one `_`.
fn file_name(text: &str) -> String {
    let mut name = String::new();
    for letter in text.chars() {
        if letter.is_alphanumeric() || letter == '.' {
            name.push(letter);
        } else if !name.ends_with('_') {
            name.push('_');
        }
    }
    name.trim_end_matches('_').to_string()
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn names_have_letters_that_files_may_have() {
        assert_eq!(file_name("Ring<u8, Option<Y>>_scope_3"), "Ring_u8_Option_Y_scope_3");
        assert_eq!(file_name("Ring<Y>"), "Ring_Y");
    }
}
