//! Reports the value on which an earlier run of the test crashed.

use super::Harness;
use crate::crash_note::{CrashedValue, RecordedValue};
use crate::output::print_line;
use crate::replay::Replay;
use crate::report::counted;

impl Harness {
    /// Reports the value on which an earlier run crashed.
    pub(super) fn report_crash(&self, crashed: &CrashedValue) {
        let test = &self.test_name;
        let beside = match crashed.others {
            0 => String::new(),
            others => {
                format!(" ({} ran properties beside it, and may be the cause)", counted(others as u64, "other thread"))
            }
        };
        let value = match self.show(crashed) {
            Some((drawing, replay)) => {
                format!("this value:\n\n{drawing}\nreplay: KORAT_REPLAY='{replay}' cargo test {test}")
            }
            // The types, the bounds or the invariant have changed since.
            None => "a value that no longer decodes".to_string(),
        };
        print_line(&format!("korat: the last run of {test} died{beside} while the property ran on {value}"));
    }

    /// Returns a drawing of the value on which a run crashed, and the text to replay it.
    fn show(&self, CrashedValue { scope, value, answers, .. }: &CrashedValue) -> Option<(String, Replay)> {
        let searcher = self.run.subject().searcher_at(*scope, self.run.config.settings());
        let mut searcher = searcher.ok()?;
        let number = match value {
            RecordedValue::Searched { choices, number } => {
                searcher.start_at(choices);
                searcher.advance().ok().filter(|found| *found)?;
                *number
            }
            RecordedValue::Summarised { assignment, number } => {
                searcher.go_to_assignment(assignment).then_some(*number)?
            }
            RecordedValue::Restored(slots) => {
                searcher.restore(slots).ok()?;
                0
            }
            // It has an owner of its own.
            RecordedValue::Sequence(_) => return None,
        };
        if let Some(before) = number.checked_sub(1) {
            self.companions.go_to((before % self.companions.len() as u64) as usize);
        }
        // Without answers, all of them are tried.
        let answers = answers.clone().unwrap_or_default();
        let replay = Replay { answers, ..self.replay_of(*scope, searcher.slot_vector()) };
        Some((self.companions.drawing(&searcher.outline()), replay))
    }
}
