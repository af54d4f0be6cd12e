//! The registries and the words of the pages name the same figures, controls, claims and attempts.

// A test that cannot go on stops here, and says so.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;

use texelarium::figure::Control;
use toml::{Table, Value};

fn read(file: &str) -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("www/en").join(file);
    std::fs::read_to_string(&path).unwrap().parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn keys(table: &Value) -> BTreeSet<String> {
    table.as_table().map(|table| table.keys().cloned().collect()).unwrap_or_default()
}

fn set<'a>(items: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    items.into_iter().map(str::to_owned).collect()
}

#[test]
fn claims_have_words() {
    let words = read("claims.toml");
    let known: Vec<_> = texelarium::claims::all().map(|claim| claim.id).collect();
    assert_eq!(keys(&Value::Table(words.clone())), set(known.iter().copied()));
    assert_eq!(set(known.iter().copied()).len(), known.len(), "an id is used twice");
    for claim in texelarium::claims::all() {
        assert_eq!(keys(&words[claim.id]["tries"]), set(claim.tries.iter().map(|it| it.name)), "{}", claim.id);
    }
}

#[test]
fn figures_have_words() {
    let words = read("figures.toml");
    assert_eq!(keys(&Value::Table(words.clone())), set(texelarium::figures::ALL.iter().map(|entry| entry.id)));
    for entry in texelarium::figures::ALL {
        let words = &words[entry.id];
        assert_eq!(keys(&words["controls"]), set(entry.controls.iter().map(Control::id)), "{}", entry.id);
        let options = entry.controls.iter().flat_map(|control| match control {
            Control::Choice { options, .. } => *options,
            Control::Range { .. } => &[],
        });
        let named = words.get("options").map(keys).unwrap_or_default();
        assert_eq!(named, set(options.copied()), "{}", entry.id);
    }
}

#[test]
fn controls_take_only_what_they_allow() {
    for control in texelarium::figures::ALL.iter().flat_map(|entry| entry.controls) {
        let values: &[f32] = match control {
            Control::Range { min, max, default, .. } => &[*min, *max, *default],
            Control::Choice { .. } => &[0.0, 1.0],
        };
        for value in values {
            assert_eq!(control.nearest(*value), Some(*value), "{}", control.id());
        }
        assert_eq!(control.nearest(f32::NAN), None, "{}", control.id());
        let [low, high] = [f32::NEG_INFINITY, f32::INFINITY].map(|end| control.nearest(end).unwrap());
        assert!(low < high && low.is_finite() && high.is_finite(), "{}", control.id());
    }
}

#[test]
fn capabilities_have_words_and_meanings() {
    let words = read("ui.toml");
    let known = || texelarium::formats::CAPABILITIES.iter().map(|(name, _)| *name);
    assert_eq!(keys(&words["formats"]["column"]), set(known()));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let template = std::fs::read_to_string(root.join("www/templates/formats.html")).unwrap();
    let columns = template.split("set groups").nth(1).and_then(|rest| rest.split("-%}").next()).unwrap();
    for language in ["en", "es", "zh"] {
        let page = std::fs::read_to_string(root.join("www").join(language).join("format-table.md")).unwrap();
        let meant: BTreeSet<_> = page
            .split("data-means=\"")
            .skip(1)
            .flat_map(|rest| rest.split('"').next().unwrap_or_default().split(' '))
            .collect();
        assert_eq!(meant, known().collect(), "{language}");
    }
    for name in known() {
        assert_eq!(columns.matches(&format!("\"{name}\"")).count(), 1, "{name}");
    }
    for (name, _) in texelarium::formats::Features::each().filter(|(name, _)| !name.starts_with("core")) {
        assert!(template.contains(&format!("\"{name}\"")), "{name}");
    }
}
