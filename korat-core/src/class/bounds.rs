//! The bounds of a search: the scope, and the overrides of the call site. Nothing here is checked against the types;
//! the planner does that.

use std::any::{Any, TypeId};
use std::marker::PhantomData;
use std::num::NonZero;
use std::rc::Rc;
use std::sync::Arc;

use super::census::Census;
use super::codec::{Codec, Field};
use super::list_cap;
use super::traits::Class;
use crate::memory::pages;

/// The bounds of a search over values of `T`; made by `T::scope(n)`.
pub struct Bounds<T> {
    pub(super) scope: usize,
    pub(super) overrides: Overrides,
    pub(super) of: PhantomData<fn() -> T>,
}

impl<T> Clone for Bounds<T> {
    fn clone(&self) -> Self {
        Bounds { scope: self.scope, overrides: self.overrides.clone(), of: PhantomData }
    }
}

#[derive(Clone, Default)]
pub(crate) struct Overrides {
    pub(crate) objects: Vec<ObjectsOverride>,
    pub(crate) values: Vec<ValuesOverride>,
    /// The contents of the value that these bounds are derived from, if they are derived from one.
    pub(crate) census: Option<Rc<Census>>,
}

#[derive(Clone, Copy)]
pub(crate) struct ObjectsOverride {
    pub(crate) class: TypeId,
    pub(crate) class_name: &'static str,
    pub(crate) count: usize,
}

#[derive(Clone)]
pub(crate) struct ValuesOverride<V = Rc<dyn Any>> {
    pub(crate) class: TypeId,
    pub(crate) class_name: &'static str,
    pub(crate) field: &'static str,
    /// A `Vec` of the codec's leaf type.
    pub(crate) values: Result<V, String>,
}

/// Names one field of one class; made by `korat::field!(Node.key)`.
pub struct FieldOf<C, F> {
    name: &'static str,
    of: PhantomData<fn(C) -> F>,
}

impl<C, F> FieldOf<C, F> {
    #[doc(hidden)]
    pub fn new(name: &'static str, _witness: fn(&C) -> &F) -> Self {
        FieldOf { name, of: PhantomData }
    }
}

impl<C: Class, F> FieldOf<C, F> {
    /// Returns the path of the field, such as `Node.key`.
    pub fn path(&self) -> String {
        format!("{}.{}", C::NAME, self.name)
    }
}

impl<T: Class> Bounds<T> {
    pub(crate) fn new(scope: usize) -> Self {
        Bounds { scope, overrides: Overrides::default(), of: PhantomData }
    }

    /// Returns the scope.
    pub fn scope(&self) -> usize {
        self.scope
    }

    /// Replaces the scope and keeps the overrides.
    pub fn set_scope(&mut self, scope: usize) {
        self.scope = scope;
    }

    pub(crate) fn set_objects(&mut self, class: TypeId, class_name: &'static str, count: usize) {
        self.overrides.objects.push(ObjectsOverride { class, class_name, count });
    }

    pub(crate) fn set_census(&mut self, census: Census) {
        self.overrides.census = Some(Rc::new(census));
    }

    pub(crate) fn overrides(&self) -> &Overrides {
        &self.overrides
    }

    /// Lists the overrides: `Node <= 2` for a bound on objects, `Node.key` for a field with its own values.
    pub fn overridden(&self) -> Vec<String> {
        let objects = self.overrides.objects.iter().map(|bound| format!("{} <= {}", bound.class_name, bound.count));
        let values = self.overrides.values.iter().map(|values| format!("{}.{}", values.class_name, values.field));
        objects.chain(values).collect()
    }

    /// Allows at most `count` objects of class `C`. The root counts as an object of its class.
    pub fn objects<C: Class>(mut self, count: usize) -> Self {
        self.overrides.objects.push(ObjectsOverride { class: TypeId::of::<C>(), class_name: C::NAME, count });
        self
    }

    /// Sets the domain of one field, in place of its `#[finitize(..)]` attribute or default.
    pub fn domain<C: Class, F: Field, I: IntoIterator>(mut self, field: FieldOf<C, F>, values: I) -> Self
    where
        I::Item: IntoValue<<F::Codec as Codec>::Leaf>,
    {
        let values = into_values::<<F::Codec as Codec>::Leaf, I>(values);
        self.push_values::<C>(field.name, values.map(|values| Rc::new(values) as Rc<dyn Any>));
        self
    }

    /// Sets the values of a field of any type that carries `#[finitize(values = [..])]`.
    pub fn field_values<C: Class, F: Clone + 'static>(mut self, field: FieldOf<C, F>, values: Vec<F>) -> Self {
        self.push_values::<C>(field.name, Ok(Rc::new(values)));
        self
    }

    fn push_values<C: Class>(&mut self, field: &'static str, values: Result<Rc<dyn Any>, String>) {
        let (class, class_name) = (TypeId::of::<C>(), C::NAME);
        self.overrides.values.push(ValuesOverride { class, class_name, field, values });
    }
}

/// An item of a domain expression, convertible to a value of the field's leaf type `L` if it fits.
#[diagnostic::on_unimplemented(
    message = "a domain of `{Self}` does not fit a field whose values are `{L}`",
    label = "the items of this domain are `{Self}`",
    note = "give an iterator of the field's own type, or of integers where the field is an integer",
    note = "a field that points to objects takes no domain (`NoDomain`): it ranges over the objects of its class"
)]
pub trait IntoValue<L> {
    /// Converts the item. The error says what cannot be represented.
    fn into_value(self) -> Result<L, String>;
    /// Returns a value that the domain has besides those of its items: `None`, if the items are what an option holds.
    #[doc(hidden)]
    fn besides() -> Option<L> {
        None
    }
}

#[diagnostic::do_not_recommend]
impl<T> IntoValue<T> for T {
    fn into_value(self) -> Result<T, String> {
        Ok(self)
    }
}

/// Lets the domain of an option list what it holds.
#[diagnostic::do_not_recommend]
impl<T> IntoValue<Option<T>> for T {
    fn into_value(self) -> Result<Option<T>, String> {
        Ok(Some(self))
    }
    fn besides() -> Option<Option<T>> {
        Some(None)
    }
}

/// Lets the domain of an option list integers of another type than it holds.
macro_rules! optional_value {
    ($from:ident => $to:ty) => {
        #[diagnostic::do_not_recommend]
        impl IntoValue<Option<$to>> for $from {
            #[inline]
            fn into_value(self) -> Result<Option<$to>, String> {
                IntoValue::<$to>::into_value(self).map(Some)
            }
            #[inline]
            fn besides() -> Option<Option<$to>> {
                Some(None)
            }
        }
    };
}

/// Lets string literals list the keys of maps and sets.
macro_rules! text_values {
    ($($to:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl IntoValue<$to> for &str {
            fn into_value(self) -> Result<$to, String> {
                Ok(self.into())
            }
        }
    )*};
}

text_values! { String Box<str> Rc<str> Arc<str> }

/// Converts integers of other types: `scope` is a `usize`, and an untyped literal is an `i32`. Inlined, so that only the
/// conversions that a crate uses are compiled.
macro_rules! integer_values {
    ($($from:ident => $($to:ident)*;)*) => {$($(
        #[diagnostic::do_not_recommend]
        impl IntoValue<$to> for $from {
            #[inline]
            fn into_value(self) -> Result<$to, String> {
                self.try_into().map_err(|_| format!("{self} is not a value of type {}", stringify!($to)))
            }
        }
        optional_value!($from => $to);
    )*)*};
}

/// Converts integers to `NonZero`.
macro_rules! nonzero_values {
    ($($from:ident)* => $to:tt) => {$(
        nonzero_values!(@ $from => $to);
    )*};
    (@ $from:ident => [$($to:ident)*]) => {$(
        #[diagnostic::do_not_recommend]
        impl IntoValue<NonZero<$to>> for $from {
            #[inline]
            fn into_value(self) -> Result<NonZero<$to>, String> {
                let value: Option<$to> = self.try_into().ok();
                let value = value.and_then(NonZero::new);
                value.ok_or_else(|| format!("{self} is not a value of type NonZero<{}>", stringify!($to)))
            }
        }
        optional_value!($from => NonZero<$to>);
    )*};
}

nonzero_values! {
    u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize => [u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize]
}

integer_values! {
    u8 => u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize;
    u16 => u8 u32 u64 u128 usize i8 i16 i32 i64 i128 isize;
    u32 => u8 u16 u64 u128 usize i8 i16 i32 i64 i128 isize;
    u64 => u8 u16 u32 u128 usize i8 i16 i32 i64 i128 isize;
    u128 => u8 u16 u32 u64 usize i8 i16 i32 i64 i128 isize;
    usize => u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 isize;
    i8 => u8 u16 u32 u64 u128 usize i16 i32 i64 i128 isize;
    i16 => u8 u16 u32 u64 u128 usize i8 i32 i64 i128 isize;
    i32 => u8 u16 u32 u64 u128 usize i8 i16 i64 i128 isize;
    i64 => u8 u16 u32 u64 u128 usize i8 i16 i32 i128 isize;
    i128 => u8 u16 u32 u64 u128 usize i8 i16 i32 i64 isize;
    isize => u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128;
}

/// The maximum length of a domain. A longer one is a mistake, and would not fit into memory.
const MOST_VALUES: usize = 1 << 24;

/// Collects the values of an iterator. Fails if there are more than `MOST_VALUES`, as for an infinite one; while
/// domains are capped, returns the first values instead.
pub fn listed<T>(values: impl IntoIterator<Item = T>) -> Result<Vec<T>, String> {
    let values = values.into_iter();
    let most = list_cap::current().unwrap_or(MOST_VALUES);
    let (least, at_most) = values.size_hint();
    let mut listed = pages::with_capacity(least.min(most));
    if at_most.is_some_and(|at_most| at_most <= most) {
        listed.extend(values);
        return Ok(listed);
    }
    for value in values {
        if listed.len() == most {
            let is_cut = list_cap::current().is_some();
            return if is_cut { Ok(listed) } else { Err(format!("it has more than {MOST_VALUES} values")) };
        }
        listed.push(value);
    }
    Ok(listed)
}

/// Evaluates a domain expression.
pub fn into_values<L, I: IntoIterator>(values: I) -> Result<Vec<L>, String>
where
    I::Item: IntoValue<L>,
{
    let mut unfit = None;
    let fitting = |value: I::Item| value.into_value().map_err(|what| unfit = Some(what)).ok();
    // Collecting from `vec::IntoIter` reuses its allocation where the sizes allow it.
    let mut fitting: Vec<L> = listed(values)?.into_iter().map_while(fitting).collect();
    fitting.splice(0..0, I::Item::besides());
    match unfit {
        Some(what) if list_cap::current().is_none() => Err(what),
        _ => Ok(fitting),
    }
}
