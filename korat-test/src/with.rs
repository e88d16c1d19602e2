//! Several values at once: a property that gets, with every value of a search, every value of other sources.

use std::any::type_name;
use std::fmt::Debug;
use std::ops::{Range, RangeInclusive};
use std::panic::Location;
use std::rc::Rc;

use korat_core::{Bounds, Finitize, RepOk, SlotVector};

use crate::beside::{Beside, List, Two};
use crate::config::Config;
use crate::digest::Digest;
use crate::env;
use crate::error::{Error, raised};
use crate::failure::debug_text;
use crate::for_each::check_type;
use crate::harness::Harness;
use crate::panics;
use crate::picture;
use crate::pool::{Pool, Wanted};
use crate::property::Outcome;
use crate::report::Report;
use crate::search::Search;
use crate::type_text::type_text;

/// Values that a property may get beside those of a search: a range, an array or a vector of plain values, or the bounds of a
/// structure, which has objects of its own.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no values that can stand beside those of a search",
    label = "neither bounds such as `Tree::scope(3)` nor a list of values that are `Clone + Debug`",
    note = "a list is a range, an array or a `Vec`; collect any other iterator: `.collect::<Vec<_>>()`"
)]
pub trait Source {
    /// The type of the values.
    type Value: 'static;
    /// Lists the values.
    #[doc(hidden)]
    fn list(self) -> Box<dyn Listed<Self::Value>>;
}

/// The values of a source.
#[doc(hidden)]
pub trait Listed<T> {
    /// Returns their number.
    fn len(&self) -> usize;
    /// Builds one of them.
    fn build(&mut self, index: usize) -> T;
    /// Returns the scope of a structure.
    fn own_scope(&self) -> Option<usize>;
    /// Lists the values of a structure at another scope.
    fn at_scope(&self, scope: usize) -> Option<Box<dyn Listed<T>>>;
    /// Returns the text form of a value for replays.
    fn slots(&self, index: usize) -> SlotVector;
    /// Returns the index of a value that was given as text.
    fn find(&self, slots: &SlotVector) -> Option<usize>;
    /// Returns a hash of all values that is the same in every process, if there is one.
    fn digest(&self) -> Option<String>;
    /// Returns a value on one line, as a drawing, and its `Debug`.
    fn show(&mut self, index: usize) -> [String; 3];
}

/// Lists the items of iterators. One impl for all of them would exclude the one for bounds.
macro_rules! iterators {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        impl<T: Clone + Debug + 'static, $($generics)*> Source for $type
        where
            $type: IntoIterator<Item = T>,
        {
            type Value = T;
            fn list(self) -> Box<dyn Listed<T>> {
                Box::new(self.into_iter().collect::<Vec<_>>())
            }
        }
    )*};
}

iterators! {
    [] Range<T>;
    [] RangeInclusive<T>;
    [const N: usize] [T; N];
    [] Vec<T>;
}

impl<T: Clone + Debug> Listed<T> for Vec<T> {
    fn len(&self) -> usize {
        self.len()
    }
    fn build(&mut self, index: usize) -> T {
        self[index].clone()
    }
    fn own_scope(&self) -> Option<usize> {
        None
    }
    fn at_scope(&self, _: usize) -> Option<Box<dyn Listed<T>>> {
        None
    }
    fn slots(&self, index: usize) -> SlotVector {
        SlotVector(vec![u32::try_from(index).expect("a list of this length was built")])
    }
    fn find(&self, slots: &SlotVector) -> Option<usize> {
        let [index] = slots.0[..] else { return None };
        Some(index as usize).filter(|index| *index < self.len())
    }
    fn digest(&self) -> Option<String> {
        is_plain::<T>().then(|| {
            let mut digest = Digest::default();
            self.iter().for_each(|value| digest.add(&format!("{value:?}")));
            digest.text()
        })
    }
    fn show(&mut self, index: usize) -> [String; 3] {
        let debug = debug_text(&self[index]);
        [debug.replace('\n', " "), format!("{debug}\n"), debug]
    }
}

/// Returns whether a type is of numbers and texts alone. The `Debug` text of others may have addresses, or the order of a hash table, which differ between
/// processes.
fn is_plain<T>() -> bool {
    const PLAIN: [&str; 21] = [
        "bool",
        "char",
        "u8",
        "u16",
        "u32",
        "u64",
        "u128",
        "usize",
        "i8",
        "i16",
        "i32",
        "i64",
        "i128",
        "isize",
        "f32",
        "f64",
        "str",
        "alloc::string::String",
        "alloc::vec::Vec",
        "alloc::boxed::Box",
        "core::option::Option",
    ];
    let words = type_name::<T>().split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    words.filter(|word| !word.is_empty()).all(|word| PLAIN.contains(&word) || word.parse::<usize>().is_ok())
}

impl<T: Finitize + RepOk + Debug> Source for Bounds<T> {
    type Value = T;
    fn list(mut self) -> Box<dyn Listed<T>> {
        let mut environment = Config::default();
        env::apply(&mut environment);
        if let Some(scope) = environment.scope {
            self.set_scope(scope);
        }
        panics::set_own_hook();
        Box::new(Structures::new(Wanted::new(self)))
    }
}

/// The values of a structure.
struct Structures<T: Finitize + RepOk> {
    wanted: Wanted<T>,
    pool: Pool<T>,
}

impl<T: Finitize + RepOk> Structures<T> {
    fn new(wanted: Wanted<T>) -> Self {
        Structures { pool: Pool::new(&wanted, usize::MAX), wanted }
    }
}

impl<T: Finitize + RepOk + Debug> Listed<T> for Structures<T> {
    fn len(&self) -> usize {
        self.pool.len()
    }
    fn build(&mut self, index: usize) -> T {
        self.pool.build(index)
    }
    fn own_scope(&self) -> Option<usize> {
        Some(self.wanted.bounds.scope())
    }
    fn at_scope(&self, scope: usize) -> Option<Box<dyn Listed<T>>> {
        let mut bounds = self.wanted.bounds.clone();
        bounds.set_scope(scope);
        Some(Box::new(Structures::new(Wanted::new(bounds))))
    }
    fn slots(&self, index: usize) -> SlotVector {
        self.pool.slots(index).clone()
    }
    fn find(&self, slots: &SlotVector) -> Option<usize> {
        (0..self.pool.len()).find(|index| self.pool.slots(*index) == slots)
    }
    fn digest(&self) -> Option<String> {
        Some(Digest::of(&self.pool.bounds_text()))
    }
    fn show(&mut self, index: usize) -> [String; 3] {
        let outline = self.pool.outline(index);
        let debug = debug_text(&self.pool.build(index));
        [picture::line(&outline), picture::text(&outline), debug]
    }
}

/// A search whose values come with every value of another source; see [`Search::with`].
#[must_use = "a search does nothing before it is run: call `for_each` or `replay`"]
pub struct SearchWith<T: Finitize + RepOk, S> {
    search: Search<T>,
    sources: S,
}

impl<T: Finitize + RepOk + Debug> Search<T> {
    /// Runs properties on every combination of a value of this search and one of another source: a range, an array or a vector of arguments,
    /// or the bounds of a structure with objects of its own. A third source may follow.
    ///
    /// The combinations come in the order of this search, and with each value in the order of the other source, smallest
    /// first. The settings are those of this search; a limit counts its values.
    ///
    /// ```
    /// use korat::{Finitize, Search, rep_ok};
    ///
    /// #[derive(Debug, Finitize)]
    /// struct Interval {
    ///     low: u8,
    ///     high: u8,
    /// }
    ///
    /// #[rep_ok]
    /// impl Interval {
    ///     fn rep_ok(&self) -> bool {
    ///         self.low <= self.high
    ///     }
    /// }
    ///
    /// let report = Search::new(Interval::scope(3)).with(0..=3_u8).for_each(|(interval, point)| {
    ///     let contains = (interval.low..=interval.high).contains(&point);
    ///     contains == (interval.low <= point && point <= interval.high)
    /// });
    /// assert_eq!((report.valid, report.combinations), (10, 40));
    /// ```
    pub fn with<S: Source>(self, source: S) -> SearchWith<T, (S,)> {
        SearchWith { search: self, sources: (source,) }
    }
}

impl<T: Finitize + RepOk, A: Source> SearchWith<T, (A,)> {
    /// Adds a third source.
    pub fn with<B: Source>(self, source: B) -> SearchWith<T, (A, B)> {
        SearchWith { search: self.search, sources: (self.sources.0, source) }
    }
}

/// Puts a value of the search together with the current ones of the lists.
type PutTogether<T, R> = Box<dyn Fn(T) -> R>;

/// The values of one or two sources together.
#[doc(hidden)]
pub trait Sources<T>: sealed::Sealed {
    /// What a property takes.
    type Together: 'static;
    /// Lists the values, and returns how one combination is put together with a value of the search.
    fn list(self) -> (Rc<dyn Beside>, PutTogether<T, Self::Together>);
}

mod sealed {
    pub trait Sealed {}
    impl<A> Sealed for (A,) {}
    impl<A, B> Sealed for (A, B) {}
}

impl<T: 'static, A: Source> Sources<T> for (A,) {
    type Together = (T, A::Value);
    fn list(self) -> (Rc<dyn Beside>, PutTogether<T, Self::Together>) {
        let list = Rc::new(List::new(self.0.list()));
        (Rc::clone(&list) as Rc<dyn Beside>, Box::new(move |value| (value, list.build())))
    }
}

impl<T: 'static, A: Source, B: Source> Sources<T> for (A, B) {
    type Together = (T, A::Value, B::Value);
    fn list(self) -> (Rc<dyn Beside>, PutTogether<T, Self::Together>) {
        let two = Rc::new(Two(List::new(self.0.list()), List::new(self.1.list())));
        (Rc::clone(&two) as Rc<dyn Beside>, Box::new(move |value| (value, two.0.build(), two.1.build())))
    }
}

impl<T: Finitize + RepOk + Debug, S: Sources<T>> SearchWith<T, S> {
    /// Runs `property` on every combination. Panics like [`for_each_valid`](crate::for_each_valid).
    #[track_caller]
    pub fn for_each<O: Outcome, P: FnMut(S::Together) -> O>(self, property: P) -> Report {
        raised(self.run(Location::caller(), property))
    }

    /// Runs `property` on every combination, and returns an error instead of panicking; see [`Search::try_for_each`].
    #[track_caller]
    pub fn try_for_each<O: Outcome, P: FnMut(S::Together) -> O>(self, property: P) -> Result<Report, Error> {
        self.run(Location::caller(), property)
    }

    fn run<O: Outcome, P: FnMut(S::Together) -> O>(
        mut self,
        location: &'static Location<'static>,
        property: P,
    ) -> Result<Report, Error> {
        self.search = self.search.with_environment();
        let recording = self.search.recorded(Some(type_name::<P>()), location);
        recording.ended(self.start(location, property))
    }

    fn start<O: Outcome, P: FnMut(S::Together) -> O>(
        self,
        location: &'static Location<'static>,
        mut property: P,
    ) -> Result<Report, Error> {
        let (beside, together) = self.sources.list();
        self.search.record.note_beside(&*beside);
        if let (Some(value), false) = (&self.search.config.replay, self.search.by_environment.replays) {
            let mut names = vec![type_text::<T>()];
            beside.names(&mut names);
            check_type(value, &names.join(","))?;
        }
        let harness = Harness::start::<T, P>(self.search, Some(beside), location)?;
        harness.run(move |value| property(together(value)))
    }

    /// Runs `property` on one combination, given as printed by a failure; see [`Search::replay`].
    #[track_caller]
    pub fn replay<O: Outcome, P: FnMut(S::Together) -> O>(mut self, value: &str, property: P) -> Report {
        self.search.config.replay = Some(value.to_string());
        self.search.config.regressions = false;
        raised(self.start(Location::caller(), property))
    }
}

/// What [`for_each_valid`](crate::for_each_valid) runs a property on: bounds such as `Tree::scope(4)`, or a pair or triple of bounds and other
/// [sources](Source).
pub trait Inputs {
    /// What the property takes.
    type Value;
    /// Runs a property.
    #[doc(hidden)]
    fn run<O: Outcome, P: FnMut(Self::Value) -> O>(
        self,
        location: &'static Location<'static>,
        property: P,
    ) -> Result<Report, Error>;
}

impl<T: Finitize + RepOk + Debug> Inputs for Bounds<T> {
    type Value = T;
    fn run<O: Outcome, P: FnMut(T) -> O>(
        self,
        location: &'static Location<'static>,
        property: P,
    ) -> Result<Report, Error> {
        Search::new(self).run_property(location, property)
    }
}

impl<T: Finitize + RepOk + Debug, A: Source> Inputs for (Bounds<T>, A) {
    type Value = (T, A::Value);
    fn run<O: Outcome, P: FnMut(Self::Value) -> O>(
        self,
        location: &'static Location<'static>,
        property: P,
    ) -> Result<Report, Error> {
        Search::new(self.0).with(self.1).run(location, property)
    }
}

impl<T: Finitize + RepOk + Debug, A: Source, B: Source> Inputs for (Bounds<T>, A, B) {
    type Value = (T, A::Value, B::Value);
    fn run<O: Outcome, P: FnMut(Self::Value) -> O>(
        self,
        location: &'static Location<'static>,
        property: P,
    ) -> Result<Report, Error> {
        Search::new(self.0).with(self.1).with(self.2).run(location, property)
    }
}
