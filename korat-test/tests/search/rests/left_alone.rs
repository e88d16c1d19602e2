//! Calls after which something else matters, or could: each is followed by a run.

use super::*;

subject!(a_temporary_is_pending, |ends| ends == 0, {
    fn rep_ok(&self) -> bool {
        Self::weight(&self.root) == Some(self.sum)
    }
    fn weight(node: &Option<Box<Node>>) -> Option<usize> {
        let Some(n) = node else { return Some(0) };
        Some((n.key + 3 * Self::weight(&n.left)? + Self::weight(&n.right)?) % 7)
    }
});

subject!(a_local_is_moved_and_its_name_bound_again, |ends| ends == 0, {
    fn rep_ok(&self) -> bool {
        Self::weight(&self.root) == Some(self.sum)
    }
    fn weight(node: &Option<Box<Node>>) -> Option<usize> {
        let Some(n) = node else { return Some(0) };
        let keys: Vec<usize> = vec![n.key];
        let key: usize = keys.into_iter().sum();
        let left = Self::weight(&n.left)?;
        let right = Self::weight(&n.right)?;
        let keys = right;
        Some((keys + left + key) % 7)
    }
});

subject!(both_of_a_short_circuit, |ends| ends == 0, {
    fn rep_ok(&self) -> bool {
        Self::is_even(&self.root, true) && self.sum < 2
    }
    fn is_even(node: &Option<Box<Node>>, even: bool) -> bool {
        let Some(n) = node else { return true };
        (n.key == 0) == even && Self::is_even(&n.left, even) && Self::is_even(&n.right, !even)
    }
});

subject!(a_local_is_added_to, |ends| ends == 0, {
    fn rep_ok(&self) -> bool {
        Self::weight(&self.root) == Some(self.sum)
    }
    fn weight(node: &Option<Box<Node>>) -> Option<usize> {
        let Some(n) = node else { return Some(0) };
        let mut total = n.key;
        total += 2 * Self::weight(&n.left)?;
        total += Self::weight(&n.right)?;
        Some(total % 7)
    }
});

subject!(a_parameter_is_changed, |ends| ends == 0, {
    fn rep_ok(&self) -> bool {
        let mut total = 0;
        Self::add(&self.root, &mut total) && total % 7 == self.sum
    }
    fn add(node: &Option<Box<Node>>, total: &mut usize) -> bool {
        let Some(n) = node else { return true };
        let left = Self::add(&n.left, total);
        *total += n.key;
        let right = Self::add(&n.right, total);
        left && right
    }
});

subject!(a_loop_makes_the_calls, |ends| ends == 0, {
    fn rep_ok(&self) -> bool {
        Self::weight(&self.root) == Some(self.sum)
    }
    fn weight(node: &Option<Box<Node>>) -> Option<usize> {
        let Some(n) = node else { return Some(0) };
        let mut total = n.key;
        'sides: for side in [&n.left, &n.right] {
            if side.is_none() {
                continue 'sides;
            }
            let found = Self::weight(side)?;
            if found > 4 {
                break 'sides;
            }
            total = (total * 2 + found) % 7;
        }
        Some(total)
    }
});

subject!(a_call_is_an_argument_of_another, |ends| ends == 0, {
    fn rep_ok(&self) -> bool {
        Self::weight(&self.root, 0) == Some(self.sum)
    }
    fn weight(node: &Option<Box<Node>>, more: usize) -> Option<usize> {
        let Some(n) = node else { return Some(more) };
        let key = n.key;
        let both = Self::weight(&n.right, Self::weight(&n.left, more)?)?;
        Some((both * 2 + key) % 7)
    }
});

subject!(an_argument_calls_at_times, |ends| ends == 0, {
    fn rep_ok(&self) -> bool {
        Self::weight(&self.root, 0) == Some(self.sum)
    }
    fn weight(node: &Option<Box<Node>>, more: usize) -> Option<usize> {
        let Some(n) = node else { return Some(more) };
        let goes_left = n.key == 0;
        let both = Self::weight(&n.right, if goes_left { Self::weight(&n.left, more)? } else { 3 })?;
        Some((both * 2 + more + 1) % 7)
    }
});
