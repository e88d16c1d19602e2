//! How steadily a search gets on. Takes its position in the stack of choices now and then; gives the part that lies behind, or
//! nothing where the positions so far do not tell.
//!
//! The position assumes that every choice splits what is left evenly. Where that is wrong it moves ever faster or ever slower:
//! then it says nothing about what is left.

/// Of less, the even split is extrapolated more than a hundredfold.
const LEAST_PART: f64 = 0.01;
/// How much faster or slower the second half of the way may have been than all of it.
const STEADY: f64 = 1.5;

/// The positions of a search, in the order of the time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pace {
    /// Time and position, each time an eighth later than the one before: few, however long the search takes.
    noted: Vec<(f64, f64)>,
}

impl Pace {
    /// Whether a position is of use at this time: not each has to be found out.
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

    /// The part that lies behind, and the time that it took, both since the first position that was noted: what was behind by then
    /// says nothing, because the first choice may be between nothing at all and everything else.
    pub(crate) fn part(&self, time: f64, position: f64) -> Option<(f64, f64)> {
        let &(start, before) = self.noted.first()?;
        let (took, part) = (time - start, (position - before) / (1.0 - before));
        let half = self.noted.iter().rev().find(|(noted, _)| *noted > start && noted - start <= took / 2.0)?;
        let speed = part / took;
        let lately = (position - half.1) / (1.0 - before) / (time - half.0);
        let is_steady = (1.0 / STEADY..=STEADY).contains(&(lately / speed));
        (part >= LEAST_PART && is_steady).then_some((part.min(1.0), took))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a search that stands at `position(time)` says of all the time that it takes, which is 1, and when it does.
    fn estimates(position: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
        let mut pace = Pace::default();
        let mut estimates = Vec::new();
        for time in (1..=1000).map(|time| f64::from(time) / 1000.0) {
            if pace.is_due(time) {
                pace.note(time, position(time));
            }
            estimates.extend(pace.part(time, position(time)).map(|(part, took)| (time, took / part)));
        }
        assert!(pace.noted.len() < 100, "{} are noted", pace.noted.len());
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
    fn of_a_search_that_is_not_nothing_is_said() {
        assert_eq!(estimates(|time| time.powi(4)), []);
        // One that gets slower was steady at first.
        assert_eq!(estimates(|time| time.powf(0.25)).last().filter(|(time, _)| *time > 0.02), None);
    }
}
