//! The files that the guide has for schedulers: those of real schedulers are run, see `.ci/clusters`; shell scripts are at least read.

use std::path::Path;
use std::process::Command;

const CHAPTER: &str = include_str!("../../../docs/src/clusters.md");

/// Returns the files of the chapter: their names, their languages and what is in them.
fn files() -> Vec<(&'static str, &'static str, &'static str)> {
    let blocks = CHAPTER.split("<!-- file: ").skip(1);
    let file = |block: &'static str| {
        let (name, rest) = block.split_once(" -->\n```")?;
        let (language, rest) = rest.split_once('\n')?;
        Some((name, language, rest.split_once("\n```\n")?.0))
    };
    blocks.map(|block| file(block).expect("a file is a block of code")).collect()
}

#[test]
fn every_scheduler_has_complete_files() {
    let files = files();
    let names: Vec<&str> = files.iter().map(|(name, ..)| *name).collect();
    let expected = [
        ".github/workflows/search.yml",
        ".gitlab-ci.yml",
        "BUILD.bazel",
        "search.sh",
        "search-in-bazel.sh",
        "search.sbatch",
        "search-in-slurm.sh",
        "search-in-parallel.sh",
        "search.yaml",
        "sum.yaml",
        "search-in-kubernetes.sh",
    ];
    assert_eq!(names, expected);
    for (name, language, text) in files {
        if language == "sh" {
            let checked = Command::new("bash").args(["-n", "-c", text]).output().expect("there is a shell");
            assert!(checked.status.success(), "{name}: {}", String::from_utf8_lossy(&checked.stderr));
            assert!(text.starts_with("#!/bin/bash\n"), "{name}");
        }
        // A file that another one names is there.
        let named = text.split(|c: char| c.is_whitespace() || c == '"').filter(|word| word.starts_with("search"));
        for other in named.filter(|word| word.ends_with(".sh") || word.ends_with(".sbatch") || word.ends_with(".yaml"))
        {
            assert!(names.contains(&other), "{name} names {other}");
        }
    }
}

/// Every way to run shards says which shard it is and where its reports go, and adds them up.
#[test]
fn every_scheduler_sets_a_shard_keeps_reports_and_merges() {
    let sections: Vec<&str> =
        CHAPTER.split("\n## ").skip(1).filter(|section| section.contains("<!-- file: ")).collect();
    assert_eq!(sections.len(), 6);
    for section in sections {
        for wanted in ["KORAT_SHARD", "KORAT_REPORT", "korat, merge"] {
            let is_there = section.contains(wanted) || section.contains(&wanted.replace(',', ""));
            assert!(is_there, "{wanted} is not in {}", section.lines().next().unwrap_or_default());
        }
    }
}

#[test]
#[ignore = "it installs packages and starts SLURM: for containers, as root"]
fn shards_run_in_real_clusters() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.ci/clusters");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clusters");
    let mut run = Command::new(script);
    run.env("KORAT", env!("CARGO_BIN_EXE_korat")).env("CLUSTERS_TARGET", target);
    assert!(run.status().expect("it is a program").success());
}
