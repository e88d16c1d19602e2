//! Records which fields the predicate reads on accepted candidates. From this follow the fields that values have but
//! the predicate never reads.

use crate::engine::choice_stack::Engine;
use crate::model::ids::{DeclaredId, SlotId};
use crate::slots::kinds::SlotKind;

/// Collects the fields of accepted candidates while a search runs.
#[derive(Clone)]
pub(crate) struct FieldUses {
    /// For each declared field, whether the predicate has read it on an accepted candidate.
    read: Vec<bool>,
    /// For each declared field, whether it was decided after the predicate had accepted.
    completed: Vec<bool>,
    /// The number of unread fields whose class may have objects; at zero, recording stops.
    unread: usize,
}

impl FieldUses {
    pub(crate) fn new(engine: &Engine) -> Self {
        let layout = &engine.layout;
        let count = layout.declared.len();
        let unread = layout.declared.iter().filter(|field| layout.classes[field.class.index()].count > 0).count();
        FieldUses { read: vec![false; count], completed: vec![false; count], unread }
    }

    /// Records the choices of an accepted candidate.
    #[inline]
    pub(crate) fn accepted(&mut self, engine: &Engine) {
        if self.unread > 0 {
            self.note_read(engine);
        }
    }

    #[inline(never)]
    fn note_read(&mut self, engine: &Engine) {
        for (slot, _) in engine.trail() {
            let read = &mut self.read[engine.layout.declared(slot).index()];
            if !*read {
                *read = true;
                self.unread -= 1;
            }
        }
    }

    /// Records slots that were read on accepted candidates, and slots that were not.
    pub(crate) fn note(&mut self, engine: &Engine, read: &[SlotId], unread: &[SlotId]) {
        for slot in read {
            self.read[engine.layout.declared(*slot).index()] = true;
        }
        let is_choice = |slot: &&SlotId| !matches!(engine.layout.kind(**slot), SlotKind::Value { len: 1 });
        for slot in unread.iter().filter(is_choice) {
            self.completed[engine.layout.declared(*slot).index()] = true;
        }
    }

    /// Records the choices from `depth` on, which were made after the predicate had accepted.
    pub(crate) fn completed(&mut self, engine: &Engine, depth: usize) {
        if self.unread > 0 {
            // A field that has one value, such as `()`, is no choice.
            let is_choice = |slot: &SlotId| !matches!(engine.layout.kind(*slot), SlotKind::Value { len: 1 });
            for slot in engine.trail().skip(depth).map(|(slot, _)| slot).filter(is_choice) {
                self.completed[engine.layout.declared(slot).index()] = true;
            }
        }
    }

    /// Writes the record as numbers.
    pub(crate) fn save(&self, to: &mut Vec<u64>) {
        to.push(self.unread as u64);
        to.extend(
            self.read
                .iter()
                .zip(&self.completed)
                .map(|(read, completed)| u64::from(*read) | u64::from(*completed) << 1),
        );
    }

    /// Reads what `save` has written for the same fields.
    pub(crate) fn load(&mut self, mut next: impl FnMut() -> Option<u64>) -> Option<()> {
        self.unread = usize::try_from(next()?).ok().filter(|unread| *unread <= self.read.len())?;
        for (read, completed) in self.read.iter_mut().zip(&mut self.completed) {
            let flags = next().filter(|flags| *flags < 4)?;
            (*read, *completed) = (flags & 1 != 0, flags & 2 != 0);
        }
        Some(())
    }

    /// Returns the record, with names.
    pub(crate) fn named(&self, engine: &Engine) -> FieldUse {
        let fields = self.read.iter().zip(&self.completed).enumerate().map(|(at, (read, completed))| {
            let name = engine.layout.declared_name(DeclaredId::new(at));
            NamedUse { name, read: *read, completed: *completed }
        });
        FieldUse(fields.collect())
    }
}

/// Which fields a predicate read on accepted candidates, and which it left to be completed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldUse(Vec<NamedUse>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct NamedUse {
    name: String,
    read: bool,
    completed: bool,
}

impl FieldUse {
    /// Returns the fields that some value has but that the predicate read on no accepted candidate, as `Class.field`,
    /// in order of declaration. Everything in a field counts as the field: elements, length, members.
    pub fn unread(&self) -> Vec<String> {
        self.0.iter().filter(|field| field.completed && !field.read).map(|field| field.name.clone()).collect()
    }

    /// Returns the record as a number for each field, in order of declaration.
    pub fn flags(&self) -> Vec<u64> {
        self.0.iter().map(|field| u64::from(field.read) | u64::from(field.completed) << 1).collect()
    }

    /// Adds what `flags` returned for a search of the same fields; returns `None` if it is of other fields.
    pub fn add_flags(&mut self, flags: &[u64]) -> Option<()> {
        if flags.len() != self.0.len() || flags.iter().any(|flags| *flags > 3) {
            return None;
        }
        for (field, flags) in self.0.iter_mut().zip(flags) {
            field.read |= flags & 1 != 0;
            field.completed |= flags & 2 != 0;
        }
        Some(())
    }

    /// Adds the record of another part of the same search.
    pub fn merge(&mut self, other: FieldUse) {
        for field in other.0 {
            match self.0.iter_mut().find(|known| known.name == field.name) {
                Some(known) => {
                    known.read |= field.read;
                    known.completed |= field.completed;
                }
                None => self.0.push(field),
            }
        }
    }
}
