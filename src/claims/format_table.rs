//! The claims of the page `format-table`: what formats take, and which feature changes it.

use wgpu::StorageTextureAccess::{ReadOnly, WriteOnly};
use wgpu::TextureFormat::{
    self, Bgra8UnormSrgb, Depth16Unorm, Depth24Plus, Depth32Float, Depth32FloatStencil8, R32Float, Rg11b10Ufloat,
    Rg32Float, Rgba8Snorm, Rgba8Unorm, Rgba8UnormSrgb, Stencil8,
};
use wgpu::{BindingResource, BindingType, SamplerBindingType, ShaderStages, TextureSampleType, TextureUsages};

use crate::claim::{
    Attempt, BoxFuture, Claim, Context, Expect, Try, accepted, raw, rejected, sampled, sampled_as, shown, storage,
    value,
};
use crate::gpu::{COMPATIBILITY, raw::Device, raw::Thrown, texel::hex};

/// Every claim of the page.
pub(super) const CLAIMS: &[Claim] = &[
    // region: srgb-never-storage
    Claim {
        id: "srgb-never-storage",
        features: &[],
        tries: &[
            rejected("rgba", |c| drop(c.layout(ShaderStages::COMPUTE, &[storage(WriteOnly, Rgba8UnormSrgb)]))),
            rejected("bgra", |c| drop(c.layout(ShaderStages::COMPUTE, &[storage(WriteOnly, Bgra8UnormSrgb)]))),
            accepted("unorm", |c| drop(c.layout(ShaderStages::COMPUTE, &[storage(WriteOnly, Rgba8Unorm)]))),
        ],
    },
    // endregion
    // region: float32-unfilterable
    Claim {
        id: "float32-unfilterable",
        features: &[],
        tries: &[
            rejected("float", |c| bind_sampled(c, R32Float, TextureSampleType::Float { filterable: true })),
            accepted("unfilterable", |c| bind_sampled(c, R32Float, TextureSampleType::Float { filterable: false })),
        ],
    },
    // endregion
    // region: float32-filterable
    Claim {
        id: "float32-filterable",
        features: &["float32-filterable"],
        tries: &[accepted("float", |c| bind_sampled(c, R32Float, TextureSampleType::Float { filterable: true }))],
    },
    // endregion
    // region: filtering-needs-float
    Claim {
        id: "filtering-needs-float",
        features: &[],
        tries: &[
            rejected("filtering", |c| sample_with(c, false, SamplerBindingType::Filtering)),
            accepted("non-filtering", |c| sample_with(c, false, SamplerBindingType::NonFiltering)),
            accepted("both", |c| sample_with(c, true, SamplerBindingType::Filtering)),
        ],
    },
    // endregion
    // region: auto-infers-float
    Claim {
        id: "auto-infers-float",
        features: &[],
        tries: &[
            rejected("sampler", |c| {
                let sampler = c.gpu.create_sampler("claim/auto-infers-float/sampler", wgpu::FilterMode::Nearest);
                let sample = "textureSampleLevel(t, s, vec2f(0.5), 0)";
                bind_auto(c, sample, Some(&sampler));
            }),
            accepted("load", |c| bind_auto(c, "textureLoad(t, vec2u(0), 0)", None)),
        ],
    },
    // endregion
    // region: snorm-attachment
    Claim {
        id: "snorm-attachment",
        features: &[],
        tries: &[
            rejected("snorm", |c| drop(c.attachment(Rgba8Snorm))),
            accepted("unorm", |c| drop(c.attachment(Rgba8Unorm))),
        ],
    },
    // endregion
    // region: tier1-snorm-attachment
    Claim {
        id: "tier1-snorm-attachment",
        features: &["texture-formats-tier1"],
        tries: &[accepted("snorm", |c| {
            drop(c.attachment(Rgba8Snorm));
            c.render_pipeline(blended(Rgba8Snorm), DOT);
        })],
    },
    // endregion
    // region: float32-no-blending
    Claim {
        id: "float32-no-blending",
        features: &[],
        tries: &[
            rejected("blended", |c| drop(c.render_pipeline(blended(R32Float), DOT))),
            accepted("replaced", |c| drop(c.render_pipeline(R32Float.into(), DOT))),
        ],
    },
    // endregion
    // region: float32-blendable
    Claim {
        id: "float32-blendable",
        features: &["float32-blendable"],
        tries: &[accepted("blended", |c| drop(c.render_pipeline(blended(R32Float), DOT)))],
    },
    // endregion
    // region: rg11b10-attachment
    Claim {
        id: "rg11b10-attachment",
        features: &[],
        tries: &[
            rejected("attachment", |c| drop(c.attachment(Rg11b10Ufloat))),
            accepted("sampled", |c| drop(c.texture(Rg11b10Ufloat, 1, TextureUsages::TEXTURE_BINDING))),
        ],
    },
    // endregion
    // region: rg11b10-renderable
    Claim {
        id: "rg11b10-renderable",
        features: &["rg11b10ufloat-renderable"],
        tries: &[accepted("attachment", |c| {
            drop(c.attachment(Rg11b10Ufloat));
            c.render_pipeline(blended(Rg11b10Ufloat), DOT);
        })],
    },
    // endregion
    // region: norm16-unknown
    Claim {
        id: "norm16-unknown",
        features: &[],
        tries: &[
            raw("unorm", Expect::Throws, |device| texture(device, "r16unorm", 16)),
            raw("float", Expect::Accepted, |device| texture(device, "r16float", 16)),
        ],
    },
    // endregion
    // region: tier1-norm16
    Claim {
        id: "tier1-norm16",
        features: &["texture-formats-tier1"],
        tries: &[
            raw("attachment", Expect::Accepted, |device| texture(device, "r16unorm", 16)),
            raw("storage", Expect::Accepted, |device| storage_layout(device, "r16unorm", "write-only")),
            raw("read-write", Expect::Rejected, |device| storage_layout(device, "r16unorm", "read-write")),
            raw("unfilterable", Expect::Accepted, |device| bind_norm16(device, "unfilterable-float")),
            raw("filterable", Expect::Rejected, |device| bind_norm16(device, "float")),
        ],
    },
    // endregion
    // region: tiers-imply
    Claim {
        id: "tiers-imply",
        features: &["texture-formats-tier2"],
        tries: &[
            value("implied", &["texture-formats-tier1 rg11b10ufloat-renderable"], |c| {
                has(c, &["texture-formats-tier1", "rg11b10ufloat-renderable"])
            }),
            value("not-implied", &["–"], |c| {
                has(c, &["float32-filterable", "float32-blendable", "bgra8unorm-storage"])
            }),
        ],
    },
    // endregion
    // region: language-gate
    Claim {
        id: "language-gate",
        features: &[],
        tries: &[
            Try {
                name: "shader",
                expect: Expect::Shown,
                attempt: Attempt::Shader(
                    "@group(0) @binding(0) var t: texture_storage_2d<r8unorm, write>;
                    @compute @workgroup_size(1) fn main() { textureStore(t, vec2u(0), vec4f(1)); }",
                ),
            },
            rejected("layout", |c| {
                drop(c.layout(ShaderStages::COMPUTE, &[storage(WriteOnly, TextureFormat::R8Unorm)]))
            }),
            accepted("core", |c| drop(c.layout(ShaderStages::COMPUTE, &[storage(WriteOnly, Rgba8Unorm)]))),
        ],
    },
    // endregion
    // region: tier1-storage
    Claim {
        id: "tier1-storage",
        features: &["texture-formats-tier1"],
        tries: &[accepted("layout", |c| {
            drop(c.layout(ShaderStages::COMPUTE, &[storage(WriteOnly, TextureFormat::R8Unorm)]));
            drop(c.layout(ShaderStages::COMPUTE, &[storage(ReadOnly, TextureFormat::R8Unorm)]));
        })],
    },
    // endregion
    // region: depth24plus-no-copy
    Claim {
        id: "depth24plus-no-copy",
        features: &[],
        tries: &[
            rejected("depth24plus", |c| read_back(c, Depth24Plus, 4, 4)),
            accepted("depth16unorm", |c| read_back(c, Depth16Unorm, 4, 4)),
            accepted("depth32float", |c| read_back(c, Depth32Float, 4, 4)),
        ],
    },
    // endregion
    // region: depth32float-stencil8-copy
    Claim {
        id: "depth32float-stencil8-copy",
        features: &["depth32float-stencil8"],
        tries: &[accepted("depth", |c| read_back(c, Depth32FloatStencil8, 4, 4))],
    },
    // endregion
    // region: depth-upload
    Claim {
        id: "depth-upload",
        features: &[],
        tries: &[
            rejected("depth32float", |c| upload(c, Depth32Float)),
            accepted("depth16unorm", |c| upload(c, Depth16Unorm)),
            accepted("stencil8", |c| upload(c, Stencil8)),
        ],
    },
    // endregion
    // region: depth-copy-whole
    Claim {
        id: "depth-copy-whole",
        features: &[],
        tries: &[
            rejected("part", |c| read_back(c, Depth32Float, 4, 2)),
            accepted("whole", |c| read_back(c, Depth32Float, 4, 4)),
        ],
    },
    // endregion
    // region: depth-as-float
    Claim {
        id: "depth-as-float",
        features: &[],
        tries: &[
            rejected("float", |c| bind_sampled(c, Depth32Float, TextureSampleType::Float { filterable: true })),
            accepted("unfilterable", |c| {
                bind_sampled(c, Depth32Float, TextureSampleType::Float { filterable: false });
                c.pipeline(Some(&c.layout(ShaderStages::COMPUTE, &[sampled()])), LOAD);
            }),
            accepted("depth", |c| {
                bind_sampled(c, Depth32Float, TextureSampleType::Depth);
                let layout = c.layout(
                    ShaderStages::COMPUTE,
                    &[sampled_as(TextureSampleType::Depth), BindingType::Sampler(SamplerBindingType::Comparison)],
                );
                c.pipeline(
                    Some(&layout),
                    "@group(0) @binding(0) var t: texture_depth_2d;
                    @group(0) @binding(1) var s: sampler_comparison;
                    @compute @workgroup_size(1) fn main() { _ = textureSampleCompareLevel(t, s, vec2f(0.5), 0.5); }",
                );
            }),
        ],
    },
    // endregion
    // region: depth24plus-bits
    Claim {
        id: "depth24plus-bits",
        features: &[],
        tries: &[
            shown("depth24plus", |c| stored_depth(c, Depth24Plus)),
            value("depth32float", &["AC C5 27 37"], |c| stored_depth(c, Depth32Float)),
        ],
    },
    // endregion
    // region: format-needs-feature
    Claim {
        id: "format-needs-feature",
        features: &[],
        tries: &[
            raw("bc", Expect::Throws, |device| texture(device, "bc1-rgba-unorm", 4)),
            raw("etc2", Expect::Throws, |device| texture(device, "etc2-rgb8unorm", 4)),
            raw("astc", Expect::Throws, |device| texture(device, "astc-4x4-unorm", 4)),
            raw("depth", Expect::Throws, |device| texture(device, "depth32float-stencil8", 16)),
            raw("core", Expect::Accepted, |device| texture(device, "rgba8unorm", 4)),
        ],
    },
    // endregion
    // region: sliced-3d
    Claim {
        id: "sliced-3d",
        features: &["texture-compression-bc-sliced-3d"],
        tries: &[value("bc", &["texture-compression-bc"], |c| has(c, &["texture-compression-bc"]))],
    },
    // endregion
    // region: compatibility-formats
    Claim {
        id: "compatibility-formats",
        features: &[COMPATIBILITY],
        tries: &[
            rejected("rg32float", |c| drop(c.layout(ShaderStages::COMPUTE, &[storage(WriteOnly, Rg32Float)]))),
            accepted("r32float", |c| drop(c.layout(ShaderStages::COMPUTE, &[storage(WriteOnly, R32Float)]))),
            rejected("srgb-view", |c| seen_as(c, Rgba8UnormSrgb)),
            accepted("own-view", |c| seen_as(c, Rgba8Unorm)),
        ],
    },
    // endregion
];

/// Draws one triangle in the same place.
const DOT: &str = "@vertex fn corner() -> @builtin(position) vec4f { return vec4f(0); }
    @fragment fn dot() -> @location(0) vec4f { return vec4f(1); }";
/// Loads a texel as floats.
const LOAD: &str = "@group(0) @binding(0) var t: texture_2d<f32>;
    @compute @workgroup_size(1) fn main() { _ = textureLoad(t, vec2u(0), 0); }";

/// A target that adds what is drawn.
fn blended(format: TextureFormat) -> wgpu::ColorTargetState {
    let add = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::One,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    };
    wgpu::ColorTargetState {
        format,
        blend: Some(wgpu::BlendState { color: add, alpha: add }),
        write_mask: wgpu::ColorWrites::ALL,
    }
}

/// Binds a texture to a layout of that sample type.
fn bind_sampled(c: &Context, format: TextureFormat, sample_type: TextureSampleType) {
    let layout = c.layout(ShaderStages::COMPUTE, &[sampled_as(sample_type)]);
    let texture = c.texture(format, 1, TextureUsages::TEXTURE_BINDING);
    c.group(&layout, &[BindingResource::TextureView(&c.view(&texture, 0..1))]);
}

/// A pipeline that samples, with a layout that says how.
fn sample_with(c: &Context, filterable: bool, sampler: SamplerBindingType) {
    let texture = sampled_as(TextureSampleType::Float { filterable });
    let layout = c.layout(ShaderStages::COMPUTE, &[texture, BindingType::Sampler(sampler)]);
    c.pipeline(
        Some(&layout),
        "@group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var s: sampler;
        @compute @workgroup_size(1) fn main() { _ = textureSampleLevel(t, s, vec2f(0.5), 0); }",
    );
}

/// Binds an `r32float` texture to the layout that a shader which evaluates `texel` implies.
fn bind_auto(c: &Context, texel: &str, sampler: Option<&wgpu::Sampler>) {
    let pipeline = c.pipeline(
        None,
        &format!(
            "@group(0) @binding(0) var t: texture_2d<f32>;
            @group(0) @binding(1) var s: sampler;
            @compute @workgroup_size(1) fn main() {{ _ = {texel}; }}"
        ),
    );
    let texture = c.texture(R32Float, 1, TextureUsages::TEXTURE_BINDING);
    let view = c.view(&texture, 0..1);
    let resources = [BindingResource::TextureView(&view)].into_iter().chain(sampler.map(BindingResource::Sampler));
    c.group(&pipeline.get_bind_group_layout(0), &resources.collect::<Vec<_>>());
}

/// A texture of that format, 4 × 4 texels, with that `GPUTextureUsage`.
fn texture(device: &Device, format: &str, usage: u32) -> Result<(), Thrown> {
    let json = format!(r#"{{"size": [4, 4], "format": "{format}", "usage": {usage}}}"#);
    device.call("createTexture", &json, &[]).map(drop)
}

/// A layout with a storage texture of that format and access.
fn storage_layout(device: &Device, format: &str, access: &str) -> Result<(), Thrown> {
    let storage = format!(r#"{{"format": "{format}", "access": "{access}"}}"#);
    let json = format!(r#"{{"entries": [{{"binding": 0, "visibility": 4, "storageTexture": {storage}}}]}}"#);
    device.call("createBindGroupLayout", &json, &[]).map(drop)
}

/// Binds an `r16unorm` texture to a layout of that sample type.
fn bind_norm16(device: &Device, sample_type: &str) -> Result<(), Thrown> {
    let texture = device.call("createTexture", r#"{"size": [4, 4], "format": "r16unorm", "usage": 4}"#, &[])?;
    let entry = format!(r#"{{"binding": 0, "visibility": 4, "texture": {{"sampleType": "{sample_type}"}}}}"#);
    let layout = device.call("createBindGroupLayout", &format!(r#"{{"entries": [{entry}]}}"#), &[])?;
    let group = r#"{"layout": "$0", "entries": [{"binding": 0, "resource": "$1"}]}"#;
    device.call("createBindGroup", group, &[&layout, &texture]).map(drop)
}

/// Those of `features` that the device has.
fn has(c: Context, features: &'static [&'static str]) -> BoxFuture<Option<String>> {
    Box::pin(async move {
        let device = Device::of(&c.gpu)?;
        let names: Vec<_> = features.iter().copied().filter(|name| device.has(name)).collect();
        Some(if names.is_empty() { "–".to_owned() } else { names.join(" ") })
    })
}

/// Copies the depth of `width` × `height` of 4 × 4 texels into a buffer; the error, if any, comes from `finish`.
fn read_back(c: &Context, format: TextureFormat, width: u32, height: u32) {
    let texture = c.texture(format, 1, TextureUsages::COPY_SRC);
    let buffer = c.gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("claim/depth/buffer"),
        size: 1024,
        usage: wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = c.encoder();
    encoder.copy_texture_to_buffer(
        wgpu::TexelCopyTextureInfo { aspect: wgpu::TextureAspect::DepthOnly, ..texture.as_image_copy() },
        wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout: wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(256), rows_per_image: None },
        },
        crate::gpu::extent(width, height),
    );
    encoder.finish();
}

/// Copies bytes into a texture of 4 × 4 texels.
fn upload(c: &Context, format: TextureFormat) {
    let texture = c.texture(format, 1, TextureUsages::COPY_DST);
    let bytes_per_row = 4 * format.block_copy_size(None).unwrap_or(4);
    c.gpu.queue.write_texture(
        texture.as_image_copy(),
        &[0; 64],
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(bytes_per_row), rows_per_image: None },
        crate::gpu::extent(4, 4),
    );
}

/// The bytes of the float that a depth of 0.00001 is loaded as, after it was rendered into `format`.
fn stored_depth(c: Context, format: TextureFormat) -> BoxFuture<Option<String>> {
    Box::pin(async move {
        let texture = c.texture(format, 1, TextureUsages::RENDER_ATTACHMENT | TextureUsages::TEXTURE_BINDING);
        let view = c.view(&texture, 0..1);
        let loaded = c.storage_buffer(4);
        let load = c.pipeline(
            None,
            "@group(0) @binding(0) var t: texture_depth_2d;
            @group(0) @binding(1) var<storage, read_write> loaded: f32;
            @compute @workgroup_size(1) fn main() { loaded = textureLoad(t, vec2u(0), 0); }",
        );
        let mut encoder = c.encoder();
        // Cleared to that depth: nothing need be drawn.
        drop(encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("claim/depth24plus-bits/pass"),
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &view,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1e-5), store: wgpu::StoreOp::Store }),
                stencil_ops: None,
            }),
            ..Default::default()
        }));
        let resources = [BindingResource::TextureView(&view), loaded.as_entire_binding()];
        c.dispatch(&mut encoder, &load, &c.group(&load.get_bind_group_layout(0), &resources));
        Some(hex(&c.read(encoder, &loaded).await?.first()?.to_le_bytes()))
    })
}

/// A view of an `rgba8unorm` texture in `format`.
fn seen_as(c: &Context, format: TextureFormat) {
    let texture = c.gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("claim/compatibility-formats/texture"),
        size: crate::gpu::extent(4, 4),
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: Rgba8Unorm,
        usage: TextureUsages::TEXTURE_BINDING,
        view_formats: &[format],
    });
    texture.create_view(&wgpu::TextureViewDescriptor {
        label: Some("claim/compatibility-formats/view"),
        format: Some(format),
        ..Default::default()
    });
}
