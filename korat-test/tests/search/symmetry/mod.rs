//! Values up to the order of elements that have none: arenas whose indices stand for references, names of which only equality
//! matters, sets. Every structure is compared with all its values made by hand, brought into one form by trying every order.

mod arenas;
mod array_arenas;
mod beside;
mod names;
mod own_indices;
mod sets;
mod std_types;

use korat::{Finitize, Search, rep_ok};

use crate::by_hand::{agree, lists, orders};

/// Every list of up to `len` elements from `choices`.
fn lists_up_to<T: Clone>(choices: &[T], len: usize) -> Vec<Vec<T>> {
    (0..=len).flat_map(|len| lists(choices, len)).collect()
}

/// The numbers with names in the order of their first mention.
fn renamed(names: impl IntoIterator<Item = u8>) -> Vec<usize> {
    let mut known = Vec::new();
    let number = |name| {
        known.iter().position(|&one| one == name).unwrap_or_else(|| {
            known.push(name);
            known.len() - 1
        })
    };
    names.into_iter().map(number).collect()
}
