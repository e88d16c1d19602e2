//! Going back: predicates whose state is hard to restore, and values whose destructors run while it is. Both ways of
//! backtracking must give the same values after the same number of candidates. Run it under AddressSanitizer too.

// Predicates and values as people write them, not as they should.
#![allow(clippy::swap_with_temporary, clippy::useless_vec, clippy::vec_init_then_push)]

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use korat::{Backtracking, Bounds, Finitize, RepOk, Search, rep_ok};

const MODES: [Backtracking; 2] = [Backtracking::Checkpoint, Backtracking::Reexecute];

/// Searches in both ways, which must agree. Gives the number of values.
#[track_caller]
fn agree<T: Finitize + RepOk + Debug>(bounds: impl Fn() -> Bounds<T>) -> usize {
    let [one, other] = MODES.map(|mode| {
        let mut search = Search::new(bounds()).backtracking(mode).iter();
        let values: Vec<String> = search.by_ref().map(|value| format!("{value:?}")).collect();
        (values, search.report().explored)
    });
    assert_eq!(one, other);
    one.0.len()
}

/// Declares a list, its invariant, and the test that both ways agree on it.
macro_rules! list {
    ($module:ident($($plain:ident),*), |$list:ident| $body:expr, $valid:literal $(, { $($items:tt)* })? $(,)?) => {
        mod $module {
            #[allow(unused_imports)]
            use super::super::*;
            $($($items)*)?

            #[derive(Clone, Debug, PartialEq, Finitize)]
            pub struct Node {
                key: u8,
                next: Option<Box<Node>>,
            }

            #[derive(Clone, Debug, PartialEq, Finitize)]
            pub struct List {
                head: Option<Box<Node>>,
                len: u8,
            }

            #[rep_ok(plain($($plain),*))]
            impl List {
                pub fn rep_ok(&self) -> bool {
                    let $list = self;
                    $body
                }
            }

            #[test]
            fn both_ways_agree() {
                assert_eq!(agree(|| List::scope(3)), $valid);
            }
        }
    };
}

/// Names that a machine's own could be taken for.
mod names {
    list!(
        of_locals(),
        |list| {
            let this = &list.head;
            let key = 0;
            let Some(node) = this else { return list.len == 0 };
            let key = key + node.key;
            let key_2 = 10;
            let Some(node) = &node.next else { return key == list.len };
            let key = key + node.key;
            key == list.len && key_2 == 10 && node.next.is_none() && this.is_some()
        },
        15
    );

    mod of_self {
        use super::super::*;

        #[derive(Debug, Finitize)]
        struct Node {
            key: u8,
            next: Option<Box<Node>>,
        }

        #[rep_ok]
        impl Node {
            fn rep_ok(&self) -> bool {
                let mut this = self;
                let mut sum = this.key;
                while let Some(next) = &this.next {
                    this = next;
                    sum += this.key;
                }
                sum == 2 * self.key
            }
        }

        #[test]
        fn both_ways_agree() {
            assert_eq!(agree(|| Node::scope(3)), 15);
        }
    }
}

/// What a function outside the predicate changes through a reference that was made in an earlier statement.
mod handed_on {
    list!(
        to_a_function(),
        |list| {
            let mut total = 0;
            let count = &mut total;
            let mut rest = &list.head;
            while let Some(node) = rest {
                if node.key > 1 {
                    return false;
                }
                add(count, 1);
                rest = &node.next;
            }
            total == u32::from(list.len)
        },
        15,
        {
            fn add(to: &mut u32, more: u32) {
                *to += more;
            }
        }
    );

    list!(
        to_std(),
        |list| {
            let (mut one, mut two) = (0, 1);
            let (this, that) = (&mut one, &mut two);
            let mut rest = &list.head;
            while let Some(node) = rest {
                if node.key > 1 {
                    return false;
                }
                std::mem::swap(this, that);
                rest = &node.next;
            }
            one == u32::from(list.len)
        },
        15
    );

    list!(
        a_slice(),
        |list| {
            let mut counts = [0; 4];
            let upper = &mut counts[1..];
            let mut rest = &list.head;
            while let Some(node) = rest {
                if node.key > 1 {
                    return false;
                }
                upper[0] += 1;
                upper.rotate_left(1);
                upper.swap(0, 2);
                rest = &node.next;
            }
            counts[1] == u32::from(list.len)
        },
        15
    );

    mod a_parameter {
        use super::super::*;

        #[derive(Debug, Finitize)]
        struct Node {
            key: u8,
            next: Option<Box<Node>>,
        }

        #[derive(Debug, Finitize)]
        struct List {
            head: Option<Box<Node>>,
            len: u8,
        }

        #[rep_ok]
        impl List {
            fn rep_ok(&self) -> bool {
                let (mut count, mut keys) = (0, Vec::new());
                Self::walk(&self.head, &mut count, &mut keys) && count == self.len && keys.len() < 2
            }

            fn walk(node: &Option<Box<Node>>, count: &mut u8, keys: &mut Vec<u8>) -> bool {
                let Some(node) = node else { return true };
                if node.key > 1 {
                    return false;
                }
                let before = std::mem::take(count);
                let _zero = std::mem::replace(count, before + 1);
                keys.push(node.key);
                if keys.len() > 1 {
                    std::mem::swap(keys, &mut vec![0; usize::from(node.key)]);
                }
                Self::walk(&node.next, count, keys)
            }
        }

        #[test]
        fn both_ways_agree() {
            assert_eq!(agree(|| List::scope(3)), 15);
        }
    }
}

/// A method that puts another container in the place of a local one.
mod replaced {
    list!(
        by_clone_from(),
        |list| {
            let mut vector: Vec<u8> = Vec::new();
            let mut deque: VecDeque<u8> = VecDeque::new();
            let mut tree: BTreeSet<u8> = BTreeSet::new();
            let mut index: BTreeMap<u8, u8> = BTreeMap::new();
            let mut heap: BinaryHeap<u8> = BinaryHeap::new();
            let mut set: HashSet<u8> = HashSet::new();
            let mut map: HashMap<u8, u8> = HashMap::new();
            let mut rest = &list.head;
            while let Some(node) = rest {
                let key = node.key;
                let mut more = vector.clone();
                more.push(key);
                vector.clone_from(&more);
                let mut more = deque.clone();
                more.push_back(key);
                deque.clone_from(&more);
                let mut more = tree.clone();
                more.insert(key);
                tree.clone_from(&more);
                let mut more = index.clone();
                more.insert(key, key);
                index.clone_from(&more);
                let mut more = heap.clone();
                more.push(key);
                heap.clone_from(&more);
                let mut more = set.clone();
                more.insert(key);
                set.clone_from(&more);
                let mut more = map.clone();
                more.insert(key, key);
                map.clone_from(&more);
                let (all, distinct) = (vector.len(), tree.len());
                if [deque.len(), heap.len()] != [all; 2] || [index.len(), set.len(), map.len()] != [distinct; 3] {
                    return false;
                }
                if all != distinct {
                    return false;
                }
                rest = &node.next;
            }
            vector.len() == usize::from(list.len)
        },
        41
    );

    list!(
        by_a_trait_of_every_type(),
        |list| {
            let mut seen: HashSet<u8> = HashSet::new();
            let mut again = 0;
            let mut rest = &list.head;
            while let Some(node) = rest {
                if !seen.insert(node.key) {
                    seen.renew();
                    again += 1;
                }
                if node.key > 2 {
                    return false;
                }
                rest = &node.next;
            }
            seen.len() + again == usize::from(list.len)
        },
        40,
        {
            pub trait Renew {
                fn renew(&mut self);
            }
            impl<T: Default> Renew for T {
                fn renew(&mut self) {
                    *self = T::default();
                }
            }
        }
    );
}

/// What a predicate leaves behind is dropped once, whenever its search ends.
mod dropped {
    use super::*;

    thread_local! {
        static ALIVE: Cell<i64> = const { Cell::new(0) };
        static CLONES_LEFT: Cell<u32> = const { Cell::new(u32::MAX) };
    }

    #[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    struct Counted(u8);

    fn counted(value: u8) -> Counted {
        ALIVE.set(ALIVE.get() + 1);
        Counted(value)
    }

    impl Clone for Counted {
        fn clone(&self) -> Self {
            let left = CLONES_LEFT.get();
            assert!(left > 0, "no more clones");
            CLONES_LEFT.set(left - 1);
            counted(self.0)
        }
    }

    impl Drop for Counted {
        fn drop(&mut self) {
            ALIVE.set(ALIVE.get() - 1);
        }
    }

    #[derive(Debug, Finitize)]
    struct Triple {
        one: u8,
        two: u8,
        three: u8,
    }

    #[rep_ok(plain(Counted))]
    impl Triple {
        fn rep_ok(&self) -> bool {
            let mut all: Vec<Counted> = vec![counted(self.one), counted(self.two), counted(self.three)];
            let mut groups: BTreeMap<Counted, Vec<Counted>> = BTreeMap::new();
            let mut map: HashMap<Counted, Counted> = HashMap::new();
            let mut deque: VecDeque<Counted> = VecDeque::new();
            for value in all.iter() {
                groups.entry(value.clone()).or_default().push(value.clone());
                map.insert(value.clone(), value.clone());
                deque.push_front(value.clone());
            }
            let copy = all.clone();
            all.sort();
            all.dedup();
            deque.retain(|value| *value != counted(1));
            map.retain(|key, _| *key != counted(2));
            let first: Vec<Counted> = all.drain(..1).collect();
            let mut rest = deque.clone().into_iter();
            let _next = rest.next();
            let cell = RefCell::new(copy.clone());
            let _last = cell.borrow_mut().pop();
            let _all = cell.replace(Vec::new());
            let slot = Cell::new(Some(counted(1)));
            let _taken = slot.take();
            slot.set(Some(counted(4)));
            let heap: BinaryHeap<Counted> = copy.iter().cloned().collect();
            self.one <= self.two && all.len() + first.len() == groups.len() && heap.into_sorted_vec().len() == 3
        }
    }

    #[test]
    fn when_the_search_is() {
        for mode in MODES {
            for values in [0, 1, 2, 5, 1000] {
                let found = Search::new(Triple::scope(2)).backtracking(mode).verify(false).iter().take(values).count();
                assert_eq!(found, values.min(18));
                assert_eq!(ALIVE.get(), 0, "{mode:?}, after {values} values");
            }
        }
    }

    #[test]
    fn when_a_clone_panics() {
        for mode in MODES {
            for clones in 0..200 {
                CLONES_LEFT.set(clones);
                let search = Search::new(Triple::scope(2)).backtracking(mode).verify(false);
                assert!(catch_unwind(AssertUnwindSafe(|| search.count())).is_err());
                CLONES_LEFT.set(u32::MAX);
                assert_eq!(ALIVE.get(), 0, "{mode:?}, after {clones} clones");
            }
        }
    }

    #[test]
    fn when_searches_take_turns() {
        let alone: Vec<String> = korat::valid(Triple::scope(2)).map(|value| format!("{value:?}")).collect();
        let mut searches = MODES.map(|mode| Search::new(Triple::scope(2)).backtracking(mode).iter());
        for expected in &alone {
            for search in &mut searches {
                assert_eq!(search.next().map(|value| format!("{value:?}")).as_ref(), Some(expected));
            }
        }
        drop(searches);
        let mut pairs = 0;
        korat::for_each_valid(Triple::scope(2), |_| pairs += korat::valid(Triple::scope(2)).count());
        assert_eq!(pairs, alone.len() * alone.len());
        assert_eq!(ALIVE.get(), 0);
    }

    #[test]
    fn on_every_thread() {
        let threads = [(); 4].map(|()| std::thread::spawn(when_searches_take_turns));
        assert!(threads.into_iter().all(|thread| thread.join().is_ok()));
    }
}

/// Destructors that make containers while the search goes back.
mod destructors {
    use super::*;

    struct Loud<T: Clone + Debug>(T);

    impl<T: Clone + Debug> Drop for Loud<T> {
        fn drop(&mut self) {
            assert!(!format!("{:?}", self.0.clone()).is_empty());
        }
    }

    #[derive(Debug, Finitize)]
    struct Pair {
        one: u8,
        two: u8,
    }

    #[rep_ok(plain(Loud))]
    impl Pair {
        fn rep_ok(&self) -> bool {
            let mut before: Vec<u8> = vec![1, 2];
            before.push(self.one);
            let mut guards = Vec::new();
            guards.push(Loud(before.clone()));
            before.push(3);
            before.push(self.two);
            before.len() == 5 && before[4] > 0
        }
    }

    #[test]
    fn run_within_their_search() {
        for mode in MODES {
            for values in [0, 1, 2, 3, 6] {
                let search = Search::new(Pair::scope(2)).backtracking(mode).iter();
                assert_eq!(search.take(values).count(), values);
            }
        }
        assert_eq!(agree(|| Pair::scope(2)), 6);
    }
}

/// A destructor that panics when a search ends.
mod panics_at_the_end {
    use super::*;

    thread_local! {
        static PANICS: Cell<bool> = const { Cell::new(false) };
    }

    #[derive(Clone)]
    struct Bomb;

    impl Drop for Bomb {
        fn drop(&mut self) {
            assert!(!PANICS.get(), "a destructor panics");
        }
    }

    #[derive(Debug, Finitize)]
    struct One {
        number: u8,
    }

    #[rep_ok(plain(Bomb))]
    impl One {
        fn rep_ok(&self) -> bool {
            let one = vec![Bomb];
            let two = vec![Bomb];
            one.len() + two.len() == 2 && self.number < 2
        }
    }

    #[test]
    fn and_is_heard_once() {
        for mode in MODES {
            let mut search = Search::new(One::scope(2)).backtracking(mode).iter();
            assert!(search.next().is_some());
            PANICS.set(true);
            assert!(catch_unwind(AssertUnwindSafe(|| drop(search))).is_err());
            PANICS.set(false);
            assert_eq!(Search::new(One::scope(2)).backtracking(mode).iter().count(), 2);
        }
    }
}

/// Listed values that change behind a shared reference.
mod memo {
    use super::*;

    #[derive(Clone, Debug, PartialEq)]
    struct Memo(RefCell<Vec<u32>>);

    impl Memo {
        fn grow(&self) -> usize {
            self.0.borrow_mut().extend(0..100);
            self.0.borrow().len()
        }
    }

    fn memos() -> Vec<Memo> {
        vec![Memo(RefCell::new(vec![1, 2, 3])), Memo(RefCell::new(vec![4, 5]))]
    }

    #[derive(Debug, Finitize)]
    struct Noted {
        #[finitize(values = memos())]
        memo: Memo,
        number: u8,
    }

    #[rep_ok]
    impl Noted {
        fn rep_ok(&self) -> bool {
            self.memo.grow() > 100 && self.number < 3
        }
    }

    #[test]
    fn is_read_where_it_is_owned() {
        for mode in MODES {
            let search = Search::new(Noted::scope(3)).backtracking(mode).verify(false).iter();
            let greatest: Vec<_> = search.map(|noted| noted.memo.0.into_inner().into_iter().max()).collect();
            assert_eq!(greatest, [Some(99); 6]);
        }
    }
}

/// A predicate that searches.
mod nested {
    use super::*;

    thread_local! {
        static DEPTH: Cell<u32> = const { Cell::new(0) };
    }

    fn search() -> usize {
        if DEPTH.get() > 1 {
            return 0;
        }
        DEPTH.set(DEPTH.get() + 1);
        let count = korat::valid(Pair::scope(1)).count();
        DEPTH.set(DEPTH.get() - 1);
        count
    }

    #[derive(Debug, Finitize)]
    struct Pair {
        one: u8,
        two: u8,
    }

    #[rep_ok]
    impl Pair {
        fn rep_ok(&self) -> bool {
            let mut numbers = vec![self.one];
            let first = search();
            numbers.push(self.two);
            let mut set: HashSet<u8> = numbers.iter().copied().collect();
            let second = search();
            set.insert(9);
            first == second && numbers.len() == 2 && set.len() == 3
        }
    }

    #[test]
    fn both_ways_agree() {
        assert_eq!(agree(|| Pair::scope(2)), 6);
    }
}

/// Elements of unusual sizes.
mod sizes {
    list!(
        wide_none_and_huge(Wide, Nothing, Huge),
        |list| {
            let mut wides: Vec<Wide> = Vec::new();
            let mut nothings: Vec<Nothing> = Vec::new();
            let mut units: VecDeque<()> = VecDeque::new();
            let mut unit: HashSet<()> = HashSet::new();
            let mut huges: VecDeque<Huge> = VecDeque::new();
            let mut last: Option<Wide> = None;
            let mut rest = &list.head;
            while let Some(node) = rest {
                wides.push(Wide(node.key));
                last = wides.last().copied();
                assert!(wides.iter().all(|wide| std::ptr::from_ref(wide).is_aligned()));
                nothings.push(Nothing);
                units.push_back(());
                unit.insert(());
                huges.push_front(Huge([u64::from(node.key); 5000]));
                if nothings.len() > 1 {
                    nothings.remove(0);
                    nothings.push(Nothing);
                    units.rotate_left(1);
                    units.pop_front();
                    units.push_front(());
                }
                if huges.iter().any(|huge| huge.0[4999] > 1) {
                    return false;
                }
                rest = &node.next;
            }
            let len = usize::from(list.len);
            let sums = wides.iter().map(|wide| wide.0).eq(huges.iter().rev().map(|huge| huge.0[0] as u8));
            sums && [nothings.len(), units.len(), huges.len()] == [len; 3] && last.is_some() == (unit.len() == 1)
        },
        15,
        {
            #[derive(Clone, Copy)]
            #[repr(align(32))]
            pub struct Wide(u8);
            #[derive(Clone, Copy)]
            #[repr(align(32))]
            pub struct Nothing;
            #[derive(Clone, Copy)]
            pub struct Huge([u64; 5000]);
        }
    );
}

mod quiet_after_a_call {
    use korat::{Finitize, rep_ok};

    use super::agree;

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Pair {
        #[finitize(0..=3)]
        a: u8,
        #[finitize(0..=1, len = 0..=3)]
        items: Vec<u8>,
    }

    #[rep_ok]
    impl Pair {
        fn rep_ok(&self) -> bool {
            let items = &self.items;
            Self::within(self, 1, 2) && items.len() == 2
        }

        fn within(pair: &Pair, low: u8, high: u8) -> bool {
            pair.a >= low && pair.a <= high
        }
    }

    #[test]
    fn a_choice_of_the_caller_re_enters_the_callee() {
        assert_eq!(agree(|| Pair::scope(3)), 8);
    }
}

mod scopes {
    use std::cell::RefCell;

    use korat::{Finitize, rep_ok};

    use super::agree;

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Pair {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
    }

    #[rep_ok]
    impl Pair {
        fn rep_ok(&self) -> bool {
            let number = RefCell::new(0u8);
            let _guard = number.borrow_mut();
            let a = self.a;
            number.try_borrow().is_err() && self.b >= a
        }
    }

    #[test]
    fn a_guard_lives_to_the_end_of_its_scope() {
        assert_eq!(agree(|| Pair::scope(2)), 6);
    }
}

mod unseen {
    list!(
        a_plain_local_with_a_cell(Counter),
        |list| {
            let counter = Counter::default();
            let mut rest = &list.head;
            while let Some(node) = rest {
                if node.key > 1 {
                    return false;
                }
                counter.bump();
                rest = &node.next;
            }
            counter.count() == u32::from(list.len)
        },
        15,
        {
            #[derive(Default)]
            pub struct Counter(Cell<u32>);
            impl Counter {
                pub fn bump(&self) {
                    self.0.set(self.0.get() + 1);
                }
                pub fn count(&self) -> u32 {
                    self.0.get()
                }
            }
        }
    );

    list!(
        a_struct_that_holds_a_borrow(),
        |list| {
            struct Account<'a> {
                total: &'a mut u8,
            }
            impl Account<'_> {
                fn add(&mut self, amount: u8) {
                    *self.total += amount;
                }
            }
            let mut total = 0;
            let mut account = Account { total: &mut total };
            let mut rest = &list.head;
            while let Some(node) = rest {
                account.add(node.key);
                rest = &node.next;
            }
            total == list.len
        },
        35
    );
}

mod order {
    list!(
        a_value_before_a_temporary_that_changes_it(),
        |list| {
            fn count_up(number: &mut u8) -> u8 {
                *number += 1;
                *number
            }
            let mut number = 0;
            let mut rest = &list.head;
            while let Some(node) = rest {
                let pair = (number, &count_up(&mut number));
                if node.key != pair.0 {
                    return false;
                }
                rest = &node.next;
                if *pair.1 != pair.0 + 1 {
                    return false;
                }
            }
            number == list.len
        },
        4
    );
}
