//! How tables go on after calls whose rests are known: without runs.

use std::rc::Rc;

use smallvec::SmallVec;

use super::alternatives::Next;
use super::nodes::{
    Decision, KnownEnd, LastDecision, Leaf, NO_REST, Node, NodeId, NodeRest, Outcome, OutcomeId, Pending, RestId,
    SetsLeft, TableId,
};
use super::rests::{Following, Rest};
use super::run::Run;
use super::solver::Solver;
use super::table::Start;
use super::ways::{FactorId, Product};
use super::words::{NO_WORDS, WordsId};

impl Solver {
    /// Decides a call that no run has made, and what follows it. Returns the outcome of the call. If its rest is a new one, the run
    /// finds out something for that.
    pub(super) fn decide_before_rest(&mut self, number: u32, rest: NodeRest) -> OutcomeId {
        let (Run { table, node, most, .. }, id) = (&self.run, rest.id);
        let (table, node, most) = (*table, *node, *most);
        let this = &mut self.tables[table as usize];
        this.note_rest(node, rest);
        this.nodes[node as usize].decision = Decision::Call(number);
        let outcome = self.answer_at(table, node, 0, most);
        let known = outcome.and_then(|outcome| self.known_rest(id, outcome.answer));
        if let Some(Following::Table(_)) = known {
            self.put_off(Decision::Call(number));
        }
        self.decide_and_apply(Decision::Call(number));
        match (known, outcome) {
            (Some(Following::End(results)), _) => self.run.expected = Some(results),
            (None, Some(outcome)) => {
                let rest = self.add_rest(table, self.run.node, most, (id, outcome.answer));
                self.tables[rest as usize].take_first();
                self.run.most = 0;
                self.begin_table(rest, true);
            }
            (None, None) | (Some(Following::Table(_)), _) => {}
        }
        self.outcome_of(&self.tables[table as usize].calls[number as usize], 0)
    }

    /// Adds what follows alternatives at a node, without a run, as far as they have at most this many objects. Returns false if the first
    /// of them needs a run.
    pub(super) fn follow_rest(&mut self, table: TableId, pending: Pending, level: u32) -> bool {
        let Pending { node, mut alternative, .. } = pending;
        match self.decision(table, node) {
            Decision::Rest(rest) => alternative = self.end_as_rest(table, node, rest, alternative, level),
            Decision::Call(_) if self.tables[table as usize].nodes[node as usize].rest != NO_REST => {
                while self.go_on_as_rest(table, node, alternative, level) {
                    alternative += 1;
                }
                if alternative == pending.alternative {
                    return false;
                }
            }
            Decision::Unknown
            | Decision::Slot { .. }
            | Decision::Call(_)
            | Decision::Open { .. }
            | Decision::Leaf(_) => {
                return false;
            }
        }
        let next = match self.next(table, node, alternative, level) {
            Next::Never => return true,
            Next::Later(later) => later,
            Next::Now | Next::Unsolved(..) => level,
        };
        if next <= self.shape.most {
            self.tables[table as usize].wait(next, Pending { alternative, ..pending });
        }
        true
    }

    /// Returns the outcome that is an alternative of the call at a node, if it has at most this many objects and depends on nothing but
    /// the words of its answer.
    fn answer_at(&self, table: TableId, node: NodeId, alternative: u32, most: u32) -> Option<Outcome> {
        let Decision::Call(number) = self.decision(table, node) else { return None };
        if !self.is_open(table, node, alternative, most) {
            return None;
        }
        let call = &self.tables[table as usize].calls[number as usize];
        let outcome = self.tables[call.table as usize].outcomes[self.outcome_of(call, alternative) as usize];
        (outcome.sets == SetsLeft::None && !outcome.is_tangled).then_some(outcome)
    }

    fn known_rest(&mut self, id: RestId, answer: WordsId) -> Option<Following> {
        let known = self.rests.known.get_mut(&(id, answer))?;
        if let Following::Table(number) = *known
            && let table = &self.tables[number as usize]
            && let Decision::Leaf(end) = table.nodes[0].decision
        {
            *known = Following::End(table.outcomes[end as usize].results);
        }
        Some(*known)
    }

    /// Adds what follows an alternative of a call. Returns false if it needs a run, or more objects.
    fn go_on_as_rest(&mut self, table: TableId, node: NodeId, alternative: u32, level: u32) -> bool {
        let Some(outcome) = self.answer_at(table, node, alternative, level) else { return false };
        let id = self.tables[table as usize].rest_after(node).id;
        match self.known_rest(id, outcome.answer) {
            Some(Following::End(results)) => {
                let rest = self.tables[table as usize].rest_after(node);
                let product = rest.product.clone().filter(|_| rest.is_read);
                let (used, product) =
                    (self.used_at(table, node, alternative), self.known_product(product.as_ref(), outcome.factor));
                let last = LastDecision { node, alternative };
                self.add_end(table, KnownEnd { last, used, results, product }, level);
            }
            Some(Following::Table(rest)) => {
                let child = self.child(table, node, alternative);
                self.wait_for_rest(table, child, level, rest);
            }
            None => {
                let child = self.child(table, node, alternative);
                self.add_rest(table, child, level, (id, outcome.answer));
            }
        }
        true
    }

    /// Adds leaves for the outcomes of a rest that are known, from one on. Those that have more objects than this wait. Returns the
    /// number of outcomes.
    fn end_as_rest(&mut self, table: TableId, node: NodeId, rest: TableId, from: u32, level: u32) -> u32 {
        let this = &self.tables[table as usize];
        let Node { used, parent, alternative: called, .. } = this.nodes[node as usize];
        let mut product = this.rest_after(parent).product.clone();
        if let Some((_, before)) = &mut product {
            before.push(self.answer_at(table, parent, called, level).map_or(0, |call| call.factor));
        }
        let outcomes = self.tables[rest as usize].outcomes.len() as u32;
        if let Some((own, before)) = product.as_ref().filter(|_| !this.is_opened) {
            self.bundle(table, node, *own, before, (rest, from..outcomes), level);
            return outcomes;
        }
        for alternative in from..outcomes {
            let outcome = self.tables[rest as usize].outcomes[alternative as usize];
            let product = self.known_product(product.as_ref(), outcome.factor);
            let (used, last) = (used + outcome.used, LastDecision { node, alternative });
            let end = KnownEnd { last, used, results: outcome.results, product };
            if end.used <= level {
                self.add_end(table, end, level);
            } else if end.used <= self.shape.most {
                self.tables[table as usize].wait_for_end(end);
            }
        }
        outcomes
    }

    /// Returns what a known end is a product of, where this comes before a factor.
    fn known_product(&mut self, before: Option<&(u32, SmallVec<[FactorId; 4]>)>, last: FactorId) -> Product {
        before.map_or(Product::OPEN, |(own, before)| self.counter.product_after(*own, before, last))
    }

    /// Adds the leaf of a known end.
    pub(super) fn add_end(&mut self, table: TableId, end: KnownEnd, level: u32) {
        let KnownEnd { last, used, results, product } = end;
        self.effort.repeated += 1;
        let found = Outcome { results, answer: results, used, factor: 0, sets: SetsLeft::None, is_tangled: false };
        let outcome = self.outcome(table, found, NO_WORDS);
        let table = &mut self.tables[table as usize];
        let (level, used) = (level as u16, used as u16);
        table.leaves[outcome as usize].push(Leaf { last, level, used, product, is_read: true });
    }

    /// Adds the table of a rest, whose first run is one that comes to this node.
    fn add_rest(&mut self, table: TableId, node: NodeId, level: u32, key: (RestId, WordsId)) -> TableId {
        let Rest { list, reached, .. } = &self.rests.all[key.0 as usize];
        let list = Rc::clone(list);
        let parent = self.tables[table as usize].nodes[node as usize].parent;
        let objects = self.tables[table as usize].rest_after(parent).objects.clone();
        let start = Start { after: Some((table, node)), objects, reached: reached.clone() };
        let rest = self.push_table(list, start);
        self.rests.known.insert(key, Following::Table(rest));
        self.wait_for_rest(table, node, level, rest);
        rest
    }

    /// Has a node wait for the outcomes of a rest.
    fn wait_for_rest(&mut self, table: TableId, node: NodeId, level: u32, rest: TableId) {
        let table = &mut self.tables[table as usize];
        table.nodes[node as usize].decision = Decision::Rest(rest);
        table.wait(level, Pending { node, alternative: 0, alone: false });
    }

    /// Looks no more at the rests of the call after which a table begins.
    pub(super) fn refuse_rest(&mut self, rest: TableId) {
        let Some((table, node)) = self.tables[rest as usize].start.after else { return };
        let table = &self.tables[table as usize];
        let NodeRest { id, .. } = table.rest_after(table.nodes[node as usize].parent);
        self.rests.refused.insert(self.rests.all[*id as usize].site.key());
    }
}
