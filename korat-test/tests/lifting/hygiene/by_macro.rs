//! Classes that a macro writes: types and names come from different places.

macro_rules! list {
    ($list:ident of $node:ident with $key:ty: $domain:expr) => {
        /// A node.
        #[derive(Clone, Debug, korat::Finitize)]
        pub struct $node {
            #[finitize($domain)]
            key: $key,
            #[finitize(len = 0..=1)]
            cells: Vec<$key>,
            next: Option<Box<$node>>,
        }

        /// A list.
        #[derive(Clone, Debug, korat::Finitize)]
        pub struct $list {
            head: Option<Box<$node>>,
        }

        #[korat::rep_ok]
        impl $list {
            /// Whether the keys increase and no node has cells.
            pub fn rep_ok(&self) -> bool {
                let mut last: Option<$key> = None;
                let mut at = &self.head;
                while let Some(node) = at {
                    if last.is_some_and(|last| node.key <= last) || !node.cells.is_empty() {
                        return false;
                    }
                    last = Some(node.key);
                    at = &node.next;
                }
                true
            }
        }
    };
}

list!(Bytes of ByteNode with u8: 0..3);
list!(Letters of LetterNode with char: 'a'..='c');

#[test]
fn a_macro_may_write_the_class() {
    use korat::Finitize;
    for report in [
        korat::for_each_valid(Bytes::scope(3), |list| assert!(list.rep_ok())),
        korat::for_each_valid(Letters::scope(3), |list| assert!(list.rep_ok())),
    ] {
        assert_eq!(report.valid, 8);
    }
}
