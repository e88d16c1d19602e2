//! Names that a machine could confuse: of locals, of items in several methods, of what a format names.

use korat::{Finitize, rep_ok};

use super::classes::{Node, lists, numbers};
use crate::harness::corpus;

mod this_local {
    use super::*;

    lists! { ThisLocal }

    #[rep_ok]
    impl ThisLocal {
        pub fn rep_ok(&self) -> bool {
            let mut this = &self.head;
            let mut n = 0;
            while let Some(x) = this {
                n += 1;
                if x.key > 1 {
                    return false;
                }
                this = &x.next;
            }
            self.head.is_some() && n < 3
        }
    }
}

mod name_2 {
    use super::*;

    numbers! { Name2 }

    #[rep_ok]
    impl Name2 {
        pub fn rep_ok(&self) -> bool {
            let x = self.a;
            let x_2 = self.b;
            let x = x + self.c;
            x == x_2 && self.a > 0
        }
    }
}

mod item_shadow {
    use super::*;

    numbers! { ItemShadow }

    const MAX: u8 = 2;

    #[rep_ok]
    impl ItemShadow {
        pub fn rep_ok(&self) -> bool {
            const MAX: u8 = 1;
            self.a <= MAX && self.other()
        }

        fn other(&self) -> bool {
            self.b == MAX && self.c == 0
        }
    }
}

mod use_twice {
    use super::*;

    numbers! { UseTwice }

    #[rep_ok]
    impl UseTwice {
        pub fn rep_ok(&self) -> bool {
            use std::cmp::Ordering;
            self.a.cmp(&self.b) == Ordering::Less && self.other()
        }

        fn other(&self) -> bool {
            use std::cmp::Ordering;
            self.b.cmp(&self.c) != Ordering::Greater
        }
    }
}

mod closure_like_nested {
    use super::*;

    numbers! { ClosureLikeNested }

    #[rep_ok]
    impl ClosureLikeNested {
        pub fn rep_ok(&self) -> bool {
            fn check(x: u8) -> bool {
                x > 0
            }
            check(self.a) && self.other()
        }

        fn other(&self) -> bool {
            let check = |x: u8| x == 0;
            check(self.b) && check(self.c)
        }
    }
}

mod freefn_like_nested {
    use super::*;

    numbers! { FreefnLikeNested }

    fn small(x: u8) -> bool {
        x == 0
    }

    #[rep_ok]
    impl FreefnLikeNested {
        pub fn rep_ok(&self) -> bool {
            fn small(x: u8) -> bool {
                x < 2
            }
            small(self.a) && self.other()
        }

        fn other(&self) -> bool {
            small(self.b) && small(self.c)
        }
    }
}

mod upper_local {
    use super::*;

    numbers! { UpperLocal }

    #[rep_ok]
    impl UpperLocal {
        #[allow(non_snake_case)]
        pub fn rep_ok(&self) -> bool {
            let N = self.a;
            if self.b > N {
                return false;
            }
            let M = N + 1;
            self.c < M && self.c < N
        }
    }
}

mod width {
    use super::*;

    numbers! { Width }

    #[rep_ok]
    impl Width {
        pub fn rep_ok(&self) -> bool {
            let width = self.a as usize;
            let w = self.b;
            let s = format!("{:>width$}", w);
            s.len() as u8 == self.c && s.len() == width
        }
    }
}

mod raw_names {
    use super::*;

    numbers! { RawNames }

    #[rep_ok]
    impl RawNames {
        pub fn rep_ok(&self) -> bool {
            let r#type = self.a;
            self.r#match(r#type) && self.b == r#type
        }

        fn r#match(&self, r#in: u8) -> bool {
            self.c > r#in
        }
    }
}

mod macro_twice {
    use super::*;

    numbers! { MacroTwice }

    #[rep_ok]
    impl MacroTwice {
        pub fn rep_ok(&self) -> bool {
            macro_rules! ok {
                ($x:expr) => {
                    $x < 1
                };
            }
            ok!(self.a) && self.other()
        }

        fn other(&self) -> bool {
            macro_rules! ok {
                ($x:expr) => {
                    $x > 1
                };
            }
            ok!(self.b) && self.c == 1
        }
    }
}

corpus! {
    this_local: this_local::ThisLocal, 3 => 6;
    name_2: name_2::Name2, 3 => 3;
    item_shadow: item_shadow::ItemShadow, 3 => 2;
    use_twice: use_twice::UseTwice, 3 => 4;
    closure_like_nested: closure_like_nested::ClosureLikeNested, 3 => 2;
    freefn_like_nested: freefn_like_nested::FreefnLikeNested, 3 => 2;
    upper_local: upper_local::UpperLocal, 3 => 8;
    width: width::Width, 3 => 6;
    raw_names: raw_names::RawNames, 3 => 3;
    macro_twice: macro_twice::MacroTwice, 3 => 1;
}
