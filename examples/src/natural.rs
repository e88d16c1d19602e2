//! The subjects of [`literature`](crate::literature) as one writes them without a thought of a search: recursive helpers that return
//! what the caller needs, and loops along a chain. korat summarises them, so that no part is searched twice.

pub mod avl_tree;
pub mod binary_tree;
pub mod red_black_tree;
pub mod search_tree;
pub mod shared_red_black_tree;
pub mod sorted_list;

/// Panics unless there are `shapes[size]` trees of each size with every choice of that many of the keys, one more than sizes.
#[cfg(test)]
#[track_caller]
fn assert_shapes(by_size: &[(usize, korat::Natural)], shapes: &[u64]) {
    let keys = shapes.len() as u64;
    let mut choices = 1;
    for (size, &shapes) in (0..).zip(shapes) {
        let found = by_size.iter().find(|(of, _)| *of == size as usize).map(|(_, number)| number.clone());
        assert_eq!(found, Some(korat::Natural::from(shapes * choices)), "size {size}");
        choices = choices * (keys - size) / (size + 1);
    }
}
