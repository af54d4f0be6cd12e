//! `workgroups`: which invocations share a workgroup, over the texels that they store; and what each shape costs.

use crate::figure::{Control, Entry, Figure, Frame, Seen, Target, Values, within};
use crate::gpu::measure::{Measure, Sample, Way, Ways};
use crate::gpu::{self, Gpu, Missing};

/// The row of the registry.
pub(super) const ENTRY: Entry = Entry {
    controls: &[
        Control::Choice { id: "shape", options: &["8x8", "16x16", "32x8", "64x1", "256x1", "1x1"], needs: &[] },
        Control::Range { id: "width", min: 1.0, max: 256.0, step: 1.0, default: 69.0 },
        Control::Range { id: "height", min: 1.0, max: 64.0, step: 1.0, default: 37.0 },
    ],
    poster: 2.0,
    measure: Some(Measure { sizes: &[512, 1024, 2048, 4096], ways }),
    ..Entry::new("workgroups", new)
};

/// The shapes with their names, in the order of the control `shape`: invocations in x and in y, 256 of them at most
/// (WebGPU, *Limits*: `maxComputeInvocationsPerWorkgroup`).
const SHAPES: [(&str, [u32; 2]); 6] =
    [("8x8", [8, 8]), ("16x16", [16, 16]), ("32x8", [32, 8]), ("64x1", [64, 1]), ("256x1", [256, 1]), ("1x1", [1, 1])];

/// The pipeline of `entry_point` in workgroups of `shape`.
fn create_pipeline(
    gpu: &Gpu,
    label: &str,
    shader: &wgpu::ShaderModule,
    entry_point: &str,
    shape: [u32; 2],
) -> wgpu::ComputePipeline {
    // region: shape
    gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(label),
        layout: None,
        module: shader,
        entry_point: Some(entry_point),
        compilation_options: wgpu::PipelineCompilationOptions {
            constants: &[("across", f64::from(shape[0])), ("down", f64::from(shape[1]))],
            ..Default::default()
        },
        cache: None,
    })
    // endregion
}

/// A dispatch that covers a texture.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Dispatch {
    size: [u32; 2],
    shape: [u32; 2],
    groups: [u32; 2],
}

impl Dispatch {
    fn new(size: [u32; 2], shape: [u32; 2]) -> Self {
        Self { size, shape, groups: [size[0].div_ceil(shape[0]), size[1].div_ceil(shape[1])] }
    }

    /// Invocations in x and in y.
    const fn all(&self) -> [u32; 2] {
        [self.groups[0] * self.shape[0], self.groups[1] * self.shape[1]]
    }

    const fn groups(&self) -> u32 {
        self.groups[0] * self.groups[1]
    }

    const fn invocations(&self) -> u32 {
        self.groups() * self.shape[0] * self.shape[1]
    }

    /// Invocations beyond the edge.
    const fn overhang(&self) -> u32 {
        self.invocations() - self.size[0] * self.size[1]
    }
}

struct Workgroups {
    settings: wgpu::Buffer,
    /// Invocations that ran, as they count themselves.
    ran: wgpu::Buffer,
    paint: Vec<wgpu::ComputePipeline>,
    show: wgpu::RenderPipeline,
    field: Option<Field>,
    /// Of the last picture: pixels for an invocation, where the first one stands, and the size of the canvas.
    scale: f32,
    origin: [f32; 2],
    canvas: [f32; 2],
}

/// The texture, another with room for every invocation, and their bind groups; made anew when size or shape changes.
struct Field {
    dispatch: Dispatch,
    texture: gpu::Texture,
    /// Only the bind groups read it.
    _all: gpu::Texture,
    paint: wgpu::BindGroup,
    show: wgpu::BindGroup,
}

fn new(gpu: &Gpu, target: &Target, wgsl: &str) -> Result<Box<dyn Figure>, Missing> {
    Ok(Box::new(create(gpu, target, wgsl)))
}

fn create(gpu: &Gpu, target: &Target, wgsl: &str) -> Workgroups {
    let shader = gpu.create_shader("workgroups/shader", wgsl);
    Workgroups {
        settings: gpu.create_uniforms("workgroups/settings", 32),
        ran: gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("workgroups/ran"),
            size: 4,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        }),
        paint: SHAPES.map(|(_, shape)| create_pipeline(gpu, "workgroups/paint", &shader, "paint", shape)).into(),
        show: gpu.create_render_pipeline("workgroups/show", &shader, "cover", "show", target.format),
        field: None,
        scale: 1.0,
        origin: [0.0; 2],
        canvas: [1.0; 2],
    }
}

impl Workgroups {
    /// Records the dispatch of the shape at `at` in [`SHAPES`] over a texture of `size`.
    fn paint(&mut self, gpu: &Gpu, frame: &mut Frame, at: usize, size: [u32; 2]) {
        let dispatch = Dispatch::new(size, SHAPES[at].1);
        if self.field.as_ref().is_none_or(|field| field.dispatch != dispatch) {
            self.field = Some(self.create_field(gpu, &self.paint[at], dispatch));
        }
        let Some(field) = &self.field else { return };
        frame.encoder.clear_buffer(&self.ran, 0, None);
        let mut pass = frame.compute("workgroups/paint");
        pass.set_pipeline(&self.paint[at]);
        pass.set_bind_group(0, &field.paint, &[]);
        let [x, y] = dispatch.groups;
        pass.dispatch_workgroups(x, y, 1);
    }

    fn create_field(&self, gpu: &Gpu, paint: &wgpu::ComputePipeline, dispatch: Dispatch) -> Field {
        let texture = |label, [width, height]: [u32; 2]| {
            let format = wgpu::TextureFormat::Rgba8Unorm;
            let texture = gpu.create_storage_texture(label, format, gpu::extent(width, height), 1);
            let view = gpu::view(label, &texture);
            (texture, view)
        };
        let (all, all_view) = texture("workgroups/all", dispatch.all());
        let (texture, view) = texture("workgroups/field", dispatch.size);
        let resources = [
            self.settings.as_entire_binding(),
            wgpu::BindingResource::TextureView(&view),
            self.ran.as_entire_binding(),
            wgpu::BindingResource::TextureView(&all_view),
        ];
        let group = |label, layout: &dyn gpu::Layout| gpu.create_bind_group(label, layout, &resources);
        let paint = group("workgroups/paint", paint);
        let show = group("workgroups/show", &self.show);
        Field { dispatch, texture, _all: all, paint, show }
    }

    /// Fits every invocation into the canvas. No edge of one falls on a pixel's centre, where each driver would round it
    /// its own way.
    fn fit(&mut self, dispatch: &Dispatch, canvas: [f32; 2]) {
        let margin = (canvas[0].min(canvas[1]) / 30.0).floor();
        let all = dispatch.all().map(|side| side as f32);
        let room = [0, 1].map(|axis| (canvas[axis] - 2.0 * margin).max(1.0) / all[axis]);
        let scale = room[0].min(room[1]);
        self.scale = if scale >= 4.0 { scale.floor() } else { ((scale * 8.0).floor() / 8.0).max(0.125) };
        self.origin = [0, 1].map(|axis| ((canvas[axis] - all[axis] * self.scale) / 2.0).floor() + 0.3);
        self.canvas = canvas;
    }
}

impl Figure for Workgroups {
    fn draw(&mut self, gpu: &Gpu, frame: &mut Frame) {
        let at = frame.values.get("shape") as usize;
        let size = ["width", "height"].map(|side| frame.values.get(side) as u32);
        self.paint(gpu, frame, at, size);
        let Some(dispatch) = self.field.as_ref().map(|field| field.dispatch) else { return };
        self.fit(&dispatch, [frame.target.width() as f32, frame.target.height() as f32]);
        let (scale, [x, y]) = (self.scale, self.origin);
        let ([across, down], [groups_x, groups_y]) = (dispatch.shape, dispatch.groups);
        let [across, down, groups_x, groups_y] = [across, down, groups_x, groups_y].map(|count| count as f32);
        let settings = gpu::bytes_of([frame.seconds, scale, x, y, across, down, groups_x, groups_y]);
        gpu.queue.write_buffer(&self.settings, 0, &settings);

        let Some(field) = &self.field else { return };
        frame.cover("workgroups/show", &self.show, &field.show);
    }

    fn textures(&self) -> Vec<(&'static str, &gpu::Texture)> {
        self.field.iter().map(|field| ("field", &field.texture)).collect()
    }

    /// The nearest texel, where it is none.
    fn texel_at(&self, _values: &Values, at: [f32; 2]) -> Option<Seen> {
        let size = self.field.as_ref()?.dispatch.size;
        let texel = [0, 1].map(|axis| {
            let invocation = (at[axis] * self.canvas[axis] - self.origin[axis]) / self.scale;
            within(invocation, 0.0, size[axis] as f32 - 1.0) as u32
        });
        let place = |corner: u32| {
            [0, 1].map(|axis| (self.origin[axis] + (texel[axis] + corner) as f32 * self.scale) / self.canvas[axis])
        };
        Some(Seen { texture: 0, level: 0, layer: 0, texel, min: place(0), max: place(1) })
    }

    fn readings(&self) -> Vec<(&'static str, String)> {
        let Some(dispatch) = self.field.as_ref().map(|field| field.dispatch) else { return Vec::new() };
        // In thousandths, rounded.
        let wasted = (u64::from(dispatch.overhang()) * 2000 / u64::from(dispatch.invocations())).div_ceil(2);
        vec![
            ("across", dispatch.shape[0].to_string()),
            ("down", dispatch.shape[1].to_string()),
            ("groups", dispatch.groups().to_string()),
            ("invocations", dispatch.invocations().to_string()),
            ("overhang", dispatch.overhang().to_string()),
            ("wasted", format!("{}.{}", wasted / 10, wasted % 10)),
        ]
    }
}

/// Each shape fills a texture of `side` × `side` texels.
fn ways(gpu: &Gpu, wgsl: &str, side: u32) -> Ways {
    let shader = gpu.create_shader("workgroups/shader", wgsl);
    let size = gpu::extent(side, side);
    let texture = gpu.create_storage_texture("workgroups/filled", wgpu::TextureFormat::Rgba8Unorm, size, 1);
    let way = |(id, shape): (&'static str, [u32; 2])| {
        let pipeline = create_pipeline(gpu, "workgroups/fill", &shader, "fill", shape);
        let view = gpu::view("workgroups/filled", &texture);
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("workgroups/fill"),
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(&view) }],
        });
        let [x, y] = Dispatch::new([side, side], shape).groups;
        let record = move |sample: &mut Sample| {
            let runs = sample.runs;
            let mut pass = sample.compute("workgroups/fill");
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &group, &[]);
            for _ in 0..runs {
                pass.dispatch_workgroups(x, y, 1);
            }
        };
        Way { id, bytes: u64::from(side) * u64::from(side) * 4, record: Box::new(record) }
    };
    Ways { ways: SHAPES.into_iter().map(way).collect(), textures: vec![texture] }
}

#[cfg(test)]
mod tests {
    // A test that cannot go on stops here, and says so.
    #![allow(clippy::expect_used, clippy::unwrap_used)]

    use super::*;
    use crate::gpu::readback::read_buffer;

    /// A device on a software Vulkan.
    fn gpu() -> Gpu {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::VULKAN;
        let instance = wgpu::Instance::new(descriptor);
        let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::VULKAN));
        let adapter = adapters.into_iter().find(|adapter| adapter.get_info().device_type == wgpu::DeviceType::Cpu);
        let adapter = adapter.expect("no software Vulkan: install mesa-vulkan-drivers (or its like)");
        let (device, queue) = pollster::block_on(adapter.request_device(&Default::default())).unwrap();
        Gpu::new(device, queue, Vec::new())
    }

    /// Invocations that ran, as the GPU counts them.
    fn counted(gpu: &Gpu, at: usize, size: [u32; 2]) -> (Dispatch, u32) {
        let target = gpu.create_storage_texture("test/target", wgpu::TextureFormat::Rgba8Unorm, gpu::extent(1, 1), 1);
        let mut figure = create(gpu, &Target { format: target.format() }, &crate::figure::wgsl("workgroups").unwrap());
        let label = wgpu::CommandEncoderDescriptor { label: Some("test/frame") };
        let values = Values::new(ENTRY.controls);
        let encoder = gpu.device.create_command_encoder(&label);
        let mut frame = Frame { seconds: 0.0, step: 0, values: &values, target: &target, encoder, timer: None };
        figure.paint(gpu, &mut frame, at, size);
        let read = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("test/counted"),
            size: 4,
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        frame.encoder.copy_buffer_to_buffer(&figure.ran, 0, &read, 0, 4);
        gpu.queue.submit([frame.encoder.finish()]);
        let bytes = pollster::block_on(read_buffer(gpu, &read)).unwrap();
        (figure.field.unwrap().dispatch, u32::from_le_bytes(bytes.try_into().unwrap()))
    }

    #[test]
    fn the_gpu_counts_what_the_arithmetic_says() {
        let gpu = gpu();
        for (at, (name, _)) in SHAPES.iter().enumerate() {
            for size in [[1, 1], [8192, 1], [1, 97], [61, 29], [256, 64], [13, 5]] {
                let (dispatch, counted) = counted(&gpu, at, size);
                assert_eq!(counted, dispatch.invocations(), "{name} over {size:?}");
                assert_eq!(counted - dispatch.overhang(), size[0] * size[1]);
            }
        }
        // By hand: 61 × 29 takes 8 × 4 workgroups of 8 × 8.
        let by_hand = Dispatch::new([61, 29], [8, 8]);
        assert_eq!((by_hand.groups(), by_hand.invocations(), by_hand.overhang()), (32, 2048, 279));
    }

    #[test]
    fn the_shapes_are_what_they_are_called() {
        let Control::Choice { options, .. } = ENTRY.controls[0] else { unreachable!() };
        assert_eq!(options, SHAPES.map(|(name, _)| name));
        for (name, [x, y]) in SHAPES {
            assert_eq!(name, format!("{x}x{y}"));
        }
    }
}
