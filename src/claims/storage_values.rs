//! The claims of the page `storage-textures` that something is read back for: what stores and loads do.

use wgpu::TextureFormat::{self, R32Float, R32Uint, Rgba8Snorm, Rgba8Uint, Rgba8Unorm, Rgba16Float};
use wgpu::{BindingResource, TextureUsages, TextureViewDescriptor, TextureViewDimension};

use crate::claim::{BoxFuture, Claim, Context, shown, value};
use crate::gpu::texel::hex;

/// Every claim of this kind.
pub(super) const CLAIMS: &[Claim] = &[
    // region: exact-bytes
    Claim {
        id: "exact-bytes",
        features: &[],
        tries: &[
            value("snorm", &["7F 81 00 81"], |c| store(c, Rgba8Snorm, "rgba8snorm", "vec4f(1.0, -1.0, 0.0, -1.0)")),
            value("half", &["00 3C 00 38 00 C0 00 00"], |c| {
                store(c, Rgba16Float, "rgba16float", "vec4f(1.0, 0.5, -2.0, 0.0)")
            }),
            value("uint", &["FF FF FF FF"], |c| store(c, R32Uint, "r32uint", "vec4u(0xFFFFFFFF)")),
            value("unorm-clamps", &["FF 00 FF 00"], |c| {
                store(c, Rgba8Unorm, "rgba8unorm", "vec4f(2.0, -1.0, 1e30, -1e30)")
            }),
            value("snorm-clamps", &["7F 81 7F 81"], |c| {
                store(c, Rgba8Snorm, "rgba8snorm", "vec4f(2.0, -2.0, 1e30, -1e30)")
            }),
        ],
    },
    // endregion
    // region: integers-clamp
    Claim {
        id: "integers-clamp",
        features: &[],
        tries: &[value("uint", &["FF FF FF 01"], |c| {
            store(c, Rgba8Uint, "rgba8uint", "vec4u(256, 300, 0xFFFFFFFF, 1)")
        })],
    },
    // endregion
    // region: odd-values
    Claim {
        id: "odd-values",
        features: &[],
        tries: &[
            shown("nan-unorm", |c| store(c, Rgba8Unorm, "rgba8unorm", "vec4f(nan)")),
            shown("nan-snorm", |c| store(c, Rgba8Snorm, "rgba8snorm", "vec4f(nan)")),
            shown("infinity", |c| store(c, Rgba8Unorm, "rgba8unorm", "vec4f(infinity, -infinity, 0, 1)")),
            shown("half-overflow", |c| store(c, Rgba16Float, "rgba16float", "vec4f(65520.0, 70000.0, 2051.0, -0.0)")),
            shown("subnormal", |c| store(c, R32Float, "r32float", "vec4f(bitcast<f32>(1u + id.x))")),
        ],
    },
    // endregion
    // region: store-out-of-range
    Claim {
        id: "store-out-of-range",
        features: &[],
        tries: &[
            value("place", &["0"], |c| {
                let stores = "textureStore(t, vec2i(8, 0) + o, vec4u(7)); textureStore(t, vec2i(0, -1) + o, vec4u(7));
                    textureStore(t, vec2i(99, 99) + o, vec4u(7));";
                changed(c, "texture_storage_2d", stores, part(TextureViewDimension::D2, 0, 0..1))
            }),
            value("layer", &["0"], |c| {
                let stores = "textureStore(t, o, 2 + o.x, vec4u(7)); textureStore(t, o, o.x - 1, vec4u(7));";
                changed(c, "texture_storage_2d_array", stores, part(TextureViewDimension::D2Array, 0, 0..2))
            }),
            value("level", &["0"], |c| {
                let stores = "textureStore(t, vec2i(4, 0) + o, vec4u(7)); textureStore(t, vec2i(7, 7) + o, vec4u(7));";
                changed(c, "texture_storage_2d", stores, part(TextureViewDimension::D2, 1, 0..1))
            }),
            value("part", &["0"], |c| {
                let stores = "textureStore(t, o, o.x - 1, vec4u(7)); textureStore(t, o, 1 + o.x, vec4u(7));";
                changed(c, "texture_storage_2d_array", stores, part(TextureViewDimension::D2Array, 0, 1..2))
            }),
        ],
    },
    // endregion
    // region: load-out-of-range
    Claim {
        id: "load-out-of-range",
        features: &[],
        tries: &[
            value("right", IN_RANGE_OR_ZERO, |c| load(c, "vec2i(4, 1)")),
            value("left", IN_RANGE_OR_ZERO, |c| load(c, "vec2i(-1, 1)")),
            value("far", IN_RANGE_OR_ZERO, |c| load(c, "vec2i(1000000, 1000000)")),
        ],
    },
    // endregion
    // region: guard-saves-work
    Claim {
        id: "guard-saves-work",
        features: &[],
        tries: &[value("differ", &["0"], |c| {
            Box::pin(async move {
                let guarded = picture(&c, "if (any(id.xy >= textureDimensions(t))) { return; }").await?;
                let bare = picture(&c, "").await?;
                Some(guarded.iter().zip(&bare).filter(|(a, b)| a != b).count().to_string())
            })
        })],
    },
    // endregion
    // region: invocations-counted
    Claim {
        id: "invocations-counted",
        features: &[],
        tries: &[value("counted", &["128"], |c| {
            Box::pin(async move {
                let count = c.storage_buffer(4);
                let pipeline = c.pipeline(
                    None,
                    "@group(0) @binding(0) var<storage, read_write> count: atomic<u32>;
                    @compute @workgroup_size(8, 8) fn main() { atomicAdd(&count, 1u); }",
                );
                let group = c.group(&pipeline.get_bind_group_layout(0), &[count.as_entire_binding()]);
                let mut encoder = c.encoder();
                // A texture of 13 × 5: ceil(13 / 8) = 2 workgroups across, ceil(5 / 8) = 1 down.
                c.dispatch_groups(&mut encoder, &pipeline, &group, 13u32.div_ceil(8), 5u32.div_ceil(8));
                Some(c.read(encoder, &count).await?.first()?.to_string())
            })
        })],
    },
    // endregion
    // region: own-writes
    Claim {
        id: "own-writes",
        features: &[],
        tries: &[
            value("invocation", &["0"], |c| {
                read_back_wrong(c, "textureStore(t, at, vec4u(i)); wrong = textureLoad(t, at).r != i;")
            }),
            value("workgroup", &["0"], |c| {
                read_back_wrong(
                    c,
                    "textureStore(t, at, vec4u(i)); textureBarrier();
                    wrong = textureLoad(t, vec2u(7) - at).r != 63 - i;",
                )
            }),
        ],
    },
    // endregion
    // region: tier2-in-place
    Claim {
        id: "tier2-in-place",
        features: &["texture-formats-tier2"],
        tries: &[value("half", &["00 3C 00 40 00 42 00 44"], |c| {
            Box::pin(async move {
                let usage = TextureUsages::STORAGE_BINDING | TextureUsages::COPY_SRC;
                let texture = c.texture(Rgba16Float, 1, usage);
                let view = c.view(&texture, 0..1);
                let mut encoder = c.encoder();
                let stores = "textureStore(t, vec2u(0), vec4f(0.5, 1, 1.5, 2));";
                let doubles = "textureStore(t, vec2u(0), 2 * textureLoad(t, vec2u(0)));";
                for body in [stores, doubles] {
                    let pipeline = c.pipeline(
                        None,
                        &format!(
                            "@group(0) @binding(0) var t: texture_storage_2d<rgba16float, read_write>;
                            @compute @workgroup_size(1) fn main() {{ {body} }}"
                        ),
                    );
                    let layout = pipeline.get_bind_group_layout(0);
                    c.dispatch(&mut encoder, &pipeline, &c.group(&layout, &[BindingResource::TextureView(&view)]));
                }
                Some(hex(&c.read_texel(encoder, &texture).await?))
            })
        })],
    },
    // endregion
    // region: array-length
    Claim {
        id: "array-length",
        features: &[],
        tries: &[value("whole", &["16"], |c| array_length(c, 64)), value("part", &["8"], |c| array_length(c, 32))],
    },
    // endregion
    // region: no-barrier
    Claim {
        id: "no-barrier",
        features: &[],
        tries: &[shown("stale", |c| {
            read_back_wrong(c, "textureStore(t, at, vec4u(i + 1)); wrong = textureLoad(t, vec2u(7) - at).r != 64 - i;")
        })],
    },
    // endregion
];

/// What a load out of range may give (WGSL, *textureLoad*): a texel of [`load`]'s texture, or zeros with or without a 1.
const IN_RANGE_OR_ZERO: &[&str] = &[
    "(0, 0, 0, 0)",
    "(0, 0, 0, 1)",
    "(1, 0, 0, 1)",
    "(2, 0, 0, 1)",
    "(3, 0, 0, 1)",
    "(4, 0, 0, 1)",
    "(5, 0, 0, 1)",
    "(6, 0, 0, 1)",
    "(7, 0, 0, 1)",
    "(8, 0, 0, 1)",
    "(9, 0, 0, 1)",
    "(10, 0, 0, 1)",
    "(11, 0, 0, 1)",
    "(12, 0, 0, 1)",
    "(13, 0, 0, 1)",
    "(14, 0, 0, 1)",
    "(15, 0, 0, 1)",
    "(16, 0, 0, 1)",
];

/// The bytes of a texel after the value of a WGSL expression was stored there; `nan` and `infinity` are
/// such floats in it.
fn store(
    c: Context,
    format: TextureFormat,
    wgsl_format: &'static str,
    expression: &'static str,
) -> BoxFuture<Option<String>> {
    Box::pin(async move {
        let texture = c.texture(format, 1, TextureUsages::STORAGE_BINDING | TextureUsages::COPY_SRC);
        let pipeline = c.pipeline(
            None,
            &format!(
                "@group(0) @binding(0) var t: texture_storage_2d<{wgsl_format}, write>;
                @compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) {{
                    let nan = bitcast<f32>(0x7FC00000u + id.x);
                    let infinity = bitcast<f32>(0x7F800000u + id.x);
                    textureStore(t, vec2u(0), {expression});
                }}"
            ),
        );
        let view = c.view(&texture, 0..1);
        let group = c.group(&pipeline.get_bind_group_layout(0), &[BindingResource::TextureView(&view)]);
        let mut encoder = c.encoder();
        c.dispatch(&mut encoder, &pipeline, &group);
        Some(hex(&c.read_texel(encoder, &texture).await?))
    })
}

/// A view of one level and some layers.
fn part(dimension: TextureViewDimension, level: u32, layers: std::ops::Range<u32>) -> TextureViewDescriptor<'static> {
    TextureViewDescriptor {
        label: Some("claim/store-out-of-range/view"),
        dimension: Some(dimension),
        base_mip_level: level,
        mip_level_count: Some(1),
        base_array_layer: layers.start,
        array_layer_count: Some(layers.end - layers.start),
        ..Default::default()
    }
}

/// How many texels of a texture of 8 × 8 texels, two layers and two levels, all zero, `stores` into a view changed. `o` is
/// (0, 0), which no compiler knows.
fn changed(
    c: Context,
    wgsl_type: &'static str,
    stores: &'static str,
    view: TextureViewDescriptor<'static>,
) -> BoxFuture<Option<String>> {
    Box::pin(async move {
        let texture = c.array(R32Uint, 8, 2, 2, TextureUsages::STORAGE_BINDING | TextureUsages::TEXTURE_BINDING);
        let count = c.storage_buffer(4);
        let stores = c.pipeline(
            None,
            &format!(
                "@group(0) @binding(0) var t: {wgsl_type}<r32uint, write>;
                @compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) {{
                    let o = vec2i(id.xy);
                    {stores}
                }}"
            ),
        );
        let counts = c.pipeline(
            None,
            "@group(0) @binding(0) var t: texture_2d_array<u32>;
            @group(0) @binding(1) var<storage, read_write> count: u32;
            @compute @workgroup_size(1) fn main() {
                for (var level = 0; level < 2; level++) {
                    let size = vec2i(textureDimensions(t, level));
                    for (var layer = 0; layer < 2; layer++) {
                        for (var i = 0; i < size.x * size.y; i++) {
                            let texel = textureLoad(t, vec2i(i % size.x, i / size.x), layer, level);
                            count += u32(texel.r != 0);
                        }
                    }
                }
            }",
        );
        let mut encoder = c.encoder();
        let view = texture.create_view(&view);
        let group = c.group(&stores.get_bind_group_layout(0), &[BindingResource::TextureView(&view)]);
        c.dispatch(&mut encoder, &stores, &group);
        let whole = texture.create_view(&TextureViewDescriptor {
            label: Some("claim/store-out-of-range/whole"),
            dimension: Some(TextureViewDimension::D2Array),
            ..Default::default()
        });
        let resources = [BindingResource::TextureView(&whole), count.as_entire_binding()];
        c.dispatch(&mut encoder, &counts, &c.group(&counts.get_bind_group_layout(0), &resources));
        Some(c.read(encoder, &count).await?.first()?.to_string())
    })
}

/// What a load at `place` gives from a texture of 4 × 4 texels that holds 1 to 16.
fn load(c: Context, place: &'static str) -> BoxFuture<Option<String>> {
    Box::pin(async move {
        let texture = c.texture(R32Float, 1, TextureUsages::STORAGE_BINDING);
        let buffer = c.storage_buffer(16);
        let fills = c.pipeline(
            None,
            "@group(0) @binding(0) var t: texture_storage_2d<r32float, write>;
            @compute @workgroup_size(4, 4) fn main(@builtin(global_invocation_id) id: vec3u) {
                textureStore(t, id.xy, vec4f(f32(id.y * 4 + id.x + 1)));
            }",
        );
        let loads = c.pipeline(
            None,
            &format!(
                "@group(0) @binding(0) var t: texture_storage_2d<r32float, read>;
                @group(0) @binding(1) var<storage, read_write> loaded: vec4u;
                @compute @workgroup_size(1) fn main() {{ loaded = vec4u(textureLoad(t, {place})); }}"
            ),
        );
        let view = c.view(&texture, 0..1);
        let mut encoder = c.encoder();
        let group = c.group(&fills.get_bind_group_layout(0), &[BindingResource::TextureView(&view)]);
        c.dispatch(&mut encoder, &fills, &group);
        let resources = [BindingResource::TextureView(&view), buffer.as_entire_binding()];
        c.dispatch(&mut encoder, &loads, &c.group(&loads.get_bind_group_layout(0), &resources));
        let channels: Vec<_> = c.read(encoder, &buffer).await?.iter().map(u32::to_string).collect();
        Some(format!("({})", channels.join(", ")))
    })
}

/// A picture of 4 × 4 texels drawn by 8 × 8 invocations, with `guard` before the store; its texels as words.
async fn picture(c: &Context, guard: &str) -> Option<Vec<u32>> {
    let texture = c.texture(R32Uint, 1, TextureUsages::STORAGE_BINDING | TextureUsages::TEXTURE_BINDING);
    let buffer = c.storage_buffer(64);
    let draws = c.pipeline(
        None,
        &format!(
            "@group(0) @binding(0) var t: texture_storage_2d<r32uint, write>;
            @compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) id: vec3u) {{
                {guard}
                textureStore(t, id.xy, vec4u(id.y * 100 + id.x + 1));
            }}"
        ),
    );
    let reads = c.pipeline(
        None,
        "@group(0) @binding(0) var t: texture_2d<u32>;
        @group(0) @binding(1) var<storage, read_write> texels: array<u32, 16>;
        @compute @workgroup_size(4, 4) fn main(@builtin(global_invocation_id) id: vec3u) {
            texels[id.y * 4 + id.x] = textureLoad(t, id.xy, 0).r;
        }",
    );
    let view = c.view(&texture, 0..1);
    let mut encoder = c.encoder();
    let group = c.group(&draws.get_bind_group_layout(0), &[BindingResource::TextureView(&view)]);
    c.dispatch(&mut encoder, &draws, &group);
    let resources = [BindingResource::TextureView(&view), buffer.as_entire_binding()];
    c.dispatch(&mut encoder, &reads, &c.group(&reads.get_bind_group_layout(0), &resources));
    c.read(encoder, &buffer).await
}

/// How many of the 64 invocations of a workgroup found something `wrong` in a read-write texture of 8 × 8 texels; `at`
/// is an invocation's own texel, `i` its number.
fn read_back_wrong(c: Context, body: &'static str) -> BoxFuture<Option<String>> {
    Box::pin(async move {
        let texture = c.array(R32Uint, 8, 1, 1, TextureUsages::STORAGE_BINDING);
        let count = c.storage_buffer(4);
        let pipeline = c.pipeline(
            None,
            &format!(
                "@group(0) @binding(0) var t: texture_storage_2d<r32uint, read_write>;
                @group(0) @binding(1) var<storage, read_write> count: atomic<u32>;
                @compute @workgroup_size(8, 8) fn main(@builtin(local_invocation_id) id: vec3u) {{
                    let at = id.xy;
                    let i = id.y * 8 + id.x;
                    var wrong = false;
                    {body}
                    atomicAdd(&count, u32(wrong));
                }}"
            ),
        );
        let view = c.view(&texture, 0..1);
        let resources = [BindingResource::TextureView(&view), count.as_entire_binding()];
        let group = c.group(&pipeline.get_bind_group_layout(0), &resources);
        let mut encoder = c.encoder();
        c.dispatch(&mut encoder, &pipeline, &group);
        Some(c.read(encoder, &count).await?.first()?.to_string())
    })
}

/// What `arrayLength` says of a buffer of 64 bytes that is bound for `size` bytes, as `array<u32>`.
fn array_length(c: Context, size: u64) -> BoxFuture<Option<String>> {
    Box::pin(async move {
        let (data, length) = (c.storage_buffer(64), c.storage_buffer(4));
        let pipeline = c.pipeline(
            None,
            "@group(0) @binding(0) var<storage> data: array<u32>;
            @group(0) @binding(1) var<storage, read_write> length: u32;
            @compute @workgroup_size(1) fn main() { length = arrayLength(&data); }",
        );
        let bound = wgpu::BufferBinding { buffer: &data, offset: 0, size: std::num::NonZeroU64::new(size) };
        let resources = [BindingResource::Buffer(bound), length.as_entire_binding()];
        let group = c.group(&pipeline.get_bind_group_layout(0), &resources);
        let mut encoder = c.encoder();
        c.dispatch(&mut encoder, &pipeline, &group);
        Some(c.read(encoder, &length).await?.first()?.to_string())
    })
}
