//! Calls between marked functions and the blocks of classes, and what is passed to helpers that name its type.

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

/// Marked functions that call methods of blocks: of one of helpers, of the block that calls them, of another class with a
/// `rep_ok` of its own. They call each other, too.
mod methods_from_functions {
    use super::*;

    /// `rep_ok` calls none of the named methods.
    #[rep_ok(uses(Self::size, Self::starts_with))]
    impl Node {
        fn rep_ok(&self) -> bool {
            self.key > 0
        }

        /// Stops after four nodes, because a classic search meets rings.
        fn size(&self, most: usize) -> usize {
            1 + self.next.as_ref().filter(|_| most > 1).map_or(0, |next| Self::size(next, most - 1))
        }

        fn starts_with(link: &Option<Box<Node>>, key: u8) -> bool {
            link.as_ref().is_some_and(|node| node.has(key))
        }

        fn has(&self, key: u8) -> bool {
            self.key == key
        }

        /// Not lifted, so that it need not be a form that can be.
        #[allow(dead_code)]
        fn printed(&self) -> usize {
            fn len(node: &impl std::fmt::Debug) -> usize {
                format!("{node:?}").len()
            }
            len(self) + unmarked(self)
        }
    }

    #[rep_ok(helpers)]
    fn size(link: &Option<Box<Node>>) -> usize {
        link.as_ref().map_or(0, |node| node.size(4))
    }

    #[rep_ok(helpers, uses(size))]
    fn is_even(list: &List) -> bool {
        size(&list.head).is_multiple_of(2) && list.fits() && !List::starts_low(&list.head)
    }

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct List {
        head: Option<Box<Node>>,
        #[finitize(0..=2)]
        len: usize,
    }

    #[rep_ok(uses(is_even, size, Self::fits, Self::starts_low))]
    impl List {
        fn rep_ok(&self) -> bool {
            is_even(self)
        }

        fn fits(&self) -> bool {
            self.len == size(&self.head)
        }

        fn starts_low(link: &Option<Box<Node>>) -> bool {
            Node::starts_with(link, 0)
        }
    }

    #[test]
    fn are_lifted() {
        let lists = every_list(3).into_iter().flat_map(|keys| (0..=2).map(move |len| (keys.clone(), len)));
        let lists = lists.map(|(keys, len)| List { head: linked(&keys), len });
        let expected: Vec<String> = lists.filter(List::rep_ok).map(|list| format!("{list:?}")).collect();
        assert_eq!(expected.len(), 1 + 2 * 3);
        assert_exact::<List>(3, &expected);
    }
}

/// Not marked.
fn unmarked(node: &Node) -> usize {
    usize::from(node.key)
}

/// What a field shows is a std type for a heap and for listed values, and a twin for a pointer to a plain value. A function
/// says which of them it takes: by `plain(..)`, or by an alias.
mod named_types {
    use std::cell::Cell;
    use std::collections::BinaryHeap;
    use std::rc::Rc;

    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Parts {
        #[finitize(0..=2)]
        count: Rc<u32>,
        #[finitize(0..=2)]
        other: Rc<u32>,
        #[finitize(0..=1, len = 0..=2)]
        heap: BinaryHeap<u8>,
        #[finitize(values = [vec![], vec![1], vec![1, 2]])]
        list: Vec<u8>,
        #[finitize(values = [Cell::new(1), Cell::new(2)])]
        cell: Cell<u8>,
        #[finitize(len = 0..=1)]
        marks: Vec<bool>,
    }

    #[allow(clippy::ptr_arg, reason = "the type is what is tested")]
    #[rep_ok(helpers, plain(Vec))]
    fn total(list: &Vec<u8>) -> u8 {
        let mut copy: Vec<u8> = list.clone();
        let mut sum = 0;
        while let Some(last) = copy.pop() {
            sum += last;
        }
        sum
    }

    #[rep_ok(helpers, plain(Cell))]
    fn inside(cell: &Cell<u8>) -> u8 {
        cell.get()
    }

    #[rep_ok(helpers, plain(BinaryHeap))]
    fn top(heap: &BinaryHeap<u8>) -> Option<u8> {
        let mut rest: BinaryHeap<u8> = heap.clone();
        rest.pop().filter(|top| heap.iter().all(|key| key <= top))
    }

    type Count = Rc<u32>;

    #[rep_ok(uses(total, inside, top))]
    impl Parts {
        fn rep_ok(&self) -> bool {
            let mut marked = Vec::new();
            for mark in &self.marks {
                marked.push(*mark);
            }
            Self::is_above(&self.count, &self.other)
                && usize::from(total(&self.list)) == marked.len()
                && top(&self.heap) == Some(inside(&self.cell))
        }

        fn is_above(count: &Count, other: &Count) -> bool {
            let again = Rc::clone(count);
            Rc::ptr_eq(&again, count) && !Rc::ptr_eq(count, other) && **count > **other
        }
    }

    #[test]
    fn are_those_of_the_fields() {
        let heaps: [&[u8]; 6] = [&[], &[0], &[1], &[0, 0], &[0, 1], &[1, 1]];
        let lists: [&[u8]; 3] = [&[], &[1], &[1, 2]];
        let marks: [&[bool]; 3] = [&[], &[false], &[true]];
        let mut expected = Vec::new();
        for number in 0..3 * 3 * 6 * 3 * 2 * 3 {
            let mut rest = number;
            let mut next = |of: usize| {
                let digit = rest % of;
                rest /= of;
                digit
            };
            let parts = Parts {
                count: Rc::new(next(3) as u32),
                other: Rc::new(next(3) as u32),
                heap: heaps[next(6)].to_vec().into(),
                list: lists[next(3)].to_vec(),
                cell: Cell::new(next(2) as u8 + 1),
                marks: marks[next(3)].to_vec(),
            };
            if parts.rep_ok() {
                expected.push(format!("{parts:?}"));
            }
        }
        // Pairs of counts, heaps with 1 on top for the cell of 1, and a list and marks of equal weight.
        assert_eq!(expected.len(), 3 * 3 * (1 + 2));
        assert_exact::<Parts>(2, &expected);
    }
}

/// A generic block calls a helper of a class of another module, by the path of the class.
mod imported_into_a_generic_block {
    use super::*;

    mod elsewhere {
        #[derive(Clone, Debug, PartialEq, korat::Finitize)]
        pub struct Step {
            #[finitize(0..=2)]
            pub width: u8,
        }

        #[korat::rep_ok(helpers)]
        impl Step {
            pub fn is_wide(step: &Step) -> bool {
                step.width > 1
            }
        }
    }

    use elsewhere::Step;

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Stair<T> {
        mark: T,
        step: Step,
    }

    #[rep_ok]
    impl<T: Copy + Into<bool>> Stair<T> {
        #[allow(unused_qualifications, reason = "the path is what is tested")]
        fn rep_ok(&self) -> bool {
            elsewhere::Step::is_wide(&self.step) == self.mark.into()
        }
    }

    #[test]
    fn is_found_by_its_path() {
        let stairs = [false, true].into_iter().flat_map(|mark| (0..=2).map(move |width| (mark, width)));
        let stairs = stairs.map(|(mark, width)| Stair { mark, step: Step { width } });
        let expected: Vec<String> = stairs.filter(Stair::rep_ok).map(|stair| format!("{stair:?}")).collect();
        assert_eq!(expected.len(), 2 + 1);
        assert_exact::<Stair<bool>>(2, &expected);
    }
}
