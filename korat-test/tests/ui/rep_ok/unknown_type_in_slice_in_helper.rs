//! A type that is neither a class nor of the standard library, behind a reference.

use korat::{Finitize, rep_ok};

struct Threshold {
    least: usize,
}

#[derive(Debug, Finitize)]
struct Event {
    count: usize,
}

#[rep_ok]
impl Event {
    fn rep_ok(&self) -> bool {
        self.above(&[Threshold { least: 0 }])
    }

    fn above(&self, thresholds: &[Threshold]) -> bool {
        thresholds.iter().all(|threshold| self.count > threshold.least)
    }
}

fn main() {
    korat::for_each_valid(Event::scope(3), |event| assert!(event.count > 0));
}
