//! Every mistake is reported at once, each on its token.

use korat::Finitize;

#[derive(Debug, Finitize)]
#[finitize(object = 3)]
struct Event {
    #[finitize(range = 0..3)]
    count: usize,
    #[finitize(len = 0..3, len = 0..4)]
    payload: Vec<u8>,
}

fn main() {}
