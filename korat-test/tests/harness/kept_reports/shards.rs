//! What `korat merge` finds out about shards that are missing, were cut short, or do not fit together.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::{Value, json};

use super::Folder;
use super::command::{shards, write_all};

/// Searches of different shards that one process does at one place are parts of one search.
#[test]
fn shards_in_a_loop_are_one_search() {
    let merged = |variables: &[(&str, &str)]| {
        let folder = Folder::new();
        folder.run("shards_in_a_loop", variables);
        let (code, json, errors) = folder.merge(&["--json"]);
        assert_eq!(errors, "");
        let json: Value = serde_json::from_str(&json).unwrap();
        let mut searches: Vec<(u64, Value, Value, Value)> = Vec::new();
        for it in json["searches"].as_array().unwrap() {
            let (scope, valid) = (it["settings"]["scope"].clone(), it["counts"]["valid"].clone());
            searches.push((it["ordinal"].as_u64().unwrap(), it["shards"]["of"].clone(), scope, valid));
        }
        searches.sort_by_key(|it| it.0);
        (code, searches)
    };
    let search = |ordinal: u64, of: Value, scope: &str, valid: u64| (ordinal, of, json!(scope), json!(valid));
    let expected = vec![
        search(1, Value::Null, "4", 31),
        search(2, json!(3), "4", 31),
        search(3, json!(3), "5", 63),
        search(4, json!(4), "4", 31),
        search(5, json!(4), "5", 63),
    ];
    assert_eq!(merged(&[]), (0, expected));
    // The shard of the environment comes before that of the code, and is the same for all searches.
    let (code, searches) = merged(&[("KORAT_SHARD", "1/1")]);
    let ordinals: Vec<u64> = searches.iter().map(|it| it.0).collect();
    assert_eq!((code, ordinals), (0, (1..=15).collect()));
}

/// The line of the merge that says what is wrong, and the exit code.
fn told(change: &dyn Fn(&mut Vec<Value>)) -> (i32, String) {
    let (folder, mut shards) = shards("passing");
    change(&mut shards);
    write_all(&folder, &shards);
    let (code, text, errors) = folder.merge(&[]);
    (code, text.lines().nth(3).unwrap_or(&errors).trim().to_string())
}

#[test]
fn totals_are_compared() {
    let total = |totals: [Value; 8]| {
        told(&move |shards| {
            shards.iter_mut().zip(&totals).for_each(|(shard, total)| shard["total"] = total.clone());
        })
    };
    let (all, none) = (json!("360"), Value::Null);
    assert_eq!(total([(); 8].map(|()| all.clone())).0, 0);
    // A shard need not know it.
    let one = [&none, &none, &all, &none, &none, &all, &none, &none].map(Value::clone);
    assert_eq!(total(one).0, 0);
    let two = [&none, &all, &all, &none, &json!("361"), &all, &none, &none].map(Value::clone);
    let differing = "contradictory: `total` is \"360\" in shard 2/8, but \"361\" in shard 5/8";
    assert_eq!(total(two), (1, differing.to_string()));
    let sum = "contradictory: `total` is \"18446744073709551617\", but the sum is 360 values";
    assert_eq!(total([(); 8].map(|()| json!("18446744073709551617"))), (1, sum.to_string()));
    // Those that are missing, or were cut short, have the others.
    let (code, text) = told(&|shards| {
        shards.iter_mut().for_each(|shard| shard["total"] = json!("361"));
        shards.remove(2);
    });
    assert_eq!((code, text.as_str()), (1, "shard 3 of 8 is missing"));
    for ending in ["limit", "time limit", "memory limit", "sampled", "ranked"] {
        let passed = told(&|shards| {
            for shard in shards {
                (shard["total"], shard["ending"], shard["expected"]) =
                    (json!("361"), json!(ending), json!({"complete": false, "count": null, "some": true}));
            }
        });
        assert_eq!(passed.0, 0, "{ending}: {passed:?}");
    }
}

/// Totals and sums of real searches are equal, also where one value stands for those that differ in what is not read.
#[test]
fn totals_of_real_searches_are_their_sums() {
    let folder = Folder::new();
    (1..=3).for_each(|index| _ = folder.run("summarised", &[("KORAT_SHARD", &format!("{index}/3"))]));
    let totals: Vec<Value> = folder.reports().into_iter().map(|report| report["total"].clone()).collect();
    assert_eq!((totals.len(), totals.iter().filter(|total| total.is_string()).count()), (6, 3), "{totals:?}");
    let (code, text, _) = folder.merge(&[]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn what_lies_beside_is_compared() {
    let merged = |scenario: &str, asked: [[&str; 2]; 2]| {
        let folder = Folder::new();
        for (index, [points, values]) in (1..).zip(asked) {
            let shard = format!("{index}/2");
            folder.run(scenario, &[("KORAT_SHARD", &shard), ("POINTS", points), ("VALUES", values)]);
        }
        assert_eq!(folder.reports().len(), 2);
        let (code, text, _) = folder.merge(&[]);
        let beside: Vec<Value> = folder.reports().iter().map(|report| report["beside"].clone()).collect();
        (code, text.lines().nth(3).unwrap_or_default().trim().to_string(), beside)
    };
    let (code, text, beside) = merged("beside_what_is_asked", [["0,1,2", "3,4"]; 2]);
    assert_eq!((code, &beside[0]), (0, &beside[1]), "{text}");
    let types: Vec<(&Value, &Value)> =
        beside[0].as_array().unwrap().iter().map(|list| (&list["type"], &list["values"])).collect();
    assert_eq!(types, [(&json!("u8"), &json!(3)), (&json!("Sorted"), &json!(3))]);
    for other in [["0,1", "3,4"], ["2,1,0", "3,4"], ["0,1,2", "3,5"], ["0,1,2", "3,4,5"]] {
        let (code, text, _) = merged("beside_what_is_asked", [["0,1,2", "3,4"], other]);
        assert!(code == 1 && text.starts_with("contradictory: `beside` is "), "{other:?}: {text}");
    }
    let (code, text, beside) = merged("beside_functions", [["", ""]; 2]);
    assert_eq!((code, &beside[0][0]["digest"]), (0, &Value::Null), "{text}");
}

#[test]
fn reports_that_contradict_themselves_are_refused() {
    let refused = |change: &dyn Fn(&mut Value)| {
        let (code, text) = told(&|shards| change(&mut shards[4]));
        assert_eq!(code, 2, "{text}");
        text.strip_prefix("error: [folder]/job-4/report.json: ").unwrap_or_else(|| panic!("{text}")).to_string()
    };
    let without = |shard: &mut Value| _ = shard.as_object_mut().unwrap().remove("counts");
    assert_eq!(refused(&without), "its result is `passed`, but the field `counts` is missing");
    let ending = "there is no ending `finished` of a search";
    assert_eq!(refused(&|shard| shard["ending"] = json!("finished")), ending);
    assert_eq!(refused(&|shard| shard["ending"] = json!("fixpoint")), ending.replace("finished", "fixpoint"));
    let states = |shard: &mut Value| (shard["kind"], shard["ending"]) = (json!("exploration"), json!("sampled"));
    assert_eq!(refused(&states), "there is no ending `sampled` of an exploration");
    assert_eq!(
        refused(&|shard| shard["kind"] = json!("walk")),
        "its kind `walk` is neither a search nor an exploration"
    );
    let sum = "`by_size` has 51 values, and `counts.valid` is 50";
    assert_eq!(refused(&|shard| shard["by_size"] = json!([[1, 51]])), sum);
    let most = json!([[1, u64::MAX], [2, u64::MAX]]);
    assert_eq!(refused(&|shard| shard["by_size"] = most.clone()), sum.replace("51", "36893488147419103230"));
}

/// No report that a test leaves is refused.
#[test]
fn real_reports_do_not_contradict_themselves() {
    let scenarios = [
        ("failing", 1),
        ("shrunk", 1),
        ("limited", 1),
        ("miscounted", 1),
        ("empty", 1),
        ("used_up", 0),
        ("given_up", 0),
        ("panicking", 1),
        ("failing_count", 1),
        ("aborting", 1),
        ("out_of_bounds", 1),
        ("beside", 0),
        ("explored", 0),
        ("explored_to_a_failure", 1),
    ];
    for (scenario, expected) in scenarios {
        let folder = Folder::new();
        folder.run(scenario, &[]);
        let (code, text, errors) = folder.merge(&[]);
        assert_eq!(code, expected, "{scenario}: {text}{errors}");
    }
    let folder = Folder::new();
    folder.run("failing", &[("KORAT_REPLAY", "Sorted:4:1.3.0")]);
    assert_eq!(folder.merge(&[]).0, 1);
}

#[test]
fn missing_shards_are_named_as_ranges() {
    let (folder, mut shards) = shards("passing");
    shards.truncate(1);
    shards[0]["shard"] = json!({"index": 5, "of": u32::MAX});
    write_all(&folder, &shards);
    let paths = ["out/junit.xml", "out/page.html"].map(|path| folder.0.join(path));
    let [junit, page] = paths.each_ref().map(|path| path.to_str().unwrap());
    let (code, text, _) = folder.merge(&["--junit", junit, "--page", page]);
    assert_eq!(code, 1);
    let told = "shards 1-4, 6-4294967295 of 4294967295 are missing";
    assert_eq!(text.lines().nth(3), Some(format!("        {told}").as_str()));
    paths.iter().for_each(|path| assert!(std::fs::read_to_string(path).unwrap().contains(told), "{path:?}"));
    let (_, text, _) = folder.merge(&["--progress"]);
    assert!(text.contains("; shards 1-4, 6-4294967295 not begun"), "{text}");
    let missing = |folder: &Folder| {
        let json: Value = serde_json::from_str(&folder.merge(&["--json"]).1).unwrap();
        json["searches"][0]["shards"].clone()
    };
    let ranges = json!([[1, 4], [6, u32::MAX]]);
    assert_eq!(missing(&folder), json!({"of": u32::MAX, "missing": null, "missing_ranges": ranges}));
    // As many as can be listed are.
    shards[0]["shard"] = json!({"index": 2, "of": 4});
    write_all(&folder, &shards);
    assert_eq!(missing(&folder), json!({"of": 4, "missing": [1, 3, 4], "missing_ranges": [[1, 1], [3, 4]]}));
}

/// Two packages may have tests of one name in files of one name, and a line of code two searches.
#[test]
fn searches_are_told_apart_in_text_and_junit() {
    let (folder, shards) = shards("passing");
    let mut cases = Vec::new();
    for (package, column) in [(json!("one"), 5), (json!("other"), 5), (json!("one"), 60), (Value::Null, 5)] {
        let mut report = shards[0].clone();
        (report["shard"], report["expected"]["count"]) = (Value::Null, json!(10));
        (report["package"], report["column"]) = (package, json!(column));
        cases.push(report);
    }
    write_all(&folder, &cases);
    let path = folder.0.join("junit.xml");
    let (code, text, _) = folder.merge(&["--junit", path.to_str().unwrap()]);
    assert_eq!(code, 0, "{text}");
    let titles: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("passed  ")).collect();
    let title = |program: &str, column| {
        let place = format!("korat-test/tests/harness/kept_reports/scenarios.rs:7:{column}");
        format!("{program} kept_reports::scenarios::passing: Sorted at {place}")
    };
    let expected =
        [title("one::harness", 5), title("one::harness", 60), title("other::harness", 5), title("harness", 5)];
    assert_eq!(titles, expected);
    let xml = std::fs::read_to_string(path).unwrap();
    let document = roxmltree::Document::parse(&xml).unwrap();
    let cases: BTreeMap<&str, &str> = document
        .descendants()
        .filter(|node| node.has_tag_name("testcase"))
        .map(|case| (case.attribute("name").unwrap(), case.attribute("classname").unwrap()))
        .collect();
    let programs = ["one::harness", "one::harness", "other::harness", "harness"];
    assert_eq!(cases, expected.iter().map(String::as_str).zip(programs).collect());
}

/// As paths on Linux need not be.
#[cfg(target_os = "linux")]
#[test]
fn arguments_need_not_be_unicode() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::new();
    folder.run("passing", &[]);
    let run = |argument: &OsStr| {
        let output = Command::new(env!("CARGO_BIN_EXE_korat")).arg("merge").arg(argument).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let other = folder.0.join(OsStr::from_bytes(b"reports-\xff"));
    let (code, errors) = run(other.as_os_str());
    assert!(code == Some(2) && errors.contains("cannot be read"), "{errors}");
    let names = folder.names();
    std::fs::create_dir(&other).unwrap();
    names.iter().for_each(|name| std::fs::rename(folder.0.join(name), other.join(name)).unwrap());
    assert_eq!(run(other.as_os_str()), (Some(0), String::new()));
    let (code, errors) = run(OsStr::from_bytes(b"--\xff"));
    assert!(code == Some(2) && errors.contains("there is no option"), "{errors}");
}

#[test]
fn a_search_that_was_cut_is_not_exhaustive() {
    let merged = |endings: [&str; 8]| {
        let (folder, mut shards) = shards("passing");
        for (shard, ending) in shards.iter_mut().zip(endings) {
            shard["ending"] = json!(ending);
            shard["expected"] = json!({"complete": false, "count": null, "some": true});
        }
        write_all(&folder, &shards);
        let path = folder.0.join("page.html");
        let (code, text, _) = folder.merge(&["--page", path.to_str().unwrap()]);
        let json: Value = serde_json::from_str(&folder.merge(&["--json"]).1).unwrap();
        let lines: Vec<String> = text.lines().skip(2).map(|line| line.trim().to_string()).collect();
        let page = std::fs::read_to_string(path).unwrap().contains("NOT exhaustive");
        (code, lines, page, json["searches"][0]["exhaustive"].clone())
    };
    let complete = merged(["complete"; 8]);
    assert_eq!((complete.0, complete.2, complete.3), (0, false, json!(true)));
    let mut endings = ["complete"; 8];
    endings[2] = "time limit";
    let all_but_one = "8 shards, complete in shards 1-2, 4-8; time limit in shard 3; NOT exhaustive: 360 values, 36,000 candidates explored";
    for (endings, line) in [
        (endings, all_but_one),
        (["limit"; 8], "8 shards, limit; NOT exhaustive: 360 values, 36,000 candidates explored"),
        (["memory limit"; 8], "8 shards, memory limit; NOT exhaustive: 360 values, 36,000 candidates explored"),
        (["sampled"; 8], "8 shards, sampled; NOT exhaustive: 360 values, 36,000 candidates explored"),
    ] {
        let expected = vec![line.to_string(), "1 search: all passed, 1 NOT exhaustive".to_string()];
        assert_eq!(merged(endings), (0, expected, true, json!(false)));
    }
    // Of an exploration, too, unless its depth is bounded.
    let folder = Folder::new();
    folder.run("explored", &[]);
    assert!(!folder.merge(&[]).1.contains("NOT exhaustive"));
    let mut report = folder.reports().remove(0);
    (report["exhaustive"], report["expected"]["complete"]) = (json!(false), json!(false));
    report["expected"]["count"] = Value::Null;
    let name = folder.names().into_iter().find(|name| name.ends_with(".json")).unwrap();
    folder.write(&name, &report);
    let (code, text, _) = folder.merge(&[]);
    assert!(code == 0 && text.contains("; NOT exhaustive: 40 states"), "{text}");
}
