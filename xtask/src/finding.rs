//! A fault in the tree: where it stands and one sentence that says what to do.

use std::fmt;

use anyhow::{Result, bail};

/// One fault, printed as `path:line: sentence`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    pub(crate) path: String,
    pub(crate) line: usize,
    pub(crate) says: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.says)
    }
}

/// All the faults of one run, so that a writer sees them together.
#[derive(Debug, Default)]
pub(crate) struct Findings(Vec<Finding>);

impl Findings {
    pub(crate) fn add(&mut self, path: &str, line: usize, says: impl Into<String>) {
        self.0.push(Finding { path: path.to_owned(), line, says: says.into() });
    }

    /// Fails, with every fault printed once and in order, if there is one.
    pub(crate) fn settle(mut self) -> Result<()> {
        self.0.sort();
        self.0.dedup();
        for finding in &self.0 {
            eprintln!("{finding}");
        }
        match self.0.len() {
            0 => Ok(()),
            1 => bail!("1 finding"),
            n => bail!("{n} findings"),
        }
    }

    /// What was found, for tests of the rules.
    #[cfg(test)]
    pub(crate) fn printed(&self) -> Vec<String> {
        self.0.iter().map(Finding::to_string).collect()
    }
}
