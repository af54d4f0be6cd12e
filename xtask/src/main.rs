//! The commands of Texelarium: `cargo xtask serve` and its kin.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};

mod build;
mod finding;
mod highlight;
mod html;
mod links;
mod listing;
mod markdown;
mod pages;
mod run;
mod site;
mod tools;
mod tree;
mod wasm;
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
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask lies in the project")?;
    std::env::set_current_dir(root).with_context(|| format!("entering {}", root.display()))?;
    match command {
        Command::Serve { port, release } => build::serve(root, port, release),
        Command::Build { base_url, out } => build::build(root, base_url.as_deref(), &out),
        Command::Pages => pages::run(root),
    }
}
