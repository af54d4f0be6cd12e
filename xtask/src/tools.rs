//! What the commands need from the machine: found, or installed and said so.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::run::Run;

/// The newest that builds with our `rust-version`.
const TRUNK: &str = "0.21.14";

/// The oldest node whose test runner and `fetch` we use.
const NODE: u32 = 20;

/// A mirror of the releases of both tools, laid out as their home is.
const RELEASES: &str = "TEXELARIUM_RELEASES";

/// A program that is installed from a release, or built from the registry.
struct Tool {
    name: &'static str,
    package: &'static str,
    version: String,
    /// Where its home has the archive for this machine.
    release: Option<String>,
    /// Flags of `cargo install` that this package needs.
    flags: &'static [&'static str],
    minutes: u32,
}

/// Where we install: beside the build, so that `cargo clean` forgets it.
fn folder(root: &Path) -> PathBuf {
    root.join("target/tools")
}

/// PATH with our own tools first.
pub(crate) fn path(root: &Path) -> Result<OsString> {
    let old = env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(folder(root).join("bin")).chain(env::split_paths(&old));
    env::join_paths(paths).context("PATH")
}

/// The wasm target, trunk, and wasm-bindgen as Cargo.lock has it.
pub(crate) fn for_serving(root: &Path) -> Result<()> {
    wasm_target()?;
    let (host, bindgen) = (host(), locked(root, "wasm-bindgen")?);
    let release = |path: &dyn Fn(&str) -> String| host.as_deref().map(path);
    for tool in [
        Tool {
            name: "trunk",
            package: "trunk",
            version: TRUNK.to_owned(),
            release: release(&|host| format!("trunk-rs/trunk/releases/download/v{TRUNK}/trunk-{host}.tar.gz")),
            // The default features are an update check and its TLS; a debug build takes a quarter of the time.
            flags: &["--locked", "--debug", "--no-default-features"],
            minutes: 4,
        },
        Tool {
            name: "wasm-bindgen",
            package: "wasm-bindgen-cli",
            release: release(&|host| {
                let host = host.replace("x86_64-unknown-linux-gnu", "x86_64-unknown-linux-musl");
                let archive = format!("wasm-bindgen-{bindgen}-{host}.tar.gz");
                format!("wasm-bindgen/wasm-bindgen/releases/download/{bindgen}/{archive}")
            }),
            version: bindgen.clone(),
            // Its own lock names a crate that the registry no longer has. It runs at every edit: what it spends its time in
            // is optimised, which makes it five times faster and takes no longer to build.
            flags: &[
                "--debug",
                "--config=profile.dev.package.gimli.opt-level=1",
                "--config=profile.dev.package.walrus.opt-level=1",
                "--config=profile.dev.package.wasm-bindgen-cli-support.opt-level=1",
                "--config=profile.dev.package.wasm-encoder.opt-level=1",
                "--config=profile.dev.package.wasmparser.opt-level=1",
            ],
            minutes: 3,
        },
    ] {
        tool.provide(root)?;
    }
    Ok(())
}

impl Tool {
    fn is_at(&self, program: &Path) -> bool {
        let version = Run::new(program).arg("--version").without_env("NO_COLOR").output();
        version.is_some_and(|line| line.split_whitespace().nth(1) == Some(&self.version))
    }

    fn provide(&self, root: &Path) -> Result<()> {
        let ours = folder(root).join("bin").join(format!("{}{}", self.name, env::consts::EXE_SUFFIX));
        if self.is_at(&ours) || (!ours.exists() && self.is_at(Path::new(self.name))) {
            return Ok(());
        }
        let Self { name, version, minutes, .. } = self;
        eprintln!(
            "Installing {name} {version} into target/tools: seconds if a prebuilt one can be had, else about {minutes} minutes of building."
        );
        if (self.binstall(root) || self.download(root).is_some()) && self.is_at(&ours) {
            return Ok(());
        }
        eprintln!("No prebuilt {name} for this machine: building it.");
        Run::new("cargo")
            .args(["install", "--quiet", "--force", "--config=profile.dev.debug=false", "--root"])
            .arg(folder(root))
            .args(self.flags)
            .arg(format!("{}@{version}", self.package))
            // In a folder of its own, so that a build of the site need not wait for it.
            .without_env("CARGO_TARGET_DIR")
            .run()?;
        if !self.is_at(&ours) {
            bail!("{} was built but is not {name} {version}", ours.display());
        }
        Ok(())
    }

    fn binstall(&self, root: &Path) -> bool {
        let there = env::var_os(RELEASES).is_none() && Run::new("cargo").args(["binstall", "-V"]).output().is_some();
        there
            && Run::new("cargo")
                .args(["binstall", "--no-confirm", "--force", "--disable-strategies", "compile", "--root"])
                .arg(folder(root))
                .arg(format!("{}@{}", self.package, self.version))
                .run()
                .is_ok()
    }

    /// Fetches the release's archive and takes the program out of it.
    fn download(&self, root: &Path) -> Option<()> {
        let release = self.release.as_ref()?;
        let archive = release.rsplit('/').next()?;
        let base = env::var(RELEASES).unwrap_or_else(|_| "https://github.com".to_owned());
        let unpacked = folder(root).join(format!("{}-{}", self.name, self.version));
        fs::create_dir_all(&unpacked).ok()?;
        fs::create_dir_all(folder(root).join("bin")).ok()?;
        let file = unpacked.join(archive);
        Run::new("curl")
            .args(["--fail", "--silent", "--location", "--connect-timeout", "5", "--max-time", "120", "--output"])
            .arg(&file)
            .arg(format!("{base}/{release}"))
            .output()?;
        Run::new("tar").arg("-xzf").arg(&file).arg("-C").arg(&unpacked).output()?;
        let program = format!("{}{}", self.name, env::consts::EXE_SUFFIX);
        // One archive holds the program, the other a folder with it.
        let inner = unpacked.join(archive.trim_end_matches(".tar.gz")).join(&program);
        let found = if inner.exists() { inner } else { unpacked.join(&program) };
        fs::rename(found, folder(root).join("bin").join(program)).ok()?;
        fs::remove_dir_all(unpacked).ok()
    }
}

/// The triple this machine's rustc builds for.
fn host() -> Option<String> {
    let text = Run::new("rustc").arg("-vV").output()?;
    text.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned)
}

/// The version of a package in Cargo.lock.
fn locked(root: &Path, name: &str) -> Result<String> {
    let text = fs::read_to_string(root.join("Cargo.lock")).context("Cargo.lock")?;
    let lock: toml::Table = toml::from_str(&text).context("Cargo.lock")?;
    let packages = lock.get("package").and_then(toml::Value::as_array);
    let package = packages.and_then(|packages| {
        packages.iter().find(|package| package.get("name").and_then(toml::Value::as_str) == Some(name))
    });
    let version = package.and_then(|package| package.get("version")?.as_str());
    version.map(str::to_owned).with_context(|| format!("Cargo.lock has no {name}"))
}

/// The standard library for wasm.
pub(crate) fn wasm_target() -> Result<()> {
    const TARGET: &str = "wasm32-unknown-unknown";
    let there = Run::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    if there.is_some_and(|folder| Path::new(folder.trim()).exists()) {
        return Ok(());
    }
    eprintln!("Adding the target {TARGET} (seconds).");
    Run::new("rustup")
        .args(["target", "add", TARGET])
        .run()
        .context("rustc has no wasm target: install it, or Rust by rustup")
}

/// Node, and the packages of `e2e/package-lock.json`.
pub(crate) fn node_packages(root: &Path) -> Result<()> {
    let version = Run::new("node").arg("--version").output();
    let major = version
        .as_deref()
        .and_then(|version| version.trim().trim_start_matches('v').split('.').next()?.parse::<u32>().ok());
    if major.is_none_or(|major| major < NODE) {
        bail!("A release build and the tests need Node {NODE} or later, with npm: install it and try again.");
    }
    let modified = |path: &str| fs::metadata(root.join(path)).and_then(|file| file.modified()).ok();
    let installed = modified("e2e/node_modules/.package-lock.json");
    if installed.is_some() && installed >= modified("e2e/package-lock.json") {
        return Ok(());
    }
    eprintln!("Installing the packages of e2e/package-lock.json (seconds).");
    Run::new("npm").args(["ci", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"]).arg(root.join("e2e")).run()
}

/// The variables by which `e2e` knows the browsers, and the names these may have on a machine.
const BROWSERS: [(&str, &[&str]); 2] =
    [("CHROMIUM", &["chromium", "chromium-browser", "google-chrome"]), ("FIREFOX", &["firefox-esr", "firefox"])];

/// The Debian packages that bring all that tests need.
const PACKAGES: [&str; 4] = ["chromium", "firefox-esr", "mesa-vulkan-drivers", "fonts-noto-cjk"];

/// Where a browser is: as the variable says, or somewhere on PATH.
fn browser(variable: &str, names: &[&str]) -> Option<OsString> {
    env::var_os(variable).or_else(|| {
        let path = env::var_os("PATH")?;
        let folders: Vec<PathBuf> = env::split_paths(&path).collect();
        let candidates = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
        candidates.into_iter().find(|program| program.is_file()).map(PathBuf::into_os_string)
    })
}

/// Node, told where the browsers are.
pub(crate) fn node_with_browsers() -> Run {
    BROWSERS.iter().fold(Run::new("node"), |node, (variable, names)| match browser(variable, names) {
        Some(program) => node.env(variable, program),
        None => node,
    })
}

/// Browsers, a software Vulkan for Firefox and the native tests, and a font for the Chinese pages.
pub(crate) fn for_testing() -> Result<()> {
    let debian = fs::read_to_string("/etc/os-release").is_ok_and(|text| text.lines().any(|line| line == "ID=debian"));
    if debian {
        let installed = |package: &&str| {
            let status = Run::new("dpkg-query").args(["-W", "-f", "${Status}", package]).output();
            status.is_some_and(|status| status.ends_with(" installed"))
        };
        let missing: Vec<&str> = PACKAGES.into_iter().filter(|package| !installed(package)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        if Run::new("id").arg("-u").output().is_some_and(|id| id.trim() == "0") {
            eprintln!("Installing {} by apt-get (a minute or two).", missing.join(", "));
            let install = || {
                let apt = Run::new("apt-get").args(["install", "--yes", "-qq", "--no-install-recommends"]);
                apt.args(&missing).env("DEBIAN_FRONTEND", "noninteractive")
            };
            // The lists of a new machine are empty or old.
            if install().output().is_none() {
                Run::new("apt-get").args(["update", "-qq"]).run()?;
                install().run()?;
            }
            return Ok(());
        }
        bail!(
            "The tests need {}: install them (`apt-get install {}`) and try again.",
            missing.join(", "),
            missing.join(" ")
        );
    }
    if BROWSERS.iter().any(|(variable, names)| browser(variable, names).is_none()) {
        bail!("The tests need Chromium, Firefox and a software Vulkan (Mesa's lavapipe): install them and try again.");
    }
    Ok(())
}
