//! Runs contestants in alternating turns, so that load on the machine affects all of them. Takes functions that return
//! how long they took; returns the best and the median time of each.

use std::time::{Duration, Instant};

/// The number of turns.
#[derive(Clone, Copy)]
pub struct Turns {
    least: usize,
    most: usize,
    /// No further turn begins after this time, once there were `least` turns.
    budget: Duration,
}

impl Turns {
    pub const ONE: Turns = Turns { least: 1, most: 1, budget: Duration::ZERO };
    pub const FOR_A_ROW: Turns = Turns { least: 3, most: 15, budget: Duration::from_secs(2) };
    pub const FOR_A_CONTEST: Turns = Turns { least: 11, most: 11, budget: Duration::ZERO };
}

/// The times of one contestant.
pub struct Times {
    pub turns: usize,
    pub best: Duration,
    pub median: Duration,
}

/// Runs each contestant once per turn.
pub fn in_turns(turns: Turns, contestants: &mut [&mut dyn FnMut() -> Duration]) -> Vec<Times> {
    let started = Instant::now();
    let mut times = vec![Vec::new(); contestants.len()];
    for turn in 0..turns.most {
        if turn >= turns.least && started.elapsed() >= turns.budget {
            break;
        }
        for (contestant, times) in contestants.iter_mut().zip(&mut times) {
            times.push(contestant());
        }
    }
    let summary = |mut times: Vec<Duration>| {
        times.sort();
        Times { turns: times.len(), best: times[0], median: times[times.len() / 2] }
    };
    times.into_iter().map(summary).collect()
}
