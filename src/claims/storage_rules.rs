//! The claims of the page `storage-textures` about access modes, shaders, workgroups and order: what is refused, and when.

use wgpu::StorageTextureAccess::{ReadOnly, ReadWrite, WriteOnly};
use wgpu::TextureFormat::{self, R32Float, Rgba8Unorm};
use wgpu::{BindingResource, BindingType, ShaderStages, TextureUsages, TextureViewDimension};

use crate::claim::{
    BoxFuture, Claim, Context, Expect, accepted, compiles, raw, refused, rejected, sampled, storage, value,
};
use crate::gpu::{COMPATIBILITY, raw::Object};

/// Every claim of this kind.
pub(super) const CLAIMS: &[Claim] = &[
    // region: no-sampler
    Claim {
        id: "no-sampler",
        features: &[],
        tries: &[
            refused(
                "storage",
                "@group(0) @binding(0) var t: texture_storage_2d<rgba8unorm, read>;
                @group(0) @binding(1) var s: sampler;
                @fragment fn f() -> @location(0) vec4f { return textureSample(t, s, vec2f(0.5)); }",
            ),
            compiles(
                "sampled",
                "@group(0) @binding(0) var t: texture_2d<f32>;
                @group(0) @binding(1) var s: sampler;
                @fragment fn f() -> @location(0) vec4f { return textureSample(t, s, vec2f(0.5)); }",
            ),
        ],
    },
    // endregion
    // region: dimensions
    Claim {
        id: "dimensions",
        features: &[],
        tries: &[
            refused(
                "level",
                "@group(0) @binding(0) var t: texture_storage_2d<r32float, write>;
                fn f() -> vec2u { return textureDimensions(t, 0); }",
            ),
            compiles(
                "1d",
                "@group(0) @binding(0) var t: texture_storage_1d<r32float, write>;
                fn f() -> u32 { return textureDimensions(t); }",
            ),
            compiles(
                "2d",
                "@group(0) @binding(0) var t: texture_storage_2d<r32float, write>;
                fn f() -> vec2u { return textureDimensions(t); }",
            ),
            compiles(
                "2d-array",
                "@group(0) @binding(0) var t: texture_storage_2d_array<r32float, write>;
                fn f() -> vec2u { return textureDimensions(t); }",
            ),
            compiles(
                "3d",
                "@group(0) @binding(0) var t: texture_storage_3d<r32float, write>;
                fn f() -> vec3u { return textureDimensions(t); }",
            ),
        ],
    },
    // endregion
    // region: no-cube
    Claim {
        id: "no-cube",
        features: &[],
        tries: &[
            rejected("cube", |c| drop(c.layout(ShaderStages::COMPUTE, &[viewed(TextureViewDimension::Cube)]))),
            rejected("cube-array", |c| {
                drop(c.layout(ShaderStages::COMPUTE, &[viewed(TextureViewDimension::CubeArray)]))
            }),
            accepted("six-layers", |c| {
                let layout = c.layout(ShaderStages::COMPUTE, &[viewed(TextureViewDimension::D2Array)]);
                let texture = c.array(Rgba8Unorm, 4, 6, 1, TextureUsages::STORAGE_BINDING);
                c.group(&layout, &[BindingResource::TextureView(&c.view(&texture, 0..1))]);
            }),
        ],
    },
    // endregion
    // region: sixteen-formats
    Claim {
        id: "sixteen-formats",
        features: &[],
        tries: &[value(
            "accepted",
            &["r32float r32sint r32uint rg32float rg32sint rg32uint rgba16float rgba16sint rgba16uint \
                rgba32float rgba32sint rgba32uint rgba8sint rgba8snorm rgba8uint rgba8unorm"],
            |c| formats(c, WriteOnly),
        )],
    },
    // endregion
    // region: read-write-formats
    Claim {
        id: "read-write-formats",
        features: &[],
        tries: &[value("accepted", &["r32float r32sint r32uint"], |c| formats(c, ReadWrite))],
    },
    // endregion
    // region: tier2-read-write
    Claim {
        id: "tier2-read-write",
        features: &["texture-formats-tier2"],
        tries: &[value(
            "accepted",
            &[
                "r16float r16sint r16uint r32float r32sint r32uint r8sint r8uint r8unorm rgba16float rgba16sint rgba16uint \
                rgba32float rgba32sint rgba32uint rgba8sint rgba8uint rgba8unorm",
            ],
            |c| formats(c, ReadWrite),
        )],
    },
    // endregion
    // region: fragment-too
    Claim {
        id: "fragment-too",
        features: &[],
        tries: &[
            accepted("write-only", |c| drop(c.layout(FRAGMENT_AND_COMPUTE, &[storage(WriteOnly, R32Float)]))),
            accepted("read-only", |c| drop(c.layout(FRAGMENT_AND_COMPUTE, &[storage(ReadOnly, R32Float)]))),
            accepted("read-write", |c| drop(c.layout(FRAGMENT_AND_COMPUTE, &[storage(ReadWrite, R32Float)]))),
        ],
    },
    // endregion
    // region: buffers-read-by-default
    Claim {
        id: "buffers-read-by-default",
        features: &[],
        tries: &[
            refused(
                "no-access",
                "@group(0) @binding(0) var<storage> b: array<u32>;
                @compute @workgroup_size(1) fn main() { b[0] = 1; }",
            ),
            refused("no-space", "@group(0) @binding(0) var b: array<u32>;"),
            compiles(
                "read-write",
                "@group(0) @binding(0) var<storage, read_write> b: array<u32>;
                @compute @workgroup_size(1) fn main() { b[0] = 1; }",
            ),
        ],
    },
    // endregion
    // region: return-before-barrier
    Claim {
        id: "return-before-barrier",
        features: &[],
        tries: &[
            refused(
                "before",
                "@compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) id: vec3u) {
                    if (id.x >= 5) { return; }
                    workgroupBarrier();
                }",
            ),
            compiles(
                "after",
                "@compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) id: vec3u) {
                    workgroupBarrier();
                    if (id.x >= 5) { return; }
                }",
            ),
        ],
    },
    // endregion
    // region: workgroup-limits
    Claim {
        id: "workgroup-limits",
        features: &[],
        tries: &[
            accepted("16x16", |c| workgroup(c, "16, 16")),
            accepted("256x1", |c| workgroup(c, "256, 1")),
            accepted("1x1x64", |c| workgroup(c, "1, 1, 64")),
            rejected("257x1", |c| workgroup(c, "257, 1")),
            rejected("1x257", |c| workgroup(c, "1, 257")),
            rejected("1x1x65", |c| workgroup(c, "1, 1, 65")),
            rejected("32x16", |c| workgroup(c, "32, 16")),
        ],
    },
    // endregion
    // region: compatibility-workgroups
    Claim {
        id: "compatibility-workgroups",
        features: &[COMPATIBILITY],
        tries: &[rejected("16x16", |c| workgroup(c, "16, 16")), accepted("16x8", |c| workgroup(c, "16, 8"))],
    },
    // endregion
    // region: compatibility-vertex
    Claim {
        id: "compatibility-vertex",
        features: &[COMPATIBILITY],
        tries: &[
            rejected("vertex", |c| drop(c.layout(ShaderStages::VERTEX, &[storage(ReadOnly, R32Float)]))),
            accepted("fragment", |c| drop(c.layout(ShaderStages::FRAGMENT, &[storage(ReadOnly, R32Float)]))),
        ],
    },
    // endregion
    // region: compatibility-mips
    Claim {
        id: "compatibility-mips",
        features: &[COMPATIBILITY],
        tries: &[
            rejected("one-texture", |c| {
                let texture = level_pair(c, 2);
                store_beside(c, &c.view(&texture, 1..2), &c.view(&texture, 0..1));
            }),
            accepted("two-textures", |c| {
                store_beside(c, &c.view(&level_pair(c, 1), 0..1), &c.view(&level_pair(c, 1), 0..1));
            }),
        ],
    },
    // endregion
    // region: workgroup-of-none
    Claim {
        id: "workgroup-of-none",
        features: &[],
        tries: &[
            refused("constant", "@compute @workgroup_size(0) fn main() {}"),
            rejected("override", |c| {
                drop(c.pipeline(None, "override n = 0; @compute @workgroup_size(n) fn main() {}"))
            }),
            accepted("one", |c| drop(c.pipeline(None, "override n = 1; @compute @workgroup_size(n) fn main() {}"))),
        ],
    },
    // endregion
    // region: one-writer
    Claim {
        id: "one-writer",
        features: &[],
        tries: &[
            rejected("one-dispatch", |c| {
                let layout = c.layout(ShaderStages::COMPUTE, &[storage(WriteOnly, R32Float); 2]);
                let texture = c.texture(R32Float, 1, TextureUsages::STORAGE_BINDING);
                let view = c.view(&texture, 0..1);
                let group =
                    c.group(&layout, &[BindingResource::TextureView(&view), BindingResource::TextureView(&view)]);
                let pipeline = c.pipeline(Some(&layout), "@compute @workgroup_size(1) fn main() {}");
                let mut encoder = c.encoder();
                c.dispatch(&mut encoder, &pipeline, &group);
                encoder.finish();
            }),
            accepted("two-dispatches", |c| {
                let layout = c.layout(ShaderStages::COMPUTE, &[storage(WriteOnly, R32Float)]);
                let texture = c.texture(R32Float, 1, TextureUsages::STORAGE_BINDING);
                let group = c.group(&layout, &[BindingResource::TextureView(&c.view(&texture, 0..1))]);
                let pipeline = c.pipeline(Some(&layout), "@compute @workgroup_size(1) fn main() {}");
                let mut encoder = c.encoder();
                c.dispatch(&mut encoder, &pipeline, &group);
                c.dispatch(&mut encoder, &pipeline, &group);
                encoder.finish();
            }),
        ],
    },
    // endregion
    // region: render-pass-scope
    Claim {
        id: "render-pass-scope",
        features: &[],
        tries: &[
            accepted("both-write", |c| render_pass(c, WRITES)),
            rejected("read-after-write", |c| render_pass(c, READS)),
        ],
    },
    // endregion
    // region: texture-for-view
    Claim {
        id: "texture-for-view",
        features: &[],
        tries: &[
            raw("texture", Expect::Accepted, |device| {
                let texture = r#"{"size": [4, 4], "format": "rgba8unorm", "usage": 8}"#;
                let layout = r#"{"entries": [
                    {"binding": 0, "visibility": 4, "storageTexture": {"format": "rgba8unorm"}}]}"#;
                let texture = device.call("createTexture", texture, &[])?;
                let layout = device.call("createBindGroupLayout", layout, &[])?;
                let group = r#"{"layout": "$0", "entries": [{"binding": 0, "resource": "$1"}]}"#;
                device.call("createBindGroup", group, &[&layout, &texture]).map(|_: Object| ())
            }),
            accepted("view", |c| {
                let layout = c.layout(ShaderStages::COMPUTE, &[storage(WriteOnly, Rgba8Unorm)]);
                let texture = c.texture(Rgba8Unorm, 1, TextureUsages::STORAGE_BINDING);
                c.group(&layout, &[BindingResource::TextureView(&c.view(&texture, 0..1))]);
            }),
        ],
    },
    // endregion
];

const FRAGMENT_AND_COMPUTE: ShaderStages = ShaderStages::FRAGMENT.union(ShaderStages::COMPUTE);

const fn viewed(view_dimension: TextureViewDimension) -> BindingType {
    BindingType::StorageTexture { access: WriteOnly, format: Rgba8Unorm, view_dimension }
}

fn workgroup(c: &Context, size: &str) {
    c.pipeline(None, &format!("@compute @workgroup_size({size}) fn main() {{}}"));
}

/// A texture that can be stored into and sampled, of so many levels.
fn level_pair(c: &Context, levels: u32) -> wgpu::Texture {
    c.texture(R32Float, levels, TextureUsages::STORAGE_BINDING | TextureUsages::TEXTURE_BINDING)
}

/// One dispatch with `stored` bound for writing and `seen` for loading, as one step down a mip chain has it.
fn store_beside(c: &Context, stored: &wgpu::TextureView, seen: &wgpu::TextureView) {
    let layout = c.layout(ShaderStages::COMPUTE, &[storage(WriteOnly, R32Float), sampled()]);
    let pipeline = c.pipeline(
        Some(&layout),
        "@group(0) @binding(0) var next: texture_storage_2d<r32float, write>;
        @group(0) @binding(1) var level: texture_2d<f32>;
        @compute @workgroup_size(1) fn main() { textureStore(next, vec2u(0), textureLoad(level, vec2u(0), 0)); }",
    );
    let group = c.group(&layout, &[BindingResource::TextureView(stored), BindingResource::TextureView(seen)]);
    let mut encoder = c.encoder();
    c.dispatch(&mut encoder, &pipeline, &group);
    encoder.finish();
}

/// The uncompressed colour formats that every core device has.
const CORE_FORMATS: &[(&str, TextureFormat)] = &[
    ("bgra8unorm-srgb", TextureFormat::Bgra8UnormSrgb),
    ("r16float", TextureFormat::R16Float),
    ("r16sint", TextureFormat::R16Sint),
    ("r16uint", TextureFormat::R16Uint),
    ("r32float", TextureFormat::R32Float),
    ("r32sint", TextureFormat::R32Sint),
    ("r32uint", TextureFormat::R32Uint),
    ("r8sint", TextureFormat::R8Sint),
    ("r8snorm", TextureFormat::R8Snorm),
    ("r8uint", TextureFormat::R8Uint),
    ("r8unorm", TextureFormat::R8Unorm),
    ("rg11b10ufloat", TextureFormat::Rg11b10Ufloat),
    ("rg16float", TextureFormat::Rg16Float),
    ("rg16sint", TextureFormat::Rg16Sint),
    ("rg16uint", TextureFormat::Rg16Uint),
    ("rg32float", TextureFormat::Rg32Float),
    ("rg32sint", TextureFormat::Rg32Sint),
    ("rg32uint", TextureFormat::Rg32Uint),
    ("rg8sint", TextureFormat::Rg8Sint),
    ("rg8snorm", TextureFormat::Rg8Snorm),
    ("rg8uint", TextureFormat::Rg8Uint),
    ("rg8unorm", TextureFormat::Rg8Unorm),
    ("rgb10a2uint", TextureFormat::Rgb10a2Uint),
    ("rgb10a2unorm", TextureFormat::Rgb10a2Unorm),
    ("rgb9e5ufloat", TextureFormat::Rgb9e5Ufloat),
    ("rgba16float", TextureFormat::Rgba16Float),
    ("rgba16sint", TextureFormat::Rgba16Sint),
    ("rgba16uint", TextureFormat::Rgba16Uint),
    ("rgba32float", TextureFormat::Rgba32Float),
    ("rgba32sint", TextureFormat::Rgba32Sint),
    ("rgba32uint", TextureFormat::Rgba32Uint),
    ("rgba8sint", TextureFormat::Rgba8Sint),
    ("rgba8snorm", TextureFormat::Rgba8Snorm),
    ("rgba8uint", TextureFormat::Rgba8Uint),
    ("rgba8unorm", TextureFormat::Rgba8Unorm),
    ("rgba8unorm-srgb", TextureFormat::Rgba8UnormSrgb),
    ("bgra8unorm", TextureFormat::Bgra8Unorm),
];

/// The names of the core formats whose storage layout with `access` is accepted.
fn formats(c: Context, access: wgpu::StorageTextureAccess) -> BoxFuture<Option<String>> {
    Box::pin(async move {
        let mut names = Vec::new();
        for (name, format) in CORE_FORMATS {
            let scope = c.gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
            c.layout(ShaderStages::COMPUTE, &[storage(access, *format)]);
            if scope.pop().await.is_none() {
                names.push(*name);
            }
        }
        Some(names.join(" "))
    })
}

/// A render pass of two draws: the first writes one storage texture, the second does what `second` says with it.
fn render_pass(c: &Context, second: [&str; 2]) {
    let texture = c.texture(R32Float, 1, TextureUsages::STORAGE_BINDING);
    let target = c.texture(Rgba8Unorm, 1, TextureUsages::RENDER_ATTACHMENT);
    let (view, target_view) = (c.view(&texture, 0..1), c.view(&target, 0..1));
    let mut encoder = c.encoder();
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("claim/render-pass-scope/pass"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: &target_view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations::default(),
        })],
        ..Default::default()
    });
    for [access, body] in [WRITES, second] {
        let shader = c.shader(&format!(
            "@group(0) @binding(0) var t: texture_storage_2d<r32float, {access}>;
            @vertex fn corner() -> @builtin(position) vec4f {{ return vec4f(0); }}
            @fragment fn dot() -> @location(0) vec4f {{ {body} return vec4f(1); }}"
        ));
        let label = "claim/render-pass-scope/pipeline";
        let pipeline = c.gpu.create_render_pipeline(label, &shader, "corner", "dot", Rgba8Unorm);
        let group = c.group(&pipeline.get_bind_group_layout(0), &[BindingResource::TextureView(&view)]);
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.draw(0..3, 0..1);
    }
    drop(pass);
    encoder.finish();
}

/// WGSL access and statement of a draw that writes.
const WRITES: [&str; 2] = ["write", "textureStore(t, vec2u(0), vec4f(1));"];
/// The same of one that reads.
const READS: [&str; 2] = ["read", "_ = textureLoad(t, vec2u(0));"];
