//! What a claim is: a statement, the calls that try it, and what must come of them.
//!
//! The outcome is expected, never the text: engines word their errors differently.

use std::pin::Pin;

use crate::gpu::{
    Gpu, raw,
    readback::{Readback, copy_buffer, read_buffer},
};

/// A statement that the page tries on the reader's device. Its words are in `www/<language>/claims.toml`.
#[derive(Debug, Clone, Copy)]
pub struct Claim {
    /// Names the claim everywhere: page, URL, words, labels.
    pub id: &'static str,
    /// Feature names without which it cannot be tried.
    pub features: &'static [&'static str],
    /// What is tried; a rejection stands beside the nearest thing that is accepted.
    pub tries: &'static [Try],
}

/// One attempt and what must come of it.
#[derive(Debug, Clone, Copy)]
pub struct Try {
    /// Key of its words.
    pub name: &'static str,
    /// The specification's answer.
    pub expect: Expect,
    /// The calls.
    pub attempt: Attempt,
}

/// The specification's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expect {
    /// No error.
    Accepted,
    /// A validation error.
    Rejected,
    /// A `TypeError`, thrown at the call.
    Throws,
    /// One of these values.
    OneOf(&'static [&'static str]),
    /// Whatever it is, it is shown; nothing is asserted.
    Shown,
}

/// The calls of an attempt.
#[derive(Debug, Clone, Copy)]
pub enum Attempt {
    /// Anything that wgpu can say; runs natively too.
    Calls(fn(&Context)),
    /// A shader module made from this WGSL; runs natively too.
    Shader(&'static str),
    /// A value comes back.
    Value(Work),
    /// What wgpu cannot say: the browser's own calls.
    Raw(RawCalls),
}

/// Work on the GPU that something comes back from; `None` if the device was lost.
pub type Work = fn(Context) -> BoxFuture<Option<String>>;
/// Calls of the browser's own, and what it threw.
pub type RawCalls = fn(&raw::Device) -> Result<(), raw::Thrown>;

/// A future of the page: one thread, so it need not be `Send`.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T>>>;

/// What came of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// No error.
    Accepted,
    /// A validation error, in the engine's words.
    Rejected(String),
    /// An exception, in the engine's words.
    Thrown(String),
    /// A value.
    Value(String),
    /// The device was lost, so nothing can be said.
    Lost,
}

impl Outcome {
    /// Key of its word, and its name in records and reports.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Rejected(_) => "rejected",
            Self::Thrown(_) => "thrown",
            Self::Value(_) => "value",
            Self::Lost => "lost",
        }
    }

    /// Whether it is what was expected.
    pub fn meets(&self, expect: Expect) -> bool {
        match (self, expect) {
            (Self::Accepted, Expect::Accepted)
            | (Self::Rejected(_), Expect::Rejected)
            | (Self::Thrown(_), Expect::Throws) => true,
            (Self::Value(value), Expect::OneOf(values)) => values.contains(&value.as_str()),
            (outcome, Expect::Shown) => *outcome != Self::Lost,
            _ => false,
        }
    }
}

/// What the page says of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Every attempt came out as the specification says.
    Holds,
    /// At least one did not.
    Fails,
    /// It could not be tried here.
    Unavailable,
    /// Nothing is asserted.
    Shown,
}

impl Verdict {
    /// Value of `data-verdict`, key of its word, and its name in records and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::Unavailable => "unavailable",
            Self::Shown => "shown",
        }
    }
}

impl Claim {
    /// The verdict over the outcomes of `tries`, in their order.
    pub fn verdict(&self, outcomes: &[Outcome]) -> Verdict {
        let all = |is: fn(&Try, &Outcome) -> bool| self.tries.iter().zip(outcomes).all(|(a, b)| is(a, b));
        if outcomes.len() < self.tries.len() || outcomes.contains(&Outcome::Lost) {
            Verdict::Unavailable
        } else if self.tries.iter().all(|a| a.expect == Expect::Shown) {
            Verdict::Shown
        } else if all(|a, outcome| outcome.meets(a.expect)) {
            Verdict::Holds
        } else {
            Verdict::Fails
        }
    }
}

impl Try {
    /// Tries it on `gpu`, on which nothing else may run meanwhile: error scopes are one stack for the whole device.
    pub async fn run(&self, gpu: &Gpu, claim: &'static str) -> Outcome {
        let context = Context { gpu: gpu.clone(), claim };
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let mut shader = None;
        let mut outcome = Outcome::Accepted;
        match self.attempt {
            Attempt::Calls(calls) => calls(&context),
            Attempt::Shader(wgsl) => shader = Some(context.shader(wgsl)),
            Attempt::Raw(calls) => match raw::Device::of(gpu).map_or(Ok(()), |device| calls(&device)) {
                Ok(()) => {}
                Err(thrown) => outcome = Outcome::Thrown(thrown.0),
            },
            Attempt::Value(work) => {
                outcome = work(context).await.map_or(Outcome::Lost, Outcome::Value);
            }
        }
        let error = scope.pop().await;
        if gpu.is_lost() {
            return Outcome::Lost;
        }
        let Some(error) = error else { return outcome };
        if let Some(shader) = shader {
            // The scope's message may say little, or be as long as a page.
            let info = shader.get_compilation_info().await;
            let message = info.messages.iter().find(|it| it.message_type == wgpu::CompilationMessageType::Error);
            if let Some(message) = message {
                let place = message.location.map(|at| format!("{}:{} ", at.line_number, at.line_position));
                return Outcome::Rejected(place.unwrap_or_default() + message.message.trim_start());
            }
        }
        Outcome::Rejected(words(error))
    }
}

/// The engine's own words, without what wgpu puts around them.
fn words(error: wgpu::Error) -> String {
    match error {
        wgpu::Error::Validation { description, .. } | wgpu::Error::Internal { description, .. } => description,
        wgpu::Error::OutOfMemory { source } => source.to_string(),
    }
}

/// Where an attempt runs. The makers here label what they make `claim/<id>/<object>`: engines put labels into
/// their messages.
#[derive(Debug, Clone)]
pub struct Context {
    /// The device, fresh for the claims of one feature set.
    pub gpu: Gpu,
    claim: &'static str,
}

impl Context {
    fn label(&self, object: &str) -> String {
        format!("claim/{}/{object}", self.claim)
    }

    /// A shader module.
    pub fn shader(&self, wgsl: &str) -> wgpu::ShaderModule {
        self.gpu.create_shader(&self.label("shader"), wgsl)
    }

    /// A 2d texture of 4 × 4 texels with one layer and as many levels as asked for.
    pub fn texture(&self, format: wgpu::TextureFormat, levels: u32, usage: wgpu::TextureUsages) -> wgpu::Texture {
        self.array(format, 4, 1, levels, usage)
    }

    /// A square 2d texture with as many layers and levels as asked for.
    pub fn array(
        &self,
        format: wgpu::TextureFormat,
        side: u32,
        layers: u32,
        levels: u32,
        usage: wgpu::TextureUsages,
    ) -> wgpu::Texture {
        self.gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some(&self.label("texture")),
            size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: layers },
            mip_level_count: levels,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage,
            view_formats: &[],
        })
    }

    /// A view of some levels of `texture`.
    pub fn view(&self, texture: &wgpu::Texture, levels: std::ops::Range<u32>) -> wgpu::TextureView {
        texture.create_view(&wgpu::TextureViewDescriptor {
            label: Some(&self.label("view")),
            base_mip_level: levels.start,
            mip_level_count: Some(levels.end - levels.start),
            ..Default::default()
        })
    }

    /// A texture of 4 × 4 texels that can be rendered into, and its view.
    pub fn attachment(&self, format: wgpu::TextureFormat) -> wgpu::TextureView {
        self.view(&self.texture(format, 1, wgpu::TextureUsages::RENDER_ATTACHMENT), 0..1)
    }

    /// A pipeline that renders into one target, from the entry points `corner` and `dot` of `wgsl`, with the layout that they
    /// imply.
    pub fn render_pipeline(&self, target: wgpu::ColorTargetState, wgsl: &str) -> wgpu::RenderPipeline {
        let module = self.shader(wgsl);
        self.gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(&self.label("pipeline")),
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("corner"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: Default::default(),
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("dot"),
                compilation_options: Default::default(),
                targets: &[Some(target)],
            }),
            multiview_mask: None,
            cache: None,
        })
    }

    /// A bind group layout whose entries are numbered from 0, each seen by `visibility`.
    pub fn layout(&self, visibility: wgpu::ShaderStages, entries: &[wgpu::BindingType]) -> wgpu::BindGroupLayout {
        let entries: Vec<_> = (0..)
            .zip(entries)
            .map(|(binding, &ty)| wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None })
            .collect();
        self.gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some(&self.label("layout")),
            entries: &entries,
        })
    }

    /// A bind group of `resources`, numbered from 0.
    pub fn group(&self, layout: &wgpu::BindGroupLayout, resources: &[wgpu::BindingResource]) -> wgpu::BindGroup {
        self.gpu.create_bind_group(&self.label("group"), layout, resources)
    }

    /// A compute pipeline from the entry point `main` of `wgsl`; `None` asks for the layout that it implies.
    pub fn pipeline(&self, layout: Option<&wgpu::BindGroupLayout>, wgsl: &str) -> wgpu::ComputePipeline {
        let label = self.label("pipeline");
        let layout = layout.map(|layout| {
            self.gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(&label),
                bind_group_layouts: &[Some(layout)],
                immediate_size: 0,
            })
        });
        self.gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(&label),
            layout: layout.as_ref(),
            module: &self.shader(wgsl),
            entry_point: Some("main"),
            compilation_options: Default::default(),
            cache: None,
        })
    }

    /// A command encoder.
    pub fn encoder(&self) -> wgpu::CommandEncoder {
        self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some(&self.label("encoder")) })
    }

    /// Records a compute pass of one workgroup.
    pub fn dispatch(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        pipeline: &wgpu::ComputePipeline,
        group: &wgpu::BindGroup,
    ) {
        self.dispatch_groups(encoder, pipeline, group, 1, 1);
    }

    /// Records a compute pass of `x` × `y` workgroups.
    pub fn dispatch_groups(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        pipeline: &wgpu::ComputePipeline,
        group: &wgpu::BindGroup,
        x: u32,
        y: u32,
    ) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(&self.label("pass")),
            timestamp_writes: None,
        });
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, group, &[]);
        pass.dispatch_workgroups(x, y, 1);
    }

    /// A storage buffer of `size` bytes that [`Context::read`] can read.
    pub fn storage_buffer(&self, size: u64) -> wgpu::Buffer {
        self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(&self.label("buffer")),
            size,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        })
    }

    /// Submits what `encoder` holds, then reads the first texel of `texture`; `None` if the device was lost.
    pub async fn read_texel(&self, mut encoder: wgpu::CommandEncoder, texture: &wgpu::Texture) -> Option<Vec<u8>> {
        let texel = Readback::record(&self.gpu, &mut encoder, texture, 0, [0; 3], [1, 1]);
        self.gpu.queue.submit([encoder.finish()]);
        texel.bytes(&self.gpu).await
    }

    /// Submits what `encoder` holds, then reads `buffer` as words; `None` if the device was lost.
    pub async fn read(&self, mut encoder: wgpu::CommandEncoder, buffer: &wgpu::Buffer) -> Option<Vec<u32>> {
        let copy = copy_buffer(&self.gpu, &mut encoder, buffer);
        self.gpu.queue.submit([encoder.finish()]);
        let bytes = read_buffer(&self.gpu, &copy).await?;
        Some(bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap_or_default())).collect())
    }
}

/// A storage texture binding of one 2d layer.
pub const fn storage(access: wgpu::StorageTextureAccess, format: wgpu::TextureFormat) -> wgpu::BindingType {
    wgpu::BindingType::StorageTexture { access, format, view_dimension: wgpu::TextureViewDimension::D2 }
}

/// A sampled binding of one 2d layer that no filter touches.
pub const fn sampled() -> wgpu::BindingType {
    sampled_as(wgpu::TextureSampleType::Float { filterable: false })
}

/// A sampled binding of one 2d layer.
pub const fn sampled_as(sample_type: wgpu::TextureSampleType) -> wgpu::BindingType {
    wgpu::BindingType::Texture { sample_type, view_dimension: wgpu::TextureViewDimension::D2, multisampled: false }
}

/// A try that must be accepted.
pub const fn accepted(name: &'static str, calls: fn(&Context)) -> Try {
    Try { name, expect: Expect::Accepted, attempt: Attempt::Calls(calls) }
}

/// A try that must be rejected by a validation error.
pub const fn rejected(name: &'static str, calls: fn(&Context)) -> Try {
    Try { name, expect: Expect::Rejected, attempt: Attempt::Calls(calls) }
}

/// WGSL that must compile.
pub const fn compiles(name: &'static str, wgsl: &'static str) -> Try {
    Try { name, expect: Expect::Accepted, attempt: Attempt::Shader(wgsl) }
}

/// WGSL that must not compile.
pub const fn refused(name: &'static str, wgsl: &'static str) -> Try {
    Try { name, expect: Expect::Rejected, attempt: Attempt::Shader(wgsl) }
}

/// Work that must give one of `values`.
pub const fn value(name: &'static str, values: &'static [&'static str], work: Work) -> Try {
    Try { name, expect: Expect::OneOf(values), attempt: Attempt::Value(work) }
}

/// Work that may give anything.
pub const fn shown(name: &'static str, work: Work) -> Try {
    Try { name, expect: Expect::Shown, attempt: Attempt::Value(work) }
}

/// The browser's own calls.
pub const fn raw(name: &'static str, expect: Expect, calls: RawCalls) -> Try {
    Try { name, expect, attempt: Attempt::Raw(calls) }
}
