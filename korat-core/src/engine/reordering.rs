//! Permutes the elements of arenas and sets, or names, in an assignment, and renames everything that refers to them.
//! The result is the same value up to the symmetries by which the search prunes.

use std::ops::Range;

use crate::model::ids::{SlotId, to_u32};
use crate::slots::kinds::{Name, SlotKind};
use crate::slots::layout::Layout;
use crate::slots::unordered::UnorderedVector;

/// Something whose order the search treats as meaningless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reorderable {
    /// The elements of a vector, given by its number in `Layout::unordered_vectors`, with those of the vectors beside it.
    Elements(u32),
    /// The names of a group.
    Names(u32),
}

/// A permutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Permutation {
    Reversed,
    /// Moves each by one place, and the last to the front.
    Rotated,
    /// Exchanges two neighbours, the first of which has this number, modulo the number of pairs.
    Exchanged(u32),
}

impl Permutation {
    /// Returns different permutations of `count` things; `number` selects the neighbours that one of them exchanges.
    pub(crate) fn some(count: u32, number: u32) -> Vec<Permutation> {
        if count == 2 {
            return vec![Permutation::Reversed];
        }
        vec![Permutation::Reversed, Permutation::Rotated, Permutation::Exchanged(number)]
    }

    /// Returns the new place of one of `count` things; `count` is at least two.
    fn place(self, at: u32, count: u32) -> u32 {
        match self {
            Permutation::Reversed => count - 1 - at,
            Permutation::Rotated => (at + 1) % count,
            Permutation::Exchanged(first) => match at.checked_sub(first % (count - 1)) {
                Some(0) => at + 1,
                Some(1) => at - 1,
                _ => at,
            },
        }
    }
}

impl Layout {
    /// Returns whether the search may prune values because of their order.
    pub(crate) fn has_reorderables(&self) -> bool {
        !self.unordered_vectors.is_empty() || self.name_groups > 0
    }

    /// Returns what can be reordered in a value, each with its number of things, which is at least two.
    pub(crate) fn reorderables<'l>(&'l self, values: &'l [u32]) -> impl Iterator<Item = (Reorderable, u32)> + 'l {
        let len = |sequence: &UnorderedVector| sequence.lens.get(values[sequence.len_slot.index()] as usize).copied();
        let elements = (0..)
            .zip(&self.unordered_vectors)
            .map(move |(number, sequence)| (Reorderable::Elements(number), len(sequence).unwrap_or(0)));
        let names = (0..self.name_groups).map(|group| {
            let names = self.fields.iter().filter_map(|field| self.name_of(field.kind, group));
            (Reorderable::Names(group), names.map(|name| name.len - name.nulls).max().unwrap_or(0))
        });
        elements.chain(names).filter(|&(_, count)| count >= 2)
    }

    fn name_of(&self, kind: SlotKind, group: u32) -> Option<Name> {
        match kind {
            SlotKind::Name(name) if name.group == group => Some(name),
            SlotKind::Name(_) | SlotKind::Value { .. } | SlotKind::Reference(_) | SlotKind::Index(_) => None,
        }
    }

    /// Returns the name of the field that is reordered, such as `List.nodes`, and the attribute that declares its order
    /// meaningless.
    pub(crate) fn reorderable_name(&self, reorderable: Reorderable) -> (String, &'static str) {
        let (field, declared) = match reorderable {
            Reorderable::Elements(number) => {
                let UnorderedVector { len_field, role, .. } = &self.unordered_vectors[number as usize];
                (Some(&self.fields[len_field.index()]), if role.arena { "index_of" } else { "set" })
            }
            Reorderable::Names(group) => {
                (self.fields.iter().find(|field| self.name_of(field.kind, group).is_some()), "identity")
            }
        };
        (field.map_or_else(String::new, |field| self.declared_name(field.declared)), declared)
    }

    /// Permutes the `count` things of a value, and nothing else.
    pub(crate) fn reorder(&self, values: &mut [u32], (reorderable, count): (Reorderable, u32), order: Permutation) {
        let all = (0..values.len()).map(SlotId::new);
        match reorderable {
            Reorderable::Names(group) => {
                for slot in all {
                    if let Some(name) = self.name_of(self.kind(slot), group) {
                        rename(&mut values[slot.index()], name.nulls, count, order);
                    }
                }
            }
            Reorderable::Elements(number) => {
                let sequence = &self.unordered_vectors[number as usize];
                for slot in all.filter(|_| sequence.role.arena) {
                    if let SlotKind::Index(of) = self.kind(slot)
                        && self.membership(slot).index_of == Some(number)
                    {
                        rename(&mut values[slot.index()], of.nulls, count, order);
                    }
                }
                for elements in sequence.columns() {
                    move_elements(values, &elements[..count as usize], order);
                }
            }
        }
    }
}

/// Renames an index that stands for one of `count` things.
fn rename(index: &mut u32, nulls: u32, count: u32, order: Permutation) {
    if let Some(at) = index.checked_sub(nulls).filter(|&at| at < count) {
        *index = nulls + order.place(at, count);
    }
}

/// Moves the contents of elements; all elements have slots of the same kinds.
fn move_elements(values: &mut [u32], elements: &[Range<u32>], order: Permutation) {
    let of_element = |slots: &Range<u32>| slots.start as usize..slots.end as usize;
    let before: Vec<Vec<u32>> = elements.iter().map(|slots| values[of_element(slots)].to_vec()).collect();
    for (at, element) in (0..).zip(before) {
        let slots = &elements[order.place(at, to_u32(elements.len())) as usize];
        values[of_element(slots)].copy_from_slice(&element);
    }
}

#[cfg(test)]
mod tests {
    use super::Permutation;

    #[test]
    fn every_order_is_a_permutation_and_another_one() {
        for count in 2..6 {
            for order in
                [Permutation::Reversed, Permutation::Rotated, Permutation::Exchanged(0), Permutation::Exchanged(7)]
            {
                let mut places: Vec<u32> = (0..count).map(|at| order.place(at, count)).collect();
                assert!(places.iter().zip(0..).any(|(&place, at)| place != at), "{order:?} of {count}");
                places.sort_unstable();
                assert_eq!(places, (0..count).collect::<Vec<_>>(), "{order:?} of {count}");
            }
        }
    }
}
