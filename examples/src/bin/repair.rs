//! Breaks a large AVL tree and a large doubly linked list in many places, repairs them, and prints the faults, the
//! changes and the time.

use std::env;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use korat::{Finitize, Repair};
use korat_examples::repairable::avl_tree::AvlTree;
use korat_examples::repairable::doubly_linked_list::DoublyLinkedList;
use korat_examples::repairable::faults::{Faulty, corrupt_with, mixture};

/// The number of changes to show.
const SHOWN: usize = 10;

/// The parsed command line.
struct Request {
    /// The number of nodes of each structure.
    nodes: usize,
    /// The number of faults in each structure.
    faults: usize,
    /// Determines the faults and their positions.
    seed: u64,
}

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    if args.iter().any(|arg| arg == "--help" || arg == "-h") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let request = match parse(&args) {
        Ok(request) => request,
        Err(mistake) => {
            eprintln!("error: {mistake}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let repaired = [run::<AvlTree>("AVL tree", &request), run::<DoublyLinkedList>("doubly linked list", &request)];
    if repaired.contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

const USAGE: &str = "usage: repair [nodes] [faults] [seed]\n\n\
     nodes   the size of each structure; default 100000\n\
     faults  how many fields are wrong in each, in a tenth of the nodes at most; default 100\n\
     seed    decides which; default 1";

fn parse(args: &[String]) -> Result<Request, String> {
    let mut args = args.iter();
    let mut number = |name: &str, default: u64| match args.next() {
        None => Ok(default),
        Some(text) => text.parse().map_err(|_| format!("{name} is a number, not `{text}`")),
    };
    let (nodes, faults, seed) = (number("nodes", 100_000)?, number("faults", 100)?, number("seed", 1)?);
    if let Some(word) = args.next() {
        return Err(format!("`{word}` is one argument too many"));
    }
    if faults > nodes / 10 {
        return Err(format!("{faults} faults need at least {} nodes", faults.saturating_mul(10)));
    }
    let size = |number: u64| usize::try_from(number).map_err(|_| format!("{number} is too large"));
    Ok(Request { nodes: size(nodes)?, faults: size(faults)?, seed })
}

/// Builds, breaks and repairs one structure. Returns whether it is valid in the end.
fn run<T: Faulty + Finitize>(name: &str, request: &Request) -> bool {
    let Request { nodes, faults, seed } = *request;
    let mut value = T::build(nodes);
    let (valid, time) = timed(|| value.holds());
    println!("{name} of {nodes} nodes");
    println!("  built       rep_ok {valid}, in {}", milliseconds(time));

    corrupt_with(&mut value, &mixture::<T>(faults), seed);
    println!("  broken      rep_ok {}, {faults} wrong fields, {} nodes reached", value.holds(), value.reachable());

    // The default is a million tries; faults that hide each other may need more.
    let (outcome, time) = timed(|| Repair::new().max_tries(u64::MAX).repair(&mut value));
    match outcome {
        Ok(repaired) => {
            println!("  repaired    {} changes, in {}", repaired.changes.len(), milliseconds(time));
            for change in repaired.changes.iter().take(SHOWN) {
                println!("    {change}");
            }
            if let Some(more @ 1..) = repaired.changes.len().checked_sub(SHOWN) {
                println!("    .. and {more} more");
            }
        }
        Err(irreparable) => println!("  not repaired: {irreparable}"),
    }
    let valid = value.holds();
    println!("  afterwards  rep_ok {valid}, {} nodes reached\n", value.reachable());
    valid
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}
