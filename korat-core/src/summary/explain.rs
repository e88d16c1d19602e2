//! What summaries did with the calls of each method, and why calls were run: in the user's words, with what to write instead.

use super::solver::Solver;
use crate::predicate::calls::CallSite;
use crate::predicate::machine::explain::users_name;

/// How summaries treated the calls of a method, or the rounds of a loop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MethodNote {
    /// The name of the method.
    pub name: &'static str,
    /// The line at which it is declared.
    pub line: u32,
    /// Tables: calls with different arguments on parts.
    pub tables: u64,
    /// Different results, over all tables.
    pub outcomes: u64,
    /// Runs of the method that filled the tables.
    pub runs: u64,
    /// Calls that a table answered which was there.
    pub hits: u64,
    /// Why calls were run and not answered, with what to write instead, and how often.
    pub refused: Vec<(String, u64)>,
}

pub(super) const OPAQUE: &str =
    "it takes a vector of the structure, or a value and a part of it; pass the object that has it";
pub(super) const RETURNS_PART: &str = "it returns a part, or a reference; return a plain value";
pub(super) const ADDRESS: &str =
    "it takes or returns the address of a part as a number; use a pointer, such as `*const Node`, or `std::ptr::eq`";
pub(super) const UNDECIDED: &str =
    "it reads a field outside its part that is not decided yet; read the field before the call";
pub(super) const BY_VALUE: &str = "it takes an object that lies in another one by value; put it into a box";
pub(super) const FIELD_BESIDE: &str = "it takes a reference to a field, and the object that has it; pass one of them";
pub(super) const NO_OBJECT: &str =
    "its set has an address that is not one of a node; keep such addresses in another local";
pub(super) const SET_SHARED: &str =
    "it takes or returns a set of addresses of nodes that something else may own; compare with the parent instead";
pub(super) const SET_OPENED: &str =
    "what it adds to a set of addresses is read again later; read fields before the call, or count without a set";
pub(super) const SET_LISTED: &str =
    "the elements of its set of addresses are looked at one by one; use `insert`, `contains` and `len` only";
pub(super) const SET_CALLED_AGAIN: &str =
    "it takes a part again, with a set that has nodes of it; do both in one pass, or use a set for each pass";

/// Returns why a call is run that is given or returns a value of a type that cannot be taken out of a run.
fn opaque(type_name: &str) -> String {
    let name = users_name(type_name);
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    let remedy = if has(&["closure", "dyn ", "fn("]) {
        "pass the values that it needs"
    } else if has(&["&mut "]) {
        "use a local that it is copied to and from"
    } else if has(&["HashSet<", "BTreeSet<", "HashMap<", "BTreeMap<", "BinaryHeap<", "VecDeque<"]) {
        "pass a vector of plain values, or a set of addresses `HashSet<*const Node>`"
    } else if has(&["*const ", "*mut ", "NonNull<"]) {
        "pass a reference to the node"
    } else if has(&["Iter<", "Map<", "Filter<", "Rev<", "Peekable<", "Chain<"]) {
        "pass what it iterates over"
    } else {
        "pass numbers, texts, options, tuples and vectors of these, or by value a plain type that derives `Finitize`"
    };
    format!("it takes or returns `{name}`; {remedy}")
}

/// Why a call is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// For this reason.
    Told(&'static str),
    /// It has a value of this type.
    Opaque(&'static str),
}

/// What was done with the calls of a method.
pub(super) struct Treatment {
    site: &'static CallSite,
    pub(super) hits: u64,
    refused: Vec<(Why, u64)>,
}

impl Solver {
    pub(super) fn treatment(&mut self, site: &'static CallSite) -> &mut Treatment {
        let new = || Treatment { site, hits: 0, refused: Vec::new() };
        self.notes.entry(site.key()).or_insert_with(new)
    }

    /// Notes why a call is run.
    pub(super) fn refuse(&mut self, site: &'static CallSite, why: Why) {
        let treatment = self.treatment(site);
        match treatment.refused.iter_mut().find(|(known, _)| *known == why) {
            Some((_, times)) => *times += 1,
            None => treatment.refused.push((why, 1)),
        }
    }

    /// Returns how the calls of each method were treated, in the order of the source.
    pub(crate) fn notes(&self) -> Vec<MethodNote> {
        let note = |Treatment { site, hits, refused }: &Treatment| {
            let mut note = MethodNote { name: site.name, line: site.line, hits: *hits, ..MethodNote::default() };
            let tables = self
                .tables
                .iter()
                .filter(|table| table.list.calls.last().is_some_and(|last| std::ptr::eq(last.site, *site)));
            for table in tables {
                note.runs += table.runs;
                if !table.is_rest() {
                    note.tables += 1;
                    note.outcomes += table.outcomes.len() as u64;
                }
            }
            let text = |why: &Why| match why {
                Why::Told(why) => (*why).to_string(),
                Why::Opaque(name) => opaque(name),
            };
            note.refused = refused.iter().map(|(why, times)| (text(why), *times)).collect();
            note
        };
        let mut notes: Vec<MethodNote> = self.notes.values().map(note).collect();
        notes.sort_by_key(|note| (note.line, note.name));
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::opaque;

    #[test]
    fn types_have_remedies() {
        let map = "korat_core::predicate::twin::map::HashMap<u8, *const tree::__KoratNode>";
        assert_eq!(
            opaque(map),
            "it takes or returns `HashMap<u8, *const Node>`; pass a vector of plain values, or a set of addresses \
             `HashSet<*const Node>`"
        );
        assert!(opaque("*const tree::__KoratNode").ends_with("; pass a reference to the node"));
        assert!(opaque("&dyn core::ops::Fn(u8) -> bool").ends_with("; pass the values that it needs"));
        assert!(opaque("core::slice::iter::Iter<u8>").ends_with("; pass what it iterates over"));
        assert!(opaque("tree::Color").contains("`Color`; pass numbers, texts, options"));
    }
}
