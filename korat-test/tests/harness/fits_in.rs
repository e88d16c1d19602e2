//! korat among the other ways to write tests: parametrised ones, expected panics, tests that return a result.

use korat::{Finitize, Search, field, rep_ok};
use rstest::{fixture, rstest};

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Node {
    value: u8,
    next: Option<Box<Node>>,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct List {
    head: Option<Box<Node>>,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        let mut rest = &self.head;
        while let Some(node) = rest {
            if node.next.as_ref().is_some_and(|next| next.value < node.value) {
                return false;
            }
            rest = &node.next;
        }
        true
    }
}

impl List {
    fn values(&self) -> Vec<u8> {
        std::iter::successors(self.head.as_deref(), |node| node.next.as_deref()).map(|node| node.value).collect()
    }

    /// Puts a value where it belongs; says where, or that there are too many.
    fn insert(&mut self, value: u8, most: usize) -> Result<usize, String> {
        if self.values().len() >= most {
            return Err(format!("more than {most} values"));
        }
        let (mut place, mut position) = (&mut self.head, 0);
        while place.as_ref().is_some_and(|node| node.value < value) {
            place = &mut place.as_mut().unwrap().next;
            position += 1;
        }
        let next = place.take();
        *place = Some(Box::new(Node { value, next }));
        Ok(position)
    }
}

#[rstest]
#[case::nothing(0, 1)]
#[case::one(1, 1 + 2)]
#[case::two(2, 1 + 3 + 6)]
#[case::three(3, 1 + 4 + 10 + 20)]
fn cases_of_rstest_give_the_scope(#[case] scope: usize, #[case] values: u64) {
    let report = korat::for_each_valid(List::scope(scope), |list| {
        let mut longer = list.clone();
        longer.insert(1, usize::MAX).unwrap();
        assert!(longer.rep_ok());
        assert_eq!(longer.values().len(), list.values().len() + 1);
    });
    assert_eq!(report.valid, values);
}

#[rstest]
fn all_pairs_of_values_of_rstest_are_run(#[values(1, 2)] scope: usize, #[values(0, 1, 7)] inserted: u8) {
    let report = korat::for_each_valid(List::scope(scope), |mut list| {
        list.insert(inserted, usize::MAX).unwrap();
        assert!(list.values().contains(&inserted) && list.rep_ok());
    });
    assert!(report.is_complete());
}

#[fixture]
fn short_lists() -> Search<List> {
    Search::new(List::scope(5).objects::<Node>(1).domain(field!(Node.value), [3, 4]))
}

#[rstest]
fn a_fixture_of_rstest_is_a_search(short_lists: Search<List>) {
    assert_eq!(short_lists.for_each(|list| assert!(list.rep_ok())).valid, 3);
}

#[test]
#[should_panic(expected = "a list of two")]
fn a_panic_of_the_property_is_expected_by_its_own_message() {
    korat::for_each_valid(List::scope(3), |list| assert!(list.values().len() != 2, "a list of two"));
}

#[test]
#[should_panic(expected = "no valid value of Impossible")]
fn that_there_is_no_value_is_expected() {
    #[derive(Debug, Finitize)]
    struct Impossible {
        number: u8,
    }
    #[rep_ok]
    impl Impossible {
        fn rep_ok(&self) -> bool {
            self.number > 100
        }
    }
    korat::for_each_valid(Impossible::scope(1), |_| {});
}

#[test]
fn a_test_may_return_a_result() -> Result<(), String> {
    for mut list in korat::valid(List::scope(3)) {
        let len = list.values().len();
        let position = list.insert(0, 4)?;
        if list.values().get(position) != Some(&0) {
            return Err(format!("0 is not at {position} of {:?}, which had {len} values", list.values()));
        }
    }
    Ok(())
}

#[test]
fn an_error_stops_the_values_at_the_first_that_has_one() {
    fn inserting() -> Result<(), String> {
        for mut list in korat::valid(List::scope(3)) {
            list.insert(0, 2)?;
        }
        Ok(())
    }
    assert_eq!(inserting(), Err("more than 2 values".to_string()));
}

#[rstest]
#[case(1)]
#[case(2)]
fn a_case_of_rstest_may_return_a_result(#[case] scope: usize) -> Result<(), String> {
    korat::valid(List::scope(scope)).try_for_each(|mut list| list.insert(1, 3).map(drop))
}
