//! Computes the positions of boxes as a tidy tree (Reingold and Tilford): subtrees are as close as their contours
//! allow, and each box is centered above its children. Nothing here recurses, because lists are deep trees.

use std::collections::VecDeque;

use super::lanes::{self, bundles};
use super::scene::{Hanging, Scene};
use super::shapes::Rect;

/// Width of a character in the monospaced font.
pub(super) const CHAR: f64 = 7.25;
/// Height of a line of text.
pub(super) const LINE: f64 = 17.0;
/// Space around the text in a box.
pub(super) const PADDING: f64 = 8.0;
/// Space between neighbors.
const GAP: f64 = 18.0;
/// Vertical distance between a box and its children, where the label of the edge is drawn.
const DROP: f64 = 48.0;
/// Horizontal distance between a box and a child to its right, without the width of the label.
const STEP: f64 = 26.0;
/// Relative position of a label on its edge. The closer it is to the lower end, the less labels of neighbors collide.
pub(super) const LABEL_AT: f64 = 0.6;
/// How far a self-loop extends to the right of its box, without its label.
pub(super) const RING: f64 = 26.0;
/// Vertical distance between self-loops of one box.
pub(super) const LOOP_PITCH: f64 = 20.0;
/// Least height of a drop relative to the horizontal distance between a box and its child, if one edge connects them or
/// several: flat edges would run through the labels of their neighbors.
const SLOPES: (f64, f64) = (0.33, 0.5);
/// Least height of a drop with several edges.
const STEEP: f64 = 60.0;
/// Greatest height of a drop.
const DEEP: f64 = 160.0;
/// Half the side of the square reserved for a null.
pub(super) const STUB: f64 = 4.0;

/// The direction in which a tree grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Growth {
    Down,
    /// Used for lists.
    Right,
}

/// The rectangles of all boxes and stubs.
pub(super) struct Layout {
    pub(super) growth: Growth,
    /// The edges between each box and its parent, for which the layout has left room.
    pub(super) bundles: Vec<Vec<usize>>,
    pub(super) nodes: Vec<Rect>,
    pub(super) stubs: Vec<Rect>,
    /// The end of the level of each box.
    pub(super) floors: Vec<f64>,
}

/// Returns the width of an edge label, which has a smaller font.
pub(super) fn label_width(text: &str) -> f64 {
    text_width(text) * 11.0 / 12.0
}

/// Returns the width of a text.
pub(super) fn text_width(text: &str) -> f64 {
    // Characters of other scripts are wider than those of the font.
    text.chars().map(|c| if (c as u32) < 0x1100 { CHAR } else { 2.0 * CHAR }).sum()
}

/// The left and right extent of a subtree at each level, starting at its root.
struct Contour {
    levels: VecDeque<(f64, f64)>,
    /// Offset to add to all levels.
    shift: f64,
}

impl Contour {
    fn level(&self, depth: usize) -> (f64, f64) {
        let (least, most) = self.levels[depth];
        (least + self.shift, most + self.shift)
    }

    /// Returns how far `other` has to move to the right to be placed next to this contour.
    fn distance(&self, other: &Contour) -> f64 {
        let both = self.levels.len().min(other.levels.len());
        (0..both).map(|depth| self.level(depth).1 - other.level(depth).0 + GAP).fold(f64::MIN, f64::max)
    }

    /// Merges two contours, `other` on the right. Reuses the deeper one, so that all merges together take linear time.
    fn beside(mut self, mut other: Contour) -> Contour {
        if self.levels.len() >= other.levels.len() {
            for depth in 0..other.levels.len() {
                self.levels[depth].1 = other.level(depth).1 - self.shift;
            }
            return self;
        }
        for depth in 0..self.levels.len() {
            other.levels[depth].0 = self.level(depth).0 - other.shift;
        }
        other
    }
}

pub(super) fn layout(scene: &Scene, growth: Growth) -> Layout {
    let boxes = scene.nodes.len();
    let bundles = bundles(scene);
    let label = |edge: &usize| label_width(&scene.edges[*edge].label);
    let mut labels: Vec<Vec<f64>> = bundles.iter().map(|bundle| bundle.iter().map(label).collect()).collect();
    labels.extend(scene.stubs.iter().map(|stub| vec![label_width(&stub.label)]));
    let loops = scene.loops();
    let item_of = |hanging: &Hanging| match *hanging {
        Hanging::Edge(edge) => scene.edges[edge].to,
        Hanging::Stub(stub) => boxes + stub,
    };
    let mut below: Vec<Vec<usize>> = scene.hanging().iter().map(|all| all.iter().map(item_of).collect()).collect();
    below.resize(boxes + scene.stubs.len(), Vec::new());
    let (order, depths) = preorder(&below);

    let mut sizes: Vec<(f64, f64)> = (0..boxes).map(|node| box_size(scene, node)).collect();
    sizes.resize(boxes + scene.stubs.len(), (STUB, STUB));
    for (size, loops) in sizes.iter_mut().zip(&loops) {
        size.1 = size.1.max(LOOP_PITCH * loops.len() as f64 / 2.0);
    }
    if growth == Growth::Right {
        make_room_for_lanes(&below, &labels, &mut sizes);
    }
    let mut reach: Vec<(f64, f64)> = Vec::with_capacity(sizes.len());
    for (item, &(w, h)) in sizes.iter().enumerate() {
        let across = match growth {
            Growth::Down => w.max(lanes::breadth(&labels[item]) / 2.0 / LABEL_AT - GAP / 2.0),
            Growth::Right => h,
        };
        reach.push((-across, across));
    }
    for edge in loops.into_iter().flatten() {
        let from = scene.edges[edge].from;
        reach[from].1 = reach[from].1.max(sizes[from].0 + RING + label(&edge));
    }
    let offsets = offsets(&below, &order, &reach);
    let far = |item: usize| match growth {
        Growth::Down if labels[item].len() > 1 => (SLOPES.1 * offsets[item].abs()).clamp(STEEP, DEEP),
        Growth::Down => (SLOPES.0 * offsets[item].abs()).clamp(DROP, DEEP),
        Growth::Right => labels[item].iter().fold(0.0_f64, |most, label| most.max(*label)) + STEP,
    };
    let levels = levels(&order, &depths, &sizes, far, growth);

    let mut rects = vec![Rect::default(); sizes.len()];
    let mut places = vec![0.0; sizes.len()];
    for &item in &order {
        places[item] += offsets[item];
        below[item].iter().for_each(|&child| places[child] = places[item]);
        let ((w, h), (along, _)) = (sizes[item], levels[depths[item]]);
        rects[item] = match growth {
            Growth::Down => Rect { x: places[item], y: along + h, w, h },
            Growth::Right => Rect { x: along + w, y: places[item], w, h },
        };
    }
    let stubs = rects.split_off(boxes);
    let floors = depths[..boxes].iter().map(|&depth| levels[depth].1).collect();
    Layout { growth, bundles, nodes: rects, stubs, floors }
}

/// Enlarges boxes that are not as high as the lanes at their sides.
fn make_room_for_lanes(below: &[Vec<usize>], labels: &[Vec<f64>], sizes: &mut [(f64, f64)]) {
    for (parent, children) in below.iter().enumerate() {
        for &child in children.iter().filter(|&&child| labels[child].len() > 1) {
            let lanes = lanes::offsets(&labels[child], Growth::Right);
            let most = lanes.iter().fold(0.0_f64, |most, offset| most.max(offset.abs())) + 5.0;
            sizes[parent].1 = sizes[parent].1.max(most);
            sizes[child].1 = sizes[child].1.max(most);
        }
    }
}

/// Returns half the width and half the height of a box.
fn box_size(scene: &Scene, node: usize) -> (f64, f64) {
    let node = &scene.nodes[node];
    let place = node.place.as_ref().map_or(0.0, |place| text_width(place) + 2.0 * CHAR);
    let title = text_width(&node.title) + place;
    let rows = node.rows.iter().map(|(name, text)| text_width(&row_text(name, text)));
    let width = rows.fold(title, f64::max) + 2.0 * PADDING;
    let lines = 1.0 + node.rows.len() as f64;
    let space = if node.rows.is_empty() { 8.0 } else { 14.0 };
    (width / 2.0, (lines * LINE + space) / 2.0)
}

/// Formats a row, truncated if it is long.
pub(super) fn row_text(name: &str, text: &str) -> String {
    const LONGEST: usize = 44;
    let whole = if name.is_empty() { text.to_string() } else { format!("{name}: {text}") };
    if whole.chars().count() <= LONGEST {
        return whole;
    }
    let cut: String = whole.chars().take(LONGEST - 2).collect();
    format!("{cut}..")
}

/// Returns all items in preorder, and the depth of each.
fn preorder(below: &[Vec<usize>]) -> (Vec<usize>, Vec<usize>) {
    let (mut order, mut depths) = (Vec::new(), vec![0; below.len()]);
    let mut stack = vec![0];
    while let Some(item) = stack.pop() {
        order.push(item);
        for &child in below[item].iter().rev() {
            depths[child] = depths[item] + 1;
            stack.push(child);
        }
    }
    (order, depths)
}

/// Returns the horizontal offset of each item from its parent. `reach` is the extent of each item to the left and right
/// of its center.
fn offsets(below: &[Vec<usize>], order: &[usize], reach: &[(f64, f64)]) -> Vec<f64> {
    let mut offsets = vec![0.0; below.len()];
    let mut contours: Vec<Option<Contour>> = below.iter().map(|_| None).collect();
    for &item in order.iter().rev() {
        let mut all: Option<Contour> = None;
        for &child in &below[item] {
            let mut contour = contours[child].take().expect("[korat internal bug] a child stands before its parent");
            all = Some(match all {
                None => contour,
                Some(left) => {
                    offsets[child] = left.distance(&contour);
                    contour.shift += offsets[child];
                    left.beside(contour)
                }
            });
        }
        if let (Some(&first), Some(&last)) = (below[item].first(), below[item].last()) {
            let middle = (offsets[first] + offsets[last]) / 2.0;
            below[item].iter().for_each(|&child| offsets[child] -= middle);
            all.iter_mut().for_each(|all| all.shift -= middle);
        }
        let mut contour = all.unwrap_or(Contour { levels: VecDeque::new(), shift: 0.0 });
        contour.levels.push_front((reach[item].0 - contour.shift, reach[item].1 - contour.shift));
        contours[item] = Some(contour);
    }
    offsets
}

/// Returns the positions at which each level begins and ends. `far` is the distance of an item from its parent.
fn levels(
    order: &[usize],
    depths: &[usize],
    sizes: &[(f64, f64)],
    far: impl Fn(usize) -> f64,
    growth: Growth,
) -> Vec<(f64, f64)> {
    let count = depths.iter().max().map_or(0, |most| most + 1);
    // Thickness of each level, and its distance from the previous one.
    let mut thick = vec![(0.0_f64, 0.0_f64); count];
    for &item in order {
        let size = match growth {
            Growth::Down => sizes[item].1,
            Growth::Right => sizes[item].0,
        };
        let level = &mut thick[depths[item]];
        *level = (level.0.max(2.0 * size), level.1.max(far(item)));
    }
    let mut levels = Vec::new();
    let mut end = 0.0;
    for (depth, (size, far)) in thick.into_iter().enumerate() {
        let begin = if depth == 0 { 0.0 } else { end + far };
        end = begin + size;
        levels.push((begin, end));
    }
    levels
}
