//! The line of a program that asks for a capability of a format, in the languages of the pages.

use super::capability::{
    COPY_DST, COPY_SRC, RENDER_ATTACHMENT, STORAGE_BINDING, Sample, TEXTURE_BINDING, TRANSIENT_ATTACHMENT,
};
use super::table::Aspect;
use super::{Capability, Format};

/// What a line says of a capability beside the format: the usage, the dimensions, the aspect, the access.
fn detail(format: &Format, capability: Capability) -> &'static str {
    use Capability as C;
    match capability {
        C::Dimension(1) => "1",
        C::Dimension(2) => "2",
        C::Dimension(_) => "3",
        C::Usage(COPY_SRC) => "COPY_SRC",
        C::Usage(COPY_DST) => "COPY_DST",
        C::Usage(TEXTURE_BINDING) => "TEXTURE_BINDING",
        C::Usage(STORAGE_BINDING) => "STORAGE_BINDING",
        C::Usage(RENDER_ATTACHMENT) => "RENDER_ATTACHMENT",
        C::Usage(_) => "TRANSIENT_ATTACHMENT",
        C::TextureToBuffer(_) | C::BufferToTexture(_) if format.aspects().len() == 1 => "all",
        C::TextureToBuffer(Aspect::Depth) | C::BufferToTexture(Aspect::Depth) => "depth-only",
        C::TextureToBuffer(_) | C::BufferToTexture(_) => "stencil-only",
        C::Sample(_, sample) => sample.name(),
        C::SrgbView => format.srgb_counterpart().map_or("", |format| format.name),
        _ => access(capability)[0],
    }
}

/// A line with the format's name for each `%` and that for `@`.
fn filled(line: &str, format: &str, detail: &str) -> String {
    line.replace('%', format).replace('@', detail)
}

/// In JavaScript: the members of a descriptor, or a call.
pub fn javascript(format: &Format, capability: Capability) -> String {
    use Capability as C;
    let line = match capability {
        C::Exists => "createTexture({ format: \"%\", … })",
        C::Dimension(_) => "createTexture({ format: \"%\", dimension: \"@d\", … })",
        C::Usage(TRANSIENT_ATTACHMENT) => {
            "createTexture({ format: \"%\", usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.@, … })"
        }
        C::Usage(_) => "createTexture({ format: \"%\", usage: GPUTextureUsage.@, … })",
        C::Sample(..) => "texture: { sampleType: \"@\" }",
        C::Filterable => "texture: { sampleType: \"float\" }\nsampler: { type: \"filtering\" }",
        C::ColorRenderable => "targets: [{ format: \"%\" }]",
        C::Blendable => "targets: [{ format: \"%\", blend }]",
        C::AlphaToCoverage => "targets: [{ format: \"%\" }]\nmultisample: { count: 4, alphaToCoverageEnabled: true }",
        C::Multisample => "createTexture({ format: \"%\", sampleCount: 4, … })",
        C::Resolve => "colorAttachments: [{ view, resolveTarget, … }]",
        C::StorageWriteOnly | C::StorageReadOnly | C::StorageReadWrite => {
            "storageTexture: { format: \"%\", access: \"@\" }"
        }
        C::TextureToBuffer(_) => "copyTextureToBuffer({ texture, aspect: \"@\" }, …)",
        C::BufferToTexture(_) => "copyBufferToTexture(…, { texture, aspect: \"@\" }, …)",
        C::TextureToTexture | C::MultisampledToTexture => "copyTextureToTexture({ texture }, …)",
        C::ExternalImageDst => "copyExternalImageToTexture(…, { texture }, …)",
        C::SrgbView => "createTexture({ format: \"%\", viewFormats: [\"@\"], … })",
        C::CanvasFormat => "context.configure({ device, format: \"%\" })",
        C::ExternalTexture => "externalTexture: {}",
    };
    filled(line, format.name, detail(format, capability))
}

/// In Rust; empty where wgpu 30 has nothing for it.
pub fn rust(format: &Format, capability: Capability) -> String {
    use Capability as C;
    let line = match capability {
        C::Exists => "format: %",
        C::Dimension(_) => "format: %, dimension: wgpu::TextureDimension::D@",
        C::Usage(_) => "format: %, usage: wgpu::TextureUsages::@",
        C::Sample(_, Sample::Float) => "sample_type: wgpu::TextureSampleType::Float { filterable: true }",
        C::Sample(_, Sample::UnfilterableFloat) => "sample_type: wgpu::TextureSampleType::Float { filterable: false }",
        C::Sample(_, Sample::Depth) => "sample_type: wgpu::TextureSampleType::Depth",
        C::Sample(_, Sample::Sint) => "sample_type: wgpu::TextureSampleType::Sint",
        C::Sample(_, Sample::Uint) => "sample_type: wgpu::TextureSampleType::Uint",
        C::Filterable => "wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering)",
        C::ColorRenderable => "targets: &[Some(%.into())]",
        C::Blendable => "wgpu::ColorTargetState { format: %, blend: Some(…), .. }",
        C::AlphaToCoverage => {
            "wgpu::MultisampleState { count: 4, alpha_to_coverage_enabled: true, ..Default::default() }"
        }
        C::Multisample => "format: %, sample_count: 4",
        C::Resolve => "resolve_target: Some(&view)",
        C::StorageWriteOnly | C::StorageReadOnly | C::StorageReadWrite => {
            "wgpu::BindingType::StorageTexture { access: wgpu::StorageTextureAccess::@, format: %, .. }"
        }
        C::TextureToBuffer(_) => "encoder.copy_texture_to_buffer(…)",
        C::BufferToTexture(_) => "encoder.copy_buffer_to_texture(…)",
        C::TextureToTexture | C::MultisampledToTexture => "encoder.copy_texture_to_texture(…)",
        C::ExternalImageDst => "queue.copy_external_image_to_texture(…)",
        C::SrgbView => "format: %, view_formats: &[format.add_srgb_suffix(), format.remove_srgb_suffix()]",
        C::CanvasFormat => "wgpu::SurfaceConfiguration { format: %, .. }",
        C::ExternalTexture => "",
    };
    let detail = match access(capability)[1] {
        "" => detail(format, capability),
        access => access,
    };
    filled(line, &["wgpu::TextureFormat::", &rust_name(format)].concat(), detail)
}

/// The declaration in WGSL, where it names the format.
pub fn wgsl(format: &Format, capability: Capability) -> Option<String> {
    let access = access(capability)[2];
    let names = !access.is_empty() && format.is_wgsl_texel_format();
    names.then(|| ["var texture: texture_storage_2d<", format.name, ", ", access, ">;"].concat())
}

/// A storage access in JavaScript, in Rust and in WGSL.
const fn access(capability: Capability) -> [&'static str; 3] {
    match capability {
        Capability::StorageWriteOnly => ["write-only", "WriteOnly", "write"],
        Capability::StorageReadOnly => ["read-only", "ReadOnly", "read"],
        Capability::StorageReadWrite => ["read-write", "ReadWrite", "read_write"],
        _ => [""; 3],
    }
}

/// The variant of `wgpu::TextureFormat`.
pub fn rust_name(format: &Format) -> String {
    if let Some(astc) = format.name.strip_prefix("astc-") {
        let (block, channel) = astc.split_once('-').unwrap_or_default();
        let channel = if channel == "unorm" { "Unorm" } else { "UnormSrgb" };
        return ["Astc { block: wgpu::AstcBlock::B", block, ", channel: wgpu::AstcChannel::", channel, " }"].concat();
    }
    // A letter begins a word after a dash, and after a digit unless it stands alone there (`rgb10a2`), but in ETC2's.
    let letters = format.name.as_bytes();
    let mut name = String::new();
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| letters.get(at));
        let is_alone = !letters.get(at + 1).is_some_and(u8::is_ascii_alphabetic);
        let begins = match before {
            None | Some(b'-') => true,
            Some(before) => before.is_ascii_digit() && (!is_alone || format.name.starts_with("etc2")),
        };
        match letter {
            b'-' => {}
            _ if begins => name.push(letter.to_ascii_uppercase() as char),
            _ => name.push(*letter as char),
        }
    }
    name
}

/// wgpu's flag for a feature; `None` where wgpu 30 has none.
pub fn rust_feature(name: &str) -> Option<String> {
    let has = !name.starts_with("texture-formats-") && !name.starts_with("core-");
    has.then(|| ["wgpu::Features::", &name.replace('-', "_").to_ascii_uppercase()].concat())
}
