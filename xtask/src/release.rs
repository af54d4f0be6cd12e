//! The code of a release: for each page a wasm with what stands on it, made small by wasm-opt, and its JavaScript, by terser.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::run::Run;

/// What the crate is compiled for.
pub(crate) const ON_PAGE: &str = "TEXELARIUM_ON_PAGE";

/// A kind that is left out everywhere: set by `bench`, to know what one weighs.
pub(crate) const WITHOUT: &str = "TEXELARIUM_WITHOUT";

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
struct Names {
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

/// What stands on a page, as `src/page.rs` reads it: what the wasm finds in its HTML, less all of the kind `without`.
pub(crate) fn on_page(html: &str, without: Option<&str>) -> String {
    let marked = |mark: &str| -> BTreeSet<String> {
        let start = format!(" data-{mark}=\"");
        let behind = html.split(&start).skip(1);
        behind.filter_map(|rest| rest.split('"').next()).map(|id| format!("{mark}:{id}")).collect()
    };
    let mut found = marked("figure");
    found.extend(marked("claim"));
    let once = |mark: &str| html.contains(&format!(" data-{mark}>")).then(|| mark.to_owned());
    found.extend(["formats", "errors"].into_iter().filter_map(once));
    found.retain(|it| it.split(':').next() != without);
    found.into_iter().collect::<Vec<_>>().join(",")
}

/// Compiles the crate for a page: `<name>.js` and `<name>_bg.wasm` of `staging`.
pub(crate) fn compile(staging: &Path, name: &str, on_page: &str) -> Result<()> {
    let metadata = Run::new("cargo").args(["metadata", "--format-version=1", "--no-deps"]).output();
    let metadata: serde_json::Value = serde_json::from_str(&metadata.context("cargo metadata")?)?;
    let target = metadata["target_directory"].as_str().context("cargo metadata names no target folder")?;
    Run::new("cargo")
        .args(["build", "--quiet", "--release", "--bin=texelarium", "--target=wasm32-unknown-unknown"])
        .env(ON_PAGE, on_page)
        .run()?;
    Run::new("wasm-bindgen")
        .args(["--target=web", "--no-typescript", "--out-name", name, "--out-dir"])
        .arg(staging)
        .arg(Path::new(target).join("wasm32-unknown-unknown/release/texelarium.wasm"))
        .run()
}

/// Makes both smaller. `-O2` is a kilobyte larger than `-Oz` as it lies, but not as it is sent.
pub(crate) fn shrink(root: &Path, staging: &Path, name: &str) -> Result<()> {
    let node = |program: &str| Run::new("node").arg(root.join("e2e/node_modules").join(program));
    let (wasm, js) = (staging.join(format!("{name}_bg.wasm")), staging.join(format!("{name}.js")));
    let optimize = || node("binaryen/bin/wasm-opt").args(FEATURES).arg(&wasm).arg("-o").arg(&wasm);
    // Functions in the order of their names lie beside their likes.
    let passes = ["-g", "-O2", "--converge", "--reorder-functions-by-name", "--strip-debug", "--strip-producers"];
    // The zeros that it would cut out of the data take less room than the seams.
    optimize().args(passes).arg("--skip-pass=memory-packing").run()?;
    // Apart, for `--converge` would rename again and again.
    let names = optimize().arg("--minify-imports-and-exports-and-modules").output();
    let names = names.context("wasm-opt gave the imports and exports no new names")?;
    let names: Names = serde_json::from_str(&names).context("the names that wasm-opt prints")?;
    let glue = fs::read_to_string(&js).with_context(|| format!("reading {}", js.display()))?;
    fs::write(&js, names.apply(&glue))?;
    node("terser/bin/terser").args(["--module", "--compress", "--mangle", "--output"]).arg(&js).arg("--").arg(&js).run()
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
    fn what_stands_on_a_page_is_read_from_its_html() {
        let html = r#"<figure class="f" data-figure="grid" data-state="waiting"><section data-claim="flag" id="flag">
            <section data-claim="flag"><div data-errors>"#;
        assert_eq!(on_page(html, None), "claim:flag,errors,figure:grid");
        assert_eq!(on_page(html, Some("claim")), "errors,figure:grid");
    }
}
