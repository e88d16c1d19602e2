//! How a run begins: on which objects, and with what was decided before.

use std::rc::Rc;

use smallvec::SmallVec;

use super::call_list::CallList;
use super::nodes::{NodeId, Objects, TableId};
use super::run::{End, Run, State};
use super::solver::Solver;
use crate::predicate::calls::Packed;

impl Solver {
    /// Begins a run for a table: takes the objects of the calls, assigns what is given, and applies what was decided before a node.
    /// Returns the calls that are to be made, and their objects.
    pub(super) fn begin_run(
        &mut self,
        table: TableId,
        node: NodeId,
        most: u32,
    ) -> Result<(Rc<CallList>, Objects), End> {
        // A rest is that of the body of a run, which may be a rest itself.
        let mut begins: SmallVec<[(TableId, NodeId); 4]> = SmallVec::from_slice(&[(table, node)]);
        while let Some(after) = begins.last().and_then(|(rest, _)| self.tables[*rest as usize].start.after) {
            begins.push(after);
        }
        let executed = begins.last().map_or(table, |(first, _)| *first);
        let list = Rc::clone(&self.tables[executed as usize].list);
        (self.run.executed, self.run.most) = (executed, most);
        (self.run.asked, self.run.asked_before, self.run.answered) = (0, 0, 0);
        let objects = self.take_objects(&list)?;
        for (number, &(table, node)) in begins.iter().rev().enumerate() {
            self.begin_table(table, number > 0);
            self.follow(node)?;
        }
        Ok((list, objects))
    }

    /// Takes the objects of calls, and assigns what is given.
    fn take_objects(&mut self, list: &CallList) -> Result<Objects, End> {
        let run = &mut self.run;
        let mut objects = Objects::new();
        for (number, object) in list.objects.iter().enumerate() {
            let state = if object.is_part { State::Root } else { State::Elsewhere(number as u32) };
            let taken = run.take(&self.shape, object.class, state).ok_or(End::Deferred)?;
            objects.push(taken);
            for &(offset, held) in &object.given {
                let slot = self.shape.slot(taken, offset);
                let handle = self.places.handle(&self.shape, slot);
                run.assign(handle, held.resolve(&self.shape, slot, &objects));
            }
        }
        Ok(objects)
    }

    /// Has the run find out something for a table, from where it is.
    pub(super) fn begin_table(&mut self, table: TableId, is_rest: bool) {
        let Run { touched, states, groups, .. } = &mut self.run;
        if is_rest {
            let known = &self.tables[table as usize].start.objects;
            touched
                .iter()
                .filter(|object| !known.contains(object))
                .for_each(|object| states[object.index()] = State::Hidden);
        }
        (self.run.touched_before, self.run.groups_before) = (touched.len() as u32, groups.len() as u32);
        (self.run.table, self.run.node) = (table, 0);
    }

    /// Packs the arguments of the run's calls on these objects, and makes place for the results before them. The objects are the same
    /// for each run of a table.
    pub(super) fn pack(&mut self, list: &CallList, objects: &Objects) -> Vec<Packed> {
        let mut packed = std::mem::take(&mut self.run.packed);
        let table = Some(self.run.executed);
        let is_packed = std::mem::replace(&mut self.run.packed_for, table) == table;
        if packed.len() <= list.calls.len() {
            packed.resize_with(list.calls.len() + 1, Packed::default);
        }
        packed[0].begin_results();
        for (call, to) in list.calls.iter().zip(&mut packed[1..]) {
            if is_packed {
                to.rewind();
                continue;
            }
            to.replace(&call.words);
            for &(number, seen) in &call.objects {
                to.objects.push(self.places.address(objects[number as usize], seen));
            }
        }
        packed
    }
}
