//! Loops whose locals rustc would not let be borrowed or assigned at the head of each round, or whose types it does not know
//! there: they stay as they are, and all others must compile beside them.

#![allow(warnings, reason = "people write these, and they must work")]

use std::collections::BTreeSet;

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
pub struct Cell {
    #[finitize(0..=2)]
    key: u8,
    next: Option<Box<Cell>>,
}

macro_rules! chains {
    ($($Chain:ident)*) => {$(
        #[derive(Debug, Finitize)]
        pub struct $Chain {
            head: Option<Box<Cell>>,
        }
    )*};
}

chains! {
    Borrowed MovedOut Replaced Deferred Open Captured Printed Constants ByReference Shadowed Outer Generic Pushed Values Texts
    Twofold Threefold Lent
}

#[rep_ok]
impl Borrowed {
    /// `count` is borrowed wherever the loop goes on.
    fn rep_ok(&self) -> bool {
        let mut count = 0u8;
        let counter = &mut count;
        let mut at = &self.head;
        let mut last = 0;
        while let Some(cell) = at {
            *counter = counter.wrapping_add(1);
            if cell.key == 2 {
                last = count;
                break;
            }
            at = &cell.next;
        }
        last != 1
    }
}

#[rep_ok]
impl MovedOut {
    /// `keys` is there only inside a round.
    fn rep_ok(&self) -> bool {
        let mut keys: Vec<u8> = vec![0];
        let mut sum = keys.len();
        drop(keys);
        let mut at = &self.head;
        while let Some(cell) = at {
            keys = vec![cell.key];
            keys.push(1);
            sum += keys.into_iter().map(usize::from).sum::<usize>();
            at = &cell.next;
        }
        sum % 2 == 1
    }
}

#[rep_ok]
impl Replaced {
    fn rep_ok(&self) -> bool {
        let mut text = String::new();
        let mut at = &self.head;
        while let Some(cell) = at {
            let before = text;
            text = format!("{before}{}", cell.key);
            at = &cell.next;
        }
        text != "01"
    }
}

#[rep_ok]
impl Deferred {
    fn rep_ok(&self) -> bool {
        let first;
        let mut at = &self.head;
        loop {
            match at {
                Some(cell) if cell.key == 0 => at = &cell.next,
                Some(cell) => {
                    first = cell.key;
                    break;
                }
                None => return false,
            }
        }
        first == 2
    }
}

#[rep_ok]
impl Open {
    /// Only what follows the loop says what `links` and `none` hold.
    fn rep_ok(&self) -> bool {
        let mut links = Vec::new();
        let mut none = None;
        let mut at = &self.head;
        while let Some(cell) = at {
            if links.len() > 1 || none.is_some() {
                return false;
            }
            at = &cell.next;
            if cell.key == 1 {
                break;
            }
        }
        links.push(&self.head);
        none = self.head.as_ref().map(|head| head.as_ref());
        none.is_some_and(|head| head.key > 0) && links.len() == 1
    }
}

#[rep_ok]
impl Captured {
    fn rep_ok(&self) -> bool {
        let (mut sum, mut seen) = (0, BTreeSet::new());
        let mut fresh = |cell: &Cell| {
            sum += cell.key;
            seen.insert(cell.key)
        };
        let mut at = self.head.as_deref();
        while let Some(cell) = at {
            if !fresh(cell) {
                return false;
            }
            at = cell.next.as_deref();
        }
        sum != 1
    }
}

#[rep_ok]
impl Printed {
    fn rep_ok(&self) -> bool {
        let mut len = 0;
        let mut at = &self.head;
        let wanted = "1-2";
        while let Some(cell) = at {
            let text = format!("{len}-{key}", key = cell.key);
            assert!(text.len() >= 3, "{text} {:?} {len}", self.head.is_some());
            if text == wanted {
                return true;
            }
            len += 1;
            at = &cell.next;
        }
        false
    }
}

#[rep_ok]
impl Constants {
    fn rep_ok(&self) -> bool {
        const MOST: u8 = 1;
        let mut at = &self.head;
        let mut rest = MOST;
        while let Some(cell) = at {
            match cell.key {
                MOST => {
                    const STEP: u8 = 1;
                    if rest < STEP {
                        return false;
                    }
                    rest -= STEP;
                }
                _ => {}
            }
            at = &cell.next;
        }
        rest == 0
    }
}

#[rep_ok]
impl ByReference {
    fn rep_ok(&self) -> bool {
        let mut pair = (0u8, 0u8);
        let (ref mut one, ref two) = pair;
        let mut at = &self.head;
        while let Some(cell) = at {
            *one += cell.key;
            if *one > 3 + *two {
                return false;
            }
            at = &cell.next;
        }
        pair.0 > 0
    }
}

#[rep_ok]
impl Shadowed {
    fn rep_ok(&self) -> bool {
        let keys = vec![1u8];
        let sum: u8 = keys.into_iter().sum();
        let mut last = Some(sum);
        let mut at = &self.head;
        while let Some(cell) = at {
            let keys = [cell.key, sum];
            if let Some(last) = last
                && keys[0] < last
            {
                return false;
            }
            let last_key = keys.iter().max().copied();
            last = last_key;
            at = &cell.next;
        }
        last == Some(2)
    }
}

#[rep_ok]
impl Outer {
    fn rep_ok(&self) -> bool {
        let mut rounds = 0;
        'rounds: for least in 0..=1u8 {
            let mut at = &self.head;
            while let Some(cell) = at {
                if cell.key < least {
                    continue 'rounds;
                }
                if cell.key == 2 {
                    break 'rounds;
                }
                at = &cell.next;
            }
            rounds += 1;
        }
        rounds == 1
    }
}

#[rep_ok]
impl Generic {
    fn rep_ok(&self) -> bool {
        Self::sum(&self.head, 0u16, |sum, key| sum + u16::from(key)) == 2
    }

    fn sum<T, F: Fn(T, u8) -> T>(chain: &Option<Box<Cell>>, start: T, add: F) -> T {
        let mut sum = start;
        let mut at = chain;
        while let Some(cell) = at {
            sum = add(sum, cell.key);
            at = &cell.next;
        }
        sum
    }
}

#[rep_ok]
impl Pushed {
    /// A borrow of a local is kept in another one.
    fn rep_ok(&self) -> bool {
        let (mut limit, mut kept) = (1u8, Vec::new());
        kept.push(&limit);
        let mut at = &self.head;
        while let Some(cell) = at {
            if cell.key > *kept[0] {
                limit = cell.key;
                break;
            }
            at = &cell.next;
        }
        limit == 2
    }
}

#[rep_ok]
impl Values {
    fn rep_ok(&self) -> bool {
        let mut at = &self.head;
        let found = loop {
            match at {
                Some(cell) if cell.key > 0 => break cell.key,
                Some(cell) => at = &cell.next,
                None => break 0,
            }
        };
        found == 2
    }
}

#[rep_ok]
impl Texts {
    fn rep_ok(&self) -> bool {
        Self::checked(&self.head).is_ok_and(|sum| sum > 1)
    }

    fn checked(chain: &Option<Box<Cell>>) -> Result<u8, String> {
        let (mut at, mut sum) = (chain, 0u8);
        while let Some(cell) = at {
            sum = Self::small(sum + cell.key)?;
            at = &cell.next;
        }
        Ok(sum)
    }

    fn small(sum: u8) -> Result<u8, &'static str> {
        if sum < 4 { Ok(sum) } else { Err("large") }
    }
}

#[rep_ok]
impl Twofold {
    fn rep_ok(&self) -> bool {
        let (mut slow, mut fast) = (&self.head, &self.head);
        while let Some(one) = fast {
            let Some(two) = &one.next else { break };
            fast = &two.next;
            if let Some(cell) = slow {
                slow = &cell.next;
            }
        }
        slow.as_ref().is_some_and(|cell| cell.key == 1)
    }
}

#[rep_ok]
impl Threefold {
    fn rep_ok(&self) -> bool {
        let mut sums = 0usize;
        let mut one = &self.head;
        while let Some(first) = one {
            let mut two = &first.next;
            while let Some(second) = two {
                let mut three = &second.next;
                while let Some(third) = three {
                    sums += usize::from(first.key + second.key == third.key);
                    three = &third.next;
                }
                two = &second.next;
            }
            one = &first.next;
        }
        sums == 1
    }
}

#[rep_ok]
impl Lent {
    fn rep_ok(&self) -> bool {
        let mut left = 3u8;
        Self::take(&self.head, &mut left) && left == 1
    }

    fn take(chain: &Option<Box<Cell>>, left: &mut u8) -> bool {
        let mut at = chain;
        while let Some(cell) = at {
            if cell.key > *left {
                return false;
            }
            *left -= cell.key;
            at = &cell.next;
        }
        true
    }
}
