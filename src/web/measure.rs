//! The table in which the ways of a figure are timed against each other on this device.

use web_sys::Element;

use super::dom::{attribute, fixed, show, slot, text};
use super::words::Words;
use crate::figure::within;
use crate::gpu::measure::{Measured, Time};

/// How it stands: `data-measure` of the figure, and the words in its place.
#[derive(Debug)]
pub(super) enum State {
    /// Under way.
    Measuring,
    /// Here are the times, or why there are none.
    Done(Measured),
    /// The device was lost.
    Lost,
}

/// Shows the button, which does nothing without this program.
pub(super) fn offer(root: &Element) {
    if let Some(button) = root.query_selector("[data-act=measure]").ok().flatten() {
        show(&button, true);
    }
}

/// Whether nothing was measured in this figure yet.
pub(super) fn is_first(root: &Element) -> bool {
    !root.has_attribute("data-measure")
}

/// Shows how the measuring in `root` stands.
pub(super) fn set(words: &Words, root: &Element, state: &State) {
    let (name, measured) = match state {
        State::Measuring => ("measuring", None),
        State::Done(measured) if measured.times.is_none() => ("coarse", Some(measured)),
        State::Done(measured) => ("measured", Some(measured)),
        State::Lost => ("lost", None),
    };
    attribute(root, "data-measure", name);
    // Whoever measures has predicted.
    attribute(root, "data-predicted", "");
    let mut values = Vec::new();
    if let Some(Measured { by_timestamps, step, size, rounds, .. }) = measured {
        let how = if *by_timestamps { "time.timestamps" } else { "time.done" };
        values = vec![
            ("size", size.to_string()),
            ("rounds", rounds.to_string()),
            ("how", words.get(how)),
            ("step", duration(*step)),
        ];
        text(root, "size", &format!("{size} × {size}"));
    }
    text(root, "measured", &words.fill(&format!("measure.{name}"), &values));
    if let Some(table) = root.query_selector(".bars").ok().flatten() {
        attribute(&table, "aria-busy", if name == "measuring" { "true" } else { "false" });
    }
    if name != "measuring" {
        text(root, "again", &words.get("measure.again"));
        let times = measured.and_then(|measured| measured.times.as_deref()).unwrap_or_default();
        show_times(root, times);
    }
}

/// Fills the cells of each way, drawn against the best; without times they are empty.
fn show_times(root: &Element, times: &[Time]) {
    let best = times.iter().fold(0.0_f64, |best, time| best.max(time.rate));
    let Ok(rows) = root.query_selector_all("[data-way]") else { return };
    for row in (0..rows.length()).filter_map(|at| rows.get(at)) {
        let row: &Element = wasm_bindgen::JsCast::unchecked_ref(&row);
        let id = row.get_attribute("data-way").unwrap_or_default();
        let time = times.iter().find(|time| time.id == id);
        let is_best = time.is_some_and(|time| time.rate == best);
        text(row, "rate", &time.map_or_else(|| "–".to_owned(), |time| three_digits(time.rate)));
        if let Some(rate) = slot(row, "rate") {
            rate.set_class_name(if is_best { "num best" } else { "num" });
        }
        if let Some(bar) = slot(row, "bar") {
            let share = time.map_or(0.0, |time| within((time.rate / best) as f32, 0.0, 1.0));
            attribute(&bar, "width", &fixed(f64::from(share) * 100.0, 1));
        }
        if is_best && let Some(name) = slot(row, "name") {
            text(root, "best", &name.text_content().unwrap_or_default());
        }
        if let Ok(Some(mark)) = root.query_selector(&format!(".ask [value=\"{id}\"]~.m")) {
            show(&mark, is_best);
        }
    }
}

/// Nanoseconds in a unit that suits them.
fn duration(ns: u64) -> String {
    match ns {
        0..1_000 => format!("{ns} ns"),
        1_000..1_000_000 => three_digits(ns as f64 / 1e3) + " µs",
        _ => three_digits(ns as f64 / 1e6) + " ms",
    }
}

/// A positive number with three significant digits.
fn three_digits(value: f64) -> String {
    let (mut digits, mut limit) = (0, 100.0);
    while value < limit && digits < 6 {
        digits += 1;
        limit /= 10.0;
    }
    fixed(value, digits)
}
