//! Vectors and boxes whose values are listed as a whole: in plain types, as keys, and tuples and texts as elements of heaps.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet, VecDeque};

use korat::{Finitize, rep_ok};

use crate::canonical::{Canonical, Walk, debug_in_order};
use crate::harness::{Subject, lists, maps, sets};

/// A way, as a whole.
#[derive(Clone, Debug, PartialEq, Finitize)]
#[finitize(plain)]
pub struct Way {
    steps: Vec<u8>,
    loud: Box<bool>,
    #[finitize([VecDeque::new(), VecDeque::from([true])])]
    turns: VecDeque<bool>,
}

/// Ways and what is known of them.
#[derive(Finitize)]
pub struct Atlas {
    way: Way,
    index: BTreeMap<Vec<bool>, bool>,
    #[finitize([vec![], vec!['a'], vec!['a', 'b']])]
    names: HashSet<Vec<char>>,
    #[finitize(len = 0..=1)]
    queue: BinaryHeap<Reverse<(u8, bool)>>,
    #[finitize(["", "b"].map(String::from), len = 0..=1)]
    words: BinaryHeap<String>,
}

#[rep_ok]
impl Atlas {
    pub fn rep_ok(&self) -> bool {
        let way = &self.way;
        if way.steps.iter().any(|step| *step > 1) || *way.loud == way.steps.is_empty() {
            return false;
        }
        if way.steps.first() == Some(&0) && !way.turns.is_empty() {
            return false;
        }
        for (key, value) in &self.index {
            if key.len() != 1 || key[0] == *value {
                return false;
            }
        }
        let longest = self.names.iter().map(|name| name.len()).max().unwrap_or(0);
        let first = self.queue.peek().is_none_or(|Reverse((number, flag))| usize::from(*number) < 2 && !*flag);
        first && longest <= way.steps.len() + 1 && self.words.peek().is_none_or(|word| word.as_str() != "")
    }
}

impl Canonical for Atlas {
    fn walk(&self, to: &mut Walk) {
        let mut names: Vec<_> = self.names.iter().collect();
        names.sort();
        let queue = self.queue.clone().into_sorted_vec();
        to.plain(&(&self.way, &self.index, names, queue, self.words.clone().into_sorted_vec()));
    }
}

debug_in_order! { Atlas }

impl Subject for Atlas {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let numbers: Vec<u8> = (0..=scope).map(|number| number as u8).collect();
        let flags = [false, true];
        let ways = lists(&numbers, scope).into_iter().flat_map(|steps| {
            let with = move |loud: bool| {
                [vec![], vec![true]].map(|turns| Way {
                    steps: steps.clone(),
                    loud: Box::new(loud),
                    turns: turns.into(),
                })
            };
            flags.into_iter().flat_map(with)
        });
        let pairs = numbers.iter().flat_map(|&number| flags.map(|flag| vec![Reverse((number, flag))]));
        let queues: Vec<Vec<Reverse<(u8, bool)>>> = std::iter::once(Vec::new()).chain(pairs).collect();
        let words = lists(&["", "b"], 1);
        for way in ways {
            for index in maps(&flags, &flags) {
                for names in sets(&["", "a", "ab"]) {
                    for queue in &queues {
                        for words in &words {
                            visit(Atlas {
                                way: way.clone(),
                                index: index.iter().map(|(key, value)| (vec![*key], *value)).collect(),
                                names: names.iter().map(|name| name.chars().collect()).collect(),
                                queue: queue.clone().into(),
                                words: words.iter().map(|word| word.to_string()).collect(),
                            });
                        }
                    }
                }
            }
        }
    }
}
