use korat::Finitize;

#[derive(Clone, Debug, PartialEq)]
struct Bag(Vec<u8>);

impl FromIterator<u8> for Bag {
    fn from_iter<I: IntoIterator<Item = u8>>(items: I) -> Self {
        Bag(items.into_iter().collect())
    }
}

#[derive(Debug, Finitize)]
struct Shop {
    #[finitize(via = Vec<u8>, 0..=1)]
    domain: Bag,
    #[finitize(via = Vec<u8>, values = [])]
    values: Bag,
    #[finitize(via = Vec<u8>, set)]
    set: Bag,
    #[finitize(via)]
    nothing: Bag,
}

#[derive(Debug, Finitize)]
#[finitize(via = Vec<u8>)]
struct Whole {
    key: bool,
}

fn main() {}
