//! Field types of other crates, each behind a cargo feature of the crate's name. `slotmap` and `id_arena` share
//! `keyed_arena`; `petgraph` uses `isomorphs` to enumerate graphs up to isomorphism.

#[cfg(feature = "id-arena")]
mod id_arena;
#[cfg(feature = "petgraph")]
mod isomorphs;
#[cfg(any(feature = "slotmap", feature = "id-arena"))]
mod keyed_arena;
#[cfg(feature = "petgraph")]
mod petgraph;
#[cfg(feature = "slotmap")]
mod slotmap;

#[cfg(feature = "id-arena")]
pub(crate) use self::id_arena::begin_value;
#[cfg(feature = "petgraph")]
pub use self::petgraph::{GraphWeight, graph_weights};
