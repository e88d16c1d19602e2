//! An invariant of a type that is no class.

use korat::rep_ok;

#[derive(Debug)]
struct Event {
    count: usize,
}

#[rep_ok]
impl Event {
    fn rep_ok(&self) -> bool {
        self.count > 0
    }
}

fn main() {}
