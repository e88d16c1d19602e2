//! Explains to users how a predicate was run: which statements were re-entered and how often, which were replayed, and
//! why.

use std::fmt;

use crate::engine::stop::NotResumable;

/// A statement of the user's predicate that can be re-entered.
#[derive(Clone, Copy, Debug)]
pub struct BlockInfo {
    /// Its line number.
    pub line: u32,
    /// The method that contains it.
    pub method: &'static str,
    /// The beginning of its source text.
    pub text: &'static str,
    /// Why a part of it is replayed as a whole, namely the closure or call in it; empty if no part is.
    pub replayed: &'static str,
}

/// Describes a block that can be re-entered.
pub const fn block(line: u32, method: &'static str, text: &'static str, replayed: &'static str) -> Option<BlockInfo> {
    Some(BlockInfo { line, method, text, replayed })
}

/// Stands for a block that cannot be re-entered.
pub const NO_BLOCK: Option<BlockInfo> = None;

/// Static description of a machine.
#[derive(Clone, Copy, Debug)]
pub struct MachineInfo {
    /// The user's source file.
    pub file: &'static str,
    /// One entry per block; `None` for blocks that cannot be re-entered.
    pub blocks: &'static [Option<BlockInfo>],
    /// Methods that are not part of the machine, each with the reason.
    pub left_out: &'static [(&'static str, &'static str)],
}

/// Counts how often the blocks of a machine were re-entered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reentries {
    /// Per block: the number of re-entries, and how many of them replayed reads of assigned slots.
    counts: Vec<(u64, u64)>,
}

impl Reentries {
    /// Records a re-entry of a block. `replays` says that the same statement made a choice before the one that
    /// advanced.
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
    /// The source file of the predicate.
    pub file: &'static str,
    /// The statements at which choices were or may be made, in source order.
    pub statements: Vec<Statement>,
    /// What slows the search down, and why.
    pub notes: Vec<String>,
}

/// A statement at which choices may be made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Statement {
    /// Its line number.
    pub line: u32,
    /// The method that contains it.
    pub method: &'static str,
    /// The beginning of its source text.
    pub text: &'static str,
    /// How often the search re-entered it.
    pub reentries: u64,
    /// How many re-entries replayed reads of slots that were already assigned.
    pub replays: u64,
    /// Why it is not split further and is replayed from its start; empty if it is split.
    pub replayed: &'static str,
}

impl Explanation {
    pub(crate) fn new(
        info: MachineInfo,
        reentries: &Reentries,
        cloned: &[&'static str],
        not_resumable: Option<(u32, NotResumable)>,
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
            notes.push(format!("`{method}` is not part of the machine: {why}; each call of it runs again as a whole"));
        }
        for type_name in cloned {
            let type_name = users_name(type_name);
            notes
                .push(format!("a local that is used across several reads is a `{type_name}`, which is saved by clone"));
        }
        if let Some(not_resumable) = not_resumable {
            notes.push(format!(
                "rep_ok runs from the top for every candidate: {}",
                why_not_resumable(info, not_resumable)
            ));
        }
        Explanation { file: info.file, statements, notes }
    }
}

/// Describes what reruns for most of the counted candidates: the whole predicate, or statements, with the user's lines.
pub(crate) fn slow_parts(
    info: MachineInfo,
    reentries: &Reentries,
    not_resumable: Option<(u32, NotResumable)>,
) -> Vec<String> {
    if let Some(not_resumable) = not_resumable {
        let why = why_not_resumable(info, not_resumable);
        return vec![format!("rep_ok runs from the top for every candidate ({}): {why}", info.file)];
    }
    let all: u64 = reentries.counts.iter().map(|(count, _)| count).sum();
    let mut notes = Vec::new();
    for (block, (_, replays)) in info.blocks.iter().zip(&reentries.counts) {
        if let Some(BlockInfo { line, text, replayed, .. }) = block
            && replays * 2 > all
        {
            let why = if replayed.is_empty() { "it reads several fields" } else { replayed };
            let share = replays * 100 / all;
            let file = info.file;
            notes.push(format!(
                "{file}:{line} reruns from its start for {share} % of the candidates, because {why}: {text}"
            ));
        }
    }
    notes
}

/// Explains why a predicate cannot be re-entered: the statement, and the type of the local that cannot be restored.
pub(super) fn why_not_resumable(
    info: MachineInfo,
    (label, NotResumable { type_name, why }): (u32, NotResumable),
) -> String {
    let block = info.blocks.get(label as usize).copied().flatten();
    let type_name = users_name(type_name);
    let place = block.map_or_else(String::new, |block| format!("at line {} or shortly after it, ", block.line));
    format!("{place}a local that is used across several reads is a `{type_name}`, {why}")
}

/// Returns the name of a type as the user writes it: without module paths, and with classes instead of their views.
pub(crate) fn users_name(full: &str) -> String {
    let mut shown = String::new();
    let mut word = String::new();
    for letter in full.chars().chain([' ']) {
        match letter {
            ':' => word.clear(),
            letter if letter.is_alphanumeric() || letter == '_' => word.push(letter),
            letter => {
                shown += match word.as_str() {
                    "OwnRefCell" => "RefCell",
                    word => word.strip_prefix("__Korat").unwrap_or(word),
                };
                shown.push(letter);
                word.clear();
            }
        }
    }
    shown.trim_end().to_string()
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "how rep_ok ran ({}):", self.file)?;
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

#[cfg(test)]
mod tests {
    use super::users_name;

    #[test]
    fn names_are_those_of_the_user() {
        let full = "core::array::iter::IntoIter<&core::option::Option<korat_core::predicate::twin::pointer::Box<slow::__KoratNode>>, 2>";
        assert_eq!(users_name(full), "IntoIter<&Option<Box<Node>>, 2>");
        assert_eq!(users_name("alloc::string::String"), "String");
        assert_eq!(users_name("&mut [u8]"), "&mut [u8]");
    }
}
