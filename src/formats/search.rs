//! Which formats a reader is shown, and in which order.

use super::table::Kind;
use super::{Answer, CAPABILITIES, Capability, FORMATS, Features, Format, specified};

/// Something that a reader needs of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// That it can do this.
    Can(Capability),
    /// That it holds values above 1.
    Hdr,
}

impl Need {
    /// The need of that name in addresses: a capability's, or `hdr`.
    pub fn find(name: &str) -> Option<Self> {
        let capability = || CAPABILITIES.iter().find(|(it, _)| *it == name);
        if name == "hdr" { Some(Self::Hdr) } else { capability().map(|(_, it)| Self::Can(*it)) }
    }

    /// Whether `format` meets it on a device with `features`, by the specification.
    pub fn is_met(self, format: &Format, features: Features) -> bool {
        match self {
            Self::Can(capability) => specified(format, capability, features) == Answer::Yes,
            Self::Hdr => format.kind == Kind::Float,
        }
    }
}

/// The formats that most programs get by with.
pub const COMMON: [&str; 12] = [
    "r8unorm",
    "r32uint",
    "r32float",
    "rgba8unorm",
    "rgba8unorm-srgb",
    "bgra8unorm",
    "rgb10a2unorm",
    "rg11b10ufloat",
    "rgba16float",
    "rgba32float",
    "depth24plus",
    "depth32float",
];

/// What rows are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// As in the specification.
    #[default]
    Specification,
    /// From a to z.
    Name,
    /// From z to a.
    NameDown,
    /// From few bytes a texel to many; those of unknown size are last.
    Bytes,
    /// From many to few.
    BytesDown,
}

/// Each order by its name in addresses.
pub const ORDERS: [(&str, Order); 5] = [
    ("", Order::Specification),
    ("name", Order::Name),
    ("-name", Order::NameDown),
    ("bytes", Order::Bytes),
    ("-bytes", Order::BytesDown),
];

/// What the size of a texel is counted in: so many are a byte, and a texel of each format has a whole number of them.
const PARTS: u32 = 14400;

/// How much a texel takes, in parts of a byte; `None` if that is the implementation's business.
fn size(format: &Format) -> Option<u32> {
    let texels = u32::from(format.block[0]) * u32::from(format.block[1]);
    format.bytes().map(|bytes| u32::from(bytes) * PARTS / texels)
}

/// Whether a texel takes at most so many bytes.
pub fn is_within(format: &Format, bytes: u32) -> bool {
    size(format).is_some_and(|size| size <= bytes.saturating_mul(PARTS))
}

impl Order {
    /// The places of [`FORMATS`] in this order; those that are equal in it stay as they are.
    pub fn places(self) -> Vec<usize> {
        let comes_before = |a: &Format, b: &Format| match self {
            Self::Specification => false,
            Self::Name => a.name < b.name,
            Self::NameDown => a.name > b.name,
            Self::Bytes => size(a).unwrap_or(u32::MAX) < size(b).unwrap_or(u32::MAX),
            Self::BytesDown => size(a) > size(b),
        };
        // A hundred rows: to put each in its place costs less than the library's sort weighs.
        let mut places: Vec<usize> = Vec::new();
        for (place, format) in FORMATS.iter().enumerate() {
            let at = places.iter().position(|it| comes_before(format, &FORMATS[*it]));
            places.insert(at.unwrap_or(places.len()), place);
        }
        places
    }
}
