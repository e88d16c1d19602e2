//! Faults that hide each other, or look like others: each is mended where it is, and the value is what it was.

use korat_examples::repairable::avl_tree::AvlTree;
use korat_examples::repairable::faults::Faulty;
use korat_examples::repairable::shared_list::SharedList;

/// Breaks a tree of so many nodes, and repairs it with so many changes.
fn restored(nodes: usize, break_it: impl FnOnce(&mut AvlTree), changes: usize) {
    let (whole, mut tree) = (AvlTree::build(nodes), AvlTree::build(nodes));
    break_it(&mut tree);
    assert!(!tree.rep_ok());
    let repaired = korat::repair(&mut tree).unwrap();
    assert_eq!(repaired.changes.len(), changes, "{repaired}");
    assert!(tree == whole, "{repaired}");
}

/// The node at the end of a way of `l` and `r` from the root.
fn at(tree: &AvlTree, way: &str) -> usize {
    way.chars().fold(tree.root.unwrap(), |at, step| {
        let node = &tree.nodes[at];
        if step == 'l' { node.left.unwrap() } else { node.right.unwrap() }
    })
}

#[test]
fn a_key_that_fits_where_it_is_but_not_above_what_is_below() {
    for way in ["lr", "lrrl", "rlrlr"] {
        restored(
            2000,
            |tree| {
                let (node, right) = (at(tree, way), at(tree, &format!("{way}r")));
                tree.nodes[node].key = tree.nodes[right].key + 1;
            },
            1,
        );
    }
}

/// Links a node of the tree wrongly, and breaks the part that is lost then.
fn restored_with_lost_part(faults: usize, break_it: impl Fn(&mut AvlTree, &str)) {
    for way in ["rl", "lrl", "rrl"] {
        restored(
            2000,
            |tree| {
                let (above, leaf) = (at(tree, way), at(tree, "llllllllll"));
                break_it(tree, &format!("{way}l"));
                tree.nodes[above].left = Some(leaf);
            },
            faults,
        );
    }
}

#[test]
fn a_lost_part_with_a_wrong_height() {
    restored_with_lost_part(2, |tree, lost| {
        let lost = at(tree, lost);
        tree.nodes[lost].height += 1;
    });
}

#[test]
fn a_lost_part_with_a_missing_link() {
    restored_with_lost_part(2, |tree, lost| {
        let inner = at(tree, &format!("{lost}r"));
        tree.nodes[inner].right = None;
    });
}

#[test]
fn a_lost_part_with_both() {
    restored_with_lost_part(3, |tree, part| {
        let (lost, inner) = (at(tree, part), at(tree, &format!("{part}r")));
        tree.nodes[lost].height += 1;
        tree.nodes[inner].right = None;
    });
}

#[test]
fn a_wrong_node_that_two_links_lead_to() {
    restored(
        2000,
        |tree| {
            let leaf = at(tree, "rlllllllll");
            for way in ["rrl", "lrl"] {
                let node = at(tree, way);
                tree.nodes[node].left = Some(leaf);
            }
        },
        2,
    );
}

#[test]
fn a_link_back_to_where_another_one_leads() {
    let (whole, mut list) = (SharedList::build(500), SharedList::build(500));
    let nodes: Vec<_> = std::iter::successors(list.head.clone(), |node| node.borrow().next.clone()).collect();
    nodes[200].borrow_mut().prev = None;
    nodes[400].borrow_mut().prev = Some(std::rc::Rc::downgrade(&nodes[199]));
    drop(nodes);
    assert!(!list.rep_ok());
    let repaired = korat::repair(&mut list).unwrap();
    assert_eq!(repaired.changes.len(), 2, "{repaired}");
    assert!(list.rep_ok() && list.content() == whole.content(), "{repaired}");
}
