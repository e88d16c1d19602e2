//! `BinaryHeap`: one slot, whose domain is every multiset of the elements. A predicate sees the heap as a whole.

use std::collections::BinaryHeap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use super::listed::{Listed, ListedPlan, Optional};
use super::pointed::{AtPlace, Pointed, ToValue};
use super::sequence::HasLen;
use super::tuple_option::{Copied, Maybe};
use super::whole::Whole;
use super::wrapped_cell::WrappedCell;
use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::bounds::listed;
use crate::class::codec::{Codec, Field};
use crate::class::copies::Copies;
use crate::class::form::{FormReader, FormWriter};
use crate::class::list_cap;
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::predicate::twin::{Elem, Part};
use crate::slots::object_view::Located;
use crate::slots::slot::AnySlot;

/// The codec of `BinaryHeap<T>`.
pub struct HeapOf<T>(PhantomData<T>);

#[diagnostic::do_not_recommend]
impl<T> HasLen for HeapOf<T> {}

/// A type that the elements of a heap may have.
#[diagnostic::on_unimplemented(
    message = "the elements of a heap must be plain and ordered, and `{Self}` is not",
    label = "its elements are not plain values",
    note = "make the type plain with `#[finitize(plain)]`, and derive `Ord`; or use a `Vec` in place of the heap"
)]
pub trait HeapElement: Field<Codec: Whole<Self>> + Ord + Clone + fmt::Debug {}
#[diagnostic::do_not_recommend]
impl<T: Field<Codec: Whole<T>> + Ord + Clone + fmt::Debug> HeapElement for T {}

/// A heap whose order inside does not count. It is made from sorted elements, so equal multisets are equal heaps.
#[derive(Clone)]
pub struct Multiset<T>(BinaryHeap<T>);

impl<T: Ord + Clone> Multiset<T> {
    fn of(mut elements: Vec<T>) -> Self {
        elements.sort();
        Multiset(elements.into())
    }

    fn sorted(&self) -> Vec<&T> {
        let mut elements: Vec<&T> = self.0.iter().collect();
        elements.sort();
        elements
    }
}

impl<T: Ord + Clone> PartialEq for Multiset<T> {
    fn eq(&self, other: &Self) -> bool {
        self.sorted() == other.sorted()
    }
}

impl<T: Ord + Clone + fmt::Debug> fmt::Debug for Multiset<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sorted().fmt(f)
    }
}

/// Returns every multiset of these sizes, in the order of the sizes.
fn multisets<T: Ord + Clone>(elements: &[T], sizes: &[usize]) -> Result<Vec<Multiset<T>>, String> {
    let _cut = list_cap::few_combinations();
    let of_size = |size: usize| {
        // Each with the position of its last element: the next one does not come before it.
        let mut multisets = vec![(Vec::new(), 0)];
        for _ in 0..size {
            let larger = |(multiset, last): &(Vec<T>, usize)| {
                let next = elements.iter().enumerate().skip(*last);
                let larger = next.map(|(at, element)| ([&multiset[..], std::slice::from_ref(element)].concat(), at));
                larger.collect::<Vec<_>>()
            };
            multisets = listed(multisets.iter().flat_map(larger))?;
        }
        Ok::<_, String>(multisets)
    };
    let sizes = list_cap::sizes_of_combinations(sizes).into_iter();
    let by_size: Vec<Vec<(Vec<T>, usize)>> = sizes.map(of_size).collect::<Result<_, _>>()?;
    listed(by_size.into_iter().flatten().map(|(elements, _)| Multiset::of(elements)))
}

impl<T> Deref for Multiset<T> {
    type Target = BinaryHeap<T>;
    fn deref(&self) -> &BinaryHeap<T> {
        &self.0
    }
}

impl<T: HeapElement> Codec for HeapOf<T> {
    type Value = BinaryHeap<T>;
    type Leaf = T;
    type Lifted = BinaryHeap<T>;
    type Cell = WrappedCell<Multiset<T>>;
    type Plan = ListedPlan<Multiset<T>>;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<T>) -> Self::Plan {
        let sizes = attrs.len.unwrap_or_else(|| listed(0..=planner.scope()));
        let elements = attrs.values.map(|values| planner.checked(Ok(values)));
        let values = elements.and_then(|elements| multisets(&elements, &sizes?));
        ListedPlan::without_meaning(planner, values)
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        WrappedCell(Listed::cell(plan, slots))
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
        Elem::part(slots.keep(Part::new(cell)))
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        visit(&cell.0);
    }
    fn copy_out(cell: &Self::Cell, _: &mut Copies) -> Self::Value {
        cell.__korat_read().clone()
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> Self::Value {
        // An `Rc<str>` in an element shares nothing with the domain.
        Listed::materialise(&cell.0, plan).0.iter().map(T::Codec::copy).collect::<Vec<T>>().into()
    }
    fn write_form<const DRAFTS: bool>(value: &Self::Value, to: &mut FormWriter<'_, DRAFTS>) {
        // Sorted by their forms: elements that compare as equal may differ.
        to.entries(value.iter().map(|element| (element, ())), T::Codec::write_form, |(), _| {});
    }
    fn read_form(from: &mut FormReader<'_>) -> Self::Value {
        (0..from.number()).map(|_| T::Codec::read_form(from)).collect::<Vec<T>>().into()
    }
    fn abstract_to(
        value: &Self::Value,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        let value = Multiset::of(value.iter().cloned().collect());
        Listed::abstract_to(&value, &cell.0, plan, to)
    }
}

impl<T: HeapElement> Copied for HeapOf<T> {
    type Member = Self::Lifted;
    fn value(cell: &Self::Cell) -> BinaryHeap<T> {
        cell.__korat_read().clone()
    }
    fn stamp(cell: &Self::Cell, tell: &mut dyn FnMut(u32)) {
        tell(cell.0.index());
    }
}

impl<T: HeapElement> AtPlace for HeapOf<T> {
    fn place(cell: &'static Self::Cell, _: &mut SlotMaker<'_>) -> &'static Self::Cell {
        cell
    }
}

impl<T: 'static> Located for BinaryHeap<T> {
    type Place = WrappedCell<Multiset<T>>;
}

impl<T: HeapElement> Pointed for BinaryHeap<T> {
    type Target = ToValue;
}

impl<T: HeapElement> Field for BinaryHeap<T> {
    type Codec = HeapOf<T>;
    type Element = HeapOf<T>;
    fn default_values(scope: usize) -> Result<Vec<T>, String> {
        T::Codec::values(scope)
    }
}

impl<T: HeapElement> Optional for BinaryHeap<T> {
    type Codec = Maybe<HeapOf<T>>;
    fn default_values(scope: usize) -> Result<Vec<T>, String> {
        T::Codec::values(scope)
    }
}
