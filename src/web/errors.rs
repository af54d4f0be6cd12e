//! The catalogue of errors: a reader pastes a message, and the entries that share the most words with it come first.
//! A word counts the more, the fewer entries have it. The labels in a message are the reader's own, so they say nothing.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{JsString, RegExp};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlTextAreaElement};

use super::dom::{Dom, arrange, listen, show, slot, text};
use super::words::Words;
use super::{Tried, address};

/// Different words of a text that count; no entry has so many.
const WORDS: usize = 500;
/// Units of UTF-16 of a search that the address keeps.
const KEPT: u32 = 1000;
/// In a search of at most so many words, one may be a piece from the middle of a word.
const FEW: usize = 4;

/// Each word, from a to z, with the texts that have it: the entries, then the messages.
type Index = Vec<(String, Vec<usize>)>;

/// The catalogue of the page.
struct Catalogue {
    dom: Dom,
    words: Words,
    root: Element,
    search: HtmlTextAreaElement,
    /// In the order of the pages.
    entries: Vec<Element>,
    /// The entry of each message.
    messages: RefCell<Vec<usize>>,
    index: RefCell<Index>,
}

/// Makes the page's catalogue searchable, if it has one; what it returns takes in what the browser said to the claims.
pub(super) fn wake(dom: &Dom, words: &Words) -> Option<Tried> {
    let root = dom.find("[data-errors]")?;
    let catalogue = Rc::new(Catalogue {
        search: dom.find("[name=\"errors.find\"]")?.unchecked_into(),
        entries: dom.all("[data-errors]>[data-claim]"),
        messages: RefCell::default(),
        index: RefCell::default(),
        dom: dom.clone(),
        words: words.clone(),
        root,
    });
    catalogue.search.set_value(&address::read(dom, "errors", "find").unwrap_or_default());
    catalogue.read_entries();
    catalogue.find();
    // The entry that a link names is worth more than the search.
    if let Some(entry) = dom.find("[data-errors]>[hidden]:target") {
        catalogue.search.set_value("");
        catalogue.find();
        entry.scroll_into_view();
    }
    address::carry_over(dom);
    let it = catalogue.clone();
    listen::<Event>(&catalogue.search, "input", move |_| {
        it.find();
        let it = it.clone();
        address::at_rest(&it.dom.clone(), move || {
            let find = String::from(JsString::from(it.search.value()).slice(0, KEPT));
            address::write(&it.dom, "errors", &[("find", (!find.is_empty()).then_some(find))]);
        });
    });
    Some(Rc::new(move || catalogue.tried()))
}

impl Catalogue {
    /// Takes in what this browser said when the claims were tried. What the reader has found stays where it is.
    fn tried(&self) {
        self.read_entries();
        if self.entries.iter().all(|entry| entry.has_attribute("hidden")) {
            self.find();
        }
    }

    /// Reads the words: of each entry all that it shows, and then of each message those that stand together.
    fn read_entries(&self) {
        let mut texts: Vec<_> = self.entries.iter().map(|entry| entry.text_content().unwrap_or_default()).collect();
        let mut messages = self.messages.borrow_mut();
        messages.clear();
        for (place, entry) in self.entries.iter().enumerate() {
            let of = ["[id=\"", &entry.id(), "\"] "].concat();
            for message in self.dom.all(&[&of, ".words,", &of, "[data-message]"].concat()) {
                let said = message.get_attribute("data-message").or_else(|| message.text_content());
                texts.push(said.unwrap_or_default());
                messages.push(place);
            }
        }
        let mut index = Index::new();
        for (place, text) in texts.iter().enumerate() {
            for word in split(text) {
                let at = begins(&index, &word);
                match index.get_mut(at) {
                    Some((it, places)) if *it == word => places.push(place),
                    _ => index.insert(at, (word, vec![place])),
                }
            }
        }
        *self.index.borrow_mut() = index;
    }

    /// Shows the entries that the search finds, the closest first; without a search, all.
    fn find(&self) {
        let message = self.search.value();
        let mut words = split(&essence(&message));
        if words.is_empty() {
            words = split(&message);
        }
        let scores = self.score(&words);
        let best = scores.iter().copied().max().unwrap_or_default();
        let mut shown: Vec<usize> = Vec::new();
        for (place, score) in scores.iter().enumerate() {
            // What shares less than half of what the closest shares is another error.
            let is_shown = words.is_empty() || *score > 0 && score * 2 >= best;
            show(&self.entries[place], is_shown);
            if is_shown {
                let at = shown.iter().position(|it| scores[*it] < *score);
                shown.insert(at.unwrap_or(shown.len()), place);
            }
        }
        let first = slot(&self.root, "count").and_then(|count| count.next_element_sibling());
        arrange(first, shown.iter().map(|place| self.entries[*place].clone()));
        let key = match shown.len() {
            _ if words.is_empty() => "errors.all",
            0 => "errors.none",
            _ => "errors.some",
        };
        let values = [("shown", shown.len().to_string()), ("all", self.entries.len().to_string())];
        text(&self.root, "count", &self.words.fill(key, &values));
    }

    /// How much each entry shares with these words, and its closest message once more.
    fn score(&self, words: &[String]) -> Vec<u32> {
        let (index, messages) = (self.index.borrow(), self.messages.borrow());
        let all = self.entries.len() + messages.len();
        let mut scores = vec![0; all];
        for word in words {
            let mut has = vec![false; all];
            let begun = index[begins(&index, word)..].iter().take_while(|(it, _)| it.starts_with(word.as_str()));
            begun.flat_map(|(_, places)| places).for_each(|place| has[*place] = true);
            if words.len() <= FEW && !has.contains(&true) {
                let held = index.iter().filter(|(it, _)| it.contains(word.as_str()));
                held.flat_map(|(_, places)| places).for_each(|place| has[*place] = true);
            }
            let having = has.iter().filter(|has| **has).count();
            if having > 0 {
                let weight = 1 + (all * all / (having * having)).ilog2();
                for (score, has) in scores.iter_mut().zip(has) {
                    *score += u32::from(has) * weight;
                }
            }
        }
        let mut closest = vec![0; self.entries.len()];
        for (place, score) in messages.iter().zip(scores.split_off(self.entries.len())) {
            closest[*place] = score.max(closest[*place]);
        }
        scores.iter().zip(closest).map(|(score, closest)| score + closest).collect()
    }
}

/// Where the words of the index begin that are `word` or come after it.
fn begins(index: &Index, word: &str) -> usize {
    index.partition_point(|(it, _)| it.as_str() < word)
}

/// What of a message names the error: not the labels, which Chromium puts in double quotes, and Firefox in single ones
/// before the word `label`; nor Chromium's way from the error to the call, which many errors share.
fn essence(message: &str) -> String {
    let rest = RegExp::new(r#""+[^"\n]*"+|'[^'\n]*' label|- While .*"#, "g");
    JsString::from(message).replace_by_pattern(&rest, " ").into()
}

/// The words of a text, each once, in small letters and without `-` and `_`: `STORAGE_BINDING` is Chromium's
/// `StorageBinding`. Numbers and single letters are none. Chinese is taken in pairs of characters.
fn split(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        let is_han = matches!(c, '\u{3400}'..='\u{9fff}');
        let follows_han = word.starts_with(|c| c >= '\u{3400}');
        let is_letter = matches!(c, 'a'..='z' | 'A'..='Z' | '0'..='9' | '\u{c0}'..='\u{24f}');
        if is_han && follows_han {
            word.push(c);
        }
        if !word.is_empty() && (is_han || follows_han || !is_letter && !matches!(c, '-' | '_')) {
            let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
            if word.len() > 1 && !is_number && !words.contains(&word) {
                words.push(word);
            }
            if words.len() == WORDS {
                break;
            }
            word = String::new();
        }
        if is_han || is_letter {
            word.push(c.to_ascii_lowercase());
        }
    }
    words
}
