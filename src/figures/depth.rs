//! `depth`: a depth buffer, loaded by a shader and asked by a comparison sampler.

use crate::figure::{Control, Entry, Figure, Frame, Seen, Target, Values};
use crate::gpu::{self, Gpu, Missing};

/// The row of the registry.
pub(super) const ENTRY: Entry = Entry {
    controls: &[
        Control::Choice { id: "middle", options: &["stored", "distance"], needs: &[] },
        // Halvings of a metre.
        Control::Range { id: "near", min: 0.0, max: 12.0, step: 1.0, default: 0.0 },
        Control::Choice { id: "format", options: &["depth16unorm", "depth24plus", "depth32float"], needs: &[] },
        Control::Range { id: "speed", min: 0.0, max: 2.0, step: 0.1, default: 1.0 },
    ],
    poster: 5.0,
    ..Entry::new("depth", new)
};

/// In the order of the control `format`.
const FORMATS: [wgpu::TextureFormat; 3] =
    [wgpu::TextureFormat::Depth16Unorm, wgpu::TextureFormat::Depth24Plus, wgpu::TextureFormat::Depth32Float];
/// Texels across and down.
const SIZE: [u32; 2] = [256, 432];
/// Panes of the picture, side by side.
const PANES: f32 = 3.0;
/// Boxes of the scene, as the shader has it, and vertices of a box.
const BOXES: u32 = 21;
const VERTICES: u32 = 36;

struct Depth {
    shader: wgpu::ShaderModule,
    settings: wgpu::Buffer,
    comparing: wgpu::Sampler,
    copy: wgpu::ComputePipeline,
    show: wgpu::RenderPipeline,
    scene: gpu::Texture,
    copied: gpu::Texture,
    attached: Option<Attached>,
    near: u32,
}

/// The depth buffer and what depends on its format.
struct Attached {
    texture: gpu::Texture,
    views: [wgpu::TextureView; 2],
    draw: wgpu::RenderPipeline,
    settings: wgpu::BindGroup,
    copy: wgpu::BindGroup,
    show: wgpu::BindGroup,
}

fn new(gpu: &Gpu, target: &Target, wgsl: &str) -> Result<Box<dyn Figure>, Missing> {
    let shader = gpu.create_shader("depth/shader", wgsl);
    let size = gpu::extent(SIZE[0], SIZE[1]);
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
    Ok(Box::new(Depth {
        settings: gpu.create_uniforms("depth/settings", 16),
        // region: comparing
        comparing: gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("depth/comparing"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            compare: Some(wgpu::CompareFunction::Less),
            ..Default::default()
        }),
        // endregion
        copy: gpu.create_compute_pipeline("depth/copy", &shader, "copy"),
        show: gpu.create_render_pipeline("depth/show", &shader, "cover", "show", target.format),
        scene: gpu.create_flat_texture("depth/scene", wgpu::TextureFormat::Rgba8Unorm, size, usage),
        copied: gpu.create_storage_texture("depth/copied", wgpu::TextureFormat::R32Float, size, 1),
        shader,
        attached: None,
        near: 0,
    }))
}

impl Depth {
    fn attach(&self, gpu: &Gpu, format: wgpu::TextureFormat) -> Attached {
        // region: attachment
        let texture = gpu.create_texture(&wgpu::TextureDescriptor {
            label: Some("depth/buffer"),
            size: gpu::extent(SIZE[0], SIZE[1]),
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            dimension: wgpu::TextureDimension::D2,
            mip_level_count: 1,
            sample_count: 1,
            view_formats: &[],
        });
        let test = wgpu::DepthStencilState {
            format,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::Less),
            stencil: Default::default(),
            bias: Default::default(),
        };
        // endregion
        let target = self.scene.format().into();
        let entry_points = ["corner_of_box", "lit"];
        let draw = gpu.create_render_pipeline_with("depth/draw", &self.shader, entry_points, target, Some(test), None);
        let [scene, depth, copied] =
            [&self.scene, &texture, &self.copied].map(|texture| gpu::view("depth/view", texture));
        let texel = wgpu::BindingResource::TextureView;
        let settings = self.settings.as_entire_binding();
        let comparing = wgpu::BindingResource::Sampler(&self.comparing);
        Attached {
            settings: gpu.create_bind_group("depth/draw", &draw, std::slice::from_ref(&settings)),
            copy: gpu.create_bind_group("depth/copy", &self.copy, &[texel(&depth), texel(&copied)]),
            show: gpu.create_bind_group("depth/show", &self.show, &[settings, texel(&depth), texel(&scene), comparing]),
            views: [scene, depth],
            texture,
            draw,
        }
    }
}

impl Figure for Depth {
    fn draw(&mut self, gpu: &Gpu, frame: &mut Frame) {
        let format = FORMATS[frame.values.get("format") as usize];
        if self.attached.as_ref().is_none_or(|attached| attached.texture.format() != format) {
            self.attached = Some(self.attach(gpu, format));
        }
        let Some(attached) = &self.attached else { return };
        self.near = 1 << frame.values.get("near") as u32;
        let settings = [frame.seconds, 1.0 / self.near as f32, frame.values.get("middle")];
        gpu.queue.write_buffer(&self.settings, 0, &gpu::bytes_of(settings));

        let [scene, depth] = &attached.views;
        let mut pass = frame.render_into("depth/draw", scene, Some(depth));
        pass.set_pipeline(&attached.draw);
        pass.set_bind_group(0, &attached.settings, &[]);
        pass.draw(0..VERTICES, 0..BOXES);
        drop(pass);

        frame.dispatch("depth/copy", &self.copy, &attached.copy, self.copied.size());

        frame.cover("depth/show", &self.show, &attached.show);
    }

    fn textures(&self) -> Vec<(&'static str, &gpu::Texture)> {
        vec![("scene", &self.scene), ("copied", &self.copied)]
    }

    /// In the first pane the scene; in the others what was copied from the depth buffer, which has no such bytes to show.
    fn texel_at(&self, _values: &Values, at: [f32; 2]) -> Option<Seen> {
        let (pane, seen) = Seen::in_pane(SIZE, PANES, at);
        Some(Seen { texture: pane.min(1), ..seen })
    }

    fn readings(&self) -> Vec<(&'static str, String)> {
        vec![("part", self.near.to_string())]
    }
}
