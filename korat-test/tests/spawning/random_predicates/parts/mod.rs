//! Predicates that make calls on parts of a structure: recursive helpers over links, nodes, vectors, arrays and enums, with plain
//! arguments and results of many types, several passes, parts that are read before and after a call. Their summaries must give the
//! values that the plain `rep_ok` accepts, as every search must.

mod body;
mod scope;
mod types;
mod writer;

use std::collections::BTreeMap;
use std::ops::Range;

use super::small::Small;
use super::small::package::{Outcome, Package};
use writer::Writer;

/// The classes below a root.
fn classes_of(root: &str) -> &'static [&'static str] {
    match root {
        "Tree" | "Pair" => &["Fork"],
        "Rose" => &["Twig"],
        "Bush" => &["Bough"],
        "Star" => &["Cross"],
        "Program" => &["Expr"],
        "House" => &["Even", "Odd"],
        "Door" => &["Knob", "Knob", "Cap"],
        _ => &["Own"],
    }
}

/// A predicate on parts: always the same for a seed.
fn on_parts(seed: u64) -> Small {
    let mut w = Writer::new(seed, types::ROOTS);
    let classes = classes_of(w.root);
    let number = 2 + w.below(3);
    w.helpers = (0..number).map(|_| w.helper(classes)).collect();
    let root = format!("{}<{seed}>", w.root);
    let mut own = w.rep_ok();
    let mut others: BTreeMap<&str, String> = BTreeMap::new();
    for number in 0..w.helpers.len() {
        let text = w.method(number);
        let class = w.helpers[number].parts[0].1;
        if w.helpers[number].is_method && class != w.root {
            *others.entry(class).or_default() += &format!("\n{text}");
        } else {
            own += &format!("\n{text}");
        }
    }
    let mut source = format!("#[cfg_attr(feature = \"lifted\", korat::rep_ok)]\nimpl {root} {{\n{own}}}\n");
    for (class, text) in others {
        source += &format!("\n#[cfg_attr(feature = \"lifted\", korat::rep_ok(helpers))]\nimpl {class} {{{text}}}\n");
    }
    Small { kind: 'p', seed, root, source }
}

/// Checks the predicates of these seeds, or of those asked for: none is wrong, and most are summarised.
fn check(name: &str, seeds: Range<u64>) {
    let (name, seeds) = super::asked_for().map_or((name, seeds), |seeds| ("predicates-on-parts-asked-for", seeds));
    if seeds.end - seeds.start == 1 {
        println!("{}", on_parts(seeds.start).source);
    }
    let package = Package::of(name, include_str!("classes.rs"), seeds.map(on_parts).collect());
    let outcome = package.run().unwrap_or_else(|failure| panic!("{failure}"));
    let Outcome { agreed, differing, uncompilable, summarised, unsummarised, shown } = outcome;
    let undecided = agreed.values().filter(|(accepted, others)| *accepted > 0 && *others > 0).count();
    let reused = summarised.values().filter(|(_, hits)| *hits > 0).count();
    let sum = |of: fn(&(u64, u64)) -> u64| summarised.values().map(of).sum::<u64>();
    let (tables, hits) = (sum(|(tables, _)| *tables), sum(|(_, hits)| *hits));
    println!(
        "{} agree, of which {undecided} accept some values and not others; {} are summarised, with {tables} tables and {hits} hits, {reused} with hits",
        agreed.len(),
        summarised.len()
    );
    let mut reasons: BTreeMap<&String, Vec<&String>> = BTreeMap::new();
    unsummarised.iter().for_each(|(name, why)| reasons.entry(why).or_default().push(name));
    reasons.iter().for_each(|(why, names)| println!("no summaries: {why}: {}, such as {}", names.len(), names[0]));
    uncompilable.iter().for_each(|(name, error)| println!("{name}: {error}"));
    let (wrong, refused) = (differing.len(), uncompilable.len());
    assert!(wrong == 0 && refused * 100 <= agreed.len(), "{shown}{differing:?}\n{:?}", uncompilable.keys());
    let is_large = agreed.len() >= 10;
    assert!(!is_large || summarised.len() * 3 > agreed.len() * 2, "few predicates are summarised");
    assert!(!is_large || reused * 2 > agreed.len(), "few predicates have tables that are used again");
    assert!(!is_large || undecided * 3 > agreed.len(), "many predicates say the same of every value");
}

#[test]
fn summaries_agree_with_the_plain_rep_ok_on_60_predicates_on_parts() {
    check("predicates-on-parts", 0..60);
}

#[test]
#[ignore = "takes minutes"]
fn summaries_agree_with_the_plain_rep_ok_on_1_500_predicates_on_parts() {
    check("more-predicates-on-parts", 1000..2500);
}

#[test]
fn a_seed_is_always_the_same_predicate_on_parts() {
    for seed in 0..50 {
        assert_eq!(on_parts(seed).source, on_parts(seed).source);
    }
}
