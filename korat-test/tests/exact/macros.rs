//! Macros of the user's own, with every kind of fragment, that change, move, borrow, capture, leave and declare; and those
//! of std that take arguments by reference.

use std::fmt::Write as _;

use super::harness::{on_lists, on_rows};

macro_rules! swap {
    ($x:expr, $y:expr) => {
        std::mem::swap(&mut $x, &mut $y)
    };
}

macro_rules! add {
    ($x:expr, $y:expr) => {
        add_to(&mut $x, $y)
    };
}

macro_rules! taken {
    ($x:expr) => {
        $x.take()
    };
}

macro_rules! twice {
    ($x:expr) => {
        $x.wrapping_add($x)
    };
}

macro_rules! set_ident {
    ($x:ident, $value:expr) => {
        $x = $value
    };
}

macro_rules! declare {
    ($x:ident = $value:expr) => {
        let mut $x: u8 = $value;
    };
}

macro_rules! with_tokens {
    ($($tokens:tt)*) => {
        $($tokens)*
    };
}

macro_rules! as_type {
    ($value:expr, $type:ty) => {
        ($value) as $type
    };
}

macro_rules! fits {
    ($value:expr, $pattern:pat) => {
        match $value {
            $pattern => true,
            _ => false,
        }
    };
}

macro_rules! doing {
    ($statement:stmt) => {
        $statement
    };
}

macro_rules! running {
    ($block:block) => {
        $block
    };
}

macro_rules! plus {
    ($x:expr, $by:literal) => {
        $x = $x.wrapping_add($by)
    };
}

macro_rules! leaving {
    ($label:lifetime) => {
        break $label
    };
}

macro_rules! called {
    ($path:path, $x:expr) => {
        $path(&mut $x, 1)
    };
}

macro_rules! give_up {
    ($x:expr) => {
        if $x {
            return false;
        }
    };
}

macro_rules! captured {
    ($x:ident) => {
        |by: u8| {
            $x = $x.wrapping_mul(3).wrapping_add(by);
            $x
        }
    };
}

macro_rules! lent {
    ($x:expr) => {
        &mut $x
    };
}

macro_rules! hygienic {
    ($x:expr, $by:expr) => {{
        let sum = 40u8;
        let by = $by;
        $x = $x.wrapping_add(by).wrapping_add(sum);
    }};
}

macro_rules! all_of {
    ($($x:expr),* $(,)?) => {
        true $(&& { $x = $x.wrapping_add(1); $x % 4 != 3 })*
    };
}

pub fn add_to(x: &mut u8, by: u8) -> u8 {
    *x = x.wrapping_mul(2).wrapping_add(by);
    *x
}

on_rows! {
    swapped []

    fn rep_ok(&self) -> bool {
        let (mut x, mut y) = (1u8, 2u8);
        for key in &self.keys {
            swap!(x, y);
            x = x.wrapping_add(*key);
        }
        x.wrapping_mul(3).wrapping_add(y) % 5 == self.mark
    }
}

on_rows! {
    added_by_a_function []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        for key in &self.keys {
            add!(x, *key);
        }
        x % 5 == self.mark
    }
}

on_rows! {
    taken_out []

    fn rep_ok(&self) -> bool {
        let mut held = Some(3u8);
        let mut sum = 0u8;
        for key in &self.keys {
            sum = sum.wrapping_mul(2).wrapping_add(taken!(held).unwrap_or(*key));
            if *key == 1 {
                held = Some(sum);
            }
        }
        sum.wrapping_add(held.unwrap_or(1)) % 5 == self.mark
    }
}

on_rows! {
    moved_in []

    fn rep_ok(&self) -> bool {
        let mut seen = vec![1u8];
        for key in &self.keys {
            seen = with_tokens!({ let mut all = seen; all.push(*key); all });
        }
        seen.iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }
}

on_rows! {
    mentioned_twice []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        let mut sum = 0u8;
        for key in &self.keys {
            // The argument is evaluated twice.
            sum = sum.wrapping_mul(3).wrapping_add(twice!(add_to(&mut x, *key)));
        }
        sum.wrapping_add(x) % 5 == self.mark
    }
}

on_rows! {
    by_type []

    fn rep_ok(&self) -> bool {
        let mut x = 1u16;
        for key in &self.keys {
            x = x * 7 + as_type!(add_to(&mut { *key }, 1), u16);
        }
        as_type!(x % 5, u8) == self.mark
    }
}

on_rows! {
    by_pattern []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        for key in &self.keys {
            if fits!(x % 4, 0 | 3) || fits!(*key, 1..=2) {
                x = x.wrapping_mul(2).wrapping_add(*key);
            } else {
                x = x.wrapping_add(1);
            }
        }
        x % 5 == self.mark
    }
}

on_rows! {
    by_path []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        for key in &self.keys {
            if *key > 0 {
                called!(super::add_to, x);
            }
        }
        x % 5 == self.mark
    }
}

on_rows! {
    returning []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        for key in &self.keys {
            give_up!(*key == x);
            x = (x + 1) % 3;
        }
        x == self.mark
    }
}

on_rows! {
    blocks []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        for key in &self.keys {
            let more = running!({ x = x.wrapping_mul(2); x ^ *key });
            x = more;
        }
        x % 5 == self.mark
    }
}

on_rows! {
    questioning []

    fn rep_ok(&self) -> bool {
        self.total().is_some_and(|total| total % 5 == self.mark)
    }

    fn total(&self) -> Option<u8> {
        let mut x = 1u8;
        for key in &self.keys {
            x = with_tokens!(x.wrapping_mul(3).checked_sub(*key)?);
        }
        Some(x)
    }
}

on_rows! {
    formatted []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        let mut len = 0;
        for key in &self.keys {
            x = x.wrapping_mul(5).wrapping_add(*key);
            len += format!("{x}-{x:>4}").len();
        }
        len % 5 == usize::from(self.mark)
    }
}

on_rows! {
    formatted_by_position []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        let mut text = String::new();
        for key in &self.keys {
            x = x.wrapping_mul(5).wrapping_add(*key);
            text = format!("{}{}", text, x);
        }
        text.len() % 5 == usize::from(self.mark)
    }
}

on_rows! {
    written_with_arguments []

    fn rep_ok(&self) -> bool {
        let mut text = String::new();
        for key in &self.keys {
            let _ = write!(&mut text, "{}{}", "a".repeat(usize::from(*key)), key);
        }
        text.len() % 5 == usize::from(self.mark)
    }
}

/// Makes text of its argument, which it captures inside the text.
macro_rules! told {
    ($x:ident) => {
        format!("{}", $x)
    };
}

macro_rules! inline {
    ($($arguments:tt)*) => {
        format!($($arguments)*)
    };
}

on_lists! {
    swapped_in_lists []

    fn rep_ok(&self) -> bool {
        let mut pair = (1u8, 2u8);
        let mut at = &self.head;
        while let Some(node) = at {
            swap!(pair.0, pair.1);
            add!(pair.0, node.key);
            at = &node.next;
        }
        pair.0.wrapping_mul(3).wrapping_add(pair.1) % 5 == self.mark
    }
}

mod once_refused;
