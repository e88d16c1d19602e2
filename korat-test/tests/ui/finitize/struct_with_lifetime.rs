//! A borrowed structure has no owner to generate.

use korat::Finitize;

#[derive(Debug, Finitize)]
struct Name<'a> {
    text: &'a str,
}

fn main() {}
