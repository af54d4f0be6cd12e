//! The probe: every capability of every format, tried on the browser's own objects.
//!
//! An attempt makes all that it needs, so that the first thing that is refused is what the browser speaks of. A
//! `TypeError` and a validation error both are a no.

use std::ops::ControlFlow;

use super::capability::{COPY_DST, COPY_SRC, RENDER_ATTACHMENT, TEXTURE_BINDING, TRANSIENT_ATTACHMENT};
use super::table::{Aspect, Kind};
use super::{Answer, CAPABILITIES, Capability, FORMATS, Features, Format, Found};
use crate::gpu::raw::{self, Object, Thrown};

/// Bytes of a message that are kept.
const FIRST_WORDS: usize = 300;

/// How long attempts are made before the page has its turn: well below what a reader notices.
const SLICE_MS: f64 = 5.0;

/// Side of the source of external images in pixels: the widest block.
const IMAGE: u32 = 12;

/// Bytes a row of blocks in a buffer (WebGPU: `bytesPerRow` is a multiple of 256).
const ROW: usize = 256;

const SHADER: &str = "
@vertex fn corner() -> @builtin(position) vec4f { return vec4f(); }
@fragment fn f32() -> @location(0) vec4f { return vec4f(); }
@fragment fn u32() -> @location(0) vec4u { return vec4u(); }
@fragment fn i32() -> @location(0) vec4i { return vec4i(); }
";

/// An open device and what all attempts share.
#[derive(Debug)]
pub struct Probe {
    pub(super) device: Object,
    pub(super) queue: Object,
    shader: Object,
    pub(super) sampler: Object,
    buffer: Object,
    /// An image's source.
    image: Object,
    /// The context of a canvas in no document.
    context: Object,
}

/// Waits for what the browser says of those attempts; `None` if the device was lost.
async fn settle(waiting: &mut Vec<Result<Attempt, Answer>>, row: &mut Vec<Found>) -> Option<()> {
    for attempt in waiting.drain(..) {
        row.push(match attempt {
            Ok(attempt) => match attempt.refusal().await.ok()? {
                Some(message) => Found { answer: Answer::No, message },
                None => Answer::Yes.into(),
            },
            Err(answer) => answer.into(),
        });
    }
    Some(())
}

/// Takes the place of a format in [`FORMATS`] and what was found for each of [`CAPABILITIES`], and may break off.
pub type Done<'a> = dyn FnMut(usize, Vec<Found>) -> ControlFlow<()> + 'a;

/// Calls under one error scope: what they threw, and the promise of the scope's error.
pub(super) struct Attempt {
    thrown: Option<Thrown>,
    scope: Result<Object, Thrown>,
}

/// What the browser said, if it refused; `Err` if the device is gone.
type Refusal = Result<Option<String>, Thrown>;

impl Probe {
    /// Makes what attempts share; `None` if not even that can be made.
    pub fn new(device: Object) -> Option<Self> {
        let make = |name, json: &str| device.call(name, json, &[]).ok();
        let shader =
            device.call("createShaderModule", r#"[{"label":"format/shader","code":"$0"}]"#, &[&Object::text(SHADER)]);
        Some(Self {
            shader: shader.ok()?,
            sampler: make(
                "createSampler",
                r#"[{"label":"format/sampler","minFilter":"linear","magFilter":"linear"}]"#,
            )?,
            buffer: make("createBuffer", r#"[{"label":"format/buffer","size":256,"usage":12}]"#)?,
            // Not on the GPU, where the first copy takes a fifth of a second.
            image: raw::canvas(IMAGE, r#"["2d",{"willReadFrequently":true}]"#)?.0,
            context: raw::canvas(1, r#"["webgpu"]"#)?.1,
            queue: device.get("queue"),
            device,
        })
    }

    /// The features of the device.
    pub fn features(&self) -> Features {
        let features = self.device.get("features");
        Features::of(|name| features.has(name))
    }

    /// Tries every format, one a task, and hands each to `done`. Whether the device lasted.
    pub async fn run(&self, done: &mut Done<'_>) -> bool {
        for (place, format) in FORMATS.iter().enumerate() {
            let Some(row) = self.format(format).await else { return false };
            if done(place, row).is_break() {
                break;
            }
        }
        true
    }

    /// Tries a format: an answer for each of [`CAPABILITIES`]; `None` if the device was lost.
    pub async fn format(&self, format: &Format) -> Option<Vec<Found>> {
        let mut textures = Vec::new();
        let mut row = Vec::new();
        let mut waiting = Vec::new();
        let mut began = raw::now();
        for (name, capability) in &CAPABILITIES {
            if raw::now() - began > SLICE_MS {
                settle(&mut waiting, &mut row).await?;
                began = raw::now();
            }
            let label = ["format/", format.name, "/", name].concat();
            let mut on = On { probe: self, format, label, blocks: 1, textures: &mut textures };
            waiting.push(if capability.needs(format).is_none() {
                Err(Answer::None)
            } else if *capability == Capability::SrgbView && format.srgb_counterpart().is_none() {
                Err(Answer::Untried)
            } else {
                Ok(self.attempt(|| on.attempt(*capability)))
            });
        }
        // A device that is lost refuses nothing, and then no answer is one.
        let refused = self.attempt(|| {
            let json = r#"[{"label":"format/nothing","format":"rgba8unorm","size":[1],"usage":0}]"#;
            self.device.call("createTexture", json, &[]).map(|texture| textures.push(texture))
        });
        for texture in textures {
            let _ = texture.call("destroy", "[]", &[]);
        }
        settle(&mut waiting, &mut row).await?;
        refused.refusal().await.ok()?.map(|_| row)
    }

    /// Makes those calls under an error scope.
    pub(super) fn attempt(&self, calls: impl FnOnce() -> Result<(), Thrown>) -> Attempt {
        let _ = self.device.call("pushErrorScope", r#"["validation"]"#, &[]);
        let thrown = calls().err();
        Attempt { thrown, scope: self.device.call("popErrorScope", "[]", &[]) }
    }
}

impl Attempt {
    pub(super) async fn refusal(self) -> Refusal {
        let error = self.scope?.settled().await?;
        let words = match self.thrown {
            Some(thrown) => Some(thrown.0),
            None if error.is_nothing() => None,
            None => Some(error.read("message")),
        };
        Ok(words.map(first_words))
    }
}

fn first_words(mut words: String) -> String {
    let end = (0..=FIRST_WORDS.min(words.len())).rev().find(|end| words.is_char_boundary(*end));
    words.truncate(end.unwrap_or_default());
    words
}

/// One capability of one format.
pub(super) struct On<'a> {
    pub(super) probe: &'a Probe,
    pub(super) format: &'a Format,
    /// Of all that is made for it.
    pub(super) label: String,
    /// How many blocks wide its textures are.
    pub(super) blocks: u32,
    /// All textures, to destroy them in the end.
    pub(super) textures: &'a mut Vec<Object>,
}

impl On<'_> {
    fn attempt(&mut self, capability: Capability) -> Result<(), Thrown> {
        use Capability as C;
        let single = self.format.aspects()[0];
        match capability {
            C::Exists | C::Dimension(2) => self.texture(TEXTURE_BINDING, "").map(drop),
            C::Dimension(dimensions) => {
                let kind = if dimensions == 1 { r#","dimension":"1d""# } else { r#","dimension":"3d""# };
                self.texture(TEXTURE_BINDING, kind).map(drop)
            }
            C::Usage(TRANSIENT_ATTACHMENT) => self.texture(RENDER_ATTACHMENT | TRANSIENT_ATTACHMENT, "").map(drop),
            C::Usage(usage) => self.texture(usage, "").map(drop),
            C::Sample(aspect, sample) => {
                self.bind(&["\"texture\":{\"sampleType\":\"", sample.name(), "\"}"].concat(), aspect, "")
            }
            C::Filterable => self.bind(r#""texture":{}"#, single, r#",{"binding":1,"visibility":2,"sampler":{}}"#),
            C::ExternalTexture => self.bind(r#""externalTexture":{}"#, single, ""),
            C::ColorRenderable => self.pipeline("", ""),
            C::Blendable => self.pipeline(r#","blend":{"color":{"srcFactor":"one","dstFactor":"one"},"alpha":{}}"#, ""),
            C::AlphaToCoverage => self.pipeline("", r#","multisample":{"count":4,"alphaToCoverageEnabled":true}"#),
            C::Multisample => self.texture(RENDER_ATTACHMENT, FOUR_SAMPLES).map(drop),
            C::Resolve => self.resolve(),
            C::StorageWriteOnly => self.storage("write-only"),
            C::StorageReadOnly => self.storage("read-only"),
            C::StorageReadWrite => self.storage("read-write"),
            C::TextureToBuffer(aspect) => {
                let texture = self.texture(COPY_SRC, "")?;
                self.copy(
                    "copyTextureToBuffer",
                    &[self.place(aspect), r#"{"buffer":"$1","bytesPerRow":256}"#.into()],
                    [&texture, &self.probe.buffer],
                )
            }
            C::BufferToTexture(aspect) => {
                let texture = self.texture(COPY_DST, "")?;
                self.copy(
                    "copyBufferToTexture",
                    &[r#"{"buffer":"$1","bytesPerRow":256}"#.into(), self.place(aspect)],
                    [&texture, &self.probe.buffer],
                )?;
                let json = ["[", &self.place(aspect), r#","$1",{"bytesPerRow":256},"#, &self.size(), "]"].concat();
                self.probe.queue.call("writeTexture", &json, &[&texture, &Object::bytes(&[0; ROW])]).map(drop)
            }
            C::TextureToTexture => self.copy_whole(COPY_SRC, COPY_DST, ""),
            C::MultisampledToTexture => {
                self.copy_whole(COPY_SRC | RENDER_ATTACHMENT, COPY_DST | RENDER_ATTACHMENT, FOUR_SAMPLES)
            }
            C::ExternalImageDst => {
                let texture = self.texture(COPY_DST | RENDER_ATTACHMENT, "")?;
                let json = [r#"[{"source":"$0"},{"texture":"$1"},"#, &self.size(), "]"].concat();
                self.probe.queue.call("copyExternalImageToTexture", &json, &[&self.probe.image, &texture]).map(drop)
            }
            C::SrgbView => {
                let counterpart = self.format.srgb_counterpart().map_or("", |format| format.name);
                let texture = self.texture(TEXTURE_BINDING, &[r#","viewFormats":[""#, counterpart, "\"]"].concat())?;
                self.view(&texture, &[r#","format":""#, counterpart, "\""].concat()).map(drop)
            }
            C::CanvasFormat => {
                let json = [r#"[{"device":"$0","format":""#, self.format.name, "\"}]"].concat();
                self.probe.context.call("configure", &json, &[&self.probe.device])?;
                self.probe.context.call("unconfigure", "[]", &[]).map(drop)
            }
        }
    }

    /// `device.name({label, …members})`.
    pub(super) fn create(&self, name: &str, members: &str, objects: &[&Object]) -> Result<Object, Thrown> {
        self.probe.device.call(name, &self.descriptor(members), objects)
    }

    /// The only argument of a call: the label and `members`, which begin with a comma.
    pub(super) fn descriptor(&self, members: &str) -> String {
        [r#"[{"label":""#, &self.label, "\"", members, "}]"].concat()
    }

    /// As many blocks as it has, beside each other.
    pub(super) fn size(&self) -> String {
        let [width, height] = self.format.block.map(u32::from);
        ["[", &(width * self.blocks).to_string(), ",", &height.to_string(), "]"].concat()
    }

    pub(super) fn texture(&mut self, usage: u32, members: &str) -> Result<Object, Thrown> {
        let members = [
            r#","format":""#,
            self.format.name,
            r#"","size":"#,
            &self.size(),
            r#","usage":"#,
            &usage.to_string(),
            members,
        ];
        let texture = self.create("createTexture", &members.concat(), &[])?;
        self.textures.push(texture.clone());
        Ok(texture)
    }

    pub(super) fn view(&self, texture: &Object, members: &str) -> Result<Object, Thrown> {
        texture.call("createView", &self.descriptor(members), &[])
    }

    /// Binds a view of that aspect to a layout whose first entry has `member` and whose other entries are `more`.
    fn bind(&mut self, member: &str, aspect: Aspect, more: &str) -> Result<(), Thrown> {
        let entries = [r#","entries":[{"binding":0,"visibility":2,"#, member, "}", more, "]"].concat();
        let layout = self.create("createBindGroupLayout", &entries, &[])?;
        let texture = self.texture(TEXTURE_BINDING, "")?;
        let view = self.view(&texture, &[r#","aspect":""#, self.aspect(aspect), "\""].concat())?;
        let sampler = if more.is_empty() { "" } else { r#",{"binding":1,"resource":"$2"}"# };
        let members = [r#","layout":"$0","entries":[{"binding":0,"resource":"$1"}"#, sampler, "]"].concat();
        self.create("createBindGroup", &members, &[&layout, &view, &self.probe.sampler]).map(drop)
    }

    /// The `GPUTextureAspect` of that aspect.
    pub(super) fn aspect(&self, aspect: Aspect) -> &'static str {
        match (self.format.kind, aspect) {
            (Kind::DepthStencil | Kind::Depth, Aspect::Depth) => "depth-only",
            (Kind::DepthStencil | Kind::Stencil, Aspect::Stencil) => "stencil-only",
            _ => "all",
        }
    }

    /// A pipeline with the format as its only target.
    fn pipeline(&self, target: &str, members: &str) -> Result<(), Thrown> {
        let members = [
            r#","layout":"auto","vertex":{"module":"$0","entryPoint":"corner"},"fragment":{"module":"$0","entryPoint":""#,
            self.format.wgsl_scalar(),
            r#"","targets":[{"format":""#,
            self.format.name,
            "\"",
            target,
            "}]}",
            members,
        ];
        self.create("createRenderPipeline", &members.concat(), &[&self.probe.shader]).map(drop)
    }

    fn storage(&self, access: &str) -> Result<(), Thrown> {
        let members = [
            r#","entries":[{"binding":0,"visibility":4,"storageTexture":{"format":""#,
            self.format.name,
            r#"","access":""#,
            access,
            "\"}}]",
        ];
        self.create("createBindGroupLayout", &members.concat(), &[]).map(drop)
    }

    fn resolve(&mut self) -> Result<(), Thrown> {
        let from = self.texture(RENDER_ATTACHMENT, FOUR_SAMPLES)?;
        let to = self.texture(RENDER_ATTACHMENT, "")?;
        let (from, to) = (self.view(&from, "")?, self.view(&to, "")?);
        let encoder = self.create("createCommandEncoder", "", &[])?;
        let members =
            r#","colorAttachments":[{"view":"$0","resolveTarget":"$1","loadOp":"clear","storeOp":"discard"}]"#;
        encoder.call("beginRenderPass", &self.descriptor(members), &[&from, &to])?.call("end", "[]", &[])?;
        encoder.call("finish", "[]", &[]).map(drop)
    }

    /// The `GPUTexelCopyTextureInfo` of that aspect of `"$0"`.
    fn place(&self, aspect: Aspect) -> String {
        [r#"{"texture":"$0","aspect":""#, self.aspect(aspect), "\"}"].concat()
    }

    /// Records a copy of one block between two places; errors come when recording ends.
    fn copy(&self, name: &str, places: &[String; 2], objects: [&Object; 2]) -> Result<(), Thrown> {
        let encoder = self.create("createCommandEncoder", "", &[])?;
        let json = ["[", &places[0], ",", &places[1], ",", &self.size(), "]"].concat();
        encoder.call(name, &json, &objects)?;
        encoder.call("finish", "[]", &[]).map(drop)
    }

    fn copy_whole(&mut self, from: u32, to: u32, members: &str) -> Result<(), Thrown> {
        let (from, to) = (self.texture(from, members)?, self.texture(to, members)?);
        self.copy("copyTextureToTexture", &[r#"{"texture":"$0"}"#.into(), r#"{"texture":"$1"}"#.into()], [&from, &to])
    }
}

const FOUR_SAMPLES: &str = r#","sampleCount":4"#;
