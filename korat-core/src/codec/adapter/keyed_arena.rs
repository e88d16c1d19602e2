//! Arenas of other crates: vectors whose elements are addressed by keys. Provides their codec and their twin, given a
//! mapping between keys and positions.

use std::iter::{Enumerate, Map};
use std::marker::PhantomData;
use std::ops::Index;

use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::codec::Codec;
use crate::class::copies::Copies;
use crate::class::cycles::AnyStrong;
use crate::class::form::{FormReader, FormWriter};
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::class::rewrite::Rewrite;
use crate::codec::compound::Compound;
use crate::codec::sequence::{HasLen, VecOf};
use crate::codec::sequence_types::Sequence;
use crate::codec::tuple_option::Copied;
use crate::predicate::twin;
use crate::predicate::twin::{Elem, Part};
use crate::slots::slot::AnySlot;

/// The keys of an arena that was filled in order.
pub trait ArenaKeys: 'static {
    /// The type of a key.
    type Key: Copy + 'static;
    /// Returns the key of the element at a position.
    fn at(position: usize) -> Self::Key;
    /// Returns the position of the element that a key refers to; `None` if it cannot be a key of such an arena.
    fn position(key: Self::Key) -> Option<usize>;
}

/// An arena in the user's value.
pub trait KeyedArena<T: 'static>: Sequence<T> {
    /// The keys of the arena.
    type Keys: ArenaKeys;
    /// Returns whether the elements have the keys of an arena that was filled in order.
    fn is_in_order(&self) -> bool;
}

/// The twin of an arena: a vector of parts of the structure, accessed by key.
pub struct ArenaTwin<S, L> {
    elements: twin::Vec<L>,
    keys: PhantomData<S>,
}

impl<S, L> ArenaTwin<S, L> {
    fn over(elements: twin::Vec<L>) -> Self {
        ArenaTwin { elements, keys: PhantomData }
    }
}

/// An iterator over the keys and elements of an arena, in order. An element is chosen when the iterator reaches it.
pub type Iter<'k, S, L> = Map<Enumerate<twin::Iter<'k, L>>, fn((usize, &'k L)) -> (<S as ArenaKeys>::Key, &'k L)>;

impl<S: ArenaKeys, L> ArenaTwin<S, L> {
    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Returns whether the arena is empty.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// Returns the element with a key.
    pub fn get(&self, key: S::Key) -> Option<&L> {
        self.elements.get(S::position(key)?)
    }

    /// Returns whether there is an element with a key. Does not read the element.
    pub fn contains_key(&self, key: S::Key) -> bool {
        S::position(key).is_some_and(|position| position < self.len())
    }

    /// Returns an iterator over the keys and elements.
    pub fn iter(&self) -> Iter<'_, S, L> {
        self.elements.iter().enumerate().map(|(position, element)| (S::at(position), element))
    }

    /// Returns an iterator over the keys. Reads no element.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = S::Key> + ExactSizeIterator + Clone + use<S, L> {
        (0..self.len()).map(S::at)
    }

    /// Returns an iterator over the elements.
    pub fn values(&self) -> twin::Iter<'_, L> {
        self.elements.iter()
    }

    /// Returns the key that the next element would get.
    pub fn next_id(&self) -> S::Key {
        S::at(self.len())
    }
}

impl<S: ArenaKeys, L> Index<S::Key> for ArenaTwin<S, L> {
    type Output = L;
    #[track_caller]
    fn index(&self, key: S::Key) -> &L {
        self.get(key).expect("a key of this arena")
    }
}

impl<'k, S: ArenaKeys, L> IntoIterator for &'k ArenaTwin<S, L> {
    type Item = (S::Key, &'k L);
    type IntoIter = Iter<'k, S, L>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Cloning returns another handle to this arena, which a predicate cannot change.
impl<S, L> Clone for ArenaTwin<S, L> {
    fn clone(&self) -> Self {
        ArenaTwin::over(self.elements.handle())
    }
}

/// The codec of an arena `W` whose elements have the codec `C`.
pub struct ArenaOf<C, W>(PhantomData<(C, W)>);

impl<C: Codec, W> Codec for ArenaOf<C, W>
where
    W: KeyedArena<C::Value> + Sequence<C::Value, Twin<C::Lifted> = twin::Vec<C::Lifted>>,
{
    type Value = W;
    type Leaf = C::Leaf;
    type Lifted = ArenaTwin<W::Keys, C::Lifted>;
    type Cell = Compound<Self::Lifted, <VecOf<C, W> as Codec>::Cell>;
    type Plan = <VecOf<C, W> as Codec>::Plan;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<C::Leaf>) -> Self::Plan {
        VecOf::<C, W>::plan(planner, attrs)
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        let vector = VecOf::<C, W>::cell(plan, slots);
        Compound::new(ArenaTwin::over(vector.handle()), vector)
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
        Elem::part(slots.keep(Part::new(cell)))
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        VecOf::<C, W>::visit(&cell.parts, visit);
    }
    fn copy_out(cell: &Self::Cell, copies: &mut Copies) -> W {
        VecOf::<C, W>::copy_out(&cell.parts, copies)
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> W {
        VecOf::<C, W>::materialise(&cell.parts, plan)
    }
    fn write_form<const DRAFTS: bool>(value: &W, to: &mut FormWriter<'_, DRAFTS>) {
        if !value.is_in_order() {
            to.refuse("elements were removed from an arena, whose keys do not say where".to_string());
        }
        VecOf::<C, W>::write_form(value, to);
    }
    fn read_form(from: &mut FormReader<'_>) -> W {
        VecOf::<C, W>::read_form(from)
    }
    fn abstract_to(
        value: &W,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        if !value.is_in_order() {
            return Err(OutOfBounds::value("an arena from which elements were removed"));
        }
        VecOf::<C, W>::abstract_to(value, &cell.parts, plan, to)
    }
    fn rewrite(value: &mut W, cell: &Self::Cell, plan: &Self::Plan, to: &mut Rewrite<'_>) {
        VecOf::<C, W>::rewrite(value, &cell.parts, plan, to);
    }
    fn each_strong(value: &W, visit: &mut dyn FnMut(&dyn AnyStrong)) {
        VecOf::<C, W>::each_strong(value, visit);
    }
    fn sever(value: &mut W) {
        VecOf::<C, W>::sever(value);
    }
    fn sever_cells(value: &W) {
        VecOf::<C, W>::sever_cells(value);
    }
}

impl<C: Codec, W> Copied for ArenaOf<C, W>
where
    W: KeyedArena<C::Value> + Sequence<C::Value, Twin<C::Lifted> = twin::Vec<C::Lifted>>,
{
    type Member = Self::Lifted;
    fn value(cell: &Self::Cell) -> Self::Lifted {
        (**cell).clone()
    }
    fn stamp(_: &Self::Cell, _: &mut dyn FnMut(u32)) {}
}

#[diagnostic::do_not_recommend]
impl<C, W> HasLen for ArenaOf<C, W> {}
