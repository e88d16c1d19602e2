//! Computes a canonical form of a value: numbers that are equal exactly for values that differ only in the numbering of
//! objects, in names, and in the order of elements that have none.
//!
//! First, hashes distinguish elements by their contents and by what leads to them, refined over several rounds. Then
//! all orders of the elements that still have equal hashes are tried, and the smallest form wins.

use std::collections::VecDeque;
use std::hash::{BuildHasher, Hash, Hasher};
use std::ops::Range;

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::model::ids::{ObjectId, SlotId};
use crate::slots::kinds::SlotKind;
use crate::slots::layout::Layout;
use crate::slots::unordered::UnorderedVector;

/// Rounds of refinement. More rounds would only save time, by leaving fewer ties.
const ROUNDS: usize = 4;

/// An item in a part of a value, in the order in which its codec visits the slots.
enum Item {
    Slot(SlotId),
    /// The elements of a vector without an order.
    Elements {
        sequence: usize,
        elements: Vec<Vec<Item>>,
    },
}

/// A value, decomposed into items.
struct Value<'v> {
    layout: &'v Layout,
    values: &'v [u32],
    root: ObjectId,
    /// For each object, its items.
    objects: FxHashMap<ObjectId, Vec<Item>>,
}

/// The hashes of objects and elements after some rounds of refinement.
struct Hashes {
    objects: FxHashMap<ObjectId, u64>,
    /// By sequence and position.
    elements: Vec<Vec<u64>>,
}

/// Returns the canonical form of the value that has these slots.
pub(super) fn form(layout: &Layout, values: &[u32], root: ObjectId, slots: &[SlotId]) -> Box<[u32]> {
    let mut by_object: FxHashMap<ObjectId, Vec<SlotId>> = FxHashMap::default();
    for &slot in slots {
        by_object.entry(layout.slots[slot.index()].object).or_default().push(slot);
    }
    let parse = |(object, slots): (ObjectId, Vec<SlotId>)| (object, grouped(layout, values, slots));
    let objects = by_object.into_iter().map(parse).collect();
    // Fixed seeds make every run of a search the same.
    let value = Value { layout, values, root, objects };
    let hashes = value.hashes();
    let mut orders: Vec<Vec<u32>> = vec![Vec::new(); layout.unordered_vectors.len()];
    let mut ties: Vec<(usize, Range<usize>)> = Vec::new();
    for items in value.objects.values() {
        value.sort_elements(items, &hashes, &mut orders, &mut ties);
    }
    let mut best: Option<Vec<u32>> = None;
    value.smallest(&mut orders, &ties, &mut best);
    best.expect("[korat internal bug] there is at least one order").into_boxed_slice()
}

/// Groups the slots of an object, or of a part of it, by the elements that they belong to. The length of a vector
/// without an order precedes its elements, and those of the vectors beside it, which lie elsewhere in the object.
fn grouped(layout: &Layout, values: &[u32], slots: Vec<SlotId>) -> Vec<Item> {
    let mut items = Vec::new();
    let mut rest = VecDeque::from(slots);
    while let Some(slot) = rest.pop_front() {
        items.push(Item::Slot(slot));
        // Sequences are sorted by the slots of their lengths.
        let Ok(number) = layout.unordered_vectors.binary_search_by_key(&slot, |sequence| sequence.len_slot) else {
            continue;
        };
        let sequence = &layout.unordered_vectors[number];
        let mut elements = vec![Vec::new(); sequence.lens[values[slot.index()] as usize] as usize];
        rest.retain(|&slot| match sequence.position_of(slot) {
            Some(position) => {
                elements[position].push(slot);
                false
            }
            None => true,
        });
        let elements = elements.into_iter().map(|slots| grouped(layout, values, slots)).collect();
        items.push(Item::Elements { sequence: number, elements });
    }
    items
}

impl Value<'_> {
    fn hash(&self, what: impl Hash) -> u64 {
        FxBuildHasher.hash_one(what)
    }

    /// Refines the hashes of objects and elements.
    fn hashes(&self) -> Hashes {
        let mut hashes = Hashes {
            objects: self.objects.keys().map(|&object| (object, 0)).collect(),
            elements: self.layout.unordered_vectors.iter().map(|sequence| vec![0; sequence.elements.len()]).collect(),
        };
        for _ in 0..ROUNDS {
            let mut next = Hashes { objects: FxHashMap::default(), elements: hashes.elements.clone() };
            // For each element, the hashes of the places from which an index leads to it.
            let mut incoming: FxHashMap<(u32, u32), Vec<u64>> = FxHashMap::default();
            for (&object, items) in &self.objects {
                let class = self.layout.objects[object.index()].class;
                let seen = self.hash_of_part(items, &hashes, hashes.objects[&object], &mut next, &mut incoming);
                next.objects.insert(object, self.hash((class.0, seen)));
            }
            for ((sequence, position), mut from) in incoming {
                from.sort_unstable();
                let element = &mut next.elements[sequence as usize][position as usize];
                *element = self.hash((*element, from));
            }
            hashes = next;
        }
        hashes
    }

    /// Returns the hash of a part, where `here` is the hash of the object or element that contains it. Nothing here may
    /// depend on positions.
    fn hash_of_part(
        &self,
        items: &[Item],
        hashes: &Hashes,
        here: u64,
        next: &mut Hashes,
        incoming: &mut FxHashMap<(u32, u32), Vec<u64>>,
    ) -> u64 {
        let mut hasher = FxBuildHasher.build_hasher();
        for item in items {
            match item {
                Item::Slot(slot) => {
                    let index = self.values[slot.index()];
                    let seen = match self.layout.kind(*slot) {
                        SlotKind::Value { .. } => u64::from(index),
                        SlotKind::Name(name) => u64::from(index < name.nulls),
                        SlotKind::Reference(reference) => match reference.object(index) {
                            Some(ordinal) => hashes.objects[&self.layout.object_of(reference, ordinal)],
                            None => u64::from(index),
                        },
                        SlotKind::Index(of) => {
                            match (index.checked_sub(of.nulls), self.layout.membership(*slot).index_of) {
                                (Some(position), Some(arena)) => {
                                    incoming.entry((arena, position)).or_default().push(here);
                                    hashes.elements[arena as usize][position as usize]
                                }
                                _ => u64::from(index),
                            }
                        }
                    };
                    seen.hash(&mut hasher);
                }
                Item::Elements { sequence, elements } => {
                    let mut all = Vec::new();
                    for (position, items) in elements.iter().enumerate() {
                        let before = hashes.elements[*sequence][position];
                        // A member of a set stands for the holder of the set.
                        let here = if self.layout.unordered_vectors[*sequence].role.arena { before } else { here };
                        let seen = self.hash_of_part(items, hashes, here, next, incoming);
                        next.elements[*sequence][position] = self.hash((before, seen));
                        all.push(seen);
                    }
                    all.sort_unstable();
                    all.hash(&mut hasher);
                }
            }
        }
        hasher.finish()
    }

    /// Sorts the elements of every vector without an order by their hashes, and collects the ties.
    fn sort_elements(
        &self,
        items: &[Item],
        hashes: &Hashes,
        orders: &mut [Vec<u32>],
        ties: &mut Vec<(usize, Range<usize>)>,
    ) {
        for item in items {
            let Item::Elements { sequence, elements } = item else { continue };
            elements.iter().for_each(|items| self.sort_elements(items, hashes, orders, ties));
            let seen = &hashes.elements[*sequence];
            let mut order: Vec<u32> = (0..elements.len() as u32).collect();
            order.sort_by_key(|&position| seen[position as usize]);
            if !self.is_sorted_by_form(&self.layout.unordered_vectors[*sequence]) {
                let mut start = 0;
                for end in 1..=order.len() {
                    if end == order.len() || seen[order[end] as usize] != seen[order[start] as usize] {
                        if end - start > 1 {
                            ties.push((*sequence, start..end));
                        }
                        start = end;
                    }
                }
            }
            orders[*sequence] = order;
        }
    }

    /// Returns whether the members are plain numbers in the form, which can be sorted there.
    fn is_sorted_by_form(&self, sequence: &UnorderedVector) -> bool {
        let is_number = |slots: &Range<u32>| {
            matches!(self.layout.kind(SlotId(slots.start)), SlotKind::Value { .. } | SlotKind::Index(_))
        };
        sequence.is_plain_set() && sequence.elements.iter().all(is_number)
    }

    /// Tries every order of the tied elements, and keeps the smallest form.
    fn smallest(&self, orders: &mut Vec<Vec<u32>>, ties: &[(usize, Range<usize>)], best: &mut Option<Vec<u32>>) {
        let Some(((sequence, range), rest)) = ties.split_first() else {
            let form = self.written(orders);
            if best.as_ref().is_none_or(|best| form < *best) {
                *best = Some(form);
            }
            return;
        };
        self.permutations(*sequence, range.clone(), orders, &mut |orders| self.smallest(orders, rest, best));
    }

    /// Calls `each` with every permutation of a range of one sequence's order.
    fn permutations(
        &self,
        sequence: usize,
        range: Range<usize>,
        orders: &mut Vec<Vec<u32>>,
        each: &mut dyn FnMut(&mut Vec<Vec<u32>>),
    ) {
        if range.len() <= 1 {
            each(orders);
            return;
        }
        for first in range.clone() {
            orders[sequence].swap(range.start, first);
            self.permutations(sequence, range.start + 1..range.end, orders, each);
            orders[sequence].swap(range.start, first);
        }
    }

    /// Writes the value as numbers: its elements in these orders, its objects and names numbered by first mention.
    fn written(&self, orders: &[Vec<u32>]) -> Vec<u32> {
        let ranks: Vec<Vec<u32>> = orders
            .iter()
            .map(|order| {
                let mut ranks = vec![0; order.len()];
                (0u32..).zip(order).for_each(|(rank, &position)| ranks[position as usize] = rank);
                ranks
            })
            .collect();
        let mut writer = Writer {
            value: self,
            orders,
            ranks,
            numbers: FxHashMap::from_iter([(self.root, 0)]),
            names: FxHashMap::default(),
            waiting: VecDeque::from([self.root]),
            form: Vec::new(),
        };
        while let Some(object) = writer.waiting.pop_front() {
            if let Some(items) = self.objects.get(&object) {
                writer.write(items);
            }
        }
        writer.form
    }
}

/// Writes a value in given orders of its elements.
struct Writer<'v> {
    value: &'v Value<'v>,
    orders: &'v [Vec<u32>],
    ranks: Vec<Vec<u32>>,
    numbers: FxHashMap<ObjectId, u32>,
    /// By group and value.
    names: FxHashMap<(u32, u32), u32>,
    waiting: VecDeque<ObjectId>,
    form: Vec<u32>,
}

impl Writer<'_> {
    fn write(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Slot(slot) => {
                    let number = self.number(*slot);
                    self.form.push(number);
                }
                Item::Elements { sequence, elements } => {
                    let start = self.form.len();
                    let orders = self.orders;
                    for &position in &orders[*sequence] {
                        self.write(&elements[position as usize]);
                    }
                    if self.value.is_sorted_by_form(&self.value.layout.unordered_vectors[*sequence]) {
                        self.form[start..].sort_unstable();
                    }
                }
            }
        }
    }

    fn number(&mut self, slot: SlotId) -> u32 {
        let layout = self.value.layout;
        let index = self.value.values[slot.index()];
        match layout.kind(slot) {
            SlotKind::Value { .. } => index,
            SlotKind::Name(name) => match index.checked_sub(name.nulls) {
                Some(value) => {
                    let next = self.names.keys().filter(|(group, _)| *group == name.group).count() as u32;
                    name.nulls + *self.names.entry((name.group, value)).or_insert(next)
                }
                None => index,
            },
            SlotKind::Reference(reference) => match reference.object(index) {
                Some(ordinal) => {
                    let object = layout.object_of(reference, ordinal);
                    let next = self.numbers.len() as u32;
                    let number = *self.numbers.entry(object).or_insert(next);
                    if number == next {
                        self.waiting.push_back(object);
                    }
                    reference.nulls + number
                }
                None => index,
            },
            SlotKind::Index(of) => match (index.checked_sub(of.nulls), layout.membership(slot).index_of) {
                (Some(position), Some(arena)) => of.nulls + self.ranks[arena as usize][position as usize],
                _ => index,
            },
        }
    }
}
