//! `filterable`: heights in `r32float` through a nearest sampler, and blended by a linear one or by hand.

use crate::figure::{Control, Entry, Figure, Frame, Seen, Target, Values};
use crate::gpu::{self, Gpu, Missing};

/// The row of the registry.
pub(super) const ENTRY: Entry = Entry {
    controls: &[
        Control::Choice {
            id: "linear",
            options: &["hand", "difference", "sampler"],
            needs: &[("sampler", FEATURE), ("difference", FEATURE)],
        },
        Control::Range { id: "texels", min: 4.0, max: 64.0, step: 1.0, default: 16.0 },
        // Metres.
        Control::Range { id: "layer", min: 50.0, max: 400.0, step: 25.0, default: 150.0 },
        Control::Range { id: "speed", min: 0.0, max: 2.0, step: 0.1, default: 1.0 },
    ],
    poster: 6.0,
    ..Entry::new("filterable", new)
};

const FEATURE: &str = "float32-filterable";
/// Panes of the picture, side by side.
const PANES: f32 = 2.0;

struct Filterable {
    settings: wgpu::Buffer,
    paint: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    by_hand: wgpu::RenderPipeline,
    /// Where the device can filter the format.
    by_sampler: Option<wgpu::RenderPipeline>,
    nearest: wgpu::Sampler,
    linear: wgpu::Sampler,
    field: Option<Field>,
}

/// The texture and its bind groups; made anew when its size changes.
struct Field {
    texture: gpu::Texture,
    paint: wgpu::BindGroup,
    show: wgpu::BindGroup,
}

fn new(gpu: &Gpu, target: &Target, wgsl: &str) -> Result<Box<dyn Figure>, Missing> {
    let shader = gpu.create_shader("filterable/shader", wgsl);

    // region: layout
    let filterable = gpu.has(FEATURE); // "float32-filterable"
    let entry =
        |binding, ty| wgpu::BindGroupLayoutEntry { binding, visibility: wgpu::ShaderStages::FRAGMENT, ty, count: None };
    let layout = gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("filterable/show"),
        entries: &[
            entry(
                0,
                wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
            ),
            entry(
                1,
                wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Float { filterable },
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: false,
                },
            ),
            entry(2, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::NonFiltering)),
            entry(3, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering)),
        ],
    });
    // endregion

    let pipeline_layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("filterable/show"),
        bind_group_layouts: &[Some(&layout)],
        immediate_size: 0,
    });
    let show = |label, entry_point| {
        let entry_points = ["cover", entry_point];
        gpu.create_render_pipeline_with(
            label,
            &shader,
            entry_points,
            target.format.into(),
            None,
            Some(&pipeline_layout),
        )
    };
    Ok(Box::new(Filterable {
        settings: gpu.create_uniforms("filterable/settings", 16),
        paint: gpu.create_compute_pipeline("filterable/paint", &shader, "paint"),
        by_hand: show("filterable/by-hand", "by_hand"),
        by_sampler: filterable.then(|| show("filterable/by-sampler", "by_sampler")),
        nearest: gpu.create_sampler("filterable/nearest", wgpu::FilterMode::Nearest),
        linear: gpu.create_sampler("filterable/linear", wgpu::FilterMode::Linear),
        layout,
        field: None,
    }))
}

impl Filterable {
    fn create_field(&self, gpu: &Gpu, width: u32) -> Field {
        let size = gpu::extent(width, width * 9 / 8);
        let texture = gpu.create_storage_texture("filterable/field", wgpu::TextureFormat::R32Float, size, 1);
        let view = gpu::view("filterable/view", &texture);
        let resources = [
            self.settings.as_entire_binding(),
            wgpu::BindingResource::TextureView(&view),
            wgpu::BindingResource::Sampler(&self.nearest),
            wgpu::BindingResource::Sampler(&self.linear),
        ];
        let paint = gpu.create_bind_group("filterable/paint", &self.paint, &resources[..2]);
        let show = gpu.create_bind_group("filterable/show", &self.layout, &resources);
        Field { texture, paint, show }
    }
}

impl Figure for Filterable {
    fn draw(&mut self, gpu: &Gpu, frame: &mut Frame) {
        let width = frame.values.get("texels") as u32;
        if self.field.as_ref().is_none_or(|field| field.texture.width() != width) {
            self.field = Some(self.create_field(gpu, width));
        }
        let Some(field) = &self.field else { return };
        let [linear, layer] = ["linear", "layer"].map(|id| frame.values.get(id));
        gpu.queue.write_buffer(&self.settings, 0, &gpu::bytes_of([frame.seconds, layer, linear, 0.0]));

        frame.dispatch("filterable/paint", &self.paint, &field.paint, field.texture.size());

        let by_sampler = self.by_sampler.as_ref().filter(|_| linear > 0.0);
        frame.cover("filterable/show", by_sampler.unwrap_or(&self.by_hand), &field.show);
    }

    fn textures(&self) -> Vec<(&'static str, &gpu::Texture)> {
        self.field.iter().map(|field| ("field", &field.texture)).collect()
    }

    fn texel_at(&self, _values: &Values, at: [f32; 2]) -> Option<Seen> {
        let size = self.field.as_ref()?.texture.size();
        Some(Seen::in_pane([size.width, size.height], PANES, at).1)
    }
}
