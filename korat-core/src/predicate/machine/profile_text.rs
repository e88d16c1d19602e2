//! Formats a profile as text: one sentence that says where most candidates are rejected, a table of lines, and a table
//! of fields.

use std::fmt;

use super::profile::{Profile, ProfiledField, ProfiledLine};

/// Formats a percentage of the candidates, such as `93`; `less than 1` if a positive share rounds to zero.
fn percent(share: f64) -> String {
    let percent = (share * 100.0).round();
    if percent == 0.0 && share > 0.0 { "less than 1".to_string() } else { format!("{percent}") }
}

/// Formats a count, as `1 candidate` or `2 candidates`.
fn candidates(count: u64) -> String {
    format!("{count} candidate{}", if count == 1 { "" } else { "s" })
}

impl Profile {
    /// Says where most candidates are rejected, in one sentence without a full stop.
    ///
    /// For example, `line 31 rejects 93 % of 1234 candidates; the field read last was Node.key`.
    pub fn headline(&self) -> String {
        let all = candidates(self.explored);
        if self.rejected == 0 {
            return format!("no rejection in {all}");
        }
        if let Some(top) = self.lines.first() {
            let share = percent(self.share(top.rejected));
            let place = match top.line {
                Some(line) => format!("line {line}"),
                None => "what comes before the first read".to_string(),
            };
            return format!("{place} rejects {share} % of {all}; {}", read_last(top));
        }
        let Some(top) = self.fields.first() else {
            return format!("{all} rejected, and no field was read");
        };
        let share = percent(self.share(top.rejected));
        format!("{share} % of {all} are rejected after {} was read last", top.name)
    }
}

fn read_last(line: &ProfiledLine) -> String {
    let Some(most) = line.read_last.first() else { return "no field was decided before".to_string() };
    let mut text = format!("the field read last was {}", most.field);
    if let Some(read_at) = most.line.filter(|_| most.line != line.line) {
        text.push_str(&format!(" at line {read_at}"));
    }
    if most.candidates < line.rejected {
        let share = percent(most.candidates as f64 / line.rejected as f64);
        text.push_str(&format!(", in {share} % of them"));
    }
    text
}

/// Formats the most frequent field of a line: its name, the line that read it if that is another one, and the number of
/// further fields.
fn most_frequent(line: &ProfiledLine) -> String {
    let Some(most) = line.read_last.first() else { return "-".to_string() };
    let mut text = most.field.clone();
    if let Some(read_at) = most.line.filter(|_| most.line != line.line) {
        text.push_str(&format!(":{read_at}"));
    }
    if line.read_last.len() > 1 {
        text.push_str(&format!(" +{}", line.read_last.len() - 1));
    }
    text
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.map_or_else(String::new, |file| format!(" ({file})"));
        writeln!(f, "where rep_ok rejects{file}: {}", self.headline())?;
        if self.dead_ends > 0 {
            writeln!(
                f,
                "note: {} among the rejected found no object left for a reference that may not be null",
                candidates(self.dead_ends)
            )?;
        }
        if let Some(why) = &self.lines_unknown {
            writeln!(f, "note: its lines are not known, because it runs from the top for every candidate: {why}")?;
        }
        if !self.lines.is_empty() {
            let fields: Vec<String> = self.lines.iter().map(most_frequent).collect();
            let width = fields.iter().map(|field| field.chars().count()).max().unwrap_or(0).max("read last".len());
            writeln!(
                f,
                "{:>6} {:>12} {:>7} {:>12} {:>12}  {:width$}  statement",
                "line", "rejected", "share", "reads", "re-entered", "read last"
            )?;
            for (line, field) in self.lines.iter().zip(&fields) {
                let ProfiledLine { rejected, reads, reentries, text, .. } = line;
                let number = line.line.map_or_else(|| "-".to_string(), |line| line.to_string());
                let share = self.share(*rejected) * 100.0;
                let text = if line.line.is_none() { "(before the first read)" } else { text };
                writeln!(
                    f,
                    "{number:>6} {rejected:>12} {share:>5.1} % {reads:>12} {reentries:>12}  {field:width$}  {text}"
                )?;
            }
            writeln!(
                f,
                "note: a candidate counts for the last statement that began and may read a field; fields with one value only are \
                 passed over in `read last`"
            )?;
        }
        if !self.fields.is_empty() {
            writeln!(f, "{:>6} {:>12} {:>7} {:>12}  field", "", "read last", "share", "reads")?;
        }
        for ProfiledField { name, reads, rejected } in &self.fields {
            let share = self.share(*rejected) * 100.0;
            writeln!(f, "{:>6} {rejected:>12} {share:>5.1} % {reads:>12}  {name}", "")?;
        }
        Ok(())
    }
}
