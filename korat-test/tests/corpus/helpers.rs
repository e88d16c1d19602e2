//! Invariants that are spread over methods of several classes, and read through iterator chains.

use std::collections::BTreeMap;
use std::rc::Rc;

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
pub struct Room {
    #[finitize(0..=2)]
    size: u8,
    lit: bool,
    #[finitize(len = 0..=2)]
    doors: Vec<Rc<Room>>,
}

#[rep_ok(helpers)]
impl Room {
    fn depth(&self) -> usize {
        1 + self.doors.iter().map(|room| room.depth()).max().unwrap_or(0)
    }

    fn is_plain(&self) -> bool {
        !self.lit && self.doors.is_empty()
    }

    fn count_lit(&self, seen: &mut Vec<*const Room>) -> usize {
        if seen.contains(&std::ptr::from_ref(self)) {
            return 0;
        }
        seen.push(self);
        let mut lit = usize::from(self.lit);
        for room in &self.doors {
            lit += room.count_lit(seen);
        }
        lit
    }
}

/// Houses of at most `scope` rooms, one type for each invariant.
macro_rules! houses {
    ($($House:ident)*) => {$(
        #[derive(Debug, Finitize)]
        pub struct $House {
            #[finitize(len = 0..=2)]
            entrances: Vec<Rc<Room>>,
        }
    )*};
}

houses! { Shallow OneLamp Sizes Widest }

#[rep_ok]
impl Shallow {
    fn rep_ok(&self) -> bool {
        self.entrances.iter().all(|room| room.depth() <= 2) && !self.entrances.iter().any(|room| room.is_plain())
    }
}

#[rep_ok]
impl OneLamp {
    fn rep_ok(&self) -> bool {
        let mut seen = Vec::new();
        let lit: usize = self.entrances.iter().map(|room| room.count_lit(&mut seen)).sum();
        lit == 1 && seen.len() > 1
    }
}

#[rep_ok]
impl Sizes {
    /// Doors lead to smaller rooms.
    fn rep_ok(&self) -> bool {
        fn shrinks(room: &Room) -> bool {
            room.doors.iter().all(|next| next.size < room.size && shrinks(next))
        }
        match self.entrances.as_slice() {
            [] => false,
            [only] => shrinks(only),
            [one, other, ..] => one.size <= other.size && shrinks(one) && shrinks(other),
        }
    }
}

#[rep_ok]
impl Widest {
    /// The greatest room that has an entrance is lit, and there is one such size only.
    fn rep_ok(&self) -> bool {
        let mut by_size: BTreeMap<u8, Vec<&Rc<Room>>> = BTreeMap::new();
        for room in &self.entrances {
            by_size.entry(room.size).or_default().push(room);
        }
        let Some((_, widest)) = by_size.last_key_value() else { return true };
        let (lit, dark): (Vec<&Rc<Room>>, Vec<&Rc<Room>>) = widest.iter().partition(|room| room.lit);
        dark.is_empty() && lit.len() == 1
    }
}

#[derive(Debug, Finitize)]
pub struct Car {
    seats: u8,
    #[finitize(0..=2)]
    taken: u8,
    next: Option<Box<Car>>,
}

#[rep_ok(helpers)]
impl Car {
    fn free(&self) -> Option<u8> {
        self.seats.checked_sub(self.taken)
    }

    fn coupled(&self) -> impl Iterator<Item = &Car> {
        std::iter::successors(Some(self), |car| car.next.as_deref())
    }
}

/// Convoys of at most `scope` cars, one type for each invariant.
macro_rules! convoys {
    ($($Convoy:ident)*) => {$(
        #[derive(Debug, Finitize)]
        pub struct $Convoy {
            first: Option<Box<Car>>,
        }
    )*};
}

convoys! { Seated Scanned Folded Folding }

#[rep_ok]
impl Seated {
    fn rep_ok(&self) -> bool {
        let Some(first) = &self.first else { return true };
        let free: Option<Vec<u8>> = first.coupled().map(|car| car.free()).collect();
        free.is_some_and(|free| free.iter().filter(|&&free| free > 0).count() <= 1)
    }
}

#[rep_ok]
impl Scanned {
    /// Nobody has to go back further than where the seats so far suffice.
    fn rep_ok(&self) -> bool {
        let cars = self.first.iter().flat_map(|first| first.coupled());
        let balances = cars.scan(0i32, |balance, car| {
            *balance += i32::from(car.seats) - i32::from(car.taken);
            Some(*balance)
        });
        let mut last = None;
        for balance in balances {
            if balance < 0 {
                return false;
            }
            last = Some(balance);
        }
        last.unwrap_or(0) == 0
    }
}

#[rep_ok]
impl Folded {
    fn rep_ok(&self) -> bool {
        let Some(first) = self.first.as_deref() else { return false };
        let fullest = first.coupled().max_by_key(|car| car.taken).map(|car| car.taken);
        let (seats, taken): (Vec<u8>, Vec<u8>) = first.coupled().map(|car| (car.seats, car.taken)).unzip();
        seats.iter().max().copied() == fullest && seats.iter().rev().zip(&taken).all(|(seats, taken)| seats >= taken)
    }
}

#[rep_ok]
impl Folding {
    fn rep_ok(&self) -> bool {
        Self::fold(self.first.as_deref(), 0, &|sum, car| (car.taken <= car.seats).then(|| sum + car.taken)) == Some(2)
    }

    fn fold(car: Option<&Car>, sum: u8, step: &dyn Fn(u8, &Car) -> Option<u8>) -> Option<u8> {
        match car {
            None => Some(sum),
            Some(car) => Self::fold(car.next.as_deref(), step(sum, car)?, step),
        }
    }
}
