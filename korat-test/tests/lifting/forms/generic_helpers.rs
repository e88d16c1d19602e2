//! Helpers with type parameters.

use korat::{Finitize, rep_ok};

use crate::forms::valid;

#[derive(Debug, Finitize)]
struct Heap<K> {
    root: Option<Box<Entry<K>>>,
    len: usize,
}

#[derive(Debug, Finitize)]
struct Entry<K> {
    key: K,
    children: Vec<Entry<K>>,
}

#[rep_ok]
impl<K: Ord> Heap<K> {
    fn rep_ok(&self) -> bool {
        // A function in a body cannot use the parameters of the block: it has its own.
        fn size<K: Ord>(entry: &Entry<K>) -> Option<usize> {
            let mut total = 1;
            for child in &entry.children {
                if child.key < entry.key {
                    return None;
                }
                total += size(child)?;
            }
            Some(total)
        }
        Self::sized(&self.root, size) == Some(self.len)
    }

    fn sized<E, F: Fn(&Entry<E>) -> Option<usize>>(entry: &Option<Box<Entry<E>>>, size: F) -> Option<usize> {
        entry.as_ref().map_or(Some(0), |entry| size(entry))
    }
}

#[test]
fn have_parameters_that_stand_for_plain_values() {
    // None; one of three keys; a root and a child that is not smaller.
    assert_eq!(valid::<Heap<u8>>(2), 1 + 3 + 6);
}
