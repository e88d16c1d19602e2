//! Builds values from forms.

use std::any::Any;
use std::collections::VecDeque;

use super::Forms;
use super::write::{self, stack_address};
use crate::class::alloc::pointee::Pointee;
use crate::class::alloc::{Alloc, AllocEdge};
use crate::class::codec::{Codec, Field};
use crate::class::copies::{AnyStore, Stored};
use crate::class::cycles::{self, AnyWeak};
use crate::class::traits::Class;

/// The bytes of stack that building may take: its frames hold the objects in the making, too.
const STACK: usize = 3 * write::STACK;

/// Reads the content of the boxed object with a number.
type ReadContent = fn(&mut FormReader<'_>, usize);

/// A value under construction from its form.
pub struct FormReader<'f> {
    bytes: &'f [u8],
    at: usize,
    pub(super) forms: &'f Forms,
    scope: usize,
    /// The shared objects, and the boxed ones if raw pointers may lead to them, in the order in which the walk met them.
    shared: Vec<Box<dyn AnyStore>>,
    boxed: Vec<Box<dyn AnyStore>>,
    /// For each boxed object, whether it is built.
    built: Vec<bool>,
    /// The boxed objects that raw pointers were first to lead to, each with what reads its content.
    waiting: VecDeque<(usize, ReadContent)>,
    /// For each shared object, where its content stands in the making.
    stages: Vec<Stage>,
    /// The lowest address that the stack may reach.
    deepest: usize,
}

/// Where the content of a shared object stands in the making.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Begun,
    /// Its content leads back to it by owning pointers.
    InCycle,
    Done,
}

/// Weak pointers to objects of a value that was built, one in each cycle of owning pointers. Dropping it, after the value, frees the
/// cycles. Other objects have no weak pointers but the value's own, as programs can tell.
#[derive(Default)]
pub struct SharedObjects(Vec<Box<dyn AnyWeak>>);

impl Drop for SharedObjects {
    fn drop(&mut self) {
        if !self.0.is_empty() {
            drop(cycles::collect(std::mem::take(&mut self.0)));
        }
    }
}

impl Forms {
    /// Builds a value from its form. `scope` is that in the expressions of skipped fields. What is returned beside the value is
    /// to be dropped after it.
    pub fn read<T: Field>(&self, bytes: &[u8], scope: usize) -> (T, SharedObjects) {
        let mut reader = FormReader {
            bytes,
            at: 0,
            forms: self,
            scope,
            shared: Vec::new(),
            boxed: Vec::new(),
            built: Vec::new(),
            waiting: VecDeque::new(),
            stages: Vec::new(),
            deepest: stack_address().saturating_sub(STACK),
        };
        let value = T::Codec::read_form(&mut reader);
        while let Some((object, read)) = reader.waiting.pop_front() {
            if !std::mem::replace(&mut reader.built[object], true) {
                read(&mut reader, object);
            }
        }
        assert!(reader.at == bytes.len(), "[korat internal bug] a form is longer than its value");
        let FormReader { shared, boxed, stages, .. } = reader;
        if shared.is_empty() && boxed.is_empty() {
            return (value, SharedObjects::default());
        }
        let in_cycle = |(store, stage): (Box<dyn AnyStore>, Stage)| store.release().filter(|_| stage == Stage::InCycle);
        let weak = shared.into_iter().zip(stages).filter_map(in_cycle).collect();
        boxed.into_iter().for_each(|store| _ = store.release());
        (value, SharedObjects(weak))
    }
}

impl FormReader<'_> {
    /// Returns the scope in the expressions of skipped fields.
    pub fn scope(&self) -> usize {
        self.scope
    }

    /// Reads a number.
    #[inline]
    pub fn number(&mut self) -> u64 {
        let byte = self.bytes[self.at];
        self.at += 1;
        if byte < 0x80 { u64::from(byte) } else { self.rest_of_number(byte) }
    }

    #[inline(never)]
    fn rest_of_number(&mut self, first: u8) -> u64 {
        let (mut number, mut shift) = (u64::from(first & 0x7f), 7);
        loop {
            let byte = self.bytes[self.at];
            self.at += 1;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return number;
            }
            shift += 7;
        }
    }

    /// Reads a text.
    pub(crate) fn text(&mut self) -> &str {
        let len = self.number() as usize;
        let text = &self.bytes[self.at..self.at + len];
        self.at += len;
        std::str::from_utf8(text).expect("[korat internal bug] a text was written")
    }

    /// Reads an owning pointer, of a type in which `nulls` pointers lead nowhere; `Err` with the number of such a pointer.
    #[inline]
    pub(crate) fn owned<A: Alloc>(&mut self, nulls: u64) -> Result<A::Strong, u64> {
        match A::EDGE {
            AllocEdge::Shared => {
                let (object, strong) = self.shared::<A, _>(nulls, A::take)?;
                if self.stages[object] == Stage::Begun {
                    self.stages[object] = Stage::InCycle;
                }
                Ok(strong)
            }
            AllocEdge::Owned if self.forms.has_raw => self.boxed::<A>(nulls),
            AllocEdge::Owned | AllocEdge::Part => {
                let number = self.number();
                if number < nulls {
                    return Err(number);
                }
                let content = self.content::<A>();
                let mut store = A::reserve();
                A::fill(&mut store, content);
                Ok(A::take(&mut store))
            }
        }
    }

    /// Reads a pointer to a shared object. Returns its number, and what `use_store` makes of its storage.
    pub(crate) fn shared<A: Alloc, R>(
        &mut self,
        nulls: u64,
        use_store: impl FnOnce(&mut A::Store) -> R,
    ) -> Result<(usize, R), u64> {
        let number = self.number();
        if number < nulls {
            return Err(number);
        }
        let object = match (number - nulls).checked_sub(1) {
            Some(known) => known as usize,
            None => {
                // Reserved first: the content may lead back to the object.
                let object = self.shared.len();
                self.shared.push(Box::new(Stored::<A>(A::reserve())));
                self.stages.push(Stage::Begun);
                let content = self.content::<A>();
                A::fill(stored::<A>(&mut self.shared[object]), content);
                if self.stages[object] == Stage::Begun {
                    self.stages[object] = Stage::Done;
                }
                object
            }
        };
        Ok((object, use_store(stored::<A>(&mut self.shared[object]))))
    }

    /// Reads a box, to whose target raw pointers may lead, too.
    fn boxed<A: Alloc>(&mut self, nulls: u64) -> Result<A::Strong, u64> {
        let number = self.number();
        if number < nulls {
            return Err(number);
        }
        let object = match (number - nulls).checked_sub(1) {
            Some(known) => known as usize,
            None => self.reserve::<A>(),
        };
        if !std::mem::replace(&mut self.built[object], true) {
            self.fill_boxed::<A>(object);
        }
        Ok(A::take(stored::<A>(&mut self.boxed[object])))
    }

    /// Reads a raw pointer, and returns what `use_store` makes of the storage of its target.
    pub(crate) fn raw<A: Alloc, R>(
        &mut self,
        nulls: u64,
        use_store: impl FnOnce(&mut A::Store) -> R,
    ) -> Result<R, u64> {
        let number = self.number();
        let object = number.checked_sub(nulls).ok_or(number)? as usize;
        if object == self.boxed.len() {
            self.reserve::<A>();
            self.waiting.push_back((object, |reader, object| reader.fill_boxed::<A>(object)));
        }
        Ok(use_store(stored::<A>(&mut self.boxed[object])))
    }

    fn reserve<A: Alloc>(&mut self) -> usize {
        self.boxed.push(Box::new(Stored::<A>(A::reserve())));
        self.built.push(false);
        self.built.len() - 1
    }

    fn fill_boxed<A: Alloc>(&mut self, object: usize) {
        let content = self.content::<A>();
        A::fill(stored::<A>(&mut self.boxed[object]), content);
    }

    /// Reads an object that lies in another one, or in a container.
    #[inline]
    pub(crate) fn by_value<C: Class>(&mut self) -> C {
        self.check_stack();
        C::read_form(self)
    }

    #[inline]
    fn check_stack(&self) {
        assert!(stack_address() >= self.deepest, "[korat] its objects are nested too deeply");
    }

    fn content<A: Alloc>(&mut self) -> A::Pointee {
        self.check_stack();
        A::Pointee::wrap(Class::read_form(self))
    }
}
fn stored<A: Alloc>(store: &mut Box<dyn AnyStore>) -> &mut A::Store {
    let store: &mut dyn Any = &mut **store;
    &mut store.downcast_mut::<Stored<A>>().expect("[korat internal bug] an object has one allocation kind").0
}
