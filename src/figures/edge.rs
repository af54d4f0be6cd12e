//! `edge`: a brush that runs off the texture, and a dispatch that is rounded up past it.

use crate::figure::{Control, Entry, Figure, Frame, Seen, Target, Values, WORKGROUP};
use crate::gpu::{self, Gpu, Missing};

/// The row of the registry.
pub(super) const ENTRY: Entry = Entry {
    aspect: VIEW[0] / VIEW[1],
    controls: &[
        Control::Choice { id: "guard", options: &["off", "on"], needs: &[] },
        // The middle of the brush, in texels from the middle of the picture.
        Control::Range { id: "x", min: -VIEW[0] / 2.0, max: VIEW[0] / 2.0, step: 1.0, default: -17.0 },
        Control::Range { id: "y", min: -VIEW[1] / 2.0, max: VIEW[1] / 2.0, step: 1.0, default: -6.0 },
        Control::Range { id: "radius", min: 1.0, max: 12.0, step: 1.0, default: 7.0 },
        Control::Range { id: "texels", min: 1.0, max: 42.0, step: 1.0, default: 37.0 },
    ],
    drag: &["x", "y"],
    poster: 5.0,
    ..Entry::new("edge", new)
};

/// Texels across and down the canvas, the texture in the middle of them, as the shader has it.
const VIEW: [f32; 2] = [64.0, 36.0];

struct Edge {
    settings: wgpu::Buffer,
    ground: wgpu::ComputePipeline,
    brush: wgpu::ComputePipeline,
    show: wgpu::RenderPipeline,
    field: Option<Field>,
    counts: Counts,
}

/// The texture and its bind groups; made anew when its size changes.
struct Field {
    texture: gpu::Texture,
    ground: wgpu::BindGroup,
    brush: wgpu::BindGroup,
    show: wgpu::BindGroup,
}

/// What the last picture showed.
#[derive(Default)]
struct Counts {
    /// The texel under the middle of the brush; it need not exist.
    place: [i32; 2],
    /// Texels that the brush covers, and how many of them the texture does not have.
    covered: u32,
    outside: u32,
}

fn new(gpu: &Gpu, target: &Target, wgsl: &str) -> Result<Box<dyn Figure>, Missing> {
    let shader = gpu.create_shader("edge/shader", wgsl);
    Ok(Box::new(Edge {
        settings: gpu.create_uniforms("edge/settings", 32),
        ground: gpu.create_compute_pipeline("edge/ground", &shader, "ground"),
        brush: gpu.create_compute_pipeline("edge/brush", &shader, "brush"),
        show: gpu.create_render_pipeline("edge/show", &shader, "cover", "show", target.format),
        field: None,
        counts: Counts::default(),
    }))
}

impl Edge {
    fn create_field(&self, gpu: &Gpu, width: u32) -> Field {
        let size = gpu::extent(width, (width * 9).div_ceil(16));
        let texture = gpu.create_storage_texture("edge/field", wgpu::TextureFormat::Rgba8Unorm, size, 1);
        let view = gpu::view("edge/view", &texture);
        let resources = [self.settings.as_entire_binding(), wgpu::BindingResource::TextureView(&view)];
        let group = |label, layout: &dyn gpu::Layout| gpu.create_bind_group(label, layout, &resources);
        let ground = group("edge/ground", &self.ground);
        let brush = group("edge/brush", &self.brush);
        let show = group("edge/show", &self.show);
        Field { texture, ground, brush, show }
    }
}

impl Counts {
    /// Those of a brush of `radius` about `middle` on a texture of `size` texels.
    fn new(middle: [f32; 2], radius: f32, size: [u32; 2]) -> Self {
        let mut counts = Self { place: middle.map(|at| at.floor() as i32), covered: 0, outside: 0 };
        let [x, y] = counts.place;
        let reach = radius as i32 + 1;
        for row in y - reach..=y + reach {
            for column in x - reach..=x + reach {
                let [dx, dy] = [column as f32 + 0.5 - middle[0], row as f32 + 0.5 - middle[1]];
                if dx * dx + dy * dy < radius * radius {
                    let is_inside = (0..size[0] as i32).contains(&column) && (0..size[1] as i32).contains(&row);
                    counts.covered += 1;
                    counts.outside += u32::from(!is_inside);
                }
            }
        }
        counts
    }
}

impl Figure for Edge {
    fn draw(&mut self, gpu: &Gpu, frame: &mut Frame) {
        let width = frame.values.get("texels") as u32;
        if self.field.as_ref().is_none_or(|field| field.texture.width() != width) {
            self.field = Some(self.create_field(gpu, width));
        }
        let Some(field) = &self.field else { return };
        let (width, height) = (field.texture.width(), field.texture.height());
        let [x, y, radius, guard] = ["x", "y", "radius", "guard"].map(|id| frame.values.get(id));
        let middle = [x + width as f32 / 2.0, y + height as f32 / 2.0];
        self.counts = Counts::new(middle, radius, [width, height]);
        let settings = gpu::bytes_of([frame.seconds, radius, middle[0], middle[1], guard]);
        gpu.queue.write_buffer(&self.settings, 0, &settings);

        // region: dispatches
        let mut pass = frame.compute("edge/store");
        pass.set_pipeline(&self.ground);
        pass.set_bind_group(0, &field.ground, &[]);
        pass.dispatch_workgroups(width.div_ceil(WORKGROUP), height.div_ceil(WORKGROUP), 1);

        let across = (2 * radius as u32 + 1).div_ceil(WORKGROUP);
        pass.set_pipeline(&self.brush);
        pass.set_bind_group(0, &field.brush, &[]);
        pass.dispatch_workgroups(across, across, 1);
        // endregion
        drop(pass);

        frame.cover("edge/show", &self.show, &field.show);
    }

    fn textures(&self) -> Vec<(&'static str, &gpu::Texture)> {
        self.field.iter().map(|field| ("field", &field.texture)).collect()
    }

    fn texel_at(&self, _values: &Values, at: [f32; 2]) -> Option<Seen> {
        let texture = &self.field.as_ref()?.texture;
        let size = [texture.width(), texture.height()];
        let reach = [0, 1].map(|axis| size[axis] as f32 / VIEW[axis] / 2.0);
        Some(Seen::placed(size, reach.map(|reach| 0.5 - reach), reach.map(|reach| 0.5 + reach), at))
    }

    fn readings(&self) -> Vec<(&'static str, String)> {
        let size = self.field.as_ref().map(|field| field.texture.size()).unwrap_or_default();
        let [across, down] = [size.width, size.height].map(|side| side.next_multiple_of(WORKGROUP));
        let [column, row] = self.counts.place;
        vec![
            ("invocations", (across * down).to_string()),
            ("overhang", (across * down - size.width * size.height).to_string()),
            ("column", column.to_string()),
            ("row", row.to_string()),
            ("covered", self.counts.covered.to_string()),
            ("outside", self.counts.outside.to_string()),
        ]
    }
}
