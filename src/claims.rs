//! The registry of claims. A few files a topic; a new claim is a row in one of them.
//!
//! `cargo xtask bench` builds the site `without` them, to know what one weighs.

use crate::claim::Claim;

mod format_table;
mod storage_rules;
mod storage_textures;
mod storage_values;

/// Every claim of the site.
pub fn all() -> impl Iterator<Item = &'static Claim> {
    let claims = [format_table::CLAIMS, storage_textures::CLAIMS, storage_rules::CLAIMS, storage_values::CLAIMS];
    let claims = if cfg!(without = "claims") { Default::default() } else { claims };
    claims.into_iter().flatten()
}

/// The claim of that id.
pub fn find(id: &str) -> Option<&'static Claim> {
    all().find(|claim| claim.id == id)
}
