//! Items in inner blocks: they hide outer ones for their block, from its beginning on, and no longer.

use super::harness::{on_lists, on_rows};

pub const K: u8 = 1;

pub fn twist(x: u8) -> u8 {
    x.wrapping_mul(2).wrapping_add(1)
}

pub fn turn(x: u8) -> u8 {
    x.wrapping_mul(3)
}

pub static BASE: u8 = 3;

pub mod inner {
    pub fn twist(x: u8) -> u8 {
        x ^ 5
    }

    pub const K: u8 = 4;
}

#[derive(Clone, Copy, PartialEq)]
pub enum Step {
    Small,
    Large,
}

impl Step {
    pub fn size(self) -> u8 {
        1 + self as u8
    }
}

pub struct Weight(pub u8);

impl Weight {
    pub fn get(&self) -> u8 {
        self.0
    }
}

pub type Number = u8;

macro_rules! mixed {
    ($x:expr) => {
        $x.wrapping_mul(2)
    };
}

on_rows! {
    a_constant []

    fn rep_ok(&self) -> bool {
        let mut sum = 0u8;
        for key in &self.keys {
            {
                const K: u8 = 10;
                sum = sum.wrapping_mul(3).wrapping_add(K ^ *key);
            }
            sum = sum.wrapping_add(K);
        }
        sum.wrapping_add(K) % 5 == self.mark
    }
}

on_rows! {
    a_constant_in_a_branch []

    fn rep_ok(&self) -> bool {
        let mut sum = 0u8;
        for key in &self.keys {
            if *key == 1 {
                const K: u8 = 10;
                sum = sum.wrapping_add(K);
            } else {
                sum = sum.wrapping_mul(2).wrapping_add(K);
            }
        }
        sum % 5 == self.mark
    }
}

on_rows! {
    a_constant_before_it_is_declared []

    fn rep_ok(&self) -> bool {
        let mut sum = K;
        for key in &self.keys {
            sum = sum.wrapping_mul(2).wrapping_add(K ^ *key);
            const K: u8 = 10;
        }
        sum.wrapping_add(K) % 5 == self.mark
    }
}

on_rows! {
    a_constant_of_the_method []

    fn rep_ok(&self) -> bool {
        const K: u8 = 7;
        let mut sum = K;
        for key in &self.keys {
            const L: u8 = K + 1;
            {
                const K: u8 = 10;
                sum = sum.wrapping_add(K ^ *key ^ L);
            }
            sum = sum.wrapping_mul(2).wrapping_add(K);
        }
        sum % 5 == self.mark
    }
}

on_rows! {
    two_blocks_with_the_same_name []

    fn rep_ok(&self) -> bool {
        let mut sum = 0u8;
        for key in &self.keys {
            {
                const K: u8 = 10;
                fn twist(x: u8) -> u8 {
                    x ^ K
                }
                sum = sum.wrapping_add(twist(*key));
            }
            {
                const K: u8 = 20;
                fn twist(x: u8) -> u8 {
                    x.wrapping_mul(K)
                }
                sum = sum.wrapping_mul(3).wrapping_add(twist(*key));
            }
            sum = twist(sum);
        }
        sum % 5 == self.mark
    }
}

on_rows! {
    a_function []

    fn rep_ok(&self) -> bool {
        let mut sum = 0u8;
        for key in &self.keys {
            let more = {
                fn twist(x: u8) -> u8 {
                    x.wrapping_add(9)
                }
                twist(*key)
            };
            sum = twist(sum).wrapping_add(more);
        }
        twist(sum) % 5 == self.mark
    }
}

on_rows! {
    a_name_by_use []

    fn rep_ok(&self) -> bool {
        let mut sum = 0u8;
        for key in &self.keys {
            {
                use super::turn as twist;
                sum = twist(sum).wrapping_add(*key);
            }
            sum = twist(sum);
        }
        sum % 5 == self.mark
    }
}

on_rows! {
    names_of_a_module_by_use []

    fn rep_ok(&self) -> bool {
        let mut sum = 0u8;
        for key in &self.keys {
            if *key > 0 {
                use super::inner::{K, twist};
                sum = twist(sum).wrapping_add(K);
            }
            sum = twist(sum).wrapping_add(K);
        }
        sum % 5 == self.mark
    }
}

on_rows! {
    a_static []

    fn rep_ok(&self) -> bool {
        let mut sum = 0u8;
        for key in &self.keys {
            {
                static BASE: u8 = 11;
                sum = sum.wrapping_mul(2).wrapping_add(BASE ^ *key);
            }
            sum = sum.wrapping_add(BASE);
        }
        sum % 5 == self.mark
    }
}

on_rows! {
    variants_by_use [plain(Step)]

    fn rep_ok(&self) -> bool {
        let mut sum = 0u8;
        for key in &self.keys {
            use Step::{Large as Big, Small};
            let step = if *key == 1 { Small } else { Big };
            sum = sum.wrapping_mul(3).wrapping_add(step.size());
        }
        sum % 5 == self.mark
    }
}

on_rows! {
    a_struct_and_its_methods [plain(Weight)]

    fn rep_ok(&self) -> bool {
        let mut sum = 0u8;
        for key in &self.keys {
            {
                struct Weight(u8);
                impl Weight {
                    fn get(&self) -> u8 {
                        self.0 ^ 7
                    }
                }
                let weight = Weight(*key);
                sum = sum.wrapping_mul(3).wrapping_add(weight.get());
            }
            let weight = Weight(*key);
            sum = sum.wrapping_add(weight.get());
        }
        sum % 5 == self.mark
    }
}

on_rows! {
    a_macro []

    fn rep_ok(&self) -> bool {
        let mut sum = 1u8;
        for key in &self.keys {
            {
                macro_rules! mixed {
                    ($x:expr) => {
                        $x.wrapping_mul(7)
                    };
                }
                sum = mixed!(sum).wrapping_add(*key);
            }
            sum = mixed!(sum).wrapping_add(1);
        }
        sum % 5 == self.mark
    }
}

on_rows! {
    a_trait_in_a_block []

    fn rep_ok(&self) -> bool {
        trait Outer {
            fn weigh(self) -> u8;
        }
        impl Outer for u8 {
            fn weigh(self) -> u8 {
                self.wrapping_mul(2)
            }
        }
        let mut sum = 0u8;
        for key in &self.keys {
            let here = *key;
            sum = sum.wrapping_mul(3).wrapping_add(here.weigh());
        }
        sum % 5 == self.mark
    }
}

on_lists! {
    a_constant_beside_a_local []

    fn rep_ok(&self) -> bool {
        let mut sum = 0u8;
        let mut at = &self.head;
        while let Some(node) = at {
            let twist = |x: u8| x.wrapping_add(1);
            let before = twist(node.key);
            let within = {
                const K: u8 = 9;
                K ^ node.key
            };
            sum = sum.wrapping_mul(3).wrapping_add(before ^ within ^ K);
            at = &node.next;
        }
        sum % 5 == self.mark
    }
}

on_lists! {
    a_function_in_an_arm []

    fn rep_ok(&self) -> bool {
        let mut sum = 0u8;
        let mut at = &self.head;
        while let Some(node) = at {
            sum = match node.key {
                0 => {
                    fn twist(x: u8) -> u8 {
                        x.wrapping_add(7)
                    }
                    twist(sum)
                }
                1 => twist(sum),
                _ => {
                    use super::turn as twist;
                    twist(sum).wrapping_add(1)
                }
            };
            at = &node.next;
        }
        sum % 5 == self.mark
    }
}

on_lists! {
    a_constant_in_a_closure []

    fn rep_ok(&self) -> bool {
        let mut sum = 0u8;
        let mut at = &self.head;
        while let Some(node) = at {
            let inner = |x: u8| {
                const K: u8 = 12;
                x ^ K
            };
            sum = sum.wrapping_mul(2).wrapping_add(inner(node.key)).wrapping_add(K);
            at = &node.next;
        }
        sum % 5 == self.mark
    }
}

mod once_refused;
