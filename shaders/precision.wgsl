// precision: one picture in five formats, a row for each, and under it what the format lost

struct Settings {
  seconds: f32,
  clip: f32, // 1: what is brighter than white is white; 0: a curve brings it down
  // Powers of two.
  exposure: f32,
  magnify: f32,
}
@group(0) @binding(0) var<uniform> settings: Settings;

// region: paint
// The same for every target; the format of the attachment decides what becomes of the numbers.
@fragment
fn paint(corner: Corner) -> @location(0) vec4f {
  return vec4f(light(corner.position.xy), 1);
}
// endregion

// region: encode
// Where rg11b10ufloat is no target: its texels, put together by hand and copied into the texture.
@group(0) @binding(1) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(8, 8)
fn encode(@builtin(global_invocation_id) id: vec3u) {
  if (any(id.xy >= SIZE)) { return; }
  let c = light(vec2f(id.xy) + 0.5);
  words[id.y * SIZE.x + id.x] = unsigned(c.r, 6) | (unsigned(c.g, 6) << 11) | (unsigned(c.b, 5) << 22);
}

// A float without a sign: five bits of exponent, then the fraction.
fn unsigned(value: f32, fraction: u32) -> u32 {
  const SMALLEST_NORMAL = 0x1p-14;
  let positive = max(value, 0);
  if (positive < SMALLEST_NORMAL) { return u32(positive / SMALLEST_NORMAL * exp2(f32(fraction))); }
  // Rounded towards zero; the exponent is biased by 112 less.
  let bits = bitcast<u32>(positive) >> (23 - fraction);
  return min(bits - (112u << fraction), (31u << fraction) - 1);
}
// endregion

const SIZE = vec2u(384, 44);
const NIGHT = vec3f(0.030, 0.060, 0.125);

// A sun of 16 over a sea that is hardly lit, two lamps of one colour each, and one that takes light away.
fn light(position: vec2f) -> vec3f {
  const SEA = 0.72;
  // In heights of the picture.
  let p = position / f32(SIZE.y);
  let sun = vec2f(3.0 + 0.4 * sin(0.4 * settings.seconds), 0.46);
  let away = distance(p, sun);
  // The sky falls off by powers of two.
  var c = vec3f(1.00, 0.52, 0.20) * 5 * exp2(-2.2 * away) + vec3f(0.05, 0.13, 0.30) * exp2(-0.55 * p.x);
  c += vec3f(1.00, 0.86, 0.62) * 16 * (1 - smoothstep(0.24, 0.28, away));
  c += vec3f(0.10, 0.22, 1.00) * 6 * lamp(p, vec2f(5.2, 0.42));
  c += vec3f(1.00, 0.16, 0.03) * 6 * lamp(p, vec2f(6.6, 0.42));
  c -= vec3f(0.80) * (1 - smoothstep(0.20, 0.24, distance(p, vec2f(7.9, 0.42))));
  if (p.y > SEA) { c = vec3f(0.30, 0.62, 0.80) * p.x / 100; }
  return c;
}

fn lamp(p: vec2f, at: vec2f) -> f32 {
  let away = distance(p, at);
  return exp2(-14 * away * away);
}

struct Corner {
  @builtin(position) position: vec4f,
  @location(0) uv: vec2f,
}

// One triangle that covers the target; uv is (0, 0) at its top left.
@vertex
fn cover(@builtin(vertex_index) i: u32) -> Corner {
  let at = vec2f(f32((i << 1) & 2), f32(i & 2));
  return Corner(vec4f(at.x * 2 - 1, 1 - at.y * 2, 0, 1), at);
}

@group(0) @binding(1) var floats: texture_2d<f32>;
@group(0) @binding(2) var halves: texture_2d<f32>;
@group(0) @binding(3) var elevens: texture_2d<f32>;
@group(0) @binding(4) var tens: texture_2d<f32>;
@group(0) @binding(5) var bytes: texture_2d<f32>;

fn stored(row: u32, texel: vec2u) -> vec3f {
  switch row {
    case 0: { return textureLoad(floats, texel, 0).rgb; }
    case 1: { return textureLoad(halves, texel, 0).rgb; }
    case 2: { return textureLoad(elevens, texel, 0).rgb; }
    case 3: { return textureLoad(tens, texel, 0).rgb; }
    default: { return textureLoad(bytes, texel, 0).rgb; }
  }
}

// How a loss of red, of green and of blue is drawn: together they are cream.
const LOST = mat3x3f(vec3f(0.70, 0.24, 0.06), vec3f(0.12, 0.36, 0.22), vec3f(0.10, 0.24, 0.36));

// Of a row, from its top: the picture, and below what it lost.
const SEEN = 44.0 / 64.0;

@fragment
fn show(corner: Corner) -> @location(0) vec4f {
  let y = corner.uv.y * 5;
  let row = min(u32(y), 4);
  let down = y - f32(row);
  let is_picture = down < SEEN;
  let place = vec2f(corner.uv.x, select((down - SEEN) / (1 - SEEN), down / SEEN, is_picture));
  let texel = min(vec2u(place * vec2f(SIZE)), SIZE - 1);
  let c = stored(row, texel);
  if (is_picture) { return vec4f(select(tone(c), hatch(corner.position), any(c < vec3f())), 1); }
  let lost = min(abs(c - stored(0, texel)) * exp2(settings.exposure + settings.magnify), vec3f(1));
  return vec4f(NIGHT + LOST * lost, 1);
}

// From light to the canvas: exposed, brought under 1, and encoded.
fn tone(c: vec3f) -> vec3f {
  let exposed = c * exp2(settings.exposure);
  let curved = exposed * (1 + exposed / 256) / (1 + exposed);
  return pow(clamp(select(curved, exposed, settings.clip == 1), vec3f(), vec3f(1)), vec3f(1 / 2.2));
}

// How less than nothing is drawn, for it has no colour.
fn hatch(position: vec4f) -> vec3f {
  return select(NIGHT, vec3f(0.85, 0.42, 0.14), fract((position.x + position.y) / 8) < 0.5);
}
