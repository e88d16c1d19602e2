//! Permutes the elements of arenas and sets, or names, in an assignment, and renames everything that refers to them.
//! The result is the same value up to the symmetries by which the search prunes.

use std::ops::Range;

use crate::model::ids::{SlotId, small};
use crate::slots::kinds::{Name, SlotKind};
use crate::slots::layout::Layout;
use crate::slots::sequences::Sequence;

/// Something whose order the search treats as meaningless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Movable {
    /// The elements of a vector, given by its number in `Layout::sequences`, with those of the vectors beside it.
    Elements(u32),
    /// The names of a group.
    Names(u32),
}

/// A permutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Reversed,
    /// Moves each by one place, and the last to the front.
    Rotated,
    /// Exchanges two neighbours, the first of which has this number, modulo the number of pairs.
    Exchanged(u32),
}

impl Order {
    /// Returns different permutations of `count` things; `number` selects the neighbours that one of them exchanges.
    pub(crate) fn some(count: u32, number: u32) -> Vec<Order> {
        if count == 2 {
            return vec![Order::Reversed];
        }
        vec![Order::Reversed, Order::Rotated, Order::Exchanged(number)]
    }

    /// Returns the new place of one of `count` things; `count` is at least two.
    fn place(self, at: u32, count: u32) -> u32 {
        match self {
            Order::Reversed => count - 1 - at,
            Order::Rotated => (at + 1) % count,
            Order::Exchanged(first) => match at.checked_sub(first % (count - 1)) {
                Some(0) => at + 1,
                Some(1) => at - 1,
                _ => at,
            },
        }
    }
}

impl Layout {
    /// Returns whether the search may prune values because of their order.
    pub(crate) fn has_movables(&self) -> bool {
        !self.sequences.is_empty() || self.name_groups > 0
    }

    /// Returns what can be reordered in a value, each with its number of things, which is at least two.
    pub(crate) fn movables<'l>(&'l self, values: &'l [u32]) -> impl Iterator<Item = (Movable, u32)> + 'l {
        let len = |sequence: &Sequence| sequence.lens.get(values[sequence.len_slot.index()] as usize).copied();
        let elements = (0..)
            .zip(&self.sequences)
            .map(move |(number, sequence)| (Movable::Elements(number), len(sequence).unwrap_or(0)));
        let names = (0..self.name_groups).map(|group| {
            let names = self.fields.iter().filter_map(|field| self.name_of(field.kind, group));
            (Movable::Names(group), names.map(|name| name.len - name.nulls).max().unwrap_or(0))
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
    pub(crate) fn movable_name(&self, movable: Movable) -> (String, &'static str) {
        let (field, declared) = match movable {
            Movable::Elements(number) => {
                let Sequence { len_field, role, .. } = &self.sequences[number as usize];
                (Some(&self.fields[len_field.index()]), if role.arena { "index_of" } else { "set" })
            }
            Movable::Names(group) => {
                (self.fields.iter().find(|field| self.name_of(field.kind, group).is_some()), "identity")
            }
        };
        (field.map_or_else(String::new, |field| self.declared_name(field.declared)), declared)
    }

    /// Permutes the `count` things of a value, and nothing else.
    pub(crate) fn reorder(&self, values: &mut [u32], (movable, count): (Movable, u32), order: Order) {
        let all = (0..values.len()).map(SlotId::new);
        match movable {
            Movable::Names(group) => {
                for slot in all {
                    if let Some(name) = self.name_of(self.kind(slot), group) {
                        rename(&mut values[slot.index()], name.nulls, count, order);
                    }
                }
            }
            Movable::Elements(number) => {
                let sequence = &self.sequences[number as usize];
                for slot in all.filter(|_| sequence.role.arena) {
                    if let SlotKind::Index(of) = self.kind(slot)
                        && self.place(slot).index_of == Some(number)
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
fn rename(index: &mut u32, nulls: u32, count: u32, order: Order) {
    if let Some(at) = index.checked_sub(nulls).filter(|&at| at < count) {
        *index = nulls + order.place(at, count);
    }
}

/// Moves the contents of elements; all elements have slots of the same kinds.
fn move_elements(values: &mut [u32], elements: &[Range<u32>], order: Order) {
    let of_element = |slots: &Range<u32>| slots.start as usize..slots.end as usize;
    let before: Vec<Vec<u32>> = elements.iter().map(|slots| values[of_element(slots)].to_vec()).collect();
    for (at, element) in (0..).zip(before) {
        let slots = &elements[order.place(at, small(elements.len())) as usize];
        values[of_element(slots)].copy_from_slice(&element);
    }
}

#[cfg(test)]
mod tests {
    use super::Order;

    #[test]
    fn every_order_is_a_permutation_and_another_one() {
        for count in 2..6 {
            for order in [Order::Reversed, Order::Rotated, Order::Exchanged(0), Order::Exchanged(7)] {
                let mut places: Vec<u32> = (0..count).map(|at| order.place(at, count)).collect();
                assert!(places.iter().zip(0..).any(|(&place, at)| place != at), "{order:?} of {count}");
                places.sort_unstable();
                assert_eq!(places, (0..count).collect::<Vec<_>>(), "{order:?} of {count}");
            }
        }
    }
}
