//! `hashbrown::HashMap` and `HashSet` as fields, as those of std.

use std::hash::{BuildHasher, Hash};

use hashbrown::{HashMap, HashSet};

use crate::class::codec::{Codec, Field};
use crate::class::plan::slot_maker::SlotMaker;
use crate::class::traits::Lift;
use crate::codec::entries::{Entries, Key, SetValue, entries_field, map_entries, set_entries};
use crate::codec::keyed::{Keyed, KeyedOf, LiftedEntry, as_listed, keyed, map, set};
use crate::codec::listed::Optional;
use crate::codec::pointed::{Pointed, ToValue};
use crate::codec::pointer::NoDomain;
use crate::codec::tuple_option::Maybe;
use crate::codec::whole::Whole;
use crate::predicate::twin;

map!([K: Key + Hash, V: Field, S: BuildHasher + Default + 'static] HashMap<K, V, S>, HashMap, as_listed);
set!([K: Key + Hash, S: BuildHasher + Default + 'static] HashSet<K, S>, HashSet, as_listed);

impl<K: Lift<Lifted: Sized>, V: Lift<Lifted: Sized>, S> Lift for HashMap<K, V, S> {
    type Lifted = twin::HashMap<K::Lifted, V::Lifted>;
}

impl<K: Lift<Lifted: Sized>, S> Lift for HashSet<K, S> {
    type Lifted = twin::HashSet<K::Lifted>;
}
