//! `concat` and `join` of slices, whose elements are strings or sequences.

use super::sequence::Elements;
use super::{Array, Slice, Vec};

/// What `concat` and `join` put together.
pub trait Part {
    /// The result.
    type Whole: Default;
    /// Appends the part to the result.
    fn append_to(&self, whole: &mut Self::Whole);
}

/// A part that may stand between others: what `join` takes.
pub trait Between<Whole> {
    /// Appends the separator to the result.
    fn append_to(&self, whole: &mut Whole);
}

impl<E: Part> Slice<E> {
    /// Concatenates the elements, which are strings or sequences.
    pub fn concat(&self) -> E::Whole {
        let mut whole = E::Whole::default();
        self.iter().for_each(|part| part.append_to(&mut whole));
        whole
    }

    /// Concatenates the elements, which are strings or sequences, with `separator` between them.
    pub fn join<S: Between<E::Whole> + ?Sized>(&self, separator: &S) -> E::Whole {
        let mut whole = E::Whole::default();
        for (place, part) in self.iter().enumerate() {
            if place > 0 {
                separator.append_to(&mut whole);
            }
            part.append_to(&mut whole);
        }
        whole
    }
}

impl<E: Part + ?Sized> Part for &E {
    type Whole = E::Whole;
    fn append_to(&self, whole: &mut E::Whole) {
        (**self).append_to(whole);
    }
}

macro_rules! strings {
    ($($string:ty)*) => {$(
        impl Part for $string {
            type Whole = String;
            fn append_to(&self, whole: &mut String) {
                whole.push_str(self);
            }
        }
        impl Between<String> for $string {
            fn append_to(&self, whole: &mut String) {
                whole.push_str(self);
            }
        }
    )*};
}

strings! { str String Box<str> std::rc::Rc<str> std::sync::Arc<str> }

macro_rules! sequences {
    ($([$($generics:tt)*] $sequence:ty;)*) => {$(
        impl<$($generics)*> Part for $sequence {
            type Whole = Vec<T>;
            fn append_to(&self, whole: &mut Vec<T>) {
                whole.extend((0..self.count()).map(|at| self.element(at).clone()));
            }
        }
    )*};
}

sequences! {
    [T: Clone] Vec<T>;
    [T: Clone] Slice<T>;
    [T: Clone] [T];
    [T: Clone, const N: usize] [T; N];
    [T: Clone, const N: usize] Array<T, N>;
}

impl<T: Clone> Between<Vec<T>> for T {
    fn append_to(&self, whole: &mut Vec<T>) {
        whole.push(self.clone());
    }
}

impl<T: Clone> Between<Vec<T>> for Slice<T> {
    fn append_to(&self, whole: &mut Vec<T>) {
        Part::append_to(self, whole);
    }
}

impl<T: Clone> Between<Vec<T>> for [T] {
    fn append_to(&self, whole: &mut Vec<T>) {
        whole.extend(self.iter().cloned());
    }
}
