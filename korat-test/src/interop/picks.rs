//! The values that another tool picks from, by rank, smallest first: a list of all of them or, if that would be too long, their summaries.

use korat_core::{Finitize, Natural, RepOk, Searcher, Solving};

use crate::config::Config;
use crate::pool::{Pool, Wanted, unwrap};
use crate::subject::MakeSearcher;
use crate::summarised::{SummarisedValues, Summariser};

/// The number of values up to which all are listed.
pub(crate) const MOST_LISTED: usize = 100_000;

/// The number of runs of parts of `rep_ok` after which summaries are given up: about ten seconds, at three microseconds each.
const MOST_RUNS: u64 = 3_000_000;

/// Values to pick from.
pub(super) enum Picks<T: Finitize + RepOk> {
    Listed(Box<Pool<T>>),
    Ranked(Box<SummarisedValues>),
}

impl<T: Finitize + RepOk> Picks<T> {
    /// Finds out what there is to pick from. Panics if there is no value.
    #[track_caller]
    pub(super) fn new(wanted: &Wanted<T>) -> Self {
        Picks::with_list_of(wanted, MOST_LISTED)
    }

    #[track_caller]
    fn with_list_of(wanted: &Wanted<T>, most: usize) -> Self {
        let pool = Pool::new(wanted, most);
        let scope = wanted.bounds.scope();
        assert!(pool.len() > 0, "no valid value of {} at scope {scope}: there is nothing to pick from", T::NAME);
        if pool.is_complete() || wanted.config.limit.is_some_and(|limit| limit <= most as u64) {
            return Picks::Listed(Box::new(pool));
        }
        match ranked(wanted) {
            Some(values) => Picks::Ranked(Box::new(values)),
            None => Picks::Listed(Box::new(Pool::new(wanted, usize::MAX))),
        }
    }

    /// Returns the number of values.
    pub(super) fn len(&self) -> Natural {
        match self {
            Picks::Listed(pool) => Natural::from(pool.len() as u64),
            Picks::Ranked(values) => values.total().clone(),
        }
    }

    /// Returns the number of values, if they are listed.
    pub(super) fn listed(&self) -> Option<usize> {
        match self {
            Picks::Listed(pool) => Some(pool.len()),
            Picks::Ranked(_) => None,
        }
    }

    /// Builds a new instance of the value with a rank.
    pub(super) fn build(&mut self, rank: &Natural) -> T {
        match self {
            Picks::Listed(pool) => {
                let index = rank.to_u64().and_then(|rank| usize::try_from(rank).ok());
                pool.build(index.expect("[korat internal bug] a rank beyond the list"))
            }
            Picks::Ranked(values) => {
                // Earlier instances are dropped, unless the user kept them.
                values.searcher.free_cycles();
                let is_there = values.go_to_rank(rank).is_some();
                assert!(is_there, "[korat internal bug] a rank beyond the last value");
                unwrap(values.searcher.checked_value())
            }
        }
    }
}

/// Summarises a search, if that is possible and all of its values are wanted.
#[track_caller]
fn ranked<T: Finitize + RepOk>(wanted: &Wanted<T>) -> Option<SummarisedValues> {
    let Config { limit, sizes, summaries, .. } = &wanted.config;
    let (bounds, settings) = (wanted.bounds.clone(), wanted.config.settings());
    let make: MakeSearcher = std::rc::Rc::new(move || Searcher::new(&bounds, settings).map(Searcher::into_untyped));
    // A filter decides about whole values.
    if limit.is_some() || unwrap(make()).has_filter() {
        return None;
    }
    let sizes = sizes.range(wanted.bounds.scope());
    let mut summariser = Summariser::new(*summaries, make);
    let mut values = unwrap(summariser.attempt(*sizes.start(), *sizes.end(), MOST_RUNS, Solving::AtOnce))?;
    values.begin_selection(&sizes, 0);
    Some(values)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{Finitize, rep_ok};

    #[derive(Debug, Finitize)]
    #[finitize(crate = crate)]
    struct Node {
        #[finitize(0..=scope)]
        key: usize,
        next: Option<Box<Node>>,
    }

    #[derive(Debug, Finitize)]
    #[finitize(crate = crate)]
    struct List {
        head: Option<Box<Node>>,
    }

    #[rep_ok(crate = crate)]
    impl List {
        fn rep_ok(&self) -> bool {
            Self::is_sorted(&self.head, 0)
        }

        fn is_sorted(node: &Option<Box<Node>>, least: usize) -> bool {
            node.as_ref().is_none_or(|node| node.key >= least && Self::is_sorted(&node.next, node.key + 1))
        }
    }

    /// Whether they are listed or not, the same values are there to pick from, smallest first.
    #[test]
    fn ranks_are_those_of_all_values() {
        let wanted = Wanted::new(List::scope(5));
        let [listed, ranked] = [63, 62].map(|most| {
            let mut picks = Picks::with_list_of(&wanted, most);
            assert_eq!(picks.len(), (1 << 6) - 1);
            assert_eq!(picks.listed().is_some(), most == 63);
            let texts: Vec<String> = (0..63).map(|rank| format!("{:?}", picks.build(&Natural::from(rank)))).collect();
            assert!(texts.iter().map(|text| text.matches("key").count()).is_sorted());
            texts.into_iter().collect::<BTreeSet<_>>()
        });
        assert_eq!((&listed, listed.len()), (&ranked, 63));
    }

    /// A limit, or a search that is not summarised, is listed however long it is.
    #[test]
    fn what_has_no_ranks_is_listed() {
        let search = || crate::Search::new(List::scope(5));
        let picks = |search| Picks::with_list_of(&Wanted::new(search), 10).listed();
        assert_eq!(picks(search()), None);
        assert_eq!(picks(search().limit(40)), Some(40));
        assert_eq!(picks(search().limit(7)), Some(7));
        assert_eq!(picks(search().summaries(crate::Summaries::Never)), Some(63));
    }
}
