//! Reachable states against valid values.

use korat::{Explore, Finitize, rep_ok};

#[derive(Debug, Finitize)]
struct Node {
    #[finitize(index_of = nodes)]
    next: Option<usize>,
}

/// A chain in an arena.
#[derive(Debug, Default, Finitize)]
struct Arena {
    nodes: Vec<Node>,
    #[finitize(index_of = nodes)]
    head: Option<usize>,
}

#[rep_ok]
impl Arena {
    /// Every node is on the chain, once.
    fn rep_ok(&self) -> bool {
        let (mut count, mut at) = (0, self.head);
        while let Some(index) = at {
            count += 1;
            if count > self.nodes.len() {
                return false;
            }
            at = self.nodes[index].next;
        }
        count == self.nodes.len()
    }
}

impl Arena {
    fn push_front(&mut self) {
        if self.nodes.len() < 3 {
            self.nodes.push(Node { next: self.head });
            self.head = Some(self.nodes.len() - 1);
        }
    }
}

#[test]
fn the_order_of_an_arena_does_not_count() {
    let compared = Explore::from(Arena::default())
        .operation("push_front", [()], |arena, ()| arena.push_front())
        .compare(Arena::scope(3));
    compared.expect_same();
    assert_eq!((compared.valid, compared.reached), (4, 4));
}

#[derive(Debug, Default, Finitize)]
struct Sorted {
    #[finitize(0..=2)]
    items: Vec<u8>,
}

#[rep_ok]
impl Sorted {
    fn rep_ok(&self) -> bool {
        self.items.windows(2).all(|pair| pair[0] < pair[1])
    }
}

#[test]
fn an_operation_that_leaves_the_valid_states_is_shown() {
    let compared = Explore::from(Sorted::default())
        .operation("push", 0..=2, |sorted, item| {
            // The mistake: an equal item is not found.
            if sorted.items.iter().all(|known| *known <= item) {
                sorted.items.push(item);
            }
        })
        .compare(Sorted::scope(3));
    assert_eq!((compared.valid, compared.reached, compared.beyond_bounds), (8, 8, 0));
    let shortest = &compared.rejected[0];
    assert_eq!((&shortest.calls[..], shortest.states.len()), (&["push(0)".to_string(), "push(0)".to_string()][..], 3));
    // A state that rep_ok rejects is not explored further: each has one item twice, at its end.
    assert_eq!(compared.rejected.len(), 7);
    assert!(std::panic::catch_unwind(|| compared.expect_same().valid).is_err());
    let text = compared.to_string();
    assert!(text.contains("Sorted { items: [0, 0] }  after push(0), push(0)"), "{text}");
}

#[test]
fn states_beyond_the_bounds_are_counted() {
    let compared = Explore::from(Sorted::default())
        .operation("push", 0..=4, |sorted, item| {
            if sorted.items.iter().all(|known| *known < item) {
                sorted.items.push(item);
            }
        })
        .compare(Sorted::scope(2));
    // All 32 sets of five items are reached; those of at most two of the first three are within the bounds.
    assert_eq!((compared.explored.found, compared.valid, compared.reached), (32, 7, 7));
    assert_eq!(compared.beyond_bounds, 25);
}

#[test]
#[should_panic(expected = "a comparison needs every state that can be reached")]
fn a_comparison_needs_every_state() {
    Explore::from(Sorted::default())
        .operation("push", [0], |sorted, item| sorted.items.insert(0, item))
        .depth(1)
        .compare(Sorted::scope(2));
}

#[derive(Debug, Finitize)]
struct Ends {
    #[finitize(len = 0..=scope)]
    items: Vec<u8>,
}

#[rep_ok]
impl Ends {
    fn rep_ok(&self) -> bool {
        self.items[0] <= self.items[self.items.len() - 1]
    }
}

#[test]
#[should_panic(expected = "rep_ok fails: index out of bounds: the len is 0 but the index is 0\n  at ")]
fn an_invariant_that_panics_is_told() {
    Explore::from(Ends { items: vec![1] })
        .operation("pop", [()], |ends, ()| ends.items.pop())
        .regressions(false)
        .compare(Ends::scope(1));
}
