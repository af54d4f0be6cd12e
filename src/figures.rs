//! The registry of figures. One file a figure; a new one is a `mod` and a row here.
//!
//! `cargo xtask bench` builds the site `without` them, to know what one weighs.

use crate::figure::Entry;

mod blendable;
mod buffer_or_texture;
mod cube_faces;
mod depth;
mod edge;
mod filterable;
mod grid;
mod mip_ladder;
mod plasma;
mod precision;
mod ripple;
mod srgb_view;
mod workgroups;

/// Every figure of the site.
pub const ALL: &[Entry] = &[
    blendable::ENTRY,
    buffer_or_texture::ENTRY,
    cube_faces::ENTRY,
    depth::ENTRY,
    edge::ENTRY,
    filterable::ENTRY,
    grid::ENTRY,
    mip_ladder::ENTRY,
    plasma::ENTRY,
    precision::ENTRY,
    ripple::ENTRY,
    srgb_view::ENTRY,
    workgroups::ENTRY,
];

/// The figure of that id.
pub fn find(id: &str) -> Option<&'static Entry> {
    let figures = if cfg!(without = "figures") { &[] } else { ALL };
    figures.iter().find(|entry| entry.id == id)
}
