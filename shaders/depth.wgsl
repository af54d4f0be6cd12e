// depth: a scene, its depth buffer as a shader loads it, and the answers of a comparison sampler

struct Settings {
  seconds: f32,
  near: f32, // plane, in metres before the eye
  distance: f32, // 1: the middle pane is the distance; 0: what is stored
}
@group(0) @binding(0) var<uniform> settings: Settings;

const FAR = 64.0;
const NIGHT = vec3f(0.030, 0.060, 0.125);
const CREAM = vec3f(0.97, 0.91, 0.76);
const RUST = vec3f(0.80, 0.33, 0.12);
const BLUE = vec3f(0.16, 0.38, 0.52);

struct Box {
  middle: vec3f,
  reach: vec3f, // from the middle to a side
  ink: vec3f,
}

// In metres: a floor, a strip of paper on it half a millimetre thick, a block at its end, and gates of three boxes each.
fn box_at(i: u32) -> Box {
  if (i == 0) { return Box(vec3f(0, -1, -31), vec3f(14, 1, 32), BLUE); }
  if (i == 1) { return Box(vec3f(0, 0, -26), vec3f(0.9, 0.0005, 24), CREAM); }
  if (i == 2) { return Box(vec3f(0, 3, -58), vec3f(3, 3, 1), CREAM); }
  let z = -5 - 8 * f32((i - 3) / 3);
  if (i % 3 == 0) { return Box(vec3f(0, 4.3, z), vec3f(3.2, 0.3, 0.4), RUST); }
  return Box(vec3f(select(-2.4, 2.4, i % 3 == 1), 2, z), vec3f(0.3, 2, 0.3), RUST);
}

struct Point {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(flat) light: vec3f,
  @location(1) place: vec3f,
}

@vertex
fn corner_of_box(@builtin(vertex_index) vertex: u32, @builtin(instance_index) instance: u32) -> Point {
  const QUAD = array(vec2f(-1, -1), vec2f(1, -1), vec2f(-1, 1), vec2f(-1, 1), vec2f(1, -1), vec2f(1, 1));
  let at = QUAD[vertex % 6];
  let face = vertex / 6;
  let side = select(-1.0, 1.0, (face & 1) == 1);
  var corner = vec3f(at, side);
  var normal = vec3f(0, 0, side);
  if (face / 2 == 1) { corner = corner.zxy; normal = normal.zxy; }
  if (face / 2 == 2) { corner = corner.yzx; normal = normal.yzx; }
  let box = box_at(instance);
  let place = box.middle + box.reach * corner;

  const SUN = vec3f(0.46, 0.80, 0.38);
  let light = box.ink * (0.42 + 0.58 * max(dot(normal, SUN), 0));
  let eye = vec3f(1.1 * sin(0.5 * settings.seconds), 1.7, 0);
  return Point(project(place - eye), light, place);
}

// region: project
// Depth 0 at the near plane, 1 at the far one; between them it goes with the reciprocal of the distance.
fn project(p: vec3f) -> vec4f {
  const ASPECT = 16.0 / 27.0;
  const LENS = 1.0;
  let depth = -FAR / (FAR - settings.near) * (p.z + settings.near);
  return vec4f(p.x * LENS / ASPECT, p.y * LENS - 0.15 * -p.z, depth, -p.z);
}

// What `project` stores for a point so far before the eye, and back.
fn depth_at(distance: f32) -> f32 {
  return FAR / (FAR - settings.near) * (1 - settings.near / distance);
}

fn distance_at(depth: f32) -> f32 {
  return settings.near * FAR / (FAR - depth * (FAR - settings.near));
}
// endregion

@fragment
fn lit(point: Point) -> @location(0) vec4f {
  // Farther is nearer to the night.
  return vec4f(mix(point.light, NIGHT, smoothstep(10, 64, -point.place.z) * 0.5), 1);
}

// region: copy
@group(0) @binding(0) var depth_texels: texture_depth_2d;
@group(0) @binding(1) var copied: texture_storage_2d<r32float, write>;

// Works for every depth format; copyTextureToBuffer takes no depth24plus.
@compute @workgroup_size(8, 8)
fn copy(@builtin(global_invocation_id) id: vec3u) {
  if (any(id.xy >= textureDimensions(copied))) { return; }
  textureStore(copied, id.xy, vec4f(textureLoad(depth_texels, id.xy, 0)));
}
// endregion

struct Corner {
  @builtin(position) position: vec4f,
  @location(0) uv: vec2f,
}

// One triangle that covers the canvas; uv is (0, 0) at its top left.
@vertex
fn cover(@builtin(vertex_index) i: u32) -> Corner {
  let at = vec2f(f32((i << 1) & 2), f32(i & 2));
  return Corner(vec4f(at.x * 2 - 1, 1 - at.y * 2, 0, 1), at);
}

// region: read
@group(0) @binding(1) var depth_buffer: texture_depth_2d;
@group(0) @binding(2) var scene: texture_2d<f32>;
@group(0) @binding(3) var comparing: sampler_comparison;

// Panes side by side: the scene, its depth, and which of it lies beyond a reference that goes to and fro.
@fragment
fn show(corner: Corner) -> @location(0) vec4f {
  let pane = min(u32(corner.uv.x * 3), 2);
  let uv = vec2f(corner.uv.x * 3 - f32(pane), corner.uv.y);
  let texel = min(vec2u(uv * vec2f(textureDimensions(scene))), textureDimensions(scene) - 1);
  let depth = textureLoad(depth_buffer, texel, 0);
  let reference = depth_at(24 - 20 * cos(0.6 * settings.seconds));
  let beyond = textureSampleCompareLevel(depth_buffer, comparing, uv, reference);
  switch pane {
    case 0: { return select(textureLoad(scene, texel, 0), vec4f(NIGHT, 1), depth == 1); }
    case 1: { return vec4f(mix(NIGHT, CREAM, select(depth, distance_at(depth) / FAR, settings.distance == 1)), 1); }
    default: { return vec4f(mix(BLUE, CREAM, beyond), 1); }
  }
}
// endregion
