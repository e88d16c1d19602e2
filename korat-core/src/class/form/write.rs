//! Writes forms.
//!
//! # Safety argument
//! A raw pointer of the value is null or points to an object, as for every value that korat takes apart; it is followed while
//! the value is borrowed. Nothing dereferences the pointers of a value that is being built (see `alloc`).

use std::any::{TypeId, type_name};
use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use super::draft::{Draft, Numbers};
use super::{Forms, NoForm};
use crate::class::alloc::pointee::Pointee;
use crate::class::alloc::{Alloc, AllocEdge};
use crate::class::codec::{Codec, Field};
use crate::class::traits::Class;
use crate::model::outline::{Outline, OutlineLink};

/// The bytes of stack that a walk may take: with what building takes, a test's two mebibytes are not used up.
pub(super) const STACK: usize = 512 << 10;

/// Why a value with a lock that panicked has no form.
pub(crate) const POISONED: &str = "a lock is poisoned";

/// Why a value with a cell that something uses has no form.
pub(crate) const IN_USE: &str = "a cell is borrowed, or a lock is held";

/// Writes the content of the boxed object with a number, at an address.
type WriteContent<const DRAFTS: bool> = unsafe fn(&mut FormWriter<'_, DRAFTS>, usize, *const ());

/// A form under construction, and an outline, too, if it `DRAFTS`.
pub struct FormWriter<'f, const DRAFTS: bool> {
    pub(super) bytes: &'f mut Vec<u8>,
    pub(super) forms: &'f mut Forms,
    /// For each shared object that was met, whether an owning pointer leads to it.
    owned: Vec<bool>,
    /// For each boxed object that was met, whether it is written.
    written: Vec<bool>,
    /// The boxed objects that raw pointers were first to lead to, each with what writes its content.
    waiting: VecDeque<(u32, *const (), WriteContent<DRAFTS>)>,
    /// The lowest address that the stack may reach.
    deepest: usize,
    /// Whether plain values are left out.
    pub(super) is_shape: bool,
    refused: Option<NoForm>,
    /// The outline, if the value is drawn.
    pub(super) draft: Option<Box<Draft>>,
}

impl Forms {
    /// Writes the form of a value in place of what is in `bytes`.
    pub fn write<T: Field>(&mut self, value: &T, bytes: &mut Vec<u8>) -> Result<(), NoForm> {
        self.write_as(value, bytes, false)
    }

    /// Writes the shape of a value in place of what is in `bytes`: its form without plain values. No value can be built from it.
    pub fn write_shape<T: Field>(&mut self, value: &T, bytes: &mut Vec<u8>) -> Result<(), NoForm> {
        self.write_as(value, bytes, true)
    }

    fn write_as<T: Field>(&mut self, value: &T, bytes: &mut Vec<u8>, is_shape: bool) -> Result<(), NoForm> {
        loop {
            let had_raw = self.has_raw;
            let (written, _) = self.walk::<T, false>(value, bytes, is_shape, None);
            // The first raw pointer: objects before it were not numbered.
            if self.has_raw == had_raw {
                return written;
            }
        }
    }

    /// Returns the outline of a value that has a form. If it is not an object itself, the first object of the outline has no
    /// name.
    pub fn outline<T: Field>(&mut self, value: &T) -> Result<Outline, NoForm> {
        let mut bytes = Vec::new();
        // Whether there are raw pointers must be known before.
        self.write(value, &mut bytes)?;
        let (_, draft) = self.walk::<T, true>(value, &mut bytes, false, Some(Box::new(Draft::new())));
        Ok(draft.expect("[korat internal bug] a walk keeps its draft").into_outline())
    }

    fn walk<T: Field, const DRAFTS: bool>(
        &mut self,
        value: &T,
        bytes: &mut Vec<u8>,
        is_shape: bool,
        draft: Option<Box<Draft>>,
    ) -> (Result<(), NoForm>, Option<Box<Draft>>) {
        bytes.clear();
        self.shared.clear();
        self.boxed.clear();
        self.unboxed.clear();
        self.alone.clear();
        let mut writer = FormWriter::<DRAFTS> {
            bytes,
            forms: self,
            owned: Vec::new(),
            written: Vec::new(),
            waiting: VecDeque::new(),
            deepest: stack_address().saturating_sub(STACK),
            is_shape,
            refused: None,
            draft,
        };
        T::Codec::write_form(value, &mut writer);
        let mut without_box = Vec::new();
        while let Some((object, address, write)) = writer.waiting.pop_front() {
            if !std::mem::replace(&mut writer.written[object as usize], true) {
                without_box.push(address.addr());
                // SAFETY: the object was met with what writes it, and see the module's header.
                unsafe { write(&mut writer, object as usize, address) };
            }
        }
        if without_box.iter().any(|at| writer.forms.unboxed.iter().any(|range| range.contains(at))) {
            let what = "a raw pointer leads to an object that lies in another one, in a vector, or behind an `Rc`";
            writer.refuse(what.to_string());
        }
        if writer.owned.contains(&false) {
            writer.refuse("a weak pointer leads to an object that nothing in the value owns".to_string());
        }
        (writer.refused.map_or(Ok(()), Err), writer.draft)
    }
}

impl<const DRAFTS: bool> FormWriter<'_, DRAFTS> {
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
    pub(super) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// Writes the target of an owning pointer, after `nulls`, the number of pointers of its type that lead nowhere.
    #[inline]
    pub(crate) fn owned<A: Alloc>(&mut self, strong: &A::Strong, nulls: u64) {
        match A::EDGE {
            AllocEdge::Shared => {
                let object = self.shared::<A>(strong, nulls, OutlineLink::Shared);
                self.owned[object] = true;
            }
            AllocEdge::Owned if self.forms.has_raw => {
                let (object, is_known) = self.meet(A::address(strong).cast_const());
                self.number(if is_known { nulls + 1 + u64::from(object) } else { nulls });
                self.drafted(|draft| draft.link(Numbers::Boxed, object as usize, OutlineLink::Owned));
                if !std::mem::replace(&mut self.written[object as usize], true) {
                    self.content(A::target(strong));
                }
            }
            AllocEdge::Owned | AllocEdge::Part => {
                self.number(nulls);
                self.drafted(|draft| draft.part(OutlineLink::Owned));
                self.content(A::target(strong));
            }
        }
    }

    /// Writes an object that lies in another one, or in a container.
    #[inline]
    pub(crate) fn by_value<C: Class>(&mut self, object: &C) {
        self.note_unboxed(object);
        if !self.is_too_deep() {
            self.drafted(|draft| draft.part(OutlineLink::Part));
            self.fields(object);
        }
    }

    /// Writes the fields of an object.
    #[inline]
    fn fields<C: Class>(&mut self, object: &C) {
        self.drafted(Draft::begin::<C>);
        object.write_form(self);
        self.drafted(Draft::end);
    }

    /// Returns whether the walk is too deep; notes that if it is.
    #[inline]
    fn is_too_deep(&mut self) -> bool {
        let is_too_deep = stack_address() < self.deepest;
        if is_too_deep {
            self.refuse_depth();
        }
        is_too_deep
    }

    #[cold]
    fn refuse_depth(&mut self) {
        self.refuse("its objects are nested too deeply".to_string());
    }

    fn note_unboxed<T>(&mut self, object: &T) {
        if self.forms.has_raw {
            let start = std::ptr::from_ref(object).addr();
            self.forms.unboxed.push(start..start + size_of::<T>());
        }
    }

    /// Writes a raw pointer to an object.
    pub(crate) fn raw<P: Pointee>(&mut self, object: *const P, nulls: u64) {
        unsafe fn write<P: Pointee, const DRAFTS: bool>(
            to: &mut FormWriter<'_, DRAFTS>,
            number: usize,
            object: *const (),
        ) {
            to.drafted(|draft| draft.go_to(Numbers::Boxed, number));
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
        self.drafted(|draft| draft.link(Numbers::Boxed, number as usize, OutlineLink::Raw));
        if !is_known {
            self.waiting.push_back((number, object.cast(), write::<P, DRAFTS>));
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

    /// Writes a shared object to which a link of this kind leads, and returns its number.
    pub(crate) fn shared<A: Alloc>(&mut self, strong: &A::Strong, nulls: u64, link: OutlineLink) -> usize {
        let address: *const () = A::address(strong).cast_const().cast();
        let next = self.owned.len();
        match self.forms.shared.entry(address) {
            Entry::Occupied(known) => {
                let known = *known.get();
                self.number(nulls + 1 + u64::from(known));
                self.drafted(|draft| draft.link(Numbers::Shared, known as usize, link));
                return known as usize;
            }
            Entry::Vacant(place) => place.insert(next as u32),
        };
        self.owned.push(false);
        self.number(nulls);
        self.note_unboxed(A::target(strong));
        self.drafted(|draft| draft.link(Numbers::Shared, next, link));
        self.content(A::target(strong));
        next
    }

    #[inline]
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
                self.fields(content);
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
