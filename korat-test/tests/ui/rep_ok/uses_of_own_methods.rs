//! `uses(Self::..)` names methods of the block that a predicate can call.

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
struct List {
    len: usize,
}

#[rep_ok(uses(Self::missing, Self::clear))]
impl List {
    fn rep_ok(&self) -> bool {
        self.len > 0
    }
    fn clear(&mut self) {
        self.len = 0;
    }
}

#[rep_ok(helpers, uses(Self::clear))]
fn is_long(list: &List) -> bool {
    list.len > 3
}

fn main() {
    let mut list = List { len: 0 };
    list.clear();
    let _ = (is_long(&list), list.rep_ok());
}
