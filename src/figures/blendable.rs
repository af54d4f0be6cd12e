//! `blendable`: faint discs of light added up by blending, in 8 bits and in a format of the reader's choice.

use crate::figure::{Control, Entry, Figure, Frame, Seen, Target, Values};
use crate::gpu::{self, Gpu, Missing};

/// The row of the registry.
pub(super) const ENTRY: Entry = Entry {
    controls: &[
        Control::Choice {
            id: "format",
            options: &["rgba16float", "rg11b10ufloat", "rgba32float"],
            needs: &[(FORMATS[2].0, FORMATS[2].2), (FORMATS[3].0, FORMATS[3].2)],
        },
        Control::Range { id: "discs", min: 20.0, max: 600.0, step: 20.0, default: 300.0 },
        // Thousandths.
        Control::Range { id: "light", min: 1.0, max: 64.0, step: 1.0, default: 12.0 },
        // A power of two.
        Control::Range { id: "exposure", min: -4.0, max: 4.0, step: 0.5, default: 1.0 },
        Control::Range { id: "speed", min: 0.0, max: 2.0, step: 0.1, default: 1.0 },
    ],
    poster: 4.0,
    ..Entry::new("blendable", new)
};

/// Texels across and down.
const SIZE: [u32; 2] = [192, 216];
/// Panes of the picture, side by side.
const PANES: f32 = 2.0;

/// Names, formats, and what must be there to blend into them.
const FORMATS: [(&str, wgpu::TextureFormat, &str); 4] = [
    ("rgba8unorm", wgpu::TextureFormat::Rgba8Unorm, ""),
    ("rgba16float", wgpu::TextureFormat::Rgba16Float, ""),
    ("rg11b10ufloat", wgpu::TextureFormat::Rg11b10Ufloat, "rg11b10ufloat-renderable"),
    ("rgba32float", wgpu::TextureFormat::Rgba32Float, "float32-blendable"),
];

struct Blendable {
    settings: wgpu::Buffer,
    show: wgpu::RenderPipeline,
    /// In the order of the formats; those that this device does not blend into are missing.
    sums: Vec<Option<Sum>>,
    /// The one on the right of the last picture, 0 before there is one, and the bind group that shows it.
    chosen: usize,
    shown: Option<wgpu::BindGroup>,
}

/// A texture in which discs are added up.
struct Sum {
    texture: gpu::Texture,
    view: wgpu::TextureView,
    add: wgpu::RenderPipeline,
    settings: wgpu::BindGroup,
}

fn new(gpu: &Gpu, target: &Target, wgsl: &str) -> Result<Box<dyn Figure>, Missing> {
    let shader = gpu.create_shader("blendable/shader", wgsl);
    let settings = gpu.create_uniforms("blendable/settings", 16);

    // region: blend
    let term = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::One,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    };
    let blend = Some(wgpu::BlendState { color: term, alpha: term });
    let sums = FORMATS.map(|(label, format, feature)| {
        let is_blendable = feature.is_empty() || gpu.has(feature);
        is_blendable.then(|| {
            let target = wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL };
            let add = gpu.create_render_pipeline_with(label, &shader, ["disc", "glow"], target, None, None);
            let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
            let texture = gpu.create_flat_texture(label, format, gpu::extent(SIZE[0], SIZE[1]), usage);
            // endregion
            let view = gpu::view(label, &texture);
            let resources = [settings.as_entire_binding()];
            let settings = gpu.create_bind_group(label, &add, &resources);
            Sum { texture, view, add, settings }
        })
    });
    let show = gpu.create_render_pipeline("blendable/show", &shader, "cover", "show", target.format);
    Ok(Box::new(Blendable { settings, show, sums: sums.into(), chosen: 0, shown: None }))
}

impl Blendable {
    /// What is seen: the first format on the left, another on the right.
    fn sums(&self) -> impl Iterator<Item = &Sum> {
        [0, self.chosen].into_iter().filter_map(|at| self.sums[at].as_ref())
    }
}

impl Figure for Blendable {
    fn draw(&mut self, gpu: &Gpu, frame: &mut Frame) {
        let [format, discs, light, exposure] = ["format", "discs", "light", "exposure"].map(|id| frame.values.get(id));
        gpu.queue.write_buffer(&self.settings, 0, &gpu::bytes_of([frame.seconds, discs, light / 1000.0, exposure]));
        let chosen = format as usize + 1;
        let chosen = if self.sums[chosen].is_some() { chosen } else { 1 };
        if self.chosen != chosen {
            self.chosen = chosen;
            let views = self.sums().map(|sum| wgpu::BindingResource::TextureView(&sum.view));
            let resources: Vec<_> = [self.settings.as_entire_binding()].into_iter().chain(views).collect();
            self.shown = Some(gpu.create_bind_group("blendable/show", &self.show, &resources));
        }

        for (label, sum) in ["blendable/left", "blendable/right"].into_iter().zip(self.sums()) {
            let mut pass = frame.render_into(label, &sum.view, None);
            pass.set_pipeline(&sum.add);
            pass.set_bind_group(0, &sum.settings, &[]);
            pass.draw(0..6, 0..discs as u32);
        }
        if let Some(shown) = &self.shown {
            frame.cover("blendable/show", &self.show, shown);
        }
    }

    fn textures(&self) -> Vec<(&'static str, &gpu::Texture)> {
        ["left", "right"].into_iter().zip(self.sums().map(|sum| &sum.texture)).collect()
    }

    fn texel_at(&self, _values: &Values, at: [f32; 2]) -> Option<Seen> {
        let (texture, seen) = Seen::in_pane(SIZE, PANES, at);
        Some(Seen { texture, ..seen })
    }
}
