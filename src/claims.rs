//! The registry of claims. One file a topic; a new claim is a row in its topic's file.

use crate::claim::Claim;

mod storage_textures;

/// Every claim of the site.
pub fn all() -> impl Iterator<Item = &'static Claim> {
    [storage_textures::CLAIMS].into_iter().flatten()
}

/// The claim of that id.
pub fn find(id: &str) -> Option<&'static Claim> {
    all().find(|claim| claim.id == id)
}
