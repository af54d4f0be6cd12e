//! The table of formats against the specification, as it was parsed by machine: `data/formats.json` says from where.

// A test that cannot go on stops here, and says so.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod wgpu;

use std::collections::HashMap;

use serde_json::Value;
use texelarium::formats::json::Value as Json;
use texelarium::formats::report::{Cell, Fault, Report, Tried};
use texelarium::formats::{Answer, CAPABILITIES, FORMATS, Features, Format, Found, cures, specified, table::Aspect};

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

/// A report in which everything is as the specification says, but for a few cells.
fn report() -> Report {
    let features = Features::CORE;
    let cell = |format, capability| {
        let spec = specified(format, capability, features);
        Cell { spec, device: spec.into(), values: Answer::Untried.into() }
    };
    let row = |format| CAPABILITIES.iter().map(|(_, capability)| cell(format, *capability)).collect();
    let mut report = Report {
        adapter: vec![("vendor".into(), "=cmd|' /C calc'!A0".into()), ("architecture".into(), String::new())],
        features: features.names().map(Into::into).collect(),
        limits: vec![
            ("maxTextureDimension2D".into(), "8192".into()),
            ("maxBufferSize".into(), "18446744073709551615".into()),
        ],
        language_features: vec!["readonly_and_readwrite_storage_textures".into()],
        cells: FORMATS.iter().map(row).collect(),
        claims: vec![Tried {
            id: "one-level".into(),
            verdict: "holds".into(),
            message: "line\n\"quoted\" \\ \u{1} 纹理 🙂".into(),
        }],
    };
    let message = "=1+1, \"a\" | `b` <img src=x onerror=alert(1)>\n@everyone".into();
    report.cells[0][0].device = Found { answer: Answer::No, message };
    report.cells[0][1].values = Answer::Yes.into();
    report.cells[0][2].values = Found { answer: Answer::No, message: "0, 0, 0, 1 ≠ 0.2, 0, 0, 1".into() };
    report
}

#[test]
fn a_report_reloaded_is_the_same_byte_for_byte() {
    let json = report().to_json();
    assert!(serde_json::from_str::<Value>(&json).is_ok(), "other readers take it for JSON");
    let reloaded = Report::parse(&json).unwrap();
    assert_eq!(reloaded, report());
    assert_eq!(reloaded.to_json(), json);
    // Who knows nothing of values reads the rest.
    let older = json
        .replace(r#", "values": "yes""#, "")
        .replace(r#", "values": "no", "valuesMessage": "0, 0, 0, 1 ≠ 0.2, 0, 0, 1""#, "");
    assert!(older.len() < json.len() && !older.contains("values"));
    assert_eq!(Report::parse(&older).unwrap().to_json(), older);
    // Written by another program, in another order and with other white space.
    let foreign = serde_json::to_string(&serde_json::from_str::<Value>(&json).unwrap()).unwrap();
    assert_eq!(Report::parse(&foreign).unwrap().cells, report().cells);
}

#[test]
fn what_is_no_report_is_refused() {
    let json = report().to_json();
    let fault = |text: &str| Report::parse(text).map(drop).unwrap_err();
    for end in (0..json.trim_end().len()).step_by(9973) {
        if json.is_char_boundary(end) {
            assert_eq!(fault(&json[..end]), Fault::Malformed, "cut at {end}");
        }
    }
    assert_eq!(fault(&(json.clone() + "x")), Fault::Malformed);
    assert_eq!(fault(&"[".repeat(1 << 20)), Fault::Malformed, "deep");
    assert_eq!(fault(&" ".repeat(3 << 20)), Fault::Huge);
    assert_eq!(fault("{}"), Fault::Foreign);
    assert_eq!(fault("[1]"), Fault::Foreign);
    assert_eq!(fault(r#"{"texelarium": 2}"#), Fault::Version);
    assert_eq!(fault(r#"{"texelarium": 1}"#), Fault::Malformed);
    for (from, to) in [
        ("\"spec\": \"yes\"", "\"spec\": \"maybe\""),
        ("\"spec\": \"yes\"", "\"spec\": 1"),
        ("\"limits\": {", "\"limits\": [{"),
        ("8192", "\"8192\""),
        ("8192", "08192"),
        ("8192", "0x2000"),
        ("one-level", "one\u{1}level"),
        ("one-level", "one\\xlevel"),
        ("one-level", "one\\ud800level"),
    ] {
        assert!(json.contains(from));
        assert_eq!(fault(&json.replacen(from, to, 1)), Fault::Malformed, "{from} → {to}");
    }
    // What is not known here is left out; what is missing is untried.
    let newer = json.replacen("\"r8unorm\"", "\"r4unorm\"", 1);
    let cell = &Report::parse(&newer).unwrap().cells[0][0];
    assert_eq!((cell.spec, cell.device.answer), (Answer::Untried, Answer::Untried));
}

#[test]
fn what_a_report_holds_is_no_formula_and_no_markup() {
    let csv = report().to_csv();
    assert!(csv.contains("r8unorm,sample.color.float,yes,yes,,yes,\r\n"));
    assert!(csv.contains("r8unorm,exists,yes,no,\"'=1+1, \"\"a\"\" | `b` <img"), "{}", &csv[..200]);
    let markdown = report().to_markdown();
    assert!(
        markdown.contains(
            "| r8unorm | exists | yes | no | `=1+1, \"a\" \\| 'b' <img src=x onerror=alert(1)> @everyone` | untried |  |\n"
        ),
        "{}",
        &markdown[..500]
    );
    assert!(
        markdown.contains(
            "| r8unorm | sample.color.unfilterable-float | yes | yes |  | no | `0, 0, 0, 1 ≠ 0.2, 0, 0, 1` |\n\n|"
        ),
        "{}",
        &markdown[..900]
    );
    assert!(markdown.len() < 65_536, "fits into an issue: {}", markdown.len());
}

/// The same value as others have it.
fn of_serde(value: &Json) -> Value {
    match value {
        Json::Text(text) => text.as_str().into(),
        Json::Number(digits) => serde_json::from_str(digits).unwrap(),
        Json::List(values) => values.iter().map(of_serde).collect(),
        Json::Map(members) => members.iter().map(|(name, value)| (name.clone(), of_serde(value))).collect(),
        Json::Literal(word) => serde_json::from_str(word).unwrap(),
    }
}

#[test]
fn json_is_read_as_others_read_it() {
    for text in [
        "1",
        "-0",
        "0.5e-3",
        "1E+9",
        "\"\\u00e9\\ud83d\\ude42\\/\\b\\f\\t\\r\"",
        "[]",
        "{}",
        "[ 1 , null,true ,false]",
        "{\"a\":{\"b\":[]}}",
    ] {
        assert!(Json::parse(text).is_some(), "{text}");
        let theirs: Value = serde_json::from_str(text).unwrap();
        assert_eq!(of_serde(&Json::parse(text).unwrap()), theirs);
    }
    for text in [
        "",
        "01",
        "1.",
        ".5",
        "+1",
        "1e",
        "-",
        "tru",
        "[1,]",
        "[,1]",
        "{\"a\"}",
        "{a:1}",
        "{\"a\":1,}",
        "'a'",
        "\"\n\"",
        "\"\\u12\"",
        "\"\\udc00\"",
        "1 2",
        "nullx",
    ] {
        assert!(serde_json::from_str::<Value>(text).is_err() && Json::parse(text).is_none(), "{text}");
    }
}

#[test]
fn every_color_format_has_a_known_texel() {
    for format in &FORMATS {
        let texel = format.known_texel();
        assert_eq!(texel.is_some(), format.aspects() == [Aspect::Color], "{}", format.name);
        if let Some(texel) = texel {
            assert_eq!(Some(texel.bytes.len() as u8), format.bytes(), "{}", format.name);
        }
    }
    let texel = |name| Format::find(name).unwrap().known_texel().unwrap();
    let floats = |name| texel(name).bits.map(f32::from_bits);
    assert_eq!((texel("rgba8unorm").bytes, floats("rgba8unorm")), (vec![51, 102, 153, 204], [0.2, 0.4, 0.6, 0.8]));
    assert_eq!((texel("bgra8unorm").bytes, floats("bgra8unorm")), (vec![51, 102, 153, 204], [0.6, 0.4, 0.2, 0.8]));
    assert_eq!((texel("rg8snorm").bytes, floats("rg8snorm")), (vec![25, 206], [25. / 127., -50. / 127., 0., 1.]));
    assert_eq!((texel("rg16float").bytes, floats("rg16float")), (vec![0, 0x3c, 0, 0x38], [1., 0.5, 0., 1.]));
    assert_eq!((texel("r32sint").bytes, texel("r32sint").bits), (vec![0x99, 0x99, 0x99, 0x19], [0x1999_9999, 0, 0, 1]));
    assert_eq!(floats("rgb10a2unorm"), [204. / 1023., 409. / 1023., 613. / 1023., 2. / 3.]);
}

#[test]
fn wgpu_has_a_name_for_each_format() {
    use texelarium::formats::line;
    for (place, format) in FORMATS.iter().enumerate() {
        let name = line::rust_name(format).replace("wgpu::AstcBlock::", "").replace("wgpu::AstcChannel::", "");
        assert_eq!(name, format!("{:?}", wgpu::format(place)), "{}", format.name);
    }
    for (name, feature) in Features::each() {
        let flag = wgpu::features(feature);
        let names: Vec<_> = flag.iter_names().map(|(name, _)| format!("wgpu::Features::{name}")).collect();
        assert_eq!(names, line::rust_feature(name).into_iter().collect::<Vec<_>>(), "{name}");
    }
}

#[test]
fn wgpu_says_what_the_table_says_it_does() {
    use texelarium::formats::guaranteed;
    let sets = closed_sets(&reference());
    let reference = reference();
    let names = texts(&reference["features"]);
    let mut differing = Vec::new();
    for set in &sets {
        let features =
            Features::of(|name| names.iter().position(|it| *it == name).is_some_and(|at| set >> at & 1 == 1));
        let flags = wgpu::features(features);
        for (place, format) in FORMATS.iter().enumerate() {
            for (name, capability) in CAPABILITIES {
                if wgpu::answer(place, capability, flags) != guaranteed::answer(format, capability, features) {
                    differing.push(format!("{} {name}: {:?}", format.name, features.names().collect::<Vec<_>>()));
                }
            }
        }
    }
    assert_eq!(sets.len(), 2304);
    assert!(differing.is_empty(), "{}, such as {:?}", differing.len(), &differing[..differing.len().min(20)]);
}

#[test]
fn orders_put_every_format_in_its_place() {
    use texelarium::formats::search::{ORDERS, Order, is_within};
    for (name, order) in ORDERS {
        let mut places = order.places();
        assert_eq!(places.len(), FORMATS.len(), "{name}");
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), FORMATS.len(), "{name}");
    }
    let names = |order: Order| order.places().into_iter().map(|place| FORMATS[place].name).collect::<Vec<_>>();
    assert!(names(Order::Name).is_sorted());
    assert!(names(Order::NameDown).is_sorted_by(|a, b| a > b));
    let first = names(Order::Bytes);
    // 16 bytes for 12 × 12 texels are the fewest; what has no size of its own is last.
    assert_eq!(first[..2], ["astc-12x12-unorm", "astc-12x12-unorm-srgb"]);
    assert_eq!(first[first.len() - 3..], ["depth24plus", "depth24plus-stencil8", "depth32float-stencil8"]);
    let least: Vec<_> = FORMATS.iter().filter(|it| is_within(it, 1)).map(|it| it.name).collect();
    assert!(least.contains(&"r8unorm") && least.contains(&"bc7-rgba-unorm") && !least.contains(&"depth24plus"));
}

#[test]
fn needs_are_met_as_the_specification_says() {
    use texelarium::formats::search::{COMMON, Need};
    assert!(COMMON.iter().all(|name| Format::find(name).is_some()));
    assert_eq!(Need::find("nothing"), None);
    let needs: Vec<_> =
        ["filterable", "storage.write-only", "hdr"].iter().map(|name| Need::find(name).unwrap()).collect();
    let met = |features: Features| -> Vec<_> {
        FORMATS.iter().filter(|format| needs.iter().all(|it| it.is_met(format, features))).map(|it| it.name).collect()
    };
    assert_eq!(met(Features::CORE), ["rgba16float"]);
    assert_eq!(
        met(Features::of(|name| name.starts_with("texture-formats-"))),
        ["r16float", "rg16float", "rg11b10ufloat", "rgba16float"]
    );
}

#[test]
fn the_lines_that_ask_for_a_capability_are_filled_in() {
    use texelarium::formats::line;
    for format in &FORMATS {
        for (name, capability) in &CAPABILITIES {
            for line in [line::javascript(format, *capability), line::rust(format, *capability)] {
                assert!(!line.contains(['%', '@']), "{} {name}: {line}", format.name);
            }
        }
    }
    let line = |format: &str, capability: &str| {
        let format = Format::find(format).unwrap();
        let (_, capability) = CAPABILITIES.iter().find(|(it, _)| *it == capability).unwrap();
        [line::javascript(format, *capability), line::rust(format, *capability)]
    };
    assert_eq!(
        line("r8unorm", "storage.read-write"),
        [
            "storageTexture: { format: \"r8unorm\", access: \"read-write\" }",
            "wgpu::BindingType::StorageTexture { access: wgpu::StorageTextureAccess::ReadWrite, format: wgpu::TextureFormat::R8Unorm, .. }",
        ]
    );
    assert_eq!(
        line("depth24plus-stencil8", "copy.stencil.textureToBuffer")[0],
        "copyTextureToBuffer({ texture, aspect: \"stencil-only\" }, …)"
    );
    assert_eq!(
        line("bgra8unorm", "usage.STORAGE_BINDING")[1],
        "format: wgpu::TextureFormat::Bgra8Unorm, usage: wgpu::TextureUsages::STORAGE_BINDING"
    );
}
