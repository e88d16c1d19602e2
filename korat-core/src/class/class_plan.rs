//! The plan of a class, and the place of one object: the cells of a struct, or an enum's variant slot with the cells of
//! each variant.

use smallvec::SmallVec;

use super::abstraction::{Abstraction, OutOfBounds};
use super::patch::Patch;
use super::plan::planner::Planner;
use super::plan::slot_maker::SlotMaker;
use super::rewrite::Rewrite;
use crate::__private::{Class, View};
use crate::model::ids::FieldId;
use crate::predicate::twin;
use crate::slots::object_view::Located;
use crate::slots::slot::{AnySlot, ReadCell, Slot};

/// The place of an object with alternatives of type `V`.
///
/// This is a trait with impls here rather than code that the derive emits: for a function that owns a view, the
/// compiler computes how the view's fields are dropped, and would report a field of an unknown type a second time, at a
/// span outside the user's tokens.
pub trait ObjectPlace<V>: ReadCell<Out = V> + 'static {
    /// What a predicate sees of the object as a member of a tuple: a struct itself, which patterns destructure, or a
    /// pointer to an enum, since reading the tuple does not decide its variant.
    type Member: Copy + 'static;
    /// Returns the object as a member of a tuple.
    #[doc(hidden)]
    fn member(&self) -> Self::Member;
    /// Makes the place of an object from the alternatives that `make` yields; `tag` makes the variant slot of an enum.
    #[doc(hidden)]
    fn make_place(
        slots: &mut SlotMaker<'_>,
        make: impl FnOnce(&mut SlotMaker<'_>, &mut dyn FnMut(V)),
        tag: impl FnOnce(&mut SlotMaker<'_>, Vec<V>) -> Slot<V>,
    ) -> Self;
    /// Returns the variant slot of an enum.
    #[doc(hidden)]
    fn tag(&self) -> Option<&Slot<V>>;
    /// Returns all alternatives.
    #[doc(hidden)]
    fn alternatives(&self) -> &[V];
}

/// The place of a struct.
impl<V: ReadCell<Out = V> + Located<Place = V>> ObjectPlace<V> for V {
    type Member = &'static V;
    fn member(&self) -> &'static V {
        twin::Box::<V>::at(self).target()
    }
    #[inline]
    fn make_place(
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

/// The place of an enum.
impl<V: Located<Place = Slot<V>>> ObjectPlace<V> for Slot<V> {
    type Member = twin::Box<V>;
    fn member(&self) -> twin::Box<V> {
        twin::Box::at(self)
    }
    fn make_place(
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

/// The plan of a class: its fields and, for an enum, its variant slot.
pub struct ClassPlan<C: Class> {
    tag: Option<FieldId>,
    fields: C::Plan,
}

impl<C: Class> ClassPlan<C> {
    pub(crate) fn new(planner: &mut Planner<'_>) -> Self {
        let tag = (!C::VARIANTS.is_empty()).then(|| planner.variant_field(C::VARIANTS.iter().copied()));
        ClassPlan { tag, fields: C::plan(planner) }
    }

    /// Plans a class whose variant is stored in another slot.
    pub(crate) fn without_tag(planner: &mut Planner<'_>) -> Self {
        ClassPlan { tag: None, fields: C::plan(planner) }
    }

    pub(crate) fn fields(&self) -> &C::Plan {
        &self.fields
    }

    /// Makes the place of one object.
    pub(crate) fn view(&self, slots: &mut SlotMaker<'_>) -> View<C> {
        let tag = self.tag.map(|field| (slots.reserve(field), field));
        ObjectPlace::make_place(
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
        C::visit(Located::look(view), visit);
    }

    pub(crate) fn materialise(&self, view: &View<C>) -> C {
        C::materialise(Located::look(view), &self.fields)
    }

    /// Makes a value what [`materialise`](ClassPlan::materialise) would build.
    #[inline]
    pub(crate) fn patch(&self, value: &mut C, view: &View<C>, to: &mut Patch) {
        value.patch(Located::look(view), &self.fields, to);
    }

    /// Writes changed slots back. Rebuilds the value if its variant changes.
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
        // Avoids an allocation per object: a struct has one alternative, and few enums have more than eight.
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
