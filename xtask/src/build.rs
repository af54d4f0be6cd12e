//! `serve` and `build`: trunk with its tools at hand.

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::release::{ON_PAGE, WITHOUT};
use crate::run::Run;
use crate::{pages, tools};

/// Trunk, with the tools on PATH that it is to use.
fn trunk(root: &Path, command: &str) -> Result<Run> {
    tools::for_serving(root)?;
    // With NO_COLOR=1 it does not start.
    Ok(Run::new("trunk")
        .arg(command)
        .env("PATH", tools::path(root)?)
        .without_env("NO_COLOR")
        // What fails has said so in a line; trunk would add a page.
        .without_env("RUST_BACKTRACE")
        .arg("--skip-version-check"))
}

/// Where cargo keeps the sources of crates: panics name them, and no machine's folders belong into the site.
fn registry() -> PathBuf {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo"))).unwrap_or_default();
    home.join("registry/src")
}

/// Builds, serves and reloads until it is stopped.
pub(crate) fn serve(root: &Path, port: u16, release: bool) -> Result<()> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .with_context(|| format!("port {port} is taken: try `--port {}`", port.wrapping_add(1)))?;
    let mut trunk = trunk(root, "serve")?.arg("--port").arg(port.to_string());
    if release {
        tools::node_packages(root)?;
        trunk = trunk.env(ON_PAGE, "").args(["--release", "--no-autoreload"]);
    }
    eprintln!(
        "Building: one to three minutes the first time, seconds after an edit. Then the site is at http://localhost:{port}/"
    );
    trunk.become_it()
}

/// Writes the release build to `out`.
pub(crate) fn build(root: &Path, base_url: Option<&str>, out: &Path) -> Result<()> {
    release(root, base_url, out, None)?;
    eprintln!("The site is in {}: copy it to any static host.", out.display());
    Ok(())
}

/// The same, `without` any of that kind, as `src/page.rs` names it.
pub(crate) fn release(root: &Path, base_url: Option<&str>, out: &Path, without: Option<&str>) -> Result<()> {
    tools::node_packages(root)?;
    let mut trunk = trunk(root, "build")?
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", format!("--remap-path-prefix={}=", registry().display()))
        // What trunk compiles is for no page.
        .env(ON_PAGE, "")
        .arg("--release")
        .arg("--dist")
        .arg(out);
    for (key, value) in [(pages::BASE_URL, base_url), (WITHOUT, without)] {
        trunk = match value {
            Some(value) => trunk.env(key, value),
            None => trunk.without_env(key),
        };
    }
    trunk.run()
}
