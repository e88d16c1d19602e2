//! What a function outside the predicate changes through a reference that was made in an earlier statement.

list!(
    to_a_function(),
    |list| {
        let mut total = 0;
        let count = &mut total;
        let mut rest = &list.head;
        while let Some(node) = rest {
            if node.key > 1 {
                return false;
            }
            add(count, 1);
            rest = &node.next;
        }
        total == u32::from(list.len)
    },
    15,
    {
        fn add(to: &mut u32, more: u32) {
            *to += more;
        }
    }
);

list!(
    to_std(),
    |list| {
        let (mut one, mut two) = (0, 1);
        let (this, that) = (&mut one, &mut two);
        let mut rest = &list.head;
        while let Some(node) = rest {
            if node.key > 1 {
                return false;
            }
            std::mem::swap(this, that);
            rest = &node.next;
        }
        one == u32::from(list.len)
    },
    15
);

list!(
    a_slice(),
    |list| {
        let mut counts = [0; 4];
        let upper = &mut counts[1..];
        let mut rest = &list.head;
        while let Some(node) = rest {
            if node.key > 1 {
                return false;
            }
            upper[0] += 1;
            upper.rotate_left(1);
            upper.swap(0, 2);
            rest = &node.next;
        }
        counts[1] == u32::from(list.len)
    },
    15
);

mod a_parameter {
    use korat::{Finitize, rep_ok};

    use crate::checkpoint::agree;

    #[derive(Debug, Finitize)]
    struct Node {
        key: u8,
        next: Option<Box<Node>>,
    }

    #[derive(Debug, Finitize)]
    struct List {
        head: Option<Box<Node>>,
        len: u8,
    }

    #[rep_ok]
    impl List {
        fn rep_ok(&self) -> bool {
            let (mut count, mut keys) = (0, Vec::new());
            Self::walk(&self.head, &mut count, &mut keys) && count == self.len && keys.len() < 2
        }

        fn walk(node: &Option<Box<Node>>, count: &mut u8, keys: &mut Vec<u8>) -> bool {
            let Some(node) = node else { return true };
            if node.key > 1 {
                return false;
            }
            let before = std::mem::take(count);
            let _zero = std::mem::replace(count, before + 1);
            keys.push(node.key);
            if keys.len() > 1 {
                std::mem::swap(keys, &mut vec![0; usize::from(node.key)]);
            }
            Self::walk(&node.next, count, keys)
        }
    }

    #[test]
    fn both_ways_agree() {
        assert_eq!(agree(|| List::scope(3)), 15);
    }
}
