//! Counts where candidates are rejected, per source line and per field. Takes one candidate after the other, as an
//! observer of the search sees them.
//!
//! A candidate is rejected by the last statement that began and that may read a field. Whatever follows that statement
//! without reading a field belongs to it, whether it is in the same method, in a method that it calls, or in one that
//! it returns to. So a rejection inside a helper counts for the helper's own line if the helper reads a field, and for
//! the line of the call otherwise.
//!
//! The field read last is that of the last choice. A field with a single value is skipped, because reading it decides
//! nothing.
//!
//! A read counts if it decides a field: it is the first of a candidate, or meets the next value of the last choice.
//! Comparison with the previous candidate shows which reads those are, so nothing has to be counted while the predicate
//! runs.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::explain::{BlockInfo, MachineInfo, why_not_resumable};
use crate::engine::choice_stack::Engine;
use crate::engine::stop::NotResumable;
use crate::model::ids::{DeclaredId, SlotId};
use crate::slots::kinds::SlotKind;

/// Counters of a running search.
#[derive(Default)]
pub(crate) struct Profiler {
    /// The choices of the previous candidate.
    before: Vec<(SlotId, u32)>,
    explored: u64,
    rejected: u64,
    dead_ends: u64,
    /// Counts per block of the machine.
    blocks: Vec<BlockCounts>,
}

/// Counts for one block.
#[derive(Clone, Default)]
struct BlockCounts {
    reentries: u64,
    /// Reads that decided a field.
    reads: BTreeMap<DeclaredId, u64>,
    /// Candidates rejected here, by the field read last and the block that read it.
    rejected: BTreeMap<Option<(DeclaredId, u32)>, u64>,
}

impl Profiler {
    /// Counts a candidate. The predicate was in the block `label` when it ended.
    pub(crate) fn note(&mut self, engine: &Engine, label: u32, accepted: bool) {
        let decisions = || engine.decisions().map(|(slot, index, _)| (slot, index));
        let same = decisions().zip(&self.before).take_while(|(now, before)| now == *before).count();
        let is_first = self.explored == 0;
        for (at, (slot, _, statement)) in engine.decisions().enumerate().skip(same) {
            let block = self.block(statement.label());
            *block.reads.entry(engine.layout.declared(slot)).or_default() += 1;
            // Every candidate but the first begins with the choice that advanced.
            block.reentries += u64::from(at == same && !is_first);
        }
        self.explored += 1;
        if !accepted {
            self.rejected += 1;
            self.dead_ends += u64::from(engine.is_stopped());
            let last =
                engine.decisions().rev().find(|(slot, ..)| engine.layout.kind(*slot) != SlotKind::Value { len: 1 });
            let last = last.map(|(slot, _, statement)| (engine.layout.declared(slot), statement.label()));
            *self.block(label).rejected.entry(last).or_default() += 1;
        }
        self.before.truncate(same);
        self.before.extend(decisions().skip(same));
    }

    fn block(&mut self, label: u32) -> &mut BlockCounts {
        let label = label as usize;
        if self.blocks.len() <= label {
            self.blocks.resize(label + 1, BlockCounts::default());
        }
        &mut self.blocks[label]
    }

    /// Returns the counts, by source line and field name. `info` describes the machine, if there is one; `not_resumable` says
    /// why the machine is not used nevertheless.
    pub(crate) fn profile(
        &self,
        engine: &Engine,
        info: Option<MachineInfo>,
        not_resumable: Option<(u32, NotResumable)>,
    ) -> Profile {
        let name = |field: &DeclaredId| engine.layout.declared_name(*field);
        let mut profile = Profile {
            file: info.map(|info| info.file),
            explored: self.explored,
            rejected: self.rejected,
            dead_ends: self.dead_ends,
            lines: Vec::new(),
            lines_unknown: why_unknown(info, not_resumable),
            fields: Vec::new(),
        };
        let known = info.filter(|_| profile.lines_unknown.is_none());
        let source = |label: usize| known.and_then(|info| info.blocks.get(label).copied().flatten());
        for (label, block) in self.blocks.iter().enumerate() {
            let mut line = ProfiledLine::of(source(label));
            line.reentries = block.reentries;
            for (field, &reads) in &block.reads {
                line.reads += reads;
                profile.add_field(ProfiledField { name: name(field), reads, rejected: 0 });
            }
            for (last, &candidates) in &block.rejected {
                line.rejected += candidates;
                let Some((field, read_by)) = last else { continue };
                let read_at = source(*read_by as usize).map(|block| block.line);
                line.add_read_last(ReadLast { field: name(field), line: read_at, candidates });
                profile.add_field(ProfiledField { name: name(field), reads: 0, rejected: candidates });
            }
            if known.is_some() {
                profile.add_line(line);
            }
        }
        profile.sort();
        profile
    }
}

/// Returns why rejections cannot be attributed to lines, or `None` if they can.
fn why_unknown(info: Option<MachineInfo>, not_resumable: Option<(u32, NotResumable)>) -> Option<String> {
    let Some(info) = info else { return Some("the search is set to re-execute it".to_string()) };
    if let Some((_, why)) = info.left_out.iter().find(|(method, _)| *method == "rep_ok") {
        return Some((*why).to_string());
    }
    not_resumable.map(|not_resumable| why_not_resumable(info, not_resumable))
}

/// Where a search rejected candidates, see `Search::profile`.
///
/// Displayed as a table of lines, those that reject most first, and a table of fields.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Profile {
    /// The source file of the predicate; `None` if the search re-executed the predicate.
    pub file: Option<&'static str>,
    /// Number of candidates.
    pub explored: u64,
    /// Number of rejected candidates.
    pub rejected: u64,
    /// Number of rejected candidates that `rep_ok` did not reject itself: a reference that may not be null found no
    /// object left within the bounds. They count for the line that read the reference.
    pub dead_ends: u64,
    /// The lines with any count, those that rejected most first. Empty if lines are unknown.
    pub lines: Vec<ProfiledLine>,
    /// Why lines are unknown, if they are: `rep_ok` ran from the start for every candidate.
    pub lines_unknown: Option<String>,
    /// The fields that were read, those after which most candidates were rejected first.
    pub fields: Vec<ProfiledField>,
}

/// Counts for one line of a predicate.
///
/// A candidate is rejected by the last statement that began and that may read a field; whatever follows that statement
/// without reading a field belongs to it. A rejection inside a helper method counts for the helper's own line if the
/// helper reads a field, and for the line of the call otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProfiledLine {
    /// Its line number; `None` for everything before the first statement that reads a field.
    pub line: Option<u32>,
    /// The method that contains it.
    pub method: &'static str,
    /// The beginning of its source text.
    pub text: &'static str,
    /// Candidates rejected at this line.
    pub rejected: u64,
    /// Reads that decided a field: the first of a candidate, or one that met the next value of the last choice. Reads
    /// of assigned fields do not count.
    pub reads: u64,
    /// How often the search re-entered it.
    pub reentries: u64,
    /// The fields that the rejected candidates read last, the most frequent first. Excludes candidates that had read no
    /// field with more than one value.
    pub read_last: Vec<ReadLast>,
}

/// A field that rejected candidates read last. Fields with a single value are skipped, because reading them decides
/// nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadLast {
    /// The field, as `Class.field`.
    pub field: String,
    /// The line that read it, if lines are known.
    pub line: Option<u32>,
    /// Number of candidates.
    pub candidates: u64,
}

impl ProfiledLine {
    fn of(block: Option<BlockInfo>) -> Self {
        let Some(BlockInfo { line, method, text, .. }) = block else { return ProfiledLine::default() };
        ProfiledLine { line: Some(line), method, text, ..ProfiledLine::default() }
    }

    fn add_read_last(&mut self, last: ReadLast) {
        let same = |known: &&mut ReadLast| (&known.field, known.line) == (&last.field, last.line);
        match self.read_last.iter_mut().find(same) {
            Some(known) => known.candidates += last.candidates,
            None => self.read_last.push(last),
        }
    }
}

/// Counts for one field, including everything in it: elements, length, members.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProfiledField {
    /// The field, as `Class.field`.
    pub name: String,
    /// Reads that decided the field: the first of a candidate, or one that met the next value of the last choice.
    pub reads: u64,
    /// Rejected candidates that read the field last; fields with a single value are skipped.
    pub rejected: u64,
}

impl Profile {
    /// Returns `candidates` as a fraction of all candidates, between 0 and 1.
    pub fn share(&self, candidates: u64) -> f64 {
        if self.explored == 0 { 0.0 } else { candidates as f64 / self.explored as f64 }
    }

    /// Adds the counts of another part of the same search.
    pub fn merge(&mut self, other: Profile) {
        self.file = self.file.or(other.file);
        self.explored += other.explored;
        self.rejected += other.rejected;
        self.dead_ends += other.dead_ends;
        self.lines_unknown = self.lines_unknown.take().or(other.lines_unknown);
        if self.lines_unknown.is_some() {
            self.lines.clear();
        } else {
            other.lines.into_iter().for_each(|line| self.add_line(line));
        }
        other.fields.into_iter().for_each(|field| self.add_field(field));
        self.sort();
    }

    /// Adds a line, merging all statements on the same line.
    fn add_line(&mut self, line: ProfiledLine) {
        let Some(known) = self.lines.iter_mut().find(|known| known.line == line.line) else {
            return self.lines.push(line);
        };
        known.rejected += line.rejected;
        known.reads += line.reads;
        known.reentries += line.reentries;
        line.read_last.into_iter().for_each(|last| known.add_read_last(last));
    }

    fn add_field(&mut self, field: ProfiledField) {
        match self.fields.iter_mut().find(|known| known.name == field.name) {
            Some(known) => {
                known.reads += field.reads;
                known.rejected += field.rejected;
            }
            None => self.fields.push(field),
        }
    }

    /// Removes lines and fields without counts, and sorts the rest by rejections, most first.
    fn sort(&mut self) {
        self.lines.retain(|line| (line.rejected, line.reads, line.reentries) != (0, 0, 0));
        for line in &mut self.lines {
            line.read_last.sort_by_key(|last| Reverse(last.candidates));
        }
        self.lines.sort_by_key(|line| (Reverse(line.rejected), line.line));
        self.fields.retain(|field| (field.reads, field.rejected) != (0, 0));
        self.fields.sort_by_key(|field| Reverse((field.rejected, field.reads)));
    }
}
