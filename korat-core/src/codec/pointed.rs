//! What pointers lead to: an object of a class, which other pointers may share, or a value of its own, in its own
//! slots. The type behind a `Box`, an `Rc` or an `Arc` says which.

use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

use super::compound::Compound;
use super::listed::Optional;
use super::pointer::{NoDomain, Nullable, Required};
use super::sequence::HasLen;
use super::tuple_option::{Copied, Maybe};
use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::alloc::Alloc;
use crate::class::alloc::boxed::Boxed;
use crate::class::alloc::counted::{Atomic, Counted};
use crate::class::alloc::pointee::Pointee;
use crate::class::codec::{Codec, Field};
use crate::class::copies::Copies;
use crate::class::cycles::AnyStrong;
use crate::class::form::{FormReader, FormWriter};
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::predicate::machine::early::note_convertible;
use crate::predicate::twin;
use crate::predicate::twin::{Elem, Part};
use crate::slots::object_view::Located;
use crate::slots::slot::AnySlot;

/// A type that a `Box`, an `Rc` or an `Arc` may point to.
#[diagnostic::on_unimplemented(
    message = "a pointer to `{Self}` cannot be finitized",
    label = "points neither to a class nor to a plain value, nor to a cell or a lock around one",
    note = "derive `Finitize` for the struct or enum it points to; or list the values: `#[finitize(values = [..])]`"
)]
pub trait Pointed: Sized + 'static {
    /// [`ToObject`] or [`ToValue`].
    type Target: Target<Self>;
}

/// What pointers to `P` lead to.
pub trait Target<P: 'static>: 'static {
    /// The type of the values that a domain expression lists.
    type Leaf: Clone + 'static;
    /// Handles pointers.
    type Required<F: PointerFamily>: Codec<Value = F::Pointer<P>, Leaf = Self::Leaf>;
    /// Handles options of pointers.
    type Nullable<F: PointerFamily>: Codec<Value = Option<F::Pointer<P>>, Leaf = Self::Leaf>;
    /// Returns the default values of one slot at a scope.
    fn default_values(scope: usize) -> Result<Vec<Self::Leaf>, String>;
}

/// Pointers lead to objects of a class.
pub struct ToObject;

impl<P: Pointee> Target<P> for ToObject {
    type Leaf = NoDomain;
    type Required<F: PointerFamily> = Required<F::Alloc<P>>;
    type Nullable<F: PointerFamily> = Nullable<F::Alloc<P>>;
    fn default_values(_scope: usize) -> Result<Vec<NoDomain>, String> {
        Ok(Vec::new())
    }
}

/// Each pointer leads to a value of its own.
pub struct ToValue;

impl<P: Field<Codec: AtPlace>> Target<P> for ToValue {
    type Leaf = <P::Codec as Codec>::Leaf;
    type Required<F: PointerFamily> = Alone<F, P::Codec>;
    type Nullable<F: PointerFamily> = Maybe<Alone<F, P::Codec>>;
    fn default_values(scope: usize) -> Result<Vec<Self::Leaf>, String> {
        P::default_values(scope)
    }
}

/// A codec whose cells have a place that pointers can lead to.
pub trait AtPlace: Codec<Value: 'static, Lifted: Located> {
    /// Returns the place of a cell, which `slots` may keep.
    fn place(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> &'static <Self::Lifted as Located>::Place;
}

/// `Box`, `Rc` or `Arc`.
pub trait PointerFamily: 'static {
    /// The user's pointer.
    type Pointer<P: 'static>: 'static;
    /// The pointer that a predicate sees.
    type Twin<V: 'static>: Copy + 'static;
    /// The allocation kind of objects.
    type Alloc<P: Pointee>: Alloc<Strong = Self::Pointer<P>>;
    /// Allocates a value.
    fn allocate<P>(value: P) -> Self::Pointer<P>;
    /// Returns the value behind a pointer.
    fn value<P>(pointer: &Self::Pointer<P>) -> &P;
    /// Returns whether other pointers may lead to the value.
    fn may_be_shared<P>(pointer: &Self::Pointer<P>) -> bool;
    /// Returns the pointer that a predicate sees.
    fn twin<V: Located>(place: &'static V::Place) -> Self::Twin<V>;
}

macro_rules! families {
    ($($(#[$doc:meta])* $family:ident: $pointer:ident, $twin:ident, $alloc:ident, $owners:expr;)*) => {$(
        $(#[$doc])*
        pub struct $family;

        impl PointerFamily for $family {
            type Pointer<P: 'static> = $pointer<P>;
            type Twin<V: 'static> = twin::$twin<V>;
            type Alloc<P: Pointee> = $alloc<P>;
            fn allocate<P>(value: P) -> $pointer<P> {
                $pointer::new(value)
            }
            fn value<P>(pointer: &$pointer<P>) -> &P {
                pointer
            }
            fn may_be_shared<P>(pointer: &$pointer<P>) -> bool {
                let owners: fn(&$pointer<P>) -> usize = $owners;
                owners(pointer) > 1
            }
            fn twin<V: Located>(place: &'static V::Place) -> twin::$twin<V> {
                note_convertible::<twin::$twin<V>>();
                twin::$twin::at(place)
            }
        }

        impl<P: Pointed> Field for $pointer<P> {
            type Codec = <P::Target as Target<P>>::Required<$family>;
            type Element = Self::Codec;
            fn default_values(scope: usize) -> Result<Vec<<P::Target as Target<P>>::Leaf>, String> {
                <P::Target as Target<P>>::default_values(scope)
            }
        }

        impl<P: Pointed> Optional for $pointer<P> {
            type Codec = <P::Target as Target<P>>::Nullable<$family>;
            fn default_values(scope: usize) -> Result<Vec<<P::Target as Target<P>>::Leaf>, String> {
                <P::Target as Target<P>>::default_values(scope)
            }
        }
    )*};
}

families! {
    /// `Box`.
    BoxFamily: Box, Box, Boxed, |_| 1;
    /// `Rc`.
    RcFamily: Rc, Rc, Counted, Rc::strong_count;
    /// `Arc`.
    ArcFamily: Arc, Rc, Atomic, Arc::strong_count;
}

/// The codec of a pointer to a value that no other pointer leads to. Materialising allocates it anew.
pub struct Alone<F, C>(PhantomData<(F, C)>);

impl<F: PointerFamily, C: AtPlace> Codec for Alone<F, C> {
    type Value = F::Pointer<C::Value>;
    type Leaf = C::Leaf;
    type Lifted = F::Twin<C::Lifted>;
    type Cell = Compound<Self::Lifted, &'static C::Cell>;
    type Plan = C::Plan;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<C::Leaf>) -> C::Plan {
        planner.as_whole(|planner| C::plan(planner, attrs))
    }
    fn cell(plan: &C::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        let inside = C::cell(plan, slots);
        let inside: &'static C::Cell = slots.keep(inside);
        Compound::new(F::twin(C::place(inside, slots)), inside)
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
        Elem::part(slots.keep(Part::new(cell)))
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        C::visit(cell.parts, visit);
    }
    fn copy_out(cell: &Self::Cell, copies: &mut Copies) -> Self::Value {
        F::allocate(C::copy_out(cell.parts, copies))
    }
    fn materialise(cell: &Self::Cell, plan: &C::Plan) -> Self::Value {
        F::allocate(C::materialise(cell.parts, plan))
    }
    fn write_form<const DRAFTS: bool>(value: &Self::Value, to: &mut FormWriter<'_, DRAFTS>) {
        let content = F::value(value);
        if F::may_be_shared(value) {
            to.note_unshared(std::ptr::from_ref(content).cast());
        }
        C::write_form(content, to);
    }
    fn read_form(from: &mut FormReader<'_>) -> Self::Value {
        F::allocate(C::read_form(from))
    }
    fn abstract_to(
        value: &Self::Value,
        cell: &Self::Cell,
        plan: &C::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        let content = F::value(value);
        if F::may_be_shared(value) {
            to.note_unshared(std::ptr::from_ref(content).cast())?;
        }
        C::abstract_to(content, cell.parts, plan, to)
    }
    fn each_strong(value: &Self::Value, visit: &mut dyn FnMut(&dyn AnyStrong)) {
        // What something else holds, too, is not the value's alone: pointers in it count as pointers from outside.
        if !F::may_be_shared(value) {
            C::each_strong(F::value(value), visit);
        }
    }
    fn sever(value: &mut Self::Value) {
        Self::sever_cells(value);
    }
    fn sever_cells(value: &Self::Value) {
        if !F::may_be_shared(value) {
            C::sever_cells(F::value(value));
        }
    }
}

impl<F: PointerFamily, C: AtPlace> Copied for Alone<F, C> {
    type Member = Self::Lifted;
    fn value(cell: &Self::Cell) -> Self::Lifted {
        cell.copied()
    }
    fn stamp(_: &Self::Cell, _: &mut dyn FnMut(u32)) {}
}

#[diagnostic::do_not_recommend]
impl<F, C: HasLen> HasLen for Alone<F, C> {}
