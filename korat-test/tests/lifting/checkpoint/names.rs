//! Names that a machine's own could be taken for.

list!(
    of_locals(),
    |list| {
        let this = &list.head;
        let key = 0;
        let Some(node) = this else { return list.len == 0 };
        let key = key + node.key;
        let key_2 = 10;
        let Some(node) = &node.next else { return key == list.len };
        let key = key + node.key;
        key == list.len && key_2 == 10 && node.next.is_none() && this.is_some()
    },
    15
);

mod of_self {
    use korat::{Finitize, rep_ok};

    use crate::checkpoint::agree;

    #[derive(Debug, Finitize)]
    struct Node {
        key: u8,
        next: Option<Box<Node>>,
    }

    #[rep_ok]
    impl Node {
        fn rep_ok(&self) -> bool {
            let mut this = self;
            let mut sum = this.key;
            while let Some(next) = &this.next {
                this = next;
                sum += this.key;
            }
            sum == 2 * self.key
        }
    }

    #[test]
    fn both_ways_agree() {
        assert_eq!(agree(|| Node::scope(3)), 15);
    }
}
