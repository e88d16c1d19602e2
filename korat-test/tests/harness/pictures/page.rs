//! The page of a gallery, as a search writes it.

use korat::{Config, Finitize, RepOk, Search};

/// The page that a search writes.
pub fn page<T: Finitize + RepOk>(search: Search<T>, config: Config) -> String {
    static NUMBER: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
    let file = folder.join(format!("{}-{number}.html", std::process::id()));
    search.config(config.gallery(&file)).report();
    let page = std::fs::read_to_string(&file).expect("the page is written");
    std::fs::remove_file(&file).expect("the page is there");
    page
}
