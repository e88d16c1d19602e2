//! `fixedbitset::FixedBitSet` as a field: one slot, whose domain is every set of bits of the given lengths. A predicate sees
//! the set itself.

use std::fmt;
use std::ops::Deref;

use fixedbitset::FixedBitSet;

use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::bounds::listed;
use crate::class::codec::{Codec, Field};
use crate::class::copies::Copies;
use crate::class::form::{FormReader, FormWriter};
use crate::class::list_cap;
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::class::traits::Lift;
use crate::codec::listed::{Listed, ListedPlan, Optional};
use crate::codec::pointer::NoDomain;
use crate::codec::sequence::HasLen;
use crate::codec::tuple_option::{Copied, Maybe};
use crate::codec::wrapped_cell::WrappedCell;
use crate::predicate::twin::{Elem, Part};
use crate::slots::slot::AnySlot;

/// A set that is shown by its bits. `Debug` of a `FixedBitSet` shows an address.
#[derive(Clone, PartialEq)]
pub struct Bits(FixedBitSet);

impl Deref for Bits {
    type Target = FixedBitSet;
    fn deref(&self) -> &FixedBitSet {
        &self.0
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..self.len()).try_for_each(|bit| f.write_str(if self.contains(bit) { "1" } else { "0" }))
    }
}

/// The codec of a `FixedBitSet`.
pub struct BitSetOf;

#[diagnostic::do_not_recommend]
impl HasLen for BitSetOf {}

/// Returns every set of bits of these lengths, in the order of the lengths.
fn bit_sets(lens: &[usize]) -> Result<Vec<Bits>, String> {
    let _cut = list_cap::few_combinations();
    let mut all = Vec::new();
    for &len in lens {
        // The number of a set has its bits.
        let count = u32::try_from(len).ok().and_then(|len| 1_u64.checked_shl(len)).unwrap_or(u64::MAX);
        let of_number = |number: u64| {
            let mut bits = FixedBitSet::with_capacity(len);
            (0..len.min(64)).for_each(|bit| bits.set(bit, number >> bit & 1 == 1));
            Bits(bits)
        };
        all = listed(all.into_iter().chain((0..count).map(of_number)))?;
    }
    Ok(all)
}

impl Codec for BitSetOf {
    type Value = FixedBitSet;
    type Leaf = NoDomain;
    type Lifted = FixedBitSet;
    type Cell = WrappedCell<Bits>;
    type Plan = ListedPlan<Bits>;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<NoDomain>) -> Self::Plan {
        let lens = attrs.len.unwrap_or_else(|| listed(0..=planner.scope()));
        ListedPlan::without_meaning(planner, lens.and_then(|lens| bit_sets(&lens)))
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        WrappedCell(Listed::cell(plan, slots))
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<FixedBitSet> {
        Elem::part(slots.keep(Part::new(cell)))
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        visit(&cell.0);
    }
    fn copy_out(cell: &Self::Cell, _: &mut Copies) -> FixedBitSet {
        cell.__korat_read().clone()
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> FixedBitSet {
        Listed::materialise(&cell.0, plan).0
    }
    fn write_form<const DRAFTS: bool>(value: &FixedBitSet, to: &mut FormWriter<'_, DRAFTS>) {
        to.plain(&Bits(value.clone()));
    }
    fn read_form(from: &mut FormReader<'_>) -> FixedBitSet {
        from.plain::<Bits>().0
    }
    fn abstract_to(
        value: &FixedBitSet,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        Listed::abstract_to(&Bits(value.clone()), &cell.0, plan, to)
    }
}

impl Copied for BitSetOf {
    type Member = Self::Lifted;
    fn value(cell: &Self::Cell) -> FixedBitSet {
        cell.__korat_read().clone()
    }
    fn stamp(cell: &Self::Cell, tell: &mut dyn FnMut(u32)) {
        tell(cell.0.index());
    }
}

impl Field for FixedBitSet {
    type Codec = BitSetOf;
    type Element = BitSetOf;
    fn default_values(_: usize) -> Result<Vec<NoDomain>, String> {
        Ok(Vec::new())
    }
}

impl Optional for FixedBitSet {
    type Codec = Maybe<BitSetOf>;
    fn default_values(_: usize) -> Result<Vec<NoDomain>, String> {
        Ok(Vec::new())
    }
}

impl Lift for FixedBitSet {
    type Lifted = Self;
}
