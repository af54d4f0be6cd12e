//! Every `.wgsl` of the site through naga: it parses, it validates, and it begins by saying what it is.

// A test that cannot go on stops here, and says so.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::path::Path;

#[test]
fn every_shader_is_valid() {
    let mut count = 0;
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders")).unwrap() {
        let path = entry.unwrap().path();
        let source = std::fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(source.starts_with(&format!("// {name}: ")), "{}: no `// {name}: …` line", path.display());
        validate(&path, &source);
        count += 1;
    }
    assert_eq!(count, texelarium::figures::ALL.len(), "shaders/ and the registry differ");
}

/// `ripple` puts another texel format into its shader where the device can read and write it.
#[test]
fn ripple_is_valid_in_both_its_formats() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders/ripple.wgsl");
    let source = std::fs::read_to_string(&path).unwrap();
    assert!(source.contains("<r32float, read_write>"));
    validate(&path, &source.replace("r32float", "rgba16float"));
}

fn validate(path: &Path, source: &str) {
    let module = match naga::front::wgsl::parse_str(source) {
        Ok(module) => module,
        Err(error) => panic!("{}: {}", path.display(), error.emit_to_string(source)),
    };
    let mut validator =
        naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::default());
    if let Err(error) = validator.validate(&module) {
        panic!("{}: {}", path.display(), error.emit_to_string(source));
    }
}
