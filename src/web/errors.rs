//! The catalogue of errors: a reader pastes a message, and the entries that share the most words with it come first.
//! A word counts the more, the fewer entries have it. The labels in a message are the reader's own, so they say nothing.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlTextAreaElement};

use super::address;
use super::dom::{Dom, arrange, listen, show, slot, text};
use super::words::Words;

/// Different words of a text that count; no entry has so many.
const WORDS: usize = 500;
/// Characters of a search that the address keeps.
const KEPT: usize = 1000;
/// In a search of at most so many words, one may be a piece from the middle of a word.
const FEW: usize = 4;

/// The catalogue of the page.
pub(super) struct Catalogue {
    dom: Dom,
    words: Words,
    root: Element,
    search: HtmlTextAreaElement,
    /// In the order of the pages.
    entries: Vec<Element>,
    /// Each word of the entries with the places of those that have it, from a to z.
    index: RefCell<Vec<(String, Vec<usize>)>>,
}

/// Makes the page's catalogue searchable, if it has one.
pub(super) fn wake(dom: &Dom, words: &Words) -> Option<Rc<Catalogue>> {
    let root = dom.find("[data-errors]")?;
    let catalogue = Rc::new(Catalogue {
        search: dom.find("[name=\"errors.find\"]")?.unchecked_into(),
        entries: dom.all("[data-errors]>[data-claim]"),
        index: RefCell::new(Vec::new()),
        dom: dom.clone(),
        words: words.clone(),
        root,
    });
    catalogue.search.set_value(&address::read(dom, "errors", "find").unwrap_or_default());
    catalogue.read_entries();
    catalogue.find();
    address::carry_over(dom);
    let it = catalogue.clone();
    listen::<Event>(&catalogue.search, "input", move |_| {
        it.find();
        let find = it.search.value().chars().take(KEPT).collect::<String>();
        address::write(&it.dom, "errors", &[("find", (!find.is_empty()).then_some(find))]);
    });
    Some(catalogue)
}

impl Catalogue {
    /// Takes in what this browser said when the claims were tried. What the reader has found stays where it is.
    pub(super) fn tried(&self) {
        self.read_entries();
        if self.entries.iter().all(|entry| entry.has_attribute("hidden")) {
            self.find();
        }
    }

    /// Reads the words of every entry: what it shows, and all that this browser said.
    fn read_entries(&self) {
        let mut index = self.index.borrow_mut();
        for (place, entry) in self.entries.iter().enumerate() {
            let mut said = entry.text_content().unwrap_or_default();
            for attempt in self.dom.all(&["#", &entry.id(), " [data-message]"].concat()) {
                said = [said, attempt.get_attribute("data-message").unwrap_or_default()].join("\n");
            }
            for word in split(&said) {
                match index.binary_search_by(|(it, _)| it.cmp(&word)) {
                    Ok(at) if index[at].1.contains(&place) => {}
                    Ok(at) => index[at].1.push(place),
                    Err(at) => index.insert(at, (word, vec![place])),
                }
            }
        }
    }

    /// Shows the entries that the search finds, the closest first; without a search, all.
    fn find(&self) {
        let message = self.search.value();
        let mut words = split(&without_labels(&message));
        if words.is_empty() {
            words = split(&message);
        }
        let is_search = !message.trim().is_empty();
        let scores = self.score(&words);
        let best = scores.iter().copied().max().unwrap_or_default();
        // What shares less than half of what the best one shares is another error.
        let is_shown = |place: usize| !is_search || scores[place] > 0 && scores[place] * 2 >= best;
        let mut order: Vec<usize> = Vec::new();
        for (place, score) in scores.iter().enumerate() {
            let at = order.iter().position(|it| scores[*it] < *score);
            order.insert(at.unwrap_or(order.len()), place);
            show(&self.entries[place], is_shown(place));
        }
        let first = slot(&self.root, "count").and_then(|count| count.next_element_sibling());
        arrange(first, order.iter().map(|place| self.entries[*place].clone()));
        let shown = order.iter().filter(|place| is_shown(**place)).count();
        let key = match shown {
            _ if !is_search => "errors.all",
            0 => "errors.none",
            _ => "errors.some",
        };
        let values = [("shown", shown.to_string()), ("all", self.entries.len().to_string())];
        text(&self.root, "count", &self.words.fill(key, &values));
    }

    /// How much each entry shares with these words.
    fn score(&self, words: &[String]) -> Vec<u32> {
        let index = self.index.borrow();
        let all = self.entries.len();
        let mut scores = vec![0; all];
        for word in words {
            let mut has = vec![false; all];
            let from = index.partition_point(|(it, _)| it < word);
            let begun = index[from..].iter().take_while(|(it, _)| it.starts_with(word.as_str()));
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
        scores
    }
}

/// A message without its labels: Chromium puts them in double quotes, Firefox in single ones before the word `label`.
fn without_labels(message: &str) -> String {
    let mut rest = String::new();
    for line in message.split('\n') {
        let mut is_label = line.starts_with('"');
        for piece in line.split('"').filter(|piece| !piece.is_empty()) {
            if !is_label {
                for part in piece.split_inclusive("' label") {
                    let named = part.strip_suffix("' label").and_then(|named| named.rsplit_once('\''));
                    rest += named.map_or(part, |(before, _)| before);
                }
            }
            is_label = !is_label;
            rest.push(' ');
        }
    }
    rest
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
