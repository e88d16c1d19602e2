//! A perfect tree whose nodes know their height.

use korat::{Finitize, Repair, rep_ok};

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Node {
    height: u32,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

impl Node {
    fn new(height: u32) -> Option<Box<Node>> {
        let child = || Node::new(height - 1);
        (height > 0).then(|| Box::new(Node { height, left: child(), right: child() }))
    }
}

/// A tree whose nodes know how high they are. They have two children or none, which are equally high.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Tree {
    root: Option<Box<Node>>,
}

#[rep_ok]
impl Tree {
    fn rep_ok(&self) -> bool {
        self.root.as_ref().is_some_and(|root| root.height == 5 && Self::is_perfect(root))
    }

    fn is_perfect(node: &Node) -> bool {
        // It is read before that is which it is compared with.
        let height = node.height;
        match (&node.left, &node.right) {
            (None, None) => height == 1,
            (Some(left), Some(right)) => {
                Self::is_perfect(left)
                    && Self::is_perfect(right)
                    && left.height == right.height
                    && height == left.height + 1
            }
            _ => false,
        }
    }
}

#[test]
fn what_is_made_anew_knows_its_height() {
    for (way, added) in [(&[0, 0, 0][..], 1), (&[1, 0, 1], 1), (&[1, 1, 1], 1), (&[0, 1], 3), (&[1, 0], 3)] {
        let mut wrong = Tree { root: Node::new(5) };
        let mut node = wrong.root.as_mut().expect("there is a root");
        for &child in way {
            node = [&mut node.left, &mut node.right][child].as_mut().expect("there is a child");
        }
        node.right = None;
        assert!(!wrong.rep_ok());
        let repaired = Repair::new().max_tries(20_000).repair(&mut wrong);
        let repaired = repaired.unwrap_or_else(|error| panic!("{way:?}: {error}"));
        assert_eq!((repaired.changes.len(), repaired.added.len()), (1, added), "{way:?}: {repaired}");
        assert_eq!(wrong, Tree { root: Node::new(5) });
    }
}
