//! The page: wakes the islands in its HTML. The only room that knows the DOM.

mod address;
mod claims;
mod dom;
mod errors;
mod formats;
mod inspect;
mod island;
mod measure;
mod stage;
mod tally;
mod words;

use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;

use crate::claim::BoxFuture;
use crate::gpu::{FEATURES, raw};
use crate::page;
use dom::{Dom, attribute};

/// Devices in a row that did not last, after which no further one is opened.
const FUTILE_DEVICES: u32 = 3;
/// Milliseconds after which a device has lasted.
const LASTING_MS: f64 = 60_000.0;

/// Whether the table of formats stands on the page.
const HAS_FORMATS: bool = page::has("formats", "");

/// What is to be done once the claims have been tried.
type Tried = Rc<dyn Fn()>;

/// Starts everything that the page holds.
pub fn start() {
    console_error_panic_hook::set_once();
    if let Some(dom) = Dom::new() {
        spawn_local(run(dom));
    }
}

/// Opens a device, and another whenever one is lost.
async fn run(dom: Dom) {
    let words = words::Words::read(&dom);
    address::follow(&dom);
    let tried = if page::has("errors", "") { errors::wake(&dom, &words) } else { None };
    // Lives as long as the page, as its surfaces do: without it Chromium blanks the canvases.
    let instance = Rc::new(wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle()));
    let mut stage: Option<Rc<stage::Stage>> = None;
    let mut futile = 0;
    loop {
        let opened = match raw::open(&instance, "page", FEATURES).await {
            Ok(opened) => opened,
            Err(reason) => {
                unavailable(&dom, &words, &reason);
                // After a loss the table is awake already.
                if stage.is_none() && HAS_FORMATS {
                    formats::live(dom, words, None, Box::new(|_| ()), Box::pin(async {})).await;
                }
                return;
            }
        };
        let Some(device) = raw::Device::of(&opened.gpu) else { return };
        dom.set_gpu("ready");
        let opened_at = dom.now();
        let stage = match &stage {
            Some(stage) => {
                stage.revive(opened.gpu);
                stage
            }
            None => {
                let opened_stage = stage::Stage::open(&dom, &words, instance.clone(), opened.gpu);
                let told = tell(
                    dom.clone(),
                    words.clone(),
                    instance.clone(),
                    opened_stage.clone(),
                    opened.adapter,
                    tried.clone(),
                );
                spawn_local(told);
                stage.insert(opened_stage)
            }
        };
        let message = device.lost().await;
        dom.set_gpu("lost");
        let lasted = stage.is_loss_provoked() || dom.now() - opened_at > LASTING_MS;
        futile = if lasted { 0 } else { futile + 1 };
        if futile == FUTILE_DEVICES {
            for figure in dom.all("figure[data-figure]") {
                island::set_state(&words, &figure, "unavailable");
            }
            return dom.say(&words.get("gpu.gave-up"), Some(&message.0));
        }
        dom.say(&words.get("gpu.lost"), Some(&message.0));
    }
}

/// What the page says of this browser, once its first picture stands: the adapter, and the verdicts.
async fn tell(
    dom: Dom,
    words: words::Words,
    instance: Rc<wgpu::Instance>,
    stage: Rc<stage::Stage>,
    adapter: raw::Object,
    tried: Option<Tried>,
) {
    if let Some(slot) = dom.find("[data-slot=adapter]") {
        slot.set_text_content(Some(&tally::adapter_name(&adapter)));
    }
    tally::show_card(&dom, &words, &adapter);
    tally::show_tally(&dom, &words);
    let held = stage.clone();
    let started: BoxFuture<()> = Box::pin(async move { stage.started().await });
    if HAS_FORMATS {
        let hold = Box::new(move |hold| held.hold(hold));
        formats::live(dom.clone(), words.clone(), Some(adapter.clone()), hold, started).await;
    } else {
        started.await;
    }
    claims::run_all(&dom, &words, &instance, &adapter).await;
    if let Some(tried) = tried {
        tried();
    }
}

fn unavailable(dom: &Dom, words: &words::Words, reason: &raw::Reason) {
    let state = match reason {
        raw::Reason::NoWebgpu => "no-webgpu",
        raw::Reason::NoAdapter => "no-adapter",
        raw::Reason::NoDevice(_) => "no-device",
    };
    dom.set_gpu(state);
    dom.say(&words.get(&format!("gpu.{state}")), Some(reason.message()));
    for element in dom.all("figure[data-figure]") {
        // The head of one that never woke names the recorded picture.
        if element.get_attribute("data-state").as_deref() == Some("waiting") {
            attribute(&element, "data-state", "unavailable");
        } else {
            island::set_state(words, &element, "unavailable");
        }
    }
    // What was tried before the device went stays.
    for element in dom.all("[data-claim][data-verdict=pending]") {
        attribute(&element, "data-verdict", "unavailable");
    }
}
