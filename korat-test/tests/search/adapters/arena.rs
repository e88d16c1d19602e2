//! Arenas of `id-arena`: lists and expressions whose nodes refer to each other by id, valid in the arena of the value.

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
    let mut idle = idle::<List>(3);
    korat::for_each_valid(List::scope(3), |list| {
        let slots = idle.abstract_value(&list).expect("a generated list is within the bounds");
        assert_eq!(linked(&idle.build(&slots)), linked(&list));
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
            Expr::Add(left, right) => Self::ends(exprs, *left, open, done) && Self::ends(exprs, *right, open, done),
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
