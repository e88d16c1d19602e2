//! The classes that all predicates of a program share: the number of a root is that of its predicate, so that each has a
//! `rep_ok` of its own. Beginning of every generated program.

#![allow(warnings, arithmetic_overflow, unconditional_panic)]

#[cfg(feature = "lifted")]
#[path = "../driver.rs"]
mod driver;

#[derive(Debug)]
#[cfg_attr(feature = "lifted", derive(korat::Finitize))]
pub struct Node {
    #[cfg_attr(feature = "lifted", finitize(0..=2))]
    key: u8,
    next: Option<Box<Node>>,
}

#[derive(Debug)]
#[cfg_attr(feature = "lifted", derive(korat::Finitize))]
pub struct List<const PREDICATE: usize> {
    head: Option<Box<Node>>,
    #[cfg_attr(feature = "lifted", finitize(0..=4))]
    mark: u8,
}

#[derive(Debug)]
#[cfg_attr(feature = "lifted", derive(korat::Finitize))]
pub struct Row<const PREDICATE: usize> {
    #[cfg_attr(feature = "lifted", finitize(0..=2, len = 0..=3))]
    keys: Vec<u8>,
    #[cfg_attr(feature = "lifted", finitize(0..=4))]
    mark: u8,
}

#[cfg(feature = "lifted")]
impl<const PREDICATE: usize> driver::Shape for List<PREDICATE>
where
    List<PREDICATE>: korat::RepOk,
{
    const HAS_IMPOSSIBLE_SHAPES: bool = true;

    fn build(keys: &[u8], mark: u8) -> Self {
        let link = |next, key: &u8| Some(Box::new(Node { key: *key, next }));
        List { head: keys.iter().rev().fold(None, link), mark }
    }
}

#[cfg(feature = "lifted")]
impl<const PREDICATE: usize> driver::Shape for Row<PREDICATE>
where
    Row<PREDICATE>: korat::RepOk,
{
    const HAS_IMPOSSIBLE_SHAPES: bool = false;

    fn build(keys: &[u8], mark: u8) -> Self {
        Row { keys: keys.to_vec(), mark }
    }
}

