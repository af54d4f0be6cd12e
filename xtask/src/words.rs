//! The words of one TOML file: its values, the line of each key, and whether a translation has the same ones.

use std::collections::{BTreeMap, BTreeSet};

use toml::de::{DeTable, DeValue};

use crate::finding::Findings;

/// One file of words.
#[derive(Debug, Default)]
pub(crate) struct Words {
    pub(crate) path: String,
    pub(crate) table: toml::Table,
    /// Dotted key → line.
    lines: BTreeMap<String, usize>,
}

impl Words {
    /// Reads `text`; a syntax error is a finding and leaves the table empty.
    pub(crate) fn parse(path: &str, text: &str, findings: &mut Findings) -> Self {
        let mut words = Self { path: path.to_owned(), ..Self::default() };
        match (text.parse::<toml::Table>(), DeTable::parse(text)) {
            (Ok(table), Ok(spans)) => {
                words.table = table;
                words.note_lines("", spans.get_ref(), text);
            }
            (Err(error), _) | (_, Err(error)) => {
                let line = error.span().map_or(1, |span| line_of(text, span.start));
                findings.add(path, line, error.message());
            }
        }
        words
    }

    fn note_lines(&mut self, prefix: &str, table: &DeTable<'_>, text: &str) {
        for (key, value) in table {
            let dotted = join(prefix, key.get_ref());
            self.lines.insert(dotted.clone(), line_of(text, key.span().start));
            if let DeValue::Table(inner) = value.get_ref() {
                self.note_lines(&dotted, inner, text);
            }
        }
    }

    /// The line a key stands on, or the table or list that holds it.
    pub(crate) fn line(&self, key: &str) -> usize {
        let held = || key.rsplit_once('.').map_or(1, |(holder, _)| self.line(holder));
        self.lines.get(key).copied().unwrap_or_else(held)
    }

    /// The table `[key]`, if there is one.
    pub(crate) fn section(&self, key: &str) -> Option<&toml::Table> {
        self.table.get(key).and_then(toml::Value::as_table)
    }

    /// Holds a translation against the English file: the same keys, the same `{placeholders}`. `rule` is said once, in English.
    pub(crate) fn compare(&self, english: &Self, findings: &mut Findings) {
        let (ours, theirs) = (flatten("", &self.table), flatten("", &english.table));
        for (key, value) in &theirs {
            match ours.get(key) {
                _ if key.ends_with(".rule") => {}
                None => findings.add(
                    &self.path,
                    1,
                    format!("lacks the key `{key}` of {}:{}", english.path, english.line(key)),
                ),
                Some(translated) if placeholders(translated) != placeholders(value) => findings.add(
                    &self.path,
                    self.line(key),
                    format!("`{key}` has other {{placeholders}} than {}:{}", english.path, english.line(key)),
                ),
                Some(_) => {}
            }
        }
        for key in ours.keys().filter(|key| !theirs.contains_key(*key)) {
            findings.add(&self.path, self.line(key), format!("`{key}` is not in {}", english.path));
        }
    }
}

/// Every string of a table under its dotted key; those of a list are numbered.
pub(crate) fn flatten(prefix: &str, table: &toml::Table) -> BTreeMap<String, String> {
    let mut flat = BTreeMap::new();
    for (key, value) in table {
        flatten_value(join(prefix, key), value, &mut flat);
    }
    flat
}

fn flatten_value(key: String, value: &toml::Value, flat: &mut BTreeMap<String, String>) {
    match value {
        toml::Value::Table(inner) => flat.extend(flatten(&key, inner)),
        toml::Value::Array(list) => {
            (0..).zip(list).for_each(|(i, value)| flatten_value(format!("{key}.{i}"), value, flat))
        }
        toml::Value::String(text) => drop(flat.insert(key, text.clone())),
        other => drop(flat.insert(key, other.to_string())),
    }
}

fn join(prefix: &str, key: &str) -> String {
    if prefix.is_empty() { key.to_owned() } else { format!("{prefix}.{key}") }
}

/// The names in `{braces}`.
fn placeholders(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect()
}

/// The line, from 1, of a byte offset.
pub(crate) fn line_of(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(english: &str, spanish: &str) -> Vec<String> {
        let mut findings = Findings::default();
        let english = Words::parse("en.toml", english, &mut findings);
        Words::parse("es.toml", spanish, &mut findings).compare(&english, &mut findings);
        findings.printed()
    }

    #[test]
    fn the_same_keys_and_placeholders_pass() {
        assert!(compare("[a]\nb = \"{n} texels\"\nrule = \"wgsl#x\"", "[a]\nb = \"{n} téxeles\"").is_empty());
    }

    #[test]
    fn a_missing_key_is_found() {
        assert_eq!(compare("[a]\nb = \"x\"", ""), ["es.toml:1: lacks the key `a.b` of en.toml:2"]);
    }

    #[test]
    fn a_surplus_key_is_found() {
        assert_eq!(compare("", "[a]\n\nc = \"x\""), ["es.toml:3: `a.c` is not in en.toml"]);
    }

    #[test]
    fn a_lost_placeholder_is_found() {
        assert_eq!(
            compare("b = \"{n} texels\"", "b = \"téxeles\""),
            ["es.toml:1: `b` has other {placeholders} than en.toml:1"]
        );
    }

    #[test]
    fn a_syntax_error_is_found_at_its_line() {
        let printed = compare("", "a = \"x\"\nb = ");
        assert!(printed[0].starts_with("es.toml:2: "), "{printed:?}");
    }
}
