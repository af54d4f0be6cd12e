//! The functional checks: known texels written, stored, drawn and blended, then read by a shader.
//!
//! What samplers and `textureLoad` read is read where most readers do it, in a fragment shader; storage textures are the
//! business of a compute shader. Each check leaves its value in a texel of its own, and those of some formats are read
//! back together.

use super::capability::Sample;
use super::probe::{Done, On, Probe, filled};
use super::table::{Aspect, Kind};
use super::texels::Texel;
use super::{Answer, CAPABILITIES, Capability, FORMATS, Features, Format, Found};
use crate::gpu::raw::{self, Object};

/// Bytes of a result, a texel of `rgba32uint`.
const RESULT: usize = 16;

/// What depth and stencil are cleared to.
const DEPTH: f32 = 0.5;
const STENCIL: u32 = 37;

/// Part of a value that the arithmetic of a shader may cost.
const EXACT: f32 = 1e-6;

/// What a check must come to.
struct Expected {
    bits: [u32; 4],
    is_integer: bool,
    /// How many times [`Format::precision`] it may be off, and what else.
    times: f32,
    plus: f32,
}

/// Formats whose results are read back together: Firefox looks only ten times a second whether a buffer is mapped.
const TOGETHER: usize = 16;

/// Results that are read back together, at most eight of a format: 2048 bytes, a row of a copy.
const RESULTS: usize = TOGETHER * 8;

/// A check that was made; its result is at its place among them.
struct Made {
    format: usize,
    capability: usize,
    expected: Expected,
    refusal: Option<String>,
}

impl Probe {
    /// Tries what those capabilities are worth that a device `has`, by the places of format and capability, and hands each
    /// format's answers to `done`. What nothing shows stays untried; the message of a no is the browser's, or what came and
    /// what should have. Whether the device lasted.
    pub async fn check(&self, has: &dyn Fn(usize, usize) -> bool, done: &mut Done<'_>) -> bool {
        for first in (0..FORMATS.len()).step_by(TOGETHER) {
            let Some(rows) = self.check_together(first, has).await else { return false };
            for (at, row) in rows.into_iter().enumerate() {
                if done(first + at, row).is_break() {
                    return true;
                }
            }
        }
        true
    }

    async fn check_together(&self, first: usize, has: &dyn Fn(usize, usize) -> bool) -> Option<Vec<Vec<Found>>> {
        let end = FORMATS.len().min(first + TOGETHER);
        let is_core = self.features().contains(Features::CORE);
        let script = &self.script;
        script.run(self.text("results")).ok()?;
        let copy = script.get(b'c');
        let mut made: Vec<Made> = Vec::new();
        for (at, format) in FORMATS[first..end].iter().enumerate() {
            let mut attempts = Vec::new();
            for (place, (name, capability)) in CAPABILITIES.iter().enumerate() {
                let result = made.len() + attempts.len();
                if result < RESULTS
                    && has(first + at, place)
                    && let Some(expected) = expected(format, *capability, is_core)
                {
                    let check = self.checking(format, name, *capability, &result.to_string());
                    attempts.push((place, expected, self.attempt(&check)));
                }
            }
            for (capability, expected, attempt) in attempts {
                made.push(Made { format: at, capability, expected, refusal: attempt.refusal().await.ok()? });
            }
        }
        let mapped = script.run(self.text("results-end")).map(|()| script.get(b'c')).ok();
        let bytes = match mapped {
            Some(mapped) => mapped.settled().await.and_then(|_| copy.call("getMappedRange", "[]", &[])).ok(),
            None => None,
        };
        let bytes = bytes.map(|it| it.to_bytes());
        script.destroy_textures();
        let _ = copy.call("destroy", "[]", &[]);
        let untried = || CAPABILITIES.iter().map(|_| Answer::Untried.into()).collect();
        let mut rows: Vec<Vec<Found>> = (first..end).map(|_| untried()).collect();
        for (made, bytes) in made.into_iter().zip(bytes?.chunks_exact(RESULT)) {
            rows[made.format][made.capability] = match made.refusal {
                Some(message) => Found { answer: Answer::No, message },
                None => made.expected.judge(&FORMATS[first + made.format], bytes),
            };
        }
        Some(rows)
    }

    /// The script that tries what a capability of a format is worth, and leaves what comes of it at that place.
    fn checking(&self, format: &Format, name: &str, capability: Capability, result: &str) -> String {
        use Capability as C;
        let is_stencil = matches!(capability, C::Sample(Aspect::Stencil, _));
        let aspect = if is_stencil { Aspect::Stencil } else { Aspect::Depth };
        let on = On { format, name, blocks: 2, aspect };
        let for_it = |script: &str, detail: &str| self.filled(script, &on, detail);
        // TEXTURE_BINDING | COPY_DST, and STORAGE_BINDING besides.
        const READ_ONLY: &str = "6";
        const BOTH: &str = "14";
        let compute = |access, body: &str, out| filled(&for_it("compute", out), &[('|', access), ('`', body)]);
        let drawn = |value: &str, times, target| filled(&for_it("drawn", target), &[('|', times), ('`', value)]);
        let mut reader = match format.wgsl_scalar() {
            "u32" => 'U',
            "i32" => 'I',
            _ => 'F',
        };
        let made = if let Some(texel) = format.known_texel() {
            let nothing = vec![0; texel.bytes.len()];
            let (one, two) = match capability {
                C::StorageReadWrite => (&texel.bytes, &nothing),
                _ if format.is_compressed() => (&texel.bytes, &texel.bytes),
                _ => (&nothing, &texel.bytes),
            };
            self.script.set(b'w', &Object::bytes(&[one.as_slice(), two].concat()));
            match capability {
                C::StorageReadOnly => {
                    let body = ["out, vec2(", result, ", 0), bitcast<vec4u>(textureLoad(t, vec2(1, 0)))"].concat();
                    let out = r#",{"binding":1,"resource":"$o"}"#;
                    return for_it("written", BOTH) + &compute("read", &body, out);
                }
                C::StorageReadWrite => {
                    let body = "t, vec2(1, 0), textureLoad(t, vec2(0, 0))";
                    for_it("written", BOTH) + &compute("read_write", body, "")
                }
                C::StorageWriteOnly => {
                    let body = ["t, vec2(1, 0), ", &value(format, &texel, false)].concat();
                    for_it("written", BOTH) + &compute("write", &body, "")
                }
                C::ColorRenderable => drawn(&value(format, &texel, false), "1", ""),
                // Half of it, twice.
                C::Blendable => drawn(
                    &value(format, &texel, true),
                    "2",
                    r#","blend":{"color":{"srcFactor":"one","dstFactor":"one"},"alpha":{"srcFactor":"one","dstFactor":"one"}}"#,
                ),
                _ => {
                    if capability == C::Filterable {
                        reader = 'L';
                    }
                    for_it("written", READ_ONLY)
                }
            }
        } else {
            reader = match capability {
                _ if is_stencil => 'S',
                C::Sample(_, Sample::Depth) => 'D',
                _ => 'E',
            };
            let depth = r#","depthClearValue":0.5,"depthLoadOp":"clear","depthStoreOp":"store""#;
            let stencil = r#","stencilClearValue":37,"stencilLoadOp":"clear","stencilStoreOp":"store""#;
            let both = [depth, stencil].concat();
            for_it(
                "cleared",
                match format.kind {
                    Kind::Depth => depth,
                    Kind::Stencil => stencil,
                    _ => &both,
                },
            )
        };
        // Components that depth and stencil lack are whatever the implementation likes.
        let (kind, body) = match reader {
            'U' => ("texture_2d<u32>", "textureLoad(t, vec2(1, 0), 0)"),
            'I' => ("texture_2d<i32>", "bitcast<vec4u>(textureLoad(t, vec2(1, 0), 0))"),
            'F' => ("texture_2d<f32>", "bitcast<vec4u>(textureLoad(t, vec2(1, 0), 0))"),
            'L' => ("texture_2d<f32>", "bitcast<vec4u>(textureSampleLevel(t, s, vec2f(.5), 0))"),
            'S' => ("texture_2d<u32>", "vec4u(textureLoad(t, vec2(1, 0), 0).x, 0, 0, 1)"),
            'D' => ("texture_depth_2d", "vec4u(bitcast<u32>(textureLoad(t, vec2(1, 0), 0)), 0, 0, 0)"),
            _ => ("texture_2d<f32>", "vec4u(bitcast<u32>(textureLoad(t, vec2(1, 0), 0).x), 0, 0, 0)"),
        };
        let sampler = if reader == 'L' { r#",{"binding":1,"resource":"$s"}"# } else { "" };
        let is_known = !self.script.get(reader as u8).is_nothing();
        let reader = reader.to_string();
        let pipeline = filled(self.text("reader"), &[('|', &reader), ('?', kind), ('`', body)]);
        let read = filled(&for_it("read", sampler), &[('|', &reader), ('`', result)]);
        [made, if is_known { String::new() } else { pipeline }, read].concat()
    }
}

/// What comes of that capability of a format, if it shows itself.
fn expected(format: &Format, capability: Capability, is_core: bool) -> Option<Expected> {
    use Capability as C;
    let texel = format.known_texel();
    let (bits, is_integer, times, plus) = match (capability, texel) {
        // No shader in compatibility mode loads from a `texture_depth_2d`.
        (C::Sample(Aspect::Depth, Sample::Depth), _) if !is_core => return None,
        (C::Sample(Aspect::Depth, Sample::Depth | Sample::UnfilterableFloat), _) => {
            ([DEPTH.to_bits(), 0, 0, 0], false, 1.0, 0.0)
        }
        (C::Sample(Aspect::Stencil, Sample::Uint), _) => ([STENCIL, 0, 0, 1], true, 0.0, 0.0),
        (C::Sample(_, Sample::Float), _) => return None,
        (_, None) => return None,
        (C::Sample(..) | C::StorageReadOnly | C::StorageReadWrite, Some(it)) => {
            (it.bits, format.is_integer(), 0.5, EXACT)
        }
        (C::StorageWriteOnly | C::ColorRenderable, Some(it)) => (it.bits, format.is_integer(), 1.0, EXACT),
        (C::Blendable, Some(it)) => (it.bits, false, 2.0, EXACT),
        (C::Filterable, Some(mut it)) if !format.is_compressed() => {
            // Halfway between nothing and the texel, by a weight of 8 bits or so.
            for bits in it.bits.iter_mut().take(format.channels.into()) {
                *bits = half(*bits);
            }
            (it.bits, false, 1.0, 1.0 / 32.0)
        }
        _ => return None,
    };
    Some(Expected { bits, is_integer, times, plus })
}

impl Expected {
    fn judge(&self, format: &Format, bytes: &[u8]) -> Found {
        let mut got = [0; 4];
        for (bits, bytes) in got.iter_mut().zip(bytes.chunks_exact(4)) {
            *bits = u32::from_le_bytes(bytes.try_into().unwrap_or_default());
        }
        let is_integer = self.is_integer;
        let is_near = (0..4).all(|at| {
            let (got, expected) = (f32::from_bits(got[at]), f32::from_bits(self.bits[at]));
            let tolerance = self.times * format.precision(at) + self.plus * expected.abs();
            // A comparison with what is no number is false.
            (got - expected).abs() <= tolerance
        });
        if if is_integer { got == self.bits } else { is_near } {
            return Answer::Yes.into();
        }
        let words = |bits: [u32; 4]| {
            bits.map(|bits| if is_integer { bits.to_string() } else { raw::decimal(f32::from_bits(bits)) }).join(", ")
        };
        Found { answer: Answer::No, message: [&words(got), " ≠ ", &words(self.bits)].concat() }
    }
}

/// WGSL of the texel's value, or half of it.
fn value(format: &Format, texel: &Texel, is_half: bool) -> String {
    let [r, g, b, a] = texel.bits.map(|bits| (if is_half { half(bits) } else { bits }).to_string());
    ["bitcast<vec4<", format.wgsl_scalar(), ">>(vec4u(", &r, "u, ", &g, "u, ", &b, "u, ", &a, "u))"].concat()
}

/// The bits of half of that number.
fn half(bits: u32) -> u32 {
    (f32::from_bits(bits) / 2.0).to_bits()
}
