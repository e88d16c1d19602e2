//! The page of a gallery, and that of an exploration, in a real browser: it loads without a word on the console, its filters work, and screenshots are made to
//! be looked at. Needs Chromium, so the tests are ignored: `cargo test --test harness pictures::browser -- --ignored` runs them. The
//! environment variable `CHROMIUM` says where it is, if not in the path.

mod states;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use korat::{Config, Finitize, RepOk, Search};

use crate::structures::{Arena, Chain, Containers, Diamond, Formula, Graph, Hostile, Tree, Watched};

/// Where pages and screenshots go: `target/tmp/gallery`.
fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gallery");
    fs::create_dir_all(&folder).expect("the target directory can be written to");
    folder
}

fn chromium() -> PathBuf {
    if let Some(named) = std::env::var_os("CHROMIUM") {
        return named.into();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
    let found =
        std::env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name))).find(|file| file.is_file());
    found.unwrap_or_else(|| {
        panic!("no Chromium in the path; install it, or say with CHROMIUM=/path/to/chromium where it is")
    })
}

/// Runs the browser on a page. A profile of its own keeps runs apart that go on at the same time.
fn browse(profile: &str, arguments: &[&str], address: &str) -> Output {
    let output = Command::new(chromium())
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=3000"])
        .args(["--enable-logging=stderr", "--log-level=0"])
        .arg(format!("--user-data-dir={}", folder().join("profiles").join(profile).display()))
        .args(arguments)
        .arg(address)
        .output()
        .unwrap_or_else(|error| panic!("{} cannot be run: {error}", chromium().display()));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// What the page said on the console: errors of its script, and of what it could not load.
fn console(output: &Output) -> Vec<String> {
    let said = String::from_utf8_lossy(&output.stderr);
    said.lines().filter(|line| line.contains("CONSOLE")).map(str::to_string).collect()
}

fn write(name: &str, page: &str) -> PathBuf {
    let file = folder().join(format!("{name}.html"));
    fs::write(&file, page).expect("the page can be written");
    file
}

/// The page as it is after its script has run; the console must be silent.
fn loaded(name: &str, page: &str, fragment: &str) -> String {
    let file = write(name, page);
    let output = browse(name, &["--dump-dom"], &format!("file://{}{fragment}", file.display()));
    assert_eq!(console(&output), Vec::<String>::new(), "{name}");
    let page = String::from_utf8(output.stdout).expect("a page is text");
    assert!(page.contains("</html>"), "{name}: {page}");
    page
}

/// The numbers of the structures that are to be seen.
fn seen(page: &str) -> Vec<u64> {
    let cards = page.split("<article ").skip(1).map(|rest| &rest[..rest.find('>').expect("a tag ends")]);
    let number = |card: &str| {
        let number = card.split_once("data-number=\"")?.1.split('"').next()?;
        number.parse().ok()
    };
    cards.filter(|card| !card.contains("hidden")).map(|card| number(card).expect("a card has a number")).collect()
}

fn page<T: Finitize + RepOk>(scope: usize) -> String {
    super::page::page(Search::new(T::scope(scope)), Config::new().gallery_most(1_000))
}

#[test]
#[ignore = "needs Chromium"]
fn every_page_loads_in_silence() {
    let pages = [
        ("tree", page::<Tree>(4)),
        ("diamond", page::<Diamond>(4)),
        ("chain", page::<Chain>(4)),
        ("raw", page::<Watched>(1)),
        ("arena", page::<Arena>(4)),
        ("graph", page::<Graph>(2)),
        ("enum", page::<Formula>(4)),
        ("containers", page::<Containers>(3)),
        ("hostile", page::<Hostile>(0)),
    ];
    for (name, page) in pages {
        let loaded = loaded(name, &page, "");
        assert_eq!(seen(&loaded).len(), page.matches("<article ").count(), "{name}");
        assert!(loaded.contains(&format!("{} shown</p>", seen(&loaded).len())), "{name}");
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_mistake_in_a_page_is_noticed() {
    let broken = page::<Tree>(1).replace("function filter() {", "function filter() { nowhere();");
    let output = browse("broken", &["--dump-dom"], &format!("file://{}", write("broken", &broken).display()));
    let said = console(&output);
    assert!(said.iter().any(|line| line.contains("nowhere is not defined")), "{said:?}");
}

#[test]
#[ignore = "needs Chromium"]
fn addresses_filter() {
    let page = page::<Tree>(3);
    // The sizes of the nine trees, in order: 1 2 3 4 4 3 4 4 4.
    assert_eq!(seen(&loaded("size", &page, "#size=2")), [3, 4]);
    assert_eq!(seen(&loaded("number", &page, "#text=%233")), [3]);
    assert_eq!(seen(&loaded("text", &page, "#text=TREENODE&size=1")), [2]);
    // A size that there is not is no filter.
    assert_eq!(seen(&loaded("wrong", &page, "#size=99")).len(), 9);
    let nothing = loaded("nothing", &page, "#text=nowhere");
    assert!(seen(&nothing).is_empty());
    assert!(nothing.contains("<p id=\"nothing\">No structure matches.</p>"));
}

#[test]
#[ignore = "needs Chromium"]
fn buttons_filter_and_the_address_follows() {
    let clicked = page::<Tree>(3).replace(
        "</body>",
        "<script>document.querySelector('nav button[data-size=\"2\"]').click();\
         const text = document.getElementById('text'); text.value = 'right'; text.dispatchEvent(new Event('input'));\
         document.title = location.hash;</script></body>",
    );
    let loaded = loaded("clicked", &clicked, "");
    // Each of the two trees of two nodes has a left and a right, one of them null.
    assert_eq!(seen(&loaded), [3, 4]);
    assert!(loaded.contains("<title>#size=2&amp;text=right</title>"), "{}", &loaded[..500]);
    assert!(loaded.contains("data-size=\"2\" aria-pressed=\"true\"") && loaded.contains("2 of 9 shown"));
}

#[test]
#[ignore = "needs Chromium"]
fn thousands_of_structures_load() {
    let page = page::<Tree>(9);
    assert!(page.contains("Only 1,000 of 6,918 structures are shown."));
    let of_seven_nodes = page.matches("data-size=\"7\">\n<h2>").count();
    let loaded = loaded("many", &page, "#size=7");
    assert!((1..1_000).contains(&of_seven_nodes));
    assert_eq!(seen(&loaded).len(), of_seven_nodes);
}

#[test]
#[ignore = "needs Chromium"]
fn screenshots_to_look_at() {
    // 0 is dark, 1 is light.
    for (scheme, setting) in [("light", "1"), ("dark", "0")] {
        let pages = [
            ("chain", page::<Chain>(4)),
            ("tree", page::<Tree>(4)),
            ("arena", page::<Arena>(3)),
            ("states", states::failing_page_at_its_end()),
            ("run", crate::kept_reports::page::page_of_a_run()),
        ];
        for (name, page) in pages {
            let file = write(&format!("{name}-{scheme}"), &page);
            let picture = folder().join(format!("{name}-{scheme}.png"));
            let _ = fs::remove_file(&picture);
            let arguments = [
                format!("--blink-settings=preferredColorScheme={setting}"),
                "--window-size=1300,900".to_string(),
                format!("--screenshot={}", picture.display()),
            ];
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let output = browse(&format!("{name}-{scheme}"), &arguments, &format!("file://{}", file.display()));
            assert_eq!(console(&output), Vec::<String>::new());
            let bytes = fs::read(&picture).expect("the screenshot was made");
            assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 10_000, "{}", picture.display());
        }
    }
}
