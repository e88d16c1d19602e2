//! A fieldless enum is a plain value: it is copied, compared and printed.

use korat::Finitize;

#[derive(Debug, PartialEq, Finitize)]
enum Color {
    Red,
    Black,
}

#[derive(Debug, Finitize)]
struct Pixel {
    color: Color,
    under: Option<Color>,
}

fn main() {}
