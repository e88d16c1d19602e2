//! Texts: one slot, whose domain is every text of the given lengths over the given letters.

use std::borrow::Borrow;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

use super::listed::{Listed, ListedPlan, Optional};
use super::pointed::{AtPlace, Pointed, ToValue};
use super::sequence::HasLen;
use super::tuple_option::{Copied, Maybe};
use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::bounds::listed;
use crate::class::codec::{Codec, Field};
use crate::class::copies::Copies;
use crate::class::form::{FormReader, FormWriter};
use crate::class::list_cap;
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::predicate::machine::probe::drops_unobservably;
use crate::predicate::twin::Elem;
use crate::slots::object_view::Located;
use crate::slots::slot::{AnySlot, Slot};

/// A type of texts. `From` allocates: an `Rc<str>` in a value shares nothing with the domain.
pub trait Text: for<'t> From<&'t str> + From<String> + Borrow<str> + Clone + PartialEq + Debug + 'static {}
impl<W: for<'t> From<&'t str> + From<String> + Borrow<str> + Clone + PartialEq + Debug + 'static> Text for W {}

/// The codec of the text types `W`: `String`, `Box<str>`, `Rc<str>` and `Arc<str>`. Their domain expressions list letters.
pub struct TextOf<W>(PhantomData<W>);

#[diagnostic::do_not_recommend]
impl<W> HasLen for TextOf<W> {}

/// The letters of texts without a domain.
const LETTERS: [char; 2] = ['a', 'b'];

/// Returns every text of these lengths, in the order of the lengths.
fn texts(letters: &[char], lens: &[usize]) -> Result<Vec<String>, String> {
    let _cut = list_cap::few_combinations();
    let of_len = |len: usize| {
        let mut texts = vec![String::new()];
        for _ in 0..len {
            let longer = |text: &String| letters.iter().map(|letter| format!("{text}{letter}")).collect::<Vec<_>>();
            texts = listed(texts.iter().flat_map(longer))?;
        }
        Ok::<_, String>(texts)
    };
    let lens = list_cap::sizes_of_combinations(lens).into_iter();
    let by_len: Vec<Vec<String>> = lens.map(of_len).collect::<Result<_, _>>()?;
    listed(by_len.into_iter().flatten())
}

/// Returns the default texts of a scope.
pub(super) fn default_texts<W: Text>(scope: usize) -> Result<Vec<W>, String> {
    let texts = texts(&LETTERS, &listed(0..=scope)?)?;
    Ok(texts.into_iter().map(W::from).collect())
}

impl<W: Text> Codec for TextOf<W> {
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
    fn copy_out(cell: &Slot<W>, _: &mut Copies) -> W {
        W::from(cell.__korat_read().borrow())
    }
    fn patches() -> bool {
        drops_unobservably::<W>()
    }
    fn materialise(cell: &Slot<W>, _: &Self::Plan) -> W {
        W::from(cell.__korat_read().borrow())
    }
    fn write_form<const DRAFTS: bool>(value: &W, to: &mut FormWriter<'_, DRAFTS>) {
        to.text(value.borrow());
    }
    fn read_form(from: &mut FormReader<'_>) -> W {
        W::from(from.text())
    }
    fn abstract_to(value: &W, cell: &Slot<W>, plan: &Self::Plan, to: &mut Abstraction<'_>) -> Result<(), OutOfBounds> {
        if to.gathers() {
            // What is gathered outlives the value: it must not share an `Rc<str>` with it.
            return Listed::abstract_to(&W::from(value.borrow()), cell, plan, to);
        }
        Listed::abstract_to(value, cell, plan, to)
    }
}

impl<W: Text> Copied for TextOf<W> {
    type Member = Self::Lifted;
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
                Ok(LETTERS.to_vec())
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

text! { String Box<str> Rc<str> Arc<str> }

impl Located for String {
    type Place = Slot<String>;
}

impl Pointed for String {
    type Target = ToValue;
}

impl<W: Text + Located<Place = Slot<W>>> AtPlace for TextOf<W> {
    fn place(cell: &'static Slot<W>, _: &mut SlotMaker<'_>) -> &'static Slot<W> {
        cell
    }
}
