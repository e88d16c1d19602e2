//! The `generate` program as a user meets it: what it prints, and what it says of wrong arguments.

use std::process::{Command, Output};

fn generate(args: &[&str]) -> Output {
    generate_with(args, None)
}

/// Runs `generate` with a value for `KORAT_EXPLAIN`; without one it is not set, whatever the environment of the tests says.
fn generate_with(args: &[&str], explain: Option<&str>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_generate"));
    command.args(args).env_remove("KORAT_EXPLAIN").envs(explain.map(|value| ("KORAT_EXPLAIN", value)));
    command.output().expect("the program starts")
}

/// What a run that must succeed printed, without the lines that differ from run to run.
fn printed(args: &[&str]) -> String {
    settled(args, &generate(args))
}

fn settled(args: &[&str], output: &Output) -> String {
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = str::from_utf8(&output.stdout).expect("the output is text");
    let measured = |line: &str| line.ends_with(" ms") || line.ends_with("per second");
    text.lines().filter(|line| !measured(line)).map(|line| format!("{line}\n")).collect()
}

/// The first line of the message for arguments that must be refused.
fn refused(args: &[&str]) -> String {
    let output = generate(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    assert!(output.stdout.is_empty(), "{args:?}");
    let text = String::from_utf8(output.stderr).expect("the message is text");
    assert!(text.contains("\nusage: generate [structure] [scope]"), "{text}");
    text.lines().next().unwrap_or_default().to_string()
}

#[test]
fn counts_and_drawings_are_printed() {
    let expected = "\
binary-tree at scope 2: every valid value
  explored                  4 candidates
  valid                     2 values
  field inits              15

#1
BinaryTree { size: 2 }
`- root: Node
   `- right: Node

#2
BinaryTree { size: 2 }
`- root: Node
   `- left: Node
";
    assert_eq!(printed(&["binary-tree", "2"]), expected);
}

#[test]
fn time_and_speed_are_printed() {
    let output = generate(&["sorted-list", "3"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.lines().any(|line| line.starts_with("  time") && line.ends_with(" ms")), "{text}");
    assert!(text.contains(" values per second\n"), "{text}");
}

#[test]
fn classic_explores_more_and_finds_the_same() {
    let text = printed(&["search-tree", "6", "--classic", "--draw", "0"]);
    assert!(text.contains(" 98,693 candidates\n") && text.contains(" 924 values\n"), "{text}");
    let text = printed(&["--draw", "0"]);
    assert!(text.starts_with("search-tree at scope 6:") && text.contains(" 924 values\n"), "{text}");
}

#[test]
fn every_structure_runs() {
    for name in ["search-tree", "binary-tree", "avl-tree", "red-black-tree", "nary-tree", "sorted-list", "heap-array"] {
        for scope in ["0", "3"] {
            let text = printed(&[name, scope, "--draw", "1"]);
            assert!(text.starts_with(&format!("{name} at scope {scope}: every valid value")), "{text}");
            assert!(text.contains("\n#1\n"), "{text}");
        }
    }
}

#[test]
fn a_limit_stops_early_and_says_so() {
    let text = printed(&["binary-tree", "100", "--limit", "2", "--draw", "5"]);
    assert!(text.starts_with("binary-tree at scope 100: stopped at the limit, NOT every valid value"), "{text}");
    assert!(text.contains(" 2 values\n") && text.contains("\n#2\n") && !text.contains("\n#3\n"), "{text}");
}

#[test]
fn the_environment_can_ask_for_an_explanation() {
    let run = |explain| {
        let args = ["search-tree", "3", "--draw", "1"];
        let output = generate_with(&args, explain);
        (settled(&args, &output), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (plain, nothing) = run(None);
    assert_eq!(nothing, "");
    for off in ["", "0"] {
        assert_eq!(run(Some(off)), (plain.clone(), String::new()), "KORAT_EXPLAIN={off}");
    }
    let (text, explanation) = run(Some("1"));
    assert_eq!(text, plain, "an explanation changes no count and no value");
    // One for the search that runs to its end, none for the one that draws.
    assert!(
        explanation.starts_with("complete: all 20 values of SearchTree at scope 3; 174 candidates "),
        "{explanation}"
    );
    assert_eq!(explanation.matches("how rep_ok ran (").count(), 1, "{explanation}");
    assert!(explanation.contains("search_tree.rs):\n  line   re-entered     replayed  statement\n"), "{explanation}");
    let row = explanation.lines().find(|line| line.ends_with("  let key = node.key;"));
    let re_entered = row.and_then(|row| row.split_whitespace().nth(1)).map(str::parse);
    assert!(matches!(re_entered, Some(Ok(1u64..))), "{explanation}");
}

#[test]
fn help_is_no_mistake() {
    assert!(printed(&["--help"]).starts_with("usage: generate [structure] [scope]"));
}

#[test]
fn wrong_arguments_are_refused() {
    assert_eq!(refused(&["splay-tree"]), "error: unknown structure `splay-tree`");
    assert_eq!(refused(&["search-tree", "six"]), "error: the scope is a number from 0 to 1000, not `six`");
    assert_eq!(refused(&["search-tree", "1001"]), "error: the scope is a number from 0 to 1000, not `1001`");
    assert_eq!(refused(&["search-tree", "-1"]), "error: unknown option `-1`");
    assert_eq!(refused(&["search-tree", "6", "7"]), "error: `7` is one argument too many");
    assert_eq!(refused(&["--fast"]), "error: unknown option `--fast`");
    assert_eq!(refused(&["--draw"]), "error: `--draw` needs a number after it");
    assert_eq!(refused(&["--limit", "all"]), "error: `--limit` needs a number after it, not `all`");
}
