//! `smallvec::SmallVec` as a field: a vector.

use smallvec::{Array, SmallVec};

use crate::class::codec::{Codec, Field};
use crate::class::traits::Lift;
use crate::codec::listed::Optional;
use crate::codec::pointed::{Pointed, ToValue};
use crate::codec::sequence::{VecOf, sequence};
use crate::codec::sequence_types::{Sequence, like_vec};
use crate::codec::tuple_option::Maybe;
use crate::predicate::twin;

like_vec!([A: Array<Item: 'static> + 'static] SmallVec<A>, A::Item, twin::Vec<L>);

sequence! { [A: Array<Item: Field> + 'static] SmallVec<A>, A::Item; }

impl<A: Array<Item: Lift<Lifted: Sized>>> Lift for SmallVec<A> {
    type Lifted = twin::Vec<<A::Item as Lift>::Lifted>;
}
