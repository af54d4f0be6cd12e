// edge: a brush runs off the texture, and a dispatch is rounded up past it; stores that have no texel are dropped

struct Settings {
  seconds: f32,
  radius: f32,
  brush: vec2f, // its middle, in texels
  guard: f32,
}
@group(0) @binding(0) var<uniform> settings: Settings;

// region: store
@group(0) @binding(1) var storage_view: texture_storage_2d<rgba8unorm, write>;

// One invocation for each texel, and those by which the dispatch is rounded up.
@compute @workgroup_size(8, 8)
fn ground(@builtin(global_invocation_id) id: vec3u) {
  let texel = vec2i(id.xy);
  if (settings.guard == 1 && is_outside(texel, textureDimensions(storage_view))) { return; }
  textureStore(storage_view, texel, vec4f(ground_at(texel), 1));
}

// One invocation for each texel under the brush, whether the texture has it or not.
@compute @workgroup_size(8, 8)
fn brush(@builtin(global_invocation_id) id: vec3u) {
  let texel = vec2i(id.xy) + vec2i(floor(settings.brush - settings.radius));
  if (away(texel) >= 1) { return; }
  if (settings.guard == 1 && is_outside(texel, textureDimensions(storage_view))) { return; }
  textureStore(storage_view, texel, vec4f(brush_at(texel), 1));
}

fn is_outside(texel: vec2i, size: vec2u) -> bool {
  return any(texel < vec2i()) || any(texel >= vec2i(size));
}
// endregion

const NIGHT = vec3f(0.03, 0.06, 0.11);
const CREAM = vec3f(0.97, 0.91, 0.76);
const RUST = vec3f(0.85, 0.42, 0.14);
const BLUE = vec3f(0.35, 0.58, 0.68);

// Slow waves in blue.
fn ground_at(texel: vec2i) -> vec3f {
  const INKS = array(
    vec3f(0.05, 0.13, 0.23),
    vec3f(0.08, 0.26, 0.40),
    vec3f(0.16, 0.45, 0.58),
    vec3f(0.60, 0.77, 0.77),
  );
  let t = settings.seconds * 0.7;
  var p = vec2f(texel) * 0.13;
  p += 0.9 * vec2f(sin(0.9 * p.y + t), cos(0.8 * p.x - 0.7 * t));
  let height = 0.5 + 0.5 * sin(1.3 * p.x + 1.9 * p.y + 0.9 * sin(1.3 * p.x - 0.5 * t));
  let at = clamp(height, 0, 0.9999) * 3;
  let i = u32(at);
  return mix(INKS[i], INKS[i + 1], fract(at));
}

// How far a texel is from the middle of the brush: 1 at its rim.
fn away(texel: vec2i) -> f32 {
  return distance(vec2f(texel) + 0.5, settings.brush) / settings.radius;
}

fn brush_at(texel: vec2i) -> vec3f {
  let ink = mix(CREAM, RUST, smoothstep(0.1, 0.6, away(texel)));
  return mix(ink, ground_at(texel), 0.85 * smoothstep(0.5, 1, away(texel)));
}

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

@group(0) @binding(1) var sampled_view: texture_2d<f32>;

const VIEW = vec2f(64, 36);
const WORKGROUP = 8;

@fragment
fn show(corner: Corner) -> @location(0) vec4f {
  let size = textureDimensions(sampled_view);
  let rounded = (size + WORKGROUP - 1) / WORKGROUP * WORKGROUP;
  let place = (corner.uv - 0.5) * VIEW + vec2f(size) / 2;
  let pixel = fwidth(place.x);
  let texel = vec2i(floor(place));
  let at = fract(place) - 0.5;

  var colour = NIGHT;
  if (!is_outside(texel, size)) {
    colour = textureLoad(sampled_view, texel, 0).rgb;
  } else if (away(texel) < 1) {
    colour = mix(NIGHT, RUST, ghost(at, pixel));
  } else if (!is_outside(texel, rounded)) {
    colour = mix(NIGHT, BLUE, ghost(at, pixel));
  }
  // The frame of the texture, and the rim of the brush.
  let beyond = abs(place - vec2f(size) / 2) - vec2f(size) / 2;
  let frame = abs(max(beyond.x, beyond.y) - pixel);
  let rim = abs(distance(place, settings.brush) - settings.radius);
  colour = mix(colour, CREAM, 0.75 * (1 - smoothstep(0.5 * pixel, 1.5 * pixel, rim)));
  colour = mix(colour, CREAM, 1 - smoothstep(pixel, 1.5 * pixel, frame));
  return vec4f(colour, 1);
}

// How strong an invocation that has no texel is drawn: a hollow cell where it returned, a crossed one where it stored.
fn ghost(at: vec2f, pixel: f32) -> f32 {
  let line = min(pixel, 0.12);
  let reach = max(abs(at.x), abs(at.y));
  let rim = 1 - smoothstep(0.6 * line, 1.2 * line, abs(reach - 0.36));
  if (settings.guard == 1) { return 0.5 * rim; }
  let cross = 1 - smoothstep(0.5 * line, 1.5 * line, abs(abs(at.x) - abs(at.y)));
  return max(rim, select(0.0, max(0.4, cross), reach < 0.36));
}
