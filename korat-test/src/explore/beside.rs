//! Explorations of a structure beside a model: each operation runs on both, and what they return is compared.

use std::fmt::Debug;

use super::{Explore, State};

impl<S: State> Explore<S> {
    /// Explores the structure beside a model: a reference implementation, or an old version. A state then is a pair; the operations
    /// and checks so far look at the structure alone.
    ///
    /// ```
    /// use std::collections::VecDeque;
    ///
    /// use korat::{Explore, Finitize};
    ///
    /// #[derive(Debug, Default, Finitize)]
    /// struct Queue {
    ///     back: Vec<u8>,
    ///     front: Vec<u8>,
    /// }
    ///
    /// impl Queue {
    ///     fn dequeue(&mut self) -> Option<u8> {
    ///         if self.front.is_empty() {
    ///             self.front.extend(self.back.drain(..).rev());
    ///         }
    ///         self.front.pop()
    ///     }
    /// }
    ///
    /// Explore::from(Queue::default())
    ///     .beside(VecDeque::new())
    ///     .both("enqueue", 1..=3_u8, |queue, item| queue.back.push(item), |model, item| model.push_back(item))
    ///     .both("dequeue", [()], |queue, ()| queue.dequeue(), |model, ()| model.pop_front())
    ///     .same("number of items", |queue| queue.back.len() + queue.front.len(), |model| model.len())
    ///     .depth(5)
    ///     .run();
    /// ```
    ///
    /// # Panics
    /// If there are several first states: call it before [`and_from`](Explore::and_from), which then takes pairs.
    #[track_caller]
    pub fn beside<M: State>(self, model: M) -> Explore<(S, M)>
    where
        S: 'static,
    {
        let Explore { mut firsts, operations, checks, matched_by, config, inside } = self;
        let first = firsts.pop().filter(|_| firsts.is_empty());
        let first = first.expect("[korat] `beside` is called before `and_from`, which then takes pairs");
        let checks =
            checks.into_iter().map(|check| -> super::Check<(S, M)> { Box::new(move |(state, _)| check(state)) });
        Explore {
            firsts: vec![(first, model)],
            operations: operations.within(|(state, _)| state, |(state, _)| state),
            checks: checks.collect(),
            matched_by: matched_by.within(|(state, _)| state),
            config,
            inside,
        }
    }
}

impl<S: 'static, M: 'static> Explore<(S, M)> {
    /// Adds an operation that runs on the structure and on the model, with each of these arguments. Both must return the same.
    pub fn both<A: Clone + Debug + 'static, R: PartialEq + Debug>(
        mut self,
        name: &str,
        arguments: impl IntoIterator<Item = A>,
        on_structure: impl Fn(&mut S, A) -> R + 'static,
        on_model: impl Fn(&mut M, A) -> R + 'static,
    ) -> Self {
        self.note_place(&on_structure);
        self.operations.add(name, None, arguments, move |(structure, model), argument| {
            same("what it returns", &on_structure(structure, argument.clone()), &on_model(model, argument))
        });
        self
    }

    /// Compares what can be seen of the structure and of the model, in each state. `what` says in a report what differs.
    pub fn same<T: PartialEq + Debug>(
        mut self,
        what: &str,
        of_structure: impl Fn(&S) -> T + 'static,
        of_model: impl Fn(&M) -> T + 'static,
    ) -> Self {
        self.note_place(&of_structure);
        let what = what.to_string();
        let check = move |(structure, model): &(S, M)| same(&what, &of_structure(structure), &of_model(model));
        self.checks.push(Box::new(check));
        self
    }
}

fn same<T: PartialEq + Debug>(what: &str, of_structure: &T, of_model: &T) -> Result<(), String> {
    if of_structure == of_model {
        return Ok(());
    }
    Err(format!("{what} is {of_structure:?}, but {of_model:?} of the model"))
}
