//! `reread`: what changed in an English section since its translation was made, and the word that the translation is right again.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::finding::Findings;
use crate::markdown::Page;
use crate::run::Run;

/// Shows the difference, or accepts the section; `target` is `page#section`, or `page` for its opening.
pub(crate) fn run(root: &Path, lang: &str, target: &str, accept: bool) -> Result<()> {
    let (name, slug) = target.split_once('#').map_or((target, None), |(name, slug)| (name, Some(slug)));
    let (english_path, path) = (format!("www/en/{name}.md"), format!("www/{lang}/{name}.md"));
    let (english, translation) = (read(root, &english_path)?, read(root, &path)?);
    let (english, translation) = (parse(&english_path, &english), parse(&path, &translation));
    let parts = english.parts();
    let part =
        parts.iter().find(|part| part.slug == slug).with_context(|| format!("{english_path} has no `{target}`"))?;
    let made_from = translation
        .parts()
        .into_iter()
        .find(|part| part.slug == slug)
        .with_context(|| format!("{path} has no `{target}`"))?
        .en;
    let hash = part.hash();
    if accept {
        let text = translation
            .accept(slug, &hash)
            .with_context(|| format!("{path} has no place for the hash of `{target}`"))?;
        fs::write(root.join(&path), text).with_context(|| format!("writing {path}"))?;
        println!("{target} is accepted in {path}.");
        return Ok(());
    }
    if made_from == Some(hash.as_str()) {
        println!("{target} is the translation of what {english_path}:{} says.", part.line);
        return Ok(());
    }
    match made_from.and_then(|hash| earlier(&english_path, slug, hash)) {
        Some(was) => difference(root, &was, &part.prose)?,
        None => println!("{}", part.prose),
    }
    println!("\nIf {path} says this: cargo xtask reread {lang} {target} --accept");
    Ok(())
}

fn read(root: &Path, path: &str) -> Result<String> {
    fs::read_to_string(root.join(path)).with_context(|| format!("reading {path}"))
}

/// A page, its faults left to `tidy`.
fn parse(path: &str, text: &str) -> Page {
    Page::parse(path, text, &mut Findings::default())
}

/// The section as it was when it had that hash, if git has it.
fn earlier(path: &str, slug: Option<&str>, hash: &str) -> Option<String> {
    let commits = Run::new("git").args(["log", "--format=%H", "--", path]).output()?;
    commits.lines().find_map(|commit| {
        let text = Run::new("git").arg("show").arg(format!("{commit}:{path}")).output()?;
        let page = parse(path, &text);
        page.parts().into_iter().find(|part| part.slug == slug && part.hash() == hash).map(|part| part.prose)
    })
}

/// Prints it as git does.
fn difference(root: &Path, was: &str, is: &str) -> Result<()> {
    let folder = root.join("target/reread");
    fs::create_dir_all(&folder)?;
    let (old, new) = (folder.join("was.md"), folder.join("is.md"));
    fs::write(&old, format!("{was}\n"))?;
    fs::write(&new, format!("{is}\n"))?;
    // It exits with 1 because they differ.
    let diff = Run::new("git").args(["--no-pager", "diff", "--no-index", "--word-diff"]).args([&old, &new]);
    match diff.status()? {
        Some(0 | 1) => Ok(()),
        _ => bail!("`git diff` failed"),
    }
}
