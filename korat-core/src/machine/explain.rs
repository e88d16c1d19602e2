//! How a predicate is run, for people: which statements are re-entered and how often, which are replayed, and why.

use crate::ambient::Unfit;
use std::fmt;

/// A statement of the user's that can be re-entered.
#[derive(Clone, Copy, Debug)]
pub struct BlockInfo {
    /// Its line.
    pub line: u32,
    /// Its method.
    pub method: &'static str,
    /// The beginning of its text.
    pub text: &'static str,
    /// Why a part of it is run again as a whole, if there is a closure or a call in it.
    pub replayed: &'static str,
}

/// A block that can be re-entered.
pub const fn block(line: u32, method: &'static str, text: &'static str, replayed: &'static str) -> Option<BlockInfo> {
    Some(BlockInfo { line, method, text, replayed })
}

/// A block that cannot.
pub const NO_BLOCK: Option<BlockInfo> = None;

/// What is known of a machine before it runs.
#[derive(Clone, Copy, Debug)]
pub struct MachineInfo {
    /// The user's file.
    pub file: &'static str,
    /// One per block that can be re-entered; others have none.
    pub blocks: &'static [Option<BlockInfo>],
    /// Methods that are not part of the machine, and why.
    pub left_out: &'static [(&'static str, &'static str)],
}

/// How often the blocks of a machine were re-entered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reentries {
    /// Per block: re-entries, and those among them that ran decided reads again.
    counts: Vec<(u64, u64)>,
}

impl Reentries {
    /// A block was re-entered; `replays`: a choice before the one that moved on was made by the same statement.
    pub(crate) fn note(&mut self, label: u32, replays: bool) {
        let label = label as usize;
        if self.counts.len() <= label {
            self.counts.resize(label + 1, (0, 0));
        }
        self.counts[label].0 += 1;
        self.counts[label].1 += u64::from(replays);
    }
}

/// How a search ran the predicate.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The file of the predicate.
    pub file: &'static str,
    /// The statements at which choices were or may be made, in the order of the source.
    pub statements: Vec<Statement>,
    /// What is not as fast as it could be, and why.
    pub notes: Vec<String>,
}

/// A statement at which choices may be made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Statement {
    /// Its line.
    pub line: u32,
    /// Its method.
    pub method: &'static str,
    /// The beginning of its text.
    pub text: &'static str,
    /// How often the search came back to it.
    pub reentries: u64,
    /// How many of these ran reads again that were decided before.
    pub replays: u64,
    /// Why it is not taken apart further; empty if it is.
    pub replayed: &'static str,
}

impl Explanation {
    pub(crate) fn new(
        info: MachineInfo,
        reentries: &Reentries,
        cloned: &[&'static str],
        unfit: Option<(u32, Unfit)>,
    ) -> Self {
        let mut statements: Vec<Statement> = (info.blocks.iter().enumerate())
            .filter_map(|(label, block)| {
                let BlockInfo { line, method, text, replayed } = (*block)?;
                let (reentries, replays) = reentries.counts.get(label).copied().unwrap_or_default();
                Some(Statement { line, method, text, reentries, replays, replayed })
            })
            .collect();
        statements.sort_by_key(|statement| statement.line);
        let mut notes = Vec::new();
        for (method, why) in info.left_out {
            notes
                .push(format!("`{method}` is not part of the machine: {why}; each call of it is run again as a whole"));
        }
        for type_name in cloned {
            notes.push(format!("a local that lives over several reads is a `{type_name}`, which is saved by clone"));
        }
        if let Some(unfit) = unfit {
            notes.push(format!("rep_ok is run from the top for every candidate: {}", why_unfit(info, unfit)));
        }
        Explanation { file: info.file, statements, notes }
    }
}

/// Why a predicate cannot be re-entered: the statement and the type of a local that cannot be restored.
pub(super) fn why_unfit(info: MachineInfo, (label, Unfit { type_name, why }): (u32, Unfit)) -> String {
    let block = info.blocks.get(label as usize).copied().flatten();
    let place = block.map_or_else(String::new, |block| format!("at line {} or shortly after it, ", block.line));
    format!("{place}a local that lives over several reads is a `{type_name}`, {why}")
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "how rep_ok was run ({}):", self.file)?;
        writeln!(f, "{:>6} {:>12} {:>12}  statement", "line", "re-entered", "replayed")?;
        for Statement { line, text, reentries, replays, replayed, .. } in &self.statements {
            write!(f, "{line:>6} {reentries:>12} {replays:>12}  {text}")?;
            if replayed.is_empty() {
                writeln!(f)?;
            } else {
                writeln!(f, "  [replayed from its start: {replayed}]")?;
            }
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "note: {note}"))
    }
}
