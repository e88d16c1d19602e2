//! Weak pointers: ways back in lists and trees, observers, and what they have to agree with.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::{Rc, Weak};

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
pub struct Wagon {
    next: Option<Rc<RefCell<Wagon>>>,
    prev: Weak<RefCell<Wagon>>,
}

/// A doubly linked list with both ends.
#[derive(Debug, Finitize)]
pub struct Train {
    first: Option<Rc<RefCell<Wagon>>>,
    last: Weak<RefCell<Wagon>>,
    len: usize,
}

#[rep_ok]
impl Train {
    fn rep_ok(&self) -> bool {
        let mut behind: Option<Rc<RefCell<Wagon>>> = None;
        let mut at = self.first.clone();
        let mut len = 0;
        while let Some(wagon) = at {
            len += 1;
            if len > self.len {
                return false;
            }
            match (wagon.borrow().prev.upgrade(), &behind) {
                (None, None) => {}
                (Some(prev), Some(behind)) if Rc::ptr_eq(&prev, behind) => {}
                _ => return false,
            }
            at = wagon.borrow().next.clone();
            behind = Some(wagon);
        }
        let ends = match (self.last.upgrade(), behind) {
            (None, None) => true,
            (Some(last), Some(behind)) => Rc::ptr_eq(&last, &behind),
            (Some(_), None) | (None, Some(_)) => false,
        };
        ends && len == self.len
    }
}

#[derive(Debug, Finitize)]
pub struct Folder {
    parent: Weak<RefCell<Folder>>,
    #[finitize(len = 0..=2)]
    inside: Vec<Rc<RefCell<Folder>>>,
}

/// Folders that know the one they are in.
#[derive(Debug, Finitize)]
pub struct Volume {
    root: Option<Rc<RefCell<Folder>>>,
}

#[rep_ok]
impl Volume {
    fn rep_ok(&self) -> bool {
        let Some(root) = &self.root else { return true };
        if root.borrow().parent.upgrade().is_some() {
            return false;
        }
        let mut seen = HashSet::from([Rc::as_ptr(root)]);
        let mut work = vec![Rc::clone(root)];
        while let Some(folder) = work.pop() {
            for child in folder.borrow().inside.iter() {
                let parent = child.borrow().parent.upgrade();
                if !parent.is_some_and(|parent| Rc::ptr_eq(&parent, &folder)) || !seen.insert(Rc::as_ptr(child)) {
                    return false;
                }
                work.push(child.clone());
            }
        }
        true
    }
}

#[derive(Debug, Finitize)]
pub struct Branch {
    parent: Weak<RefCell<Branch>>,
    left: Option<Rc<RefCell<Branch>>>,
    right: Option<Rc<RefCell<Branch>>>,
}

/// A binary tree with ways back, by recursion.
#[derive(Debug, Finitize)]
pub struct Grove {
    root: Option<Rc<RefCell<Branch>>>,
}

#[rep_ok]
impl Grove {
    fn rep_ok(&self) -> bool {
        Self::count(self.root.as_ref(), None, &mut Vec::new()).is_some_and(|count| count != 1)
    }

    fn count(
        branch: Option<&Rc<RefCell<Branch>>>,
        parent: Option<&Rc<RefCell<Branch>>>,
        above: &mut Vec<*const RefCell<Branch>>,
    ) -> Option<usize> {
        let Some(branch) = branch else { return Some(0) };
        let back = branch.borrow().parent.upgrade();
        let agrees = match (&back, parent) {
            (Some(back), Some(parent)) => Rc::ptr_eq(back, parent),
            (back, parent) => back.is_none() && parent.is_none(),
        };
        if !agrees || above.contains(&Rc::as_ptr(branch)) {
            return None;
        }
        above.push(Rc::as_ptr(branch));
        let left = Self::count(branch.borrow().left.as_ref(), Some(branch), above)?;
        let right = Self::count(branch.borrow().right.as_ref(), Some(branch), above)?;
        Some(1 + left + right)
    }
}

#[derive(Debug, Finitize)]
pub struct Listener {
    muted: bool,
}

/// A subject that tells its listeners, none of them twice; the favourite is one that is not muted.
#[derive(Debug, Finitize)]
pub struct Subject {
    #[finitize(len = 0..=2)]
    held: Vec<Rc<RefCell<Listener>>>,
    #[finitize(len = 0..=2)]
    told: Vec<Weak<RefCell<Listener>>>,
    favourite: Weak<RefCell<Listener>>,
}

#[rep_ok]
impl Subject {
    fn rep_ok(&self) -> bool {
        let mut told: Vec<Rc<RefCell<Listener>>> = Vec::new();
        for listener in &self.told {
            let Some(listener) = listener.upgrade() else { return false };
            if told.iter().any(|other| Rc::ptr_eq(other, &listener)) {
                return false;
            }
            told.push(listener);
        }
        let holds = |wanted: &Rc<RefCell<Listener>>| self.held.iter().any(|held| Rc::ptr_eq(held, wanted));
        if !told.iter().all(holds) || told.len() != self.held.len() {
            return false;
        }
        match self.favourite.upgrade() {
            Some(favourite) => holds(&favourite) && !favourite.borrow().muted,
            None => told.is_empty(),
        }
    }
}
