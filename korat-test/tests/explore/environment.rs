//! Settings of the environment, each in a process of its own.

use korat::{Explore, Finitize, rep_ok};

use crate::rerun;

/// The variable that makes a test do what it is run again for.
const WITHIN: &str = "KORAT_TEST_WITHIN";

fn is_within() -> bool {
    std::env::var_os(WITHIN).is_some()
}

/// Returns what a test prints in an environment with this setting.
fn printed(test: &str, variable: &str, value: &str) -> String {
    rerun::printed(rerun::command(module_path!(), test).env(WITHIN, "yes").env(variable, value))
}

#[test]
fn the_depth_of_the_environment_takes_precedence() {
    if is_within() {
        let report = Explore::from(0_u8).operation("add", [1, 10], |sum, add| *sum += add).depth(1).run();
        return eprintln!("found {}", report.found);
    }
    let printed = printed("the_depth_of_the_environment_takes_precedence", "KORAT_DEPTH", "3");
    assert!(printed.contains("found 10\n"), "{printed}");
}

#[derive(Debug, Default, Finitize)]
struct Stack {
    #[finitize(0..=1)]
    items: Vec<u8>,
}

#[rep_ok]
impl Stack {
    fn rep_ok(&self) -> bool {
        self.items.len() <= 2
    }
}

/// Compares stacks of up to two items with those of the bounds.
fn compare() {
    let compared = std::panic::catch_unwind(|| {
        let explore = Explore::from(Stack::default()).operation("push", 0..=1, |stack, item| {
            if stack.items.len() < 2 {
                stack.items.push(item);
            }
        });
        let compared = explore.compare(Stack::scope(3));
        compared.expect_same();
        compared.valid
    });
    match compared {
        Ok(valid) => eprintln!("same, {valid} valid"),
        Err(_) => eprintln!("not compared"),
    }
}

#[test]
fn a_comparison_needs_every_valid_value() {
    if is_within() {
        return compare();
    }
    let printed = |variable, value| printed("a_comparison_needs_every_valid_value", variable, value);
    let same = printed("KORAT_VERBOSE", "0");
    assert!(same.contains("same, 7 valid"), "{same}");
    // What lies beyond the bounds is said, not taken for unreachable.
    let smaller = printed("KORAT_SCOPE", "1");
    assert!(
        smaller.contains("not compared") && smaller.contains("4 states reached and valid, but beyond"),
        "{smaller}"
    );
    for (variable, value) in [("KORAT_SAMPLE", "2"), ("KORAT_LIMIT", "7"), ("KORAT_DEPTH", "1")] {
        let refused = printed(variable, value);
        assert!(refused.contains("not compared") && refused.contains("a comparison needs every"), "{refused}");
    }
}
