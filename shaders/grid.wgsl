// grid: a compute pass stores a colour and a height for each texel; a render pass raises each as a pillar

struct Settings {
  seconds: f32,
  relief: f32,
  aspect: f32,
}
@group(0) @binding(0) var<uniform> settings: Settings;
@group(0) @binding(1) var storage_view: texture_storage_2d<rgba8unorm, write>;

// The colour in rgb, the height in a.
@compute @workgroup_size(8, 8)
fn paint(@builtin(global_invocation_id) id: vec3u) {
  let size = textureDimensions(storage_view);
  if (any(id.xy >= size)) { return; }
  let place = (2 * vec2f(id.xy) + 1 - vec2f(size)) / f32(size.y);
  let t = settings.seconds * 0.6;
  let swell = sin(2.6 * place.x + 1.5 * sin(2.1 * place.y - 0.5 * t) + t);
  let rings = sin(4.2 * length(place - vec2f(1.2 * sin(0.31 * t), 0.4 * cos(0.23 * t))) - 1.8 * t);
  let height = clamp(0.52 + 0.33 * swell + 0.17 * rings, 0, 1);
  textureStore(storage_view, id.xy, vec4f(colour(height), height));
}

// From night over deep blue to cream, with rust on the tops.
fn colour(height: f32) -> vec3f {
  const INKS = array(
    vec3f(0.05, 0.11, 0.20),
    vec3f(0.10, 0.30, 0.44),
    vec3f(0.34, 0.58, 0.64),
    vec3f(0.97, 0.91, 0.76),
    vec3f(0.85, 0.45, 0.16),
  );
  let at = clamp(height, 0, 0.9999) * 4;
  let i = u32(at);
  return mix(INKS[i], INKS[i + 1], fract(at));
}

@group(0) @binding(1) var sampled_view: texture_2d<f32>;

struct Corner {
  @builtin(position) position: vec4f,
  @location(0) colour: vec3f,
}

// The faces of a pillar, nearest last: two sides, front, top. Each is two triangles between corners of the unit cube.
const FACES = array(
  vec3f(0, 0, 0), vec3f(0, 0, 1), vec3f(0, 1, 0), vec3f(0, 1, 0), vec3f(0, 0, 1), vec3f(0, 1, 1),
  vec3f(1, 0, 0), vec3f(1, 1, 0), vec3f(1, 0, 1), vec3f(1, 0, 1), vec3f(1, 1, 0), vec3f(1, 1, 1),
  vec3f(0, 0, 0), vec3f(0, 1, 0), vec3f(1, 0, 0), vec3f(1, 0, 0), vec3f(0, 1, 0), vec3f(1, 1, 0),
  vec3f(0, 1, 0), vec3f(0, 1, 1), vec3f(1, 1, 0), vec3f(1, 1, 0), vec3f(0, 1, 1), vec3f(1, 1, 1),
);
const SHADES = array(0.45, 0.45, 0.62, 1.0);
const GAP = 0.12;
const WIDE = 6.4;
const YAW = 0.42;
const TILT = 0.78;
const EYE = vec3f(1.2, 1.25, 0.45);

// One instance a texel: the far row first, and in a row from both ends to the column below the eye, so that what is
// nearer covers what is farther.
@vertex
fn pillar(@builtin(vertex_index) i: u32, @builtin(instance_index) instance: u32) -> Corner {
  let size = textureDimensions(sampled_view);
  let side = WIDE / f32(size.x);
  let k = instance % size.x;
  let below_eye = u32((EYE.x + WIDE / 2) / side);
  let column = select(size.x + below_eye - k, k, k <= below_eye);
  let row = instance / size.x;
  let texel = textureLoad(sampled_view, vec2u(column, row), 0);

  let corner = FACES[i];
  let along = (vec2f(f32(column), f32(size.y - 1 - row)) + mix(vec2f(GAP), vec2f(1 - GAP), corner.xz)) * side;
  let rise = corner.y * (side * 0.4 + settings.relief * 0.75 * texel.a);
  let world = vec3f(along.x - WIDE / 2, rise, along.y) - EYE;
  let turned = vec3f(world.x * cos(YAW) + world.z * sin(YAW), world.y, world.z * cos(YAW) - world.x * sin(YAW));
  let seen = vec3f(
    turned.x,
    turned.y * cos(TILT) + turned.z * sin(TILT),
    turned.z * cos(TILT) - turned.y * sin(TILT),
  );
  let haze = exp(-max(seen.z - 1.6, 0) * 0.38);
  let face = texel.rgb * SHADES[i / 6] * mix(1.0, 0.6 + 0.4 * corner.y, f32(i < 18));
  return Corner(
    vec4f(seen.x * 1.55 / settings.aspect * 1.7, seen.y * 1.55, 0.5 * seen.z, seen.z),
    face * haze,
  );
}

@fragment
fn show(corner: Corner) -> @location(0) vec4f {
  return vec4f(corner.colour, 1);
}
