//! Values that can be taken out of one run of a method and put into another: plain values, word by word, and references
//! to objects. Two values with the same words are the same to every program.

use std::cmp::Ordering;

use super::Packed;
use crate::predicate::twin;
use crate::predicate::undo::keep_until_backtrack;
use crate::slots::object_view::{Located, ObjectView};

/// A value that can be packed and unpacked: equal words mean equal values, down to the last bit that a program can see.
pub trait Portable: Sized {
    /// Writes the value.
    fn pack(&self, to: &mut Packed);
    /// Reads the value.
    fn unpack(from: &mut Packed) -> Self;
}

/// Writes the value behind a reference.
#[inline]
pub fn pack_behind<T: Portable>(value: &T, to: &mut Packed) {
    if to.push_reference(value) {
        value.pack(to);
    }
}

/// Reads the value behind a reference.
#[inline]
pub fn unpack_behind<'r, T: Portable>(from: &mut Packed) -> &'r T {
    from.next_reference(T::unpack)
}

/// A reference to a plain value shows a copy of it; two references to one value show one copy.
macro_rules! by_reference {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        impl<$($generics)*> Portable for &$type {
            #[inline]
            fn pack(&self, to: &mut Packed) {
                $crate::predicate::calls::pack_behind(*self, to);
            }
            #[inline]
            fn unpack(from: &mut Packed) -> Self {
                $crate::predicate::calls::unpack_behind(from)
            }
        }
    )*};
}

pub(super) use by_reference;

macro_rules! numbers {
    ($($type:ty)*) => {$(
        impl Portable for $type {
            #[inline]
            fn pack(&self, to: &mut Packed) {
                to.push(*self as u64);
            }
            #[inline]
            fn unpack(from: &mut Packed) -> Self {
                from.next_word() as $type
            }
        }
        by_reference! { [] $type; }
    )*};
}

numbers!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

macro_rules! wide_numbers {
    ($($type:ty)*) => {$(
        impl Portable for $type {
            fn pack(&self, to: &mut Packed) {
                to.push(*self as u64);
                to.push((*self >> 64) as u64);
            }
            fn unpack(from: &mut Packed) -> Self {
                let low = from.next_word();
                <$type>::from(low) | <$type>::from(from.next_word()) << 64
            }
        }
        by_reference! { [] $type; }
    )*};
}

wide_numbers!(u128 i128);

macro_rules! through {
    ($($type:ty, |$value:ident| $word:expr, |$from:ident| $back:expr;)*) => {$(
        impl Portable for $type {
            #[inline]
            fn pack(&self, to: &mut Packed) {
                let $value = *self;
                to.push($word);
            }
            #[inline]
            fn unpack(from: &mut Packed) -> Self {
                let $from = from.next_word();
                $back
            }
        }
        by_reference! { [] $type; }
    )*};
}

through! {
    bool, |value| u64::from(value), |word| word != 0;
    char, |value| u64::from(value), |word| char::from_u32(word as u32).expect("[korat internal bug] a character was packed");
    f32, |value| u64::from(value.to_bits()), |word| f32::from_bits(word as u32);
    f64, |value| value.to_bits(), |word| f64::from_bits(word);
    Ordering, |value| value as i8 as u64, |word| (word as i8).cmp(&0);
}

impl Portable for () {
    fn pack(&self, _: &mut Packed) {}
    fn unpack(_: &mut Packed) -> Self {}
}

impl<T: Portable> Portable for Option<T> {
    #[inline]
    fn pack(&self, to: &mut Packed) {
        match self {
            None => to.push(0),
            Some(value) => {
                to.push(1);
                value.pack(to);
            }
        }
    }
    #[inline]
    fn unpack(from: &mut Packed) -> Self {
        (from.next_word() != 0).then(|| T::unpack(from))
    }
}

impl<T: Portable, E: Portable> Portable for Result<T, E> {
    fn pack(&self, to: &mut Packed) {
        match self {
            Err(error) => {
                to.push(0);
                error.pack(to);
            }
            Ok(value) => {
                to.push(1);
                value.pack(to);
            }
        }
    }
    fn unpack(from: &mut Packed) -> Self {
        if from.next_word() == 0 { Err(E::unpack(from)) } else { Ok(T::unpack(from)) }
    }
}

macro_rules! tuples {
    ($(($($name:ident)*);)*) => {$(
        impl<$($name: Portable),*> Portable for ($($name,)*) {
            #[inline]
            fn pack(&self, to: &mut Packed) {
                #[allow(non_snake_case)]
                let ($($name,)*) = self;
                $($name.pack(to);)*
            }
            #[inline]
            fn unpack(from: &mut Packed) -> Self {
                ($($name::unpack(from),)*)
            }
        }
        by_reference! { [$($name: Portable),*] ($($name,)*); }
    )*};
}

tuples! {
    (A);
    (A B);
    (A B C);
    (A B C D);
    (A B C D E);
    (A B C D E F);
    (A B C D E F G);
    (A B C D E F G H);
    (A B C D E F G H J);
    (A B C D E F G H J K);
}

impl<T: Portable, const N: usize> Portable for [T; N] {
    fn pack(&self, to: &mut Packed) {
        self.iter().for_each(|value| value.pack(to));
    }
    fn unpack(from: &mut Packed) -> Self {
        std::array::from_fn(|_| T::unpack(from))
    }
}

impl Portable for String {
    fn pack(&self, to: &mut Packed) {
        self.as_str().pack(to);
    }
    fn unpack(from: &mut Packed) -> Self {
        <&str>::unpack(from).to_string()
    }
}

impl Portable for &str {
    fn pack(&self, to: &mut Packed) {
        to.push(self.len() as u64);
        self.bytes().for_each(|byte| to.push(u64::from(byte)));
    }
    fn unpack(from: &mut Packed) -> Self {
        let bytes = (0..from.next_word()).map(|_| from.next_word() as u8).collect();
        let text = String::from_utf8(bytes).expect("[korat internal bug] a text was packed");
        keep_until_backtrack(text)
    }
}

impl<T: Portable> Portable for twin::Vec<T> {
    fn pack(&self, to: &mut Packed) {
        if self.is_field() {
            to.is_opaque = true;
            return;
        }
        to.push(self.len() as u64);
        self.iter().for_each(|value| value.pack(to));
    }
    fn unpack(from: &mut Packed) -> Self {
        let mut all = twin::Vec::new();
        for _ in 0..from.next_word() {
            all.push(T::unpack(from));
        }
        all
    }
}

impl<V: ObjectView> Portable for &V {
    #[inline]
    fn pack(&self, to: &mut Packed) {
        to.push_view(*self);
    }
    #[inline]
    fn unpack(from: &mut Packed) -> Self {
        from.next_view()
    }
}

macro_rules! pointers {
    ($($pointer:ident)*) => {$(
        impl<V: Located> Portable for twin::$pointer<V> {
            #[inline]
            fn pack(&self, to: &mut Packed) {
                to.push_place(self.place().as_ptr());
            }
            #[inline]
            fn unpack(from: &mut Packed) -> Self {
                twin::$pointer::at(from.next_place::<V>())
            }
        }
    )*};
}

pointers! { Box Rc }

by_reference! {
    [T: Portable] Option<T>;
    [T: Portable, E: Portable] Result<T, E>;
    [T: Portable, const N: usize] [T; N];
    [] String;
    [T: Portable] twin::Vec<T>;
    [V: Located] twin::Box<V>;
    [V: Located] twin::Rc<V>;
}
