//! One Markdown page: its front matter, its headings and directives in order, its sections and their hashes.

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};
use serde::Deserialize;

use crate::finding::Findings;
use crate::html::hash8;
use crate::words::line_of;

/// What stands between the `+++` lines.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Front {
    pub(crate) title: String,
    /// The short name in the navigation.
    pub(crate) nav: String,
    pub(crate) description: String,
    /// Inline Markdown.
    pub(crate) lede: String,
    /// In a translation: the hash of the English opening (this front matter and all before the first section).
    en: Option<String>,
}

/// A page as it was written.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) path: String,
    pub(crate) front: Front,
    pub(crate) items: Vec<Item>,
    text: String,
    body: usize,
}

/// A heading or a directive; translations have the same ones in the same order.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) line: usize,
    /// Where it stands in the body.
    pub(crate) at: usize,
    pub(crate) kind: Kind,
}

/// What the expander looks for in a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    Heading {
        level: HeadingLevel,
        slug: Option<String>,
        /// In a translation: the hash of the English section it was made from.
        en: Option<String>,
    },
    Figure(String),
    Claim(String),
    /// Paths, each with its region.
    Code(Vec<(String, Option<String>)>),
    /// The table of texture formats.
    Formats,
    /// The catalogue of errors.
    Errors,
}

/// A piece of a page that is translated and re-read as one: the opening, or a section.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Part<'a> {
    /// `None` for the opening.
    pub(crate) slug: Option<&'a str>,
    pub(crate) line: usize,
    /// The prose, code directives and hashes left out.
    pub(crate) prose: String,
    /// The hash of the English prose that this one was made from.
    pub(crate) en: Option<&'a str>,
}

impl Part<'_> {
    /// What a translation of this part holds.
    pub(crate) fn hash(&self) -> String {
        hash8(self.prose.as_bytes())
    }

    /// As the command line names it.
    pub(crate) fn name(&self, page: &str) -> String {
        self.slug.map_or_else(|| page.to_owned(), |slug| format!("{page}#{slug}"))
    }
}

impl Page {
    /// Reads a page; faults of its form are findings.
    pub(crate) fn parse(path: &str, text: &str, findings: &mut Findings) -> Self {
        let text = text.replace("\r\n", "\n");
        let front = text.strip_prefix("+++\n").and_then(|rest| rest.split_once("\n+++\n")).map(|(front, _)| front);
        let body = front.map_or(0, |front| front.len() + "+++\n\n+++\n".len());
        let front = match front.map(toml::from_str::<Front>) {
            Some(Ok(front)) => front,
            Some(Err(error)) => {
                let line = error.span().map_or(1, |span| line_of(&text, span.start + "+++\n".len()));
                findings.add(path, line, error.message());
                Front::default()
            }
            None => {
                findings.add(
                    path,
                    1,
                    "begins with no front matter: `title`, `nav`, `description` and `lede` between two lines `+++`",
                );
                Front::default()
            }
        };
        let mut page = Self { path: path.to_owned(), front, items: Vec::new(), text, body };
        page.items = page.scan(findings);
        page
    }

    /// The Markdown after the front matter.
    pub(crate) fn body(&self) -> &str {
        self.text.get(self.body..).unwrap_or("")
    }

    /// The line of a place in the body.
    pub(crate) fn line(&self, at: usize) -> usize {
        line_of(&self.text, self.body + at)
    }

    fn scan(&self, findings: &mut Findings) -> Vec<Item> {
        let mut items = Vec::new();
        for (event, range) in events(self.body()) {
            let line = self.line(range.start);
            let kind = match event {
                Event::Start(Tag::Heading { level, id, attrs, .. }) => {
                    let slug = id.map(|slug| slug.to_string());
                    if slug.is_none() && level == HeadingLevel::H2 {
                        findings.add(
                            &self.path,
                            line,
                            "this heading has no slug: write `## Title {#slug}`, the same in all languages",
                        );
                    }
                    if level == HeadingLevel::H1 {
                        findings.add(
                            &self.path,
                            line,
                            "the page's title is in its front matter: begin sections with `##`",
                        );
                    }
                    let en = attrs
                        .into_iter()
                        .find(|(name, _)| &**name == "en")
                        .and_then(|(_, hash)| hash)
                        .map(|hash| hash.to_string());
                    Kind::Heading { level, slug, en }
                }
                Event::Start(Tag::Paragraph) => {
                    let paragraph = self.body().get(range.clone()).unwrap_or("").trim();
                    match directive(paragraph) {
                        Some(Ok(kind)) => kind,
                        Some(Err(says)) => {
                            findings.add(&self.path, line, says);
                            continue;
                        }
                        None => continue,
                    }
                }
                Event::Start(Tag::CodeBlock(_)) => {
                    findings.add(
                        &self.path,
                        line,
                        "no listing is typed into a page: cut it out of compiled code with `{code path#region}`",
                    );
                    continue;
                }
                _ => continue,
            };
            items.push(Item { line, at: range.start, kind });
        }
        items
    }

    /// The opening, then each section.
    pub(crate) fn parts(&self) -> Vec<Part<'_>> {
        let sections: Vec<_> = self
            .items
            .iter()
            .filter_map(|item| match &item.kind {
                Kind::Heading { level: HeadingLevel::H2, slug, en } => {
                    Some((item, slug.as_deref().unwrap_or(""), en.as_deref()))
                }
                _ => None,
            })
            .collect();
        let end = |i: usize| sections.get(i).map_or(self.body().len(), |(item, ..)| item.at);
        let Front { title, nav, description, lede, en } = &self.front;
        let opening = format!("{title}\n{nav}\n{description}\n{lede}\n\n{}", self.body().get(..end(0)).unwrap_or(""));
        let mut parts = vec![Part { slug: None, line: 1, prose: prose(&opening), en: en.as_deref() }];
        parts.extend(sections.iter().enumerate().map(|(i, (item, slug, en))| Part {
            slug: Some(slug),
            line: item.line,
            prose: prose(self.body().get(item.at..end(i + 1)).unwrap_or("")),
            en: *en,
        }));
        parts
    }

    /// Holds a translation against the English page: the same headings and directives, and every part made from what stands there now.
    pub(crate) fn compare(&self, english: &Self, lang: &str, name: &str, findings: &mut Findings) {
        let mut pairs = self.items.iter().zip(&english.items);
        if let Some((ours, theirs)) = pairs.find(|(ours, theirs)| !ours.kind.agrees(&theirs.kind)) {
            findings.add(
                &self.path,
                ours.line,
                format!("{} stands where {}:{} has {}", ours.kind, english.path, theirs.line, theirs.kind),
            );
            return;
        }
        if let Some(extra) = self.items.get(english.items.len()) {
            findings.add(&self.path, extra.line, format!("{} is not in {}", extra.kind, english.path));
            return;
        }
        if let Some(missing) = english.items.get(self.items.len()) {
            findings.add(&self.path, 1, format!("lacks {} of {}:{}", missing.kind, english.path, missing.line));
            return;
        }
        for (ours, theirs) in self.parts().iter().zip(english.parts()) {
            if ours.en != Some(theirs.hash().as_str()) {
                let name = theirs.name(name);
                let says = format!(
                    "{name} is not the translation of what {}:{} says now: `cargo xtask reread {lang} {name}`",
                    english.path, theirs.line
                );
                findings.add(&self.path, ours.line, says);
            }
        }
    }

    /// The text of the page with a part's hash set to `hash`.
    pub(crate) fn accept(&self, slug: Option<&str>, hash: &str) -> Option<String> {
        let mut lines: Vec<String> = self.text.lines().map(str::to_owned).collect();
        match slug {
            Some(_) => {
                let line = self.parts().into_iter().find(|part| part.slug == slug)?.line;
                let heading = lines.get_mut(line - 1)?;
                let (title, attributes) = heading.rsplit_once('{')?;
                let kept = attributes
                    .trim_end()
                    .trim_end_matches('}')
                    .split_whitespace()
                    .filter(|word| !word.starts_with("en="));
                *heading = format!("{title}{{{} en={hash}}}", kept.collect::<Vec<_>>().join(" "));
            }
            None => {
                let end = lines.iter().skip(1).position(|line| line == "+++")? + 1;
                let old = lines.iter().take(end).position(|line| line.starts_with("en ") || line.starts_with("en="));
                old.map(|old| lines.remove(old));
                lines.insert(if old.is_some() { end - 1 } else { end }, format!("en = \"{hash}\""));
            }
        }
        Some(lines.join("\n") + "\n")
    }
}

impl Kind {
    /// Whether a translation may have `self` where English has `other`.
    fn agrees(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Heading { level, slug, .. }, Self::Heading { level: their_level, slug: their_slug, .. }) => {
                level == their_level && slug == their_slug
            }
            _ => self == other,
        }
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Heading { level, slug: Some(slug), .. } => write!(f, "the {level} `{{#{slug}}}`"),
            Self::Heading { level, slug: None, .. } => write!(f, "an {level}"),
            Self::Figure(id) => write!(f, "`{{figure {id}}}`"),
            Self::Claim(id) => write!(f, "`{{claim {id}}}`"),
            Self::Code(sources) => {
                let sources = sources.iter().map(|(path, region)| {
                    format!(" {path}{}", region.as_ref().map_or(String::new(), |name| format!("#{name}")))
                });
                write!(f, "`{{code{}}}`", sources.collect::<String>())
            }
            Self::Formats => write!(f, "`{{formats}}`"),
            Self::Errors => write!(f, "`{{errors}}`"),
        }
    }
}

/// The Markdown of the pages: CommonMark with tables and heading attributes.
pub(crate) fn events(text: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_HEADING_ATTRIBUTES).into_offset_iter()
}

/// A paragraph in braces is a directive, or a fault.
fn directive(paragraph: &str) -> Option<Result<Kind, String>> {
    let lines = paragraph
        .lines()
        .filter(|line| ["{figure ", "{claim ", "{code "].iter().any(|start| line.trim_start().starts_with(start)));
    if lines.count() > 0 && paragraph.lines().count() > 1 {
        return Some(Err("a directive is a paragraph of its own: leave a blank line before and after it".to_owned()));
    }
    let inner = paragraph.strip_prefix('{')?.strip_suffix('}')?;
    let mut words = inner.split_whitespace();
    let (name, rest) = (words.next().unwrap_or(""), words.collect::<Vec<_>>());
    Some(match (name, rest.as_slice()) {
        ("figure", [id]) => Ok(Kind::Figure((*id).to_owned())),
        ("claim", [id]) => Ok(Kind::Claim((*id).to_owned())),
        ("formats", []) => Ok(Kind::Formats),
        ("errors", []) => Ok(Kind::Errors),
        ("code", [_, ..]) => Ok(Kind::Code(
            rest.iter()
                .map(|source| match source.split_once('#') {
                    Some((path, region)) => (path.to_owned(), Some(region.to_owned())),
                    None => ((*source).to_owned(), None),
                })
                .collect(),
        )),
        _ => Err(format!(
            "`{paragraph}` is no directive: they are `{{figure id}}`, `{{claim id}}`, `{{code path#region}}`, `{{formats}}` and `{{errors}}`"
        )),
    })
}

/// What of a part a translation depends on: its lines without code directives and hashes, blank lines run together.
fn prose(text: &str) -> String {
    let mut out: Vec<&str> = Vec::new();
    for line in text.lines().map(str::trim_end).filter(|line| !line.starts_with("{code ")) {
        let blank = line.is_empty() && out.last().is_none_or(|last| last.is_empty());
        if !blank {
            out.push(line);
        }
    }
    out.join("\n").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use anyhow::{Context, Result};

    use super::*;

    const ENGLISH: &str = "\
+++
title = \"T\"
nav = \"N\"
description = \"D\"
lede = \"L\"
+++

{figure plasma}

## One {#one}

Prose.

{code src/a.rs#b shaders/p.wgsl}

{claim c}

## Two {#two}
";

    fn parse(text: &str) -> (Page, Vec<String>) {
        let mut findings = Findings::default();
        let page = Page::parse("en/p.md", text, &mut findings);
        (page, findings.printed())
    }

    fn compare(translation: &str) -> Vec<String> {
        let mut findings = Findings::default();
        let english = Page::parse("en/p.md", ENGLISH, &mut findings);
        Page::parse("es/p.md", translation, &mut findings).compare(&english, "es", "p", &mut findings);
        findings.printed()
    }

    /// The English page as a translation of itself, every part accepted.
    fn accepted() -> Result<String> {
        let english = parse(ENGLISH).0;
        let mut text = ENGLISH.to_owned();
        for part in english.parts() {
            text = parse(&text).0.accept(part.slug, &part.hash()).context("accepts")?;
        }
        Ok(text)
    }

    #[test]
    fn directives_and_headings_are_found_at_their_lines() {
        let (page, findings) = parse(ENGLISH);
        assert!(findings.is_empty(), "{findings:?}");
        let items: Vec<_> = page.items.iter().map(|item| format!("{} {}", item.line, item.kind)).collect();
        assert_eq!(
            items,
            [
                "8 `{figure plasma}`",
                "10 the h2 `{#one}`",
                "14 `{code src/a.rs#b shaders/p.wgsl}`",
                "16 `{claim c}`",
                "18 the h2 `{#two}`"
            ]
        );
    }

    #[test]
    fn faulty_pages_are_found() {
        let front = ENGLISH.split_once("\n\n").map_or("", |(front, _)| front);
        let found = |body: &str| parse(&format!("{front}\n\n{body}")).1;
        assert!(parse("## One {#one}").1[0].starts_with("en/p.md:1: begins with no front matter"));
        assert!(parse("+++\ntitle = 1\n+++\n").1[0].starts_with("en/p.md:2: "));
        assert!(found("## One")[0].starts_with("en/p.md:8: this heading has no slug"));
        assert!(found("# One")[0].starts_with("en/p.md:8: the page's title is in its front matter"));
        assert!(found("{figur x}")[0].starts_with("en/p.md:8: `{figur x}` is no directive"));
        assert!(found("Prose.\n{claim c}")[0].starts_with("en/p.md:8: a directive is a paragraph of its own"));
        assert!(found("```\nx\n```")[0].starts_with("en/p.md:8: no listing is typed into a page"));
    }

    #[test]
    fn an_accepted_translation_passes() -> Result<()> {
        assert_eq!(compare(&accepted()?), [""; 0]);
        Ok(())
    }

    #[test]
    fn a_stale_section_is_named_with_its_command() -> Result<()> {
        let text = accepted()?;
        let hash = text.split("{#one en=").nth(1).and_then(|rest| rest.get(..8)).context("a hash")?;
        let found = compare(&text.replace(hash, "00000000"));
        assert_eq!(
            found,
            ["es/p.md:11: p#one is not the translation of what en/p.md:10 says now: `cargo xtask reread es p#one`"]
        );
        Ok(())
    }

    #[test]
    fn a_stale_opening_is_named_with_its_command() {
        assert!(compare(ENGLISH)[0].ends_with("`cargo xtask reread es p`"), "{:?}", compare(ENGLISH));
    }

    #[test]
    fn another_order_is_found() -> Result<()> {
        let found = compare(&accepted()?.replace("{claim c}", "{claim d}"));
        assert_eq!(found, ["es/p.md:17: `{claim d}` stands where en/p.md:16 has `{claim c}`"]);
        Ok(())
    }

    #[test]
    fn code_is_no_part_of_the_hash() {
        let hash = |text: &str| parse(text).0.parts().get(1).map(Part::hash);
        assert_eq!(hash(ENGLISH), hash(&ENGLISH.replace("{code src/a.rs#b shaders/p.wgsl}\n\n", "")));
        assert_ne!(hash(ENGLISH), hash(&ENGLISH.replace("Prose.", "Other prose.")));
    }
}
