// cube-faces: one dispatch stores six layers through a 2d-array view; a cube view of the same texture is sampled by direction

struct Settings {
  turn: vec2f, // cosine and sine of the angle by which the eye is turned
  seconds: f32,
  paint: f32,
}
@group(0) @binding(0) var<uniform> settings: Settings;

// region: faces
@group(0) @binding(1) var layers: texture_storage_2d_array<rgba8unorm, write>;

@compute @workgroup_size(8, 8)
fn paint(@builtin(global_invocation_id) id: vec3u) {
  let size = textureDimensions(layers);
  if (any(id.xy >= size)) { return; }
  let place = (2 * vec2f(id.xy) + 1) / vec2f(size) - 1;
  textureStore(layers, id.xy, id.z, vec4f(colour(id.z, place), 1));
}

// Where a place of a layer lies for a cube view: both its axes −1 to 1, from the top left.
fn direction(layer: u32, place: vec2f) -> vec3f {
  switch (layer) {
    case 0 { return vec3f(1, -place.y, -place.x); }  // +x
    case 1 { return vec3f(-1, -place.y, place.x); }  // −x
    case 2 { return vec3f(place.x, 1, place.y); }    // +y
    case 3 { return vec3f(place.x, -1, -place.y); }  // −y
    case 4 { return vec3f(place.x, -place.y, 1); }   // +z
    default { return vec3f(-place.x, -place.y, -1); } // −z
  }
}
// endregion

const NIGHT = vec3f(0.03, 0.055, 0.10);
const CREAM = vec3f(0.97, 0.91, 0.76);
const INKS = array(
  vec3f(0.04, 0.09, 0.17),
  vec3f(0.06, 0.22, 0.36),
  vec3f(0.16, 0.47, 0.60),
  vec3f(0.97, 0.91, 0.76),
  vec3f(0.90, 0.58, 0.24),
  vec3f(0.62, 0.22, 0.08),
);

const FLAT = array(
  vec3f(0.62, 0.22, 0.08),
  vec3f(0.06, 0.22, 0.36),
  vec3f(0.97, 0.91, 0.76),
  vec3f(0.16, 0.47, 0.60),
  vec3f(0.90, 0.58, 0.24),
  vec3f(0.52, 0.70, 0.74),
);

// By direction, so that nothing breaks at an edge of the cube, or by layer; in the middle as many pips as the layer's number.
fn colour(layer: u32, place: vec2f) -> vec3f {
  if (length(place) < 0.34) { return select(NIGHT, CREAM, is_pip(layer, place)); }
  if (settings.paint == 1) { return FLAT[layer]; }
  let at = clamp(height(normalize(direction(layer, place))) * 0.5 + 0.5, 0, 0.9999) * 5;
  let i = u32(at);
  return mix(INKS[i], INKS[i + 1], fract(at));
}

// Slow waves that bend each other, −1 to 1.
fn height(towards: vec3f) -> f32 {
  let t = settings.seconds * 0.35;
  var p = towards * 1.5;
  p += 0.55 * sin(1.7 * p.yzx + vec3f(t, 1.3 - 0.8 * t, 2.1));
  p += 0.30 * sin(3.1 * p.zxy + vec3f(0.4, 0.6 * t, -t));
  return sin(1.5 * p.y + 2.2 * sin(0.9 * p.x + 0.7 * p.z) + 0.4 * t);
}

// Pips as on a domino, for they stay the same in a mirror.
fn is_pip(number: u32, place: vec2f) -> bool {
  const OUT = 0.155;
  const RADIUS = 0.075;
  let on_diagonal = length(abs(place) - OUT) < RADIUS && (number > 3 || place.x * place.y < 0);
  return (number > 1 && on_diagonal) || (number % 2 == 1 && length(place) < RADIUS);
}

const CORNERS = array(vec2f(-1, -1), vec2f(1, -1), vec2f(-1, 1), vec2f(-1, 1), vec2f(1, -1), vec2f(1, 1));
// Height of a pane over its width; what follows is in such widths.
const PANE = 9.0 / 8;
const SIDE = 0.23;
const GAP = 0.008;

@group(0) @binding(0) var sampled_layers: texture_2d_array<f32>;

struct Place {
  @builtin(position) position: vec4f,
  @location(0) texel: vec2f,
  @location(1) @interpolate(flat) layer: u32,
}

// Quads in the left pane: the six layers, unfolded, after the ground.
@vertex
fn left(@builtin(vertex_index) i: u32, @builtin(instance_index) instance: u32) -> Place {
  const CROSS = array(vec2f(2, 1), vec2f(0, 1), vec2f(1, 0), vec2f(1, 2), vec2f(1, 1), vec2f(3, 1));
  let corner = CORNERS[i];
  if (instance == 0) { return Place(vec4f(corner.x / 2 - 0.5, corner.y, 0, 1), vec2f(), 6); }
  let layer = instance - 1;
  let from_middle = (CROSS[layer] - vec2f(1.5, 1)) * SIDE + corner * vec2f(1, -1) * (SIDE / 2 - GAP);
  let texel = (corner * vec2f(0.5, -0.5) + 0.5) * vec2f(textureDimensions(sampled_layers));
  return Place(vec4f(from_middle.x - 0.5, -2 * from_middle.y / PANE, 0, 1), texel, layer);
}

@fragment
fn show_layers(place: Place) -> @location(0) vec4f {
  if (place.layer == 6) { return vec4f(NIGHT, 1); }
  return textureLoad(sampled_layers, vec2u(place.texel), place.layer, 0);
}

struct Corner {
  @builtin(position) position: vec4f,
  @location(0) at: vec2f, // both axes −1 to 1, from the bottom left
}

@vertex
fn right(@builtin(vertex_index) i: u32) -> Corner {
  return Corner(vec4f(CORNERS[i].x / 2 + 0.5, CORNERS[i].y, 0, 1), CORNERS[i]);
}

@group(0) @binding(1) var cube: texture_cube<f32>;
@group(0) @binding(2) var filter_or_not: sampler;

const WIDE = 0.8;
const BALL = 2.7;

// What the eye sees in a direction, and what a ball before it mirrors.
@fragment
fn show_cube(corner: Corner) -> @location(0) vec4f {
  let ray = normalize(vec3f(corner.at * vec2f(1, PANE) * WIDE, 1));
  let half = ray.z * BALL;
  let root = half * half - BALL * BALL + 1;
  let normal = ray * (half - sqrt(max(root, 0))) - vec3f(0, 0, BALL);
  let sky = textureSample(cube, filter_or_not, turned(ray)).rgb;
  let mirrored = textureSample(cube, filter_or_not, turned(reflect(ray, normal))).rgb;

  let pixel = fwidth(root);
  let grazing = pow(1 + dot(ray, normal), 3);
  let ball = mix(mirrored * vec3f(0.88, 0.92, 0.96), vec3f(1, 0.96, 0.88), 0.35 * grazing);
  return vec4f(mix(sky * 0.8, ball, smoothstep(0, pixel, root)), 1);
}

fn turned(ray: vec3f) -> vec3f {
  let cos = settings.turn.x;
  let sin = settings.turn.y;
  return vec3f(cos * ray.x + sin * ray.z, ray.y, cos * ray.z - sin * ray.x);
}
