//! What wgpu says of a format: `guaranteed_format_features`, its own table, for a set of features.

use wgpu::TextureFormat as T;
use wgpu::{
    AstcBlock, AstcChannel, TextureAspect, TextureFormatFeatureFlags as Flags, TextureSampleType, TextureUsages,
};

use super::capability::Sample;
use super::table::Aspect;
use super::{Answer, Capability, FORMATS, Features};

/// wgpu's names, in the order of [`FORMATS`], up to the ASTC ones.
#[rustfmt::skip]
static NAMED: [T; 73] = [
    T::R8Unorm, T::R8Snorm, T::R8Uint, T::R8Sint, T::R16Unorm, T::R16Snorm, T::R16Uint, T::R16Sint, T::R16Float,
    T::Rg8Unorm, T::Rg8Snorm, T::Rg8Uint, T::Rg8Sint,
    T::R32Uint, T::R32Sint, T::R32Float, T::Rg16Unorm, T::Rg16Snorm, T::Rg16Uint, T::Rg16Sint, T::Rg16Float,
    T::Rgba8Unorm, T::Rgba8UnormSrgb, T::Rgba8Snorm, T::Rgba8Uint, T::Rgba8Sint, T::Bgra8Unorm, T::Bgra8UnormSrgb,
    T::Rgb9e5Ufloat, T::Rgb10a2Uint, T::Rgb10a2Unorm, T::Rg11b10Ufloat,
    T::Rg32Uint, T::Rg32Sint, T::Rg32Float, T::Rgba16Unorm, T::Rgba16Snorm, T::Rgba16Uint, T::Rgba16Sint, T::Rgba16Float,
    T::Rgba32Uint, T::Rgba32Sint, T::Rgba32Float,
    T::Stencil8, T::Depth16Unorm, T::Depth24Plus, T::Depth24PlusStencil8, T::Depth32Float, T::Depth32FloatStencil8,
    T::Bc1RgbaUnorm, T::Bc1RgbaUnormSrgb, T::Bc2RgbaUnorm, T::Bc2RgbaUnormSrgb, T::Bc3RgbaUnorm, T::Bc3RgbaUnormSrgb,
    T::Bc4RUnorm, T::Bc4RSnorm, T::Bc5RgUnorm, T::Bc5RgSnorm, T::Bc6hRgbUfloat, T::Bc6hRgbFloat,
    T::Bc7RgbaUnorm, T::Bc7RgbaUnormSrgb,
    T::Etc2Rgb8Unorm, T::Etc2Rgb8UnormSrgb, T::Etc2Rgb8A1Unorm, T::Etc2Rgb8A1UnormSrgb, T::Etc2Rgba8Unorm,
    T::Etc2Rgba8UnormSrgb, T::EacR11Unorm, T::EacR11Snorm, T::EacRg11Unorm, T::EacRg11Snorm,
];

/// The blocks of the ASTC formats, each linear and sRGB, in the order of [`FORMATS`].
#[rustfmt::skip]
const ASTC: [AstcBlock; 14] = [
    AstcBlock::B4x4, AstcBlock::B5x4, AstcBlock::B5x5, AstcBlock::B6x5, AstcBlock::B6x6, AstcBlock::B8x5, AstcBlock::B8x6,
    AstcBlock::B8x8, AstcBlock::B10x5, AstcBlock::B10x6, AstcBlock::B10x8, AstcBlock::B10x10, AstcBlock::B12x10,
    AstcBlock::B12x12,
];

/// wgpu's flags for features; the tiers have none, but for the 16-bit norm formats.
const FLAGS: [(Features, wgpu::Features); 11] = [
    (Features::BGRA8_STORAGE, wgpu::Features::BGRA8UNORM_STORAGE),
    (Features::DEPTH32_STENCIL8, wgpu::Features::DEPTH32FLOAT_STENCIL8),
    (Features::FLOAT32_BLENDABLE, wgpu::Features::FLOAT32_BLENDABLE),
    (Features::FLOAT32_FILTERABLE, wgpu::Features::FLOAT32_FILTERABLE),
    (Features::RG11B10_RENDERABLE, wgpu::Features::RG11B10UFLOAT_RENDERABLE),
    (Features::ASTC, wgpu::Features::TEXTURE_COMPRESSION_ASTC),
    (Features::ASTC_3D, wgpu::Features::TEXTURE_COMPRESSION_ASTC_SLICED_3D),
    (Features::BC, wgpu::Features::TEXTURE_COMPRESSION_BC),
    (Features::BC_3D, wgpu::Features::TEXTURE_COMPRESSION_BC_SLICED_3D),
    (Features::ETC2, wgpu::Features::TEXTURE_COMPRESSION_ETC2),
    (Features::TIER1, wgpu::Features::TEXTURE_FORMAT_16BIT_NORM),
];

/// wgpu's name of the format at that place in [`FORMATS`].
pub fn format(place: usize) -> Option<T> {
    let astc = place.checked_sub(NAMED.len());
    astc.map_or_else(
        || NAMED.get(place).copied(),
        |at| {
            let channel = if at % 2 == 0 { AstcChannel::Unorm } else { AstcChannel::UnormSrgb };
            Some(T::Astc { block: *ASTC.get(at / 2)?, channel })
        },
    )
}

/// What wgpu says of the format at that place, on a device with `features`; [`Answer::None`] if it has no opinion.
pub fn says(place: usize, capability: Capability, features: Features) -> Answer {
    use Capability as C;
    let Some((format, is)) = format(place).zip(FORMATS.get(place)) else { return Answer::None };
    let flags = FLAGS.iter().filter(|(feature, _)| features.contains(*feature));
    let features = flags.fold(wgpu::Features::empty(), |set, (_, flag)| set | *flag);
    if let C::Sample(aspect, _) = capability
        && !is.aspects().contains(&aspect)
    {
        return Answer::None;
    }
    let guaranteed = format.guaranteed_format_features(features);
    let has = |flag| guaranteed.flags.contains(flag);
    let is_target = is.render_cost().is_some() && guaranteed.allowed_usages.contains(TextureUsages::RENDER_ATTACHMENT);
    let yes = match capability {
        C::Exists => true,
        C::Usage(usage) => TextureUsages::from_bits(usage).is_some_and(|it| guaranteed.allowed_usages.contains(it)),
        C::Filterable => has(Flags::FILTERABLE),
        C::ColorRenderable => is_target,
        C::Blendable => is_target && has(Flags::BLENDABLE),
        C::Multisample => has(Flags::MULTISAMPLE_X4),
        C::Resolve => has(Flags::MULTISAMPLE_RESOLVE),
        C::StorageWriteOnly => has(Flags::STORAGE_WRITE_ONLY),
        C::StorageReadOnly => has(Flags::STORAGE_READ_ONLY),
        C::StorageReadWrite => has(Flags::STORAGE_READ_WRITE),
        C::Sample(aspect, sample) => {
            let aspect = match aspect {
                Aspect::Color => TextureAspect::All,
                Aspect::Depth => TextureAspect::DepthOnly,
                Aspect::Stencil => TextureAspect::StencilOnly,
            };
            match (format.sample_type(Some(aspect), Some(features)), sample) {
                (Some(TextureSampleType::Float { filterable }), Sample::Float) => filterable,
                (Some(TextureSampleType::Float { .. } | TextureSampleType::Depth), Sample::UnfilterableFloat)
                | (Some(TextureSampleType::Depth), Sample::Depth)
                | (Some(TextureSampleType::Sint), Sample::Sint)
                | (Some(TextureSampleType::Uint), Sample::Uint) => true,
                _ => false,
            }
        }
        _ => return Answer::None,
    };
    if yes && features.contains(format.required_features()) { Answer::Yes } else { Answer::No }
}
