//! Generates a page with many pictures: a self-contained HTML file without network access. The page is readable without
//! its script, which only filters and copies.

use korat_core::Outline;

use super::dot::of_scene;
use super::layout::Growth;
use super::page::{self, escape_lines};
use super::plot::{Plotted, plot};
use super::scene::Scene;
use super::svg::{Palette, element, escape};
use crate::picture::put;
use crate::report::{counted, grouped};

/// The structures of a page.
pub(crate) struct Gallery {
    type_name: String,
    scope: usize,
    shown: Vec<Structure>,
}

struct Structure {
    number: u64,
    size: usize,
    scene: Scene,
}

/// Statistics of the search.
pub(crate) struct Totals<'t> {
    /// Number of candidates explored.
    pub(crate) explored: u64,
    /// Number of valid values.
    pub(crate) valid: u64,
    /// Whether the search was exhaustive.
    pub(crate) complete: bool,
    /// Number of valid values of each size, in ascending order.
    pub(crate) by_size: &'t [(usize, u64)],
}

impl Gallery {
    /// Creates a page without structures.
    pub(crate) fn new(type_name: &str, scope: usize) -> Self {
        Gallery { type_name: type_name.to_string(), scope, shown: Vec::new() }
    }

    /// Adds a structure with its number in the search, starting at 1, and its number of objects.
    pub(crate) fn add(&mut self, number: u64, size: usize, outline: &Outline) {
        self.shown.push(Structure { number, size, scene: Scene::new(outline) });
    }

    /// Returns the HTML of the page.
    pub(crate) fn page(&self, totals: &Totals<'_>) -> String {
        let valid = counted(totals.valid, "valid structure");
        let mut page = page::begin(&format!("{} at scope {}: {valid}", self.type_name, self.scope), "");
        self.head(&mut page, totals);
        self.controls(&mut page);
        page.push_str("<main id=\"structures\">\n");
        let growth = page::growth(self.scenes());
        let mut palette = Palette::default();
        for structure in &self.shown {
            self.card(&mut page, structure, growth, &mut palette);
        }
        page.push_str("</main>\n<p id=\"nothing\" hidden>No structure matches.</p>\n");
        page::end(page, include_str!("gallery.js"))
    }

    fn scenes(&self) -> impl Iterator<Item = &Scene> + Clone {
        self.shown.iter().map(|structure| &structure.scene)
    }

    fn head(&self, page: &mut String, totals: &Totals<'_>) {
        let Totals { explored, valid, complete, by_size } = *totals;
        let (state, word) = if complete {
            ("complete", "complete: every valid structure was found")
        } else {
            ("cut", "NOT exhaustive")
        };
        put(
            page,
            format_args!(
                "<header>\n<div>\n<h1>{} <small>scope {}</small></h1>\n<p class=\"{state}\">{word}</p>\n<dl>\n\
                 <div><dt>valid</dt><dd>{}</dd></div>\n<div><dt>explored</dt><dd>{}</dd></div>\n\
                 <div><dt>explored per valid</dt><dd>{}</dd></div>\n</dl>\n",
                escape(&self.type_name),
                self.scope,
                grouped(valid),
                grouped(explored),
                ratio(explored, valid),
            ),
        );
        let shown = self.shown.len() as u64;
        if shown < valid {
            put(
                page,
                format_args!(
                    "<p class=\"cut\">Only {} of {} structures are shown.</p>\n",
                    grouped(shown),
                    grouped(valid)
                ),
            );
        }
        let plotted = Plotted { what: "valid structures", by: "size" };
        put(page, format_args!("</div>\n{}</header>\n", plot(&plotted, by_size)));
    }

    /// Emits the filters, and a legend of the strokes that occur.
    fn controls(&self, page: &mut String) {
        page.push_str("<nav aria-label=\"Filter\">\n<div class=\"sizes\" role=\"group\" aria-label=\"Size\">\n");
        put(page, format_args!("<button type=\"button\" data-size=\"\" aria-pressed=\"true\">all</button>\n"));
        let mut sizes: Vec<usize> = self.shown.iter().map(|structure| structure.size).collect();
        sizes.sort_unstable();
        for same in sizes.chunk_by(|one, other| one == other) {
            put(
                page,
                format_args!(
                    "<button type=\"button\" data-size=\"{}\" aria-pressed=\"false\">size {} <small>{}</small></button>\n",
                    same[0],
                    same[0],
                    grouped(same.len() as u64)
                ),
            );
        }
        page.push_str(
            "</div>\n<label>contains <input id=\"text\" type=\"search\" placeholder=\"key: 3, or #12\" autocomplete=\"off\"></label>\n\
             <p role=\"status\" id=\"count\"></p>\n",
        );
        page.push_str(&page::legend(self.scenes()));
        page.push_str("</nav>\n");
    }

    fn card(&self, page: &mut String, structure: &Structure, growth: Growth, palette: &mut Palette) {
        let Structure { number, size, scene } = structure;
        let picture = element(scene, growth, palette, None);
        let dot = of_scene(scene, &format!("{} #{number}", self.type_name));
        put(
            page,
            format_args!(
                "<article id=\"s{number}\" data-number=\"{number}\" data-size=\"{size}\">\n\
                 <h2><a href=\"#s{number}\">#{}</a> <small>size {size}</small></h2>\n<div class=\"drawing\">\n{picture}</div>\n\
                 <details><summary>DOT</summary><button type=\"button\" class=\"copy\">copy</button><pre>{}</pre></details>\n</article>\n",
                grouped(*number),
                escape_lines(&dot)
            ),
        );
    }
}

/// Returns the number of candidates per valid value, as text.
fn ratio(explored: u64, valid: u64) -> String {
    match explored.checked_div(valid) {
        None => "none is valid".to_string(),
        Some(whole) if whole >= 100 => grouped(whole),
        Some(_) => format!("{:.2}", explored as f64 / valid as f64),
    }
}
