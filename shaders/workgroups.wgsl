// workgroups: one invocation a texel, in workgroups of a chosen shape; a render pass shows which of them share one

struct Settings {
  seconds: f32,
  // Pixels of the canvas for an invocation, and where the first one stands.
  scale: f32,
  origin: vec2f,
  // Invocations of a workgroup, and workgroups.
  shape: vec2f,
  groups: vec2f,
}
@group(0) @binding(0) var<uniform> settings: Settings;

// region: fill
@group(0) @binding(1) var storage_view: texture_storage_2d<rgba8unorm, write>;

override across: u32 = 8;
override down: u32 = 8;

// What is timed. A texel's four bytes are its coordinates, so no two neighbours are alike.
@compute @workgroup_size(across, down)
fn fill(@builtin(global_invocation_id) id: vec3u) {
  textureStore(storage_view, id.xy, unpack4x8unorm(id.x | (id.y << 16)));
}
// endregion

// Invocations that ran, and a texture with room for all of them.
@group(0) @binding(2) var<storage, read_write> ran: atomic<u32>;
@group(0) @binding(3) var all_view: texture_storage_2d<rgba8unorm, write>;

// What is seen. Every invocation counts itself; a store beyond the edge is dropped.
@compute @workgroup_size(across, down)
fn paint(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_index) index: u32,
) {
  atomicAdd(&ran, 1);
  let colour = ink(group.xy, index, across * down);
  textureStore(storage_view, id.xy, vec4f(colour, 1));
  textureStore(all_view, id.xy, vec4f(colour, 1));
}

const NIGHT = vec3f(0.03, 0.06, 0.11);
const CREAM = vec3f(0.97, 0.91, 0.76);

// A colour for each workgroup, unlike its eight neighbours'. It darkens with the local index, and a run of 32
// consecutive indices lights up after the other.
fn ink(group: vec2u, index: u32, count: u32) -> vec3f {
  const INKS = array(
    vec3f(0.10, 0.33, 0.49),
    vec3f(0.86, 0.52, 0.20),
    vec3f(0.22, 0.53, 0.62),
    vec3f(0.62, 0.24, 0.12),
    vec3f(0.74, 0.70, 0.52),
  );
  let base = INKS[(group.x + 2 * group.y) % 5] * mix(1.1, 0.45, f32(index) / f32(count));
  // One turn more than there are runs: then the workgroup rests.
  let turns = f32((count + 31) / 32) + 1.5;
  let turn = fract(settings.seconds * 0.25 - 0.04 * f32(group.x + group.y)) * turns;
  let lit = saturate(1.1 - abs(turn - f32(index / 32) - 0.5));
  return mix(base, CREAM, 0.85 * lit * lit * lit);
}

struct Corner {
  @builtin(position) position: vec4f,
  // Of the invocations that should run, how many did: what did not run stays dark.
  @location(0) @interpolate(flat) share: f32,
}

// One triangle that covers the canvas.
@vertex
fn cover(@builtin(vertex_index) i: u32) -> Corner {
  let due = settings.shape.x * settings.shape.y * settings.groups.x * settings.groups.y;
  return Corner(vec4f(f32((i << 1) & 2) * 2 - 1, 1 - f32(i & 2) * 2, 0, 1), f32(counted) / due);
}

@group(0) @binding(1) var sampled_view: texture_2d<f32>;
@group(0) @binding(2) var<storage, read> counted: u32;
@group(0) @binding(3) var all_sampled: texture_2d<f32>;

@fragment
fn show(corner: Corner) -> @location(0) vec4f {
  let size = vec2f(textureDimensions(sampled_view));
  let at = (corner.position.xy - settings.origin) / settings.scale;

  // The frame of the texture, two pixels wide.
  let beyond = (abs(at - size / 2) - size / 2) * settings.scale;
  let edge = max(beyond.x, beyond.y);
  if (edge > 0 && edge < 2) { return vec4f(CREAM, 1); }
  if (any((at < vec2f()) | (at >= settings.groups * settings.shape))) { return vec4f(NIGHT, 1); }

  // Dark lines: around each workgroup, and thinner ones between invocations where there is room.
  let from_group = at - floor(at / settings.shape) * settings.shape;
  let wide = select(1.0, 2.0, settings.scale >= 8);
  if (settings.scale >= 2 && any(from_group * settings.scale < vec2f(wide))) { return vec4f(NIGHT, 1); }
  let seam = select(1.0, 0.72, settings.scale >= 5 && any(fract(at) * settings.scale < vec2f(1)));

  var colour: vec3f;
  if (edge < 0) {
    colour = textureLoad(sampled_view, vec2u(at), 0).rgb;
  } else {
    // Beyond the edge nothing was stored: hatched.
    let hatch = fract((corner.position.x + corner.position.y) / 6) < 0.4;
    colour = mix(NIGHT, textureLoad(all_sampled, vec2u(at), 0).rgb, select(0.28, 0.5, hatch));
  }
  return vec4f(mix(NIGHT, colour * seam, corner.share), 1);
}
