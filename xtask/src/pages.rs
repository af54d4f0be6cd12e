//! The expander: trunk's one HTML file is the shell; every page in every language is written from it.
//!
//! It runs as trunk's `post_build` hook. Inside the shell and the templates every link of the site is written from the
//! site's root as `./…`; in a page one folder down that becomes `../…`, so the site works under any path.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use minijinja::value::Serde;
use minijinja::{Value, context};

use crate::content::{Content, Used};
use crate::finding::Findings;
use crate::html::{escape, hash8, script_json};
use crate::links::href;
use crate::markdown::Page;
use crate::site::{Language, REPORTS, Site, explain};
use crate::tree::Tree;
use crate::words::flatten;
use crate::{release, tools};

/// Where the site will stand, for absolute addresses; set by `build --base-url`.
pub(crate) const BASE_URL: &str = "TEXELARIUM_BASE_URL";

/// Scripts, styles and pictures from here only; wasm may compile. Static hosts often cannot set headers, so a meta element says it.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; \
                      connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'";

/// The hook.
pub(crate) fn run(root: &Path) -> Result<()> {
    let staging =
        std::env::var_os("TRUNK_STAGING_DIR").context("`pages` is run by trunk: use `cargo xtask serve` or `build`")?;
    let staging = PathBuf::from(staging);
    let release = std::env::var("TRUNK_PROFILE").is_ok_and(|profile| profile == "release");
    let base_url = std::env::var(BASE_URL).ok().map(|url| format!("{}/", url.trim_end_matches('/')));
    let built = fs::read_to_string(staging.join("index.html")).context("trunk's index.html")?;
    let shell = prepare(root, &staging, &built, release)?;
    fs::copy(root.join("www/formats.css"), staging.join("formats.css")).context("www/formats.css")?;
    copy(&root.join("www/twins"), &staging.join("twins"), "")?;
    copy(&root.join("shaders"), &staging.join("shaders"), "")?;
    // As text: no host knows the type of Rust.
    copy(&root.join("src/figures"), &staging.join("src"), ".txt")?;
    copy(&root.join(REPORTS), &staging.join("recorded/formats"), "")?;

    let tree = Tree::read(root)?;
    let mut findings = Findings::default();
    let site = Site::load(&tree, &mut findings)?;
    let mut pages =
        Expander { site: &site, shell: &shell, base_url: base_url.as_deref(), release }.expand(&mut findings);
    findings.settle()?;
    if release {
        code(root, &staging, &pages)?;
        for name in list(&staging, "")?.iter().filter(|name| name.ends_with(".css")) {
            let css = fs::read_to_string(staging.join(name)).with_context(|| name.clone())?;
            fs::write(staging.join(name), without_comments(&css))?;
        }
    }
    let version = Version::gather(&staging)?;
    for (path, html) in &mut pages {
        *html = version.refer(html);
        let path = staging.join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, html).with_context(|| format!("writing {}", path.display()))?;
    }
    if release {
        let worker = fs::read_to_string(root.join("www/sw.js")).context("www/sw.js, which keeps the site offline")?;
        let files: Vec<&String> = pages.keys().filter(|path| path.ends_with(".html")).chain(&version.files).collect();
        let worker =
            worker.replace("__FILES__", &serde_json::to_string(&files)?).replace("__VERSION__", &version.of(&pages));
        fs::write(staging.join("sw.js"), worker)?;
    }
    Ok(())
}

/// A style sheet as it is sent.
fn without_comments(css: &str) -> String {
    let mut parts = css.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |css, part| css + part.split_once("*/").map_or("", |(_, after)| after))
}

/// The folder of all that is not a page. Its name changes with its content, so a page and the files that it asks for are
/// always of one version, whatever a host, a browser or the service worker has kept.
#[derive(Debug)]
struct Version {
    folder: String,
    /// What stood beside the shell: files and folders.
    names: Vec<String>,
    /// Every file in the folder, by its path from the site's root.
    files: Vec<String>,
}

impl Version {
    /// Moves everything in `staging` but the shell into the folder.
    fn gather(staging: &Path) -> Result<Self> {
        let mut files = list(staging, "")?;
        files.retain(|path| path != "index.html");
        let mut content = Vec::new();
        for path in &files {
            content.extend_from_slice(path.as_bytes());
            content.extend(fs::read(staging.join(path))?);
        }
        let folder = format!("v-{}", hash8(&content));
        let mut names: Vec<String> =
            files.iter().filter_map(|path| path.split('/').next()).map(str::to_owned).collect();
        names.dedup();
        fs::create_dir(staging.join(&folder))?;
        for name in &names {
            fs::rename(staging.join(name), staging.join(&folder).join(name))?;
        }
        let files = files.iter().map(|path| format!("{folder}/{path}")).collect();
        Ok(Self { folder, names, files })
    }

    /// A page with its references to what was moved.
    fn refer(&self, html: &str) -> String {
        let mut html = html.to_owned();
        for name in &self.names {
            for up in ["./", "../"] {
                html = html.replace(&format!("=\"{up}{name}"), &format!("=\"{up}{}/{name}", self.folder));
            }
        }
        html
    }

    /// The name of the version of the whole site, pages too.
    fn of(&self, pages: &BTreeMap<String, String>) -> String {
        let all: String = pages.iter().map(|(path, html)| format!("{path}{html}")).collect();
        hash8(format!("{}{all}", self.folder).as_bytes())
    }
}

/// Every file under `folder`, sorted, by its path from there.
pub(crate) fn list(folder: &Path, prefix: &str) -> Result<Vec<String>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            files.extend(list(&entry.path(), &format!("{path}/"))?);
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Writes every page's content and drops it: finds the faults.
pub(crate) fn check(site: &Site, findings: &mut Findings) {
    let mut used = Used::new();
    for language in &site.languages {
        for (name, page) in site.pages(language) {
            Content::write(site, language, name, page, &mut used, findings);
        }
    }
    site.unused(&used, findings);
}

/// The shell, a template.
#[derive(Debug)]
struct Shell {
    template: String,
    /// Stem of the names of the code that trunk built, where it is that of every page; else each has its own.
    code: Option<String>,
    /// Trunk's script that reloads the page while serving.
    autoreload: Option<String>,
}

/// Writes `boot.js`, and takes apart what trunk put into the shell.
fn prepare(root: &Path, staging: &Path, built: &str, is_release: bool) -> Result<Shell> {
    let js = built.split_once(" data-js=\"./").and_then(|(_, rest)| rest.split_once(".js\"")).map(|(js, _)| js);
    let Some(js) = js else {
        bail!(
            "trunk put no script into index.html: it needs `<link data-trunk rel=\"rust\">`, and Trunk.toml its `pattern_script`"
        );
    };
    let boot = fs::read_to_string(root.join("www/boot.js")).context("www/boot.js, which starts the wasm")?;
    fs::write(staging.join("boot.js"), boot.replace("__RELEASE__", if is_release { "true" } else { "false" }))?;
    let mut template = built.replace(&format!("\"./{js}"), "\"./{{ code }}");
    if is_release {
        for ending in [".js", "_bg.wasm"] {
            fs::remove_file(staging.join(format!("{js}{ending}")))?;
        }
    }

    // Its placeholders look like ours, so it does not go through the template.
    let mut autoreload = None;
    if let Some(at) = template.find("{{__TRUNK_ADDRESS__}}")
        && let (Some(start), Some(end)) = (template[..at].rfind("<script"), template[at..].find("</script>"))
    {
        let script: String = template.drain(start..at + end + "</script>".len()).collect();
        template.insert_str(start, "{{ autoreload|safe }}");
        autoreload = Some(script);
    }
    Ok(Shell { template, autoreload, code: (!is_release).then(|| js.to_owned()) })
}

/// Compiles the code of every page. All languages have the same.
fn code(root: &Path, staging: &Path, pages: &BTreeMap<String, String>) -> Result<()> {
    tools::node_packages(root)?;
    let without = std::env::var(release::WITHOUT).ok();
    std::thread::scope(|scope| {
        let mut shrinking = Vec::new();
        for (path, html) in pages {
            let Some(name) = path.strip_suffix(".html").filter(|name| !name.contains('/') && *name != "404") else {
                continue;
            };
            eprintln!("compiling what stands on {path}");
            release::compile(staging, name, &release::on_page(html, without.as_deref()))?;
            shrinking.push(scope.spawn(move || release::shrink(root, staging, name)));
        }
        shrinking.into_iter().try_for_each(|it| it.join().map_err(|_| anyhow!("a thread that makes code small"))?)
    })
}

/// One run over the pages.
struct Expander<'a> {
    site: &'a Site,
    shell: &'a Shell,
    base_url: Option<&'a str>,
    release: bool,
}

impl Expander<'_> {
    /// Every file to write: its path and text.
    fn expand(&self, findings: &mut Findings) -> BTreeMap<String, String> {
        let (mut files, mut used) = (BTreeMap::new(), Used::new());
        for language in &self.site.languages {
            let mut first = true;
            for (name, page) in self.site.pages(language) {
                let content = Content::write(self.site, language, name, page, &mut used, findings);
                let html = match self.page(language, name, page, &content) {
                    Ok(html) => html,
                    Err(error) => {
                        findings.add("index.html", error.line().unwrap_or(1), explain(&error));
                        continue;
                    }
                };
                let folder = if language.code == "en" { String::new() } else { format!("{}/", language.code) };
                // Until a page `index` is written, the first page stands at the address of the folder too.
                if std::mem::take(&mut first) {
                    files.insert(format!("{folder}index.html"), html.clone());
                }
                files.insert(format!("{folder}{name}.html"), html);
            }
        }
        if files.is_empty() {
            findings.add("www/toc.toml", 1, "no page of it is written: www/en needs ui.toml and the page's .md");
        }
        self.site.unused(&used, findings);
        match self.not_found() {
            Ok(html) => files.extend(html.map(|html| ("404.html".to_owned(), html))),
            Err(error) => findings.add("www/templates/404.html", error.line().unwrap_or(1), explain(&error)),
        }
        if let Some(base_url) = self.base_url {
            files.insert("sitemap.xml".to_owned(), self.sitemap(base_url));
        }
        files
    }

    fn page(
        &self,
        language: &Language,
        name: &str,
        page: &Page,
        content: &Content,
    ) -> Result<String, minijinja::Error> {
        let Language { code: lang, tag: lang_tag, ui, .. } = language;
        let in_languages: Vec<&Language> =
            self.site.languages.iter().filter(|language| language.pages.contains_key(name)).collect();
        let nav: Vec<Value> = self
            .site
            .pages(language)
            .map(|(other, page)| context! { href => href(lang, other), text => &page.front.nav, current => other == name })
            .collect();
        let languages: Vec<Value> = in_languages
            .iter()
            .map(|other| {
                let Language { code, tag, name: text, .. } = other;
                context! { lang => code, tag, name => text, href => href(code, name), current => code == lang }
            })
            .collect();
        let sections: Vec<Value> = (1..)
            .zip(&content.sections)
            .map(|(number, (slug, title))| context! { slug, number, title => Value::from_safe_string(title.clone()) })
            .collect();
        let absolute =
            |code: &str| self.base_url.map(|base| format!("{base}{}", href(code, name).trim_start_matches("./")));
        let alternates: Vec<Value> = in_languages
            .iter()
            .map(|other| (other.tag.as_str(), absolute(&other.code)))
            .chain([("x-default", absolute("en").filter(|_| in_languages.iter().any(|other| other.code == "en")))])
            .filter_map(|(tag, href)| href.map(|href| context! { tag, href }))
            .collect();
        let html = language.templates.render_named_str(
            "index.html",
            &self.shell.template,
            context! {
                lang, lang_tag, code => self.shell.code.as_deref().unwrap_or(name), page => name, nav, languages, sections, alternates,
                title => &page.front.title,
                description => &page.front.description,
                lede => Value::from_safe_string(content.lede.clone()),
                content => Value::from_safe_string(content.html.clone()),
                ui => Value::from(Serde(&ui.table)),
                words => Value::from_safe_string(script_json(&runtime_words(language, content))),
                base_url => self.base_url,
                canonical => absolute(lang),
                home => href(lang, "index"),
                recorded_on => self.site.recorded_on(),
                csp => self.release.then_some(POLICY),
                release => self.release,
                autoreload => self.shell.autoreload.as_deref(),
            },
        )?;
        Ok(if lang == "en" { html } else { html.replace("=\"./", "=\"../") })
    }

    /// What a static host shows for a dead link, in every language; `None` where the site has no template for it. It may be
    /// shown at any depth, so it refers to no file, and its links work from everywhere only if the base URL is known.
    fn not_found(&self) -> Result<Option<String>, minijinja::Error> {
        let Some(language) = self.site.languages.first() else { return Ok(None) };
        let Ok(template) = language.templates.get_template("404.html") else { return Ok(None) };
        let languages: Vec<Value> = self
            .site
            .languages
            .iter()
            .map(|language| {
                let start = href(&language.code, "index");
                let start =
                    self.base_url.map_or(start.clone(), |base| format!("{base}{}", start.trim_start_matches("./")));
                context! { tag => &language.tag, ui => Value::from(Serde(&language.ui.table)), href => start }
            })
            .collect();
        template.render(context! { languages }).map(Some)
    }

    fn sitemap(&self, base_url: &str) -> String {
        let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n".to_owned();
        for language in &self.site.languages {
            for (name, _) in self.site.pages(language) {
                let path = href(&language.code, name);
                xml +=
                    &format!("<url><loc>{}{}</loc></url>\n", escape(base_url), escape(path.trim_start_matches("./")));
            }
        }
        xml + "</urlset>\n"
    }
}

/// The words that the wasm sets: `[runtime]`, those of the table, the catalogue and the figures only where these are, and
/// those of each of the page's figures.
fn runtime_words(language: &Language, content: &Content) -> serde_json::Value {
    let mut words = language.ui.section("runtime").map(|runtime| flatten("", runtime)).unwrap_or_default();
    let has_figures = !content.figures.is_empty();
    let has_tally = content.html.contains("data-slot=\"score\"");
    for (part, is_there) in [
        ("tally.", has_tally),
        ("formats.", content.has_formats),
        ("errors.", content.has_errors),
        ("act.", has_figures),
        ("measure.", has_figures),
        ("state.", has_figures),
        ("time.", has_figures),
    ] {
        words.retain(|key, _| is_there || !key.starts_with(part));
    }
    if has_tally {
        // The code of a page knows its own claims alone.
        let claims: Vec<_> = language.claims.table.keys().map(String::as_str).collect();
        words.insert("tally.claims".to_owned(), claims.join(" "));
    }
    for id in &content.figures {
        let mut figure = language.figures.section(id).cloned().unwrap_or_default();
        // These stand in the HTML already.
        for key in ["caption", "flow", "measure", "panes", "predict", "rows"] {
            figure.remove(key);
        }
        words.extend(flatten(&format!("figures.{id}"), &figure));
    }
    words.into_iter().map(|(key, text)| (key, serde_json::Value::String(text))).collect()
}

/// Copies the files of a folder, if it is there, and adds `ending` to their names.
fn copy(from: &Path, to: &Path, ending: &str) -> Result<()> {
    if !from.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            let name = entry.file_name().to_string_lossy().into_owned() + ending;
            fs::copy(entry.path(), to.join(name)).with_context(|| format!("copying {}", entry.path().display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::tests as fixture;

    const BUILT: &str = "<html lang=\"{{ lang_tag }}\"><script type=\"module\" src=\"./boot.js\" data-js=\"./t-1.js\" data-wasm=\"./t-1_bg.wasm\"></script>\
                         {% for it in nav %}<a href=\"{{ it.href }}\">{{ it.text }}</a>{% endfor %}{{ content }}\
                         <script type=\"application/json\">{{ words }}</script><script>a = '{{__TRUNK_ADDRESS__}}'</script></html>";

    #[test]
    fn the_code_has_a_name_for_each_page_and_the_reloader_is_kept() -> Result<()> {
        let (root, staging) = (tempfile::tempdir()?, tempfile::tempdir()?);
        fs::create_dir(root.path().join("www"))?;
        fs::write(root.path().join("www/boot.js"), "keep(__RELEASE__)")?;
        let shell = prepare(root.path(), staging.path(), BUILT, false)?;
        assert_eq!(fs::read_to_string(staging.path().join("boot.js"))?, "keep(false)");
        assert_eq!(shell.code.as_deref(), Some("t-1"));
        assert!(
            shell
                .template
                .contains("src=\"./boot.js\" data-js=\"./{{ code }}.js\" data-wasm=\"./{{ code }}_bg.wasm\">"),
            "{}",
            shell.template
        );
        assert_eq!(shell.autoreload.as_deref(), Some("<script>a = '{{__TRUNK_ADDRESS__}}'</script>"));
        assert!(shell.template.ends_with("{{ autoreload|safe }}</html>"), "{}", shell.template);
        Ok(())
    }

    #[test]
    fn comments_stay_at_home() {
        assert_eq!(without_comments("/* a */b{c:d}/* e\n * f */g{}/**/"), "b{c:d}g{}");
    }

    #[test]
    fn what_is_no_page_moves_to_the_folder_of_its_version() -> Result<()> {
        let staging = tempfile::tempdir()?;
        fs::create_dir(staging.path().join("img"))?;
        for (file, text) in [("index.html", "shell"), ("s-1.css", "a"), ("img/i.svg", "b")] {
            fs::write(staging.path().join(file), text)?;
        }
        let version = Version::gather(staging.path())?;
        let folder = &version.folder;
        assert_eq!(
            list(staging.path(), "")?,
            ["index.html", &format!("{folder}/img/i.svg"), &format!("{folder}/s-1.css")]
        );
        assert_eq!(
            version.refer("<link href=\"./s-1.css\"><img src=\"../img/i.svg\"><a href=\"./two.html\">"),
            format!("<link href=\"./{folder}/s-1.css\"><img src=\"../{folder}/img/i.svg\"><a href=\"./two.html\">")
        );
        Ok(())
    }

    #[test]
    fn a_translation_stands_one_folder_down() -> Result<()> {
        let english = fixture::FILES
            .iter()
            .filter_map(|(path, text)| Some((format!("www/es/{}", path.strip_prefix("www/en/")?), *text)));
        let spanish: Vec<(String, String)> = english
            .map(|(path, text)| (path, text.replace("\"en\"", "\"es\"").replace("title = \"One\"", "title = \"Uno\"")))
            .collect();
        let spanish: Vec<(&str, &str)> = spanish.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let folder = fixture::write(&spanish)?;
        let mut findings = Findings::default();
        let site = Site::load(&Tree::read(folder.path())?, &mut findings)?;
        let shell = Shell { template: "<html lang=\"{{ lang_tag }}\"><script src=\"./{{ code }}.js\"></script>{% for it in nav %}<a href=\"{{ it.href }}\">{{ it.text }}</a>{% endfor %}{{ canonical }} {{ words }}".to_owned(), code: None, autoreload: None };
        let files = Expander { site: &site, shell: &shell, base_url: Some("https://a.b/c/"), release: false }
            .expand(&mut findings);
        assert_eq!(findings.printed(), [""; 0]);
        assert_eq!(
            files.keys().collect::<Vec<_>>(),
            ["es/index.html", "es/one.html", "index.html", "one.html", "sitemap.xml"]
        );
        assert_eq!(
            files.get("es/one.html").map(String::as_str),
            Some(
                "<html lang=\"es\"><script src=\"../one.js\"></script><a href=\"../es/one.html\">One</a>https://a.b/c/es/one.html \
                 {\"figures.plasma.alt\":\"a \\u003c b\",\"state.running\":\"running, {n}\"}"
            )
        );
        assert_eq!(files.get("index.html"), files.get("one.html"));
        Ok(())
    }
}
