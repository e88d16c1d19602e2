//! Choices in properties.

use std::cell::RefCell;
use std::collections::BTreeSet;

use korat::{Error, Finitize, Search, rep_ok};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Finitize)]
struct Interval {
    low: u8,
    high: u8,
}

#[rep_ok]
impl Interval {
    fn rep_ok(&self) -> bool {
        self.low <= self.high
    }
}

/// Chooses a number in the interval, and a flag unless the number is the first.
fn chosen(interval: &Interval) -> (u8, Option<bool>) {
    let number = korat::choose(interval.low..=interval.high);
    (number, (number > interval.low).then(|| korat::choose([false, true])))
}

#[test]
fn every_answer_is_tried_on_every_value() {
    let seen = RefCell::new(Vec::new());
    let report = korat::for_each_valid(Interval::scope(3), |interval| {
        let (number, flag) = chosen(&interval);
        seen.borrow_mut().push((interval, number, flag));
    });
    let mut expected = BTreeSet::new();
    for low in 0..=3 {
        for high in low..=3 {
            let interval = Interval { low, high };
            expected.insert((interval, low, None));
            expected.extend((low + 1..=high).flat_map(|n| [false, true].map(|flag| (interval, n, Some(flag)))));
        }
    }
    let seen = seen.into_inner();
    assert_eq!((seen.len(), report.valid), (expected.len(), 10));
    assert_eq!(seen.into_iter().collect::<BTreeSet<_>>(), expected);
}

fn property(interval: Interval) -> bool {
    chosen(&interval) != (2, Some(true))
}

#[test]
fn a_failure_has_its_answers() {
    let search = || Search::new(Interval::scope(3)).regressions(false);
    let Err(Error::Property(failed)) = search().try_for_each(property) else { panic!("the property holds") };
    let failure = &failed.failures[0];
    assert_eq!(
        (&*failure.replay, &failure.choices[..]),
        ("Interval:3:0.2?2.1", &["2".to_string(), "true".to_string()][..])
    );
    assert!(failed.to_string().contains("\n  choosing 2, true\n"), "{failed}");
    assert!(failed.to_string().contains(".replay(\"Interval:3:0.2?2.1\", property)"), "{failed}");

    let runs = RefCell::new(0);
    let replayed = |line: &str| {
        *runs.borrow_mut() = 0;
        let replay = || {
            search().replay(line, |interval: Interval| {
                *runs.borrow_mut() += 1;
                property(interval)
            })
        };
        let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(replay)).is_err();
        (failed, *runs.borrow())
    };
    assert_eq!(replayed("Interval:3:0.2?2.1"), (true, 1));
    assert_eq!(replayed("Interval:3:0.2?2.0"), (false, 1));
    // Without answers, and with answers to other questions, all are tried.
    assert_eq!(replayed("Interval:3:0.2"), (true, 5));
    assert_eq!(replayed("Interval:3:0.2?7.1"), (true, 6));
    assert_eq!(replayed("Interval:3:0.2?0.1"), (true, 6));
    assert_eq!(replayed("Interval:3:0.1?1.1.1"), (false, 4));
}

#[test]
fn samples_shrink_with_their_answers() {
    let search = Search::new(Interval::scope(9)).sample(200).seed(3).regressions(false);
    let Err(Error::Property(failed)) = search.try_for_each(|interval| {
        let number = korat::choose(interval.low..=interval.high);
        number != 5
    }) else {
        panic!("the property holds")
    };
    let choices = &failed.failures[0].choices;
    assert_eq!(choices, &["5".to_string()], "{failed}");
    assert!(failed.failures[0].replay.contains('?'), "{failed}");
}

#[test]
#[should_panic(expected = "`choose` is called outside of an exploration or a property")]
fn a_choice_needs_somebody_who_tries_the_answers() {
    korat::valid(Interval::scope(1)).for_each(|_| _ = korat::choose([1, 2]));
}
