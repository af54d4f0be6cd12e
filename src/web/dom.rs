//! The few things the page does with its document.

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Document, Element, Event, EventTarget, HtmlElement, Window};

/// The window and its document.
#[derive(Clone)]
pub(super) struct Dom {
    pub(super) window: Window,
    pub(super) document: Document,
}

impl Dom {
    pub(super) fn new() -> Option<Self> {
        let window = web_sys::window()?;
        let document = window.document()?;
        Some(Self { window, document })
    }

    /// The first element that matches.
    pub(super) fn find(&self, selector: &str) -> Option<Element> {
        self.document.query_selector(selector).ok()?
    }

    /// Every element that matches.
    pub(super) fn all(&self, selector: &str) -> Vec<Element> {
        let Ok(list) = self.document.query_selector_all(selector) else {
            return Vec::new();
        };
        (0..list.length()).filter_map(|at| list.get(at)?.dyn_into().ok()).collect()
    }

    /// How it went with the GPU, for the reader's CSS and for scripts.
    pub(super) fn set_gpu(&self, state: &str) {
        if let Some(root) = self.document.document_element() {
            attribute(&root, "data-gpu", state);
        }
    }

    /// One sentence for the whole page, and the browser's own words after it.
    pub(super) fn say(&self, sentence: &str, message: Option<&str>) {
        if let Some(said) = self.find("[data-slot=said]") {
            let _ = said.remove_attribute("hidden");
            text(&said, "sentence", sentence);
            text(&said, "message", message.unwrap_or_default());
        }
    }

    /// Milliseconds since the page began to load.
    pub(super) fn now(&self) -> f64 {
        self.window.performance().map_or(0.0, |performance| performance.now())
    }

    /// Puts a text on the clipboard; whether the browser let it. A page that did not come safely has no clipboard.
    pub(super) async fn copy(&self, text: &str) -> bool {
        let clipboard = self.window.navigator().clipboard();
        !clipboard.is_undefined() && JsFuture::from(clipboard.write_text(text)).await.is_ok()
    }

    /// Gives the page its turn, for so many milliseconds.
    pub(super) async fn pause(&self, ms: i32) {
        let turn = js_sys::Promise::new(&mut |resolve, _| {
            let _ = self.window.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, ms);
        });
        let _ = JsFuture::from(turn).await;
    }

    /// Whether the reader asked for less motion.
    pub(super) fn reduced_motion(&self) -> bool {
        let query = self.window.match_media("(prefers-reduced-motion: reduce)");
        query.ok().flatten().is_some_and(|query| query.matches())
    }
}

/// Sets an attribute.
pub(super) fn attribute(element: &Element, name: &str, value: &str) {
    let _ = element.set_attribute(name, value);
}

/// Shows or hides an element.
pub(super) fn show(element: &Element, shown: bool) {
    let _ = element.toggle_attribute_with_force("hidden", !shown);
}

/// Puts siblings into this order, the first where `first` is, and moves only those that are elsewhere.
pub(super) fn arrange(first: Option<Element>, elements: impl Iterator<Item = Element>) {
    let mut next = first;
    for element in elements {
        if next.as_ref() != Some(&element)
            && let Some(parent) = element.parent_element()
        {
            let _ = parent.insert_before(&element, next.as_deref());
        }
        next = element.next_element_sibling();
    }
}

/// The element inside `root` that has `data-slot` of that name.
pub(super) fn slot(root: &Element, name: &str) -> Option<Element> {
    root.query_selector(&format!("[data-slot={name}]")).ok()?
}

/// Puts `value` into a slot, if it is not there already: setting text makes screen readers speak.
pub(super) fn text(root: &Element, name: &str, value: &str) {
    if let Some(slot) = slot(root, name)
        && slot.text_content().as_deref() != Some(value)
    {
        slot.set_text_content(Some(value));
    }
}

/// Points a slot's mark, an `<svg><use>`, at the symbol `m-<name>`.
pub(super) fn mark(root: &Element, name: &str) {
    if let Some(mark) = slot(root, "mark").and_then(|mark| mark.first_element_child()) {
        attribute(&mark, "href", &format!("#m-{name}"));
    }
}

/// Calls `listener` at every event of that type, for as long as the page lives.
pub(super) fn listen<E: JsCast>(target: &EventTarget, kind: &str, listener: impl Fn(E) + 'static) {
    let listener = Closure::<dyn Fn(Event)>::new(move |event: Event| listener(event.unchecked_into()));
    let _ = target.add_event_listener_with_callback(kind, listener.as_ref().unchecked_ref());
    listener.forget();
}

/// The nearest element from the event's target up that matches.
pub(super) fn closest(event: &Event, selector: &str) -> Option<HtmlElement> {
    event.target()?.dyn_into::<Element>().ok()?.closest(selector).ok()??.dyn_into().ok()
}

/// A number with that many digits after the point. JavaScript's own: Rust's would cost the wasm 8 kB.
pub(super) fn fixed(value: f64, digits: u8) -> String {
    js_sys::Number::from(value).to_fixed(digits).map(String::from).unwrap_or_default()
}

/// The number that `text` says, as JavaScript reads it; `None` for anything that is no finite number.
pub(super) fn number(text: &str) -> Option<f64> {
    let value = js_sys::Number::parse_float(text);
    value.is_finite().then_some(value)
}
