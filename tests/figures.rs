//! Every figure against its reference picture, on a software Vulkan.
//!
//! `cargo xtask bless` writes the pictures anew; look at them before you commit them. They are the posters of the pages
//! too, so they lie in `www/img/figures/`.

// A test that cannot go on stops here, and says so.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use texelarium::figure::{Control, Entry, Figure, Frame, Pace, Shaders, Target, Values};
use texelarium::gpu::{FEATURES, Gpu, extent, readback::Readback};

/// Width of a reference picture in texels: a whole number of pixels for each texel of `plasma`, so that no texel edge lies
/// on a pixel's centre, where each driver would round it its own way.
const WIDTH: u32 = 768;
/// Largest difference of a channel, out of 255, and largest share of texels that differ by more than 1.
const THRESHOLD: (u8, f64) = (3, 0.0005);

/// A device on a software Vulkan (lavapipe); a real GPU would do, but the references were drawn on this one.
fn gpu() -> Gpu {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = wgpu::Backends::VULKAN;
    let instance = wgpu::Instance::new(descriptor);
    let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::VULKAN));
    let adapter = adapters.into_iter().find(|adapter| adapter.get_info().device_type == wgpu::DeviceType::Cpu);
    let adapter = adapter.expect("no software Vulkan: install mesa-vulkan-drivers (or its like)");
    let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
        required_features: adapter.features() & wgpu::Features::TIMESTAMP_QUERY,
        ..Default::default()
    }))
    .unwrap();
    let features = FEATURES.iter().copied().filter(|name| *name == "timestamp-query").collect();
    Gpu::new(device, queue, features)
}

/// The figure's picture as RGBA bytes: `height` rows of `width` texels.
fn draw(gpu: &Gpu, entry: &Entry, values: &Values, seconds: f32, width: u32, height: u32) -> Vec<u8> {
    let mut figure = create(gpu, entry);
    draw_with(&mut *figure, gpu, entry, values, seconds, width, height)
}

fn create(gpu: &Gpu, entry: &Entry) -> Box<dyn Figure> {
    (entry.new)(gpu, &Target { format: wgpu::TextureFormat::Rgba8Unorm }, &Shaders::default()).unwrap()
}

/// The same of a figure that may have drawn before.
fn draw_with(
    figure: &mut dyn Figure,
    gpu: &Gpu,
    entry: &Entry,
    values: &Values,
    seconds: f32,
    width: u32,
    height: u32,
) -> Vec<u8> {
    let target = gpu.create_texture(&wgpu::TextureDescriptor {
        label: Some("test/target"),
        size: extent(width, height),
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: entry.usage,
        view_formats: &[],
    });
    let encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("test/frame") });
    let mut frame =
        Frame { seconds, step: entry.step(f64::from(seconds)), values, target: &target, encoder, timer: None };
    figure.draw(gpu, &mut frame);
    let mut encoder = frame.encoder;
    let picture = Readback::record(gpu, &mut encoder, &target, 0, [0; 3], [width, height]);
    gpu.queue.submit([encoder.finish()]);
    pollster::block_on(picture.bytes(gpu)).unwrap()
}

fn reference(id: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("www/img/figures/{id}.png"))
}

fn blessing() -> bool {
    std::env::var_os("TEXELARIUM_BLESS").is_some()
}

/// Largest channel difference, and the share of texels that differ by more than 1.
fn difference(a: &[u8], b: &[u8]) -> (u8, f64) {
    assert_eq!(a.len(), b.len());
    let texels = a.chunks_exact(4).zip(b.chunks_exact(4));
    let worst = |(a, b): (&[u8], &[u8])| a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
    let worsts: Vec<u8> = texels.map(worst).collect();
    let off = worsts.iter().filter(|worst| **worst > 1).count();
    (worsts.iter().copied().max().unwrap_or(0), off as f64 / worsts.len() as f64)
}

#[test]
fn every_figure_draws_its_reference() {
    let gpu = gpu();
    for entry in texelarium::figures::ALL {
        let height = (WIDTH as f32 / entry.aspect).round() as u32;
        let drawn = draw(&gpu, entry, &Values::new(entry.controls), entry.poster, WIDTH, height);
        let path = reference(entry.id);
        if blessing() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            image::save_buffer(&path, &drawn, WIDTH, height, image::ColorType::Rgba8).unwrap();
        }
        let stored = image::open(&path).unwrap_or_else(|error| {
            panic!("{}: {error}; `cargo xtask bless` draws it", path.display());
        });
        let (most, share) = difference(&drawn, &stored.to_rgba8());
        assert!(
            most <= THRESHOLD.0 && share <= THRESHOLD.1,
            "{}: {share} of the texels differ, by up to {most}; if the new picture is right, `cargo xtask bless`",
            entry.id
        );
    }
}

#[test]
fn every_control_changes_the_picture() {
    let gpu = gpu();
    for entry in texelarium::figures::ALL {
        let start = Values::new(entry.controls);
        let before = draw(&gpu, entry, &start, entry.poster, 320, 180);
        for control in entry.controls.iter().filter(|control| control.id() != "speed") {
            // An option that needs what this device lacks shows what another does.
            let offered = |value: f32| match control {
                Control::Choice { options, needs, .. } => {
                    let option = control.nearest(value).map(|at| options[at as usize]);
                    !needs.iter().any(|(name, feature)| Some(*name) == option && !gpu.has(feature))
                }
                Control::Range { .. } => true,
            };
            let changed = [f32::MAX, f32::MIN, 1.0].into_iter().filter(|end| offered(*end)).any(|end| {
                let mut values = start.clone();
                assert!(values.set(control.id(), end), "{}.{} takes {end}", entry.id, control.id());
                draw(&gpu, entry, &values, entry.poster, 320, 180) != before
            });
            assert!(changed, "{}.{} changes nothing", entry.id, control.id());
        }
    }
}

#[test]
fn a_control_that_comes_back_brings_the_picture_back() {
    let gpu = gpu();
    for entry in texelarium::figures::ALL {
        let start = Values::new(entry.controls);
        let mut figure = create(&gpu, entry);
        let mut draw = |values: &Values| draw_with(&mut *figure, &gpu, entry, values, entry.poster, 320, 180);
        let before = draw(&start);
        for control in entry.controls {
            let mut values = start.clone();
            assert!(values.set(control.id(), f32::MAX));
            let moved = draw(&values);
            let fresh = draw_with(&mut *create(&gpu, entry), &gpu, entry, &values, entry.poster, 320, 180);
            assert!(moved == fresh, "{}.{} moved is not as if it had begun there", entry.id, control.id());
            assert!(draw(&start) == before, "{}.{} does not come back", entry.id, control.id());
        }
    }
}

#[test]
fn a_picture_is_a_function_of_controls_and_seconds() {
    let gpu = gpu();
    for entry in texelarium::figures::ALL {
        let values = Values::new(entry.controls);
        let at = |seconds| draw(&gpu, entry, &values, seconds, 64, 36);
        assert_eq!(at(1.0), at(1.0), "{} draws twice the same", entry.id);
        if entry.pace != Pace::OnChange {
            assert_ne!(at(1.0), at(3.0), "{} moves", entry.id);
        }
        // One texel, one column, and a size that no workgroup divides.
        for (width, height) in [(1, 1), (1, 97), (613, 3)] {
            draw(&gpu, entry, &values, entry.poster, width, height);
        }
    }
}

#[test]
fn plasma_through_nearest_and_load_agree() {
    let gpu = gpu();
    let entry = texelarium::figures::find("plasma").unwrap();
    let [nearest, linear, load] = [0.0, 1.0, 2.0];
    let seen = |view: f32, zoom: f32| {
        let mut values = Values::new(entry.controls);
        assert!(values.set("view", view) && values.set("zoom", zoom));
        draw(&gpu, entry, &values, 2.4, 640, 360)
    };
    for zoom in [1.0, 7.0, 32.0] {
        assert_eq!(seen(nearest, zoom), seen(load, zoom), "at {zoom}×");
        assert!(difference(&seen(nearest, zoom), &seen(linear, zoom)).1 > 0.1, "at {zoom}×");
    }
}

/// The strip over every page is a dithered row of `plasma`, a dot for eight pixels.
#[test]
fn the_strip_is_a_row_of_plasma() {
    const COLUMNS: u32 = 150;
    const ROWS: u32 = 3;
    const DOT: u32 = 8;
    // Bayer's 4 × 4 thresholds, of which three rows are used.
    const BAYER: [[u32; 4]; 3] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9]];
    let gpu = gpu();
    let entry = texelarium::figures::find("plasma").unwrap();
    let picture = draw(&gpu, entry, &Values::new(entry.controls), entry.poster, COLUMNS, COLUMNS * 9 / 16);
    let strip = image::GrayAlphaImage::from_fn(COLUMNS * DOT, ROWS * DOT, |x, y| {
        let (column, row) = (x / DOT, y / DOT);
        let texel = ((40 + row) * COLUMNS + column) as usize * 4;
        let [r, g, b] = [0, 1, 2].map(|channel| u32::from(picture[texel + channel]));
        let dark = 255 - (r * 54 + g * 183 + b * 19) / 256;
        // Dense on the left, and fading out to the right.
        let ink = (128 + dark / 2) * (COLUMNS - column) / COLUMNS;
        let on = ink * 16 > 255 * (BAYER[row as usize][(column % 4) as usize] + 1);
        image::LumaA([0, if on { 255 } else { 0 }])
    });
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("www/img/texels.png");
    if blessing() {
        strip.save(&path).unwrap();
    }
    let stored = image::open(&path).unwrap().to_luma_alpha8();
    let off = strip.pixels().zip(stored.pixels()).filter(|(a, b)| a.0[1] != b.0[1]).count();
    assert!(off <= 64 * 4, "{off} texels of the strip differ; `cargo xtask bless` draws it anew");
}
