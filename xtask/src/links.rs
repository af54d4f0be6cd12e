//! Inline Markdown and its links: objects, the specifications, other pages; a link that leads nowhere is a fault.

use std::collections::{BTreeMap, BTreeSet};

use pulldown_cmark::{CowStr, Event, Tag, TagEnd, html::push_html};

use crate::html::escape;
use crate::markdown::events;

/// What can be linked to: for each language, its pages and their anchors.
#[derive(Debug, Default)]
pub(crate) struct Links {
    pages: BTreeMap<String, BTreeMap<String, BTreeSet<String>>>,
}

/// Where a text stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) links: &'a Links,
    pub(crate) lang: &'a str,
    pub(crate) page: &'a str,
}

/// The path of a page from the site's root.
pub(crate) fn href(lang: &str, page: &str) -> String {
    let folder = if lang == "en" { String::new() } else { format!("{lang}/") };
    if page == "index" { format!("./{folder}") } else { format!("./{folder}{page}.html") }
}

/// The address and the name of `webgpu#anchor` or `wgsl#anchor`.
pub(crate) fn specification(target: &str) -> Result<(String, String), String> {
    let (folder, name, anchor) = match target.split_once('#') {
        Some(("webgpu", anchor)) if !anchor.is_empty() => ("", "WebGPU", anchor),
        Some(("wgsl", anchor)) if !anchor.is_empty() => ("wgsl/", "WGSL", anchor),
        _ => {
            return Err(format!(
                "`{target}` names no place in a specification: write `webgpu#anchor` or `wgsl#anchor`"
            ));
        }
    };
    Ok((format!("https://gpuweb.github.io/gpuweb/{folder}#{anchor}"), format!("{name}, {anchor}")))
}

impl Links {
    /// Makes a page and its anchors known.
    pub(crate) fn add(&mut self, lang: &str, page: &str, anchors: BTreeSet<String>) {
        self.pages.entry(lang.to_owned()).or_default().insert(page.to_owned(), anchors);
    }
}

impl Place<'_> {
    /// The opening tag of a link and its closing one.
    fn link(self, target: &str) -> Result<(String, &'static str), String> {
        if let Some(object) = target.strip_prefix("object:") {
            return match object {
                "storage" => Ok(("<span class=\"st\">".to_owned(), "</span>")),
                "sampled" => Ok(("<span class=\"sa\">".to_owned(), "</span>")),
                "canvas" => Ok(("<span class=\"ca\">".to_owned(), "</span>")),
                _ => Err(format!("`{target}` is no object: they are `storage`, `sampled` and `canvas`")),
            };
        }
        let (href, hreflang) = self.href(target)?;
        let hreflang = hreflang.map_or(String::new(), |lang| format!(" hreflang=\"{lang}\""));
        Ok((format!("<a href=\"{}\"{hreflang}>", escape(&href)), "</a>"))
    }

    /// An address, and its language where that is another one.
    fn href(self, target: &str) -> Result<(String, Option<&'static str>), String> {
        if let Some(target) = target.strip_prefix("spec:") {
            return specification(target).map(|(url, _)| (url, None));
        }
        if target.starts_with("https://") || target.starts_with("./") {
            return Ok((target.to_owned(), None));
        }
        let (file, slug) = target.split_once('#').map_or((target, None), |(file, slug)| (file, Some(slug)));
        let page = match file.strip_suffix(".md") {
            Some(page) => page,
            None if file.is_empty() => self.page,
            None => {
                return Err(format!(
                    "`{target}` is no link that a page may have: write `page.md#slug`, `spec:…`, `./file` or `https://…`"
                ));
            }
        };
        let known = |lang: &str| self.links.pages.get(lang).and_then(|pages| pages.get(page));
        let (lang, anchors) = match (known(self.lang), known("en")) {
            (Some(anchors), _) => (self.lang, anchors),
            (None, Some(anchors)) => ("en", anchors),
            (None, None) => return Err(format!("the page `{file}` is not written")),
        };
        let hreflang = (lang != self.lang).then_some("en");
        match slug {
            Some(slug) if !anchors.contains(slug) => Err(format!("the page `{page}.md` has no `#{slug}`")),
            Some(slug) if file.is_empty() => Ok((format!("#{slug}"), None)),
            Some(slug) => Ok((format!("{}#{slug}", href(lang, page)), hreflang)),
            None => Ok((href(lang, page), hreflang)),
        }
    }

    /// A text with no blocks, as HTML.
    pub(crate) fn inline(self, text: &str) -> Result<String, String> {
        let mut inline = Inline::new(self);
        let mut out = String::new();
        let events: Result<Vec<_>, _> = events(text)
            .map(|(event, _)| event)
            .filter(|event| !matches!(event, Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph)))
            .map(|event| inline.map(event))
            .collect();
        push_html(&mut out, events?.into_iter());
        Ok(out.trim_end().to_owned())
    }
}

/// Turns the events of a text into ours, one after the other.
#[derive(Debug)]
pub(crate) struct Inline<'a> {
    place: Place<'a>,
    open: Vec<&'static str>,
}

impl<'a> Inline<'a> {
    pub(crate) fn new(place: Place<'a>) -> Self {
        Self { place, open: Vec::new() }
    }

    /// A link's fault is the error.
    pub(crate) fn map<'e>(&mut self, event: Event<'e>) -> Result<Event<'e>, String> {
        Ok(match event {
            Event::Code(code) => raw(format!("<code translate=\"no\">{}</code>", escape(&code))),
            Event::Start(Tag::Link { dest_url, .. }) => {
                let (opening, closing) = self.place.link(&dest_url)?;
                self.open.push(closing);
                raw(opening)
            }
            Event::End(TagEnd::Link) => raw(self.open.pop().unwrap_or_default().to_owned()),
            other => other,
        })
    }
}

/// HTML among text.
fn raw<'e>(html: String) -> Event<'e> {
    Event::InlineHtml(CowStr::from(html))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inline(lang: &str, text: &str) -> Result<String, String> {
        let mut links = Links::default();
        links.add("en", "one", BTreeSet::from(["a".to_owned()]));
        links.add("en", "two", BTreeSet::from(["b".to_owned()]));
        links.add("es", "one", BTreeSet::from(["a".to_owned()]));
        Place { links: &links, lang, page: "one" }.inline(text)
    }

    #[test]
    fn objects_code_and_specifications() {
        assert_eq!(inline("en", "a [view](object:storage)").as_deref(), Ok("a <span class=\"st\">view</span>"));
        assert_eq!(inline("en", "`a<b>`").as_deref(), Ok("<code translate=\"no\">a&lt;b&gt;</code>"));
        assert_eq!(
            inline("en", "[x](spec:wgsl#y)").as_deref(),
            Ok("<a href=\"https://gpuweb.github.io/gpuweb/wgsl/#y\">x</a>")
        );
    }

    #[test]
    fn pages_in_this_language_or_english() {
        assert_eq!(inline("es", "[x](one.md#a)").as_deref(), Ok("<a href=\"./es/one.html#a\">x</a>"));
        assert_eq!(inline("es", "[x](two.md)").as_deref(), Ok("<a href=\"./two.html\" hreflang=\"en\">x</a>"));
        assert_eq!(inline("en", "[x](#a)").as_deref(), Ok("<a href=\"#a\">x</a>"));
    }

    #[test]
    fn links_that_lead_nowhere() {
        let fault = |text| inline("en", text).err().unwrap_or_default();
        assert_eq!(
            fault("[x](object:sampler)"),
            "`object:sampler` is no object: they are `storage`, `sampled` and `canvas`"
        );
        assert_eq!(
            fault("[x](spec:webgpu)"),
            "`webgpu` names no place in a specification: write `webgpu#anchor` or `wgsl#anchor`"
        );
        assert_eq!(fault("[x](three.md)"), "the page `three.md` is not written");
        assert_eq!(fault("[x](two.md#z)"), "the page `two.md` has no `#z`");
        assert!(fault("[x](two.html)").starts_with("`two.html` is no link that a page may have"));
    }
}
