//! `precision`: one picture stored in five formats, and what each of them lost.

use crate::figure::{Control, Entry, Figure, Frame, Seen, Target, Values, WORKGROUP};
use crate::gpu::{self, Gpu, Missing};

/// The row of the registry.
pub(super) const ENTRY: Entry = Entry {
    aspect: 6.0 / 5.0,
    controls: &[
        Control::Choice { id: "tone", options: &["curve", "clip"], needs: &[] },
        // Powers of two.
        Control::Range { id: "exposure", min: -6.0, max: 6.0, step: 0.5, default: 0.0 },
        Control::Range { id: "magnify", min: 0.0, max: 12.0, step: 1.0, default: 5.0 },
    ],
    poster: 3.0,
    ..Entry::new("precision", new)
};

/// Texels across and down. A row is a whole number of 256 bytes, as a copy from a buffer wants it.
const SIZE: [u32; 2] = [384, 44];
/// The part of a row that shows the picture, above what was lost, as the shader has it.
const SEEN: f32 = 44.0 / 64.0;

// region: formats
/// From the top row down, by their names in the shader.
const FORMATS: [(&str, wgpu::TextureFormat); 5] = [
    ("floats", wgpu::TextureFormat::Rgba32Float),
    ("halves", wgpu::TextureFormat::Rgba16Float),
    ("elevens", wgpu::TextureFormat::Rg11b10Ufloat),
    ("tens", wgpu::TextureFormat::Rgb10a2Unorm),
    ("bytes", wgpu::TextureFormat::Rgba8Unorm),
];
// endregion
const RENDERABLE: &str = "rg11b10ufloat-renderable";

struct Precision {
    settings: wgpu::Buffer,
    rows: Vec<Row>,
    encoder: Option<Encoder>,
    show: wgpu::RenderPipeline,
    shown: wgpu::BindGroup,
}

/// The picture in one format. What draws it is missing where the format is no target.
struct Row {
    texture: gpu::Texture,
    view: wgpu::TextureView,
    paint: Option<(wgpu::RenderPipeline, wgpu::BindGroup)>,
}

/// Makes the texels of a format that is no target.
struct Encoder {
    words: wgpu::Buffer,
    encode: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
}

fn new(gpu: &Gpu, target: &Target, wgsl: &str) -> Result<Box<dyn Figure>, Missing> {
    let shader = gpu.create_shader("precision/shader", wgsl);
    let settings = gpu.create_uniforms("precision/settings", 16);
    let size = gpu::extent(SIZE[0], SIZE[1]);

    // region: targets
    let rows: Vec<_> = FORMATS
        .map(|(label, format)| {
            let is_target = format != wgpu::TextureFormat::Rg11b10Ufloat || gpu.has(RENDERABLE);
            let filled = if is_target { wgpu::TextureUsages::RENDER_ATTACHMENT } else { wgpu::TextureUsages::COPY_DST };
            let usage = filled | wgpu::TextureUsages::TEXTURE_BINDING;
            let texture = gpu.create_flat_texture(label, format, size, usage);
            let view = gpu::view(label, &texture);
            let paint = is_target.then(|| {
                let paint = gpu.create_render_pipeline(label, &shader, "cover", "paint", format);
                let layout = paint.get_bind_group_layout(0);
                let group = gpu.create_bind_group(label, &layout, &[settings.as_entire_binding()]);
                (paint, group)
            });
            Row { texture, view, paint }
        })
        .into();
    // endregion

    let encoder = (!gpu.has(RENDERABLE)).then(|| {
        let words = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("precision/words"),
            size: u64::from(SIZE[0] * SIZE[1] * 4),
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let encode = gpu.create_compute_pipeline("precision/encode", &shader, "encode");
        let resources = [settings.as_entire_binding(), words.as_entire_binding()];
        let group = gpu.create_bind_group("precision/encode", &encode, &resources);
        Encoder { words, encode, group }
    });
    let show = gpu.create_render_pipeline("precision/show", &shader, "cover", "show", target.format);
    let views = rows.iter().map(|row| wgpu::BindingResource::TextureView(&row.view));
    let resources: Vec<_> = [settings.as_entire_binding()].into_iter().chain(views).collect();
    let shown = gpu.create_bind_group("precision/show", &show, &resources);
    Ok(Box::new(Precision { settings, rows, encoder, show, shown }))
}

impl Figure for Precision {
    fn draw(&mut self, gpu: &Gpu, frame: &mut Frame) {
        let [tone, exposure, magnify] = ["tone", "exposure", "magnify"].map(|id| frame.values.get(id));
        gpu.queue.write_buffer(&self.settings, 0, &gpu::bytes_of([frame.seconds, tone, exposure, magnify]));

        // region: passes
        for row in &self.rows {
            if let Some((paint, group)) = &row.paint {
                let mut pass = frame.render_into("precision/paint", &row.view, None);
                pass.set_pipeline(paint);
                pass.set_bind_group(0, group, &[]);
                pass.draw(0..3, 0..1);
            } else if let Some(encoder) = &self.encoder {
                let mut pass = frame.compute("precision/encode");
                pass.set_pipeline(&encoder.encode);
                pass.set_bind_group(0, &encoder.group, &[]);
                pass.dispatch_workgroups(SIZE[0].div_ceil(WORKGROUP), SIZE[1].div_ceil(WORKGROUP), 1);
                drop(pass);
                let layout = wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(SIZE[0] * 4),
                    rows_per_image: Some(SIZE[1]),
                };
                let words = wgpu::TexelCopyBufferInfo { buffer: &encoder.words, layout };
                frame.encoder.copy_buffer_to_texture(words, row.texture.as_image_copy(), row.texture.size());
            }
        }
        // endregion

        frame.cover("precision/show", &self.show, &self.shown);
    }

    fn textures(&self) -> Vec<(&'static str, &gpu::Texture)> {
        FORMATS.iter().zip(&self.rows).map(|((name, _), row)| (*name, &row.texture)).collect()
    }

    fn texel_at(&self, _values: &Values, at: [f32; 2]) -> Option<Seen> {
        let y = at[1] * FORMATS.len() as f32;
        let texture = y as usize;
        let row = texture as f32;
        let [top, bottom] = if y - row < SEEN { [row, row + SEEN] } else { [row + SEEN, row + 1.0] };
        let [top, bottom] = [top, bottom].map(|y| y / FORMATS.len() as f32);
        Some(Seen { texture, ..Seen::placed(SIZE, [0.0, top], [1.0, bottom], at) })
    }

    fn readings(&self) -> Vec<(&'static str, String)> {
        let way = if self.encoder.is_some() { "copyBufferToTexture" } else { "beginRenderPass" };
        vec![("way", way.to_owned())]
    }
}
