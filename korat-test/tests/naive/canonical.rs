//! Values as text: isomorphic values give the same text, others do not. Objects are numbered in the order in which a walk meets them.

use std::any::Any;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::{Debug, Write};
use std::ptr;
use std::rc::{Rc, Weak};

/// A walk over a real value: objects are numbered when a pointer first leads to them.
#[derive(Default)]
pub struct Walk {
    text: String,
    numbers: HashMap<*const (), usize>,
    /// Per `Rc` met, its object; an object stands here once for each.
    strong: Vec<Weak<dyn Any>>,
    /// Whether something else holds a value that only one pointer leads to.
    has_other_owners: bool,
}

impl Walk {
    /// Text for a plain value.
    pub fn plain(&mut self, value: &dyn Debug) {
        write!(self.text, "{value:?} ").expect("writing to a string cannot fail");
    }

    /// A counted value that only one pointer leads to, with the number of its owners.
    pub fn counted(&mut self, owners: usize) {
        self.has_other_owners |= owners != 1;
    }

    /// An object with its fields.
    pub fn fields(&mut self, class: &str, fields: &[&dyn Canonical]) {
        write!(self.text, "{class}( ").expect("writing to a string cannot fail");
        fields.iter().for_each(|field| field.walk(self));
        self.text.push_str(") ");
    }

    /// An object that a pointer leads to.
    pub fn pointer<T: Canonical>(&mut self, object: &T) {
        let next = self.numbers.len();
        let number = *self.numbers.entry(ptr::from_ref(object).cast()).or_insert(next);
        write!(self.text, "#{number} ").expect("writing to a string cannot fail");
        if number == next {
            object.walk(self);
        }
    }
}

/// A value that can be walked: isomorphic values give the same text, others do not.
pub trait Canonical {
    fn walk(&self, to: &mut Walk);
}

/// The text of a value.
pub fn canonical(value: &impl Canonical) -> String {
    let mut walk = Walk::default();
    value.walk(&mut walk);
    walk.text
}

/// Whether every counted object of the value is held by the value's own pointers and by nothing else.
pub fn holds_itself_alone(value: &impl Canonical) -> bool {
    let mut walk = Walk::default();
    value.walk(&mut walk);
    let holders = |object: &Weak<dyn Any>| walk.strong.iter().filter(|other| Weak::ptr_eq(object, other)).count();
    !walk.has_other_owners && walk.strong.iter().all(|object| object.strong_count() == holders(object))
}

impl<T: Canonical> Canonical for Option<T> {
    fn walk(&self, to: &mut Walk) {
        match self {
            Some(value) => value.walk(to),
            None => to.plain(&()),
        }
    }
}

impl<T: Canonical> Canonical for Box<T> {
    fn walk(&self, to: &mut Walk) {
        to.pointer(&**self);
    }
}

impl<T: Canonical + 'static> Canonical for Rc<T> {
    fn walk(&self, to: &mut Walk) {
        let this: Weak<T> = Rc::downgrade(self);
        to.strong.push(this);
        to.pointer(&**self);
    }
}

impl<T: Canonical> Canonical for Weak<T> {
    fn walk(&self, to: &mut Walk) {
        match self.upgrade() {
            Some(strong) => to.pointer(&*strong),
            None => to.plain(&()),
        }
    }
}

impl<T: Canonical> Canonical for RefCell<T> {
    fn walk(&self, to: &mut Walk) {
        self.borrow().walk(to);
    }
}

impl<T: Canonical> Canonical for Vec<T> {
    fn walk(&self, to: &mut Walk) {
        to.plain(&self.len());
        self.iter().for_each(|value| value.walk(to));
    }
}

impl<T: Canonical> Canonical for VecDeque<T> {
    fn walk(&self, to: &mut Walk) {
        to.plain(&self.len());
        self.iter().for_each(|value| value.walk(to));
    }
}

impl<K: Debug, V: Canonical> Canonical for BTreeMap<K, V> {
    fn walk(&self, to: &mut Walk) {
        to.plain(&self.len());
        for (key, value) in self {
            to.plain(key);
            value.walk(to);
        }
    }
}

impl<K: Debug + Ord, V: Canonical> Canonical for HashMap<K, V> {
    fn walk(&self, to: &mut Walk) {
        to.plain(&self.len());
        for (key, value) in self.iter().collect::<BTreeMap<_, _>>() {
            to.plain(key);
            value.walk(to);
        }
    }
}

impl<K: Debug> Canonical for BTreeSet<K> {
    fn walk(&self, to: &mut Walk) {
        to.plain(self);
    }
}

impl<K: Debug + Ord> Canonical for HashSet<K> {
    fn walk(&self, to: &mut Walk) {
        to.plain(&self.iter().collect::<BTreeSet<_>>());
    }
}

impl<A: Canonical, B: Canonical> Canonical for (A, B) {
    fn walk(&self, to: &mut Walk) {
        self.0.walk(to);
        self.1.walk(to);
    }
}

impl<T: Canonical, const N: usize> Canonical for [T; N] {
    fn walk(&self, to: &mut Walk) {
        self.iter().for_each(|value| value.walk(to));
    }
}

/// Values whose `Debug` text says all there is to say.
macro_rules! canonical_plain {
    ($($type:ty)*) => {$(
        impl $crate::canonical::Canonical for $type {
            fn walk(&self, to: &mut $crate::canonical::Walk) {
                to.plain(self);
            }
        }
    )*};
}
pub(crate) use canonical_plain;

canonical_plain! { u8 i8 usize bool char }

/// Structs by their fields.
macro_rules! canonical_fields {
    ($($class:ident { $($field:tt),* })*) => {$(
        impl $crate::canonical::Canonical for $class {
            fn walk(&self, to: &mut $crate::canonical::Walk) {
                to.fields(stringify!($class), &[$( &self.$field ),*]);
            }
        }
    )*};
}
pub(crate) use canonical_fields;

/// `Debug` for structures with hashed parts, whose own order is another one each time.
macro_rules! debug_in_order {
    ($($class:ty)*) => {$(
        impl std::fmt::Debug for $class {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&$crate::canonical::canonical(self))
            }
        }
    )*};
}
pub(crate) use debug_in_order;
