use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
struct Event {
    count: usize,
}

#[rep_ok]
impl Event {
    fn rep_ok(&self) -> bool {
        size_of::<Self>() == 8 && std::mem::size_of_val(self) == 8 && self.count < size_of::<u64>()
    }
}

fn main() {}
