//! The devices of the table: this one, which is tried; recorded ones; and those of report files.

use std::ops::ControlFlow;
use std::rc::Rc;

use js_sys::Array;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, Element, Event, HtmlElement, HtmlInputElement, HtmlSelectElement, Response, Url};

use super::Table;
use crate::formats::probe::Probe;
use crate::formats::report::{Fault, LONGEST, Report, Tried};
use crate::formats::{Answer, FORMATS, Features, Found};
use crate::gpu::raw;
use crate::web::dom::{attribute, fixed, slot, text};
use crate::web::tally;

/// Key of this browser's device.
pub(super) const HERE: &str = "here";
/// Key of this browser's device in compatibility mode.
pub(super) const COMPATIBILITY: &str = "compatibility";
/// What the keys of report files begin with.
pub(super) const FILE: &str = "file:";
/// What the keys of reports in the storage of this visit begin with.
const KEPT: &str = "texelarium.formats.";

/// Formats that are tried, and then the same once more, with values.
const ALL: usize = 2 * FORMATS.len();

/// A device that the table may show.
pub(super) struct Device {
    /// Its name in addresses.
    pub(super) key: String,
    pub(super) report: Report,
    /// Of a device of this browser once it was opened, until it is lost: what comes and goes with each probe is better
    /// off on one device (ARCHITECTURE.md, *Awkward*).
    probe: Option<Rc<Probe>>,
    /// Whether it is to be tried.
    pub(super) is_due: bool,
}

impl Device {
    fn of(key: &str, report: Report) -> Self {
        Self { key: key.into(), report, probe: None, is_due: false }
    }

    /// This browser's device, to be tried.
    pub(super) fn here(adapter: &raw::Object) -> Self {
        Self { is_due: true, ..Self::of(HERE, untried(adapter, adapter)) }
    }
}

/// What is known of a device, which may be its adapter, before anything is tried.
fn untried(adapter: &raw::Object, device: &raw::Object) -> Report {
    let info = |name: &str| (name.to_owned(), adapter.read(&["info.", name].concat()));
    Report {
        limits: device.get("limits").numbers(),
        ..Report::untried(
            ["vendor", "architecture", "device", "description"].map(info).into(),
            device.get("features").names(),
            raw::language_features(),
        )
    }
}

impl Table {
    /// Takes up what was tried earlier in this visit on the device of that key; whether there was anything.
    pub(super) fn take_kept(&self, key: &str) -> bool {
        let text = tally::visit(&self.dom).and_then(|it| it.get_item(&[KEPT, key].concat()).ok()).flatten();
        let Some(kept) = text.and_then(|text| Report::parse(&text).ok()) else { return false };
        let change = |device: &mut Device| {
            let is_same = kept.adapter == device.report.adapter && kept.set() == device.report.set();
            if is_same {
                device.report = kept;
                device.is_due = false;
            }
            is_same
        };
        self.change_device(key, change).unwrap_or_default()
    }

    /// Does `act` with the device of that key.
    pub(super) fn change_device<T>(&self, key: &str, act: impl FnOnce(&mut Device) -> T) -> Option<T> {
        self.devices.borrow_mut().iter_mut().find(|it| it.key == key).map(act)
    }

    /// Puts that device in the place of the one that has its key.
    fn put_device(&self, device: Device) {
        let mut devices = self.devices.borrow_mut();
        devices.retain(|it| it.key != device.key);
        devices.push(device);
    }

    /// Sees to it that the devices that the reader chose are there; where one is not, another is chosen, unless the reader
    /// was faster.
    pub(super) async fn choose(self: &Rc<Self>) {
        text(&self.root, "fault", "");
        let has_here = self.with_device(HERE, |_| ()).is_some();
        let first = || if has_here { HERE.to_owned() } else { self.first_recorded() };
        let (device, against) = {
            let mut view = self.view.borrow_mut();
            if view.device.is_empty() {
                view.device = first();
            }
            (view.device.clone(), view.against.clone())
        };
        if !self.fetch(&device).await {
            let other = first();
            self.fetch(&other).await;
            let mut view = self.view.borrow_mut();
            if view.device == device {
                view.device = other;
                drop(view);
                self.write_address();
            }
        }
        if !self.fetch(&against).await {
            let mut view = self.view.borrow_mut();
            if view.against == against {
                view.against.clear();
            }
        }
    }

    fn first_recorded(&self) -> String {
        self.dom.find("[data-report]").and_then(|it| it.get_attribute("value")).unwrap_or_default()
    }

    /// Gets a recorded report, or opens a device of this browser, unless it is there already; whether it is there.
    async fn fetch(self: &Rc<Self>, key: &str) -> bool {
        if key.is_empty() || self.with_device(key, |_| ()).is_some() {
            return true;
        }
        let Some(option) = self.option(key) else { return false };
        if key == COMPATIBILITY {
            let opened = self.open_device(key).await;
            match &opened {
                Ok(_) if self.take_kept(key) => {}
                Ok(_) => drop(self.change_device(key, |it| it.is_due = true)),
                Err(words) if words.is_empty() => {
                    text(&self.root, "fault", &self.words.get("formats.no-compatibility"));
                    self.disable(key);
                }
                // Another time it may be given.
                Err(words) => {
                    text(&self.root, "fault", &[&self.words.get("formats.no-probe"), " ", words].concat());
                }
            }
            return opened.is_ok();
        }
        let Some(address) = option.get_attribute("data-report") else { return false };
        let answer = JsFuture::from(self.dom.window.fetch_with_str(&address)).await;
        let body = answer.ok().and_then(|it| it.dyn_into::<Response>().ok()).and_then(|it| it.text().ok());
        let json = match body {
            Some(body) => JsFuture::from(body).await.ok().and_then(|it| it.as_string()),
            None => None,
        };
        let report = json.and_then(|json| Report::parse(&json).ok());
        let is_there = report.is_some();
        match report {
            Some(report) => self.put_device(Device::of(key, report)),
            None => {
                let name = option.text_content().unwrap_or_default();
                text(&self.root, "fault", &self.words.fill("formats.unloadable", &[("name", name)]));
            }
        }
        is_there
    }

    /// What the reader chooses that device by.
    pub(super) fn option(&self, key: &str) -> Option<Element> {
        let options = self.dom.all("[name=\"formats.device\"] option");
        options.into_iter().find(|it| it.get_attribute("value").as_deref() == Some(key))
    }

    /// The device of that key cannot be chosen.
    pub(super) fn disable(&self, key: &str) {
        for option in self.dom.all(&["[data-formats] option[value=\"", key, "\"]"].concat()) {
            let _ = option.toggle_attribute_with_force("disabled", true);
        }
    }

    /// Tries the devices of this browser that are to be tried, one after the other.
    pub(in crate::web) async fn probe_due(self: &Rc<Self>) {
        let due = || self.devices.borrow().iter().find(|it| it.is_due).map(|it| it.key.clone());
        if due().is_none() || self.is_probing.replace(true) {
            return;
        }
        // Each of its thousands of questions would wait behind a picture.
        (self.hold)(true);
        while let Some(key) = due() {
            self.change_device(&key, |it| it.is_due = false);
            self.probe(&key).await;
        }
        (self.hold)(false);
        self.is_probing.set(false);
    }

    /// Tries the device that is shown once more, or this one, if that is somebody else's.
    pub(super) async fn probe_again(self: &Rc<Self>) {
        let key = if self.view.borrow().device == COMPATIBILITY { COMPATIBILITY } else { HERE };
        self.change_device(key, |it| it.is_due = true);
        self.probe_due().await;
    }

    /// The probe of a device of this browser, of which nothing is known yet.
    ///
    /// # Errors
    /// The browser's words, if it has any.
    async fn open_device(self: &Rc<Self>, key: &str) -> Result<Rc<Probe>, String> {
        let forget = |device: &mut Device| {
            let probe = device.probe.clone()?;
            device.report.forget();
            Some(probe)
        };
        if let Some(probe) = self.change_device(key, forget).flatten() {
            return Ok(probe);
        }
        let raw::Bare { device, adapter } =
            raw::open_bare("formats", key == COMPATIBILITY).await.map_err(|reason| reason.message().to_owned())?;
        let report = untried(&adapter, &device);
        // A browser that knows no levels gives what it always gives.
        if key == COMPATIBILITY && report.set().contains(Features::CORE) {
            let _ = device.call("destroy", "[]", &[]);
            return Err(String::new());
        }
        let lost = device.get("lost");
        let scripts = slot(&self.root, "scripts").and_then(|it| it.text_content()).unwrap_or_default();
        let probe = Rc::new(Probe::new(device, scripts).ok_or_else(String::new)?);
        self.put_device(Device { probe: Some(probe.clone()), ..Device::of(key, report) });
        let (table, key) = (self.clone(), key.to_owned());
        spawn_local(async move {
            let _ = lost.settled().await;
            table.change_device(&key, |it| it.probe = None);
        });
        Ok(probe)
    }

    /// Tries a device, format after format, and shows each as it is done.
    async fn probe(self: &Rc<Self>, key: &str) {
        self.is_stopped.set(false);
        let was_tried = self.root.get_attribute("data-state").as_deref() == Some("tried");
        self.set_state("probing");
        self.tell("probing", &[]);
        let began = self.dom.now();
        let probe = match self.open_device(key).await {
            Ok(probe) => probe,
            Err(words) => {
                self.tell("no-probe", &[]);
                if let (Some(place), Ok(output)) =
                    (slot(&self.root, "told"), self.dom.document.create_element("output"))
                {
                    attribute(&output, "lang", "en");
                    output.set_text_content(Some(&words));
                    let _ = place.append_child(&output);
                }
                // What is known stays.
                return self.set_state(if was_tried { "tried" } else { "untried" });
            }
        };
        self.paint_all().await;
        let (done, lasted) = self.run(key, &probe).await;
        let state = match (lasted, done) {
            (false, _) => "lost",
            (_, ALL) => "tried",
            _ => "stopped",
        };
        self.set_state(state);
        self.filter();
        if state == "tried" {
            if self.view.borrow().device == key {
                self.tell("probed", &[("seconds", fixed((self.dom.now() - began) / 1000.0, 1))]);
            } else {
                self.tell_device();
            }
            let json = self.with_device(key, |it| it.report.to_json());
            if let (Some(storage), Some(json)) = (tally::visit(&self.dom), json) {
                let _ = storage.set_item(&[KEPT, key].concat(), &json);
            }
        } else {
            let (kind, formats) = done.checked_sub(FORMATS.len()).map_or(("", done), |done| ("-values", done));
            self.tell(&[state, kind].concat(), &[("formats", formats.to_string())]);
        }
    }

    /// Tries every format, and then the values that it gives; how many of both, and whether the device lasted.
    async fn run(self: &Rc<Self>, key: &str, probe: &Probe) -> (usize, bool) {
        let mut done = 0;
        let mut take = |place: usize, row: Vec<Found>| {
            let is_values = done >= FORMATS.len();
            self.change_device(key, |it| {
                for (cell, found) in it.report.cells[place].iter_mut().zip(row) {
                    *if is_values { &mut cell.values } else { &mut cell.device } = found;
                }
            });
            self.paint(place);
            done += 1;
            if let Some(progress) = slot(&self.root, "progress") {
                attribute(&progress, "value", &done.to_string());
            }
            if self.is_stopped.get() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut lasted = probe.run(&mut take).await;
        if lasted && !self.is_stopped.get() {
            self.tell("checking", &[]);
            let has = |place: usize, at: usize| {
                self.with_device(key, |it| it.report.cells[place][at].device.answer) == Some(Answer::Yes)
            };
            lasted = probe.check(&has, &mut take).await;
        }
        (done, lasted)
    }

    /// The report of the device that is shown, in the form that is chosen, and the name of its file.
    pub(super) fn export(&self) -> Option<(String, String)> {
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

    /// Puts a text on the clipboard, and says `copied`, or `not` if the browser does not let it.
    pub(super) async fn copy(&self, contents: &str, copied: &str, not: &str) {
        let is_written = self.dom.copy(contents).await;
        text(&self.root, "told", &self.words.get(if is_written { copied } else { not }));
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
        self.put_device(Device::of(&key, report));
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
