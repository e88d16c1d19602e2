//! The beginning and the end of a repair: decomposes the value on a heap, and leaves the tables there for the next repair.

use std::marker::PhantomData;
use std::ptr;

use super::borrowed_value::BorrowedValue;
use super::choices::kept::{Kept, fields_named};
use super::choices::running;
use super::choices::state::{Spare, State};
use super::choices::step_budget::StepBudget;
use super::choices::targets::Room;
use super::occurring::Occurring;
use super::outcome::{CannotBegin, Effort, NamedFields};
use super::{Repairer, own_bounds};
use crate::class::abstraction::{AbstractedValue, OutOfBounds};
use crate::class::bounds::Bounds;
use crate::class::bounds_size::FreshObjects;
use crate::class::skipped_cell::BorrowedFields;
use crate::class::traits::RepOk;
use crate::model::deadline;
use crate::model::deadline::TimeOver;
use crate::model::ids::to_u32;
use crate::model::settings::Settings;
use crate::search::searcher::Searcher;
use crate::search::untyped::UntypedSearcher;

/// Decomposes a value on a heap with these bounds.
fn decomposed<T: RepOk>(
    bounds: &Bounds<T>,
    value: &T,
    settings: Settings,
) -> Result<(Searcher<T>, AbstractedValue), CannotBegin> {
    let mut searcher = Searcher::new(bounds, settings).map_err(CannotBegin::Bounds)?;
    let taken = decompose(&mut searcher, value)?;
    Ok((searcher, taken))
}

/// Decomposes a value on the heap of a searcher, with the tables that an earlier repair has left there.
pub(super) fn decompose<T: RepOk>(searcher: &mut Searcher<T>, value: &T) -> Result<AbstractedValue, OutOfBounds> {
    let heap = &mut searcher.heap;
    let spare = heap.spare_tables.as_mut().and_then(|tables| tables.downcast_mut::<Spare>());
    let table = spare.map(|spare| std::mem::take(&mut spare.original)).unwrap_or_default();
    heap.abstract_with_objects(value, table)
}

impl<'v> Repairer<'v> {
    /// Lays out the heap and decomposes the value. Without bounds, derives them from the value, with `fresh` new objects of each class.
    pub fn new<T: RepOk>(
        bounds: Option<&Bounds<T>>,
        fresh: FreshObjects,
        settings: Settings,
        effort: Effort,
        value: &'v mut T,
        fields: NamedFields<'_>,
    ) -> Result<Self, CannotBegin> {
        Self::begin(bounds, fresh, settings, effort, ptr::from_mut(value), fields)
    }

    /// Begins a repair that leaves the value as it is, and only reports what it would change.
    pub fn dry<T: RepOk>(
        bounds: Option<&Bounds<T>>,
        fresh: FreshObjects,
        settings: Settings,
        effort: Effort,
        value: &'v T,
        fields: NamedFields<'_>,
    ) -> Result<Self, CannotBegin> {
        let mut dry = Self::begin(bounds, fresh, settings, effort, ptr::from_ref(value).cast_mut(), fields)?;
        dry.is_dry = true;
        Ok(dry)
    }

    fn begin<T: RepOk>(
        bounds: Option<&Bounds<T>>,
        fresh: FreshObjects,
        settings: Settings,
        effort: Effort,
        own: *mut T,
        fields: NamedFields<'_>,
    ) -> Result<Self, CannotBegin> {
        if T::FILTERS {
            return Err(CannotBegin::HasFilter);
        }
        // SAFETY: the value is borrowed for as long as this lives. Nothing is written to it before `write_back`, and in a dry run nothing at all.
        let value = unsafe { &*own };
        let begin = || match bounds {
            Some(bounds) => decomposed(bounds, value, settings),
            None => match own_bounds::decomposed_like_last(value, fresh, settings) {
                Some(taken) => Ok(taken),
                None => decomposed(&own_bounds::bounds_of(value, fresh)?, value, settings),
            },
        };
        let (searcher, taken) = deadline::until(effort.deadline, begin).map_err(|TimeOver| CannotBegin::TimeOver)??;
        Self::on(Box::new(own), searcher.into_untyped(), taken, bounds.is_none().then_some(fresh), effort, fields)
    }

    /// Begins the repair of a value that was decomposed. `fresh` limits the new objects, if the bounds were derived from the value.
    fn on(
        value: Box<dyn BorrowedValue>,
        mut searcher: UntypedSearcher,
        taken: AbstractedValue,
        fresh: Option<FreshObjects>,
        effort: Effort,
        fields: NamedFields<'_>,
    ) -> Result<Self, CannotBegin> {
        let AbstractedValue { values: original, contents, borrowed_fields } = taken;
        let spare = searcher.heap.spare_tables.take().and_then(|tables| tables.downcast::<Spare>().ok());
        let layout = &searcher.heap.engine.layout;
        let kept = Kept::new(layout, fields.kept).map_err(CannotBegin::NoField)?;
        let derived = fields_named(layout, fields.derived).map_err(CannotBegin::NoField)?;
        // Derived bounds are rounded up, so they have room for more than wanted.
        let (usual, most_fresh) = (fresh.map(|fresh| to_u32(fresh.usual)), fresh.map(|fresh| to_u32(fresh.most)));
        let room = Room { present: contents.counts.clone(), fresh: usual, made_anew: None, most_fresh };
        let budget = StepBudget::new(effort.steps, layout.slots.len(), effort.deadline);
        let spare = spare.map(|spare| *spare).unwrap_or_default();
        let state = State::new(layout, original, room, kept, effort.order, budget, spare);
        searcher.allow_steps(budget.portion());
        searcher.heap.record_fixed_slots();
        searcher.heap.engine.more_steps = Some(running::more_steps);
        searcher.chooser = running::choose;
        Ok(Repairer {
            value,
            borrowed: PhantomData,
            searcher,
            state,
            most_tries: effort.tries,
            effort,
            is_dry: false,
            depth_read: 0,
            loses_too_much: false,
            has_lost_too_much: false,
            is_hasty: false,
            rejection: None,
            occurring: Occurring::default(),
            derived,
            contents,
            borrowed_fields,
        })
    }
}

impl Drop for Repairer<'_> {
    fn drop(&mut self) {
        // Before the heap is left to others.
        self.borrowed_fields = BorrowedFields::default();
        let heap = &mut self.searcher.heap;
        if let Some(derived_bounds) = heap.derived_bounds.as_mut().filter(|_| self.state.has_admitted) {
            derived_bounds.note_own_lists();
        }
        heap.spare_tables = Some(Box::new(self.state.end()));
    }
}
