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
    const SCOPE: usize = 3;
    const HAS_IMPOSSIBLE_SHAPES: bool = true;

    fn every() -> Vec<Self> {
        let link = |next, key: &u8| Some(Box::new(Node { key: *key, next }));
        every_list().into_iter().map(|(keys, mark)| List { head: keys.iter().rev().fold(None, link), mark }).collect()
    }
}

#[cfg(feature = "lifted")]
impl<const PREDICATE: usize> driver::Shape for Row<PREDICATE>
where
    Row<PREDICATE>: korat::RepOk,
{
    const SCOPE: usize = 3;
    const HAS_IMPOSSIBLE_SHAPES: bool = false;

    fn every() -> Vec<Self> {
        every_list().into_iter().map(|(keys, mark)| Row { keys, mark }).collect()
    }
}

/// Every list of at most three keys, each with every mark.
fn every_list() -> Vec<(Vec<u8>, u8)> {
    let mut all = vec![vec![]];
    let mut longest = all.clone();
    for _ in 0..3 {
        longest = longest.iter().flat_map(|list: &Vec<u8>| (0..3).map(|key| [&list[..], &[key]].concat())).collect();
        all.extend(longest.iter().cloned());
    }
    all.into_iter().flat_map(|keys| (0..5).map(move |mark| (keys.clone(), mark))).collect()
}
