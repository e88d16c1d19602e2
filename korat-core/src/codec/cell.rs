//! Cells and locks around a field: their content can be set later, so references in it may close a cycle. Cells that
//! are set once are in `once`.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, RwLock, TryLockError, TryLockResult};

use super::compound::Compound;
use super::listed::Optional;
use super::pointed::{AtPlace, Pointed, Target, ToValue};
use super::sequence::HasLen;
use super::tuple_option::{Copied, Maybe};
use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::codec::{Codec, Field};
use crate::class::copies::Copies;
use crate::class::cycles::AnyStrong;
use crate::class::form::{FormReader, FormWriter, IN_USE, POISONED};
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::class::rewrite::Rewrite;
use crate::predicate::twin;
use crate::predicate::twin::{Elem, Part};
use crate::slots::slot::AnySlot;

/// A std cell or lock. Both methods return `None` while something else uses the content.
trait CellAccess<T> {
    /// Whether accessing the content may block.
    const WAITS: bool;
    /// Returns whether a panic has poisoned it.
    fn has_panicked(&self) -> bool {
        false
    }
    /// Borrows the content.
    fn look(&self) -> Option<impl Deref<Target = T>>;
    /// Borrows the content mutably.
    fn change(&self) -> Option<impl DerefMut<Target = T>>;
}

impl<T> CellAccess<T> for RefCell<T> {
    const WAITS: bool = false;
    fn look(&self) -> Option<impl Deref<Target = T>> {
        self.try_borrow().ok()
    }
    fn change(&self) -> Option<impl DerefMut<Target = T>> {
        self.try_borrow_mut().ok()
    }
}

/// Returns the guard of a lock, even if the lock is poisoned; `None` if it is held.
fn unlocked<G>(locked: TryLockResult<G>) -> Option<G> {
    match locked {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(guard)) => Some(guard.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

impl<T> CellAccess<T> for Mutex<T> {
    const WAITS: bool = true;
    fn has_panicked(&self) -> bool {
        self.is_poisoned()
    }
    fn look(&self) -> Option<impl Deref<Target = T>> {
        unlocked(self.try_lock())
    }
    fn change(&self) -> Option<impl DerefMut<Target = T>> {
        unlocked(self.try_lock())
    }
}

impl<T> CellAccess<T> for RwLock<T> {
    const WAITS: bool = true;
    fn has_panicked(&self) -> bool {
        self.is_poisoned()
    }
    fn look(&self) -> Option<impl Deref<Target = T>> {
        unlocked(self.try_read())
    }
    fn change(&self) -> Option<impl DerefMut<Target = T>> {
        unlocked(self.try_write())
    }
}

macro_rules! cells {
    ($($(#[$doc:meta])* $codec:ident: $cell:ident, $twin:ident;)*) => {$(
        $(#[$doc])*
        pub struct $codec<C>(PhantomData<C>);

        impl<C: Codec> Codec for $codec<C> {
            type Value = $cell<C::Value>;
            type Leaf = C::Leaf;
            type Lifted = twin::$twin<C::Cell>;
            type Cell = twin::$twin<C::Cell>;
            type Plan = C::Plan;

            fn plan(planner: &mut Planner<'_>, attrs: Attrs<C::Leaf>) -> C::Plan {
                planner.note_side_effects(<$cell<C::Value> as CellAccess<C::Value>>::WAITS);
                planner.inside_cell(|planner| C::plan(planner, attrs))
            }
            fn cell(plan: &C::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
                twin::$twin::around(C::cell(plan, slots))
            }
            fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
                Elem::part(slots.keep(Part::new(cell)))
            }
            fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
                C::visit(cell.inside(), visit);
            }
            fn copy_out(cell: &Self::Cell, copies: &mut Copies) -> Self::Value {
                $cell::new(C::copy_out(cell.inside(), copies))
            }
            fn materialise(cell: &Self::Cell, plan: &C::Plan) -> Self::Value {
                $cell::new(C::materialise(cell.inside(), plan))
            }
            fn write_form<const DRAFTS: bool>(value: &Self::Value, to: &mut FormWriter<'_, DRAFTS>) {
                if value.has_panicked() {
                    to.refuse(POISONED.to_string());
                } else if value.change().is_none() {
                    to.refuse(IN_USE.to_string());
                } else if let Some(value) = value.look() {
                    C::write_form(&value, to);
                }
            }
            fn read_form(from: &mut FormReader<'_>) -> Self::Value {
                $cell::new(C::read_form(from))
            }
            fn abstract_to(
                value: &Self::Value,
                cell: &Self::Cell,
                plan: &C::Plan,
                to: &mut Abstraction<'_>,
            ) -> Result<(), OutOfBounds> {
                let value = value.look().ok_or_else(OutOfBounds::borrowed)?;
                C::abstract_to(&value, cell.inside(), plan, to)
            }
            fn rewrite(value: &mut Self::Value, cell: &Self::Cell, plan: &C::Plan, to: &mut Rewrite<'_>) {
                if let Some(mut value) = value.change() {
                    C::rewrite(&mut value, cell.inside(), plan, to);
                }
            }
            fn each_strong(value: &Self::Value, visit: &mut dyn FnMut(&dyn AnyStrong)) {
                if let Some(value) = value.look() {
                    C::each_strong(&value, visit);
                }
            }
            fn sever(value: &mut Self::Value) {
                Self::sever_cells(value);
            }
            fn sever_cells(value: &Self::Value) {
                if let Some(mut value) = value.change() {
                    C::sever(&mut value);
                }
            }
        }

        #[diagnostic::do_not_recommend]
        impl<C: HasLen> HasLen for $codec<C> {}

        impl<C: Codec> Copied for $codec<C> {
            type Member = twin::Box<Self::Lifted>;
            fn value(cell: &Self::Cell) -> Self::Member {
                twin::Box::at(cell)
            }
            fn stamp(_: &Self::Cell, _: &mut dyn FnMut(u32)) {}
        }

        impl<C: Codec<Value: 'static>> AtPlace for $codec<C> {
            fn place(cell: &'static Self::Cell, _: &mut SlotMaker<'_>) -> &'static Self::Cell {
                cell
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: Pointed<Target: Target<$cell<T>>>> Pointed for $cell<T> {
            type Target = T::Target;
        }

        impl<T: Field> Field for $cell<T> {
            type Codec = $codec<T::Codec>;
            type Element = Self::Codec;
            fn default_values(scope: usize) -> Result<Vec<<T::Codec as Codec>::Leaf>, String> {
                T::default_values(scope)
            }
        }

        impl<T: Field> Optional for $cell<T> {
            type Codec = Maybe<$codec<T::Codec>>;
            fn default_values(scope: usize) -> Result<Vec<<T::Codec as Codec>::Leaf>, String> {
                T::default_values(scope)
            }
        }
    )*};
}

cells! {
    /// The codec of `RefCell<T>`.
    InRefCell: RefCell, RefCell;
    /// The codec of `Mutex<T>`.
    InMutex: Mutex, Locked;
    /// The codec of `RwLock<T>`.
    InRwLock: RwLock, Locked;
}

/// The codec of `Cell<T>` where `T: Copy`.
pub struct InCell<C>(PhantomData<C>);

impl<C: Codec<Value: Copy>> Codec for InCell<C> {
    type Value = Cell<C::Value>;
    type Leaf = C::Leaf;
    type Lifted = twin::Cell<C::Lifted>;
    type Cell = Compound<Self::Lifted, &'static C::Cell>;
    type Plan = C::Plan;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<C::Leaf>) -> C::Plan {
        planner.inside_cell(|planner| C::plan(planner, attrs))
    }
    fn cell(plan: &C::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        let inside = C::cell(plan, slots);
        let inside: &'static C::Cell = slots.keep(inside);
        let elem = C::elem(inside, slots);
        Compound::new(twin::Cell::of_field(slots.keep(elem)), inside)
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
        Elem::part(slots.keep(Part::new(cell)))
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        C::visit(cell.parts, visit);
    }
    fn copy_out(cell: &Self::Cell, copies: &mut Copies) -> Self::Value {
        Cell::new(C::copy_out(cell.parts, copies))
    }
    fn materialise(cell: &Self::Cell, plan: &C::Plan) -> Self::Value {
        Cell::new(C::materialise(cell.parts, plan))
    }
    fn write_form<const DRAFTS: bool>(value: &Self::Value, to: &mut FormWriter<'_, DRAFTS>) {
        C::write_form(&value.get(), to);
    }
    fn read_form(from: &mut FormReader<'_>) -> Self::Value {
        Cell::new(C::read_form(from))
    }
    fn abstract_to(
        value: &Self::Value,
        cell: &Self::Cell,
        plan: &C::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        C::abstract_to(&value.get(), cell.parts, plan, to)
    }
}

impl<C: Codec<Value: Copy, Lifted: Copy>> Copied for InCell<C> {
    type Member = Self::Lifted;
    fn value(cell: &Self::Cell) -> Self::Lifted {
        cell.copied()
    }
    fn stamp(_: &Self::Cell, _: &mut dyn FnMut(u32)) {}
}

impl<C: Codec<Value: Copy + 'static>> AtPlace for InCell<C> {
    fn place(cell: &'static Self::Cell, _: &mut SlotMaker<'_>) -> &'static Self::Lifted {
        cell
    }
}

impl<T: Field + Copy> Pointed for Cell<T> {
    type Target = ToValue;
}

impl<T: Field + Copy> Field for Cell<T> {
    type Codec = InCell<T::Codec>;
    type Element = Self::Codec;
    fn default_values(scope: usize) -> Result<Vec<<T::Codec as Codec>::Leaf>, String> {
        T::default_values(scope)
    }
}

impl<T: Field<Codec: Codec<Lifted: Copy>> + Copy> Optional for Cell<T> {
    type Codec = Maybe<InCell<T::Codec>>;
    fn default_values(scope: usize) -> Result<Vec<<T::Codec as Codec>::Leaf>, String> {
        T::default_values(scope)
    }
}
