//! What can be asked of a format, and what a device needs for a yes.

use super::Features;
use super::table::{Aspect, Format, Kind};

/// What a layout says of the texture that may be bound to it (`GPUTextureSampleType`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the sample type of that name")]
pub enum Sample {
    Float,
    UnfilterableFloat,
    Depth,
    Sint,
    Uint,
}

impl Sample {
    /// Its name in the specification and in capabilities.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Float => "float",
            Self::UnfilterableFloat => "unfilterable-float",
            Self::Depth => "depth",
            Self::Sint => "sint",
            Self::Uint => "uint",
        }
    }
}

/// One thing that a format can or cannot do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capability {
    /// Used at all.
    Exists,
    /// A texture of so many dimensions.
    Dimension(u8),
    /// A texture with that `GPUTextureUsage` bit; `TRANSIENT_ATTACHMENT` together with `RENDER_ATTACHMENT`.
    Usage(u32),
    /// A view of that aspect, bound to a layout of that sample type.
    Sample(Aspect, Sample),
    /// Sampled through a filtering sampler.
    Filterable,
    /// Color target of a pipeline.
    ColorRenderable,
    /// The same with `blend`.
    Blendable,
    /// The same with `alphaToCoverageEnabled`.
    AlphaToCoverage,
    /// Four samples a texel.
    Multisample,
    /// Those, resolved at the end of a pass.
    Resolve,
    /// A storage texture with access `write-only`.
    StorageWriteOnly,
    /// A storage texture with access `read-only`.
    StorageReadOnly,
    /// A storage texture with access `read-write`.
    StorageReadWrite,
    /// That aspect copied to a buffer.
    TextureToBuffer(Aspect),
    /// That aspect copied from a buffer, and written by the queue.
    BufferToTexture(Aspect),
    /// Copied whole from one texture to another.
    TextureToTexture,
    /// The same with four samples a texel.
    MultisampledToTexture,
    /// Filled from an image or a canvas.
    ExternalImageDst,
    /// A view in its sRGB counterpart.
    SrgbView,
    /// A canvas's format.
    CanvasFormat,
    /// A view of it, bound where the layout wants an external texture.
    ExternalTexture,
}

use Capability as C;

/// `GPUTextureUsage.COPY_SRC`.
pub const COPY_SRC: u32 = 1;
/// `GPUTextureUsage.COPY_DST`.
pub const COPY_DST: u32 = 2;
/// `GPUTextureUsage.TEXTURE_BINDING`.
pub const TEXTURE_BINDING: u32 = 4;
/// `GPUTextureUsage.STORAGE_BINDING`.
pub const STORAGE_BINDING: u32 = 8;
/// `GPUTextureUsage.RENDER_ATTACHMENT`.
pub const RENDER_ATTACHMENT: u32 = 16;
/// `GPUTextureUsage.TRANSIENT_ATTACHMENT`.
pub const TRANSIENT_ATTACHMENT: u32 = 32;

/// Every capability by its name in the page, in reports and in addresses, in the order of the table's columns.
pub static CAPABILITIES: [(&str, Capability); 46] = [
    ("exists", C::Exists),
    ("sample.color.float", C::Sample(Aspect::Color, Sample::Float)),
    ("sample.color.unfilterable-float", C::Sample(Aspect::Color, Sample::UnfilterableFloat)),
    ("sample.color.depth", C::Sample(Aspect::Color, Sample::Depth)),
    ("sample.color.sint", C::Sample(Aspect::Color, Sample::Sint)),
    ("sample.color.uint", C::Sample(Aspect::Color, Sample::Uint)),
    ("sample.depth.float", C::Sample(Aspect::Depth, Sample::Float)),
    ("sample.depth.unfilterable-float", C::Sample(Aspect::Depth, Sample::UnfilterableFloat)),
    ("sample.depth.depth", C::Sample(Aspect::Depth, Sample::Depth)),
    ("sample.depth.sint", C::Sample(Aspect::Depth, Sample::Sint)),
    ("sample.depth.uint", C::Sample(Aspect::Depth, Sample::Uint)),
    ("sample.stencil.float", C::Sample(Aspect::Stencil, Sample::Float)),
    ("sample.stencil.unfilterable-float", C::Sample(Aspect::Stencil, Sample::UnfilterableFloat)),
    ("sample.stencil.depth", C::Sample(Aspect::Stencil, Sample::Depth)),
    ("sample.stencil.sint", C::Sample(Aspect::Stencil, Sample::Sint)),
    ("sample.stencil.uint", C::Sample(Aspect::Stencil, Sample::Uint)),
    ("filterable", C::Filterable),
    ("colorRenderable", C::ColorRenderable),
    ("blendable", C::Blendable),
    ("alphaToCoverage", C::AlphaToCoverage),
    ("multisample", C::Multisample),
    ("resolve", C::Resolve),
    ("storage.write-only", C::StorageWriteOnly),
    ("storage.read-only", C::StorageReadOnly),
    ("storage.read-write", C::StorageReadWrite),
    ("copy.color.textureToBuffer", C::TextureToBuffer(Aspect::Color)),
    ("copy.color.bufferToTexture", C::BufferToTexture(Aspect::Color)),
    ("copy.depth.textureToBuffer", C::TextureToBuffer(Aspect::Depth)),
    ("copy.depth.bufferToTexture", C::BufferToTexture(Aspect::Depth)),
    ("copy.stencil.textureToBuffer", C::TextureToBuffer(Aspect::Stencil)),
    ("copy.stencil.bufferToTexture", C::BufferToTexture(Aspect::Stencil)),
    ("copy.textureToTexture", C::TextureToTexture),
    ("copy.textureToTexture.multisampled", C::MultisampledToTexture),
    ("copyExternalImageDst", C::ExternalImageDst),
    ("dimension.1d", C::Dimension(1)),
    ("dimension.2d", C::Dimension(2)),
    ("dimension.3d", C::Dimension(3)),
    ("usage.COPY_SRC", C::Usage(COPY_SRC)),
    ("usage.COPY_DST", C::Usage(COPY_DST)),
    ("usage.TEXTURE_BINDING", C::Usage(TEXTURE_BINDING)),
    ("usage.STORAGE_BINDING", C::Usage(STORAGE_BINDING)),
    ("usage.RENDER_ATTACHMENT", C::Usage(RENDER_ATTACHMENT)),
    ("usage.TRANSIENT_ATTACHMENT", C::Usage(TRANSIENT_ATTACHMENT)),
    ("srgbView", C::SrgbView),
    ("canvasFormat", C::CanvasFormat),
    ("externalTextureBinding", C::ExternalTexture),
];

const ALWAYS: Features = Features::NONE;
const NEVER: Features = Features::NEVER;
const CORE: Features = Features::CORE;

/// Nothing is needed if `it` is so, and nothing helps if it is not.
const fn only_if(it: bool) -> Features {
    if it { ALWAYS } else { NEVER }
}

impl Capability {
    /// What a device needs for `format` to do it; more than every device has ([`Features::NEVER`]) if none can; `None` if
    /// there is nothing to ask, as the format has no such aspect.
    pub fn needs(self, format: &Format) -> Option<Features> {
        if let C::Sample(aspect, _) | C::TextureToBuffer(aspect) | C::BufferToTexture(aspect) = self
            && !format.aspects().contains(&aspect)
        {
            return None;
        }
        Some(format.exists.and(self.needs_beyond_existence(format)))
    }

    fn needs_beyond_existence(self, format: &Format) -> Features {
        let is_color = format.aspects() == [Aspect::Color];
        let target = if is_color { format.render } else { NEVER };
        let blend = target.and(format.blend);
        let multisample = format.render.and(format.multisample);
        // A device in compatibility mode fills compressed textures and never copies out of them.
        let source = if format.is_compressed() { CORE } else { ALWAYS };
        match self {
            C::Exists | C::Dimension(2) | C::Usage(COPY_SRC | COPY_DST | TEXTURE_BINDING) => ALWAYS,
            C::Dimension(3) if format.exists == Features::BC => Features::BC_3D,
            C::Dimension(3) if format.exists == Features::ASTC => Features::ASTC_3D,
            C::Dimension(_) => only_if(is_color && !format.is_compressed()),
            C::Usage(STORAGE_BINDING) | C::StorageWriteOnly => format.write,
            C::Usage(_) => format.render,
            C::Sample(aspect, sample) => sample_needs(format, aspect, sample),
            C::Filterable => sample_needs(format, Aspect::Color, Sample::Float),
            C::ColorRenderable => target,
            C::Blendable => blend,
            C::AlphaToCoverage => blend.and(only_if(format.channels == 4)),
            C::Multisample => multisample,
            C::Resolve => target.and(multisample).and(format.resolve),
            C::StorageReadOnly => format.read,
            C::StorageReadWrite => format.read_write,
            C::TextureToBuffer(aspect) => source.and(only_if(format.copy_bytes(aspect).is_some())),
            // Nothing but 16-bit depth can be filled: any other depth is drawn.
            C::BufferToTexture(Aspect::Depth) => only_if(format.copy_bytes(Aspect::Depth) == Some(2)),
            C::BufferToTexture(_) => ALWAYS,
            C::TextureToTexture => source,
            C::MultisampledToTexture => CORE.and(multisample),
            C::ExternalImageDst => target.and(only_if(matches!(format.kind, Kind::Unorm | Kind::Float))),
            C::SrgbView => CORE.and(only_if(format.srgb_counterpart().is_some())),
            C::CanvasFormat | C::ExternalTexture => {
                only_if(matches!(format.name, "bgra8unorm" | "rgba8unorm" | "rgba16float"))
            }
        }
    }
}

/// What it takes to bind that aspect where the layout says `sample`.
fn sample_needs(format: &Format, aspect: Aspect, sample: Sample) -> Features {
    match (aspect, format.kind, sample) {
        (Aspect::Stencil, _, _) => only_if(sample == Sample::Uint),
        (Aspect::Depth, _, _) => only_if(matches!(sample, Sample::Depth | Sample::UnfilterableFloat)),
        (_, Kind::Uint, _) => only_if(sample == Sample::Uint),
        (_, Kind::Sint, _) => only_if(sample == Sample::Sint),
        (_, _, Sample::Float) => format.filter,
        (_, _, _) => only_if(sample == Sample::UnfilterableFloat),
    }
}
