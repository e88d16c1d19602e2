//! `id_arena::Arena` as a field, and its ids as indices into it.
//!
//! An id contains the number of its arena, which every new arena draws from a global counter. A predicate sees all ids
//! with one fixed number. The ids in the user's value get the number of the arena that is built with them; that arena
//! is created as soon as the first id needs its number. Therefore a value can have only one arena per element type.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::fmt::Debug;
use std::marker::PhantomData;

use id_arena::{ArenaBehavior, DefaultArenaBehavior, Id};
use rustc_hash::FxHashMap;

use super::keyed_arena::{ArenaKeys, ArenaOf, ArenaTwin, KeyedArena};
use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::codec::{Codec, Field};
use crate::class::plan::index::Position;
use crate::class::plan::meaning::LeafValues;
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::class::traits::Lift;
use crate::codec::listed::Optional;
use crate::codec::sequence_types::Sequence;
use crate::codec::tuple_option::{Copied, Maybe};
use crate::model::ids::{FieldId, to_u32};
use crate::predicate::twin;
use crate::predicate::twin::Elem;
use crate::slots::slot::{AnySlot, Slot};

/// The number of every arena in a predicate.
const IN_PREDICATE: u32 = 0;

/// Returns the id of a position in the arena with a number.
fn id<T>(number: u32, position: usize) -> Id<T> {
    DefaultArenaBehavior::new_id(number, position)
}

thread_local! {
    /// The arenas of the value that is being built, by element type.
    static BUILDING: RefCell<FxHashMap<TypeId, Building>> = RefCell::default();
}

/// An arena of a value that is being built.
struct Building {
    /// The number in its ids.
    number: u32,
    /// The arena, until its field is built.
    empty: Option<Box<dyn Any>>,
    /// The number of fields that are arenas of this type.
    fields: usize,
    /// Whether an id was built.
    has_ids: bool,
}

impl Building {
    /// Runs `build` on the arena with elements `T`, creating it if necessary.
    fn with<T: 'static, R>(build: impl FnOnce(&mut Building) -> R) -> R {
        BUILDING.with_borrow_mut(|all| {
            let building = all.entry(TypeId::of::<T>()).or_insert_with(|| {
                let empty = ::id_arena::Arena::<T>::new();
                let number = DefaultArenaBehavior::arena_id(empty.next_id());
                Building { number, empty: Some(Box::new(empty)), fields: 0, has_ids: false }
            });
            let built = build(building);
            assert!(
                building.fields < 2 || !building.has_ids,
                "a value has several arenas of `{0}`, and `Id<{0}>` does not say of which it is; give each a type of its own",
                std::any::type_name::<T>(),
            );
            built
        })
    }
}

/// Begins to build a value. Dropping the returned guard ends it.
pub(crate) fn begin_value() -> impl Drop {
    struct PreviousArenas(FxHashMap<TypeId, Building>);
    impl Drop for PreviousArenas {
        fn drop(&mut self) {
            BUILDING.replace(std::mem::take(&mut self.0));
        }
    }
    PreviousArenas(BUILDING.take())
}

impl<T: 'static> Sequence<T> for ::id_arena::Arena<T> {
    type Twin<L: 'static> = twin::Vec<L>;
    fn of(elements: Vec<T>) -> Self {
        let empty = Building::with::<T, _>(|building| {
            building.fields += 1;
            building.empty.take()
        });
        let mut arena: Self = empty.and_then(|empty| empty.downcast().ok()).map_or_else(Self::new, |empty| *empty);
        for element in elements {
            arena.alloc(element);
        }
        arena
    }
    fn elements(&self) -> impl ExactSizeIterator<Item = &T> {
        self.iter().map(|(_, element)| element)
    }
    fn elements_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.iter_mut().map(|(_, element)| element)
    }
    /// Ids remain valid as long as their arena lives.
    const SHRINKS: bool = false;
    fn truncate(&mut self, _: usize) {
        unreachable!("[korat internal bug] an arena does not shrink")
    }
    fn extend(&mut self, elements: impl Iterator<Item = T>) {
        for element in elements {
            self.alloc(element);
        }
    }
    fn sever(&mut self, _: fn(&mut T)) {
        *self = Self::new();
    }
}

/// The ids of an arena of `T`.
pub struct Ids<T>(PhantomData<T>);

impl<T: 'static> ArenaKeys for Ids<T> {
    type Key = Id<T>;
    fn at(position: usize) -> Id<T> {
        Position::at(position)
    }
    fn position(key: Id<T>) -> Option<usize> {
        Some(key.index())
    }
}

impl<T: 'static> KeyedArena<T> for ::id_arena::Arena<T> {
    type Keys = Ids<T>;
    fn is_in_order(&self) -> bool {
        true
    }
}

impl<T: Field> Field for ::id_arena::Arena<T> {
    type Codec = ArenaOf<T::Element, ::id_arena::Arena<T>>;
    type Element = Self::Codec;
    fn default_values(scope: usize) -> Result<Vec<<T::Codec as Codec>::Leaf>, String> {
        T::default_values(scope)
    }
}

impl<T: Field> Optional for ::id_arena::Arena<T> {
    type Codec = Maybe<ArenaOf<T::Element, ::id_arena::Arena<T>>>;
    fn default_values(scope: usize) -> Result<Vec<<T::Codec as Codec>::Leaf>, String> {
        T::default_values(scope)
    }
}

impl<T: Lift<Lifted: Sized>> Lift for ::id_arena::Arena<T> {
    type Lifted = ArenaTwin<Ids<T>, T::Lifted>;
}

impl<T: 'static> Position for Id<T> {
    fn at(position: usize) -> Self {
        id(IN_PREDICATE, position)
    }
    fn all(scope: usize) -> Result<Vec<Self>, String> {
        Ok((0..scope).map(Self::at).collect())
    }
}

/// An id, or an option of one.
pub trait Numbered: Copy + PartialEq + Debug + 'static {
    /// Returns the id with the number that it has in the value that is being built.
    fn in_value(self) -> Self;
    /// Returns the id with the number that it has in a predicate. Forgets the arena that it came from.
    fn in_predicate(self) -> Self;
}

impl<T: 'static> Numbered for Id<T> {
    fn in_value(self) -> Self {
        let number = Building::with::<T, _>(|building| {
            building.has_ids = true;
            building.number
        });
        id(number, self.index())
    }
    fn in_predicate(self) -> Self {
        Position::at(self.index())
    }
}

impl<T: 'static> Numbered for Option<Id<T>> {
    fn in_value(self) -> Self {
        self.map(Numbered::in_value)
    }
    fn in_predicate(self) -> Self {
        self.map(Numbered::in_predicate)
    }
}

/// The codec of an id `I`: a listed value that has another number in the user's value.
pub struct IdOf<I>(PhantomData<I>);

/// The plan of an id field.
pub struct IdPlan<I: 'static> {
    field: FieldId,
    values: LeafValues<I>,
}

impl<I: Numbered> Codec for IdOf<I> {
    type Value = I;
    type Leaf = I;
    type Lifted = I;
    type Cell = Slot<I>;
    type Plan = IdPlan<I>;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<I>) -> IdPlan<I> {
        let values = attrs.values.map(|values| values.into_iter().map(I::in_predicate).collect());
        let (field, values) = planner.leaf_field(values);
        IdPlan { field, values }
    }
    fn cell(plan: &IdPlan<I>, slots: &mut SlotMaker<'_>) -> Slot<I> {
        slots.listed(plan.field, plan.values.list())
    }
    fn elem(cell: &'static Slot<I>, _: &mut SlotMaker<'_>) -> Elem<I> {
        Elem::field(cell)
    }
    fn visit(cell: &Slot<I>, visit: &mut dyn FnMut(&dyn AnySlot)) {
        visit(cell);
    }
    fn materialise(cell: &Slot<I>, plan: &IdPlan<I>) -> I {
        plan.values.list().values()[cell.index() as usize].in_value()
    }
    fn abstract_to(value: &I, cell: &Slot<I>, plan: &IdPlan<I>, to: &mut Abstraction<'_>) -> Result<(), OutOfBounds> {
        let index = to.position(plan.values.list().values(), &value.in_predicate());
        let index = index.ok_or_else(|| OutOfBounds::value(value))?;
        to.set_slot(cell, to_u32(index));
        Ok(())
    }
}

impl<I: Numbered> Copied for IdOf<I> {
    type Member = Self::Lifted;
    fn value(cell: &Slot<I>) -> I {
        *cell.__korat_read()
    }
    fn stamp(cell: &Slot<I>, tell: &mut dyn FnMut(u32)) {
        tell(cell.index());
    }
}

impl<T: 'static> Field for Id<T> {
    type Codec = IdOf<Id<T>>;
    type Element = Self::Codec;
    fn default_values(scope: usize) -> Result<Vec<Id<T>>, String> {
        Ok((0..=scope).map(Position::at).collect())
    }
}

impl<T: 'static> Optional for Id<T> {
    type Codec = IdOf<Option<Id<T>>>;
    fn default_values(scope: usize) -> Result<Vec<Option<Id<T>>>, String> {
        Ok(std::iter::once(None).chain((0..=scope).map(Position::at).map(Some)).collect())
    }
}

impl<T> Lift for Id<T> {
    type Lifted = Id<T>;
}
