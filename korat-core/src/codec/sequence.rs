//! Vectors, deques and boxed slices: one cell per possible element, and one slot for the length, which is read first.

use std::collections::{LinkedList, VecDeque};
use std::marker::PhantomData;
use std::num::NonZero;
use std::ops::Range;
use std::ptr;
use std::rc::Rc;

use super::compound::Compound;
use super::listed::Optional;
use super::pointed::{AtPlace, Pointed, ToValue};
use super::sequence_types::SequenceTwin;
use super::tuple_option::{Copied, Maybe};
use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::bounds::listed;
use crate::class::codec::{Codec, Field};
use crate::class::copies::Copies;
use crate::class::cycles::AnyStrong;
use crate::class::form::{FormReader, FormWriter};
use crate::class::plan::meaning::ParallelTo;
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::class::rewrite::Rewrite;
use crate::codec::sequence_types::Sequence;
use crate::memory::pages;
use crate::memory::prefetch::PrefetchRow;
use crate::model::deadline;
use crate::model::ids::{FieldId, SlotId, to_u32};
use crate::predicate::twin::{Elem, Part};
use crate::slots::lookup;
use crate::slots::object_view::Located;
use crate::slots::slot::{AnySlot, Slot};

/// The codec of `W`: `Vec<T>`, `VecDeque<T>`, `LinkedList<T>` or `Box<[T]>`.
pub struct VecOf<C, W>(PhantomData<(C, W)>);

/// A codec whose fields have a length that can be bounded.
#[diagnostic::on_unimplemented(
    message = "`len` on a field that has no length",
    label = "not on a vector, a deque or a text",
    note = "remove it; the size of a map or a set is bounded by its keys, `#[finitize(0..=2)]`, or in `rep_ok`"
)]
pub trait HasLen {}

#[diagnostic::do_not_recommend]
impl<C, W> HasLen for VecOf<C, W> {}

/// A codec whose fields can be parallel to another vector, element by element.
#[diagnostic::on_unimplemented(
    message = "`beside` is for vectors, deques, boxed slices and arrays, which are decided element by element",
    label = "this field is something else",
    note = "write `#[finitize(beside = nodes)]` on a `Vec<..>`, for the vector `nodes` of the same struct"
)]
pub trait Elementwise {}

#[diagnostic::do_not_recommend]
impl<C, W> Elementwise for VecOf<C, W> {}

/// Compiles only if fields with the codec `C` can be parallel to others, and others to them.
pub fn elementwise<C: Elementwise>() {}

/// Evaluates the `len` of a field with the codec `C`.
pub fn lens<C: HasLen>(lens: impl IntoIterator<Item = usize>) -> Option<Result<Vec<usize>, String>> {
    Some(listed(lens))
}

pub(super) fn element_plan<C: Codec>(
    planner: &mut Planner<'_>,
    index: usize,
    values: Result<Vec<C::Leaf>, String>,
) -> C::Plan {
    // The list was cloned for this element.
    deadline::unwind_if_passed_after(values.as_ref().map_or(0, Vec::len));
    planner.part(&format!("[{index}]"), |planner| C::plan(planner, Attrs { values, len: None }))
}

/// The plans of a vector's elements. One plan stands for all elements, unless the elements contain vectors, which need
/// fields of their own.
struct ElementPlans<P> {
    /// One plan per element, or only that of the first.
    plans: Vec<P>,
    count: usize,
    /// The fields of all elements, if one plan stands for all.
    shared: Range<FieldId>,
}

impl<P> ElementPlans<P> {
    fn new<C: Codec<Plan = P>>(
        planner: &mut Planner<'_>,
        count: usize,
        values: Result<Vec<C::Leaf>, String>,
    ) -> ElementPlans<P> {
        let (first, vectors) = (planner.next_field(), planner.vectors());
        let mut plans = Vec::new();
        if count == 0 {
            return ElementPlans { plans, count, shared: first..first };
        }
        plans.push(element_plan::<C>(planner, 0, values.clone()));
        if planner.vectors() > vectors {
            Extend::extend(&mut plans, (1..count).map(|index| element_plan::<C>(planner, index, values.clone())));
            return ElementPlans { plans, count, shared: first..first };
        }
        let shared = first..planner.next_field();
        planner.share_fields(shared.clone());
        ElementPlans { plans, count, shared }
    }

    /// Returns the plan of one element.
    fn of(&self, number: usize) -> &P {
        self.plans.get(number).unwrap_or(&self.plans[0])
    }

    fn iter(&self) -> impl Iterator<Item = &P> {
        (0..self.count).map(|number| self.of(number))
    }
}

/// The plan of a vector: its length and every possible element.
pub struct VecPlan<P> {
    /// The path under which a census keeps the lengths of a value's vectors.
    path: Rc<str>,
    /// The path of the vector that this one is parallel to and shares its length with.
    parallel: Option<Rc<str>>,
    len_field: FieldId,
    lens: &'static [usize],
    elements: ElementPlans<P>,
}

/// The cells of a vector: its length and every possible element.
pub struct VecParts<C: 'static> {
    len: &'static Slot<usize>,
    /// Whether the length slot is its own. A parallel vector uses that of its partner, which is visited before it.
    has_len: bool,
    elements: &'static [C],
    /// The first slot of the elements and the number of slots per element; `None` if elements have separate plans,
    /// which may differ in their number of slots, or no slots at all.
    slots: Option<(SlotId, NonZero<u32>)>,
}

impl<C> VecParts<C> {
    /// Returns the elements below the current length.
    fn present(&self) -> &'static [C] {
        &self.elements[..*self.len.__korat_read()]
    }

    /// Returns the numbers of the elements in which something changes; `None` if that would need a look at each
    /// element.
    fn affected<'h>(&self, to: &Rewrite<'h>) -> Option<impl Iterator<Item = usize> + use<'h, C>> {
        let (first, each) = self.slots?;
        let end = SlotId(first.0 + to_u32(self.elements.len()) * each.get());
        let mut last = None;
        let number = move |slot: &SlotId| (slot.0 - first.0) / each;
        let numbers = to.affected(first..end).iter().map(number);
        Some(numbers.filter(move |number| last.replace(*number) != Some(*number)).map(|number| number as usize))
    }
}

impl<C: Codec, W: Sequence<C::Value>> Codec for VecOf<C, W> {
    type Value = W;
    type Leaf = C::Leaf;
    type Lifted = W::Twin<C::Lifted>;
    type Cell = Compound<Self::Lifted, VecParts<C::Cell>>;
    type Plan = VecPlan<C::Plan>;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<C::Leaf>) -> Self::Plan {
        let path = planner.declared_path();
        let (parallel, len_field, lens) = match planner.take_parallel_to() {
            Some(ParallelTo { path, len_field, lens }) => (Some(path), len_field, lens),
            None => {
                let lens = attrs.len.unwrap_or_else(|| listed(0..=planner.scope().min(W::CAPACITY)));
                let lens = planner.lens_of_value(&path, lens);
                let (len_field, lens) = planner.part(".len()", |planner| planner.shape_field(lens));
                (None, len_field, lens)
            }
        };
        if let Some(len) = lens.iter().find(|&&len| len > W::CAPACITY) {
            let what = format!("a length of {len} is more than the {} elements that fit", W::CAPACITY);
            planner.checked(Err::<Vec<usize>, String>(what));
        }
        let elements = planner.vector(&path, (len_field, lens), parallel.is_some(), |planner, longest| {
            ElementPlans::new::<C>(planner, longest, attrs.values)
        });
        VecPlan { path, parallel, len_field, lens, elements }
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        let len = slots.length(plan.len_field, plan.lens, plan.parallel.is_some());
        let vector = slots.begin_vector(plan.len_field, len, plan.parallel.is_some());
        let first = slots.count();
        let count = plan.elements.count;
        let mut elements = pages::with_capacity(count);
        for plan in plan.elements.iter() {
            if elements.len() == 1 {
                // All elements have about as many slots as the first.
                slots.expect_like_those_from(first, count - 1);
            }
            elements.push(slots.element(vector, |slots| C::cell(plan, slots)));
        }
        let each = if plan.elements.plans.len() == 1 { (slots.count() - first) / count } else { 0 };
        slots.end_vector(len.id(), plan.lens, first, count);
        slots.note_inside(plan.len_field, len.id(), each);
        slots.note_elements(plan.elements.shared.clone(), first, count);
        let elements: &'static Vec<C::Cell> = slots.keep(elements);
        let elems = plan.elements.plans.first().map(|plan| C::elems(elements, plan, slots));
        let elems = elems.unwrap_or_else(|| ptr::slice_from_raw_parts(ptr::dangling(), 0));
        slots.note_row(vector, PrefetchRow::of(elems));
        let slots_of_elements = NonZero::new(to_u32(each)).map(|each| (SlotId::new(first), each));
        let has_len = plan.parallel.is_none();
        Compound::new(
            W::Twin::of_field(len, elems, slots),
            VecParts { len, has_len, elements, slots: slots_of_elements },
        )
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
        Elem::part(slots.keep(Part::new(cell)))
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        if cell.parts.has_len {
            visit(cell.parts.len);
        }
        if !cell.parts.len.is_assigned() {
            return;
        }
        cell.parts.present().iter().for_each(|cell| C::visit(cell, visit));
    }
    fn copy_out(cell: &Self::Cell, copies: &mut Copies) -> Self::Value {
        cell.parts.len.__korat_read();
        W::of(cell.parts.present().iter().map(|cell| C::copy_out(cell, copies)).collect())
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> Self::Value {
        let elements = cell.parts.present().iter().zip(plan.elements.iter());
        W::of(elements.map(|(cell, plan)| C::materialise(cell, plan)).collect())
    }
    fn patches() -> bool {
        C::patches()
    }
    fn write_form<const DRAFTS: bool>(value: &Self::Value, to: &mut FormWriter<'_, DRAFTS>) {
        to.len(value.elements().len());
        value.elements().enumerate().for_each(|(at, element)| to.element(at, |to| C::write_form(element, to)));
    }
    fn read_form(from: &mut FormReader<'_>) -> Self::Value {
        W::of((0..from.number()).map(|_| C::read_form(from)).collect())
    }
    fn abstract_to(
        value: &Self::Value,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        let len = value.elements().len();
        to.lens.add(&plan.path, len);
        if to.gathers() {
            let first = cell.parts.elements.first().zip(plan.elements.iter().next());
            let Some((cell, plan)) = first else { return Ok(()) };
            return value.elements().try_for_each(|value| {
                to.step()?;
                C::abstract_to(value, cell, plan, to)
            });
        }
        let index = lookup::position(plan.lens, &len);
        let index = to_u32(index.ok_or_else(|| OutOfBounds::value(format!("length {len}")))?);
        match &plan.parallel {
            None => to.set_slot(cell.parts.len, index),
            Some(parallel) if to.index(cell.parts.len.id()) != index => {
                return Err(OutOfBounds::not_as_long(&plan.path, parallel));
            }
            Some(_) => {}
        }
        let mut elements = value.elements().zip(cell.parts.elements).zip(plan.elements.iter());
        elements.try_for_each(|((value, cell), plan)| {
            to.step()?;
            C::abstract_to(value, cell, plan, to)
        })
    }
    fn rewrite(value: &mut Self::Value, cell: &Self::Cell, plan: &Self::Plan, to: &mut Rewrite<'_>) {
        let (before, changes) = (value.elements().len(), to.changes(cell.parts.len.id()));
        let after = match (changes, to.goes()) {
            (false, _) => before,
            (true, true) => 0,
            (true, false) => cell.parts.present().len(),
        };
        if after < before && !W::SHRINKS && !to.goes() {
            to.refuse(cell.parts.len.id());
        }
        if to.attaches() && after < before {
            value.truncate(after);
        }
        // If no element is removed, it suffices to visit those in which something changes, where they are known.
        let affected = if after < before || to.goes() { None } else { cell.parts.affected(to) };
        let all = 0..if affected.is_some() { 0 } else { before };
        let (mut elements, mut next) = (value.elements_mut(), 0);
        for number in affected.into_iter().flatten().take_while(|&number| number < before).chain(all) {
            // The elements end early if the vector was truncated above.
            let Some(value) = elements.nth(number - next) else { break };
            let (cell, plan) = (&cell.parts.elements[number], plan.elements.of(number));
            to.within(number >= after, |to| C::rewrite(value, cell, plan, to));
            next = number + 1;
        }
        drop(elements);
        if to.attaches() && after > before {
            let parts = cell.parts.elements.iter().zip(plan.elements.iter());
            value.extend(parts.take(after).skip(before).map(|(cell, plan)| C::materialise(cell, plan)));
        }
    }
    fn each_strong(value: &Self::Value, visit: &mut dyn FnMut(&dyn AnyStrong)) {
        value.elements().for_each(|element| C::each_strong(element, visit));
    }
    fn sever(value: &mut Self::Value) {
        value.sever(C::sever);
    }
    fn sever_cells(value: &Self::Value) {
        value.elements().for_each(C::sever_cells);
    }
}

impl<C: Codec, W: Sequence<C::Value>> Copied for VecOf<C, W> {
    type Member = Self::Lifted;
    fn value(cell: &Self::Cell) -> Self::Lifted {
        cell.handle()
    }
    fn stamp(_: &Self::Cell, _: &mut dyn FnMut(u32)) {}
}

impl<C: Codec, W: Sequence<C::Value, Twin<C::Lifted>: Located<Place = W::Twin<C::Lifted>>>> AtPlace for VecOf<C, W> {
    fn place(cell: &'static Self::Cell, _: &mut SlotMaker<'_>) -> &'static Self::Lifted {
        cell
    }
}

macro_rules! sequence {
    ($([$($generics:tt)*] $type:ty, $element:ty;)*) => {$(
        impl<$($generics)*> Field for $type {
            type Codec = VecOf<<$element as Field>::Element, $type>;
            type Element = Self::Codec;
            fn default_values(scope: usize) -> Result<Vec<<<$element as Field>::Codec as Codec>::Leaf>, String> {
                <$element>::default_values(scope)
            }
        }

        impl<$($generics)*> Pointed for $type {
            type Target = ToValue;
        }

        impl<$($generics)*> Optional for $type {
            type Codec = Maybe<VecOf<<$element as Field>::Element, $type>>;
            fn default_values(scope: usize) -> Result<Vec<<<$element as Field>::Codec as Codec>::Leaf>, String> {
                <$element>::default_values(scope)
            }
        }
    )*};
}

#[cfg(any(feature = "arrayvec", feature = "smallvec"))]
pub(super) use sequence;

sequence! {
    [T: Field] Vec<T>, T;
    [T: Field] VecDeque<T>, T;
    [T: Field] LinkedList<T>, T;
    [T: Field] Box<[T]>, T;
}
