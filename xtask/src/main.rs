//! The commands of Texelarium: `cargo xtask serve` and its kin.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};

mod bench;
mod build;
mod check;
mod content;
mod finding;
mod highlight;
mod html;
mod links;
mod listing;
mod markdown;
mod pages;
mod release;
mod reread;
mod run;
mod site;
mod tidy;
mod tools;
mod tree;
mod words;

/// Serves, builds and tests Texelarium.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Xtask {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Install what is missing, build, serve, reload on every edit
    Serve {
        #[arg(long, default_value_t = 8080)]
        port: u16,
        /// Serve what `build` would build, without reloading
        #[arg(long)]
        release: bool,
    },
    /// Write the site for any static host
    Build {
        /// Where it will stand, for absolute links to pages and languages
        #[arg(long)]
        base_url: Option<String>,
        #[arg(long, default_value = "dist")]
        out: PathBuf,
    },
    /// Hold everything that needs no browser: tidy, format, clippy, native tests
    Check,
    /// Hold everything: `check`, the release build, the pages in real browsers
    Test,
    /// The rules that clippy cannot check
    Tidy,
    /// Write the figures' reference pictures anew
    Bless,
    /// Record what claims and formats say in this machine's browsers
    Record,
    /// Measure the release build against the budgets
    Bench,
    /// Show what changed in English under a translated section, or accept its translation
    Reread {
        lang: String,
        /// `page#section`, or `page` for all before its first section
        target: String,
        #[arg(long)]
        accept: bool,
    },
    /// Trunk's hook: expand the pages
    #[command(hide = true)]
    Pages,
}

fn main() -> ExitCode {
    match run(Xtask::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<()> {
    // Cargo says so as it runs this: what it said when it built it may be of another checkout that shares the target folder.
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").context("run it as `cargo xtask`")?;
    let root = Path::new(&manifest).parent().context("xtask lies in the project")?;
    std::env::set_current_dir(root).with_context(|| format!("entering {}", root.display()))?;
    match command {
        Command::Serve { port, release } => build::serve(root, port, release),
        Command::Build { base_url, out } => build::build(root, base_url.as_deref(), &out),
        Command::Check => check::check(root),
        Command::Test => check::test(root),
        Command::Tidy => tidy::run(root),
        Command::Bless => check::bless(),
        Command::Record => check::record(root),
        Command::Bench => bench::run(root),
        Command::Reread { lang, target, accept } => reread::run(root, &lang, &target, accept),
        Command::Pages => pages::run(root),
    }
}
