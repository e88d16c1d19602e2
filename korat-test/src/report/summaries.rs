//! How a run got its values without searching for each: from summaries, or by descents.

use std::fmt;

use korat_core::{MethodNote, SummaryEffort};

use super::counted;

/// How parts of a structure were summarised.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SummaryReport {
    /// What it took.
    pub effort: SummaryEffort,
    /// How the calls of each method were treated.
    pub methods: Vec<MethodNote>,
    /// Why there are no summaries, if there are none.
    pub why_not: Option<String>,
}

impl fmt::Display for SummaryReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SummaryEffort { runs, repeated, tables, hits, .. } = self.effort;
        match &self.why_not {
            Some(why) => writeln!(f, "parts were not summarised: {why}")?,
            None => {
                let (runs, tables, hits) = (counted(runs, "run"), counted(tables, "table"), counted(hits, "call"));
                write!(f, "parts were summarised: {runs}, {tables}, {hits} answered")?;
                if repeated > 0 {
                    write!(f, ", {} known without a run", counted(repeated, "end"))?;
                }
                writeln!(f)?;
            }
        }
        for MethodNote { name, line, tables, outcomes, runs, hits, refused, .. } in &self.methods {
            match tables {
                0 => writeln!(f, "{line:>6}  {name}: not summarised")?,
                tables => writeln!(
                    f,
                    "{line:>6}  {name}: {}, {}, {}, {} answered",
                    counted(*tables, "table"),
                    counted(*outcomes, "outcome"),
                    counted(*runs, "run"),
                    counted(*hits, "call")
                )?,
            }
            for (why, times) in refused {
                writeln!(f, "        {} run instead: {why}", counted(*times, "call"))?;
            }
        }
        Ok(())
    }
}

/// How values were drawn at random where parts of the structure cannot be summarised: by descents, which pick a size, then an index at each choice,
/// and go on from rejected candidates as a search does. Each size that they reach has the same probability, but not each value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DescentReport {
    /// Why parts cannot be summarised.
    pub why: String,
    /// Number of descents, with and without a value.
    pub attempts: u64,
}
