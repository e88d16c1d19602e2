//! Wrong counts and sums: the right one may be larger than anything in the value.

use korat::{Finitize, Reason, Repair, rep_ok};

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Trie {
    children: [Option<Box<Trie>>; 3],
    is_word: bool,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Words {
    root: Trie,
    count: usize,
}

#[rep_ok]
impl Words {
    fn rep_ok(&self) -> bool {
        let mut count = 0;
        let mut work = vec![&self.root];
        while let Some(trie) = work.pop() {
            count += usize::from(trie.is_word);
            work.extend(trie.children.iter().flatten().map(|child| &**child));
        }
        count == self.count
    }
}

fn trie(depth: u32) -> Trie {
    let child = |_| (depth > 0).then(|| Box::new(trie(depth - 1)));
    Trie { children: std::array::from_fn(child), is_word: true }
}

/// The root lies in its holder and is counted by the structure: there is one more than there are objects of the class.
#[test]
fn a_count_that_is_larger_than_the_number_of_objects() {
    let words = Words { root: trie(2), count: 1 + 3 + 9 };
    let mut broken = words.clone();
    broken.count = 15;
    let repaired = korat::repair(&mut broken).expect("a wrong count is repaired");
    assert_eq!((repaired.changes.len(), broken), (1, words));
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Page {
    keys: Vec<u64>,
    next: Option<Box<Page>>,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Pages {
    first: Option<Box<Page>>,
    keys: usize,
}

#[rep_ok]
impl Pages {
    fn rep_ok(&self) -> bool {
        let (mut at, mut count, mut last) = (&self.first, 0, None);
        while let Some(page) = at {
            for &key in &page.keys {
                if last.is_some_and(|last| key <= last) {
                    return false;
                }
                (count, last) = (count + 1, Some(key));
            }
            at = &page.next;
        }
        self.keys == count
    }
}

#[test]
fn a_count_of_elements_that_are_no_objects() {
    let page = |next, number: u64| {
        let keys = (0..50).map(|key| (1 << 40) + 1000 * (50 * number + key)).collect();
        Some(Box::new(Page { keys, next }))
    };
    let pages = Pages { first: (0..20).rev().fold(None, page), keys: 1000 };
    let mut broken = Pages { keys: 7, ..pages.clone() };
    let repaired = korat::repair(&mut broken).expect("a wrong count is repaired");
    assert_eq!((repaired.changes.len(), broken), (1, pages), "{repaired}");
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Account {
    amounts: [u32; 3],
    sum: u32,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Ledger {
    accounts: Vec<Account>,
    total: u64,
}

#[rep_ok]
impl Ledger {
    fn rep_ok(&self) -> bool {
        let mut total = 0;
        for account in &self.accounts {
            let sum = account.amounts[0] + account.amounts[1] + account.amounts[2];
            if account.sum != sum {
                return false;
            }
            total += u64::from(sum);
        }
        self.total == total
    }
}

fn ledger(accounts: u32) -> Ledger {
    let account = |number: u32| Account { amounts: [number, 1000 + number, 0], sum: 1000 + 2 * number };
    let accounts: Vec<Account> = (0..accounts).map(account).collect();
    let total = accounts.iter().map(|account| u64::from(account.sum)).sum();
    Ledger { accounts, total }
}

/// Nothing in the value is as large as what its parts come to together.
#[test]
fn a_sum_that_is_larger_than_anything() {
    for accounts in [3, 40, 5000] {
        let good = ledger(accounts);
        for wrong_total in [0, 7, good.total / 2, 3 * good.total] {
            let mut wrong = Ledger { total: wrong_total, ..good.clone() };
            let repaired = korat::repair(&mut wrong).expect("a wrong total is repaired");
            assert_eq!((&wrong, repaired.changes.len()), (&good, 1));
            assert!(repaired.tries < 20, "{}", repaired.tries);
        }
        let mut wrong = good.clone();
        wrong.accounts[2].sum = 1;
        korat::repair(&mut wrong).expect("a wrong sum is repaired");
        assert!(wrong.rep_ok());
    }
    let (good, mut wrong) = (ledger(5000), ledger(5000));
    for number in (0..5000).step_by(50) {
        wrong.accounts[number].sum = 1;
    }
    let repaired = korat::repair(&mut wrong).expect("a hundred of them are repaired");
    assert_eq!((&wrong, repaired.changes.len()), (&good, 100));
    let mut wrong = Ledger { total: 1, ..ledger(2) };
    let repaired = Repair::new().minimal().repair(&mut wrong).expect("there is one change that does");
    assert_eq!((&wrong, repaired.changes.len()), (&ledger(2), 1));
}

/// What the user says a field may be is all that it may be.
#[test]
fn a_sum_that_is_not_in_the_bounds() {
    let bounds = || {
        let bounds = Ledger::scope(2).domain(korat::field!(Ledger.total), 0..100u64);
        let bounds = bounds.domain(korat::field!(Account.sum), 0..2000u32);
        bounds.domain(korat::field!(Account.amounts), 0..1100u32)
    };
    let wrong = Ledger { total: 1, ..ledger(2) };
    let repair = |repair: Repair<Ledger>| {
        let mut value = wrong.clone();
        let irreparable =
            repair.within(bounds()).max_changes(1).repair(&mut value).expect_err("its total is too large");
        assert_eq!(value, wrong);
        irreparable.reason
    };
    assert!(matches!(repair(Repair::new()), Reason::MaxChanges), "{:?}", repair(Repair::new()));
    assert!(matches!(repair(Repair::new().minimal()), Reason::MaxChanges));
}
