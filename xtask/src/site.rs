//! The site as it is written: its pages in their order, and each language's words, pages and templates.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{
    AutoEscape, Environment, Error, ErrorKind, State, UndefinedBehavior, Value, context, escape_formatter,
};
use serde::Deserialize;

use crate::content::Used;
use crate::finding::Findings;
use crate::html::escape;
use crate::links::{Links, Place};
use crate::listing::Source;
use crate::markdown::{Kind, Page};
use crate::tree::Tree;
use crate::words::Words;

/// Everything that pages are made of.
pub(crate) struct Site {
    root: PathBuf,
    /// The pages in their order.
    pub(crate) order: Vec<String>,
    /// Those that have words; English is the first and the source of the others.
    pub(crate) languages: Vec<Language>,
    pub(crate) sources: BTreeMap<String, Source>,
    recorded: BTreeMap<String, Record>,
    /// The claims of the catalogue of errors, each after the page that it stands on, in the order of the pages.
    pub(crate) errors: Vec<(String, String)>,
    /// By figure, what was timed on which device.
    measured: BTreeMap<String, BTreeMap<String, Timed>>,
    /// What each device said of the texture formats: the reports that the page itself exports.
    reports: BTreeMap<String, serde_json::Value>,
    /// What the specification says of them that reports do not.
    facts: serde_json::Value,
}

/// Where the reports of texture formats are.
pub(crate) const REPORTS: &str = "www/recorded/formats/";

/// Of a longer message only so much is recorded, in units of UTF-16: `MESSAGE` in e2e/record.mjs.
const RECORDED: usize = 300;

/// A language that has words.
pub(crate) struct Language {
    /// Its folder.
    pub(crate) code: String,
    /// BCP 47, as its `ui.toml` says.
    pub(crate) tag: String,
    /// Its own name for itself.
    pub(crate) name: String,
    pub(crate) ui: Words,
    pub(crate) figures: Words,
    pub(crate) claims: Words,
    pub(crate) pages: BTreeMap<String, Page>,
    pub(crate) templates: Environment<'static>,
    links: Arc<Links>,
}

/// What one engine on one device said of the claims.
#[derive(Debug, Deserialize)]
struct Record {
    engine: String,
    label: String,
    device: String,
    #[serde(default)]
    vendor: String,
    #[serde(default)]
    architecture: String,
    #[serde(default)]
    date: String,
    claims: BTreeMap<String, serde_json::Value>,
}

/// How fast the ways of a figure were in one browser on one device.
#[derive(Debug, Deserialize)]
struct Timed {
    device: String,
    /// Whether a processor played the GPU: then the page does not set it beside a reader's device.
    #[serde(default)]
    software: bool,
    /// Side of the texture.
    size: u32,
    /// By way, in the unit of the figure.
    values: BTreeMap<String, serde_json::Number>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Toc {
    pages: Vec<String>,
}

impl Site {
    /// Reads the tree. What is faulty is a finding; what is absent and not yet needed is empty.
    pub(crate) fn load(tree: &Tree, findings: &mut Findings) -> Result<Self> {
        let toc = tree
            .text("www/toc.toml")
            .context("the order of the pages stands in it: `pages = [\"storage-textures\"]`")?;
        let order = match toml::from_str::<Toc>(&toc) {
            Ok(toc) => toc.pages,
            Err(error) => {
                findings.add("www/toc.toml", 1, error.message());
                Vec::new()
            }
        };
        let mut sources = BTreeMap::new();
        for path in tree
            .files()
            .iter()
            .filter(|path| path.starts_with("src/") || path.starts_with("shaders/") || path.starts_with("www/"))
        {
            if crate::highlight::Language::of(path).is_some()
                && let Some(source) = Source::parse(path, &tree.text(path)?, findings)
            {
                sources.insert(path.clone(), source);
            }
        }
        let recorded = match tree.text("www/recorded/claims.json") {
            Ok(text) => serde_json::from_str(&text).context("www/recorded/claims.json")?,
            Err(_) => BTreeMap::new(),
        };
        let mut measured = BTreeMap::new();
        for path in tree.files() {
            let figure = path.strip_prefix("www/recorded/").and_then(|name| name.strip_suffix(".json"));
            if let Some(figure) = figure.filter(|name| *name != "claims" && !name.contains('/')) {
                let timed = serde_json::from_str(&tree.text(path)?).with_context(|| path.clone())?;
                measured.insert(figure.to_owned(), timed);
            }
        }
        let mut reports = BTreeMap::new();
        for path in tree.files() {
            if let Some(name) = path.strip_prefix(REPORTS).and_then(|name| name.strip_suffix(".json")) {
                reports.insert(name.to_owned(), serde_json::from_str(&tree.text(path)?).with_context(|| path.clone())?);
            }
        }
        let facts = match tree.text("tests/data/formats.json") {
            Ok(text) => serde_json::from_str(&text).context("tests/data/formats.json")?,
            Err(_) => serde_json::Value::Null,
        };
        let root = tree.root().to_owned();
        let mut site = Self {
            root,
            order,
            languages: Vec::new(),
            sources,
            recorded,
            errors: Vec::new(),
            measured,
            reports,
            facts,
        };
        site.load_languages(tree, findings)?;
        Ok(site)
    }

    fn load_languages(&mut self, tree: &Tree, findings: &mut Findings) -> Result<()> {
        let begun = tree.files().iter().filter_map(|path| path.strip_prefix("www/")?.strip_suffix("/ui.toml"));
        let mut codes: Vec<&str> = begun.collect();
        codes.sort_by_key(|code| (*code != "en", *code));
        let (mut links, mut read) = (Links::default(), Vec::new());
        for code in codes {
            let mut words = |file: &str| {
                let path = format!("www/{code}/{file}");
                tree.text(&path).map(|text| Words::parse(&path, &text, findings)).unwrap_or_default()
            };
            let (ui, figures, claims) = (words("ui.toml"), words("figures.toml"), words("claims.toml"));
            let mut pages = BTreeMap::new();
            for page in &self.order {
                let path = format!("www/{code}/{page}.md");
                if let Ok(text) = tree.text(&path) {
                    pages.insert(page.clone(), Page::parse(&path, &text, findings));
                }
            }
            read.push((code, ui, figures, claims, pages));
        }
        if let Some((.., claims, pages)) = read.first() {
            self.errors = self.find_errors(claims, pages);
        }
        for (code, .., pages) in &read {
            for (name, page) in pages {
                links.add(code, name, anchors(page, &self.errors, findings));
            }
        }
        let links = Arc::new(links);
        for (code, ui, figures, claims, pages) in read {
            let mut own = |key: &str| {
                ui.table.get(key).and_then(toml::Value::as_str).map(str::to_owned).unwrap_or_else(|| {
                    findings.add(
                        &ui.path,
                        1,
                        format!("says no `{key}`: this language's own name is `name`, its BCP 47 tag `tag`"),
                    );
                    code.to_owned()
                })
            };
            let (code, name, tag, links) = (code.to_owned(), own("name"), own("tag"), Arc::clone(&links));
            let templates = templates(tree, &code, &links)?;
            self.languages.push(Language { code, tag, name, ui, figures, claims, pages, templates, links });
        }
        for path in tree.files().iter().filter(|path| path.ends_with(".md")) {
            let listed = |page: &str| self.order.iter().any(|listed| listed == page);
            if let Some((_, page)) =
                path.strip_prefix("www/").and_then(|rest| rest.strip_suffix(".md")?.split_once('/'))
                && !listed(page)
            {
                findings.add(path, 1, format!("`{page}` is not in www/toc.toml"));
            }
        }
        Ok(())
    }

    /// The claims that tell of an error: their words say the cause of one, or a browser gave one when they were tried.
    fn find_errors(&self, claims: &Words, pages: &BTreeMap<String, Page>) -> Vec<(String, String)> {
        let is_error = |id: &str| {
            claims.section(id).is_some_and(|words| words.contains_key("cause")) || !self.messages(id).is_empty()
        };
        let mut errors = Vec::new();
        for (name, page) in self.order.iter().filter_map(|name| pages.get_key_value(name)) {
            for item in &page.items {
                if let Kind::Claim(id) = &item.kind
                    && is_error(id)
                {
                    errors.push((name.clone(), id.clone()));
                }
            }
        }
        errors
    }

    /// The pages of a language, in order.
    pub(crate) fn pages<'a>(&'a self, language: &'a Language) -> impl Iterator<Item = (&'a str, &'a Page)> {
        self.order.iter().filter_map(|name| Some((name.as_str(), language.pages.get(name)?)))
    }

    /// Regions that no page shows.
    pub(crate) fn unused(&self, used: &Used, findings: &mut Findings) {
        for source in self.sources.values() {
            for region in &source.regions {
                if !used.contains(&(source.path.clone(), region.name.clone())) {
                    findings.add(&source.path, region.opens, format!("no page shows the region `{}`", region.name));
                }
            }
        }
    }

    /// The address of a figure's picture, with its width and height.
    pub(crate) fn poster(&self, id: &str) -> Option<(String, u32, u32)> {
        let bytes = std::fs::read(self.root.join(format!("www/img/figures/{id}.png"))).ok()?;
        let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        Some((format!("./img/figures/{id}.png"), number(16)?, number(20)?))
    }

    /// The day of the newest record.
    pub(crate) fn recorded_on(&self) -> Option<&str> {
        self.recorded.values().map(|record| record.date.as_str()).max()
    }

    /// The recorded reports of texture formats, and the rows of the first: a format's name, its facts, its answers.
    pub(crate) fn formats(&self) -> Value {
        let report = |name: &String| {
            let record = self.recorded.get(name);
            let label = record.map_or_else(|| name.clone(), |it| format!("{}, {}", it.label, it.device));
            context! { name, label, href => format!("./recorded/formats/{name}.json") }
        };
        let reports: Vec<Value> = self.reports.keys().map(report).collect();
        let answers = self.reports.values().next().and_then(|report| report.get("formats"));
        let row = |facts: &serde_json::Value| {
            let name = facts.get("name")?.as_str()?;
            let answers = answers.and_then(|answers| answers.get(name));
            Some(context! { name, facts => Value::from(Serde(facts)), answers => Value::from(Serde(&answers)) })
        };
        let rows: Vec<Value> =
            self.facts.get("formats").and_then(|it| it.as_array()).into_iter().flatten().filter_map(row).collect();
        context! { reports, rows }
    }

    /// What was recorded of a claim, one entry an engine and device.
    pub(crate) fn recorded(&self, id: &str) -> Vec<Value> {
        let entry = |(name, record): (&String, &Record)| {
            let Record { engine, label, device, vendor, architecture, date, claims } = record;
            let claim = claims.get(id)?;
            let device = context! { name, engine, label, device, vendor, architecture, date };
            Some(context! { ..Value::from(Serde(claim)), ..device })
        };
        self.recorded.iter().filter_map(entry).collect()
    }

    /// Whether a claim is in the catalogue of errors.
    pub(crate) fn is_error(&self, id: &str) -> bool {
        self.errors.iter().any(|(_, error)| error == id)
    }

    /// The messages recorded of a claim, a list an engine: each message once, with the attempts and devices that gave it.
    pub(crate) fn messages(&self, id: &str) -> Vec<Value> {
        let mut engines: BTreeMap<&str, Messages<'_>> = BTreeMap::new();
        for record in self.recorded.values() {
            let tries = record.claims.get(id).and_then(|claim| claim.get("tries")?.as_object());
            for (name, text) in tries.into_iter().flatten().filter_map(|(name, it)| Some((name, it.get("message")?))) {
                let engine = engines.entry(&record.engine).or_default();
                engine.labels.insert(&record.label);
                engine.devices.insert(&record.device);
                let text = text.as_str().unwrap_or_default();
                let at = engine.texts.iter().position(|(it, ..)| *it == text).unwrap_or_else(|| {
                    engine.texts.push((text, BTreeSet::new(), BTreeSet::new()));
                    engine.texts.len() - 1
                });
                if let Some((_, tries, devices)) = engine.texts.get_mut(at) {
                    tries.insert(name);
                    devices.insert(&record.device);
                }
            }
        }
        engines.into_values().map(Messages::value).collect()
    }

    /// What was timed of a figure's ways on real GPUs: each value with the length of its bar in hundredths of the best.
    pub(crate) fn measured(&self, id: &str) -> Vec<Value> {
        let entry = |Timed { device, size, values, .. }: &Timed| {
            let number = |value: &serde_json::Number| value.as_f64().unwrap_or_default();
            let best = values.values().map(number).fold(0.0, f64::max);
            let values = Value::from_pairs(values.iter().map(|(way, value)| {
                let width = format!("{:.1}", number(value) / best * 100.0);
                (way.as_str(), context! { text => value.to_string(), width, best => number(value) == best })
            }));
            context! { device, size, values }
        };
        let timed = self.measured.get(id).into_iter().flat_map(BTreeMap::values);
        timed.filter(|timed| !timed.software).map(entry).collect()
    }
}

/// What one engine said of a claim.
#[derive(Default)]
struct Messages<'a> {
    labels: BTreeSet<&'a str>,
    devices: BTreeSet<&'a str>,
    /// Each message with the attempts and the devices that gave it.
    texts: Vec<(&'a str, BTreeSet<&'a str>, BTreeSet<&'a str>)>,
}

impl Messages<'_> {
    fn value(self) -> Value {
        let message = |(text, tries, devices): &(&str, BTreeSet<&str>, BTreeSet<&str>)| {
            // Chromium goes on with the way from the error to the call, which is as long again.
            let (text, cut) = match text.split_once("\n - While ") {
                Some((text, _)) => (text, ""),
                None => (text.trim(), if text.encode_utf16().count() == RECORDED { "…" } else { "" }),
            };
            let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
            // A device is named where another one said it otherwise.
            let devices = devices.iter().filter(|_| *devices != self.devices).copied().map(Value::from);
            let tries = tries.iter().copied().map(Value::from);
            context! { tries => tries.collect::<Value>(), devices => devices.collect::<Value>(), first, rest, cut }
        };
        let name = self.labels.iter().copied().collect::<Vec<_>>().join(", ");
        context! { name, texts => self.texts.iter().map(message).collect::<Vec<_>>() }
    }
}

impl Language {
    /// Where the texts of a page stand.
    pub(crate) fn place<'a>(&'a self, page: &'a str) -> Place<'a> {
        Place { links: &self.links, lang: &self.code, page }
    }
}
/// The ids that a page has; one that is there twice is a fault.
fn anchors(page: &Page, errors: &[(String, String)], findings: &mut Findings) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for item in &page.items {
        let ids = match &item.kind {
            Kind::Heading { slug: Some(slug), .. } => vec![slug],
            Kind::Figure(id) | Kind::Claim(id) => vec![id],
            Kind::Errors => errors.iter().map(|(_, id)| id).collect(),
            _ => continue,
        };
        for id in ids {
            if !anchors.insert(id.clone()) {
                findings.add(&page.path, item.line, format!("`{id}` is there twice on this page"));
            }
        }
    }
    anchors
}

/// The templates of `www/templates`, with the filter `md` for inline Markdown.
fn templates(tree: &Tree, lang: &str, links: &Arc<Links>) -> Result<Environment<'static>> {
    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    templates.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    // Text is escaped as ours is everywhere, so that `="./` stays readable in addresses.
    templates.set_formatter(|out, state, value| match value.as_str().filter(|_| !value.is_safe()) {
        Some(text) => out.write_str(&escape(text)).map_err(Error::from),
        None => escape_formatter(out, state, value),
    });
    templates.set_auto_escape_callback(|_| AutoEscape::Html);
    for path in tree.files() {
        if let Some(name) = path.strip_prefix("www/templates/") {
            templates.add_template_owned(name.to_owned(), tree.text(path)?).with_context(|| path.clone())?;
        }
    }
    let (lang, links) = (lang.to_owned(), Arc::clone(links));
    templates.add_filter("md", move |state: &State<'_, '_>, value: Value| {
        let Some(text) = value.as_str().filter(|_| !value.is_safe()) else { return Ok(value) };
        let page = state.lookup("page").map(|page| page.to_string()).unwrap_or_default();
        let place = Place { links: &links, lang: &lang, page: &page };
        place.inline(text).map(Value::from_safe_string).map_err(|says| Error::new(ErrorKind::InvalidOperation, says))
    });
    Ok(templates)
}

/// A template's error on one line, with the file and line it is in.
pub(crate) fn explain(error: &Error) -> String {
    let place =
        error.name().map_or(String::new(), |name| format!("www/templates/{name}:{}: ", error.line().unwrap_or(1)));
    let cause = std::error::Error::source(error).map_or(String::new(), |cause| format!(": {cause}"));
    format!("{place}{}{}{cause}", error.kind(), error.detail().map_or(String::new(), |detail| format!(": {detail}")))
}
