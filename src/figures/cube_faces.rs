//! `cube-faces`: six layers stored through one 2d-array view, then sampled as a cube.

use std::f32::consts::{FRAC_PI_8, SQRT_2};

use crate::figure::{Control, Entry, Figure, Frame, Seen, Target, Values};
use crate::gpu::{self, Gpu, Missing};

/// The row of the registry.
pub(super) const ENTRY: Entry = Entry {
    aspect: 2.0 / PANE,
    controls: &[
        Control::Choice { id: "paint", options: &["direction", "layer"], needs: &[] },
        Control::Choice { id: "filter", options: &["linear", "nearest"], needs: &[] },
        Control::Range { id: "texels", min: 1.0, max: 128.0, step: 1.0, default: 64.0 },
        Control::Range { id: "speed", min: 0.0, max: 2.0, step: 0.1, default: 1.0 },
    ],
    poster: 3.0,
    ..Entry::new("cube-faces", new)
};

/// Layers of a cube.
const FACES: u32 = 6;
/// Where the cross shows each layer, in columns and rows of faces from its top left, as the shader has it.
const CROSS: [[f32; 2]; 6] = [[2.0, 1.0], [0.0, 1.0], [1.0, 0.0], [1.0, 2.0], [1.0, 1.0], [3.0, 1.0]];
/// Height of a pane over its width, as the shader has it; what follows is in such widths.
const PANE: f32 = 9.0 / 8.0;
/// Side of a face in the cross, and what is left around it, as the shader has it.
const SIDE: f32 = 0.23;
const GAP: f32 = 0.008;
/// Seconds in which the eye turns by a right angle.
const QUARTER: f32 = 12.0;
/// Half the width of what the eye sees, at distance 1, as the shader has it.
const WIDE: f32 = 0.8;
/// Distance of the middle of the ball, whose radius is 1, as the shader has it.
const BALL: f32 = 2.7;

struct CubeFaces {
    settings: wgpu::Buffer,
    paint: wgpu::ComputePipeline,
    show_layers: wgpu::RenderPipeline,
    show_cube: wgpu::RenderPipeline,
    /// In the order of the control `filter`.
    samplers: [wgpu::Sampler; 2],
    cube: Option<Cube>,
    /// Cosine and sine of the angle by which the eye is turned.
    turn: [f32; 2],
}

/// The texture and its bind groups; made anew when its size changes.
struct Cube {
    texture: gpu::Texture,
    paint: wgpu::BindGroup,
    show_layers: wgpu::BindGroup,
    /// In the order of the control `filter`.
    show_cube: [wgpu::BindGroup; 2],
}

fn new(gpu: &Gpu, target: &Target, wgsl: &str) -> Result<Box<dyn Figure>, Missing> {
    let shader = gpu.create_shader("cube-faces/shader", wgsl);
    let show =
        |vertex, fragment| gpu.create_render_pipeline("cube-faces/show", &shader, vertex, fragment, target.format);
    Ok(Box::new(CubeFaces {
        settings: gpu.create_uniforms("cube-faces/settings", 16),
        paint: gpu.create_compute_pipeline("cube-faces/paint", &shader, "paint"),
        show_layers: show("left", "show_layers"),
        show_cube: show("right", "show_cube"),
        samplers: [wgpu::FilterMode::Linear, wgpu::FilterMode::Nearest]
            .map(|filter| gpu.create_sampler("cube-faces/sampler", filter)),
        cube: None,
        turn: [1.0, 0.0],
    }))
}

impl CubeFaces {
    fn create_cube(&self, gpu: &Gpu, side: u32) -> Cube {
        // region: views
        let texture = gpu.create_storage_texture(
            "cube-faces/texture",
            wgpu::TextureFormat::Rgba8Unorm,
            wgpu::Extent3d { width: side, height: side, depth_or_array_layers: FACES },
            1,
        );
        let view = |label, dimension| {
            texture.create_view(&wgpu::TextureViewDescriptor {
                label: Some(label),
                dimension: Some(dimension),
                ..Default::default()
            })
        };
        let layers = view("cube-faces/layers", wgpu::TextureViewDimension::D2Array);
        let cube = view("cube-faces/cube", wgpu::TextureViewDimension::Cube);
        // endregion

        let [layers, cube] = [&layers, &cube].map(wgpu::BindingResource::TextureView);
        let settings = self.settings.as_entire_binding();
        let paint_layout = self.paint.get_bind_group_layout(0);
        let paint = gpu.create_bind_group("cube-faces/paint", &paint_layout, &[settings.clone(), layers.clone()]);
        let layers_layout = self.show_layers.get_bind_group_layout(0);
        let show_layers = gpu.create_bind_group("cube-faces/show-layers", &layers_layout, &[layers]);
        let cube_layout = self.show_cube.get_bind_group_layout(0);
        let show_cube = self.samplers.each_ref().map(|sampler| {
            let resources = [settings.clone(), cube.clone(), wgpu::BindingResource::Sampler(sampler)];
            gpu.create_bind_group("cube-faces/show-cube", &cube_layout, &resources)
        });
        Cube { texture, paint, show_layers, show_cube }
    }
}

/// Cosine and sine of the angle by which the eye is turned. Within a right angle a polynomial stands for the tangent of
/// half the angle: `f32::sin_cos` would bring a library into the wasm.
fn turn(seconds: f32) -> [f32; 2] {
    let quarters = seconds / QUARTER;
    // −1 to 1, and the tangent of an eighth of a turn and less.
    let x = 2.0 * (quarters - quarters.floor()) - 1.0;
    let tangent = x * (FRAC_PI_8 + (SQRT_2 - 1.0 - FRAC_PI_8) * x * x);
    let square = tangent * tangent;
    let [cos, sin] = [(1.0 - square) / (1.0 + square), 2.0 * tangent / (1.0 + square)];
    match quarters as u32 % 4 {
        0 => [cos, sin],
        1 => [-sin, cos],
        2 => [-cos, -sin],
        _ => [sin, -cos],
    }
}

/// The direction in which the texel lies that the right pane shows at `at`, both axes −1 to 1 from the bottom left.
fn direction(at: [f32; 2], [cos, sin]: [f32; 2]) -> [f32; 3] {
    let dot = |a: [f32; 3], b: [f32; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let ray = [at[0] * WIDE, at[1] * PANE * WIDE, 1.0];
    let length = dot(ray, ray).sqrt();
    let mut ray = ray.map(|axis| axis / length);
    // Where it meets the ball it is thrown back.
    let half = ray[2] * BALL;
    let root = half * half - BALL * BALL + 1.0;
    if root > 0.0 {
        let way = half - root.sqrt();
        let normal = [ray[0] * way, ray[1] * way, ray[2] * way - BALL];
        let into = 2.0 * dot(ray, normal);
        ray = [0, 1, 2].map(|axis| ray[axis] - into * normal[axis]);
    }
    [cos * ray[0] + sin * ray[2], ray[1], cos * ray[2] - sin * ray[0]]
}

/// The layer that a cube view finds in a direction, and where in it, both axes −1 to 1 from the top left.
fn face(direction: [f32; 3]) -> (usize, [f32; 2]) {
    let [x, y, z] = direction;
    let [ax, ay, az] = direction.map(f32::abs);
    let (layer, [u, v], along) = if ax >= ay && ax >= az {
        if x > 0.0 { (0, [-z, -y], ax) } else { (1, [z, -y], ax) }
    } else if ay >= az {
        if y > 0.0 { (2, [x, z], ay) } else { (3, [x, -z], ay) }
    } else if z > 0.0 {
        (4, [x, -y], az)
    } else {
        (5, [-x, -y], az)
    };
    (layer, [u / along, v / along])
}

/// Top left and bottom right corner of a layer in the cross, on the canvas.
fn place(layer: usize) -> [[f32; 2]; 2] {
    let [column, row] = CROSS.get(layer).copied().unwrap_or_default();
    let corner = |inset: f32| [(0.5 + (column - 2.0) * SIDE + inset) / 2.0, 0.5 + ((row - 1.5) * SIDE + inset) / PANE];
    [corner(GAP), corner(SIDE - GAP)]
}

impl Figure for CubeFaces {
    fn draw(&mut self, gpu: &Gpu, frame: &mut Frame) {
        let side = frame.values.get("texels") as u32;
        if self.cube.as_ref().is_none_or(|cube| cube.texture.width() != side) {
            self.cube = Some(self.create_cube(gpu, side));
        }
        let Some(cube) = &self.cube else { return };
        self.turn = turn(frame.seconds);
        let settings = gpu::bytes_of([self.turn[0], self.turn[1], frame.seconds, frame.values.get("paint")]);
        gpu.queue.write_buffer(&self.settings, 0, &settings);

        frame.dispatch("cube-faces/paint", &self.paint, &cube.paint, cube.texture.size());

        let filter = frame.values.get("filter") as usize;
        let mut pass = frame.render("cube-faces/show");
        let panes = [(&self.show_layers, &cube.show_layers, 1 + FACES), (&self.show_cube, &cube.show_cube[filter], 1)];
        for (pipeline, group, quads) in panes {
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, group, &[]);
            pass.draw(0..6, 0..quads);
        }
    }

    fn textures(&self) -> Vec<(&'static str, &gpu::Texture)> {
        self.cube.iter().map(|cube| ("texture", &cube.texture)).collect()
    }

    /// In the right pane, the texel that is seen there; it is shown where the left pane has it.
    fn texel_at(&self, _values: &Values, at: [f32; 2]) -> Option<Seen> {
        let side = self.cube.as_ref()?.texture.width();
        let (layer, at) = if at[0] >= 0.5 {
            let (layer, [u, v]) = face(direction([4.0 * at[0] - 3.0, 1.0 - 2.0 * at[1]], self.turn));
            let [min, max] = place(layer);
            let mix = |axis: usize, at: f32| min[axis] + (max[axis] - min[axis]) * (at + 1.0) / 2.0;
            (layer, [mix(0, u), mix(1, v)])
        } else {
            // The nearest layer.
            let away = |layer: usize| {
                let [min, max] = place(layer);
                let [x, y] = [0, 1].map(|axis| (at[axis] - f32::midpoint(min[axis], max[axis])) * [2.0, PANE][axis]);
                x.abs().max(y.abs())
            };
            ((1..CROSS.len()).fold(0, |near, layer| if away(layer) < away(near) { layer } else { near }), at)
        };
        let [min, max] = place(layer);
        Some(Seen { layer: layer as u32, ..Seen::placed([side; 2], min, max, at) })
    }

    fn readings(&self) -> Vec<(&'static str, String)> {
        let side = self.cube.as_ref().map_or(0, |cube| cube.texture.width());
        vec![("count", (side * side * FACES).to_string())]
    }
}
