//! Codecs: how the fields of one type are planned, read, built, abstracted and rewritten.

use super::abstraction::{Abstraction, OutOfBounds};
use super::copies::{Copies, cannot_copy};
use super::cycles::AnyStrong;
use super::form::{FormReader, FormWriter};
use super::patch::Patch;
use super::plan::planner::{Attrs, Planner};
use super::plan::slot_maker::SlotMaker;
use super::rewrite::Rewrite;
use crate::memory::pages;
use crate::predicate::twin::Elem;
use crate::slots::slot::AnySlot;

/// A type that a field may have, with its codec and its default domain.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot be finitized",
    label = "korat does not know the values of `{Self}`",
    note = "derive `Finitize` for a type of your own; list the values of any other: `#[finitize(values = [..])]`; or leave the field out: `#[finitize(skip = ..)]`"
)]
pub trait Field: Sized + 'static {
    /// Handles fields of this type.
    type Codec: Codec<Value = Self>;
    /// Handles elements of this type in a vector or a map, where a class is an object of its own.
    type Element: Codec<Value = Self, Leaf = <Self::Codec as Codec>::Leaf>;
    /// Returns the default values of one slot at a scope. The error names the bound that does not fit the type.
    fn default_values(scope: usize) -> Result<Vec<<Self::Codec as Codec>::Leaf>, String>;
}

/// Plans, shows, builds, abstracts and rewrites the fields of one type.
pub trait Codec: 'static {
    /// The user's type.
    type Value;
    /// The type of the values that a domain expression for such a field lists.
    type Leaf: Clone + 'static;
    /// The type that a predicate sees in place of `Value`.
    type Lifted: 'static;
    /// The field's representation in the view.
    type Cell: 'static;
    /// Everything known about the field before any object is made.
    type Plan: 'static;
    /// Describes the field's slots to the planner.
    fn plan(planner: &mut Planner<'_>, attrs: Attrs<Self::Leaf>) -> Self::Plan;
    /// Makes the cell of one object.
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell;
    /// Returns the cell as an element of a sequence.
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted>;
    /// Returns the cells of a sequence as its elements, which live in the heap.
    #[doc(hidden)]
    fn elems(
        cells: &'static [Self::Cell],
        _plan: &Self::Plan,
        slots: &mut SlotMaker<'_>,
    ) -> *const [Elem<Self::Lifted>] {
        elems_apart::<Self>(cells, slots)
    }
    /// Calls `visit` on the cell's slots, in order. Skips slots whose existence depends on an unassigned slot.
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot));
    /// Copies what the cell holds while a predicate runs; reads its slots.
    fn copy_out(_cell: &Self::Cell, _copies: &mut Copies) -> Self::Value {
        cannot_copy::<Self::Value>("korat makes no copy of it")
    }
    /// Builds the user's value from assigned slots.
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> Self::Value;
    /// Returns whether a property that sees a value by reference may see it patched. It may not, if dropping what the field had
    /// before can be observed, or if the property can keep or change a part of it. Classes in it answer for their own fields.
    fn patches() -> bool {
        false
    }
    /// Makes the value what [`materialise`](Codec::materialise) would build, whatever it was before. The default builds it.
    fn patch(value: &mut Self::Value, cell: &Self::Cell, plan: &Self::Plan, _to: &mut Patch) {
        *value = Self::materialise(cell, plan);
    }
    /// Writes the indices of the value into `to`.
    fn abstract_to(
        value: &Self::Value,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds>;
    /// Writes the canonical form of the value. The default refuses.
    fn write_form<const DRAFTS: bool>(_value: &Self::Value, to: &mut FormWriter<'_, DRAFTS>) {
        to.refuse_type::<Self::Value>();
    }
    /// Builds a value from its canonical form.
    fn read_form(_from: &mut FormReader<'_>) -> Self::Value {
        unreachable!("[korat internal bug] no form of this type is written")
    }
    /// Writes changed slots back into the value. The default rewrites the value as a whole.
    fn rewrite(value: &mut Self::Value, cell: &Self::Cell, plan: &Self::Plan, to: &mut Rewrite<'_>) {
        to.whole::<Self>(value, cell, plan);
    }
    /// Calls `visit` on every strong pointer in the value, looking through boxes.
    fn each_strong(_value: &Self::Value, _visit: &mut dyn FnMut(&dyn AnyStrong)) {}
    /// Sets every nullable pointer in the value to null.
    fn sever(_value: &mut Self::Value) {}
    /// Sets every nullable pointer inside a cell to null, through a shared reference.
    fn sever_cells(_value: &Self::Value) {}
}

/// Returns the cells of a sequence as its elements, in a separate allocation.
pub(crate) fn elems_apart<C: Codec + ?Sized>(
    cells: &'static [C::Cell],
    slots: &mut SlotMaker<'_>,
) -> *const [Elem<C::Lifted>] {
    let mut elems = pages::with_capacity(cells.len());
    elems.extend(cells.iter().map(|cell| C::elem(cell, slots)));
    slots.keep(elems).as_slice()
}
