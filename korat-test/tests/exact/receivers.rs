//! Types of the user's own whose methods are named like std's, with every kind of receiver, in locals that are kept across
//! reads. What a method does is what its type says.

mod types;

use types::*;

use super::harness::on_lists;

/// The named methods for each of the types, and a predicate for each name.
macro_rules! named {
    ($($name:ident)*) => {
        impl Changed {
            $(pub fn $name(&mut self, key: u8) { self.n = self.n.wrapping_mul(2).wrapping_add(key); })*
        }

        impl ChangedCopy {
            $(pub fn $name(&mut self, key: u8) -> u8 { self.n = self.n.wrapping_mul(3).wrapping_add(key); self.n })*
        }

        impl Looked {
            $(pub fn $name(&self, key: u8) -> u8 { self.n.replace(key) })*
        }

        impl Turned {
            $(pub fn $name(self, key: u8) -> Turned { Turned { n: self.n.wrapping_add(key) } })*
        }

        impl Given {
            $(pub fn $name(self, key: u8) -> Given { Given { n: self.n.wrapping_mul(3).wrapping_add(key) } })*
        }

        $(on_lists! { $name [plain(Changed, ChangedCopy, Turned)]
            fn rep_ok(&self) -> bool {
                let mut changed = Changed { n: 0 };
                let mut copy = ChangedCopy { n: 1 };
                let turned = Turned { n: 3 };
                let mut sum: u8 = 0;
                let mut at = &self.head;
                while let Some(node) = at {
                    changed.$name(node.key);
                    sum = sum.wrapping_add(copy.$name(1));
                    sum = sum.wrapping_add(turned.$name(node.key).n);
                    at = &node.next;
                }
                let all = [changed.n, copy.n, turned.n, sum];
                all.iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
            }
        })*
    };
}

named! {
    max min count skip filter map take next last get insert push len zip rev fold sum unwrap into_inner or and iter
    swap replace get_mut last_mut iter_mut entry as_ref as_mut cloned copied collect by_ref borrow borrow_mut set into_iter
    pop remove expect unwrap_or chain product drop deref
}

/// A predicate for each name that uses up what it is called on.
macro_rules! used_up {
    ($($name:ident)*) => {
        mod used_up {
            use super::*;

            $(on_lists! { $name [plain(Given)]
                fn rep_ok(&self) -> bool {
                    let mut given = Given { n: 4 };
                    let mut at = &self.head;
                    while let Some(node) = at {
                        given = given.$name(node.key);
                        at = &node.next;
                    }
                    given.n % 5 == self.mark
                }
            })*
        }
    };
}

used_up! {
    max min count skip filter map take zip rev fold sum unwrap into_inner or and cloned copied collect into_iter expect unwrap_or chain product
}

on_lists! {
    the_issue_s_tally [plain(Changed)]

    fn rep_ok(&self) -> bool {
        let mut tally = Changed { n: 0 };
        let mut at = &self.head;
        while let Some(node) = at {
            tally.max(node.key);
            at = &node.next;
        }
        tally.n % 5 == self.mark
    }
}

on_lists! {
    looked_at [plain(Looked)]

    fn rep_ok(&self) -> bool {
        let looked = Looked::new(2);
        let mut sum: u8 = 0;
        let mut at = &self.head;
        while let Some(node) = at {
            sum = sum.wrapping_mul(2).wrapping_add(looked.max(node.key)).wrapping_add(looked.take(1));
            sum = sum.wrapping_mul(2).wrapping_add(looked.next(node.key)).wrapping_add(looked.push(2));
            at = &node.next;
        }
        sum.wrapping_add(looked.now()) % 5 == self.mark
    }
}

on_lists! {
    chained [plain(Fluent)]

    fn rep_ok(&self) -> bool {
        let mut fluent = Fluent::default();
        let mut at = &self.head;
        while let Some(node) = at {
            fluent.push(node.key).push(1).push(node.key);
            at = &node.next;
        }
        fluent.n % 5 == self.mark
    }
}

on_lists! {
    taken [plain(Fluent)]

    fn rep_ok(&self) -> bool {
        let mut fluent = Fluent { n: 1 };
        let mut sum: u8 = 0;
        let mut at = &self.head;
        while let Some(node) = at {
            fluent.push(node.key);
            if node.key == 2 {
                sum = sum.wrapping_mul(3).wrapping_add(fluent.take().unwrap_or(7));
            }
            at = &node.next;
        }
        sum.wrapping_add(fluent.n) % 5 == self.mark
    }
}

on_lists! {
    by_a_trait []

    fn rep_ok(&self) -> bool {
        let mut steps: u8 = 0;
        let mut at = &self.head;
        while let Some(node) = at {
            steps.count();
            steps.skip(node.key);
            at = &node.next;
        }
        steps % 5 == self.mark
    }
}

on_lists! {
    by_deref [plain(Wrapped, Fluent)]

    fn rep_ok(&self) -> bool {
        let mut wrapped = Wrapped(Fluent { n: 2 });
        let mut at = &self.head;
        while let Some(node) = at {
            wrapped.push(node.key);
            at = &node.next;
        }
        wrapped.n % 5 == self.mark
    }
}

on_lists! {
    hidden_by_the_type_s_own [plain(Twofold)]

    fn rep_ok(&self) -> bool {
        let mut twofold = Twofold { n: 1 };
        let mut sum: u8 = 0;
        let mut at = &self.head;
        while let Some(node) = at {
            sum = sum.wrapping_mul(3).wrapping_add(twofold.max(node.key));
            at = &node.next;
        }
        sum.wrapping_add(twofold.n) % 5 == self.mark
    }
}

on_lists! {
    generic [plain(Slot)]

    fn rep_ok(&self) -> bool {
        let mut slot: Slot<u8> = Slot { held: 1 };
        let mut pair: Slot<(u8, u8)> = Slot { held: (0, 0) };
        let mut sum: u8 = 0;
        let mut at = &self.head;
        while let Some(node) = at {
            sum = sum.wrapping_mul(3).wrapping_add(slot.replace(node.key));
            pair.max((slot.held, node.key));
            at = &node.next;
        }
        sum.wrapping_add(pair.held.0).wrapping_add(slot.held) % 5 == self.mark
    }
}

on_lists! {
    named_clone [plain(Uncloned)]

    fn rep_ok(&self) -> bool {
        let mut uncloned = Uncloned { n: 0 };
        let mut sum: u8 = 0;
        let mut at = &self.head;
        while let Some(node) = at {
            sum = sum.wrapping_add(uncloned.clone(node.key)).wrapping_add(uncloned.to_owned());
            at = &node.next;
        }
        sum.wrapping_add(uncloned.n) % 5 == self.mark
    }
}

on_lists! {
    declared_in_the_body []

    fn rep_ok(&self) -> bool {
        #[derive(Clone, Copy)]
        struct Tally {
            n: u8,
        }
        impl Tally {
            fn max(&mut self, key: u8) {
                self.n = self.n.wrapping_mul(2).wrapping_add(key);
            }
            fn count(self) -> u8 {
                self.n
            }
        }
        let mut tally = Tally { n: 0 };
        let mut at = &self.head;
        while let Some(node) = at {
            tally.max(node.key);
            at = &node.next;
        }
        tally.count() % 5 == self.mark
    }
}

on_lists! {
    through_a_reference [plain(Changed, ChangedCopy)]

    fn rep_ok(&self) -> bool {
        let mut changed = Changed { n: 0 };
        let mut copy = ChangedCopy { n: 0 };
        {
            let (one, other) = (&mut changed, &mut copy);
            let mut at = &self.head;
            while let Some(node) = at {
                one.max(node.key);
                other.take(node.key);
                at = &node.next;
            }
        }
        changed.n.wrapping_mul(2).wrapping_add(copy.n) % 5 == self.mark
    }
}

mod once_refused;
