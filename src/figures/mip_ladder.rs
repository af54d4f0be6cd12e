//! `mip-ladder`: one view and one dispatch a level fills a whole mip chain.

use crate::figure::{Control, Entry, Figure, Frame, Seen, Target, Values, WORKGROUP};
use crate::gpu::{self, Gpu, Missing};

/// The row of the registry.
pub(super) const ENTRY: Entry = Entry {
    aspect: ASPECT,
    controls: &[
        Control::Choice { id: "filter", options: &["box", "nearest"], needs: &[] },
        Control::Range { id: "level", min: 0.0, max: (LEVELS - 1) as f32, step: 1.0, default: 0.0 },
        Control::Range { id: "texels", min: 1.0, max: 128.0, step: 1.0, default: 90.0 },
        Control::Range { id: "speed", min: 0.0, max: 2.0, step: 0.1, default: 1.0 },
    ],
    poster: 4.2,
    ..Entry::new("mip-ladder", new)
};

/// Levels of the largest texture, as the shader has it.
const LEVELS: usize = 8;
/// Width over height of the canvas.
const ASPECT: f32 = 2.0;
/// Between two levels and around all, in heights of the canvas.
const GAP: f32 = 0.03;
/// For the numbers under the levels, in heights of the canvas.
const FOOT: f32 = 0.08;

struct MipLadder {
    settings: wgpu::Buffer,
    paint: wgpu::ComputePipeline,
    halve: wgpu::ComputePipeline,
    show: wgpu::RenderPipeline,
    chain: Option<Chain>,
    /// The level that is drawn large.
    shown: u32,
}

/// The texture and its bind groups; made anew when its size changes.
struct Chain {
    texture: gpu::Texture,
    paint: wgpu::BindGroup,
    /// For level 1 and on.
    halve: Vec<wgpu::BindGroup>,
    show: wgpu::BindGroup,
}

fn new(gpu: &Gpu, target: &Target, wgsl: &str) -> Result<Box<dyn Figure>, Missing> {
    let shader = gpu.create_shader("mip-ladder/shader", wgsl);
    Ok(Box::new(MipLadder {
        settings: gpu.create_uniforms("mip-ladder/settings", 32 + 16 * LEVELS as u64),
        paint: gpu.create_compute_pipeline("mip-ladder/paint", &shader, "paint"),
        halve: gpu.create_compute_pipeline("mip-ladder/halve", &shader, "halve"),
        show: gpu.create_render_pipeline("mip-ladder/show", &shader, "quad", "show", target.format),
        chain: None,
        shown: 0,
    }))
}

impl MipLadder {
    fn create_chain(&self, gpu: &Gpu, side: u32) -> Chain {
        // region: levels
        let levels = u32::BITS - side.leading_zeros();
        let texture = gpu.create_storage_texture(
            "mip-ladder/chain",
            wgpu::TextureFormat::Rgba8Unorm,
            gpu::extent(side, side),
            levels,
        );
        let views: Vec<_> = (0..levels)
            .map(|level| {
                texture.create_view(&wgpu::TextureViewDescriptor {
                    label: Some("mip-ladder/level"),
                    base_mip_level: level,
                    mip_level_count: Some(1),
                    ..Default::default()
                })
            })
            .collect();
        let layout = self.halve.get_bind_group_layout(0);
        let halve = views.iter().zip(views.iter().skip(1)).map(|(finer, coarser)| {
            let [finer, coarser] = [finer, coarser].map(wgpu::BindingResource::TextureView);
            let resources = [self.settings.as_entire_binding(), finer, coarser];
            gpu.create_bind_group("mip-ladder/halve", &layout, &resources)
        });
        // endregion
        let halve = halve.collect();
        let group = |label, layout: &dyn gpu::Layout, view: &wgpu::TextureView| {
            let view = wgpu::BindingResource::TextureView(view);
            gpu.create_bind_group(label, layout, &[self.settings.as_entire_binding(), view])
        };
        let first = texture.create_view(&wgpu::TextureViewDescriptor {
            label: Some("mip-ladder/first"),
            mip_level_count: Some(1),
            ..Default::default()
        });
        let all = gpu::view("mip-ladder/all", &texture);
        let paint = group("mip-ladder/paint", &self.paint, &first);
        let show = group("mip-ladder/show", &self.show, &all);
        Chain { texture, paint, halve, show }
    }
}

/// Side of a level of a square texture in texels (WebGPU, *Logical Miplevel Specific Texture Extent*).
fn side_of(texture: &wgpu::Texture, level: u32) -> u32 {
    (texture.width() >> level).max(1)
}

/// Where each of so many levels is drawn, as left, top, right, bottom of the canvas: side by side, `shown` the largest
/// and the others smaller the farther they are from it.
fn places(levels: u32, shown: u32) -> Vec<[f32; 4]> {
    let weight = |level: u32| {
        const LARGEST: [f32; 4] = [1.0, 0.7, 0.4, 0.25];
        LARGEST.get(level.abs_diff(shown) as usize).copied().unwrap_or(0.2)
    };
    let sum: f32 = (0..levels).map(weight).sum();
    let gaps = GAP * (levels + 1) as f32;
    let unit = ((ASPECT - gaps) / sum).min(1.0 - 2.0 * GAP - FOOT);
    let bottom = f32::midpoint(1.0, unit) - FOOT / 2.0;
    let mut left = (ASPECT - gaps - unit * sum) / 2.0 + GAP;
    (0..levels)
        .map(|level| {
            let side = unit * weight(level);
            let place = [left / ASPECT, bottom - side, (left + side) / ASPECT, bottom];
            left += side + GAP;
            place
        })
        .collect()
}

impl Figure for MipLadder {
    fn draw(&mut self, gpu: &Gpu, frame: &mut Frame) {
        let side = frame.values.get("texels") as u32;
        if self.chain.as_ref().is_none_or(|chain| chain.texture.width() != side) {
            self.chain = Some(self.create_chain(gpu, side));
        }
        let Some(chain) = &self.chain else { return };
        let levels = chain.texture.mip_level_count();
        self.shown = (frame.values.get("level") as u32).min(levels - 1);
        let [nearest, shown] = [frame.values.get("filter"), self.shown as f32];
        let pixel = [frame.target.width(), frame.target.height()].map(|side| 1.0 / side as f32);
        let mut settings = gpu::bytes_of([frame.seconds, nearest, pixel[0], pixel[1], shown, 0.0, 0.0, 0.0]);
        settings.extend(places(levels, self.shown).into_iter().flat_map(gpu::bytes_of));
        gpu.queue.write_buffer(&self.settings, 0, &settings);

        // region: dispatches
        let mut pass = frame.compute("mip-ladder/fill");
        let workgroups = |level| side_of(&chain.texture, level).div_ceil(WORKGROUP);
        pass.set_pipeline(&self.paint);
        pass.set_bind_group(0, &chain.paint, &[]);
        pass.dispatch_workgroups(workgroups(0), workgroups(0), 1);

        pass.set_pipeline(&self.halve);
        for (level, group) in (1..).zip(&chain.halve) {
            pass.set_bind_group(0, group, &[]);
            pass.dispatch_workgroups(workgroups(level), workgroups(level), 1);
        }
        // endregion
        drop(pass);

        let mut pass = frame.render("mip-ladder/show");
        pass.set_pipeline(&self.show);
        pass.set_bind_group(0, &chain.show, &[]);
        pass.draw(0..6, 0..1 + 2 * levels);
    }

    fn textures(&self) -> Vec<(&'static str, &gpu::Texture)> {
        self.chain.iter().map(|chain| ("chain", &chain.texture)).collect()
    }

    fn texel_at(&self, _values: &Values, at: [f32; 2]) -> Option<Seen> {
        let texture = &self.chain.as_ref()?.texture;
        // The level under the place, or the nearest to its left.
        let places = places(texture.mip_level_count(), self.shown);
        let level = places.iter().rposition(|[left, ..]| *left <= at[0]).unwrap_or(0);
        let [left, top, right, bottom] = *places.get(level)?;
        let level = level as u32;
        Some(Seen { level, ..Seen::placed([side_of(texture, level); 2], [left, top], [right, bottom], at) })
    }

    fn readings(&self) -> Vec<(&'static str, String)> {
        let Some(chain) = &self.chain else { return Vec::new() };
        let sides = (0..chain.texture.mip_level_count()).map(|level| side_of(&chain.texture, level));
        // Four bytes a texel.
        let bytes = |side: u32| side * side * 4;
        vec![
            ("levels", chain.texture.mip_level_count().to_string()),
            ("sides", sides.clone().map(|side| side.to_string()).collect::<Vec<_>>().join(", ")),
            ("shown", self.shown.to_string()),
            ("side", side_of(&chain.texture, self.shown).to_string()),
            ("first", bytes(chain.texture.width()).to_string()),
            ("all", sides.map(bytes).sum::<u32>().to_string()),
        ]
    }
}
