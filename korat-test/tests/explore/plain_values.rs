//! Plain values in states are told apart exactly.

use std::collections::{BinaryHeap, HashMap, HashSet};

use korat::{Explore, ExploreReport, Finitize};

/// Explores a struct with one field, which is set to each value.
macro_rules! set_to {
    ($type:ty, $first:expr, $values:expr) => {{
        #[derive(Debug, Finitize)]
        struct Holder {
            #[finitize(values = [$first])]
            value: $type,
        }
        let report: ExploreReport = Explore::from(Holder { value: $first })
            .operation("set", $values, |holder, value| holder.value = value)
            .run();
        report.found
    }};
}

/// Its `==` leaves out a field.
#[derive(Clone, Debug)]
struct Coarse {
    id: u8,
    #[allow(dead_code, reason = "only its text is looked at")]
    note: u8,
}

impl PartialEq for Coarse {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// Its `Debug` leaves out a field.
#[derive(Clone, PartialEq)]
struct Brief {
    id: u8,
    note: u8,
}

impl std::fmt::Debug for Brief {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Brief({})", self.id)
    }
}

#[test]
fn values_that_are_equal_or_look_alike() {
    let pairs = (0..5).flat_map(|id| (0..5).map(move |note| (id, note)));
    let coarse: Vec<Coarse> = pairs.clone().map(|(id, note)| Coarse { id, note }).collect();
    assert_eq!(set_to!(Coarse, Coarse { id: 0, note: 0 }, coarse.clone()), 25);
    let brief: Vec<Brief> = pairs.map(|(id, note)| Brief { id, note }).collect();
    assert_eq!(set_to!(Brief, Brief { id: 0, note: 0 }, brief.clone()), 25);
}

#[test]
fn numbers_of_every_size() {
    assert_eq!(set_to!(f64, 0.0, [0.0, -0.0, f64::NAN, f64::INFINITY, 1.5, f64::NAN]), 5);
    assert_eq!(set_to!((f64, u8), (0.0, 1), [(-0.0, 1), (f64::NAN, 1), (f64::NAN, 1), (0.0, 1)]), 3);
    assert_eq!(set_to!(i128, 0, [i128::MIN, i128::MAX, -1, 0, 1]), 5);
    assert_eq!(set_to!(i64, 0, [i64::MIN, i64::MAX, -1, 0, 1]), 5);
    assert_eq!(set_to!(u64, 0, [u64::MAX, 127, 128, 16_383, 16_384]), 6);
    assert_eq!(set_to!(Option<u8>, None, [None, Some(0), Some(1)]), 3);
    assert_eq!(set_to!(Option<Option<bool>>, None, [None, Some(None), Some(Some(false)), Some(Some(true))]), 4);
    assert_eq!(set_to!(char, 'a', ['a', '\u{10ffff}', '\0']), 3);
}

/// Ordered by its priority alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Finitize)]
#[finitize(plain)]
struct Job {
    priority: u8,
    name: u8,
}

impl Ord for Job {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.priority.cmp(&other.priority)
    }
}

impl PartialOrd for Job {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

#[test]
fn the_order_inside_a_container_does_not_count() {
    #[derive(Debug, Default, Finitize)]
    struct Jobs {
        heap: BinaryHeap<Job>,
        names: HashSet<String>,
        numbers: HashMap<String, Vec<u8>>,
    }
    let report = Explore::from(Jobs::default())
        .operation("add", 0..4, |jobs, name| {
            if jobs.names.insert(format!("job {name}")) {
                jobs.heap.push(Job { priority: name % 2, name });
                jobs.numbers.insert(format!("job {name}"), vec![name; name.into()]);
            }
        })
        .run();
    // Every set of jobs, in whatever order they came.
    report.expect_states(16);
}
