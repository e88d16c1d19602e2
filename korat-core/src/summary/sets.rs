//! Sets of addresses in calls: which of their elements a call knows, and what it leaves in them. See `predicate/calls/sets`.
//!
//! A ghost is an object of which the run can have no address: it is outside of all that a call is given, or in a part that calls
//! were made on. The second kind ends where the part is opened, and where it is given to one more call together with a set that
//! has ghosts; then the calls that left ghosts there are run and not answered.

use smallvec::SmallVec;

use super::call_list::Seen;
use super::explain;
use super::nodes::{Objects, SetsLeft, TableId};
use super::run::{End, Group};
use super::solver::Solver;
use crate::model::ids::ObjectId;
use crate::predicate::calls::packed::PackedObject;
use crate::predicate::calls::{Call, Packed, SetLook};
use crate::predicate::twin::ghosts::{Ghosts, Outside};

impl Solver {
    /// Writes the sets of a call on parts as words; `found` are the objects that it is given otherwise. Returns whether all
    /// elements are objects.
    pub(super) fn write_sets(&mut self, call: &mut Call, found: &mut SmallVec<[(ObjectId, Seen); 2]>) -> bool {
        let asks_len = self.asks_len.contains(&call.site.key());
        let Packed { words, sets, objects, .. } = &mut call.arguments;
        let mut written = Vec::new();
        for (number, set) in sets.iter_mut().enumerate() {
            let mut known = Vec::new();
            for address in std::mem::take(&mut set.members) {
                let member = PackedObject { address, is_place: false };
                let Some((object, seen)) = self.places.object(member) else { return false };
                if !found.iter().any(|&(known, _)| known == object) {
                    set.members.push(address);
                    continue;
                }
                let position = found.iter().position(|&known| known == (object, seen)).unwrap_or_else(|| {
                    found.push((object, seen));
                    objects.push(member);
                    found.len() - 1
                });
                known.push(position as u64);
            }
            let more = set.members.len() as u32 + set.ghosts.inside;
            let outside = match set.ghosts.outside {
                Outside { set: 0, .. } if more == 0 => Outside::default(),
                _ if !asks_len => Outside { set: number as u16 + 1, len: None },
                Outside { set: 1.., len: None } => self.look_at_set_of_run(SetLook::Len),
                Outside { len, .. } => Outside { set: number as u16 + 1, len: Some(len.unwrap_or(0) + more) },
            };
            written.push((Ghosts { outside, inside: 0 }, known));
        }
        for (set, (ghosts, known)) in sets.iter().zip(written).rev() {
            set.write(ghosts, &known, words);
        }
        true
    }

    /// Writes the sets among the results of calls on these objects as words. Returns where the last result begins then, and what
    /// the sets have; `None` if something in a set is no object.
    pub(super) fn write_left_sets(&mut self, last: usize, on: &Objects) -> Option<(usize, SetsLeft)> {
        let (mut last, mut left) = (last, SetsLeft::None);
        let Packed { words, sets, .. } = &mut self.run.packed[0];
        for set in sets.iter().rev() {
            let mut known = Vec::new();
            let mut ghosts = Ghosts { outside: Outside { len: None, ..set.ghosts.outside }, ..set.ghosts };
            for &address in &set.members {
                let (object, seen) = self.places.object(PackedObject { address, is_place: false })?;
                let Seen::Alternative(alternative) = seen else { return None };
                match on.iter().position(|known| *known == object) {
                    Some(at) => {
                        let before: u32 = on[..at].iter().map(|&object| self.places.alternatives(object)).sum();
                        known.push(u64::from(before + alternative));
                    }
                    None => ghosts.inside += 1,
                }
            }
            set.write(ghosts, &known, words);
            if set.at < last {
                last += 2 + known.len();
            }
            left = left.max(if ghosts.inside > 0 { SetsLeft::Ghosts } else { SetsLeft::Known });
        }
        Some((last, left))
    }

    /// Gives the answer of a call what its sets need, beside the sets of the arguments: the objects of the table.
    pub(super) fn complete_sets(&self, answer: &mut Packed, on: &[ObjectId]) {
        answer.is_answer = true;
        for &object in on {
            let alternatives = (0..self.places.alternatives(object)).map(Seen::Alternative);
            answer.objects.extend(alternatives.map(|seen| self.places.address(object, seen)));
        }
    }

    /// Ends the run if a call is given ghosts that may be in its part.
    pub(super) fn check_ghosts_of(&mut self, call: &Call, group: Option<u32>) {
        let has_ghosts = |number: u32| self.run.groups[number as usize].has_ghosts;
        if group.is_some_and(has_ghosts) && call.arguments.sets.iter().any(|set| set.ghosts.inside > 0) {
            let sites = vec![call.site.key()];
            self.end(End::Refused(sites, explain::SET_CALLED_AGAIN));
        }
    }

    /// Ends the run if a part is opened that has ghosts.
    pub(super) fn check_opened(&mut self, number: u32) {
        let Group { table, has_ghosts, .. } = self.run.groups[number as usize];
        if has_ghosts {
            let sites = self.sites_with_sets(table);
            self.end(End::Refused(sites, explain::SET_OPENED));
        }
    }

    /// Ends the run, since it looks at something in a set that is not known.
    pub(super) fn look_at_set_of_run(&mut self, what: SetLook) -> ! {
        let mut sites = self.sites_with_sets(self.run.table);
        match what {
            SetLook::Len => self.end(End::AsksLen(sites)),
            SetLook::Elements => {
                for group in self.run.groups.iter().filter(|group| group.has_ghosts) {
                    sites.extend(self.sites_with_sets(group.table));
                }
                self.end(End::Refused(sites, explain::SET_LISTED))
            }
        }
    }

    /// Returns the methods of a table's calls that are given sets, or else all of them.
    fn sites_with_sets(&self, table: TableId) -> Vec<usize> {
        let calls = &self.tables[table as usize].list.calls;
        let any = calls.iter().any(|call| call.has_sets);
        calls.iter().filter(|call| call.has_sets || !any).map(|call| call.site.key()).collect()
    }
}
