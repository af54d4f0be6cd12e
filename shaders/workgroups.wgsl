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

// Invocations that ran, by workgroup.
@group(0) @binding(2) var<storage, read_write> ran: array<atomic<u32>>;

// What is seen. Every invocation counts itself; a store beyond the edge is dropped.
@compute @workgroup_size(across, down)
fn paint(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) index: u32,
) {
  atomicAdd(&ran[group.y * groups.x + group.x], 1);
  textureStore(storage_view, id.xy, vec4f(ink(group.xy, index, across * down), 1));
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

// One triangle that covers the canvas.
@vertex
fn cover(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
  return vec4f(f32((i << 1) & 2) * 2 - 1, 1 - f32(i & 2) * 2, 0, 1);
}

@group(0) @binding(1) var sampled_view: texture_2d<f32>;
@group(0) @binding(2) var<storage, read> counted: array<u32>;

@fragment
fn show(@builtin(position) position: vec4f) -> @location(0) vec4f {
  let size = vec2f(textureDimensions(sampled_view));
  let at = (position.xy - settings.origin) / settings.scale;

  // The frame of the texture, two pixels wide.
  let beyond = (abs(at - size / 2) - size / 2) * settings.scale;
  let edge = max(beyond.x, beyond.y);
  if (edge > 0 && edge < 2) { return vec4f(CREAM, 1); }

  let cell = vec2u(max(at, vec2f()));
  let shape = vec2u(settings.shape);
  let group = cell / shape;
  if (any(at < vec2f()) || any(group >= vec2u(settings.groups))) { return vec4f(NIGHT, 1); }

  // Dark lines: around each workgroup, and thinner ones between invocations where there is room.
  let inside = fract(at) * settings.scale;
  let wide = select(1.0, 2.0, settings.scale >= 8);
  let starts_group = cell % shape == vec2u();
  if (settings.scale >= 2 && any(starts_group & (inside < vec2f(wide)))) { return vec4f(NIGHT, 1); }
  let seam = select(1.0, 0.72, settings.scale >= 5 && any(inside < vec2f(1)));

  let index = (cell.y % shape.y) * shape.x + cell.x % shape.x;
  let count = shape.x * shape.y;
  var colour = textureLoad(sampled_view, min(cell, vec2u(size) - 1), 0).rgb;
  if (edge >= 0) {
    // Beyond the edge nothing was stored: hatched.
    let hatch = fract((position.x + position.y) / 6) < 0.4;
    colour = mix(NIGHT, ink(group, index, count), select(0.28, 0.5, hatch));
  }
  // What did not run stays dark.
  let share = f32(counted[group.y * u32(settings.groups.x) + group.x]) / f32(count);
  return vec4f(mix(NIGHT, colour * seam, share), 1);
}
