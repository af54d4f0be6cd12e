// ripple: one step of water in time, in place, from texture to texture, and with a race; a render pass compares the fields

// A height and a speed for each texel. All sums below are exact: heights and speeds are whole grains and small, so no sum
// needs more than the 24 bits of an f32, and a compiler that fuses or reorders them changes nothing.
const GRAIN = 1.0 / 16384;
// The height does not leave the basin.
const RIM = 2.0;
// What a speed loses in a step. A power of two, like the quarter of the four neighbours.
const LOSS = 1.0 / 128;

// The water is pulled to the mean height of its four neighbours, and slowly comes to rest.
fn next_speed(speed: f32, height: f32, around: f32) -> f32 {
  let pull = around / 4 - height;
  return round((speed - LOSS * speed + pull) / GRAIN) * GRAIN;
}

// What falls in the step that is being computed; mostly nothing, a height of 0.
struct Drop {
  texel: vec2i,
  height: f32,
}
@group(1) @binding(0) var<uniform> drop: Drop;

// Square of a drop's radius in texels.
const REACH = 64;

fn next_height(texel: vec2i, height: f32, speed: f32) -> f32 {
  let d = texel - drop.texel;
  let inside = f32(max(0, REACH - d.x * d.x - d.y * d.y)) / REACH;
  return clamp(height + speed + drop.height * inside * inside, -RIM, RIM);
}

// Sum of the heights of the four neighbours; at the rim the water is its own neighbour.
fn around(heights: texture_storage_2d<r32float, read>, texel: vec2i) -> f32 {
  let last = vec2i(textureDimensions(heights)) - 1;
  return textureLoad(heights, vec2i(max(texel.x - 1, 0), texel.y)).r
    + textureLoad(heights, vec2i(min(texel.x + 1, last.x), texel.y)).r
    + textureLoad(heights, vec2i(texel.x, max(texel.y - 1, 0))).r
    + textureLoad(heights, vec2i(texel.x, min(texel.y + 1, last.y))).r;
}

// region: in-place
@group(0) @binding(0) var heights: texture_storage_2d<r32float, read>;
@group(0) @binding(1) var own_speed: texture_storage_2d<r32float, read_write>;

// First dispatch: the heights stand still, and each invocation renews its own speed.
@compute @workgroup_size(8, 8)
fn push(@builtin(global_invocation_id) id: vec3u) {
  let texel = vec2i(id.xy);
  if (any(id.xy >= textureDimensions(heights))) { return; }
  let speed = textureLoad(own_speed, texel).r;
  let height = textureLoad(heights, texel).r;
  textureStore(own_speed, texel, vec4f(next_speed(speed, height, around(heights, texel)), 0, 0, 1));
}

@group(0) @binding(0) var speeds: texture_storage_2d<r32float, read>;
@group(0) @binding(1) var own_height: texture_storage_2d<r32float, read_write>;

// Second dispatch: the speeds stand still, and each invocation renews its own height.
@compute @workgroup_size(8, 8)
fn rise(@builtin(global_invocation_id) id: vec3u) {
  let texel = vec2i(id.xy);
  if (any(id.xy >= textureDimensions(speeds))) { return; }
  let height = textureLoad(own_height, texel).r;
  let speed = textureLoad(speeds, texel).r;
  textureStore(own_height, texel, vec4f(next_height(texel, height, speed), 0, 0, 1));
}
// endregion

// region: ping-pong
@group(0) @binding(1) var old_speeds: texture_storage_2d<r32float, read>;
@group(0) @binding(2) var new_speeds: texture_storage_2d<r32float, write>;

@compute @workgroup_size(8, 8)
fn push_across(@builtin(global_invocation_id) id: vec3u) {
  let texel = vec2i(id.xy);
  if (any(id.xy >= textureDimensions(heights))) { return; }
  let speed = textureLoad(old_speeds, texel).r;
  let height = textureLoad(heights, texel).r;
  textureStore(new_speeds, texel, vec4f(next_speed(speed, height, around(heights, texel)), 0, 0, 1));
}

@group(0) @binding(1) var old_heights: texture_storage_2d<r32float, read>;
@group(0) @binding(2) var new_heights: texture_storage_2d<r32float, write>;

@compute @workgroup_size(8, 8)
fn rise_across(@builtin(global_invocation_id) id: vec3u) {
  let texel = vec2i(id.xy);
  if (any(id.xy >= textureDimensions(speeds))) { return; }
  let height = textureLoad(old_heights, texel).r;
  let speed = textureLoad(speeds, texel).r;
  textureStore(new_heights, texel, vec4f(next_height(texel, height, speed), 0, 0, 1));
}
// endregion

// region: race
@group(0) @binding(0) var own_and_others: texture_storage_2d<r32float, read_write>;

// Both in one dispatch, the height before the speed: a neighbour's height may be the new one, or still the old.
@compute @workgroup_size(8, 8)
fn race(@builtin(global_invocation_id) id: vec3u) {
  let texel = vec2i(id.xy);
  let size = textureDimensions(own_and_others);
  if (any(id.xy >= size)) { return; }
  let speed = textureLoad(own_speed, texel).r;
  let height = next_height(texel, textureLoad(own_and_others, texel).r, speed);
  textureStore(own_and_others, texel, vec4f(height, 0, 0, 1));
  let last = vec2i(size) - 1;
  let around = textureLoad(own_and_others, vec2i(max(texel.x - 1, 0), texel.y)).r
    + textureLoad(own_and_others, vec2i(min(texel.x + 1, last.x), texel.y)).r
    + textureLoad(own_and_others, vec2i(texel.x, max(texel.y - 1, 0))).r
    + textureLoad(own_and_others, vec2i(texel.x, min(texel.y + 1, last.y))).r;
  textureStore(own_speed, texel, vec4f(next_speed(speed, height, around), 0, 0, 1));
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

// Panes side by side: in place, ping-pong, difference.
const PANES = 3;
@group(0) @binding(0) var in_place: texture_2d<f32>;
@group(0) @binding(1) var ping_pong: texture_2d<f32>;

@fragment
fn show(corner: Corner) -> @location(0) vec4f {
  let x = corner.uv.x * PANES;
  let pane = min(u32(x), PANES - 1);
  let size = textureDimensions(in_place);
  let texel = vec2i(vec2f(x - f32(pane), corner.uv.y) * vec2f(size));
  switch pane {
    case 0: { return vec4f(water(in_place, texel), 1); }
    case 1: { return vec4f(water(ping_pong, texel), 1); }
    default: { return vec4f(difference(texel), 1); }
  }
}

const NIGHT = vec3f(0.030, 0.060, 0.125);
const DEEP = vec3f(0.060, 0.155, 0.270);
const SHALLOW = vec3f(0.200, 0.445, 0.560);
const CREAM = vec3f(0.985, 0.930, 0.790);
const RUST = vec3f(0.780, 0.270, 0.090);

// Lit by a low moon at the top left: slopes that face it shine, those that turn away are dark.
fn water(heights: texture_2d<f32>, texel: vec2i) -> vec3f {
  let last = vec2i(textureDimensions(heights)) - 1;
  let slope = vec2f(
    textureLoad(heights, vec2i(min(texel.x + 1, last.x), texel.y), 0).r
      - textureLoad(heights, vec2i(max(texel.x - 1, 0), texel.y), 0).r,
    textureLoad(heights, vec2i(texel.x, min(texel.y + 1, last.y)), 0).r
      - textureLoad(heights, vec2i(texel.x, max(texel.y - 1, 0)), 0).r,
  );
  let lit = dot(slope, vec2f(12, 16));
  let shade = lit / (1 + abs(lit));
  let body = mix(DEEP, select(SHALLOW, NIGHT, shade < 0), sqrt(abs(shade)) * abs(shade) * 1.4);
  return mix(body, CREAM, smoothstep(0.34, 0.80, shade));
}

// Night where the fields agree to the last bit; the least difference is as plain as the largest is bright.
fn difference(texel: vec2i) -> vec3f {
  let apart = abs(textureLoad(in_place, texel, 0).r - textureLoad(ping_pong, texel, 0).r);
  return select(mix(RUST, CREAM, smoothstep(0.0, 2 * RIM, apart)), NIGHT, apart == 0);
}
