//! Cuts listings out of the sources that are compiled: whole files, or the lines between `// region: name` and `// endregion`.

use crate::finding::Findings;
use crate::highlight::{self, Language};

/// A source file that listings may be cut from.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) language: Language,
    pub(crate) regions: Vec<Region>,
    /// Lines with their numbers; the region markers left out.
    lines: Vec<(usize, String)>,
    text: String,
}

/// A named range of lines; both ends exclusive, for they are the markers.
#[derive(Debug)]
pub(crate) struct Region {
    pub(crate) name: String,
    pub(crate) opens: usize,
    closes: usize,
}

/// A listing as a template shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listing {
    /// The language, as a reader names it.
    pub(crate) name: &'static str,
    pub(crate) path: String,
    /// The number of the first line.
    pub(crate) from: usize,
    pub(crate) html: String,
}

impl Source {
    /// Reads the regions of `text`; unclosed, unopened, empty and doubled ones are findings.
    pub(crate) fn parse(path: &str, text: &str, findings: &mut Findings) -> Option<Self> {
        let language = Language::of(path)?;
        let (mut lines, mut regions, mut open) = (Vec::new(), Vec::<Region>::new(), Vec::<(String, usize)>::new());
        for (number, line) in (1..).zip(text.lines()) {
            match marker(line) {
                Some(Marker::Opens(name)) => open.push((name.to_owned(), number)),
                Some(Marker::Closes) => match open.pop() {
                    Some((name, opens)) => regions.push(Region { name, opens, closes: number }),
                    None => findings.add(path, number, "`// endregion` closes no region"),
                },
                None => lines.push((number, line.trim_end().to_owned())),
            }
        }
        for (name, opens) in open {
            findings.add(path, opens, format!("region `{name}` is never closed: add `// endregion`"));
        }
        regions.sort_by_key(|region| region.opens);
        let source = Self { path: path.to_owned(), language, regions, lines, text: text.to_owned() };
        for (i, region) in source.regions.iter().enumerate() {
            if source.within(region).all(|(_, line)| line.is_empty()) {
                findings.add(path, region.opens, format!("region `{}` is empty", region.name));
            }
            if source.regions.iter().take(i).any(|earlier| earlier.name == region.name) {
                findings.add(path, region.opens, format!("region `{}` is there twice in this file", region.name));
            }
        }
        Some(source)
    }

    fn within<'a>(&'a self, region: &'a Region) -> impl Iterator<Item = &'a (usize, String)> {
        self.lines.iter().filter(move |(number, _)| (region.opens..region.closes).contains(number))
    }

    /// The file, or the region of that name; `None` if there is no such region or nothing in it.
    pub(crate) fn listing(&self, region: Option<&str>) -> Option<Listing> {
        let mut lines: Vec<&(usize, String)> = match region {
            None => self.lines.iter().collect(),
            Some(name) => self.within(self.regions.iter().find(|region| region.name == name)?).collect(),
        };
        let first = lines.iter().position(|(_, line)| !line.is_empty())?;
        lines.drain(..first);
        while lines.last().is_some_and(|(_, line)| line.is_empty()) {
            lines.pop();
        }
        let from = lines.first()?.0;
        let indent = lines.iter().filter(|(_, line)| !line.is_empty()).map(|(_, line)| indentation(line)).min()?;
        let text: Vec<&str> = lines.iter().map(|(_, line)| line.get(indent..).unwrap_or("")).collect();
        let objects = highlight::objects(self.language, &self.text);
        // The lines of a whole file are numbered, by the style sheet: a browser's errors name them so.
        let line = |html: &String| match region {
            None => format!("<span class=\"l\">{html}\n</span>"),
            Some(_) => format!("{html}\n"),
        };
        let html = highlight::html(self.language, &objects, &text).iter().map(line).collect();
        Some(Listing { name: self.language.name(), path: self.path.clone(), from, html })
    }
}

enum Marker<'a> {
    Opens(&'a str),
    Closes,
}

fn marker(line: &str) -> Option<Marker<'_>> {
    let comment = line.trim().strip_prefix("// ")?;
    match comment.strip_prefix("region:") {
        Some(name) => Some(Marker::Opens(name.trim())),
        None => (comment == "endregion").then_some(Marker::Closes),
    }
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

#[cfg(test)]
mod tests {
    use anyhow::{Context, Result};

    use super::*;

    const SOURCE: &str = "\
fn main() {
    // region: outer
    let a = 1;

    // region: inner
        let b = 2;
    // endregion
    // endregion
}
";

    fn parse(text: &str) -> (Option<Source>, Vec<String>) {
        let mut findings = Findings::default();
        let source = Source::parse("src/a.rs", text, &mut findings);
        (source, findings.printed())
    }

    #[test]
    fn a_region_loses_markers_and_indentation() -> Result<()> {
        let (source, findings) = parse(SOURCE);
        let source = source.context("a Rust file")?;
        assert!(findings.is_empty(), "{findings:?}");
        let outer = source.listing(Some("outer")).context("outer")?;
        assert_eq!(outer.from, 3);
        assert_eq!(outer.html, "<span class=\"k\">let</span> a = 1;\n\n    <span class=\"k\">let</span> b = 2;\n");
        let inner = source.listing(Some("inner")).context("inner")?;
        assert_eq!(inner.from, 6);
        assert_eq!(inner.html, "<span class=\"k\">let</span> b = 2;\n");
        assert!(source.listing(Some("absent")).is_none());
        Ok(())
    }

    #[test]
    fn a_whole_file_has_its_lines_apart() -> Result<()> {
        let (source, _) = parse(SOURCE);
        let whole = source.and_then(|source| source.listing(None)).context("the file")?;
        assert_eq!(whole.html.matches("<span class=\"l\">").count(), 5);
        Ok(())
    }

    #[test]
    fn faulty_regions_are_found() {
        assert_eq!(parse("// region: a\nx").1, ["src/a.rs:1: region `a` is never closed: add `// endregion`"]);
        assert_eq!(parse("x\n// endregion").1, ["src/a.rs:2: `// endregion` closes no region"]);
        assert_eq!(parse("// region: a\n\n// endregion").1, ["src/a.rs:1: region `a` is empty"]);
        assert_eq!(
            parse("// region: a\nx\n// endregion\n// region: a\ny\n// endregion").1,
            ["src/a.rs:4: region `a` is there twice in this file"]
        );
    }
}
