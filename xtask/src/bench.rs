//! `bench`: the budgets, what the release build measures against them, and what does not exist yet.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::{build, pages, release, tools};

/// Budgets in kB Brotli.
const CODE: f64 = 180.0;
const PAGE: f64 = 40.0;
const EDITOR: f64 = 130.0;
const TWIN: f64 = 3.0;
const REPORT: f64 = 60.0;

/// One row of the table; `e2e/bench.mjs --json` prints a list of them.
#[derive(Debug, Default, Deserialize)]
struct Row {
    what: String,
    #[serde(default)]
    budget: String,
    measured: String,
    /// Left out where nothing is asked.
    ok: Option<bool>,
    /// How it was measured.
    #[serde(default)]
    detail: String,
}

impl Row {
    /// A size against its budget, if it has one.
    fn size(what: impl Into<String>, bytes: usize, budget: Option<f64>) -> Self {
        // As hosts and browsers count: a kilobyte is a thousand bytes.
        let size = bytes as f64 / 1000.0;
        let budgeted = budget.map_or(String::new(), |budget| format!("{budget:.0} kB"));
        Self {
            what: what.into(),
            budget: budgeted,
            measured: format!("{size:.1} kB"),
            ok: budget.map(|budget| size <= budget),
            detail: String::new(),
        }
    }

    fn absent(what: &str) -> Self {
        Self { what: what.to_owned(), measured: "does not exist yet".to_owned(), ..Self::default() }
    }
}

/// Builds, measures, prints.
pub(crate) fn run(root: &Path) -> Result<()> {
    build::build(root, None, Path::new("dist"))?;
    let mut rows = sizes(&root.join("dist"))?;
    rows.extend(weights(root)?);
    let timings = tools::node_with_browsers().args(["e2e/bench.mjs", "--json"]).output();
    let timings = timings.context("`node e2e/bench.mjs` failed: run it to see why")?;
    rows.extend(serde_json::from_str::<Vec<Row>>(&timings).context("what `node e2e/bench.mjs --json` printed")?);
    print(&rows);
    Ok(())
}

fn print(rows: &[Row]) {
    let widest = |text: fn(&Row) -> &str| rows.iter().map(|row| text(row).chars().count()).max().unwrap_or(0).max(8);
    let (what, budget, measured) = (widest(|row| &row.what), widest(|row| &row.budget), widest(|row| &row.measured));
    println!("\n{:what$}  {:>budget$}  {:>measured$}", "", "budget", "measured");
    for row in rows {
        let verdict = match row.ok {
            Some(true) => "ok",
            Some(false) => "over",
            None => "",
        };
        let line = format!(
            "{:what$}  {:>budget$}  {:>measured$}  {verdict:4}  {}",
            row.what, row.budget, row.measured, row.detail
        );
        println!("{}", line.trim_end());
    }
}

/// What a reader's browser fetches, as a static host sends it.
fn sizes(dist: &Path) -> Result<Vec<Row>> {
    let files = pages::list(dist, "")?;
    let pages: Vec<&String> = files.iter().filter(|file| file.ends_with(".html")).collect();
    let mut rows = Vec::new();
    for page in &pages {
        let html = read(dist, page)?;
        let loaded = references(&String::from_utf8_lossy(&html));
        let styles = loaded.iter().filter(|file| file.ends_with(".css"));
        let styles: usize = styles.map(|file| brotli(&read(dist, file)?)).sum::<Result<_>>()?;
        rows.push(Row::size(format!("{page}: HTML and CSS"), brotli(&html)? + styles, Some(PAGE)));
    }
    for (page, _) in english(dist)? {
        let files = code(dist, &page)?;
        let row = Row::size(
            format!("{page}: all code that it loads by itself"),
            files.iter().map(|(_, bytes)| bytes).sum(),
            Some(CODE),
        );
        let detail: Vec<_> =
            files.iter().map(|(file, bytes)| format!("{file} {:.1}", *bytes as f64 / 1000.0)).collect();
        rows.push(Row { detail: detail.join(", "), ..row });
    }
    for (what, place, ending, budget) in [
        ("a twin", "/twins/", ".js", TWIN),
        ("a recorded report", "/recorded/", ".json", REPORT),
        ("the editor", "/editor", ".js", EDITOR),
    ] {
        let found: Vec<&String> = files.iter().filter(|file| file.contains(place) && file.ends_with(ending)).collect();
        if found.is_empty() {
            rows.push(Row::absent(&format!("on demand: {what}")));
        }
        for file in found {
            rows.push(Row::size(format!("on demand: {file}"), brotli(&read(dist, file)?)?, Some(budget)));
        }
    }
    if !dist.join("format-table.html").exists() {
        rows.push(Row::absent("the format probe"));
    }
    Ok(rows)
}

/// What code a part of the site is: how much less the pages have without it, by how often it stands on them.
fn weights(root: &Path) -> Result<Vec<Row>> {
    let all = |dist: &Path| -> Result<usize> {
        let mut all = 0;
        for (page, _) in english(dist)? {
            all += code(dist, &page)?.iter().map(|(_, bytes)| bytes).sum::<usize>();
        }
        Ok(all)
    };
    let dist = root.join("dist");
    let whole = all(&dist)?;
    let mut rows = Vec::new();
    for (kind, what) in [("figure", "a figure"), ("claim", "a claim"), ("formats", "the table of formats")] {
        let stands: Vec<String> = english(&dist)?.iter().map(|(_, html)| release::on_page(html, None)).collect();
        let count =
            stands.iter().flat_map(|page| page.split(',')).filter(|it| it.split(':').next() == Some(kind)).count();
        let out = root.join("target/without").join(kind);
        build::release(root, None, &out, Some(kind))?;
        let bytes = whole.saturating_sub(all(&out)?) as f64 / count as f64;
        rows.push(Row {
            what: format!("    of it {what}"),
            measured: format!("{:.2} kB", bytes / 1000.0),
            detail: format!("mean of {count}"),
            ..Row::default()
        });
    }
    Ok(rows)
}

/// The pages in English, by name and HTML: the other languages have the same code.
fn english(dist: &Path) -> Result<Vec<(String, String)>> {
    let mut pages = Vec::new();
    for page in pages::list(dist, "")? {
        if page.ends_with(".html") && !page.contains('/') && page != "404.html" {
            let html = String::from_utf8_lossy(&read(dist, &page)?).into_owned();
            pages.push((page, html));
        }
    }
    Ok(pages)
}

/// The files of code that a page loads by itself, and their bytes; the service worker is asked for by a script.
fn code(dist: &Path, page: &str) -> Result<Vec<(String, usize)>> {
    let html = String::from_utf8_lossy(&read(dist, page)?).into_owned();
    let mut files = references(&html);
    files.retain(|file| file.ends_with(".js") || file.ends_with(".wasm"));
    files.push("sw.js".to_owned());
    files.sort();
    files.dedup();
    files.into_iter().map(|file| Ok((file.clone(), brotli(&read(dist, &file)?)?))).collect()
}

/// Files that a page loads by itself, as paths in `dist`: sources of scripts, and links that are no mere addresses.
fn references(html: &str) -> Vec<String> {
    let tags = html.split('<').filter(|tag| tag.starts_with("script ") || tag.starts_with("link "));
    let loaded = tags.filter(|tag| {
        ["src=\"", "rel=\"stylesheet\"", "rel=\"modulepreload\"", "rel=\"preload\""]
            .iter()
            .any(|mark| tag.contains(mark))
    });
    let path = |tag: &str| {
        let address = tag.split_once("src=\"").or_else(|| tag.split_once("href=\""))?.1.split('"').next()?;
        Some(address.trim_start_matches("../").trim_start_matches("./").to_owned())
    };
    loaded.filter_map(path).collect()
}

fn read(dist: &Path, file: &str) -> Result<Vec<u8>> {
    fs::read(dist.join(file)).with_context(|| format!("dist/{file}, which a page loads"))
}

/// The number of bytes at the best quality.
fn brotli(bytes: &[u8]) -> Result<usize> {
    let mut out = Vec::new();
    let mut writer = brotli::CompressorWriter::new(&mut out, 1 << 16, 11, 22);
    writer.write_all(bytes)?;
    drop(writer);
    Ok(out.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_page_loads() {
        let html = "<link rel=\"icon\" href=\"./i.svg\"><link rel=\"stylesheet\" href=\"../s.css\"/><script type=\"module\" src=\"./b.js\"></script>\
                    <link rel=\"preload\" href=\"./w.wasm\" as=\"fetch\"><script type=\"application/json\" id=\"words\">{}</script>";
        assert_eq!(references(html), ["s.css", "b.js", "w.wasm"]);
    }

    #[test]
    fn a_size_is_held_against_its_budget() {
        assert_eq!(Row::size("x", 40_000, Some(40.0)).ok, Some(true));
        assert_eq!(Row::size("x", 40_001, Some(40.0)).ok, Some(false));
        assert_eq!(Row::size("x", 1, None).ok, None);
    }
}
