//! Measures summaries in one run, checking every count: how much is run for each value of the literature's subjects, exact counts of
//! large scopes, samples, enumeration against a hand-written program that makes valid values only, and what a search loses that
//! gains nothing.
//!
//! `cargo bench -p korat-examples --bench summaries` takes a few minutes. Without `--bench`, as under `cargo test --benches`, small
//! scopes run once.

#[path = "by_hand/ordered.rs"]
mod ordered;
mod turns;

use std::env;
use std::fmt::Debug;
use std::hint::black_box;
use std::time::{Duration, Instant};

use korat::{Finitize, RepOk, Report, Search, Summaries};
use korat_examples::natural::avl_tree::AvlTree;
use korat_examples::natural::binary_tree::BinaryTree;
use korat_examples::natural::red_black_tree::RedBlackTree;
use korat_examples::natural::search_tree::SearchTree;
use korat_examples::natural::shared_red_black_tree::SharedRedBlackTree;
use korat_examples::natural::sorted_list::SortedList;
use korat_examples::{heap_array, union_find};
use turns::{Turns, in_turns};

fn main() {
    let bench = env::args().any(|arg| arg == "--bench");
    print_efforts(bench);
    println!();
    print_counts(bench);
    println!();
    print_sample(bench);
    println!();
    print_enumeration(bench);
    println!();
    print_losses(bench);
}

/// Prints candidates and runs for each value of one size, beside the candidates of the original Korat.
fn print_efforts(bench: bool) {
    println!("Candidates and runs of parts for each value of one size; reported: candidates of Korat");
    println!(
        "{:24} {:>3} {:>9} {:>10} {:>10} {:>10}  required",
        "subject", "n", "values", "in all", "each", "reported"
    );
    let row = |subject: &str, report: Report, reported: f64| {
        // Those that were made in vain are not among the explored ones.
        let vain = report.summaries.as_ref().filter(|summaries| summaries.why_not.is_some());
        let all = report.explored + vain.map_or(0, |summaries| summaries.effort.runs);
        let each = all as f64 / report.valid as f64;
        let verdict = if each <= 10.0 { "ok" } else { "NOT" };
        println!(
            "{subject:24} {:>3} {:>9} {all:>10} {each:>10.1} {reported:>10.0}  {verdict} <= 10",
            report.scope, report.valid
        );
    };
    let n = |large: usize, small: usize| if bench { large } else { small };
    row("binary tree", of_one_size::<BinaryTree>(n(12, 5)), 59.0);
    row("AVL tree", of_one_size::<AvlTree>(n(10, 5)), 3_086.0);
    row("red-black tree", of_one_size::<RedBlackTree>(n(9, 5)), 1_690.0);
    row("red-black tree, parents", summarised::<SharedRedBlackTree>(n(9, 5)), 1_690.0);
    row("search tree", of_one_size::<SearchTree>(n(9, 5)), 916.0);
    row("sorted list", of_one_size::<SortedList>(n(15, 5)), 61_433.0);
}

fn of_one_size<T: Finitize + RepOk + Debug>(scope: usize) -> Report {
    Search::new(T::scope(scope)).exact().for_each(|_| {})
}

/// Summarises however many runs it takes. A search for a single size begins with at most 20,000 of them, and then tries candidates.
fn summarised<T: Finitize + RepOk + Debug>(scope: usize) -> Report {
    Search::new(T::scope(scope)).exact().summaries(Summaries::Always).for_each(|_| {})
}

/// Prints how long exact counts take.
fn print_counts(bench: bool) {
    println!("Exact counts");
    println!("{:16} {:>3} {:>34} {:>9}  required", "subject", "n", "values", "ms");
    count::<SearchTree>("search tree", 8, "46960");
    count::<AvlTree>("AVL tree", 8, "2662");
    count::<RedBlackTree>("red-black tree", 8, "4798");
    if bench {
        count::<SearchTree>("search tree", 30, "20638459510168675769");
        count::<SearchTree>("search tree", 50, "944123586287806638151691973013431");
        count::<AvlTree>("AVL tree", 30, "13089505031677");
        count::<AvlTree>("AVL tree", 50, "14940494409425945937619");
        count::<RedBlackTree>("red-black tree", 30, "141502481376300");
        count::<RedBlackTree>("red-black tree", 50, "673571193538932392894512");
    }
}

fn count<T: Finitize + RepOk>(subject: &str, scope: usize, expected: &str) {
    let started = Instant::now();
    let values = Search::new(T::scope(scope)).count().to_string();
    let elapsed = started.elapsed();
    assert_eq!(values, expected, "{subject} {scope}");
    println!("{subject:16} {scope:>3} {values:>34} {:>9.1}  {}", milliseconds(elapsed), verdict(elapsed, 1));
}

fn verdict(elapsed: Duration, seconds: u64) -> String {
    let met = if elapsed <= Duration::from_secs(seconds) { "ok" } else { "NOT" };
    format!("{met} <= {seconds} s")
}

/// Prints how long a sample takes, tables included.
fn print_sample(bench: bool) {
    let (scope, drawn) = if bench { (50, 10_000) } else { (8, 100) };
    let started = Instant::now();
    let mut seen = 0_u64;
    let search = Search::new(RedBlackTree::scope(scope)).exact().sample(drawn);
    let report = search.for_each(|tree| seen += u64::from(black_box(tree).root.is_some()));
    let elapsed = started.elapsed();
    assert_eq!((seen, report.valid), (drawn, drawn));
    println!("{drawn} red-black trees of {scope} nodes, drawn uniformly");
    println!("    {:.1} ms  {}", milliseconds(elapsed), verdict(elapsed, 2));
}

/// Prints how long it takes to build all search trees of one size, each anew or patched into the next.
fn print_enumeration(bench: bool) {
    let (nodes, values) = if bench { (9, 48_620) } else { (5, 252) };
    let turns = if bench { Turns::FOR_A_CONTEST } else { Turns::ONE };
    let search = |summaries: Summaries| Search::new(SearchTree::scope(nodes)).exact().summaries(summaries);
    let timed = |run: &dyn Fn(&mut u64)| {
        let (started, mut seen) = (Instant::now(), 0);
        run(&mut seen);
        assert_eq!(seen, values);
        started.elapsed()
    };
    let see = |seen: &mut u64, tree: &SearchTree| {
        black_box(tree);
        *seen += 1;
    };
    let mut by_ref = || {
        timed(&|seen| {
            search(Summaries::Always).for_each_ref(|tree| see(seen, tree));
        })
    };
    let mut owned = || {
        timed(&|seen| {
            search(Summaries::Always).for_each(|tree| see(seen, &tree));
        })
    };
    let mut searched = || {
        timed(&|seen| {
            search(Summaries::Never).for_each(|tree| see(seen, &tree));
        })
    };
    let mut by_hand = || timed(&|seen| ordered::search_trees(nodes, |tree| see(seen, &tree)));
    let times = in_turns(turns, &mut [&mut by_ref, &mut owned, &mut searched, &mut by_hand]);
    println!("All {values} search trees of {nodes} nodes, built; ms, best and median of {} turns", times[0].turns);
    let ways = ["from summaries, patched", "from summaries, owned", "by search, owned", "by hand over exhaustigen"];
    for (way, times) in ways.into_iter().zip(&times) {
        println!("    {way:24} {:>9.2} {:>9.2}", milliseconds(times.best), milliseconds(times.median));
    }
    let ratio = times[0].best.as_secs_f64() / times[3].best.as_secs_f64();
    println!("    from summaries, patched / by hand {ratio:.2}, required <= 1");
}

/// Prints how much longer searches take that try summaries in vain.
fn print_losses(bench: bool) {
    println!("Searches that gain nothing; summaries tried against never, the best of alternating turns");
    let n = |large: usize, small: usize| if bench { large } else { small };
    loss::<heap_array::HeapArray>("heap array", n(7, 4), bench);
    loss::<union_find::UnionFind>("union-find", n(6, 3), bench);
}

fn loss<T: Finitize + RepOk>(subject: &str, scope: usize, bench: bool) {
    let turns = if bench { Turns::FOR_A_ROW } else { Turns::ONE };
    let run = |summaries: Summaries| {
        let report = Search::new(T::scope(scope)).summaries(summaries).report();
        (report.valid, report.elapsed)
    };
    assert_eq!(run(Summaries::Auto).0, run(Summaries::Never).0);
    let times = in_turns(turns, &mut [&mut || run(Summaries::Auto).1, &mut || run(Summaries::Never).1]);
    let ratio = times[0].best.as_secs_f64() / times[1].best.as_secs_f64();
    println!("    {subject:24} {scope:>2} {:>10.2} ms  {ratio:.3}, required <= 1.05", milliseconds(times[0].best));
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
