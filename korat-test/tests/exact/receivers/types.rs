//! Types whose methods are named like those of std, with every kind of receiver.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};

/// Is changed in place, and is not `Copy`.
#[derive(Clone)]
pub struct Changed {
    pub n: u8,
}

/// Is changed in place, and is `Copy`.
#[derive(Clone, Copy)]
pub struct ChangedCopy {
    pub n: u8,
}

/// Is looked at.
pub struct Looked {
    pub n: Cell<u8>,
}

impl Looked {
    pub fn new(n: u8) -> Self {
        Looked { n: Cell::new(n) }
    }

    pub fn now(&self) -> u8 {
        self.n.get()
    }
}

/// Is used up, and is `Copy`.
#[derive(Clone, Copy)]
pub struct Turned {
    pub n: u8,
}

/// Is used up, and is not `Copy`.
#[derive(Clone)]
pub struct Given {
    pub n: u8,
}

/// As in the standard library's builders.
#[derive(Default)]
pub struct Fluent {
    pub n: u8,
}

impl Fluent {
    pub fn push(&mut self, key: u8) -> &mut Self {
        self.n = self.n.wrapping_mul(3).wrapping_add(key);
        self
    }

    pub fn take(&mut self) -> Option<u8> {
        (self.n > 0).then(|| std::mem::take(&mut self.n))
    }
}

/// Named like traits' methods that the type has not.
pub struct Uncloned {
    pub n: u8,
}

impl Uncloned {
    pub fn clone(&mut self, key: u8) -> u8 {
        self.n = self.n.wrapping_mul(2).wrapping_add(key);
        self.n
    }

    pub fn to_owned(&mut self) -> u8 {
        self.n = self.n.wrapping_add(1);
        self.n
    }
}

/// Methods by a trait, on types of std.
pub trait Steps {
    fn skip(&mut self, by: u8) -> u8;
    fn count(&mut self);
}

impl Steps for u8 {
    fn skip(&mut self, by: u8) -> u8 {
        *self = self.wrapping_add(by);
        *self
    }

    fn count(&mut self) {
        *self += 1;
    }
}

/// Methods of what is inside.
pub struct Wrapped(pub Fluent);

impl Deref for Wrapped {
    type Target = Fluent;

    fn deref(&self) -> &Fluent {
        &self.0
    }
}

impl DerefMut for Wrapped {
    fn deref_mut(&mut self) -> &mut Fluent {
        &mut self.0
    }
}

/// Has a method name twice: by value in the type, by `&mut` in the trait, which the type's own hides.
#[derive(Clone, Copy)]
pub struct Twofold {
    pub n: u8,
}

impl Twofold {
    pub fn max(self, other: u8) -> u8 {
        self.n.wrapping_add(other)
    }
}

pub trait Max {
    fn max(&mut self, other: u8) -> u8;
}

impl Max for Twofold {
    fn max(&mut self, other: u8) -> u8 {
        self.n = other;
        0
    }
}

/// Generic, and `Copy` only where its part is.
#[derive(Clone, Copy)]
pub struct Slot<T> {
    pub held: T,
}

impl<T: Copy> Slot<T> {
    pub fn replace(&mut self, held: T) -> T {
        std::mem::replace(&mut self.held, held)
    }

    pub fn max(&mut self, held: T) {
        self.held = held;
    }
}
