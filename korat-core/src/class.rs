//! The traits that `#[derive(Finitize)]` implements: a class knows its fields' codecs, its view, and how to go back and
//! forth between the two. A codec knows one field type. All of it is hidden behind [`Finitize`] for users.
//!
//! # Why it is sound
//! The views of a class lie in raw storage that its table owns (`Places`), at addresses that are known before the views are made. A view is written
//! once, when `made` does not count it, and referred to only when it does; it changes in cells alone, and is dropped once, with the
//! table. A vector may have the places as its elements: what is written for that, a tag and a pointer, lies beside the view.

use std::any::TypeId;
use std::cell::{Cell, OnceCell};
use std::marker::PhantomData;
use std::ptr;

use smallvec::SmallVec;

use crate::abstraction::{Abstraction, OutOfBounds};
use crate::ahead::Row;
use crate::bounds::Bounds;
use crate::cycles::AnyStrong;
use crate::ids::{ClassId, FieldId, ObjectId};
use crate::machine::Machine;
use crate::pages::{self, Places};
use crate::plan::{Attrs, Planner, SlotMaker};
use crate::rewrite::Rewrite;
use crate::slot::{AnySlot, Shown, Slot};
use crate::twin::{Elem, Part, Settleable};

/// A type whose values korat can generate. Derive it.
///
/// ```
/// use korat::Finitize;
///
/// #[derive(Debug, Finitize)]
/// struct Pair {
///     small: bool,
///     #[finitize(1..=scope)]
///     number: u8,
/// }
/// ```
pub trait Finitize: Class {
    /// The bounds of a search for all values within `scope`: that many objects of each class, and what `scope` means
    /// in `#[finitize(..)]` expressions.
    fn scope(scope: usize) -> Bounds<Self> {
        Bounds::new(scope)
    }
}

/// A class with parameters, each of which stands for plain values. Implemented by the derive.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be generated: a type parameter of a class stands for plain values",
    label = "one of its arguments is not plain",
    note = "integers, `bool`, `char`, and types that derive `Finitize` with `#[finitize(plain)]` or without fields are plain; for a class write a struct of its own"
)]
pub trait ClassOfPlain: Class {}

/// A struct, or an enum with data, in the bounded heap. Implemented by the derive.
///
/// A struct has one alternative, an enum one per variant. Each is what a predicate sees, made of the cells of its fields.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a class that korat can generate",
    label = "no `#[derive(Finitize)]` here",
    note = "derive `Finitize` for `{Self}`"
)]
pub trait Class: Sized + 'static {
    /// The name in messages.
    const NAME: &'static str;
    /// The names of an enum's variants, in order; none for a struct.
    const VARIANTS: &'static [&'static str];
    /// What a predicate sees in place of `Self`.
    type Lifted: Seen;
    /// The plans of its fields.
    type Plan: 'static;
    /// How many objects there are by default.
    fn objects(scope: usize) -> usize {
        scope
    }
    /// Describes every field to the planner, in order.
    fn plan(planner: &mut Planner<'_>) -> Self::Plan;
    /// Makes the alternatives of one object, and gives each to `take`.
    fn alternatives(plan: &Self::Plan, slots: &mut SlotMaker<'_>, take: impl FnMut(Self::Lifted));
    /// Calls `visit` on every slot of one alternative, in order; parts that its value does without are left out.
    fn visit(lifted: &Self::Lifted, visit: &mut dyn FnMut(&dyn AnySlot));
    /// Builds the user's value from the assigned slots of one alternative.
    fn materialise(lifted: &Self::Lifted, plan: &Self::Plan) -> Self;
    /// Writes the value's fields into `to`; gives the number of its alternative.
    fn abstract_to(
        &self,
        alternatives: &[&Self::Lifted],
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<u32, OutOfBounds>;
    /// Writes changed slots back into the fields of the alternative that the value has.
    fn rewrite(&mut self, alternatives: &[&Self::Lifted], plan: &Self::Plan, to: &mut Rewrite<'_>);
    /// Calls `visit` on every strong pointer in the value, through boxes.
    fn each_strong(&self, visit: &mut dyn FnMut(&dyn AnyStrong));
    /// Sets every pointer to null that can be.
    fn sever(&mut self);
    /// The same for pointers in cells.
    fn sever_cells(&self);
}

/// Asks whether a type has a destructor of its own: `OwnDrop::<T>::IS`, which is found in the trait where the type has none.
pub struct OwnDrop<T>(PhantomData<T>);

#[allow(drop_bounds, reason = "whether there is a destructor is the question")]
impl<T: Drop> OwnDrop<T> {
    /// It has one.
    pub const IS: bool = true;
}

/// The other answer.
pub trait NoOwnDrop {
    /// It has none.
    const IS: bool = false;
}

impl<T> NoOwnDrop for OwnDrop<T> {}

/// Where the objects of a class lie.
pub type View<C> = <<C as Class>::Lifted as Seen>::Place;

/// What a predicate sees of an object: the cells of a struct, or those of the variant that an enum has.
pub trait Seen: Sized + 'static {
    /// Where the object lies: a struct is its own place, an enum has a slot for its variant.
    type Place: Holds<Self>;
    /// The object at a place; the variant of an enum is decided now if it was not.
    #[inline(always)]
    fn look(place: &Self::Place) -> &Self {
        place.shown()
    }
}

/// The place of an object. Written here and not by the derive: of a function that owns a view, the compiler asks how its
/// fields are dropped, and would report a field of an unknown type once more, where no token of the user's stands.
pub trait Holds<V>: Shown<Out = V> + 'static {
    /// Makes the place of an object with the alternatives that `make` gives; `tag` makes the slot of an enum's variant.
    #[doc(hidden)]
    fn settle(
        slots: &mut SlotMaker<'_>,
        make: impl FnOnce(&mut SlotMaker<'_>, &mut dyn FnMut(V)),
        tag: impl FnOnce(&mut SlotMaker<'_>, Vec<V>) -> Slot<V>,
    ) -> Self;
    /// The slot of the variant, if there is one.
    #[doc(hidden)]
    fn tag(&self) -> Option<&Slot<V>>;
    /// All alternatives.
    #[doc(hidden)]
    fn alternatives(&self) -> &[V];
}

/// A struct.
impl<V: Shown<Out = V> + 'static> Holds<V> for V {
    #[inline]
    fn settle(
        slots: &mut SlotMaker<'_>,
        make: impl FnOnce(&mut SlotMaker<'_>, &mut dyn FnMut(V)),
        _: impl FnOnce(&mut SlotMaker<'_>, Vec<V>) -> Slot<V>,
    ) -> V {
        let mut made = None;
        make(slots, &mut |alternative| made = Some(alternative));
        made.expect("[korat internal bug] a struct has one alternative")
    }
    fn tag(&self) -> Option<&Slot<V>> {
        None
    }
    fn alternatives(&self) -> &[V] {
        std::slice::from_ref(self)
    }
}

/// An enum.
impl<V: 'static> Holds<V> for Slot<V> {
    fn settle(
        slots: &mut SlotMaker<'_>,
        make: impl FnOnce(&mut SlotMaker<'_>, &mut dyn FnMut(V)),
        tag: impl FnOnce(&mut SlotMaker<'_>, Vec<V>) -> Slot<V>,
    ) -> Slot<V> {
        let mut alternatives = Vec::new();
        make(slots, &mut |alternative| alternatives.push(alternative));
        tag(slots, alternatives)
    }
    fn tag(&self) -> Option<&Slot<V>> {
        Some(self)
    }
    fn alternatives(&self) -> &[V] {
        self.__korat_domain()
    }
}

/// The plan of a class: its fields, and for an enum the slot of its variant.
pub struct ClassPlan<C: Class> {
    tag: Option<FieldId>,
    fields: C::Plan,
}

impl<C: Class> ClassPlan<C> {
    pub(crate) fn new(planner: &mut Planner<'_>) -> Self {
        let tag = (!C::VARIANTS.is_empty()).then(|| planner.variant_field(C::VARIANTS.iter().copied()));
        ClassPlan { tag, fields: C::plan(planner) }
    }

    /// The same where another slot says which variant there is.
    pub(crate) fn without_tag(planner: &mut Planner<'_>) -> Self {
        ClassPlan { tag: None, fields: C::plan(planner) }
    }

    pub(crate) fn fields(&self) -> &C::Plan {
        &self.fields
    }

    /// Makes the place of one object.
    pub(crate) fn view(&self, slots: &mut SlotMaker<'_>) -> View<C> {
        let tag = self.tag.map(|field| (slots.reserve(field), field));
        Holds::settle(
            slots,
            |slots, take| C::alternatives(&self.fields, slots, take),
            |slots, alternatives| {
                let (tag, field) = tag.expect("[korat internal bug] an enum has a slot for its variant");
                slots.note_inside(field, tag, 0);
                let alternatives: &'static Vec<C::Lifted> = slots.keep(alternatives);
                slots.reserved(tag, field, alternatives)
            },
        )
    }

    pub(crate) fn visit(view: &View<C>, visit: &mut dyn FnMut(&dyn AnySlot)) {
        if let Some(tag) = view.tag() {
            visit(tag);
            if !tag.is_assigned() {
                return;
            }
        }
        C::visit(Seen::look(view), visit);
    }

    pub(crate) fn materialise(&self, view: &View<C>) -> C {
        C::materialise(Seen::look(view), &self.fields)
    }

    /// Writes changed slots back; a value of another variant is made anew.
    pub(crate) fn rewrite(&self, value: &mut C, view: &View<C>, to: &mut Rewrite<'_>) {
        let is_other = view.tag().is_some_and(|tag| to.changes(tag.id()));
        if is_other && to.attaches() {
            *value = self.materialise(view);
            return;
        }
        let alternatives: Vec<&C::Lifted> = view.alternatives().iter().collect();
        to.within(is_other, |to| value.rewrite(&alternatives, &self.fields, to));
    }

    pub(crate) fn abstract_to(&self, value: &C, view: &View<C>, to: &mut Abstraction<'_>) -> Result<(), OutOfBounds> {
        // A struct has one, and an enum seldom many: nothing is allocated for an object.
        let index = match view.alternatives() {
            [only] => value.abstract_to(&[only], &self.fields, to)?,
            several => {
                let alternatives: SmallVec<[&C::Lifted; 8]> = several.iter().collect();
                value.abstract_to(&alternatives, &self.fields, to)?
            }
        };
        if let Some(tag) = view.tag() {
            to.set_slot(tag, index);
        }
        Ok(())
    }
}

/// An invariant in both forms. Implemented by `#[rep_ok]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no invariant that korat can run",
    label = "no `#[rep_ok]` for this type",
    note = "write `#[rep_ok]` above the `impl {Self}` block that holds `fn rep_ok(&self) -> bool`"
)]
pub trait RepOk: Class {
    /// The lifted predicate.
    fn lifted(view: &View<Self>) -> bool;
    /// The lowered predicate on one object.
    #[doc(hidden)]
    fn machine(view: &'static View<Self>) -> Machine;
    /// The untouched predicate.
    fn holds(&self) -> bool;
}

/// A type that a field may have: which codec handles it, and its domain when the user gives none.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot be finitized",
    label = "korat does not know the values of `{Self}`",
    note = "derive `Finitize` for a type of your own; list the values of any other: `#[finitize(values = [..])]`; or leave the field out: `#[finitize(skip = ..)]`"
)]
pub trait Field: Sized + 'static {
    /// Handles fields of this type.
    type Codec: Codec<Value = Self>;
    /// Handles elements of this type in a vector or a map: a class there is an object of its own.
    type Element: Codec<Value = Self, Leaf = <Self::Codec as Codec>::Leaf>;
    /// The values of one slot at a scope; `Err` says which bound does not fit the type.
    fn default_values(scope: usize) -> Result<Vec<<Self::Codec as Codec>::Leaf>, String>;
}

/// How the fields of one type are laid out, read, built and taken apart.
pub trait Codec: 'static {
    /// The user's type.
    type Value;
    /// What a domain expression of such a field ranges over.
    type Leaf: Clone + 'static;
    /// What a predicate sees in place of `Value`.
    type Lifted: 'static;
    /// What stands in the view.
    type Cell: 'static;
    /// What is known of the field before any object is made.
    type Plan: 'static;
    /// Describes the field's slots to the planner.
    fn plan(planner: &mut Planner<'_>, attrs: Attrs<Self::Leaf>) -> Self::Plan;
    /// Makes the cell of one object.
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell;
    /// The cell as an element of a sequence.
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted>;
    /// The cells of a sequence as its elements, which the heap keeps.
    #[doc(hidden)]
    fn elems(
        cells: &'static [Self::Cell],
        _plan: &Self::Plan,
        slots: &mut SlotMaker<'_>,
    ) -> *const [Elem<Self::Lifted>] {
        elems_apart::<Self>(cells, slots)
    }
    /// Calls `visit` on the cell's slots, in order. What a slot leads to that is not decided then is left out.
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot));
    /// Builds the user's value from assigned slots.
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> Self::Value;
    /// Writes the value into `to`.
    fn abstract_to(
        value: &Self::Value,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds>;
    /// Writes changed slots back into the value. As a whole, unless it can be done in parts.
    fn rewrite(value: &mut Self::Value, cell: &Self::Cell, plan: &Self::Plan, to: &mut Rewrite<'_>) {
        to.whole::<Self>(value, cell, plan);
    }
    /// Calls `visit` on every strong pointer in the value, through boxes.
    fn each_strong(_value: &Self::Value, _visit: &mut dyn FnMut(&dyn AnyStrong)) {}
    /// Sets every pointer to null that can be.
    fn sever(_value: &mut Self::Value) {}
    /// The same for pointers in cells.
    fn sever_cells(_value: &Self::Value) {}
}

/// The cells of a sequence as its elements, in a place of their own.
pub(crate) fn elems_apart<C: Codec + ?Sized>(
    cells: &'static [C::Cell],
    slots: &mut SlotMaker<'_>,
) -> *const [Elem<C::Lifted>] {
    let mut elems = pages::with_room(cells.len());
    elems.extend(cells.iter().map(|cell| C::elem(cell, slots)));
    slots.keep(elems).as_slice()
}

/// What a type in a predicate's signature becomes in the lifted predicate.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be named in a lifted predicate: korat does not know whether it holds fields of the structure",
    label = "not a class, not a type of the standard library that korat knows",
    note = "derive `Finitize` for `{Self}` if it is part of the structure; write `#[rep_ok(plain({Self}))]` if it is not"
)]
pub trait Lift {
    /// The type over views.
    type Lifted: ?Sized;
}

/// What a view lies in: no view before it is made, and an element only if a vector has it.
type ViewPlace<C> = Elem<View<C>>;

/// All objects of one class.
pub struct ClassTable<C: Class> {
    pub(crate) id: ClassId,
    /// The first of its objects, once they are numbered.
    first: Cell<ObjectId>,
    plan: OnceCell<ClassPlan<C>>,
    /// Made by `make_views`, at addresses that are known before: references between objects need them. Each lies in what may be an
    /// element of a vector, too.
    views: Places<ViewPlace<C>>,
    /// How many of `views` are made.
    made: Cell<usize>,
    /// The first cell of the vector whose elements lie beside the objects, and how many it has; none if there is no such vector.
    beside: Cell<(*const (), usize)>,
}

impl<C: Class> ClassTable<C> {
    pub(crate) fn new(id: ClassId, count: usize) -> Self {
        let (first, made, beside) = (Cell::new(ObjectId(0)), Cell::new(0), Cell::new((ptr::null(), 0)));
        ClassTable { id, first, plan: OnceCell::new(), views: Places::new(count), made, beside }
    }

    pub(crate) fn count(&self) -> usize {
        self.views.len()
    }

    pub(crate) fn plan(&self) -> &ClassPlan<C> {
        self.plan.get().expect("[korat internal bug] a class is used before it was planned")
    }

    /// Where the view of the `ordinal`-th object is or will be.
    pub(crate) fn address(&self, ordinal: usize) -> *const View<C> {
        Elem::object(self.place(ordinal))
    }

    /// What the view lies in.
    fn place(&self, ordinal: usize) -> *mut ViewPlace<C> {
        self.views.at(ordinal)
    }

    /// Elements of a vector with these cells, beside the objects; none if another vector has them, or they are not of that kind.
    pub(crate) fn elems_beside<E: Shown<Out: Sized>>(
        &self,
        cells: &'static [E],
        slots: &mut SlotMaker<'_>,
    ) -> Option<*const [Elem<E::Out>]> {
        let is_place = TypeId::of::<E::Out>() == TypeId::of::<View<C>>();
        if !is_place || cells.is_empty() || cells.len() > self.count() || self.beside.get().1 > 0 {
            return None;
        }
        self.beside.set((cells.as_ptr().cast(), cells.len()));
        let places = self.views.first().cast::<Elem<E::Out>>();
        for (number, cell) in cells.iter().enumerate() {
            // SAFETY: there are as many places, which are of this type.
            unsafe { Elem::become_element(places.add(number), slots.keep(Part::new(cell))) };
        }
        Some(ptr::slice_from_raw_parts(places, cells.len()))
    }

    /// The element with this cell, if it lies beside the object of that number.
    pub(crate) fn element_beside<E>(&self, cell: &E, ordinal: u32) -> Option<Settleable> {
        let (first, count) = self.beside.get();
        let number = ordinal as usize;
        let is_beside = number < count && ptr::eq(first.cast::<E>().wrapping_add(number), cell);
        // SAFETY: the place is one of those that became elements.
        is_beside.then(|| unsafe { Settleable::new(self.place(number)) })
    }

    /// Writes changed slots back into an object that lies in its holder.
    pub(crate) fn rewrite_part(&self, value: &mut C, ordinal: u32, to: &mut Rewrite<'_>) {
        if to.touches(ObjectId(self.first.get().0 + ordinal)) {
            self.plan().rewrite(value, self.view(ordinal as usize), to);
        }
    }

    pub(crate) fn view(&self, ordinal: usize) -> &View<C> {
        assert!(ordinal < self.made.get(), "[korat internal bug] a view is used before it was made");
        // SAFETY: views below `made` are written, and none is written again.
        unsafe { &*self.address(ordinal) }
    }
}

impl<C: Class> Drop for ClassTable<C> {
    fn drop(&mut self) {
        for ordinal in 0..self.made.get() {
            // SAFETY: views below `made` are written, and dropped once.
            unsafe { self.address(ordinal).cast_mut().drop_in_place() };
        }
    }
}

/// A class table whose class is forgotten.
pub(crate) trait AnyClass {
    fn make_plan(&self, planner: &mut Planner<'_>);
    /// Makes the views. Gives them, and what is kept for each.
    fn make_views(&self, slots: &mut SlotMaker<'_>) -> [Row; 2];
    fn visit(&self, ordinal: usize, visit: &mut dyn FnMut(&dyn AnySlot));
    /// The number of the object whose view lies at an address.
    fn ordinal_at(&self, address: usize) -> Option<usize>;
}

impl<C: Class> AnyClass for ClassTable<C> {
    fn make_plan(&self, planner: &mut Planner<'_>) {
        let plan = ClassPlan::new(planner);
        assert!(self.plan.set(plan).is_ok(), "[korat internal bug] a class was planned twice");
    }

    fn make_views(&self, slots: &mut SlotMaker<'_>) -> [Row; 2] {
        let plan = self.plan();
        let (first, count) = slots.objects_of(self.id);
        self.first.set(first);
        let (mut before, mut kept) = (0, Row::NONE);
        for ordinal in 0..count {
            match ordinal {
                1 => before = slots.bytes_kept(),
                // All objects of a class have as many slots, and as much is kept for each; what they share is kept with the first.
                2 => {
                    let bytes = slots.bytes_kept() - before;
                    kept = slots.expect_like_the_last(count - 2, bytes).numbered_from(2);
                }
                _ => {}
            }
            slots.begin_object(self.id);
            let view = plan.view(slots);
            // SAFETY: nothing reads a view before `made` counts it.
            unsafe { self.address(ordinal).cast_mut().write(view) };
            self.made.set(ordinal + 1);
        }
        [Row::of(self.views.all()), kept]
    }

    fn visit(&self, ordinal: usize, visit: &mut dyn FnMut(&dyn AnySlot)) {
        ClassPlan::<C>::visit(self.view(ordinal), visit);
    }

    fn ordinal_at(&self, address: usize) -> Option<usize> {
        let ordinal = address.checked_sub(self.views.first().addr())? / size_of::<ViewPlace<C>>();
        (ordinal < self.count() && self.address(ordinal).addr() == address).then_some(ordinal)
    }
}
