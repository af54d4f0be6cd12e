//! The functional checks: known texels written, stored, drawn and blended, then read by a shader.
//!
//! What samplers and `textureLoad` read is read where most readers do it, in a fragment shader; storage textures are the
//! business of a compute shader. Each check leaves its value in a texel of its own, and those of some formats are read
//! back together.

use super::capability::{
    COPY_DST as WRITE, RENDER_ATTACHMENT as DRAW, STORAGE_BINDING as STORE, Sample, TEXTURE_BINDING as READ,
};
use super::probe::{Done, On, Probe};
use super::table::{Aspect, Kind};
use super::texels::Texel;
use super::{Answer, CAPABILITIES, Capability, FORMATS, Features, Format, Found};
use crate::gpu::raw::{self, Object, Thrown};

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

/// A triangle that covers every target.
const CORNER: &str = "@vertex fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f { return vec4f(f32(i & 1) * 4 - 1, f32(i >> 1) * 4 - 1, 0, 1); }
@fragment fn color() -> @location(0) vec4<";

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
        // Pipelines that read textures, by their shader.
        let mut readers = Vec::new();
        for first in (0..FORMATS.len()).step_by(TOGETHER) {
            let Some(rows) = self.check_together(first, has, &mut readers).await else { return false };
            for (at, row) in rows.into_iter().enumerate() {
                if done(first + at, row).is_break() {
                    return true;
                }
            }
        }
        true
    }

    async fn check_together(
        &self,
        first: usize,
        has: &dyn Fn(usize, usize) -> bool,
        readers: &mut Vec<(String, Object)>,
    ) -> Option<Vec<Vec<Found>>> {
        let end = FORMATS.len().min(first + TOGETHER);
        let is_core = self.features().contains(Features::CORE);
        let make = |name, json: &str| self.device.call(name, json, &[]).ok();
        // COPY_SRC | STORAGE_BINDING | RENDER_ATTACHMENT, and MAP_READ | COPY_DST.
        let results =
            make("createTexture", r#"[{"label":"format/values","format":"rgba32uint","size":[128],"usage":25}]"#)?;
        let copy = make("createBuffer", r#"[{"label":"format/values","size":2048,"usage":9}]"#)?;
        let mut textures = vec![results.clone(), copy.clone()];
        let mut made: Vec<Made> = Vec::new();
        for (at, format) in FORMATS[first..end].iter().enumerate() {
            let mut attempts = Vec::new();
            for (place, (name, capability)) in CAPABILITIES.iter().enumerate() {
                let result = made.len() + attempts.len();
                if result < RESULTS
                    && has(first + at, place)
                    && let Some(expected) = expected(format, *capability, is_core)
                {
                    let label = ["format/", format.name, "/", name].concat();
                    let on = On { probe: self, format, label, blocks: 2, textures: &mut textures };
                    let mut check = Check { on, results: &results, result: result.to_string(), readers: &mut *readers };
                    attempts.push((place, expected, self.attempt(|| check.run(*capability))));
                }
            }
            for (capability, expected, attempt) in attempts {
                made.push(Made { format: at, capability, expected, refusal: attempt.refusal().await.ok()? });
            }
        }
        let bytes = self.read(&results, &copy).await.ok();
        for texture in &textures {
            let _ = texture.call("destroy", "[]", &[]);
        }
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

    async fn read(&self, results: &Object, copy: &Object) -> Result<Vec<u8>, Thrown> {
        let encoder = self.device.call("createCommandEncoder", r#"[{"label":"format/values"}]"#, &[])?;
        encoder.call("copyTextureToBuffer", r#"[{"texture":"$0"},{"buffer":"$1"},[128]]"#, &[results, copy])?;
        self.queue.call("submit", r#"[["$0"]]"#, &[&encoder.call("finish", "[]", &[])?])?;
        copy.call("mapAsync", "[1]", &[])?.settled().await?;
        Ok(copy.call("getMappedRange", "[]", &[])?.to_bytes())
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

/// A check of one capability of one format.
struct Check<'a> {
    on: On<'a>,
    results: &'a Object,
    /// Digits of the place of its result.
    result: String,
    readers: &'a mut Vec<(String, Object)>,
}

impl Check<'_> {
    fn run(&mut self, capability: Capability) -> Result<(), Thrown> {
        use Capability as C;
        let Some(texel) = self.on.format.known_texel() else { return self.clear_and_read(capability) };
        let nothing = vec![0; texel.bytes.len()];
        let texture = match capability {
            C::Filterable => {
                let texture = self.written(READ, [&nothing, &texel.bytes])?;
                let body = "bitcast<vec4u>(textureSampleLevel(t, s, vec2f(.5), 0))";
                return self.read("texture_2d<f32>", body, &texture, "all");
            }
            C::StorageReadOnly => {
                let texture = self.written(READ | STORE, [&nothing, &texel.bytes])?;
                let body =
                    ["textureStore(out, vec2(", &self.result, ", 0), bitcast<vec4u>(textureLoad(t, vec2(1, 0))));"];
                return self.compute("read", &body.concat(), &texture, true);
            }
            C::StorageReadWrite => {
                let texture = self.written(READ | STORE, [&texel.bytes, &nothing])?;
                self.compute(
                    "read_write",
                    "textureStore(t, vec2(1, 0), textureLoad(t, vec2(0, 0)));",
                    &texture,
                    false,
                )?;
                texture
            }
            C::StorageWriteOnly => {
                let texture = self.on.texture(READ | STORE, "")?;
                let store = ["textureStore(t, vec2(1, 0), ", &self.value(&texel, false), ");"].concat();
                self.compute("write", &store, &texture, false)?;
                texture
            }
            C::ColorRenderable => self.drawn(&self.value(&texel, false), "", 1)?,
            C::Blendable => {
                // Half of it, twice.
                let blend = r#","blend":{"color":{"srcFactor":"one","dstFactor":"one"},"alpha":{"srcFactor":"one","dstFactor":"one"}}"#;
                self.drawn(&self.value(&texel, true), blend, 2)?
            }
            _ => {
                let first = if self.on.format.is_compressed() { &texel.bytes } else { &nothing };
                self.written(READ, [first, &texel.bytes])?
            }
        };
        let kind = ["texture_2d<", self.on.format.wgsl_scalar(), ">"].concat();
        self.read(&kind, "bitcast<vec4u>(textureLoad(t, vec2(1, 0), 0))", &texture, "all")
    }

    /// A texture of two blocks of those bytes.
    fn written(&mut self, usage: u32, blocks: [&Vec<u8>; 2]) -> Result<Object, Thrown> {
        let texture = self.on.texture(usage | WRITE, "")?;
        let json = [r#"[{"texture":"$0"},"$1",{"bytesPerRow":256},"#, &self.on.size(), "]"].concat();
        let bytes = Object::bytes(&[blocks[0].as_slice(), blocks[1]].concat());
        self.on.probe.queue.call("writeTexture", &json, &[&texture, &bytes])?;
        Ok(texture)
    }

    /// WGSL of the texel's value, or half of it.
    fn value(&self, texel: &Texel, is_half: bool) -> String {
        let [r, g, b, a] = texel.bits.map(|bits| (if is_half { half(bits) } else { bits }).to_string());
        let scalar = self.on.format.wgsl_scalar();
        ["bitcast<vec4<", scalar, ">>(vec4u(", &r, "u, ", &g, "u, ", &b, "u, ", &a, "u))"].concat()
    }

    /// Draws with a pipeline that has `module` for both shaders and `target` for its only target.
    fn pipeline(&self, wgsl: &str, target: &str) -> Result<Object, Thrown> {
        let module = self.on.create("createShaderModule", r#","code":"$0""#, &[&Object::text(wgsl)])?;
        let members = [
            r#","layout":"auto","vertex":{"module":"$0"},"fragment":{"module":"$0","targets":[{"format":""#,
            target,
            "}]}",
        ];
        self.on.create("createRenderPipeline", &members.concat(), &[&module])
    }

    /// What `body` reads of the texture `t`, which is of type `kind`, comes to the results.
    fn read(&mut self, kind: &str, body: &str, texture: &Object, aspect: &str) -> Result<(), Thrown> {
        let has_sampler = body.contains(" s,");
        let wgsl = [
            "@group(0) @binding(0) var t: ",
            kind,
            ";\n@group(0) @binding(1) var s: sampler;\n",
            CORNER,
            "u32> { return ",
            body,
            "; }",
        ]
        .concat();
        let known = self.readers.iter().find(|(it, _)| *it == wgsl).map(|(_, pipeline)| pipeline.clone());
        let pipeline = match known {
            Some(pipeline) => pipeline,
            None => {
                let pipeline = self.pipeline(&wgsl, r#"rgba32uint""#)?;
                self.readers.push((wgsl, pipeline.clone()));
                pipeline
            }
        };
        let view = self.on.view(texture, &[r#","aspect":""#, aspect, "\""].concat())?;
        let sampler = &self.on.probe.sampler;
        let entry = if has_sampler { r#",{"binding":1,"resource":"$2"}"# } else { "" };
        let group = self.group(&pipeline, &view, entry, sampler)?;
        let members = r#","colorAttachments":[{"view":"$0","loadOp":"load","storeOp":"store"}]"#;
        self.record("beginRenderPass", members, &[&self.on.view(self.results, "")?], |pass| {
            pass.call("setPipeline", r#"["$0"]"#, &[&pipeline])?;
            pass.call("setBindGroup", r#"[0,"$0"]"#, &[&group])?;
            pass.call("setScissorRect", &["[", &self.result, ",0,1,1]"].concat(), &[])?;
            pass.call("draw", "[3]", &[]).map(drop)
        })
    }

    /// The group of that pipeline: the view, and `entry`, where `"$2"` is `other`.
    fn group(&self, pipeline: &Object, view: &Object, entry: &str, other: &Object) -> Result<Object, Thrown> {
        let layout = pipeline.call("getBindGroupLayout", "[0]", &[])?;
        let entries = [r#","layout":"$0","entries":[{"binding":0,"resource":"$1"}"#, entry, "]"].concat();
        self.on.create("createBindGroup", &entries, &[&layout, view, other])
    }

    /// One invocation of `body`, which has the storage texture `t`, and the results as `out` if it says so.
    fn compute(&self, access: &str, body: &str, texture: &Object, has_out: bool) -> Result<(), Thrown> {
        let on = &self.on;
        let wgsl = [
            "@group(0) @binding(0) var t: texture_storage_2d<",
            on.format.name,
            ", ",
            access,
            ">;\n@group(0) @binding(1) var out: texture_storage_2d<rgba32uint, write>;\n@compute @workgroup_size(1) fn main() { ",
            body,
            " }",
        ]
        .concat();
        let shader = on.create("createShaderModule", r#","code":"$0""#, &[&Object::text(&wgsl)])?;
        let pipeline =
            on.create("createComputePipeline", r#","layout":"auto","compute":{"module":"$0"}"#, &[&shader])?;
        let out = if has_out { r#",{"binding":1,"resource":"$2"}"# } else { "" };
        let group = self.group(&pipeline, &on.view(texture, "")?, out, &on.view(self.results, "")?)?;
        self.record("beginComputePass", "", &[], |pass| {
            pass.call("setPipeline", r#"["$0"]"#, &[&pipeline])?;
            pass.call("setBindGroup", r#"[0,"$0"]"#, &[&group])?;
            pass.call("dispatchWorkgroups", "[1]", &[]).map(drop)
        })
    }

    /// Records a pass and submits it.
    fn record(
        &self,
        begin: &str,
        members: &str,
        objects: &[&Object],
        pass: impl FnOnce(&Object) -> Result<(), Thrown>,
    ) -> Result<(), Thrown> {
        let encoder = self.on.create("createCommandEncoder", "", &[])?;
        let open = encoder.call(begin, &self.on.descriptor(members), objects)?;
        pass(&open)?;
        open.call("end", "[]", &[])?;
        self.on.probe.queue.call("submit", r#"[["$0"]]"#, &[&encoder.call("finish", "[]", &[])?]).map(drop)
    }

    /// A texture with that value drawn over nothing so many times.
    fn drawn(&mut self, value: &str, target: &str, times: u32) -> Result<Object, Thrown> {
        let texture = self.on.texture(READ | DRAW, "")?;
        let wgsl = [CORNER, self.on.format.wgsl_scalar(), "> { return ", value, "; }"].concat();
        let pipeline = self.pipeline(&wgsl, &[self.on.format.name, "\"", target].concat())?;
        let members = r#","colorAttachments":[{"view":"$0","loadOp":"clear","storeOp":"store"}]"#;
        self.record("beginRenderPass", members, &[&self.on.view(&texture, "")?], |pass| {
            pass.call("setPipeline", r#"["$0"]"#, &[&pipeline])?;
            for _ in 0..times {
                pass.call("draw", "[3]", &[])?;
            }
            Ok(())
        })?;
        Ok(texture)
    }

    /// Clears a depth or stencil texture and reads that aspect.
    fn clear_and_read(&mut self, capability: Capability) -> Result<(), Thrown> {
        let texture = self.on.texture(READ | DRAW, "")?;
        let kind = self.on.format.kind;
        let members = [
            r#","colorAttachments":[],"depthStencilAttachment":{"view":"$0""#,
            if kind == Kind::Stencil {
                ""
            } else {
                r#","depthClearValue":0.5,"depthLoadOp":"clear","depthStoreOp":"store""#
            },
            if kind == Kind::Depth {
                ""
            } else {
                r#","stencilClearValue":37,"stencilLoadOp":"clear","stencilStoreOp":"store""#
            },
            "}",
        ];
        self.record("beginRenderPass", &members.concat(), &[&self.on.view(&texture, "")?], |_| Ok(()))?;
        // Components that depth and stencil lack are whatever the implementation likes.
        let (kind, body, aspect) = match capability {
            Capability::Sample(Aspect::Stencil, _) => {
                ("texture_2d<u32>", "vec4u(textureLoad(t, vec2(1, 0), 0).x, 0, 0, 1)", Aspect::Stencil)
            }
            Capability::Sample(_, Sample::Depth) => {
                ("texture_depth_2d", "vec4u(bitcast<u32>(textureLoad(t, vec2(1, 0), 0)), 0, 0, 0)", Aspect::Depth)
            }
            _ => ("texture_2d<f32>", "vec4u(bitcast<u32>(textureLoad(t, vec2(1, 0), 0).x), 0, 0, 0)", Aspect::Depth),
        };
        self.read(kind, body, &texture, self.on.aspect(aspect))
    }
}

/// The bits of half of that number.
fn half(bits: u32) -> u32 {
    (f32::from_bits(bits) / 2.0).to_bits()
}
