//! What nothing leads to any more. When a link is broken, what it led to is left without one: there everything else is reached
//! the way the link goes, and this is not. Takes the slots of a value, gives what a broken link may have led to.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::layout::Layout;
use super::targets::Targets;
use crate::ids::SlotId;

/// Which fields lead to what, found out when it is first asked for.
#[derive(Default)]
pub(super) struct Incoming {
    /// Per target, the fields that lead to it, as bits; fields beyond the first 64 are left out.
    masks: Vec<u64>,
    /// Per such field, those that go the same way: they lead to what it does not lead to.
    same_way: Vec<u64>,
    /// What nothing leads to in the way of a field, per kind of index that such a field has.
    orphans: BTreeMap<(usize, usize), Vec<u32>>,
}

const FIELDS: usize = 64;

/// More than this may not be lost, unless there is much more that is not.
const MANY: usize = 256;

impl Incoming {
    /// What nothing leads to in the way that `slot` does, as indices of it.
    pub(super) fn orphans(&mut self, layout: &Layout, targets: &Targets, original: &[u32], slot: SlotId) -> &[u32] {
        if self.masks.is_empty() {
            self.find_ways(layout, targets, original);
        }
        let field = layout.declared(slot);
        let same_way = self.same_way.get(field.index()).copied().unwrap_or(0);
        let masks = &self.masks;
        let first = targets.first_of(layout, slot);
        self.orphans.entry((field.index(), first.map_or(0, |(first, ..)| first))).or_insert_with(|| {
            let Some((first, count, nulls)) = first else { return Vec::new() };
            let is_orphan = |position: &u32| masks[first + *position as usize] & same_way == 0;
            let mut orphans: Vec<u32> = (0..count).filter(is_orphan).collect();
            // Where much is led to by nothing, as the leaves of a tree whose links lead upwards, that says nothing.
            if orphans.len() > MANY + count as usize / 16 {
                return Vec::new();
            }
            let goes_the_way = |slot: SlotId| {
                let field = layout.declared(slot).index();
                field < FIELDS && same_way & 1 << field != 0 && !layout.is_part(slot)
            };
            let links = Links::new(layout, targets, original, first..first + count as usize, goes_the_way);
            orphans.extend(links.in_lost_cycles(&orphans));
            orphans.sort_unstable();
            orphans.into_iter().map(|position| nulls + position).collect()
        })
    }

    /// Whether the fields of two slots go the same way; the ways must be known.
    pub(super) fn is_same_way(&self, layout: &Layout, slot: SlotId, other: SlotId) -> bool {
        let (slot, other) = (layout.declared(slot).index(), layout.declared(other).index());
        other < FIELDS && self.same_way.get(slot).is_some_and(|ways| ways & 1 << other != 0)
    }

    fn find_ways(&mut self, layout: &Layout, targets: &Targets, original: &[u32]) {
        self.masks = vec![0; targets.len()];
        for (slot, &index) in original.iter().enumerate() {
            let slot = SlotId::new(slot);
            if let Some(target) = targets.of(layout, slot, index)
                && let field = layout.declared(slot).index()
                && field < FIELDS
                && !layout.is_part(slot)
            {
                self.masks[target] |= 1 << field;
            }
        }
        let fields = layout.declared.len().min(FIELDS);
        let mut together = vec![[0usize; FIELDS]; fields];
        for &mask in &self.masks {
            let bits = |mut mask: u64| {
                std::iter::from_fn(move || {
                    let bit = mask.trailing_zeros() as usize;
                    mask &= mask.wrapping_sub(1);
                    (bit < FIELDS).then_some(bit)
                })
            };
            for one in bits(mask) {
                for two in bits(mask) {
                    together[one][two] += 1;
                }
            }
        }
        // A link forward and the link back lead to the same; left and right, or the first and the next, do not.
        self.same_way = (0..fields)
            .map(|one| {
                let goes_along =
                    |two: &usize| *two == one || together[one][*two] * 4 < together[one][one].min(together[*two][*two]);
                (0..fields).filter(goes_along).fold(0, |mask, two| mask | 1 << two)
            })
            .collect();
    }
}

/// The links between the things that slots of one way lead to, by their positions.
struct Links {
    /// What each leads to: `next[starts[at]..starts[at + 1]]`.
    starts: Vec<u32>,
    next: Vec<u32>,
    /// What is led to from outside.
    roots: Vec<u32>,
}

impl Links {
    fn new(
        layout: &Layout,
        targets: &Targets,
        original: &[u32],
        range: Range<usize>,
        goes_the_way: impl Fn(SlotId) -> bool,
    ) -> Self {
        let position = |target: usize| range.contains(&target).then(|| (target - range.start) as u32);
        let mut links: Vec<(u32, u32)> = Vec::new();
        let mut roots = Vec::new();
        for (slot, &index) in original.iter().enumerate() {
            let slot = SlotId::new(slot);
            if goes_the_way(slot)
                && let Some(to) = targets.of(layout, slot, index).and_then(position)
            {
                match targets.holder(layout, original, slot).and_then(position) {
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

    /// What lies on a cycle that nothing leads to, neither from outside nor from what is lost by itself.
    fn in_lost_cycles(&self, lost: &[u32]) -> Vec<u32> {
        let mut covered = vec![false; self.starts.len() - 1];
        for &from in self.roots.iter().chain(lost) {
            self.cover(from, &mut covered);
        }
        let mut before: BTreeMap<u32, u32> = BTreeMap::new();
        let open: Vec<u32> = (0..covered.len() as u32).filter(|&at| !covered[at as usize]).collect();
        for &at in &open {
            for &to in self.next(at) {
                before.insert(to, at);
            }
        }
        let mut found = Vec::new();
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
                    found.extend_from_slice(&way[begin..]);
                    break;
                }
                way.push(from);
                now = from;
            }
            self.cover(now, &mut covered);
        }
        found
    }
}
