// blendable: discs of light that blending adds up, in two formats side by side

struct Settings {
  seconds: f32,
  discs: f32,
  light: f32, // what a disc adds in its middle
  exposure: f32, // a power of two
}
@group(0) @binding(0) var<uniform> settings: Settings;

struct Disc {
  @builtin(position) position: vec4f,
  @location(0) at: vec2f, // from -1 to 1 across the disc
  @location(1) @interpolate(flat) ink: vec3f,
}

// Two arms of a spiral that turns, the inner discs faster; cream in the middle, then rust, blue at the rim.
@vertex
fn disc(@builtin(vertex_index) i: u32, @builtin(instance_index) instance: u32) -> Disc {
  const CORNERS = array(vec2f(-1, -1), vec2f(1, -1), vec2f(-1, 1), vec2f(-1, 1), vec2f(1, -1), vec2f(1, 1));
  const INKS = array(vec3f(1.00, 0.80, 0.50), vec3f(1.00, 0.34, 0.07), vec3f(0.30, 0.26, 0.60), vec3f(0.08, 0.30, 1.00));
  const HALF_TURN = 3.14159;
  let number = f32(instance);
  let part = (number + 0.5) / settings.discs;
  let strewn = vec2f(fract(number * 0.618), fract(number * 0.414)) - 0.5;
  let angle = HALF_TURN * f32(instance & 1) + 4.6 * sqrt(part) + (0.9 - 0.5 * part) * strewn.x - settings.seconds * (0.35 - 0.2 * part);
  let middle = (0.85 * pow(part, 1.3) + 0.14 * strewn.y) * vec2f(cos(angle), sin(angle));
  let at = CORNERS[i];
  let shade = min(part, 0.9999) * 3;
  let ink = mix(INKS[u32(shade)], INKS[u32(shade) + 1], fract(shade));
  return Disc(vec4f((middle + (0.16 + 0.10 * part) * at) * vec2f(1.125, 1), 0, 1), at, ink);
}

// region: glow
// The blend unit adds this to what is there: in the format of the attachment, disc by disc.
@fragment
fn glow(disc: Disc) -> @location(0) vec4f {
  let inside = max(1 - dot(disc.at, disc.at), 0);
  return settings.light * inside * inside * vec4f(disc.ink, 1);
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

@group(0) @binding(1) var left: texture_2d<f32>;
@group(0) @binding(2) var right: texture_2d<f32>;

// Two panes side by side.
@fragment
fn show(corner: Corner) -> @location(0) vec4f {
  let texel = vec2u(fract(vec2f(corner.uv.x * 2, corner.uv.y)) * vec2f(textureDimensions(left)));
  if (corner.uv.x < 0.5) { return tone(textureLoad(left, texel, 0).rgb); }
  return tone(textureLoad(right, texel, 0).rgb);
}

// From light to the canvas: exposed, brought under 1, encoded, on a night that is not quite black.
fn tone(light: vec3f) -> vec4f {
  const NIGHT = vec3f(0.030, 0.060, 0.125);
  let exposed = light * exp2(settings.exposure);
  let seen = pow(exposed * (1 + exposed / 64) / (1 + exposed), vec3f(1 / 2.2));
  return vec4f(NIGHT + (1 - NIGHT) * min(seen, vec3f(1)), 1);
}
