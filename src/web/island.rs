//! One figure on the page: its canvas, controls, clock and states.

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Element, HtmlCanvasElement, HtmlInputElement};

use super::dom::{Dom, attribute, fixed, mark, number, show, slot, text};
use super::inspect::Inspector;
use super::measure;
use super::words::Words;
use super::{address, stage};
use crate::figure::{Control, Entry, Figure, Frame, Pace, Target, Values, within};
use crate::gpu::measure::Measure;
use crate::gpu::readback::{copy_buffer, read_buffer};
use crate::gpu::{Gpu, MIN_MAX_TEXTURE_DIMENSION_2D, Missing, timer::Timer};

/// Pictures under way to the GPU at most: more would only add delay.
const IN_FLIGHT: u32 = 2;
/// Milliseconds between two pictures whose passes are timed: reading the times back costs the CPU more than a small figure.
const TIMING_MS: f64 = 80.0;
/// The last second that an address may ask for: an `f32` still tells it from the next frame's.
const LAST_SECOND: f32 = 10_000.0;
/// Milliseconds between two refreshes of the numbers beside a running figure.
const READOUT_MS: f64 = 500.0;

/// The question that stands before a figure, not yet answered: a browser keeps answers over a reload.
const UNANSWERED: &str = ":scope>.ask:not(:has(:checked))";

/// A figure that has woken.
pub(super) struct Island {
    pub(super) root: Element,
    entry: &'static Entry,
    canvas: HtmlCanvasElement,
    surface: wgpu::Surface<'static>,
    format: wgpu::TextureFormat,
    /// Built with the first picture on a device: what nobody looks at costs no GPU anything.
    live: Option<Live>,
    values: Values,
    inspector: Option<Inspector>,
    playing: bool,
    /// It stands although it plays, for something else needs the GPU.
    pub(super) held: bool,
    /// It stands paused behind a veil, until the reader has said what it will show.
    veiled: bool,
    /// The pointer drags over it: its address and its description wait for the end.
    pub(super) is_dragged: bool,
    /// Whether any of it is on screen.
    pub(super) visible: bool,
    /// A picture is due although it does not play.
    due: bool,
    /// The description is due with the next picture: it tells what the figure then says of itself.
    undescribed: bool,
    seconds: f64,
    /// Time of the last picture, in milliseconds of the page; none after a pause.
    last: Option<f64>,
    /// Size the canvas should have in device pixels, and whether the address fixes it.
    size: (u32, u32),
    fixed: bool,
    /// Pictures whose GPU work is done, on every device so far.
    pictures: u32,
    /// When a picture was last timed, and when the numbers were last shown, in milliseconds of the page.
    timed: f64,
    readout: f64,
}

/// What dies with its device.
struct Live {
    figure: Box<dyn Figure>,
    timer: Option<Timer>,
    configured: (u32, u32),
    submitted: u32,
    done: u32,
    /// Sum and number of the times to `onSubmittedWorkDone`, where there are no timestamps.
    latency: (f64, u32),
}

impl Live {
    /// Builds the figure; a shader or pipeline that is refused shows in `root`, later.
    fn new(
        words: &Words,
        gpu: &Gpu,
        entry: &Entry,
        format: wgpu::TextureFormat,
        root: &Element,
    ) -> Result<Self, Missing> {
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let figure = (entry.new)(gpu, &Target { format }, &wgsl(root));
        let error = scope.pop();
        let (words, root) = (words.clone(), root.clone());
        spawn_local(async move {
            if let Some(error) = error.await {
                set_state(&words, &root, "error");
                text(&root, "problem", &error.to_string());
            }
        });
        let timer = Timer::new(gpu, entry.id);
        Ok(Self { figure: figure?, timer, configured: (0, 0), submitted: 0, done: 0, latency: (0.0, 0) })
    }
}

impl Island {
    /// Wakes the figure in `root`; an error is shown there, and is its state.
    pub(super) fn wake(dom: &Dom, words: &Words, instance: &wgpu::Instance, gpu: &Gpu, root: Element) -> Option<Self> {
        let entry = crate::figures::find(&root.get_attribute("data-figure")?)?;
        let picture = slot(&root, "picture")?;
        attribute(&root, "data-poster", &fixed(f64::from(entry.poster), 2));
        let format = crate::gpu::raw::preferred_canvas_format();
        if let Err(missing) = gpu.require(entry.features) {
            give_up(words, &root, &missing);
            return None;
        }
        let mut values = Values::new(entry.controls);
        for control in entry.controls {
            if let Some(value) = address::read(dom, entry.id, control.id())
                && missing(gpu, control, &value).is_none()
            {
                address::set(control, &mut values, &value);
            }
        }
        if let Some(slot) = slot(&root, "controls") {
            slot.set_inner_html(&controls_html(words, gpu, entry, &values));
        }
        if entry.pace == Pace::OnChange {
            for act in ["play", "step", "restart"] {
                if let Ok(Some(button)) = root.query_selector(&format!("[data-act={act}]")) {
                    show(&button, false);
                }
            }
        }
        if entry.measure.is_some() {
            measure::offer(&root);
        }
        let canvas: HtmlCanvasElement = dom.document.create_element("canvas").ok()?.unchecked_into();
        for (name, value) in
            [("tabindex", "0"), ("role", "img"), ("aria-describedby", &*format!("{}-describe", entry.id))]
        {
            attribute(&canvas, name, value);
        }
        attribute(&canvas, "aria-label", &words.get(&format!("figures.{}.alt", entry.id)));
        // A finger that drags over it does not scroll the page.
        if !entry.drag.is_empty() {
            let _ = canvas.style().set_property("touch-action", "none");
        }
        let _ = picture.append_child(&canvas);
        let asked_size = address::read(dom, entry.id, "size").and_then(|size| address::parse_size(&size));
        if let Some((width, height)) = asked_size {
            // Shown texel for device pixel, wherever the page would have put it.
            let ratio = dom.window.device_pixel_ratio();
            for (name, side) in [("width", width), ("height", height)] {
                let _ = canvas.style().set_property(name, &(fixed(f64::from(side) / ratio, 4) + "px"));
            }
        }
        let surface = instance.create_surface(wgpu::SurfaceTarget::Canvas(canvas.clone())).ok()?;
        let second = address::read(dom, entry.id, "t")
            .and_then(|t| number(&t))
            .map(|t| f64::from(within(t as f32, 0.0, LAST_SECOND)));
        let still = dom.reduced_motion().then_some(f64::from(entry.poster));
        let start = second.or(still);
        // Whoever follows a link to a picture sees it.
        if address::mentions(dom, entry.id) {
            attribute(&root, "data-predicted", "");
        }
        let veiled =
            root.query_selector(UNANSWERED).is_ok_and(|ask| ask.is_some()) && !root.has_attribute("data-predicted");
        let island = Self {
            playing: entry.pace != Pace::OnChange && start.is_none() && !veiled,
            held: false,
            is_dragged: false,
            veiled,
            seconds: start.unwrap_or(0.0),
            inspector: Inspector::new(&root),
            size: asked_size.unwrap_or_default(),
            fixed: asked_size.is_some(),
            root,
            entry,
            canvas,
            surface,
            format,
            live: None,
            values,
            visible: false,
            due: true,
            undescribed: true,
            last: None,
            pictures: 0,
            timed: 0.0,
            readout: 0.0,
        };
        island.show_state(words);
        Some(island)
    }

    /// Learns what the observers will say a few frames later, so that the first picture need not wait for them. All figures
    /// are awake by then, or each would have the whole page laid out anew.
    pub(super) fn place(&mut self, dom: &Dom) {
        let ratio = dom.window.device_pixel_ratio();
        let rect = self.canvas.get_bounding_client_rect();
        let window_height = dom.window.inner_height().ok().and_then(|height| height.as_f64()).unwrap_or_default();
        self.visible = rect.top() < window_height && rect.bottom() > 0.0;
        self.resize((rect.width() * ratio).round() as u32, (rect.height() * ratio).round() as u32);
    }

    /// Goes on, where it stood, on a new device; gives whether that device can show it.
    pub(super) fn revive(&mut self, words: &Words, gpu: &Gpu) -> bool {
        // What was wrong on the last device need not be on this one.
        attribute(&self.root, "data-state", "waiting");
        text(&self.root, "problem", "");
        if let Err(missing) = gpu.require(self.entry.features) {
            give_up(words, &self.root, &missing);
            self.canvas.remove();
            return false;
        }
        self.live = None;
        self.due = true;
        // The device may have taken along what was counted for the description.
        self.undescribed = true;
        self.last = None;
        self.show_state(words);
        true
    }

    /// Takes the canvas from its device, which is about to be destroyed: Firefox stops calling for frames otherwise.
    pub(super) fn unconfigure(&self) {
        if let Ok(Some(context)) = self.canvas.get_context("webgpu")
            && let Ok(unconfigure) = js_sys::Reflect::get(&context, &"unconfigure".into())
        {
            let _ = unconfigure.unchecked_ref::<js_sys::Function>().call0(&context);
        }
    }

    /// The size of its box in device pixels.
    pub(super) fn resize(&mut self, width: u32, height: u32) {
        if !self.fixed {
            let limit = MIN_MAX_TEXTURE_DIMENSION_2D;
            let size = (width.clamp(1, limit), height.clamp(1, limit));
            self.due |= size != self.size;
            self.size = size;
        }
    }

    /// The element whose box is the canvas's.
    pub(super) const fn canvas(&self) -> &HtmlCanvasElement {
        &self.canvas
    }

    /// Whether it wants the next display frame.
    pub(super) fn wants_frame(&self) -> bool {
        self.visible && (self.playing && !self.held || self.due) && self.size.0 > 0
    }

    /// Whether the GPU still works on a picture.
    pub(super) fn is_under_way(&self) -> bool {
        self.under_way() > 0
    }

    /// The pictures that the GPU still works on.
    fn under_way(&self) -> u32 {
        self.live.as_ref().map_or(0, |live| live.submitted - live.done)
    }

    /// Draws a picture, if one is due and the GPU keeps up; `now` is in milliseconds of the page.
    pub(super) fn tick(&mut self, dom: &Dom, words: &Words, gpu: &Gpu, at: stage::Place, now: f64) {
        if !self.wants_frame() || self.under_way() >= IN_FLIGHT {
            return;
        }
        if self.playing {
            // A frame that came late, after a stall or a hidden tab, does not leap.
            let passed = self.last.map_or(0.0, |last| within((now - last) as f32, 0.0, 100.0));
            self.seconds += f64::from(passed) / 1000.0 * self.speed();
            self.last = Some(now);
        }
        self.due = false;
        if self.live.is_none() {
            match Live::new(words, gpu, self.entry, self.format, &self.root) {
                Ok(live) => self.live = Some(live),
                Err(missing) => {
                    self.playing = false;
                    give_up(words, &self.root, &missing);
                }
            }
        }
        let Some(live) = &mut self.live else { return };
        // A new size takes effect with the picture that fills it, in one task: nothing blank is ever shown.
        if live.configured != self.size {
            live.configured = self.size;
            self.surface.configure(
                &gpu.device,
                &wgpu::SurfaceConfiguration {
                    usage: self.entry.usage,
                    format: self.format,
                    color_space: wgpu::SurfaceColorSpace::Auto,
                    width: self.size.0,
                    height: self.size.1,
                    present_mode: wgpu::PresentMode::Fifo,
                    alpha_mode: wgpu::CompositeAlphaMode::Opaque,
                    desired_maximum_frame_latency: 2,
                    view_formats: Vec::new(),
                },
            );
        }
        let wgpu::CurrentSurfaceTexture::Success(target) = self.surface.get_current_texture() else {
            return;
        };
        let label = format!("{}/frame", self.entry.id);
        let encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some(&label) });
        let is_timed = now - self.timed > TIMING_MS;
        if is_timed {
            self.timed = now;
        }
        let mut frame = Frame {
            seconds: self.seconds as f32,
            step: self.entry.step(self.seconds),
            values: &self.values,
            target: &target.texture,
            encoder,
            timer: live.timer.as_mut().filter(|_| is_timed),
        };
        live.figure.draw(gpu, &mut frame);
        let mut encoder = frame.encoder;
        if let Some(timer) = &live.timer {
            timer.resolve(&mut encoder);
        }
        let asked = self
            .inspector
            .as_mut()
            .and_then(|inspector| inspector.record(gpu, &mut encoder, &*live.figure, &self.values, now, self.playing));
        let describes = std::mem::take(&mut self.undescribed);
        let counted = live.figure.counted().filter(|_| describes);
        let counted = counted.map(|(name, buffer)| (name, copy_buffer(gpu, &mut encoder, buffer)));
        gpu.queue.submit([encoder.finish()]);
        gpu.queue.present(target);
        if let Some(timer) = &mut live.timer {
            timer.read(gpu.queue.get_timestamp_period());
        }
        if let Some(asked) = asked {
            spawn_local(asked.show(gpu.clone()));
        }
        live.submitted += 1;
        if describes {
            self.describe(words, gpu, counted);
        }
        if let Some(queue) = gpu.queue.as_webgpu() {
            let work = queue.on_submitted_work_done();
            let submitted = dom.now();
            spawn_local(async move {
                let _ = JsFuture::from(work).await;
                stage::picture_done(at, submitted);
            });
        }
        if now - self.readout > READOUT_MS {
            self.readout = now;
            self.read_out(words);
        }
    }

    /// The GPU work of a picture is done, which was submitted at `submitted`.
    pub(super) fn picture_done(&mut self, submitted: f64, now: f64) {
        let Some(live) = &mut self.live else { return };
        live.done += 1;
        live.latency.0 += now - submitted;
        live.latency.1 += 1;
        self.pictures += 1;
        attribute(&self.root, "data-frame", &self.pictures.to_string());
    }

    /// Numbers beside the picture: GPU time of each pass where the device has timestamps, else the time until the
    /// work was done, and the label says which.
    fn read_out(&mut self, words: &Words) {
        let Some(live) = &mut self.live else { return };
        let passes = live.timer.as_mut().map(Timer::take).unwrap_or_default();
        let (time, how) = if !passes.is_empty() {
            let passes: Vec<_> = passes
                .iter()
                .map(|(label, ms, _)| format!("{} {} ms", label.rsplit('/').next().unwrap_or_default(), fixed(*ms, 2)))
                .collect();
            (passes.join(" · "), "time.timestamps")
        } else if live.timer.is_none() && live.latency.1 > 0 {
            (fixed(live.latency.0 / f64::from(live.latency.1), 1) + " ms", "time.done")
        } else {
            return;
        };
        live.latency = (0.0, 0);
        text(&self.root, "time", &time);
        text(&self.root, "how", &words.get(how));
    }

    /// A control has come to rest: the next picture is described.
    pub(super) fn describe_next(&mut self) {
        self.undescribed = true;
        self.due = true;
    }

    /// What is to be seen now, in words; they wait for what the GPU counted, where it counts.
    fn describe(&self, words: &Words, gpu: &Gpu, counted: Option<(&'static str, wgpu::Buffer)>) {
        let Some(Live { figure, .. }) = &self.live else { return };
        let id = self.entry.id;
        // One sentence for all, or one for each option of the first choice.
        let mut key = format!("figures.{id}.describe");
        let choice = self.entry.controls.iter().find(|control| matches!(control, Control::Choice { .. }));
        if let Some(choice) = choice.filter(|_| !words.has(&key)) {
            key = format!("{key}.{}", address::text(choice, &self.values));
        }
        let controls = self.entry.controls.iter().map(|control| (control.id(), address::text(control, &self.values)));
        let size = figure.textures().first().map(|(_, texture)| texture.size()).unwrap_or_default();
        let size = [("width", size.width), ("height", size.height)].map(|(name, side)| (name, side.to_string()));
        let mut values: Vec<_> = controls.chain(figure.readings()).chain(size).collect();
        let Some((name, buffer)) = counted else {
            text(&self.root, "describe", &words.fill(&key, &values));
            return;
        };
        let (words, gpu, root) = (words.clone(), gpu.clone(), self.root.clone());
        spawn_local(async move {
            if let Some(&[a, b, c, d, ..]) = read_buffer(&gpu, &buffer).await.as_deref() {
                values.push((name, u32::from_le_bytes([a, b, c, d]).to_string()));
                text(&root, "describe", &words.fill(&key, &values));
            }
        });
    }

    /// The reader has said what the picture will show: it is shown.
    pub(super) fn unveil(&mut self, dom: &Dom, words: &Words) {
        if std::mem::take(&mut self.veiled) {
            attribute(&self.root, "data-predicted", "");
            self.playing = self.entry.pace != Pace::OnChange && !dom.reduced_motion();
            self.due = true;
            self.show_state(words);
        }
    }

    /// The reader drags over the canvas, both axes 0 to 1. Where there are panes, each is a whole picture.
    pub(super) fn drag(&mut self, at: [f32; 2]) {
        let panes = self.root.query_selector_all(".panes li").map_or(1, |panes| panes.length().max(1)) as f32;
        let at = [within(at[0], 0.0, 0.9999) * panes % 1.0, at[1]];
        for (name, at) in self.entry.drag.iter().zip(at) {
            let control = self.entry.controls.iter().find(|control| control.id() == *name);
            if let Some(control @ Control::Range { min, max, .. }) = control {
                self.due |= self.values.set(name, min + (max - min) * at);
                let value = address::text(control, &self.values);
                let selector = format!("input[name=\"{}.{name}\"]", self.entry.id);
                if let Ok(Some(input)) = self.root.query_selector(&selector) {
                    show_value(input.unchecked_ref(), &value);
                }
            }
        }
        self.is_dragged = !self.entry.drag.is_empty();
    }

    /// An input of the figure changed.
    pub(super) fn set(&mut self, name: &str, input: &HtmlInputElement) {
        let Some(control) = self.entry.controls.iter().find(|control| control.id() == name) else {
            return;
        };
        if address::set(control, &mut self.values, &input.value()) {
            self.due = true;
            if matches!(control, Control::Range { .. }) {
                show_value(input, &address::text(control, &self.values));
            }
        }
    }

    /// A button of the figure was pressed.
    pub(super) fn act(&mut self, dom: &Dom, words: &Words, act: &str) {
        match act {
            "play" => {
                self.playing = !self.playing;
                self.last = None;
            }
            "step" => {
                self.playing = false;
                self.seconds = match self.entry.pace {
                    // To the middle of a step, which no rounding takes for another.
                    Pace::Steps(rate) => (f64::from(self.entry.step(self.seconds)) + 1.5) / f64::from(rate),
                    Pace::Animated | Pace::OnChange => self.seconds + 1.0 / 60.0,
                };
            }
            "restart" => {
                self.seconds = 0.0;
                self.last = None;
            }
            "link" => self.copy_link(dom, words),
            "save" => self.save(dom),
            _ => return,
        }
        self.due = true;
        self.show_state(words);
    }

    /// The reader points at the canvas, both axes 0 to 1.
    pub(super) fn point(&mut self, at: [f32; 2]) {
        if let Some(inspector) = &mut self.inspector {
            inspector.at = at.map(|at| within(at, 0.0, 0.9999));
            self.due = true;
        }
    }

    /// The reader moves the inspected texel with the arrow keys.
    pub(super) fn point_by(&mut self, by: [f32; 2]) {
        if let (Some(inspector), Some(live)) = (&mut self.inspector, &self.live) {
            inspector.step(&*live.figure, &self.values, by);
            self.due = true;
        }
    }

    /// What the reader may have timed here.
    pub(super) const fn measure(&self) -> Option<&'static Measure> {
        self.entry.measure.as_ref()
    }

    /// The controls that are not at their start, for the address.
    pub(super) fn address(&self) -> Vec<(&'static str, Option<String>)> {
        let of = |control: &Control| {
            let id = control.id();
            let moved = self.values.get(id) != control.default();
            (id, moved.then(|| address::text(control, &self.values)))
        };
        self.entry.controls.iter().map(of).collect()
    }

    /// Its name in the address.
    pub(super) const fn id(&self) -> &'static str {
        self.entry.id
    }

    fn speed(&self) -> f64 {
        let has_speed = self.entry.controls.iter().any(|control| control.id() == "speed");
        if has_speed { f64::from(self.values.get("speed")) } else { 1.0 }
    }

    fn show_state(&self, words: &Words) {
        // Nothing draws there, whatever is pressed.
        if matches!(self.root.get_attribute("data-state").as_deref(), Some("unavailable" | "error")) {
            return;
        }
        set_state(words, &self.root, if self.playing { "running" } else { "paused" });
        if let Ok(Some(button)) = self.root.query_selector("[data-act=play]") {
            let act = if self.playing { "pause" } else { "play" };
            mark(&button, act);
            text(&button, "label", &words.get(&format!("act.{act}")));
        }
    }

    fn copy_link(&self, dom: &Dom, words: &Words) {
        let mut values = self.address();
        if self.entry.pace != Pace::OnChange {
            let seconds = match self.entry.pace {
                Pace::Steps(rate) => (f64::from(self.entry.step(self.seconds)) + 0.5) / f64::from(rate),
                Pace::Animated | Pace::OnChange => self.seconds,
            };
            values.push(("t", Some(fixed(seconds, 2))));
        }
        let Some(link) = address::write(dom, self.entry.id, &values) else {
            return;
        };
        let link = format!("{}#{}", link.split('#').next().unwrap_or_default(), self.entry.id);
        let (dom, words, root) = (dom.clone(), words.clone(), self.root.clone());
        spawn_local(async move {
            let copied = dom.copy(&link).await;
            text(&root, "done", &words.get(if copied { "link.copied" } else { "link.in-address" }));
        });
    }

    /// Offers the picture as a PNG file. The canvas keeps its picture for `toDataURL` until the next frame.
    fn save(&self, dom: &Dom) {
        let Ok(picture) = self.canvas.to_data_url_with_type("image/png") else {
            return;
        };
        let Ok(link) = dom.document.create_element("a") else {
            return;
        };
        attribute(&link, "href", &picture);
        attribute(&link, "download", &format!("{}-{}.png", self.entry.id, fixed(self.seconds, 2)));
        link.unchecked_ref::<web_sys::HtmlElement>().click();
    }
}

/// There is no such figure on this device.
fn give_up(words: &Words, root: &Element, Missing(feature): &Missing) {
    set_state(words, root, "unavailable");
    text(root, "problem", &words.fill("missing-feature", &[("feature", (*feature).to_owned())]));
}

/// The state, for scripts, for the reader's CSS and in words.
pub(super) fn set_state(words: &Words, root: &Element, state: &str) {
    attribute(root, "data-state", state);
    if let Some(head) = slot(root, "state") {
        mark(&head, state);
        text(&head, "label", &words.get(&format!("state.{state}")));
    }
}

/// The figure's WGSL: what is listed beside it is what runs.
pub(super) fn wgsl(root: &Element) -> String {
    let listing = root.query_selector("[data-file$=\".wgsl\"]").ok().flatten();
    listing.and_then(|listing| listing.text_content()).unwrap_or_default()
}

/// Shows where a range stands.
fn show_value(input: &HtmlInputElement, value: &str) {
    input.set_value(value);
    if let Some(output) = input.next_element_sibling() {
        output.set_text_content(Some(value));
    }
}

/// The feature that the option of a choice needs and the device lacks.
fn missing(gpu: &Gpu, control: &Control, option: &str) -> Option<&'static str> {
    let Control::Choice { needs, .. } = control else { return None };
    needs.iter().find(|(name, feature)| *name == option && !gpu.has(feature)).map(|(_, feature)| *feature)
}

fn controls_html(words: &Words, gpu: &Gpu, entry: &Entry, values: &Values) -> String {
    let Entry { id: figure, races, .. } = entry;
    let mut html = String::new();
    for control in values.controls() {
        let id = control.id();
        let label = words.get(&format!("figures.{figure}.controls.{id}"));
        let value = address::text(control, values);
        match *control {
            Control::Choice { options, .. } => {
                html += &format!("<fieldset class=\"seg\"><legend>{label}</legend><div>");
                for option in options {
                    let word = words.get(&format!("figures.{figure}.options.{option}"));
                    let lacks = missing(gpu, control, option);
                    let state = match lacks {
                        Some(_) => " disabled",
                        None if *option == value => " checked",
                        None => "",
                    };
                    let note = lacks.map(|it| {
                        format!(" <small>{}</small>", words.fill("missing-feature", &[("feature", it.to_owned())]))
                    });
                    let races = if races.contains(&(id, option)) { " data-races" } else { "" };
                    html += &format!(
                        "<label><input type=\"radio\" name=\"{figure}.{id}\" value=\"{option}\"{state}{races}>{word}{}</label>",
                        note.unwrap_or_default()
                    );
                }
                html += "</div></fieldset>";
            }
            Control::Range { min, max, step, .. } => {
                let [min, max, step] = [min, max, step].map(|value| fixed(f64::from(value), 2));
                html += &format!(
                    "<label class=\"ctl\"><span>{label}</span><input type=\"range\" name=\"{figure}.{id}\" min=\"{min}\" \
                     max=\"{max}\" step=\"{step}\" value=\"{value}\"><output>{value}</output></label>"
                );
            }
        }
    }
    html
}
