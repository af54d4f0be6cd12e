//! Texels as bytes and as numbers.

/// Bytes of a texel of an uncompressed colour format (WebGPU, *Texture Format Capabilities*: texel block copy
/// footprint); 0 for formats that have none.
pub fn bytes(format: wgpu::TextureFormat) -> u32 {
    format.block_copy_size(None).unwrap_or(0)
}

/// The channels of one texel as a shader would load them, from its little-endian bytes; none for a format that
/// the site does not inspect.
pub fn decode(format: wgpu::TextureFormat, texel: &[u8]) -> Vec<f32> {
    use wgpu::TextureFormat as Format;
    match format {
        Format::Rgba8Unorm => texel.iter().map(|&byte| f32::from(byte) / 255.0).collect(),
        Format::R32Float | Format::Rgba32Float => {
            texel.chunks_exact(4).map(|channel| f32::from_le_bytes(channel.try_into().unwrap_or_default())).collect()
        }
        Format::Rgba16Float => texel
            .chunks_exact(2)
            .map(|channel| half(u16::from_le_bytes(channel.try_into().unwrap_or_default())))
            .collect(),
        Format::Rgb10a2Unorm => {
            let word = word(texel);
            let colour = [0, 10, 20].map(|shift| (word >> shift & 1023) as f32 / 1023.0);
            colour.into_iter().chain([(word >> 30) as f32 / 3.0]).collect()
        }
        // Halves without a sign, and with fewer bits at the end.
        Format::Rg11b10Ufloat => {
            let word = word(texel);
            [(word & 0x7FF) << 4, (word >> 11 & 0x7FF) << 4, word >> 22 << 5].map(|bits| half(bits as u16)).to_vec()
        }
        _ => Vec::new(),
    }
}

/// The little-endian number of four bytes.
fn word(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes.try_into().unwrap_or_default())
}

/// The number that an IEEE 754 binary16 pattern stands for.
fn half(bits: u16) -> f32 {
    let sign = u32::from(bits >> 15) << 31;
    let magnitude = u32::from(bits & 0x7FFF);
    // The fields lie 13 bits higher in a binary32, whose exponent is biased by 112 more; infinities and NaNs by as much again.
    let bias = if magnitude >= 0x7C00 { 2 * 112 } else { 112 };
    let value = if magnitude >= 0x0400 {
        f32::from_bits((magnitude << 13) + (bias << 23))
    } else {
        // Subnormal: so many times the smallest, 2⁻²⁴.
        magnitude as f32 / 16_777_216.0
    };
    f32::from_bits(value.to_bits() | sign)
}

/// Bytes in upper-case hexadecimal, in memory order: `9C 42 1F FF`.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{decode, half};

    #[test]
    fn packed_channels_are_told_apart() {
        use wgpu::TextureFormat as Format;
        // 0.75, 16 and 1.5: fraction, then exponent, from the lowest bit.
        let word: u32 = (14 << 6 | 32) | (19 << 6) << 11 | (15 << 5 | 16) << 22;
        assert_eq!(decode(Format::Rg11b10Ufloat, &word.to_le_bytes()), [0.75, 16.0, 1.5]);
        let word: u32 = 1023 | 341 << 20 | 2 << 30;
        assert_eq!(decode(Format::Rgb10a2Unorm, &word.to_le_bytes()), [1.0, 0.0, 341.0 / 1023.0, 2.0 / 3.0]);
    }

    #[test]
    fn halves_are_what_they_stand_for() {
        let pairs: [(u16, f32); 7] = [
            (0x3C00, 1.0),
            (0xC000, -2.0),
            (0x3555, 0.333_251_95),
            (0x7BFF, 65504.0),
            (0x0001, 5.960_464_5e-8),
            (0x8000, -0.0),
            (0x7C00, f32::INFINITY),
        ];
        for (bits, value) in pairs {
            assert_eq!(half(bits).to_bits(), value.to_bits(), "{bits:04X}");
        }
        assert!(half(0x7E00).is_nan());
    }
}
