//! What tests leave.

use std::process::Stdio;

use serde_json::{Value, json};

use super::{Folder, command};

fn text<'v>(report: &'v Value, name: &str) -> &'v str {
    report[name].as_str().unwrap_or_else(|| panic!("{name} is no text: {report:#}"))
}

#[test]
fn a_search_leaves_a_report() {
    let report = Folder::only("passing", &[("KORAT_SHARD", ""), ("KORAT_RUN", "nightly 7")]);
    assert_eq!(
        (text(&report, "kind"), text(&report, "run"), text(&report, "result")),
        ("search", "nightly 7", "passed")
    );
    assert_eq!(text(&report, "program"), "harness");
    assert_eq!(text(&report, "test"), "kept_reports::scenarios::passing");
    assert_eq!((text(&report, "type"), text(&report, "ending")), ("Sorted", "complete"));
    assert!(text(&report, "file").ends_with("kept_reports/scenarios.rs"), "{report:#}");
    assert_eq!(report["shard"], Value::Null);
    assert_eq!(report["counts"]["valid"], 31);
    assert_eq!(report["by_size"], json!([[0, 1], [1, 5], [2, 10], [3, 10], [4, 5]]));
    assert_eq!(report["expected"], json!({"complete": true, "count": 31, "some": true}));
    assert_eq!(report["settings"]["scope"], "4");
    assert!(report["elapsed"].as_f64().is_some_and(|seconds| seconds > 0.0));
}

#[test]
fn failures_have_what_runs_them_again() {
    let report = Folder::only("failing", &[]);
    assert_eq!((text(&report, "result"), text(&report, "ending")), ("failed", "unfinished"));
    let failures = report["failures"].as_array().unwrap();
    assert_eq!(failures.len(), 2);
    assert_eq!(failures[0]["message"], "it returned false");
    assert_eq!(failures[0]["drawing"], "Sorted\n`- head: Node { value: 3 }\n");
    assert_eq!(failures[0]["command"], "KORAT_REPLAY='Sorted:4:1.3.0' cargo test kept_reports::scenarios::failing");
    assert_eq!((&failures[1]["message"], &failures[1]["size"]), (&json!("too long"), &json!(3)));
    assert!(failures[1]["location"].as_str().is_some_and(|location| location.contains("scenarios.rs:")));
    let shrunk = Folder::only("shrunk", &[]);
    assert_eq!(shrunk["failures"][0]["shrunk_from"]["is_smallest"], true);
}

/// The scenario, the result, the ending and a part of the message.
#[test]
fn every_end_is_reported() {
    let ends = [
        ("limited", "error", Some("limit"), "expected a complete search"),
        ("miscounted", "error", Some("complete"), "expected 30 values"),
        ("empty", "error", Some("complete"), "no valid value of Never"),
        ("counted", "passed", Some("complete"), ""),
        ("used_up", "passed", Some("complete"), ""),
        ("given_up", "stopped", Some("unfinished"), ""),
        ("panicking", "panicked", Some("unfinished"), ""),
        ("aborting", "running", None, ""),
        ("out_of_bounds", "error", None, "Never"),
        ("waiting", "passed", Some("complete"), ""),
        ("beside", "passed", Some("complete"), ""),
    ];
    for (scenario, result, ending, message) in ends {
        let report = Folder::only(scenario, &[]);
        assert_eq!((text(&report, "result"), report["ending"].as_str()), (result, ending), "{scenario}: {report:#}");
        assert!(report["message"].as_str().unwrap_or_default().contains(message), "{scenario}: {report:#}");
    }
    let room = Folder::only("remembered", &[]);
    assert_eq!((text(&room, "ending"), &room["missing_from_size"]), ("complete", &Value::Null));
    let small = Folder::only("remembered", &[("KORAT_FORM_MEMORY", "1KiB")]);
    assert_eq!((text(&small, "result"), text(&small, "ending")), ("passed", "memory limit"));
    assert_eq!((&small["missing_from_size"], &small["settings"]["form_memory"]), (&json!(0), &json!("1024")));
    assert!(small["counts"]["valid"].as_u64() < room["counts"]["valid"].as_u64(), "{small:#}");
    let replayed = Folder::only("failing", &[("KORAT_REPLAY", "Sorted:4:1.3.0")]);
    assert_eq!((text(&replayed, "result"), text(&replayed, "ending")), ("failed", "replayed"));
}

#[test]
fn explorations_leave_reports_as_well() {
    let report = Folder::only("explored", &[]);
    assert_eq!((text(&report, "kind"), text(&report, "ending")), ("exploration", "depth"));
    assert_eq!((&report["counts"]["found"], &report["expected"]["count"]), (&json!(40), &json!(40)));
    assert_eq!(report["by_level"], json!([[0, 1], [1, 3], [2, 9], [3, 27]]));
    let failed = Folder::only("explored_to_a_failure", &[]);
    assert_eq!(failed["failures"][0]["calls"], json!(["push(1)", "push(1)"]));
    let drawing = failed["failures"][0]["drawing"].as_str().unwrap();
    assert_eq!(drawing.lines().last(), Some("  push(1)  [1, 1]"));
    let command = failed["failures"][0]["command"].as_str().unwrap();
    assert!(command.starts_with("KORAT_REPLAY='") && command.contains("push(1); push(1)"), "{command}");
}

#[test]
fn searches_at_one_place_are_told_apart() {
    let folder = Folder::new();
    folder.run("in_a_loop", &[]);
    let mut seen: Vec<(u64, String)> = folder
        .reports()
        .iter()
        .map(|it| (it["ordinal"].as_u64().unwrap(), it["settings"]["scope"].to_string()))
        .collect();
    seen.sort();
    assert_eq!(seen, [(1, "\"1\"".to_string()), (2, "\"2\"".to_string()), (3, "\"3\"".to_string())]);
    let threads = Folder::new();
    assert!(threads.run("in_threads", &[]).status.success());
    assert_eq!(threads.reports().len(), 32);
    assert!(threads.names().iter().all(|name| !name.ends_with(".tmp")));
}

/// Nor do searches that are the test's own.
#[test]
fn what_runs_in_a_property_leaves_no_report() {
    for shard in ["", "2/4"] {
        let report = Folder::only("in_a_property", &[("KORAT_SHARD", shard)]);
        assert_eq!((&report["result"], &report["settings"]["scope"]), (&json!("passed"), &json!("2")));
    }
}

#[test]
fn names_pair_the_shards_of_a_search() {
    let folder = Folder::new();
    // Several processes at once, as a scheduler starts them.
    let start = |shard: u32| {
        let mut command = command("in_a_loop", &folder.0, &[("KORAT_SHARD", &format!("{shard}/4"))]);
        command.stdout(Stdio::null()).spawn().unwrap()
    };
    let running: Vec<_> = (1..=4).map(start).collect();
    for mut child in running {
        child.wait().unwrap();
    }
    let names: Vec<String> = folder.names().into_iter().filter(|name| name.ends_with(".json")).collect();
    assert_eq!(names.len(), 12, "{names:?}");
    for name in names.iter().filter(|name| name.ends_with("-1of4.json")) {
        let safe = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        assert!(name.starts_with("in_a_loop-Sorted-") && name.chars().all(safe), "{name}");
        let others = (2..=4).map(|shard| name.replace("-1of4", &format!("-{shard}of4")));
        assert!(others.into_iter().all(|other| names.contains(&other)), "{names:?}");
    }
}

#[test]
fn junit_is_beside_the_report() {
    let folder = Folder::new();
    folder.run("shrunk", &[("CARGO_PKG_NAME", "lists")]);
    let name = folder.names().into_iter().find(|name| name.ends_with(".xml")).expect("there is one");
    let xml = folder.read(&name);
    let document = roxmltree::Document::parse(&xml).expect("it is well-formed");
    let suite = document.root_element().first_element_child().unwrap();
    let counted = ["tests", "failures", "errors"].map(|name| suite.attribute(name).unwrap());
    assert_eq!((document.root_element().tag_name().name(), counted), ("testsuites", ["1", "1", "0"]));
    let case = suite.first_element_child().unwrap();
    assert_eq!(case.attribute("classname"), Some("lists::harness::kept_reports::scenarios"));
    assert!(case.attribute("name").is_some_and(|name| name.starts_with("shrunk: Sorted at ")), "{xml}");
    let failure = case.first_element_child().unwrap();
    assert_eq!((failure.tag_name().name(), failure.attribute("message")), ("failure", Some("<too> \"long\" & more")));
    assert!(failure.text().is_some_and(|text| text.contains("`- head") && text.contains("KORAT_REPLAY=")), "{xml}");
}

#[test]
fn the_scheduler_names_the_run() {
    assert_eq!(Folder::only("counted", &[])["run"], Value::Null);
    assert_eq!(Folder::only("counted", &[("GITHUB_RUN_ID", "123")])["run"], "github 123");
    assert_eq!(Folder::only("counted", &[("GITHUB_RUN_ID", "123"), ("KORAT_RUN", "mine")])["run"], "mine");
}

#[test]
fn a_folder_that_cannot_be_written_is_told_once() {
    let folder = Folder::new();
    std::fs::write(folder.0.join("file"), "").unwrap();
    let output = command("in_a_loop", &folder.0.join("file"), &[]).output().unwrap();
    assert!(output.status.success());
    let stderr = String::from_utf8_lossy(&output.stderr);
    let told: Vec<&str> =
        stderr.lines().filter(|line| line.starts_with("error: korat: no reports are kept: ")).collect();
    assert_eq!(told.len(), 1, "{stderr}");
}
