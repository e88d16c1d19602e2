//! Fields of types of other crates: arenas of `slotmap` and `id-arena`, graphs of `petgraph`. Arenas are compared with all their
//! values made by hand, brought into one form by trying every order; graphs are counted.

use std::collections::BTreeSet;
use std::fmt::Debug;

use korat::{Backtracking, Finitize, Pruning, RepOk, Search, rep_ok};

/// Every way to run a search.
fn searches<T: Finitize + RepOk + Debug>(scope: usize) -> Vec<Search<T>> {
    let mut all = Vec::new();
    for pruning in [Pruning::Ownership, Pruning::Classic] {
        for backtracking in [Backtracking::Checkpoint, Backtracking::Reexecute] {
            all.push(Search::new(T::scope(scope)).pruning(pruning).backtracking(backtracking).allow_empty());
        }
    }
    all
}

/// Compares the searches with the valid ones among `all`, told apart by `form`; gives how many there are.
fn agree<T>(scope: usize, all: impl IntoIterator<Item = T>, form: impl Fn(&T) -> String) -> u64
where
    T: Finitize + RepOk + Debug,
{
    let expected: BTreeSet<String> = all.into_iter().filter(T::holds).map(|value| form(&value)).collect();
    for search in searches(scope) {
        let mut found = BTreeSet::new();
        search.for_each(|value: T| {
            assert!(value.holds());
            let text = form(&value);
            assert!(found.insert(text.clone()), "{text} comes twice");
        });
        assert_eq!(found, expected, "at scope {scope}");
    }
    expected.len() as u64
}

/// How many values there are, which every way to search must agree on.
fn count<T: Finitize + RepOk + Debug>(scope: usize) -> u64 {
    let counts: BTreeSet<u64> = searches::<T>(scope).into_iter().map(|search| search.count().valid).collect();
    assert_eq!(counts.len(), 1, "{counts:?}");
    counts.first().copied().unwrap_or(0)
}

/// Every list of `len` elements from `choices`.
fn lists<T: Clone>(choices: &[T], len: usize) -> Vec<Vec<T>> {
    let mut all = vec![Vec::new()];
    for _ in 0..len {
        let longer = |list: &Vec<T>| {
            choices.iter().map(|next| [&list[..], std::slice::from_ref(next)].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// Every order of `0..count`: the new place of each element.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let all = lists(&(0..count).collect::<Vec<_>>(), count);
    all.into_iter().filter(|order| order.iter().collect::<BTreeSet<_>>().len() == count).collect()
}

/// A list whose nodes are named by position: where it begins and ends, and what comes before and after each node.
type Linked = ([Option<usize>; 2], Vec<[Option<usize>; 2]>);

/// Every such list, of linked nodes or not, of up to `scope` nodes.
fn all_linked(scope: usize) -> Vec<Linked> {
    let mut all = Vec::new();
    for len in 0..=scope {
        let links: Vec<Option<usize>> = std::iter::once(None).chain((0..len).map(Some)).collect();
        let pairs: Vec<[Option<usize>; 2]> =
            links.iter().flat_map(|&one| links.iter().map(move |&other| [one, other])).collect();
        for nodes in lists(&pairs, len) {
            all.extend(pairs.iter().map(|&ends| (ends, nodes.clone())));
        }
    }
    all
}

/// The list without the positions of its nodes.
fn form((ends, nodes): &Linked) -> String {
    let moved = |order: Vec<usize>| {
        let moved = |links: &[Option<usize>; 2]| links.map(|link| link.map(|at| order[at]));
        let mut places = vec![[None; 2]; nodes.len()];
        for (at, links) in nodes.iter().enumerate() {
            places[order[at]] = moved(links);
        }
        format!("{:?} {places:?}", moved(ends))
    };
    orders(nodes.len()).into_iter().map(moved).min().unwrap_or_default()
}

/// A doubly linked list in a slot map.
mod slot_map {
    use slotmap::{DefaultKey, Key, KeyData, SlotMap, new_key_type};

    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Node {
        #[finitize(index_of = nodes)]
        previous: Option<DefaultKey>,
        #[finitize(index_of = nodes)]
        next: Option<DefaultKey>,
    }

    #[derive(Clone, Debug, Finitize)]
    struct List {
        #[finitize(index_of = nodes)]
        head: Option<DefaultKey>,
        nodes: SlotMap<DefaultKey, Node>,
        #[finitize(index_of = nodes)]
        tail: Option<DefaultKey>,
    }

    #[rep_ok]
    impl List {
        /// Links lead back and forth, from the head to the tail; there may be other nodes, without links.
        fn rep_ok(&self) -> bool {
            let mut seen = 0;
            let (mut before, mut at) = (None, self.head);
            while let Some(key) = at {
                let node = &self.nodes[key];
                if node.previous != before {
                    return false;
                }
                seen += 1;
                (before, at) = (at, node.next);
            }
            self.tail == before && seen + Self::loners(&self.nodes, self.head) == self.nodes.len()
        }

        fn loners(nodes: &SlotMap<DefaultKey, Node>, head: Option<DefaultKey>) -> usize {
            let mut count = 0;
            for (key, node) in nodes {
                if Some(key) != head && node.previous.is_none() && node.next.is_none() {
                    count += 1;
                }
            }
            count
        }
    }

    fn made(&(ends, ref nodes): &Linked) -> List {
        let key = |at: Option<usize>| at.map(|at| DefaultKey::from(KeyData::from_ffi((1 << 32) | (at as u64 + 1))));
        let mut map = SlotMap::new();
        for (at, &[previous, next]) in nodes.iter().enumerate() {
            let inserted = map.insert(Node { previous: key(previous), next: key(next) });
            assert_eq!(Some(inserted), key(Some(at)), "the keys of a fresh map are as expected");
        }
        List { head: key(ends[0]), nodes: map, tail: key(ends[1]) }
    }

    fn linked(list: &List) -> Linked {
        let keys: Vec<DefaultKey> = list.nodes.keys().collect();
        let at = |key: Option<DefaultKey>| {
            key.map(|key| {
                assert!(list.nodes.contains_key(key), "{key:?} is no key of {list:?}");
                keys.iter().position(|&one| one == key).expect("the key is one of the map")
            })
        };
        let nodes = list.nodes.values().map(|node| [at(node.previous), at(node.next)]).collect();
        ([at(list.head), at(list.tail)], nodes)
    }

    #[test]
    fn doubly_linked_lists_in_a_slot_map() {
        let counts: Vec<u64> =
            (0..=3).map(|scope| agree(scope, all_linked(scope).iter().map(made), |list| form(&linked(list)))).collect();
        // A list of any of the nodes, and the others alone.
        assert_eq!(counts, [1, 3, 6, 10]);
    }

    #[test]
    fn a_map_with_a_removed_element_is_out_of_bounds() {
        let search = || korat_core::Abstract::<List>::new(&List::scope(2)).expect("the bounds are right");
        let mut list = made(&([Some(0), Some(0)], vec![[None, None]]));
        assert!(search().indices(&list).is_ok());
        let removed = list.nodes.insert(Node { previous: None, next: None });
        list.nodes.remove(removed);
        list.nodes.insert(Node { previous: None, next: None });
        assert!(search().indices(&list).is_err());
    }

    new_key_type! {
        #[derive(Finitize)]
        #[finitize(id)]
        struct ParentKey;
    }

    /// Its elements are keys themselves, and none is the null key.
    #[derive(Clone, Debug, Finitize)]
    struct Forest {
        #[finitize(index_of = parents, none = ParentKey::null())]
        parents: SlotMap<ParentKey, ParentKey>,
    }

    #[rep_ok]
    impl Forest {
        fn rep_ok(&self) -> bool {
            for start in self.parents.keys() {
                let (mut at, mut steps) = (start, 0);
                while let Some(&parent) = self.parents.get(at) {
                    at = parent;
                    steps += 1;
                    if steps > self.parents.len() {
                        return false;
                    }
                }
            }
            self.parents.is_empty() || self.parents.values().any(|parent| parent.is_null())
        }
    }

    #[test]
    fn forests_of_keys_of_a_type_of_their_own() {
        let counts: Vec<u64> = (0..=4).map(count::<Forest>).collect();
        // Rooted forests of n nodes: 1, 1, 2, 4, 9 (A000081, shifted); up to a size, their sums.
        assert_eq!(counts, [1, 2, 4, 8, 17]);
    }

    /// Keys that are no indices, and maps of plain values.
    #[derive(Clone, Debug, Finitize)]
    struct Loose {
        key: DefaultKey,
        #[finitize(0..=1, len = 0..=2)]
        marks: Option<SlotMap<DefaultKey, u8>>,
    }

    #[rep_ok]
    impl Loose {
        fn rep_ok(&self) -> bool {
            self.marks.as_ref().is_none_or(|marks| marks.contains_key(self.key) != self.key.is_null())
        }
    }

    #[test]
    fn keys_and_maps_without_indices() {
        // Null or the first key; without a map both, else the null key and any map, or the other and a map that has it.
        assert_eq!(count::<Loose>(1), 2 + (1 + 2 + 4) + (2 + 4));
    }
}

/// The same list in an arena with ids.
mod arena {
    use id_arena::{Arena, Id};

    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Node {
        #[finitize(index_of = nodes)]
        previous: Option<Id<Node>>,
        #[finitize(index_of = nodes)]
        next: Option<Id<Node>>,
    }

    #[derive(Clone, Debug, Finitize)]
    struct List {
        #[finitize(index_of = nodes)]
        head: Option<Id<Node>>,
        nodes: Arena<Node>,
        #[finitize(index_of = nodes)]
        tail: Option<Id<Node>>,
    }

    #[rep_ok]
    impl List {
        /// Links lead back and forth, from the head to the tail, through all nodes.
        fn rep_ok(&self) -> bool {
            let (mut before, mut at, mut seen) = (None, self.head, 0);
            while let Some(id) = at {
                let Some(node) = self.nodes.get(id) else { return false };
                if node.previous != before {
                    return false;
                }
                seen += 1;
                (before, at) = (Some(id), node.next);
            }
            self.tail == before && seen == self.nodes.len() && Self::ids_are_positions(&self.nodes)
        }

        fn ids_are_positions(nodes: &Arena<Node>) -> bool {
            nodes.iter().enumerate().all(|(at, (id, _))| id.index() == at) && nodes.next_id().index() == nodes.len()
        }
    }

    fn made((ends, links): &Linked) -> List {
        let (mut nodes, mut ids) = (Arena::new(), Vec::new());
        for _ in links {
            ids.push(nodes.alloc(Node { previous: None, next: None }));
        }
        let id = |at: Option<usize>| at.map(|at| ids[at]);
        for (at, links) in links.iter().enumerate() {
            nodes[ids[at]] = Node { previous: id(links[0]), next: id(links[1]) };
        }
        List { head: id(ends[0]), nodes, tail: id(ends[1]) }
    }

    fn linked(list: &List) -> Linked {
        let at = |id: Option<Id<Node>>| {
            id.map(|id| {
                assert!(list.nodes.get(id).is_some(), "{id:?} is no id of {list:?}");
                id.index()
            })
        };
        let nodes = list.nodes.iter().map(|(_, node)| [at(node.previous), at(node.next)]).collect();
        ([at(list.head), at(list.tail)], nodes)
    }

    #[test]
    fn doubly_linked_lists_in_an_arena() {
        let counts: Vec<u64> =
            (0..=3).map(|scope| agree(scope, all_linked(scope).iter().map(made), |list| form(&linked(list)))).collect();
        assert_eq!(counts, [1, 2, 3, 4]);
    }

    #[test]
    fn ids_survive_the_way_back() {
        let mut abstracting = korat_core::Abstract::<List>::new(&List::scope(3)).expect("the bounds are right");
        korat::for_each_valid(List::scope(3), |list| {
            let indices = abstracting.indices(&list).expect("a generated list is within the bounds");
            assert_eq!(linked(&abstracting.build(&indices)), linked(&list));
        });
    }

    /// An enum with data in an arena: expressions whose nodes may be shared, all of them used.
    #[derive(Clone, Debug, Finitize)]
    enum Expr {
        One,
        Neg(#[finitize(index_of = exprs)] Id<Expr>),
        Add(#[finitize(index_of = exprs)] Id<Expr>, #[finitize(index_of = exprs)] Id<Expr>),
    }

    #[derive(Clone, Debug, Finitize)]
    struct Program {
        exprs: Arena<Expr>,
        #[finitize(index_of = exprs)]
        result: Id<Expr>,
    }

    #[rep_ok]
    impl Program {
        fn rep_ok(&self) -> bool {
            let mut done = vec![false; self.exprs.len()];
            let mut open = vec![false; self.exprs.len()];
            Self::ends(&self.exprs, self.result, &mut open, &mut done) && done.iter().all(|&done| done)
        }

        /// Whether the expression has an end; marks what belongs to it.
        fn ends(exprs: &Arena<Expr>, id: Id<Expr>, open: &mut Vec<bool>, done: &mut Vec<bool>) -> bool {
            if done[id.index()] {
                return true;
            }
            if open[id.index()] {
                return false;
            }
            open[id.index()] = true;
            let ends = match &exprs[id] {
                Expr::One => true,
                Expr::Neg(inner) => Self::ends(exprs, *inner, open, done),
                Expr::Add(left, right) => {
                    Self::ends(exprs, *left, open, done) && Self::ends(exprs, *right, open, done)
                }
            };
            done[id.index()] = true;
            ends
        }
    }

    /// The expression as text, with numbers for its nodes in the order of a walk.
    fn text(program: &Program) -> String {
        fn walk(exprs: &Arena<Expr>, id: Id<Expr>, known: &mut Vec<Id<Expr>>) -> String {
            if let Some(number) = known.iter().position(|&one| one == id) {
                return format!("#{number}");
            }
            known.push(id);
            match exprs[id] {
                Expr::One => "1".to_string(),
                Expr::Neg(inner) => format!("-({})", walk(exprs, inner, known)),
                Expr::Add(left, right) => {
                    let left = walk(exprs, left, known);
                    format!("({left} + {})", walk(exprs, right, known))
                }
            }
        }
        walk(&program.exprs, program.result, &mut Vec::new())
    }

    #[test]
    fn expressions_in_an_arena() {
        for scope in 0..=3 {
            let mut all = Vec::new();
            for len in 0..=scope {
                let mut choices = vec![(0, 0, 0)];
                choices.extend((0..len).map(|inner| (1, inner, 0)));
                choices.extend((0..len).flat_map(|left| (0..len).map(move |right| (2, left, right))));
                for exprs in lists(&choices, len) {
                    for result in 0..len {
                        let mut arena = Arena::new();
                        let ids: Vec<Id<Expr>> = exprs.iter().map(|_| arena.alloc(Expr::One)).collect();
                        for (&id, &(kind, one, other)) in ids.iter().zip(&exprs) {
                            arena[id] = match kind {
                                0 => Expr::One,
                                1 => Expr::Neg(ids[one]),
                                _ => Expr::Add(ids[one], ids[other]),
                            };
                        }
                        all.push(Program { exprs: arena, result: ids[result] });
                    }
                }
            }
            agree(scope, all, text);
        }
    }

    #[derive(Clone, Debug, Finitize)]
    struct Twice {
        one: Arena<u8>,
        #[finitize(index_of = one)]
        first: Option<Id<u8>>,
        other: Arena<u8>,
    }

    #[rep_ok]
    impl Twice {
        fn rep_ok(&self) -> bool {
            self.one.len() == self.other.len()
        }
    }

    #[test]
    #[should_panic(expected = "several arenas of `u8`")]
    fn two_arenas_of_one_type_are_refused() {
        korat::for_each_valid(Twice::scope(1), |_| {});
    }
}

/// Graphs, counted up to isomorphism.
mod graphs {
    use korat::{BoundsError, graph_weights};
    use petgraph::algo::is_cyclic_directed;
    use petgraph::graph::{DiGraph, NodeIndex, UnGraph};

    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Directed {
        graph: DiGraph<(), ()>,
    }

    #[rep_ok]
    impl Directed {
        fn rep_ok(&self) -> bool {
            true
        }
    }

    #[derive(Clone, Debug, Finitize)]
    struct Undirected {
        #[finitize(len = scope..=scope)]
        graph: UnGraph<(), (), u8>,
    }

    #[rep_ok]
    impl Undirected {
        fn rep_ok(&self) -> bool {
            true
        }
    }

    #[test]
    fn all_graphs() {
        // A000595: 1, 2, 10, 104, 3044; up to a size, their sums.
        assert_eq!([0, 1, 2, 3, 4].map(count::<Directed>), [1, 3, 13, 117, 3161]);
        // A000666.
        assert_eq!([0, 1, 2, 3, 4, 5].map(count::<Undirected>), [1, 2, 6, 20, 90, 544]);
    }

    #[test]
    fn smallest_first() {
        let mut last = (0, 0);
        korat::for_each_valid(Directed::scope(3), |value| {
            let size = (value.graph.node_count(), value.graph.edge_count());
            assert!(last <= size);
            last = size;
        });
    }

    #[derive(Clone, Debug, Finitize)]
    struct Dag {
        #[finitize(len = scope..=scope)]
        graph: DiGraph<(), ()>,
    }

    #[rep_ok]
    impl Dag {
        fn rep_ok(&self) -> bool {
            !is_cyclic_directed(&self.graph)
        }
    }

    #[test]
    fn acyclic_graphs() {
        // A003087.
        assert_eq!([0, 1, 2, 3, 4].map(count::<Dag>), [1, 1, 2, 6, 31]);
        korat::for_each_valid(Dag::scope(4), |dag| {
            let order = petgraph::algo::toposort(&dag.graph, None).expect("the graph has no cycle");
            assert_eq!(order.len(), 4);
        });
    }

    /// A tree whose nodes are of two colours, neighbours of different ones, walked by hand.
    #[derive(Clone, Debug, Finitize)]
    struct Coloured {
        #[finitize(graph_weights([false, true], [()]), len = scope..=scope)]
        graph: UnGraph<bool, ()>,
    }

    #[rep_ok]
    impl Coloured {
        fn rep_ok(&self) -> bool {
            let count = self.graph.node_count();
            if count == 0 || self.graph.edge_count() != count - 1 {
                return false;
            }
            let mut seen = vec![NodeIndex::new(0)];
            let mut next = 0;
            while next < seen.len() {
                if !Self::visit(&self.graph, seen[next], &mut seen) {
                    return false;
                }
                next += 1;
            }
            seen.len() == count
        }

        fn visit(graph: &UnGraph<bool, ()>, node: NodeIndex, seen: &mut Vec<NodeIndex>) -> bool {
            for other in graph.neighbors(node) {
                if graph[other] == graph[node] {
                    return false;
                }
                if !seen.contains(&other) {
                    seen.push(other);
                }
            }
            true
        }
    }

    #[test]
    fn trees_of_two_colours() {
        // A122086: two for a tree that looks different from its other colouring, else one.
        assert_eq!([1, 2, 3, 4].map(count::<Coloured>), [2, 1, 2, 3]);
    }

    /// Edges with weights, and a graph in an option.
    #[derive(Clone, Debug, Finitize)]
    struct Weighted {
        #[finitize(graph_weights([()], [1, 2, 3]), len = 2..=2)]
        graph: Option<DiGraph<(), u8>>,
    }

    #[rep_ok]
    impl Weighted {
        fn rep_ok(&self) -> bool {
            self.graph.as_ref().is_none_or(|graph| graph.edge_weights().all(|&weight| weight < 3))
        }
    }

    #[test]
    fn weights_count() {
        // No graph; or 3^4 with labels, of which 3^2 are the same when the nodes are exchanged.
        assert_eq!(count::<Weighted>(0), 1 + (81 + 9) / 2);
    }

    #[test]
    fn the_way_back_finds_the_graph_in_any_order() {
        let mut abstracting = korat_core::Abstract::<Directed>::new(&Directed::scope(3)).expect("the bounds are right");
        let mut graph = DiGraph::new();
        let nodes = [(); 3].map(|()| graph.add_node(()));
        graph.add_edge(nodes[2], nodes[1], ());
        graph.add_edge(nodes[1], nodes[1], ());
        let indices = abstracting.indices(&Directed { graph: graph.clone() }).expect("the graph is within the bounds");
        let built = abstracting.build(&indices).graph;
        assert!(petgraph::algo::is_isomorphic(&built, &graph));
        graph.add_edge(nodes[2], nodes[1], ());
        assert!(abstracting.indices(&Directed { graph }).is_err(), "parallel edges are out of bounds");

        let mut abstracting =
            korat_core::Abstract::<Undirected>::new(&Undirected::scope(2)).expect("the bounds are right");
        let mut graph = UnGraph::default();
        let nodes = [(); 2].map(|()| graph.add_node(()));
        graph.add_edge(nodes[1], nodes[1], ());
        graph.add_edge(nodes[1], nodes[0], ());
        let indices = abstracting.indices(&Undirected { graph: graph.clone() }).expect("the graph is within the bounds");
        assert!(petgraph::algo::is_isomorphic(&abstracting.build(&indices).graph, &graph));
    }

    #[test]
    fn too_many_graphs_are_an_error_of_the_bounds() {
        let text = |errors: Vec<BoundsError>| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        let errors = |scope| korat_core::Abstract::<Directed>::new(&Directed::scope(scope)).err().map(text);
        assert_eq!(errors(4), None);
        // The sum of 2^(n * n).
        let message = errors(5).expect("there are too many");
        assert!(message.contains("33620499 labelled graphs of up to 5 nodes"), "{message}");
        assert!(message.contains("lower the scope"), "{message}");
        assert!(errors(40).is_some_and(|message| message.contains("more than 2^128")));
    }
}
