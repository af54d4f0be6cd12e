//! The inspector: one texel of a figure's texture, read back from the texture itself, and its neighbours magnified.

use wasm_bindgen::{Clamped, JsCast};
use web_sys::{CanvasRenderingContext2d, Element, HtmlCanvasElement, HtmlElement, ImageData};

use super::dom::{attribute, fixed, show, slot, text};
use crate::figure::{Figure, Seen, Values, within};
use crate::gpu::{Gpu, readback::Readback, texel};

/// Texels across the magnifier; the inspected one is in the middle.
const ACROSS: u32 = 11;

/// Where the reader points, and what is under way to show it.
pub(super) struct Inspector {
    panel: Element,
    /// On the canvas, 0 to 1 from the top left.
    pub(super) at: [f32; 2],
    /// When a block was last asked for, in milliseconds of the page.
    asked: f64,
    /// What the cross-hair and the ruler show.
    shown: Option<Seen>,
}

/// A block of texels on its way.
pub(super) struct Asked {
    readback: Readback,
    format: wgpu::TextureFormat,
    /// Texel of the block that is inspected, and the block's width.
    inner: [u32; 2],
    width: u32,
    panel: Element,
}

impl Inspector {
    /// The panel of a figure that has textures; `None` where the page has none.
    pub(super) fn new(root: &Element) -> Option<Self> {
        Some(Self { panel: slot(root, "inspect")?, at: [0.66, 0.37], asked: f64::NEG_INFINITY, shown: None })
    }

    /// Moves by whole texels.
    pub(super) fn step(&mut self, figure: &dyn Figure, values: &Values, by: [f32; 2]) {
        let Some(seen) = figure.texel_at(values, self.at) else {
            return;
        };
        for (axis, at) in self.at.iter_mut().enumerate() {
            let middle = f32::midpoint(seen.min[axis], seen.max[axis]);
            *at = within(middle + by[axis] * (seen.max[axis] - seen.min[axis]), 0.0, 0.9999);
        }
    }

    /// Records the copy of the texels around the inspected one, at most twice a second while it plays.
    pub(super) fn record(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        figure: &dyn Figure,
        values: &Values,
        now: f64,
        playing: bool,
    ) -> Option<Asked> {
        if playing && now - self.asked < 500.0 {
            return None;
        }
        let Some(seen) = figure.texel_at(values, self.at) else {
            show(&self.panel, false);
            return None;
        };
        let (name, texture) = *figure.textures().get(seen.texture)?;
        self.asked = now;
        show(&self.panel, true);
        text(&self.panel, "texture", name);
        let [x, y] = seen.texel;
        text(&self.panel, "texel", &format!("({x}, {y})"));
        for (name, value, several) in [
            ("level", seen.level, texture.mip_level_count() > 1),
            ("layer", seen.layer, texture.depth_or_array_layers() > 1),
        ] {
            if let Some(row) = slot(&self.panel, name).and_then(|value| value.parent_element()) {
                show(&row, several);
            }
            text(&self.panel, name, &value.to_string());
        }
        if self.shown != Some(seen) {
            self.shown = Some(seen);
            self.point(&seen);
        }
        let reach = ACROSS / 2;
        let origin = [x.saturating_sub(reach), y.saturating_sub(reach)];
        let level_side = |side: u32| (side >> seen.level).max(1);
        let end = [(x + reach + 1).min(level_side(texture.width())), (y + reach + 1).min(level_side(texture.height()))];
        let size = [end[0] - origin[0], end[1] - origin[1]];
        Some(Asked {
            readback: Readback::record(gpu, encoder, texture, seen.level, [origin[0], origin[1], seen.layer], size),
            format: texture.format(),
            inner: [x - origin[0], y - origin[1]],
            width: size[0],
            panel: self.panel.clone(),
        })
    }

    /// Draws the cross-hair over the picture, in hundredths of it, and sets the ruler around it.
    fn point(&self, seen: &Seen) {
        let Some(figure) = self.panel.closest("figure").ok().flatten() else {
            return;
        };
        let percent = |at: f32| fixed(f64::from(at) * 100.0, 3);
        if let Some(view) = figure.query_selector(".view").ok().flatten() {
            let view: HtmlElement = view.unchecked_into();
            for (axis, name) in ["x", "y"].into_iter().enumerate() {
                let texel = seen.max[axis] - seen.min[axis];
                let first = seen.min[axis] - texel * seen.texel[axis] as f32;
                let _ = view.style().set_property(&format!("--t{name}"), &(percent(texel) + "%"));
                let _ = view.style().set_property(&format!("--o{name}"), &(percent(first) + "%"));
            }
        }
        let Some(cross) = slot(&figure, "cross") else {
            return;
        };
        let middle = [0, 1].map(|axis| percent(f32::midpoint(seen.min[axis], seen.max[axis])));
        let ([left, top], [right, bottom], [x, y]) = (seen.min.map(percent), seen.max.map(percent), middle);
        let lines = format!("M{x} 0V{top}M{x} {bottom}V100M0 {y}H{left}M{right} {y}H100");
        let texel = format!("M{left} {top}H{right}V{bottom}H{left}z");
        for (path, shape) in [lines, texel.clone(), texel].iter().enumerate() {
            if let Some(path) = cross.children().item(path as u32) {
                attribute(&path, "d", shape);
            }
        }
        show(&cross, true);
    }
}

impl Asked {
    /// Shows the block once it is here.
    pub(super) async fn show(self, gpu: Gpu) {
        let Some(bytes) = self.readback.bytes(&gpu).await else {
            return;
        };
        let size = texel::bytes(self.format) as usize;
        let at = (self.inner[1] * self.width + self.inner[0]) as usize * size;
        let Some(inspected) = bytes.get(at..at + size) else {
            return;
        };
        text(&self.panel, "bytes", &texel::hex(inspected));
        let values = texel::decode(self.format, inspected);
        for (at, channel) in ["r", "g", "b", "a"].into_iter().enumerate() {
            let value = values.get(at).map_or_else(|| "–".to_owned(), |value| fixed(f64::from(*value), 3));
            text(&self.panel, channel, &value);
        }
        let texels: Vec<u8> = bytes
            .chunks_exact(size)
            .flat_map(|bytes| {
                let channels = texel::decode(self.format, bytes);
                // One channel alone is a grey.
                let last = channels.len().saturating_sub(1);
                [0, 1, 2]
                    .map(|channel| (channels.get(last.min(channel)).copied().unwrap_or(0.0) * 255.0).round() as u8)
                    .into_iter()
                    .chain([255])
            })
            .collect();
        let Some(lens) = slot(&self.panel, "lens").and_then(|lens| lens.dyn_into::<HtmlCanvasElement>().ok()) else {
            return;
        };
        let context = lens.get_context("2d").ok().flatten();
        if let Some(context) = context.and_then(|context| context.dyn_into::<CanvasRenderingContext2d>().ok())
            && let Ok(image) = ImageData::new_with_u8_clamped_array(Clamped(&texels), self.width)
        {
            let reach = ACROSS / 2;
            let across = f64::from(ACROSS);
            context.clear_rect(0.0, 0.0, across, across);
            let [dx, dy] = self.inner.map(|inner| f64::from(reach) - f64::from(inner));
            let _ = context.put_image_data(&image, dx, dy);
        }
    }
}
