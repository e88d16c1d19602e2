//! Structs that a predicate copies (`#[finitize(copy)]`): the fields are those of a tuple, and a predicate sees a struct
//! of their lifted values.

use std::marker::PhantomData;
use std::ops::Deref;

use super::pointer::NoDomain;
use super::tuple_option::{CachedValue, Copied, Maybe};
use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::codec::{Codec, Field};
use crate::class::copies::Copies;
use crate::class::cycles::AnyStrong;
use crate::class::form::{FormReader, FormWriter};
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::predicate::twin::{Elem, Part};
use crate::slots::slot::{AnySlot, ReadCell};

/// A struct that is copied. Implemented by the derive.
pub trait Record: Copy + 'static {
    /// The fields, as a tuple.
    type Members: Field<Codec: Copied<Leaf = NoDomain>> + Copy;
    /// The type that a predicate sees in place of `Self`.
    type Lifted: Copy + 'static;
    /// Makes the struct.
    fn of(members: Self::Members) -> Self;
    /// Returns the fields.
    fn members(self) -> Self::Members;
    /// Returns what a predicate sees, from what it sees of the fields.
    fn lifted(members: <Tuple<Self> as Copied>::Member) -> Self::Lifted;
}

/// The codec of the fields of a record.
type Tuple<R> = <<R as Record>::Members as Field>::Codec;

/// The codec of a record.
pub struct RecordOf<R>(PhantomData<R>);

/// The cell of a record: the cells of its fields, and the assembled whole.
pub struct RecordCell<R: Record> {
    members: <Tuple<R> as Codec>::Cell,
    cached: CachedValue<R::Lifted>,
}

impl<R: Record> RecordCell<R> {
    /// Returns the value that a predicate sees.
    pub fn __korat_read(&self) -> &R::Lifted {
        let value = RecordOf::<R>::value(self);
        self.cached.value(|tell| Tuple::<R>::stamp(&self.members, tell), || value)
    }

    /// Returns the value that a field pattern is matched against.
    pub fn __korat_cell(&self) -> &R::Lifted {
        self.__korat_read()
    }
}

impl<R: Record> Deref for RecordCell<R> {
    type Target = R::Lifted;
    fn deref(&self) -> &R::Lifted {
        self.__korat_read()
    }
}

impl<R: Record> ReadCell for RecordCell<R> {
    type Out = R::Lifted;
    fn read_cell(&self) -> &R::Lifted {
        self.__korat_read()
    }
    fn is_decided(&self) -> bool {
        false
    }
}

impl<R: Record> Codec for RecordOf<R> {
    type Value = R;
    type Leaf = NoDomain;
    type Lifted = R::Lifted;
    type Cell = RecordCell<R>;
    type Plan = <Tuple<R> as Codec>::Plan;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<NoDomain>) -> Self::Plan {
        Tuple::<R>::plan(planner, attrs)
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        RecordCell { members: Tuple::<R>::cell(plan, slots), cached: CachedValue::new() }
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
        Elem::part(slots.keep(Part::new(cell)))
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        Tuple::<R>::visit(&cell.members, visit);
    }
    fn copy_out(cell: &Self::Cell, copies: &mut Copies) -> R {
        R::of(Tuple::<R>::copy_out(&cell.members, copies))
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> R {
        R::of(Tuple::<R>::materialise(&cell.members, plan))
    }
    fn write_form<const DRAFTS: bool>(value: &R, to: &mut FormWriter<'_, DRAFTS>) {
        Tuple::<R>::write_form(&value.members(), to);
    }
    fn read_form(from: &mut FormReader<'_>) -> R {
        R::of(Tuple::<R>::read_form(from))
    }
    fn abstract_to(
        value: &R,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        Tuple::<R>::abstract_to(&value.members(), &cell.members, plan, to)
    }
    fn each_strong(value: &R, visit: &mut dyn FnMut(&dyn AnyStrong)) {
        Tuple::<R>::each_strong(&value.members(), visit);
    }
    fn sever(value: &mut R) {
        let mut members = value.members();
        Tuple::<R>::sever(&mut members);
        *value = R::of(members);
    }
}

impl<R: Record> Copied for RecordOf<R> {
    type Member = R::Lifted;
    fn value(cell: &Self::Cell) -> R::Lifted {
        R::lifted(Tuple::<R>::value(&cell.members))
    }
    fn stamp(cell: &Self::Cell, tell: &mut dyn FnMut(u32)) {
        Tuple::<R>::stamp(&cell.members, tell);
    }
}

/// The codec of an optional record.
pub type MaybeRecord<R> = Maybe<RecordOf<R>>;
