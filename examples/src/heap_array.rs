//! A binary max-heap in an array with spare cells, which are marked as vacant.

use korat::{Finitize, rep_ok};

/// The content of a vacant cell.
const VACANT: i32 = -1;

/// A priority queue, largest element first. No element may be `-1`, which marks vacant cells.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct HeapArray {
    /// The heap in the first `size` cells, then vacant ones; the children of cell `i` are `2 * i + 1` and `2 * i + 2`.
    #[finitize(-1..=scope as i32, len = 0..=scope)]
    pub array: Vec<i32>,
    /// The number of elements.
    #[finitize(0..=scope)]
    pub size: usize,
}

#[rep_ok]
impl HeapArray {
    /// Returns whether the first `size` cells hold elements, none larger than its parent, and the others are vacant.
    pub fn rep_ok(&self) -> bool {
        let len = self.array.len();
        let size = self.size;
        if size > len {
            return false;
        }
        for i in 0..size {
            let elem = self.array[i];
            if elem == VACANT {
                return false;
            }
            if i > 0 && elem > self.array[(i - 1) / 2] {
                return false;
            }
        }
        for i in size..len {
            if self.array[i] != VACANT {
                return false;
            }
        }
        true
    }
}

impl HeapArray {
    /// Creates an empty heap.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Returns whether the heap is empty.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Returns the largest element.
    pub fn peek(&self) -> Option<i32> {
        self.iter().next()
    }

    /// Returns the elements in the order of the array: the largest first, the others in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = i32> {
        self.array[..self.size].iter().copied()
    }

    /// Adds an element, in a vacant cell if there is one.
    ///
    /// # Panics
    /// Panics if `elem` is `-1`.
    pub fn push(&mut self, elem: i32) {
        assert_ne!(elem, VACANT, "-1 marks a vacant cell; it cannot be an element");
        if self.size == self.array.len() {
            self.array.push(VACANT);
        }
        self.array[self.size] = elem;
        self.size += 1;
        self.sift_up(self.size - 1);
    }

    /// Removes and returns the largest element. Keeps the number of cells.
    pub fn pop(&mut self) -> Option<i32> {
        let max = self.peek()?;
        self.size -= 1;
        self.array[0] = self.array[self.size];
        self.array[self.size] = VACANT;
        self.sift_down(0);
        Some(max)
    }

    /// Moves the element in cell `i` up until its parent is at least as large.
    fn sift_up(&mut self, mut i: usize) {
        while i > 0 {
            let parent = (i - 1) / 2;
            if self.array[i] <= self.array[parent] {
                break;
            }
            self.array.swap(i, parent);
            i = parent;
        }
    }

    /// Moves the element in cell `i` down until no child is larger.
    fn sift_down(&mut self, mut i: usize) {
        let children = |i: usize| 2 * i + 1..(2 * i + 3).min(self.size);
        while let Some(child) = children(i).max_by_key(|&child| self.array[child]) {
            if self.array[child] <= self.array[i] {
                break;
            }
            self.array.swap(i, child);
            i = child;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the elements in increasing order.
    fn sorted(heap: &HeapArray) -> Vec<i32> {
        let mut elems: Vec<i32> = heap.iter().collect();
        elems.sort();
        elems
    }

    #[test]
    fn peek_gives_the_largest() {
        korat::for_each_valid(HeapArray::scope(4), |heap| {
            assert_eq!(heap.iter().count(), heap.len());
            assert_eq!(heap.peek(), heap.iter().max());
            assert_eq!(heap.is_empty(), heap.peek().is_none());
        });
    }

    #[test]
    fn push_adds_one_element() {
        korat::for_each_valid(HeapArray::scope(4), |heap| {
            for elem in 0..=5 {
                let mut grown = heap.clone();
                grown.push(elem);
                assert!(grown.rep_ok());
                let mut model = sorted(&heap);
                model.push(elem);
                model.sort();
                assert_eq!(sorted(&grown), model);
            }
        });
    }

    #[test]
    fn push_uses_vacant_cells_first() {
        korat::for_each_valid(HeapArray::scope(4), |mut heap| {
            let (cells, size) = (heap.array.len(), heap.len());
            heap.push(2);
            assert_eq!(heap.array.len(), cells.max(size + 1));
        });
    }

    #[test]
    fn pop_takes_the_largest_out() {
        korat::for_each_valid(HeapArray::scope(4), |mut heap| {
            let mut model = sorted(&heap);
            let cells = heap.array.len();
            assert_eq!(heap.pop(), model.pop());
            assert!(heap.rep_ok());
            assert_eq!(sorted(&heap), model);
            assert_eq!(heap.array.len(), cells);
        });
    }

    #[test]
    fn popping_everything_sorts() {
        korat::for_each_valid(HeapArray::scope(4), |mut heap| {
            let mut model = sorted(&heap);
            model.reverse();
            let popped: Vec<i32> = std::iter::from_fn(|| heap.pop()).collect();
            assert_eq!(popped, model);
            assert!(heap.is_empty() && heap.rep_ok());
        });
    }

    #[test]
    fn pop_undoes_push_of_a_new_largest() {
        korat::for_each_valid(HeapArray::scope(4), |heap| {
            let mut changed = heap.clone();
            changed.push(5);
            assert_eq!(changed.pop(), Some(5));
            assert!(changed.rep_ok());
            assert_eq!(sorted(&changed), sorted(&heap));
        });
    }

    #[test]
    #[should_panic]
    fn a_missing_sift_is_found() {
        korat::for_each_valid(HeapArray::scope(3), |mut heap| {
            if !heap.is_empty() {
                heap.array[0] = 0;
            }
            assert!(heap.rep_ok());
        });
    }
}
