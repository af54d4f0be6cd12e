//! The table of texture formats: what the reader sees of it and asks of it. Its rows come with the page, as somebody
//! else's report; here they become those of the reader's own device.

mod cells;
mod detail;
mod reports;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, Event, HtmlElement, HtmlInputElement, HtmlSelectElement, KeyboardEvent};

use super::address;
use super::dom::{Dom, arrange, attribute, closest, listen, show, slot, text};
use super::tally;
use super::words::Words;
use crate::claim::BoxFuture;
use crate::formats::search::{COMMON, Need, ORDERS, Order, is_within};
use crate::formats::{FORMATS, Features};
use crate::gpu::raw;
use cells::{Column, Differs, Row};
use reports::{COMPATIBILITY, Device, HERE};

/// What the reader asked for: all of it stands in the address.
#[derive(Default)]
struct View {
    /// Parts of a name, in small letters.
    find: String,
    /// Keys of devices; [`Device::key`].
    device: String,
    against: String,
    /// A choice of rows: `common`, or the difference that they must have.
    show: String,
    needs: Vec<String>,
    bytes: Option<u32>,
    /// The features ticked; those of the device, if the reader ticked none.
    features: Option<Features>,
    columns: Vec<String>,
    order: Order,
    /// The cell that is open: `format/capability`.
    cell: String,
}

/// The groups of columns that are shown unless the reader says otherwise.
const COLUMNS: &str = "sampled,attachment,storage,copy";

/// Milliseconds of work after which the page has its turn.
const SLICE_MS: f64 = 8.0;

/// Whether the part of the filter that folds is open, in the storage of this visit.
const FOLD: &str = "texelarium.formats.fold";

/// Rows that appear in one task: to show them all takes a browser longer than a key may. About as many more follow in each
/// task after it.
const ROWS_AT_ONCE: usize = 4;

/// The table of the page.
pub(super) struct Table {
    dom: Dom,
    words: Words,
    root: Element,
    columns: Vec<Column>,
    /// In the order of [`FORMATS`].
    rows: RefCell<Vec<Row>>,
    devices: RefCell<Vec<Device>>,
    view: RefCell<View>,
    /// The button that the Tab key reaches: row and column.
    focus: Cell<(usize, usize)>,
    /// How often rows were chosen: those of an earlier choice do not appear any more.
    choices: Cell<u32>,
    is_stopped: Cell<bool>,
    is_probing: Cell<bool>,
    hold: Box<dyn Fn(bool)>,
    /// Address of the last file that was offered.
    file: RefCell<Option<String>>,
}

/// Makes the page's table that of the device of `adapter`, and tries that device once the page has `started`; without an
/// adapter, the table is that of a recorded device. `hold` stops and restarts what plays on the page.
///
/// The future is boxed: a caller's own would hold the code of this one, whether the table stands on the page or not.
pub(super) fn live(
    dom: Dom,
    words: Words,
    adapter: Option<raw::Object>,
    hold: Box<dyn Fn(bool)>,
    started: BoxFuture<()>,
) -> BoxFuture<()> {
    Box::pin(async move {
        let table = wake(&dom, &words, adapter.as_ref(), hold).await;
        started.await;
        if let (Some(table), Some(_)) = (table, adapter) {
            table.probe_due().await;
        }
    })
}

/// Makes the page's table, if all of it is there.
async fn wake(dom: &Dom, words: &Words, adapter: Option<&raw::Object>, hold: Box<dyn Fn(bool)>) -> Option<Rc<Table>> {
    let root = dom.find("[data-formats]")?;
    let rows = FORMATS
        .iter()
        .filter_map(|format| Row::of(root.query_selector(&["tr[data-format=\"", format.name, "\"]"].concat()).ok()??));
    let table = Rc::new(Table {
        columns: cells::columns(&root),
        rows: RefCell::new(rows.collect()),
        devices: RefCell::new(adapter.map(Device::here).into_iter().collect()),
        view: RefCell::new(View::default()),
        focus: Cell::new((0, 0)),
        choices: Cell::new(0),
        is_stopped: Cell::new(false),
        is_probing: Cell::new(false),
        hold,
        file: RefCell::new(None),
        dom: dom.clone(),
        words: words.clone(),
        root,
    });
    if table.rows.borrow().len() < FORMATS.len() {
        return None;
    }
    attribute(&table.root, "data-state", if adapter.is_some() { "waiting" } else { "untried" });
    table.read_address();
    table.listen();
    table.keep_fold();
    table.head_sorts();
    let kept = table.take_kept(HERE);
    let asked = std::mem::take(&mut table.view.borrow_mut().cell);
    table.choose().await;
    table.paint_all().await;
    // The reader may have opened another meanwhile.
    let is_open = !table.view.borrow().cell.is_empty();
    if let Some((place, column)) = table.find_cell(&asked).filter(|_| !is_open) {
        table.show_column(column);
        table.open(place, column);
        table.arrange();
    }
    if adapter.is_none() {
        address::carry_over(dom);
        table.disable(HERE);
        table.disable(COMPATIBILITY);
    }
    table.tell_device();
    if kept {
        if table.view.borrow().device == HERE {
            table.tell("kept", &[]);
        }
        table.set_state("tried");
    }
    Some(table)
}

impl Table {
    /// What the address asks for.
    fn read_address(&self) {
        let read = |name: &str| address::read(&self.dom, "formats", name).unwrap_or_default();
        let list = |text: String| text.split(',').filter(|it| !it.is_empty()).map(str::to_owned).collect::<Vec<_>>();
        let mut view = self.view.borrow_mut();
        view.find = read("find");
        view.device = read("device");
        view.against = read("against");
        view.show = self.offered("show");
        view.needs = list(read("needs"));
        view.needs.retain(|name| Need::find(name).is_some());
        view.bytes = self.offered("bytes").parse().ok();
        view.features = address::read(&self.dom, "formats", "features")
            .map(|text| Features::of(|name| text.split(',').any(|it| it == name)));
        view.columns = list(address::read(&self.dom, "formats", "columns").unwrap_or_else(|| COLUMNS.into()));
        view.columns.retain(|group| self.columns.iter().any(|column| column.group == *group));
        let sort = read("sort");
        view.order = ORDERS.iter().find(|(name, _)| *name == sort).map_or(Order::Specification, |(_, order)| *order);
        view.cell = read("cell");
    }

    /// What the address asks of a choice, if that is one of its options; else nothing.
    fn offered(&self, name: &str) -> String {
        let select = self.dom.find(&["select[name=\"formats.", name, "\"]"].concat());
        let Some(select) = select.and_then(|it| it.dyn_into::<HtmlSelectElement>().ok()) else { return String::new() };
        select.set_value(&address::read(&self.dom, "formats", name).unwrap_or_default());
        select.value()
    }

    /// Says in the address what the reader asked for.
    fn write_address(&self) {
        let view = self.view.borrow();
        let unless = |value: &str, usual: &str| (value != usual).then(|| value.to_owned());
        let is_file = |key: &str| key.starts_with(reports::FILE);
        let order = ORDERS.iter().find(|(_, order)| *order == view.order).map_or("", |(name, _)| name);
        let ticked = view.features.map(|it| it.names().collect::<Vec<_>>().join(","));
        let device = if is_file(&view.device) { "" } else { &view.device };
        let against = if is_file(&view.against) { "" } else { &view.against };
        let values = [
            ("find", unless(&view.find, "")),
            ("device", unless(device, "").filter(|key| key != HERE)),
            ("against", unless(against, "")),
            ("show", unless(&view.show, "")),
            ("needs", unless(&view.needs.join(","), "")),
            ("bytes", view.bytes.map(|bytes| bytes.to_string())),
            ("features", ticked),
            ("columns", unless(&view.columns.join(","), COLUMNS)),
            ("sort", unless(order, "")),
            ("cell", unless(&view.cell, "")),
        ];
        address::write(&self.dom, "formats", &values);
    }

    /// The features that the specification's answer counts on.
    fn features(&self) -> Features {
        let view = self.view.borrow();
        view.features.or_else(|| self.with_device(&view.device, |it| it.report.set())).unwrap_or(Features::CORE)
    }

    /// Sets every control to what the reader asked for.
    fn show_controls(&self) {
        let features = self.features();
        let view = self.view.borrow();
        for control in self.dom.all("[data-formats] [name^=\"formats.\"]") {
            let name = control.get_attribute("name").unwrap_or_default();
            if let Some(input) = control.dyn_ref::<HtmlInputElement>() {
                let value = input.value();
                let is = |list: &[String]| list.contains(&value);
                match name.as_str() {
                    "formats.find" if value != view.find => input.set_value(&view.find),
                    "formats.needs" => input.set_checked(is(&view.needs)),
                    "formats.columns" => input.set_checked(is(&view.columns)),
                    "formats.features" => input.set_checked(features.names().any(|it| it == value)),
                    _ => {}
                }
            } else if let Some(select) = control.dyn_ref::<HtmlSelectElement>() {
                let bytes = view.bytes.map(|it| it.to_string()).unwrap_or_default();
                match name.as_str() {
                    "formats.device" => select.set_value(&view.device),
                    "formats.against" => select.set_value(&view.against),
                    "formats.show" => select.set_value(&view.show),
                    "formats.bytes" => select.set_value(&bytes),
                    _ => {}
                }
            }
        }
        if let Some(table) = self.dom.find(".ft") {
            attribute(&table, "data-columns", &view.columns.join(" "));
        }
        let active = self.order(&view);
        for head in self.dom.all("[data-formats] th[data-sort]") {
            let by = head.get_attribute("data-sort").unwrap_or_default();
            let direction = match (by.as_str(), active) {
                ("name", Order::Name) | ("bytes", Order::Bytes) => "ascending",
                ("name", Order::NameDown) | ("bytes", Order::BytesDown) => "descending",
                _ => "none",
            };
            attribute(&head, "aria-sort", direction);
        }
    }

    /// The order of the rows: the candidates for a need are ranked by bytes.
    fn order(&self, view: &View) -> Order {
        let is_search = !view.needs.is_empty() || view.bytes.is_some();
        if is_search && view.order == Order::Specification { Order::Bytes } else { view.order }
    }

    /// Shows the rows that the reader asked for, and counts.
    fn filter(self: &Rc<Self>) {
        let features = self.features();
        let view = self.view.borrow();
        let find = view.find.to_ascii_lowercase();
        let needs: Vec<_> = view.needs.iter().filter_map(|name| Need::find(name)).collect();
        let differs = Differs::find(&view.show);
        let (mut shown, mut counts) = (0, [0; 5]);
        for (row, format) in self.rows.borrow_mut().iter_mut().zip(&FORMATS) {
            let differing = row.count(&mut counts);
            let is_shown = find.split(' ').all(|part| format.name.contains(part))
                && needs.iter().all(|need| need.is_met(format, features))
                && view.bytes.is_none_or(|bytes| is_within(format, bytes))
                && differs.is_none_or(|it| differing & it as u8 != 0)
                && (view.show != "common" || COMMON.contains(&format.name));
            row.set_shown(is_shown);
            shown += u32::from(is_shown);
            if view.cell.split('/').next() == Some(format.name)
                && let Some(detail) = self.detail()
            {
                show(&detail, is_shown);
            }
        }
        let fill = |key: &str, values: &[(&str, String)]| self.words.fill(&["formats.", key].concat(), values);
        text(&self.root, "count", &fill("count", &[("shown", shown.to_string()), ("all", FORMATS.len().to_string())]));
        let [device, wgpu, against, wrong, checked] = counts.map(|count: u32| count.to_string());
        for (key, is_said, values) in [
            ("differ", true, [("device", device), ("wgpu", wgpu)]),
            ("differ-values", counts[4] > 0, [("checked", checked), ("wrong", wrong)]),
            ("differ-against", !view.against.is_empty(), [("against", against), ("", String::new())]),
        ] {
            text(&self.root, key, &if is_said { fill(key, &values) } else { String::new() });
        }
        drop(view);
        self.reveal();
    }

    /// Shows the rows that were asked for, those above first.
    fn reveal(self: &Rc<Self>) {
        let choice = self.choices.get() + 1;
        self.choices.set(choice);
        if self.reveal_some() {
            return;
        }
        let table = self.clone();
        spawn_local(async move {
            loop {
                table.dom.pause(0).await;
                if table.choices.get() != choice || table.reveal_some() {
                    break;
                }
            }
        });
    }

    /// Shows the next rows; whether no more are to come.
    fn reveal_some(&self) -> bool {
        let places = self.shown_places();
        let mut rows = self.rows.borrow_mut();
        let mut late = places.into_iter().filter(|place| rows[*place].appear());
        let is_done = late.by_ref().take(ROWS_AT_ONCE).count() < ROWS_AT_ONCE;
        if let Some(body) = self.dom.find(".ft") {
            let _ = if is_done { body.remove_attribute("aria-busy") } else { body.set_attribute("aria-busy", "true") };
        }
        is_done
    }

    /// Puts the rows into their order.
    fn sort(&self) {
        let rows = self.rows.borrow();
        let Some(body) = rows.first().and_then(|row| row.element.parent_element()) else { return };
        let view = self.view.borrow();
        let places = self.order(&view).places().into_iter();
        let elements = places.flat_map(|place| {
            // What is open stays under its row.
            let detail = self.detail().filter(|_| view.cell.split('/').next() == Some(FORMATS[place].name));
            [Some(rows[place].element.clone()), detail]
        });
        arrange(body.first_element_child(), elements.flatten());
    }

    /// Everything anew, in slices, after the device or the features changed.
    async fn paint_all(self: &Rc<Self>) {
        let mut began = self.dom.now();
        for place in 0..FORMATS.len() {
            self.paint(place);
            if self.dom.now() - began > SLICE_MS {
                self.dom.pause(0).await;
                began = self.dom.now();
            }
        }
        self.arrange();
    }

    /// Shows what the reader chose, and the rows of it in their order.
    fn arrange(self: &Rc<Self>) {
        self.show_controls();
        self.sort();
        self.filter();
        self.reach();
    }

    /// Says something of the device, with the browser's words if it has any.
    fn tell(&self, key: &str, values: &[(&str, String)]) {
        text(&self.root, "told", &self.words.fill(&["formats.", key].concat(), values));
    }

    /// Says where the answers of the device come from, if it is not this one.
    fn tell_device(&self) {
        let key = self.view.borrow().device.clone();
        let option = self.option(&key).filter(|it| it.has_attribute("data-report"));
        match option.and_then(|it| it.text_content()) {
            Some(device) => self.tell("recorded", &[("device", device)]),
            None => text(&self.root, "told", ""),
        }
    }

    /// How it stands with the device, for scripts and for the buttons.
    fn set_state(&self, state: &str) {
        attribute(&self.root, "data-state", state);
        let probing = state == "probing";
        for (act, shown) in [("stop", probing), ("probe", !probing && state != "waiting")] {
            if let Ok(Some(button)) = self.root.query_selector(&["[data-act=\"formats.", act, "\"]"].concat()) {
                show(&button, shown);
            }
        }
        if let Some(progress) = slot(&self.root, "progress") {
            show(&progress, probing);
        }
    }

    /// Makes buttons of the headers that sort.
    fn head_sorts(&self) {
        for head in self.dom.all("[data-formats] th[data-sort]") {
            let Some(word) = head.first_element_child() else { continue };
            if let Ok(button) = self.dom.document.create_element("button") {
                attribute(&button, "type", "button");
                button.set_text_content(word.text_content().as_deref());
                let _ = head.replace_child(&button, &word);
            }
        }
    }

    /// Folds or unfolds what is folded on narrow screens, as the reader left it in this visit.
    fn keep_fold(&self) {
        let Ok(Some(fold)) = self.root.query_selector("details") else { return };
        let Some(storage) = tally::visit(&self.dom) else { return };
        if storage.get_item(FOLD).ok().flatten().is_some() {
            attribute(&fold, "open", "");
        }
        listen::<Event>(&fold.clone(), "toggle", move |_| {
            let _ = if fold.has_attribute("open") { storage.set_item(FOLD, "open") } else { storage.remove_item(FOLD) };
        });
    }

    fn listen(self: &Rc<Self>) {
        let on = |kind: &str, act: fn(&Rc<Self>, &Event)| {
            let table = self.clone();
            listen::<Event>(&self.root, kind, move |event| act(&table, &event));
        };
        on("input", |table, event| {
            if let Some(input) = named(event, "formats.find") {
                let input: &HtmlInputElement = input.unchecked_ref();
                table.view.borrow_mut().find = input.value();
                table.filter();
                table.reach();
                let it = table.clone();
                address::at_rest(&table.dom, move || it.write_address());
            }
        });
        on("change", |table, event| {
            let Some(control) = event.target().and_then(|it| it.dyn_into::<Element>().ok()) else { return };
            let (table, event) = (table.clone(), event.clone());
            spawn_local(async move { table.change(&control, &event).await });
        });
        on("click", |table, event| {
            if let Some(head) = closest(event, "th[data-sort]") {
                table.sort_by(&head.get_attribute("data-sort").unwrap_or_default());
            } else if let Some((place, column)) = table.cell_of(event) {
                table.toggle(place, column);
            } else if let Some(button) = closest(event, "[data-act^=\"formats.\"]") {
                table.act(&button.get_attribute("data-act").unwrap_or_default());
            }
        });
        on("keydown", |table, event| {
            let key: &KeyboardEvent = event.unchecked_ref();
            if !(key.ctrl_key() || key.alt_key() || key.meta_key()) && table.key(event, &key.key()) {
                event.prevent_default();
            }
        });
        on("focusin", |table, event| {
            if let Some((place, column)) = table.cell_of(event) {
                table.reach_cell(place, column);
            }
        });
    }

    /// A control of the table changed.
    async fn change(self: &Rc<Self>, control: &Element, event: &Event) {
        let name = control.get_attribute("name").unwrap_or_default();
        let toggle = |list: &mut Vec<String>, input: &HtmlInputElement| {
            list.retain(|it| *it != input.value());
            if input.checked() {
                list.push(input.value());
            }
        };
        let input: &HtmlInputElement = control.unchecked_ref();
        let select: &HtmlSelectElement = control.unchecked_ref();
        match name.strip_prefix("formats.").unwrap_or_default() {
            "needs" => toggle(&mut self.view.borrow_mut().needs, input),
            "columns" => {
                toggle(&mut self.view.borrow_mut().columns, input);
                self.close_hidden();
            }
            "bytes" => self.view.borrow_mut().bytes = select.value().parse().ok(),
            "show" => {
                self.view.borrow_mut().show = select.value();
                self.show_differing_columns();
            }
            "features" => {
                self.tick(&input.value(), input.checked());
                self.paint_all().await;
            }
            device @ ("device" | "against") => {
                if device == "device" {
                    let mut view = self.view.borrow_mut();
                    view.device = select.value();
                    view.features = None;
                } else {
                    self.view.borrow_mut().against = select.value();
                }
                self.choose().await;
                self.paint_all().await;
                if device == "device" {
                    self.tell_device();
                }
            }
            "load" => return self.load(event).await,
            _ => return,
        }
        self.arrange();
        self.refresh_detail();
        self.write_address();
        // The first to be tried waits for the first picture.
        if self.root.get_attribute("data-state").as_deref() != Some("waiting") {
            self.probe_due().await;
        }
    }

    /// Ticks a feature together with those that a device gets with it, or unticks it together with those that need it.
    fn tick(&self, name: &str, on: bool) {
        let Some((_, feature)) = Features::each().find(|(it, _)| *it == name) else { return };
        let features = self.features();
        let ticked = if on {
            features.and(feature).closed()
        } else {
            let needs_it = |(_, other): &(&str, Features)| other.closed().contains(feature);
            Features::each().filter(needs_it).fold(features, |set, (_, other)| set.without(other))
        };
        let own = self.with_device(&self.view.borrow().device, |it| it.report.set());
        self.view.borrow_mut().features = (Some(ticked) != own).then_some(ticked);
    }

    /// Where rows are chosen by a difference, the columns in which they differ are shown.
    fn show_differing_columns(&self) {
        let Some(differs) = Differs::find(&self.view.borrow().show) else { return };
        let rows = self.rows.borrow();
        for at in 0..self.columns.len() {
            if rows.iter().any(|row| row.differs(at, differs)) {
                self.show_column(at);
            }
        }
    }

    /// Shows the group of that column.
    fn show_column(&self, column: usize) {
        let group = &self.columns[column].group;
        let mut view = self.view.borrow_mut();
        if !view.columns.contains(group) {
            view.columns.push(group.clone());
        }
    }

    /// Closes a cell whose column is not shown any more.
    fn close_hidden(&self) {
        let cell = self.view.borrow().cell.clone();
        if self.find_cell(&cell).is_some_and(|(_, column)| !self.shown_columns().contains(&column)) {
            self.close();
        }
    }

    fn sort_by(self: &Rc<Self>, by: &str) {
        {
            let mut view = self.view.borrow_mut();
            view.order = match (by, self.order(&view)) {
                ("name", Order::Name) => Order::NameDown,
                ("name", Order::NameDown) | ("bytes", Order::BytesDown) => Order::Specification,
                ("name", _) => Order::Name,
                (_, Order::Bytes) => Order::BytesDown,
                _ => Order::Bytes,
            };
        }
        self.show_controls();
        self.sort();
        self.write_address();
    }

    fn act(self: &Rc<Self>, act: &str) {
        let (table, act) = (self.clone(), act.to_owned());
        spawn_local(async move {
            match act.as_str() {
                "formats.stop" => table.is_stopped.set(true),
                "formats.probe" => table.probe_again().await,
                "formats.save" => table.save(),
                "formats.copy" => {
                    let Some((_, contents)) = table.export() else { return };
                    table.copy(&contents, "formats.copied", "formats.not-copied").await;
                }
                "formats.link" => {
                    table.write_address();
                    let link = table.dom.window.location().href().unwrap_or_default();
                    table.copy(&link, "link.copied", "link.in-address").await;
                }
                _ => {}
            }
        });
    }

    /// A key was pressed in the table; whether it meant something there.
    fn key(self: &Rc<Self>, event: &Event, key: &str) -> bool {
        if key == "Escape" && closest(event, ".ft").is_some() {
            return self.close();
        }
        let Some((place, column)) = self.cell_of(event) else { return false };
        let (down, right, far) = match key {
            "ArrowUp" => (-1, 0, false),
            "ArrowDown" => (1, 0, false),
            "ArrowLeft" => (0, -1, false),
            "ArrowRight" => (0, 1, false),
            "Home" => (0, -1, true),
            "End" => (0, 1, true),
            _ => return false,
        };
        let (places, columns) = (self.shown_places(), self.shown_columns());
        let step = |list: &[usize], from: usize, by: isize| {
            let at = list.iter().position(|it| *it == from)?;
            list.get(at.checked_add_signed(by)?).copied()
        };
        // Over the cells that are empty.
        let (mut place, mut column, mut found) = (place, column, None);
        while let (Some(to), Some(into)) = (step(&places, place, down), step(&columns, column, right)) {
            (place, column) = (to, into);
            if self.button(place, column).is_some() {
                found = Some((place, column));
                if !far {
                    break;
                }
            }
        }
        if let Some(button) = found.and_then(|(place, column)| self.button(place, column)) {
            let _ = button.focus();
        }
        true
    }

    /// The row and column of the cell that the event happened in.
    fn cell_of(&self, event: &Event) -> Option<(usize, usize)> {
        let cell = closest(event, "td[data-cap]")?;
        let row = cell.parent_element()?;
        let place = FORMATS.iter().position(|it| Some(it.name) == row.get_attribute("data-format").as_deref())?;
        let column = self.columns.iter().position(|it| Some(it.name()) == cell.get_attribute("data-cap").as_deref())?;
        Some((place, column))
    }

    /// The cell of that name in an address.
    fn find_cell(&self, name: &str) -> Option<(usize, usize)> {
        let (format, capability) = name.split_once('/')?;
        let place = FORMATS.iter().position(|it| it.name == format)?;
        let column = self.columns.iter().position(|it| it.name() == capability)?;
        self.button(place, column).is_some().then_some((place, column))
    }

    fn button(&self, place: usize, column: usize) -> Option<HtmlElement> {
        self.rows.borrow()[place].button(column)
    }

    /// The rows that are shown, from above.
    fn shown_places(&self) -> Vec<usize> {
        let order = self.order(&self.view.borrow());
        let rows = self.rows.borrow();
        order.places().into_iter().filter(|place| rows[*place].is_shown()).collect()
    }

    /// The columns that are shown, from the left.
    fn shown_columns(&self) -> Vec<usize> {
        let view = self.view.borrow();
        (0..self.columns.len()).filter(|at| view.columns.contains(&self.columns[*at].group)).collect()
    }

    /// Lets the Tab key reach that cell and no other.
    fn reach_cell(&self, place: usize, column: usize) {
        let (old_place, old_column) = self.focus.replace((place, column));
        if let Some(button) = self.button(old_place, old_column) {
            attribute(&button, "tabindex", "-1");
        }
        if let Some(button) = self.button(place, column) {
            attribute(&button, "tabindex", "0");
        }
    }

    /// Lets the Tab key reach a cell that is shown.
    fn reach(&self) {
        let (place, column) = self.focus.get();
        let (places, columns) = (self.shown_places(), self.shown_columns());
        if places.contains(&place) && columns.contains(&column) && self.button(place, column).is_some() {
            return self.reach_cell(place, column);
        }
        let mut cells = places.iter().flat_map(|place| columns.iter().map(move |column| (*place, *column)));
        if let Some((place, column)) = cells.find(|(place, column)| self.button(*place, *column).is_some()) {
            self.reach_cell(place, column);
        }
    }

    /// Does `act` with the device of that key.
    fn with_device<T>(&self, key: &str, act: impl FnOnce(&Device) -> T) -> Option<T> {
        self.devices.borrow().iter().find(|it| it.key == key).map(act)
    }
}

/// The control of that name that the event came from.
fn named(event: &Event, name: &str) -> Option<Element> {
    let control: Element = event.target()?.dyn_into().ok()?;
    (control.get_attribute("name").as_deref() == Some(name)).then_some(control)
}
