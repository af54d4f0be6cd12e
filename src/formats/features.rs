//! Sets of the features that formats depend on.

/// A set of the features that matter to texture formats (WebGPU, *Feature Index*). Without [`Self::CORE`] it is that of
/// a device in compatibility mode, which is nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Features(u16);

/// The names, in the order of the bits.
const NAMES: [&str; 13] = [
    "core-features-and-limits",
    "bgra8unorm-storage",
    "depth32float-stencil8",
    "float32-blendable",
    "float32-filterable",
    "rg11b10ufloat-renderable",
    "texture-compression-astc",
    "texture-compression-astc-sliced-3d",
    "texture-compression-bc",
    "texture-compression-bc-sliced-3d",
    "texture-compression-etc2",
    "texture-formats-tier1",
    "texture-formats-tier2",
];

#[expect(missing_docs, reason = "each is the feature of that name")]
impl Features {
    pub const CORE: Self = Self(1);
    pub const BGRA8_STORAGE: Self = Self(1 << 1);
    pub const DEPTH32_STENCIL8: Self = Self(1 << 2);
    pub const FLOAT32_BLENDABLE: Self = Self(1 << 3);
    pub const FLOAT32_FILTERABLE: Self = Self(1 << 4);
    pub const RG11B10_RENDERABLE: Self = Self(1 << 5);
    pub const ASTC: Self = Self(1 << 6);
    pub const ASTC_3D: Self = Self(1 << 7);
    pub const BC: Self = Self(1 << 8);
    pub const BC_3D: Self = Self(1 << 9);
    pub const ETC2: Self = Self(1 << 10);
    pub const TIER1: Self = Self(1 << 11);
    pub const TIER2: Self = Self(1 << 12);
}

/// What each feature brings along (WebGPU, *Feature Dependencies*), the dependent ones first.
const DEPENDENCIES: [(Features, Features); 4] = [
    (Features::TIER2, Features::TIER1),
    (Features::TIER1, Features::RG11B10_RENDERABLE),
    (Features::BC_3D, Features::BC),
    (Features::ASTC_3D, Features::ASTC),
];

impl Features {
    /// The empty set: what needs it is always there.
    pub const NONE: Self = Self(0);
    /// A feature that no device has: what needs it is never there.
    pub const NEVER: Self = Self(1 << 15);

    /// Those that `has` says are there, by name; closed.
    pub fn of(has: impl Fn(&str) -> bool) -> Self {
        Self::each().filter(|(name, _)| has(name)).fold(Self::NONE, |set, (_, feature)| set.and(feature)).closed()
    }

    /// Each feature there is, with its name.
    pub fn each() -> impl Iterator<Item = (&'static str, Self)> {
        NAMES.iter().enumerate().map(|(bit, name)| (*name, Self(1 << bit)))
    }

    /// The names of those in this set.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::each().filter(move |(_, feature)| self.contains(*feature)).map(|(name, _)| name)
    }

    /// This set and those that a device gets with them.
    #[must_use]
    pub fn closed(self) -> Self {
        DEPENDENCIES
            .iter()
            .fold(self, |set, (feature, brings)| if set.contains(*feature) { set.and(*brings) } else { set })
    }

    /// Both sets together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// This set without those of the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether all of `other` are in it.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}
