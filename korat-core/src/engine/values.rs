//! The values that slots range over, as numbers, and as those that a reused heap can take over. Reusing a heap replaces
//! the values; a repair adds some.

use std::any::Any;
use std::ptr;

use crate::model::ids::{SlotId, to_u32};
use crate::slots::domain::AnyDomain;
use crate::slots::kinds::{Name, SlotKind};
use crate::slots::layout::{FieldInfo, Layout};

impl FieldInfo {
    /// Returns whether it equals the other field, apart from the values, or can have as many.
    fn is_like(&self, other: &Self) -> bool {
        let (domains, is_mutable) = match (self.domain, other.domain) {
            (Some(one), Some(two)) => ((one as &dyn Any).type_id() == (two as &dyn Any).type_id(), one.is_mutable()),
            (None, None) => (true, false),
            (Some(_), None) | (None, Some(_)) => (false, false),
        };
        let kinds = self.kind == other.kind || (is_mutable && self.kind.without_len() == other.kind.without_len());
        domains && kinds && (self.class, &self.name) == (other.class, &other.name)
    }

    /// Returns whether it has the values of the other field, which is like it, or can take them over.
    fn can_take_values_of(&self, other: &Self) -> bool {
        let domains = self.domain.zip(other.domain);
        domains.is_none_or(|(one, two)| one.can_take_values_of(two))
    }
}

impl SlotKind {
    /// Returns the kind with the number of values erased.
    fn without_len(self) -> Self {
        match self {
            SlotKind::Value { .. } => SlotKind::Value { len: 0 },
            SlotKind::Name(name) => SlotKind::Name(Name { len: 0, ..name }),
            SlotKind::Reference(_) | SlotKind::Index(_) => self,
        }
    }
}

impl Layout {
    /// Returns whether the other layout has the same classes and fields, and so the same objects; looks at no values.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let classes = |layout: &Self| layout.classes.iter().map(|class| (class.name, class.count)).collect::<Vec<_>>();
        classes(self) == classes(other)
            && self.scope == other.scope
            && self.fields.len() == other.fields.len()
            && self.fields.iter().zip(&other.fields).all(|(one, two)| one.is_like(two))
    }

    /// Returns whether the values of the fields equal those of the other layout, which is like this one, or can be taken
    /// over.
    pub(crate) fn can_take_values_of(&self, other: &Self) -> bool {
        self.fields.iter().zip(&other.fields).all(|(one, two)| one.can_take_values_of(two))
    }

    /// Takes over the values of the other layout's fields.
    pub(crate) fn take_values_of(&mut self, other: &Self) {
        for (one, two) in self.fields.iter_mut().zip(&other.fields) {
            if let (Some(own), Some(other)) = (one.domain, two.domain) {
                own.take_values_of(other);
            }
            one.kind = two.kind;
        }
    }

    /// Returns the number that a slot holds with an index, if its value is one.
    pub(crate) fn number(&self, slot: SlotId, index: u32) -> Option<i128> {
        self.field(slot).domain?.number(index)
    }

    /// Returns the index with which a slot holds a number.
    pub(crate) fn index_of_number(&self, slot: SlotId, number: i128) -> Option<u32> {
        self.field(slot).domain?.index_of_number(number)
    }

    /// Adds a number to the list of a slot; returns false if that is impossible. The list must not have the number yet.
    pub(crate) fn admit(&mut self, slot: SlotId, number: i128) -> bool {
        let FieldInfo { kind, domain, .. } = self.field(slot);
        let (SlotKind::Value { .. }, Some(domain)) = (kind, *domain) else { return false };
        let Some(index) = domain.admit(number) else { return false };
        self.set_len(domain, index + 1);
        true
    }

    /// Shortens the list of a slot to `len` values, which removes only admitted ones. No slot may hold a removed value.
    pub(crate) fn withdraw(&mut self, slot: SlotId, len: u32) {
        if let Some(domain) = self.field(slot).domain
            && self.indices(slot) > len
        {
            domain.withdraw(len);
            self.set_len(domain, len);
        }
    }

    /// Sets the number of values of a list, in every field that shares it.
    fn set_len(&mut self, domain: &'static dyn AnyDomain, values: u32) {
        let has_it = |field: &&mut FieldInfo| field.domain.is_some_and(|other| ptr::addr_eq(other, domain));
        for field in self.fields.iter_mut().filter(has_it) {
            if let SlotKind::Value { len } = &mut field.kind {
                *len = values;
            }
        }
    }

    /// Returns the number of indices of a slot.
    pub(crate) fn indices(&self, slot: SlotId) -> u32 {
        match self.kind(slot) {
            SlotKind::Value { len } => len,
            SlotKind::Reference(reference) => reference.nulls + self.classes[reference.target.index()].count,
            SlotKind::Index(of) => {
                let arena = self.membership(slot).index_of.map(|arena| &self.unordered_vectors[arena as usize]);
                of.nulls + arena.map_or(0, |arena| to_u32(arena.elements.len()))
            }
            SlotKind::Name(name) => name.len,
        }
    }
}
