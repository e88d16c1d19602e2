//! One search on several machines: what shards do together is what one run does.

mod bookmarks;
mod counted;
mod environment;
mod handed_over;
mod reports;
mod resumed;
mod resumed_threads;
mod scratch;
#[path = "../common/search_trees.rs"]
mod search_trees;
#[path = "../common/structures.rs"]
mod structures;
mod threads;
mod threads_apart;
mod threads_failing;
mod union;
