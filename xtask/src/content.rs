//! The HTML of one page: its Markdown in numbered sections, and each directive by its template.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::value::Serde;
use minijinja::{Value, context};
use pulldown_cmark::{CowStr, Event, HeadingLevel, Tag, TagEnd, html::push_html};

use crate::finding::Findings;
use crate::links::{Inline, specification};
use crate::listing::Listing;
use crate::markdown::{Item, Kind, Page, events};
use crate::site::{Language, Site, explain};
use crate::words::Words;

/// What a page shows, ready for the shell.
#[derive(Debug, Default)]
pub(crate) struct Content {
    pub(crate) lede: String,
    /// All between the shell's head and foot.
    pub(crate) html: String,
    /// Slug and title (HTML) of each section.
    pub(crate) sections: Vec<(String, String)>,
    pub(crate) figures: Vec<String>,
    pub(crate) claims: Vec<String>,
    pub(crate) has_formats: bool,
    pub(crate) has_errors: bool,
}

/// Path and name of a region.
pub(crate) type Used = BTreeSet<(String, String)>;

impl Content {
    /// Writes a page; `used` gets the regions that it shows.
    pub(crate) fn write(
        site: &Site,
        language: &Language,
        name: &str,
        page: &Page,
        used: &mut Used,
        findings: &mut Findings,
    ) -> Self {
        let place = language.place(name);
        let (mut content, mut out, mut title) = (Self::default(), Vec::new(), Vec::new());
        match place.inline(&page.front.lede) {
            Ok(lede) => content.lede = lede,
            Err(says) => findings.add(&page.path, 1, format!("lede: {says}")),
        }
        let (mut inline, mut in_directive, mut in_title) = (Inline::new(place), false, false);
        let items: BTreeMap<usize, &Item> = page.items.iter().map(|item| (item.at, item)).collect();
        for (event, range) in events(page.body()) {
            let item =
                items.get(&range.start).filter(|_| matches!(event, Event::Start(Tag::Heading { .. } | Tag::Paragraph)));
            match (&event, item.map(|item| (item.line, &item.kind))) {
                (Event::End(TagEnd::Paragraph), _) if in_directive => in_directive = false,
                _ if in_directive => {}
                (_, Some((_, Kind::Heading { level: HeadingLevel::H2, slug, .. }))) => {
                    let slug = slug.as_deref().unwrap_or_default();
                    let before = if content.sections.is_empty() { "" } else { "</section>\n" };
                    content.sections.push((slug.to_owned(), String::new()));
                    let number = content.sections.len();
                    out.push(block(format!(
                        "{before}<section aria-labelledby=\"{slug}\"><h2 id=\"{slug}\"><span class=\"sec\">{number}</span>"
                    )));
                    in_title = true;
                }
                (Event::End(TagEnd::Heading(HeadingLevel::H2)), _) => {
                    in_title = false;
                    if let Some((_, section)) = content.sections.last_mut() {
                        push_html(section, title.drain(..));
                    }
                    out.push(block("</h2>\n".to_owned()));
                }
                (_, Some((_, Kind::Heading { level, slug, .. }))) => {
                    let id = slug.as_ref().map_or(String::new(), |slug| format!(" id=\"{slug}\""));
                    out.push(block(format!("<{level}{id}>")));
                }
                (_, Some((line, kind))) => {
                    in_directive = true;
                    let mut block_of = Block { site, language, name, path: &page.path, line, used, findings };
                    out.push(block(block_of.render(kind)));
                    match kind {
                        Kind::Figure(id) => content.figures.push(id.clone()),
                        Kind::Claim(id) => content.claims.push(id.clone()),
                        Kind::Formats => content.has_formats = true,
                        Kind::Errors => content.has_errors = true,
                        _ => {}
                    }
                }
                _ => match inline.map(event) {
                    Ok(event) => {
                        if in_title {
                            title.push(event.clone());
                        }
                        out.push(event);
                    }
                    Err(says) => findings.add(&page.path, page.line(range.start), says),
                },
            }
        }
        let mut html = String::new();
        push_html(&mut html, out.into_iter());
        // On a narrow screen a table scrolls sideways, by keyboard too.
        content.html += &html.replace("<table>", "<table tabindex=\"0\">");
        if !content.sections.is_empty() {
            content.html += "</section>\n";
        }
        content
    }
}

/// A directive being rendered.
struct Block<'a> {
    site: &'a Site,
    language: &'a Language,
    name: &'a str,
    path: &'a str,
    line: usize,
    used: &'a mut Used,
    findings: &'a mut Findings,
}

impl Block<'_> {
    fn render(&mut self, kind: &Kind) -> String {
        match kind {
            Kind::Figure(id) => self.figure(id),
            Kind::Claim(id) => self.claim(id),
            Kind::Code(sources) => self.code(sources),
            Kind::Formats => self.template("formats.html", self.site.formats()),
            Kind::Errors => self.errors(),
            Kind::Heading { .. } => String::new(),
        }
    }

    fn fault(&mut self, says: impl Into<String>) {
        self.findings.add(self.path, self.line, says);
    }

    fn template(&mut self, name: &str, values: Value) -> String {
        let (lang, page, ui) = (&self.language.code, self.name, Value::from(Serde(&self.language.ui.table)));
        let values = context! { lang, page, ui, ..values };
        match self.language.templates.get_template(name).and_then(|template| template.render(values)) {
            Ok(html) => html,
            Err(error) => {
                self.fault(explain(&error));
                String::new()
            }
        }
    }

    fn figure(&mut self, id: &str) -> String {
        let module = format!("src/figures/{}.rs", id.replace('-', "_"));
        if !self.site.sources.contains_key(&module) {
            self.fault(format!("there is no figure `{id}`: {module} does not exist"));
        }
        // The WGSL runs as it stands on the page; the rest is a file of its own, for it would be half of the page.
        let wgsl = self.site.sources.get(&format!("shaders/{id}.wgsl")).and_then(|source| source.listing(None));
        let code = self.listings(&format!("{id}-code"), wgsl.into_iter().collect());
        let others = [(module, "./src/"), (format!("www/twins/{id}.js"), "./twins/")];
        let sources: Vec<Value> = others
            .iter()
            .filter(|(path, _)| self.site.sources.contains_key(path))
            .filter_map(|(path, folder)| Some((path, folder, path.rsplit_once('/')?.1)))
            .map(|(path, folder, file)| {
                let href =
                    if file.ends_with(".rs") { format!("{folder}{file}.txt") } else { format!("{folder}{file}") };
                context! { path, href }
            })
            .collect();
        let words = self.words(&self.language.figures, "figures.toml", id);
        let poster = self.site.poster(id).map(|(src, width, height)| context! { src, width, height });
        let measured = self.site.measured(id);
        self.template("figure.html", context! { id, words, poster, code, sources, measured })
    }

    fn claim(&mut self, id: &str) -> String {
        let words = self.words(&self.language.claims, "claims.toml", id);
        let rule = self.rule(id);
        let is_claims = |path: &str| path.starts_with("src/claims/") || path == "src/claims.rs";
        let source = self
            .site
            .sources
            .values()
            .find(|source| is_claims(&source.path) && source.regions.iter().any(|region| region.name == id));
        match source {
            Some(source) => drop(self.used.insert((source.path.clone(), id.to_owned()))),
            None => self.fault(format!("no file of src/claims has `// region: {id}`, the code that tries this claim")),
        }
        let listings = source.and_then(|source| source.listing(Some(id))).into_iter().collect();
        let code = self.listings(&format!("{id}-code"), listings);
        let recorded = self.site.recorded(id);
        let is_error = self.site.is_error(id);
        self.template("claim.html", context! { id, words, rule, code, recorded, is_error })
    }

    /// The catalogue of errors, an entry a claim.
    fn errors(&mut self) -> String {
        let mut entries = Vec::new();
        for (page, id) in &self.site.errors {
            let words = self.words(&self.language.claims, "claims.toml", id);
            self.explain(id);
            let written = [Some(self.language), self.site.languages.first()].into_iter().flatten();
            let title = written.filter_map(|it| it.pages.get(page)).next().map_or(page, |page| &page.front.nav);
            let claim = format!("[{title}]({page}.md#{id})");
            let (rule, recorded, messages) = (self.rule(id), self.site.recorded(id), self.site.messages(id));
            let entry = context! { id, words, rule, recorded, messages, claim };
            entries.push(Value::from_safe_string(self.template("claim.html", entry)));
        }
        self.template("errors.html", context! { entries })
    }

    /// That the words of a claim say what to do about its error. An engine that refuses what it should accept has a note
    /// instead: its reader has nothing to mend.
    fn explain(&mut self, id: &str) {
        let claims = &self.language.claims;
        let says = |key: &str| claims.section(id).is_some_and(|words| words.contains_key(key));
        if !(says("cause") && says("fix") || says("notes")) {
            let says = format!("browsers refuse what `[{id}]` tries: give it `cause` and `fix`, or the engine a note");
            self.findings.add(&claims.path, claims.line(id), says);
        }
    }

    /// The rule that a claim stands on; it is named in the English words.
    fn rule(&mut self, id: &str) -> Option<Value> {
        let claims = &self.site.languages.first()?.claims;
        let target = claims.section(id)?.get("rule").and_then(toml::Value::as_str);
        let line = claims.line(&format!("{id}.rule"));
        match target.map(specification) {
            Some(Ok((url, text))) => Some(context! { url, text }),
            Some(Err(says)) => {
                self.findings.add(&claims.path, line, says);
                None
            }
            None => {
                self.findings.add(
                    &claims.path,
                    claims.line(id),
                    format!("`[{id}]` names no `rule`: `rule = \"webgpu#anchor\"`"),
                );
                None
            }
        }
    }

    fn code(&mut self, sources: &[(String, Option<String>)]) -> String {
        let mut listings = Vec::new();
        for (path, region) in sources {
            let Some(source) = self.site.sources.get(path) else {
                self.fault(format!("there is no {path} to cut a listing from"));
                continue;
            };
            match source.listing(region.as_deref()) {
                Some(listing) => listings.push(listing),
                None => self.fault(format!("{path} has no lines in `// region: {}`", region.as_deref().unwrap_or(""))),
            }
            if let Some(region) = region {
                self.used.insert((path.clone(), region.clone()));
            }
        }
        self.listings(&format!("code-{}", self.line), listings).to_string()
    }

    /// `code.html` with a tab for each listing; two in one language are named by their files.
    fn listings(&mut self, id: &str, listings: Vec<Listing>) -> Value {
        let tab = |listing: &Listing| {
            let Listing { path, from, html, .. } = listing;
            let alone = listings.iter().filter(|other| other.name == listing.name).count() == 1;
            let name = if alone { listing.name } else { path.rsplit('/').next().unwrap_or(path) };
            context! { name, path, from, html => Value::from_safe_string(html.clone()) }
        };
        let tabs: Vec<Value> = listings.iter().map(tab).collect();
        Value::from_safe_string(self.template("code.html", context! { id, tabs }))
    }

    /// The table `[id]` of a file of words, its texts as inline Markdown.
    fn words(&mut self, words: &Words, file: &str, id: &str) -> Value {
        match words.section(id) {
            Some(table) => self.rendered(words, id, &toml::Value::Table(table.clone())),
            None => {
                self.fault(format!("www/{}/{file} has no `[{id}]`", self.language.code));
                context! {}
            }
        }
    }

    fn rendered(&mut self, words: &Words, key: &str, value: &toml::Value) -> Value {
        match value {
            toml::Value::Table(table) => Value::from_pairs(
                table
                    .iter()
                    .map(|(name, value)| (name.as_str(), self.rendered(words, &format!("{key}.{name}"), value))),
            ),
            toml::Value::Array(list) => list.iter().map(|value| self.rendered(words, key, value)).collect(),
            toml::Value::String(text) => match self.language.place(self.name).inline(text) {
                Ok(html) => Value::from_safe_string(html),
                Err(says) => {
                    self.findings.add(&words.path, words.line(key), says);
                    Value::from(text.as_str())
                }
            },
            other => Value::from(Serde(other)),
        }
    }
}

/// HTML between blocks.
fn block<'e>(html: String) -> Event<'e> {
    Event::Html(CowStr::from(html))
}

#[cfg(test)]
pub(crate) mod tests {
    use anyhow::{Context, Result};
    use tempfile::TempDir;

    use super::*;
    use crate::tree::Tree;

    /// A small site: one page in English, with one of everything.
    pub(crate) const FILES: [(&str, &str); 12] = [
        ("www/toc.toml", "pages = [\"one\", \"two\"]"),
        ("www/en/ui.toml", "name = \"English\"\ntag = \"en\"\n[runtime.state]\nrunning = \"running, {n}\""),
        ("www/en/figures.toml", "[plasma]\nalt = \"a < b\"\ncaption = \"the [view](object:storage)\""),
        (
            "www/en/claims.toml",
            "[flag]\nsentence = \"A `FLAG`.\"\nrule = \"webgpu#x\"\n[flag.tries]\nwith = \"with it\"",
        ),
        ("www/en/one.md", PAGE),
        (
            "www/templates/figure.html",
            "<figure id=\"{{ id }}\" title=\"{{ words.alt }}\">{{ words.caption }}{{ code }}{% for it in sources %}<a href=\"{{ it.href }}\">{{ it.path }}</a>{% endfor %}</figure>",
        ),
        (
            "www/templates/claim.html",
            "<section id=\"{{ id }}\">{{ words.sentence }} {{ rule.url }} {% for it in recorded %}{{ it.label }} {{ it.verdict }}{% endfor %}{{ code }}</section>",
        ),
        ("www/templates/code.html", "<pre>{% for tab in tabs %}[{{ tab.name }} {{ tab.from }}]{% endfor %}</pre>"),
        (
            "www/recorded/claims.json",
            r#"{"a": {"engine": "firefox", "label": "Firefox 1", "device": "d", "claims": {"flag": {"verdict": "holds", "tries": {}}}}}"#,
        ),
        ("src/figures/plasma.rs", "//! a\n// region: setup\nfn a() {}\n// endregion\n"),
        ("src/claims/a.rs", "//! a\n// region: flag\n1,\n// endregion\n"),
        ("shaders/plasma.wgsl", "// a\n"),
    ];

    const PAGE: &str = "\
+++
title = \"One\"
nav = \"One\"
description = \"D\"
lede = \"L\"
+++

{figure plasma}

## The `flag` {#the-flag}

{claim flag}

{code src/figures/plasma.rs#setup}
";

    /// Writes the files, with `change` in place of or beside them, and gives the findings and the page's HTML.
    pub(crate) fn content(change: &[(&str, &str)]) -> Result<(Vec<String>, String)> {
        let folder = write(change)?;
        let (mut findings, mut used) = (Findings::default(), Used::new());
        let site = Site::load(&Tree::read(folder.path())?, &mut findings)?;
        let language = site.languages.first().context("English")?;
        let (name, page) = site.pages(language).next().context("a page")?;
        let content = Content::write(&site, language, name, page, &mut used, &mut findings);
        site.unused(&used, &mut findings);
        Ok((findings.printed(), content.html))
    }

    pub(crate) fn write(change: &[(&str, &str)]) -> Result<TempDir> {
        let folder = tempfile::tempdir()?;
        for (path, text) in FILES.iter().chain(change) {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().context("a folder")?)?;
            std::fs::write(path, text)?;
        }
        Ok(folder)
    }

    #[test]
    fn a_page_with_one_of_everything() -> Result<()> {
        let (findings, html) = content(&[])?;
        assert_eq!(findings, [""; 0]);
        assert_eq!(
            html,
            "<figure id=\"plasma\" title=\"a &lt; b\">the <span class=\"st\">view</span><pre>[WGSL 1]</pre><a href=\"./src/plasma.rs.txt\">src/figures/plasma.rs</a></figure>\
             <section aria-labelledby=\"the-flag\"><h2 id=\"the-flag\"><span class=\"sec\">1</span>The <code translate=\"no\">flag</code></h2>\n\
             <section id=\"flag\">A <code translate=\"no\">FLAG</code>. https://gpuweb.github.io/gpuweb/#x Firefox 1 holds<pre>[Rust 3]</pre></section>\
             <pre>[Rust 3]</pre></section>\n"
        );
        Ok(())
    }

    /// What is found when the page, or one file, is changed.
    fn found(path: &str, from: &str, to: &str) -> Result<Vec<String>> {
        let text = FILES.iter().find(|(other, _)| *other == path).context("a file")?.1;
        content(&[(path, &text.replace(from, to))]).map(|(findings, _)| findings)
    }

    #[test]
    fn what_does_not_exist_is_found_at_its_directive() -> Result<()> {
        assert_eq!(
            found("www/en/one.md", "{figure plasma}", "{figure rings}")?[..2],
            [
                "www/en/one.md:8: there is no figure `rings`: src/figures/rings.rs does not exist",
                "www/en/one.md:8: www/en/figures.toml has no `[rings]`",
            ]
        );
        assert!(found("src/claims/a.rs", "region: flag", "region: flog")?.contains(
            &"www/en/one.md:12: no file of src/claims has `// region: flag`, the code that tries this claim".to_owned()
        ));
        assert_eq!(
            found("www/en/one.md", "plasma.rs#setup", "plasma.rs#absent")?,
            [
                "www/en/one.md:14: src/figures/plasma.rs has no lines in `// region: absent`",
                "src/figures/plasma.rs:2: no page shows the region `setup`",
            ]
        );
        assert_eq!(
            found("www/en/one.md", "figures/plasma.rs#setup", "plasma.rs#setup")?[0],
            "www/en/one.md:14: there is no src/plasma.rs to cut a listing from"
        );
        Ok(())
    }

    #[test]
    fn the_table_of_formats_is_that_of_the_first_report() -> Result<()> {
        let row = "{% for row in rows %}{{ row.name }} {{ row.facts.bytesPerBlock }} {{ row.answers.exists.device }} {% endfor %}{{ reports[0].label }}";
        let report = r#"{"formats": {"r8unorm": {"exists": {"spec": "yes", "device": "no"}}}}"#;
        let facts = r#"{"formats": [{"name": "r8unorm", "bytesPerBlock": 1}]}"#;
        let page = PAGE.replace("{figure plasma}", "{figure plasma}\n\n{formats}");
        let (findings, html) = content(&[
            ("www/en/one.md", page.as_str()),
            ("www/templates/formats.html", row),
            ("www/recorded/formats/a.json", report),
            ("tests/data/formats.json", facts),
        ])?;
        assert_eq!(findings, [""; 0]);
        assert!(html.contains("r8unorm 1 no Firefox 1, d"), "{html}");
        Ok(())
    }

    #[test]
    fn the_catalogue_has_each_refused_claim_with_its_messages_once() -> Result<()> {
        let entry = "{% for it in messages %}{{ it.name }}: {% for it in it.texts %}[{{ it.tries | join }} {{ it.devices | join }} {{ it.first }}|{{ it.rest }}]{% endfor %}{% endfor %}\
                     {% if messages %} {{ words.cause }} {{ claim | md }}{% endif %}";
        let device = |device: &str, said: &str| {
            format!(
                r#""{device}": {{"engine": "e", "label": "E 1", "device": "{device}", "claims": {{"flag": {{"verdict": "holds", "tries": {{
                "a": {{"outcome": "rejected", "message": "no\n - While a"}}, "b": {{"outcome": "rejected", "message": "{said}"}}}}}}}}}}"#
            )
        };
        let recorded = format!("{{{}, {}}}", device("d", "no\\n - While a"), device("f", "never\\nat all"));
        let two = PAGE
            .replace("{figure plasma}", "{errors}")
            .replace("{claim flag}\n\n{code src/figures/plasma.rs#setup}\n", "");
        let words = "[flag]\nsentence = \"s\"\nrule = \"webgpu#x\"\n";
        let site = |cause: &str| -> Result<(Vec<String>, String)> {
            let words = format!("{words}{cause}");
            content(&[
                ("www/toc.toml", "pages = [\"two\", \"one\"]"),
                ("www/en/two.md", two.as_str()),
                ("www/en/claims.toml", words.as_str()),
                ("www/recorded/claims.json", recorded.as_str()),
                ("www/templates/claim.html", entry),
                ("www/templates/errors.html", "{% for it in entries %}{{ it }}{% endfor %}"),
            ])
        };
        let (findings, html) = site("cause = \"c\"\nfix = \"f\"")?;
        assert!(!findings.iter().any(|it| it.contains("claims.toml")), "{findings:?}");
        assert!(html.contains("E 1: [ab  no|][b f never|at all] c <a href=\"./one.html#flag\">One</a>"), "{html}");
        let (findings, _) = site("")?;
        let says = "www/en/claims.toml:1: browsers refuse what `[flag]` tries: give it `cause` and `fix`, or the engine a note";
        assert!(findings.iter().any(|it| it == says), "{findings:?}");
        Ok(())
    }

    #[test]
    fn an_unused_region_is_found() -> Result<()> {
        let found = found("shaders/plasma.wgsl", "// a\n", "// a\n// region: b\nx\n// endregion\n")?;
        assert_eq!(found, ["shaders/plasma.wgsl:2: no page shows the region `b`"]);
        Ok(())
    }

    #[test]
    fn faulty_words_and_templates_are_found() -> Result<()> {
        assert_eq!(
            found("www/en/claims.toml", "`FLAG`", "[x](object:y)")?,
            ["www/en/claims.toml:2: `object:y` is no object: they are `storage`, `sampled` and `canvas`"]
        );
        assert_eq!(
            found("www/en/claims.toml", "rule = ", "role = ")?[0],
            "www/en/claims.toml:1: `[flag]` names no `rule`: `rule = \"webgpu#anchor\"`"
        );
        assert_eq!(
            found("www/templates/code.html", "tab.from", "tab.form")?[0],
            "www/en/one.md:8: www/templates/code.html:1: undefined value: `tab.form` is undefined"
        );
        assert_eq!(found("www/en/ui.toml", "tag = \"en\"", "")?.len(), 1);
        Ok(())
    }

    #[test]
    fn ids_and_pages_are_single_and_listed() -> Result<()> {
        assert_eq!(
            found("www/en/one.md", "{claim flag}", "{claim flag}\n\n{claim flag}")?,
            ["www/en/one.md:14: `flag` is there twice on this page"]
        );
        let (findings, _) = content(&[("www/en/three.md", "")])?;
        assert_eq!(findings, ["www/en/three.md:1: `three` is not in www/toc.toml"]);
        Ok(())
    }
}
