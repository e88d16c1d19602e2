//! Texts: one slot, whose domain is every text of the given lengths over the given letters.

use std::fmt::Debug;
use std::marker::PhantomData;

use super::listed::{Listed, ListedPlan, Optional};
use super::sequence::HasLen;
use super::tuple_option::{Copied, Maybe};
use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::bounds::listed;
use crate::class::codec::{Codec, Field};
use crate::class::list_cap;
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::predicate::twin::Elem;
use crate::slots::slot::{AnySlot, Slot};

/// The codec of the text types `W`: `String` and `Box<str>`. Their domain expressions list letters.
pub struct TextOf<W>(PhantomData<W>);

#[diagnostic::do_not_recommend]
impl<W> HasLen for TextOf<W> {}

/// The number of texts that suffice while domains are capped.
const FEW: usize = 30;

/// Returns every text of these lengths, in the order of the lengths.
fn texts(letters: &[char], lens: &[usize]) -> Result<Vec<String>, String> {
    if list_cap::current().is_some() {
        let _cut = list_cap::set(FEW);
        // Longer texts would be too many, and each of them too long.
        let few: Vec<usize> = lens.iter().copied().filter(|&len| len <= FEW).take(FEW).collect();
        return all_texts(letters, &few);
    }
    all_texts(letters, lens)
}

fn all_texts(letters: &[char], lens: &[usize]) -> Result<Vec<String>, String> {
    let of_len = |len: usize| {
        let mut texts = vec![String::new()];
        for _ in 0..len {
            let longer = |text: &String| letters.iter().map(|letter| format!("{text}{letter}")).collect::<Vec<_>>();
            texts = listed(texts.iter().flat_map(longer))?;
        }
        Ok::<_, String>(texts)
    };
    let by_len: Vec<Vec<String>> = lens.iter().map(|&len| of_len(len)).collect::<Result<_, _>>()?;
    listed(by_len.into_iter().flatten())
}

impl<W: From<String> + Clone + PartialEq + Debug + 'static> Codec for TextOf<W> {
    type Value = W;
    type Leaf = char;
    type Lifted = W;
    type Cell = Slot<W>;
    type Plan = ListedPlan<W>;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<char>) -> Self::Plan {
        let lens = attrs.len.unwrap_or_else(|| listed(0..=planner.scope()));
        let values = attrs.values.and_then(|letters| texts(&letters, &lens?));
        let values = values.map(|texts| texts.into_iter().map(W::from).collect());
        Listed::plan(planner, Attrs { values, len: None })
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Slot<W> {
        Listed::cell(plan, slots)
    }
    fn elem(cell: &'static Slot<W>, _: &mut SlotMaker<'_>) -> Elem<W> {
        Elem::field(cell)
    }
    fn visit(cell: &Slot<W>, visit: &mut dyn FnMut(&dyn AnySlot)) {
        visit(cell);
    }
    fn materialise(cell: &Slot<W>, plan: &Self::Plan) -> W {
        Listed::materialise(cell, plan)
    }
    fn abstract_to(value: &W, cell: &Slot<W>, plan: &Self::Plan, to: &mut Abstraction<'_>) -> Result<(), OutOfBounds> {
        Listed::abstract_to(value, cell, plan, to)
    }
}

impl<W: From<String> + Clone + PartialEq + Debug + 'static> Copied for TextOf<W> {
    fn value(cell: &Slot<W>) -> W {
        Listed::<W>::value(cell)
    }
    fn stamp(cell: &Slot<W>, tell: &mut dyn FnMut(u32)) {
        Listed::<W>::stamp(cell, tell);
    }
}

macro_rules! text {
    ($($type:ty)*) => {$(
        impl Field for $type {
            type Codec = TextOf<$type>;
            type Element = Self::Codec;
            fn default_values(_scope: usize) -> Result<Vec<char>, String> {
                Ok(vec!['a', 'b'])
            }
        }

        impl Optional for $type {
            type Codec = Maybe<TextOf<$type>>;
            fn default_values(scope: usize) -> Result<Vec<char>, String> {
                <$type as Field>::default_values(scope)
            }
        }
    )*};
}

text! { String Box<str> }
