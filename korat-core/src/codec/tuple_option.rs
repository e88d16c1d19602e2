//! Fields with parts that a predicate sees as one value: tuples, and options of types other than classes. The value is
//! assembled from the cells of its parts when it is read as a whole; a single member of a tuple is read alone.

use std::cell::{RefCell, UnsafeCell};
use std::marker::PhantomData;
use std::ops::Deref;

use smallvec::SmallVec;

use super::listed::Optional;
use super::pointed::{AtPlace, Pointed, ToValue};
use super::pointer::NoDomain;
use super::sequence::HasLen;
use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::codec::{Codec, Field};
use crate::class::copies::Copies;
use crate::class::cycles::AnyStrong;
use crate::class::form::{FormReader, FormWriter};
use crate::class::patch::Patch;
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::model::ids::FieldId;
use crate::predicate::twin::{Elem, Part};
use crate::slots::object_view::Located;
use crate::slots::slot::{AnySlot, ReadCell, Slot};

/// A codec whose values can become part of another one.
#[diagnostic::on_unimplemented(
    message = "an array of classes cannot be held by value in a tuple or in an option",
    label = "its elements have a place of their own",
    note = "write an array of options, `[Option<Node>; 2]`; or a struct around the array"
)]
pub trait Copied: Codec {
    /// The type that a predicate sees of the part: its lifted type or, if that cannot be copied, a pointer to it.
    type Member: 'static;
    /// Returns the part, choosing it if it is undecided.
    fn value(cell: &Self::Cell) -> Self::Member;
    /// Passes the indices that the value depends on to `tell`. The cell must be decided.
    fn stamp(cell: &Self::Cell, tell: &mut dyn FnMut(u32));
}

/// A cached value assembled from parts.
pub(super) struct CachedValue<T> {
    /// The indices from which `value` was assembled.
    stamp: RefCell<SmallVec<[u32; 6]>>,
    value: UnsafeCell<Option<T>>,
}

// The cached value is a function of its slots.
impl<T> std::panic::RefUnwindSafe for CachedValue<T> {}

impl<T> CachedValue<T> {
    pub(super) fn new() -> Self {
        CachedValue { stamp: RefCell::default(), value: UnsafeCell::new(None) }
    }

    /// Returns the value with this stamp. Calls `make` if the cached value has another stamp.
    pub(super) fn value(&self, stamp: impl FnOnce(&mut dyn FnMut(u32)), make: impl FnOnce() -> T) -> &T {
        let mut now = SmallVec::new();
        stamp(&mut |index| now.push(index));
        // SAFETY: only this function accesses the value, on one thread, and it holds no reference while `stamp` or
        // `make` runs.
        let known = unsafe { (*self.value.get()).is_some() };
        if !known || *self.stamp.borrow() != now {
            let made = make();
            // SAFETY: only this function accesses the value, and it holds no reference now. The references that it
            // returned to the old value are gone: the stamp differs because one of the slots has moved on, and by then
            // everything that had read the old value has been undone.
            unsafe { *self.value.get() = Some(made) };
            *self.stamp.borrow_mut() = now;
        }
        // SAFETY: there is a value, and it is overwritten only after its slots have moved on.
        unsafe { (*self.value.get()).as_ref() }.expect("[korat internal bug] the value was just made")
    }
}

/// The codec of `Option<T>` where `T` is not plain, a pointer or a class. A slot says whether it is `Some`.
pub struct Maybe<C>(PhantomData<C>);

/// The plan of an optional part, with a slot for its presence.
pub struct MaybePlan<P> {
    presence: FieldId,
    values: &'static [bool],
    pub(super) inside: P,
}

impl<P> MaybePlan<P> {
    /// Plans an optional part: `asked_by` names the presence slot in messages, and `inside` plans the content.
    pub(super) fn new(planner: &mut Planner<'_>, asked_by: &str, inside: impl FnOnce(&mut Planner<'_>) -> P) -> Self {
        let (presence, values) = planner.part(asked_by, |planner| planner.shape_field(Ok(vec![false, true])));
        MaybePlan { presence, values, inside: planner.as_whole(inside) }
    }

    pub(super) fn presence(&self, slots: &mut SlotMaker<'_>) -> Slot<bool> {
        slots.slot(self.presence, self.values)
    }
}

/// The cell of an `Option` handled by [`Maybe`].
pub struct MaybeCell<C: Copied> {
    presence: Slot<bool>,
    inside: C::Cell,
    cached: CachedValue<Option<C::Member>>,
}

impl<C: Copied> MaybeCell<C> {
    /// Returns the value that a predicate sees.
    pub fn __korat_read(&self) -> &Option<C::Member> {
        let present = *self.presence.__korat_read();
        let inside = present.then(|| C::value(&self.inside));
        self.cached.value(
            |tell| {
                tell(self.presence.index());
                if present {
                    C::stamp(&self.inside, tell);
                }
            },
            || inside,
        )
    }

    /// Returns the value that a field pattern is matched against.
    pub fn __korat_cell(&self) -> &Option<C::Member> {
        self.__korat_read()
    }
}

impl<C: Copied> Deref for MaybeCell<C> {
    type Target = Option<C::Member>;
    fn deref(&self) -> &Self::Target {
        self.__korat_read()
    }
}

impl<C: Copied> ReadCell for MaybeCell<C> {
    type Out = Option<C::Member>;
    fn read_cell(&self) -> &Self::Out {
        self.__korat_read()
    }
    fn is_decided(&self) -> bool {
        false
    }
}

impl<C: Copied> Codec for Maybe<C> {
    type Value = Option<C::Value>;
    type Leaf = C::Leaf;
    type Lifted = Option<C::Member>;
    type Cell = MaybeCell<C>;
    type Plan = MaybePlan<C::Plan>;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<C::Leaf>) -> Self::Plan {
        MaybePlan::new(planner, ".is_some()", |planner| C::plan(planner, attrs))
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        let presence = plan.presence(slots);
        MaybeCell { presence, inside: C::cell(&plan.inside, slots), cached: CachedValue::new() }
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
        Elem::part(slots.keep(Part::new(cell)))
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        visit(&cell.presence);
        if cell.presence.is_assigned() && *cell.presence {
            C::visit(&cell.inside, visit);
        }
    }
    fn copy_out(cell: &Self::Cell, copies: &mut Copies) -> Self::Value {
        (*cell.presence.__korat_read()).then(|| C::copy_out(&cell.inside, copies))
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> Self::Value {
        (*cell.presence).then(|| C::materialise(&cell.inside, &plan.inside))
    }
    fn patches() -> bool {
        C::patches()
    }
    fn patch(value: &mut Self::Value, cell: &Self::Cell, plan: &Self::Plan, to: &mut Patch) {
        match value {
            Some(value) if *cell.presence => C::patch(value, &cell.inside, &plan.inside, to),
            Some(_) | None => *value = Self::materialise(cell, plan),
        }
    }
    fn write_form<const DRAFTS: bool>(value: &Self::Value, to: &mut FormWriter<'_, DRAFTS>) {
        to.option(value.as_ref(), C::write_form);
    }
    fn read_form(from: &mut FormReader<'_>) -> Self::Value {
        (from.number() != 0).then(|| C::read_form(from))
    }
    fn abstract_to(
        value: &Self::Value,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        to.set_slot(&cell.presence, u32::from(value.is_some()));
        match value {
            Some(value) => C::abstract_to(value, &cell.inside, &plan.inside, to),
            None => Ok(()),
        }
    }
    fn each_strong(value: &Self::Value, visit: &mut dyn FnMut(&dyn AnyStrong)) {
        value.iter().for_each(|value| C::each_strong(value, visit));
    }
    fn sever(value: &mut Self::Value) {
        *value = None;
    }
    fn sever_cells(value: &Self::Value) {
        value.iter().for_each(C::sever_cells);
    }
}

impl<C: Copied> Copied for Maybe<C> {
    type Member = Self::Lifted;
    fn value(cell: &Self::Cell) -> Self::Lifted {
        (*cell.presence.__korat_read()).then(|| C::value(&cell.inside))
    }
    fn stamp(cell: &Self::Cell, tell: &mut dyn FnMut(u32)) {
        tell(cell.presence.index());
        if *cell.presence {
            C::stamp(&cell.inside, tell);
        }
    }
}

#[diagnostic::do_not_recommend]
impl<C: HasLen> HasLen for Maybe<C> {}

/// The codec of `Option<Option<T>>`.
impl<T: Optional<Codec: Copied>> Optional for Option<T> {
    type Codec = Maybe<T::Codec>;
    fn default_values(scope: usize) -> Result<Vec<<T::Codec as Codec>::Leaf>, String> {
        T::default_values(scope)
    }
}

/// The codec of `(A, B, ..)`.
pub struct TupleOf<T>(PhantomData<T>);

fn member<T: Field>(planner: &mut Planner<'_>, number: usize) -> <T::Codec as Codec>::Plan {
    let attrs = Attrs { values: T::default_values(planner.scope()), len: None };
    planner.part(&format!(".{number}"), |planner| planner.as_whole(|planner| <T::Codec as Codec>::plan(planner, attrs)))
}

macro_rules! tuple {
    ($cell:ident: $($type:ident $number:tt),*) => {
        /// The cell of a tuple: its members and the assembled whole.
        pub struct $cell<$($type: Field<Codec: Copied>),*>(
            $(
                /// A member.
                pub <$type::Codec as Codec>::Cell,
            )*
            CachedValue<($(<$type::Codec as Copied>::Member,)*)>,
        );

        impl<$($type: Field<Codec: Copied>),*> $cell<$($type),*> {
            /// Returns the whole as a predicate sees it.
            pub fn __korat_read(&self) -> &($(<$type::Codec as Copied>::Member,)*) {
                let value = ($(<$type::Codec as Copied>::value(&self.$number),)*);
                tuple!(@cached self $($number)*).value(
                    |tell| { $(<$type::Codec as Copied>::stamp(&self.$number, tell);)* },
                    || value,
                )
            }

            /// Returns the value that a field pattern is matched against.
            pub fn __korat_cell(&self) -> &($(<$type::Codec as Copied>::Member,)*) {
                self.__korat_read()
            }
        }

        impl<$($type: Field<Codec: Copied>),*> Deref for $cell<$($type),*> {
            type Target = ($(<$type::Codec as Copied>::Member,)*);
            fn deref(&self) -> &Self::Target {
                self.__korat_read()
            }
        }

        impl<$($type: Field<Codec: Copied>),*> ReadCell for $cell<$($type),*> {
            type Out = ($(<$type::Codec as Copied>::Member,)*);
            fn read_cell(&self) -> &Self::Out {
                self.__korat_read()
            }
            fn is_decided(&self) -> bool {
                false
            }
        }

        impl<$($type: Field<Codec: Copied>),*> Codec for TupleOf<($($type,)*)> {
            type Value = ($($type,)*);
            type Leaf = NoDomain;
            type Lifted = ($(<$type::Codec as Copied>::Member,)*);
            type Cell = $cell<$($type),*>;
            type Plan = ($(<$type::Codec as Codec>::Plan,)*);

            fn plan(planner: &mut Planner<'_>, _: Attrs<NoDomain>) -> Self::Plan {
                ($(member::<$type>(planner, $number),)*)
            }
            fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
                $cell($(<$type::Codec as Codec>::cell(&plan.$number, slots),)* CachedValue::new())
            }
            fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
                Elem::part(slots.keep(Part::new(cell)))
            }
            fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
                $(<$type::Codec as Codec>::visit(&cell.$number, visit);)*
            }
            fn copy_out(cell: &Self::Cell, copies: &mut Copies) -> Self::Value {
                ($(<$type::Codec as Codec>::copy_out(&cell.$number, copies),)*)
            }
            fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> Self::Value {
                ($(<$type::Codec as Codec>::materialise(&cell.$number, &plan.$number),)*)
            }
            fn patches() -> bool {
                [$(<$type::Codec as Codec>::patches()),*].iter().all(|patches| *patches)
            }
            fn patch(value: &mut Self::Value, cell: &Self::Cell, plan: &Self::Plan, to: &mut Patch) {
                $(<$type::Codec as Codec>::patch(&mut value.$number, &cell.$number, &plan.$number, to);)*
            }
            fn write_form<const DRAFTS: bool>(value: &Self::Value, to: &mut FormWriter<'_, DRAFTS>) {
                $(to.part(concat!(".", stringify!($number)), |to| <$type::Codec as Codec>::write_form(&value.$number, to));)*
            }
            fn read_form(from: &mut FormReader<'_>) -> Self::Value {
                ($(<$type::Codec as Codec>::read_form(from),)*)
            }
            fn abstract_to(
                value: &Self::Value,
                cell: &Self::Cell,
                plan: &Self::Plan,
                to: &mut Abstraction<'_>,
            ) -> Result<(), OutOfBounds> {
                $(<$type::Codec as Codec>::abstract_to(&value.$number, &cell.$number, &plan.$number, to)?;)*
                Ok(())
            }
            fn each_strong(value: &Self::Value, visit: &mut dyn FnMut(&dyn AnyStrong)) {
                $(<$type::Codec as Codec>::each_strong(&value.$number, visit);)*
            }
            fn sever(value: &mut Self::Value) {
                $(<$type::Codec as Codec>::sever(&mut value.$number);)*
            }
            fn sever_cells(value: &Self::Value) {
                $(<$type::Codec as Codec>::sever_cells(&value.$number);)*
            }
        }

        impl<$($type: Field<Codec: Copied>),*> Copied for TupleOf<($($type,)*)> {
            type Member = Self::Lifted;
            fn value(cell: &Self::Cell) -> Self::Lifted {
                ($(<$type::Codec as Copied>::value(&cell.$number),)*)
            }
            fn stamp(cell: &Self::Cell, tell: &mut dyn FnMut(u32)) {
                $(<$type::Codec as Copied>::stamp(&cell.$number, tell);)*
            }
        }

        impl<$($type: Field<Codec: Copied>),*> AtPlace for TupleOf<($($type,)*)> {
            fn place(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> &'static Part<Self::Lifted> {
                slots.keep(Part::new(cell))
            }
        }

        impl<$($type: 'static),*> Located for ($($type,)*) {
            type Place = Part<Self>;
        }

        impl<$($type: Field<Codec: Copied>),*> Pointed for ($($type,)*) {
            type Target = ToValue;
        }

        impl<$($type: Field<Codec: Copied>),*> Field for ($($type,)*) {
            type Codec = TupleOf<($($type,)*)>;
            type Element = Self::Codec;
            fn default_values(_: usize) -> Result<Vec<NoDomain>, String> {
                Ok(Vec::new())
            }
        }

        impl<$($type: Field<Codec: Copied>),*> Optional for ($($type,)*) {
            type Codec = Maybe<TupleOf<($($type,)*)>>;
            fn default_values(_: usize) -> Result<Vec<NoDomain>, String> {
                Ok(Vec::new())
            }
        }
    };
    (@cached $self:ident 0) => { $self.1 };
    (@cached $self:ident 0 1) => { $self.2 };
    (@cached $self:ident 0 1 2) => { $self.3 };
    (@cached $self:ident 0 1 2 3) => { $self.4 };
    (@cached $self:ident 0 1 2 3 4) => { $self.5 };
    (@cached $self:ident 0 1 2 3 4 5) => { $self.6 };
}

tuple!(Tuple1: A 0);
tuple!(Tuple2: A 0, B 1);
tuple!(Tuple3: A 0, B 1, C 2);
tuple!(Tuple4: A 0, B 1, C 2, D 3);
tuple!(Tuple5: A 0, B 1, C 2, D 3, E 4);
tuple!(Tuple6: A 0, B 1, C 2, D 3, E 4, F 5);
