//! Graphs for Graphviz, read by Graphviz itself. Needs the program `dot`, so the tests are ignored:
//! `cargo test --test harness pictures::graphviz -- --ignored` runs them.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::structures::{
    Arena, Chain, Containers, Diamond, EVIL, Formula, Graph, Grove, Hostile, Siblings, Tree, Watched,
};
use korat::{Finitize, RepOk, Search};

/// The graphs as SVG, drawn by Graphviz, which must not complain.
fn drawn(graphs: &[String]) -> String {
    assert!(!graphs.is_empty());
    let mut graphviz = Command::new("dot")
        .arg("-Tsvg")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("Graphviz cannot be run, is it installed? dot: {error}"));
    let mut input = graphviz.stdin.take().expect("it has an input");
    let text = graphs.concat();
    let feeder = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = graphviz.wait_with_output().expect("it ends");
    feeder.join().expect("the thread ends").expect("the input is read");
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaints.is_empty(), "{complaints}\n{}", graphs.concat());
    String::from_utf8(output.stdout).expect("SVG is text")
}

fn all<T: Finitize + RepOk>(scope: usize) -> Vec<String> {
    Search::new(T::scope(scope)).dot(100)
}

#[test]
#[ignore = "needs Graphviz"]
fn graphviz_reads_every_graph() {
    for graphs in [
        all::<Tree>(4),
        all::<Diamond>(4),
        all::<Chain>(4),
        all::<Watched>(1),
        all::<Arena>(3),
        all::<Graph>(2),
        all::<Formula>(4),
        all::<Containers>(3),
        all::<Siblings>(2),
        all::<Grove>(2),
    ] {
        let pictures = drawn(&graphs);
        assert_eq!(pictures.matches("<svg ").count(), graphs.len());
    }
}

#[test]
#[ignore = "needs Graphviz"]
fn hostile_texts_are_drawn_as_they_stand() {
    for (graph, evil) in all::<Hostile>(0).iter().zip(EVIL) {
        let picture = drawn(std::slice::from_ref(graph));
        let document = picture.split_once("<svg ").map(|(_, rest)| format!("<svg {rest}")).expect("there is a picture");
        let document = roxmltree::Document::parse(&document).unwrap_or_else(|error| panic!("{error}: {document}"));
        let texts = document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")));
        let plain = |text: &str| text.replace('\u{a0}', " ").replace('\u{200b}', "");
        let texts: Vec<String> = texts.filter_map(|node| node.text()).map(plain).collect();
        let shown = evil.replace(['\n', '\t'], " ").replace(['\u{1b}', '\u{7}', '\u{ffff}'], "\u{fffd}");
        assert_eq!(texts, ["Hostile".to_string(), format!("text: {shown}")]);
    }
}

#[test]
#[ignore = "needs Graphviz"]
fn graphviz_reads_graphs_of_states() {
    let graph = korat::Explore::from(String::new())
        .operation("set", EVIL, |text: &mut String, evil| *text = evil.to_string())
        .graph();
    assert_eq!(graph.states.len(), 1 + EVIL.len());
    let picture = drawn(&[graph.to_dot()]);
    assert_eq!(picture.matches("class=\"node\"").count(), graph.states.len());
    assert_eq!(picture.matches("class=\"edge\"").count(), graph.transitions.len());
}

#[test]
#[ignore = "needs Graphviz"]
#[should_panic(expected = "syntax error")]
fn a_graph_that_is_wrong_is_noticed() {
    drawn(&["digraph \"a\" { n0 -> }".to_string()]);
}
