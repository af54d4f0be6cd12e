//! Texelarium: WebGPU textures, explained by running them on the reader's own GPU.
//!
//! The rooms, each knowing only those below it:
//!
//! ```text
//! main → web → {figures, claims, formats} → {figure, claim, gpu} → wgpu
//! ```
//!
//! - [`web`] (wasm only) wakes the islands of a page: it alone knows the DOM.
//! - [`figures`] and [`claims`] are registries: one file a figure, one file a topic of claims.
//! - [`formats`] is the table of texture formats and its probe.
//! - `page` says what of it stands on the page that the build is for.
//! - [`figure`] and [`claim`] say what those are; [`gpu`] opens a device and reads it back.

pub mod claim;
pub mod claims;
pub mod figure;
pub mod figures;
pub mod formats;
pub mod gpu;
mod page;
#[cfg(target_arch = "wasm32")]
pub mod web;
