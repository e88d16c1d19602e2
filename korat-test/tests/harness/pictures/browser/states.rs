//! The page of an exploration in a real browser: keys and buttons step through a sequence, and what changed is marked.

use super::loaded;
use crate::pictures::states::{failing, page, passing};

/// Presses a key.
fn key(name: &str) -> String {
    format!(
        "document.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{name}', bubbles: true, cancelable: true }}));"
    )
}

/// Clicks an element.
fn click(selector: &str) -> String {
    format!("document.querySelector('{selector}').click();")
}

/// A page on which this is done after it has loaded.
fn done(page: &str, actions: &[String]) -> String {
    page.replace("</body>", &format!("<script>{}</script></body>", actions.concat()))
}

/// The failing page, at the state that fails.
pub(super) fn failing_page_at_its_end() -> String {
    done(&page(&failing()), &[key("End")])
}

/// The part of a page between an element's tag, by its identifier, and the next tag that ends such an element.
fn element<'p>(page: &'p str, id: &str, end: &str) -> &'p str {
    let (_, rest) = page.split_once(&format!("id=\"{id}\"")).unwrap_or_else(|| panic!("no {id} in {page}"));
    rest.split_once(end).expect("it ends").0
}

/// The places in a card whose parts are marked.
fn marked(page: &str, card: &str, mark: &str) -> Vec<String> {
    let tags = element(page, card, "</article>").split('<');
    let is_marked = |tag: &&str| {
        let class = tag.split_once("class=\"").and_then(|(_, rest)| rest.split('"').next());
        class.is_some_and(|class| class.split(' ').any(|word| word == mark))
    };
    let place = |tag: &str| tag.split_once("data-at=\"")?.1.split('"').next().map(|at| at.replace("&gt;", ">"));
    let mut places: Vec<String> = tags.filter(is_marked).filter_map(place).collect();
    places.sort();
    places
}

fn title<'p>(page: &'p str, card: &str) -> &'p str {
    let card = element(page, card, "</article>");
    card.split_once("<h2>").and_then(|(_, rest)| rest.split("</h2>").next()).expect("a card has a title")
}

/// Where the page says that it is.
fn position(page: &str) -> &str {
    element(page, "position", "</p>").trim_start_matches('>')
}

#[test]
#[ignore = "needs Chromium"]
fn a_page_begins_in_the_first_state() {
    let page = loaded("states-start", &page(&passing()), "");
    assert_eq!((position(&page), title(&page, "now")), ("step 0 of 2", "now: state 0, level 0"));
    assert!(marked(&page, "now", "added").is_empty());
    assert!(page.contains("<article id=\"before\" hidden"));
    assert!(page.contains("id=\"back\" disabled") && !page.contains("id=\"forward\" disabled"));
}

#[test]
#[ignore = "needs Chromium"]
fn keys_step_forward_and_back() {
    let graph = page(&passing());
    let forward = loaded("states-forward", &done(&graph, &[key("ArrowRight"), key("ArrowRight")]), "");
    // The tree 1-1 after the tree 1.
    assert_eq!((position(&forward), title(&forward, "now")), ("step 2 of 2", "now: state 3, level 2"));
    assert_eq!(title(&forward, "before"), "before: state 1, level 1");
    // The null on the left was one before, when it was not drawn.
    assert_eq!(marked(&forward, "now", "added"), ["/root/right", "/root/right: key", "/root> right", ": len"]);
    assert_eq!(marked(&forward, "before", "gone"), [": len"]);
    // There is no third step.
    let back = [key("ArrowRight"), key("ArrowRight"), key("ArrowRight"), key("ArrowLeft")];
    let back = loaded("states-back", &done(&graph, &back), "");
    assert_eq!((position(&back), title(&back, "now")), ("step 1 of 2", "now: state 1, level 1"));
    assert_eq!(marked(&back, "now", "added"), ["/root", "/root: key", ": len", "> root"]);
}

#[test]
#[ignore = "needs Chromium"]
fn buttons_step_forward_and_back() {
    let graph = page(&passing());
    let forward = loaded("states-buttons", &done(&graph, &[click("#forward"), click("#forward"), click("#back")]), "");
    assert_eq!((position(&forward), title(&forward, "now")), ("step 1 of 2", "now: state 1, level 1"));
    let step = loaded("states-step", &done(&graph, &[click("#steps li:nth-child(3) button")]), "");
    assert_eq!((position(&step), title(&step, "now")), ("step 2 of 2", "now: state 3, level 2"));
}

#[test]
#[ignore = "needs Chromium"]
fn calls_can_be_followed_to_any_sequence() {
    let graph = page(&passing());
    // insert(2), then insert(1).
    let follow = [click("#next li:nth-child(2) button"), click("#next li:nth-child(1) button")];
    let page = loaded("states-follow", &done(&graph, &follow), "");
    assert_eq!((position(&page), title(&page, "now")), ("step 2 of 2", "now: state 5, level 2"));
    assert_eq!(marked(&page, "now", "added"), ["/root/left", "/root/left: key", "/root> left", ": len"]);
    let steps = element(&page, "steps", "</ol>");
    assert!(steps.contains("insert(2)</button>") && steps.contains("insert(1)</button>"), "{steps}");
    // None of the listed sequences is shown now; a click returns to it.
    assert!(page.contains("data-sequence=\"0\" aria-pressed=\"false\""));
    let listed = [follow.concat(), click("nav button[data-sequence]"), key("End")];
    let page = loaded("states-listed", &done(&graph, &listed), "");
    assert_eq!(title(&page, "now"), "now: state 3, level 2");
    assert!(page.contains("data-sequence=\"0\" aria-pressed=\"true\""));
}

#[test]
#[ignore = "needs Chromium"]
fn a_failing_state_is_shown_with_what_is_wrong() {
    let page = loaded("states-failing", &failing_page_at_its_end(), "");
    assert_eq!(position(&page), "step 3 of 3");
    assert!(element(&page, "message", "</p>").ends_with(">the check fails: it returned false"));
    assert!(page.contains("<article id=\"now\" class=\"failed\">"));
    assert_eq!(marked(&page, "now", "added").last().map(String::as_str), Some(": len"));
    let panics = korat::Explore::from(0_u8).operation("add", [1], |sum, more| {
        assert!(*sum < 1, "too much");
        *sum += more;
    });
    let page = loaded("states-panics", &done(&crate::pictures::states::page(&panics.graph()), &[key("End")]), "");
    assert_eq!((title(&page, "before"), title(&page, "now")), ("before: state 1, level 1", "now: fails here"));
    assert!(element(&page, "message", "</p>").ends_with("too much"));
}
