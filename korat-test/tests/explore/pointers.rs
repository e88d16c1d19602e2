//! States with pointers: what operations see of them is what they would see of the user's own value.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::rc::{Rc, Weak};
use std::sync::{Arc, Mutex};

use korat::{Explore, Finitize};

#[derive(Debug, Default, Finitize)]
struct Leaf {
    value: u8,
}

#[test]
fn a_shared_object_has_only_its_own_pointers() {
    #[derive(Debug, Default, Finitize)]
    struct Root {
        one: Rc<Leaf>,
        two: Arc<Leaf>,
    }
    let report = Explore::from(Root::default())
        .operation("set", [()], |root, ()| {
            assert_eq!((Rc::weak_count(&root.one), Rc::strong_count(&root.one)), (0, 1));
            Rc::get_mut(&mut root.one).expect("nobody else has it").value = 1;
        })
        .operation("set_other", [()], |root, ()| {
            Arc::get_mut(&mut root.two).expect("nobody else has it").value = 1;
        })
        .run();
    report.expect_states(4);
}

type Link = Option<Rc<RefCell<Node>>>;

#[derive(Debug, Default, Finitize)]
struct Node {
    value: u8,
    next: Link,
    back: Weak<RefCell<Node>>,
}

/// A ring, or a chain with links back.
#[derive(Debug, Default, Finitize)]
struct Nodes {
    first: Link,
}

impl Nodes {
    fn nodes(&self) -> Vec<Rc<RefCell<Node>>> {
        let mut nodes: Vec<Rc<RefCell<Node>>> = Vec::new();
        let mut at = self.first.clone();
        while let Some(node) = at.filter(|node| nodes.iter().all(|known| !Rc::ptr_eq(known, node))) {
            at = node.borrow().next.clone();
            nodes.push(node);
        }
        nodes
    }

    fn push(&mut self, value: u8) {
        let nodes = self.nodes();
        if nodes.len() == 3 {
            return;
        }
        let back = nodes.last().map_or_else(Weak::new, Rc::downgrade);
        let node = Rc::new(RefCell::new(Node { value, next: None, back }));
        match nodes.last() {
            None => self.first = Some(node),
            Some(last) if last.borrow().next.is_none() => last.borrow_mut().next = Some(node),
            Some(_) => {}
        }
    }

    /// The last leads to one of the others, or to itself.
    fn close(&mut self, at: usize) {
        let nodes = self.nodes();
        if let (Some(last), Some(to)) = (nodes.last(), nodes.get(at)) {
            last.borrow_mut().next = Some(Rc::clone(to));
        }
    }

    /// Frees what only a cycle keeps alive, as a program that makes rings has to.
    fn open(&mut self) {
        if let Some(last) = self.nodes().last() {
            last.borrow_mut().next = None;
        }
    }
}

impl Drop for Nodes {
    fn drop(&mut self) {
        self.open();
    }
}

#[test]
fn rings_of_shared_nodes() {
    let report = Explore::from(Nodes::default())
        .operation("push", 1..=2, Nodes::push)
        .operation("close", 0..3, Nodes::close)
        .operation("open", [()], |nodes, ()| nodes.open())
        .check(|nodes| {
            let nodes = nodes.nodes();
            nodes.windows(2).all(|pair| pair[1].borrow().back.upgrade().is_some_and(|back| Rc::ptr_eq(&back, &pair[0])))
        })
        .run();
    // Chains of n nodes with two values each, open or closed at one of their nodes.
    report.expect_states(1 + 2 * (1 + 1) + 4 * (1 + 2) + 8 * (1 + 3));
}

#[test]
fn a_raw_pointer_to_what_has_no_box_is_refused() {
    #[derive(Debug, Finitize)]
    struct InVector {
        leaves: Vec<Leaf>,
        at: *mut Leaf,
    }
    #[derive(Debug, Finitize)]
    struct Pair {
        leaf: Leaf,
    }
    #[derive(Debug, Finitize)]
    struct ByValue {
        pair: Box<Pair>,
        at: *mut Leaf,
    }
    #[derive(Debug, Finitize)]
    struct Shared {
        leaf: Rc<Leaf>,
        at: *const Leaf,
    }
    let why = "a raw pointer leads to an object that lies in another one, in a vector, or behind an `Rc`";
    let mut state = InVector { leaves: vec![Leaf::default()], at: ptr::null_mut() };
    state.at = &raw mut state.leaves[0];
    let failed = Explore::from(state).regressions(false).try_run().unwrap_err();
    assert!(failed.failures[0].message.ends_with(why), "{failed}");
    let mut state = ByValue { pair: Box::new(Pair { leaf: Leaf::default() }), at: ptr::null_mut() };
    state.at = &raw mut state.pair.leaf;
    let failed = Explore::from(state).regressions(false).try_run().unwrap_err();
    assert!(failed.failures[0].message.ends_with(why), "{failed}");
    let leaf = Rc::new(Leaf::default());
    let failed = Explore::from(Shared { at: Rc::as_ptr(&leaf), leaf }).regressions(false).try_run().unwrap_err();
    assert!(failed.failures[0].message.ends_with(why), "{failed}");
}

#[test]
fn a_poisoned_lock_is_refused() {
    #[derive(Debug, Default, Finitize)]
    struct Locked {
        count: Mutex<u8>,
        leaf: Arc<Mutex<Leaf>>,
    }
    fn poison<T>(lock: &Mutex<T>) {
        let _ = catch_unwind(AssertUnwindSafe(|| {
            let _guard = lock.lock();
            panic!("while the lock is held");
        }));
    }
    let failed = Explore::from(Locked::default())
        .operation("count", [()], |locked, ()| poison(&locked.count))
        .operation("leaf", [()], |locked, ()| poison(&locked.leaf))
        .failures(2)
        .regressions(false)
        .try_run()
        .unwrap_err();
    assert!(failed.failures[0].message.ends_with("a lock is poisoned"), "{failed}");
    assert_eq!(failed.report.executions, 2);
}

#[test]
fn a_weak_pointer_to_what_nothing_owns_is_refused() {
    #[derive(Debug, Default, Finitize)]
    struct Watcher {
        watched: Weak<Leaf>,
    }
    thread_local! {
        static LEAF: Rc<Leaf> = Rc::default();
    }
    let failed = Explore::from(Watcher::default())
        .operation("watch", [()], |watcher, ()| watcher.watched = LEAF.with(Rc::downgrade))
        .regressions(false)
        .try_run()
        .unwrap_err();
    let message = &failed.failures[0].message;
    assert!(message.ends_with("a weak pointer leads to an object that nothing in the value owns"), "{failed}");
}

#[test]
fn what_is_nested_too_deeply_is_refused() {
    #[derive(Debug, Default, Finitize)]
    enum Nested {
        #[default]
        None,
        Some(Vec<Nested>),
    }
    fn nested(depth: usize) -> Nested {
        (0..depth).fold(Nested::None, |inside, _| Nested::Some(vec![inside]))
    }
    let report = Explore::from(nested(200)).operation("wrap", [()], |nested, ()| {
        let inside = std::mem::take(nested);
        *nested = Nested::Some(vec![inside]);
    });
    report.depth(3).run().expect_states(4);
    let failed = Explore::from(nested(3_000)).regressions(false).try_run().unwrap_err();
    assert!(
        failed.failures[0].message.ends_with("its objects are nested too deeply"),
        "{}",
        failed.failures[0].message
    );
}

#[test]
fn a_cell_in_use_is_refused() {
    #[derive(Debug, Default, Finitize)]
    struct Cells {
        count: RefCell<u8>,
        leaf: Rc<RefCell<Leaf>>,
    }
    let failed = Explore::from(Cells::default())
        .operation("read", [()], |cells, ()| std::mem::forget(cells.count.borrow()))
        .regressions(false)
        .try_run()
        .unwrap_err();
    assert!(failed.failures[0].message.ends_with("a cell is borrowed, or a lock is held"), "{failed}");
    let failed = Explore::from(Cells::default())
        .operation("read", [()], |cells, ()| std::mem::forget(cells.leaf.borrow()))
        .regressions(false)
        .try_run()
        .unwrap_err();
    assert!(failed.failures[0].message.ends_with("a cell is borrowed, or a lock is held"), "{failed}");
}

#[test]
fn a_listed_value_that_changes_is_refused() {
    use std::cell::Cell;
    #[derive(Debug, Finitize)]
    struct Counter {
        #[finitize(values = [Rc::new(Cell::new(0))])]
        count: Rc<Cell<u8>>,
    }
    let failed = Explore::from(Counter { count: Rc::new(Cell::new(0)) })
        .operation("count", [()], |counter, ()| counter.count.set(counter.count.get() + 1))
        .regressions(false)
        .try_run()
        .unwrap_err();
    assert!(failed.failures[0].message.contains("shares a listed value"), "{failed}");
}
