//! The devices of the table: this one, which is tried; recorded ones; and those of report files.

use std::ops::ControlFlow;
use std::rc::Rc;

use js_sys::Array;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, Event, HtmlElement, HtmlInputElement, HtmlSelectElement, Response, Url};

use super::Table;
use crate::formats::FORMATS;
use crate::formats::probe::Probe;
use crate::formats::report::{Cell, Fault, LONGEST, Report, Tried};
use crate::gpu::raw;
use crate::web::dom::{attribute, fixed, slot, text};
use crate::web::tally;

/// Key of this browser's device.
pub(super) const HERE: &str = "here";
/// What the keys of report files begin with.
pub(super) const FILE: &str = "file:";
/// Key of the report in the storage of this visit.
const KEPT: &str = "texelarium.formats";

/// A device that the table may show.
pub(super) struct Device {
    /// Its name in addresses.
    pub(super) key: String,
    pub(super) report: Report,
}

/// This browser's device, untried.
pub(super) fn here(adapter: &raw::Object) -> Device {
    let info = |name: &str| (name.to_owned(), adapter.read(&["info.", name].concat()));
    let adapter_info = ["vendor", "architecture", "device", "description"].map(info).into();
    let features = adapter.get("features").names();
    Device { key: HERE.into(), report: Report::untried(adapter_info, features, raw::language_features()) }
}

impl Table {
    /// Takes up what was tried earlier in this visit on this same device; whether there was anything.
    pub(super) fn take_kept(&self) -> bool {
        let text = tally::visit(&self.dom).and_then(|it| it.get_item(KEPT).ok()).flatten();
        let Some(kept) = text.and_then(|text| Report::parse(&text).ok()) else { return false };
        let mut devices = self.devices.borrow_mut();
        let Some(here) = devices.iter_mut().find(|it| it.key == HERE) else { return false };
        let is_same = kept.adapter == here.report.adapter && kept.set() == here.report.set();
        if is_same {
            here.report = kept;
        }
        is_same
    }

    /// Sees to it that the devices that the reader chose are there; where one is not, another is chosen.
    pub(super) async fn choose(&self) {
        let has_here = self.with_device(HERE, |_| ()).is_some();
        let (device, against) = {
            let view = self.view.borrow();
            (view.device.clone(), view.against.clone())
        };
        let mut device = if device.is_empty() && has_here { HERE.into() } else { device };
        if !self.fetch(&device).await {
            device = if has_here { HERE.into() } else { self.first_recorded() };
            self.fetch(&device).await;
        }
        let against = if self.fetch(&against).await { against } else { String::new() };
        let mut view = self.view.borrow_mut();
        (view.device, view.against) = (device, against);
    }

    fn first_recorded(&self) -> String {
        self.dom.find("[data-report]").and_then(|it| it.get_attribute("value")).unwrap_or_default()
    }

    /// Gets a recorded report, unless it is there already; whether it is there.
    async fn fetch(&self, key: &str) -> bool {
        if self.with_device(key, |_| ()).is_some() {
            return true;
        }
        let options = self.dom.all("[data-report]");
        let Some(option) = options.iter().find(|it| it.get_attribute("value").as_deref() == Some(key)) else {
            return false;
        };
        let name = option.text_content().unwrap_or_default();
        let address = option.get_attribute("data-report").unwrap_or_default();
        let answer = JsFuture::from(self.dom.window.fetch_with_str(&address)).await;
        let body = answer.ok().and_then(|it| it.dyn_into::<Response>().ok()).and_then(|it| it.text().ok());
        let json = match body {
            Some(body) => JsFuture::from(body).await.ok().and_then(|it| it.as_string()),
            None => None,
        };
        match json.map(|json| Report::parse(&json)) {
            Some(Ok(report)) => {
                self.devices.borrow_mut().push(Device { key: key.into(), report });
                true
            }
            _ => {
                self.tell("unloadable", &[("name", name)]);
                false
            }
        }
    }

    /// Tries this device, format after format, and shows each as it is done.
    pub(super) async fn probe(self: &Rc<Self>) {
        if self.is_probing.replace(true) {
            return;
        }
        self.is_stopped.set(false);
        self.set_state("probing");
        self.tell("probing", &[]);
        let began = self.dom.now();
        let done = match raw::open_bare("formats", false).await {
            Ok(raw::Bare { device, adapter }) => {
                self.renew(&device, &adapter);
                self.paint_all().await;
                let done = match Probe::new(device.clone()) {
                    Some(probe) => self.run(&probe).await,
                    None => Err(0),
                };
                let _ = device.call("destroy", "[]", &[]);
                done
            }
            Err(reason) => {
                self.tell("no-probe", &[]);
                if let (raw::Reason::NoDevice(thrown), Some(place)) = (reason, slot(&self.root, "told")) {
                    let words = self.dom.document.create_element("output");
                    if let Ok(words) = words {
                        attribute(&words, "lang", "en");
                        words.set_text_content(Some(&thrown.0));
                        let _ = place.append_child(&words);
                    }
                }
                self.is_probing.set(false);
                return self.set_state("untried");
            }
        };
        self.is_probing.set(false);
        let (state, formats) = match done {
            Ok(formats) if formats == FORMATS.len() => ("tried", formats),
            Ok(formats) => ("stopped", formats),
            Err(formats) => ("lost", formats),
        };
        self.set_state(state);
        self.filter();
        if state == "tried" {
            self.tell("probed", &[("seconds", fixed((self.dom.now() - began) / 1000.0, 1))]);
            let json = self.with_device(HERE, |it| it.report.to_json());
            if let (Some(storage), Some(json)) = (tally::visit(&self.dom), json) {
                let _ = storage.set_item(KEPT, &json);
            }
        } else {
            self.tell(state, &[("formats", formats.to_string())]);
        }
    }

    /// Forgets what was tried, and notes what the new device has.
    fn renew(&self, device: &raw::Object, adapter: &raw::Object) {
        let mut fresh = here(adapter);
        fresh.report.features = device.get("features").names();
        fresh.report.limits = device.get("limits").numbers();
        let fresh = Report {
            limits: fresh.report.limits,
            ..Report::untried(fresh.report.adapter, fresh.report.features, fresh.report.language_features)
        };
        if let Some(here) = self.devices.borrow_mut().iter_mut().find(|it| it.key == HERE) {
            here.report = fresh;
        }
    }

    /// How many formats were tried; `Err` if the device was lost after so many.
    async fn run(self: &Rc<Self>, probe: &Probe) -> Result<usize, usize> {
        let mut formats = 0;
        let progress = slot(&self.root, "progress");
        let lasted = probe
            .run(|place, row| {
                if let Some(here) = self.devices.borrow_mut().iter_mut().find(|it| it.key == HERE) {
                    for (cell, found) in here.report.cells[place].iter_mut().zip(row) {
                        *cell = Cell { device: found.answer, message: found.message, ..*cell };
                    }
                }
                self.paint(place);
                formats = place + 1;
                if let Some(progress) = &progress {
                    attribute(progress, "value", &formats.to_string());
                }
                if self.is_stopped.get() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
            .await;
        if lasted { Ok(formats) } else { Err(formats) }
    }

    /// The report of the device that is shown, in the form that is chosen, and the name of its file.
    fn export(&self) -> Option<(String, String)> {
        let form = self.dom.find("[name=\"formats.form\"]")?.dyn_into::<HtmlSelectElement>().ok()?.value();
        let key = self.view.borrow().device.clone();
        let mut report = self.with_device(&key, |it| it.report.clone())?;
        if key == HERE {
            let tried = |(id, verdict)| Tried { id, verdict, message: String::new() };
            report.claims = tally::all(&self.dom).into_iter().map(tried).collect();
        }
        let text = match form.as_str() {
            "csv" => report.to_csv(),
            "md" => report.to_markdown(),
            _ => report.to_json(),
        };
        let name = key.strip_prefix(FILE).map_or(key.as_str(), |name| name.trim_end_matches(".json"));
        let name = name.trim_start_matches("texelarium-");
        Some((["texelarium-", name, ".", &form].concat(), text))
    }

    /// Offers the report as a file.
    pub(super) fn save(&self) {
        let Some((name, contents)) = self.export() else { return };
        let Ok(blob) = Blob::new_with_str_sequence(&Array::of1(&contents.into())) else { return };
        let (Ok(address), Ok(link)) = (Url::create_object_url_with_blob(&blob), self.dom.document.create_element("a"))
        else {
            return;
        };
        attribute(&link, "href", &address);
        attribute(&link, "download", &name);
        link.unchecked_ref::<HtmlElement>().click();
        // The one before is on its way since long.
        if let Some(old) = self.file.replace(Some(address)) {
            let _ = Url::revoke_object_url(&old);
        }
        self.tell("saved", &[("name", name)]);
    }

    /// Puts the report on the clipboard.
    pub(super) async fn copy(&self) {
        let Some((_, contents)) = self.export() else { return };
        let copied = self.write_clipboard(&contents).await;
        self.tell(if copied { "copied" } else { "not-copied" }, &[]);
    }

    /// Whether the browser let it.
    pub(super) async fn write_clipboard(&self, text: &str) -> bool {
        JsFuture::from(self.dom.window.navigator().clipboard().write_text(text)).await.is_ok()
    }

    /// Takes up a report file, to compare with; one that is refused changes nothing.
    pub(super) async fn load(self: &Rc<Self>, event: &Event) {
        let input = event.target().and_then(|it| it.dyn_into::<HtmlInputElement>().ok());
        let Some(input) = input else { return };
        let Some(file) = input.files().and_then(|files| files.get(0)) else { return };
        let name = file.name();
        let told = [("name", name.clone())];
        self.tell("loading", &told);
        let parsed = if file.size() > LONGEST as f64 {
            Err(Fault::Huge)
        } else {
            let text = JsFuture::from(file.text()).await.ok().and_then(|it| it.as_string());
            Report::parse(&text.unwrap_or_default())
        };
        // The same file may be chosen again.
        input.set_value("");
        let report = match parsed {
            Ok(report) => report,
            Err(fault) => return self.tell(fault.name(), &told),
        };
        let key = [FILE, &name].concat();
        let is_new = self.with_device(&key, |_| ()).is_none();
        self.devices.borrow_mut().retain(|it| it.key != key);
        self.devices.borrow_mut().push(Device { key: key.clone(), report });
        if is_new {
            for select in ["[name=\"formats.device\"]", "[name=\"formats.against\"]"] {
                if let (Some(select), Ok(option)) = (self.dom.find(select), self.dom.document.create_element("option"))
                {
                    attribute(&option, "value", &key);
                    option.set_text_content(Some(&name));
                    let _ = select.append_child(&option);
                }
            }
        }
        self.view.borrow_mut().against = key;
        self.paint_all().await;
        self.refresh_detail();
        self.write_address();
        text(&self.root, "told", &self.words.fill("formats.loaded", &told));
    }
}
