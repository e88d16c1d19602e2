//! More predicates of `items.rs`, of forms that generated code did not compile once.

use super::*;

on_rows! {
    an_alias []

    fn rep_ok(&self) -> bool {
        let mut sum: Number = 250;
        let mut big = 0u16;
        for key in &self.keys {
            {
                type Number = u16;
                let wide: Number = Number::from(sum) * 2;
                big = big * 2 + wide + Number::from(*key);
            }
            let narrow: Number = sum.wrapping_mul(2).wrapping_add(*key);
            sum = narrow;
        }
        (big % 5) as u8 ^ (sum % 5) == self.mark
    }
}

on_rows! {
    an_enum [plain(Step)]

    fn rep_ok(&self) -> bool {
        let mut sum = 0u8;
        for key in &self.keys {
            {
                #[derive(Clone, Copy)]
                enum Step {
                    Large = 7,
                    Small = 9,
                }
                let step = if *key == 1 { Step::Small } else { Step::Large };
                sum = sum.wrapping_mul(3).wrapping_add(step as u8);
            }
            let step = if *key == 1 { Step::Small } else { Step::Large };
            sum = sum.wrapping_add(step.size());
        }
        sum % 5 == self.mark
    }
}
