//! Other programs: run, and told of in one line; and the phases of a long command with their seconds.

use std::ffi::OsStr;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// A program about to run.
#[derive(Debug)]
pub(crate) struct Run(Command);

impl Run {
    pub(crate) fn new(program: impl AsRef<OsStr>) -> Self {
        Self(Command::new(program))
    }

    pub(crate) fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.0.arg(arg);
        self
    }

    pub(crate) fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.0.args(args);
        self
    }

    pub(crate) fn env(mut self, key: &str, value: impl AsRef<OsStr>) -> Self {
        self.0.env(key, value);
        self
    }

    pub(crate) fn without_env(mut self, key: &str) -> Self {
        self.0.env_remove(key);
        self
    }

    fn name(&self) -> String {
        let words = std::iter::once(self.0.get_program()).chain(self.0.get_args());
        words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    /// Runs it in view; its failure is ours.
    pub(crate) fn run(mut self) -> Result<()> {
        let status = self.0.status().with_context(|| format!("starting `{}`", self.name()))?;
        if !status.success() {
            bail!("`{}` failed ({status})", self.name());
        }
        Ok(())
    }

    /// Runs it in view; its exit code is for the caller.
    pub(crate) fn status(mut self) -> Result<Option<i32>> {
        Ok(self.0.status().with_context(|| format!("starting `{}`", self.name()))?.code())
    }

    /// What it prints, if it starts and succeeds.
    pub(crate) fn output(mut self) -> Option<String> {
        let output = self.0.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Becomes the program, so that it gets our signals; where that cannot be, waits for it.
    pub(crate) fn become_it(self) -> Result<()> {
        #[cfg(unix)]
        {
            let mut this = self;
            let error = std::os::unix::process::CommandExt::exec(&mut this.0);
            Err(error).with_context(|| format!("starting `{}`", this.name()))
        }
        #[cfg(not(unix))]
        self.run()
    }
}

/// The parts of a long command.
#[derive(Debug, Default)]
pub(crate) struct Phases(Vec<(&'static str, Duration, bool)>);

impl Phases {
    /// Does one part and remembers how long it took.
    pub(crate) fn run(&mut self, name: &'static str, part: impl FnOnce() -> Result<()>) -> Result<()> {
        eprintln!("── {name}");
        let start = Instant::now();
        let result = part();
        self.0.push((name, start.elapsed(), result.is_ok()));
        result.with_context(|| name)
    }

    /// Prints the table.
    pub(crate) fn print(&self) {
        eprintln!();
        for (name, time, passed) in &self.0 {
            eprintln!("{name:<28} {:>7.1} s  {}", time.as_secs_f64(), if *passed { "passed" } else { "failed" });
        }
        let total: Duration = self.0.iter().map(|(_, time, _)| *time).sum();
        eprintln!("{:<28} {:>7.1} s", "all", total.as_secs_f64());
    }
}
