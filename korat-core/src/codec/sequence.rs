//! Vectors, deques, boxed slices and arrays: one cell per element, and for all but arrays one slot for the length, which is
//! read first.

use std::array;
use std::collections::VecDeque;
use std::marker::PhantomData;
use std::mem::needs_drop;
use std::num::NonZero;
use std::ops::Range;
use std::ptr;
use std::rc::Rc;

use super::Optional;
use super::compound::Compound;
use super::joint::{Copied, Maybe};
use super::lookup;
use crate::abstraction::{Abstraction, OutOfBounds};
use crate::ahead::Row;
use crate::bounds::listed;
use crate::class::{Codec, Field};
use crate::clock;
use crate::cycles::AnyStrong;
use crate::ids::{FieldId, SlotId, small};
use crate::pages;
use crate::plan::{Attrs, Beside, Planner, SlotMaker};
use crate::rewrite::Rewrite;
use crate::slot::{AnySlot, Slot};
use crate::twin;
use crate::twin::{Elem, Part};

/// `[T; N]`.
pub struct ArrayOf<C, const N: usize>(PhantomData<C>);
/// `Vec<T>`, `VecDeque<T>`, `Box<[T]>`: `W`, which is made from a vector.
pub struct VecOf<C, W>(PhantomData<(C, W)>);

/// A codec whose fields have a length to bound.
#[diagnostic::on_unimplemented(
    message = "`len` on a field that has no length",
    label = "not on a vector, a deque or a text",
    note = "remove it; the size of a map or a set is bounded by its keys, `#[finitize(0..=2)]`, or in `rep_ok`"
)]
pub trait HasLen {}

#[diagnostic::do_not_recommend]
impl<C, W> HasLen for VecOf<C, W> {}

/// A codec whose field has an element for each of another vector.
#[diagnostic::on_unimplemented(
    message = "`beside` is for vectors, deques and boxed slices, which are decided element by element",
    label = "this field is none",
    note = "write `#[finitize(beside = nodes)]` on a `Vec<..>`, for the vector `nodes` of the same struct"
)]
pub trait Elementwise {}

#[diagnostic::do_not_recommend]
impl<C, W> Elementwise for VecOf<C, W> {}

/// Demands that a field with the codec `C` can lie beside others, and others beside it.
pub fn elementwise<C: Elementwise>() {}

/// Evaluates the `len` of a field with the codec `C`.
pub fn lens<C: HasLen>(lens: impl IntoIterator<Item = usize>) -> Option<Result<Vec<usize>, String>> {
    Some(listed(lens))
}

/// Every element has a plan of its own, because every element is a field of its own.
pub struct ArrayPlan<P>(Vec<P>);

fn element_plan<C: Codec>(planner: &mut Planner<'_>, index: usize, values: Result<Vec<C::Leaf>, String>) -> C::Plan {
    // The list was copied for it.
    clock::stop_if_over_after(values.as_ref().map_or(0, Vec::len));
    planner.part(&format!("[{index}]"), |planner| C::plan(planner, Attrs { values, len: None }))
}

/// The plans of a vector's elements. One stands for all, unless there are vectors in the elements, which are told apart by
/// their fields.
struct ElementPlans<P> {
    /// Of each element, or of the first one only.
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

    /// The plan of one element.
    fn of(&self, number: usize) -> &P {
        self.plans.get(number).unwrap_or(&self.plans[0])
    }

    fn iter(&self) -> impl Iterator<Item = &P> {
        (0..self.count).map(|number| self.of(number))
    }
}

impl<C: Codec, const N: usize> Codec for ArrayOf<C, N> {
    type Value = [C::Value; N];
    type Leaf = C::Leaf;
    type Lifted = twin::Array<C::Lifted, N>;
    type Cell = Compound<Self::Lifted, &'static [C::Cell; N]>;
    type Plan = ArrayPlan<C::Plan>;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<C::Leaf>) -> Self::Plan {
        ArrayPlan((0..N).map(|index| element_plan::<C>(planner, index, attrs.values.clone())).collect())
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        let cells = array::from_fn(|index| C::cell(&plan.0[index], slots));
        let cells: &'static [C::Cell; N] = slots.keep(cells);
        Compound::new(twin::Array::of_elems(cells.each_ref().map(|cell| C::elem(cell, slots))), cells)
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
        Elem::part(slots.keep(Part::new(cell)))
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        cell.parts.iter().for_each(|cell| C::visit(cell, visit));
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> Self::Value {
        array::from_fn(|index| C::materialise(&cell.parts[index], &plan.0[index]))
    }
    fn abstract_to(
        value: &Self::Value,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        let mut elements = value.iter().zip(cell.parts).zip(&plan.0);
        elements.try_for_each(|((value, cell), plan)| C::abstract_to(value, cell, plan, to))
    }
    fn rewrite(value: &mut Self::Value, cell: &Self::Cell, plan: &Self::Plan, to: &mut Rewrite<'_>) {
        for ((value, cell), plan) in value.iter_mut().zip(cell.parts).zip(&plan.0) {
            C::rewrite(value, cell, plan, to);
        }
    }
    fn each_strong(value: &Self::Value, visit: &mut dyn FnMut(&dyn AnyStrong)) {
        value.iter().for_each(|element| C::each_strong(element, visit));
    }
    fn sever(value: &mut Self::Value) {
        value.iter_mut().for_each(C::sever);
    }
    fn sever_cells(value: &Self::Value) {
        value.iter().for_each(C::sever_cells);
    }
}

impl<C: Codec<Lifted: Clone>, const N: usize> Copied for ArrayOf<C, N> {
    fn value(cell: &Self::Cell) -> Self::Lifted {
        (**cell).clone()
    }
    fn stamp(cell: &Self::Cell, tell: &mut dyn FnMut(u32)) {
        // A copy of an element still is the slot, unless it must be dropped: then it is the value that there was.
        if needs_drop::<C::Lifted>() {
            Self::visit(cell, &mut |slot| tell(slot.index()));
        }
    }
}

/// The plan of a vector: its length, and each element it may have.
pub struct VecPlan<P> {
    /// Where the lengths that a value has are looked for.
    path: Rc<str>,
    /// The same of the vector that it lies beside, whose length it has.
    beside: Option<Rc<str>>,
    len_field: FieldId,
    lens: &'static [usize],
    elements: ElementPlans<P>,
}

/// The cells of a vector: its length, and each element it may have.
pub struct VecParts<C: 'static> {
    len: &'static Slot<usize>,
    /// Whether that is its own, and not the one of the vector that it lies beside, which is visited before it.
    has_len: bool,
    elements: &'static [C],
    /// The first slot of the elements, and how many each has; none if they have plans of their own, and need not have as many.
    slots: Option<(SlotId, NonZero<u32>)>,
}

impl<C> VecParts<C> {
    /// The elements that there are.
    fn present(&self) -> &'static [C] {
        &self.elements[..*self.len.__korat_read()]
    }

    /// The numbers of the elements that something changes in, if that is known without a look at each.
    fn concerned<'h>(&self, to: &Rewrite<'h>) -> Option<impl Iterator<Item = usize> + use<'h, C>> {
        let (first, each) = self.slots?;
        let end = SlotId(first.0 + small(self.elements.len()) * each.get());
        let mut last = None;
        let number = move |slot: &SlotId| (slot.0 - first.0) / each;
        let numbers = to.concerned(first..end).iter().map(number);
        Some(numbers.filter(move |number| last.replace(*number) != Some(*number)).map(|number| number as usize))
    }
}

/// What a predicate sees of a sequence.
pub trait SequenceTwin<L>: 'static {
    /// The one of a field; the heap keeps the elements.
    fn of_field(len: &'static Slot<usize>, elems: *const [Elem<L>], slots: &mut SlotMaker<'_>) -> Self;
    /// The same one.
    fn handle(&self) -> Self;
}

impl<L: 'static> SequenceTwin<L> for twin::Vec<L> {
    fn of_field(len: &'static Slot<usize>, elems: *const [Elem<L>], slots: &mut SlotMaker<'_>) -> Self {
        twin::Vec::of_field(slots.keep(twin::Header::field(len, elems)))
    }
    fn handle(&self) -> Self {
        self.handle()
    }
}

impl<L: 'static> SequenceTwin<L> for twin::VecDeque<L> {
    fn of_field(len: &'static Slot<usize>, elems: *const [Elem<L>], slots: &mut SlotMaker<'_>) -> Self {
        twin::VecDeque::of_field(slots.keep(twin::Ring::field(len, elems)))
    }
    fn handle(&self) -> Self {
        self.handle()
    }
}

/// What holds the elements of a sequence in the user's value.
pub trait Sequence<T: 'static>: 'static {
    /// What a predicate sees, with elements that it sees as `L`.
    type Twin<L: 'static>: SequenceTwin<L>;
    /// Made of its elements.
    fn of(elements: Vec<T>) -> Self;
    /// Its elements.
    fn elements(&self) -> impl ExactSizeIterator<Item = &T>;
    /// The same, to be changed.
    fn elements_mut(&mut self) -> impl Iterator<Item = &mut T>;
    /// Whether elements can be taken off its end.
    const SHRINKS: bool = true;
    /// Leaves only the first `len`, if that is possible.
    fn truncate(&mut self, len: usize);
    /// Adds some at its end.
    fn extend(&mut self, elements: impl Iterator<Item = T>);
    /// Takes out what can be taken out, so that no pointers are left.
    fn sever(&mut self, each: fn(&mut T));
}

impl<T: 'static> Sequence<T> for Vec<T> {
    type Twin<L: 'static> = twin::Vec<L>;
    fn of(elements: Vec<T>) -> Self {
        elements
    }
    fn elements(&self) -> impl ExactSizeIterator<Item = &T> {
        self.iter()
    }
    fn elements_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.iter_mut()
    }
    fn truncate(&mut self, len: usize) {
        self.truncate(len);
    }
    fn extend(&mut self, elements: impl Iterator<Item = T>) {
        Extend::extend(self, elements);
    }
    fn sever(&mut self, _: fn(&mut T)) {
        self.clear();
    }
}

impl<T: 'static> Sequence<T> for VecDeque<T> {
    type Twin<L: 'static> = twin::VecDeque<L>;
    fn of(elements: Vec<T>) -> Self {
        elements.into()
    }
    fn elements(&self) -> impl ExactSizeIterator<Item = &T> {
        self.iter()
    }
    fn elements_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.iter_mut()
    }
    fn truncate(&mut self, len: usize) {
        self.truncate(len);
    }
    fn extend(&mut self, elements: impl Iterator<Item = T>) {
        Extend::extend(self, elements);
    }
    fn sever(&mut self, _: fn(&mut T)) {
        self.clear();
    }
}

impl<T: 'static> Sequence<T> for Box<[T]> {
    type Twin<L: 'static> = twin::Vec<L>;
    fn of(elements: Vec<T>) -> Self {
        elements.into_boxed_slice()
    }
    fn elements(&self) -> impl ExactSizeIterator<Item = &T> {
        self.iter()
    }
    fn elements_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.iter_mut()
    }
    fn truncate(&mut self, len: usize) {
        let mut elements = std::mem::take(self).into_vec();
        elements.truncate(len);
        *self = elements.into_boxed_slice();
    }
    fn extend(&mut self, elements: impl Iterator<Item = T>) {
        let before = std::mem::take(self).into_vec();
        *self = before.into_iter().chain(elements).collect();
    }
    fn sever(&mut self, each: fn(&mut T)) {
        self.iter_mut().for_each(each);
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
        let (beside, len_field, lens) = match planner.take_beside() {
            Some(Beside { path, len_field, lens }) => (Some(path), len_field, lens),
            None => {
                let lens = planner.lens_of_value(&path, attrs.len.unwrap_or_else(|| listed(0..=planner.scope())));
                let (len_field, lens) = planner.part(".len()", |planner| planner.shape_field(lens));
                (None, len_field, lens)
            }
        };
        let elements = planner.vector(&path, (len_field, lens), beside.is_some(), |planner, longest| {
            ElementPlans::new::<C>(planner, longest, attrs.values)
        });
        VecPlan { path, beside, len_field, lens, elements }
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        let len = slots.length(plan.len_field, plan.lens, plan.beside.is_some());
        let vector = slots.begin_vector(plan.len_field, len, plan.beside.is_some());
        let first = slots.count();
        let count = plan.elements.count;
        let mut elements = pages::with_room(count);
        for plan in plan.elements.iter() {
            if elements.len() == 1 {
                // All elements have as many slots as the first, or nearly so.
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
        slots.note_row(vector, Row::of(elems));
        let slots_of_elements = NonZero::new(small(each)).map(|each| (SlotId::new(first), each));
        let has_len = plan.beside.is_none();
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
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> Self::Value {
        let elements = cell.parts.present().iter().zip(plan.elements.iter());
        W::of(elements.map(|(cell, plan)| C::materialise(cell, plan)).collect())
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
        let index = small(index.ok_or_else(|| OutOfBounds::value(format!("length {len}")))?);
        match &plan.beside {
            None => to.set_slot(cell.parts.len, index),
            Some(beside) if to.index(cell.parts.len.id()) != index => {
                return Err(OutOfBounds::not_as_long(&plan.path, beside));
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
        // Where none goes, only those that something changes in, if that is known.
        let concerned = if after < before || to.goes() { None } else { cell.parts.concerned(to) };
        let all = 0..if concerned.is_some() { 0 } else { before };
        let (mut elements, mut next) = (value.elements_mut(), 0);
        for number in concerned.into_iter().flatten().take_while(|&number| number < before).chain(all) {
            // None where the vector was made shorter just now.
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
    fn value(cell: &Self::Cell) -> Self::Lifted {
        cell.handle()
    }
    fn stamp(_: &Self::Cell, _: &mut dyn FnMut(u32)) {}
}

impl<T: Field, const N: usize> Field for [T; N] {
    type Codec = ArrayOf<T::Codec, N>;
    type Element = Self::Codec;
    fn default_values(scope: usize) -> Result<Vec<<T::Codec as Codec>::Leaf>, String> {
        T::default_values(scope)
    }
}

macro_rules! sequence {
    ($($type:ty)*) => {$(
        impl<T: Field> Field for $type {
            type Codec = VecOf<T::Element, $type>;
            type Element = Self::Codec;
            fn default_values(scope: usize) -> Result<Vec<<T::Codec as Codec>::Leaf>, String> {
                T::default_values(scope)
            }
        }

        impl<T: Field> Optional for $type {
            type Codec = Maybe<VecOf<T::Element, $type>>;
            fn default_values(scope: usize) -> Result<Vec<<T::Codec as Codec>::Leaf>, String> {
                T::default_values(scope)
            }
        }
    )*};
}

sequence! { Vec<T> VecDeque<T> Box<[T]> }

impl<T: Field, const N: usize> Optional for [T; N]
where
    ArrayOf<T::Codec, N>: Copied + Codec<Value = [T; N], Leaf = <T::Codec as Codec>::Leaf>,
{
    type Codec = Maybe<ArrayOf<T::Codec, N>>;
    fn default_values(scope: usize) -> Result<Vec<<T::Codec as Codec>::Leaf>, String> {
        T::default_values(scope)
    }
}
