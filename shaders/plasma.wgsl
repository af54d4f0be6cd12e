// plasma: one invocation a texel paints the field; a render pass shows the same texture on the canvas

struct Settings {
  seconds: f32,
  zoom: f32,
}
@group(0) @binding(0) var<uniform> settings: Settings;

// region: paint
@group(0) @binding(1) var storage_view: texture_storage_2d<rgba8unorm, write>;

@compute @workgroup_size(8, 8)
fn paint(@builtin(global_invocation_id) id: vec3u) {
  let size = textureDimensions(storage_view);
  if (any(id.xy >= size)) { return; } // the overhang: saves work, protects nothing
  let place = (2 * vec2f(id.xy) + 1 - vec2f(size)) / f32(size.y);
  textureStore(storage_view, id.xy, vec4f(colour(height(place)), 1));
}
// endregion

// Slow waves that bend each other, −1 to 1.
fn height(place: vec2f) -> f32 {
  let t = settings.seconds * 0.4;
  var p = place * 1.35;
  p += 0.55 * vec2f(sin(1.7 * p.y + t), cos(1.5 * p.x - 0.8 * t));
  p += 0.35 * vec2f(cos(2.6 * p.y - 0.6 * t), sin(2.9 * p.x + 0.5 * t));
  return sin(1.6 * p.x + 2.4 * sin(0.9 * p.y + 0.3 * t) + 0.5 * t);
}

// Seven inks, from night over blue and cream to rust and back to the dark.
fn colour(h: f32) -> vec3f {
  const INKS = array(
    vec3f(0.03, 0.07, 0.14),
    vec3f(0.06, 0.22, 0.36),
    vec3f(0.16, 0.47, 0.60),
    vec3f(0.97, 0.91, 0.76),
    vec3f(0.90, 0.58, 0.24),
    vec3f(0.62, 0.22, 0.08),
    vec3f(0.20, 0.04, 0.05),
  );
  let at = clamp(h * 0.5 + 0.5, 0, 0.9999) * 6;
  let i = u32(at);
  return mix(INKS[i], INKS[i + 1], fract(at));
}

struct Corner {
  @builtin(position) position: vec4f,
  @location(0) uv: vec2f,
}

// One triangle that covers the canvas; uv is (0, 0) at its top left, and `zoom` is about the middle.
@vertex
fn cover(@builtin(vertex_index) i: u32) -> Corner {
  let at = vec2f(f32((i << 1) & 2), f32(i & 2));
  return Corner(vec4f(at.x * 2 - 1, 1 - at.y * 2, 0, 1), (at - 0.5) / settings.zoom + 0.5);
}

// region: show
@group(0) @binding(1) var sampled_view: texture_2d<f32>;
@group(0) @binding(2) var filter_or_not: sampler;

@fragment
fn show_sampled(corner: Corner) -> @location(0) vec4f {
  return textureSample(sampled_view, filter_or_not, corner.uv);
}

@fragment
fn show_loaded(corner: Corner) -> @location(0) vec4f {
  let size = vec2f(textureDimensions(sampled_view));
  return textureLoad(sampled_view, vec2u(corner.uv * size), 0);
}
// endregion
