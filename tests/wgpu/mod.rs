//! What wgpu says of the formats, asked of wgpu itself.

use texelarium::formats::capability::{
    COPY_DST, COPY_SRC, RENDER_ATTACHMENT, STORAGE_BINDING, Sample, TEXTURE_BINDING, TRANSIENT_ATTACHMENT,
};
use texelarium::formats::table::Aspect;
use texelarium::formats::{Answer, Capability, FORMATS, Features};
use wgpu::TextureFormat as T;
use wgpu::{AstcBlock as B, TextureFormatFeatureFlags as Flags, TextureSampleType, TextureUsages};

/// All but the ASTC formats, in the order of [`FORMATS`].
#[rustfmt::skip]
const NAMED: [T; 73] = [
    T::R8Unorm, T::R8Snorm, T::R8Uint, T::R8Sint, T::R16Unorm, T::R16Snorm, T::R16Uint, T::R16Sint, T::R16Float,
    T::Rg8Unorm, T::Rg8Snorm, T::Rg8Uint, T::Rg8Sint, T::R32Uint, T::R32Sint, T::R32Float,
    T::Rg16Unorm, T::Rg16Snorm, T::Rg16Uint, T::Rg16Sint, T::Rg16Float,
    T::Rgba8Unorm, T::Rgba8UnormSrgb, T::Rgba8Snorm, T::Rgba8Uint, T::Rgba8Sint, T::Bgra8Unorm, T::Bgra8UnormSrgb,
    T::Rgb9e5Ufloat, T::Rgb10a2Uint, T::Rgb10a2Unorm, T::Rg11b10Ufloat, T::Rg32Uint, T::Rg32Sint, T::Rg32Float,
    T::Rgba16Unorm, T::Rgba16Snorm, T::Rgba16Uint, T::Rgba16Sint, T::Rgba16Float,
    T::Rgba32Uint, T::Rgba32Sint, T::Rgba32Float,
    T::Stencil8, T::Depth16Unorm, T::Depth24Plus, T::Depth24PlusStencil8, T::Depth32Float, T::Depth32FloatStencil8,
    T::Bc1RgbaUnorm, T::Bc1RgbaUnormSrgb, T::Bc2RgbaUnorm, T::Bc2RgbaUnormSrgb, T::Bc3RgbaUnorm, T::Bc3RgbaUnormSrgb,
    T::Bc4RUnorm, T::Bc4RSnorm, T::Bc5RgUnorm, T::Bc5RgSnorm, T::Bc6hRgbUfloat, T::Bc6hRgbFloat,
    T::Bc7RgbaUnorm, T::Bc7RgbaUnormSrgb,
    T::Etc2Rgb8Unorm, T::Etc2Rgb8UnormSrgb, T::Etc2Rgb8A1Unorm, T::Etc2Rgb8A1UnormSrgb, T::Etc2Rgba8Unorm,
    T::Etc2Rgba8UnormSrgb, T::EacR11Unorm, T::EacR11Snorm, T::EacRg11Unorm, T::EacRg11Snorm,
];

/// The blocks of the ASTC formats, each with and without sRGB.
#[rustfmt::skip]
const BLOCKS: [B; 14] = [
    B::B4x4, B::B5x4, B::B5x5, B::B6x5, B::B6x6, B::B8x5, B::B8x6, B::B8x8, B::B10x5, B::B10x6, B::B10x8, B::B10x10,
    B::B12x10, B::B12x12,
];

/// wgpu's name of the format at that place of [`FORMATS`].
pub(crate) fn format(place: usize) -> T {
    match place.checked_sub(NAMED.len()) {
        None => NAMED[place],
        Some(astc) => T::Astc {
            block: BLOCKS[astc / 2],
            channel: if astc % 2 == 0 { wgpu::AstcChannel::Unorm } else { wgpu::AstcChannel::UnormSrgb },
        },
    }
}

/// Those of `features` that wgpu has a flag for: it knows nothing of the tiers.
pub(crate) fn features(features: Features) -> wgpu::Features {
    use wgpu::Features as W;
    const FLAGS: [(Features, W); 10] = [
        (Features::BGRA8_STORAGE, W::BGRA8UNORM_STORAGE),
        (Features::DEPTH32_STENCIL8, W::DEPTH32FLOAT_STENCIL8),
        (Features::FLOAT32_BLENDABLE, W::FLOAT32_BLENDABLE),
        (Features::FLOAT32_FILTERABLE, W::FLOAT32_FILTERABLE),
        (Features::RG11B10_RENDERABLE, W::RG11B10UFLOAT_RENDERABLE),
        (Features::ASTC, W::TEXTURE_COMPRESSION_ASTC),
        (Features::ASTC_3D, W::TEXTURE_COMPRESSION_ASTC_SLICED_3D),
        (Features::BC, W::TEXTURE_COMPRESSION_BC),
        (Features::BC_3D, W::TEXTURE_COMPRESSION_BC_SLICED_3D),
        (Features::ETC2, W::TEXTURE_COMPRESSION_ETC2),
    ];
    let has = FLAGS.iter().filter(|(feature, _)| features.contains(*feature));
    has.fold(W::empty(), |set, (_, flag)| set | *flag)
}

/// What wgpu's `guaranteed_format_features` and `sample_type` say of the format at that place of [`FORMATS`] on a device
/// with `features`; [`Answer::None`] where they say nothing.
pub(crate) fn answer(place: usize, capability: Capability, features: wgpu::Features) -> Answer {
    use Capability as C;
    let format = format(place);
    let is_there = features.contains(format.required_features());
    let wgpu::TextureFormatFeatures { allowed_usages, flags } = format.guaranteed_format_features(features);
    let is_attachment = allowed_usages.contains(TextureUsages::RENDER_ATTACHMENT);
    let is_color = FORMATS[place].aspects() == [Aspect::Color];
    let says = match capability {
        C::Exists => true,
        C::Usage(usage) => allowed_usages.contains(match usage {
            COPY_SRC => TextureUsages::COPY_SRC,
            COPY_DST => TextureUsages::COPY_DST,
            TEXTURE_BINDING => TextureUsages::TEXTURE_BINDING,
            STORAGE_BINDING => TextureUsages::STORAGE_BINDING,
            RENDER_ATTACHMENT => TextureUsages::RENDER_ATTACHMENT,
            TRANSIENT_ATTACHMENT => TextureUsages::TRANSIENT_ATTACHMENT,
            _ => return Answer::None,
        }),
        C::Sample(aspect, sample) if FORMATS[place].aspects().contains(&aspect) => {
            let aspect = match aspect {
                Aspect::Color => wgpu::TextureAspect::All,
                Aspect::Depth => wgpu::TextureAspect::DepthOnly,
                Aspect::Stencil => wgpu::TextureAspect::StencilOnly,
            };
            match (sample, format.sample_type(Some(aspect), Some(features))) {
                (Sample::Float, Some(TextureSampleType::Float { filterable })) => filterable,
                (Sample::UnfilterableFloat, Some(TextureSampleType::Float { .. } | TextureSampleType::Depth))
                | (Sample::Depth, Some(TextureSampleType::Depth))
                | (Sample::Sint, Some(TextureSampleType::Sint))
                | (Sample::Uint, Some(TextureSampleType::Uint)) => true,
                _ => false,
            }
        }
        C::Filterable => flags.contains(Flags::FILTERABLE),
        C::ColorRenderable => is_color && is_attachment,
        C::Blendable => is_color && is_attachment && flags.contains(Flags::BLENDABLE),
        C::Multisample => is_attachment && flags.contains(Flags::MULTISAMPLE_X4),
        C::Resolve => is_color && flags.contains(Flags::MULTISAMPLE_RESOLVE),
        C::StorageWriteOnly => flags.contains(Flags::STORAGE_WRITE_ONLY),
        C::StorageReadOnly => flags.contains(Flags::STORAGE_READ_ONLY),
        C::StorageReadWrite => flags.contains(Flags::STORAGE_READ_WRITE),
        _ => return Answer::None,
    };
    if is_there && says { Answer::Yes } else { Answer::No }
}
