//! The page's words: a flat object of strings in the page's language, put there by the build.

use js_sys::{JSON, Reflect};
use wasm_bindgen::JsValue;

use super::dom::Dom;

/// Words by key.
#[derive(Clone)]
pub(super) struct Words(JsValue);

impl Words {
    pub(super) fn read(dom: &Dom) -> Self {
        let text = dom.find("#words").and_then(|element| element.text_content()).unwrap_or_default();
        Self(JSON::parse(&text).unwrap_or_default())
    }

    /// The words of that key, if the page has any.
    fn find(&self, key: &str) -> Option<String> {
        Reflect::get(&self.0, &key.into()).ok().and_then(|word| word.as_string())
    }

    /// Whether the page has words of that key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.find(key).is_some()
    }

    /// The words of that key; the key itself where the page has none.
    pub(super) fn get(&self, key: &str) -> String {
        self.find(key).unwrap_or_else(|| key.to_owned())
    }

    /// The words of that key with each `{placeholder}` filled in.
    pub(super) fn fill<T: AsRef<str>>(&self, key: &str, values: &[(&str, T)]) -> String {
        let fill = |text: String, (name, value): &(&str, T)| text.replace(&["{", name, "}"].concat(), value.as_ref());
        values.iter().fold(self.get(key), fill)
    }
}
