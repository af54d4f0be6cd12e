//! All figures of the page: one device, one frame loop, one listener for each kind of event.
//!
//! A figure that is off screen, hidden or paused asks for no frame; when none asks, no frame callback is pending.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use js_sys::{Array, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    Event, HtmlInputElement, IntersectionObserver, IntersectionObserverEntry, KeyboardEvent, MouseEvent,
    ResizeObserver, ResizeObserverBoxOptions, ResizeObserverEntry, ResizeObserverOptions, ResizeObserverSize,
};

use super::address;
use super::dom::{Dom, closest, listen};
use super::island::{self, Island};
use super::words::Words;
use super::{measure, tally};
use crate::gpu::measure::Measured;
use crate::gpu::{Gpu, raw};

thread_local! {
    static STAGE: OnceCell<Rc<Stage>> = const { OnceCell::new() };
}

/// The figures of the page and what they share.
pub(super) struct Stage {
    dom: Dom,
    words: Words,
    gpu: RefCell<Gpu>,
    /// Which device of the page it is: what an earlier one still had to say is not heard.
    generation: Cell<u32>,
    /// The reader asked for the loss of the device.
    provoked: Cell<bool>,
    /// Surfaces die with their instance.
    _instance: Rc<wgpu::Instance>,
    islands: RefCell<Vec<Island>>,
    /// The island whose ways are being timed: until that is done, no figure draws.
    measuring: Cell<Option<usize>>,
    /// Whether a frame callback is pending.
    pending: Cell<bool>,
    on_frame: OnceCell<Closure<dyn FnMut(f64)>>,
    first_picture: RefCell<Option<js_sys::Function>>,
    /// Lives as long as what it observes is observed.
    _seen: IntersectionObserver,
}

/// Milliseconds that claims wait for the first picture: there may be none on screen.
const FIRST_PICTURE_MS: i32 = 1000;

impl Stage {
    /// Wakes every figure of the page.
    pub(super) fn open(dom: &Dom, words: &Words, instance: Rc<wgpu::Instance>, gpu: Gpu) -> Rc<Self> {
        let roots = dom.all("figure[data-figure]");
        let mut islands: Vec<_> =
            roots.into_iter().filter_map(|root| Island::wake(dom, words, &instance, &gpu, root)).collect();
        for island in &mut islands {
            island.place(dom);
        }

        let seen = observe_visibility();
        let sized = observe_size();
        for island in &islands {
            if let Some(seen) = &seen {
                seen.observe(&island.root);
            }
            if let Some(sized) = &sized {
                let options = ResizeObserverOptions::new();
                options.set_box(ResizeObserverBoxOptions::DevicePixelContentBox);
                sized.observe_with_options(island.canvas(), &options);
            }
        }
        std::mem::forget(sized);
        let stage = Rc::new(Self {
            dom: dom.clone(),
            words: words.clone(),
            gpu: RefCell::new(gpu),
            generation: Cell::new(0),
            provoked: Cell::new(false),
            _instance: instance,
            islands: RefCell::new(islands),
            measuring: Cell::new(None),
            pending: Cell::new(false),
            on_frame: OnceCell::new(),
            first_picture: RefCell::new(None),
            _seen: seen.unwrap_or_else(|| JsValue::UNDEFINED.unchecked_into()),
        });
        let _ = stage.on_frame.set(Closure::new(|now| with_stage(|stage| stage.frame(now))));
        STAGE.with(|cell| cell.set(stage.clone()).ok());
        stage.listen();
        stage.watch_errors();
        address::carry_over(dom);
        stage.frame(dom.now());
        stage
    }

    /// Waits for the first finished picture, not for long.
    pub(super) async fn started(&self) {
        let picture = Promise::new(&mut |resolve, _| {
            let _ = self.dom.window.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, FIRST_PICTURE_MS);
            *self.first_picture.borrow_mut() = Some(resolve);
        });
        let _ = JsFuture::from(picture).await;
    }

    /// Goes on, where it stood, on a new device after the loss of the last.
    pub(super) fn revive(self: &Rc<Self>, gpu: Gpu) {
        self.measured(None);
        // One that this device cannot show is given up until the page is loaded again.
        self.islands.borrow_mut().retain_mut(|island| island.revive(&self.words, &gpu));
        *self.gpu.borrow_mut() = gpu;
        self.generation.set(self.generation.get() + 1);
        self.provoked.set(false);
        self.watch_errors();
        self.request_frame();
    }

    /// Whether the reader asked for the loss of the device.
    pub(super) const fn is_loss_provoked(&self) -> bool {
        self.provoked.get()
    }

    /// Destroys the device, as a driver's crash would, at the reader's wish.
    fn lose_device(self: &Rc<Self>) {
        if self.provoked.replace(true) {
            return;
        }
        let stage = self.clone();
        let generation = self.generation.get();
        spawn_local(async move {
            // Firefox calls for no frame ever again if the device goes while one of its pictures is still on the way to
            // the screen, which takes it some frames (2 were too few, 10 enough).
            stage.quiet_frames(15).await;
            // It went by itself meanwhile.
            if stage.generation.get() != generation {
                return;
            }
            for island in stage.islands.borrow().iter() {
                island.unconfigure();
            }
            stage.quiet_frames(2).await;
            stage.gpu.borrow().device.destroy();
        });
    }

    /// Waits for so many display frames in a row with no picture under way.
    async fn quiet_frames(&self, frames: u32) {
        let mut quiet = 0;
        while quiet < frames {
            let frame = Promise::new(&mut |resolve, _| {
                let _ = self.dom.window.request_animation_frame(&resolve);
            });
            let _ = JsFuture::from(frame).await;
            let under_way = self.islands.borrow().iter().any(Island::is_under_way);
            quiet = if under_way { 0 } else { quiet + 1 };
        }
    }

    /// Times the ways of the figure that the event happened in, unless some are being timed.
    fn measure(self: &Rc<Self>, event: &Event) {
        let islands = self.islands.borrow();
        let Some(root) = closest(event, "figure[data-figure]").filter(|_| self.measuring.get().is_none()) else {
            return;
        };
        let root: &web_sys::Element = &root;
        let Some((index, island)) = islands.iter().enumerate().find(|(_, island)| island.root == *root) else { return };
        let Some(measure) = island.measure() else { return };
        self.measuring.set(Some(index));
        measure::set(&self.words, &island.root, &measure::State::Measuring);
        let (stage, gpu, generation) = (self.clone(), self.gpu.borrow().clone(), self.generation.get());
        let wgsl = island::wgsl(&island.root);
        spawn_local(async move {
            let measured = crate::gpu::measure::run(&gpu, measure, &wgsl).await;
            if generation == stage.generation.get() {
                stage.measured(measured);
                stage.request_frame();
            }
        });
    }

    /// Stops what plays, or lets it go on; what the reader changes is drawn all the same.
    pub(super) fn hold(&self, held: bool) {
        for island in self.islands.borrow_mut().iter_mut() {
            island.held = held;
        }
        self.request_frame();
    }

    /// The measuring that was under way has ended; `None` if the device was lost.
    fn measured(&self, measured: Option<Measured>) {
        if let Some(index) = self.measuring.take()
            && let Some(island) = self.islands.borrow().get(index)
        {
            let state = measured.map_or(measure::State::Lost, measure::State::Done);
            measure::set(&self.words, &island.root, &state);
        }
    }

    /// Asks for a display frame if a figure wants one.
    fn request_frame(&self) {
        if !self.pending.get()
            && self.measuring.get().is_none()
            && self.islands.borrow().iter().any(Island::wants_frame)
            && let Some(on_frame) = self.on_frame.get()
        {
            let asked = self.dom.window.request_animation_frame(on_frame.as_ref().unchecked_ref());
            self.pending.set(asked.is_ok());
        }
    }

    fn frame(&self, now: f64) {
        self.pending.set(false);
        let gpu = self.gpu.borrow();
        if !gpu.is_lost() && !self.provoked.get() && self.measuring.get().is_none() {
            for (index, island) in self.islands.borrow_mut().iter_mut().enumerate() {
                island.tick(&self.dom, &self.words, &gpu, Place { index, generation: self.generation.get() }, now);
            }
            self.request_frame();
        }
    }

    /// The island whose figure the event happened in.
    fn with_island(&self, event: &Event, act: impl FnOnce(&mut Island)) {
        let Some(root) = closest(event, "figure[data-figure]") else {
            return;
        };
        let root: &web_sys::Element = &root;
        if let Some(island) = self.islands.borrow_mut().iter_mut().find(|island| island.root == *root) {
            act(island);
        }
        self.request_frame();
    }

    fn listen(self: &Rc<Self>) {
        let document = self.dom.document.clone();
        let on = |kind: &str, act: fn(&Rc<Self>, &Event)| {
            let stage = self.clone();
            listen::<Event>(&document, kind, move |event| act(&stage, &event));
        };
        on("click", |stage, event| {
            let button = closest(event, "[data-act]");
            match button.and_then(|button| button.get_attribute("data-act")).as_deref() {
                Some("lose") => stage.lose_device(),
                Some("forget") => tally::forget(&stage.dom, &stage.words),
                Some("measure") => stage.measure(event),
                Some(act) => stage.with_island(event, |island| island.act(&stage.dom, &stage.words, act)),
                None => {}
            }
        });
        on("input", |stage, event| {
            if let Some((input, name)) = control(event) {
                stage.with_island(event, |island| island.set(&name, &input));
            }
        });
        on("change", |stage, event| {
            if closest(event, ".ask").is_some() {
                let mut measures = false;
                stage.with_island(event, |island| {
                    island.unveil(&stage.dom, &stage.words);
                    measures = measure::is_first(&island.root);
                });
                if measures {
                    stage.measure(event);
                }
            } else if control(event).is_some() {
                stage.with_island(event, |island| {
                    address::write(&stage.dom, island.id(), &island.address());
                    island.describe_next();
                });
            }
        });
        for kind in ["pointermove", "pointerdown", "pointerup", "pointercancel"] {
            on(kind, |stage, event| {
                let pointer: &MouseEvent = event.unchecked_ref();
                let is_pressed = pointer.buttons() & 1 == 1;
                if let Some(canvas) = closest(event, "canvas[tabindex]") {
                    let (x, y) = (pointer.offset_x() as f32, pointer.offset_y() as f32);
                    let (width, height) = (canvas.offset_width() as f32, canvas.offset_height() as f32);
                    let at = [x / width, y / height];
                    stage.with_island(event, |island| {
                        if is_pressed {
                            island.drag(at);
                        }
                        island.point(at);
                    });
                }
                // Wherever it ends: browsers allow few changes of the address a second.
                if !is_pressed && let Some(island) = stage.islands.borrow_mut().iter_mut().find(|it| it.is_dragged) {
                    island.is_dragged = false;
                    address::write(&stage.dom, island.id(), &island.address());
                    island.describe_next();
                }
                stage.request_frame();
            });
        }
        on("keydown", |stage, event| {
            let key: &KeyboardEvent = event.unchecked_ref();
            let by = match key.key().as_str() {
                "ArrowLeft" => [-1.0, 0.0],
                "ArrowRight" => [1.0, 0.0],
                "ArrowUp" => [0.0, -1.0],
                "ArrowDown" => [0.0, 1.0],
                _ => return,
            };
            if closest(event, "canvas[tabindex]").is_some() {
                event.prevent_default();
                stage.with_island(event, |island| island.point_by(by));
            }
        });
    }

    /// What no error scope caught is shown.
    fn watch_errors(self: &Rc<Self>) {
        if let Some(device) = raw::Device::of(&self.gpu.borrow()) {
            let stage = self.clone();
            device.on_uncaptured_error(move |error| {
                // What a lost device complains of is its loss, which is said already.
                if !stage.gpu.borrow().is_lost() {
                    stage.dom.say(&stage.words.get("gpu.uncaptured"), Some(&error.0));
                }
            });
        }
    }
}

fn with_stage(act: impl FnOnce(&Stage)) {
    STAGE.with(|cell| {
        if let Some(stage) = cell.get() {
            act(stage);
        }
    });
}

/// An island, and the device that it drew on.
#[derive(Clone, Copy)]
pub(super) struct Place {
    index: usize,
    generation: u32,
}

/// The GPU work of a picture is done.
pub(super) fn picture_done(at: Place, submitted: f64) {
    with_stage(|stage| {
        if at.generation != stage.generation.get() {
            return;
        }
        if let Some(island) = stage.islands.borrow_mut().get_mut(at.index) {
            island.picture_done(submitted, stage.dom.now());
        }
        stage.request_frame();
        if let Some(resolve) = stage.first_picture.borrow_mut().take() {
            let _ = resolve.call0(&JsValue::UNDEFINED);
        }
    });
}

/// The input of a figure that the event came from, and its control.
fn control(event: &Event) -> Option<(HtmlInputElement, String)> {
    let input: HtmlInputElement = event.target()?.dyn_into().ok()?;
    let name = input.name().split_once('.')?.1.to_owned();
    Some((input, name))
}

fn observe_visibility() -> Option<IntersectionObserver> {
    let callback = Closure::<dyn FnMut(Array)>::new(|entries: Array| {
        with_stage(|stage| {
            for entry in entries.iter().filter_map(|entry| entry.dyn_into::<IntersectionObserverEntry>().ok()) {
                let root = entry.target();
                if let Some(island) = stage.islands.borrow_mut().iter_mut().find(|island| island.root == root) {
                    island.visible = entry.is_intersecting();
                }
            }
            stage.request_frame();
        });
    });
    let observer = IntersectionObserver::new(callback.as_ref().unchecked_ref()).ok();
    callback.forget();
    observer
}

/// Sizes in device pixels, where the browser knows them exactly; else rounded from CSS pixels.
fn observe_size() -> Option<ResizeObserver> {
    let callback = Closure::<dyn FnMut(Array)>::new(|entries: Array| {
        with_stage(|stage| {
            for entry in entries.iter().filter_map(|entry| entry.dyn_into::<ResizeObserverEntry>().ok()) {
                let (width, height) = device_pixels(&stage.dom, &entry);
                let canvas = entry.target();
                let mut islands = stage.islands.borrow_mut();
                if let Some(island) = islands.iter_mut().find(|island| **island.canvas() == *canvas.unchecked_ref()) {
                    island.resize(width, height);
                }
            }
            stage.request_frame();
        });
    });
    let observer = ResizeObserver::new(callback.as_ref().unchecked_ref()).ok();
    callback.forget();
    observer
}

fn device_pixels(dom: &Dom, entry: &ResizeObserverEntry) -> (u32, u32) {
    let exact = js_sys::Reflect::get(entry, &"devicePixelContentBoxSize".into()).unwrap_or_default();
    if let Some(size) =
        exact.dyn_into::<Array>().ok().and_then(|sizes| sizes.get(0).dyn_into::<ResizeObserverSize>().ok())
    {
        return (size.inline_size() as u32, size.block_size() as u32);
    }
    let ratio = dom.window.device_pixel_ratio();
    let rect = entry.content_rect();
    ((rect.width() * ratio).round() as u32, (rect.height() * ratio).round() as u32)
}
