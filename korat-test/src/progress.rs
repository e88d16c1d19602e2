//! The clock of a run: enforces the time limit and reports progress on standard error.
//!
//! Progress is estimated from the weighted position in the stack of choices, which assumes that every choice splits the
//! remaining candidates evenly; if that does not hold, no estimate is printed (see `estimate`). The time that a property
//! needs for the values that wait for the end of the search is unknown until they run.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use korat_core::Natural;

use crate::config::Config;
use crate::output::{clear_status, print_line, show_status};
use crate::report::{counted, grouped, share};
use crate::shard::Shard;
use crate::values::PassProgress;

/// Whether searches report their progress on standard error.
///
/// The percentage and the remaining time are estimates, based on the weighted position in the stack of choices: they assume
/// that every choice splits the remaining candidates evenly. They refer only to the sizes of the current pass and only to
/// searching them. Values that wait for the end of the pass are counted; the time for them is estimated once they run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress {
    /// Searches of more than two seconds report: on a terminal one line that is updated, elsewhere an occasional line.
    #[default]
    Auto,
    /// All searches report, from the start.
    Always,
    /// No search reports.
    Never,
}

/// Searches shorter than this report nothing.
const QUIET: Duration = Duration::from_secs(2);
/// Interval between updates of the status line on a terminal.
const REDRAW: Duration = Duration::from_millis(100);
/// Maximum interval between two lines if standard error is not a terminal.
const LONGEST: Duration = Duration::from_secs(60);
/// Maximum number of values between two reads of the clock. A read takes as long as a property that does nothing; with
/// 32 values per read its share is negligible, and a property that suddenly becomes slow is still noticed soon.
const MAX_READ_INTERVAL: u32 = 32;

/// The state of a search, for a progress report.
pub(crate) struct SearchState<'s> {
    pub(crate) type_name: &'s str,
    pub(crate) scope: usize,
    pub(crate) shard: Option<Shard>,
    pub(crate) explored: u64,
    pub(crate) valid: u64,
    /// The sizes of the current pass, as text.
    pub(crate) sizes: String,
    pub(crate) stage: PassProgress,
    /// The number of all values, if it is known.
    pub(crate) total: Option<Natural>,
}

/// Measures the time of a run.
pub(crate) struct Clock {
    started: Instant,
    deadline: Option<Instant>,
    progress: Progress,
    last_look: Instant,
    /// When the next line is due.
    next_line: Instant,
    /// Interval until the line after that.
    interval: Duration,
    on_terminal: bool,
    /// Whether a line was printed.
    has_shown: bool,
    /// Number of values between two reads of the clock, and number of values since the last read.
    read_interval: u32,
    waited: u32,
}

impl Clock {
    pub(crate) fn start(config: &Config) -> Self {
        let now = Instant::now();
        let on_terminal = std::io::stderr().is_terminal();
        let quiet = if config.progress == Progress::Always { Duration::ZERO } else { QUIET };
        Clock {
            started: now,
            deadline: config.time_limit.and_then(|limit| now.checked_add(limit)),
            progress: config.progress,
            last_look: now,
            next_line: now + quiet,
            interval: if on_terminal { REDRAW } else { QUIET },
            on_terminal,
            has_shown: false,
            read_interval: 1,
            waited: 0,
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Begins the time limit now: a short one could be over before the run does anything.
    pub(crate) fn begin_limit(&mut self, config: &Config) {
        self.deadline = config.time_limit.and_then(|limit| Instant::now().checked_add(limit));
    }

    /// Returns whether to read the clock after this value; reading it after every value would be too slow.
    pub(crate) fn is_due(&mut self) -> bool {
        self.waited += 1;
        if self.waited < self.read_interval {
            return false;
        }
        self.waited = 0;
        true
    }

    /// Reads the clock, and returns whether the time is over. Calls `state` only if a line is due.
    pub(crate) fn look<'s>(&mut self, state: impl FnOnce() -> SearchState<'s>) -> bool {
        self.look_with(|elapsed| line(&state(), elapsed))
    }

    /// Reads the clock, and returns whether the time is over. Calls `text`, with the time so far, only if a line is due.
    pub(crate) fn look_with(&mut self, text: impl FnOnce(Duration) -> String) -> bool {
        let now = Instant::now();
        let since = now - self.last_look;
        self.last_look = now;
        if since < Duration::from_millis(1) {
            self.read_interval = (self.read_interval * 2).min(MAX_READ_INTERVAL);
        } else if since > Duration::from_millis(20) {
            self.read_interval = (self.read_interval / 2).max(1);
        }
        if self.progress != Progress::Never && now >= self.next_line {
            self.show(&text(now - self.started));
            self.next_line = now + self.interval;
            if !self.on_terminal {
                self.interval = (self.interval * 2).min(LONGEST);
            }
        }
        self.deadline.is_some_and(|deadline| now >= deadline)
    }

    /// Returns whether a line was printed, because the search is slow.
    pub(crate) fn has_shown(&self) -> bool {
        self.has_shown
    }

    fn show(&mut self, line: &str) {
        self.has_shown = true;
        if self.on_terminal {
            show_status(line);
        } else {
            print_line(&format!("korat: {line}"));
        }
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        clear_status();
    }
}

fn line(state: &SearchState<'_>, elapsed: Duration) -> String {
    let SearchState { type_name, scope, shard, explored, valid, sizes, stage, total } = state;
    let shard = shard.map_or(String::new(), |shard| format!(", shard {shard}"));
    let rate = *explored as f64 / elapsed.as_secs_f64().max(0.001);
    let mut text = format!(
        "{type_name} at scope {scope}{shard}: {} explored, {} valid, {} a second",
        grouped(*explored),
        grouped(*valid),
        grouped(rate as u64)
    );
    match stage {
        &PassProgress::Searching { done, waiting } => {
            text.push_str(&match (total, done) {
                // This is exact.
                (Some(total), _) => format!("; {} of {total:#} values", share(*valid, total)),
                (None, Some((part, took))) => {
                    let left = took.as_secs_f64() * (1.0 - part) / part;
                    format!("; {sizes} about {:.0} % searched, {} left", part * 100.0, time(left))
                }
                (None, None) => format!("; searching {sizes}"),
            });
            if waiting > 0 {
                text.push_str(&format!(", {} found to run after it", counted(waiting, "value")));
            }
        }
        &PassProgress::Giving { given, since, left } => {
            text.push_str(&format!("; {sizes} searched, {} to run", counted(left, "value")));
            if given > 0 {
                text.push_str(&format!(", {} left", time(since.as_secs_f64() * left as f64 / given as f64)));
            }
        }
        PassProgress::Selecting { given, of: Some(of) } => {
            text.push_str(&format!("; {} of {of:#} values", grouped(*given)));
        }
        PassProgress::Selecting { of: None, .. } => text.push_str("; summarising parts"),
    }
    text
}

/// Formats an estimated time.
pub(crate) fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "less than 1 s".to_string(),
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s if s < 360_000.0 => format!("{:.0} h", s / 3600.0),
        s if s < 8.64e7 => format!("{:.0} days", s / 86_400.0),
        s if s < 3.15e13 => format!("{} years", grouped((s / 31_557_600.0) as u64)),
        _ => "millions of years".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_times_are_said_in_long_units() {
        let times = [0.5, 42.0, 300.0, 7_200.0, 400_000.0, 1e9, 1e20, f64::INFINITY].map(time);
        let expected =
            ["less than 1 s", "42 s", "5 min", "2 h", "5 days", "31 years", "millions of years", "millions of years"];
        assert_eq!(times, expected);
    }

    #[test]
    fn a_line_says_how_far_the_search_is() {
        let since = Duration::from_secs(10);
        let searching =
            |part: Option<f64>, waiting| PassProgress::Searching { done: part.map(|part| (part, since)), waiting };
        let giving = |given, left| PassProgress::Giving { given, since, left };
        let stages = [
            searching(None, 7),
            searching(Some(0.25), 0),
            searching(Some(0.01), 1),
            searching(Some(0.99), 4_862),
            giving(0, 4_862),
            giving(4_000, 862),
            giving(4_861, 1),
            PassProgress::Selecting { given: 0, of: None },
            PassProgress::Selecting { given: 4_862, of: Some(10_000.into()) },
        ];
        let of_total = |stage, total| {
            let sizes = "sizes up to 9".to_string();
            let (type_name, explored, valid) = ("Tree", 3_000_000, 4_862);
            let shard = None;
            let state = SearchState { type_name, scope: 9, shard, explored, valid, sizes, stage, total };
            line(&state, Duration::from_secs(12))
        };
        let mut lines = stages.map(|stage| of_total(stage, None)).to_vec();
        lines.push(of_total(searching(Some(0.5), 0), Some(11_859.into())));
        lines.push(of_total(searching(None, 7), Some(18_438_200.into())));
        insta::assert_snapshot!(lines.join("\n"), @"
        Tree at scope 9: 3,000,000 explored, 4,862 valid, 250,000 a second; searching sizes up to 9, 7 values found to run after it
        Tree at scope 9: 3,000,000 explored, 4,862 valid, 250,000 a second; sizes up to 9 about 25 % searched, 30 s left
        Tree at scope 9: 3,000,000 explored, 4,862 valid, 250,000 a second; sizes up to 9 about 1 % searched, 16 min left, 1 value found to run after it
        Tree at scope 9: 3,000,000 explored, 4,862 valid, 250,000 a second; sizes up to 9 about 99 % searched, less than 1 s left, 4,862 values found to run after it
        Tree at scope 9: 3,000,000 explored, 4,862 valid, 250,000 a second; sizes up to 9 searched, 4,862 values to run
        Tree at scope 9: 3,000,000 explored, 4,862 valid, 250,000 a second; sizes up to 9 searched, 862 values to run, 2 s left
        Tree at scope 9: 3,000,000 explored, 4,862 valid, 250,000 a second; sizes up to 9 searched, 1 value to run, less than 1 s left
        Tree at scope 9: 3,000,000 explored, 4,862 valid, 250,000 a second; summarising parts
        Tree at scope 9: 3,000,000 explored, 4,862 valid, 250,000 a second; 4,862 of 10,000 values
        Tree at scope 9: 3,000,000 explored, 4,862 valid, 250,000 a second; 41 % of 11,859 values
        Tree at scope 9: 3,000,000 explored, 4,862 valid, 250,000 a second; less than 0.1 % of 18,438,200 values, 7 values found to run after it
        ");
    }
}
