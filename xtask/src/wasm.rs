//! The release build's wasm through wasm-opt.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::html::hash8;
use crate::run::Run;

/// What rustc's wasm32 target uses; the names section that would say so may be stripped.
const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Optimises a file of `staging` for size, and gives it the name that its new content deserves.
pub(crate) fn optimise(root: &Path, staging: &Path, name: &str) -> Result<String> {
    let (from, to) = (staging.join(name), staging.join("optimised.wasm"));
    Run::new("node")
        .arg(root.join("e2e/node_modules/binaryen/bin/wasm-opt"))
        .args(["-Oz", "--strip-debug", "--strip-producers"])
        .args(FEATURES)
        .arg(&from)
        .arg("-o")
        .arg(&to)
        .run()?;
    let hash = hash8(&fs::read(&to)?);
    let (stem, _) = name.rsplit_once('-').with_context(|| format!("{name} has no hash in its name"))?;
    let optimised = format!("{stem}-{hash}_bg.wasm");
    fs::rename(&to, staging.join(&optimised))?;
    fs::remove_file(&from)?;
    Ok(optimised)
}
