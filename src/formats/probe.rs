//! The probe: every capability of every format, tried on the browser's own objects.
//!
//! An attempt makes all that it needs, so that the first thing that is refused is what the browser speaks of. A
//! `TypeError` and a validation error both are a no.

use std::ops::ControlFlow;

use super::capability::{RENDER_ATTACHMENT, TRANSIENT_ATTACHMENT};
use super::table::{Aspect, Kind};
use super::{Answer, CAPABILITIES, Capability, FORMATS, Features, Format, Found};
use crate::gpu::raw::{self, Object, Script, Thrown};

/// Bytes of a message that are kept.
const FIRST_WORDS: usize = 300;

/// How long attempts are made before the page has its turn: well below what a reader notices.
const SLICE_MS: f64 = 5.0;

/// Side of the source of external images in pixels: the widest block.
const IMAGE: u32 = 12;

/// Bytes a row of blocks in a buffer (WebGPU: `bytesPerRow` is a multiple of 256).
const ROW: usize = 256;

/// What all attempts share, by the letters of their scripts: `d` the device, `q` its queue, `s` a sampler, `b` a buffer,
/// `y` the bytes of a row, `m` the shaders; `i` an image's source, `x` the context of a canvas in no document.
const SHARED: &str = concat!(
    r#"m=d.createShaderModule [{"label":"format/shader","code":"@vertex fn corner() -> @builtin(position) vec4f { return vec4f(); } "#,
    r#"@fragment fn f32() -> @location(0) vec4f { return vec4f(); } @fragment fn u32() -> @location(0) vec4u { return vec4u(); } "#,
    r#"@fragment fn i32() -> @location(0) vec4i { return vec4i(); }"}]
s=d.createSampler [{"label":"format/sampler","minFilter":"linear","magFilter":"linear"}]
b=d.createBuffer [{"label":"format/buffer","size":256,"usage":12}]"#
);

/// Fails, so that a device on which it does not is none any more.
const NOTHING: &str = r#"t=d.createTexture [{"label":"format/nothing","format":"rgba8unorm","size":[1],"usage":0}]"#;

/// An open device and what all attempts share.
#[derive(Debug)]
pub struct Probe {
    pub(super) device: Object,
    pub(super) script: Script,
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
        let script = Script::new(&[
            (b'd', &device),
            (b'q', &device.get("queue")),
            (b'y', &Object::bytes(&[0; ROW])),
            // Not on the GPU, where the first copy takes a fifth of a second.
            (b'i', &raw::canvas(IMAGE, r#"["2d",{"willReadFrequently":true}]"#)?.0),
            (b'x', &raw::canvas(1, r#"["webgpu"]"#)?.1),
        ]);
        script.run(SHARED).ok()?;
        Some(Self { device, script })
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
        let mut row = Vec::new();
        let mut waiting = Vec::new();
        let mut began = raw::now();
        for (name, capability) in &CAPABILITIES {
            if raw::now() - began > SLICE_MS {
                settle(&mut waiting, &mut row).await?;
                began = raw::now();
            }
            waiting.push(if capability.needs(format).is_none() {
                Err(Answer::None)
            } else if *capability == Capability::SrgbView && format.srgb_counterpart().is_none() {
                Err(Answer::Untried)
            } else {
                Ok(self.attempt(&attempt(format, name, *capability)))
            });
        }
        // A device that is lost refuses nothing, and then no answer is one.
        let refused = self.attempt(NOTHING);
        self.script.destroy_textures();
        settle(&mut waiting, &mut row).await?;
        refused.refusal().await.ok()?.map(|_| row)
    }

    /// Makes the calls of a script under an error scope.
    pub(super) fn attempt(&self, script: &str) -> Attempt {
        let _ = self.device.call("pushErrorScope", r#"["validation"]"#, &[]);
        let thrown = self.script.run(script).err();
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

/// `text` with something else for some of its letters.
pub(super) fn filled(text: &str, with: &[(char, &str)]) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match with.iter().find(|(it, _)| *it == letter) {
            Some((_, instead)) => out.push_str(instead),
            None => out.push(letter),
        }
    }
    out
}

/// What the scripts of a format say of it: `#` the label of all that is made for it, `%` its name, `~` its scalar in WGSL, `^` so
/// many of its blocks beside each other, `!` the `GPUTextureAspect` of that aspect, and `?` what they differ in.
pub(super) fn filled_for(
    script: &str,
    format: &Format,
    name: &str,
    blocks: u8,
    aspect: Aspect,
    detail: &str,
) -> String {
    let label = ["\"label\":\"format/", format.name, "/", name, "\""].concat();
    let [width, height] = format.block;
    let size = ["[", &(width * blocks).to_string(), ",", &height.to_string(), "]"].concat();
    let aspect = match (format.kind, aspect) {
        (Kind::DepthStencil | Kind::Depth, Aspect::Depth) => "depth-only",
        (Kind::DepthStencil | Kind::Stencil, Aspect::Stencil) => "stencil-only",
        _ => "all",
    };
    let scalar = format.wgsl_scalar();
    filled(script, &[('#', &label), ('%', format.name), ('~', scalar), ('^', &size), ('!', aspect), ('?', detail)])
}

const TEXTURE: &str = r##"t=d.createTexture [{#,"format":"%","size":^,"usage":?}]"##;

/// Binds a view to a layout whose first entry has that member; `$more` are further entries of the layout and of the group.
macro_rules! bind {
    ($member:literal, $more:literal, $group:literal) => {
        concat!(
            r##"l=d.createBindGroupLayout [{#,"entries":[{"binding":0,"visibility":2,"##,
            $member,
            "}",
            $more,
            r##"]}]
t=d.createTexture [{#,"format":"%","size":^,"usage":4}]
v=t.createView [{#,"aspect":"!"}]
g=d.createBindGroup [{#,"layout":"$l","entries":[{"binding":0,"resource":"$v"}"##,
            $group,
            "]}]"
        )
    };
}

/// A pipeline with the format as its only target.
macro_rules! pipeline {
    ($target:literal, $members:literal) => {
        concat!(
            r##"p=d.createRenderPipeline [{#,"layout":"auto","vertex":{"module":"$m","entryPoint":"corner"},"fragment":{"module":"$m","entryPoint":"~","targets":[{"format":"%""##,
            $target,
            "}]}",
            $members,
            "}]"
        )
    };
}

/// Records a copy of one block; errors come when recording ends.
macro_rules! copy {
    ($textures:literal, $name:literal, $places:literal) => {
        concat!($textures, "\ne=d.createCommandEncoder [{#}]\n_=e.", $name, " [", $places, ",^]\n_=e.finish []")
    };
}

/// The script that tries a capability of a format.
fn attempt(format: &Format, name: &str, capability: Capability) -> String {
    use Capability as C;
    let mut of = format.aspects()[0];
    let usage;
    let (script, detail) = match capability {
        C::Exists | C::Dimension(2) => (TEXTURE, "4"),
        C::Dimension(1) => (TEXTURE, r#"4,"dimension":"1d""#),
        C::Dimension(_) => (TEXTURE, r#"4,"dimension":"3d""#),
        C::Usage(bit) => {
            let with = if bit == TRANSIENT_ATTACHMENT { RENDER_ATTACHMENT } else { 0 };
            usage = (bit | with).to_string();
            (TEXTURE, usage.as_str())
        }
        C::Multisample => (TEXTURE, r#"16,"sampleCount":4"#),
        C::Sample(aspect, sample) => {
            of = aspect;
            (bind!(r#""texture":{"sampleType":"?"}"#, "", ""), sample.name())
        }
        C::Filterable => (
            bind!(
                r#""texture":{}"#,
                r#",{"binding":1,"visibility":2,"sampler":{}}"#,
                r#",{"binding":1,"resource":"$s"}"#
            ),
            "",
        ),
        C::ExternalTexture => (bind!(r#""externalTexture":{}"#, "", ""), ""),
        C::ColorRenderable => (pipeline!("", ""), ""),
        C::Blendable => (pipeline!("?", ""), r#","blend":{"color":{"srcFactor":"one","dstFactor":"one"},"alpha":{}}"#),
        C::AlphaToCoverage => (pipeline!("", "?"), r#","multisample":{"count":4,"alphaToCoverageEnabled":true}"#),
        C::Resolve => (
            r##"t=d.createTexture [{#,"format":"%","size":^,"usage":16,"sampleCount":4}]
u=d.createTexture [{#,"format":"%","size":^,"usage":16}]
t=t.createView [{#}]
u=u.createView [{#}]
e=d.createCommandEncoder [{#}]
r=e.beginRenderPass [{#,"colorAttachments":[{"view":"$t","resolveTarget":"$u","loadOp":"clear","storeOp":"discard"}]}]
_=r.end []
_=e.finish []"##,
            "",
        ),
        C::StorageWriteOnly => (STORAGE, "write-only"),
        C::StorageReadOnly => (STORAGE, "read-only"),
        C::StorageReadWrite => (STORAGE, "read-write"),
        C::TextureToBuffer(aspect) => {
            of = aspect;
            (
                copy!(
                    r##"t=d.createTexture [{#,"format":"%","size":^,"usage":1}]"##,
                    "copyTextureToBuffer",
                    r#"{"texture":"$t","aspect":"!"},{"buffer":"$b","bytesPerRow":256}"#
                ),
                "",
            )
        }
        C::BufferToTexture(aspect) => {
            of = aspect;
            (
                concat!(
                    copy!(
                        r##"t=d.createTexture [{#,"format":"%","size":^,"usage":2}]"##,
                        "copyBufferToTexture",
                        r#"{"buffer":"$b","bytesPerRow":256},{"texture":"$t","aspect":"!"}"#
                    ),
                    "\n",
                    r##"_=q.writeTexture [{"texture":"$t","aspect":"!"},"$y",{"bytesPerRow":256},^]"##
                ),
                "",
            )
        }
        C::TextureToTexture => (
            copy!(
                r##"t=d.createTexture [{#,"format":"%","size":^,"usage":1}]
u=d.createTexture [{#,"format":"%","size":^,"usage":2}]"##,
                "copyTextureToTexture",
                r#"{"texture":"$t"},{"texture":"$u"}"#
            ),
            "",
        ),
        C::MultisampledToTexture => (
            copy!(
                r##"t=d.createTexture [{#,"format":"%","size":^,"usage":17,"sampleCount":4}]
u=d.createTexture [{#,"format":"%","size":^,"usage":18,"sampleCount":4}]"##,
                "copyTextureToTexture",
                r#"{"texture":"$t"},{"texture":"$u"}"#
            ),
            "",
        ),
        C::ExternalImageDst => (
            r##"t=d.createTexture [{#,"format":"%","size":^,"usage":18}]
_=q.copyExternalImageToTexture [{"source":"$i"},{"texture":"$t"},^]"##,
            "",
        ),
        C::SrgbView => (
            r##"t=d.createTexture [{#,"format":"%","size":^,"usage":4,"viewFormats":["?"]}]
_=t.createView [{#,"format":"?"}]"##,
            format.srgb_counterpart().map_or("", |format| format.name),
        ),
        C::CanvasFormat => (
            r#"_=x.configure [{"device":"$d","format":"%"}]
_=x.unconfigure []"#,
            "",
        ),
    };
    filled_for(script, format, name, 1, of, detail)
}

const STORAGE: &str = r##"l=d.createBindGroupLayout [{#,"entries":[{"binding":0,"visibility":4,"storageTexture":{"format":"%","access":"?"}}]}]"##;
