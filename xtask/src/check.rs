//! `check` and `test`: everything that must hold, fastest first, with the seconds each took.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::run::{Phases, Run};
use crate::{build, tidy, tools};

/// The fast half: no browser, no release build.
pub(crate) fn check(root: &Path) -> Result<()> {
    in_phases(|phases| fast(root, phases))
}

/// Everything.
pub(crate) fn test(root: &Path) -> Result<()> {
    in_phases(|phases| {
        phases.run("what the tests need", || {
            tools::node_packages(root)?;
            tools::for_testing()?;
            tools::for_serving(root)
        })?;
        fast(root, phases)?;
        phases.run("release build", || build::build(root, None, Path::new("dist")))?;
        phases.run("browser tests", || browsers(root))
    })
}

/// Writes the reference pictures anew.
pub(crate) fn bless() -> Result<()> {
    cargo(["test", "--test", "figures"]).env("TEXELARIUM_BLESS", "1").run()
}

/// Records what the claims say in the browsers of this machine.
pub(crate) fn record(root: &Path) -> Result<()> {
    build::build(root, None, Path::new("dist"))?;
    tools::node_with_browsers().arg("e2e/record.mjs").run()
}

fn in_phases(all: impl FnOnce(&mut Phases) -> Result<()>) -> Result<()> {
    let mut phases = Phases::default();
    let result = all(&mut phases);
    phases.print();
    result
}

fn cargo<const N: usize>(args: [&str; N]) -> Run {
    Run::new("cargo").args(args)
}

fn fast(root: &Path, phases: &mut Phases) -> Result<()> {
    phases.run("tidy", || tidy::run(root))?;
    phases.run("format", || cargo(["fmt", "--all", "--check"]).run())?;
    phases.run("clippy, native", || {
        cargo(["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]).run()
    })?;
    phases.run("clippy, wasm", || {
        tools::wasm_target()?;
        cargo(["clippy", "--quiet", "--lib", "--bins", "--target", "wasm32-unknown-unknown", "--", "-D", "warnings"])
            .run()
    })?;
    phases.run("native tests", || cargo(["test", "--workspace"]).run())
}

/// Every `e2e/*.test.mjs`, one after the other: the browsers share this machine's software GPU.
fn browsers(root: &Path) -> Result<()> {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(root.join("e2e")).context("e2e")? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(".test.mjs") {
            files.push(path);
        }
    }
    if files.is_empty() {
        bail!("e2e has no *.test.mjs");
    }
    files.sort();
    tools::node_with_browsers().args(["--test", "--test-reporter=spec", "--test-concurrency=1"]).args(files).run()
}
