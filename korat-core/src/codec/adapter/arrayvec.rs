//! `arrayvec::ArrayVec` as a field: a vector of at most as many elements as it has room for.

use std::ops::Deref;

use arrayvec::ArrayVec;

use crate::class::codec::{Codec, Field};
use crate::class::plan::slot_maker::SlotMaker;
use crate::class::traits::Lift;
use crate::codec::listed::Optional;
use crate::codec::pointed::{Pointed, ToValue};
use crate::codec::sequence::{VecOf, sequence};
use crate::codec::sequence_types::{Sequence, SequenceTwin, like_vec};
use crate::codec::tuple_option::Maybe;
use crate::predicate::twin;
use crate::predicate::twin::Elem;
use crate::slots::object_view::Located;
use crate::slots::slot::{ReadCell, Slot};

/// The twin of an `ArrayVec`: a vector that knows its room.
pub struct ArrayVecTwin<L, const N: usize>(twin::Vec<L>);

impl<L, const N: usize> ArrayVecTwin<L, N> {
    /// Returns the number of elements that fit.
    pub fn capacity(&self) -> usize {
        N
    }

    /// Returns whether no further element fits.
    pub fn is_full(&self) -> bool {
        self.len() == N
    }

    /// Returns the number of further elements that fit.
    pub fn remaining_capacity(&self) -> usize {
        N - self.len()
    }
}

impl<L, const N: usize> Deref for ArrayVecTwin<L, N> {
    type Target = twin::Vec<L>;
    fn deref(&self) -> &twin::Vec<L> {
        &self.0
    }
}

impl<'v, L, const N: usize> IntoIterator for &'v ArrayVecTwin<L, N> {
    type Item = &'v L;
    type IntoIter = twin::Iter<'v, L>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<L: 'static, const N: usize> SequenceTwin<L> for ArrayVecTwin<L, N> {
    fn of_field(len: &'static Slot<usize>, elems: *const [Elem<L>], slots: &mut SlotMaker<'_>) -> Self {
        ArrayVecTwin(SequenceTwin::of_field(len, elems, slots))
    }
    fn handle(&self) -> Self {
        ArrayVecTwin(self.0.handle())
    }
}

impl<L: 'static, const N: usize> ReadCell for ArrayVecTwin<L, N> {
    type Out = Self;
    fn read_cell(&self) -> &Self {
        self
    }
    fn is_decided(&self) -> bool {
        true
    }
}

impl<L: 'static, const N: usize> Located for ArrayVecTwin<L, N> {
    type Place = Self;
}

like_vec!([T: 'static, const N: usize] ArrayVec<T, N>, T, ArrayVecTwin<L, N>, N);

sequence! { [T: Field, const N: usize] ArrayVec<T, N>, T; }

impl<T: Lift<Lifted: Sized>, const N: usize> Lift for ArrayVec<T, N> {
    type Lifted = ArrayVecTwin<T::Lifted, N>;
}
