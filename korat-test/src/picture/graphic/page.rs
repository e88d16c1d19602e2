//! What pages have in common: a head that forbids the network, the look, and the legend of the strokes.

use std::fs;
use std::path::Path;

use super::layout::Growth;
use super::scene::{Scene, Stroke};
use super::svg::{self, escape};

/// Begins a page with this title, and with this style in addition to that of all pages.
pub(super) fn begin(title: &str, style: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>\n{}{}{style}</style>\n</head>\n<body>\n",
        escape(title),
        include_str!("gallery.css"),
        svg::STYLE
    )
}

/// Ends a page with this script.
pub(super) fn end(page: String, script: &str) -> String {
    format!("{page}<script>\n{script}</script>\n</body>\n</html>\n")
}

/// Writes a page to a file, and the folders of the file if they are missing. Panics if that fails.
#[track_caller]
pub(super) fn write(path: &Path, page: &str, what: &str) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let written = folder.map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, page));
    if let Err(error) = written {
        panic!("the {what} {} cannot be written: {error}", path.display());
    }
}

/// Returns a list of the strokes that occur in scenes, with their meanings.
pub(super) fn legend<'s>(scenes: impl Iterator<Item = &'s Scene> + Clone) -> String {
    let mut list = String::from("<ul class=\"strokes\">\n");
    for stroke in [Stroke::Owned, Stroke::Shared, Stroke::Weak, Stroke::Raw, Stroke::Index] {
        let is_used = |scene: &Scene| scene.drawn().any(|edge| scene.edges[edge].stroke == stroke);
        if scenes.clone().any(is_used) {
            list.push_str(&format!(
                "<li><svg class=\"korat-picture\" width=\"34\" height=\"10\" aria-hidden=\"true\">\
                 <g class=\"edge {}\"><path d=\"M1 5 H25\"/><path class=\"tip\" d=\"M33 5 L25 1.5 L25 8.5 Z\"/></g></svg> {}</li>\n",
                stroke.word(),
                meaning(stroke)
            ));
        }
    }
    list.push_str("</ul>\n");
    list
}

/// Returns the direction in which all scenes grow: the same, so that a list of one element looks like the longer ones.
pub(super) fn growth<'s>(scenes: impl Iterator<Item = &'s Scene> + Clone) -> Growth {
    let has_long = scenes.clone().any(|scene| scene.nodes.len() > 2);
    if has_long && scenes.clone().all(Scene::is_chain) { Growth::Right } else { Growth::Down }
}

/// Returns the meaning of a stroke.
fn meaning(stroke: Stroke) -> &'static str {
    match stroke {
        Stroke::Owned => "owned",
        Stroke::Shared => "shared (Rc, Arc)",
        Stroke::Weak => "weak",
        Stroke::Raw => "raw pointer",
        Stroke::Index => "index",
    }
}

/// Escapes text, and preserves its line breaks.
pub(super) fn escape_lines(text: &str) -> String {
    text.lines().map(escape).collect::<Vec<_>>().join("\n")
}
