//! The release build's code made small: the wasm through wasm-opt, its JavaScript through terser.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::html::hash8;
use crate::run::Run;

/// What rustc's wasm32 target uses; the section that would say so may be stripped.
const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Replaces a wasm file of `staging` by a smaller one, and says its new name. `-O2` is a kilobyte larger than `-Oz` as it
/// lies, but not as it is sent.
pub(crate) fn wasm(root: &Path, staging: &Path, name: &str) -> Result<String> {
    replace(staging, name, |from, to| {
        node(root, "binaryen/bin/wasm-opt")
            .args(["-O2", "--converge", "--strip-debug", "--strip-producers"])
            .args(FEATURES)
            .arg(from)
            .arg("-o")
            .arg(to)
            .run()
    })
}

/// The same for a module of JavaScript.
pub(crate) fn javascript(root: &Path, staging: &Path, name: &str) -> Result<String> {
    replace(staging, name, |from, to| {
        node(root, "terser/bin/terser")
            .args(["--module", "--compress", "--mangle", "--output"])
            .arg(to)
            .arg("--")
            .arg(from)
            .run()
    })
}

fn node(root: &Path, program: &str) -> Run {
    Run::new("node").arg(root.join("e2e/node_modules").join(program))
}

/// Lets `make` write a new file, which takes the place of the old one under the name that its content deserves.
fn replace(staging: &Path, name: &str, make: impl FnOnce(&Path, &Path) -> Result<()>) -> Result<String> {
    let (from, to) = (staging.join(name), staging.join(format!("small-{name}")));
    make(&from, &to)?;
    let hash = hash8(&fs::read(&to).with_context(|| format!("reading {}", to.display()))?);
    let (stem, hashed) = name.rsplit_once('-').with_context(|| format!("{name} has no hash in its name"))?;
    let rest = hashed.trim_start_matches(|c: char| c.is_ascii_hexdigit());
    let renamed = format!("{stem}-{hash}{rest}");
    fs::rename(&to, staging.join(&renamed))?;
    fs::remove_file(&from)?;
    Ok(renamed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smaller_file_takes_the_name_of_its_content() -> Result<()> {
        let staging = tempfile::tempdir()?;
        fs::write(staging.path().join("t-0011_bg.wasm"), "abcabc")?;
        let name = replace(staging.path(), "t-0011_bg.wasm", |_, to| Ok(fs::write(to, "abc")?))?;
        assert_eq!(name, "t-ba7816bf_bg.wasm");
        assert_eq!(fs::read_to_string(staging.path().join(name))?, "abc");
        assert!(!staging.path().join("t-0011_bg.wasm").exists());
        Ok(())
    }
}
