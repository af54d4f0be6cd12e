//! `srgb-view`: bytes that a shader stored, sampled once as they are and once through a view that decodes sRGB.

use crate::figure::{Control, Entry, Figure, Frame, Seen, Target, Values};
use crate::gpu::{self, Gpu, Missing};

/// The row of the registry.
pub(super) const ENTRY: Entry = Entry {
    controls: &[
        Control::Choice { id: "shown", options: &["sampled", "encoded"], needs: &[] },
        Control::Choice { id: "filter", options: &["nearest", "linear"], needs: &[] },
        Control::Range { id: "texels", min: 8.0, max: 128.0, step: 8.0, default: 48.0 },
        Control::Range { id: "speed", min: 0.0, max: 2.0, step: 0.1, default: 1.0 },
    ],
    poster: 2.0,
    ..Entry::new("srgb-view", new)
};

/// Panes of the picture, side by side.
const PANES: f32 = 3.0;

struct SrgbView {
    settings: wgpu::Buffer,
    paint: wgpu::ComputePipeline,
    show: wgpu::RenderPipeline,
    /// In the order of the control `filter`.
    samplers: [wgpu::Sampler; 2],
    field: Option<Field>,
}

/// The texture and its bind groups; made anew when its size changes.
struct Field {
    texture: gpu::Texture,
    paint: wgpu::BindGroup,
    /// In the order of the control `filter`.
    show: [wgpu::BindGroup; 2],
}

fn new(gpu: &Gpu, target: &Target, wgsl: &str) -> Result<Box<dyn Figure>, Missing> {
    let shader = gpu.create_shader("srgb-view/shader", wgsl);
    Ok(Box::new(SrgbView {
        settings: gpu.create_uniforms("srgb-view/settings", 16),
        paint: gpu.create_compute_pipeline("srgb-view/paint", &shader, "paint"),
        show: gpu.create_render_pipeline("srgb-view/show", &shader, "cover", "show", target.format),
        samplers: [
            gpu.create_sampler("srgb-view/nearest", wgpu::FilterMode::Nearest),
            gpu.create_sampler("srgb-view/linear", wgpu::FilterMode::Linear),
        ],
        field: None,
    }))
}

impl SrgbView {
    fn create_field(&self, gpu: &Gpu, width: u32) -> Field {
        // region: views
        let texture = gpu.create_texture(&wgpu::TextureDescriptor {
            label: Some("srgb-view/field"),
            size: gpu::extent(width, width * 27 / 16),
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::TEXTURE_BINDING,
            dimension: wgpu::TextureDimension::D2,
            mip_level_count: 1,
            sample_count: 1,
            view_formats: &[wgpu::TextureFormat::Rgba8UnormSrgb],
        });
        let raw = gpu::view("srgb-view/raw", &texture);
        let srgb = texture.create_view(&wgpu::TextureViewDescriptor {
            label: Some("srgb-view/srgb"),
            format: Some(wgpu::TextureFormat::Rgba8UnormSrgb),
            // Not the texture's: no shader can store into this format.
            usage: Some(wgpu::TextureUsages::TEXTURE_BINDING),
            ..Default::default()
        });
        // endregion
        let [settings, raw, srgb] = [
            self.settings.as_entire_binding(),
            wgpu::BindingResource::TextureView(&raw),
            wgpu::BindingResource::TextureView(&srgb),
        ];
        let paint = [settings.clone(), raw.clone()];
        let show = self.samplers.each_ref().map(|sampler| {
            let resources = [settings.clone(), raw.clone(), srgb.clone(), wgpu::BindingResource::Sampler(sampler)];
            gpu.create_bind_group("srgb-view/show", &self.show, &resources)
        });
        let paint = gpu.create_bind_group("srgb-view/paint", &self.paint, &paint);
        Field { texture, paint, show }
    }
}

impl Figure for SrgbView {
    fn draw(&mut self, gpu: &Gpu, frame: &mut Frame) {
        let width = frame.values.get("texels") as u32;
        if self.field.as_ref().is_none_or(|field| field.texture.width() != width) {
            self.field = Some(self.create_field(gpu, width));
        }
        let Some(field) = &self.field else { return };
        let settings = gpu::bytes_of([frame.seconds, frame.values.get("shown")]);
        gpu.queue.write_buffer(&self.settings, 0, &settings);

        frame.dispatch("srgb-view/paint", &self.paint, &field.paint, field.texture.size());

        let filter = frame.values.get("filter") as usize;
        frame.cover("srgb-view/show", &self.show, &field.show[filter]);
    }

    fn textures(&self) -> Vec<(&'static str, &gpu::Texture)> {
        self.field.iter().map(|field| ("field", &field.texture)).collect()
    }

    fn texel_at(&self, _values: &Values, at: [f32; 2]) -> Option<Seen> {
        let size = self.field.as_ref()?.texture.size();
        Some(Seen::in_pane([size.width, size.height], PANES, at).1)
    }
}
