//! The registry of figures. One file a figure; a new one is a `mod` and a row here.

use crate::figure::Entry;

mod buffer_or_texture;
mod grid;
mod plasma;
mod ripple;

/// Every figure of the site.
pub const ALL: &[Entry] = &[grid::ENTRY, plasma::ENTRY, ripple::ENTRY, buffer_or_texture::ENTRY];

/// The figure of that id.
pub fn find(id: &str) -> Option<&'static Entry> {
    ALL.iter().find(|entry| entry.id == id)
}
