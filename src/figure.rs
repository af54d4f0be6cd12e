//! What a figure is: one picture as a function of controls and seconds, on any device.

use crate::gpu::{self, Gpu, Missing, measure::Measure, timer::Timer};

/// One live picture. Its pixels depend on what comes in `frame` and on nothing else.
pub trait Figure {
    /// Draws one picture into `frame.target`: writes what the picture needs to the queue and records passes with
    /// [`Frame::compute`] and [`Frame::render`]; the runtime submits.
    fn draw(&mut self, gpu: &Gpu, frame: &mut Frame);

    /// The textures a reader may inspect, by the names they have in the shader.
    fn textures(&self) -> Vec<(&'static str, &gpu::Texture)> {
        Vec::new()
    }

    /// The texel that is seen at `at` of the canvas, both axes 0 to 1 from the top left; `None` where the picture
    /// shows no texel.
    fn texel_at(&self, _values: &Values, _at: [f32; 2]) -> Option<Seen> {
        None
    }

    /// Numbers for the description under the picture, by the placeholder they fill. `width` and `height` are those of the
    /// first texture, where nothing else is called so.
    fn readings(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// A reading that the GPU counts while it draws: the placeholder, and a buffer with `COPY_SRC` that begins with the
    /// count, a `u32`.
    fn counted(&self) -> Option<(&'static str, &wgpu::Buffer)> {
        None
    }
}

/// A texel and where it is seen on the canvas.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    /// Position of its texture in [`Figure::textures`].
    pub texture: usize,
    /// Its mip level.
    pub level: u32,
    /// Its array layer.
    pub layer: u32,
    /// Its coordinates in that level.
    pub texel: [u32; 2],
    /// Its top left corner, both axes 0 to 1; may lie outside.
    pub min: [f32; 2],
    /// Its bottom right corner.
    pub max: [f32; 2],
}

impl Seen {
    /// The texel seen at `at` where level 0 of the first texture, `size` texels, fills the canvas, magnified `zoom` times
    /// about the middle.
    pub fn zoomed(size: [u32; 2], zoom: f32, at: [f32; 2]) -> Self {
        Self::placed(size, [0.5 - zoom / 2.0; 2], [0.5 + zoom / 2.0; 2], at)
    }

    /// The texel seen at `at` where level 0 of a texture, `size` texels, fills each of `panes` panes side by side; and the
    /// pane, from the left.
    pub fn in_pane(size: [u32; 2], panes: f32, at: [f32; 2]) -> (usize, Self) {
        let pane = (at[0] * panes) as usize;
        let [left, right] = [pane as f32 / panes, (pane + 1) as f32 / panes];
        (pane, Self::placed(size, [left, 0.0], [right, 1.0], at))
    }

    /// The texel seen at `at`, or else the nearest, where a level of `size` texels is drawn from `min` to `max` of the
    /// canvas: level 0 of the first texture, if nothing else is said.
    pub fn placed(size: [u32; 2], min: [f32; 2], max: [f32; 2], at: [f32; 2]) -> Self {
        let texel = [0, 1].map(|axis| {
            let seen = (at[axis] - min[axis]) / (max[axis] - min[axis]);
            ((seen * size[axis] as f32) as u32).min(size[axis] - 1)
        });
        let place = |corner: u32| {
            [0, 1].map(|axis| min[axis] + (texel[axis] + corner) as f32 / size[axis] as f32 * (max[axis] - min[axis]))
        };
        Self { texture: 0, level: 0, layer: 0, texel, min: place(0), max: place(1) }
    }
}

/// A row of the registry: all that must be known before a figure exists.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// Names the figure everywhere: page, URL, labels, its file of WGSL.
    pub id: &'static str,
    /// Feature names without which there is no such figure.
    pub features: &'static [&'static str],
    /// Usage of the target texture.
    pub usage: wgpu::TextureUsages,
    /// Width over height of the canvas.
    pub aspect: f32,
    /// What a reader can change; every value is in the URL. A range named `speed` scales the clock of the page, and
    /// is not for the figure to read.
    pub controls: &'static [Control],
    /// The two ranges that a drag across the picture sets, from their smallest value at the left and at the top to their
    /// largest; or none.
    pub drag: &'static [&'static str],
    /// Options whose picture may differ each time it is drawn, with the choice they belong to: they race.
    pub races: &'static [(&'static str, &'static str)],
    /// When a new picture is due.
    pub pace: Pace,
    /// Second of the poster, of `prefers-reduced-motion`, and of the reference picture.
    pub poster: f32,
    /// Ways to do its work that a reader may time against each other.
    pub measure: Option<Measure>,
    /// Builds it for a target. Called again after an edit, a lost device or another canvas format.
    pub new: New,
}

impl Entry {
    /// A figure that moves, of 16 to 9, without controls: a row says in what it differs.
    pub const fn new(id: &'static str, new: New) -> Self {
        Self {
            id,
            features: &[],
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            aspect: 16.0 / 9.0,
            controls: &[],
            drag: &[],
            races: &[],
            pace: Pace::Animated,
            poster: 0.0,
            measure: None,
            new,
        }
    }

    /// Simulation steps that `seconds` have brought.
    pub fn step(&self, seconds: f64) -> u32 {
        match self.pace {
            Pace::Steps(rate) => (seconds * f64::from(rate)) as u32,
            Pace::Animated | Pace::OnChange => 0,
        }
    }
}

/// Builds a figure for a target from the WGSL of the page, or says which feature is missing.
pub type New = fn(&Gpu, &Target, &str) -> Result<Box<dyn Figure>, Missing>;

/// The WGSL of a figure as it stands in the repository, for the native tests. A page has it in its listing, so none is in
/// the wasm.
///
/// # Errors
/// There is no such file.
#[cfg(not(target_arch = "wasm32"))]
pub fn wgsl(id: &str) -> std::io::Result<String> {
    std::fs::read_to_string(format!("{}/shaders/{id}.wgsl", env!("CARGO_MANIFEST_DIR")))
}

/// When a new picture is due.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pace {
    /// Every display frame while it plays.
    Animated,
    /// When a control changes.
    OnChange,
    /// So many simulation steps a second while it plays.
    Steps(f32),
}

/// One input of a figure.
#[derive(Debug, Clone, Copy)]
pub enum Control {
    /// A number on a slider.
    Range {
        /// Key in URL and words.
        id: &'static str,
        /// Smallest value.
        min: f32,
        /// Largest value.
        max: f32,
        /// Distance of two values.
        step: f32,
        /// Value at the start.
        default: f32,
    },
    /// One of a few; its value is the position in `options`.
    Choice {
        /// Key in URL and words.
        id: &'static str,
        /// Keys of the options, in URL and words.
        options: &'static [&'static str],
        /// Options that need a feature, and its name. Where the device lacks it, the page offers no such option.
        needs: &'static [(&'static str, &'static str)],
    },
}

impl Control {
    /// The key.
    pub const fn id(&self) -> &'static str {
        match self {
            Self::Range { id, .. } | Self::Choice { id, .. } => id,
        }
    }

    /// Value at the start; the first option of a choice.
    pub const fn default(&self) -> f32 {
        match self {
            Self::Range { default, .. } => *default,
            Self::Choice { .. } => 0.0,
        }
    }

    /// The allowed value nearest to `value`; `None` for what is no number.
    pub fn nearest(&self, value: f32) -> Option<f32> {
        let (min, max, step) = match *self {
            Self::Range { min, max, step, .. } => (min, max, step),
            Self::Choice { options, .. } => (0.0, options.len() as f32 - 1.0, 1.0),
        };
        (!value.is_nan()).then(|| within(min + ((within(value, min, max) - min) / step).round() * step, min, max))
    }
}

/// `value`, or the nearer end if it lies outside. Not `f32::clamp`: its panic alone would bring the formatting of floats
/// into the wasm, 8 kB.
#[allow(clippy::manual_clamp)]
pub fn within(value: f32, min: f32, max: f32) -> f32 {
    value.max(min).min(max)
}

/// The values of a figure's controls.
#[derive(Debug, Clone)]
pub struct Values {
    controls: &'static [Control],
    values: Vec<f32>,
}

impl Values {
    /// Each control at its start.
    pub fn new(controls: &'static [Control]) -> Self {
        Self { controls, values: controls.iter().map(Control::default).collect() }
    }

    /// The value of the control `id`; 0 if there is none.
    pub fn get(&self, id: &str) -> f32 {
        self.find(id).map_or(0.0, |at| self.values[at])
    }

    /// Sets the control `id` to the allowed value nearest to `value`; `false`, and nothing changes, where there is
    /// no such control or `value` is no number.
    pub fn set(&mut self, id: &str, value: f32) -> bool {
        let Some(at) = self.find(id) else {
            return false;
        };
        let Some(value) = self.controls[at].nearest(value) else {
            return false;
        };
        self.values[at] = value;
        true
    }

    /// The controls, in their order on the page.
    pub const fn controls(&self) -> &'static [Control] {
        self.controls
    }

    fn find(&self, id: &str) -> Option<usize> {
        self.controls.iter().position(|control| control.id() == id)
    }
}

/// Invocations of a workgroup in x and in y, in the shaders of all figures that do not say otherwise: 64, as most GPUs like
/// it.
pub const WORKGROUP: u32 = 8;

/// What the pictures are drawn into.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Format of the target texture.
    pub format: wgpu::TextureFormat,
}

/// All that one picture depends on, and the means to record it.
#[derive(Debug)]
pub struct Frame<'a> {
    /// Seconds since the start.
    pub seconds: f32,
    /// Simulation steps since the start.
    pub step: u32,
    /// The controls.
    pub values: &'a Values,
    /// What to draw into.
    pub target: &'a wgpu::Texture,
    /// The encoder of this picture.
    pub encoder: wgpu::CommandEncoder,
    /// Times each pass, where the device can.
    pub timer: Option<&'a mut Timer>,
}

impl Frame<'_> {
    /// Opens a timed compute pass.
    pub fn compute(&mut self, label: &'static str) -> wgpu::ComputePass<'_> {
        let times = self.timer.as_mut().and_then(|timer| timer.next(label));
        self.encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(label),
            timestamp_writes: times.as_ref().map(|(set, begin)| wgpu::ComputePassTimestampWrites {
                query_set: set,
                beginning_of_pass_write_index: Some(*begin),
                end_of_pass_write_index: Some(begin + 1),
            }),
        })
    }

    /// Dispatches an invocation a texel and layer, in a pass of its own, to a shader with workgroups of [`WORKGROUP`] squared.
    pub fn dispatch(
        &mut self,
        label: &'static str,
        pipeline: &wgpu::ComputePipeline,
        group: &wgpu::BindGroup,
        texels: wgpu::Extent3d,
    ) {
        let mut pass = self.compute(label);
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, group, &[]);
        let wgpu::Extent3d { width, height, depth_or_array_layers: layers } = texels;
        pass.dispatch_workgroups(width.div_ceil(WORKGROUP), height.div_ceil(WORKGROUP), layers);
    }

    /// Covers the target with one triangle, in a pass of its own.
    pub fn cover(&mut self, label: &'static str, pipeline: &wgpu::RenderPipeline, group: &wgpu::BindGroup) {
        let mut pass = self.render(label);
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, group, &[]);
        pass.draw(0..3, 0..1);
    }

    /// Opens a timed render pass that clears the target to black and draws into it.
    pub fn render(&mut self, label: &'static str) -> wgpu::RenderPass<'_> {
        let view = gpu::view(label, self.target);
        self.render_into(label, &view, None)
    }

    /// The same into another view; `depth`, if there is one, is cleared to the farthest.
    pub fn render_into(
        &mut self,
        label: &'static str,
        view: &wgpu::TextureView,
        depth: Option<&wgpu::TextureView>,
    ) -> wgpu::RenderPass<'_> {
        let times = self.timer.as_mut().and_then(|timer| timer.next(label));
        self.encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some(label),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
            })],
            depth_stencil_attachment: depth.map(|view| wgpu::RenderPassDepthStencilAttachment {
                view,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store: wgpu::StoreOp::Store }),
                stencil_ops: None,
            }),
            timestamp_writes: times.as_ref().map(|(set, begin)| wgpu::RenderPassTimestampWrites {
                query_set: set,
                beginning_of_pass_write_index: Some(*begin),
                end_of_pass_write_index: Some(begin + 1),
            }),
            ..Default::default()
        })
    }
}
