// filterable: heights in r32float, on the left through a nearest sampler, on the right blended by a linear one or by hand

struct Settings {
  seconds: f32,
  layer: f32, // metres of height a colour covers
  linear: f32, // 1: on the right what the sampler and the hand differ in
}
@group(0) @binding(0) var<uniform> settings: Settings;
@group(0) @binding(1) var storage_view: texture_storage_2d<r32float, write>;

// Kilometres above the sea: hills that wander.
@compute @workgroup_size(8, 8)
fn paint(@builtin(global_invocation_id) id: vec3u) {
  let size = textureDimensions(storage_view);
  if (any(id.xy >= size)) { return; }
  let p = 7 * (vec2f(id.xy) + 0.5) / f32(size.x);
  let t = 0.25 * settings.seconds;
  let q = p + 0.7 * vec2f(sin(0.9 * p.y + t), cos(0.8 * p.x - 0.7 * t));
  let hills = sin(1.1 * q.x + 0.6 * q.y + t) + sin(1.3 * q.y - 0.7 * q.x - 0.8 * t) + 0.5 * sin(2.1 * q.x + 0.4 * q.y);
  textureStore(storage_view, id.xy, vec4f(0.70 + 0.62 * hills));
}

// region: filter
@group(0) @binding(1) var field: texture_2d<f32>;
@group(0) @binding(2) var nearest: sampler;
@group(0) @binding(3) var linear: sampler;

// What a linear sampler that clamps to the edge does: four texels, each by its share.
fn filtered(uv: vec2f) -> f32 {
  let last = vec2i(textureDimensions(field)) - 1;
  let place = uv * vec2f(last + 1) - 0.5;
  let first = vec2i(floor(place));
  let share = fract(place);
  let left = clamp(first, vec2i(), last);
  let right = clamp(first + 1, vec2i(), last);
  return mix(
    mix(textureLoad(field, left, 0).r, textureLoad(field, vec2i(right.x, left.y), 0).r, share.x),
    mix(textureLoad(field, vec2i(left.x, right.y), 0).r, textureLoad(field, right, 0).r, share.x),
    share.y,
  );
}

// Needs no feature.
@fragment
fn by_hand(corner: Corner) -> @location(0) vec4f {
  let uv = pane(corner.uv);
  if (corner.uv.x < 0.5) { return tint(textureSampleLevel(field, nearest, uv, 0).r); }
  return tint(filtered(uv));
}

// Needs float32-filterable, or this pipeline is an error.
@fragment
fn by_sampler(corner: Corner) -> @location(0) vec4f {
  let uv = pane(corner.uv);
  if (corner.uv.x < 0.5) { return tint(textureSampleLevel(field, nearest, uv, 0).r); }
  let height = textureSampleLevel(field, linear, uv, 0).r;
  if (settings.linear == 1) { return apart(height, filtered(uv)); }
  return tint(height);
}
// endregion

const NIGHT = vec3f(0.030, 0.060, 0.125);

// Two panes side by side.
fn pane(uv: vec2f) -> vec2f {
  return vec2f(fract(uv.x * 2), uv.y);
}

// Sheets of paper, one on the other, each with a shadow at its foot.
fn tint(kilometres: f32) -> vec4f {
  let height = 1000 * kilometres;
  const INKS = array(
    vec3f(0.050, 0.110, 0.210),
    vec3f(0.090, 0.250, 0.390),
    vec3f(0.250, 0.520, 0.600),
    vec3f(0.930, 0.870, 0.720),
    vec3f(0.890, 0.640, 0.360),
    vec3f(0.720, 0.330, 0.130),
    vec3f(0.430, 0.160, 0.090),
  );
  let sheet = floor(height / settings.layer);
  let at = clamp((sheet * settings.layer + 600) / 2500, 0, 0.9999) * 6;
  let i = u32(at);
  let ink = mix(INKS[i], INKS[i + 1], fract(at));
  return vec4f(ink * select(1.0, 0.78, height / settings.layer - sheet > 0.82), 1);
}

// In centimetres, from night over rust to cream.
fn apart(a: f32, b: f32) -> vec4f {
  let centimetres = abs(a - b) * 1e5;
  return vec4f(mix(mix(NIGHT, vec3f(0.85, 0.42, 0.14), min(centimetres / 50, 1)), vec3f(0.97, 0.91, 0.76), smoothstep(50, 150, centimetres)), 1);
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
