//! Parts that a predicate sees as one value: tuples, and options of what is not a class. The value is put together when it is
//! looked at as a whole, from the cells of its parts; a single member of a tuple is read alone.

use std::cell::{RefCell, UnsafeCell};
use std::marker::PhantomData;
use std::ops::Deref;

use smallvec::SmallVec;

use super::{HasLen, NoDomain, Optional};
use crate::abstraction::{Abstraction, OutOfBounds};
use crate::class::{Codec, Field};
use crate::cycles::AnyStrong;
use crate::ids::FieldId;
use crate::plan::{Attrs, Planner, SlotMaker};
use crate::slot::{AnySlot, Shown, Slot};
use crate::twin::{Elem, Part};

/// A codec whose lifted value can be put into another one.
#[diagnostic::on_unimplemented(
    message = "a class cannot be held by value in a tuple, nor in an `Option` of one",
    label = "its fields have a place of their own",
    note = "hold it through a pointer, as in `(usize, Box<Node>)`; or write a struct in place of the tuple"
)]
pub trait Copied: Codec {
    /// The value, decided now if it was not.
    fn value(cell: &Self::Cell) -> Self::Lifted;
    /// Tells the indices that the value depends on; the cell is decided.
    fn stamp(cell: &Self::Cell, tell: &mut dyn FnMut(u32));
}

/// A value put together from parts.
struct Joint<T> {
    /// Of which indices `value` was made.
    stamp: RefCell<SmallVec<[u32; 6]>>,
    value: UnsafeCell<Option<T>>,
}

// What it remembers is what its slots say.
impl<T> std::panic::RefUnwindSafe for Joint<T> {}

impl<T> Joint<T> {
    fn new() -> Self {
        Joint { stamp: RefCell::default(), value: UnsafeCell::new(None) }
    }

    /// The value with this stamp, made by `make` if it is not the last one.
    fn value(&self, stamp: impl FnOnce(&mut dyn FnMut(u32)), make: impl FnOnce() -> T) -> &T {
        let mut now = SmallVec::new();
        stamp(&mut |index| now.push(index));
        // SAFETY: only this function looks inside, on one thread, and it keeps no reference while `stamp` or `make` runs.
        let known = unsafe { (*self.value.get()).is_some() };
        if !known || *self.stamp.borrow() != now {
            let made = make();
            // SAFETY: only this function looks inside, and it has no reference now. Those that it gave to the old value are gone: it
            // differs because one of its slots has moved on, and whatever had looked at it has then been undone.
            unsafe { *self.value.get() = Some(made) };
            *self.stamp.borrow_mut() = now;
        }
        // SAFETY: there is a value, and it is written again only when its slots have moved on.
        unsafe { (*self.value.get()).as_ref() }.expect("[korat internal bug] the value was just made")
    }
}

/// `Option<T>` where `T` is neither plain nor a pointer nor a class: a slot says whether there is one.
pub struct Maybe<C>(PhantomData<C>);

/// The plan of something that is perhaps not there: a slot says whether it is.
pub struct MaybePlan<P> {
    presence: FieldId,
    values: &'static [bool],
    pub(super) inside: P,
}

impl<P> MaybePlan<P> {
    /// `asked_by` is how people ask for it, and `inside` plans what is there.
    pub(super) fn new(planner: &mut Planner<'_>, asked_by: &str, inside: impl FnOnce(&mut Planner<'_>) -> P) -> Self {
        let (presence, values) = planner.part(asked_by, |planner| planner.shape_field(Ok(vec![false, true])));
        MaybePlan { presence, values, inside: planner.as_whole(inside) }
    }

    pub(super) fn presence(&self, slots: &mut SlotMaker<'_>) -> Slot<bool> {
        slots.slot(self.presence, self.values)
    }
}

/// The cell of such an option.
pub struct MaybeCell<C: Codec> {
    presence: Slot<bool>,
    inside: C::Cell,
    joint: Joint<Option<C::Lifted>>,
}

impl<C: Copied> MaybeCell<C> {
    /// What a predicate sees.
    pub fn __korat_read(&self) -> &Option<C::Lifted> {
        let present = *self.presence.__korat_read();
        let inside = present.then(|| C::value(&self.inside));
        self.joint.value(
            |tell| {
                tell(self.presence.index());
                if present {
                    C::stamp(&self.inside, tell);
                }
            },
            || inside,
        )
    }

    /// What the pattern of a field is matched against.
    pub fn __korat_cell(&self) -> &Option<C::Lifted> {
        self.__korat_read()
    }
}

impl<C: Copied> Deref for MaybeCell<C> {
    type Target = Option<C::Lifted>;
    fn deref(&self) -> &Self::Target {
        self.__korat_read()
    }
}

impl<C: Copied> Shown for MaybeCell<C> {
    type Out = Option<C::Lifted>;
    fn shown(&self) -> &Self::Out {
        self.__korat_read()
    }
}

impl<C: Copied> Codec for Maybe<C> {
    type Value = Option<C::Value>;
    type Leaf = C::Leaf;
    type Lifted = Option<C::Lifted>;
    type Cell = MaybeCell<C>;
    type Plan = MaybePlan<C::Plan>;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<C::Leaf>) -> Self::Plan {
        MaybePlan::new(planner, ".is_some()", |planner| C::plan(planner, attrs))
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        let presence = plan.presence(slots);
        MaybeCell { presence, inside: C::cell(&plan.inside, slots), joint: Joint::new() }
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
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> Self::Value {
        (*cell.presence).then(|| C::materialise(&cell.inside, &plan.inside))
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

/// `Option<Option<T>>`.
impl<T: Optional<Codec: Copied>> Optional for Option<T> {
    type Codec = Maybe<T::Codec>;
    fn default_values(scope: usize) -> Result<Vec<<T::Codec as Codec>::Leaf>, String> {
        T::default_values(scope)
    }
}

/// `(A, B, ..)`.
pub struct TupleOf<T>(PhantomData<T>);

fn member<T: Field>(planner: &mut Planner<'_>, number: usize) -> <T::Codec as Codec>::Plan {
    let attrs = Attrs { values: T::default_values(planner.scope()), len: None };
    planner.part(&format!(".{number}"), |planner| planner.as_whole(|planner| <T::Codec as Codec>::plan(planner, attrs)))
}

macro_rules! tuple {
    ($cell:ident: $($type:ident $number:tt),*) => {
        /// The cell of a tuple: its members, and the whole.
        pub struct $cell<$($type: Field<Codec: Copied>),*>(
            $(
                /// A member.
                pub <$type::Codec as Codec>::Cell,
            )*
            Joint<($(<$type::Codec as Codec>::Lifted,)*)>,
        );

        impl<$($type: Field<Codec: Copied>),*> $cell<$($type),*> {
            /// What a predicate sees of the whole.
            pub fn __korat_read(&self) -> &($(<$type::Codec as Codec>::Lifted,)*) {
                let value = ($(<$type::Codec as Copied>::value(&self.$number),)*);
                tuple!(@joint self $($number)*).value(
                    |tell| { $(<$type::Codec as Copied>::stamp(&self.$number, tell);)* },
                    || value,
                )
            }

            /// What the pattern of a field is matched against.
            pub fn __korat_cell(&self) -> &($(<$type::Codec as Codec>::Lifted,)*) {
                self.__korat_read()
            }
        }

        impl<$($type: Field<Codec: Copied>),*> Deref for $cell<$($type),*> {
            type Target = ($(<$type::Codec as Codec>::Lifted,)*);
            fn deref(&self) -> &Self::Target {
                self.__korat_read()
            }
        }

        impl<$($type: Field<Codec: Copied>),*> Shown for $cell<$($type),*> {
            type Out = ($(<$type::Codec as Codec>::Lifted,)*);
            fn shown(&self) -> &Self::Out {
                self.__korat_read()
            }
        }

        impl<$($type: Field<Codec: Copied>),*> Codec for TupleOf<($($type,)*)> {
            type Value = ($($type,)*);
            type Leaf = NoDomain;
            type Lifted = ($(<$type::Codec as Codec>::Lifted,)*);
            type Cell = $cell<$($type),*>;
            type Plan = ($(<$type::Codec as Codec>::Plan,)*);

            fn plan(planner: &mut Planner<'_>, _: Attrs<NoDomain>) -> Self::Plan {
                ($(member::<$type>(planner, $number),)*)
            }
            fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
                $cell($(<$type::Codec as Codec>::cell(&plan.$number, slots),)* Joint::new())
            }
            fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
                Elem::part(slots.keep(Part::new(cell)))
            }
            fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
                $(<$type::Codec as Codec>::visit(&cell.$number, visit);)*
            }
            fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> Self::Value {
                ($(<$type::Codec as Codec>::materialise(&cell.$number, &plan.$number),)*)
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
            fn value(cell: &Self::Cell) -> Self::Lifted {
                ($(<$type::Codec as Copied>::value(&cell.$number),)*)
            }
            fn stamp(cell: &Self::Cell, tell: &mut dyn FnMut(u32)) {
                $(<$type::Codec as Copied>::stamp(&cell.$number, tell);)*
            }
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
    (@joint $self:ident 0) => { $self.1 };
    (@joint $self:ident 0 1) => { $self.2 };
    (@joint $self:ident 0 1 2) => { $self.3 };
    (@joint $self:ident 0 1 2 3) => { $self.4 };
    (@joint $self:ident 0 1 2 3 4) => { $self.5 };
    (@joint $self:ident 0 1 2 3 4 5) => { $self.6 };
}

tuple!(Tuple1: A 0);
tuple!(Tuple2: A 0, B 1);
tuple!(Tuple3: A 0, B 1, C 2);
tuple!(Tuple4: A 0, B 1, C 2, D 3);
tuple!(Tuple5: A 0, B 1, C 2, D 3, E 4);
tuple!(Tuple6: A 0, B 1, C 2, D 3, E 4, F 5);
