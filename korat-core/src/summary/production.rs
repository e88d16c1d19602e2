//! A production, as assignments of slots and parts with outcomes, whatever objects it is applied to.

use smallvec::SmallVec;

use super::nodes::{Decision, LastDecision, OutcomeId, TableId};
use super::shape::{Held, Holds};
use super::solver::Solver;
use super::table::Start;
use super::tangled;
use crate::model::ids::{ClassId, ObjectId};

/// Parts that calls were made on, with an outcome.
#[derive(Clone, Debug)]
pub(super) struct PartGroup {
    pub(super) table: TableId,
    pub(super) outcome: OutcomeId,
    /// In the order of the table's list.
    pub(super) objects: Vec<u32>,
}

/// A production. Its objects are those of the table's list, then the fresh ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Production {
    pub(super) fresh: Vec<ClassId>,
    /// The object, the offset of the slot, and what it holds, in the order of reading.
    pub(super) slots: Vec<(u32, u32, Held)>,
    pub(super) groups: Vec<PartGroup>,
}

/// A production that is being written down.
struct Writer<'s> {
    solver: &'s Solver,
    /// The objects as the run had them.
    objects: Vec<ObjectId>,
    reached: SmallVec<[u32; 4]>,
    written: Production,
    /// The groups in the order of the run; `None` if one was opened.
    groups: Vec<Option<PartGroup>>,
}

impl Solver {
    /// Returns the production of a leaf.
    pub(super) fn production(&self, table: TableId, leaf: LastDecision) -> Production {
        let Start { objects, reached, .. } = &self.tables[table as usize].start;
        let mut writer = Writer {
            solver: self,
            objects: objects.to_vec(),
            reached: reached.clone(),
            written: Production::default(),
            groups: Vec::new(),
        };
        writer.write(table, leaf);
        let Writer { mut written, groups, .. } = writer;
        written.groups = groups.into_iter().flatten().collect();
        written
    }
}

impl Writer<'_> {
    /// Takes the next object of a class, as the run did. Returns its number.
    fn take(&mut self, class: ClassId) -> u32 {
        let ordinal = self.reached[class.index()];
        self.reached[class.index()] += 1;
        self.objects.push(self.solver.shape.object(class, ordinal));
        self.objects.len() as u32 - 1
    }

    fn number(&self, object: ObjectId) -> u32 {
        let number = self.objects.iter().position(|known| *known == object);
        number.expect("[korat internal bug] a production has an object that it does not reach") as u32
    }

    fn write(&mut self, table: TableId, leaf: LastDecision) {
        let (solver, mut path) = (self.solver, Vec::new());
        let table = &solver.tables[table as usize];
        table.path_to_leaf(leaf, &mut path);
        for (at, &(parent, alternative)) in path.iter().enumerate() {
            match table.nodes[parent as usize].decision {
                Decision::Slot { slot, has_fresh, others } => {
                    let shape = solver.shape.slots[slot.index()];
                    let held = match shape.holds {
                        Holds::Link { nulls, .. } if alternative >= nulls + u32::from(has_fresh) => {
                            // The objects are those of the run, in the order in which it has touched them.
                            let number = tangled::position(others, alternative - nulls - u32::from(has_fresh));
                            Held::Object(number)
                        }
                        Holds::Link { nulls, class } if alternative == nulls => {
                            self.written.fresh.push(class);
                            Held::Object(self.take(class))
                        }
                        Holds::Values { .. } | Holds::Link { .. } => Held::Index(alternative),
                    };
                    let object = self.number(shape.object);
                    self.written.slots.push((object, solver.shape.offset(slot), held));
                }
                Decision::Call(number) => {
                    let call = &table.calls[number as usize];
                    let outcome = solver.outcome_of(call, alternative);
                    let objects = call.objects.iter().map(|&object| self.number(object)).collect();
                    let group = Some(PartGroup { table: call.table, outcome, objects });
                    match self.groups.get_mut(call.group as usize) {
                        Some(known) => *known = group,
                        None => self.groups.push(group),
                    }
                }
                Decision::Rest(rest) => {
                    // It follows the call that is decided before.
                    let objects = table.rest_after(path[at - 1].0).objects.iter();
                    let objects = objects.map(|&object| self.number(object)).collect();
                    self.groups.push(Some(PartGroup { table: rest, outcome: alternative, objects }));
                }
                Decision::Open { group, table, outcome } => {
                    let leaf = solver.tables[table as usize].leaves[outcome as usize][alternative as usize];
                    let opened = self.groups[group as usize].take();
                    let opened = opened.expect("[korat internal bug] a part is opened twice");
                    self.apply(&solver.production(table, leaf.last), opened.objects);
                }
                Decision::Unknown | Decision::Leaf(_) => unreachable!("[korat internal bug] a path without a decision"),
            }
        }
    }

    /// Writes a production of some of the objects.
    fn apply(&mut self, inner: &Production, mut objects: Vec<u32>) {
        for &class in &inner.fresh {
            self.written.fresh.push(class);
            let object = self.take(class);
            objects.push(object);
        }
        for &(object, offset, held) in &inner.slots {
            let held = match held {
                Held::Object(object) => Held::Object(objects[object as usize]),
                Held::Index(index) => Held::Index(index),
            };
            self.written.slots.push((objects[object as usize], offset, held));
        }
        for group in &inner.groups {
            let objects = group.objects.iter().map(|&object| objects[object as usize]).collect();
            self.groups.push(Some(PartGroup { objects, ..*group }));
        }
    }
}
