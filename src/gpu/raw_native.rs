//! Natively there is no browser: the same names as `raw.rs`, and no device.

use super::Gpu;

/// What the browser threw.
#[derive(Debug, Clone)]
pub struct Thrown(pub String);

/// The browser's `GPUDevice`; there is none here.
#[derive(Debug)]
pub enum Device {}

/// An object that a call returned; there is none here.
#[derive(Debug)]
pub struct Object;

/// Milliseconds since this was first asked.
pub fn now() -> f64 {
    static BEGIN: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    BEGIN.elapsed().as_secs_f64() * 1000.0
}

impl Object {
    /// A string, to stand for `"$0"` in a descriptor.
    pub const fn text(_text: &str) -> Self {
        Self
    }
}

impl Device {
    /// Always `None`.
    pub const fn of(_gpu: &Gpu) -> Option<Self> {
        None
    }

    /// Never called.
    pub const fn has(&self, _feature: &str) -> bool {
        match *self {}
    }

    /// # Errors
    /// Never called.
    pub fn call(&self, _method: &str, _json: &str, _objects: &[&Object]) -> Result<Object, Thrown> {
        match *self {}
    }
}
