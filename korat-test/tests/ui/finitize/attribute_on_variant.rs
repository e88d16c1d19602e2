//! All variants are generated.

use korat::Finitize;

#[derive(Clone, Debug, PartialEq, Finitize)]
enum Color {
    #[finitize(0..3)]
    Red,
    Black,
}

fn main() {}
