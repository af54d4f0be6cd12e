//! `grid`: the texel grid itself, each texel of a storage texture raised as a pillar.

use crate::figure::{Control, Entry, Figure, Frame, Target};
use crate::gpu::{self, Gpu, Missing};

/// The row of the registry.
pub(super) const ENTRY: Entry = Entry {
    aspect: 2.0,
    controls: &[
        Control::Range { id: "texels", min: 8.0, max: 128.0, step: 4.0, default: 64.0 },
        Control::Range { id: "relief", min: 0.0, max: 1.0, step: 0.05, default: 0.6 },
        Control::Range { id: "speed", min: 0.0, max: 2.0, step: 0.1, default: 1.0 },
    ],
    poster: 3.0,
    ..Entry::new("grid", new)
};

/// Vertices of a pillar: four faces of two triangles.
const PILLAR: u32 = 24;

struct Grid {
    settings: wgpu::Buffer,
    paint: wgpu::ComputePipeline,
    show: wgpu::RenderPipeline,
    field: Option<Field>,
}

/// The texture and its bind groups; made anew when its size changes.
struct Field {
    texture: gpu::Texture,
    paint: wgpu::BindGroup,
    show: wgpu::BindGroup,
}

fn new(gpu: &Gpu, target: &Target, wgsl: &str) -> Result<Box<dyn Figure>, Missing> {
    let shader = gpu.create_shader("grid/shader", wgsl);
    Ok(Box::new(Grid {
        settings: gpu.create_uniforms("grid/settings", 16),
        paint: gpu.create_compute_pipeline("grid/paint", &shader, "paint"),
        show: gpu.create_render_pipeline("grid/show", &shader, "pillar", "show", target.format),
        field: None,
    }))
}

impl Grid {
    fn create_field(&self, gpu: &Gpu, width: u32) -> Field {
        let size = gpu::extent(width, width * 5 / 8);
        let texture = gpu.create_storage_texture("grid/field", wgpu::TextureFormat::Rgba8Unorm, size, 1);
        let view = gpu::view("grid/view", &texture);
        let resources = [self.settings.as_entire_binding(), wgpu::BindingResource::TextureView(&view)];
        let group = |label, layout: &dyn gpu::Layout| gpu.create_bind_group(label, layout, &resources);
        let paint = group("grid/paint", &self.paint);
        let show = group("grid/show", &self.show);
        Field { texture, paint, show }
    }
}

impl Figure for Grid {
    fn draw(&mut self, gpu: &Gpu, frame: &mut Frame) {
        let width = frame.values.get("texels") as u32;
        if self.field.as_ref().is_none_or(|field| field.texture.width() != width) {
            self.field = Some(self.create_field(gpu, width));
        }
        let Some(field) = &self.field else { return };
        let aspect = frame.target.width() as f32 / frame.target.height() as f32;
        let settings = gpu::bytes_of([frame.seconds, frame.values.get("relief"), aspect]);
        gpu.queue.write_buffer(&self.settings, 0, &settings);

        let (width, height) = (field.texture.width(), field.texture.height());
        frame.dispatch("grid/paint", &self.paint, &field.paint, field.texture.size());

        let mut pass = frame.render("grid/show");
        pass.set_pipeline(&self.show);
        pass.set_bind_group(0, &field.show, &[]);
        pass.draw(0..PILLAR, 0..width * height);
    }

    fn textures(&self) -> Vec<(&'static str, &gpu::Texture)> {
        self.field.iter().map(|field| ("field", &field.texture)).collect()
    }

    fn readings(&self) -> Vec<(&'static str, String)> {
        let size = self.field.as_ref().map(|field| field.texture.size()).unwrap_or_default();
        vec![("count", (size.width * size.height).to_string())]
    }
}
