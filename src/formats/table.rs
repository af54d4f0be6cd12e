//! The formats themselves (WebGPU, *Texture Format Capabilities*): a row says what differs from its group.

use super::Features;

/// What the texels of a format are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// From 0 to 1.
    Unorm,
    /// From −1 to 1.
    Snorm,
    /// Unsigned integers.
    Uint,
    /// Signed integers.
    Sint,
    /// Floating point.
    Float,
    /// Depth alone.
    Depth,
    /// Stencil alone.
    Stencil,
    /// Depth and stencil.
    DepthStencil,
}

/// A part of a texture that is bound and copied by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aspect {
    /// Of all formats but the depth and stencil ones.
    Color,
    /// The depth.
    Depth,
    /// The stencil.
    Stencil,
}

/// A `GPUTextureFormat` and the facts from which all its capabilities follow. A fact that is a set of features says what
/// a device needs for it, apart from what the format needs to exist at all.
#[derive(Debug)]
pub struct Format {
    /// Its name.
    pub name: &'static str,
    /// What its texels are made of.
    pub kind: Kind,
    /// Components a texel: 1 to 4, or 0 for depth and stencil.
    pub channels: u8,
    /// Width and height of a block in texels; 1 × 1 unless compressed.
    pub block: [u8; 2],
    /// What it needs to be used at all.
    pub exists: Features,
    /// Bytes a block in a copy; of the depth, if there is one; 0 if that is never copied.
    bytes: u8,
    /// Bytes a pixel takes of `maxColorAttachmentBytesPerSample`.
    cost: u8,
    /// What its place in that is a multiple of.
    alignment: u8,
    pub(super) filter: Features,
    pub(super) render: Features,
    /// Beyond `render`.
    pub(super) blend: Features,
    /// Beyond `render`.
    pub(super) multisample: Features,
    /// Beyond `multisample`.
    pub(super) resolve: Features,
    pub(super) write: Features,
    pub(super) read: Features,
    pub(super) read_write: Features,
}

const ALWAYS: Features = Features::NONE;
const NEVER: Features = Features::NEVER;
const CORE: Features = Features::CORE;
const TIER1: Features = Features::TIER1;
const TIER2: Features = Features::TIER2;

/// Everything but the widest use of storage, for which tier 1 is enough.
const fn plain(name: &'static str, channels: u8, bits: u8, kind: Kind) -> Format {
    Format {
        name,
        kind,
        channels,
        block: [1, 1],
        exists: ALWAYS,
        bytes: channels * (bits / 8),
        cost: channels * (bits / 8),
        alignment: bits / 8,
        filter: ALWAYS,
        render: ALWAYS,
        blend: ALWAYS,
        multisample: ALWAYS,
        resolve: ALWAYS,
        write: TIER1,
        read: TIER1,
        read_write: NEVER,
    }
}

const fn unorm8(name: &'static str, channels: u8) -> Format {
    plain(name, channels, 8, Kind::Unorm)
}

const fn snorm8(name: &'static str, channels: u8) -> Format {
    Format { render: TIER1, ..plain(name, channels, 8, Kind::Snorm) }
}

const fn norm16(name: &'static str, channels: u8, kind: Kind) -> Format {
    Format { exists: TIER1, filter: NEVER, resolve: NEVER, ..plain(name, channels, 16, kind) }
}

const fn integer(name: &'static str, channels: u8, bits: u8, kind: Kind) -> Format {
    let multisample = if bits < 32 { CORE } else { NEVER };
    Format { filter: NEVER, blend: NEVER, multisample, resolve: NEVER, ..plain(name, channels, bits, kind) }
}

const fn uint(name: &'static str, channels: u8, bits: u8) -> Format {
    integer(name, channels, bits, Kind::Uint)
}

const fn sint(name: &'static str, channels: u8, bits: u8) -> Format {
    integer(name, channels, bits, Kind::Sint)
}

const fn float16(name: &'static str, channels: u8) -> Format {
    plain(name, channels, 16, Kind::Float)
}

const fn float32(name: &'static str, channels: u8) -> Format {
    Format {
        filter: Features::FLOAT32_FILTERABLE,
        blend: Features::FLOAT32_BLENDABLE,
        multisample: NEVER,
        resolve: NEVER,
        ..plain(name, channels, 32, Kind::Float)
    }
}

/// Four bytes that its components share unevenly.
const fn packed(of: Format) -> Format {
    Format { bytes: 4, cost: 8, alignment: 4, ..of }
}

/// `bytes` are those of the depth in a copy.
const fn depth(name: &'static str, bytes: u8, kind: Kind) -> Format {
    Format { bytes, filter: NEVER, blend: NEVER, resolve: NEVER, ..plain(name, 0, 0, kind) }.storage(NEVER, NEVER)
}

const fn compressed(name: &'static str, block: [u8; 2], exists: Features) -> Format {
    Format { block, exists, bytes: 16, render: NEVER, ..plain(name, 4, 0, Kind::Unorm) }.storage(NEVER, NEVER)
}

const fn bc(name: &'static str) -> Format {
    compressed(name, [4, 4], Features::BC)
}

const fn etc2(name: &'static str) -> Format {
    compressed(name, [4, 4], Features::ETC2)
}

const fn astc(name: &'static str, width: u8, height: u8) -> Format {
    compressed(name, [width, height], Features::ASTC)
}

/// What a row says beyond its group.
impl Format {
    /// What it needs to be written or read as storage, and to be both at once.
    const fn storage(self, either: Features, both: Features) -> Self {
        Self { write: either, read: either, read_write: both, ..self }
    }

    const fn cost(self, cost: u8) -> Self {
        Self { cost, ..self }
    }

    const fn render(self, render: Features) -> Self {
        Self { render, ..self }
    }

    const fn multisample(self, multisample: Features) -> Self {
        Self { multisample, ..self }
    }

    const fn exists(self, exists: Features) -> Self {
        Self { exists, ..self }
    }

    const fn half_blocks(self) -> Self {
        Self { bytes: 8, ..self }
    }

    const fn of(self, channels: u8, kind: Kind) -> Self {
        Self { channels, kind, ..self }
    }
}

/// Every format, in the order of the specification.
#[rustfmt::skip]
pub static FORMATS: [Format; 101] = [
    // 1 component of 8 or 16 bits
    unorm8("r8unorm", 1).storage(TIER1, TIER2),
    snorm8("r8snorm", 1),
    uint("r8uint", 1, 8).storage(TIER1, TIER2),
    sint("r8sint", 1, 8).storage(TIER1, TIER2),
    norm16("r16unorm", 1, Kind::Unorm),
    norm16("r16snorm", 1, Kind::Snorm),
    uint("r16uint", 1, 16).storage(TIER1, TIER2),
    sint("r16sint", 1, 16).storage(TIER1, TIER2),
    float16("r16float", 1).storage(TIER1, TIER2),
    // 2 components of 8 bits
    unorm8("rg8unorm", 2),
    snorm8("rg8snorm", 2),
    uint("rg8uint", 2, 8),
    sint("rg8sint", 2, 8),
    // 32 bits a texel
    uint("r32uint", 1, 32).storage(ALWAYS, ALWAYS),
    sint("r32sint", 1, 32).storage(ALWAYS, ALWAYS),
    float32("r32float", 1).storage(ALWAYS, ALWAYS).multisample(CORE),
    norm16("rg16unorm", 2, Kind::Unorm),
    norm16("rg16snorm", 2, Kind::Snorm),
    uint("rg16uint", 2, 16),
    sint("rg16sint", 2, 16),
    float16("rg16float", 2),
    unorm8("rgba8unorm", 4).cost(8).storage(ALWAYS, TIER2),
    unorm8("rgba8unorm-srgb", 4).cost(8).storage(NEVER, NEVER),
    snorm8("rgba8snorm", 4).cost(8).storage(ALWAYS, NEVER),
    uint("rgba8uint", 4, 8).storage(ALWAYS, TIER2),
    sint("rgba8sint", 4, 8).storage(ALWAYS, TIER2),
    // The one format that is written but not read as storage.
    Format { read: NEVER, ..unorm8("bgra8unorm", 4).cost(8).storage(Features::BGRA8_STORAGE, NEVER) },
    unorm8("bgra8unorm-srgb", 4).cost(8).storage(NEVER, NEVER).exists(CORE),
    // 32 bits, shared unevenly
    packed(plain("rgb9e5ufloat", 3, 8, Kind::Float)).render(NEVER).storage(NEVER, NEVER),
    packed(uint("rgb10a2uint", 4, 8)),
    packed(plain("rgb10a2unorm", 4, 8, Kind::Unorm)),
    packed(plain("rg11b10ufloat", 3, 8, Kind::Float)).render(Features::RG11B10_RENDERABLE),
    // 64 and 128 bits a texel
    uint("rg32uint", 2, 32).storage(CORE, NEVER),
    sint("rg32sint", 2, 32).storage(CORE, NEVER),
    float32("rg32float", 2).storage(CORE, NEVER),
    norm16("rgba16unorm", 4, Kind::Unorm),
    norm16("rgba16snorm", 4, Kind::Snorm),
    uint("rgba16uint", 4, 16).storage(ALWAYS, TIER2),
    sint("rgba16sint", 4, 16).storage(ALWAYS, TIER2),
    float16("rgba16float", 4).storage(ALWAYS, TIER2).multisample(CORE),
    uint("rgba32uint", 4, 32).storage(ALWAYS, TIER2),
    sint("rgba32sint", 4, 32).storage(ALWAYS, TIER2),
    float32("rgba32float", 4).storage(ALWAYS, TIER2),
    // Depth and stencil
    depth("stencil8", 0, Kind::Stencil),
    depth("depth16unorm", 2, Kind::Depth),
    depth("depth24plus", 0, Kind::Depth),
    depth("depth24plus-stencil8", 0, Kind::DepthStencil),
    depth("depth32float", 4, Kind::Depth),
    depth("depth32float-stencil8", 4, Kind::DepthStencil).exists(Features::DEPTH32_STENCIL8),
    // Compressed
    bc("bc1-rgba-unorm").half_blocks(),
    bc("bc1-rgba-unorm-srgb").half_blocks(),
    bc("bc2-rgba-unorm"),
    bc("bc2-rgba-unorm-srgb"),
    bc("bc3-rgba-unorm"),
    bc("bc3-rgba-unorm-srgb"),
    bc("bc4-r-unorm").half_blocks().of(1, Kind::Unorm),
    bc("bc4-r-snorm").half_blocks().of(1, Kind::Snorm),
    bc("bc5-rg-unorm").of(2, Kind::Unorm),
    bc("bc5-rg-snorm").of(2, Kind::Snorm),
    bc("bc6h-rgb-ufloat").of(3, Kind::Float),
    bc("bc6h-rgb-float").of(3, Kind::Float),
    bc("bc7-rgba-unorm"),
    bc("bc7-rgba-unorm-srgb"),
    etc2("etc2-rgb8unorm").half_blocks().of(3, Kind::Unorm),
    etc2("etc2-rgb8unorm-srgb").half_blocks().of(3, Kind::Unorm),
    etc2("etc2-rgb8a1unorm").half_blocks(),
    etc2("etc2-rgb8a1unorm-srgb").half_blocks(),
    etc2("etc2-rgba8unorm"),
    etc2("etc2-rgba8unorm-srgb"),
    etc2("eac-r11unorm").half_blocks().of(1, Kind::Unorm),
    etc2("eac-r11snorm").half_blocks().of(1, Kind::Snorm),
    etc2("eac-rg11unorm").of(2, Kind::Unorm),
    etc2("eac-rg11snorm").of(2, Kind::Snorm),
    astc("astc-4x4-unorm", 4, 4), astc("astc-4x4-unorm-srgb", 4, 4),
    astc("astc-5x4-unorm", 5, 4), astc("astc-5x4-unorm-srgb", 5, 4),
    astc("astc-5x5-unorm", 5, 5), astc("astc-5x5-unorm-srgb", 5, 5),
    astc("astc-6x5-unorm", 6, 5), astc("astc-6x5-unorm-srgb", 6, 5),
    astc("astc-6x6-unorm", 6, 6), astc("astc-6x6-unorm-srgb", 6, 6),
    astc("astc-8x5-unorm", 8, 5), astc("astc-8x5-unorm-srgb", 8, 5),
    astc("astc-8x6-unorm", 8, 6), astc("astc-8x6-unorm-srgb", 8, 6),
    astc("astc-8x8-unorm", 8, 8), astc("astc-8x8-unorm-srgb", 8, 8),
    astc("astc-10x5-unorm", 10, 5), astc("astc-10x5-unorm-srgb", 10, 5),
    astc("astc-10x6-unorm", 10, 6), astc("astc-10x6-unorm-srgb", 10, 6),
    astc("astc-10x8-unorm", 10, 8), astc("astc-10x8-unorm-srgb", 10, 8),
    astc("astc-10x10-unorm", 10, 10), astc("astc-10x10-unorm-srgb", 10, 10),
    astc("astc-12x10-unorm", 12, 10), astc("astc-12x10-unorm-srgb", 12, 10),
    astc("astc-12x12-unorm", 12, 12), astc("astc-12x12-unorm-srgb", 12, 12),
];

impl Aspect {
    /// Its name in capabilities.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Color => "color",
            Self::Depth => "depth",
            Self::Stencil => "stencil",
        }
    }
}

impl Format {
    /// The format of that name.
    pub fn find(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name)
    }

    /// Its aspects.
    pub const fn aspects(&self) -> &'static [Aspect] {
        match self.kind {
            Kind::Depth => &[Aspect::Depth],
            Kind::Stencil => &[Aspect::Stencil],
            Kind::DepthStencil => &[Aspect::Depth, Aspect::Stencil],
            _ => &[Aspect::Color],
        }
    }

    /// Whether texels come in blocks.
    pub const fn is_compressed(&self) -> bool {
        self.block[0] > 1
    }

    /// Bytes a block of that aspect takes in a buffer; `None` if it is never copied to or from one.
    pub const fn copy_bytes(&self, aspect: Aspect) -> Option<u8> {
        match (aspect, self.bytes) {
            (Aspect::Stencil, _) => Some(1),
            (_, 0) => None,
            (_, bytes) => Some(bytes),
        }
    }

    /// Bytes a block takes; `None` if that is the implementation's business.
    pub fn bytes(&self) -> Option<u8> {
        match self.aspects() {
            [aspect] => self.copy_bytes(*aspect),
            _ => None,
        }
    }

    /// What a pixel takes of `maxColorAttachmentBytesPerSample`, and what its place there is a multiple of, in bytes;
    /// `None` for what is no color target on any device.
    pub fn render_cost(&self) -> Option<[u8; 2]> {
        (self.aspects() == [Aspect::Color] && self.render != NEVER).then_some([self.cost, self.alignment])
    }

    /// The same bytes read as sRGB, or not as sRGB: the only other format that a view of it may have.
    pub fn srgb_counterpart(&self) -> Option<&'static Self> {
        FORMATS.iter().find(|other| {
            let is = |longer: &str, shorter: &str| longer.strip_suffix("-srgb") == Some(shorter);
            is(self.name, other.name) || is(other.name, self.name)
        })
    }

    /// The scalar type of its components in WGSL.
    pub const fn wgsl_scalar(&self) -> &'static str {
        match self.kind {
            Kind::Uint | Kind::Stencil => "u32",
            Kind::Sint => "i32",
            _ => "f32",
        }
    }

    /// Whether its name is a texel format of WGSL, so that a shader can name it.
    pub fn is_wgsl_texel_format(&self) -> bool {
        self.write != NEVER
    }

    /// The WGSL language feature without which a shader cannot name it.
    pub fn wgsl_language_feature(&self) -> Option<&'static str> {
        (self.write == TIER1).then_some("texture_formats_tier1")
    }

    /// The feature without which it cannot be used at all.
    pub fn required_feature(&self) -> Option<&'static str> {
        self.exists.names().next()
    }
}
