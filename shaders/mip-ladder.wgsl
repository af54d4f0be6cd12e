// mip-ladder: level 0 is painted, and every other level is stored from the one before

struct Settings {
  seconds: f32,
  nearest: f32, // 1: one texel for each; 0: the mean of those it covers
  pixel: vec2f, // of the canvas, whose sides are 1
  shown: f32,
  places: array<vec4f, 8>, // of the levels on the canvas: left, top, right, bottom
}
@group(0) @binding(0) var<uniform> settings: Settings;
@group(0) @binding(1) var storage_view: texture_storage_2d<rgba8unorm, write>;

// A zone plate: rings that grow finer outwards, until at the edge a ring is two texels.
@compute @workgroup_size(8, 8)
fn paint(@builtin(global_invocation_id) id: vec3u) {
  const NIGHT = vec3f(0.03, 0.07, 0.14);
  const BLUE = vec3f(0.16, 0.47, 0.60);
  const CREAM = vec3f(0.97, 0.91, 0.76);
  const RUST = vec3f(0.85, 0.40, 0.12);
  const QUARTER_TURN = 1.5708;
  let size = textureDimensions(storage_view);
  if (any(id.xy >= size)) { return; }
  let place = (2 * vec2f(id.xy) + 1 - vec2f(size)) / f32(size.x);
  let away = length(place);
  let ring = 0.5 + 0.5 * cos(QUARTER_TURN * f32(size.x) / 2 * away * away - 1.5 * settings.seconds);
  let ink = mix(mix(RUST, CREAM, smoothstep(0, 0.45, away)), BLUE, smoothstep(0.5, 1.3, away));
  textureStore(storage_view, id.xy, vec4f(mix(NIGHT, ink, ring), 1));
}

// region: halve
@group(0) @binding(1) var finer: texture_2d<f32>;
@group(0) @binding(2) var coarser: texture_storage_2d<rgba8unorm, write>;

@compute @workgroup_size(8, 8)
fn halve(@builtin(global_invocation_id) id: vec3u) {
  let size = textureDimensions(coarser);
  if (any(id.xy >= size)) { return; }
  // Texels of the finer level for one of this: 2, or more where half a side was rounded down.
  let span = vec2f(textureDimensions(finer)) / vec2f(size);
  let first = vec2f(id.xy) * span;
  var sum = vec4f();
  if (settings.nearest == 1) {
    sum = textureLoad(finer, vec2u(first + span / 2), 0);
  } else {
    let end = first + span;
    for (var y = floor(first.y); y < end.y; y += 1) {
      for (var x = floor(first.x); x < end.x; x += 1) {
        let share = (min(end, vec2f(x, y) + 1) - max(first, vec2f(x, y))) / span;
        sum += share.x * share.y * textureLoad(finer, vec2u(vec2f(x, y)), 0);
      }
    }
  }
  textureStore(coarser, id.xy, sum);
}
// endregion

@group(0) @binding(1) var ladder: texture_2d<f32>;

struct Corner {
  @builtin(position) position: vec4f,
  @location(0) at: vec2f, // in texels of the level, or in cells of the numeral
  @location(1) @interpolate(flat) level: u32,
  @location(2) @interpolate(flat) what: u32,
}
const GROUND = 0u;
const LEVEL = 1u;
const NUMBER = 2u;

// Quads: first the ground, then each level, then under each its side in texels.
@vertex
fn quad(@builtin(vertex_index) i: u32, @builtin(instance_index) instance: u32) -> Corner {
  const CORNERS = array(vec2f(0, 0), vec2f(1, 0), vec2f(0, 1), vec2f(0, 1), vec2f(1, 0), vec2f(1, 1));
  let levels = textureNumLevels(ladder);
  let what = (instance + levels - 1) / levels;
  let level = (instance + levels - 1) % levels;
  let size = vec2f(textureDimensions(ladder, level));
  // At whole pixels, where every driver agrees on the edges.
  let place = round(settings.places[level] / settings.pixel.xyxy) * settings.pixel.xyxy;

  var uv = CORNERS[i];
  var at = vec2f();
  if (what == LEVEL) {
    // With room for a frame around it.
    let frame = (uv * 2 - 1) * settings.pixel;
    uv = mix(place.xy, place.zw, uv) + frame;
    at = (uv - place.xy) / (place.zw - place.xy) * size;
  } else if (what == NUMBER) {
    // At whole pixels, a cell a hundred and thirtieth of the height or more.
    let cell = ceil(1 / (130 * settings.pixel.y));
    at = uv * vec2f(4 * f32(digits(size.x)) - 1, 5);
    let left = (place.x + place.z) / 2 / settings.pixel.x - (2 * f32(digits(size.x)) - 0.5) * cell;
    uv = (floor(vec2f(left, place.w / settings.pixel.y + 3 * cell)) + at * cell) * settings.pixel;
  }
  return Corner(vec4f(uv.x * 2 - 1, 1 - uv.y * 2, 0, 1), at, level, what);
}

@fragment
fn show(corner: Corner) -> @location(0) vec4f {
  const NIGHT = vec4f(0.03, 0.055, 0.10, 1);
  const INK = vec4f(0.97, 0.91, 0.76, 1);
  let size = textureDimensions(ladder, corner.level);
  let ink = mix(NIGHT, INK, select(0.6, 1.0, f32(corner.level) == settings.shown));
  let is_inside = all(corner.at >= vec2f()) && all(corner.at < vec2f(size));
  if (corner.what == LEVEL && is_inside) { return textureLoad(ladder, vec2u(corner.at), corner.level); }
  let is_inked = corner.what == LEVEL || (corner.what == NUMBER && is_numeral(size.x, vec2u(corner.at)));
  return select(NIGHT, ink, is_inked);
}

fn digits(number: f32) -> u32 {
  return 1 + u32(number >= 10) + u32(number >= 100);
}

// Whether a cell is set where `number` is written in numerals 3 cells wide and 5 high.
fn is_numeral(number: u32, cell: vec2u) -> bool {
  const NUMERALS = array(0x7b6fu, 0x749au, 0x73e7u, 0x79e7u, 0x49edu, 0x79cfu, 0x7bcfu, 0x4927u, 0x7befu, 0x79efu);
  const TENS = array(1u, 10u, 100u);
  let digit = number / TENS[min(digits(f32(number)) - 1 - cell.x / 4, 2)] % 10;
  return cell.x % 4 < 3 && ((NUMERALS[digit] >> (cell.y * 3 + cell.x % 4)) & 1) == 1;
}
