//! What becomes of the alternatives of a decision, and how many objects they need.

use super::nodes::{Decision, InnerCall, NO_REST, Node, NodeId, OutcomeId, TableId};
use super::shape::Holds;
use super::solver::Solver;
use super::table::Table;

/// What becomes of an alternative at a node.
pub(super) enum Next {
    Now,
    /// It has this many objects.
    Later(u32),
    /// It is not known yet whether there is one: this table is to be solved up to a number of objects.
    Unsolved(TableId, u32),
    Never,
}

impl Solver {
    /// Returns what becomes of an alternative at a node, in runs of at most `most` objects.
    pub(super) fn next(&self, table: TableId, node: NodeId, alternative: u32, most: u32) -> Next {
        let Table { nodes, calls, .. } = &self.tables[table as usize];
        let Node { used, decision, .. } = nodes[node as usize];
        let at = |needed: u32| if needed <= most { Next::Now } else { Next::Later(needed) };
        match decision {
            Decision::Unknown => Next::Now,
            Decision::Leaf(_) => Next::Never,
            Decision::Slot { slot, has_fresh, others } => match self.shape.slots[slot.index()].holds {
                Holds::Values { len } if alternative < len => at(used + self.shape.needs(slot, alternative)),
                Holds::Link { nulls, .. } if alternative < nulls => at(used),
                Holds::Link { nulls, .. } if alternative == nulls && has_fresh => at(used + 1),
                Holds::Link { nulls, .. } if alternative - nulls < u32::from(has_fresh) + others.count_ones() => {
                    at(used)
                }
                Holds::Values { .. } | Holds::Link { .. } => Next::Never,
            },
            Decision::Call(number) => {
                let &InnerCall { table: inner, continuation, before, .. } = &calls[number as usize];
                let table = &self.tables[inner as usize];
                let known = table.alternative(continuation, alternative);
                let needed = known.map(|outcome| table.outcomes[outcome as usize].used);
                self.next_of(inner, needed, used - before.map_or(0, |before| self.used_by(before)), most)
            }
            Decision::Rest(inner) => {
                let known = self.tables[inner as usize].outcomes.get(alternative as usize);
                self.next_of(inner, known.map(|outcome| outcome.used), used, most)
            }
            Decision::Open { table: inner, outcome, .. } => {
                let known = self.tables[inner as usize].leaves[outcome as usize].get(alternative as usize);
                let needed = known.map(|leaf| u32::from(leaf.used));
                self.next_of(inner, needed, used - self.used_by((inner, outcome)), most)
            }
        }
    }

    /// Returns what becomes of something that a table may have, and for which it needs this many objects beside those that are used.
    fn next_of(&self, inner: TableId, needed: Option<u32>, used: u32, most: u32) -> Next {
        let table = &self.tables[inner as usize];
        match needed {
            Some(needed) if used + needed <= most => Next::Now,
            Some(needed) => Next::Later(used + needed),
            None if table.is_complete() => Next::Never,
            None if table.solved_below <= most - used => Next::Unsolved(inner, most - used),
            // What is not found yet has at least as many objects as the table is solved for.
            None => Next::Later(used + table.solved_below),
        }
    }

    /// Returns the least number of objects of an outcome, beside its parts.
    pub(super) fn used_by(&self, (table, outcome): (TableId, OutcomeId)) -> u32 {
        self.tables[table as usize].outcomes[outcome as usize].used
    }

    /// Returns the least number of objects after an alternative of the call at a node.
    pub(super) fn used_at(&self, table: TableId, node: NodeId, alternative: u32) -> u32 {
        let Node { used, decision: Decision::Call(number), .. } = self.tables[table as usize].nodes[node as usize]
        else {
            unreachable!("[korat internal bug] no call is decided")
        };
        let call = &self.tables[table as usize].calls[number as usize];
        let outcome = self.outcome_of(call, alternative);
        used - call.before.map_or(0, |before| self.used_by(before)) + self.used_by((call.table, outcome))
    }

    /// Returns whether an alternative can be taken at a node at once.
    pub(super) fn is_open(&self, table: TableId, node: NodeId, alternative: u32, most: u32) -> bool {
        matches!(self.next(table, node, alternative, most), Next::Now)
    }

    /// Makes the node for an alternative.
    pub(super) fn child(&mut self, table: TableId, parent: NodeId, alternative: u32) -> NodeId {
        let Node { used, decision, .. } = self.tables[table as usize].nodes[parent as usize];
        let used = match decision {
            Decision::Unknown | Decision::Rest(_) | Decision::Leaf(_) => {
                unreachable!("[korat internal bug] there is nothing to decide")
            }
            Decision::Slot { slot, has_fresh, .. } => match self.shape.slots[slot.index()].holds {
                Holds::Link { nulls, .. } => used + u32::from(alternative == nulls && has_fresh),
                Holds::Values { .. } => used,
            },
            Decision::Call(_) => self.used_at(table, parent, alternative),
            Decision::Open { table: inner, outcome, .. } => {
                let opened = &self.tables[inner as usize];
                let leaf = opened.leaves[outcome as usize][alternative as usize];
                used - self.used_by((inner, outcome)) + u32::from(leaf.used)
            }
        };
        let nodes = &mut self.tables[table as usize].nodes;
        let node = nodes.len() as NodeId;
        nodes.push(Node { parent, alternative, used, decision: Decision::Unknown, asked: 0, rest: NO_REST });
        node
    }
}
