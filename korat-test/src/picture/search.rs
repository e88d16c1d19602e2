//! Draws the values of a `Search`.

use korat_core::{Finitize, Outline, RepOk};

use super::text;
use crate::config::Config;
use crate::search::Search;
use crate::subject::Subject;
use crate::summarised::Summariser;
use crate::values::{Next, Values};

impl<T: Finitize + RepOk> Search<T> {
    /// Draws the first `count` valid values as text.
    #[track_caller]
    pub fn draw(self, count: usize) -> Vec<String> {
        let mut drawn = Vec::new();
        self.each_outline(count, |_, outline| drawn.push(text(outline)));
        drawn
    }

    /// Passes the first `count` values with their numbers to `show`.
    #[track_caller]
    pub(crate) fn each_outline(self, count: usize, mut show: impl FnMut(u64, &Outline)) {
        let search = self.with_environment();
        each_outline(&Subject::new(search.bounds), &search.config, count, &mut |number, _, outline| {
            show(number, outline);
        });
    }
}

/// Passes the first `count` values with their numbers and sizes to `show`.
#[track_caller]
pub(super) fn each_outline(
    subject: &Subject,
    config: &Config,
    count: usize,
    show: &mut dyn FnMut(u64, usize, &Outline),
) {
    let searcher = subject.searcher(config.settings()).unwrap_or_else(|error| panic!("{error}"));
    let values = Values::new(searcher, config.settings(), config.order, config.sizes.range(subject.scope));
    let summariser = Summariser::new(config.summaries, subject.maker(config.settings()));
    let mut values = values.summarised_by(summariser);
    let mut number = 0;
    while number < count as u64 {
        match values.next() {
            Ok(Next::Value) => {
                number += 1;
                show(number, values.size(), &values.searcher().outline());
            }
            Ok(Next::Paused) => {}
            Ok(Next::Done) => return,
            Err(error) => panic!("{error}"),
        }
    }
}
