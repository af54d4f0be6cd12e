//! The cells: what each shows, and no more work than what changed.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::Table;
use crate::formats::{Answer, CAPABILITIES, FORMATS, Features, Format, cures, guaranteed, specified};
use crate::web::dom::{attribute, show};

/// A column of the table.
pub(super) struct Column {
    /// Its place in [`CAPABILITIES`].
    pub(super) capability: usize,
    /// The group it is shown with.
    pub(super) group: String,
    /// Of its cells.
    class: String,
}

impl Column {
    /// The capability's name.
    pub(super) fn name(&self) -> &'static str {
        CAPABILITIES[self.capability].0
    }
}

/// The columns, as the head of the table has them.
pub(super) fn columns(root: &Element) -> Vec<Column> {
    let Ok(heads) = root.query_selector_all("th[data-column]") else { return Vec::new() };
    let column = |head: Element| {
        let name = head.get_attribute("data-column")?;
        let class = head.class_name();
        let group = class.split("c-").nth(1)?.to_owned();
        Some(Column { capability: CAPABILITIES.iter().position(|(it, _)| *it == name)?, group, class })
    };
    (0..heads.length()).filter_map(|at| column(heads.get(at)?.dyn_into().ok()?)).collect()
}

/// What may differ from what.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Differs {
    /// The device from the specification.
    Device = 1,
    /// wgpu from the specification.
    Wgpu = 2,
    /// The device from the one it is compared with.
    Against = 4,
    /// The values that the device gave from those that it should have.
    Values = 8,
}

impl Differs {
    pub(super) const ALL: [(&str, Self); 4] =
        [("device", Self::Device), ("wgpu", Self::Wgpu), ("against", Self::Against), ("values", Self::Values)];

    /// That of this name in the page and in addresses.
    pub(super) fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(it, _)| *it == name).map(|(_, it)| *it)
    }
}

/// What a cell shows.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Look {
    spec: Answer,
    device: Answer,
    wgpu: Answer,
    /// What the device's answer is compared with.
    against: Answer,
    /// Whether the device's values were right.
    values: Answer,
    /// The feature that would turn a no of the specification into a yes.
    cure: Option<&'static str>,
    /// Bits of [`Differs`].
    differs: u8,
}

/// A row of the table.
pub(super) struct Row {
    pub(super) element: Element,
    /// In the order of the columns; none before it is painted.
    cells: Vec<(Element, Look)>,
    /// Whether the reader did not ask for it.
    is_hidden: bool,
    /// Whether it was asked for and does not stand there yet.
    is_late: bool,
}

impl Row {
    pub(super) fn of(element: Element) -> Option<Self> {
        Some(Self { element, cells: Vec::new(), is_hidden: false, is_late: false })
    }

    pub(super) const fn is_shown(&self) -> bool {
        !self.is_hidden
    }

    /// Hides it at once, or lets it be shown by [`Self::appear`].
    pub(super) fn set_shown(&mut self, shown: bool) {
        if self.is_hidden == shown {
            self.is_hidden = !shown;
            self.is_late = shown;
            show(&self.element, false);
        }
    }

    /// Shows it, if it was asked for; whether there was anything to do.
    pub(super) fn appear(&mut self) -> bool {
        let is_late = std::mem::take(&mut self.is_late);
        if is_late {
            show(&self.element, true);
        }
        is_late
    }

    /// Whether it differs so in that column.
    pub(super) fn differs(&self, column: usize, differs: Differs) -> bool {
        self.cells.get(column).is_some_and(|(_, look)| look.differs & differs as u8 != 0)
    }

    /// Adds the cells that differ in each way of [`Differs::ALL`], and those whose values were tried; gives the ways in which
    /// any differs.
    pub(super) fn count(&self, counts: &mut [u32; 5]) -> u8 {
        self.cells.iter().fold(0, |ways, (_, look)| {
            counts[4] += u32::from(look.values != Answer::Untried);
            for (count, (_, way)) in counts.iter_mut().zip(Differs::ALL) {
                *count += u32::from(look.differs & way as u8 != 0);
            }
            ways | look.differs
        })
    }

    /// The button of that cell, if there is anything to open.
    pub(super) fn button(&self, column: usize) -> Option<HtmlElement> {
        self.cells.get(column)?.0.first_element_child()?.dyn_into().ok()
    }
}

/// The part of a feature's name that says enough where there is no room for more.
fn short(feature: &'static str) -> &'static str {
    let name = ["texture-compression-", "texture-formats-"].iter().find_map(|start| feature.strip_prefix(start));
    let name = name.unwrap_or(feature);
    let end = if name.ends_with("-3d") { name.rfind('-') } else { name.find('-') };
    let name = &name[..end.unwrap_or(name.len())];
    // Of a format it is the beginning: `rg11b10ufloat` is known by `rg11b10`.
    name.strip_suffix("ufloat").or_else(|| name.strip_suffix("unorm")).unwrap_or(name)
}

impl Table {
    /// Shows a format's row as it stands now.
    pub(super) fn paint(&self, place: usize) {
        let format = &FORMATS[place];
        let looks = self.looks(place, format);
        let mut rows = self.rows.borrow_mut();
        let row = &mut rows[place];
        if row.cells.is_empty() {
            self.build(row, format, looks);
        } else {
            for (cell, look) in row.cells.iter_mut().zip(looks) {
                if cell.1 != look {
                    cell.1 = look;
                    self.show_look(&cell.0, &look);
                }
            }
        }
        drop(rows);
        self.refresh_detail_of(place);
    }

    fn looks(&self, place: usize, format: &Format) -> Vec<Look> {
        let ticked = self.features();
        let view = self.view.borrow();
        let devices = self.devices.borrow();
        let find = |key: &str| devices.iter().find(|it| it.key == key).map(|it| &it.report);
        let (device, against) = (find(&view.device), find(&view.against));
        let own = device.map_or(Features::CORE, |it| it.set());
        let look = |at: usize| {
            let capability = CAPABILITIES[at].1;
            let cell = device.map(|it| &it.cells[place][at]);
            let tried = cell.map_or(Answer::Untried, |it| it.device.answer);
            let values = cell.map_or(Answer::Untried, |it| it.values.answer);
            let other = against.map_or(Answer::Untried, |it| it.cells[place][at].device.answer);
            let wgpu = guaranteed::answer(format, capability, own);
            let by = |way: Differs, differs: bool| if differs { way as u8 } else { 0 };
            Look {
                spec: specified(format, capability, ticked),
                device: tried,
                wgpu,
                against: other,
                values,
                cure: cures(format, capability, ticked).next(),
                differs: by(Differs::Device, cell.is_some_and(|it| it.spec.contradicts(tried)))
                    | by(Differs::Wgpu, cell.is_some_and(|it| it.spec.contradicts(wgpu)))
                    | by(Differs::Against, tried.contradicts(other))
                    | by(Differs::Values, values == Answer::No),
            }
        };
        self.columns.iter().map(|column| look(column.capability)).collect()
    }

    /// Makes the cells of a row, all at once: a call for each would take ten times as long.
    fn build(&self, row: &mut Row, format: &Format, looks: Vec<Look>) {
        let mut html =
            ["<th role=rowheader scope=row translate=no>", format.name, "</th><td role=cell class=n>"].concat();
        html.push_str(&format.bytes().map_or_else(|| "–".into(), |bytes| bytes.to_string()));
        if format.is_compressed() {
            let [width, height] = format.block.map(|side| side.to_string());
            html.push_str(&[" <small>", &width, "×", &height, "</small>"].concat());
        }
        for (column, look) in self.columns.iter().zip(&looks) {
            html.push_str(&["</td><td role=cell class=\"", &column.class, "\" data-cap=", column.name()].concat());
            for (name, value) in attributes(look) {
                if let Some(value) = value {
                    html.push_str(&[" ", name, "=\"", &value, "\""].concat());
                }
            }
            html.push('>');
            if look.spec != Answer::None {
                let [label, small] = self.label(look);
                html.push_str("<button type=button tabindex=-1 aria-expanded=false aria-label=\"");
                html.push_str(&[&label, "\"><small>", &small, "</small></button>"].concat());
            }
        }
        row.element.set_inner_html(&html);
        let cells = row.element.children();
        row.cells = looks.into_iter().zip(2..).filter_map(|(look, at)| Some((cells.item(at)?, look))).collect();
    }

    /// Shows what changed in a cell.
    fn show_look(&self, cell: &Element, look: &Look) {
        for (name, value) in attributes(look) {
            match value {
                Some(value) => attribute(cell, name, &value),
                None => drop(cell.remove_attribute(name)),
            }
        }
        if let Some(button) = cell.first_element_child() {
            let [label, small] = self.label(look);
            attribute(&button, "aria-label", &label);
            if let Some(place) = button.first_element_child() {
                place.set_text_content(Some(&small));
            }
        }
    }

    /// The word for an answer.
    pub(super) fn answer(&self, answer: Answer) -> String {
        self.words.get(&["formats.answer.", answer.name()].concat())
    }

    /// What the specification says, with the feature that would change it.
    pub(super) fn says(&self, answer: Answer, cure: Option<&str>) -> String {
        match cure {
            Some(feature) => self.words.fill("formats.with", &[("feature", feature)]),
            None => self.answer(answer),
        }
    }

    /// What a cell says to those who do not see it, and what it says beside its mark.
    fn label(&self, look: &Look) -> [String; 2] {
        let is = |way: Differs| look.differs & way as u8 != 0;
        let fill = |key: &str, answer| self.words.fill(key, &[("answer", self.answer(answer))]);
        let mut label = self.says(look.spec, look.cure);
        let small = if is(Differs::Device) {
            fill("formats.here", look.device)
        } else if is(Differs::Values) {
            self.words.get("formats.wrong")
        } else if is(Differs::Against) {
            fill("formats.there", look.against)
        } else if is(Differs::Wgpu) {
            fill("formats.wgpu", look.wgpu)
        } else {
            return [label, look.cure.map(short).unwrap_or_default().into()];
        };
        label.push_str(&self.words.get("formats.besides"));
        let is_values = is(Differs::Values) && !is(Differs::Device);
        label.push_str(&if is_values { self.words.get("formats.wrong-values") } else { small.clone() });
        [label, small]
    }
}

/// The attributes of a cell, which readers' scripts and styles may rely on.
fn attributes(look: &Look) -> [(&'static str, Option<String>); 6] {
    let differs: Vec<_> =
        Differs::ALL.iter().filter(|(_, way)| look.differs & *way as u8 != 0).map(|(name, _)| *name).collect();
    [
        ("data-spec", Some(look.spec.name().into())),
        ("data-device", Some(look.device.name().into())),
        ("data-wgpu", Some(look.wgpu.name().into())),
        ("data-values", (look.values != Answer::Untried).then(|| look.values.name().into())),
        ("data-needs", look.cure.map(Into::into)),
        ("data-differs", (!differs.is_empty()).then(|| differs.join(" "))),
    ]
}
