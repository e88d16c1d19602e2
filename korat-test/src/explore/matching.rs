//! What states are matched by: the bytes that are compared to tell whether a state is known.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use korat_core::__private::Field;
use korat_core::Forms;
use rustc_hash::FxBuildHasher;

use super::State;
use super::failure::Fault;
use super::run::Run;
use super::states::{Origin, StateId};
use crate::choose;
use crate::panics::caught;

/// What two states must have in common to count as the same. Of states that count as the same, the first one is explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Matching {
    /// They are isomorphic: their canonical forms are equal.
    #[default]
    Exact,
    /// 128 bits of a hash of their forms are equal. Forms are kept only until a state is expanded, which takes less memory if states
    /// are large. Two different states count as the same with a probability of less than 10^-24 among ten million.
    Hashed,
    /// They have the same shape: their forms without plain values, which are numbers, texts and other listed values. Variants of
    /// enums and the lengths of containers are part of the shape, and so is which objects are shared; a link that is a number, as in
    /// an arena, is not. Such an exploration is not exhaustive.
    Shape,
}

/// Numbers the key of a state among all keys.
type NumberOf<S> = Box<dyn FnMut(&S) -> u64>;

/// What states are matched by.
pub(super) enum MatchedBy<S> {
    Matching(Matching),
    /// The key of the test's own.
    Key(NumberOf<S>),
}

impl<S> MatchedBy<S> {
    /// Matches by a key.
    pub(super) fn key<K: Hash + Eq + 'static>(key: impl Fn(&S) -> K + 'static) -> Self {
        let mut known: HashMap<K, u64, FxBuildHasher> = HashMap::default();
        MatchedBy::Key(Box::new(move |state| {
            let next = known.len() as u64;
            *known.entry(key(state)).or_insert(next)
        }))
    }

    /// Returns what states are matched by that have one of these as a part.
    pub(super) fn within<T>(self, part: fn(&T) -> &S) -> MatchedBy<T>
    where
        S: 'static,
        T: 'static,
    {
        match self {
            MatchedBy::Matching(matching) => MatchedBy::Matching(matching),
            MatchedBy::Key(mut number_of) => MatchedBy::Key(Box::new(move |whole| number_of(part(whole)))),
        }
    }

    /// Returns the matching; `None` if it is by a key.
    pub(super) fn matching(&self) -> Option<Matching> {
        match self {
            MatchedBy::Matching(matching) => Some(*matching),
            MatchedBy::Key(_) => None,
        }
    }

    /// Returns whether the forms are what states are matched by.
    pub(super) fn is_exact(&self) -> bool {
        matches!(self, MatchedBy::Matching(Matching::Exact))
    }

    /// Writes what a state is matched by in place of what is in `key`, unless it is its form.
    pub(super) fn write(&mut self, state: &S, forms: &mut Forms, form: &[u8], key: &mut Vec<u8>) -> Result<(), Fault>
    where
        S: Field,
    {
        match self {
            MatchedBy::Matching(Matching::Exact) => {}
            MatchedBy::Matching(Matching::Hashed) => {
                key.clear();
                key.extend([0, 1].iter().flat_map(|half| hash_of(form, *half).to_le_bytes()));
            }
            MatchedBy::Matching(Matching::Shape) => {
                forms.write_shape(state, key).map_err(|why| Fault::NoForm(why.to_string()))?;
            }
            MatchedBy::Key(number_of) => {
                let number = caught(|| number_of(state)).map_err(|panic| Fault::Key(panic.into()))?;
                key.clear();
                key.extend(number.to_le_bytes());
            }
        }
        Ok(())
    }
}

/// Returns half of the hash of a form.
fn hash_of(form: &[u8], half: u8) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write_u8(half);
    hasher.write(form);
    hasher.finish()
}

impl<S: State> Run<S> {
    /// Restores the forms of the states on the shortest sequence to a state, if they were dropped, by running it again.
    pub(super) fn restore(&mut self, state: StateId) {
        let Some(waiting) = &mut self.states.waiting else { return };
        waiting.forget();
        let (mut path, mut at) = (Vec::new(), state);
        while self.states.origin(at).from != at {
            path.push(at);
            at = self.states.origin(at).from;
        }
        while let Some(state) = path.pop() {
            let form = self.form_after(self.states.origin(state));
            if let (Some(form), Some(waiting)) = (form, &mut self.states.waiting) {
                waiting.restore(state, form);
            }
        }
    }

    /// Returns the form of the state that an execution leads to, unless it fails now.
    fn form_after(&mut self, Origin { from, step }: Origin) -> Option<Vec<u8>> {
        let (operations, forms, states) = (&self.executor.explore.operations, &mut self.executor.forms, &self.states);
        let (action, answers) = self.steps.get(step);
        let mut form = Vec::new();
        let run = || {
            let (mut state, shared) = forms.read::<S>(states.form(from), 0);
            // A guard may choose, too.
            operations.is_enabled(action, &state);
            let _ = operations.run(action, &mut state);
            let written = forms.write(&state, &mut form);
            drop(state);
            drop(shared);
            written.is_ok()
        };
        let (ran, _) = choose::with_answers(answers, || caught(run));
        (ran == Ok(true)).then_some(form)
    }
}
