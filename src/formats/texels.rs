//! Texels whose bytes and values are both known: what the functional checks write, draw and expect.

use super::table::{Aspect, Format, Kind};

/// A texel, or a block of equal ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Texel {
    /// As a copy has it.
    pub bytes: Vec<u8>,
    /// As a shader reads it: the bits of its scalars.
    pub bits: [u32; 4],
}

/// A red, a green and a blue of 51, 102 and 153 in sRGB, decoded.
const SRGB: [f32; 3] = [0.033_104_77, 0.132_868_32, 0.318_546_78];

/// What components have that a format lacks.
const DEFAULT: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

impl Format {
    /// Whether shaders see integers.
    pub fn is_integer(&self) -> bool {
        self.wgsl_scalar() != "f32"
    }

    /// Whether its components are decoded from sRGB.
    pub fn is_srgb(&self) -> bool {
        self.name.ends_with("-srgb")
    }

    /// Bits of its components in the order of memory.
    fn widths(&self) -> [u32; 4] {
        match self.name {
            "rgb10a2unorm" | "rgb10a2uint" => [10, 10, 10, 2],
            "rg11b10ufloat" => [11, 11, 10, 0],
            _ => [8 * u32::from(self.bytes().unwrap_or_default()) / u32::from(self.channels.max(1)); 4],
        }
    }

    /// A texel of this color format whose components differ from each other and from 0 and 1, as far as they can; a
    /// compressed block is of full intensity.
    pub fn known_texel(&self) -> Option<Texel> {
        if self.aspects() != [Aspect::Color] {
            return None;
        }
        if self.is_compressed() {
            let (_, block) = BLOCKS.iter().find(|(name, _)| self.name.starts_with(name))?;
            let mut bytes: Vec<u8> = block.iter().flat_map(|half| half.to_le_bytes()).collect();
            bytes.truncate(self.bytes()?.into());
            return Some(Texel { bytes, bits: self.fill(|_| 1.0f32.to_bits()) });
        }
        if self.name == "rgb9e5ufloat" {
            // 2⁰, 2⁻¹ and 2⁻² with nine bits each and the exponent 16.
            let code = 256 | 128 << 9 | 64 << 18 | 16u32 << 27;
            return Some(Texel { bytes: code.to_le_bytes().into(), bits: self.fill(|at| power(at).to_bits()) });
        }
        let (mut bytes, mut packed, mut shift, mut bits) = (Vec::new(), 0, 0, [0; 4]);
        for (at, width) in self.widths().into_iter().enumerate().take(self.channels.into()) {
            let (component, value) = self.component(at as u32, width);
            bits[at] = value;
            if width % 8 == 0 {
                bytes.extend(component.to_le_bytes().into_iter().take(width as usize / 8));
            } else {
                packed |= component << shift;
                shift += width;
            }
        }
        if shift > 0 {
            bytes.extend(packed.to_le_bytes());
        }
        let mut bits = self.fill(|at| bits[at as usize]);
        if self.name.starts_with("bgra") {
            bits.swap(0, 2);
        }
        Some(Texel { bytes, bits })
    }

    /// The components that the format has, and what shaders see of the others.
    fn fill(&self, bits: impl Fn(u32) -> u32) -> [u32; 4] {
        [0, 1, 2, 3].map(|at: u32| {
            let default = DEFAULT[at as usize];
            match at < self.channels.into() {
                true => bits(at),
                false if self.is_integer() => default as u32,
                false => default.to_bits(),
            }
        })
    }

    /// The code and the value of the component at that place.
    fn component(&self, at: u32, width: u32) -> (u32, u32) {
        let fifth = |largest: u64| (largest * u64::from(at + 1) / 5) as i64;
        let (largest, code) = match self.kind {
            Kind::Float => {
                let exponent = if width == 32 { 127 - at } else { 15 - at };
                let mantissa = [5, 6, 10, 23][[10, 11, 16, 32].iter().position(|it| *it == width).unwrap_or_default()];
                return (exponent << mantissa, power(at).to_bits());
            }
            Kind::Snorm | Kind::Sint => {
                let largest = (1 << (width - 1)) - 1;
                (largest, if at % 2 == 1 { -fifth(largest) } else { fifth(largest) })
            }
            _ => ((1 << width) - 1, fifth((1 << width) - 1)),
        };
        let value = match self.kind {
            Kind::Unorm if self.is_srgb() && at < 3 => SRGB[at as usize].to_bits(),
            Kind::Unorm | Kind::Snorm => (code as f32 / largest as f32).to_bits(),
            _ => code as u32,
        };
        ((code as u64 & ((1 << width) - 1)) as u32, value)
    }

    /// The step from one value to the next, of the component at that place; 0 where all values here are exact.
    pub fn precision(&self, at: usize) -> f32 {
        let width = self.widths()[at];
        match self.kind {
            _ if self.is_compressed() => 0.02,
            Kind::Unorm if self.is_srgb() => 0.004,
            Kind::Unorm if width > 0 => 1.0 / ((1u32 << width) - 1) as f32,
            Kind::Snorm => 1.0 / ((1u32 << (width - 1)) - 1) as f32,
            Kind::Depth | Kind::DepthStencil => 2e-5,
            _ => 0.0,
        }
    }
}

/// 2⁻ᵃᵗ.
fn power(at: u32) -> f32 {
    1.0 / (1u32 << at) as f32
}

/// White between two whites.
const WHITE: u64 = 0x0000_0000_ffff_ffff;
/// Between two of the largest values, without and with sign.
const HIGH: u64 = 0xffff;
const HIGH_SIGNED: u64 = 0x7f7f;
/// White, and modifiers that make it no darker.
const ETC2: u64 = 0x00ff_ffff;
/// 11 bits: the largest base value, and a positive modifier everywhere; without and with sign.
const EAC: u64 = 0x2449_9224_4992_10ff;
const EAC_SIGNED: u64 = 0x2449_9224_4992_107f;

/// Blocks whose texels are all of full intensity, by how the names of the formats begin: 8 bytes, and 8 more.
const BLOCKS: [(&str, [u64; 2]); 18] = [
    ("bc1-", [WHITE, 0]),
    ("bc2-", [u64::MAX, WHITE]),
    ("bc3-", [HIGH, WHITE]),
    ("bc4-r-unorm", [HIGH, 0]),
    ("bc4-r-snorm", [HIGH_SIGNED, 0]),
    ("bc5-rg-unorm", [HIGH, HIGH]),
    ("bc5-rg-snorm", [HIGH_SIGNED, HIGH_SIGNED]),
    // One subset between equal end points of 10 bits, which come to 1 as half floats, or as near as they can.
    ("bc6h-rgb-ufloat", bc6h(495)),
    ("bc6h-rgb-float", bc6h(247)),
    // Mode 6: seven bits of mode, then nothing but ones in both end points.
    ("bc7-", [0xffff_ffff_ffff_ffc0, 1]),
    ("etc2-rgb8unorm", [ETC2, 0]),
    // Opaque, with five bits a component.
    ("etc2-rgb8a1unorm", [0x02f8_f8f8, 0]),
    ("etc2-rgba8unorm", [EAC, ETC2]),
    ("eac-r11unorm", [EAC, 0]),
    ("eac-r11snorm", [EAC_SIGNED, 0]),
    ("eac-rg11unorm", [EAC, EAC]),
    ("eac-rg11snorm", [EAC_SIGNED, EAC_SIGNED]),
    // A block of one color, whatever its size.
    ("astc-", [0xffff_ffff_ffff_fdfc, u64::MAX]),
];

const fn bc6h(end: u64) -> [u64; 2] {
    [3 | end << 5 | end << 15 | end << 25 | end << 35 | end << 45 | end << 55, end >> 9]
}
