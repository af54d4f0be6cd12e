//! The registry of figures. One file a figure; a new one is a `mod` and a row here.

use crate::figure::Entry;

mod buffer_or_texture;
mod cube_faces;
mod edge;
mod grid;
mod mip_ladder;
mod plasma;
mod ripple;
mod workgroups;

/// Every figure of the site.
pub const ALL: &[Entry] = &[
    buffer_or_texture::ENTRY,
    cube_faces::ENTRY,
    edge::ENTRY,
    grid::ENTRY,
    mip_ladder::ENTRY,
    plasma::ENTRY,
    ripple::ENTRY,
    workgroups::ENTRY,
];

/// The figure of that id.
pub fn find(id: &str) -> Option<&'static Entry> {
    ALL.iter().find(|entry| entry.id == id)
}
