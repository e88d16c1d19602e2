//! Draws values with lines and boxes: as SVG, as DOT, and as a page with many pictures.

mod detour;
mod dot;
mod gallery;
mod lanes;
mod layout;
mod nulls;
mod plot;
mod routes;
mod scene;
mod search;
mod shapes;
mod svg;
#[cfg(test)]
mod tests;

pub(crate) use search::write_gallery;
