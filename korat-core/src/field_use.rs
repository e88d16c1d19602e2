//! Which fields the predicate reads on what it accepts. Takes the choices of accepted candidates, gives the fields that it never
//! read there and that values have all the same.

use crate::engine::Engine;
use crate::ids::DeclaredId;

/// Notes the fields of accepted candidates while a search runs.
pub(crate) struct FieldUses {
    /// Per declared field, whether the predicate has read it on something that it accepted.
    read: Vec<bool>,
    /// Per declared field, whether it was decided after the predicate had accepted.
    completed: Vec<bool>,
    /// How many fields of objects that there may be were not read yet: when all were, nobody looks any more.
    unread: usize,
}

impl FieldUses {
    pub(crate) fn new(engine: &Engine) -> Self {
        let layout = &engine.layout;
        let count = layout.declared.len();
        let unread = layout.declared.iter().filter(|field| layout.classes[field.class.index()].count > 0).count();
        FieldUses { read: vec![false; count], completed: vec![false; count], unread }
    }

    /// The predicate has accepted the choices.
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

    /// The choices from `depth` on were made after the predicate had accepted.
    pub(crate) fn completed(&mut self, engine: &Engine, depth: usize) {
        if self.unread > 0 {
            for (slot, _) in engine.trail().skip(depth) {
                self.completed[engine.layout.declared(slot).index()] = true;
            }
        }
    }

    /// What was noted, by name.
    pub(crate) fn named(&self, engine: &Engine) -> FieldUse {
        let fields = self.read.iter().zip(&self.completed).enumerate().map(|(at, (read, completed))| {
            let name = engine.layout.declared_name(DeclaredId::new(at));
            NamedUse { name, read: *read, completed: *completed }
        });
        FieldUse(fields.collect())
    }
}

/// Which fields a predicate read on the candidates that it accepted, and which of them it left to be completed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldUse(Vec<NamedUse>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct NamedUse {
    name: String,
    read: bool,
    completed: bool,
}

impl FieldUse {
    /// The fields that some value has and that the predicate read on no candidate that it accepted, as `Class.field`, in
    /// the order of their declaration. Whatever lies in a field counts as the field: elements, length, members.
    pub fn unread(&self) -> Vec<String> {
        self.0.iter().filter(|field| field.completed && !field.read).map(|field| field.name.clone()).collect()
    }

    /// Adds what another part of the same search has noted.
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
