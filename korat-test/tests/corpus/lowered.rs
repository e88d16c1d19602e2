//! What lowering has got wrong once: each of these did not compile, or was searched wrongly, as a machine.

use crate::harness::corpus;

mod this_local {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct Node {
        #[finitize(0..=2)]
        key: u8,
        next: Option<Box<Node>>,
    }
    #[derive(Debug, Clone, Finitize)]
    pub struct ThisLocal {
        head: Option<Box<Node>>,
    }
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
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct Name2 {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
        #[finitize(0..=2)]
        c: u8,
    }
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
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct ItemShadow {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
        #[finitize(0..=2)]
        c: u8,
    }
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
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct UseTwice {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
        #[finitize(0..=2)]
        c: u8,
    }
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
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct ClosureLikeNested {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
        #[finitize(0..=2)]
        c: u8,
    }
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
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct FreefnLikeNested {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
        #[finitize(0..=2)]
        c: u8,
    }
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

mod move_copy {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct MoveCopy {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
        #[finitize(0..=2)]
        c: u8,
    }
    #[rep_ok]
    impl MoveCopy {
        pub fn rep_ok(&self) -> bool {
            let mut n = self.a;
            let add = move |x: u8| x + n;
            n = self.b;
            n += 1;
            let r = add(self.c);
            r == 2 && n > 1
        }
    }
}

mod move_counter {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct MoveCounter {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
        #[finitize(0..=2)]
        c: u8,
    }
    #[rep_ok]
    impl MoveCounter {
        pub fn rep_ok(&self) -> bool {
            let mut n = 0u8;
            let mut next = move || {
                n += 1;
                n
            };
            let x = next() + self.a;
            n += self.b;
            let y = next() + self.c;
            x == y && n < 2
        }
    }
}

mod mutstruct_field {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct Node {
        #[finitize(0..=2)]
        key: u8,
        next: Option<Box<Node>>,
    }
    #[derive(Debug, Clone, Finitize)]
    pub struct MutstructField {
        head: Option<Box<Node>>,
    }
    #[rep_ok]
    impl MutstructField {
        pub fn rep_ok(&self) -> bool {
            #[derive(Default)]
            struct Acc {
                keys: Vec<u8>,
                n: usize,
            }
            fn go(l: &Option<Box<Node>>, acc: &mut Acc) {
                if let Some(x) = l {
                    acc.keys.push(x.key);
                    acc.n += 1;
                    go(&x.next, acc);
                }
            }
            let mut acc = Acc::default();
            go(&self.head, &mut acc);
            acc.keys.is_sorted() && acc.n > 0
        }
    }
}

mod tuple_mut {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct Node {
        #[finitize(0..=2)]
        key: u8,
        next: Option<Box<Node>>,
    }
    #[derive(Debug, Clone, Finitize)]
    pub struct TupleMut {
        head: Option<Box<Node>>,
    }
    #[rep_ok]
    impl TupleMut {
        pub fn rep_ok(&self) -> bool {
            let mut acc = (0usize, Vec::new());
            Self::go(&self.head, &mut acc);
            acc.1.is_sorted() && acc.0 > 0
        }
        fn go(l: &Option<Box<Node>>, acc: &mut (usize, Vec<u8>)) {
            if let Some(x) = l {
                acc.1.push(x.key);
                acc.0 += 1;
                Self::go(&x.next, acc);
            }
        }
    }
}

mod replace_param {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct Node {
        #[finitize(0..=2)]
        key: u8,
        next: Option<Box<Node>>,
    }
    #[derive(Debug, Clone, Finitize)]
    pub struct ReplaceParam {
        head: Option<Box<Node>>,
    }
    #[rep_ok]
    impl ReplaceParam {
        pub fn rep_ok(&self) -> bool {
            let mut last = 0;
            Self::go(&self.head, &mut last) && last == 2
        }
        fn go(l: &Option<Box<Node>>, last: &mut u8) -> bool {
            match l {
                None => true,
                Some(x) => {
                    let old = std::mem::replace(last, x.key);
                    old <= x.key && Self::go(&x.next, last)
                }
            }
        }
    }
}

mod generic_mut {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct Node {
        #[finitize(0..=2)]
        key: u8,
        next: Option<Box<Node>>,
    }
    #[derive(Debug, Clone, Finitize)]
    pub struct GenericMut {
        head: Option<Box<Node>>,
    }
    #[rep_ok]
    impl GenericMut {
        pub fn rep_ok(&self) -> bool {
            let mut n = 0;
            Self::go(&self.head, &mut n) && n == 2
        }
        fn bump<T: std::ops::AddAssign<T>>(n: &mut T, by: T) {
            *n += by;
        }
        fn go(l: &Option<Box<Node>>, n: &mut u8) -> bool {
            match l {
                None => true,
                Some(x) => {
                    Self::bump(n, x.key);
                    Self::go(&x.next, n)
                }
            }
        }
    }
}

mod left_then_mut {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct LeftThenMut {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
        #[finitize(0..=2)]
        c: u8,
    }
    #[rep_ok]
    impl LeftThenMut {
        pub fn rep_ok(&self) -> bool {
            let mut n = self.a;
            let r = n + self.bump(&mut n);
            r == 3 && n < 4
        }
        fn bump(&self, n: &mut u8) -> u8 {
            *n += self.b;
            *n
        }
    }
}

mod tuple_then_mut {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct TupleThenMut {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
        #[finitize(0..=2)]
        c: u8,
    }
    #[rep_ok]
    impl TupleThenMut {
        pub fn rep_ok(&self) -> bool {
            let mut n = self.a;
            let (x, y) = (n, self.bump(&mut n));
            x + 1 == y && self.c == x
        }
        fn bump(&self, n: &mut u8) -> u8 {
            *n += self.b;
            *n
        }
    }
}

mod recv_then_mut {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct RecvThenMut {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
        #[finitize(0..=2)]
        c: u8,
    }
    #[rep_ok]
    impl RecvThenMut {
        pub fn rep_ok(&self) -> bool {
            let mut n = self.a;
            n.max(self.bump(&mut n)) == 2 && self.c == 0
        }
        fn bump(&self, n: &mut u8) -> u8 {
            let x = *n;
            *n = 9;
            x.min(self.b)
        }
    }
}

mod arg_then_mut {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct ArgThenMut {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
        #[finitize(0..=2)]
        c: u8,
    }
    #[rep_ok]
    impl ArgThenMut {
        pub fn rep_ok(&self) -> bool {
            let mut n = self.a;
            Self::lt(n, self.bump(&mut n)) && self.c == 0
        }
        fn lt(x: u8, y: u8) -> bool {
            x < y
        }
        fn bump(&self, n: &mut u8) -> u8 {
            *n += self.b;
            *n
        }
    }
}

mod deref_then_mut {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct Node {
        #[finitize(0..=2)]
        key: u8,
        next: Option<Box<Node>>,
    }
    #[derive(Debug, Clone, Finitize)]
    pub struct DerefThenMut {
        head: Option<Box<Node>>,
    }
    #[rep_ok]
    impl DerefThenMut {
        pub fn rep_ok(&self) -> bool {
            let mut n = 0;
            Self::go(&self.head, &mut n) == 3
        }
        fn go(l: &Option<Box<Node>>, n: &mut u8) -> u8 {
            match l {
                None => 0,
                Some(x) => {
                    *n += x.key;
                    *n + Self::go(&x.next, n)
                }
            }
        }
    }
}

mod oncecell {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct Node {
        #[finitize(0..=2)]
        key: u8,
        next: Option<Box<Node>>,
    }
    #[derive(Debug, Clone, Finitize)]
    pub struct Oncecell {
        head: Option<Box<Node>>,
    }
    use std::cell::OnceCell;
    #[rep_ok]
    impl Oncecell {
        pub fn rep_ok(&self) -> bool {
            let n = OnceCell::new();
            let mut at = &self.head;
            while let Some(x) = at {
                if *n.get_or_init(|| x.key) != x.key {
                    return false;
                }
                at = &x.next;
            }
            n.get() == Some(&1)
        }
    }
}

mod match_box {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct MatchBox {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
        #[finitize(0..=2)]
        c: u8,
    }
    #[rep_ok]
    impl MatchBox {
        pub fn rep_ok(&self) -> bool {
            let f: Box<dyn Fn(u8) -> bool> = match self.a {
                0 => Box::new(|x| x > 0),
                1 if self.ok() => Box::new(|x| x == 0),
                _ => {
                    if self.b == 1 {
                        return false;
                    }
                    Box::new(|_| true)
                }
            };
            f(self.c)
        }
        fn ok(&self) -> bool {
            self.b == 0
        }
    }
}

mod f_handle {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct FHandle {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
        #[finitize(0..=2)]
        c: u8,
    }
    #[rep_ok]
    impl FHandle {
        pub fn rep_ok(&self) -> bool {
            let k = self.a;
            let f = |x: u8| x + 1;
            let g = |x: u8| f(x) + k;
            g(self.b) == 3 && g(self.c) > 2
        }
    }
}

mod try_arg {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct Node {
        #[finitize(0..=2)]
        key: u8,
        next: Option<Box<Node>>,
    }
    #[derive(Debug, Clone, Finitize)]
    pub struct TryArg {
        head: Option<Box<Node>>,
    }
    #[rep_ok]
    impl TryArg {
        pub fn rep_ok(&self) -> bool {
            Self::third(&self.head) == Some(2)
        }
        fn third(l: &Option<Box<Node>>) -> Option<u8> {
            let n = l.as_ref()?;
            if n.key == 0 {
                return Some(7);
            }
            let r = Self::add(Self::key(n.next.as_ref()?), n.key)?;
            Some(r)
        }
        fn key(n: &Node) -> u8 {
            n.key
        }
        fn add(a: u8, b: u8) -> Option<u8> {
            if a > 1 { None } else { Some(a + b) }
        }
    }
}

mod continue_arg {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct ContinueArg {
        #[finitize(0..=2, len = 0..=3)]
        v: Vec<u8>,
    }
    #[rep_ok]
    impl ContinueArg {
        pub fn rep_ok(&self) -> bool {
            let mut t = 0;
            for i in 0..4usize {
                t += Self::dbl(
                    match self.v.get(i) {
                        Some(x) => *x,
                        None => continue,
                    },
                    i,
                );
            }
            t == 4
        }
        fn dbl(x: u8, i: usize) -> usize {
            x as usize * 2 + i - i
        }
    }
}

mod return_arg {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct ReturnArg {
        #[finitize(0..=2, len = 0..=3)]
        v: Vec<u8>,
    }
    #[rep_ok]
    impl ReturnArg {
        pub fn rep_ok(&self) -> bool {
            let mut t = 0;
            Self::sum(self, &mut t) == 4 && t > 0
        }
        fn sum(&self, t: &mut usize) -> usize {
            for i in 0..4usize {
                *t += Self::dbl(
                    match self.v.get(i) {
                        Some(x) => *x,
                        None => return *t,
                    },
                    i,
                );
            }
            0
        }
        fn dbl(x: u8, i: usize) -> usize {
            x as usize * 2 + i - i
        }
    }
}

mod unsafe_block {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct Node {
        #[finitize(0..=2)]
        key: u8,
        next: Option<Box<Node>>,
    }
    #[derive(Debug, Clone, Finitize)]
    pub struct Unsafe {
        head: Option<Box<Node>>,
    }
    #[rep_ok]
    impl Unsafe {
        pub fn rep_ok(&self) -> bool {
            let mut p: *const Node = self.head.as_deref().map_or(std::ptr::null(), |n| n as *const Node);
            let mut n = 0;
            while !p.is_null() {
                unsafe {
                    if (*p).key > 1 {
                        return false;
                    }
                    n += 1;
                    p = (*p).next.as_deref().map_or(std::ptr::null(), |n| n as *const Node);
                }
            }
            n > 1
        }
    }
}

mod cellget_ref {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct CellgetRef {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
        #[finitize(0..=2)]
        c: u8,
    }
    use std::cell::Cell;
    #[rep_ok]
    impl CellgetRef {
        pub fn rep_ok(&self) -> bool {
            let c = Cell::new(self.a);
            let n = c.get();
            let r = &n;
            if self.b > *r {
                return false;
            }
            c.set(5);
            *r == self.c
        }
    }
}

mod ref_ref {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct RefRef {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
        #[finitize(0..=2)]
        c: u8,
    }
    #[rep_ok]
    impl RefRef {
        pub fn rep_ok(&self) -> bool {
            let l = &self.a;
            let r = &self.b;
            let mut t = 0;
            for x in [&l, &r] {
                if **x > 1 {
                    return false;
                }
                t += **x;
            }
            t == 1 && self.c < 2
        }
    }
}

mod upper_local {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct UpperLocal {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
        #[finitize(0..=2)]
        c: u8,
    }
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

mod cfg_let {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct CfgLet {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
        #[finitize(0..=2)]
        c: u8,
    }
    #[rep_ok]
    impl CfgLet {
        pub fn rep_ok(&self) -> bool {
            #[cfg(debug_assertions)]
            let lim = 1;
            #[cfg(not(debug_assertions))]
            let lim = 2;
            self.a < lim && self.b < lim && self.c > lim
        }
    }
}

mod cfg_stmt {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct CfgStmt {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
        #[finitize(0..=2)]
        c: u8,
    }
    #[rep_ok]
    impl CfgStmt {
        pub fn rep_ok(&self) -> bool {
            #[cfg(any())]
            if self.bad() {
                return false;
            }
            #[cfg(any())]
            {
                if self.a > 1 {
                    return false;
                }
                if self.b > 1 {
                    return false;
                }
            }
            self.c < 1 && self.a + self.b > 1
        }
        fn bad(&self) -> bool {
            self.a > 0
        }
    }
}

mod width {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct Width {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
        #[finitize(0..=2)]
        c: u8,
    }
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
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct RawNames {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
        #[finitize(0..=2)]
        c: u8,
    }
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

mod arr_assign {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct ArrAssign {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
        #[finitize(0..=2)]
        c: u8,
    }
    #[rep_ok]
    impl ArrAssign {
        pub fn rep_ok(&self) -> bool {
            let (mut a, mut b) = (self.a, self.b);
            if self.c > 0 {
                [a, b] = [b, a];
            }
            (a, _) = (a + 1, 0);
            a == b
        }
    }
}

mod macro_twice {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct MacroTwice {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
        #[finitize(0..=2)]
        c: u8,
    }
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

mod refmut_pat {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct RefmutPat {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
        #[finitize(0..=2)]
        c: u8,
    }
    #[rep_ok]
    impl RefmutPat {
        pub fn rep_ok(&self) -> bool {
            let mut o = Some(self.a);
            if let Some(ref mut x) = o {
                *x += self.b;
            }
            match o {
                Some(ref mut x) if *x > 1 => *x += self.c,
                Some(ref x) if *x == 0 => return false,
                _ => {}
            }
            o == Some(3)
        }
    }
}

mod refmut_tuple {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct RefmutTuple {
        #[finitize(0..=2)]
        a: u8,
        #[finitize(0..=2)]
        b: u8,
        #[finitize(0..=2)]
        c: u8,
    }
    #[rep_ok]
    impl RefmutTuple {
        pub fn rep_ok(&self) -> bool {
            let mut p = (self.a, 0u8);
            let (ref mut x, ref mut y) = p;
            *x += self.b;
            *y += *x;
            if self.c > *y {
                return false;
            }
            *x = 0;
            p.0 + p.1 == 2
        }
    }
}

mod dynfn_node {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct Node {
        #[finitize(0..=2)]
        key: u8,
        next: Option<Box<Node>>,
    }
    #[derive(Debug, Clone, Finitize)]
    pub struct DynfnNode {
        head: Option<Box<Node>>,
    }
    #[rep_ok]
    impl DynfnNode {
        pub fn rep_ok(&self) -> bool {
            let small = |n: &Node| n.key < 2;
            let f: &dyn Fn(&Node) -> bool = &|n| small(n);
            let mut at = self.head.as_deref();
            let mut c = 0;
            while let Some(n) = at {
                if !f(n) {
                    return false;
                }
                c += 1;
                at = n.next.as_deref();
            }
            c == 2
        }
    }
}

mod lifted_in_closure {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct Node {
        #[finitize(0..=2)]
        key: u8,
        next: Option<Box<Node>>,
    }
    #[derive(Debug, Clone, Finitize)]
    pub struct LiftedInClosure {
        head: Option<Box<Node>>,
    }
    #[rep_ok]
    impl LiftedInClosure {
        pub fn rep_ok(&self) -> bool {
            let mut n = 0u8;
            Self::go(&self.head, &mut n) && n == 2
        }
        fn add(n: &mut u8, k: u8) -> bool {
            *n += k;
            *n < 3
        }
        fn go(l: &Option<Box<Node>>, n: &mut u8) -> bool {
            l.as_ref().is_none_or(|x| Self::add(n, x.key) && Self::go(&x.next, n))
        }
    }
}

mod mut_macro_arg {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct Node {
        #[finitize(0..=2)]
        key: u8,
        next: Option<Box<Node>>,
    }
    #[derive(Debug, Clone, Finitize)]
    pub struct MutMacroArg {
        head: Option<Box<Node>>,
    }
    #[rep_ok]
    impl MutMacroArg {
        pub fn rep_ok(&self) -> bool {
            let mut n = 0u8;
            Self::go(&self.head, &mut n) && n == 2
        }
        fn add(n: &mut u8, k: u8) -> bool {
            *n += k;
            *n < 3
        }
        fn go(l: &Option<Box<Node>>, n: &mut u8) -> bool {
            match l {
                Some(x) if Self::add(n, x.key) => {
                    let k = x.key;
                    if k == 0 {
                        return true;
                    }
                    Self::go(&x.next, n)
                }
                Some(_) => false,
                None => true,
            }
        }
    }
}

mod mut_ref_local {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct Node {
        #[finitize(0..=2)]
        key: u8,
        next: Option<Box<Node>>,
    }
    #[derive(Debug, Clone, Finitize)]
    pub struct MutRefLocal {
        head: Option<Box<Node>>,
    }
    #[rep_ok]
    impl MutRefLocal {
        pub fn rep_ok(&self) -> bool {
            let mut a = 0u8;
            let r = &mut a;
            let mut at = &self.head;
            while let Some(x) = at {
                Self::add(r, x.key);
                if *r > 2 {
                    return false;
                }
                at = &x.next;
            }
            *r == 2
        }
        fn add<T: Copy + std::ops::Add<Output = T>>(n: &mut T, k: T) {
            *n = *n + k;
        }
    }
}

mod swap_locals {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct SwapLocals {
        #[finitize(0..=2, len = 0..=3)]
        v: Vec<u8>,
    }
    #[rep_ok]
    impl SwapLocals {
        pub fn rep_ok(&self) -> bool {
            let (mut a, mut b) = (0u8, 0u8);
            let (x, y) = (&mut a, &mut b);
            for k in &self.v {
                *x += k;
                std::mem::swap(x, y);
                if *x > 2 {
                    return false;
                }
            }
            *x + *y == 3
        }
    }
}

mod while_some_mut_ref_iter {
    #![allow(warnings)]
    use korat::{Finitize, rep_ok};
    #[derive(Debug, Clone, Finitize)]
    pub struct WhileSomeMutRefIter {
        v: Vec<u8>,
    }
    #[rep_ok]
    impl WhileSomeMutRefIter {
        pub fn rep_ok(&self) -> bool {
            let mut it = self.v.iter();
            let Some(mut prev) = it.next() else { return true };
            for x in it.by_ref() {
                if x <= prev {
                    return false;
                }
                prev = x;
            }
            it.next().is_none() && it.len() == 0 && it.as_slice().is_empty()
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
    move_copy: move_copy::MoveCopy, 3 => 6;
    move_counter: move_counter::MoveCounter, 3 => 4;
    mutstruct_field: mutstruct_field::MutstructField, 3 => 19;
    tuple_mut: tuple_mut::TupleMut, 3 => 19;
    replace_param: replace_param::ReplaceParam, 3 => 10;
    generic_mut: generic_mut::GenericMut, 3 => 10;
    left_then_mut: left_then_mut::LeftThenMut, 3 => 3;
    tuple_then_mut: tuple_then_mut::TupleThenMut, 3 => 3;
    recv_then_mut: recv_then_mut::RecvThenMut, 3 => 3;
    arg_then_mut: arg_then_mut::ArgThenMut, 3 => 6;
    deref_then_mut: deref_then_mut::DerefThenMut, 3 => 3;
    oncecell: oncecell::Oncecell, 3 => 3;
    match_box: match_box::MatchBox, 3 => 16;
    f_handle: f_handle::FHandle, 3 => 6;
    try_arg: try_arg::TryArg, 3 => 8;
    continue_arg: continue_arg::ContinueArg, 3 => 10;
    return_arg: return_arg::ReturnArg, 3 => 10;
    unsafe_block: unsafe_block::Unsafe, 3 => 12;
    cellget_ref: cellget_ref::CellgetRef, 3 => 6;
    ref_ref: ref_ref::RefRef, 3 => 4;
    upper_local: upper_local::UpperLocal, 3 => 8;
    cfg_let: cfg_let::CfgLet, 3 => 1;
    cfg_stmt: cfg_stmt::CfgStmt, 3 => 6;
    width: width::Width, 3 => 6;
    raw_names: raw_names::RawNames, 3 => 3;
    arr_assign: arr_assign::ArrAssign, 3 => 6;
    macro_twice: macro_twice::MacroTwice, 3 => 1;
    refmut_pat: refmut_pat::RefmutPat, 3 => 5;
    refmut_tuple: refmut_tuple::RefmutTuple, 3 => 9;
    dynfn_node: dynfn_node::DynfnNode, 3 => 4;
    lifted_in_closure: lifted_in_closure::LiftedInClosure, 3 => 10;
    mut_macro_arg: mut_macro_arg::MutMacroArg, 3 => 7;
    mut_ref_local: mut_ref_local::MutRefLocal, 3 => 10;
    swap_locals: swap_locals::SwapLocals, 3 => 9;
    while_some_mut_ref_iter: while_some_mut_ref_iter::WhileSomeMutRefIter, 3 => 15;
}
