//! Measures explorations in one run, checking every count: executions a second and memory for each state, against stateright on the
//! same operations, with the state as a plain value that is cloned; beside them, the times that were reported in 2007. Then one thread
//! against two.
//!
//! `cargo bench -p korat-examples --bench explore` takes a minute. Without `--bench`, as under `cargo test --benches`, small sizes
//! run once. With `-- --large`, ten million states are explored within two gibibytes.

#[path = "explored/counting.rs"]
mod counting;
#[path = "explored/subjects.rs"]
mod subjects;
#[allow(dead_code, reason = "other benchmarks use more of it")]
mod turns;

use std::env;
use std::fmt::Debug;
use std::hash::Hash;
use std::time::{Duration, Instant};

use counting::peak_of;
use korat::{Explore, ExploreReport};
use korat_core::__private::Field;
use stateright::{Checker, Model, Property};
use subjects::Subject;
use turns::{Turns, in_turns};

/// What states must be for both: korat needs neither `Clone` nor `Hash`.
trait State: Field + Clone + Debug + Default + Hash + PartialEq + Send + Sync + 'static {}
impl<S: Field + Clone + Debug + Default + Hash + PartialEq + Send + Sync + 'static> State for S {}

fn main() {
    if env::args().any(|arg| arg == "--large") {
        return print_large();
    }
    let bench = env::args().any(|arg| arg == "--bench");
    println!("Every sequence of up to n operations; best of alternating turns; bytes of the peak for each state");
    println!(
        "{:11} {:>2} {:>8} {:>11} | {:>8} {:>11} {:>6} | {:>10} {:>6} | {:>5} {:>5}  {:14} | {:>7}",
        "", "", "", "", "korat", "", "", "stateright", "", "ratio", "", "", "2007"
    );
    println!(
        "{:11} {:>2} {:>8} {:>11} | {:>8} {:>11} {:>6} | {:>10} {:>6} | {:>5} {:>5}  {:14} | {:>7}",
        "subject", "n", "found", "executions", "s", "a second", "bytes", "s", "bytes", "time", "bytes", "required", "s"
    );
    let n = |large: u8, small: u8| if bench { large } else { small };
    contest(&subjects::search_tree(n(10, 5)), bench);
    contest(&subjects::stack(n(7, 5)), bench);
    contest(&subjects::queue(n(7, 5)), bench);
    contest(&subjects::deque(n(9, 5)), bench);
    println!();
    println!("On one thread and on two; s, best of alternating turns, and the ratio");
    print_threads(&subjects::search_tree(n(10, 5)), bench);
    print_threads(&subjects::stack(n(7, 5)), bench);
    print_threads(&subjects::queue(n(7, 5)), bench);
    print_threads(&subjects::deque(n(9, 5)), bench);
}

/// Prints the row of a subject.
fn contest<S: State>(subject: &Subject<S>, bench: bool) {
    let turns = if bench { Turns::FOR_A_ROW } else { Turns::ONE };
    let (mut korat, mut stateright) = (|| timed(|| by_korat(subject)), || timed(|| by_stateright(subject)));
    let times = in_turns(turns, &mut [&mut korat, &mut stateright]);
    let [korat, stateright] = [0, 1].map(|at| times[at].best.as_secs_f64());
    let bytes = |run: &dyn Fn()| peak_of(run) as f64 / subject.found as f64;
    let (korat_bytes, stateright_bytes) = (bytes(&|| by_korat(subject)), bytes(&|| by_stateright(subject)));
    let (time, memory) = (korat / stateright, korat_bytes / stateright_bytes);
    let verdict = if time <= 1.0 && memory <= 1.0 { "ok" } else { "NOT" };
    let rate = subject.executions as f64 / korat;
    println!(
        "{:11} {:>2} {:>8} {:>11} | {korat:>8.3} {rate:>11.0} {korat_bytes:>6.1} | {stateright:>10.3} \
         {stateright_bytes:>6.1} | {time:>5.2} {memory:>5.2}  {verdict:3} both <= 1 | {:>7.2}",
        subject.name, subject.n, subject.found, subject.executions, subject.reported
    );
}

fn timed(run: impl FnOnce()) -> Duration {
    let started = Instant::now();
    run();
    started.elapsed()
}

fn by_korat<S: State>(subject: &Subject<S>) {
    let report = explored(subject);
    assert_eq!((report.found, report.executions), (subject.found, subject.executions), "{}", subject.name);
}

fn explored<S: State>(subject: &Subject<S>) -> ExploreReport {
    exploration(subject).run()
}

fn exploration<S: State>(subject: &Subject<S>) -> Explore<S> {
    let exploration = Explore::from(S::default());
    let add = |all: Explore<S>, (name, arguments, run): subjects::Operation<S>| all.operation(name, 1..=arguments, run);
    subject.operations.into_iter().fold(exploration, add).depth(subject.n.into())
}

/// Prints how much faster two threads are than one.
fn print_threads<S: State>(subject: &Subject<S>, bench: bool) {
    let turns = if bench { Turns::FOR_A_ROW } else { Turns::ONE };
    let on_threads = |threads| {
        timed(|| {
            let report = Explore::par_run(|| exploration(subject).threads(threads));
            assert_eq!((report.found, report.executions), (subject.found, subject.executions), "{}", subject.name);
        })
    };
    let times = in_turns(turns, &mut [&mut || on_threads(1), &mut || on_threads(2)]);
    let [one, two] = [0, 1].map(|at| times[at].best.as_secs_f64());
    let verdict = if one >= 1.8 * two { "ok" } else { "NOT" };
    println!("{:11} {:>2} | {one:>8.3} {two:>8.3} | {:>5.2}  {verdict:3} >= 1.8", subject.name, subject.n, one / two);
}

/// The operations of a subject as a model.
struct Operations<S> {
    operations: [subjects::Operation<S>; 2],
}

impl<S: State> Model for Operations<S> {
    type State = S;
    /// The operation and the argument.
    type Action = (u8, u8);

    fn init_states(&self) -> Vec<S> {
        vec![S::default()]
    }

    fn actions(&self, _: &S, actions: &mut Vec<(u8, u8)>) {
        for (at, (_, arguments, _)) in self.operations.iter().enumerate() {
            actions.extend((1..=*arguments).map(|argument| (at as u8, argument)));
        }
    }

    fn next_state(&self, state: &S, (at, argument): (u8, u8)) -> Option<S> {
        let mut state = state.clone();
        (self.operations[usize::from(at)].2)(&mut state, argument);
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        // Without one that may fail, nothing is explored.
        vec![Property::always("nothing is checked", |_, _| true)]
    }
}

fn by_stateright<S: State>(subject: &Subject<S>) {
    // It counts the states of a sequence, not the operations.
    let depth = usize::from(subject.n) + 1;
    let model = Operations { operations: subject.operations };
    let checker = model.checker().threads(1).target_max_depth(depth).spawn_bfs().join();
    let executions = checker.state_count() as u64 - 1;
    assert_eq!(
        (checker.unique_state_count() as u64, executions),
        (subject.found, subject.executions),
        "{}",
        subject.name
    );
}

/// The most memory that ten million states may take.
const GIBIBYTES_2: usize = 2 << 30;

/// Explores ten million states.
fn print_large() {
    let subject = subjects::deque(10);
    let (mut elapsed, mut text) = (Duration::ZERO, String::new());
    let peak = peak_of(|| {
        elapsed = timed(|| {
            let report = explored(&subject);
            assert_eq!((report.found, report.executions), (subject.found, subject.executions));
            text = report.to_string();
        });
    });
    println!("deque 10: {text}");
    println!("    {:.1} s, {} MiB at most, required < 2048", elapsed.as_secs_f64(), peak >> 20);
    assert!(peak < GIBIBYTES_2);
}
