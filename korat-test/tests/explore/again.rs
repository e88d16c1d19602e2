//! Failing sequences: how they are drawn, and run again.

use std::path::PathBuf;
use std::process::Command;
use std::rc::{Rc, Weak};
use std::{env, fs};

use korat::{Explore, Finitize};

use crate::rerun;

#[derive(Debug, Finitize)]
struct Node {
    key: u8,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

#[derive(Debug, Default, Finitize)]
struct Tree {
    root: Option<Box<Node>>,
    len: usize,
}

impl Tree {
    fn insert(&mut self, key: u8) {
        let mut at = &mut self.root;
        while let Some(node) = at {
            // The mistake: keys that are there are put on the right.
            at = if key < node.key { &mut node.left } else { &mut node.right };
        }
        *at = Some(Box::new(Node { key, left: None, right: None }));
        self.len += 1;
    }
}

fn nodes(node: &Option<Box<Node>>, keys: &mut Vec<u8>) {
    if let Some(node) = node {
        nodes(&node.left, keys);
        keys.push(node.key);
        nodes(&node.right, keys);
    }
}

fn is_search_tree(tree: &Tree) -> bool {
    let mut keys = Vec::new();
    nodes(&tree.root, &mut keys);
    keys.len() == tree.len && keys.windows(2).all(|pair| pair[0] < pair[1])
}

#[test]
fn states_with_objects_are_drawn() {
    let (smallest, largest) = (1, 3);
    let failed = Explore::from(Tree::default())
        .operation("insert", smallest..=largest, |tree, key| tree.insert(key))
        .operation("fill", [()], |tree, ()| [2, 1, 2].map(|key| tree.insert(key)))
        .check(|tree| tree.len < 3 || is_search_tree(tree))
        .regressions(false)
        .try_run()
        .unwrap_err();
    insta::assert_snapshot!(failed, @r#"
    exploration failed after 1 operation: the check fails: it returned false
      start
          Tree { len: 0 }
      fill()
          Tree { len: 3 }
          `- root: Node { key: 2 }
             |- left: Node { key: 1 }
             `- right: Node { key: 2 }

    replay: KORAT_REPLAY='explore Tree: fill()' cargo test again::states_with_objects_are_drawn
    as a test of its own:
        #[test]
        fn states_with_objects_are_drawn_on_one_sequence() {
            let (smallest, largest) = (1, 3);
            Explore::from(Tree::default())
                .operation("insert", smallest..=largest, |tree, key| tree.insert(key))
                .operation("fill", [()], |tree, ()| [2, 1, 2].map(|key| tree.insert(key)))
                .check(|tree| tree.len < 3 || is_search_tree(tree))
                .regressions(false)
                .replay("fill()");
        }

    so far: 4 states found, 0 expanded, 4 executions
    "#);
}

/// An owner with a list that leads back to it.
#[derive(Debug, Finitize)]
struct Owner {
    tags: std::collections::BTreeMap<u8, char>,
    flags: std::collections::BTreeSet<(u8, bool)>,
    items: Vec<Rc<Item>>,
    first: Option<Weak<Item>>,
    pair: (u8, Option<Kind>),
}

#[derive(Debug, Finitize)]
struct Item {
    kind: Kind,
}

#[derive(Debug, Finitize)]
enum Kind {
    Leaf,
    Named { name: u8 },
    Both(Box<Kind>, Box<Kind>),
}

#[test]
fn shared_objects_enums_and_maps_are_drawn() {
    let shared = Rc::new(Item { kind: Kind::Both(Box::new(Kind::Leaf), Box::new(Kind::Named { name: 3 })) });
    let owner = Owner {
        tags: [(1, 'a'), (2, 'b')].into(),
        flags: [(7, true)].into(),
        first: Some(Rc::downgrade(&shared)),
        items: vec![Rc::clone(&shared), shared],
        pair: (4, Some(Kind::Leaf)),
    };
    let failed = Explore::from((owner, 7_u8)).check(|_| false).regressions(false).try_run().unwrap_err();
    insta::assert_snapshot!(failed.failures[0].states[0], @r#"
    (Owner, u8) { 1: 7 }
    `- 0: Owner { tags: {1: 'a', 2: 'b'}, flags: {(7, true)}, pair.0: 4 }
       |- items[0]: Item#2
       |  `- kind: Kind::Both
       |     |- 0: Kind::Leaf
       |     `- 1: Kind::Named { name: 3 }
       |- items[1]: -> Item#2
       |- first: ~> Item#2 (weak)
       `- pair.1: Kind::Leaf
    "#);
}

#[derive(Debug, Finitize)]
struct Options {
    flat: Option<u8>,
    nested: Option<Option<u8>>,
    list: Vec<Option<Option<u8>>>,
    text: Option<Option<String>>,
    items: Option<Vec<u8>>,
    pair: Option<(u8, Option<bool>)>,
    boxed: Option<Option<Box<Item>>>,
    empty: Option<Option<Box<Item>>>,
    item: Option<Item>,
    none: Option<Item>,
    cell: Option<std::cell::Cell<u8>>,
}

#[test]
fn options_are_drawn_as_they_are() {
    let item = || Item { kind: Kind::Leaf };
    let options = Options {
        flat: Some(1),
        nested: Some(None),
        list: vec![None, Some(None), Some(Some(1))],
        text: Some(Some("a".to_string())),
        items: Some(vec![1, 2]),
        pair: Some((7, None)),
        boxed: Some(Some(Box::new(item()))),
        empty: Some(None),
        item: Some(item()),
        none: None,
        cell: Some(3.into()),
    };
    let failed = Explore::from(options).check(|_| false).regressions(false).try_run().unwrap_err();
    insta::assert_snapshot!(failed.failures[0].states[0], @r#"
    Options { flat: Some(1), nested: Some(None), list: [None, Some(None), Some(Some(1))], text: Some(Some("a")), items.Some: [1, 2], pair.Some.0: 7, pair.Some.1: None, empty: Some(None), none: None, cell: Some(3) }
    |- boxed: Item
    |  `- kind: Kind::Leaf
    `- item: Item
       `- kind: Kind::Leaf
    "#);
}

/// A node with a raw pointer to its parent.
#[derive(Debug, Finitize)]
struct Raw {
    next: Option<Box<Raw>>,
    previous: *const Raw,
}

#[test]
fn raw_pointers_are_drawn() {
    let mut first = Box::new(Raw { next: None, previous: std::ptr::null() });
    let previous = &raw const *first;
    first.next = Some(Box::new(Raw { next: None, previous }));
    #[derive(Debug, Finitize)]
    struct List {
        head: Option<Box<Raw>>,
        tail: *const Raw,
    }
    let tail = &raw const **first.next.as_ref().expect("it was set");
    let list = List { head: Some(first), tail };
    let failed = Explore::from(list).check(|_| false).regressions(false).try_run().unwrap_err();
    insta::assert_snapshot!(failed.failures[0].states[0], @r#"
    List
    |- head: Raw#1
    |  `- next: Raw#2
    |     `- previous: *> Raw#1 (raw)
    `- tail: *> Raw#2 (raw)
    "#);
}

/// The variable that makes a test explore, and says what its tree does.
const WITHIN: &str = "KORAT_TEST_WITHIN";

/// Explores trees in a process of its own.
fn explore(mode: &str) {
    let is_right = ["right", "renamed"].contains(&mode);
    let add = if mode == "renamed" { "add" } else { "insert" };
    let explore = Explore::from(Tree::default())
        .operation(add, ['x', '\''].map(|name| (1, name)), move |tree, (key, _)| {
            if !is_right || tree.root.is_none() {
                tree.insert(key);
            }
        })
        .check(is_search_tree)
        .depth(3);
    match mode {
        "replayed" => explore.replay("insert(1, '\\''); insert(1, 'x')"),
        _ => _ = explore.run().expect_states(2),
    }
}

/// A package with the regressions of a test.
struct Package(PathBuf);

impl Drop for Package {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Package {
    fn new(name: &str) -> Self {
        let folder = env::temp_dir().join(format!("korat-explore-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("there is a folder for temporary files");
        Package(folder)
    }

    /// Runs a test of this module again. Returns whether it passes, and what it prints.
    fn run(&self, test: &str, mode: &str, change: impl FnOnce(&mut Command)) -> (bool, String) {
        let mut command = rerun::command(module_path!(), test);
        command.env(WITHIN, mode).env("CARGO_MANIFEST_DIR", &self.0).env("RUST_BACKTRACE", "0");
        command.env_remove("KORAT_REGRESSIONS");
        change(&mut command);
        let output = command.output().expect("it can be run");
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    }

    fn file(&self) -> PathBuf {
        self.0.join("korat-regressions/explore.again.txt")
    }
}

#[test]
fn failing_sequences_run_first_the_next_time() {
    if let Ok(mode) = env::var(WITHIN) {
        return explore(&mode);
    }
    let package = Package::new("kept");
    let run = |mode| package.run("failing_sequences_run_first_the_next_time", mode, |_| {});
    let (passes, printed) = run("wrong");
    assert!(!passes && printed.contains("exploration failed after 2 operations: the check fails"), "{printed}");
    assert!(printed.contains("saved: in korat-regressions/explore.again.txt"), "{printed}");
    let kept = fs::read_to_string(package.file()).expect("the sequence is kept");
    let line = "explore explore Tree: insert(1, 'x'); insert(1, 'x') # the check fails: it returned false\n";
    assert!(kept.ends_with(line), "{kept}");
    let (passes, printed) = run("wrong");
    let origin = "after 2 operations (a saved sequence: korat-regressions/explore.again.txt, line 3): the check fails";
    assert!(!passes && printed.contains(origin) && !printed.contains("saved: in"), "{printed}");
    assert_eq!(fs::read_to_string(package.file()).expect("it is there"), kept);
    let (passes, printed) = run("right");
    assert!(passes, "{printed}");
    // A line that says nothing any more is told, but fails nothing.
    let (passes, printed) = run("renamed");
    let stale = "line 3: insert(1, 'x'); insert(1, 'x') is none of the exploration at ";
    assert!(printed.contains("no operation is called like `insert(1, 'x')`; the code has changed"), "{printed}");
    assert!(passes && printed.contains(stale), "{printed}");
}

#[test]
fn a_sequence_is_replayed_by_the_environment() {
    if let Ok(mode) = env::var(WITHIN) {
        return explore(&mode);
    }
    let package = Package::new("replayed");
    let run = |mode, replay: &str| {
        let test = "a_sequence_is_replayed_by_the_environment";
        package.run(test, mode, |command| _ = command.env("KORAT_REPLAY", replay))
    };
    let (passes, printed) = run("wrong", r"explore Tree: insert(1, '\''); insert(1, 'x')");
    assert!(!passes && printed.contains("after 2 operations (the replayed sequence): the check fails"), "{printed}");
    // As a shell takes it.
    let line = r"KORAT_REPLAY='explore Tree: insert(1, '\''\'\'''\''); insert(1, '\''x'\'')' cargo test again::";
    assert!(printed.contains(line) && !package.file().exists(), "{printed}");
    let (passes, printed) = run("wrong", "explore Tree: insert(1, 'x')");
    assert!(passes, "{printed}");
    // Another exploration of the test may have these calls.
    let (passes, printed) = run("right", "explore Tree: remove(1)");
    assert!(passes && printed.contains("is run as usual (no operation is called like `remove(1)`)"), "{printed}");
    let (passes, printed) = run("right", "explore List: remove(1)");
    assert!(passes && printed.contains("the exploration of Tree at"), "{printed}");
    let (passes, printed) = run("replayed", "");
    assert!(!passes && printed.contains("(the replayed sequence)"), "{printed}");
}

#[test]
fn answers_are_part_of_a_sequence() {
    let throws = || {
        Explore::from(0_u8)
            .operation("throw", [()], |sum, ()| *sum += korat::choose(1..=6) * korat::choose([10, 1]))
            .check(|sum| *sum != 7)
            .regressions(false)
    };
    let failed = throws().try_run().unwrap_err();
    assert_eq!(failed.failures[0].replay, "throw()/0.1; throw()/5.1");
    throws().replay("throw()/0.0; throw()/5.1");
    let replayed = std::panic::catch_unwind(|| throws().replay("throw()/0.1; throw()/5.1"));
    assert!(replayed.is_err());
    for wrong in ["throw()", "throw()/0.1.1", "throw()/9.0", "start 1; throw()/0.0"] {
        let failed = std::panic::catch_unwind(|| throws().replay(wrong)).unwrap_err();
        let message = failed.downcast_ref::<String>().expect("it panics with a text");
        assert!(message.contains("replay"), "{wrong}: {message}");
    }
}
