// buffer-or-texture: one picture stored twice, into a texture and into a buffer, shown side by side and compared byte by byte

struct Settings {
  size: vec2u,
  // The width that whoever reads the buffer was told.
  stated_width: u32,
  step: u32,
  // 1 where the buffer's bytes begin with blue.
  blue_first: u32,
}
@group(0) @binding(0) var<uniform> settings: Settings;

// region: texture
@group(0) @binding(1) var picture: texture_storage_2d<rgba8unorm, write>;

@compute @workgroup_size(8, 8)
fn store_texels(@builtin(global_invocation_id) id: vec3u) {
  if (any(id.xy >= textureDimensions(picture))) { return; } // saves work, protects nothing
  textureStore(picture, id.xy, colour(id.xy));
}
// endregion

// region: buffer
@group(0) @binding(1) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(8, 8)
fn store_words(@builtin(global_invocation_id) id: vec3u) {
  if (any(id.xy >= settings.size)) { return; } // needed: an x beyond the edge is in the next row
  let c = colour(id.xy);
  words[id.y * settings.size.x + id.x] = pack4x8unorm(select(c, c.bgra, settings.blue_first == 1));
}
// endregion

// region: read
@group(0) @binding(1) var sampled_view: texture_2d<f32>;
@group(0) @binding(2) var<storage, read> packed: array<u32>;

// The four bytes of a texel as the reader of the buffer finds them; beyond the end there is nothing.
fn word(texel: vec2u) -> u32 {
  let at = texel.y * settings.stated_width + texel.x;
  if (at >= arrayLength(&packed)) { return 0; }
  return packed[at];
}
// endregion

// Bytes by which texture and buffer differ at a texel, 0 to 4. A texel is loaded as c ÷ 255, and packing gives c back.
fn differing(texel: vec2u) -> u32 {
  let bits = pack4x8unorm(textureLoad(sampled_view, texel, 0)) ^ word(texel);
  return dot(vec4u(min((vec4u(bits) >> vec4u(0, 8, 16, 24)) & vec4u(255), vec4u(1))), vec4u(1));
}

@group(0) @binding(3) var<storage, read_write> count: atomic<u32>;

@compute @workgroup_size(8, 8)
fn compare(@builtin(global_invocation_id) id: vec3u) {
  if (any(id.xy >= settings.size)) { return; }
  let bytes = differing(id.xy);
  if (bytes > 0) { atomicAdd(&count, bytes); }
}

// The picture: a sun that sets over hills and a lake, in whole numbers, 1024 across and 1728 down. Each channel is a whole
// number of 255ths, which the format has a code for, so that the texture's rounding has no choice; and no sum is rounded
// on the way, so that it does not matter how either shader is compiled.
fn colour(texel: vec2u) -> vec4f {
  // The dither: a threshold for each texel of a 4 × 4 block (Bayer's).
  const BAYER = array(0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5);
  let threshold = BAYER[(texel.y & 3) * 4 + (texel.x & 3)] * 16 + 8;
  let p = vec2i((2 * texel + 1) * vec2u(512, 864) / settings.size) - vec2i(0, 90);
  let c = select(land(p, threshold), lake(p, threshold), p.y > SHORE);
  return vec4f(vec4i(c, 255)) / 255;
}

const NIGHT = vec3i(9, 17, 38);
const INDIGO = vec3i(20, 44, 82);
const BLUE = vec3i(42, 92, 132);
const TEAL = vec3i(112, 160, 168);
const CREAM = vec3i(247, 232, 196);
const AMBER = vec3i(232, 154, 66);
const RUST = vec3i(172, 66, 28);

const SHORE = 1030;
const SUN = vec2i(640, 640);
const SUN_RADIUS = 232;

// A zigzag from 0 to `high` and back in `period`.
fn zigzag(x: i32, period: i32, high: i32) -> i32 {
  return abs((x % period + period) % period * 2 - period) * high / period;
}

fn land(p: vec2i, threshold: i32) -> vec3i {
  // Trees on the near bank.
  for (var i = 0; i < 5; i++) {
    const TREES = array(vec3i(92, 980, 270), vec3i(168, 1000, 330), vec3i(236, 1000, 210), vec3i(820, 1010, 190), vec3i(900, 1000, 300));
    let tree = TREES[i];
    let d = vec2i(p.x - tree.x, p.y - (tree.y - tree.z / 2)) * vec2i(7, 1);
    if (dot(d, d) < tree.z * tree.z / 4 || (abs(p.x - tree.x) < 7 && p.y > tree.y - 40)) { return NIGHT; }
  }
  let near = 940 + zigzag(p.x + 210, 900, 90) - zigzag(p.x, 260, 26);
  if (p.y > near) { return select(NIGHT, INDIGO, (p.y - near) * 2 + threshold < 150); }
  let middle = 800 + zigzag(p.x - 40, 700, 190) - zigzag(p.x, 150, 30);
  if (p.y > middle) { return select(INDIGO, BLUE, (p.y - middle) + threshold < 190); }
  let far = 700 + zigzag(p.x + 420, 1000, 230) - zigzag(p.x + 30, 210, 44);
  if (p.y > far) { return select(BLUE, TEAL, (p.y - far) + threshold < 230); }
  return sky(p, threshold);
}

fn sky(p: vec2i, threshold: i32) -> vec3i {
  let d = p - SUN;
  if (dot(d, d) < SUN_RADIUS * SUN_RADIUS) {
    let level = (d.y + SUN_RADIUS) * 512 / (2 * SUN_RADIUS) + threshold;
    const DISC = array(CREAM, AMBER, RUST);
    return DISC[clamp(level / 256, 0, 2)];
  }
  const BANDS = array(NIGHT, INDIGO, BLUE, TEAL, CREAM);
  let level = p.y * 1024 / 790 + threshold;
  return BANDS[clamp(level / 256, 0, 4)];
}

// The land upside down, in waves that are longer the nearer they are, each on its own way; the sun glitters on their crests.
fn lake(p: vec2i, threshold: i32) -> vec3i {
  let depth = p.y - SHORE;
  let waves = depth * 480 / (depth + 180);
  let wave = waves / 16;
  let t = i32(settings.step);
  let swing = zigzag(t * (3 + wave % 4) + wave * wave * 37, 240, 10 + depth / 7) - (5 + depth / 14);
  let mirrored = land(vec2i(p.x + swing, SHORE - depth * 3 / 2), threshold) * 3 / 4 + INDIGO / 8;
  let crest = zigzag(p.x * 2 + t * (2 + wave % 3) * (1 - wave % 2 * 2) + wave * wave * 331, 640, 256);
  let glitter = waves % 16 < 6 && crest + threshold / 4 > 180 + abs(p.x - SUN.x) / 2 + depth / 8;
  return select(mirrored, (mirrored + CREAM) / 2, glitter);
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

// Panes side by side: texture, buffer, difference.
const PANES = 3;

@fragment
fn show(corner: Corner) -> @location(0) vec4f {
  let x = corner.uv.x * PANES;
  let pane = min(u32(x), PANES - 1);
  let texel = vec2u(vec2f(x - f32(pane), corner.uv.y) * vec2f(settings.size));
  switch pane {
    case 0: { return textureLoad(sampled_view, texel, 0); }
    case 1: { return unpack4x8unorm(word(texel)); }
    // Night where they agree; from rust to amber where one to four bytes differ.
    default: {
      let bytes = differing(texel);
      let glare = mix(vec3f(0.60, 0.18, 0.08), vec3f(0.98, 0.66, 0.28), f32(bytes) / 4);
      return vec4f(select(glare, vec3f(0.035, 0.065, 0.13), bytes == 0), 1);
    }
  }
}
