//! What an invariant does with values of its own: moves, references into its containers, `std::mem`, cells, text.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, VecDeque};

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
pub struct Item {
    #[finitize(0..=2)]
    key: u8,
    open: bool,
    next: Option<Box<Item>>,
}

/// Chains of at most `scope` items, one type for each invariant.
macro_rules! chains {
    ($($Chain:ident)*) => {$(
        #[derive(Debug, Finitize)]
        pub struct $Chain {
            head: Option<Box<Item>>,
        }
    )*};
}

chains! {
    MovedOut TopOfStack LastOfPath Exchanged Taken Ticked Spelled Drained BestSoFar SharedNotes Pairs Ledger LocalTypes
    Shadowed
}

#[rep_ok]
impl MovedOut {
    /// The keys of open items first, then those of closed ones, in order.
    fn rep_ok(&self) -> bool {
        let mut keys = Vec::new();
        let mut closed = Vec::new();
        let mut at = &self.head;
        while let Some(item) = at {
            if item.open {
                keys.push(item.key);
            } else {
                closed.push(item.key);
            }
            at = &item.next;
        }
        let mut all = keys;
        all.append(&mut closed);
        let rest = closed;
        let all = all;
        rest.is_empty() && all.is_sorted()
    }
}

#[rep_ok]
impl TopOfStack {
    /// Open items open a level, closed ones count up the level they are on to their key, and then close it.
    fn rep_ok(&self) -> bool {
        let mut stack: Vec<u8> = vec![0];
        let mut at = &self.head;
        while let Some(item) = at {
            let top = stack.last_mut().unwrap();
            if item.open {
                *top += 1;
                if *top > 2 {
                    return false;
                }
                stack.push(item.key);
            } else {
                if item.key != *top {
                    return false;
                }
                *top += 1;
                if stack.len() > 1 {
                    stack.pop();
                }
            }
            at = &item.next;
        }
        stack.len() == 1
    }
}

#[rep_ok]
impl LastOfPath {
    fn rep_ok(&self) -> bool {
        let mut path: Vec<(u8, bool)> = Vec::new();
        let mut at = self.head.as_deref();
        while let Some(item) = at {
            let last = path.last();
            if let Some((key, open)) = last {
                if item.key < *key {
                    return false;
                }
                if item.open == *open && item.key == *key {
                    return false;
                }
            }
            path.push((item.key, item.open));
            at = item.next.as_deref();
        }
        true
    }
}

#[rep_ok]
impl Exchanged {
    /// Each key is at most the one two places before it.
    fn rep_ok(&self) -> bool {
        let (mut odd, mut even) = (u8::MAX, u8::MAX);
        let mut at = &self.head;
        while let Some(item) = at {
            let before = std::mem::replace(&mut even, item.key);
            if item.key > before {
                return false;
            }
            std::mem::swap(&mut odd, &mut even);
            at = &item.next;
        }
        odd != even || self.head.is_none()
    }
}

#[rep_ok]
impl Taken {
    /// The chain falls into groups that closed items end; each group has its own keys in order.
    fn rep_ok(&self) -> bool {
        let mut groups: Vec<Vec<u8>> = vec![];
        let mut group = vec![];
        let mut at = &self.head;
        while let Some(Item { key, open, next }) = at.as_deref() {
            group.push(*key);
            if !open {
                groups.push(std::mem::take(&mut group));
            }
            at = next;
        }
        group.is_empty() && groups.iter().all(|group| group.is_sorted()) && groups.len() != 1
    }
}

#[rep_ok]
impl Ticked {
    /// As many items as the first key says.
    fn rep_ok(&self) -> bool {
        let ticks = Cell::new(0u8);
        let tick = || {
            ticks.set(ticks.get() + 1);
            ticks.get()
        };
        let Some(first) = &self.head else { return false };
        let mut at = &self.head;
        while let Some(item) = at {
            if tick() > first.key {
                return false;
            }
            at = &item.next;
        }
        ticks.into_inner() == first.key
    }
}

#[rep_ok]
impl Spelled {
    fn rep_ok(&self) -> bool {
        let mut text = String::from("<");
        let mut at = &self.head;
        while let Some(item) = at {
            if item.open {
                text.push(char::from(b'a' + item.key));
            } else {
                text += &format!("{}", item.key);
            }
            if text.ends_with("aa") || text.ends_with("2b") {
                return false;
            }
            at = &item.next;
        }
        text.push('>');
        text.trim_matches(|sign| sign == '<' || sign == '>').chars().filter(char::is_ascii_digit).count() <= 1
    }
}

#[rep_ok]
impl Drained {
    /// After each closed item the keys so far add up to an even number.
    fn rep_ok(&self) -> bool {
        let mut pending = Vec::new();
        let mut sums = VecDeque::new();
        let mut at = self.head.as_ref();
        while let Some(item) = at {
            pending.push(item.key);
            if !item.open {
                sums.push_back(pending.drain(..).map(u32::from).sum::<u32>());
                if sums.back().is_some_and(|sum| sum % 2 == 1) {
                    return false;
                }
            }
            at = item.next.as_ref();
        }
        let mut rest = sums.iter_mut();
        while let Some(sum) = rest.next() {
            *sum /= 2;
        }
        pending.is_empty() && sums.iter().max().copied().unwrap_or(1) == 1
    }
}

#[rep_ok]
impl BestSoFar {
    /// An item with the greatest key is open. The best one so far is a reference into the structure.
    fn rep_ok(&self) -> bool {
        let mut best: Option<&Item> = None;
        let mut at = self.head.as_deref();
        while let Some(item) = at {
            best = match best {
                Some(best) if best.key >= item.key => Some(best),
                _ => Some(item),
            };
            at = item.next.as_deref();
        }
        best.is_some_and(|best| best.open && best.next.is_none())
    }
}

#[rep_ok]
impl SharedNotes {
    /// Two closures write to one list of notes.
    fn rep_ok(&self) -> bool {
        let notes: RefCell<Vec<u8>> = RefCell::new(Vec::new());
        let add = |key: u8| notes.borrow_mut().push(key);
        let remove = |key: u8| {
            let mut notes = notes.borrow_mut();
            let place = notes.iter().position(|&note| note == key);
            place.map(|place| notes.swap_remove(place)).is_some()
        };
        let mut at = &self.head;
        while let Some(item) = at {
            if item.open {
                add(item.key);
            } else if !remove(item.key) {
                return false;
            }
            at = &item.next;
        }
        notes.into_inner().is_empty()
    }
}

#[rep_ok]
impl Pairs {
    /// Items come in pairs of an open and a closed one that are at most one apart.
    fn rep_ok(&self) -> bool {
        let mut pending: Option<(u8, &Item)> = None;
        let mut at = self.head.as_deref();
        while let Some(item) = at {
            match pending.take() {
                None if item.open => pending = Some((item.key, item)),
                Some((key, first)) if !item.open => {
                    let (a, b) = (key as i32, item.key as i32);
                    if (a - b).abs() > 1 || (a == b && first.key == 0) {
                        return false;
                    }
                }
                _ => return false,
            }
            at = item.next.as_deref();
        }
        pending.is_none()
    }
}

#[rep_ok]
impl Ledger {
    /// An account is opened once, and closed after it was opened.
    fn rep_ok(&self) -> bool {
        let mut accounts: HashMap<u8, Vec<bool>> = HashMap::new();
        let mut at = &self.head;
        while let Some(item) = at {
            let history = accounts.entry(item.key).or_default();
            match history.as_slice() {
                [] if item.open => history.push(true),
                [true] if !item.open => history.push(false),
                _ => return false,
            }
            at = &item.next;
        }
        let ordered: BTreeMap<_, _> = accounts.into_iter().collect();
        ordered.into_iter().next().is_none_or(|(_, history)| history.len() == 2)
    }
}

#[rep_ok]
impl LocalTypes {
    /// The keys in the order of a small machine.
    fn rep_ok(&self) -> bool {
        #[derive(Clone, Copy, Debug, PartialEq)]
        enum State {
            Idle,
            Busy { since: u8 },
            Done,
        }
        const LONGEST: usize = 3;
        struct Machine {
            state: State,
            log: Vec<State>,
        }
        let mut machine = Machine { state: State::Idle, log: vec![] };
        let mut at = &self.head;
        while let Some(item) = at {
            let next = match machine.state {
                State::Idle if item.open => State::Busy { since: item.key },
                State::Busy { since } if !item.open && item.key >= since => State::Done,
                State::Busy { since: 0 } => State::Idle,
                State::Idle | State::Busy { .. } | State::Done => return false,
            };
            let before = std::mem::replace(&mut machine.state, next);
            machine.log.push(before);
            at = &item.next;
        }
        let Machine { state, log } = machine;
        state == State::Done && log.len() <= LONGEST
    }
}

#[rep_ok]
impl Shadowed {
    fn rep_ok(&self) -> bool {
        let head = &self.head;
        let Some(head) = head else { return true };
        let key = head.key;
        let key = if head.open { key + 1 } else { key };
        let rest = {
            let mut keys = Vec::with_capacity(usize::from(key));
            let mut at = &head.next;
            while let Some(item) = at {
                let key = item.key * 2;
                keys.push(if item.open { key + 1 } else { key });
                at = &item.next;
            }
            keys
        };
        let rest = rest.into_iter().filter(|&other| other >= key).collect::<Vec<u8>>();
        let key = rest.iter().fold(key, |key, other| key ^ other);
        key == 0
    }
}
