//! Colours code: keywords, comments, strings, and the objects that keep one colour through text, code and figure.
//!
//! A lexer of our own, because no library of this weight knows WGSL.

use std::collections::BTreeMap;

use crate::html::escape;

/// What a listing may be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Wgsl,
    Rust,
    JavaScript,
}

impl Language {
    /// By the ending of the path.
    pub(crate) fn of(path: &str) -> Option<Self> {
        match path.rsplit_once('.')?.1 {
            "wgsl" => Some(Self::Wgsl),
            "rs" => Some(Self::Rust),
            "js" | "mjs" => Some(Self::JavaScript),
            _ => None,
        }
    }

    /// As readers know it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Wgsl => "WGSL",
            Self::Rust => "Rust",
            Self::JavaScript => "JavaScript",
        }
    }

    fn keywords(self) -> &'static str {
        match self {
            Self::Wgsl => {
                " alias break case const const_assert continue continuing default diagnostic discard else enable false fn for if let loop \
                 override requires return struct switch true var while "
            }
            Self::Rust => {
                " as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref \
                 return self Self static struct super trait true type unsafe use where while "
            }
            Self::JavaScript => {
                " async await break case catch class const continue default delete do else export extends false finally for from function if \
                 import in instanceof let new null of return static super switch this throw true try typeof undefined var while yield "
            }
        }
    }
}

/// Identifier → `st` (written through a storage view), `sa` (read through a sampled view), `ca` (the canvas).
pub(crate) type Objects = BTreeMap<String, &'static str>;

/// The textures that a WGSL file declares; Rust and JavaScript are told by name instead.
pub(crate) fn objects(language: Language, text: &str) -> Objects {
    let mut objects = Objects::new();
    if language == Language::Wgsl {
        for (at, _) in text.match_indices("texture_") {
            let Some(name) = text.get(..at).and_then(|before| before.trim_end().strip_suffix(':')) else { continue };
            let name = name.trim_end();
            let start = name.rfind(|c| !is_word(c)).map_or(0, |i| i + 1);
            let storage = text.get(at..).is_some_and(|kind| kind.starts_with("texture_storage_"));
            if let Some(name) = name.get(start..).filter(|name| !name.is_empty()) {
                objects.insert(name.to_owned(), if storage { "st" } else { "sa" });
            }
        }
    }
    objects
}

/// One string of HTML a line.
pub(crate) fn html(language: Language, objects: &Objects, lines: &[&str]) -> Vec<String> {
    let text = lines.join("\n");
    let (mut out, mut line) = (Vec::new(), String::new());
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (length, class) = token(language, objects, rest);
        let (token, after) = rest.split_at(length);
        for (i, part) in token.split('\n').enumerate() {
            if i > 0 {
                out.push(std::mem::take(&mut line));
            }
            match class {
                Some(class) if !part.is_empty() => line += &format!("<span class=\"{class}\">{}</span>", escape(part)),
                _ => line += &escape(part),
            }
        }
        rest = after;
    }
    out.push(line);
    out
}

/// The length and class of the token that `rest` begins with.
fn token(language: Language, objects: &Objects, rest: &str) -> (usize, Option<&'static str>) {
    let to = |end: Option<usize>| end.unwrap_or(rest.len());
    let mut chars = rest.chars();
    let (first, second) = (chars.next().unwrap_or(' '), chars.next().unwrap_or(' '));
    match (first, second) {
        ('/', '/') => (to(rest.find('\n')), Some("c")),
        ('/', '*') => (to(rest.find("*/").map(|i| i + 2)), Some("c")),
        ('"', _) if language != Language::Wgsl => (quoted(rest, '"'), Some("s")),
        ('`', _) | ('\'', _) if language == Language::JavaScript => (quoted(rest, first), Some("s")),
        ('\'', _) if language == Language::Rust => {
            // A character in quotes; otherwise a lifetime.
            let is_char = second == '\\' || chars.next() == Some('\'');
            if is_char { (quoted(rest, '\''), Some("s")) } else { (1 + word_length(&rest[1..]), None) }
        }
        ('r', '"' | '#') if language == Language::Rust => match raw_string(rest) {
            Some(length) => (length, Some("s")),
            None => word(language, objects, rest),
        },
        ('@', _) if language == Language::Wgsl && is_word(second) => (1 + word_length(&rest[1..]), Some("k")),
        (c, _) if is_word(c) => word(language, objects, rest),
        (c, _) => (c.len_utf8(), None),
    }
}

fn word(language: Language, objects: &Objects, rest: &str) -> (usize, Option<&'static str>) {
    let length = word_length(rest);
    let word = &rest[..length];
    if let Some(class) = objects.get(word) {
        return (length, Some(class));
    }
    if language.keywords().contains(&format!(" {word} ")) {
        return (length, Some("k"));
    }
    let name = word.to_ascii_lowercase().replace('_', "");
    let class = match name.as_str() {
        _ if language == Language::Wgsl => None,
        _ if name.contains("storageview") && word != "StorageView" => Some("st"),
        _ if name.contains("sampledview") && word != "SampledView" => Some("sa"),
        _ if word == "canvas" || word == "target" => Some("ca"),
        _ => None,
    };
    (length, class)
}

/// Up to and with the closing quote, escapes skipped.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return i + c.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// The length of `r"…"`, `r#"…"#`; `None` if this is no raw string.
fn raw_string(rest: &str) -> Option<usize> {
    let hashes = rest[1..].bytes().take_while(|byte| *byte == b'#').count();
    let body = rest[1 + hashes..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    Some(body.find(&close).map_or(rest.len(), |end| 2 + hashes + end + close.len()))
}

fn word_length(rest: &str) -> usize {
    rest.find(|c| !is_word(c)).unwrap_or(rest.len())
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colour(language: Language, text: &str) -> String {
        html(language, &objects(language, text), &text.lines().collect::<Vec<_>>()).join("\n")
    }

    #[test]
    fn wgsl() {
        assert_eq!(
            colour(
                Language::Wgsl,
                "@group(0) var field : texture_storage_2d<r32float, write>; // <out>\nfn f(t: texture_2d<f32>) { textureLoad(t); field; }"
            ),
            "<span class=\"k\">@group</span>(0) <span class=\"k\">var</span> <span class=\"st\">field</span> : \
             texture_storage_2d&lt;r32float, write&gt;; <span class=\"c\">// &lt;out&gt;</span>\n\
             <span class=\"k\">fn</span> f(<span class=\"sa\">t</span>: texture_2d&lt;f32&gt;) { textureLoad(<span class=\"sa\">t</span>); \
             <span class=\"st\">field</span>; }"
        );
    }

    #[test]
    fn rust() {
        assert_eq!(
            colour(Language::Rust, "let x: &'a str = 'q'; // c\nself.storage_view(r#\"a\"b\"#, \"\\\"\", target);"),
            "<span class=\"k\">let</span> x: &amp;'a str = <span class=\"s\">'q'</span>; <span class=\"c\">// c</span>\n\
             <span class=\"k\">self</span>.<span class=\"st\">storage_view</span>(<span class=\"s\">r#&quot;a&quot;b&quot;#</span>, \
             <span class=\"s\">&quot;\\&quot;&quot;</span>, <span class=\"ca\">target</span>);"
        );
    }

    #[test]
    fn javascript_and_tokens_over_two_lines() {
        assert_eq!(
            colour(Language::JavaScript, "const fieldSampledView = `a\nb`; /* 1\n2 */ canvas"),
            "<span class=\"k\">const</span> <span class=\"sa\">fieldSampledView</span> = <span class=\"s\">`a</span>\n\
             <span class=\"s\">b`</span>; <span class=\"c\">/* 1</span>\n<span class=\"c\">2 */</span> <span class=\"ca\">canvas</span>"
        );
    }
}
