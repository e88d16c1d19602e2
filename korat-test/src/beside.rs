//! The values beside those of a search: a position in a list of them, or in several lists, whatever their types are.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use korat_core::Outline;

use crate::error::Error;
use crate::picture;
use crate::replay::BesideReplay;
use crate::type_text::any_type_text;
use crate::with::Listed;

/// A position in a list of values, or in several lists.
#[doc(hidden)]
pub trait Beside {
    /// Returns the number of combinations.
    fn len(&self) -> usize;
    /// Moves to a combination.
    fn go_to(&self, index: usize);
    /// Returns the current combination.
    fn at(&self) -> usize;
    /// Appends the name of each type.
    fn names(&self, names: &mut Vec<String>);
    /// Appends the text form of each current value for replays.
    fn slots(&self, slots: &mut Vec<BesideReplay>);
    /// Takes the text forms of a combination from the front, and moves to it; returns whether there is one.
    fn restore(&self, slots: &mut &[BesideReplay]) -> bool;
    /// Appends what tells each list from others.
    fn describe(&self, lists: &mut Vec<ListText>);
    /// Appends each current value on one line, as a drawing, and its `Debug`.
    fn show(&self, shown: &mut Vec<Shown>);
}

/// What tells a list from others, in another process as well.
#[doc(hidden)]
#[derive(Debug)]
pub struct ListText {
    pub(crate) type_name: String,
    pub(crate) values: usize,
    /// A hash that is equal for equal values, if they have a text that is the same in every process.
    pub(crate) digest: Option<String>,
}

/// How a value is shown.
#[doc(hidden)]
pub struct Shown {
    pub(crate) line: String,
    pub(crate) drawing: String,
    pub(crate) debug: String,
}

/// One list of values, and a position in it.
pub(crate) struct List<T> {
    values: RefCell<Box<dyn Listed<T>>>,
    at: Cell<usize>,
    /// The list at another scope, and a position there, for a value that was kept or is replayed.
    elsewhere: RefCell<Option<Position<T>>>,
}

/// A list of values, and a position in it.
type Position<T> = (Box<dyn Listed<T>>, usize);

impl<T: 'static> List<T> {
    pub(crate) fn new(values: Box<dyn Listed<T>>) -> Self {
        List { values: RefCell::new(values), at: Cell::new(0), elsewhere: RefCell::new(None) }
    }

    /// Builds the current value.
    pub(crate) fn build(&self) -> T {
        self.current(|values, at| values.build(at))
    }

    /// Runs `look` on the list and the position of the current value.
    fn current<R>(&self, look: impl FnOnce(&mut dyn Listed<T>, usize) -> R) -> R {
        match &mut *self.elsewhere.borrow_mut() {
            Some((values, at)) => look(&mut **values, *at),
            None => look(&mut **self.values.borrow_mut(), self.at.get()),
        }
    }
}

impl<T: 'static> Beside for List<T> {
    fn len(&self) -> usize {
        self.values.borrow().len()
    }
    fn go_to(&self, index: usize) {
        self.at.set(index);
        self.elsewhere.replace(None);
    }
    fn at(&self) -> usize {
        self.at.get()
    }
    fn names(&self, names: &mut Vec<String>) {
        names.push(any_type_text::<T>());
    }
    fn slots(&self, slots: &mut Vec<BesideReplay>) {
        slots.push(self.current(|values, at| BesideReplay { scope: values.own_scope(), slots: values.slots(at) }));
    }
    fn restore(&self, slots: &mut &[BesideReplay]) -> bool {
        let Some(BesideReplay { scope, slots }) = slots.split_off_first() else { return false };
        let values = self.values.borrow();
        self.elsewhere.replace(None);
        if *scope == values.own_scope() {
            return values.find(slots).inspect(|at| self.at.set(*at)).is_some();
        }
        let other = scope.and_then(|scope| values.at_scope(scope));
        let found = other.and_then(|other| other.find(slots).map(|at| (other, at)));
        self.elsewhere.replace(found);
        self.elsewhere.borrow().is_some()
    }
    fn describe(&self, lists: &mut Vec<ListText>) {
        let values = self.values.borrow();
        lists.push(ListText { type_name: any_type_text::<T>(), values: values.len(), digest: values.digest() });
    }
    fn show(&self, shown: &mut Vec<Shown>) {
        let [line, drawing, debug] = self.current(|values, at| values.show(at));
        shown.push(Shown { line, drawing, debug });
    }
}

/// Two lists; the second changes faster.
pub(crate) struct Two<A, B>(pub(crate) List<A>, pub(crate) List<B>);

impl<A: 'static, B: 'static> Beside for Two<A, B> {
    fn len(&self) -> usize {
        self.0.len() * self.1.len()
    }
    fn go_to(&self, index: usize) {
        self.0.go_to(index / self.1.len());
        self.1.go_to(index % self.1.len());
    }
    fn at(&self) -> usize {
        self.0.at() * self.1.len() + self.1.at()
    }
    fn names(&self, names: &mut Vec<String>) {
        self.0.names(names);
        self.1.names(names);
    }
    fn slots(&self, slots: &mut Vec<BesideReplay>) {
        self.0.slots(slots);
        self.1.slots(slots);
    }
    fn restore(&self, slots: &mut &[BesideReplay]) -> bool {
        self.0.restore(slots) && self.1.restore(slots)
    }
    fn describe(&self, lists: &mut Vec<ListText>) {
        self.0.describe(lists);
        self.1.describe(lists);
    }
    fn show(&self, shown: &mut Vec<Shown>) {
        self.0.show(shown);
        self.1.show(shown);
    }
}

/// The values beside the current one of a search, if the property takes any.
pub(crate) struct Companions(Option<Rc<dyn Beside>>);

impl Companions {
    /// Returns those of a property that gets nothing else.
    pub(crate) fn none() -> Self {
        Companions(None)
    }

    /// Fails if the property takes values that do not exist.
    pub(crate) fn new(beside: Option<Rc<dyn Beside>>) -> Result<Self, Error> {
        let companions = Companions(beside);
        if companions.len() > 0 {
            return Ok(companions);
        }
        let names = companions.names().join(" or of ");
        Err(Error::Expectation(format!("the property would never run: there is no value of {names} for it")))
    }

    /// Returns the number of combinations; one without companions.
    pub(crate) fn len(&self) -> usize {
        self.0.as_ref().map_or(1, |beside| beside.len())
    }

    /// Returns the number of the current combination.
    pub(crate) fn at(&self) -> usize {
        self.0.as_ref().map_or(0, |beside| beside.at())
    }

    /// Moves to a combination.
    pub(crate) fn go_to(&self, index: usize) {
        self.0.iter().for_each(|beside| beside.go_to(index));
    }

    /// Moves to the combination of these slots; returns whether there is one.
    pub(crate) fn restore(&self, mut slots: &[BesideReplay]) -> bool {
        self.0.as_ref().is_none_or(|beside| beside.restore(&mut slots)) && slots.is_empty()
    }

    /// Returns the names of the types.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        self.0.iter().for_each(|beside| beside.names(&mut names));
        names
    }

    /// Returns what tells each list from others.
    pub(crate) fn lists(&self) -> Vec<ListText> {
        let mut lists = Vec::new();
        self.0.iter().for_each(|beside| beside.describe(&mut lists));
        lists
    }

    /// Returns the slots of the current combination.
    pub(crate) fn slots(&self) -> Vec<BesideReplay> {
        let mut slots = Vec::new();
        self.0.iter().for_each(|beside| beside.slots(&mut slots));
        slots
    }

    fn shown(&self) -> impl Iterator<Item = Shown> {
        let mut shown = Vec::new();
        self.0.iter().for_each(|beside| beside.show(&mut shown));
        shown.into_iter()
    }

    /// Draws a value together with its companions.
    pub(crate) fn drawing(&self, outline: &Outline) -> String {
        picture::text(outline) + &self.shown().map(|shown| format!("with\n{}", shown.drawing)).collect::<String>()
    }

    /// Formats a value together with its companions on one line.
    pub(crate) fn line(&self, outline: &Outline) -> String {
        picture::line(outline) + &self.own_line()
    }

    /// Returns whether a line was made with these companions, whatever value they stand beside.
    pub(crate) fn look_like(&self, line: &str) -> bool {
        line.is_empty() || line.ends_with(self.own_line().trim_end())
    }

    fn own_line(&self) -> String {
        self.shown().map(|shown| format!(" with {}", shown.line)).collect()
    }

    /// Adds the companions to the `Debug` of a value.
    pub(crate) fn debug(&self, own: String) -> String {
        match &self.0 {
            Some(_) => format!("({own}{})", self.shown().map(|shown| format!(", {}", shown.debug)).collect::<String>()),
            None => own,
        }
    }
}
