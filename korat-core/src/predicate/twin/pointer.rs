//! Pointers to objects of the bounded heap, and to plain values in it. They are `Copy`, and their objects are never freed while the predicate
//! runs.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

use crate::predicate::compared::{has_recorder, pointers};
use crate::predicate::machine::early::Convertible;
use crate::slots::object_view::Located;
use crate::slots::slot::ReadCell;

macro_rules! owning_pointer {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[repr(transparent)]
        pub struct $name<V>(
            /// The place of the object.
            NonNull<()>,
            PhantomData<V>,
        );

        impl<V: Located> $name<V> {
            /// Returns a pointer to the object at this place, which must belong to a heap that outlives the predicate's
            /// run.
            pub(crate) fn at(object: *const V::Place) -> Self {
                let object = NonNull::new(object.cast_mut().cast());
                $name(object.expect("[korat internal bug] an object has an address"), PhantomData)
            }

            /// Returns the place of the object.
            #[inline(always)]
            pub(crate) fn target(self) -> &'static V::Place {
                // SAFETY: `at` was given the address of a place; places are made before any predicate runs and are
                // never freed.
                unsafe { self.0.cast().as_ref() }
            }

            /// Returns the object's place. Reads nothing.
            pub(crate) fn place(self) -> NonNull<V::Place> {
                self.0.cast()
            }

            /// Returns the object. A member of a tuple that is an enum by value is a pointer, which patterns see through.
            #[inline(always)]
            pub fn __korat_object(&self) -> &V {
                self
            }

            /// Returns the address of the object.
            #[inline]
            pub fn as_ptr(this: &Self) -> *const V {
                &**this
            }
        }

        impl<V> $name<V> {
            /// Returns whether both point to the same object.
            #[inline]
            pub fn ptr_eq(this: &Self, other: &Self) -> bool {
                if has_recorder() {
                    pointers(this.0.as_ptr(), other.0.as_ptr());
                }
                this.0 == other.0
            }
        }

        impl<V> Clone for $name<V> {
            #[inline]
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<V> Copy for $name<V> {}

        impl<V: Located> Deref for $name<V> {
            type Target = V;
            #[inline(always)]
            fn deref(&self) -> &V {
                V::look(self.target())
            }
        }

        impl<V: Located> Convertible for $name<V> {
            fn is_decided(&self) -> bool {
                self.target().is_decided()
            }
        }

        impl<V: Located> AsRef<V> for $name<V> {
            #[inline]
            fn as_ref(&self) -> &V {
                self
            }
        }

        impl<V: Located + PartialEq> PartialEq for $name<V> {
            fn eq(&self, other: &Self) -> bool {
                **self == **other
            }
        }

        impl<V: Located + Eq> Eq for $name<V> {}

        impl<V: Located + PartialOrd> PartialOrd for $name<V> {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                (**self).partial_cmp(&**other)
            }
        }

        impl<V: Located + Ord> Ord for $name<V> {
            fn cmp(&self, other: &Self) -> Ordering {
                (**self).cmp(&**other)
            }
        }

        impl<V: Located + Hash> Hash for $name<V> {
            fn hash<H: Hasher>(&self, state: &mut H) {
                (**self).hash(state);
            }
        }

        impl<V> fmt::Pointer for $name<V> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Pointer::fmt(&self.0, f)
            }
        }

        impl<V: Located + fmt::Display> fmt::Display for $name<V> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                (**self).fmt(f)
            }
        }

        impl<V: Located + fmt::Debug> fmt::Debug for $name<V> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                (**self).fmt(f)
            }
        }
    };
}

owning_pointer! {
    /// The twin of `std::boxed::Box`, over a view.
    Box
}
owning_pointer! {
    /// The twin of `std::rc::Rc` and `std::sync::Arc`, over a view.
    Rc
}

impl<V> Rc<V> {
    /// Returns a weak pointer to the same object.
    pub fn downgrade(this: &Self) -> Weak<V> {
        Weak(Some(*this))
    }
}

/// The twin of `std::rc::Weak` and `std::sync::Weak`, over a view. In every generated value another pointer owns its
/// object, so it upgrades.
pub struct Weak<V>(Option<Rc<V>>);

impl<V> Weak<V> {
    /// Creates a pointer to nothing.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Weak(None)
    }

    /// Returns the object, if there is one.
    #[inline]
    pub fn upgrade(&self) -> Option<Rc<V>> {
        self.0
    }

    /// Returns whether both point to the same object, or both to none.
    #[inline]
    pub fn ptr_eq(&self, other: &Self) -> bool {
        let place = |weak: &Self| weak.0.map_or(std::ptr::null(), |strong| strong.0.as_ptr().cast_const());
        let (one, two) = (place(self), place(other));
        if has_recorder() {
            pointers(one, two);
        }
        one == two
    }

    /// Returns the address of the object; a dangling one if there is no object.
    pub fn as_ptr(&self) -> *const V
    where
        V: Located,
    {
        match &self.0 {
            Some(strong) => Rc::as_ptr(strong),
            None => std::ptr::without_provenance(usize::MAX),
        }
    }
}

impl<V> Clone for Weak<V> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Weak<V> {}

impl<V> fmt::Debug for Weak<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(Weak)")
    }
}
