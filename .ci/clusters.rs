//! The searches that `.ci/clusters` runs whole and in shards: one for each way in which a search is divided, and an exploration.

use korat::{Explore, Finitize, Search, Summaries, rep_ok};

#[derive(Debug, Finitize)]
struct Node {
    #[finitize(0..=scope)]
    key: usize,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

#[derive(Debug, Finitize)]
struct SearchTree {
    root: Option<Box<Node>>,
}

#[rep_ok]
impl SearchTree {
    fn rep_ok(&self) -> bool {
        Self::is_ordered(&self.root, 0, usize::MAX)
    }

    fn is_ordered(node: &Option<Box<Node>>, least: usize, end: usize) -> bool {
        node.as_ref().is_none_or(|node| {
            least <= node.key
                && node.key < end
                && Self::is_ordered(&node.left, least, node.key)
                && Self::is_ordered(&node.right, node.key + 1, end)
        })
    }
}

#[derive(Debug, Finitize)]
struct Vertex {
    #[finitize(index_of = vertices)]
    next: Option<usize>,
}

/// A graph whose vertices have no order.
#[derive(Debug, Finitize)]
struct Graph {
    #[finitize(len = scope..=scope)]
    vertices: Vec<Vertex>,
}

#[rep_ok]
impl Graph {
    fn rep_ok(&self) -> bool {
        self.vertices.iter().enumerate().all(|(at, vertex)| vertex.next != Some(at))
    }
}

fn keys(node: &Option<Box<Node>>) -> Vec<usize> {
    node.as_ref().map_or_else(Vec::new, |node| {
        let mut found = keys(&node.left);
        found.push(node.key);
        found.extend(keys(&node.right));
        found
    })
}

#[test]
fn search_by_pieces() {
    let search = Search::new(SearchTree::scope(6)).summaries(Summaries::Never).expect_complete();
    search.for_each(|tree| {
        let is_last = keys(&tree.root) == [1, 2, 3, 4, 5, 6];
        match std::env::var("CLUSTERS_FAIL") {
            // One shard has this value and fails; the process of another is killed.
            Ok(_) if is_last => panic!("a shard fails"),
            Ok(_) if std::env::var("SLURM_ARRAY_TASK_ID").as_deref() == Ok("5") => std::process::abort(),
            _ => assert!(keys(&tree.root).is_sorted()),
        }
    });
}

#[test]
fn search_by_ranks() {
    let search = Search::new(SearchTree::scope(6)).summaries(Summaries::Always);
    search.for_each(|tree| keys(&tree.root).is_sorted()).expect_complete();
}

#[test]
fn search_by_values() {
    korat::for_each_valid(Graph::scope(5), |graph| graph.vertices.len() == 5);
}

#[test]
fn search_by_drawing() {
    Search::new(SearchTree::scope(9)).sample(100).for_each(|tree| keys(&tree.root).is_sorted());
}

#[test]
fn search_with_numbers_beside() {
    let search = Search::new(SearchTree::scope(4)).summaries(Summaries::Never).with(0..5_usize);
    search.for_each(|(tree, key)| {
        keys(&tree.root).into_iter().filter(|found| *found == key).count() <= 1
    });
}

#[test]
fn explored() {
    Explore::from(Vec::new()).operation("push", 1..=3_u8, |stack, item| stack.push(item)).depth(4).run();
}
