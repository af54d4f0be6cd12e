//! The registry of figures. One file a figure; a new one is a `mod` and a row here.

use crate::figure::Entry;
use crate::page::on_page;

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

/// Those of the page.
const HERE: &[Entry] = on_page!("figure", Entry, ALL);

/// The figure of that id, if it stands on the page.
pub fn find(id: &str) -> Option<&'static Entry> {
    HERE.iter().find(|entry| entry.id == id)
}
