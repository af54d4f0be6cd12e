//! The tally of verdicts so far, and the card of this browser. The tally is kept in this browser alone.

use js_sys::{JSON, Object, Reflect};
use wasm_bindgen::JsValue;
use web_sys::Storage;

use super::dom::{Dom, attribute, show};
use super::words::Words;
use crate::claim::Verdict;
use crate::gpu::raw;

/// Key in the browser's local storage: an object of verdicts by claim.
const KEY: &str = "texelarium.verdicts";

/// The browser's storage; a browser may refuse it, and then there is no tally.
fn storage(dom: &Dom) -> Option<Storage> {
    dom.window.local_storage().ok().flatten()
}

fn read(dom: &Dom) -> Object {
    let text = storage(dom).and_then(|storage| storage.get_item(KEY).ok()).flatten().unwrap_or_default();
    let verdicts = JSON::parse(&text).unwrap_or_default();
    if verdicts.is_object() { verdicts.into() } else { Object::new() }
}

/// Adds verdicts to the tally.
pub(super) fn add(dom: &Dom, verdicts: &[(&str, Verdict)]) {
    let all = read(dom);
    for (claim, verdict) in verdicts {
        let _ = Reflect::set(&all, &JsValue::from_str(claim), &verdict.name().into());
    }
    if let (Some(storage), Ok(text)) = (storage(dom), JSON::stringify(&all)) {
        let _ = storage.set_item(KEY, &String::from(text));
    }
}

/// Every claim of the tally with its verdict.
pub(super) fn all(dom: &Dom) -> Vec<(String, String)> {
    let all = read(dom);
    let verdict = |id: JsValue| Some((id.as_string()?, Reflect::get(&all, &id).ok()?.as_string()?));
    Object::keys(&all).iter().filter_map(verdict).collect()
}

/// The browser's storage for this visit.
pub(super) fn visit(dom: &Dom) -> Option<Storage> {
    dom.window.session_storage().ok().flatten()
}

/// Empties the tally.
pub(super) fn forget(dom: &Dom, words: &Words) {
    if let Some(storage) = storage(dom) {
        let _ = storage.remove_item(KEY);
    }
    show_tally(dom, words);
}

/// Shows the tally, where the page has a place for it.
pub(super) fn show_tally(dom: &Dom, words: &Words) {
    let Some(place) = dom.find("[data-slot=score]") else { return };
    let (all, claims) = (read(dom), words.get("tally.claims"));
    let count = |verdict: Verdict| {
        let is = |id: &str| {
            Reflect::get(&all, &id.into()).ok().and_then(|it| it.as_string()).as_deref() == Some(verdict.name())
        };
        claims.split(' ').filter(|claim| is(claim)).count()
    };
    let counts =
        [Verdict::Holds, Verdict::Fails, Verdict::Unavailable, Verdict::Shown].map(|it| (it.name(), count(it)));
    let unavailable = count(Verdict::Unavailable);
    let tried: usize = counts.iter().map(|(_, count)| count).sum::<usize>() - unavailable;
    let mut values: Vec<_> = counts.iter().map(|(name, count)| (*name, count.to_string())).collect();
    values.push(("tried", tried.to_string()));
    values.push(("all", claims.split(' ').count().to_string()));
    let key = if tried + unavailable == 0 { "tally.none" } else { "tally.some" };
    place.set_text_content(Some(&words.fill(key, &values)));
    if let Some(button) = dom.find("[data-act=forget]") {
        show(&button, tried + unavailable > 0);
    }
}

/// Fills in the card of this browser, where the page has one.
pub(super) fn show_card(dom: &Dom, words: &Words, adapter: &raw::Object) {
    for place in dom.all("[data-fact]") {
        let fact = place.get_attribute("data-fact").unwrap_or_default();
        let value = match fact.as_str() {
            "adapter" => adapter_name(adapter),
            "canvas-format" => raw::preferred_canvas_format_name(),
            path => adapter.read(path),
        };
        let value = if value.is_empty() { words.get("has.untold") } else { value };
        place.set_text_content(Some(&value));
    }
    for place in dom.all("[data-feature]") {
        let has = adapter.get("features").has(&place.get_attribute("data-feature").unwrap_or_default());
        attribute(&place, "data-has", if has { "yes" } else { "no" });
        place.set_text_content(Some(&words.get(if has { "has.yes" } else { "has.no" })));
    }
}

/// Who made the adapter, as far as the browser says.
pub(super) fn adapter_name(adapter: &raw::Object) -> String {
    let parts = ["info.vendor", "info.architecture", "info.description"].map(|path| adapter.read(path));
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}
