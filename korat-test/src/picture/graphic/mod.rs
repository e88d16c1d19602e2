//! Draws values with lines and boxes: as SVG, as DOT, and as pages with many pictures.

mod detour;
mod dot;
mod gallery;
mod lanes;
mod layout;
#[cfg(feature = "merge")]
mod merged;
mod nulls;
mod page;
mod places;
mod plot;
mod routes;
mod scene;
mod search;
mod shapes;
mod states;
mod svg;
#[cfg(test)]
mod tests;

#[cfg(feature = "merge")]
pub(crate) use merged::merged_page;
pub(crate) use search::write_gallery;
