//! Leaves that are known together: where a body goes on with a rest, it has a leaf for each outcome of the rest.
//!
//! A table has one entry for all of them, and a few words for each, since nearly all leaves are such. A run that opens a part chooses
//! among its leaves one by one: tables whose parts are opened have no bundles.

use std::ops::Range;

use super::nodes::{Decision, LastDecision, Leaf, NodeId, Outcome, OutcomeId, SetsLeft, TableId};
use super::run::End;
use super::solver::Solver;
use super::ways::{Factor, FactorId, NONE, Product, Way};
use super::words::{NO_WORDS, WordsId};

/// Where leaves come from that differ in the outcome of a rest alone, one for each outcome.
#[derive(Clone, Copy)]
pub(super) struct Bundle {
    /// The node at which the outcome of the rest is decided.
    pub(super) node: NodeId,
    /// What their values have of their own beside the rest, and the first factor before it, or `NONE`.
    pub(super) own: u32,
    pub(super) first: FactorId,
}

/// A leaf of a bundle.
#[derive(Clone, Copy)]
pub(super) struct BundledLeaf {
    /// The position in `Table::bundles`.
    pub(super) bundle: u32,
    /// The outcome of the rest.
    pub(super) alternative: OutcomeId,
    /// What its values have of their own and the factor after the first of the bundle, or `NONE`; both are those of the leaf of the
    /// rest where it has only one.
    pub(super) own: u32,
    pub(super) second: FactorId,
}

impl Bundle {
    /// Returns what a leaf is a product of.
    #[inline]
    pub(super) fn product(self, own: u32, second: FactorId) -> Product {
        let factors = if self.first == NONE { [second, NONE] } else { [self.first, second] };
        Product { own, factors }
    }
}

impl Solver {
    /// Adds leaves for some outcomes of a rest as a bundle, where this comes before the factor of the rest.
    pub(super) fn bundle(
        &mut self,
        table: TableId,
        node: NodeId,
        own: u32,
        before: &[FactorId],
        (rest, outcomes): (TableId, Range<u32>),
        level: u32,
    ) {
        self.effort.repeated += u64::from(outcomes.end - outcomes.start);
        let this = &mut self.tables[table as usize];
        let (used, bundle) = (this.nodes[node as usize].used, this.bundles.len() as u32);
        let (first, between) = before.split_first().map_or((NONE, before), |(first, between)| (*first, between));
        this.bundles.push(Bundle { node, own, first });
        for outcome in outcomes {
            let Outcome { results, used: of_rest, factor, .. } = self.tables[rest as usize].outcomes[outcome as usize];
            let used = used + of_rest;
            if used <= self.shape.most {
                let (own, second) = match self.only_product(rest, outcome).filter(|_| between.is_empty()) {
                    Some((other, second)) => (self.counter.joined(own, other), second),
                    None => (own, self.counter.all_of(between, factor)),
                };
                let leaf = BundledLeaf { bundle, alternative: outcome, own, second };
                if self.tables[table as usize].add_bundled(leaf, results, used, level) {
                    self.add_expected(table, results, used);
                }
            }
        }
    }

    /// Adds the outcome of leaves of bundles, if it is not known yet.
    pub(super) fn add_expected(&mut self, table: TableId, results: WordsId, used: u32) {
        let found = Outcome { results, answer: results, used, factor: 0, sets: SetsLeft::None, is_tangled: false };
        self.outcome(table, found, NO_WORDS);
    }

    /// Returns a leaf of a bundle as a way.
    pub(super) fn bundled_way(&self, table: TableId, bundle: Bundle, leaf: BundledLeaf) -> Way {
        let Decision::Rest(rest) = self.decision(table, bundle.node) else {
            unreachable!("[korat internal bug] a bundle has no rest")
        };
        let BundledLeaf { alternative, second, .. } = leaf;
        let is_both = second != NONE && matches!(self.counter.get(second), Factor::Both(..));
        let last = if is_both { second } else { self.tables[rest as usize].outcomes[alternative as usize].factor };
        let leaf = LastDecision { node: bundle.node, alternative };
        Way { leaf, completion: NONE, product: bundle.product(bundle.own, last) }
    }

    /// Returns the product of the only leaf of an outcome, if it has at most one factor.
    fn only_product(&self, table: TableId, outcome: OutcomeId) -> Option<(u32, FactorId)> {
        let table = &self.tables[table as usize];
        match table.leaves[outcome as usize][..] {
            [Leaf { product, .. }] if table.is_complete() && table.bundled(outcome).is_empty() => {
                let Product { own, factors: [first, second] } = product;
                (product.is_known() && second == NONE).then_some((own, first))
            }
            _ => None,
        }
    }

    /// Has a table know each of its leaves by itself. Ends the run if some of them are known together.
    pub(super) fn check_leaves(&mut self, table: TableId) {
        let table = &mut self.tables[table as usize];
        if !table.bundles.is_empty() {
            let pattern = table.list.pattern();
            self.end(End::Opens(pattern));
        }
        table.is_opened = true;
    }
}
