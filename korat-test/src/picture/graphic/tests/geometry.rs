//! Tests that nothing in a picture lies on anything else, on the computed boxes, labels and curves.

use korat_core::Outline;
use korat_core::OutlineLink::{Owned, Raw, Shared, Weak};

use super::super::layout::layout;
use super::super::routes::{Route, routes};
use super::super::scene::{Hanging, Scene};
use super::super::shapes::{Point, Rect};
use super::super::svg::growth;
use super::outlines::{
    Shape, arena_tree, complete, list, list_with_tail, loops, owned, pair, random_graph, ring, skips, tree,
};

use super::random_tree;

/// Least distance between the middle parts of two edges that connect the same boxes.
const APART: f64 = 5.0;

/// An edge with the boxes that it connects.
struct Drawn {
    name: String,
    ends: [usize; 2],
    points: Vec<Point>,
    label: Option<Rect>,
}

impl Drawn {
    fn new(name: String, mut ends: [usize; 2], route: &Route) -> Drawn {
        ends.sort_unstable();
        Drawn { name, ends, points: route.path.points(60).collect(), label: route.label }
    }

    fn runs_through(&self, rect: &Rect) -> bool {
        self.points.iter().any(|&point| rect.holds(point, -0.5))
    }

    /// Returns how many points of the middle part are close to another edge.
    fn close_to(&self, other: &Drawn) -> usize {
        let middle = &self.points[self.points.len() / 4..self.points.len() * 3 / 4];
        let distance = |a: &Point, b: &Point| (a.0 - b.0).hypot(a.1 - b.1);
        middle.iter().filter(|a| other.points.iter().any(|b| distance(a, b) < APART)).count()
    }
}

/// A picture as geometry.
struct Picture {
    boxes: Vec<Rect>,
    edges: Vec<Drawn>,
}

impl Picture {
    fn new(outline: &Outline) -> Picture {
        let scene = Scene::new(outline);
        let layout = layout(&scene, growth(&scene));
        let routes = routes(&scene, &layout);
        let mut edges = Vec::new();
        for at in scene.drawn() {
            let (edge, route) = (&scene.edges[at], routes.edges[at].as_ref().expect("every edge is drawn"));
            let name = format!("{} -{}-> {}", edge.from, edge.label, edge.to);
            edges.push(Drawn::new(name, [edge.from, edge.to], route));
        }
        for (at, (stub, route)) in scene.stubs.iter().zip(&routes.stubs).enumerate() {
            let name = format!("{} -{}-> null", stub.from, stub.label);
            edges.push(Drawn::new(name, [stub.from, scene.nodes.len() + at], route));
        }
        Picture { boxes: layout.nodes.into_iter().chain(layout.stubs).collect(), edges }
    }

    /// Returns which edges and labels lie on boxes, and which labels on each other.
    fn covered(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for (at, edge) in self.edges.iter().enumerate() {
            for (number, rect) in self.boxes.iter().enumerate() {
                if edge.label.is_some_and(|label| label.overlaps(rect)) {
                    faults.push(format!("the label of {} lies on box {number}", edge.name));
                }
                if edge.runs_through(rect) {
                    faults.push(format!("{} runs through box {number}", edge.name));
                }
            }
            for other in &self.edges[..at] {
                if edge.label.zip(other.label).is_some_and(|(one, other)| one.overlaps(&other)) {
                    faults.push(format!("the labels of {} and {} overlap", edge.name, other.name));
                }
            }
        }
        faults
    }

    /// Returns which edges run through labels, and which along each other.
    fn crossed(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for (at, edge) in self.edges.iter().enumerate() {
            for (number, other) in self.edges.iter().enumerate().filter(|(number, _)| *number != at) {
                if other.label.is_some_and(|label| edge.runs_through(&label)) {
                    faults.push(format!("{} runs through the label of {}", edge.name, other.name));
                }
                // Edges of different boxes may cross, but not run along each other.
                let most = if edge.ends == other.ends { 0 } else { edge.points.len() / 5 };
                if number < at && edge.close_to(other) > most {
                    faults.push(format!("{} lies on {}", edge.name, other.name));
                }
            }
        }
        faults
    }
}

#[track_caller]
fn check(outline: &Outline) {
    let picture = Picture::new(outline);
    let faults = [picture.covered(), picture.crossed()].concat();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A tree with nodes that have only a left or only a right child.
const UNEVEN: Shape<'static> = &[[Some(1), Some(2)], [None, Some(3)], [Some(4), None], [None, None], [None, None]];

#[test]
fn doubly_linked_lists() {
    for len in 1..8 {
        check(&list(len));
        check(&list_with_tail(len, Shared));
        check(&list_with_tail(len, Raw));
    }
}

#[test]
fn trees_with_parent_pointers() {
    for levels in 1..5 {
        for (kind, parent) in [(Shared, Weak), (Raw, Raw), (Owned, Raw)] {
            check(&tree(&complete(levels), kind, Some(parent)));
        }
    }
    check(&tree(UNEVEN, Owned, Some(Raw)));
    check(&tree(UNEVEN, Raw, Some(Raw)));
}

#[test]
fn several_edges_between_two_boxes() {
    check(&pair(&[("left", Shared), ("right", Shared)], &[]));
    check(&pair(&[("left", Shared), ("right", Weak)], &[("a_long_name_of_a_field", Weak)]));
    check(&pair(&[("a", Shared), ("b", Shared), ("c", Raw)], &[("d", Raw), ("e", Weak), ("f", Weak)]));
}

#[test]
fn rings() {
    for len in 1..8 {
        check(&ring(len));
    }
}

#[test]
fn self_loops() {
    check(&loops(&[("next", Weak)]));
    check(&loops(&[("next", Weak), ("prev", Weak)]));
    check(&loops(&[("next", Weak), ("prev", Raw), ("parent", Raw), ("owner", Weak)]));
}

#[test]
fn edges_that_skip_a_layer() {
    check(&skips());
}

#[test]
fn arenas_with_indices_both_ways() {
    for levels in 1..4 {
        check(&arena_tree(&complete(levels)));
    }
    check(&arena_tree(UNEVEN));
}

#[test]
fn fields_that_lead_to_one_object_are_edges_of_their_own() {
    let scene = Scene::new(&pair(&[("left", Shared), ("right", Shared)], &[]));
    let labels: Vec<&str> = scene.drawn().map(|edge| scene.edges[edge].label.as_str()).collect();
    assert_eq!(labels, ["left", "right"]);
}

#[test]
fn a_single_child_stands_on_the_side_of_its_field() {
    const LEFT: Shape<'static> = &[[Some(1), None], [None, None]];
    const RIGHT: Shape<'static> = &[[None, Some(1)], [None, None]];
    let trees = |shape| {
        let all = [Owned, Shared, Raw].into_iter();
        let mut trees: Vec<Outline> =
            all.flat_map(|kind| [None, Some(Weak), Some(Raw)].map(|parent| tree(shape, kind, parent))).collect();
        trees.push(arena_tree(shape));
        trees
    };
    // The position of the last box relative to its parent.
    let side = |outline: &Outline| {
        check(outline);
        let scene = Scene::new(outline);
        let layout = layout(&scene, growth(&scene));
        let [.., parent, child] = &layout.nodes[..] else { panic!("there are two boxes") };
        assert!(child.y > parent.y);
        child.x - parent.x
    };
    for (left, right) in trees(LEFT).iter().zip(trees(RIGHT)) {
        assert!(side(left) < -10.0, "{left:?}");
        assert!(side(&right) > 10.0, "{right:?}");
    }
}

#[test]
fn the_field_declared_first_is_the_left_one() {
    let mut outline = tree(&complete(2), Owned, None);
    outline.objects[0].fields.reverse();
    let scene = Scene::new(&outline);
    let rects = layout(&scene, growth(&scene)).nodes;
    assert_eq!(outline.objects[0].fields[0], ("right".to_string(), owned(2)));
    assert!(rects[2].x < rects[1].x);
}

#[test]
fn nulls_of_back_references_are_not_drawn() {
    for outline in [list_with_tail(3, Raw), tree(&complete(2), Raw, Some(Raw)), arena_tree(&complete(2))] {
        let scene = Scene::new(&outline);
        assert!(scene.hanging().iter().flatten().all(|hanging| matches!(hanging, Hanging::Edge(_))));
    }
}

#[test]
fn nothing_lies_on_the_boxes_and_labels_of_random_trees() {
    for seed in 0..60 {
        let faults = Picture::new(&random_tree(seed)).covered();
        assert!(faults.is_empty(), "seed {seed}: {}", faults.join("\n"));
    }
}

#[test]
fn nothing_lies_on_anything_in_small_random_graphs() {
    for seed in 0..200 {
        let picture = Picture::new(&random_graph(seed, 3));
        let faults = [picture.covered(), picture.crossed()].concat();
        assert!(faults.is_empty(), "seed {seed}: {}", faults.join("\n"));
    }
}

#[test]
fn the_check_notices_what_lies_on_what() {
    let mut picture = Picture::new(&pair(&[("next", Shared)], &[("prev", Weak)]));
    assert_eq!(picture.covered().len() + picture.crossed().len(), 0);
    let [first, last] = &mut picture.edges[..] else { panic!("there are two edges") };
    (last.points, last.label) = (first.points.clone(), first.label);
    assert_eq!(picture.covered(), ["the labels of 1 -prev-> 0 and 0 -next-> 1 overlap"]);
    assert_eq!(picture.crossed().len(), 3, "one edge on the other, and each on the label of the other");
    let label = picture.edges[0].label.expect("the edge has a label");
    picture.boxes[0] = label;
    assert_eq!(picture.covered().len(), 5, "both edges and both labels lie on the box");
}
