//! A fieldless enum is a value of a field, not a structure.

use korat::Finitize;

#[derive(Clone, Debug, PartialEq, Finitize)]
enum Color {
    Red,
    Black,
}

fn main() {
    korat::for_each_valid(Color::scope(3), |color| assert!(color == Color::Red));
}
