//! Unreachable rings: each of their targets has an incoming link, but only from the ring. Takes the links of one direction, gives the targets on rings.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::targets::Targets;
use crate::model::ids::SlotId;
use crate::slots::layout::Layout;

/// Rings that nothing leads to from elsewhere.
#[derive(Default)]
pub(super) struct Rings {
    /// What lies on them, and on which.
    members: BTreeMap<u32, usize>,
    /// Per ring, how many more links lead to it than when it was found.
    entered: Vec<i32>,
}

impl Rings {
    fn add(&mut self, members: &[u32]) {
        self.members.extend(members.iter().map(|&member| (member, self.entered.len())));
        self.entered.push(0);
    }

    /// Notes that `more` links refer to a position.
    pub(super) fn note(&mut self, position: u32, more: i32) {
        if let Some(&ring) = self.members.get(&position) {
            self.entered[ring] += more;
        }
    }

    /// The first thing from a position on that lies on a ring to which nothing leads.
    pub(super) fn next(&self, from: u32) -> Option<u32> {
        self.members.range(from..).find(|&(_, &ring)| self.entered[ring] <= 0).map(|(&position, _)| position)
    }
}

/// The links between the things that slots of one way lead to, by their positions.
pub(super) struct Links {
    /// What each leads to: `next[starts[at]..starts[at + 1]]`.
    starts: Vec<u32>,
    next: Vec<u32>,
    /// What is led to from outside.
    roots: Vec<u32>,
}

impl Links {
    pub(super) fn new(
        layout: &Layout,
        targets: &Targets,
        original: &[u32],
        now: impl Fn(SlotId) -> Option<usize>,
        range: Range<usize>,
        goes_the_way: impl Fn(SlotId) -> bool,
    ) -> Self {
        let position = |target: usize| range.contains(&target).then(|| (target - range.start) as u32);
        let mut links: Vec<(u32, u32)> = Vec::new();
        let mut roots = Vec::new();
        for slot in (0..original.len()).map(SlotId::new) {
            if goes_the_way(slot)
                && let Some(to) = now(slot).and_then(position)
            {
                match position(targets.holder(layout, original, slot)) {
                    Some(from) => links.push((from, to)),
                    None => roots.push(to),
                }
            }
        }
        let mut starts = vec![0u32; range.len() + 1];
        for &(from, _) in &links {
            starts[from as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut places = starts.clone();
        let mut next = vec![0; links.len()];
        for (from, to) in links {
            next[places[from as usize] as usize] = to;
            places[from as usize] += 1;
        }
        Links { starts, next, roots }
    }

    fn next(&self, at: u32) -> &[u32] {
        &self.next[self.starts[at as usize] as usize..self.starts[at as usize + 1] as usize]
    }

    fn cover(&self, from: u32, covered: &mut [bool]) {
        let mut work = vec![from];
        while let Some(at) = work.pop() {
            if !std::mem::replace(&mut covered[at as usize], true) {
                work.extend(self.next(at));
            }
        }
    }

    /// The rings that nothing leads to, neither from outside nor from what is lost by itself.
    pub(super) fn lost_rings(&self, lost: impl Iterator<Item = u32>) -> Rings {
        let mut covered = vec![false; self.starts.len() - 1];
        for from in self.roots.iter().copied().chain(lost) {
            self.cover(from, &mut covered);
        }
        let mut before: BTreeMap<u32, u32> = BTreeMap::new();
        let open: Vec<u32> = (0..covered.len() as u32).filter(|&at| !covered[at as usize]).collect();
        for &at in &open {
            for &to in self.next(at) {
                before.insert(to, at);
            }
        }
        let mut rings = Rings::default();
        for at in open {
            if covered[at as usize] {
                continue;
            }
            // Against the links, until something comes again: everything from there on lies on a cycle.
            let mut way = vec![at];
            let mut seen = BTreeSet::from([at]);
            let mut now = at;
            while let Some(&from) = before.get(&now)
                && !covered[from as usize]
            {
                if !seen.insert(from) {
                    let begin = way.iter().position(|&other| other == from).unwrap_or(0);
                    rings.add(&way[begin..]);
                    break;
                }
                way.push(from);
                now = from;
            }
            self.cover(now, &mut covered);
        }
        rings
    }
}
