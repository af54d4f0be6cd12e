//! The cell that is open: why it says what it says, and what would change that.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlTemplateElement};

use super::Table;
use crate::formats::line;
use crate::formats::{Answer, CAPABILITIES, Capability, FORMATS, Features, cures, guaranteed, specified};
use crate::web::dom::{attribute, show, slot, text};

/// The WGSL language feature without which a shader only writes storage textures.
const READ_WRITE: &str = "readonly_and_readwrite_storage_textures";

impl Table {
    /// Opens a cell under its row, or closes it if it is open.
    pub(super) fn toggle(&self, place: usize, column: usize) {
        let is_open = self.find_cell(&self.view.borrow().cell) == Some((place, column));
        self.close();
        if !is_open {
            self.open(place, column);
        }
        self.write_address();
    }

    /// Opens a cell under its row.
    pub(super) fn open(&self, place: usize, column: usize) {
        let template = slot(&self.root, "detail").and_then(|it| it.dyn_into::<HtmlTemplateElement>().ok());
        let clone = template.and_then(|it| it.content().clone_node_with_deep(true).ok());
        let (Some(clone), Some(button)) = (clone, self.button(place, column)) else { return };
        attribute(&button, "aria-expanded", "true");
        attribute(&button, "aria-controls", "formats-cell");
        let row = self.rows.borrow()[place].element.clone();
        if let Some(body) = row.parent_node() {
            let _ = body.insert_before(&clone, row.next_sibling().as_ref());
        }
        self.view.borrow_mut().cell = [FORMATS[place].name, "/", self.columns[column].name()].concat();
        self.fill_detail(place, column);
    }

    /// Closes the cell that is open; whether there was one. The focus goes back to its button.
    pub(super) fn close(&self) -> bool {
        let Some(detail) = self.detail() else { return false };
        let cell = std::mem::take(&mut self.view.borrow_mut().cell);
        if let Some(button) = self.find_cell(&cell).and_then(|(place, column)| self.button(place, column)) {
            attribute(&button, "aria-expanded", "false");
            let _ = button.remove_attribute("aria-controls");
            if detail.contains(self.dom.document.active_element().as_deref()) {
                let _ = button.focus();
            }
        }
        detail.remove();
        self.write_address();
        true
    }

    pub(super) fn detail(&self) -> Option<Element> {
        self.dom.find("#formats-cell")
    }

    /// Shows the open cell as it stands now.
    pub(super) fn refresh_detail(&self) {
        let cell = self.view.borrow().cell.clone();
        if let Some((place, column)) = self.find_cell(&cell) {
            self.fill_detail(place, column);
        }
    }

    /// The same, if it is of that row.
    pub(super) fn refresh_detail_of(&self, place: usize) {
        if self.view.borrow().cell.split('/').next() == Some(FORMATS[place].name) {
            self.refresh_detail();
        }
    }

    fn fill_detail(&self, place: usize, column: usize) {
        let Some(detail) = self.detail() else { return };
        let (format, (name, capability)) = (&FORMATS[place], CAPABILITIES[self.columns[column].capability]);
        let at = self.columns[column].capability;
        let columns = self.shown_columns().len() + 2;
        if let Some(cell) = detail.first_element_child() {
            attribute(&cell, "colspan", &columns.to_string());
        }
        text(&detail, "title", &[format.name, " · ", name].concat());
        self.show_meaning(&detail, name);

        let ticked = self.features();
        let spec = specified(format, capability, ticked);
        let cure = cures(format, capability, ticked).next();
        let needs = capability.needs(format).unwrap_or(Features::NEVER);
        let comma = self.words.get("formats.comma");
        let needed = needs.names().collect::<Vec<_>>().join(&comma);
        let feature = cure.map_or_else(|| needed.clone(), Into::into);
        let why = match (spec, cure) {
            (Answer::Yes, _) if needed.is_empty() => "always",
            (Answer::Yes, _) => "has",
            (_, Some(_)) => "cure",
            _ => "never",
        };
        text(&detail, "why", &self.words.fill(&["formats.why.", why].concat(), &[("feature", feature)]));

        let view = self.view.borrow();
        let of = |key: &str| self.with_device(key, |it| it.report.cells[place][at].clone());
        let (device, other) = (of(&view.device), of(&view.against));
        let own = self.with_device(&view.device, |it| it.report.set()).unwrap_or(Features::CORE);
        let wgpu = guaranteed::answer(format, capability, own);
        let answer = |row: &str, answer: Option<Answer>, words: String| {
            text(&detail, row, &words);
            if let Some(row) = slot(&detail, &[row, "-row"].concat()) {
                show(&row, answer.is_some());
                if let Ok(Some(mark)) = row.query_selector(".q") {
                    attribute(&mark, "data-q", answer.unwrap_or(Answer::None).name());
                }
            }
        };
        answer("spec", Some(spec), self.says(spec, cure));
        if let (Some(_), Ok(Some(mark))) = (cure, detail.query_selector("[data-slot=spec-row] .q")) {
            attribute(&mark, "data-q", "needs");
        }
        for (row, given) in [
            ("device", Some(device.as_ref().map_or(Answer::Untried, |it| it.device.answer))),
            ("wgpu", Some(wgpu)),
            ("against", other.map(|it| it.device.answer)),
        ] {
            answer(row, given, given.map(|it| self.answer(it)).unwrap_or_default());
        }
        let [words, values] =
            device.map(|it| [it.device, it.values]).unwrap_or([Answer::Untried.into(), Answer::Untried.into()]);
        let (key, came, should) = match (values.answer, values.message.split_once('≠')) {
            (Answer::Yes, _) => ("right", "", ""),
            (_, Some((came, should))) => ("came", came.trim(), should.trim()),
            _ => ("refused", "", ""),
        };
        let filled = self.words.fill(&["formats.values.", key].concat(), &[("came", came), ("should", should)]);
        answer("values", (values.answer != Answer::Untried).then_some(values.answer), filled);
        // Two gates: what the device was opened with, and what shaders may say.
        let yes = |has: bool| if has { Answer::Yes } else { Answer::No };
        let is_possible = !needs.contains(Features::NEVER);
        let gate = (is_possible && !needed.is_empty()).then(|| yes(own.contains(needs)));
        answer("gate", gate, needed.clone());
        let language = self.language_features(format, capability).filter(|_| is_possible);
        let has = |name: &&str| {
            self.with_device(&view.device, |it| it.report.language_features.iter().any(|it| it == name))
                .unwrap_or_default()
        };
        answer("wgsl", language.as_ref().map(|it| yes(it.iter().all(has))), language.unwrap_or_default().join(&comma));
        let cost = format.render_cost();
        let [bytes, alignment] = cost.unwrap_or_default().map(|it| it.to_string());
        let cost_words = self.words.fill("formats.cost", &[("bytes", bytes), ("alignment", alignment)]);
        answer("cost", cost.map(|_| Answer::None), cost_words);

        let message = if key == "refused" && !values.message.is_empty() { values.message } else { words.message };
        text(&detail, "message", &message);
        if let Some(words) = slot(&detail, "message") {
            show(&words, !message.is_empty());
        }
        self.show_lines(&detail, place, capability, if is_possible { needs } else { Features::NONE });
    }

    /// What the page says this capability is, in its own section.
    fn show_meaning(&self, detail: &Element, name: &str) {
        let meaning = self.dom.find(&["[data-means~=\"", name, "\"]"].concat());
        let meaning = meaning.and_then(|it| it.closest("tr").ok()?).and_then(|row| row.last_element_child());
        if let (Some(place), Some(meaning)) = (slot(detail, "means"), meaning) {
            place.set_inner_html(&meaning.inner_html());
        }
    }

    /// The WGSL language features that a shader needs to declare it; `None` if it declares nothing.
    fn language_features(&self, format: &crate::formats::Format, capability: Capability) -> Option<Vec<&'static str>> {
        line::wgsl(format, capability)?;
        let reads = capability != Capability::StorageWriteOnly;
        let features: Vec<_> = format.wgsl_language_feature().into_iter().chain(reads.then_some(READ_WRITE)).collect();
        (!features.is_empty()).then_some(features)
    }

    /// The lines that ask for it, after those that ask for the features it needs.
    fn show_lines(&self, detail: &Element, place: usize, capability: Capability, needs: Features) {
        let format = &FORMATS[place];
        // The device's level is asked for elsewhere, and what a feature brings along need not be named.
        let asked: Vec<_> = needs.names().filter(|name| *name != "core-features-and-limits").collect();
        let mut script = String::new();
        let mut rust = String::new();
        if !asked.is_empty() {
            script = ["requiredFeatures: [\"", &asked.join("\", \""), "\"]\n"].concat();
            for name in &asked {
                match line::rust_feature(name) {
                    Some(flag) => rust.push_str(&["required_features: ", &flag, "\n"].concat()),
                    None => {
                        let words = self.words.fill("formats.no-flag", &[("feature", *name)]);
                        rust.push_str(&["// ", &words, "\n"].concat());
                    }
                }
            }
        }
        script.push_str(&line::javascript(format, capability));
        rust.push_str(&line::rust(format, capability));
        let mut shader = line::wgsl(format, capability).unwrap_or_default();
        if let (false, Some(features)) = (shader.is_empty(), self.language_features(format, capability)) {
            shader = ["requires ", &features.join(", "), ";\n", &shader].concat();
        }
        for (name, lines) in [("js", script), ("rust", rust), ("code", shader)] {
            text(detail, name, &lines);
            if let Some(row) = slot(detail, &[name, "-row"].concat()) {
                show(&row, !lines.is_empty());
            }
        }
    }
}
