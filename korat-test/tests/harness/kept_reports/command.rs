//! What `korat merge` says of reports that were made by hand, after the pattern of a real one.

use std::process::Command;

use serde_json::{Value, json};

use super::{CHAPTER, Folder};

/// The reports of eight shards of a search. Each has ten values more than the one before.
pub(super) fn shards(scenario: &str) -> (Folder, Vec<Value>) {
    let folder = Folder::new();
    folder.run(scenario, &[("KORAT_SHARD", "1/1"), ("KORAT_RUN", "by hand")]);
    let mut pattern = folder.reports().remove(0);
    for name in folder.names() {
        std::fs::remove_file(folder.0.join(name)).unwrap();
    }
    // Where it stands in its file is of no interest.
    (pattern["line"], pattern["column"], pattern["package"]) = (json!(7), json!(5), json!("korat-test"));
    (pattern["result"], pattern["message"]) = (json!("passed"), Value::Null);
    // The real shard has other values.
    pattern["total"] = Value::Null;
    let shard = |index: u64| {
        let mut shard = pattern.clone();
        shard["shard"] = json!({"index": index, "of": 8});
        shard["ending"] = json!("complete");
        shard["division"] = json!("pieces");
        shard["counts"]["valid"] = json!(10 * index);
        shard["counts"]["explored"] = json!(1000 * index);
        shard["by_size"] = json!([[index, 4 * index], [index + 1, 6 * index]]);
        shard["expected"] = json!({"complete": true, "count": 360, "some": true});
        shard
    };
    (folder, (1..=8).map(shard).collect())
}

pub(super) fn write_all(folder: &Folder, shards: &[Value]) {
    for (number, shard) in shards.iter().enumerate() {
        // As the artifacts of several jobs come.
        folder.write(&format!("job-{number}/report.json"), shard);
    }
}

#[test]
fn eight_shards_are_one_search() {
    let (folder, shards) = shards("passing");
    write_all(&folder, &shards);
    let (code, text, errors) = folder.merge(&[]);
    assert_eq!((code, errors.as_str()), (0, ""));
    insta::assert_snapshot!(text);
    let (_, json, _) = folder.merge(&["--json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    let search = &json["searches"][0];
    assert_eq!((&json["passed"], &json["files"], &json["run"]), (&json!(true), &json!(8), &json!("by hand")));
    assert_eq!((&search["counts"]["valid"], &search["counts"]["explored"]), (&json!(360), &json!(36_000)));
    let by_size: Vec<Vec<u64>> = serde_json::from_value(search["by_size"].clone()).unwrap();
    assert_eq!(by_size.iter().map(|pair| pair[1]).sum::<u64>(), 360);
    assert_eq!((by_size[0].as_slice(), by_size[1].as_slice()), (&[1, 4][..], &[2, 6 + 8][..]));
    assert_eq!(search["shards"], json!({"of": 8, "missing": [], "missing_ranges": []}));
}

#[test]
fn candidates_that_each_shard_tries_count_once() {
    let (folder, mut shards) = shards("passing");
    for shard in &mut shards {
        (shard["division"], shard["counts"]["explored"]) = (json!("values"), json!(5_000));
    }
    write_all(&folder, &shards);
    let (code, json, _) = folder.merge(&["--json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    let counts = &json["searches"][0]["counts"];
    assert_eq!((code, &counts["valid"], &counts["explored"]), (0, &json!(360), &json!(5_000)));
}

/// All values that a sample is drawn from are summarised in every shard.
#[test]
fn candidates_of_a_sample_count_once_if_it_is_drawn_from_summaries() {
    let explored = |sampled_of: Value| {
        let (folder, mut shards) = shards("passing");
        for shard in &mut shards {
            (shard["division"], shard["sampled_of"]) = (json!("sample"), sampled_of.clone());
            (shard["counts"]["explored"], shard["ending"]) = (json!(5_000), json!("sampled"));
        }
        write_all(&folder, &shards);
        let json: Value = serde_json::from_str(&folder.merge(&["--json"]).1).unwrap();
        json["searches"][0]["counts"]["explored"].clone()
    };
    assert_eq!([explored(json!("1000000")), explored(Value::Null)], [json!(5_000), json!(40_000)]);
}

#[test]
fn a_real_report_is_merged_with_itself_alone() {
    let folder = Folder::new();
    folder.run("passing", &[]);
    folder.run("explored", &[]);
    let (code, json, _) = folder.merge(&["--json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    let real = folder.reports();
    assert_eq!((code, json["searches"].as_array().unwrap().len()), (0, 2));
    for search in json["searches"].as_array().unwrap() {
        let report = real.iter().find(|report| report["kind"] == search["kind"]).unwrap();
        for name in ["counts", "by_size", "by_level", "test", "type", "bounds", "settings", "failures"] {
            assert_eq!(search.get(name), report.get(name), "{name}");
        }
    }
    // The result may lie beside the reports.
    folder.write("merged.json", &json);
    assert_eq!(folder.merge(&[]).0, 0);
}

#[test]
fn missing_shards_are_named() {
    let (folder, mut shards) = shards("passing");
    shards.remove(6);
    shards.remove(2);
    write_all(&folder, &shards);
    let (code, text, _) = folder.merge(&[]);
    assert_eq!(code, 1);
    // The guide shows it.
    assert!(CHAPTER.contains(&format!("```text\n{text}\n```")), "{text}");
}

/// While processes are at work, what is not done is no failure.
#[test]
fn progress_is_told_while_shards_run() {
    let (folder, mut shards) = shards("passing");
    let under_way = |shard: &mut Value| {
        let shard = shard.as_object_mut().unwrap();
        ["invariant", "bounds", "division", "ending", "counts", "by_size"]
            .iter()
            .for_each(|name| _ = shard.remove(*name));
        shard["result"] = json!("running");
        shard["started"] = json!(0);
    };
    under_way(&mut shards[1]);
    under_way(&mut shards[4]);
    write_all(&folder, &shards[..6]);
    let (code, text, _) = folder.merge(&["--progress"]);
    assert_eq!(code, 0, "{text}");
    let days = text.split("begun ").find_map(|rest| rest.split_once(" days ago and")).expect("it began long ago").0;
    // The guide shows it.
    assert!(CHAPTER.contains(&format!("```text\n{}\n```", text.replace(&format!("{days} days"), "12 min"))), "{text}");
    assert_eq!(folder.merge(&[]).0, 1);
    // A failure is one at once.
    shards[2]["result"] = json!("error");
    shards[2]["message"] = json!("the bounds are wrong");
    write_all(&folder, &shards[..6]);
    let (code, text, _) = folder.merge(&["--progress"]);
    assert!(code == 1 && text.contains("\nFAILED") && text.contains("shard 3/8: the bounds are wrong"), "{text}");
    // In the end, it is the merge that passes.
    let (folder, shards) = self::shards("passing");
    write_all(&folder, &shards);
    let (code, text, _) = folder.merge(&["--progress"]);
    assert!(code == 0 && text.contains("\npassed") && text.contains("1 passed, 0 failed, 0 not done"), "{text}");
}

/// What the merge does not know, or cannot explain, has not passed.
#[test]
fn a_result_without_a_reason_is_a_failure() {
    for result in ["failed", "cancelled"] {
        let (folder, mut shards) = shards("passing");
        shards[2]["result"] = json!(result);
        write_all(&folder, &shards);
        let (code, text, _) = folder.merge(&[]);
        assert!(code == 1 && text.contains(&format!("shard 3/8: its result is `{result}`")), "{text}");
    }
}

#[test]
fn contradictory_shards_are_named() {
    let (folder, mut shards) = shards("passing");
    shards[1]["bounds"] = json!("0000000000000000");
    shards[2]["settings"]["scope"] = json!("5");
    shards[6]["invariant"] = json!("0000000000000000");
    shards[3]["korat"] = json!("0.0.9");
    shards[4]["shard"]["of"] = json!(9);
    shards[5]["expected"]["count"] = json!(361);
    let mut other = shards[7].clone();
    (other["counts"]["valid"], other["by_size"]) = (json!(79), json!([[8, 79]]));
    shards.push(other);
    write_all(&folder, &shards);
    let (code, text, _) = folder.merge(&[]);
    assert_eq!(code, 1);
    // The hash of the bounds depends on the wording of the bounds.
    let [bounds, invariant] = ["bounds", "invariant"].map(|name| shards[0][name].as_str().unwrap());
    let text = text.replace(bounds, "[bounds]").replace(invariant, "[invariant]");
    insta::assert_snapshot!(text.replace(env!("CARGO_PKG_VERSION"), "[version]"));
}

/// What a killed process had not found out yet is no contradiction.
#[test]
fn a_killed_process_contradicts_nobody() {
    let (folder, mut shards) = shards("passing");
    let killed = shards[4].as_object_mut().unwrap();
    for name in ["invariant", "bounds", "division", "ending", "counts", "by_size"] {
        assert!(killed.remove(name).is_some());
    }
    killed["result"] = json!("running");
    write_all(&folder, &shards);
    let (code, text, _) = folder.merge(&[]);
    assert_eq!(code, 1);
    let told: Vec<&str> = text.lines().skip(3).map(str::trim).collect();
    assert_eq!(
        told,
        ["shard 5/8: it did not end: the process was killed, crashed or exited", "1 search: 1 failed"],
        "{text}"
    );
}

/// Explorations and iterators are whole in every process; how far one gets until its time is over differs.
#[test]
fn whole_searches_of_several_processes_count_once() {
    let merged = |endings: &[(&str, &str, u64)]| {
        let (folder, mut shards) = shards("passing");
        shards.truncate(endings.len());
        for (shard, (result, ending, valid)) in shards.iter_mut().zip(endings) {
            (shard["shard"], shard["division"], shard["by_size"]) = (Value::Null, Value::Null, json!([[1, valid]]));
            (shard["result"], shard["ending"]) = (json!(result), json!(ending));
            shard["counts"] = json!({"explored": 1_000, "valid": valid});
            shard["expected"] = json!({"complete": false, "count": null, "some": true});
        }
        write_all(&folder, &shards);
        let json: Value = serde_json::from_str(&folder.merge(&["--json"]).1).unwrap();
        (json["passed"].clone(), json["searches"][0]["counts"]["valid"].clone())
    };
    let late = ("passed", "time limit", 20);
    let (done, other) = (("passed", "complete", 30), ("passed", "complete", 31));
    assert_eq!(merged(&[late, ("passed", "time limit", 25), late]), (json!(true), json!(25)));
    assert_eq!(merged(&[late, done, done]), (json!(true), json!(30)));
    assert_eq!(merged(&[late, done, other]).0, json!(false));
    assert_eq!(merged(&[late, ("error", "time limit", 20)]).0, json!(false));
}

/// Shards that divide a search in different ways have some values twice and others not at all.
#[test]
fn shards_that_divide_differently_contradict_each_other() {
    let (folder, mut shards) = shards("passing");
    shards[2]["division"] = json!("ranks");
    write_all(&folder, &shards);
    let (code, text, _) = folder.merge(&[]);
    let told = "contradictory: `division` is \"pieces\" in shard 1/8, but \"ranks\" in shard 3/8";
    assert!(code == 1 && text.contains(told), "{text}");
}

#[test]
fn a_copy_counts_once() {
    let (folder, mut shards) = shards("passing");
    let mut copy = shards[3].clone();
    (copy["started"], copy["elapsed"]) = (json!(1), json!(99.5));
    shards.push(copy);
    write_all(&folder, &shards);
    let (code, text, _) = folder.merge(&[]);
    assert!(code == 0 && text.contains("360 values"), "{text}");
}

#[test]
fn the_smallest_failure_of_all_shards_comes_first() {
    let (folder, mut shards) = shards("failing");
    for (shard, size) in [(1, 5), (4, 2), (6, 3)] {
        shards[shard]["result"] = json!("failed");
        shards[shard]["ending"] = json!("unfinished");
        shards[shard]["failures"][1]["size"] = json!(size);
        shards[shard]["failures"][1]["location"] = json!("src/lib.rs:9:5");
    }
    for shard in [0, 2, 3, 5, 7] {
        shards[shard]["failures"] = json!([]);
    }
    write_all(&folder, &shards);
    let (code, text, _) = folder.merge(&[]);
    assert_eq!(code, 1);
    insta::assert_snapshot!(text);
}

#[test]
fn expectations_are_of_the_sum() {
    let told = |change: &dyn Fn(&mut Value)| {
        let (folder, mut shards) = shards("passing");
        shards.iter_mut().for_each(change);
        write_all(&folder, &shards);
        let (code, text, _) = folder.merge(&[]);
        (code, text.lines().nth(3).unwrap_or_default().trim().to_string())
    };
    let count = told(&|shard| shard["expected"]["count"] = json!(361));
    assert_eq!(count, (1, "expected 361 values, but there are 360".to_string()));
    let complete = told(&|shard| shard["ending"] = json!("limit"));
    assert_eq!(complete, (1, "expected a complete search, which it is not".to_string()));
    let none = told(&|shard| {
        (shard["counts"]["valid"], shard["by_size"]) = (json!(0), json!([]));
        shard["expected"] = json!({"complete": false, "count": null, "some": true});
    });
    assert_eq!(none, (1, "there is no valid value; if that is right, say so with `.allow_empty(true)`".to_string()));
    // A shard without a value is no mistake.
    let (folder, mut shards) = shards("passing");
    (shards[0]["counts"]["valid"], shards[0]["by_size"]) = (json!(0), json!([]));
    shards.iter_mut().for_each(|shard| shard["expected"]["count"] = json!(350));
    write_all(&folder, &shards);
    assert_eq!(folder.merge(&[]).0, 0);
}

#[test]
fn a_search_that_did_not_end_is_named() {
    let folder = Folder::new();
    folder.run("aborting", &[]);
    folder.run("panicking", &[]);
    let (code, text, _) = folder.merge(&[]);
    assert_eq!(code, 1);
    let told: Vec<&str> =
        text.lines().map(str::trim).filter(|line| line.contains("process was") || line.contains("panicked")).collect();
    assert_eq!(told, ["it did not end: the process was killed, crashed or exited", "the test panicked while it ran"]);
}

#[test]
fn merged_junit_has_a_case_for_each_search() {
    let (folder, mut shards) = shards("passing");
    shards.remove(0);
    write_all(&folder, &shards);
    folder.run("failing", &[("KORAT_RUN", "by hand")]);
    let path = folder.0.join("out/junit.xml");
    let (code, _, errors) = folder.merge(&["--junit", path.to_str().unwrap()]);
    assert_eq!((code, errors.as_str()), (1, ""));
    let xml = std::fs::read_to_string(path).unwrap();
    let document = roxmltree::Document::parse(&xml).unwrap();
    let cases: Vec<_> = document.descendants().filter(|node| node.has_tag_name("testcase")).collect();
    let troubles: Vec<_> = cases.iter().map(|case| case.first_element_child().unwrap().tag_name().name()).collect();
    assert_eq!(troubles, ["failure", "error"]);
    let suite = document.descendants().find(|node| node.has_tag_name("testsuite")).unwrap();
    assert_eq!(
        (suite.attribute("tests"), suite.attribute("failures"), suite.attribute("errors")),
        (Some("2"), Some("1"), Some("1"))
    );
}

#[test]
fn what_cannot_be_merged_is_refused() {
    let mut told = Vec::new();
    let mut tell = |what: &str, folder: &Folder, options: &[&str]| {
        let (code, text, errors) = folder.merge(options);
        assert_eq!((code, text.as_str()), (2, ""), "{what}");
        told.push(format!("{what}:\n{errors}"));
    };
    tell("no reports", &Folder::new(), &[]);
    let (folder, shards) = shards("passing");
    folder.write("report.json", &shards[0]);
    let mut other = shards[1].clone();
    other["run"] = Value::Null;
    folder.write("other.json", &other);
    tell("two runs", &folder, &[]);
    other["schema"] = json!(2);
    folder.write("other.json", &other);
    tell("a later version", &folder, &[]);
    folder.write("other.json", &json!({"name": "package"}));
    tell("another file", &folder, &[]);
    std::fs::write(folder.0.join("other.json"), "{").unwrap();
    tell("half a file", &folder, &[]);
    other["schema"] = json!(1);
    other.as_object_mut().unwrap().remove("result");
    folder.write("other.json", &other);
    tell("a field less", &folder, &[]);
    std::fs::remove_file(folder.0.join("other.json")).unwrap();
    tell("no folder", &folder, &["[elsewhere]"]);
    tell("no such option", &folder, &["--yaml"]);
    insta::assert_snapshot!(told.join("\n\n"));
}

#[test]
fn help_is_no_mistake() {
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_korat")).args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).contains("usage: korat merge"))
    };
    assert_eq!([run(&["--help"]), run(&["merge", "-h"])], [(Some(0), true); 2]);
    assert_eq!([run(&[]), run(&["add"]), run(&["merge"]), run(&["merge", "--page"])], [(Some(2), false); 4]);
}
