//! The release build's code made small: the wasm through wasm-opt, its JavaScript through terser.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

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

/// What the wasm and its JavaScript call each other, anew: the names that wasm-bindgen gives end in hashes, which no compression
/// makes smaller.
#[derive(Debug, Deserialize)]
pub(crate) struct Names {
    /// Module, name, new name.
    imports: Vec<(String, String, String)>,
    /// Name, new name.
    exports: Vec<(String, String)>,
}

impl Names {
    /// The module that imports come from now; wasm-opt calls it so.
    const MODULE: &str = "a";

    /// The JavaScript with the new names. It has an import's name as a key and an export's as a member of `wasm`.
    fn apply(&self, javascript: &str) -> String {
        let new = |word: &str, after: &str| {
            let import = || self.imports.iter().find(|(_, name, _)| name == word).map(|(_, _, new)| new);
            let export = || self.exports.iter().find(|(name, _)| name == word).map(|(_, new)| new);
            if after.ends_with("wasm.") { export() } else { import() }
        };
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
        let mut renamed = String::with_capacity(javascript.len());
        let mut rest = javascript;
        while let Some(start) = rest.find(is_word) {
            renamed += &rest[..start];
            let end = rest[start..].find(|c| !is_word(c)).map_or(rest.len(), |length| start + length);
            let word = &rest[start..end];
            renamed += new(word, &renamed).map_or(word, String::as_str);
            rest = &rest[end..];
        }
        renamed += rest;
        self.imports.first().map_or(renamed.clone(), |(module, ..)| {
            renamed.replace(&format!("\"{module}\""), &format!("\"{}\"", Self::MODULE))
        })
    }
}

/// Replaces a wasm file of `staging` by a smaller one; says its new name, and what it calls its imports and exports. `-O2` is a
/// kilobyte larger than `-Oz` as it lies, but not as it is sent.
pub(crate) fn wasm(root: &Path, staging: &Path, name: &str) -> Result<(String, Names)> {
    let optimize =
        |from: &Path, to: &Path| node(root, "binaryen/bin/wasm-opt").args(FEATURES).arg(from).arg("-o").arg(to);
    let mut names = None;
    let renamed = replace(staging, name, |from, to| {
        // Functions in the order of their names lie beside their likes.
        let passes = ["-g", "-O2", "--converge", "--reorder-functions-by-name", "--strip-debug", "--strip-producers"];
        // The zeros that it would cut out of the data take less room than the seams.
        optimize(from, to).args(passes).arg("--skip-pass=memory-packing").run()?;
        // Apart, for `--converge` would rename again and again.
        let printed = optimize(to, to).arg("--minify-imports-and-exports-and-modules").output();
        let printed = printed.context("wasm-opt gave the imports and exports no new names")?;
        names = Some(serde_json::from_str(&printed).context("the names that wasm-opt prints")?);
        Ok(())
    })?;
    Ok((renamed, names.context("wasm-opt gave no names")?))
}

/// Replaces the JavaScript that belongs to it by a smaller one, and says its new name.
pub(crate) fn javascript(root: &Path, staging: &Path, name: &str, names: &Names) -> Result<String> {
    let path = staging.join(name);
    let glue = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    fs::write(&path, names.apply(&glue))?;
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
    fn imports_and_exports_are_renamed_where_they_are_used() -> Result<()> {
        let names: Names = serde_json::from_str(
            r#"{"imports": [["./t_bg.js", "__wbg_set_1a2b", "$a"]], "exports": [["memory", "b"], ["main", "c"]]}"#,
        )?;
        let glue = r#"{"./t_bg.js": {__wbg_set_1a2b: (a) => a.main("out-of-memory")}}; wasm.memory; wasm.main()"#;
        assert_eq!(names.apply(glue), r#"{"a": {$a: (a) => a.main("out-of-memory")}}; wasm.b; wasm.c()"#);
        Ok(())
    }

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
