// srgb-view: bytes that a shader stored, read once as they are and once as sRGB

struct Settings {
  seconds: f32,
  encoded: f32, // 1: what the sRGB view gave is encoded again for the canvas
}
@group(0) @binding(0) var<uniform> settings: Settings;
@group(0) @binding(1) var storage_view: texture_storage_2d<rgba8unorm, write>;

// A rose window that turns, over a ramp. The colours are codes, as a screen takes them.
@compute @workgroup_size(8, 8)
fn paint(@builtin(global_invocation_id) id: vec3u) {
  const NIGHT = vec3f(0.05, 0.10, 0.20);
  const BLUE = vec3f(0.20, 0.46, 0.60);
  const CREAM = vec3f(0.98, 0.92, 0.78);
  const RUST = vec3f(0.80, 0.36, 0.12);
  const TURN = 6.28319;
  let size = textureDimensions(storage_view);
  if (any(id.xy >= size)) { return; }
  let p = (2 * vec2f(id.xy) + 1 - vec2f(size)) / f32(size.x);
  let away = length(p);
  let ring = u32(4 * away / 0.96);
  let spin = settings.seconds * select(-0.25, 0.25, (ring & 1) == 0);
  let petal = fract((atan2(p.y, p.x) / TURN + 1) * f32(4 + 4 * ring) + spin);
  var code = mix(NIGHT, CREAM, f32(id.y) / f32(size.y - 1));
  if (away < 0.96) {
    const INKS = array(CREAM, RUST, CREAM, BLUE);
    code = select(NIGHT, INKS[min(ring, 3)], petal < 0.5);
  }
  textureStore(storage_view, id.xy, vec4f(code, 1));
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

// region: sample
@group(0) @binding(1) var raw: texture_2d<f32>;
@group(0) @binding(2) var srgb: texture_2d<f32>;
@group(0) @binding(3) var view_sampler: sampler;

// Panes side by side: the bytes, the same bytes as sRGB, the difference.
@fragment
fn show(corner: Corner) -> @location(0) vec4f {
  let pane = min(u32(corner.uv.x * 3), 2);
  let uv = vec2f(corner.uv.x * 3 - f32(pane), corner.uv.y);
  let code = textureSampleLevel(raw, view_sampler, uv, 0).rgb;
  var light = textureSampleLevel(srgb, view_sampler, uv, 0).rgb;
  if (settings.encoded == 1) { light = encode(light); }
  switch pane {
    case 0: { return vec4f(code, 1); }
    case 1: { return vec4f(light, 1); }
    default: { return difference(code, light); }
  }
}

// What the view has undone: from light to a code (IEC 61966-2-1).
fn encode(light: vec3f) -> vec3f {
  return select(1.055 * pow(light, vec3f(1 / 2.4)) - 0.055, 12.92 * light, light <= vec3f(0.0031308));
}
// endregion

// Night where they agree to a code, and brighter the farther they are apart.
fn difference(a: vec3f, b: vec3f) -> vec4f {
  const NIGHT = vec3f(0.030, 0.060, 0.125);
  let apart = length(a - b);
  let glare = mix(vec3f(0.85, 0.42, 0.14), vec3f(0.97, 0.91, 0.76), smoothstep(0.35, 0.8, apart));
  return vec4f(mix(NIGHT, glare, smoothstep(0.01, 0.60, apart)), 1);
}
