//! Where a field may be read: in arguments, indices, bounds, literals, conditions, while the invariant's own values change.

use std::collections::{BTreeSet, HashSet};

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
pub struct Cargo {
    #[finitize(0..=2)]
    kind: usize,
    #[finitize(1..=2)]
    weight: u8,
    next: Option<Box<Cargo>>,
}

/// Loads of at most `scope` pieces, one type for each invariant.
macro_rules! loads {
    ($($Load:ident)*) => {$(
        #[derive(Debug, Finitize)]
        pub struct $Load {
            first: Option<Box<Cargo>>,
        }
    )*};
}

loads! { Indexed Arguments Literals Conditions EveryCounter OwnBoxes Accumulated Boxed SetOfPairs Resumed Reported ByValue }

#[rep_ok]
impl Indexed {
    fn rep_ok(&self) -> bool {
        let mut weights = [0u8; 3];
        let mut at = &self.first;
        while let Some(cargo) = at {
            weights[cargo.kind] += cargo.weight;
            if weights[cargo.kind] > 2 + cargo.kind as u8 {
                return false;
            }
            at = &cargo.next;
        }
        weights[0] <= weights[1] && weights[1] <= weights[2]
    }
}

#[rep_ok]
impl Arguments {
    fn rep_ok(&self) -> bool {
        let mut log = Vec::new();
        let mut at = self.first.as_ref();
        while let Some(cargo) = at {
            if !Self::add(&mut log, cargo.kind, cargo.weight + u8::from(cargo.next.is_some())) {
                return false;
            }
            at = cargo.next.as_ref();
        }
        log.iter().sum::<u8>() % 2 == 0
    }

    fn add(log: &mut Vec<u8>, kind: usize, weight: u8) -> bool {
        let before = log.len();
        log.extend(std::iter::repeat_n(weight, kind));
        log.len() > before && log.len() < 5
    }
}

#[rep_ok]
impl Literals {
    fn rep_ok(&self) -> bool {
        struct Entry {
            place: usize,
            kind: usize,
            parts: [u8; 2],
        }
        let mut entries: Vec<Entry> = vec![];
        let mut at = &self.first;
        while let Some(cargo) = at {
            let entry = Entry { place: entries.len(), kind: cargo.kind, parts: [cargo.weight; 2] };
            if entry.kind < entry.place {
                return false;
            }
            entries.push(entry);
            at = &cargo.next;
        }
        entries.iter().all(|Entry { place, parts: [one, other], .. }| *place != 1 || one + other == 4)
    }
}

#[rep_ok]
impl Conditions {
    fn rep_ok(&self) -> bool {
        let mut budget = 3u8;
        let mut at = &self.first;
        while at.as_ref().is_some_and(|cargo| cargo.kind != 2) && {
            budget = budget.saturating_sub(1);
            budget > 0
        } {
            let Some(cargo) = at else { unreachable!() };
            at = if cargo.weight == 1 || budget.is_power_of_two() && cargo.kind == 0 {
                &cargo.next
            } else {
                return false;
            };
        }
        at.is_none() || budget == 2
    }
}

#[rep_ok]
impl EveryCounter {
    fn rep_ok(&self) -> bool {
        let mut counters = vec![0u8; 2];
        let mut at = &self.first;
        while let Some(cargo) = at {
            for counter in counters.iter_mut() {
                *counter = (*counter + cargo.weight) % 5;
                if usize::from(*counter) == cargo.kind {
                    *counter = 0;
                }
            }
            counters.iter_mut().skip(1).for_each(|counter| *counter ^= cargo.weight);
            at = &cargo.next;
        }
        counters[0] >= counters[1] && counters != [0, 0]
    }
}

#[rep_ok]
impl OwnBoxes {
    /// The kinds of the load, reversed on a stack of the invariant's own, fall.
    fn rep_ok(&self) -> bool {
        struct Stacked {
            kind: usize,
            under: Option<Box<Stacked>>,
        }
        let mut stack: Option<Box<Stacked>> = None;
        let mut at = &self.first;
        while let Some(cargo) = at {
            if let Some(top) = stack.as_mut()
                && top.kind == cargo.kind
            {
                top.kind += usize::from(cargo.weight);
            } else {
                stack = Some(Box::new(Stacked { kind: cargo.kind, under: stack.take() }));
            }
            at = &cargo.next;
        }
        let mut last = usize::MAX;
        while let Some(top) = stack {
            let Stacked { kind, under } = *top;
            if kind >= last {
                return false;
            }
            last = kind;
            stack = under;
        }
        true
    }
}

#[rep_ok]
impl Accumulated {
    fn rep_ok(&self) -> bool {
        struct Totals {
            weight: u8,
            kinds: BTreeSet<usize>,
        }
        fn add(cargo: Option<&Cargo>, mut totals: Totals) -> Result<Totals, Totals> {
            let Some(cargo) = cargo else { return Ok(totals) };
            if !totals.kinds.insert(cargo.kind) {
                return Err(totals);
            }
            totals.weight += cargo.weight;
            if totals.weight > 3 { Err(totals) } else { add(cargo.next.as_deref(), totals) }
        }
        match add(self.first.as_deref(), Totals { weight: 0, kinds: BTreeSet::new() }) {
            Ok(totals) => totals.weight > 0,
            Err(Totals { weight, kinds }) => weight == 3 && kinds.len() == 2,
        }
    }
}

#[rep_ok]
impl Boxed {
    fn rep_ok(&self) -> bool {
        let (mut count, mut heavy) = (0, 0);
        let mut rules: Vec<Box<dyn FnMut(&Cargo) -> bool>> = Vec::new();
        rules.push(Box::new(move |cargo| {
            count += cargo.kind;
            count < 4
        }));
        rules.push(Box::new(move |cargo| {
            if cargo.weight > 1 {
                heavy += 1;
            }
            heavy < 2
        }));
        let mut at = self.first.as_deref();
        while let Some(cargo) = at {
            if !rules.iter_mut().all(|rule| rule(cargo)) {
                return false;
            }
            at = cargo.next.as_deref();
        }
        rules.len() == 2
    }
}

#[rep_ok]
impl SetOfPairs {
    fn rep_ok(&self) -> bool {
        let mut pairs = HashSet::new();
        let mut at = &self.first;
        while let Some(cargo) = at {
            if !pairs.insert((cargo.kind, cargo.weight)) || pairs.contains(&(2 - cargo.kind, 3 - cargo.weight)) {
                return false;
            }
            at = &cargo.next;
        }
        true
    }
}

#[rep_ok]
impl Resumed {
    /// An iterator of the invariant's own.
    fn rep_ok(&self) -> bool {
        struct Kinds<'a> {
            at: Option<&'a Cargo>,
            left: u8,
        }
        impl Iterator for Kinds<'_> {
            type Item = usize;

            fn next(&mut self) -> Option<usize> {
                let cargo = self.at?;
                if self.left == 0 {
                    self.left = cargo.weight;
                }
                self.left -= 1;
                if self.left == 0 {
                    self.at = cargo.next.as_deref();
                }
                Some(cargo.kind)
            }
        }
        let mut kinds = Kinds { at: self.first.as_deref(), left: 0 };
        let Some(first) = kinds.next() else { return false };
        let (same, other): (Vec<usize>, Vec<usize>) = kinds.partition(|kind| *kind == first);
        same.len() == other.len()
    }
}

#[rep_ok]
impl Reported {
    fn rep_ok(&self) -> bool {
        let mut report = Vec::<String>::new();
        let mut at = &self.first;
        for line in 1.. {
            let Some(cargo) = at else { break };
            report.push(format!("{line}: {} of {:02}", cargo.weight, cargo.kind));
            if report.iter().any(|text| text.starts_with("2: 1")) && cargo.kind == 0 {
                return false;
            }
            at = &cargo.next;
        }
        report.last().is_none_or(|last| last.ends_with("02") || last.contains("1 of"))
    }
}

#[rep_ok]
impl ByValue {
    /// Lists are handed on and given back.
    fn rep_ok(&self) -> bool {
        fn push(mut list: Vec<u8>, weight: u8) -> Vec<u8> {
            list.push(weight);
            list
        }
        let mut list = vec![];
        let mut at = &self.first;
        while let Some(cargo) = at {
            list = push(list, cargo.weight);
            list = if cargo.kind == 0 { list.into_iter().rev().collect() } else { list };
            at = &cargo.next;
        }
        let whole = list;
        let [first, .., last] = whole.as_slice() else { return whole.is_empty() };
        first < last
    }
}

/// Bounds of loops are fields.
#[derive(Debug, Finitize)]
pub struct Section {
    from: usize,
    to: usize,
    #[finitize(0..=1, len = 3..=3)]
    bits: Vec<u8>,
}

#[rep_ok]
impl Section {
    /// Only bits from `from` to `to` are set, and those at both ends are.
    fn rep_ok(&self) -> bool {
        if self.to > self.bits.len() {
            return false;
        }
        for place in (0..self.from.min(self.bits.len())).chain(self.to..self.bits.len()) {
            if self.bits[place] == 1 {
                return false;
            }
        }
        match &self.bits[self.from.min(self.to)..self.to] {
            [] => self.from == self.to,
            [only] => *only == 1,
            [first, .., last] => first + last == 2,
        }
    }
}
