//! Functions outside the block of `rep_ok`: free functions, methods of traits, methods of types declared in a body.

use korat::{Finitize, rep_ok};

use crate::filters::{assert_exact, every_list};

#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct Node {
    #[finitize(0..=2)]
    key: u8,
    next: Option<Box<Node>>,
}

fn linked(keys: &[u8]) -> Option<Box<Node>> {
    keys.iter().rev().fold(None, |next, key| Some(Box::new(Node { key: *key, next })))
}

mod tools {
    use super::Node;

    /// Recursive, generic over what it is given beside the structure, in another module.
    #[korat::rep_ok(helpers)]
    pub fn sum<T: Into<u32>>(link: &Option<Box<Node>>, start: T, budget: usize) -> u32 {
        match link {
            Some(node) if budget > 0 => u32::from(node.key) + sum(&node.next, start, budget - 1),
            _ => start.into(),
        }
    }

    #[korat::rep_ok(helpers, uses(sum))]
    pub fn is_even(node: &Node) -> bool {
        sum(&node.next, node.key, 5).is_multiple_of(2)
    }
}

trait Length {
    const MOST: usize;
    fn length(&self) -> usize;
    fn is_long(&self) -> bool {
        self.length() > 2
    }
    fn clear(&mut self);
}

#[rep_ok(helpers)]
impl Length for Node {
    const MOST: usize = 9;
    fn length(&self) -> usize {
        let (mut len, mut at) = (1, &self.next);
        while let Some(node) = at {
            if len == Self::MOST {
                break;
            }
            len += 1;
            at = &node.next;
        }
        len
    }
    fn clear(&mut self) {
        self.next = None;
    }
}

#[test]
fn the_methods_stay_as_they_are() {
    let mut node = Node { key: 1, next: linked(&[2, 2]) };
    assert!(node.is_long());
    node.clear();
    assert_eq!(node.length(), 1);
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct List {
    head: Option<Box<Node>>,
}

#[rep_ok(uses(tools::is_even, tools::sum))]
impl List {
    fn rep_ok(&self) -> bool {
        // A variable is not the function of the same name.
        let sum = |number: u8| number + 1;
        match &self.head {
            Some(node) => {
                tools::is_even(node) && !node.is_long() && tools::sum::<u8>(&node.next, 0, 5) < u32::from(sum(1))
            }
            None => true,
        }
    }
}

#[test]
fn free_functions_and_methods_of_traits() {
    let lists = every_list(4).into_iter().map(|keys| List { head: linked(&keys) });
    let expected: Vec<String> = lists.filter(List::rep_ok).map(|list| format!("{list:?}")).collect();
    assert_eq!(expected.len(), 1 + 2 + 3);
    assert_exact::<List>(4, &expected);
}

/// A function declared in the body is not the marked one of the same name.
#[test]
fn functions_of_the_body_come_first() {
    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Row {
        #[finitize(0..=2, len = 0..=3)]
        keys: Vec<u8>,
    }

    #[rep_ok(uses(tools::sum))]
    impl Row {
        fn rep_ok(&self) -> bool {
            fn sum(keys: &[u8]) -> u32 {
                match keys {
                    [first, rest @ ..] => u32::from(*first) + sum(rest),
                    [] => 0,
                }
            }
            sum(&self.keys) == 2
        }
    }

    let rows = every_list(3).into_iter().map(|keys| Row { keys });
    let expected: Vec<String> = rows.filter(Row::rep_ok).map(|row| format!("{row:?}")).collect();
    assert_eq!(expected.len(), 1 + 3 + 6);
    assert_exact::<Row>(3, &expected);
}

/// Methods that change a value of a type declared in the body, its collections included.
#[test]
fn methods_that_change_a_value_of_the_body() {
    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Row {
        #[finitize(0..=2, len = 0..=4)]
        keys: Vec<u8>,
    }

    #[rep_ok]
    impl Row {
        fn rep_ok(&self) -> bool {
            struct Seen {
                items: Vec<u8>,
                sum: u8,
            }

            impl Seen {
                fn add(&mut self, key: u8) -> bool {
                    if self.items.contains(&key) {
                        return false;
                    }
                    self.items.push(key);
                    self.sum += key;
                    true
                }

                fn finish(mut self) -> usize {
                    self.items.retain(|key| *key > 0);
                    self.items.len()
                }
            }

            let mut seen = Seen { items: Vec::new(), sum: 0 };
            self.keys.iter().all(|key| seen.add(*key)) && seen.sum < 3 && seen.finish() < 2
        }
    }

    let rows = every_list(4).into_iter().map(|keys| Row { keys });
    let expected: Vec<String> = rows.filter(Row::rep_ok).map(|row| format!("{row:?}")).collect();
    assert_eq!(expected.len(), 1 + 3 + 4);
    assert_exact::<Row>(4, &expected);
}

/// Helpers that return parts of the structure, and helpers of a generic class whose arguments are inferred.
mod of_generic_classes {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Link<T> {
        #[finitize(0..=2)]
        key: u8,
        mark: T,
        next: Option<Box<Link<T>>>,
    }

    #[rep_ok(helpers)]
    impl<T: Ord> Link<T> {
        fn next(&self) -> &Option<Box<Link<T>>> {
            &self.next
        }

        #[allow(clippy::borrowed_box, reason = "the type is what is tested")]
        fn second(&self) -> Option<&Box<Link<T>>> {
            self.next.as_ref().and_then(|next| next.next.as_ref())
        }

        fn is_rising(link: &Option<Box<Link<T>>>) -> bool {
            match link {
                Some(link) => {
                    let before_next = link.next().as_ref().is_none_or(|next| link.key < next.key);
                    before_next && link.second().is_none_or(|second| second.key > 1) && Link::is_rising(link.next())
                }
                None => true,
            }
        }
    }

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Chain<T> {
        head: Option<Box<Link<T>>>,
    }

    #[rep_ok]
    impl<T: Ord> Chain<T> {
        fn rep_ok(&self) -> bool {
            Link::is_rising(&self.head)
        }
    }

    #[test]
    fn are_found() {
        let link = |next, key: &u8| Some(Box::new(Link { key: *key, mark: false, next }));
        let chains = every_list(3).into_iter().map(|keys| Chain { head: keys.iter().rev().fold(None, link) });
        let unmarked: Vec<Chain<bool>> = chains.filter(Chain::rep_ok).collect();
        assert_eq!(unmarked.len(), 1 + 3 + 3 + 1);
        // With every combination of marks.
        let mut expected = Vec::new();
        for chain in unmarked {
            let len = std::iter::successors(chain.head.as_deref(), |link| link.next.as_deref()).count();
            for marks in 0..1 << len {
                let mut marked = chain.clone();
                let mut at = &mut marked.head;
                let mut number = 0;
                while let Some(link) = at {
                    link.mark = marks >> number & 1 == 1;
                    number += 1;
                    at = &mut link.next;
                }
                expected.push(format!("{marked:?}"));
            }
        }
        assert_exact::<Chain<bool>>(3, &expected);
    }
}

/// Variables, parameters and imports may have the name of a marked function.
mod shadowed {
    use super::*;

    #[rep_ok(helpers)]
    fn length(link: &Option<Box<Node>>) -> usize {
        link.as_ref().map_or(0, |node| 1 + length(&node.next))
    }

    #[rep_ok(helpers)]
    fn f(x: u8) -> u8 {
        x + 100
    }

    mod tools {
        #[korat::rep_ok(helpers)]
        pub fn f(x: u8) -> u8 {
            x
        }

        /// The name of an unmarked function around the block.
        #[korat::rep_ok(helpers)]
        pub fn g(x: u8) -> u8 {
            x + 50
        }
    }

    fn g(x: u8) -> u8 {
        x
    }

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Counted {
        head: Option<Box<Node>>,
        #[finitize(0..=3)]
        count: u8,
    }

    #[rep_ok(uses(length, f, tools::f, tools::g))]
    impl Counted {
        fn rep_ok(&self) -> bool {
            let length = length(&self.head);
            if length > 3 {
                return false;
            }
            let f = |x: u8| x.min(1);
            let inner = {
                let (f, _) = (|x: u8| x / 2, 0);
                f(self.count)
            };
            self.is_long(length)
                && f(self.count) == 1
                && inner == tools::f(1)
                && g(1) + 50 == tools::g(1)
                && Self::above() == 101
        }

        fn above() -> u8 {
            f(1)
        }

        fn is_long(&self, length: usize) -> bool {
            length == usize::from(self.count) - 1
        }
    }

    #[test]
    fn by_variables() {
        let mut expected = Vec::new();
        for keys in every_list(3) {
            for count in 1..=3 {
                let counted = Counted { head: linked(&keys), count };
                if counted.rep_ok() {
                    expected.push(format!("{counted:?}"));
                }
            }
        }
        assert_eq!(expected.len(), 3 + 9);
        let mut found = Vec::new();
        korat::for_each_valid(Counted::scope(3).domain(korat::field!(Counted.count), 1..=3), |value| {
            found.push(format!("{value:?}"));
        });
        expected.sort();
        found.sort();
        assert_eq!(found, expected);
    }

    /// An associated type of a marked trait is not the class.
    #[test]
    fn associated_types() {
        #[derive(Clone, Debug, PartialEq, Finitize)]
        struct Cell {
            c: u8,
        }

        trait Number {
            type Num;
            fn num(&self) -> Self::Num;
        }

        #[rep_ok(helpers)]
        impl Number for Cell {
            type Num = u8;
            fn num(&self) -> Self::Num {
                self.c
            }
        }

        #[rep_ok(panics = invalid)]
        impl Cell {
            fn rep_ok(&self) -> bool {
                self.c == 0 || self.num() < 2
            }
        }

        korat::for_each_valid(Cell::scope(2), |cell| cell.rep_ok()).expect_count(2);
    }
}
