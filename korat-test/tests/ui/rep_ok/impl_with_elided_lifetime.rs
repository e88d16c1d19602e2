//! A borrowed structure has no owner to generate.

use korat::rep_ok;

#[derive(Debug)]
struct Name<'a> {
    text: &'a str,
}

#[rep_ok]
impl Name<'_> {
    fn rep_ok(&self) -> bool {
        !self.text.is_empty()
    }
}

fn main() {}
