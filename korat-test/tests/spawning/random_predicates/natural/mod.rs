//! Predicates as people write them on `&self`, over several structures: lists and trees of boxes, graphs of `Rc`, `RefCell` and
//! `Weak`, arenas of indices, enums with data, vectors of classes, maps, options, pairs, cells and strings. All of their values
//! are shown to the plain `rep_ok`, and the searches must find those that it accepts.

mod body;
mod idioms;
mod num;
mod options;
mod patterns;
mod sequences;
mod types;
mod writer;

use std::collections::BTreeMap;
use std::ops::Range;

use super::small::Small;
use super::small::package::{Outcome, Package};
use writer::Writer;

/// A natural predicate: always the same for a seed.
fn natural(seed: u64) -> Small {
    let mut w = Writer::new(seed);
    w.root = types::CLASSES[w.below(types::ROOTS)].name;
    let body = w.body();
    let root = format!("{}<{seed}>", w.root);
    let mut method = format!("fn rep_ok(&self) -> bool {{\n{body}}}\n");
    for (name, helper) in &w.helpers {
        if !name.ends_with('!') {
            method += &format!("\n{helper}");
        }
    }
    let text = format!("#[cfg_attr(feature = \"lifted\", korat::rep_ok)]\nimpl {root} {{\n{method}}}\n");
    Small { kind: 'n', seed, root, source: text }
}

/// Checks the predicates of these seeds, or of those asked for: none is wrong, and at most one in a hundred is refused.
fn check(name: &str, seeds: Range<u64>) {
    let (name, seeds) = super::asked_for().map_or((name, seeds), |seeds| ("natural-predicates-asked-for", seeds));
    if seeds.end - seeds.start == 1 {
        println!("{}", natural(seeds.start).source);
    }
    let predicates = seeds.map(natural).collect();
    let package = Package::of(name, include_str!("classes.rs"), predicates);
    let outcome = package.run().unwrap_or_else(|failure| panic!("{failure}"));
    let Outcome { agreed, differing, uncompilable, shown, .. } = outcome;
    let undecided = agreed.values().filter(|(accepted, others)| *accepted > 0 && *others > 0).count();
    let (wrong, refused) = (differing.len(), uncompilable.len());
    println!("{undecided} accept some values and not others, and agree; {wrong} are wrong, {refused} are refused");
    for (name, error) in &uncompilable {
        println!("{name}: {error}");
    }
    let by_modes: BTreeMap<&String, &String> = differing.iter().collect();
    assert!(wrong == 0 && refused * 100 <= undecided, "{shown}{by_modes:?}\n{:?}", uncompilable.keys());
    assert!(undecided * 4 > agreed.len() * 3 || agreed.len() < 10, "many predicates say the same of every value");
}

#[test]
fn searches_agree_with_the_plain_rep_ok_on_100_natural_predicates() {
    check("natural-predicates", 0..100);
}

#[test]
#[ignore = "takes minutes"]
fn searches_agree_with_the_plain_rep_ok_on_1_000_natural_predicates() {
    check("more-natural-predicates", 1000..2250);
}

#[test]
fn a_seed_is_always_the_same_natural_predicate() {
    for seed in 0..50 {
        assert_eq!(natural(seed).source, natural(seed).source);
    }
}
