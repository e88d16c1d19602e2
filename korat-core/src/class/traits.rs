//! Traits implemented by `#[derive(Finitize)]` and `#[rep_ok]`: a [`Class`] maps between the user's type and its view.
//! Users see only [`Finitize`].

use std::marker::PhantomData;

use super::abstraction::{Abstraction, OutOfBounds};
use super::bounds::Bounds;
use super::copies::Copies;
use super::cycles::AnyStrong;
use super::form::{FormReader, FormWriter};
use super::patch::Patch;
use super::plan::planner::Planner;
use super::plan::slot_maker::SlotMaker;
use super::rewrite::Rewrite;
use crate::class::class_plan::ObjectPlace;
use crate::predicate::machine::Machine;
use crate::slots::object_view::{Located, ObjectView};
use crate::slots::slot::AnySlot;

/// A type whose values korat can generate. Derive it.
///
/// ```
/// use korat::Finitize;
///
/// #[derive(Debug, Finitize)]
/// struct Pair {
///     small: bool,
///     #[finitize(1..=scope)]
///     number: u8,
/// }
/// ```
pub trait Finitize: Class {
    /// Returns the bounds of a search for all values within `scope`: at most `scope` objects of each class. `scope` is
    /// also the value of that name in `#[finitize(..)]` expressions.
    fn scope(scope: usize) -> Bounds<Self> {
        Bounds::new(scope)
    }
}

/// A generic class whose type parameters all stand for plain values. Implemented by the derive.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be generated: a type parameter of a class stands for plain values",
    label = "one of its arguments is not plain",
    note = "integers, `bool`, `char`, and types that derive `Finitize` with `#[finitize(plain)]` and enums without fields are plain; for other arguments, name the type: `#[finitize(instances({Self}))]`"
)]
pub trait ClassOfPlain: Class {}

/// A struct, or an enum with data, whose instances are objects of the bounded heap. Implemented by the derive.
///
/// A struct has one alternative, an enum has one per variant. An alternative is what a predicate sees of an object; it
/// consists of the cells of the fields.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a class that korat can generate",
    label = "no `#[derive(Finitize)]` here",
    note = "derive `Finitize` for `{Self}`"
)]
pub trait Class: Sized + 'static {
    /// The name of the class in messages.
    const NAME: &'static str;
    /// The names of an enum's variants, in order; empty for a struct.
    const VARIANTS: &'static [&'static str];
    /// The type that a predicate sees in place of `Self`.
    type Lifted: ObjectView<Place: ObjectPlace<Self::Lifted>>;
    /// The plans of the fields.
    type Plan: 'static;
    /// Returns the default bound on the number of objects.
    fn objects(scope: usize) -> usize {
        scope
    }
    /// Describes every field to the planner, in declaration order.
    fn plan(planner: &mut Planner<'_>) -> Self::Plan;
    /// Makes the alternatives of one object and passes each to `take`.
    fn alternatives(plan: &Self::Plan, slots: &mut SlotMaker<'_>, take: impl FnMut(Self::Lifted));
    /// Calls `visit` on every slot of one alternative, in order. Skips slots that the value does not have.
    fn visit(lifted: &Self::Lifted, visit: &mut dyn FnMut(&dyn AnySlot));
    /// Copies an object while a predicate runs; reads its slots.
    fn copy_out(lifted: &Self::Lifted, copies: &mut Copies) -> Self;
    /// Builds the user's value from the assigned slots of one alternative.
    fn materialise(lifted: &Self::Lifted, plan: &Self::Plan) -> Self;
    /// Makes the value what [`materialise`](Class::materialise) would build, whatever it was before.
    fn patch(&mut self, lifted: &Self::Lifted, plan: &Self::Plan, to: &mut Patch);
    /// Writes the indices of the value's fields into `to`. Returns the index of the value's alternative.
    fn abstract_to(
        &self,
        alternatives: &[&Self::Lifted],
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<u32, OutOfBounds>;
    /// Writes the canonical form of the value.
    fn write_form<const DRAFTS: bool>(&self, to: &mut FormWriter<'_, DRAFTS>);
    /// Builds a value from its canonical form.
    fn read_form(from: &mut FormReader<'_>) -> Self;
    /// Writes changed slots back into the fields of the value's alternative.
    fn rewrite(&mut self, alternatives: &[&Self::Lifted], plan: &Self::Plan, to: &mut Rewrite<'_>);
    /// Calls `visit` on every strong pointer in the value, looking through boxes.
    fn each_strong(&self, visit: &mut dyn FnMut(&dyn AnyStrong));
    /// Sets every nullable pointer in the value to null.
    fn sever(&mut self);
    /// Sets every nullable pointer inside a cell to null, through a shared reference.
    fn sever_cells(&self);
}

/// Tells whether a type implements `Drop`: `OwnDrop::<T>::IS` resolves to the inherent constant if it does, and to
/// [`NoOwnDrop::IS`] otherwise.
pub struct OwnDrop<T>(PhantomData<T>);

#[allow(drop_bounds, reason = "whether there is a destructor is the question")]
impl<T: Drop> OwnDrop<T> {
    /// `true`: the type implements `Drop`.
    pub const IS: bool = true;
}

/// Provides `OwnDrop::<T>::IS` for types that do not implement `Drop`.
pub trait NoOwnDrop {
    /// `false`: the type does not implement `Drop`.
    const IS: bool = false;
}

impl<T> NoOwnDrop for OwnDrop<T> {}

/// The type of the place at which a predicate finds an object of class `C`.
pub type View<C> = <<C as Class>::Lifted as Located>::Place;

/// A class with an invariant, in its original, lifted and lowered forms. Implemented by `#[rep_ok]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no invariant that korat can run",
    label = "no `#[rep_ok]` for this type",
    note = "write `#[rep_ok]` above the `impl {Self}` block that holds `fn rep_ok(&self) -> bool`"
)]
pub trait RepOk: Class {
    /// A hash of the predicate as it is written.
    #[doc(hidden)]
    const DIGEST: u64 = 0;
    /// Runs the lifted predicate.
    fn lifted(view: &View<Self>) -> bool;
    /// Returns the lowered predicate on one object.
    #[doc(hidden)]
    fn machine(view: &'static View<Self>) -> Machine;
    /// Runs the user's own predicate.
    fn holds(&self) -> bool;
    /// Whether values that the predicate accepts are built, and given up unless [`filter`](RepOk::filter) accepts them.
    #[doc(hidden)]
    const FILTERS: bool = false;
    /// Runs the user's filter.
    #[doc(hidden)]
    fn filter(&self) -> bool {
        true
    }
}

/// The result of a filter.
#[diagnostic::on_unimplemented(
    message = "a filter cannot return `{Self}`",
    label = "this filter returns `{Self}`",
    note = "a filter returns a `bool`, or panics if it has no result: `#[rep_ok(filter = .., panics = invalid)]`"
)]
pub trait Verdict {
    /// Returns whether the value is kept.
    fn accepts(self) -> bool;
}

impl Verdict for bool {
    fn accepts(self) -> bool {
        self
    }
}

impl Verdict for () {
    fn accepts(self) -> bool {
        true
    }
}

/// Maps a type in a predicate's signature to its counterpart in the lifted predicate.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be named in a lifted predicate: korat does not know whether it holds fields of the structure",
    label = "not a class, not a type of the standard library that korat knows",
    note = "derive `Finitize` for `{Self}` if it is part of the structure; write `#[rep_ok(plain({Self}))]` if it is not"
)]
pub trait Lift {
    /// The counterpart, over views.
    type Lifted: ?Sized;
}
