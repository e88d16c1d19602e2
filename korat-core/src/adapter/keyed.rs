//! Arenas of other crates: vectors whose elements are named by keys. Takes what maps keys to positions, gives the codec of a field
//! and the twin that a predicate sees.

use std::iter::{Enumerate, Map};
use std::marker::PhantomData;
use std::ops::Index;

use crate::abstraction::{Abstraction, OutOfBounds};
use crate::class::Codec;
use crate::codec::HasLen;
use crate::codec::compound::Compound;
use crate::codec::joint::Copied;
use crate::codec::sequence::{Sequence, VecOf};
use crate::cycles::AnyStrong;
use crate::plan::{Attrs, Planner, SlotMaker};
use crate::rewrite::Rewrite;
use crate::slot::AnySlot;
use crate::twin;
use crate::twin::{Elem, Part};

/// The keys of an arena that was filled in order.
pub trait Keys: 'static {
    /// What names an element.
    type Key: Copy + 'static;
    /// The key of the element at a position.
    fn at(position: usize) -> Self::Key;
    /// The position of the element that a key names, if there are so many.
    fn position(key: Self::Key) -> Option<usize>;
}

/// An arena in the user's value.
pub trait Arena<T: 'static>: Sequence<T> {
    /// Its keys.
    type Keys: Keys;
    /// Whether its elements have the keys of an arena that was filled in order.
    fn is_in_order(&self) -> bool;
}

/// An arena in a lifted predicate: a vector of parts of the structure, looked at by key.
pub struct Keyed<S, L> {
    elements: twin::Vec<L>,
    keys: PhantomData<S>,
}

impl<S, L> Keyed<S, L> {
    fn over(elements: twin::Vec<L>) -> Self {
        Keyed { elements, keys: PhantomData }
    }
}

/// The keys and elements of an arena, in order; an element is decided when the iterator reaches it.
pub type Iter<'k, S, L> = Map<Enumerate<twin::Iter<'k, L>>, fn((usize, &'k L)) -> (<S as Keys>::Key, &'k L)>;

impl<S: Keys, L> Keyed<S, L> {
    /// How many elements.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// The element with a key.
    pub fn get(&self, key: S::Key) -> Option<&L> {
        self.elements.get(S::position(key)?)
    }

    /// Whether there is an element with a key; does not look at it.
    pub fn contains_key(&self, key: S::Key) -> bool {
        S::position(key).is_some_and(|position| position < self.len())
    }

    /// Keys and elements.
    pub fn iter(&self) -> Iter<'_, S, L> {
        self.elements.iter().enumerate().map(|(position, element)| (S::at(position), element))
    }

    /// The keys; looks at no element.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = S::Key> + ExactSizeIterator + Clone + use<S, L> {
        (0..self.len()).map(S::at)
    }

    /// The elements.
    pub fn values(&self) -> twin::Iter<'_, L> {
        self.elements.iter()
    }

    /// The key that one more element would have.
    pub fn next_id(&self) -> S::Key {
        S::at(self.len())
    }
}

impl<S: Keys, L> Index<S::Key> for Keyed<S, L> {
    type Output = L;
    #[track_caller]
    fn index(&self, key: S::Key) -> &L {
        self.get(key).expect("a key of this arena")
    }
}

impl<'k, S: Keys, L> IntoIterator for &'k Keyed<S, L> {
    type Item = (S::Key, &'k L);
    type IntoIter = Iter<'k, S, L>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The same arena: a predicate cannot change it.
impl<S, L> Clone for Keyed<S, L> {
    fn clone(&self) -> Self {
        Keyed::over(self.elements.handle())
    }
}

/// A field that is an arena `W` with elements of the codec `C`.
pub struct ArenaOf<C, W>(PhantomData<(C, W)>);

impl<C: Codec, W> Codec for ArenaOf<C, W>
where
    W: Arena<C::Value> + Sequence<C::Value, Twin<C::Lifted> = twin::Vec<C::Lifted>>,
{
    type Value = W;
    type Leaf = C::Leaf;
    type Lifted = Keyed<W::Keys, C::Lifted>;
    type Cell = Compound<Self::Lifted, <VecOf<C, W> as Codec>::Cell>;
    type Plan = <VecOf<C, W> as Codec>::Plan;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<C::Leaf>) -> Self::Plan {
        VecOf::<C, W>::plan(planner, attrs)
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        let vector = VecOf::<C, W>::cell(plan, slots);
        Compound::new(Keyed::over(vector.handle()), vector)
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
        Elem::part(slots.keep(Part::new(cell)))
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        VecOf::<C, W>::visit(&cell.parts, visit);
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> W {
        VecOf::<C, W>::materialise(&cell.parts, plan)
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
    W: Arena<C::Value> + Sequence<C::Value, Twin<C::Lifted> = twin::Vec<C::Lifted>>,
{
    fn value(cell: &Self::Cell) -> Self::Lifted {
        (**cell).clone()
    }
    fn stamp(_: &Self::Cell, _: &mut dyn FnMut(u32)) {}
}

#[diagnostic::do_not_recommend]
impl<C, W> HasLen for ArenaOf<C, W> {}
