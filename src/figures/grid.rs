//! `grid`: the texel grid itself, each texel of a storage texture raised as a pillar.

use crate::figure::{Control, Entry, Figure, Frame, Pace, Shader, Shaders, Target};
use crate::gpu::{self, Gpu, Missing};

/// The row of the registry.
pub(super) const ENTRY: Entry = Entry {
    id: "grid",
    features: &[],
    usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
    aspect: 2.0,
    controls: &[
        Control::Range { id: "texels", min: 8.0, max: 128.0, step: 4.0, default: 64.0 },
        Control::Range { id: "relief", min: 0.0, max: 1.0, step: 0.05, default: 0.6 },
        Control::Range { id: "speed", min: 0.0, max: 2.0, step: 0.1, default: 1.0 },
    ],
    drag: &[],
    shaders: &[SHADER],
    pace: Pace::Animated,
    poster: 3.0,
    new,
};

const SHADER: Shader = Shader { name: "grid", source: include_str!("../../shaders/grid.wgsl") };

/// Invocations of a workgroup in x and in y, as the shader has it.
const WORKGROUP: u32 = 8;
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
    texture: wgpu::Texture,
    paint: wgpu::BindGroup,
    show: wgpu::BindGroup,
}

fn new(gpu: &Gpu, target: &Target, shaders: &Shaders) -> Result<Box<dyn Figure>, Missing> {
    let shader = gpu.create_shader("grid/shader", shaders.source(&SHADER));
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
        let view = texture.create_view(&wgpu::TextureViewDescriptor { label: Some("grid/view"), ..Default::default() });
        let resources = [self.settings.as_entire_binding(), wgpu::BindingResource::TextureView(&view)];
        let group = |label, layout: &wgpu::BindGroupLayout| gpu.create_bind_group(label, layout, &resources);
        let paint = group("grid/paint", &self.paint.get_bind_group_layout(0));
        let show = group("grid/show", &self.show.get_bind_group_layout(0));
        Field { texture, paint, show }
    }
}

impl Figure for Grid {
    fn draw(&mut self, gpu: &Gpu, frame: &mut Frame) {
        let width = frame.values.get("texels") as u32;
        if self.field.as_ref().is_none_or(|field| field.texture.width() != width) {
            if let Some(old) = self.field.take() {
                old.texture.destroy();
            }
            self.field = Some(self.create_field(gpu, width));
        }
        let Some(field) = &self.field else { return };
        let aspect = frame.target.width() as f32 / frame.target.height() as f32;
        let settings = gpu::bytes_of([frame.seconds, frame.values.get("relief"), aspect]);
        gpu.queue.write_buffer(&self.settings, 0, &settings);

        let (width, height) = (field.texture.width(), field.texture.height());
        let mut pass = frame.compute("grid/paint");
        pass.set_pipeline(&self.paint);
        pass.set_bind_group(0, &field.paint, &[]);
        pass.dispatch_workgroups(width.div_ceil(WORKGROUP), height.div_ceil(WORKGROUP), 1);
        drop(pass);

        let mut pass = frame.render("grid/show");
        pass.set_pipeline(&self.show);
        pass.set_bind_group(0, &field.show, &[]);
        pass.draw(0..PILLAR, 0..width * height);
    }

    fn textures(&self) -> Vec<(&'static str, &wgpu::Texture)> {
        self.field.iter().map(|field| ("field", &field.texture)).collect()
    }

    fn readings(&self) -> Vec<(&'static str, String)> {
        let size = self.field.as_ref().map(|field| field.texture.size()).unwrap_or_default();
        vec![
            ("width", size.width.to_string()),
            ("height", size.height.to_string()),
            ("count", (size.width * size.height).to_string()),
        ]
    }
}
