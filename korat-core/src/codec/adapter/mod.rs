//! Field types of other crates, each behind a cargo feature of the crate's name. `slotmap`, `id_arena` and `slab` share
//! `keyed_arena`; `indexmap` has twins of its own in `ordered_twin`; `petgraph` uses `isomorphs` to enumerate graphs up to
//! isomorphism.

#[cfg(feature = "arrayvec")]
mod arrayvec;
#[cfg(feature = "fixedbitset")]
mod fixedbitset;
#[cfg(feature = "hashbrown")]
mod hashbrown;
#[cfg(feature = "id-arena")]
mod id_arena;
#[cfg(feature = "indexmap")]
mod indexmap;
#[cfg(feature = "petgraph")]
mod isomorphs;
#[cfg(any(feature = "slotmap", feature = "id-arena", feature = "slab"))]
mod keyed_arena;
#[cfg(feature = "indexmap")]
mod ordered_twin;
#[cfg(feature = "petgraph")]
mod petgraph;
#[cfg(feature = "slab")]
mod slab;
#[cfg(feature = "slotmap")]
mod slotmap;
#[cfg(feature = "smallvec")]
mod smallvec;

#[cfg(feature = "id-arena")]
pub(crate) use self::id_arena::begin_value;
#[cfg(feature = "petgraph")]
pub use self::petgraph::{GraphWeight, graph_weights};
