//! The functional checks: known texels written, stored, drawn and blended, then read back by a shader.

use std::ops::ControlFlow;

use super::capability::{
    COPY_DST as WRITE, RENDER_ATTACHMENT as DRAW, STORAGE_BINDING as STORE, Sample, TEXTURE_BINDING as READ,
};
use super::probe::{Found, On, Probe};
use super::table::{Aspect, Kind};
use super::texels::Texel;
use super::{Answer, CAPABILITIES, Capability, FORMATS, Format};
use crate::gpu::raw::{self, Object, Thrown};

/// Bytes between the places of two results (WebGPU: `minStorageBufferOffsetAlignment`).
const STRIDE: usize = 256;

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

/// At most as many checks a format.
const CHECKS: usize = 8;

/// A check that was made; its result is at its place among them.
struct Made {
    format: usize,
    capability: usize,
    expected: Expected,
    refusal: Option<String>,
}

impl Probe {
    /// Tries what the capabilities that were `found` are worth, for each format in its row of [`CAPABILITIES`], and hands
    /// each format's place and answers to `done`, which may break off. What nothing shows stays untried; the message of a
    /// no is the browser's, or what came and what should have. Whether the device lasted.
    pub async fn check(
        &self,
        found: &[Vec<Found>],
        mut done: impl FnMut(usize, Vec<Found>) -> ControlFlow<()>,
    ) -> bool {
        for first in (0..found.len().min(FORMATS.len())).step_by(TOGETHER) {
            let end = found.len().min(first + TOGETHER);
            let Some(rows) = self.check_together(first, &found[first..end]).await else { return false };
            for (at, row) in rows.into_iter().enumerate() {
                if done(first + at, row).is_break() {
                    return true;
                }
            }
        }
        true
    }

    async fn check_together(&self, first: usize, found: &[Vec<Found>]) -> Option<Vec<Vec<Found>>> {
        let size = (TOGETHER * CHECKS * STRIDE).to_string();
        let buffer = |usage| {
            let json = [r#"[{"label":"format/values","size":"#, &size, r#","usage":"#, usage, "}]"].concat();
            self.device.call("createBuffer", &json, &[]).ok()
        };
        // STORAGE | COPY_SRC, and MAP_READ | COPY_DST.
        let (results, copy) = (buffer("132")?, buffer("9")?);
        let mut textures = Vec::new();
        let mut made: Vec<Made> = Vec::new();
        for (at, (format, found)) in FORMATS[first..].iter().zip(found).enumerate() {
            let mut attempts = Vec::new();
            for (place, ((name, capability), found)) in CAPABILITIES.iter().zip(found).enumerate() {
                let label = ["format/", format.name, "/", name].concat();
                let on = On { probe: self, format, label, blocks: 2, textures: &mut textures };
                let offset = (made.len() + attempts.len()) * STRIDE;
                let mut check = Check { on, results: &results, offset };
                if let Some(expected) = check.expected(*capability)
                    && found.answer == Answer::Yes
                {
                    attempts.push((place, expected, self.attempt(|| check.run(*capability))));
                }
            }
            for (capability, expected, attempt) in attempts {
                made.push(Made { format: at, capability, expected, refusal: attempt.refusal().await.ok()? });
            }
        }
        let bytes = self.read(&results, &copy, &size).await.ok();
        for made in textures.iter().chain([&results, &copy]) {
            let _ = made.call("destroy", "[]", &[]);
        }
        let untried = || Found { answer: Answer::Untried, message: String::new() };
        let mut rows: Vec<Vec<Found>> = found.iter().map(|row| row.iter().map(|_| untried()).collect()).collect();
        for (made, bytes) in made.into_iter().zip(bytes?.chunks_exact(STRIDE)) {
            rows[made.format][made.capability] = match made.refusal {
                Some(message) => Found { answer: Answer::No, message },
                None => made.expected.judge(&FORMATS[first + made.format], bytes),
            };
        }
        Some(rows)
    }

    async fn read(&self, results: &Object, copy: &Object, size: &str) -> Result<Vec<u8>, Thrown> {
        let encoder = self.device.call("createCommandEncoder", r#"[{"label":"format/values"}]"#, &[])?;
        let json = [r#"["$0",0,"$1",0,"#, size, "]"].concat();
        encoder.call("copyBufferToBuffer", &json, &[results, copy])?;
        self.queue.call("submit", r#"[["$0"]]"#, &[&encoder.call("finish", "[]", &[])?])?;
        copy.call("mapAsync", "[1]", &[])?.settled().await?;
        Ok(copy.call("getMappedRange", "[]", &[])?.to_bytes())
    }
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
            return Found { answer: Answer::Yes, message: String::new() };
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
    /// Where its result goes.
    offset: usize,
}

impl Check<'_> {
    /// What comes of it, if this capability shows itself.
    fn expected(&self, capability: Capability) -> Option<Expected> {
        use Capability as C;
        let format = self.on.format;
        let is_integer = format.is_integer();
        let (bits, is_integer, times, plus) = match capability {
            C::Sample(Aspect::Depth, Sample::Depth) => ([DEPTH.to_bits(), 0, 0, 0], false, 1.0, 0.0),
            C::Sample(Aspect::Stencil, _) => ([STENCIL, 0, 0, 1], true, 0.0, 0.0),
            C::Sample(_, Sample::Float) => return None,
            C::Sample(..) | C::StorageReadOnly | C::StorageReadWrite => {
                (format.known_texel()?.bits, is_integer, 0.5, EXACT)
            }
            C::StorageWriteOnly | C::ColorRenderable => (format.known_texel()?.bits, is_integer, 1.0, EXACT),
            C::Blendable => (format.known_texel()?.bits, is_integer, 2.0, EXACT),
            C::Filterable if !format.is_compressed() => {
                // Halfway between nothing and the texel, by a weight of 8 bits or so.
                let mut bits = format.known_texel()?.bits;
                for bits in bits.iter_mut().take(format.channels.into()) {
                    *bits = half(*bits);
                }
                (bits, is_integer, 1.0, 1.0 / 32.0)
            }
            _ => return None,
        };
        Some(Expected { bits, is_integer, times, plus })
    }

    fn run(&mut self, capability: Capability) -> Result<(), Thrown> {
        use Capability as C;
        let format = self.on.format;
        let Some(texel) = format.known_texel() else { return self.clear_and_read(capability) };
        match capability {
            C::Filterable => {
                let texture = self.written(READ, [&vec![0; texel.bytes.len()], &texel.bytes])?;
                self.compute(
                    "@group(0) @binding(2) var s: sampler;",
                    "texture_2d<f32>",
                    "out = bitcast<vec4u>(textureSampleLevel(t, s, vec2f(.5), 0));",
                    &texture,
                    "all",
                    true,
                )
            }
            C::StorageReadOnly => {
                let texture = self.written(READ | STORE, [&vec![0; texel.bytes.len()], &texel.bytes])?;
                self.compute(
                    "",
                    &self.storage("read"),
                    "out = bitcast<vec4u>(textureLoad(t, vec2(1, 0)));",
                    &texture,
                    "all",
                    true,
                )
            }
            C::StorageReadWrite => {
                let texture = self.written(READ | STORE, [&texel.bytes, &vec![0; texel.bytes.len()]])?;
                self.compute(
                    "",
                    &self.storage("read_write"),
                    "textureStore(t, vec2(1, 0), textureLoad(t, vec2(0, 0)));",
                    &texture,
                    "all",
                    false,
                )?;
                self.load(&texture)
            }
            C::StorageWriteOnly => {
                let texture = self.on.texture(READ | STORE, "")?;
                let store = ["textureStore(t, vec2(1, 0), ", &self.value(&texel, false), ");"].concat();
                self.compute("", &self.storage("write"), &store, &texture, "all", false)?;
                self.load(&texture)
            }
            C::ColorRenderable => self.draw(&self.value(&texel, false), "", 1),
            C::Blendable => {
                // Half of it, twice.
                let blend = r#","blend":{"color":{"srcFactor":"one","dstFactor":"one"},"alpha":{"srcFactor":"one","dstFactor":"one"}}"#;
                self.draw(&self.value(&texel, true), blend, 2)
            }
            _ => {
                let zeros = if format.is_compressed() { texel.bytes.clone() } else { vec![0; texel.bytes.len()] };
                let texture = self.written(READ, [&zeros, &texel.bytes])?;
                self.load(&texture)
            }
        }
    }

    /// A texture of two blocks of those bytes.
    fn written(&mut self, usage: u32, blocks: [&Vec<u8>; 2]) -> Result<Object, Thrown> {
        let texture = self.on.texture(usage | WRITE, "")?;
        let json = [r#"[{"texture":"$0"},"$1",{"bytesPerRow":256},"#, &self.on.size(), "]"].concat();
        self.on.probe.queue.call(
            "writeTexture",
            &json,
            &[&texture, &Object::bytes(&blocks.map(|it| it.as_slice()).concat())],
        )?;
        Ok(texture)
    }

    /// WGSL of the texel's value, or half of it.
    fn value(&self, texel: &Texel, is_half: bool) -> String {
        let bits = texel.bits.map(|bits| if is_half { half(bits) } else { bits }).map(|bits| bits.to_string() + "u");
        ["bitcast<vec4<", self.on.format.wgsl_scalar(), ">>(vec4u(", &bits.join(", "), "))"].concat()
    }

    fn storage(&self, access: &str) -> String {
        ["texture_storage_2d<", self.on.format.name, ", ", access, ">"].concat()
    }

    /// The second texel of a color texture comes to the results.
    fn load(&self, texture: &Object) -> Result<(), Thrown> {
        let kind = ["texture_2d<", self.on.format.wgsl_scalar(), ">"].concat();
        self.compute("", &kind, "out = bitcast<vec4u>(textureLoad(t, vec2(1, 0), 0));", texture, "all", true)
    }

    /// One invocation of `body`, which has the texture `t` of type `kind`, and the results as `out` if it asks for them.
    fn compute(
        &self,
        more: &str,
        kind: &str,
        body: &str,
        texture: &Object,
        aspect: &str,
        has_out: bool,
    ) -> Result<(), Thrown> {
        let out = if has_out { "@group(0) @binding(1) var<storage, read_write> out: vec4u;\n" } else { "" };
        let wgsl = [
            more,
            "@group(0) @binding(0) var t: ",
            kind,
            ";\n",
            out,
            "@compute @workgroup_size(1) fn main() { ",
            body,
            " }",
        ]
        .concat();
        let on = &self.on;
        let shader = on.create("createShaderModule", r#","code":"$0""#, &[&Object::text(&wgsl)])?;
        let pipeline =
            on.create("createComputePipeline", r#","layout":"auto","compute":{"module":"$0"}"#, &[&shader])?;
        let view = on.view(texture, &[r#","aspect":""#, aspect, "\""].concat())?;
        let layout = pipeline.call("getBindGroupLayout", "[0]", &[])?;
        let offset = self.offset.to_string();
        let out = [r#",{"binding":1,"resource":{"buffer":"$2","size":16,"offset":"#, &offset, "}}"].concat();
        let entries = [
            r#","layout":"$0","entries":[{"binding":0,"resource":"$1"}"#,
            if has_out { &out } else { "" },
            if more.is_empty() { "" } else { r#",{"binding":2,"resource":"$3"}"# },
            "]",
        ];
        let group =
            on.create("createBindGroup", &entries.concat(), &[&layout, &view, self.results, &on.probe.sampler])?;
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

    /// Draws that value over nothing so many times, and reads the second texel.
    fn draw(&mut self, value: &str, target: &str, times: u32) -> Result<(), Thrown> {
        let texture = self.on.texture(READ | DRAW, "")?;
        let on = &self.on;
        let wgsl = [
            "@vertex fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f { return vec4f(f32(i & 1) * 4 - 1, f32(i >> 1) * 4 - 1, 0, 1); }\n@fragment fn color() -> @location(0) vec4<",
            on.format.wgsl_scalar(),
            "> { return ",
            value,
            "; }",
        ];
        let shader = on.create("createShaderModule", r#","code":"$0""#, &[&Object::text(&wgsl.concat())])?;
        let members = [
            r#","layout":"auto","vertex":{"module":"$0"},"fragment":{"module":"$0","targets":[{"format":""#,
            on.format.name,
            "\"",
            target,
            "}]}",
        ];
        let pipeline = on.create("createRenderPipeline", &members.concat(), &[&shader])?;
        let members = r#","colorAttachments":[{"view":"$0","loadOp":"clear","storeOp":"store"}]"#;
        self.record("beginRenderPass", members, &[&on.view(&texture, "")?], |pass| {
            pass.call("setPipeline", r#"["$0"]"#, &[&pipeline])?;
            for _ in 0..times {
                pass.call("draw", "[3]", &[])?;
            }
            Ok(())
        })?;
        self.load(&texture)
    }

    /// Clears a depth or stencil texture and reads that aspect.
    fn clear_and_read(&mut self, capability: Capability) -> Result<(), Thrown> {
        let texture = self.on.texture(READ | DRAW, "")?;
        let (depth, stencil) = match self.on.format.kind {
            Kind::Depth => (true, false),
            Kind::Stencil => (false, true),
            _ => (true, true),
        };
        let members = [
            r#","colorAttachments":[],"depthStencilAttachment":{"view":"$0""#,
            if depth { r#","depthClearValue":0.5,"depthLoadOp":"clear","depthStoreOp":"store""# } else { "" },
            if stencil { r#","stencilClearValue":37,"stencilLoadOp":"clear","stencilStoreOp":"store""# } else { "" },
            "}",
        ];
        self.record("beginRenderPass", &members.concat(), &[&self.on.view(&texture, "")?], |_| Ok(()))?;
        if let Capability::Sample(Aspect::Stencil, _) = capability {
            // Components that a stencil lacks are whatever the implementation likes.
            let body = "out = vec4u(textureLoad(t, vec2(1, 0), 0).x, 0, 0, 1);";
            self.compute("", "texture_2d<u32>", body, &texture, self.on.aspect(Aspect::Stencil), true)
        } else {
            let body = "out = vec4u(bitcast<u32>(textureLoad(t, vec2(1, 0), 0)), 0, 0, 0);";
            self.compute("", "texture_depth_2d", body, &texture, self.on.aspect(Aspect::Depth), true)
        }
    }
}

/// The bits of half of that number.
fn half(bits: u32) -> u32 {
    (f32::from_bits(bits) / 2.0).to_bits()
}
