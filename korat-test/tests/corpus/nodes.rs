//! The node of binary trees with few keys.

use korat::Finitize;

#[derive(Debug, Finitize)]
pub struct Node {
    #[finitize(0..=1)]
    pub key: u8,
    pub left: Option<Box<Node>>,
    pub right: Option<Box<Node>>,
}
