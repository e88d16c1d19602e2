//! Graphs, sets of nodes, and expressions.

use super::machine::{Machine, Operation, Version, operation};
use crate::dag::tests::{reduce_triangles, reduces_to_the_least};
use crate::dag::{Cycle, Dag};
use crate::expression::tests::{means_the_same, optimised_without_scopes};
use crate::expression::{Expr, Program};
use crate::union_find::tests::union_by_own_rank;
use crate::union_find::{Id, UnionFind};

/// All pairs of numbers below `n`.
fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |one| (0..n).map(move |two| (one, two)))
}

/// Sets, beside the first element of each element's set.
pub(super) struct UnionFinds;

impl Machine for UnionFinds {
    type State = (UnionFind, Vec<usize>);
    const BUG: &str = "`union_find`: `union` compares the wrong ranks";

    fn first() -> Self::State {
        Default::default()
    }

    fn operations(version: Version) -> Vec<Operation<Self::State>> {
        type Both = (UnionFind, Vec<usize>);
        let union: fn(&mut UnionFind, Id, Id) -> bool = version.of(UnionFind::union, union_by_own_rank);
        vec![
            operation("push", [()], |(sets, model): &mut Both, ()| {
                if model.len() < 4 {
                    sets.push();
                    model.push(model.len());
                }
            }),
            operation("find", 0..4, |(sets, _): &mut Both, element| {
                if let Some(id) = sets.ids().nth(element) {
                    sets.find(id);
                }
            }),
            operation("union", pairs(4), move |(sets, model): &mut Both, (one, two)| {
                if let (Some(a), Some(b)) = (sets.ids().nth(one), sets.ids().nth(two)) {
                    let (kept, gone) = (model[one].min(model[two]), model[one].max(model[two]));
                    assert_eq!(union(sets, a, b), kept != gone);
                    model.iter_mut().filter(|first| **first == gone).for_each(|first| *first = kept);
                }
            }),
        ]
    }

    fn check((sets, model): &Self::State) {
        assert!(sets.rep_ok());
        let ids: Vec<Id> = sets.ids().collect();
        assert!(model.iter().zip(&ids).all(|(&first, &id)| sets.root(ids[first]) == sets.root(id)));
        assert_eq!(sets.sets(), model.iter().enumerate().filter(|(at, first)| at == *first).count());
    }
}

/// Graphs, without a model: `reduce` must leave the fewest edges.
pub(super) struct Dags;

impl Machine for Dags {
    type State = Dag;
    const BUG: &str = "`dag`: `reduce` sees paths of two edges only";

    fn first() -> Self::State {
        Dag::new()
    }

    fn operations(version: Version) -> Vec<Operation<Self::State>> {
        let reduce: fn(&mut Dag) = version.of(Dag::reduce, reduce_triangles);
        vec![
            operation("add_node", [()], |dag: &mut Dag, ()| {
                if dag.len() < 4 {
                    dag.add_node();
                }
            }),
            operation("add_edge", pairs(4), |dag: &mut Dag, (from, to)| {
                if from.max(to) < dag.len() {
                    let closes_cycle = dag.reaches(to, from);
                    assert_eq!(dag.add_edge(from, to).is_err_and(|Cycle| true), closes_cycle);
                }
            }),
            operation("remove_edge", pairs(4), |dag: &mut Dag, (from, to)| {
                if from.max(to) < dag.len() {
                    assert_eq!(dag.has_edge(from, to), dag.remove_edge(from, to));
                }
            }),
            operation("reduce", [()], move |dag: &mut Dag, ()| {
                reduces_to_the_least(dag, reduce);
                reduce(dag);
            }),
        ]
    }

    fn check(dag: &Self::State) {
        assert!(dag.rep_ok());
    }
}

/// Programs have no operations of their own: they are built on a stack, and the optimiser must preserve the meaning of each.
pub(super) struct Programs;

impl Programs {
    /// Puts an expression that is made of the two topmost ones in their place.
    fn combine(stack: &mut Vec<Expr>, combined: impl FnOnce(Box<Expr>, Box<Expr>) -> Expr) {
        if let Some(at) = stack.len().checked_sub(2) {
            let mut parts = stack.drain(at..).map(Box::new).collect::<Vec<_>>().into_iter();
            if let (Some(one), Some(two)) = (parts.next(), parts.next()) {
                stack.push(combined(one, two));
            }
        }
    }
}

impl Machine for Programs {
    type State = Vec<Expr>;
    const BUG: &str = "`expression`: a constant in the wrong scope";

    fn first() -> Self::State {
        Vec::new()
    }

    fn operations(version: Version) -> Vec<Operation<Self::State>> {
        type Stack = Vec<Expr>;
        let optimise: fn(Program) -> Program = version.of(Program::optimised, optimised_without_scopes);
        let optimised = move |stack: &mut Stack| {
            let program = stack.last().map(|body| Program { body: Box::new(body.clone()) });
            if let Some(program) = program.filter(Program::rep_ok) {
                means_the_same(&program, optimise);
            }
        };
        vec![
            operation("int", 0..=1, |stack: &mut Stack, n| stack.push(Expr::Int(n))),
            operation("input", [()], |stack: &mut Stack, ()| stack.push(Expr::Input)),
            operation("var", ['x', 'y'], |stack: &mut Stack, name| stack.push(Expr::Var(name))),
            operation("add", [()], move |stack: &mut Stack, ()| {
                Self::combine(stack, Expr::Add);
                optimised(stack);
            }),
            operation("bind", ['x', 'y'], move |stack: &mut Stack, name| {
                Self::combine(stack, |value, body| Expr::Let { name, value, body });
                optimised(stack);
            }),
        ]
    }

    fn check(_: &Self::State) {}
}
