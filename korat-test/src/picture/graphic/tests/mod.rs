//! Tests properties of pictures on large, deep and random outlines.

mod geometry;
mod outlines;

use korat_core::{Outline, OutlineLink, OutlineObject, OutlineValue};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use outlines::{list, object, owned};

use super::dot::dot;
use super::gallery::{Gallery, Totals};
use super::layout::{Growth, layout};
use super::scene::{Hanging, Scene};
use super::shapes::Rect;
use super::svg::svg;
use crate::picture::text;

/// Returns a random tree of objects of different sizes, with some nulls.
fn random_tree(seed: u64) -> Outline {
    let mut random = SmallRng::seed_from_u64(seed);
    let count = random.random_range(1..60);
    let mut objects: Vec<OutlineObject> = Vec::new();
    for at in 0..count {
        let rows = random.random_range(0..4);
        let row = |row: usize| (format!("row{row}"), OutlineValue::Plain("x".repeat(random.random_range(0..60))));
        objects.push(object("Class", (0..rows).map(row).collect()));
        if at > 0 {
            let parent = random.random_range(0..at);
            let label = "f".repeat(random.random_range(1..12));
            objects[parent].fields.push((label, owned(at)));
            if random.random_bool(0.3) {
                objects[parent].fields.push(("null".to_string(), OutlineValue::Null(OutlineLink::Owned)));
            }
        }
    }
    Outline { objects }
}

#[test]
fn no_two_boxes_overlap() {
    for seed in 0..200 {
        let scene = Scene::new(&random_tree(seed));
        for growth in [Growth::Down, Growth::Right] {
            let layout = layout(&scene, growth);
            let rects: Vec<&Rect> = layout.nodes.iter().chain(&layout.stubs).collect();
            for (at, one) in rects.iter().enumerate() {
                let other = rects[..at].iter().find(|other| one.overlaps(other));
                assert!(other.is_none(), "seed {seed}, {growth:?}: {one:?} overlaps {other:?}");
            }
        }
    }
}

#[test]
fn a_box_stands_in_the_middle_above_what_hangs_on_it() {
    for seed in 0..200 {
        let scene = Scene::new(&random_tree(seed));
        let layout = layout(&scene, Growth::Down);
        let rect = |hanging: &Hanging| match *hanging {
            Hanging::Edge(edge) => layout.nodes[scene.edges[edge].to],
            Hanging::Stub(stub) => layout.stubs[stub],
        };
        for (node, below) in scene.hanging().iter().enumerate() {
            let (Some(first), Some(last)) = (below.first(), below.last()) else { continue };
            let middle = (rect(first).x + rect(last).x) / 2.0;
            assert!((layout.nodes[node].x - middle).abs() < 1e-6, "seed {seed}, box {node}");
            assert!(below.windows(2).all(|pair| rect(&pair[0]).x < rect(&pair[1]).x), "seed {seed}, box {node}");
            assert!(rect(first).y - rect(first).h > layout.nodes[node].y + layout.nodes[node].h);
        }
    }
}

#[test]
fn long_lists_do_not_use_up_the_stack() {
    const LEN: usize = 5_000;
    let drawn = std::thread::Builder::new().stack_size(128 * 1024).spawn(|| {
        let outline = list(LEN);
        let mut gallery = Gallery::new("Node", LEN);
        gallery.add(1, LEN, &outline);
        let page = gallery.page(&Totals { explored: 1, valid: 1, complete: true, by_size: &[(LEN, 1)] });
        (text(&outline), svg(&outline), dot(&outline, "list"), page.len())
    });
    let (text, svg, dot, page) = drawn.expect("there are threads").join().expect("it has not failed");
    let lines = text.lines().filter(|line| line.contains("elem:")).count();
    assert_eq!(lines, LEN);
    assert!(text.lines().all(|line| line.len() < 150));
    assert_eq!(svg.matches("<g class=\"box").count(), LEN);
    assert_eq!(dot.matches(" -> ").count(), 2 * (LEN - 1));
    assert!(page > svg.len());
}

#[test]
fn long_vectors_are_cut_in_the_middle() {
    let vector = |len: usize| {
        let mut fields = vec![("v.len()".to_string(), OutlineValue::Plain(len.to_string()))];
        fields.extend((0..len).map(|at| (format!("v[{at}]"), OutlineValue::Plain(at.to_string()))));
        text(&Outline { objects: vec![object("Vector", fields)] })
    };
    assert_eq!(vector(3), "Vector { v: [0, 1, 2] }\n");
    let long = vector(64);
    assert!(long.contains("31, 32, 33") && long.ends_with("62, 63] }\n"), "{long}");
    let cut = vector(1_000);
    assert!(cut.contains("30, 31, .., 996, 997, 998, 999] (1000 elements)"), "{cut}");
}

#[test]
fn an_object_that_only_raw_pointers_reach_is_drawn_where_the_first_leads() {
    let raw = |to| OutlineValue::Object { to, link: OutlineLink::Raw };
    let list = object("List", vec![("head".to_string(), raw(1)), ("tail".to_string(), raw(2))]);
    let first = object("Node", vec![("next".to_string(), raw(2))]);
    let last = object("Node", vec![("next".to_string(), OutlineValue::Null(OutlineLink::Raw))]);
    let drawn = text(&Outline { objects: vec![list, first, last] });
    insta::assert_snapshot!(drawn, @"
    List
    |- head: *Node
    |  `- next: *Node#2
    `- tail: *> Node#2 (raw)
    ");
}

#[test]
fn texts_of_values_do_not_break_lines() {
    let fields = vec![("text".to_string(), OutlineValue::Plain("two\nlines \u{1b}[31m".to_string()))];
    assert_eq!(text(&Outline { objects: vec![object("Text", fields)] }), "Text { text: two lines \u{fffd}[31m }\n");
}

#[test]
fn plots_are_logarithmic_where_counts_are_far_apart() {
    let page = |by_size: &[(usize, u64)]| {
        Gallery::new("T", 1).page(&Totals { explored: 9, valid: 9, complete: true, by_size })
    };
    assert!(!page(&[(1, 1), (2, 49)]).contains("logarithmic"));
    assert!(page(&[(1, 1), (2, 50)]).contains("logarithmic"));
    assert!(!page(&[]).contains("<figure>"));
    // One size has structures, and one has none.
    assert!(page(&[(1, 0), (2, 5)]).contains("height=\"0\""));
}
