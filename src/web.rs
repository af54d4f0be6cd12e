//! The page: wakes the islands in its HTML. The only room that knows the DOM.

mod address;
mod claims;
mod dom;
mod inspect;
mod island;
mod stage;
mod words;

use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;

use crate::gpu::{FEATURES, raw};
use dom::{Dom, attribute};

/// Starts everything that the page holds.
pub fn start() {
    console_error_panic_hook::set_once();
    spawn_local(async {
        let Some(dom) = Dom::new() else { return };
        let words = words::Words::read(&dom);
        // Lives as long as the page, as its surfaces do: without it Chromium blanks the canvases.
        let instance = Rc::new(wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle()));
        let opened = match raw::open(&instance, "page", FEATURES).await {
            Ok(opened) => opened,
            Err(reason) => return unavailable(&dom, &words, &reason),
        };
        if let Some(slot) = dom.find("[data-slot=adapter]") {
            slot.set_text_content(Some(&adapter_name(&opened.adapter)));
        }
        dom.set_gpu("ready");
        let stage = stage::Stage::open(&dom, &words, instance.clone(), opened.gpu);
        stage.started().await;
        claims::run_all(&dom, &words, &instance, &opened.adapter).await;
    });
}

/// Who made the adapter, as far as the browser says.
fn adapter_name(adapter: &raw::Object) -> String {
    let parts = ["info.vendor", "info.architecture", "info.description"].map(|path| adapter.read(path));
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

fn unavailable(dom: &Dom, words: &words::Words, reason: &raw::Reason) {
    let (state, message) = match reason {
        raw::Reason::NoWebgpu => ("no-webgpu", None),
        raw::Reason::NoAdapter => ("no-adapter", None),
        raw::Reason::NoDevice(thrown) => ("no-device", Some(thrown.0.as_str())),
    };
    dom.set_gpu(state);
    dom.say(&words.get(&format!("gpu.{state}")), message);
    for element in dom.all("figure[data-figure]") {
        attribute(&element, "data-state", "unavailable");
    }
    for element in dom.all("[data-claim]") {
        attribute(&element, "data-verdict", "unavailable");
    }
}
