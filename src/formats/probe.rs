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

/// An open device and what all attempts share.
#[derive(Debug)]
pub struct Probe {
    pub(super) device: Object,
    pub(super) script: Script,
    /// Every script, each after a line `=== <name>`. They come with the page, as shaders do.
    scripts: String,
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
    /// Makes what attempts share; `None` if not even that can be made. The scripts know the device as `d`, its queue as `q`,
    /// the bytes of a row as `y`, an image as `i` and a canvas in no document as `x`.
    pub fn new(device: Object, scripts: String) -> Option<Self> {
        let script = Script::new(&[
            (b'd', &device),
            (b'q', &device.get("queue")),
            (b'y', &Object::bytes(&[0; ROW])),
            // Not on the GPU, where the first copy takes a fifth of a second.
            (b'i', &raw::canvas(IMAGE, r#"["2d",{"willReadFrequently":true}]"#)?.0),
            (b'x', &raw::canvas(1, r#"["webgpu"]"#)?.1),
        ]);
        let probe = Self { device, script, scripts };
        probe.script.run(probe.text("shared")).ok()?;
        Some(probe)
    }

    /// The script of that name.
    pub(super) fn text(&self, name: &str) -> &str {
        let named = |it: &&str| it.strip_prefix(name).is_some_and(|rest| rest.starts_with('\n'));
        self.scripts.split("=== ").find(named).and_then(|it| it.split_once('\n')).unwrap_or_default().1
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
                Ok(self.attempt(&self.script_of(format, name, *capability)))
            });
        }
        // A device that is lost refuses nothing, and then no answer is one.
        let refused = self.attempt(self.text("nothing"));
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
    /// The script of that name for a format: in it stand `#` for the label of all that is made, `%` for the name, `~` for
    /// the scalar in WGSL, `^` for so many blocks beside each other, `!` for the `GPUTextureAspect` of that aspect, and `?`
    /// for `detail`.
    pub(super) fn filled(&self, script: &str, on: &On<'_>, detail: &str) -> String {
        let On { format, name, blocks, aspect } = *on;
        let label = ["\"label\":\"format/", format.name, "/", name, "\""].concat();
        let [width, height] = format.block;
        let size = ["[", &(width * blocks).to_string(), ",", &height.to_string(), "]"].concat();
        let aspect = match (format.kind, aspect) {
            (Kind::DepthStencil | Kind::Depth, Aspect::Depth) => "depth-only",
            (Kind::DepthStencil | Kind::Stencil, Aspect::Stencil) => "stencil-only",
            _ => "all",
        };
        let with = [
            ('#', label.as_str()),
            ('%', format.name),
            ('~', format.wgsl_scalar()),
            ('^', &size),
            ('!', aspect),
            ('?', detail),
        ];
        filled(self.text(script), &with)
    }

    /// The script that tries a capability of a format.
    fn script_of(&self, format: &Format, name: &str, capability: Capability) -> String {
        use Capability as C;
        let mut aspect = format.aspects()[0];
        let usage;
        let (script, detail) = match capability {
            C::Exists | C::Dimension(2) => ("texture", "4"),
            C::Dimension(1) => ("texture", r#"4,"dimension":"1d""#),
            C::Dimension(_) => ("texture", r#"4,"dimension":"3d""#),
            C::Usage(bit) => {
                let with = if bit == TRANSIENT_ATTACHMENT { RENDER_ATTACHMENT } else { 0 };
                usage = (bit | with).to_string();
                ("texture", usage.as_str())
            }
            C::Multisample => ("texture", r#"16,"sampleCount":4"#),
            C::Sample(of, sample) => {
                aspect = of;
                ("sample", sample.name())
            }
            C::Filterable => ("filter", ""),
            C::ExternalTexture => ("external", ""),
            C::ColorRenderable => ("pipeline", ""),
            C::AlphaToCoverage => ("pipeline", r#","multisample":{"count":4,"alphaToCoverageEnabled":true}"#),
            C::Blendable => ("blend", ""),
            C::Resolve => ("resolve", ""),
            C::StorageWriteOnly => ("storage", "write-only"),
            C::StorageReadOnly => ("storage", "read-only"),
            C::StorageReadWrite => ("storage", "read-write"),
            C::TextureToBuffer(of) => {
                aspect = of;
                ("out", "")
            }
            C::BufferToTexture(of) => {
                aspect = of;
                ("in", "")
            }
            C::TextureToTexture => ("across", ""),
            C::MultisampledToTexture => ("across-multisampled", ""),
            C::ExternalImageDst => ("image", ""),
            C::SrgbView => ("srgb", format.srgb_counterpart().map_or("", |format| format.name)),
            C::CanvasFormat => ("canvas", ""),
        };
        self.filled(script, &On { format, name, blocks: 1, aspect }, detail)
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
    if end.is_some_and(|end| end < words.len()) {
        words.truncate(end.unwrap_or_default());
        words.push('…');
    }
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

/// What scripts are filled in for.
#[derive(Clone, Copy)]
pub(super) struct On<'a> {
    pub(super) format: &'a Format,
    /// The capability's name.
    pub(super) name: &'a str,
    /// How many blocks wide its textures are.
    pub(super) blocks: u8,
    pub(super) aspect: Aspect,
}
