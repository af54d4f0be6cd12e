//! The rules that clippy cannot check; each finding says where and what to do.

use std::path::Path;

use anyhow::Result;

use crate::finding::Findings;
use crate::pages;
use crate::site::Site;
use crate::tree::Tree;
use crate::words::line_of;

/// Each room of `src` and the rooms that its files may name.
const ROOMS: &[(&str, &[&str])] = &[
    ("main", &["web", "figures", "claims", "formats", "figure", "claim", "gpu"]),
    ("web", &["figures", "claims", "formats", "figure", "claim", "gpu", "page"]),
    ("figures", &["figure", "claim", "gpu", "page"]),
    ("claims", &["figure", "claim", "gpu", "page"]),
    ("formats", &["figure", "claim", "gpu"]),
    ("figure", &["gpu"]),
    ("claim", &["gpu"]),
    ("gpu", &[]),
    ("page", &[]),
];

/// The crates of the browser, and the only files that may name them.
const BROWSER: [&str; 3] = ["web_sys", "js_sys", "wasm_bindgen"];
const BROWSER_FILES: [&str; 4] = ["src/web.rs", "src/web/", "src/gpu/raw.rs", "src/main.rs"];

/// Descriptors without a label; messages that readers see are made of labels.
const UNLABELLED: [&str; 3] = ["label: None", "Default::default()", "Descriptor::default()"];

/// Folders of somebody's machine (in parts, so as not to be found here).
const MACHINE: [[&str; 2]; 3] = [["/wo", "rk/"], ["/ro", "ot/"], ["/ho", "me/"]];

/// Checks the whole tree.
pub(crate) fn run(root: &Path) -> Result<()> {
    let tree = Tree::read(root)?;
    let mut findings = Findings::default();
    for path in tree.files() {
        let Ok(text) = tree.text(path) else { continue };
        header(path, &text, &mut findings);
        machine(path, &text, &mut findings);
        if path.starts_with("src/") && path.ends_with(".rs") {
            let code = without_comments(&text);
            browser(path, &code, &mut findings);
            direction(path, &code, &mut findings);
            figures_apart(path, &code, tree.files(), &mut findings);
            labels(path, &code, &mut findings);
        }
    }
    let site = Site::load(&tree, &mut findings)?;
    pages::check(&site, &mut findings);
    translations(&site, &mut findings);
    findings.settle()
}

/// Every file begins with its one job.
fn header(path: &str, text: &str, findings: &mut Findings) {
    let (starts, says): (&[&str], _) = match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("rs") => (&["//! "], "begin the file with `//!` and its one job"),
        Some("wgsl" | "js" | "mjs") => {
            (&["// ", "/* ", "#!"], "begin the file with a comment of one line: its one job")
        }
        _ => return,
    };
    if !starts.iter().any(|start| text.starts_with(start)) {
        findings.add(path, 1, says);
    }
}

/// No path of somebody's machine.
fn machine(path: &str, text: &str, findings: &mut Findings) {
    for folder in MACHINE.map(|parts| parts.concat()) {
        for (at, _) in text.match_indices(&folder) {
            findings.add(
                path,
                line_of(text, at),
                format!("`{folder}` is a folder of one machine: use a path from the root of the project"),
            );
        }
    }
}

/// Only `web`, the raw bindings and `main` know the browser.
fn browser(path: &str, code: &str, findings: &mut Findings) {
    if BROWSER_FILES.iter().any(|file| path == *file || (file.ends_with('/') && path.starts_with(file))) {
        return;
    }
    for name in BROWSER {
        for (at, _) in code.match_indices(name) {
            findings.add(path, line_of(code, at), format!("`{name}` belongs in src/web and src/gpu/raw.rs alone"));
        }
    }
}

/// A room names only the rooms below it.
fn direction(path: &str, code: &str, findings: &mut Findings) {
    let room = path.trim_start_matches("src/").split(['/', '.']).next().unwrap_or_default();
    if room == "lib" {
        return;
    }
    let Some((_, below)) = ROOMS.iter().find(|(name, _)| *name == room) else {
        findings.add(path, 1, format!("`{room}` is no room of ARCHITECTURE.md: put the file in one, or say in xtask/src/tidy.rs what the room may name"));
        return;
    };
    for root in ["crate::", "texelarium::"] {
        for (at, _) in code.match_indices(root).filter(|(at, _)| !code[..*at].ends_with(is_word)) {
            for name in first_names(&code[at + root.len()..]) {
                let known = ROOMS.iter().any(|(room, _)| *room == name);
                if known && name != room && !below.contains(&name) {
                    findings.add(
                        path,
                        line_of(code, at),
                        format!("`{room}` may not name `{name}`: rooms know only those below them"),
                    );
                }
            }
        }
    }
}

/// The names that a path goes on with: one, or those of `{a::b, c}`.
fn first_names(rest: &str) -> Vec<&str> {
    let Some(group) = rest.strip_prefix('{') else {
        return vec![leading_word(rest)];
    };
    let (mut names, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (i, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' | ',' if depth == 0 => {
                names.push(leading_word(group[start..i].trim_start()));
                start = i + 1;
                if c == '}' {
                    break;
                }
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    names
}

fn leading_word(text: &str) -> &str {
    text.split(|c| !is_word(c)).next().unwrap_or_default()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// No figure names another.
fn figures_apart(path: &str, code: &str, files: &[String], findings: &mut Findings) {
    if !path.starts_with("src/figures/") {
        return;
    }
    let others = files
        .iter()
        .filter(|other| *other != path)
        .filter_map(|other| other.strip_prefix("src/figures/")?.strip_suffix(".rs"));
    for other in others {
        for name in [format!("figures::{other}"), format!("super::{other}")] {
            for (at, _) in code.match_indices(&name).filter(|(at, _)| !code[at + name.len()..].starts_with(is_word)) {
                findings.add(path, line_of(code, at), format!("a figure may not name another: `{other}`"));
            }
        }
    }
}

/// Every GPU object has a label.
fn labels(path: &str, code: &str, findings: &mut Findings) {
    for pattern in UNLABELLED {
        for (at, _) in
            code.match_indices(pattern).filter(|(at, _)| pattern.starts_with("label") || makes_object(&code[..*at]))
        {
            findings.add(
                path,
                line_of(code, at),
                format!("`{pattern}`: give it a label, `<figure>/<object>` or `claim/<id>/<object>`"),
            );
        }
    }
}

/// Whether what ends here is the beginning of `create_something(&` or `begin_something(&`, up to the descriptor's name.
fn makes_object(before: &str) -> bool {
    let call = before
        .trim_end_matches(|c| is_word(c) || c == ':')
        .strip_suffix("(&")
        .map(|call| call.rsplit(|c| !is_word(c)).next().unwrap_or(""));
    call.is_some_and(|call| call.starts_with("create_") || call.starts_with("begin_"))
}

/// Words and pages of each language against English.
fn translations(site: &Site, findings: &mut Findings) {
    let Some((english, others)) = site.languages.split_first() else { return };
    for language in others {
        language.ui.compare(&english.ui, findings);
        language.figures.compare(&english.figures, findings);
        language.claims.compare(&english.claims, findings);
        for (name, page) in site.pages(language) {
            match english.pages.get(name) {
                Some(source) => page.compare(source, &language.code, name, findings),
                None => findings.add(&page.path, 1, format!("translates no page: www/en/{name}.md does not exist")),
            }
        }
    }
}

/// The text with its line comments blanked; offsets keep their lines.
fn without_comments(text: &str) -> String {
    let code = |line: &str| {
        // `://` is an address.
        let comment = line.match_indices("//").map(|(at, _)| at).find(|at| !line[..*at].ends_with(':'));
        line[..comment.unwrap_or(line.len())].to_owned()
    };
    text.lines().map(code).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(rule: impl FnOnce(&mut Findings)) -> Vec<String> {
        let mut findings = Findings::default();
        rule(&mut findings);
        findings.printed()
    }

    #[test]
    fn headers() {
        assert_eq!(found(|f| header("a.rs", "use b;", f)), ["a.rs:1: begin the file with `//!` and its one job"]);
        assert_eq!(
            found(|f| header("a.wgsl", "fn a() {}", f)),
            ["a.wgsl:1: begin the file with a comment of one line: its one job"]
        );
        assert!(found(|f| header("a.rs", "//! a", f)).is_empty());
        assert!(found(|f| header("a.mjs", "// a", f)).is_empty());
        assert!(found(|f| header("a.md", "a", f)).is_empty());
    }

    #[test]
    fn machine_paths() {
        let text = format!("a\nb {}x", MACHINE[1].concat());
        assert!(found(|f| machine("a.md", &text, f))[0].starts_with("a.md:2: "));
    }

    #[test]
    fn the_browser_stays_in_web() {
        let code = "a\nuse web_sys::Window;";
        assert_eq!(
            found(|f| browser("src/gpu.rs", code, f)),
            ["src/gpu.rs:2: `web_sys` belongs in src/web and src/gpu/raw.rs alone"]
        );
        assert!(found(|f| browser("src/web/dom.rs", code, f)).is_empty());
        assert!(found(|f| browser("src/gpu/raw.rs", code, f)).is_empty());
    }

    #[test]
    fn rooms_name_those_below() {
        let found = |path, code: &str| found(|f| direction(path, &without_comments(code), f));
        assert_eq!(
            found("src/gpu/texel.rs", "use crate::figure::Figure;"),
            ["src/gpu/texel.rs:1: `gpu` may not name `figure`: rooms know only those below them"]
        );
        assert_eq!(
            found("src/claims/a.rs", "\nuse crate::{\n    claim::{Claim, figures},\n    figures::all,\n};"),
            ["src/claims/a.rs:2: `claims` may not name `figures`: rooms know only those below them"]
        );
        assert_eq!(
            found("src/figures.rs", "let x = crate::web::start();"),
            ["src/figures.rs:1: `figures` may not name `web`: rooms know only those below them"]
        );
        assert!(found("src/web/island.rs", "use crate::{figures, gpu::Gpu};").is_empty());
        assert!(found("src/figure.rs", "/// [`crate::web`] draws it\nuse crate::gpu::Gpu;").is_empty());
        assert!(found("src/util.rs", "")[0].starts_with("src/util.rs:1: `util` is no room"));
    }

    #[test]
    fn figures_stand_apart() {
        let files = ["src/figures/plasma.rs", "src/figures/rings.rs"].map(str::to_owned);
        let found = |code: &str| found(|f| figures_apart("src/figures/rings.rs", code, &files, f));
        assert_eq!(found("use super::plasma::X;"), ["src/figures/rings.rs:1: a figure may not name another: `plasma`"]);
        assert_eq!(
            found("crate::figures::plasma::X"),
            ["src/figures/rings.rs:1: a figure may not name another: `plasma`"]
        );
        assert!(found("use super::plasma_like;").is_empty());
    }

    #[test]
    fn every_object_has_a_label() {
        let found = |code: &str| found(|f| labels("src/gpu.rs", code, f));
        assert_eq!(
            found("D {\n    label: None,")[0],
            "src/gpu.rs:2: `label: None`: give it a label, `<figure>/<object>` or `claim/<id>/<object>`"
        );
        assert_eq!(found("t.create_view(&Default::default())").len(), 1);
        assert_eq!(found("t.create_view(&wgpu::TextureViewDescriptor::default())").len(), 1);
        assert!(found("i.request_adapter(&Default::default())").is_empty());
        assert!(found("f(&D { label: Some(\"a/b\"), ..wgpu::TextureViewDescriptor::default() })").is_empty());
    }
}
