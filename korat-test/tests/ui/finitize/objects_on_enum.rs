//! A fieldless enum has values, not objects.

use korat::Finitize;

#[derive(Clone, Debug, PartialEq, Finitize)]
#[finitize(objects = 2)]
enum Color {
    Red,
    Black,
}

fn main() {}
