//! Sequences of elements, beside those of the standard library.

use std::collections::VecDeque;

use super::machine::{Machine, Operation, Version, operation};
use crate::deque::Deque;
use crate::deque::tests::rotate_left_cutting_once;
use crate::linked_list::LinkedList;
use crate::linked_list::tests::split_off_without_unlinking;
use crate::piece_table::PieceTable;
use crate::piece_table::tests::insert_extending_any_piece;
use crate::ring_buffer::Ring;
use crate::ring_buffer::tests::remove_without_wrapping;

pub(super) struct Deques;

impl Machine for Deques {
    type State = (Deque, VecDeque<u32>);
    const BUG: &str = "`deque`: `rotate_left` cuts the ring once";

    fn first() -> Self::State {
        Default::default()
    }

    fn operations(version: Version) -> Vec<Operation<Self::State>> {
        type Both = (Deque, VecDeque<u32>);
        let rotate_left: fn(&mut Deque, usize) = version.of(Deque::rotate_left, rotate_left_cutting_once);
        vec![
            operation("push_front", 0..=1, |(deque, model): &mut Both, elem| {
                deque.push_front(elem);
                model.push_front(elem);
            }),
            operation("push_back", 0..=1, |(deque, model): &mut Both, elem| {
                deque.push_back(elem);
                model.push_back(elem);
            }),
            operation("pop_front", [()], |(deque, model): &mut Both, ()| {
                assert_eq!(deque.pop_front(), model.pop_front());
            }),
            operation("pop_back", [()], |(deque, model): &mut Both, ()| assert_eq!(deque.pop_back(), model.pop_back())),
            operation("rotate_left", 0..=3, move |(deque, model): &mut Both, mid| {
                if mid <= model.len() {
                    rotate_left(deque, mid);
                    model.rotate_left(mid);
                }
            }),
        ]
    }

    fn check((deque, model): &Self::State) {
        assert!(deque.rep_ok());
        assert!(deque.iter().eq(model));
    }
}

/// Two lists, of which the second is split off from the first.
pub(super) struct LinkedLists;

impl Machine for LinkedLists {
    type State = [(LinkedList, Vec<u32>); 2];
    const BUG: &str = "`linked_list`: `split_off` leaves a link";

    fn first() -> Self::State {
        Default::default()
    }

    fn operations(version: Version) -> Vec<Operation<Self::State>> {
        type Lists = [(LinkedList, Vec<u32>); 2];
        let split_off: fn(&mut LinkedList, usize) -> LinkedList =
            version.of(LinkedList::split_off, split_off_without_unlinking);
        vec![
            operation("push_front", 0..=1, |[(list, model), _]: &mut Lists, elem| {
                list.push_front(elem);
                model.insert(0, elem);
            }),
            operation("push_back", 0..=1, |[(list, model), _]: &mut Lists, elem| {
                list.push_back(elem);
                model.push(elem);
            }),
            operation("pop_front", [()], |[(list, model), _]: &mut Lists, ()| {
                assert_eq!(list.pop_front(), (!model.is_empty()).then(|| model.remove(0)));
            }),
            operation("pop_back", [()], |[(list, model), _]: &mut Lists, ()| {
                assert_eq!(list.pop_back(), model.pop());
            }),
            operation("split_off", 0..=3, move |[(list, model), second]: &mut Lists, at| {
                if at <= model.len() {
                    *second = (split_off(list, at), model.split_off(at));
                }
            }),
            operation("append", [()], |[(list, model), (other, other_model)]: &mut Lists, ()| {
                list.append(other);
                model.append(other_model);
            }),
        ]
    }

    fn check(state: &Self::State) {
        for (list, model) in state {
            assert!(list.rep_ok());
            assert!(list.iter().eq(model.iter().copied()));
        }
    }
}

pub(super) struct Rings;

impl Machine for Rings {
    type State = (Ring<u8, 3>, VecDeque<u8>);
    const BUG: &str = "`ring_buffer`: `remove` does not wrap around";

    fn first() -> Self::State {
        Default::default()
    }

    fn operations(version: Version) -> Vec<Operation<Self::State>> {
        type Both = (Ring<u8, 3>, VecDeque<u8>);
        let remove: fn(&mut Ring<u8, 3>, usize) -> Option<u8> = version.of(Ring::remove, remove_without_wrapping);
        vec![
            operation("push_back", 0..=1, |(ring, model): &mut Both, item| {
                if ring.push_back(item).is_ok() {
                    model.push_back(item);
                }
            }),
            operation("push_front", 0..=1, |(ring, model): &mut Both, item| {
                if ring.push_front(item).is_ok() {
                    model.push_front(item);
                }
            }),
            operation("pop_front", [()], |(ring, model): &mut Both, ()| {
                assert_eq!(ring.pop_front(), model.pop_front());
            }),
            operation("pop_back", [()], |(ring, model): &mut Both, ()| assert_eq!(ring.pop_back(), model.pop_back())),
            operation("remove", 0..=2, move |(ring, model): &mut Both, index| {
                assert_eq!(remove(ring, index), model.remove(index));
            }),
            operation("straighten", [()], |(ring, _): &mut Both, ()| ring.straighten()),
        ]
    }

    fn check((ring, model): &Self::State) {
        assert!(ring.rep_ok());
        assert!(ring.iter().eq(model));
    }
}

pub(super) struct PieceTables;

impl Machine for PieceTables {
    type State = (PieceTable, String);
    const BUG: &str = "`piece_table`: `insert` extends an old piece";

    fn first() -> Self::State {
        (PieceTable::new(""), String::new())
    }

    fn operations(version: Version) -> Vec<Operation<Self::State>> {
        type Both = (PieceTable, String);
        let insert: fn(&mut PieceTable, usize, &str) = version.of(PieceTable::insert, insert_extending_any_piece);
        let insertions = (0..=3).flat_map(|at| ["x", "y", "xy"].map(|text| (at, text)));
        let deletions = (0..=2).flat_map(|start| [1, 2].map(|len| (start, start + len)));
        vec![
            operation("insert", insertions, move |(table, model): &mut Both, (at, text)| {
                if at <= model.len() {
                    insert(table, at, text);
                    model.insert_str(at, text);
                }
            }),
            operation("delete", deletions, |(table, model): &mut Both, (start, end)| {
                if end <= model.len() {
                    table.delete(start..end);
                    model.replace_range(start..end, "");
                }
            }),
        ]
    }

    fn check((table, model): &Self::State) {
        assert!(table.rep_ok());
        assert_eq!(&table.text(), model);
    }
}
