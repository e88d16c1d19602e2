//! More predicates of `macros.rs`, of forms that generated code did not compile once.

use super::*;

on_rows! {
    by_ident []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        for key in &self.keys {
            set_ident!(x, x.wrapping_mul(2).wrapping_add(*key));
        }
        x % 5 == self.mark
    }
}

on_rows! {
    capturing []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        {
            let mut next = captured!(x);
            for key in &self.keys {
                next(*key);
            }
        }
        x % 5 == self.mark
    }
}

on_rows! {
    declared_in_the_body []

    fn rep_ok(&self) -> bool {
        macro_rules! bump {
            ($x:ident by $y:expr) => {{
                $x = $x.wrapping_mul(2).wrapping_add($y);
                $x
            }};
        }
        let mut x = 1u8;
        let mut sum = 0u8;
        for key in &self.keys {
            sum = sum.wrapping_add(bump!(x by *key));
        }
        sum % 5 == self.mark
    }
}

on_lists! {
    told_through_a_macro []

    fn rep_ok(&self) -> bool {
        let mut x = 3u8;
        let mut len = 0;
        let mut at = &self.head;
        while let Some(node) = at {
            x = x.wrapping_mul(3).wrapping_add(node.key);
            len += told!(x).len();
            at = &node.next;
        }
        len % 5 == usize::from(self.mark)
    }
}

on_rows! {
    a_list_of_places []

    fn rep_ok(&self) -> bool {
        let (mut x, mut y) = (0u8, 1u8);
        for key in &self.keys {
            if *key > 0 && !all_of!(x, y) {
                y = 5;
            }
        }
        x.wrapping_mul(3).wrapping_add(y) % 5 == self.mark
    }
}

on_rows! {
    assigned_in_an_operator []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        for key in &self.keys {
            plus!(x, 3);
            x ^= *key;
        }
        x % 5 == self.mark
    }
}

on_rows! {
    borrowing []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        {
            let held = lent!(x);
            for key in &self.keys {
                *held = held.wrapping_mul(2).wrapping_add(*key);
            }
        }
        x % 5 == self.mark
    }
}

on_rows! {
    breaking []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        for key in &self.keys {
            with_tokens!(if *key == 2 { break; });
            x = x.wrapping_mul(2).wrapping_add(*key);
        }
        x % 5 == self.mark
    }
}

on_rows! {
    declaring []

    fn rep_ok(&self) -> bool {
        declare!(x = 1);
        for key in &self.keys {
            x = x.wrapping_mul(2).wrapping_add(*key);
            declare!(y = x);
            y += 1;
            x = y;
        }
        x % 5 == self.mark
    }
}

on_rows! {
    format_arguments []

    fn rep_ok(&self) -> bool {
        let mut len = 0;
        for key in &self.keys {
            let x = key.wrapping_mul(5);
            len += std::fmt::format(format_args!("{x}{}", key)).len();
        }
        len % 5 == usize::from(self.mark)
    }
}

on_lists! {
    inline_through_a_macro []

    fn rep_ok(&self) -> bool {
        let mut x = 3u8;
        let mut len = 0;
        let mut at = &self.head;
        while let Some(node) = at {
            x = x.wrapping_mul(3).wrapping_add(node.key);
            len += inline!("{x}").len();
            at = &node.next;
        }
        len % 5 == usize::from(self.mark)
    }
}

on_rows! {
    keeping_names_apart []

    fn rep_ok(&self) -> bool {
        let mut sum = 1u8;
        for key in &self.keys {
            hygienic!(sum, *key);
        }
        sum % 5 == self.mark
    }
}

on_rows! {
    labels []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        'all: for key in &self.keys {
            x = x.wrapping_mul(2).wrapping_add(*key);
            if *key == 2 {
                leaving!('all);
            }
        }
        x % 5 == self.mark
    }
}

on_rows! {
    naming_a_local_of_the_body []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        // Its `x` is the one above, also where another hides it.
        macro_rules! raise {
            ($by:expr) => {
                x = x.wrapping_mul(2).wrapping_add($by)
            };
        }
        for key in &self.keys {
            let x = *key;
            raise!(x);
        }
        x % 5 == self.mark
    }
}

on_rows! {
    statements []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        for key in &self.keys {
            doing!(x = x.wrapping_mul(2).wrapping_add(*key));
        }
        x % 5 == self.mark
    }
}

on_rows! {
    tokens []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        for key in &self.keys {
            with_tokens!(x = x.wrapping_mul(2).wrapping_add(*key););
        }
        with_tokens!(x % 5 == self.mark)
    }
}

on_rows! {
    written []

    fn rep_ok(&self) -> bool {
        let mut text = String::new();
        let mut x = 1u8;
        for key in &self.keys {
            x = x.wrapping_mul(5).wrapping_add(*key);
            write!(text, "{x}").unwrap();
        }
        text.len() % 5 == usize::from(self.mark)
    }
}
