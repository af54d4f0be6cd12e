//! The line of a program that asks for a capability of a format, in the languages of the pages.

use super::capability::{
    COPY_DST, COPY_SRC, RENDER_ATTACHMENT, STORAGE_BINDING, Sample, TEXTURE_BINDING, TRANSIENT_ATTACHMENT,
};
use super::table::Aspect;
use super::{Capability, Format};

/// The name of a `GPUTextureUsage` bit: wgpu's is the same.
const fn usage_name(usage: u32) -> &'static str {
    match usage {
        COPY_SRC => "COPY_SRC",
        COPY_DST => "COPY_DST",
        TEXTURE_BINDING => "TEXTURE_BINDING",
        STORAGE_BINDING => "STORAGE_BINDING",
        RENDER_ATTACHMENT => "RENDER_ATTACHMENT",
        TRANSIENT_ATTACHMENT => "TRANSIENT_ATTACHMENT",
        _ => "",
    }
}

/// The aspect that an attempt names: `all` where the format has no other.
fn aspect_name(format: &Format, aspect: Aspect) -> &'static str {
    match aspect {
        _ if format.aspects().len() == 1 => "all",
        Aspect::Depth => "depth-only",
        _ => "stencil-only",
    }
}

/// In JavaScript: the members of a descriptor, or a call.
pub fn javascript(format: &Format, capability: Capability) -> String {
    use Capability as C;
    let name = ["\"", format.name, "\""].concat();
    let of = |parts: &[&str]| parts.concat();
    match capability {
        C::Exists => of(&["createTexture({ format: ", &name, ", … })"]),
        C::Dimension(1) => of(&["createTexture({ format: ", &name, ", dimension: \"1d\", … })"]),
        C::Dimension(2) => of(&["createTexture({ format: ", &name, ", dimension: \"2d\", … })"]),
        C::Dimension(_) => of(&["createTexture({ format: ", &name, ", dimension: \"3d\", … })"]),
        C::Usage(usage) => {
            let with = if usage == TRANSIENT_ATTACHMENT { "GPUTextureUsage.RENDER_ATTACHMENT | " } else { "" };
            of(&["createTexture({ format: ", &name, ", usage: ", with, "GPUTextureUsage.", usage_name(usage), ", … })"])
        }
        C::Sample(aspect, sample) => of(&[
            "texture: { sampleType: \"",
            sample.name(),
            "\" }\ncreateView({ aspect: \"",
            aspect_name(format, aspect),
            "\" })",
        ]),
        C::Filterable => "texture: { sampleType: \"float\" }\nsampler: { type: \"filtering\" }".into(),
        C::ColorRenderable => of(&["targets: [{ format: ", &name, " }]"]),
        C::Blendable => of(&["targets: [{ format: ", &name, ", blend }]"]),
        C::AlphaToCoverage => {
            of(&["targets: [{ format: ", &name, " }]\nmultisample: { count: 4, alphaToCoverageEnabled: true }"])
        }
        C::Multisample => of(&["createTexture({ format: ", &name, ", sampleCount: 4, … })"]),
        C::Resolve => "colorAttachments: [{ view, resolveTarget, … }]".into(),
        C::StorageWriteOnly | C::StorageReadOnly | C::StorageReadWrite => {
            of(&["storageTexture: { format: ", &name, ", access: \"", access(capability)[0], "\" }"])
        }
        C::TextureToBuffer(aspect) => {
            of(&["copyTextureToBuffer({ texture, aspect: \"", aspect_name(format, aspect), "\" }, …)"])
        }
        C::BufferToTexture(aspect) => {
            of(&["copyBufferToTexture(…, { texture, aspect: \"", aspect_name(format, aspect), "\" }, …)"])
        }
        C::TextureToTexture | C::MultisampledToTexture => "copyTextureToTexture({ texture }, …)".into(),
        C::ExternalImageDst => "copyExternalImageToTexture(…, { texture }, …)".into(),
        C::SrgbView => {
            let counterpart = format.srgb_counterpart().map_or("", |format| format.name);
            of(&["createTexture({ format: ", &name, ", viewFormats: [\"", counterpart, "\"], … })"])
        }
        C::CanvasFormat => of(&["context.configure({ device, format: ", &name, " })"]),
        C::ExternalTexture => "externalTexture: {}".into(),
    }
}

/// In Rust; empty where wgpu 30 has nothing for it.
pub fn rust(format: &Format, capability: Capability) -> String {
    use Capability as C;
    let name = ["wgpu::TextureFormat::", &rust_name(format)].concat();
    let of = |parts: &[&str]| parts.concat();
    match capability {
        C::Exists => of(&["format: ", &name]),
        C::Dimension(1) => of(&["format: ", &name, ", dimension: wgpu::TextureDimension::D1"]),
        C::Dimension(2) => of(&["format: ", &name, ", dimension: wgpu::TextureDimension::D2"]),
        C::Dimension(_) => of(&["format: ", &name, ", dimension: wgpu::TextureDimension::D3"]),
        C::Usage(usage) => of(&["format: ", &name, ", usage: wgpu::TextureUsages::", usage_name(usage)]),
        C::Sample(_, sample) => of(&[
            "sample_type: wgpu::TextureSampleType::",
            match sample {
                Sample::Float => "Float { filterable: true }",
                Sample::UnfilterableFloat => "Float { filterable: false }",
                Sample::Depth => "Depth",
                Sample::Sint => "Sint",
                Sample::Uint => "Uint",
            },
        ]),
        C::Filterable => "wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering)".into(),
        C::ColorRenderable => of(&["targets: &[Some(", &name, ".into())]"]),
        C::Blendable => of(&["wgpu::ColorTargetState { format: ", &name, ", blend: Some(…), .. }"]),
        C::AlphaToCoverage => {
            "wgpu::MultisampleState { count: 4, alpha_to_coverage_enabled: true, ..Default::default() }".into()
        }
        C::Multisample => of(&["format: ", &name, ", sample_count: 4"]),
        C::Resolve => "resolve_target: Some(&view)".into(),
        C::StorageWriteOnly | C::StorageReadOnly | C::StorageReadWrite => of(&[
            "wgpu::BindingType::StorageTexture { access: wgpu::StorageTextureAccess::",
            access(capability)[1],
            ", format: ",
            &name,
            ", .. }",
        ]),
        C::TextureToBuffer(_) => "encoder.copy_texture_to_buffer(…)".into(),
        C::BufferToTexture(_) => "encoder.copy_buffer_to_texture(…)".into(),
        C::TextureToTexture | C::MultisampledToTexture => "encoder.copy_texture_to_texture(…)".into(),
        C::ExternalImageDst => "queue.copy_external_image_to_texture(…)".into(),
        C::SrgbView => {
            let counterpart = format.srgb_counterpart().map(rust_name).unwrap_or_default();
            of(&["format: ", &name, ", view_formats: &[wgpu::TextureFormat::", &counterpart, "]"])
        }
        C::CanvasFormat => of(&["wgpu::SurfaceConfiguration { format: ", &name, ", .. }"]),
        C::ExternalTexture => String::new(),
    }
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
