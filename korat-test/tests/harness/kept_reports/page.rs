//! The page of a merged report.

use super::Folder;

/// Returns the page of a run in which one search of three fails.
pub fn page_of_a_run() -> String {
    let folder = Folder::new();
    ["passing", "shrunk", "explored"].iter().for_each(|scenario| _ = folder.run(scenario, &[]));
    let path = folder.0.join("pages/run.html");
    assert_eq!(folder.merge(&["--page", path.to_str().unwrap()]).0, 1);
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn a_page_has_a_card_for_each_search_and_needs_no_network() {
    let page = page_of_a_run();
    assert_eq!(page.matches("<article>").count(), 3);
    assert_eq!(page.matches("<svg class=\"plot\"").count(), 3);
    assert!(page.contains("1 of 3 searches failed") && page.contains("default-src 'none'"));
    assert!(page.contains("&lt;too&gt; &quot;long&quot; &amp; more") && !page.contains("<too>"));
    assert!(page.contains("prefers-color-scheme: dark"));
    assert!(["http:", "https:", "src=", "href="].iter().all(|link| !page.contains(link)));
    // What fails comes first.
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} is not on the page"));
    assert!(at("scenarios::shrunk") < at("scenarios::passing"));
}
