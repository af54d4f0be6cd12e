//! The values of figures in the page's address, so that a link reproduces a picture.

use std::cell::{Cell, RefCell};

use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Event, Url, UrlSearchParams};

use super::dom::{Dom, attribute, fixed, listen, number};
use crate::figure::{Control, Values};

/// Milliseconds without a key after which the reader has stopped typing.
const REST_MS: i32 = 300;

thread_local! {
    /// How often a key was pressed that will be written down.
    static TYPED: Cell<u32> = const { Cell::new(0) };
    /// The query of the address that the page shows.
    static SEARCH: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The value of `?<figure>.<name>=`.
pub(super) fn read(dom: &Dom, figure: &str, name: &str) -> Option<String> {
    let search = dom.window.location().search().ok()?;
    UrlSearchParams::new_with_str(&search).ok()?.get(&format!("{figure}.{name}"))
}

/// Whether the address says anything of a figure.
pub(super) fn mentions(dom: &Dom, figure: &str) -> bool {
    dom.window
        .location()
        .search()
        .is_ok_and(|search| [format!("?{figure}."), format!("&{figure}.")].iter().any(|start| search.contains(start)))
}

/// Sets `?<figure>.<name>=`, or removes it, in the address bar and in the links to the other languages; gives the
/// whole address.
pub(super) fn write(dom: &Dom, figure: &str, values: &[(&str, Option<String>)]) -> Option<String> {
    let url = Url::new(&dom.window.location().href().ok()?).ok()?;
    let query = url.search_params();
    for (name, value) in values {
        let key = format!("{figure}.{name}");
        match value {
            Some(value) => query.set(&key, value),
            None => query.delete(&key),
        }
    }
    let _ = dom.window.history().ok()?.replace_state_with_url(&JsValue::NULL, "", Some(&url.href()));
    SEARCH.set(url.search());
    carry_over(dom);
    Some(url.href())
}

/// Writes once the reader has stopped typing: browsers allow few changes of the address a second.
pub(super) fn at_rest(dom: &Dom, write: impl FnOnce() + 'static) {
    let typed = TYPED.get() + 1;
    TYPED.set(typed);
    let dom = dom.clone();
    spawn_local(async move {
        dom.pause(REST_MS).await;
        if TYPED.get() == typed {
            write();
        }
    });
}

/// Goes with the address: to a state of the past by loading it anew, and to a place on the page with the links to the other
/// languages.
pub(super) fn follow(dom: &Dom) {
    let search = |dom: &Dom| dom.window.location().search().unwrap_or_default();
    SEARCH.set(search(dom));
    let it = dom.clone();
    listen::<Event>(&dom.window, "popstate", move |_| {
        if SEARCH.with_borrow(|written| *written != search(&it)) {
            let _ = it.window.location().reload();
        }
    });
    let it = dom.clone();
    listen::<Event>(&dom.window, "hashchange", move |_| carry_over(&it));
}

/// The links to the other languages keep what the address says.
pub(super) fn carry_over(dom: &Dom) {
    let location = dom.window.location();
    let state = location.search().unwrap_or_default() + &location.hash().unwrap_or_default();
    for link in dom.all("a[hreflang]") {
        let href = link.get_attribute("href").unwrap_or_default();
        let page = href.split(['?', '#']).next().unwrap_or_default().to_owned();
        attribute(&link, "href", &(page + &state));
    }
}

/// The value of a control as it stands in an address and in words; [`set`] reads it back.
pub(super) fn text(control: &Control, values: &Values) -> String {
    let value = values.get(control.id());
    match *control {
        Control::Range { step, .. } => fixed(f64::from(value), digits(step)),
        Control::Choice { options, .. } => options.get(value as usize).copied().unwrap_or_default().to_owned(),
    }
}

/// Digits after the point that tell two values `step` apart.
const fn digits(step: f32) -> u8 {
    if step >= 1.0 {
        0
    } else if step >= 0.1 {
        1
    } else {
        2
    }
}

/// Sets a control from the text of an address or an input; `false`, and nothing changes, where that says nothing.
pub(super) fn set(control: &Control, values: &mut Values, text: &str) -> bool {
    let value = match *control {
        Control::Range { .. } => number(text).map(|value| value as f32),
        Control::Choice { options, .. } => options.iter().position(|option| *option == text).map(|at| at as f32),
    };
    value.is_some_and(|value| values.set(control.id(), value))
}

/// `WxH` in texels, both 1 to 8192.
pub(super) fn parse_size(text: &str) -> Option<(u32, u32)> {
    let (width, height) = text.split_once('x')?;
    let side = |text: &str| text.parse().ok().filter(|side| (1..=8192).contains(side));
    Some((side(width)?, side(height)?))
}
