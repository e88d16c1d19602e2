//! The page of an exploration: search trees in which a key that is there is put on the right again.

use korat::{Explore, Finitize, StateGraph};

use crate::structures::EVIL;

#[derive(Debug, Finitize)]
struct KeyNode {
    key: u8,
    left: Option<Box<KeyNode>>,
    right: Option<Box<KeyNode>>,
}

#[derive(Debug, Default, Finitize)]
pub struct KeyTree {
    len: u8,
    root: Option<Box<KeyNode>>,
}

impl KeyTree {
    fn insert(&mut self, key: u8) {
        let mut at = &mut self.root;
        while let Some(node) = at {
            at = if key < node.key { &mut node.left } else { &mut node.right };
        }
        *at = Some(Box::new(KeyNode { key, left: None, right: None }));
        self.len += 1;
    }
}

/// Trees of keys 1 and 2.
pub fn trees() -> Explore<KeyTree> {
    Explore::from(KeyTree::default()).operation("insert", 1..=2, KeyTree::insert)
}

/// Trees of two keys: the empty one is state 0, 1 is state 1, 2 is 2, then 1-1, 1-2, 2-1, 2-2.
pub fn passing() -> StateGraph {
    trees().depth(2).graph()
}

/// The third key fails on some tree: `insert(1); insert(1); insert(1)`.
pub fn failing() -> StateGraph {
    trees().check(|tree| tree.len < 3).graph()
}

/// The page of a graph.
pub fn page(graph: &StateGraph) -> String {
    static NUMBER: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
    let file = folder.join(format!("states-{}-{number}.html", std::process::id()));
    graph.write_page(&file);
    let page = std::fs::read_to_string(&file).expect("the page is written");
    std::fs::remove_file(&file).expect("the page is there");
    page
}

/// The JSON in a page.
fn data(page: &str) -> serde_json::Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"graph\">").expect("there is data");
    let (data, _) = rest.split_once("</script>").expect("it ends");
    serde_json::from_str(data).expect("it is JSON")
}

#[test]
fn a_page_has_every_state_and_transition() {
    let graph = passing();
    let page = page(&graph);
    assert_eq!(page.matches("<div data-state=").count(), 1 + 2 + 4);
    let data = data(&page);
    assert_eq!(data["transitions"].as_array().unwrap().len(), (1 + 2) * 2);
    // Nothing fails: the way to the first tree of two nodes.
    assert_eq!(data["sequences"][0]["states"], serde_json::json!([0, 1, 3]));
    assert_eq!(data["sequences"].as_array().unwrap().len(), 1);
    for (level, count) in [1, 2, 4].into_iter().enumerate() {
        assert!(page.contains(&format!("<g data-level=\"{level}\"><title>level {level}: {count}</title>")));
    }
    assert!(page.contains("<p class=\"complete\">complete: all states that 2 operations can reach"));
    // Addresses name the format of pictures, and nothing is loaded from them.
    assert_eq!(page.matches("://").count(), page.matches("http://www.w3.org/2000/svg").count());
}

#[test]
fn a_page_begins_with_what_fails() {
    let graph = failing();
    let data = data(&page(&graph));
    let sequence = &data["sequences"][0];
    assert_eq!(sequence["calls"], serde_json::json!(["insert(1)", "insert(1)", "insert(1)"]));
    assert_eq!(sequence["message"], "the check fails: it returned false");
    let last = sequence["states"][3].as_u64().unwrap();
    assert!(page(&graph).contains(&format!("<div data-state=\"{last}\" data-level=\"3\" data-failed>")));
}

#[test]
fn parts_of_pictures_say_their_place() {
    let page = page(&passing());
    // The tree 1-2.
    let (_, rest) = page.split_once("<div data-state=\"4\"").expect("it is drawn");
    let (picture, _) = rest.split_once("</div>").expect("it ends");
    let places: Vec<(&str, &str)> = picture
        .split("data-at=\"")
        .skip(1)
        .map(|rest| {
            let (at, rest) = rest.split_once("\" data-is=\"").expect("it says what is there");
            (at, rest.split('"').next().unwrap_or_default())
        })
        .collect();
    let expected = [
        ("&gt; root", "owned /root"),
        ("/root&gt; right", "owned /root/right"),
        ("/root&gt; left", "null"),
        ("", "KeyTree"),
        (": len", "2"),
        ("/root", "KeyNode"),
        ("/root: key", "1"),
        ("/root/right", "KeyNode"),
        ("/root/right: key", "2"),
    ];
    assert_eq!(places, expected);
}

#[test]
fn large_graphs_draw_the_listed_sequences_only() {
    let graph = Explore::from(0_u16).operation_if("add", |sum| *sum < 1_500, |sum| *sum += 1).limit(1_200).graph();
    let drawn = page(&graph);
    assert_eq!(drawn.matches("<div data-state=").count(), 1_200, "the longest path has all of them");
    let graph = Explore::from(0_u16).operation("set", 1..=1_200, |state, to| *state = to).depth(1).graph();
    let page = page(&graph);
    assert_eq!(page.matches("<div data-state=").count(), 2);
    assert!(page.contains("Only 2 of 1,201 states are drawn"));
    assert_eq!(data(&page)["transitions"].as_array().unwrap().len(), 1);
}

#[test]
fn hostile_texts_do_not_leave_their_place() {
    let graph = Explore::from(String::new())
        .operation("set", EVIL, |text: &mut String, evil| *text = evil.to_string())
        .check(|text| if text.contains("script") { Err("</script><b>") } else { Ok(()) })
        .graph();
    let page = page(&graph);
    assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (2, 2));
    let data = data(&page);
    assert!(data["sequences"][0]["message"].as_str().unwrap().contains("</script><b>"));
}
