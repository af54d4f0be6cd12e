//! The registry of claims. A few files a topic; a new claim is a row in one of them.

use crate::claim::Claim;
use crate::page::on_page;

mod format_table;
mod storage_rules;
mod storage_textures;
mod storage_values;

/// Every claim of the page, in the order of the registry.
pub fn all() -> impl Iterator<Item = &'static Claim> {
    const HERE: [&[Claim]; 4] = [
        on_page!("claim", Claim, format_table::CLAIMS),
        on_page!("claim", Claim, storage_textures::CLAIMS),
        on_page!("claim", Claim, storage_rules::CLAIMS),
        on_page!("claim", Claim, storage_values::CLAIMS),
    ];
    HERE.into_iter().flatten()
}

/// The claim of that id, if it stands on the page.
pub fn find(id: &str) -> Option<&'static Claim> {
    all().find(|claim| claim.id == id)
}
