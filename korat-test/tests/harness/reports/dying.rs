//! Properties that end the process: there is no report then, and the next run says on which value it was.

use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use korat::Finitize;

use super::child::{Child, Said};
use super::scenarios::SortedList;

const NOTES: &str = "korat-crash-notes";

/// Runs a property that ends the process on lists of two, unless the test runs it mended.
fn dies(how: impl Fn()) {
    korat::for_each_valid(SortedList::scope(3), |list| {
        if list.len() == 2 && std::env::var_os("MENDED").is_none() {
            how();
        }
    });
}

#[test]
#[ignore = "dies on purpose"]
fn aborting() {
    dies(|| std::process::abort());
}

#[test]
#[ignore = "dies on purpose"]
fn overflowing() {
    fn deep(depth: u64) -> u64 {
        let frame = black_box([depth; 64]);
        if frame[0] == u64::MAX { 0 } else { deep(frame[0] + 1) + black_box(frame)[1] }
    }
    dies(|| {
        black_box(deep(0));
    });
}

#[test]
#[ignore = "dies on purpose"]
fn dereferencing_null() {
    dies(|| {
        let null: *const u8 = black_box(std::ptr::null());
        // SAFETY: there is none; that is what the test is about.
        black_box(unsafe { null.read_volatile() });
    });
}

#[test]
#[ignore = "dies on purpose"]
fn dereferencing_anything() {
    dies(|| {
        let wild: *const u8 = black_box(std::ptr::without_provenance(8));
        // SAFETY: there is none; that is what the test is about.
        black_box(unsafe { wild.read_volatile() });
    });
}

#[test]
#[ignore = "dies on purpose"]
fn panicking_in_a_destructor() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("the second one");
        }
    }
    dies(|| {
        let _bomb = Bomb;
        panic!("the first one");
    });
}

#[test]
#[ignore = "dies on purpose"]
fn exiting() {
    dies(|| std::process::exit(1));
}

#[tokio::test]
#[ignore = "dies on purpose"]
async fn aborting_later() {
    korat::for_each_valid_async(SortedList::scope(3), async |list| {
        tokio::task::yield_now().await;
        if list.len() == 2 && std::env::var_os("MENDED").is_none() {
            std::process::abort();
        }
    })
    .await;
}

/// Panics that are caught inside the property are none of it.
#[test]
#[ignore = "run by others"]
fn catching() {
    korat::for_each_valid(SortedList::scope(3), |list| {
        for _ in 0..3 {
            assert!(std::panic::catch_unwind(|| panic!("caught")).is_err());
        }
        list.len() < 4
    });
}

#[test]
#[ignore = "run by others"]
fn lingering() {
    korat::for_each_valid(SortedList::scope(1), |list| {
        if list.len() == 0 && std::env::var_os("LINGERS").is_some() {
            std::thread::sleep(Duration::from_millis(800));
        }
    });
}

static PAIRED: AtomicUsize = AtomicUsize::new(0);

/// Waits for the other of two tests.
fn pair() {
    PAIRED.fetch_add(1, Ordering::SeqCst);
    while PAIRED.load(Ordering::SeqCst) < 2 {
        std::thread::yield_now();
    }
}

#[test]
#[ignore = "dies on purpose"]
fn pair_that_dies() {
    dies(|| {
        pair();
        std::thread::sleep(Duration::from_millis(100));
        std::process::abort();
    });
}

#[test]
#[ignore = "dies on purpose"]
fn pair_that_lives() {
    korat::for_each_valid(SortedList::scope(3), |list| {
        if list.len() == 1 && std::env::var_os("MENDED").is_none() {
            pair();
            std::thread::sleep(Duration::from_secs(5));
        }
    });
}

/// A scenario whose program lies in a folder of its own, with its notes beside it.
fn alone(scenario: &str) -> Child {
    Child::of("dying", scenario).alone()
}

fn told(scenario: &str, replay: &str, drawing: &str) -> String {
    format!(
        "korat: the last run of reports::dying::{scenario} died while the property ran on this value:\n\n{drawing}\nreplay: \
         KORAT_REPLAY='{replay}' cargo test reports::dying::{scenario}"
    )
}

const DRAWING: &str = "SortedList\n`- head: Node { value: 0 }\n   `- next: Node { value: 1 }\n";
const REPLAY: &str = "SortedList:3:1.0.2.1.0";

fn died(child: &Child) -> Said {
    let said = child.run();
    assert!(!said.passed && child.file(NOTES).is_dir(), "{}", said.text);
    said
}

#[test]
fn the_next_run_says_on_which_value_the_last_one_died() {
    for scenario in [
        "aborting",
        "overflowing",
        "dereferencing_null",
        "dereferencing_anything",
        "panicking_in_a_destructor",
        "exiting",
        "aborting_later",
    ] {
        let child = alone(scenario);
        let first = died(&child);
        assert!(!first.text.contains("the last run"), "{scenario}: {}", first.text);
        // As long as nothing is mended, it dies and is told each time.
        let expected = told(scenario, REPLAY, DRAWING);
        let second = died(&child);
        assert!(second.text.starts_with(&expected), "{scenario}: {}", second.text);
        let child = child.env("MENDED", "1");
        let third = child.run();
        assert!(third.passed, "{scenario}: {}", third.text);
        assert_eq!(third.text, expected, "{scenario}");
        assert!(!child.file(NOTES).exists(), "{scenario}");
        let fourth = child.run();
        assert_eq!((fourth.passed, fourth.text.as_str()), (true, ""), "{scenario}");
    }
}

#[test]
fn the_replayed_value_is_the_one_that_it_died_on() {
    let child = alone("aborting").env("KORAT_REPLAY", REPLAY);
    died(&child);
    let another = alone("aborting").env("KORAT_REPLAY", "SortedList:3:1.0.0");
    assert!(another.run().passed);
}

#[test]
fn panics_that_end_the_process_are_printed() {
    for captured in [false, true] {
        let child = alone("panicking_in_a_destructor");
        let said = if captured { child.captured() } else { child }.run();
        assert!(!said.passed);
        let lines: Vec<&str> = said.text.lines().filter(|line| !line.is_empty()).collect();
        let [first, one, second, two, value, ..] = lines[..] else { panic!("{}", said.text) };
        let place =
            "thread 'reports::dying::panicking_in_a_destructor' panicked at korat-test/tests/harness/reports/dying.rs:";
        assert!(first.starts_with(place) && second.starts_with(place), "{}", said.text);
        assert_eq!((one, two), ("the first one", "the second one"));
        let expected = "korat: the property ends the process; it ran on structure #6 of SortedList at scope 3; the next run of \
                        reports::dying::panicking_in_a_destructor shows it, and how to replay it";
        assert_eq!(value, expected);
    }
}

#[test]
fn panics_that_a_property_catches_are_quiet() {
    let said = alone("catching").run();
    assert_eq!((said.passed, said.text.as_str()), (true, ""));
}

#[test]
fn nothing_is_left_of_runs_that_end() {
    for scenario in ["passing", "panicking", "returning_an_error", "limited"] {
        let child = Child::new(scenario).alone();
        child.run();
        assert!(!child.file(NOTES).exists(), "{scenario}");
    }
}

#[test]
fn nothing_is_noted_where_it_is_not_wanted() {
    let child = alone("aborting").env("KORAT_CRASH_NOTES", "0");
    assert!(!child.run().passed);
    assert!(!child.file(NOTES).exists());
}

#[test]
fn nothing_is_said_where_nothing_can_be_written() {
    let child = alone("aborting");
    // Where the folder should be is a file.
    std::fs::write(child.file(NOTES), "").unwrap();
    assert!(!child.run().passed);
    let mended = child.env("MENDED", "1").run();
    assert_eq!((mended.passed, mended.text.as_str()), (true, ""));
}

#[test]
fn notes_of_others_are_left_alone() {
    let child = alone("lingering");
    let (lingers, quick) = (child.clone().env("LINGERS", "1"), child.clone());
    std::thread::scope(|scope| {
        let lingers = scope.spawn(|| lingers.run());
        // Until its note is there.
        while !child.file(NOTES).exists() {
            std::thread::yield_now();
        }
        let said = quick.run();
        assert_eq!((said.passed, said.text.as_str()), (true, ""));
        let said = lingers.join().unwrap();
        assert_eq!((said.passed, said.text.as_str()), (true, ""));
    });
    assert!(!child.file(NOTES).exists());
    // What a test died on is told to that test.
    let dying = child.clone().instead("aborting");
    died(&dying);
    assert_eq!(quick.run().text, "");
    assert!(dying.env("MENDED", "1").run().text.starts_with("korat: the last run of reports::dying::aborting died"));
    assert!(!child.file(NOTES).exists());
}

#[test]
fn of_tests_that_died_together_each_is_told() {
    let child = alone("pair_that_dies").and("pair_that_lives");
    died(&child);
    let said = child.env("MENDED", "1").run();
    assert!(said.passed, "{}", said.text);
    for (scenario, value) in [("pair_that_dies", REPLAY), ("pair_that_lives", "SortedList:3:1.0.0")] {
        let told = |line: &&str| line.starts_with(&format!("korat: the last run of reports::dying::{scenario} died"));
        assert!(said.text.lines().any(|line| told(&line)), "{scenario}: {}", said.text);
        let replay = format!("replay: KORAT_REPLAY='{value}' cargo test reports::dying::{scenario}");
        assert!(said.text.lines().any(|line| line == replay), "{scenario}: {}", said.text);
    }
}
