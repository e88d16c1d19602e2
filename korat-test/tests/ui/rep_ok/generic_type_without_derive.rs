//! An invariant of a type with parameters that is no class.

use korat::rep_ok;

struct Pair<T> {
    left: T,
}

#[rep_ok]
impl<T: PartialEq> Pair<T> {
    fn rep_ok(&self) -> bool {
        self.left == self.left
    }
}

fn main() {}
