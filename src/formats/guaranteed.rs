//! What wgpu says of the formats: `guaranteed_format_features` and `sample_type`, which it asks instead of the device.
//!
//! That is what the specification says, with two exceptions: it knows nothing of the tiers, nor of compatibility mode. The
//! native tests ask wgpu itself, for every set of features; its own table is kilobytes that pages need not wait for.

use super::{Answer, Capability, Features, Format, specified};

/// What wgpu says of a format on a device with `features`; [`Answer::None`] where it says nothing.
pub fn answer(format: &Format, capability: Capability, features: Features) -> Answer {
    use Capability as C;
    match capability {
        C::Exists
        | C::Usage(_)
        | C::Sample(..)
        | C::Filterable
        | C::ColorRenderable
        | C::Blendable
        | C::Multisample
        | C::Resolve
        | C::StorageWriteOnly
        | C::StorageReadOnly
        | C::StorageReadWrite => {
            let tiers = Features::TIER1.and(Features::TIER2);
            specified(format, capability, features.without(tiers).and(Features::CORE))
        }
        _ => Answer::None,
    }
}
