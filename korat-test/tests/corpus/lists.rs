//! Singly linked lists of boxes: order, repetition, brackets, by loops, iterators and recursion.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::iter::successors;

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
pub struct Link {
    #[finitize(0..=2)]
    value: u8,
    next: Option<Box<Link>>,
}

/// Lists of at most `scope` links, one type for each invariant.
macro_rules! lists {
    ($($List:ident)*) => {$(
        #[derive(Debug, Finitize)]
        pub struct $List {
            head: Option<Box<Link>>,
        }
    )*};
}

lists! { Rising Palindrome Distinct NoTriples MiddleIsGreatest Explained PeekedAt Window Counted Merged Grouped }

#[rep_ok]
impl Rising {
    fn rep_ok(&self) -> bool {
        let links = || successors(self.head.as_deref(), |link| link.next.as_deref());
        links().zip(links().skip(1)).all(|(one, two)| one.value < two.value)
    }
}

#[rep_ok]
impl Palindrome {
    fn rep_ok(&self) -> bool {
        let mut values = Vec::new();
        let mut rest = &self.head;
        while let Some(link) = rest {
            values.push(link.value);
            rest = &link.next;
        }
        values.iter().eq(values.iter().rev())
    }
}

#[rep_ok]
impl Distinct {
    fn rep_ok(&self) -> bool {
        let (mut links, mut values) = (HashSet::new(), BTreeSet::new());
        let mut fresh = |link: &Link| links.insert(std::ptr::from_ref(link)) && values.insert(link.value);
        let mut at = self.head.as_deref();
        while let Some(link) = at {
            if !fresh(link) {
                return false;
            }
            at = link.next.as_deref();
        }
        true
    }
}

#[rep_ok]
impl NoTriples {
    /// No value stands three times in a row.
    fn rep_ok(&self) -> bool {
        let mut start = self.head.as_ref();
        'runs: while let Some(first) = start {
            let mut length = 1;
            let mut at = &first.next;
            while let Some(link) = at {
                if link.value != first.value {
                    start = Some(link);
                    continue 'runs;
                }
                length += 1;
                if length == 3 {
                    break 'runs;
                }
                at = &link.next;
            }
            return true;
        }
        self.head.is_none()
    }
}

#[rep_ok]
impl MiddleIsGreatest {
    fn rep_ok(&self) -> bool {
        let (mut slow, mut fast) = (&self.head, &self.head);
        while let Some(link) = fast {
            fast = &link.next;
            if let Some(link) = fast {
                fast = &link.next;
                slow = match slow {
                    Some(slow) => &slow.next,
                    None => unreachable!("the slow one is behind"),
                };
            }
        }
        let Some(middle) = slow else { return true };
        let mut at = &self.head;
        while let Some(link) = at {
            if link.value > middle.value {
                return false;
            }
            at = &link.next;
        }
        true
    }
}

#[rep_ok]
impl Explained {
    fn rep_ok(&self) -> bool {
        match Self::length(self.head.as_deref(), 0) {
            Ok(length) => length != 1,
            Err(why) => why.contains("at 2") && why.len() > 4,
        }
    }

    /// The length, or what is wrong and where.
    fn length(link: Option<&Link>, place: usize) -> Result<usize, String> {
        let Some(link) = link else { return Ok(place) };
        if usize::from(link.value) < place {
            return Err(format!("{} at {place}", link.value));
        }
        let length = Self::length(link.next.as_deref(), place + 1)?;
        if length > 3 { Err(String::from("long")) } else { Ok(length) }
    }
}

#[rep_ok]
impl PeekedAt {
    /// Each value differs by one from the next.
    fn rep_ok(&self) -> bool {
        let mut links = successors(self.head.as_deref(), |link| link.next.as_deref()).peekable();
        while let Some(link) = links.next() {
            if let Some(next) = links.peek()
                && link.value.abs_diff(next.value) != 1
            {
                return false;
            }
        }
        true
    }
}

#[rep_ok]
impl Window {
    /// No three neighbours add up to more than three.
    fn rep_ok(&self) -> bool {
        let mut window: VecDeque<u8> = VecDeque::with_capacity(3);
        let mut at = &self.head;
        while let Some(link) = at {
            if window.len() == 3 {
                window.pop_front();
            }
            let newest = window.back().copied();
            window.push_back(link.value);
            if newest == Some(link.value) && link.value == 0 {
                return false;
            }
            if window.iter().sum::<u8>() > 3 {
                return false;
            }
            at = &link.next;
        }
        true
    }
}

#[rep_ok]
impl Counted {
    /// Each value occurs as often as every other value that occurs, and there is one.
    fn rep_ok(&self) -> bool {
        let mut counts: HashMap<u8, u32> = HashMap::new();
        for link in successors(self.head.as_ref(), |link| link.next.as_ref()) {
            *counts.entry(link.value).or_insert(0) += 1;
        }
        let mut counts: Vec<u32> = counts.into_values().collect();
        counts.sort_unstable();
        counts.dedup();
        counts.len() == 1
    }
}

#[rep_ok]
impl Merged {
    /// Values in even places rise, values in odd places fall.
    fn rep_ok(&self) -> bool {
        let (mut low, mut high) = (Vec::new(), Vec::new());
        let mut at = self.head.as_deref();
        while let Some(Link { value, next }) = at {
            low.push(*value);
            std::mem::swap(&mut low, &mut high);
            at = next.as_deref();
        }
        if low.len() != high.len() {
            std::mem::swap(&mut low, &mut high);
        }
        low.is_sorted() && high.iter().rev().is_sorted() && low.first() != high.first()
    }
}

#[rep_ok]
impl Grouped {
    /// Links with one value stand next to each other, and no group is longer than the one before it.
    fn rep_ok(&self) -> bool {
        let mut groups: Vec<(u8, Vec<&Link>)> = Vec::new();
        let mut at = self.head.as_deref();
        while let Some(link) = at {
            match groups.last_mut() {
                Some((value, group)) if *value == link.value => group.push(link),
                _ => {
                    if groups.iter().any(|(value, _)| *value == link.value) {
                        return false;
                    }
                    groups.push((link.value, vec![link]));
                }
            }
            at = link.next.as_deref();
        }
        groups.is_sorted_by(|(_, one), (_, two)| one.len() >= two.len())
    }
}

/// A list with its length and its last value.
#[derive(Debug, Finitize)]
pub struct Ended {
    head: Option<Box<Link>>,
    len: usize,
    #[finitize(0..=2)]
    last: u8,
}

#[rep_ok]
impl Ended {
    fn rep_ok(&self) -> bool {
        let mut len = 0usize;
        let mut at = &self.head;
        let last = loop {
            let Some(link) = at else { break None };
            len += 1;
            if len > self.len {
                return false;
            }
            if link.next.is_none() {
                break Some(link.value);
            }
            at = &link.next;
        };
        len == self.len && last.unwrap_or_default() == self.last
    }
}

#[derive(Debug, Finitize)]
pub struct Bracket {
    #[finitize(['(', ')', '[', ']'])]
    sign: char,
    next: Option<Box<Bracket>>,
}

/// Brackets that match.
#[derive(Debug, Finitize)]
pub struct Brackets {
    first: Option<Box<Bracket>>,
}

#[rep_ok]
impl Brackets {
    fn rep_ok(&self) -> bool {
        let mut open = vec![];
        let mut at = &self.first;
        while let Some(bracket) = at {
            let top = open.last();
            match (bracket.sign, top) {
                (sign @ ('(' | '['), _) => open.push(sign),
                (')', Some('(')) | (']', Some('[')) => {
                    open.pop();
                }
                (')' | ']', _) => return false,
                (other, _) => unreachable!("{other}"),
            }
            at = &bracket.next;
        }
        open.is_empty()
    }
}

#[derive(Debug, Finitize)]
pub struct Step {
    #[finitize(-1..=1)]
    change: i32,
    next: Option<Box<Step>>,
}

/// A walk that never goes below where it started, and ends there.
#[derive(Debug, Finitize)]
pub struct Walk {
    start: Option<Box<Step>>,
    #[finitize(0..=2)]
    highest: i32,
}

#[rep_ok]
impl Walk {
    fn rep_ok(&self) -> bool {
        let mut highest = 0i32;
        let mut height = 0i32;
        let mut note = |height: i32| highest = highest.max(height);
        let mut at = &self.start;
        while let Some(step) = at {
            height += step.change;
            if height.is_negative() {
                return false;
            }
            note(height);
            at = &step.next;
        }
        height == 0 && highest == self.highest
    }
}

/// Two lists of which one is a prefix of the other.
#[derive(Debug, Finitize)]
pub struct Prefixed {
    whole: Option<Box<Link>>,
    part: Option<Box<Link>>,
}

#[rep_ok]
impl Prefixed {
    fn rep_ok(&self) -> bool {
        let (mut whole, mut part) = (&self.whole, &self.part);
        loop {
            match (whole, part) {
                (_, None) => return true,
                (None, Some(_)) => return false,
                (Some(one), Some(other)) if one.value != other.value => return false,
                (Some(one), Some(other)) => (whole, part) = (&one.next, &other.next),
            }
        }
    }
}
