//! A struct that is copied has the values of its fields, whatever they are.

use korat::Finitize;

#[derive(Clone, Copy, Debug, Finitize)]
#[finitize(copy)]
struct Place {
    #[finitize(via = Vec<u8>)]
    row: Row,
    #[finitize(0..=3)]
    column: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Row;

impl FromIterator<u8> for Row {
    fn from_iter<I: IntoIterator<Item = u8>>(_: I) -> Self {
        Row
    }
}

fn main() {}
