//! Plain values in forms: those of common types as numbers of their own, and others by their position among all of their type that
//! were met.

use std::any::{Any, TypeId, type_name};
use std::fmt::{self, Debug, Write};
use std::hash::{Hash, Hasher};
use std::mem::{discriminant, needs_drop};

use rustc_hash::{FxHashMap, FxHasher};

use super::{FormReader, FormWriter, Forms};

/// Up to this many values of a type are compared one by one, which takes less than making a text and hashing it.
const FEW: usize = 8;

/// The plain values of one type that stand in forms as numbers. Two are the same if they are equal and have the same text: an
/// `==` by hand may leave out a field, and so may a `Debug`.
pub(super) struct Numbered<T> {
    values: Vec<T>,
    texts: Vec<String>,
    by_text: FxHashMap<String, Vec<u32>>,
}

impl<T: Clone + PartialEq + Debug> Numbered<T> {
    fn number(&mut self, value: &T) -> u32 {
        // A value that does not equal itself, such as one with NaN in it, is known by its text.
        #[allow(clippy::eq_op, reason = "that is the question")]
        let is_odd = |value: &T| value != value;
        let is_equal = |known: &T| known == value || is_odd(known) && is_odd(value);
        if self.values.len() <= FEW {
            let mut known = self.values.iter().zip(&self.texts);
            if let Some(at) = known.position(|(known, text)| is_equal(known) && has_text(value, text)) {
                return at as u32;
            }
        }
        let text = format!("{value:?}");
        let same = self.by_text.entry(text.clone()).or_default();
        if let Some(&known) = same.iter().find(|known| is_equal(&self.values[**known as usize])) {
            return known;
        }
        let number = self.values.len() as u32;
        same.push(number);
        self.texts.push(text);
        self.values.push(value.clone());
        number
    }
}

/// Returns whether a value has this `Debug` text, without making a copy of it.
fn has_text(value: &impl Debug, text: &str) -> bool {
    struct Rest<'t>(&'t str);
    impl Write for Rest<'_> {
        fn write_str(&mut self, part: &str) -> fmt::Result {
            self.0 = self.0.strip_prefix(part).ok_or(fmt::Error)?;
            Ok(())
        }
    }
    let mut rest = Rest(text);
    write!(rest, "{value:?}").is_ok() && rest.0.is_empty()
}

impl Forms {
    fn numbered<T: Clone + PartialEq + Debug + 'static>(&mut self) -> &mut Numbered<T> {
        let known = self.numbered.entry(TypeId::of::<T>());
        let known = known.or_insert_with(|| {
            Box::new(Numbered::<T> { values: Vec::new(), texts: Vec::new(), by_text: FxHashMap::default() })
        });
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
            char, |value| u64::from(u32::from(value)), |word| char_of(word);
            f32, |value| u64::from(value.to_bits()), |word| f32::from_bits(word as u32);
            f64, |value| value.to_bits(), |word| f64::from_bits(word);
        }
    };
}

fn char_of(word: u64) -> char {
    u32::try_from(word).ok().and_then(char::from_u32).expect("[korat internal bug] a char was written")
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

impl<const DRAFTS: bool> FormWriter<'_, DRAFTS> {
    /// Writes a plain value.
    #[inline]
    pub(crate) fn plain<T: Clone + PartialEq + Debug + 'static>(&mut self, value: &T) {
        if self.is_shape {
            // All values of a type that is no enum have the same.
            let mut variant = FxHasher::default();
            discriminant(value).hash(&mut variant);
            return self.number(variant.finish());
        }
        self.drafted(|draft| draft.plain(value));
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
}

impl FormReader<'_> {
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
        let known = known.expect("[korat internal bug] a value was numbered");
        let value = &known.values[number as usize];
        // A clone may share memory with the value that is kept, which operations then change.
        assert!(
            const { !needs_drop::<T>() } || has_text(value, &known.texts[number as usize]),
            "[korat] a state shares a listed value of type `{}` with others, and an operation has changed it",
            type_name::<T>()
        );
        value.clone()
    }
}
