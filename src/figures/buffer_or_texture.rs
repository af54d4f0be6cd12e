//! `buffer-or-texture`: one picture stored into a texture and into a buffer, compared byte by byte.

use crate::figure::{Control, Entry, Figure, Frame, Pace, Seen, Target, Values, WORKGROUP};
use crate::gpu::{self, Gpu, Missing};

/// The row of the registry.
pub(super) const ENTRY: Entry = Entry {
    controls: &[
        Control::Choice { id: "packing", options: &["rgba", "bgra"], needs: &[] },
        Control::Range { id: "error", min: -8.0, max: 8.0, step: 1.0, default: 0.0 },
        Control::Range { id: "texels", min: 1.0, max: 256.0, step: 1.0, default: 96.0 },
    ],
    pace: Pace::Steps(30.0),
    poster: 1.0,
    ..Entry::new("buffer-or-texture", new)
};

/// Panes of the picture, side by side.
const PANES: f32 = 3.0;
/// Bytes of a texel, and of a word of the buffer.
const TEXEL: u32 = 4;

struct BufferOrTexture {
    settings: wgpu::Buffer,
    store_texels: wgpu::ComputePipeline,
    store_words: wgpu::ComputePipeline,
    compare: wgpu::ComputePipeline,
    show: wgpu::RenderPipeline,
    count: wgpu::Buffer,
    stated_width: u32,
    pair: Option<Pair>,
}

/// The texture, the buffer and their bind groups; made anew when the size changes.
struct Pair {
    texture: gpu::Texture,
    buffer: wgpu::Buffer,
    store_texels: wgpu::BindGroup,
    store_words: wgpu::BindGroup,
    compare: wgpu::BindGroup,
    show: wgpu::BindGroup,
}

impl Drop for Pair {
    fn drop(&mut self) {
        self.buffer.destroy();
    }
}

fn new(gpu: &Gpu, target: &Target, wgsl: &str) -> Result<Box<dyn Figure>, Missing> {
    let shader = gpu.create_shader("buffer-or-texture/shader", wgsl);
    let compute = |entry_point: &str| {
        gpu.create_compute_pipeline(&format!("buffer-or-texture/{entry_point}"), &shader, entry_point)
    };
    Ok(Box::new(BufferOrTexture {
        settings: gpu.create_uniforms("buffer-or-texture/settings", 32),
        store_texels: compute("store_texels"),
        store_words: compute("store_words"),
        compare: compute("compare"),
        show: gpu.create_render_pipeline("buffer-or-texture/show", &shader, "cover", "show", target.format),
        count: create_buffer(gpu, "buffer-or-texture/count", TEXEL),
        stated_width: 0,
        pair: None,
    }))
}

/// A buffer that shaders write and that can be cleared and copied.
fn create_buffer(gpu: &Gpu, label: &str, size: u32) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: u64::from(size),
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

impl BufferOrTexture {
    fn create_pair(&self, gpu: &Gpu, width: u32) -> Pair {
        let height = width * 27 / 16;
        // region: both
        let texture = gpu.create_texture(&wgpu::TextureDescriptor {
            label: Some("buffer-or-texture/texture"),
            size: gpu::extent(width, height),
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::TEXTURE_BINDING,
            dimension: wgpu::TextureDimension::D2,
            mip_level_count: 1,
            sample_count: 1,
            view_formats: &[],
        });
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("buffer-or-texture/buffer"),
            size: u64::from(width * height * TEXEL),
            usage: wgpu::BufferUsages::STORAGE,
            mapped_at_creation: false,
        });
        // endregion
        let view = gpu::view("buffer-or-texture/view", &texture);
        let settings = || self.settings.as_entire_binding();
        let texels = || wgpu::BindingResource::TextureView(&view);
        let words = || buffer.as_entire_binding();
        let group = |fits: &dyn gpu::Layout, resources: &[wgpu::BindingResource]| {
            gpu.create_bind_group("buffer-or-texture/group", fits, resources)
        };
        Pair {
            store_texels: group(&self.store_texels, &[settings(), texels()]),
            store_words: group(&self.store_words, &[settings(), words()]),
            compare: group(&self.compare, &[settings(), texels(), words(), self.count.as_entire_binding()]),
            show: group(&self.show, &[settings(), texels(), words()]),
            texture,
            buffer,
        }
    }
}

impl Figure for BufferOrTexture {
    fn draw(&mut self, gpu: &Gpu, frame: &mut Frame) {
        let width = frame.values.get("texels") as u32;
        if self.pair.as_ref().is_none_or(|pair| pair.texture.width() != width) {
            self.pair = Some(self.create_pair(gpu, width));
        }
        let Some(pair) = &self.pair else { return };
        let height = pair.texture.height();
        self.stated_width = width.saturating_add_signed(frame.values.get("error") as i32);
        let settings = [width, height, self.stated_width, frame.step, frame.values.get("packing") as u32];
        gpu.queue.write_buffer(&self.settings, 0, &settings.map(u32::to_le_bytes).concat());
        let size = pair.texture.size();

        // region: passes
        frame.dispatch("buffer-or-texture/texture", &self.store_texels, &pair.store_texels, size);

        frame.dispatch("buffer-or-texture/buffer", &self.store_words, &pair.store_words, size);
        // endregion

        frame.encoder.clear_buffer(&self.count, 0, None);
        // Not timed: it belongs to neither.
        let mut pass = frame.encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("buffer-or-texture/compare"),
            timestamp_writes: None,
        });
        pass.set_pipeline(&self.compare);
        pass.set_bind_group(0, &pair.compare, &[]);
        pass.dispatch_workgroups(width.div_ceil(WORKGROUP), height.div_ceil(WORKGROUP), 1);
        drop(pass);

        frame.cover("buffer-or-texture/show", &self.show, &pair.show);
    }

    fn textures(&self) -> Vec<(&'static str, &gpu::Texture)> {
        self.pair.iter().map(|pair| ("picture", &pair.texture)).collect()
    }

    /// In every pane the texture's texel of that place, which is marked in the texture's pane, the first.
    fn texel_at(&self, _values: &Values, at: [f32; 2]) -> Option<Seen> {
        let size = self.pair.as_ref()?.texture.size();
        let pane = (at[0] * PANES) as u32 as f32;
        Some(Seen::placed([size.width, size.height], [0.0; 2], [1.0 / PANES, 1.0], [at[0] - pane / PANES, at[1]]))
    }

    fn readings(&self) -> Vec<(&'static str, String)> {
        let size = self.pair.as_ref().map(|pair| pair.texture.size()).unwrap_or_default();
        let row = size.width * TEXEL;
        vec![
            ("stated", self.stated_width.to_string()),
            ("bytes", (row * size.height).to_string()),
            ("row", row.to_string()),
            ("copied-row", row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT).to_string()),
        ]
    }

    fn counted(&self) -> Option<(&'static str, &wgpu::Buffer)> {
        Some(("differing", &self.count))
    }
}
