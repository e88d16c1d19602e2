//! The part of every search that one process does, where several share the work.

use std::fmt;
use std::str::FromStr;

use crate::output::print_line;
use crate::report::{Report, counted, grouped};

mod divide;
mod scheduler;

pub use divide::Division;
pub(crate) use divide::{Share, depth};
pub(crate) use scheduler::{Asked, asked};

/// One of several parts of a search, of about the same work each: `2/8` is the second of eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shard {
    /// The number of the part; the first is 1.
    index: u32,
    /// The number of parts.
    of: u32,
}

impl Shard {
    /// Returns the part with a number, of which the first is 1; `None` if there is no such part.
    pub fn new(index: u32, of: u32) -> Option<Self> {
        (1..=of).contains(&index).then_some(Shard { index, of })
    }

    /// Returns the number of the part; the first is 1.
    pub fn index(self) -> u32 {
        self.index
    }

    /// Returns the number of parts.
    pub fn of(self) -> u32 {
        self.of
    }

    /// Says that an expected number of values is left to whoever adds up the reports of all parts.
    pub(crate) fn leave_to_the_sum(self, report: &Report, expected: u64) {
        let Report { type_name, scope, valid, .. } = report;
        print_line(&format!(
            "korat: whether {type_name} at scope {scope} has {} is left to the sum of all shards; shard {self} has {}",
            counted(expected, "value"),
            grouped(*valid)
        ));
    }

    /// Returns the number of the part; the first is 0.
    fn at(self) -> u32 {
        self.index - 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts =
            text.split_once('/').and_then(|(index, of)| Some((index.trim().parse().ok()?, of.trim().parse().ok()?)));
        let shard = parts.and_then(|(index, of)| Shard::new(index, of));
        shard.ok_or_else(|| format!("`{text}` is no shard: the second of eight is 2/8"))
    }
}
