//! Histograms of the values of a run by size and by label, printed as bar charts.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use crate::labels;
use crate::report::{counted, grouped};

/// Counts of the values of a run; see [`Search::stats`](crate::Search::stats). `Display` prints a bar chart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    values: u64,
    sizes: Vec<(usize, u64)>,
    labels: BTreeMap<Label, u64>,
    /// Number of values without a label.
    unlabelled: u64,
}

impl Stats {
    /// Creates statistics of values that were counted before.
    pub(crate) fn with_labels(labels: Vec<(String, u64)>, unlabelled: u64) -> Self {
        let labels = labels.into_iter().map(|(label, values)| (Label(label), values)).collect();
        Stats { labels, unlabelled, ..Stats::default() }
    }

    /// Returns the number of values.
    pub fn values(&self) -> u64 {
        self.values
    }

    /// Returns the sizes in ascending order, with the number of values of each size.
    pub fn sizes(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.sizes.iter().copied()
    }

    /// Returns the labels in alphabetical order, comparing numbers in them by value, with the number of values of each label.
    pub fn labels(&self) -> impl Iterator<Item = (&str, u64)> {
        self.labels.iter().map(|(label, count)| (label.0.as_str(), *count))
    }

    /// Returns the number of values without a label.
    pub fn unlabelled(&self) -> u64 {
        self.unlabelled
    }

    /// Sets the sizes of all values so far.
    pub(crate) fn with_sizes(mut self, by_size: &[(usize, u64)]) -> Self {
        self.sizes = by_size.to_vec();
        self.values = by_size.iter().map(|(_, values)| values).sum();
        self
    }

    pub(crate) fn count_labels(&mut self, labels: Vec<String>) {
        self.unlabelled += u64::from(labels.is_empty());
        for label in labels {
            *self.labels.entry(Label(label)).or_default() += 1;
        }
    }

    /// Adds the labels that another thread has counted.
    pub(crate) fn add(&mut self, other: Stats) {
        self.unlabelled += other.unlabelled;
        for (label, values) in other.labels {
            *self.labels.entry(label).or_default() += values;
        }
    }
}

/// Runs a property on a value, and counts its labels if there are statistics.
pub(crate) fn labelled<R>(stats: &mut Option<Stats>, property: impl FnOnce() -> R) -> R {
    labels::gather(stats.is_some(), property, |labels| {
        if let Some(stats) = stats {
            stats.count_labels(labels);
        }
    })
}

/// Runs one poll of an asynchronous property, and adds its new labels to `so_far`.
#[cfg(feature = "async")]
pub(crate) fn labelled_step(wanted: bool, so_far: &mut Vec<String>, step: &mut dyn FnMut()) {
    labels::gather(wanted, step, |labels| {
        let new: Vec<String> = labels.into_iter().filter(|label| !so_far.contains(label)).collect();
        so_far.extend(new);
    });
}

/// A label, ordered so that `height 2` comes before `height 10`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Label(String);

impl Ord for Label {
    fn cmp(&self, other: &Self) -> Ordering {
        let (mut one, mut two) = (self.0.as_str(), other.0.as_str());
        loop {
            let (number, other_number) = (leading_digits(one), leading_digits(two));
            let order = if number.is_empty() || other_number.is_empty() {
                let (a, b) = (one.chars().next(), two.chars().next());
                if a.is_none() && b.is_none() {
                    // The labels differ at most in the leading zeros of numbers.
                    return self.0.cmp(&other.0);
                }
                one = &one[a.map_or(0, char::len_utf8)..];
                two = &two[b.map_or(0, char::len_utf8)..];
                a.cmp(&b)
            } else {
                (one, two) = (&one[number.len()..], &two[other_number.len()..]);
                let (number, other_number) = (number.trim_start_matches('0'), other_number.trim_start_matches('0'));
                number.len().cmp(&other_number.len()).then_with(|| number.cmp(other_number))
            };
            if order.is_ne() {
                return order;
            }
        }
    }
}

impl PartialOrd for Label {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn leading_digits(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())]
}

/// Length of the longest bar, in characters.
const WIDTH: u64 = 40;

/// Writes one histogram. The largest count has the longest bar, and every non-zero count has at least a short one.
fn histogram(f: &mut fmt::Formatter<'_>, values: u64, rows: &[(String, u64)]) -> fmt::Result {
    let most = rows.iter().map(|row| row.1).max().unwrap_or(0).max(1);
    let name_width = rows.iter().map(|row| row.0.chars().count()).max().unwrap_or(0);
    let count_width = rows.iter().map(|row| grouped(row.1).len()).max().unwrap_or(0);
    for (name, count) in rows {
        let bar = "#".repeat((count * WIDTH).div_ceil(most) as usize);
        let share = *count as f64 / values as f64 * 100.0;
        let count = grouped(*count);
        writeln!(f, "  {name:>name_width$} {count:>count_width$} {share:>5.1} % {bar}")?;
    }
    Ok(())
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.values == 0 {
            return writeln!(f, "no values to count");
        }
        writeln!(f, "{} by size:", counted(self.values, "value"))?;
        let sizes: Vec<(String, u64)> = self.sizes().map(|(size, count)| (size.to_string(), count)).collect();
        histogram(f, self.values, &sizes)?;
        if self.labels.is_empty() {
            return Ok(());
        }
        writeln!(f, "by label:")?;
        let mut labels: Vec<(String, u64)> = self.labels().map(|(label, count)| (label.to_string(), count)).collect();
        if self.unlabelled > 0 {
            labels.push(("(no label)".to_string(), self.unlabelled));
        }
        histogram(f, self.values, &labels)
    }
}

#[cfg(test)]
mod tests {
    use super::Label;

    #[test]
    fn numbers_in_labels_are_ordered_by_value() {
        let sorted = ["", "a", "a2", "a02", "a10", "a10b", "b 1 9", "b 1 10", "b 2", "ba", "10", "9", "é"];
        let mut labels: Vec<Label> = sorted.iter().rev().map(|text| Label((*text).to_string())).collect();
        labels.sort();
        let texts: Vec<&str> = labels.iter().map(|label| label.0.as_str()).collect();
        assert_eq!(texts, ["", "9", "10", "a", "a02", "a2", "a10", "a10b", "b 1 9", "b 1 10", "b 2", "ba", "é"]);
        for one in &labels {
            for two in &labels {
                assert_eq!(one.cmp(two), two.cmp(one).reverse(), "{one:?} {two:?}");
                assert_eq!(one.cmp(two).is_eq(), one == two);
            }
        }
    }
}
