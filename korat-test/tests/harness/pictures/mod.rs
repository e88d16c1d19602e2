//! Pictures of real structures: as text, as DOT and as SVG, which must be well-formed whatever stands in the fields.

mod browser;
mod graphviz;
mod page;
pub mod states;

use crate::structures::{
    Arena, Chain, Containers, Diamond, EVIL, Formula, Graph, Grove, Hostile, Siblings, Tree, Watched,
};
use korat::{Config, Finitize, RepOk, Search};
use page::page;

/// All pictures of a type that the scope allows.
const ALL: usize = 1_000;

/// The last value of a search, drawn.
fn last_text<T: Finitize + RepOk>(scope: usize) -> String {
    Search::new(T::scope(scope)).draw(ALL).pop().expect("there is a value")
}

fn last_dot<T: Finitize + RepOk>(scope: usize) -> String {
    Search::new(T::scope(scope)).dot(ALL).pop().expect("there is a value")
}

fn last_svg<T: Finitize + RepOk>(scope: usize) -> String {
    let svg = Search::new(T::scope(scope)).svg(ALL).pop().expect("there is a value");
    // The style is the same for all.
    let (before, rest) = svg.split_once("<style>").expect("there is a style");
    let (_, after) = rest.split_once("</style>\n").expect("it ends");
    format!("{before}{after}")
}

#[test]
fn left_and_right_are_told_apart() {
    let trees = Search::new(Tree::scope(2)).draw(ALL);
    insta::assert_snapshot!(trees.join("\n"), @"
    Tree

    Tree
    `- root: TreeNode

    Tree
    `- root: TreeNode
       `- right: TreeNode

    Tree
    `- root: TreeNode
       `- left: TreeNode
    ");
}

#[test]
fn left_and_right_are_told_apart_in_arenas() {
    insta::assert_snapshot!(Search::new(Grove::scope(2)).draw(ALL).join("\n"), @"
    Grove { root: 0 }
    |- twigs[0]: Twig { left: None, right: Some(1), parent: None }
    `- twigs[1]: Twig { left: None, right: None, parent: Some(0) }

    Grove { root: 0 }
    |- twigs[0]: Twig { left: Some(1), right: None, parent: None }
    `- twigs[1]: Twig { left: None, right: None, parent: Some(0) }
    ");
    // The position of the child and that of the null.
    let places = |svg: &String| {
        let number = |text: &str| text.split('"').next().and_then(|number| number.parse::<f64>().ok());
        let child = svg.rsplit("<g class=\"box c1\"><rect x=\"").next().and_then(number);
        let null = svg.rsplit("<circle class=\"null\" cx=\"").next().and_then(number);
        child.zip(null).expect("there is a child and a null")
    };
    let sides: Vec<bool> =
        Search::new(Grove::scope(2)).svg(ALL).iter().map(places).map(|(child, null)| child < null).collect();
    assert_eq!(sides, [false, true], "whether the child stands on the left");
}

#[test]
fn shared_objects_are_drawn_once() {
    insta::assert_snapshot!(last_text::<Diamond>(4), @"
    Diamond
    `- top: Term { weight: 1 }
       |- first: Term { weight: 1 }
       |  `- first: Term#3 { weight: 1 }
       `- second: Term { weight: 1 }
          `- first: -> Term#3
    ");
}

#[test]
fn weak_pointers_are_marked_and_own_nothing() {
    insta::assert_snapshot!(last_text::<Chain>(3), @"
    Chain
    |- tail: ~> Link#3 (weak)
    `- head: Link#1 { elem: 0 }
       `- next: Link#2 { elem: 0 }
          |- next: Link#3 { elem: 0 }
          |  `- prev: ~> Link#2 (weak)
          `- prev: ~> Link#1 (weak)
    ");
}

#[test]
fn raw_pointers_are_marked() {
    insta::assert_snapshot!(last_text::<Watched>(1), @"
    Watched
    |- watch: *> Leaf#1 (raw)
    `- owned: Leaf#1 { value: 7 }
    ");
}

#[test]
fn arenas_keep_their_indices() {
    insta::assert_snapshot!(last_text::<Arena>(3), @"
    Arena { start: 0 }
    |- vertices[0]: Vertex { next: Some(1) }
    |- vertices[1]: Vertex { next: Some(2) }
    `- vertices[2]: Vertex { next: Some(2) }
    ");
    insta::assert_snapshot!(last_text::<Graph>(2), @"Graph { successors: [[], [0, 1]] }");
}

#[test]
fn enums_have_their_variants() {
    insta::assert_snapshot!(last_text::<Formula>(4), @"
    Formula
    `- expr: Expr::Sum
       |- 0: Expr::Negative
       |  `- of: Expr::Number { 0: 1 }
       `- 1: Expr::Number { 0: 0 }
    ");
}

#[test]
fn containers_are_one_list_each() {
    insta::assert_snapshot!(last_text::<Containers>(3), @"
    Containers { bits: [true, false, true], none: [], pairs: [(true, false), (true, false)], array: [true, false], letters: {'b'}, names: {2: true}, boxes: [null, ..] }
    |- parts[0]: Part { number: 5 }
    |- parts[1]: Part { number: 5 }
    `- boxes[1]: Part { number: 5 }
    ");
}

#[test]
fn deep_lists_go_on_at_the_margin() {
    let text = last_text::<Chain>(60);
    let widest = text.lines().map(str::len).max();
    assert!(widest < Some(120), "{text}");
    let links = |text: &str| text.matches("elem: 0").count();
    assert_eq!(links(&text), 60);
    assert_eq!(text.matches("(see below)").count(), 2, "{text}");
}

#[test]
fn graphs_for_graphviz() {
    insta::assert_snapshot!("dot_of_trees", Search::new(Tree::scope(2)).dot(ALL).join("\n"));
    insta::assert_snapshot!("dot_of_a_diamond", last_dot::<Diamond>(4));
    insta::assert_snapshot!("dot_of_a_chain", last_dot::<Chain>(3));
    insta::assert_snapshot!("dot_of_a_raw_pointer", last_dot::<Watched>(1));
    insta::assert_snapshot!("dot_of_an_arena", last_dot::<Arena>(3));
    insta::assert_snapshot!("dot_of_a_graph", last_dot::<Graph>(2));
    insta::assert_snapshot!("dot_of_an_enum", last_dot::<Formula>(4));
    insta::assert_snapshot!("dot_of_siblings", last_dot::<Siblings>(2));
    insta::assert_snapshot!("dot_of_hostile_texts", Search::new(Hostile::scope(0)).dot(ALL).join("\n"));
}

#[test]
fn pictures_as_svg() {
    insta::assert_snapshot!("svg_of_a_tree", last_svg::<Tree>(3));
    insta::assert_snapshot!("svg_of_a_diamond", last_svg::<Diamond>(4));
    insta::assert_snapshot!("svg_of_a_chain", last_svg::<Chain>(3));
    insta::assert_snapshot!("svg_of_a_raw_pointer", last_svg::<Watched>(1));
    insta::assert_snapshot!("svg_of_an_arena", last_svg::<Arena>(3));
    insta::assert_snapshot!("svg_of_a_graph", last_svg::<Graph>(2));
    insta::assert_snapshot!("svg_of_an_enum", last_svg::<Formula>(4));
    insta::assert_snapshot!("svg_of_siblings", last_svg::<Siblings>(2));
}

/// Parses every picture of a type; gives the texts in them.
fn parsed<T: Finitize + RepOk>(scope: usize) -> Vec<Vec<String>> {
    let pictures = Search::new(T::scope(scope)).svg(ALL);
    assert!(!pictures.is_empty());
    let texts = |svg: String| {
        let document = roxmltree::Document::parse(&svg).unwrap_or_else(|error| panic!("{error}\n{svg}"));
        assert_eq!(document.root_element().tag_name().name(), "svg");
        let texts = document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")));
        texts.filter_map(|node| node.text().map(str::to_string)).collect()
    };
    pictures.into_iter().map(texts).collect()
}

#[test]
fn svg_is_well_formed() {
    parsed::<Tree>(4);
    parsed::<Diamond>(4);
    parsed::<Chain>(4);
    parsed::<Watched>(1);
    parsed::<Arena>(4);
    parsed::<Graph>(2);
    parsed::<Formula>(4);
    parsed::<Containers>(3);
    parsed::<Siblings>(2);
    parsed::<Grove>(2);
}

#[test]
fn hostile_texts_stay_texts() {
    let texts = parsed::<Hostile>(0);
    assert_eq!(texts.len(), EVIL.len());
    for (texts, evil) in texts.iter().zip(EVIL) {
        // Control characters are the only ones that XML cannot say.
        let shown: String = evil
            .chars()
            .map(|c| match c {
                '\n' | '\t' => ' ',
                c if c.is_control() || c == '\u{ffff}' => '\u{fffd}',
                c => c,
            })
            .collect();
        assert_eq!(texts, &["Hostile".to_string(), format!("text: {shown}")]);
    }
}

#[test]
fn pictures_are_the_same_every_time() {
    assert_eq!(Search::new(Chain::scope(3)).svg(ALL), Search::new(Chain::scope(3)).svg(ALL));
    assert_eq!(page(Search::new(Arena::scope(3)), Config::new()), page(Search::new(Arena::scope(3)), Config::new()));
}

/// The values of an attribute in a page, in order.
fn attributes<'p>(page: &'p str, element: &str, attribute: &str) -> Vec<&'p str> {
    let begin = format!("<{element} ");
    let elements = page.split(&begin).skip(1);
    let value = |rest: &'p str| {
        let rest = &rest[..rest.find('>')?];
        rest.split_once(&format!("{attribute}=\""))?.1.split('"').next()
    };
    elements.filter_map(value).collect()
}

#[test]
fn page_has_every_structure_and_the_counts() {
    let page = page(Search::new(Tree::scope(3)), Config::new());
    // One tree of no node, one of one, two of two, five of three; the root does not count, because it is always there.
    assert_eq!(attributes(&page, "article", "data-size"), ["0", "1", "2", "2", "3", "3", "3", "3", "3"]);
    assert_eq!(attributes(&page, "article", "data-number"), ["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
    assert_eq!(page.matches("class=\"korat-picture\" role=\"img\"").count(), 9);
    assert_eq!(page.matches("digraph &quot;Tree #").count(), 9);
    for size in ["<title>size 0: 1<", "<title>size 1: 1<", "<title>size 2: 2<", "<title>size 3: 5<"] {
        assert!(page.contains(size), "{size}");
    }
    assert!(page.contains("<dt>valid</dt><dd>9</dd>") && page.contains("complete: every valid structure was found"));
    assert!(!page.contains("are shown.</p>"));
}

#[test]
fn page_says_what_is_left_out() {
    let page = page(Search::new(Tree::scope(3)), Config::new().gallery_most(4));
    assert_eq!(attributes(&page, "article", "data-number").len(), 4);
    assert!(page.contains("Only 4 of 9 structures are shown."));
    let page = page::page(Search::new(Tree::scope(3)), Config::new().limit(2));
    assert!(page.contains("<p class=\"cut\">NOT exhaustive</p>"));
}

#[test]
fn page_needs_nothing_else_and_trusts_no_text() {
    let page = page(Search::new(Hostile::scope(0)), Config::new());
    let known = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!known.contains("http://") && !known.contains("https://") && !known.contains("src="));
    assert_eq!((page.matches("<script>").count(), page.matches("</script>").count()), (1, 1));
    assert_eq!(page.matches("<pre>").count(), page.matches("</pre>").count());
}
