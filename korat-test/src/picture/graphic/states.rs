//! Draws the graph of an exploration: as DOT, and as a page that steps through its sequences.

use std::collections::BTreeSet;
use std::path::Path;

use super::dot::quoted;
use super::layout::Growth;
use super::page::{self, escape_lines};
use super::places::Places;
use super::plot::{Plotted, plot};
use super::scene::Scene;
use super::svg::{Palette, escape, placed};
use crate::explore::{FailedPath, StateGraph, StatePath, Transition};
use crate::json::string as json_string;
use crate::picture::put;
use crate::report::{counted, grouped};

/// The most states of which a page draws all: some megabytes.
const ALL_DRAWN: usize = 1_000;

impl StateGraph {
    /// Returns the graph for Graphviz. States that fail are red, and first states have a thick border.
    ///
    /// ```
    /// use korat::Explore;
    ///
    /// let dot = Explore::from(false).operation("flip", [()], |light, ()| *light = !*light).graph().to_dot();
    /// assert!(dot.contains("s0 -> s1 [label=\" flip() \"];"));
    /// ```
    pub fn to_dot(&self) -> String {
        let mut text = format!("digraph \"{}\" {{\n", quoted(&self.type_name));
        text.push_str("  node [shape=box, fontname=\"monospace\"];\n  edge [fontname=\"monospace\"];\n");
        for (at, state) in self.states.iter().enumerate() {
            let lines: Vec<String> = state.drawing.lines().map(quoted).collect();
            // The lines of a drawing begin at the left.
            let label = if lines.len() > 1 { lines.join("\\l") + "\\l" } else { lines.concat() };
            let first = if state.level == 0 { ", penwidth=2" } else { "" };
            let failed = if state.is_failed { ", color=red" } else { "" };
            put(&mut text, format_args!("  s{at} [label=\"{label}\"{first}{failed}];\n"));
        }
        for Transition { from, call, to } in &self.transitions {
            put(&mut text, format_args!("  s{from} -> s{to} [label=\" {} \"];\n", quoted(call)));
        }
        text.push_str("}\n");
        text
    }

    /// Writes a page that steps through the failing sequences, or, if nothing fails, through the longest one that was needed to find
    /// a state. It is a single file that needs no network. Any other sequence can be chosen by following calls.
    ///
    /// It draws all states if there are at most 1,000, and otherwise those of the sequences that it lists.
    ///
    /// ```
    /// use korat::{Explore, Finitize};
    ///
    /// #[derive(Debug, Default, Finitize)]
    /// struct Stack {
    ///     items: Vec<u8>,
    /// }
    ///
    /// let file = std::env::temp_dir().join(format!("korat-stacks-{}.html", std::process::id()));
    /// Explore::from(Stack::default())
    ///     .operation("push", 1..=2, |stack, item| stack.items.push(item))
    ///     .depth(3)
    ///     .graph()
    ///     .write_page(&file);
    /// assert!(std::fs::read_to_string(&file)?.starts_with("<!doctype html>"));
    /// # std::fs::remove_file(&file)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the file cannot be written.
    #[track_caller]
    pub fn write_page(&self, path: impl AsRef<Path>) -> &Self {
        page::write(path.as_ref(), &StatesPage::new(self).page(), "page");
        self
    }
}

/// A sequence that a page lists, with what is wrong at its end.
struct Listed {
    path: StatePath,
    message: Option<String>,
}

struct StatesPage<'g> {
    graph: &'g StateGraph,
    listed: Vec<Listed>,
    /// The states that are drawn, in order, with their scenes if there are objects in them.
    drawn: Vec<(usize, Option<Scene>)>,
}

impl<'g> StatesPage<'g> {
    fn new(graph: &'g StateGraph) -> Self {
        let failures = graph.failures.iter().filter(|failure| !failure.path.states.is_empty());
        let failed = |FailedPath { path, sequence }: &FailedPath| Listed {
            path: path.clone(),
            message: Some(sequence.message.clone()),
        };
        let mut listed: Vec<Listed> = failures.map(failed).collect();
        if listed.is_empty() {
            listed.extend(graph.longest_path().map(|path| Listed { path, message: None }));
        }
        let drawn: BTreeSet<usize> = if graph.states.len() <= ALL_DRAWN {
            (0..graph.states.len()).collect()
        } else {
            listed.iter().flat_map(|listed| listed.path.states.iter().copied()).collect()
        };
        let scene = |state: usize| graph.states[state].outline.as_ref().map(Scene::new);
        StatesPage { graph, listed, drawn: drawn.into_iter().map(|state| (state, scene(state))).collect() }
    }

    fn scenes(&self) -> impl Iterator<Item = &Scene> + Clone {
        self.drawn.iter().filter_map(|(_, scene)| scene.as_ref())
    }

    fn page(&self) -> String {
        let states = counted(self.graph.states.len() as u64, "state");
        let title = format!("{}: {states}", self.graph.type_name);
        let mut page = page::begin(&title, include_str!("states.css"));
        self.head(&mut page);
        self.controls(&mut page);
        page.push_str(
            "<noscript><p class=\"cut\">The pictures need JavaScript.</p></noscript>\n<main>\n\
             <section>\n<h2>Sequence</h2>\n<ol id=\"steps\" start=\"0\"></ol>\n</section>\n\
             <article id=\"before\">\n<h2></h2>\n<div class=\"drawing\"></div>\n</article>\n\
             <article id=\"now\">\n<h2></h2>\n<div class=\"drawing\"></div>\n<p id=\"message\" class=\"cut\" hidden></p>\n</article>\n\
             <section>\n<h2>Calls from here</h2>\n<ul id=\"next\"></ul>\n</section>\n</main>\n<template id=\"drawings\">\n",
        );
        let growth = page::growth(self.scenes());
        let mut palette = Palette::default();
        for (state, scene) in &self.drawn {
            self.drawing(&mut page, *state, scene.as_ref(), growth, &mut palette);
        }
        page.push_str("</template>\n");
        // Nothing in it ends the element: `<` stands in strings only.
        let data = self.data().replace('<', "\\u003c");
        put(&mut page, format_args!("<script type=\"application/json\" id=\"graph\">\n{data}</script>\n"));
        page::end(page, include_str!("states.js"))
    }

    fn head(&self, page: &mut String) {
        let StateGraph { type_name, states, transitions, failures, report } = self.graph;
        let state = if report.is_exhaustive() { "complete" } else { "cut" };
        let number =
            |name: &str, number: usize| format!("<div><dt>{name}</dt><dd>{}</dd></div>\n", grouped(number as u64));
        put(
            page,
            format_args!(
                "<header>\n<div>\n<h1>{}</h1>\n<p class=\"{state}\">{}</p>\n<dl>\n{}{}{}</dl>\n",
                escape(type_name),
                escape(&report.to_string()),
                number("states", states.len()),
                number("transitions", transitions.len()),
                number("failures", failures.len())
            ),
        );
        if self.drawn.len() < states.len() {
            put(
                page,
                format_args!(
                    "<p class=\"cut\">Only {} of {} states are drawn: those of the listed sequences. Calls to others are left out.</p>\n",
                    grouped(self.drawn.len() as u64),
                    grouped(states.len() as u64)
                ),
            );
        }
        let levels: Vec<(usize, u64)> = self.graph.levels().iter().copied().enumerate().collect();
        put(page, format_args!("</div>\n{}</header>\n", plot(&Plotted { what: "states", by: "level" }, &levels)));
    }

    fn controls(&self, page: &mut String) {
        page.push_str("<nav aria-label=\"Sequence\">\n<div class=\"sizes\" role=\"group\" aria-label=\"Sequences\">\n");
        for (number, Listed { path, message }) in self.listed.iter().enumerate() {
            let name = match message {
                Some(_) => format!("failure {}", number + 1),
                None => "longest".to_string(),
            };
            let calls = counted(path.calls.len() as u64, "call");
            put(
                page,
                format_args!(
                    "<button type=\"button\" data-sequence=\"{number}\" aria-pressed=\"false\">{name} <small>{calls}</small></button>\n"
                ),
            );
        }
        put(
            page,
            format_args!(
                "</div>\n<div class=\"sizes\"><button type=\"button\" id=\"back\">&#8592; back</button>\n\
                 <button type=\"button\" id=\"forward\">forward &#8594;</button></div>\n<p role=\"status\" id=\"position\"></p>\n\
                 <ul class=\"strokes\"><li class=\"added\">new or different</li><li class=\"gone\">gone or different after the call</li></ul>\n{}</nav>\n",
                page::legend(self.scenes())
            ),
        );
    }

    fn drawing(&self, page: &mut String, state: usize, scene: Option<&Scene>, growth: Growth, palette: &mut Palette) {
        let graph_state = &self.graph.states[state];
        let picture = match scene {
            Some(scene) => placed(scene, growth, palette, None, &Places::new(scene)),
            None => {
                let text = &graph_state.drawing;
                format!("<pre data-at=\"\" data-is=\"{}\">{}</pre>\n", escape(text), escape_lines(text))
            }
        };
        let failed = if graph_state.is_failed { " data-failed" } else { "" };
        let level = graph_state.level;
        put(page, format_args!("<div data-state=\"{state}\" data-level=\"{level}\"{failed}>\n{picture}</div>\n"));
    }

    /// Returns the sequences, and the transitions between states that are drawn, as JSON.
    fn data(&self) -> String {
        let is_drawn = |state: usize| self.drawn.binary_search_by_key(&state, |(drawn, _)| *drawn).is_ok();
        let sequences = self.listed.iter().map(|Listed { path: StatePath { states, calls }, message }| {
            let message = message.as_deref().map_or("null".to_string(), json_string);
            let calls: Vec<String> = calls.iter().map(|call| json_string(call)).collect();
            format!("{{\"message\": {message}, \"states\": {states:?}, \"calls\": [{}]}}", calls.join(", "))
        });
        let transitions = self.graph.transitions.iter().filter(|it| is_drawn(it.from) && is_drawn(it.to));
        let transitions =
            transitions.map(|Transition { from, call, to }| format!("[{from}, {}, {to}]", json_string(call)));
        format!(
            "{{\"sequences\": [\n{}\n],\n\"transitions\": [\n{}\n]}}\n",
            sequences.collect::<Vec<_>>().join(",\n"),
            transitions.collect::<Vec<_>>().join(",\n")
        )
    }
}
