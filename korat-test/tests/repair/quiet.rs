//! A `rep_ok` that panics has rejected what it was run on. That is told once, by what a repair returns, and not printed.

use std::panic::{set_hook, take_hook};
use std::sync::atomic::{AtomicUsize, Ordering};

use korat::{Finitize, Interruption, rep_ok};

use crate::rerun;

#[derive(Debug, PartialEq, Finitize)]
struct Parts {
    parts: Vec<u32>,
    sum: u32,
}

#[rep_ok]
impl Parts {
    fn rep_ok(&self) -> bool {
        let mut sum = 0;
        for &part in &self.parts {
            assert!(part <= 100, "a part is {part} percent");
            sum += part;
        }
        assert!(sum <= 2 * self.sum, "{sum} is far more than {}", self.sum);
        sum == self.sum
    }
}

#[test]
fn nothing_is_printed() {
    // The panic hook belongs to the whole process, so the test runs itself again, alone in one.
    const ALONE: &str = "RUNS_ALONE";
    if std::env::var_os(ALONE).is_none() {
        rerun::printed(rerun::command(module_path!(), "nothing_is_printed").env(ALONE, "1"));
        return;
    }
    static PRINTED: AtomicUsize = AtomicUsize::new(0);
    let before = take_hook();
    set_hook(Box::new(move |panic| {
        PRINTED.fetch_add(1, Ordering::Relaxed);
        before(panic);
    }));
    for len in [3, 500] {
        // One that panics on the value itself, and one that panics only on what is tried.
        for (at, wrong) in [(1, 101), (2, 99)] {
            let mut parts = Parts { parts: vec![7; len], sum: 7 * len as u32 };
            parts.parts[at] = wrong;
            let repaired = korat::repair(&mut parts).expect("a part is wrong");
            assert!(parts.rep_ok(), "{repaired}");
            let rejection = repaired.rejection.as_ref().expect("it was rejected");
            let panic = (wrong > 100).then(|| Interruption::Panic("a part is 101 percent".to_string()));
            if len > 3 {
                assert_eq!(rejection.interruption, panic);
            }
        }
    }
    assert_eq!(PRINTED.load(Ordering::Relaxed), 0);
    // What nobody catches is printed.
    let uncaught = std::panic::catch_unwind(|| Parts { parts: vec![101], sum: 101 }.rep_ok());
    assert!(uncaught.is_err());
    assert_eq!(PRINTED.load(Ordering::Relaxed), 1);
}
