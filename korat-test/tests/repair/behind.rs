//! Repairs of what stands behind what was compared: parts of sums, bits of masks. And of several changes the one that does for all of them.

use korat::{Backtracking, Finitize, RepOk, Repair, field, rep_ok};

/// Repairs a value in both ways, which has to be done with so many changes; says whether it is as before.
fn is_as_before<T: Finitize + RepOk + Clone + PartialEq>(whole: &T, changes: usize, fault: impl Fn(&mut T)) -> bool {
    assert!(whole.holds());
    let repaired = |mode| {
        let mut broken = whole.clone();
        fault(&mut broken);
        assert!(!broken.holds());
        let repaired = Repair::new().backtracking(mode).repair(&mut broken).unwrap_or_else(|why| panic!("{why}"));
        assert!(broken.holds());
        assert!(repaired.changes.len() <= changes, "{repaired}");
        broken
    };
    repaired(Backtracking::Checkpoint) == *whole && repaired(Backtracking::Reexecute) == *whole
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Entry {
    is_used: bool,
    key: u32,
}

/// Entries, and a bit for each of them that is used.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Table {
    entries: Vec<Entry>,
    used: Vec<u64>,
    count: usize,
}

#[rep_ok]
impl Table {
    fn rep_ok(&self) -> bool {
        if self.used.len() != self.entries.len().div_ceil(64) {
            return false;
        }
        let mut count = 0;
        for at in 0..self.entries.len() {
            if self.entries[at].is_used != self.is_set(at) {
                return false;
            }
            count += usize::from(self.entries[at].is_used);
        }
        count == self.count
    }

    fn is_set(&self, at: usize) -> bool {
        self.used[at / 64] & (1 << (at % 64)) != 0
    }
}

fn table(len: usize) -> Table {
    let entries: Vec<Entry> = (0..len).map(|at| Entry { is_used: at % 3 != 0, key: at as u32 * 7 }).collect();
    let mut used = vec![0; len.div_ceil(64)];
    for (at, _) in entries.iter().enumerate().filter(|(_, entry)| entry.is_used) {
        used[at / 64] |= 1 << (at % 64);
    }
    Table { count: entries.iter().filter(|entry| entry.is_used).count(), entries, used }
}

#[test]
fn a_wrong_bit_is_not_taken_for_a_wrong_entry() {
    for len in [10, 200, 1_000] {
        for at in [0, 1, len / 2, len / 2 + 1, len - 1] {
            assert!(is_as_before(&table(len), 1, |table| table.used[at / 64] ^= 1 << (at % 64)), "bit {at} of {len}");
            let is_used = |table: &mut Table| table.entries[at].is_used ^= true;
            assert!(is_as_before(&table(len), 1, is_used), "entry {at} of {len}");
        }
        assert!(is_as_before(&table(len), 1, |table| table.count += 3), "count of {len}");
    }
}

/// There is no other way than by the bits: the count may not be changed, nor what is used.
#[test]
fn bits_are_tried_where_nothing_else_may_change() {
    for len in [10, 200] {
        let repair = Repair::new().keep(field!(Entry.is_used)).keep(field!(Table.count));
        let mut broken = table(len);
        for at in [1, 3, 5] {
            broken.used[0] ^= 1 << at;
        }
        let repaired = repair.repair(&mut broken).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!((broken, repaired.changes.len()), (table(len), 1), "{len}");
    }
}

/// A node of a trie of arrays: a bit for each child that there is.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Sparse {
    mask: u16,
    children: Vec<Sparse>,
}

#[rep_ok]
impl Sparse {
    fn rep_ok(&self) -> bool {
        self.mask.count_ones() as usize == self.children.len() && self.children.iter().all(|child| child.rep_ok())
    }
}

fn sparse(depth: u32) -> Sparse {
    let children: Vec<Sparse> = (0..if depth == 0 { 0 } else { 3 }).map(|_| sparse(depth - 1)).collect();
    Sparse { mask: if depth == 0 { 0 } else { 0x124 << (depth % 4) }, children }
}

#[test]
fn a_mask_has_as_many_bits_as_it_has_to() {
    for depth in [1, 2, 5] {
        for bit in [0, 9, 15] {
            let _ = is_as_before(&sparse(depth), 1, |root| root.children[1].mask ^= 1 << bit);
            let _ = is_as_before(&sparse(depth), 1, |root| root.mask ^= 1 << bit);
        }
    }
}

/// Parts of a whole, with a sum that depends on all of them.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Span {
    start: u32,
    len: u32,
    end: u32,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Spans {
    spans: Vec<Span>,
    checksum: u32,
}

#[rep_ok]
impl Spans {
    fn rep_ok(&self) -> bool {
        let mut sum = 0_u32;
        for span in &self.spans {
            if span.start + span.len != span.end {
                return false;
            }
            sum = sum.wrapping_mul(31).wrapping_add(span.len) ^ span.start;
        }
        sum == self.checksum
    }
}

fn spans(len: u32) -> Spans {
    let (mut at, mut checksum) = (5, 0_u32);
    let span = |index| {
        let span = Span { start: at, len: index * 31 % 17 + 1, end: at + index * 31 % 17 + 1 };
        checksum = checksum.wrapping_mul(31).wrapping_add(span.len) ^ span.start;
        at = span.end + index % 3;
        span
    };
    Spans { spans: (0..len).map(span).collect(), checksum }
}

#[test]
fn of_a_sum_that_part_is_changed_after_which_all_is_right() {
    for len in [1, 10, 200, 1_000] {
        for at in [0, len as usize / 2, len as usize - 1] {
            let whole = spans(len);
            assert!(is_as_before(&whole, 1, |wrong| wrong.spans[at].start += 1000), "start of {at} of {len}");
            assert!(is_as_before(&whole, 1, |wrong| wrong.spans[at].len += 77), "length of {at} of {len}");
            assert!(is_as_before(&whole, 1, |wrong| wrong.spans[at].end += 3), "end of {at} of {len}");
            assert!(is_as_before(&whole, 1, |wrong| wrong.checksum ^= 3), "checksum of {len}");
        }
    }
}

/// A tree in which each node has the sum of all below it.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Node {
    own: i64,
    sum: i64,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Sums {
    root: Option<Box<Node>>,
}

#[rep_ok]
impl Sums {
    fn rep_ok(&self) -> bool {
        self.root.as_ref().is_none_or(|root| root.is_sum())
    }
}

#[rep_ok(helpers)]
impl Node {
    fn is_sum(&self) -> bool {
        let mut sum = self.own;
        for child in [&self.left, &self.right].into_iter().flatten() {
            if !child.is_sum() {
                return false;
            }
            sum += child.sum;
        }
        self.sum == sum
    }
}

fn sums(from: i64, to: i64) -> Option<Box<Node>> {
    let middle = (from + to) / 2;
    let children = || [sums(from, middle), sums(middle + 1, to)];
    let [left, right] = if from < to { children() } else { return None };
    let own = middle * 13 % 101;
    let sum = own + [&left, &right].into_iter().flatten().map(|child| child.sum).sum::<i64>();
    Some(Box::new(Node { own, sum, left, right }))
}

#[test]
fn one_part_is_changed_rather_than_all_sums_above_it() {
    for len in [10, 200, 1_000] {
        let whole = Sums { root: sums(0, len) };
        fn below(tree: &mut Sums) -> &mut Node {
            tree.root.as_mut().unwrap().left.as_mut().unwrap()
        }
        assert!(is_as_before(&whole, 1, |tree| below(tree).left.as_mut().unwrap().own += 1000), "{len}");
        assert!(is_as_before(&whole, 1, |tree| below(tree).left.as_mut().unwrap().sum += 1000), "{len}");
        let two = |tree: &mut Sums| {
            below(tree).own += 77;
            below(tree).left.as_mut().unwrap().sum += 1000;
        };
        assert!(is_as_before(&whole, 2, two), "{len}");
    }
}

/// Numbers in a vector of which each is the sum of two others.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Segments {
    sums: Vec<i64>,
}

#[rep_ok]
impl Segments {
    fn rep_ok(&self) -> bool {
        (1..self.sums.len() / 2).all(|at| self.sums[at] == self.sums[2 * at] + self.sums[2 * at + 1])
    }
}

/// It would be valid with none of them.
#[test]
fn elements_are_not_dropped_because_others_are_wrong() {
    for len in [3, 10, 200] {
        let mut whole = Segments { sums: (0..2 * len as i64).map(|at| at * 37 % 211).collect() };
        for at in (1..len).rev() {
            whole.sums[at] = whole.sums[2 * at] + whole.sums[2 * at + 1];
        }
        for at in [1, len / 2, len, 2 * len - 1] {
            let mut broken = whole.clone();
            broken.sums[at] += 1000;
            let repaired = Repair::new().repair(&mut broken).unwrap_or_else(|why| panic!("{why}"));
            assert_eq!((broken.sums.len(), repaired.changes.len()), (2 * len, 1), "{repaired}");
        }
    }
}

/// Each by itself within a range.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Levels {
    levels: Vec<u32>,
    total: u32,
}

#[rep_ok]
impl Levels {
    fn rep_ok(&self) -> bool {
        let mut total = 0;
        for &level in &self.levels {
            if level > 9 {
                return false;
            }
            total += level;
        }
        total == self.total
    }
}

#[test]
fn elements_in_a_row_that_are_out_of_range_are_changed_one_by_one() {
    let levels: Vec<u32> = (0..1_000).map(|at| at * 7 % 10).collect();
    let whole = Levels { total: levels.iter().sum(), levels };
    for wrong in [1, 2, 5, 12] {
        let mut broken = whole.clone();
        broken.levels[990 - wrong..990].fill(5_000);
        let repaired = Repair::new().repair(&mut broken).unwrap_or_else(|why| panic!("{why}"));
        assert!(repaired.changes.len() <= wrong + 1 && repaired.tries < 3_000, "{} tries: {repaired}", repaired.tries);
        assert_eq!(broken.levels.len(), 1_000);
    }
}

/// A list that may be empty, whatever its nodes are.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Linked {
    #[finitize(index_of = nodes)]
    head: Option<usize>,
    nodes: Vec<Link>,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Link {
    #[finitize(index_of = nodes)]
    prev: Option<usize>,
    #[finitize(index_of = nodes)]
    next: Option<usize>,
}

#[rep_ok]
impl Linked {
    fn rep_ok(&self) -> bool {
        let mut last = None;
        let mut at = self.head;
        let mut count = 0;
        while let Some(node) = at {
            if self.nodes[node].prev != last || count == self.nodes.len() {
                return false;
            }
            (last, at, count) = (at, self.nodes[node].next, count + 1);
        }
        true
    }
}

/// One change would do for both: the list without nodes.
#[test]
fn nothing_is_lost_for_the_sake_of_fewer_changes() {
    for len in [6, 40, 500] {
        let link = |at: usize| Link { prev: at.checked_sub(1), next: Some(at + 1).filter(|&next| next < len) };
        let whole = Linked { head: Some(0), nodes: (0..len).map(link).collect() };
        let two = |list: &mut Linked| {
            list.nodes[0].prev = Some(3);
            list.nodes[5].prev = None;
        };
        assert!(is_as_before(&whole, 2, two), "{len}");
    }
}

/// A loop that ends unless the first of some steps is none.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Steps {
    steps: Vec<u32>,
    total: u32,
}

#[rep_ok]
impl Steps {
    fn rep_ok(&self) -> bool {
        let first = self.steps[0];
        if first > 9 {
            return false;
        }
        let mut at = 0;
        while at < 200_000 {
            at += first;
        }
        self.steps.iter().skip(1).sum::<u32>() == self.total
    }
}

/// That it may not end with something else does not matter.
#[test]
fn what_makes_a_predicate_loop_is_no_repair() {
    let mut wrong = Steps { steps: vec![1_000, 0, 1, 2, 3, 0, 1], total: 8 };
    Repair::new().repair(&mut wrong).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(wrong, Steps { steps: vec![9, 0, 1, 2, 3, 0, 1], total: 7 });
}
