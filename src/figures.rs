//! The registry of figures. One file a figure; a new one is a `mod` and a row here.

use crate::figure::Entry;

mod grid;
mod plasma;
mod workgroups;

/// Every figure of the site.
pub const ALL: &[Entry] = &[grid::ENTRY, plasma::ENTRY, workgroups::ENTRY];

/// The figure of that id.
pub fn find(id: &str) -> Option<&'static Entry> {
    ALL.iter().find(|entry| entry.id == id)
}
