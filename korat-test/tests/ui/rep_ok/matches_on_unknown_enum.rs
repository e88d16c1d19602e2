//! A pattern of an enum that does not derive `Finitize`.

use korat::{Finitize, rep_ok};

#[derive(Clone, Debug, PartialEq)]
enum Shape {
    Point,
    Circle(u8),
}

#[derive(Debug, Finitize)]
struct Event {
    count: usize,
    #[finitize(values = [Shape::Point, Shape::Circle(1)])]
    shape: Shape,
}

#[rep_ok]
impl Event {
    fn rep_ok(&self) -> bool {
        matches!(self.shape, Shape::Circle(_)) && self.count > 0
    }
}

fn main() {
    korat::for_each_valid(Event::scope(3), |event| assert!(event.count > 0));
}
