//! `plasma`: a compute pass writes a storage texture, a render pass shows the same texture.

use crate::figure::{Control, Entry, Figure, Frame, Seen, Target, Values, WORKGROUP};
use crate::gpu::{self, Gpu, Missing};

/// The row of the registry.
pub(super) const ENTRY: Entry = Entry {
    controls: &[
        Control::Choice { id: "view", options: &["nearest", "linear", "load"], needs: &[] },
        Control::Range { id: "zoom", min: 1.0, max: 32.0, step: 1.0, default: 1.0 },
        Control::Range { id: "texels", min: 16.0, max: 512.0, step: 16.0, default: 96.0 },
        Control::Range { id: "speed", min: 0.0, max: 2.0, step: 0.1, default: 1.0 },
    ],
    poster: 2.4,
    ..Entry::new("plasma", new)
};

struct Plasma {
    settings: wgpu::Buffer,
    paint: wgpu::ComputePipeline,
    show_sampled: wgpu::RenderPipeline,
    show_loaded: wgpu::RenderPipeline,
    linear: wgpu::Sampler,
    nearest: wgpu::Sampler,
    field: Option<Field>,
}

/// The texture and its bind groups; made anew when its size changes.
struct Field {
    texture: gpu::Texture,
    paint: wgpu::BindGroup,
    /// In the order of the control `view`.
    show: [wgpu::BindGroup; 3],
}

fn new(gpu: &Gpu, target: &Target, wgsl: &str) -> Result<Box<dyn Figure>, Missing> {
    let device = &gpu.device;
    let shader = gpu.create_shader("plasma/shader", wgsl);

    // region: layout
    let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("plasma/paint"),
        entries: &[
            wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            },
            wgpu::BindGroupLayoutEntry {
                binding: 1,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::StorageTexture {
                    access: wgpu::StorageTextureAccess::WriteOnly,
                    format: wgpu::TextureFormat::Rgba8Unorm,
                    view_dimension: wgpu::TextureViewDimension::D2,
                },
                count: None,
            },
        ],
    });
    // endregion

    // region: pipeline
    let paint = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some("plasma/paint"),
        layout: Some(&device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("plasma/paint"),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        })),
        module: &shader,
        entry_point: Some("paint"),
        compilation_options: Default::default(),
        cache: None,
    });
    // endregion

    let show = |fragment| gpu.create_render_pipeline("plasma/show", &shader, "cover", fragment, target.format);
    Ok(Box::new(Plasma {
        settings: gpu.create_uniforms("plasma/settings", 16),
        paint,
        show_sampled: show("show_sampled"),
        show_loaded: show("show_loaded"),
        linear: gpu.create_sampler("plasma/linear", wgpu::FilterMode::Linear),
        nearest: gpu.create_sampler("plasma/nearest", wgpu::FilterMode::Nearest),
        field: None,
    }))
}

impl Plasma {
    fn create_field(&self, gpu: &Gpu, width: u32) -> Field {
        // region: texture
        let texture = gpu.create_texture(&wgpu::TextureDescriptor {
            label: Some("plasma/field"),
            size: gpu::extent(width, width * 9 / 16),
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::TEXTURE_BINDING,
            dimension: wgpu::TextureDimension::D2,
            mip_level_count: 1,
            sample_count: 1,
            view_formats: &[],
        });
        let storage_view = texture.create_view(&wgpu::TextureViewDescriptor {
            label: Some("plasma/storage-view"),
            mip_level_count: Some(1),
            ..Default::default()
        });
        // endregion

        // region: bind
        let paint = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("plasma/paint"),
            layout: &self.paint.get_bind_group_layout(0),
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: self.settings.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(&storage_view) },
            ],
        });
        // endregion

        let sampled_view = gpu::view("plasma/sampled-view", &texture);
        let show = |pipeline: &wgpu::RenderPipeline, sampler: Option<&wgpu::Sampler>| {
            let settings = wgpu::BindGroupEntry { binding: 0, resource: self.settings.as_entire_binding() };
            let view = wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(&sampled_view) };
            let sampler = sampler
                .map(|sampler| wgpu::BindGroupEntry { binding: 2, resource: wgpu::BindingResource::Sampler(sampler) });
            gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("plasma/show"),
                layout: &pipeline.get_bind_group_layout(0),
                entries: &[settings, view].into_iter().chain(sampler).collect::<Vec<_>>(),
            })
        };
        let show = [
            show(&self.show_sampled, Some(&self.nearest)),
            show(&self.show_sampled, Some(&self.linear)),
            show(&self.show_loaded, None),
        ];
        Field { texture, paint, show }
    }
}

impl Figure for Plasma {
    fn draw(&mut self, gpu: &Gpu, frame: &mut Frame) {
        let width = frame.values.get("texels") as u32;
        if self.field.as_ref().is_none_or(|field| field.texture.width() != width) {
            self.field = Some(self.create_field(gpu, width));
        }
        let Some(field) = &self.field else { return };
        let settings = gpu::bytes_of([frame.seconds, frame.values.get("zoom")]);
        gpu.queue.write_buffer(&self.settings, 0, &settings);

        // region: passes
        let mut pass = frame.compute("plasma/paint");
        pass.set_pipeline(&self.paint);
        pass.set_bind_group(0, &field.paint, &[]);
        let (width, height) = (field.texture.width(), field.texture.height());
        pass.dispatch_workgroups(width.div_ceil(WORKGROUP), height.div_ceil(WORKGROUP), 1);
        drop(pass);

        let view = frame.values.get("view") as usize;
        let mut pass = frame.render("plasma/show");
        pass.set_pipeline(if view == 2 { &self.show_loaded } else { &self.show_sampled });
        pass.set_bind_group(0, &field.show[view], &[]);
        pass.draw(0..3, 0..1);
        // endregion
    }

    fn textures(&self) -> Vec<(&'static str, &gpu::Texture)> {
        self.field.iter().map(|field| ("field", &field.texture)).collect()
    }

    fn texel_at(&self, values: &Values, at: [f32; 2]) -> Option<Seen> {
        let texture = &self.field.as_ref()?.texture;
        Some(Seen::zoomed([texture.width(), texture.height()], values.get("zoom"), at))
    }
}
