//! Two rests that are alike but for one thing, which must not be taken for each other, and parts with rests that are opened.

use super::*;

subject!(one_object_or_two, |ends| ends > 0, {
    fn rep_ok(&self) -> bool {
        let Some(n) = &self.root else { return self.sum == 0 };
        let Some(l) = &n.left else { return false };
        if n.key == 2 {
            return false;
        }
        let third = if self.sum > 3 { Self::weight(n, l, n) } else { Self::weight(n, l, l) };
        third == self.sum
    }
    fn weight(a: &Node, b: &Node, c: &Node) -> usize {
        let inner = Self::depth(&b.left);
        (inner + a.key + 2 * b.key + 3 * c.key) % 7
    }
    fn depth(node: &Option<Box<Node>>) -> usize {
        let Some(n) = node else { return 0 };
        let left = Self::depth(&n.left);
        let right = Self::depth(&n.right);
        left.max(right) + 1
    }
});

subject!(a_part_between_is_in_the_product, |ends| ends > 0, {
    fn rep_ok(&self) -> bool {
        Self::weight(&self.root) == self.sum
    }
    fn weight(node: &Option<Box<Node>>) -> usize {
        let Some(n) = node else { return 1 };
        let key = n.key;
        let left = Self::weight(&n.left);
        let right = Self::weight(&n.right);
        let again = Self::weight(&n.left);
        (left + 2 * right + again + key) % 7
    }
});

subject!(some_rests_leave_fields_open, |ends| ends > 0, {
    fn rep_ok(&self) -> bool {
        Self::weight(&self.root, false) == self.sum
    }
    fn weight(node: &Option<Box<Node>>, needs_left: bool) -> usize {
        let Some(n) = node else { return 1 };
        if needs_left && n.left.is_none() {
            return 0;
        }
        let left = Self::weight(&n.left, !needs_left);
        if left == 3 {
            return 2;
        }
        (left + n.key + 1) % 7
    }
});

subject!(some_rests_leave_a_link_open, |ends| ends > 0, {
    fn rep_ok(&self) -> bool {
        Self::weight(&self.root) == self.sum
    }
    fn weight(node: &Option<Box<Node>>) -> usize {
        let Some(n) = node else { return 1 };
        let key = n.key;
        let left = Self::weight(&n.left);
        if left > key {
            return left - key;
        }
        let right = Self::weight(&n.right);
        (left + right + 2) % 7
    }
});

subject!(a_part_with_a_rest_is_opened, |ends| ends > 0, {
    fn rep_ok(&self) -> bool {
        let Some(n) = &self.root else { return false };
        Self::weight(&self.root) == n.key && self.sum == 0
    }
    fn weight(node: &Option<Box<Node>>) -> usize {
        let Some(n) = node else { return 0 };
        let right = Self::weight(&n.right);
        let left = Self::weight(&n.left);
        (right + n.key + left + 1) % 3
    }
});

subject!(a_part_with_two_rests_is_opened, |ends| ends > 0, {
    fn rep_ok(&self) -> bool {
        let first = Self::weight(&self.root);
        let Some(n) = &self.root else { return false };
        let in_left = n.left.as_ref().map_or(2, |left| left.key);
        let again = Self::weight(&self.root);
        first == again && self.sum == n.key * 2 + in_left
    }
    fn weight(node: &Option<Box<Node>>) -> usize {
        let Some(n) = node else { return 0 };
        let right = Self::weight(&n.right);
        let more = if n.key < right { 1 } else { 0 };
        let left = Self::weight(&n.left);
        (right + more + left + 1) % 3
    }
});
