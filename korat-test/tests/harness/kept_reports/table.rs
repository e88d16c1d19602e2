//! The tables of the guide have every field of the reports, and no other.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{CHAPTER, Folder};

/// Returns the first column of the table below a heading.
fn fields(heading: &str) -> BTreeSet<String> {
    let (_, rest) = CHAPTER.split_once(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("there is no {heading}"));
    let rows = rest.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let names = rows.filter_map(|row| row.strip_prefix("| `")?.split_once('`'));
    names.map(|(name, _)| name.to_string()).collect()
}

/// Adds the names of all fields; those in lists stand below the name of the list. The names below `open` are not listed.
fn collect(json: &Value, below: &str, names: &mut BTreeSet<String>) {
    match json {
        Value::Object(fields) => {
            for (name, value) in fields {
                let name = if below.is_empty() { name.clone() } else { format!("{below}.{name}") };
                if name.ends_with("settings") || name.ends_with("endings") {
                    names.insert(name);
                    continue;
                }
                names.insert(name.clone());
                collect(value, &name, names);
            }
        }
        Value::Array(elements) => elements.iter().for_each(|element| collect(element, below, names)),
        _ => {}
    }
}

#[test]
fn every_field_of_a_report_is_in_the_table_and_the_reverse() {
    let mut names = BTreeSet::new();
    for scenario in ["passing", "shrunk", "limited", "beside", "explored", "explored_to_a_failure"] {
        collect(&Folder::only(scenario, &[("KORAT_SHARD", "1/1")]), "", &mut names);
    }
    assert_eq!(fields("The fields of a report"), names);
}

#[test]
fn every_field_of_a_merged_report_is_in_the_table_and_the_reverse() {
    let folder = Folder::new();
    folder.run("shrunk", &[("KORAT_SHARD", "1/2")]);
    let (_, json, _) = folder.merge(&["--json"]);
    let mut names = BTreeSet::new();
    collect(&serde_json::from_str(&json).unwrap(), "", &mut names);
    // What comes from the reports is described with them.
    let as_there = fields("The fields of a report");
    let own =
        names.into_iter().filter(|name| name.strip_prefix("searches.").is_none_or(|name| !as_there.contains(name)));
    assert_eq!(fields("The fields of a merged report"), own.collect());
}
