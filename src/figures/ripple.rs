//! `ripple`: a field of water renewed in place, beside the same field in ping-pong, and where the two part.

use crate::figure::{Control, Entry, Figure, Frame, Pace, Seen, Target, Values, WORKGROUP};
use crate::gpu::{self, Gpu, Missing};

/// The row of the registry.
pub(super) const ENTRY: Entry = Entry {
    controls: &[
        Control::Choice { id: "scheme", options: &["two", "one"], needs: &[] },
        Control::Choice { id: "format", options: &["r32float", "rgba16float"], needs: &[("rgba16float", TIER2)] },
        Control::Range { id: "texels", min: 1.0, max: 128.0, step: 1.0, default: 96.0 },
        Control::Range { id: "x", min: 0.0, max: 100.0, step: 1.0, default: 64.0 },
        Control::Range { id: "y", min: 0.0, max: 100.0, step: 1.0, default: 34.0 },
    ],
    drag: &["x", "y"],
    races: &[("scheme", "one")],
    pace: Pace::Steps(60.0),
    poster: 2.5,
    ..Entry::new("ripple", new)
};

/// With it, `rgba16float` may be read and written by one binding.
const TIER2: &str = "texture-formats-tier2";

/// Panes of the picture, side by side.
const PANES: f32 = 3.0;
/// Steps after which the water is calm again and all begins anew; bounds what a reader's change computes anew.
const PERIOD: u32 = 480;
/// The step of each drop, its place from the top left, and its height, a power of two. The first falls where the reader says.
const DROPS: [(u32, [f32; 2], f32); 8] = [
    (0, [0.0, 0.0], 2.0),
    (34, [0.26, 0.70], 2.0),
    (72, [0.18, 0.20], 1.0),
    (108, [0.78, 0.82], 2.0),
    (136, [0.42, 0.48], 1.0),
    (216, [0.74, 0.60], 2.0),
    (280, [0.30, 0.30], 1.0),
    (352, [0.60, 0.74], 2.0),
];
/// Bytes from one drop to the next: the alignment of a uniform binding that every device allows.
const DROP_STRIDE: usize = 256;

struct Ripple {
    shader: String,
    /// What falls in a step: nothing, or one of [`DROPS`].
    drops: wgpu::Buffer,
    kernels: Kernels,
    show: wgpu::RenderPipeline,
    pond: Option<Pond>,
}

/// The entry points of the shader, for textures of one format.
struct Kernels {
    format: wgpu::TextureFormat,
    push: Kernel,
    rise: Kernel,
    push_across: Kernel,
    rise_across: Kernel,
    race: Kernel,
}

/// An entry point, and what may fall while it runs: none where it knows no drop.
#[derive(Clone)]
struct Kernel {
    pipeline: wgpu::ComputePipeline,
    drops: Vec<wgpu::BindGroup>,
}

/// What decides the course of the water.
#[derive(PartialEq)]
struct Course {
    width: u32,
    format: wgpu::TextureFormat,
    races: bool,
    first_drop: [f32; 2],
}

/// The textures, from a calm start, and what renews them.
struct Pond {
    course: Course,
    /// Step at which the water stands.
    step: u32,
    /// The height in place, and the two of the ping-pong.
    heights: [gpu::Texture; 3],
    /// The speed in place, and the two of the ping-pong; only the bind groups read them.
    _speeds: [gpu::Texture; 3],
    in_place: Vec<Dispatch>,
    /// From the first textures to the second, and back.
    ping_pong: [Vec<Dispatch>; 2],
    /// By where the ping-pong stands.
    show: [wgpu::BindGroup; 2],
}

/// A kernel over all texels of these textures.
struct Dispatch {
    kernel: Kernel,
    textures: wgpu::BindGroup,
}

fn new(gpu: &Gpu, target: &Target, wgsl: &str) -> Result<Box<dyn Figure>, Missing> {
    let shader = wgsl.to_owned();
    let drops = gpu.create_uniforms("ripple/drops", ((DROPS.len() + 1) * DROP_STRIDE) as u64);
    let kernels = Kernels::new(gpu, &shader, &drops, wgpu::TextureFormat::R32Float);
    let module = gpu.create_shader("ripple/show", &shader);
    let show = gpu.create_render_pipeline("ripple/show", &module, "cover", "show", target.format);
    Ok(Box::new(Ripple { shader, drops, kernels, show, pond: None }))
}

impl Kernels {
    /// Compiles `shader`, which is written for `r32float`, for textures of `format`.
    fn new(gpu: &Gpu, shader: &str, drops: &wgpu::Buffer, format: wgpu::TextureFormat) -> Self {
        let module = match format {
            wgpu::TextureFormat::R32Float => gpu.create_shader("ripple/shader", shader),
            _ => gpu.create_shader("ripple/shader", &shader.replace("r32float", "rgba16float")),
        };
        let kernel = |entry_point: &str, knows_drops: bool| {
            let pipeline = gpu.create_compute_pipeline(&format!("ripple/{entry_point}"), &module, entry_point);
            let slots = if knows_drops { DROPS.len() + 1 } else { 0 };
            let drop = |slot: usize| {
                let slice = wgpu::BufferBinding {
                    buffer: drops,
                    offset: (slot * DROP_STRIDE) as u64,
                    size: wgpu::BufferSize::new(16),
                };
                let layout = pipeline.get_bind_group_layout(1);
                gpu.create_bind_group("ripple/drop", &layout, &[wgpu::BindingResource::Buffer(slice)])
            };
            Kernel { drops: (0..slots).map(drop).collect(), pipeline }
        };
        Self {
            format,
            push: kernel("push", false),
            rise: kernel("rise", true),
            push_across: kernel("push_across", false),
            rise_across: kernel("rise_across", true),
            race: kernel("race", true),
        }
    }
}

/// Number of the drop that falls in a step; 0 is none.
fn drop_of(step: u32) -> usize {
    DROPS.iter().position(|(at, ..)| *at == step).map_or(0, |drop| drop + 1)
}

impl Ripple {
    fn create_pond(&self, gpu: &Gpu, course: Course) -> Pond {
        let size = gpu::extent(course.width, course.width * 27 / 16);
        let texture = |label| gpu.create_storage_texture(label, course.format, size, 1);
        let heights = ["ripple/height", "ripple/height-a", "ripple/height-b"].map(texture);
        let speeds = ["ripple/speed", "ripple/speed-a", "ripple/speed-b"].map(texture);
        let views = |textures: &[gpu::Texture; 3]| textures.each_ref().map(|texture| gpu::view("ripple/view", texture));
        let [height, heights_a, heights_b] = views(&heights);
        let [speed, speeds_a, speeds_b] = views(&speeds);

        let group = |label, layout: &dyn gpu::Layout, views: &[&wgpu::TextureView]| {
            let views: Vec<_> = views.iter().map(|view| wgpu::BindingResource::TextureView(view)).collect();
            gpu.create_bind_group(label, layout, &views)
        };
        let dispatch = |kernel: &Kernel, views: &[&wgpu::TextureView]| Dispatch {
            textures: group("ripple/textures", &kernel.pipeline, views),
            kernel: kernel.clone(),
        };
        let Kernels { push, rise, push_across, rise_across, race, .. } = &self.kernels;
        // region: dispatches
        let in_place = if course.races {
            vec![dispatch(race, &[&height, &speed])]
        } else {
            vec![dispatch(push, &[&height, &speed]), dispatch(rise, &[&speed, &height])]
        };
        let ping_pong = [
            vec![
                dispatch(push_across, &[&heights_a, &speeds_a, &speeds_b]),
                dispatch(rise_across, &[&speeds_b, &heights_a, &heights_b]),
            ],
            vec![
                dispatch(push_across, &[&heights_b, &speeds_b, &speeds_a]),
                dispatch(rise_across, &[&speeds_a, &heights_b, &heights_a]),
            ],
        ];
        // endregion
        let show = [&heights_a, &heights_b].map(|heights| group("ripple/show", &self.show, &[&height, heights]));

        let mut bytes = vec![0; (DROPS.len() + 1) * DROP_STRIDE];
        for (at, (_, place, high)) in DROPS.iter().enumerate() {
            let [x, y] = if at == 0 { course.first_drop } else { *place };
            let texel = |at: f32, side: u32| (((at * side as f32) as u32).min(side - 1) as i32).to_le_bytes();
            let start = (at + 1) * DROP_STRIDE;
            let bytes_of_drop = [texel(x, size.width), texel(y, size.height), high.to_le_bytes()].concat();
            bytes[start..start + bytes_of_drop.len()].copy_from_slice(&bytes_of_drop);
        }
        gpu.queue.write_buffer(&self.drops, 0, &bytes);
        Pond { course, step: 0, heights, _speeds: speeds, in_place, ping_pong, show }
    }
}

impl Pond {
    /// Renews the fields until `step`.
    fn advance(&mut self, frame: &mut Frame, step: u32) {
        if step == self.step {
            return;
        }
        // region: steps
        let mut pass = frame.compute("ripple/in-place");
        for step in self.step..step {
            self.record(&mut pass, &self.in_place, step);
        }
        drop(pass);

        let mut pass = frame.compute("ripple/ping-pong");
        for step in self.step..step {
            self.record(&mut pass, &self.ping_pong[step as usize % 2], step);
        }
        drop(pass);
        // endregion
        self.step = step;
    }

    fn record(&self, pass: &mut wgpu::ComputePass, dispatches: &[Dispatch], step: u32) {
        for Dispatch { kernel, textures } in dispatches {
            pass.set_pipeline(&kernel.pipeline);
            pass.set_bind_group(0, textures, &[]);
            if let Some(drop) = kernel.drops.get(drop_of(step)) {
                pass.set_bind_group(1, drop, &[]);
            }
            let size = self.heights[0].size();
            pass.dispatch_workgroups(size.width.div_ceil(WORKGROUP), size.height.div_ceil(WORKGROUP), 1);
        }
    }

    /// Which of the two shows the ping-pong's latest heights.
    const fn side(&self) -> usize {
        self.step as usize % 2
    }
}

impl Figure for Ripple {
    fn draw(&mut self, gpu: &Gpu, frame: &mut Frame) {
        let values = frame.values;
        let half = values.get("format") == 1.0 && gpu.has(TIER2);
        let course = Course {
            width: values.get("texels") as u32,
            format: if half { wgpu::TextureFormat::Rgba16Float } else { wgpu::TextureFormat::R32Float },
            races: values.get("scheme") == 1.0,
            first_drop: ["x", "y"].map(|axis| values.get(axis) / 100.0),
        };
        let step = frame.step % PERIOD;
        // Water does not run backwards: what lies before the step where it stands is computed from the start.
        if self.pond.as_ref().is_none_or(|pond| pond.course != course || pond.step > step) {
            // The format is part of the shader's types.
            if self.kernels.format != course.format {
                self.kernels = Kernels::new(gpu, &self.shader, &self.drops, course.format);
            }
            self.pond = Some(self.create_pond(gpu, course));
        }
        let Some(pond) = &mut self.pond else { return };
        pond.advance(frame, step);

        frame.cover("ripple/show", &self.show, &pond.show[pond.side()]);
    }

    fn textures(&self) -> Vec<(&'static str, &gpu::Texture)> {
        let heights = |pond: &Pond| [0, 1 + pond.side()];
        self.pond
            .iter()
            .flat_map(|pond| heights(pond).map(|at| &pond.heights[at]))
            .zip(["own_height", "new_heights"])
            .map(|(texture, name)| (name, texture))
            .collect()
    }

    /// The height in the pane pointed at; over the difference, the one in place.
    fn texel_at(&self, _values: &Values, at: [f32; 2]) -> Option<Seen> {
        let size = self.pond.as_ref()?.heights[0].size();
        let (pane, seen) = Seen::in_pane([size.width, size.height], PANES, at);
        Some(Seen { texture: pane % 2, ..seen })
    }

    fn readings(&self) -> Vec<(&'static str, String)> {
        let Some(pond) = &self.pond else { return Vec::new() };
        let size = pond.heights[0].size();
        let texture = size.width * size.height * gpu::texel::bytes(pond.course.format);
        vec![("in-place", (2 * texture).to_string()), ("ping-pong", (4 * texture).to_string())]
    }
}
