//! Plots numbers by size or by level as an SVG element.

use std::fmt::Write;

use super::layout::CHAR;
use super::svg::number;
use crate::report::grouped;

const HEIGHT: f64 = 120.0;
/// Vertical range of the bars.
const TOP: f64 = 20.0;
const BOTTOM: f64 = 96.0;
/// If counts differ by at least this factor, the scale is logarithmic, because small bars would be invisible.
const FAR_APART: u64 = 50;

/// What a plot shows.
pub(super) struct Plotted {
    /// What is counted.
    pub(super) what: &'static str,
    /// What it is counted by.
    pub(super) by: &'static str,
}

/// Returns a plot with one bar per size or level, or nothing without counts.
pub(super) fn plot(Plotted { what, by }: &Plotted, by_size: &[(usize, u64)]) -> String {
    let counts = || by_size.iter().map(|&(_, count)| count).filter(|&count| count > 0);
    let (Some(least), Some(most)) = (counts().min(), counts().max()) else { return String::new() };
    let is_log = most / least >= FAR_APART;
    let share = |count: u64| {
        if count == 0 {
            0.0
        } else if is_log {
            // Keep the smallest count visible.
            0.06 + 0.94 * ((count as f64).ln() - (least as f64).ln()) / ((most as f64).ln() - (least as f64).ln())
        } else {
            count as f64 / most as f64
        }
    };
    let widest = by_size.iter().map(|&(_, count)| grouped(count).len()).max().unwrap_or(1) as f64;
    let step = (widest * CHAR + 8.0).max(34.0);
    let width = step * by_size.len() as f64 + 8.0;
    let scale = if is_log { ", logarithmic scale" } else { "" };
    let mut text = format!(
        "<svg class=\"plot\" role=\"img\" aria-label=\"{what} by {by}{scale}\" width=\"{}\" height=\"{HEIGHT}\" viewBox=\"0 0 {} {HEIGHT}\">\n",
        number(width),
        number(width)
    );
    for (at, &(size, count)) in by_size.iter().enumerate() {
        let middle = 4.0 + step * (at as f64 + 0.5);
        let high = share(count) * (BOTTOM - TOP);
        let (x, y, w) = (number(middle - step * 0.36), number(BOTTOM - high), number(step * 0.72));
        writeln!(
            text,
            "<g data-{by}=\"{size}\"><title>{by} {size}: {count}</title><rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{}\"/>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
             <text class=\"axis\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{size}</text></g>",
            number(high),
            number(middle),
            number(BOTTOM - high - 5.0),
            grouped(count),
            number(middle),
            number(BOTTOM + 16.0)
        )
        .expect("writing to a string cannot fail");
    }
    let (end, axis) = (number(width), number(BOTTOM));
    text.push_str(&format!("<path class=\"axis-line\" d=\"M0 {axis} H{end}\"/>\n</svg>\n"));
    let note = if is_log { " <small>(logarithmic scale)</small>" } else { "" };
    let (first, rest) = what.split_at(1);
    let what = format!("{}{rest}", first.to_uppercase());
    format!("<figure><figcaption>{what} by {by}{note}</figcaption>\n<div class=\"scroll\">\n{text}</div></figure>\n")
}
