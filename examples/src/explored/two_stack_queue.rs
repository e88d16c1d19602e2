//! A queue of two stacks, beside the queue of the standard library.

use korat::Finitize;

/// A queue. Every item is moved once from one stack to the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Finitize)]
pub struct TwoStackQueue {
    /// The items that were added last; the last of all is on top.
    back: Vec<u8>,
    /// The items before them; the first of all is on top.
    front: Vec<u8>,
}

impl TwoStackQueue {
    /// Adds an item at the end.
    pub fn enqueue(&mut self, item: u8) {
        self.back.push(item);
    }

    /// Removes and returns the first item.
    pub fn dequeue(&mut self) -> Option<u8> {
        if self.front.is_empty() {
            self.turn();
        }
        self.front.pop()
    }

    /// Moves all items of `back` to `front`.
    fn turn(&mut self) {
        while let Some(item) = self.back.pop() {
            self.front.push(item);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explored::breadth_first::reached;
    use crate::seeded::machine::assert_shortest;
    use korat::Explore;
    use std::collections::VecDeque;

    /// A buggy [`TwoStackQueue::dequeue`]: it moves the items of `back` although `front` has some.
    fn dequeue_turning_always(queue: &mut TwoStackQueue) -> Option<u8> {
        queue.turn();
        queue.front.pop()
    }

    /// Runs both queues; what they return must be equal.
    fn exploration(items: u8, dequeue: fn(&mut TwoStackQueue) -> Option<u8>) -> Explore<(TwoStackQueue, VecDeque<u8>)> {
        Explore::from(TwoStackQueue::default())
            .beside(VecDeque::new())
            .both("enqueue", 1..=items, TwoStackQueue::enqueue, |model, item| model.push_back(item))
            .both("dequeue", [()], move |queue, ()| dequeue(queue), |model, ()| model.pop_front())
    }

    /// The number of queues, counted with copies of them and without the model, which says nothing that they do not.
    fn counted(items: u8, depth: usize) -> u64 {
        reached(TwoStackQueue::default(), depth, |queue| {
            let mut shorter = queue.clone();
            shorter.dequeue();
            let longer = |item| {
                let mut queue = queue.clone();
                queue.enqueue(item);
                queue
            };
            (1..=items).map(longer).chain([shorter]).collect()
        })
    }

    #[test]
    fn a_queue_of_two_stacks_is_a_queue() {
        for (items, depth, states) in [(2, 9, 2_561), (5, 5, 4_336)] {
            exploration(items, TwoStackQueue::dequeue).depth(depth).run().expect_states(states);
            assert_eq!(counted(items, depth), states);
        }
    }

    #[test]
    fn items_that_overtake_others_are_found() {
        let calls = ["enqueue(1)", "enqueue(1)", "dequeue()", "enqueue(2)", "dequeue()"];
        assert_shortest(|| exploration(2, dequeue_turning_always), &calls);
    }
}
