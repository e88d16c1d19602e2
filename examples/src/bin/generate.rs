//! Generates every valid value of one of the example structures, and prints their number, the time, and drawings of the
//! first ones.

use std::env;
use std::fmt;
use std::hint::black_box;
use std::process::ExitCode;

use korat::{Finitize, Order, Pruning, RepOk, Report, Search};
use korat_examples::avl_tree::AvlTree;
use korat_examples::b_tree::BTree;
use korat_examples::binary_tree::BinaryTree;
use korat_examples::dag::Dag;
use korat_examples::deque::Deque;
use korat_examples::expression::Program;
use korat_examples::heap_array::HeapArray;
use korat_examples::linked_list::LinkedList;
use korat_examples::lru_cache::LruCache;
use korat_examples::nary_tree::NaryTree;
use korat_examples::piece_table::PieceTable;
use korat_examples::red_black_arena;
use korat_examples::red_black_tree::RedBlackTree;
use korat_examples::ring_buffer::Ring;
use korat_examples::search_tree::SearchTree;
use korat_examples::skip_list::SkipList;
use korat_examples::slab::Slab;
use korat_examples::sorted_list::SortedList;
use korat_examples::trie::Trie;
use korat_examples::union_find::UnionFind;

/// A structure that the program can generate: its name on the command line, its default scope, and how to run it.
struct Subject {
    name: &'static str,
    default_scope: usize,
    run: fn(&Request) -> Outcome,
}

const SUBJECTS: &[Subject] = &[
    Subject { name: "search-tree", default_scope: 6, run: run::<SearchTree> },
    Subject { name: "binary-tree", default_scope: 9, run: run::<BinaryTree> },
    Subject { name: "avl-tree", default_scope: 7, run: run::<AvlTree> },
    Subject { name: "red-black-tree", default_scope: 7, run: run::<RedBlackTree> },
    Subject { name: "nary-tree", default_scope: 6, run: run::<NaryTree> },
    Subject { name: "sorted-list", default_scope: 12, run: run::<SortedList> },
    Subject { name: "heap-array", default_scope: 6, run: run::<HeapArray> },
    Subject { name: "b-tree", default_scope: 5, run: run::<BTree> },
    Subject { name: "dag", default_scope: 4, run: run::<Dag> },
    Subject { name: "deque", default_scope: 6, run: run::<Deque> },
    Subject { name: "expression", default_scope: 5, run: run::<Program> },
    Subject { name: "linked-list", default_scope: 5, run: run::<LinkedList> },
    Subject { name: "lru-cache", default_scope: 3, run: run::<LruCache> },
    Subject { name: "piece-table", default_scope: 3, run: run::<PieceTable> },
    Subject { name: "red-black-arena", default_scope: 6, run: run::<red_black_arena::RedBlackTree> },
    Subject { name: "ring-buffer", default_scope: 4, run: run::<Ring<u8, 4>> },
    Subject { name: "skip-list", default_scope: 4, run: run::<SkipList> },
    Subject { name: "slab", default_scope: 4, run: run::<Slab<u8>> },
    Subject { name: "trie", default_scope: 3, run: run::<Trie> },
    Subject { name: "union-find", default_scope: 5, run: run::<UnionFind> },
];

/// The largest scope. A larger one would lay out more objects than anyone would wait for.
const LARGEST_SCOPE: usize = 1_000;

/// The parsed command line.
struct Request {
    subject: &'static Subject,
    scope: usize,
    pruning: Pruning,
    /// The number of values to draw.
    draw: usize,
    /// Stop after this many values.
    limit: Option<u64>,
}

/// The result of a run.
struct Outcome {
    report: Report,
    drawings: Vec<String>,
}

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    if args.iter().any(|arg| arg == "--help" || arg == "-h") {
        println!("{}", usage());
        return ExitCode::SUCCESS;
    }
    match parse(&args) {
        Ok(request) => {
            let outcome = (request.subject.run)(&request);
            print!("{}", Summary { request: &request, outcome: &outcome });
            ExitCode::SUCCESS
        }
        Err(mistake) => {
            eprintln!("error: {mistake}\n\n{}", usage());
            ExitCode::from(2)
        }
    }
}

fn usage() -> String {
    let names: Vec<&str> = SUBJECTS.iter().map(|subject| subject.name).collect();
    format!(
        "usage: generate [structure] [scope] [--classic] [--draw N] [--limit N]\n\n\
         structure  one of {}; default {}\n\
         scope      how large: the number of nodes or cells, 0 to {LARGEST_SCOPE}; the default depends on the structure\n\
         --classic  try aliases that ownership excludes, as the literature does: more candidates, the same values\n\
         --draw N   draw the first N values; default 3\n\
         --limit N  stop after N values",
        names.join(", "),
        SUBJECTS[0].name
    )
}

fn parse(args: &[String]) -> Result<Request, String> {
    let (mut words, mut pruning, mut draw, mut limit) = (Vec::new(), Pruning::Ownership, 3, None);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--classic" => pruning = Pruning::Classic,
            "--draw" => draw = number("--draw", args.next())?,
            "--limit" => limit = Some(number("--limit", args.next())?),
            flag if flag.starts_with('-') => return Err(format!("unknown option `{flag}`")),
            word => words.push(word),
        }
    }
    let mut words = words.into_iter();
    let subject = match words.next() {
        None => &SUBJECTS[0],
        Some(name) => {
            let known = SUBJECTS.iter().find(|subject| subject.name == name);
            known.ok_or_else(|| format!("unknown structure `{name}`"))?
        }
    };
    let scope = match words.next() {
        None => subject.default_scope,
        Some(text) => match text.parse() {
            Ok(scope) if scope <= LARGEST_SCOPE => scope,
            _ => return Err(format!("the scope is a number from 0 to {LARGEST_SCOPE}, not `{text}`")),
        },
    };
    match words.next() {
        None => Ok(Request { subject, scope, pruning, draw, limit }),
        Some(word) => Err(format!("`{word}` is one argument too many")),
    }
}

fn number<N: std::str::FromStr>(option: &str, text: Option<&String>) -> Result<N, String> {
    let text = text.ok_or_else(|| format!("`{option}` needs a number after it"))?;
    text.parse().map_err(|_| format!("`{option}` needs a number after it, not `{text}`"))
}

fn run<T: Finitize + RepOk + fmt::Debug>(request: &Request) -> Outcome {
    // In one pass: for many subjects a scope means exactly one size, and searching for smaller values first would never
    // end at scope 100.
    let search = || Search::new(T::scope(request.scope)).pruning(request.pruning).order(Order::AsFound);
    let drawn =
        request.limit.map_or(request.draw, |limit| request.draw.min(usize::try_from(limit).unwrap_or(usize::MAX)));
    let drawings = search().draw(drawn);
    let counted = match request.limit {
        Some(limit) => search().limit(limit),
        None => search(),
    };
    let report = counted.for_each(|value| drop(black_box(value)));
    Outcome { report, drawings }
}

/// Prints an outcome.
struct Summary<'r> {
    request: &'r Request,
    outcome: &'r Outcome,
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { request, outcome: Outcome { report, drawings } } = self;
        let end =
            if report.is_complete() { "every valid value" } else { "stopped at the limit, NOT every valid value" };
        let seconds = report.elapsed.as_secs_f64();
        writeln!(f, "{} at scope {}: {end}", request.subject.name, request.scope)?;
        writeln!(f, "  explored     {:>14} candidates", grouped(report.explored))?;
        writeln!(f, "  valid        {:>14} values", grouped(report.valid))?;
        writeln!(f, "  field inits  {:>14}", grouped(report.field_inits))?;
        writeln!(f, "  time         {:>14} ms", format!("{:.1}", seconds * 1e3))?;
        writeln!(f, "  speed        {:>14} values per second", grouped((report.valid as f64 / seconds) as u64))?;
        writeln!(f, "               {:>14} candidates per second", grouped((report.explored as f64 / seconds) as u64))?;
        for (place, drawing) in drawings.iter().enumerate() {
            write!(f, "\n#{}\n{drawing}", place + 1)?;
        }
        Ok(())
    }
}

/// Formats `1234567` as `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap_or("")).collect();
    groups.join(",")
}
