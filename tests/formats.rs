//! The table of formats against the specification, as it was parsed by machine: `data/formats.json` says from where.

// A test that cannot go on stops here, and says so.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::collections::HashMap;

use serde_json::Value;
use texelarium::formats::{Answer, CAPABILITIES, FORMATS, Features, Format, cures, specified, table::Aspect};

fn reference() -> Value {
    serde_json::from_str(include_str!("data/formats.json")).unwrap()
}

fn text_of(value: &Value) -> Option<&str> {
    value.as_str()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

/// Every set of features that is closed under the reference's dependencies, as bits over the reference's list.
fn closed_sets(reference: &Value) -> Vec<u32> {
    let names = texts(&reference["features"]);
    let bit = |name: &str| 1 << names.iter().position(|it| *it == name).unwrap();
    let dependencies: Vec<(u32, u32)> = reference["dependencies"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, brings)| (bit(name), texts(brings).into_iter().map(bit).sum()))
        .collect();
    let is_closed =
        |set: &u32| dependencies.iter().all(|(feature, brings)| set & feature == 0 || set & brings == *brings);
    (0..1 << names.len()).filter(is_closed).collect()
}

#[test]
fn capabilities_are_the_specifications_for_every_set_of_features() {
    let reference = reference();
    let names = texts(&reference["features"]);
    let bits = |condition: &str| -> Option<u32> {
        let bit = |name| 1 << names.iter().position(|it| *it == name).unwrap();
        match condition {
            "never" => None,
            "" => Some(0),
            _ => Some(condition.split('+').map(bit).sum()),
        }
    };
    let sets: Vec<(u32, Features)> = closed_sets(&reference)
        .into_iter()
        .map(|set| {
            (set, Features::of(|name| names.iter().position(|it| *it == name).is_some_and(|at| set >> at & 1 == 1)))
        })
        .collect();
    let (mut comparisons, mut differences) = (0, Vec::new());
    for (format, is) in FORMATS.iter().zip(reference["formats"].as_array().unwrap()) {
        let conditions: HashMap<&str, Option<u32>> = is["caps"]
            .as_object()
            .unwrap()
            .iter()
            .flat_map(|(condition, names)| names.as_str().unwrap().split(' ').map(move |name| (name, bits(condition))))
            .collect();
        let known = CAPABILITIES.iter().filter(|(name, _)| conditions.contains_key(name)).count();
        assert_eq!(known, conditions.len(), "{}: a capability of the reference is not in the list", format.name);
        for (name, capability) in CAPABILITIES {
            let condition = conditions.get(name);
            for (set, features) in &sets {
                let expected = match condition {
                    None => Answer::None,
                    Some(Some(needed)) if set & needed == *needed => Answer::Yes,
                    Some(_) => Answer::No,
                };
                comparisons += 1;
                if specified(format, capability, *features) != expected {
                    differences.push(format!(
                        "{} {name}: {expected:?} on {:?}",
                        format.name,
                        features.names().collect::<Vec<_>>()
                    ));
                }
            }
        }
    }
    println!("{comparisons} comparisons over {} sets of features, {} differences", sets.len(), differences.len());
    assert_eq!((sets.len(), comparisons), (2304, 2304 * 46 * 101), "something was not compared");
    assert!(
        differences.is_empty(),
        "{} differences, such as\n{}",
        differences.len(),
        differences[..differences.len().min(20)].join("\n")
    );
}

#[test]
fn facts_are_the_specifications() {
    let reference = reference();
    let formats = reference["formats"].as_array().unwrap();
    assert_eq!(formats.len(), FORMATS.len());
    for (format, is) in FORMATS.iter().zip(formats) {
        let name = format.name;
        let number = |value: &Value| value.as_u64().map(|number| number as u8);
        assert_eq!(Some(name), text_of(&is["name"]));
        let aspects: Vec<_> = format.aspects().iter().map(|aspect| aspect.name()).collect();
        assert_eq!(aspects, texts(&is["aspects"]), "{name}");
        assert_eq!(usize::from(format.channels), text_of(&is["components"]).unwrap_or_default().len(), "{name}");
        assert_eq!(format.block.map(Some), [number(&is["block"][0]), number(&is["block"][1])], "{name}");
        assert_eq!(format.bytes(), number(&is["bytesPerBlock"]), "{name}");
        for aspect in format.aspects() {
            assert_eq!(format.copy_bytes(*aspect), number(&is["copyBytes"][aspect.name()]), "{name} {aspect:?}");
        }
        assert_eq!(format.required_feature(), text_of(&is["requiredFeature"]), "{name}");
        assert_eq!(format.srgb_counterpart().map(|format| format.name), text_of(&is["srgbCounterpart"]), "{name}");
        let target = is["renderTarget"].as_array().map(|cost| [number(&cost[0]).unwrap(), number(&cost[1]).unwrap()]);
        assert_eq!(format.render_cost(), target, "{name}");
        assert_eq!(format.is_wgsl_texel_format(), is["wgsl"].is_array(), "{name}");
        if is["wgsl"].is_array() {
            assert_eq!(Some(format.wgsl_scalar()), text_of(&is["wgsl"][0]), "{name}");
            assert_eq!(format.wgsl_language_feature(), text_of(&is["wgsl"][1]), "{name}");
        }
    }
}

#[test]
fn a_no_names_the_features_that_would_change_it() {
    let cures = |format, capability, features| -> Vec<_> {
        let capability = CAPABILITIES.iter().find(|(name, _)| *name == capability).unwrap().1;
        cures(Format::find(format).unwrap(), capability, features).collect()
    };
    let core = Features::CORE;
    let all = Features::of(|_| true);
    assert_eq!(cures("r32float", "filterable", core), ["float32-filterable"]);
    assert_eq!(
        cures("rg11b10ufloat", "blendable", core),
        ["rg11b10ufloat-renderable", "texture-formats-tier1", "texture-formats-tier2"]
    );
    assert_eq!(cures("bc1-rgba-unorm", "dimension.3d", core), ["texture-compression-bc-sliced-3d"]);
    assert_eq!(cures("rg32float", "storage.write-only", Features::NONE), ["core-features-and-limits"]);
    assert!(cures("r32float", "filterable", all).is_empty(), "a yes needs no cure");
    assert!(cures("rg8unorm", "storage.read-write", core).is_empty(), "no feature brings it");
    // Compatibility mode, and no compression: two are missing.
    assert!(cures("bc1-rgba-unorm", "copy.textureToTexture", Features::NONE).is_empty());
}

#[test]
fn a_set_of_features_brings_along_what_it_depends_on() {
    let tier2: Vec<_> = Features::of(|name| name == "texture-formats-tier2").names().collect();
    assert_eq!(tier2, ["rg11b10ufloat-renderable", "texture-formats-tier1", "texture-formats-tier2"]);
    assert_eq!(Features::of(|_| true).names().count(), 13);
    assert_eq!(FORMATS.iter().filter(|format| format.aspects() == [Aspect::Color]).count(), 95);
}
