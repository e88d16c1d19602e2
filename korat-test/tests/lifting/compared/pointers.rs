//! What is noted of pointers: the same object has one address, however it is pointed to.

use std::cell::RefCell;
use std::ptr;
use std::rc::{Rc, Weak};

use korat::__private::compared::Operand::{Address, Nothing};
use korat::__private::compared::{Comparison, Operator};
use korat::{Finitize, rep_ok};

use crate::compared::each_accepted;

#[derive(Debug, Finitize)]
struct Node {
    next: Option<Rc<RefCell<Node>>>,
    back: RefCell<Weak<RefCell<Node>>>,
}

#[derive(Debug, Finitize)]
struct Ends {
    one: Rc<RefCell<Node>>,
    two: Rc<RefCell<Node>>,
}

#[rep_ok]
impl Ends {
    fn rep_ok(&self) -> bool {
        let (one, two) = (&self.one, &self.two);
        let (node, other) = (one.borrow(), two.borrow());
        let all = [
            Rc::ptr_eq(one, two),
            ptr::eq(&*node, &*other),
            Rc::as_ptr(one) == Rc::as_ptr(two),
            node.back.borrow().ptr_eq(&other.back.borrow()),
            node.next.as_ref().map(|next| Rc::as_ptr(next)) == None,
        ];
        all.len() < 6
    }
}

#[test]
fn pointers_are_noted_by_the_object() {
    each_accepted::<Ends>(2, |_, value, last| {
        let [_, weak, raw, references, strong] = last[..5] else { panic!("{last:?}") };
        let is_same = |Comparison { operator, left, right }| {
            assert_eq!(operator, Operator::Equal);
            assert!(matches!((left, right), (Address(_), Address(_))), "{left:?}, {right:?}");
            left == right
        };
        let same = Rc::ptr_eq(&value.one, &value.two);
        assert_eq!([strong, references, raw].map(is_same), [same; 3]);
        assert_eq!(strong.left, raw.left);
        let backs = [&value.one, &value.two].map(|node| node.borrow().back.borrow().upgrade());
        for (side, back) in [weak.left, weak.right].into_iter().zip(&backs) {
            match back {
                None => assert_eq!(side, Nothing),
                Some(back) if Rc::ptr_eq(back, &value.one) => assert_eq!(side, strong.left),
                Some(back) if Rc::ptr_eq(back, &value.two) => assert_eq!(side, strong.right),
                Some(_) => assert!(matches!(side, Address(_))),
            }
        }
    });
}

#[derive(Debug, Finitize)]
struct Raw {
    first: *mut Item,
    last: *mut Item,
}

#[derive(Debug, Finitize)]
struct Item {
    next: *mut Item,
}

#[rep_ok]
impl Raw {
    fn rep_ok(&self) -> bool {
        if self.first.is_null() {
            return self.last == self.first;
        }
        // SAFETY: a generated value points to an object that is there.
        let first = unsafe { &*self.first };
        // A reference that becomes a pointer because it is compared with one.
        let pointer: *const Item = self.last;
        pointer != first || pointer == &*first
    }
}

#[test]
fn raw_pointers_are_noted_and_references_beside_them_stay_pointers() {
    each_accepted::<Raw>(2, |_, value, last| {
        let Comparison { operator, left, right } = last[0];
        assert_eq!(left == right, value.first == value.last, "{left:?} {operator:?} {right:?}");
        assert_eq!(left == Nothing, value.last.is_null());
        assert_eq!(right == Nothing, value.first.is_null());
    });
}
