//! A borrowed structure has no owner to generate.

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
struct Name<'a> {
    text: &'a str,
}

#[rep_ok]
impl<'a> Name<'a> {
    fn rep_ok(&self) -> bool {
        !self.text.is_empty()
    }
}

fn main() {}
