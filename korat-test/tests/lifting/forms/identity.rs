//! Objects and fields are told apart by their addresses.

use std::collections::HashSet;
use std::rc::Rc;

use korat::{Finitize, Search, rep_ok};

use crate::forms::valid;

#[derive(Debug, Finitize)]
struct Leaf;

/// Two objects without fields are two objects.
#[derive(Debug, Finitize)]
struct Two {
    one: Rc<Leaf>,
    other: Rc<Leaf>,
}

#[rep_ok]
impl Two {
    fn rep_ok(&self) -> bool {
        !Rc::ptr_eq(&self.one, &self.other)
    }
}

#[test]
fn objects_without_fields_are_different() {
    assert_eq!(valid::<Two>(2), 1);
}

#[derive(Debug, Finitize)]
struct Twig {
    left: Option<Box<Twig>>,
    right: Option<Box<Twig>>,
}

/// A tree that remembers links, not nodes.
#[derive(Debug, Finitize)]
struct ByLink {
    root: Option<Box<Twig>>,
}

#[rep_ok]
impl ByLink {
    fn rep_ok(&self) -> bool {
        let mut seen: HashSet<*const Option<Box<Twig>>> = HashSet::new();
        let mut work = vec![&self.root];
        while let Some(link) = work.pop() {
            if !seen.insert(link) {
                return false;
            }
            if let Some(twig) = link {
                work.push(&twig.left);
                work.push(&twig.right);
            }
        }
        true
    }
}

#[test]
fn fields_have_addresses_of_their_own() {
    assert_eq!(Search::new(ByLink::scope(3)).count(), 1 + 1 + 2 + 5);
}
