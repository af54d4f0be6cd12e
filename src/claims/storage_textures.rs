//! The claims of the page `storage-textures`.

use wgpu::StorageTextureAccess::{ReadOnly, ReadWrite, WriteOnly};
use wgpu::TextureFormat::{self, R32Float, Rgba8Snorm, Rgba8Unorm, Rgba8UnormSrgb};
use wgpu::{BindingResource, ShaderStages, TextureUsages};

use crate::claim::{Claim, Context, Expect, accepted, compiles, raw, refused, rejected, sampled, storage, value};
use crate::gpu::{raw::Object, texel::hex};

/// Every claim of the page.
pub(super) const CLAIMS: &[Claim] = &[
    // region: usage-flag
    Claim {
        id: "usage-flag",
        features: &[],
        tries: &[
            rejected("without", |c| bind(c, Rgba8Unorm, &c.texture(Rgba8Unorm, 1, TextureUsages::TEXTURE_BINDING))),
            accepted("with", |c| bind(c, Rgba8Unorm, &c.texture(Rgba8Unorm, 1, TextureUsages::STORAGE_BINDING))),
        ],
    },
    // endregion
    // region: format-mandatory
    Claim {
        id: "format-mandatory",
        features: &[],
        tries: &[
            raw("without", Expect::Throws, |device| {
                let layout = r#"{"entries": [{"binding": 0, "visibility": 4, "storageTexture": {}}]}"#;
                device.call("createBindGroupLayout", layout, &[]).map(drop)
            }),
            raw("with", Expect::Accepted, |device| {
                let layout = r#"{"entries": [
                    {"binding": 0, "visibility": 4, "storageTexture": {"format": "rgba8unorm"}}]}"#;
                device.call("createBindGroupLayout", layout, &[]).map(drop)
            }),
        ],
    },
    // endregion
    // region: format-exact
    Claim {
        id: "format-exact",
        features: &[],
        tries: &[
            rejected("snorm", |c| bind(c, Rgba8Unorm, &c.texture(Rgba8Snorm, 1, TextureUsages::STORAGE_BINDING))),
            rejected("srgb", |c| {
                let texture = c.gpu.device.create_texture(&wgpu::TextureDescriptor {
                    label: Some("claim/format-exact/texture"),
                    size: crate::gpu::extent(4, 4),
                    mip_level_count: 1,
                    sample_count: 1,
                    dimension: wgpu::TextureDimension::D2,
                    format: Rgba8Unorm,
                    usage: TextureUsages::STORAGE_BINDING | TextureUsages::TEXTURE_BINDING,
                    view_formats: &[Rgba8UnormSrgb],
                });
                let view = texture.create_view(&wgpu::TextureViewDescriptor {
                    label: Some("claim/format-exact/view"),
                    format: Some(Rgba8UnormSrgb),
                    usage: Some(TextureUsages::TEXTURE_BINDING),
                    ..Default::default()
                });
                c.group(&write_only(c, Rgba8Unorm), &[BindingResource::TextureView(&view)]);
            }),
            accepted("unorm", |c| bind(c, Rgba8Unorm, &c.texture(Rgba8Unorm, 1, TextureUsages::STORAGE_BINDING))),
        ],
    },
    // endregion
    // region: access-defaults
    Claim {
        id: "access-defaults",
        features: &[],
        tries: &[raw("write", Expect::Accepted, |device| {
            let module = device.call("createShaderModule", r#"{"code": "$0"}"#, &[&Object::text(WRITE)])?;
            let group = r#"{"entries": [
                    {"binding": 0, "visibility": 4, "storageTexture": {"format": "rgba8unorm"}}]}"#;
            let group = device.call("createBindGroupLayout", group, &[])?;
            let layout = device.call("createPipelineLayout", r#"{"bindGroupLayouts": ["$0"]}"#, &[&group])?;
            let pipeline = r#"{"layout": "$0", "compute": {"module": "$1"}}"#;
            device.call("createComputePipeline", pipeline, &[&layout, &module]).map(drop)
        })],
    },
    // endregion
    // region: layout-agrees
    Claim {
        id: "layout-agrees",
        features: &[],
        tries: &[
            rejected("other-format", |c| drop(c.pipeline(Some(&write_only(c, Rgba8Snorm)), WRITE))),
            rejected("other-access", |c| drop(c.pipeline(Some(&read_write(c)), READ))),
            accepted("same", |c| drop(c.pipeline(Some(&write_only(c, Rgba8Unorm)), WRITE))),
            accepted("read-write-for-write", |c| drop(c.pipeline(Some(&read_write(c)), WRITE_R32))),
        ],
    },
    // endregion
    // region: one-level
    Claim {
        id: "one-level",
        features: &[],
        tries: &[
            rejected("two", |c| bind_levels(c, 0..2)),
            accepted("first", |c| bind_levels(c, 0..1)),
            accepted("last", |c| bind_levels(c, 2..3)),
        ],
    },
    // endregion
    // region: five-too-many
    Claim {
        id: "five-too-many",
        features: &[],
        tries: &[
            rejected("five", |c| drop(c.layout(ShaderStages::COMPUTE, &[storage(ReadOnly, R32Float); 5]))),
            accepted("four", |c| drop(c.layout(ShaderStages::COMPUTE, &[storage(ReadOnly, R32Float); 4]))),
        ],
    },
    // endregion
    // region: vertex-reads-only
    Claim {
        id: "vertex-reads-only",
        features: &[],
        tries: &[
            rejected("write-only", |c| drop(c.layout(ShaderStages::VERTEX, &[storage(WriteOnly, R32Float)]))),
            rejected("read-write", |c| drop(c.layout(ShaderStages::VERTEX, &[storage(ReadWrite, R32Float)]))),
            accepted("read-only", |c| drop(c.layout(ShaderStages::VERTEX, &[storage(ReadOnly, R32Float)]))),
        ],
    },
    // endregion
    // region: load-takes-no-level
    Claim {
        id: "load-takes-no-level",
        features: &[],
        tries: &[
            refused(
                "with",
                "@group(0) @binding(0) var t: texture_storage_2d<r32float, read>;
                fn f() -> vec4f { return textureLoad(t, vec2u(0), 0); }",
            ),
            compiles(
                "without",
                "@group(0) @binding(0) var t: texture_storage_2d<r32float, read>;
                fn f() -> vec4f { return textureLoad(t, vec2u(0)); }",
            ),
        ],
    },
    // endregion
    // region: store-takes-vec4
    Claim {
        id: "store-takes-vec4",
        features: &[],
        tries: &[
            refused(
                "scalar",
                "@group(0) @binding(0) var t: texture_storage_2d<r32float, write>;
                fn f() { textureStore(t, vec2u(0), 1.0); }",
            ),
            compiles(
                "vec4",
                "@group(0) @binding(0) var t: texture_storage_2d<r32float, write>;
                fn f() { textureStore(t, vec2u(0), vec4f(1.0)); }",
            ),
        ],
    },
    // endregion
    // region: stored-bytes
    Claim {
        id: "stored-bytes",
        features: &[],
        tries: &[value("bytes", &["FF 80 00 FF", "FF 7F 00 FF"], |c| {
            Box::pin(async move {
                let texture = c.texture(Rgba8Unorm, 1, TextureUsages::STORAGE_BINDING | TextureUsages::COPY_SRC);
                let pipeline = c.pipeline(
                    None,
                    "@group(0) @binding(0) var t: texture_storage_2d<rgba8unorm, write>;
                    @compute @workgroup_size(1) fn main() {
                        textureStore(t, vec2u(0), vec4f(1.0, 0.5, 0.0, 1.0));
                    }",
                );
                let view = c.view(&texture, 0..1);
                let group = c.group(&pipeline.get_bind_group_layout(0), &[BindingResource::TextureView(&view)]);
                let mut encoder = c.encoder();
                c.dispatch(&mut encoder, &pipeline, &group);
                Some(hex(&c.read_texel(encoder, &texture).await?))
            })
        })],
    },
    // endregion
    // region: passes-in-order
    Claim {
        id: "passes-in-order",
        features: &[],
        tries: &[
            value("next-pass", &["7"], |c| Box::pin(write_then_read(c, false))),
            value("next-submit", &["7"], |c| Box::pin(write_then_read(c, true))),
        ],
    },
    // endregion
    // region: write-or-sample
    Claim {
        id: "write-or-sample",
        features: &[],
        tries: &[
            rejected("one-dispatch", |c| write_and_sample(c, WriteOnly, [0, 0])),
            accepted("two-levels", |c| write_and_sample(c, WriteOnly, [1, 0])),
            accepted("two-layers", |c| write_and_sample(c, WriteOnly, [0, 1])),
            accepted("read-only", |c| write_and_sample(c, ReadOnly, [0, 0])),
            accepted("two-dispatches", |c| {
                let texture = c.texture(R32Float, 1, TextureUsages::STORAGE_BINDING | TextureUsages::TEXTURE_BINDING);
                let view = c.view(&texture, 0..1);
                let mut encoder = c.encoder();
                for binding in [storage(WriteOnly, R32Float), sampled()] {
                    let layout = c.layout(ShaderStages::COMPUTE, &[binding]);
                    let group = c.group(&layout, &[BindingResource::TextureView(&view)]);
                    c.dispatch(&mut encoder, &c.pipeline(Some(&layout), NOTHING), &group);
                }
                encoder.finish();
            }),
        ],
    },
    // endregion
    // region: auto-layout
    Claim {
        id: "auto-layout",
        features: &[],
        tries: &[
            accepted("same", |c| bind_auto(c, Rgba8Unorm)),
            rejected("other-format", |c| bind_auto(c, Rgba8Snorm)),
        ],
    },
    // endregion
];

/// Does nothing with what is bound.
const NOTHING: &str = "@compute @workgroup_size(1) fn main() {}";
/// Stores into an `rgba8unorm` storage texture.
const WRITE: &str = "@group(0) @binding(0) var t: texture_storage_2d<rgba8unorm, write>;
    @compute @workgroup_size(1) fn main() { textureStore(t, vec2u(0), vec4f(1)); }";
/// Stores into an `r32float` storage texture.
const WRITE_R32: &str = "@group(0) @binding(0) var t: texture_storage_2d<r32float, write>;
    @compute @workgroup_size(1) fn main() { textureStore(t, vec2u(0), vec4f(1)); }";
/// Loads from an `r32float` storage texture.
const READ: &str = "@group(0) @binding(0) var t: texture_storage_2d<r32float, read>;
    @compute @workgroup_size(1) fn main() { _ = textureLoad(t, vec2u(0)); }";

fn write_only(c: &Context, format: TextureFormat) -> wgpu::BindGroupLayout {
    c.layout(ShaderStages::COMPUTE, &[storage(WriteOnly, format)])
}

fn read_write(c: &Context) -> wgpu::BindGroupLayout {
    c.layout(ShaderStages::COMPUTE, &[storage(ReadWrite, R32Float)])
}

/// Binds the first level of `texture` to a write-only storage layout of `format`.
fn bind(c: &Context, format: TextureFormat, texture: &wgpu::Texture) {
    let view = c.view(texture, 0..1);
    c.group(&write_only(c, format), &[BindingResource::TextureView(&view)]);
}

fn bind_levels(c: &Context, levels: std::ops::Range<u32>) {
    let texture = c.texture(Rgba8Unorm, 3, TextureUsages::STORAGE_BINDING);
    let view = c.view(&texture, levels);
    c.group(&write_only(c, Rgba8Unorm), &[BindingResource::TextureView(&view)]);
}

fn bind_auto(c: &Context, format: TextureFormat) {
    let layout = c.pipeline(None, WRITE).get_bind_group_layout(0);
    let texture = c.texture(format, 1, TextureUsages::STORAGE_BINDING);
    c.group(&layout, &[BindingResource::TextureView(&c.view(&texture, 0..1))]);
}

/// Writes 7 in one pass, reads it in the next, of the same encoder or of the next submit.
async fn write_then_read(c: Context, two_submits: bool) -> Option<String> {
    let texture = c.texture(TextureFormat::R32Uint, 1, TextureUsages::STORAGE_BINDING | TextureUsages::TEXTURE_BINDING);
    let buffer = c.storage_buffer(4);
    let write = c.pipeline(
        None,
        "@group(0) @binding(0) var t: texture_storage_2d<r32uint, write>;
        @compute @workgroup_size(1) fn main() { textureStore(t, vec2u(3), vec4u(7)); }",
    );
    let read = c.pipeline(
        None,
        "@group(0) @binding(0) var t: texture_2d<u32>;
        @group(0) @binding(1) var<storage, read_write> seen: u32;
        @compute @workgroup_size(1) fn main() { seen = textureLoad(t, vec2u(3), 0).r; }",
    );
    let view = c.view(&texture, 0..1);
    let mut encoder = c.encoder();
    let group = c.group(&write.get_bind_group_layout(0), &[BindingResource::TextureView(&view)]);
    c.dispatch(&mut encoder, &write, &group);
    if two_submits {
        c.gpu.queue.submit([encoder.finish()]);
        encoder = c.encoder();
    }
    let resources = [BindingResource::TextureView(&view), buffer.as_entire_binding()];
    c.dispatch(&mut encoder, &read, &c.group(&read.get_bind_group_layout(0), &resources));
    Some(c.read(encoder, &buffer).await?.first()?.to_string())
}

/// One dispatch with level 0 of layer 0 as storage, and a level of a layer sampled; the error, if any, comes from `finish`.
fn write_and_sample(c: &Context, access: wgpu::StorageTextureAccess, [level, layer]: [u32; 2]) {
    let texture = c.array(R32Float, 4, 2, 2, TextureUsages::STORAGE_BINDING | TextureUsages::TEXTURE_BINDING);
    let layout = c.layout(ShaderStages::COMPUTE, &[storage(access, R32Float), sampled()]);
    let view = |level, layer| {
        texture.create_view(&wgpu::TextureViewDescriptor {
            label: Some("claim/write-or-sample/view"),
            dimension: Some(wgpu::TextureViewDimension::D2),
            base_mip_level: level,
            mip_level_count: Some(1),
            base_array_layer: layer,
            array_layer_count: Some(1),
            ..Default::default()
        })
    };
    let (stored, seen) = (view(0, 0), view(level, layer));
    let group = c.group(&layout, &[BindingResource::TextureView(&stored), BindingResource::TextureView(&seen)]);
    let mut encoder = c.encoder();
    c.dispatch(&mut encoder, &c.pipeline(Some(&layout), NOTHING), &group);
    encoder.finish();
}
