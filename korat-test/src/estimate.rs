//! Estimates how much of a search is done from samples of its position in the stack of choices, or returns nothing if
//! the samples do not allow it.
//!
//! The position assumes that every choice splits the remaining candidates evenly. If it accelerates or slows down, the
//! assumption is wrong, and the position says nothing about the remaining work.

/// Minimum part for an estimate; a smaller one would be extrapolated more than twentyfold.
const LEAST_PART: f64 = 0.05;
/// Maximum ratio, in either direction, between the speed lately and the overall speed. With this and `SINCE`, the time left is
/// right within a factor of three for positions that are any power of the time, as a test checks; 1.5 gave a factor of 70.
const STEADY: f64 = 1.15;
/// The beginnings of the periods whose speeds are compared with the overall speed, as parts of the time.
const SINCE: [f64; 2] = [0.25, 0.5];

/// Samples of the position of a search, in chronological order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Estimator {
    /// Time and position of each sample. Each interval is at least an eighth of the time since the first sample, so
    /// that even a long search has few samples.
    noted: Vec<(f64, f64)>,
}

impl Estimator {
    /// Returns whether to take a sample at this time, since computing the position is not free.
    pub(crate) fn is_due(&self, time: f64) -> bool {
        match self.noted[..] {
            [] => true,
            [(first, _), ..] => {
                let (last, _) = self.noted[self.noted.len() - 1];
                time - last > (last - first) / 8.0
            }
        }
    }

    pub(crate) fn note(&mut self, time: f64, position: f64) {
        self.noted.push((time, position));
    }

    /// Returns the part of the search that is done, and the time it took, both since the first sample. The work before
    /// the first sample says nothing, because the first choice may be between an empty structure and everything else.
    pub(crate) fn part(&self, time: f64, position: f64) -> Option<(f64, f64)> {
        let &(start, before) = self.noted.first()?;
        let (took, part) = (time - start, (position - before) / (1.0 - before));
        let speed = part / took;
        let is_steady = SINCE.iter().all(|since| {
            let from = self.noted.iter().rev().find(|(noted, _)| *noted > start && noted - start <= took * since);
            from.is_some_and(|(noted, there)| {
                let lately = (position - there) / (1.0 - before) / (time - noted);
                (1.0 / STEADY..=STEADY).contains(&(lately / speed))
            })
        });
        (part >= LEAST_PART && is_steady).then_some((part.min(1.0), took))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the estimates of the total time, which is 1, for a search with this position at each time, and when they
    /// are made.
    fn estimates(position: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
        let mut estimator = Estimator::default();
        let mut estimates = Vec::new();
        for time in (1..=1000).map(|time| f64::from(time) / 1000.0) {
            if estimator.is_due(time) {
                estimator.note(time, position(time));
            }
            estimates.extend(estimator.part(time, position(time)).map(|(part, took)| (time, took / part)));
        }
        assert!(estimator.noted.len() < 100, "{} are noted", estimator.noted.len());
        estimates
    }

    #[test]
    fn a_steady_search_is_estimated_from_the_beginning() {
        for jump in [0.0, 0.5, 0.9] {
            let estimates = estimates(|time| jump + (1.0 - jump) * time);
            assert!(estimates.len() > 900, "{}", estimates.len());
            assert!(estimates.iter().all(|(_, estimate)| (0.95..1.05).contains(estimate)), "{estimates:?}");
        }
    }

    #[test]
    fn the_time_left_is_right_within_a_factor_of_three_or_not_said() {
        let mut said = 0;
        for power in (2..80).map(|power| f64::from(power) / 20.0) {
            for (time, total) in estimates(|time| time.powf(power)) {
                // The last percent is a matter of rounding.
                let ratio = (total - time) / (1.0 - time);
                assert!(time > 0.99 || (1.0 / 3.0..3.0).contains(&ratio), "{power}: {ratio} at {time}");
                said += 1;
            }
        }
        assert!(said > 7000, "{said} estimates");
    }

    #[test]
    fn of_a_search_that_is_not_nothing_is_said() {
        assert_eq!(estimates(|time| time.powi(4)), []);
        // A search that slows down looks steady at first.
        assert_eq!(estimates(|time| time.powf(0.25)).last().filter(|(time, _)| *time > 0.02), None);
    }
}
