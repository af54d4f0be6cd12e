// mip-ladder: level 0 is painted, and every other level is stored from the one before

struct Settings {
  seconds: f32,
  nearest: f32, // 1: one texel for each; 0: the mean of those it covers
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

@group(0) @binding(1) var ladder: texture_2d<f32>;

@fragment
fn show(corner: Corner) -> @location(0) vec4f {
  const GROUND = vec3f(0.03, 0.055, 0.10);
  const INK = vec3f(0.97, 0.91, 0.76);
  let uv = corner.uv;
  let pixel = vec2f(dpdx(uv.x), dpdy(uv.y));
  // Pixels of the canvas for one of a numeral: about a hundred and fiftieth of the height.
  let dot_size = max(1, round(1 / (150 * pixel.y)));
  var colour = GROUND;
  for (var level = 0u; level < textureNumLevels(ladder); level++) {
    let place = settings.places[level];
    let size = textureDimensions(ladder, level);
    let ink = select(INK * 0.6, INK, f32(level) == settings.shown);
    if (all(uv >= place.xy) && all(uv < place.zw)) {
      let at = (uv - place.xy) / (place.zw - place.xy) * vec2f(size);
      colour = textureLoad(ladder, vec2u(at), level).rgb;
    } else if (all(uv >= place.xy - 1.5 * pixel) && all(uv < place.zw + 1.5 * pixel)) {
      colour = ink;
    }
    // The side in texels, under the middle.
    let digits = select(select(1, 2, size.x >= 10), 3, size.x >= 100);
    let left = vec2f((place.x + place.z) / 2, place.w) / pixel + dot_size * vec2f(0.5 - 2 * f32(digits), 3);
    let cell = vec2i(floor((uv / pixel - floor(left)) / dot_size));
    if (is_ink(size.x, digits, cell)) { colour = ink; }
  }
  return vec4f(colour, 1);
}

// Whether a cell is set where `number` is written in numerals 3 cells wide and 5 high, the first at (0, 0).
fn is_ink(number: u32, digits: i32, cell: vec2i) -> bool {
  const NUMERALS = array(0x7b6fu, 0x749au, 0x73e7u, 0x79e7u, 0x49edu, 0x79cfu, 0x7bcfu, 0x4927u, 0x7befu, 0x79efu);
  const TENS = array(1u, 10u, 100u);
  let place = digits - 1 - cell.x / 4;
  if (any(cell < vec2i()) || place < 0 || cell.y > 4 || cell.x % 4 == 3) { return false; }
  let digit = number / TENS[place] % 10;
  return (NUMERALS[digit] >> u32(cell.y * 3 + cell.x % 4) & 1) == 1;
}
