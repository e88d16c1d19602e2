//! Draws the values of a `Search` with lines and boxes.

use std::path::Path;

use korat_core::{Finitize, RepOk};

use super::dot::dot;
use super::gallery::{Gallery, Totals};
use super::page;
use super::svg::svg;
use crate::config::{Config, Order};
use crate::picture::search::each_outline;
use crate::report::Report;
use crate::search::Search;
use crate::subject::Subject;

impl<T: Finitize + RepOk> Search<T> {
    /// Draws the first `count` valid values as Graphviz digraphs.
    ///
    /// ```
    /// # use korat::{Finitize, Search, rep_ok};
    /// # #[derive(Debug, Finitize)]
    /// # struct Node { value: u8, next: Option<Box<Node>> }
    /// # #[derive(Debug, Finitize)]
    /// # struct List { head: Option<Box<Node>> }
    /// # #[rep_ok]
    /// # impl List { fn rep_ok(&self) -> bool { let mut at = &self.head; while let Some(n) = at { at = &n.next; } true } }
    /// let graphs = Search::new(List::scope(1)).dot(2);
    /// assert!(graphs[1].contains("n0 -> n1 [label=\" head \"];"));
    /// ```
    #[track_caller]
    pub fn dot(self, count: usize) -> Vec<String> {
        let mut drawn = Vec::new();
        self.each_outline(count, |number, outline| drawn.push(dot(outline, &format!("{} #{number}", T::NAME))));
        drawn
    }

    /// Draws the first `count` valid values as stand-alone SVG pictures.
    ///
    /// ```
    /// # use korat::{Finitize, Search, rep_ok};
    /// # #[derive(Debug, Finitize)]
    /// # struct Node { value: u8, next: Option<Box<Node>> }
    /// # #[derive(Debug, Finitize)]
    /// # struct List { head: Option<Box<Node>> }
    /// # #[rep_ok]
    /// # impl List { fn rep_ok(&self) -> bool { let mut at = &self.head; while let Some(n) = at { at = &n.next; } true } }
    /// let pictures = Search::new(List::scope(1)).svg(2);
    /// assert!(pictures[1].starts_with("<svg ") && pictures[1].contains(">value: 0</text>"));
    /// ```
    #[track_caller]
    pub fn svg(self, count: usize) -> Vec<String> {
        let mut drawn = Vec::new();
        self.each_outline(count, |_, outline| drawn.push(svg(outline)));
        drawn
    }
}

/// Writes the gallery with the first structures of a finished run.
#[track_caller]
pub(crate) fn write_gallery(subject: &Subject, config: &Config, path: &Path, report: &Report) {
    let mut gallery = Gallery::new(subject.type_name, subject.scope);
    let most = usize::try_from(report.valid).unwrap_or(usize::MAX).min(config.gallery_most);
    let config = config.clone().order(Order::SmallestFirst);
    each_outline(subject, &config, most, &mut |number, size, outline| gallery.add(number, size, outline));
    let Report { explored, valid, by_size, .. } = report;
    let page = gallery.page(&Totals { explored: *explored, valid: *valid, complete: report.is_complete(), by_size });
    page::write(path, &page, "gallery");
}
