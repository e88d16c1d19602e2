//! Canonical forms of values, whatever their bounds: two values have the same form exactly when they are isomorphic, and a
//! value that is isomorphic to it can be built from a form.
//!
//! A form is a list of bytes that one walk over the fields writes. A field of a plain type stands in it as it is; a pointer that
//! owns its target alone is followed by the target; a shared object stands where the walk meets it first, and as a number
//! elsewhere. Nothing in a form depends on addresses or on the order of hashed collections.
//!
//! What cannot be written is refused: the walk goes on, and its end returns the reason.

use std::any::{Any, TypeId, type_name};
use std::collections::hash_map::Entry;
use std::fmt::{self, Debug};

use rustc_hash::{FxHashMap, FxHashSet};

use super::alloc::pointee::Pointee;
use super::alloc::{Alloc, AllocEdge};
use super::codec::{Codec, Field};
use super::copies::{AnyStore, Stored};
use super::cycles::{self, AnyWeak};
use super::traits::Class;

/// The most pointers that follow each other. A walk needs stack for each.
const DEEPEST: u32 = 1_000;

/// Up to this many values of a type are compared one by one.
const FEW: usize = 8;

/// Why a value has no form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoForm(String);

impl fmt::Display for NoForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoForm {}

/// The plain values of one type that stand in forms as numbers.
struct Numbered<T> {
    values: Vec<T>,
    by_text: FxHashMap<String, Vec<u32>>,
}

impl<T: Clone + PartialEq + Debug> Numbered<T> {
    fn number(&mut self, value: &T) -> u32 {
        // A value that does not equal itself, such as NaN in a tuple, is known by its text.
        #[allow(clippy::eq_op, reason = "that is the question")]
        let is_odd = |value: &T| value != value;
        if self.values.len() > FEW || is_odd(value) {
            let text = format!("{value:?}");
            let same = |number: &&u32| {
                let known = &self.values[**number as usize];
                known == value || is_odd(known) && is_odd(value)
            };
            if let Some(&known) = self.by_text.get(&text).and_then(|numbers| numbers.iter().find(same)) {
                return known;
            }
        }
        if let Some(known) = self.values.iter().position(|known| known == value) {
            return known as u32;
        }
        let number = self.values.len() as u32;
        self.by_text.entry(format!("{value:?}")).or_default().push(number);
        self.values.push(value.clone());
        number
    }
}

/// The plain values that stand in forms as numbers. Forms are comparable if they were written with the same table.
#[derive(Default)]
pub struct Forms {
    numbered: FxHashMap<TypeId, Box<dyn Any>>,
    /// What the walks reuse.
    shared: FxHashMap<*const (), u32>,
    alone: FxHashSet<*const ()>,
    keys: Vec<u8>,
}

/// A form under construction.
pub struct FormWriter<'f> {
    bytes: &'f mut Vec<u8>,
    forms: &'f mut Forms,
    /// The number of shared objects met, and which of them an owning pointer leads to.
    owned: Vec<bool>,
    depth: u32,
    refused: Option<NoForm>,
}

/// A value under construction from its form.
pub struct FormReader<'f> {
    bytes: &'f [u8],
    at: usize,
    forms: &'f Forms,
    scope: usize,
    /// The shared objects, in the order in which the walk met them.
    shared: Vec<Box<dyn AnyStore>>,
}

/// Weak pointers to the shared objects of a value that was built. Dropping it, after the value, frees cycles of them.
#[derive(Default)]
pub struct SharedObjects(Vec<Box<dyn AnyWeak>>);

impl Drop for SharedObjects {
    fn drop(&mut self) {
        if !self.0.is_empty() {
            drop(cycles::collect(std::mem::take(&mut self.0)));
        }
    }
}

impl Forms {
    /// Writes the form of a value in place of what is in `bytes`.
    pub fn write<T: Field>(&mut self, value: &T, bytes: &mut Vec<u8>) -> Result<(), NoForm> {
        bytes.clear();
        self.shared.clear();
        self.alone.clear();
        let mut writer = FormWriter { bytes, forms: self, owned: Vec::new(), depth: 0, refused: None };
        T::Codec::write_form(value, &mut writer);
        if writer.owned.contains(&false) {
            writer.refuse("a weak pointer leads to an object that nothing in the value owns".to_string());
        }
        writer.refused.map_or(Ok(()), Err)
    }

    /// Builds a value from its form. `scope` is that in the expressions of skipped fields. What is returned beside the value is
    /// to be dropped after it.
    pub fn read<T: Field>(&self, bytes: &[u8], scope: usize) -> (T, SharedObjects) {
        let mut reader = FormReader { bytes, at: 0, forms: self, scope, shared: Vec::new() };
        let value = T::Codec::read_form(&mut reader);
        assert!(reader.at == bytes.len(), "[korat internal bug] a form is longer than its value");
        let shared = reader.shared.into_iter().filter_map(|store| store.release()).collect();
        (value, SharedObjects(shared))
    }

    fn numbered<T: Clone + PartialEq + Debug + 'static>(&mut self) -> &mut Numbered<T> {
        let known = self.numbered.entry(TypeId::of::<T>());
        let known =
            known.or_insert_with(|| Box::new(Numbered::<T> { values: Vec::new(), by_text: FxHashMap::default() }));
        known.downcast_mut().expect("[korat internal bug] values are numbered by their type")
    }
}

/// Calls a macro with the types whose values stand in forms as they are, with a lossless way to a number and back.
macro_rules! with_numbers {
    ($call:ident) => {
        $call! {
            usize, |value| value as u64, |word| word as usize;
            u8, |value| u64::from(value), |word| word as u8;
            u16, |value| u64::from(value), |word| word as u16;
            u32, |value| u64::from(value), |word| word as u32;
            u64, |value| value, |word| word;
            isize, |value| zigzag(value as i64), |word| unzigzag(word) as isize;
            i8, |value| zigzag(value.into()), |word| unzigzag(word) as i8;
            i16, |value| zigzag(value.into()), |word| unzigzag(word) as i16;
            i32, |value| zigzag(value.into()), |word| unzigzag(word) as i32;
            i64, |value| zigzag(value), |word| unzigzag(word);
            bool, |value| u64::from(value), |word| word != 0;
            char, |value| u64::from(u32::from(value)), |word| char::from_u32(word as u32).unwrap_or_default();
            f32, |value| u64::from(value.to_bits()), |word| f32::from_bits(word as u32);
            f64, |value| value.to_bits(), |word| f64::from_bits(word);
        }
    };
}

fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

fn unzigzag(word: u64) -> i64 {
    (word >> 1) as i64 ^ -((word & 1) as i64)
}

/// Returns a value of a type as one of a type that is the same.
#[inline(always)]
fn same<T: 'static, U: 'static>(value: T) -> Option<U> {
    let mut value = Some(value);
    (&mut value as &mut dyn Any).downcast_mut::<Option<U>>().and_then(Option::take)
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

    /// Writes a plain value.
    #[inline]
    pub(crate) fn plain<T: Clone + PartialEq + Debug + 'static>(&mut self, value: &T) {
        let any: &dyn Any = value;
        macro_rules! write {
            ($($type:ty, |$value:ident| $word:expr, |$back:ident| $from:expr;)*) => {$(
                if let Some(&$value) = any.downcast_ref::<$type>() {
                    return self.number($word);
                }
                if let Some(value) = any.downcast_ref::<Option<$type>>() {
                    return match *value {
                        None => self.number(0),
                        Some($value) => {
                            self.number(1);
                            self.number($word);
                        }
                    };
                }
            )*};
        }
        with_numbers!(write);
        let number = self.forms.numbered::<T>().number(value);
        self.number(number.into());
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
    pub(crate) fn owned<A: Alloc>(&mut self, strong: &A::Strong, nulls: u64) {
        if A::EDGE != AllocEdge::Shared {
            if nulls > 0 {
                self.number(nulls);
            }
            return self.content(A::target(strong));
        }
        let object = self.shared::<A>(strong, nulls);
        self.owned[object] = true;
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
        self.content(A::target(strong));
        next
    }

    fn content<P: Pointee>(&mut self, pointee: &P) {
        self.depth += 1;
        if self.depth > DEEPEST {
            self.refuse(format!("more than {DEEPEST} pointers follow each other in it"));
        } else {
            let written = pointee.with(&mut |content| {
                content.write_form(self);
                Ok(())
            });
            if let Err(why) = written {
                self.refuse(why.to_string());
            }
        }
        self.depth -= 1;
    }

    /// Notes that a pointer which may be shared leads to a value that is not an object.
    pub(crate) fn note_unshared(&mut self, value: *const ()) {
        if !self.forms.alone.insert(value) {
            self.refuse("two pointers share a value that is not an object of a class".to_string());
        }
    }
}

impl FormReader<'_> {
    /// Returns the scope in the expressions of skipped fields.
    pub fn scope(&self) -> usize {
        self.scope
    }

    /// Reads a number.
    #[inline]
    pub fn number(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.bytes[self.at];
            self.at += 1;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return number;
            }
            shift += 7;
        }
    }

    /// Reads a text.
    pub(crate) fn text(&mut self) -> &str {
        let len = self.number() as usize;
        let text = &self.bytes[self.at..self.at + len];
        self.at += len;
        std::str::from_utf8(text).expect("[korat internal bug] a text was written")
    }

    /// Reads a plain value.
    #[inline]
    pub(crate) fn plain<T: Clone + PartialEq + Debug + 'static>(&mut self) -> T {
        macro_rules! read {
            ($($type:ty, |$value:ident| $word:expr, |$back:ident| $from:expr;)*) => {$(
                if TypeId::of::<T>() == TypeId::of::<$type>() {
                    let $back = self.number();
                    return same::<$type, T>($from).expect("[korat internal bug] the types are the same");
                }
                if TypeId::of::<T>() == TypeId::of::<Option<$type>>() {
                    let value: Option<$type> = (self.number() != 0).then(|| {
                        let $back = self.number();
                        $from
                    });
                    return same::<Option<$type>, T>(value).expect("[korat internal bug] the types are the same");
                }
            )*};
        }
        with_numbers!(read);
        let number = self.number();
        let known = self.forms.numbered.get(&TypeId::of::<T>()).and_then(|known| known.downcast_ref::<Numbered<T>>());
        known.expect("[korat internal bug] a value was numbered").values[number as usize].clone()
    }

    /// Reads an owning pointer, of a type in which `nulls` pointers lead nowhere; `Err` with the number of such a pointer.
    pub(crate) fn owned<A: Alloc>(&mut self, nulls: u64) -> Result<A::Strong, u64> {
        if A::EDGE == AllocEdge::Shared {
            return self.shared::<A, _>(nulls, A::take);
        }
        if nulls > 0 {
            let number = self.number();
            if number < nulls {
                return Err(number);
            }
        }
        let content = self.content::<A>();
        let mut store = A::reserve();
        A::fill(&mut store, content);
        Ok(A::take(&mut store))
    }

    /// Reads a pointer to a shared object, and returns what `use_store` makes of its storage.
    pub(crate) fn shared<A: Alloc, R>(
        &mut self,
        nulls: u64,
        use_store: impl FnOnce(&mut A::Store) -> R,
    ) -> Result<R, u64> {
        let number = self.number();
        if number < nulls {
            return Err(number);
        }
        let object = match (number - nulls).checked_sub(1) {
            Some(known) => known as usize,
            None => {
                // Reserved first: the content may lead back to the object.
                let object = self.shared.len();
                self.shared.push(Box::new(Stored::<A>(A::reserve())));
                let content = self.content::<A>();
                A::fill(self.store::<A>(object), content);
                object
            }
        };
        Ok(use_store(self.store::<A>(object)))
    }

    fn content<A: Alloc>(&mut self) -> A::Pointee {
        A::Pointee::wrap(Class::read_form(self))
    }

    fn store<A: Alloc>(&mut self, object: usize) -> &mut A::Store {
        let store: &mut dyn Any = &mut *self.shared[object];
        &mut store.downcast_mut::<Stored<A>>().expect("[korat internal bug] an object has one allocation kind").0
    }
}
