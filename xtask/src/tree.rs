//! The files of the project: what git would take, read as text.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use ignore::WalkBuilder;

/// The root and its files, build outputs left out.
#[derive(Debug)]
pub(crate) struct Tree {
    root: PathBuf,
    files: Vec<String>,
}

impl Tree {
    /// Lists what is there now.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let mut files = Vec::new();
        // `.gitignore` counts in an unpacked archive too, and hidden folders hold our workflows.
        let mut walk = WalkBuilder::new(root);
        walk.hidden(false).require_git(false).git_global(false).git_exclude(false).parents(false);
        walk.filter_entry(|entry| entry.file_name() != ".git");
        for entry in walk.build() {
            let entry = entry.with_context(|| format!("listing {}", root.display()))?;
            let path = entry.path().strip_prefix(root).unwrap_or(entry.path());
            if entry.file_type().is_some_and(|kind| kind.is_file()) {
                files.push(
                    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/"),
                );
            }
        }
        files.sort();
        Ok(Self { root: root.to_owned(), files })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Paths from the root, with `/`.
    pub(crate) fn files(&self) -> &[String] {
        &self.files
    }

    /// A file's text.
    pub(crate) fn text(&self, path: &str) -> Result<String> {
        std::fs::read_to_string(self.root.join(path)).with_context(|| format!("reading {path}"))
    }
}
