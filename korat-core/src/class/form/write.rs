//! Writes forms.
//!
//! # Safety argument
//! A raw pointer of the value is null or points to an object, as for every value that korat takes apart; it is followed while
//! the value is borrowed. Nothing dereferences the pointers of a value that is being built (see `alloc`).

use std::any::{TypeId, type_name};
use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use super::{Forms, NoForm};
use crate::class::alloc::pointee::Pointee;
use crate::class::alloc::{Alloc, AllocEdge};
use crate::class::codec::{Codec, Field};
use crate::class::traits::Class;

/// The bytes of stack that a walk may take. Building may take three times as much, and a test has two mebibytes.
const STACK: usize = 512 << 10;

/// Why a value with a lock that panicked has no form.
pub(crate) const POISONED: &str = "a lock is poisoned";

/// Why a value with a cell that something uses has no form.
pub(crate) const IN_USE: &str = "a cell is borrowed, or a lock is held";

/// Writes the content of an object at an address.
type WriteContent = unsafe fn(&mut FormWriter<'_>, *const ());

/// A form under construction.
pub struct FormWriter<'f> {
    bytes: &'f mut Vec<u8>,
    pub(super) forms: &'f mut Forms,
    /// For each shared object that was met, whether an owning pointer leads to it.
    owned: Vec<bool>,
    /// For each boxed object that was met, whether it is written.
    written: Vec<bool>,
    /// The boxed objects that raw pointers were first to lead to, each with what writes its content.
    waiting: VecDeque<(u32, *const (), WriteContent)>,
    /// The lowest address that the stack may reach.
    deepest: usize,
    refused: Option<NoForm>,
}

impl Forms {
    /// Writes the form of a value in place of what is in `bytes`.
    pub fn write<T: Field>(&mut self, value: &T, bytes: &mut Vec<u8>) -> Result<(), NoForm> {
        loop {
            let had_raw = self.has_raw;
            let written = self.walk(value, bytes);
            // The first raw pointer: objects before it were not numbered.
            if self.has_raw == had_raw {
                return written;
            }
        }
    }

    fn walk<T: Field>(&mut self, value: &T, bytes: &mut Vec<u8>) -> Result<(), NoForm> {
        bytes.clear();
        self.shared.clear();
        self.boxed.clear();
        self.unboxed.clear();
        self.alone.clear();
        let mut writer = FormWriter {
            bytes,
            forms: self,
            owned: Vec::new(),
            written: Vec::new(),
            waiting: VecDeque::new(),
            deepest: stack_address().saturating_sub(STACK),
            refused: None,
        };
        T::Codec::write_form(value, &mut writer);
        let mut without_box = Vec::new();
        while let Some((object, address, write)) = writer.waiting.pop_front() {
            if !std::mem::replace(&mut writer.written[object as usize], true) {
                without_box.push(address.addr());
                // SAFETY: the object was met with what writes it, and see the module's header.
                unsafe { write(&mut writer, address) };
            }
        }
        if without_box.iter().any(|at| writer.forms.unboxed.iter().any(|range| range.contains(at))) {
            let what = "a raw pointer leads to an object that lies in another one, in a vector, or behind an `Rc`";
            writer.refuse(what.to_string());
        }
        if writer.owned.contains(&false) {
            writer.refuse("a weak pointer leads to an object that nothing in the value owns".to_string());
        }
        writer.refused.map_or(Ok(()), Err)
    }
}

impl FormWriter<'_> {
    /// Notes why the value has no form.
    #[cold]
    pub(crate) fn refuse(&mut self, why: String) {
        self.refused.get_or_insert(NoForm(why));
    }

    /// Notes that the form of a type is not known.
    #[cold]
    pub(crate) fn refuse_type<T>(&mut self) {
        self.refuse(format!("korat has no canonical form of `{}`", type_name::<T>()));
    }

    /// Writes a number.
    #[inline]
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// Writes a text.
    pub(crate) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// Writes the entries of a map or a set, in an order that depends on nothing but the entries.
    pub(crate) fn entries<K, V>(
        &mut self,
        entries: impl Iterator<Item = (K, V)>,
        key: impl Fn(K, &mut FormWriter<'_>),
        value: impl Fn(V, &mut FormWriter<'_>),
    ) {
        // Keys are written first, and sorted; they are plain.
        let mut keys = std::mem::take(&mut self.forms.keys);
        let first = keys.len();
        let mut sorted = Vec::new();
        for (at, of_key) in entries {
            let start = keys.len();
            std::mem::swap(self.bytes, &mut keys);
            key(at, self);
            std::mem::swap(self.bytes, &mut keys);
            sorted.push((start..keys.len(), of_key));
        }
        sorted.sort_by(|(one, _), (other, _)| keys[one.clone()].cmp(&keys[other.clone()]));
        self.number(sorted.len() as u64);
        for (range, of_key) in sorted {
            self.bytes.extend_from_slice(&keys[range]);
            self.forms.keys = keys;
            value(of_key, self);
            keys = std::mem::take(&mut self.forms.keys);
        }
        keys.truncate(first);
        self.forms.keys = keys;
    }

    /// Writes the target of an owning pointer, after `nulls`, the number of pointers of its type that lead nowhere.
    #[inline]
    pub(crate) fn owned<A: Alloc>(&mut self, strong: &A::Strong, nulls: u64) {
        match A::EDGE {
            AllocEdge::Shared => {
                let object = self.shared::<A>(strong, nulls);
                self.owned[object] = true;
            }
            AllocEdge::Owned if self.forms.has_raw => {
                let (object, is_known) = self.meet(A::address(strong).cast_const());
                self.number(if is_known { nulls + 1 + u64::from(object) } else { nulls });
                if !std::mem::replace(&mut self.written[object as usize], true) {
                    self.content(A::target(strong));
                }
            }
            AllocEdge::Owned | AllocEdge::Part => {
                self.number(nulls);
                self.content(A::target(strong));
            }
        }
    }

    /// Writes an object that lies in another one, or in a container.
    #[inline]
    pub(crate) fn by_value<C: Class>(&mut self, object: &C) {
        self.note_unboxed(object);
        if !self.is_too_deep() {
            object.write_form(self);
        }
    }

    /// Returns whether the walk is too deep; notes that if it is.
    fn is_too_deep(&mut self) -> bool {
        let is_too_deep = stack_address() < self.deepest;
        if is_too_deep {
            self.refuse("its objects are nested too deeply".to_string());
        }
        is_too_deep
    }

    fn note_unboxed<T>(&mut self, object: &T) {
        if self.forms.has_raw {
            let start = std::ptr::from_ref(object).addr();
            self.forms.unboxed.push(start..start + size_of::<T>());
        }
    }

    /// Writes a raw pointer to an object.
    pub(crate) fn raw<P: Pointee>(&mut self, object: *const P, nulls: u64) {
        unsafe fn write<P: Pointee>(to: &mut FormWriter<'_>, object: *const ()) {
            // SAFETY: see the module's header.
            to.content(unsafe { &*object.cast::<P>() });
        }
        if !self.forms.has_raw {
            // The walk begins again.
            self.forms.has_raw = true;
            return;
        }
        let (number, is_known) = self.meet(object);
        self.number(nulls + u64::from(number));
        if !is_known {
            self.waiting.push_back((number, object.cast(), write::<P>));
        }
    }

    /// Returns the number of a boxed object, and whether it was met before.
    fn meet<P: 'static>(&mut self, object: *const P) -> (u32, bool) {
        let next = self.written.len() as u32;
        // Boxes of zero-sized structs are different objects at one address.
        if size_of::<P>() > 0 {
            match self.forms.boxed.entry((object.cast(), TypeId::of::<P>())) {
                Entry::Occupied(known) => return (*known.get(), true),
                Entry::Vacant(place) => _ = place.insert(next),
            }
        }
        self.written.push(false);
        (next, false)
    }

    /// Writes a shared object, and returns its number.
    pub(crate) fn shared<A: Alloc>(&mut self, strong: &A::Strong, nulls: u64) -> usize {
        let address: *const () = A::address(strong).cast_const().cast();
        let next = self.owned.len();
        match self.forms.shared.entry(address) {
            Entry::Occupied(known) => {
                let known = *known.get();
                self.number(nulls + 1 + u64::from(known));
                return known as usize;
            }
            Entry::Vacant(place) => place.insert(next as u32),
        };
        self.owned.push(false);
        self.number(nulls);
        self.note_unboxed(A::target(strong));
        self.content(A::target(strong));
        next
    }

    fn content<P: Pointee>(&mut self, pointee: &P) {
        if self.is_too_deep() {
            return;
        }
        if pointee.is_poisoned() {
            self.refuse(POISONED.to_string());
        } else if P::SETTABLE && !pointee.change_shared(&mut |_| {}) {
            self.refuse(IN_USE.to_string());
        } else {
            let written = pointee.with(&mut |content| {
                content.write_form(self);
                Ok(())
            });
            if let Err(why) = written {
                self.refuse(why.to_string());
            }
        }
    }

    /// Notes that a pointer which may be shared leads to a value that is not an object.
    pub(crate) fn note_unshared(&mut self, value: *const ()) {
        if !self.forms.alone.insert(value) {
            self.refuse("two pointers share a value that is not an object of a class".to_string());
        }
    }
}

/// Returns an address in the current frame of the stack.
#[inline]
pub(super) fn stack_address() -> usize {
    let here = 0_u8;
    std::ptr::from_ref(std::hint::black_box(&here)).addr()
}
