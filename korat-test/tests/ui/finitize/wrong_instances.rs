use korat::Finitize;

#[derive(Debug, Finitize)]
struct Node {
    key: bool,
}

#[derive(Debug, Finitize)]
#[finitize(instances(Chain<Node>, List<Node, bool>, List, [Node]))]
struct List<T> {
    items: Vec<T>,
}

#[derive(Debug, Finitize)]
#[finitize(instances(Single))]
struct Single {
    key: bool,
}

#[derive(Debug, Clone, PartialEq, Finitize)]
#[finitize(plain, instances(Pair<bool>))]
struct Pair<T>(T, T);

#[derive(Debug, Finitize)]
struct Wrong {
    #[finitize(instances(Wrong))]
    key: bool,
}

fn main() {}
