//! Where one of several threads stands among the values of one, how far all are, and what they have found together.

use korat_core::{Counters, FieldUse};

use super::{Stage, Values};
use crate::threads::{Before, Place};

impl Values {
    /// Returns where the current value stands.
    pub(crate) fn place(&self) -> Place {
        self.member.as_ref().map_or_else(Place::default, |member| member.place)
    }

    /// Returns where the current value stands, and what one thread has up to there.
    pub(crate) fn at_value(&self) -> (Place, Before) {
        let Some(member) = &self.member else { return Default::default() };
        let place = member.place;
        let by_size = match &member.stage {
            Stage::Waiting { merged, .. } if self.summarised.is_none() => merged.up_to(place.number),
            Stage::Pieces => member.by_size_with(place.piece),
            Stage::Dealt | Stage::Arrived | Stage::Waiting { .. } => member.by_size_with(u64::MAX),
        };
        let explored = match member.stage {
            Stage::Pieces => self.explored_in_piece(),
            Stage::Dealt | Stage::Arrived | Stage::Waiting { .. } => self.counters().explored,
        };
        (place, Before { explored, most: self.most.explored, by_size })
    }

    /// Returns where the search has ended with an error, and what one thread has up to there.
    pub(crate) fn error_at(&self) -> (Place, Before) {
        self.member.as_ref().and_then(|member| member.error_at.clone()).unwrap_or_default()
    }

    pub(super) fn at_error(&self) -> Option<(Place, Before)> {
        let member = self.member.as_ref()?;
        let (place, explored) = match member.stage {
            Stage::Pieces if self.searcher.met_between_pieces().is_some() => (self.place_in_search(), 0),
            Stage::Pieces => (self.place_in_piece(), self.explored_in_piece()),
            Stage::Dealt | Stage::Arrived | Stage::Waiting { .. } => {
                let place = Place { pass: member.pass, is_numbered: true, number: self.given, ..Place::default() };
                (place, self.counters().explored)
            }
        };
        let by_size = member.by_size_with(if place.is_numbered { u64::MAX } else { place.piece });
        Some((place.after(), Before { explored, most: self.most.explored, by_size }))
    }

    fn explored_in_piece(&self) -> u64 {
        let start = self.searcher.pieces().last();
        start.map_or(0, |start| self.searcher.counters().explored - start.explored)
    }

    /// Notes how far this thread is. Returns the candidates and values of all threads so far; `None` if there are no others.
    pub(crate) fn progress_of_all(&self) -> Option<(u64, u64)> {
        let member = self.member.as_ref()?;
        let now = self.searcher.counters().explored;
        // Where every thread tries all candidates, those of one count.
        let explored = if self.is_divided() || member.index == 0 { now } else { 0 };
        member.shared.note_progress(member.index, explored, member.run);
        let (explored, values) = member.shared.progress();
        Some((explored.max(self.most.explored), values))
    }

    /// Returns the candidates that all threads have tried when the search was stopped.
    pub(crate) fn explored_when_stopped(&self) -> u64 {
        let explored = self.member.as_ref().map_or(0, |member| member.shared.most_explored());
        explored.max(self.counters().explored)
    }

    /// Sets how many values and candidates all threads have found.
    pub(crate) fn set_total(&mut self, given: u64, explored: u64) {
        self.given = given;
        self.member.iter_mut().for_each(|member| member.explored = Some(explored));
    }

    /// Sets what all threads have counted, and how many candidates they have compared.
    pub(crate) fn set_counted(&mut self, counters: Counters, compared: u64) {
        self.most = counters;
        self.found.compared = compared;
        self.set_total(counters.valid, counters.explored);
    }

    /// Returns how many candidates all threads have tried, once that is known.
    pub(crate) fn explored_by_all(&self) -> Option<u64> {
        self.member.as_ref()?.explored
    }

    /// Returns what other threads have found out about fields, and how many values they have checked.
    pub(crate) fn findings_of_others(&self) -> (FieldUse, u64) {
        self.member.as_ref().map_or_else(Default::default, |member| (member.other_uses.clone(), member.other_checks))
    }

    /// Returns how much is left of values that waited, and how much is done.
    pub(crate) fn shared_waiting(&self) -> Option<(u64, u64)> {
        let member = self.member.as_ref()?;
        let Stage::Waiting { merged, .. } = &member.stage else { return None };
        let (first, last) = (merged.given_at_once.values().sum::<u64>(), merged.given.values().sum::<u64>());
        let at = member.place.number.clamp(first, last);
        Some((at - first, last - at))
    }

    /// Adds what another thread has found out about fields, and the values that it has checked.
    pub(crate) fn add_findings(&mut self, uses: FieldUse, checked: u64) {
        if let Some(member) = &mut self.member {
            member.other_uses.merge(uses);
            member.other_checks += checked;
        }
    }
}
