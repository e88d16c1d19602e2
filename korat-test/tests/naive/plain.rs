//! Structures without references: scalars, a fieldless enum, a tuple struct, a vector.

use korat::{Finitize, rep_ok};

use crate::canonical::{canonical_fields, canonical_plain};
use crate::harness::{Space, Subject};

/// Where a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Finitize)]
pub enum State {
    Idle,
    Running,
    Failed,
}

const STATES: [State; 3] = [State::Idle, State::Running, State::Failed];

/// A state machine with its previous state.
#[derive(Debug, Finitize)]
pub struct Job {
    state: State,
    before: Option<State>,
    retries: u8,
    done: bool,
}

#[rep_ok]
impl Job {
    pub fn rep_ok(&self) -> bool {
        match (self.state, self.before) {
            (State::Idle, None) => self.retries == 0 && !self.done,
            (State::Idle, Some(_)) => false,
            (State::Running, Some(State::Idle | State::Failed)) => !self.done,
            (State::Failed, Some(State::Running)) => self.retries > 0,
            (State::Running | State::Failed, _) => false,
        }
    }
}

canonical_plain! { State }
canonical_fields! { Job { state, before, retries, done } }

impl Subject for Job {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (state, before, retries, done) = (space.slot(3), space.slot(4), space.slot(scope + 1), space.slot(2));
        space.each(|raw| {
            let before = raw[before].checked_sub(1).map(|index| STATES[index]);
            visit(Job { state: STATES[raw[state]], before, retries: raw[retries] as u8, done: raw[done] == 1 });
        });
    }
}

/// From, to, and whether the ends are left out.
#[derive(Debug, Finitize)]
pub struct Interval(u8, u8, bool);

#[rep_ok]
impl Interval {
    pub fn rep_ok(&self) -> bool {
        let inside = |point: u8| {
            if self.2 { self.0 < point && point < self.1 } else { (self.0..=self.1).contains(&point) }
        };
        (0..=9).any(inside)
    }
}

canonical_fields! { Interval { 0, 1, 2 } }

impl Subject for Interval {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (low, high, open) = (space.slot(scope + 1), space.slot(scope + 1), space.slot(2));
        space.each(|raw| visit(Interval(raw[low] as u8, raw[high] as u8, raw[open] == 1)));
    }
}

/// Scalars of four types.
#[derive(Debug, Finitize)]
pub struct Profile {
    age: Option<u8>,
    adult: bool,
    initial: char,
    #[finitize(-1..=1)]
    mood: i8,
}

#[rep_ok]
impl Profile {
    pub fn rep_ok(&self) -> bool {
        let Some(age) = self.age else {
            return !self.adult && self.mood.signum() != -1;
        };
        if self.adult != (age >= 2) {
            return false;
        }
        self.initial.is_ascii_lowercase() && (self.initial != 'a' || i8::try_from(age).is_ok_and(|age| age > self.mood))
    }
}

canonical_fields! { Profile { age, adult, initial, mood } }

impl Subject for Profile {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (age, adult, initial, mood) = (space.slot(scope + 2), space.slot(2), space.slot(scope + 1), space.slot(3));
        space.each(|raw| {
            visit(Profile {
                age: raw[age].checked_sub(1).map(|age| age as u8),
                adult: raw[adult] == 1,
                initial: char::from(b'a' + raw[initial] as u8),
                mood: raw[mood] as i8 - 1,
            });
        });
    }
}

/// Numbers in order, and their sum.
#[derive(Debug, Finitize)]
pub struct Sorted {
    #[finitize(1..=2, len = 0..=scope)]
    numbers: Vec<u8>,
    #[finitize(0..=2 * scope)]
    sum: usize,
}

#[rep_ok]
impl Sorted {
    pub fn rep_ok(&self) -> bool {
        self.numbers.windows(2).all(|pair| pair[0] <= pair[1])
            && self.numbers.iter().map(|&number| usize::from(number)).sum::<usize>() == self.sum
    }
}

canonical_fields! { Sorted { numbers, sum } }

impl Subject for Sorted {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (len, sum) = (space.slot(scope + 1), space.slot(2 * scope + 1));
        let numbers = space.objects(scope, [2]);
        space.each(|raw| {
            let numbers = numbers[..raw[len]].iter().map(|&[number]| raw[number] as u8 + 1).collect();
            visit(Sorted { numbers, sum: raw[sum] });
        });
    }
}
