//! Writes the parts of a field: elements, lengths, tags, texts, and the entries of maps and sets.

use std::fmt::Display;

use super::FormWriter;
use super::draft::{Draft, SOME};
use crate::class::traits::Class;
use crate::model::outline::OutlineLink;

impl<const DRAFTS: bool> FormWriter<'_, DRAFTS> {
    #[inline]
    pub(super) fn drafted(&mut self, draft: impl FnOnce(&mut Draft)) {
        if DRAFTS && let Some(own) = &mut self.draft {
            draft(own);
        }
    }

    /// Goes to a field of the object that is written.
    #[inline]
    pub fn field(&mut self, name: &'static str) {
        self.drafted(|draft| draft.field(name));
    }

    /// Writes which variant of an enum the object is.
    #[inline]
    pub fn variant<C: Class>(&mut self, index: usize) {
        self.number(index as u64);
        self.drafted(|draft| draft.variant::<C>(index));
    }

    /// Writes a part of a field: an element of a container, or a member of a tuple.
    #[inline]
    pub(crate) fn part(&mut self, part: impl Display, write: impl FnOnce(&mut Self)) {
        let Some(draft) = self.draft.as_mut().filter(|_| DRAFTS) else { return write(self) };
        let path = draft.enter(part);
        write(self);
        self.drafted(|draft| draft.leave(path));
    }

    /// Writes an element of a container.
    #[inline]
    pub(crate) fn element(&mut self, at: usize, write: impl FnOnce(&mut Self)) {
        self.part(format_args!("[{at}]"), write);
    }

    /// Writes the length of a container.
    #[inline]
    pub(crate) fn len(&mut self, len: usize) {
        self.number(len as u64);
        self.drafted(|draft| draft.len(len));
    }

    /// Writes an option: whether there is a value, and what `write` writes of it.
    #[inline]
    pub(crate) fn option<T>(&mut self, value: Option<T>, write: impl FnOnce(T, &mut Self)) {
        self.number(u64::from(value.is_some()));
        match value {
            Some(value) => self.part(SOME, |to| write(value, to)),
            None => self.drafted(|draft| draft.plain(&None::<()>)),
        }
    }

    /// Writes a pointer that leads nowhere, by its number among those of its type.
    #[inline]
    pub(crate) fn null(&mut self, number: u64, link: OutlineLink) {
        self.number(number);
        self.drafted(|draft| draft.null(link));
    }

    /// Writes a text.
    pub(crate) fn text(&mut self, text: &str) {
        if self.is_shape {
            return;
        }
        self.drafted(|draft| draft.plain(&text));
        self.number(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// Writes the entries of a map or a set, in an order that depends on nothing but the entries.
    pub(crate) fn entries<K, V>(
        &mut self,
        entries: impl Iterator<Item = (K, V)>,
        key: impl Fn(K, &mut FormWriter<'_, DRAFTS>),
        value: impl Fn(V, &mut FormWriter<'_, DRAFTS>),
    ) {
        // Keys are written first, and sorted; they are plain. A shape leaves them out, but not their order.
        let is_shape = std::mem::replace(&mut self.is_shape, false);
        let mut keys = std::mem::take(&mut self.forms.keys);
        let mut draft = self.draft.take();
        let first = keys.len();
        let mut sorted = Vec::new();
        for (at, of_key) in entries {
            let start = keys.len();
            self.draft = draft.is_some().then(|| Box::new(Draft::new()));
            std::mem::swap(self.bytes, &mut keys);
            key(at, self);
            std::mem::swap(self.bytes, &mut keys);
            sorted.push((start..keys.len(), of_key, self.draft.take()));
        }
        sorted.sort_by(|(one, ..), (other, ..)| keys[one.clone()].cmp(&keys[other.clone()]));
        self.is_shape = is_shape;
        self.number(sorted.len() as u64);
        if let Some(draft) = draft.as_mut().filter(|_| sorted.is_empty()) {
            draft.plain(&format_args!("{{}}"));
        }
        self.draft = draft;
        for (range, of_key, drafted) in sorted {
            if !is_shape {
                self.bytes.extend_from_slice(&keys[range]);
            }
            self.forms.keys = keys;
            let path = self.draft.as_mut().zip(drafted).map(|(draft, key)| draft.key(&key));
            value(of_key, self);
            if let (Some(draft), Some(path)) = (&mut self.draft, path) {
                draft.end_key(path);
            }
            keys = std::mem::take(&mut self.forms.keys);
        }
        keys.truncate(first);
        self.forms.keys = keys;
    }
}
