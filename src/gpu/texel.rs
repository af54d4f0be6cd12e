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
        _ => Vec::new(),
    }
}

/// Bytes in upper-case hexadecimal, in memory order: `9C 42 1F FF`.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}
