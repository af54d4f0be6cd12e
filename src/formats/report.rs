//! A report: what one browser on one device said of every format, to keep, to show and to compare.
//!
//! Its JSON is a contract with the outside (ARCHITECTURE.md). What is loaded comes from strangers: it is text, never
//! markup, and what is wrong with it is a [`Fault`].

use super::json::{Value, Writer};
use super::{Answer, CAPABILITIES, Capability, FORMATS, Features, Format, Found, specified};

/// What one browser on one device said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// `vendor`, `architecture` and the like.
    pub adapter: Vec<(String, String)>,
    /// The device's features.
    pub features: Vec<String>,
    /// The device's limits, digits as they are.
    pub limits: Vec<(String, String)>,
    /// What shaders may use.
    pub language_features: Vec<String>,
    /// For each of [`FORMATS`] one for each of [`CAPABILITIES`].
    pub cells: Vec<Vec<Cell>>,
    /// The claims that were tried.
    pub claims: Vec<Tried>,
}

/// One capability of one format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// What the specification says for the device's features.
    pub spec: Answer,
    /// What the device did.
    pub device: Found,
    /// What the values were that it gave.
    pub values: Found,
}

/// What came of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tried {
    /// Its id.
    pub id: String,
    /// [`crate::claim::Verdict::name`].
    pub verdict: String,
    /// The browser's first words, if it refused something.
    pub message: String,
}

/// What is wrong with a text that should be a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Longer than any report.
    Huge,
    /// No JSON.
    Malformed,
    /// JSON of something else.
    Foreign,
    /// A report of another version.
    Version,
}

impl Fault {
    /// Key of its word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Huge => "huge",
            Self::Malformed => "malformed",
            Self::Foreign => "foreign",
            Self::Version => "version",
        }
    }
}

/// Value of `texelarium`.
const VERSION: &str = "1";

/// Bytes; a full report is a third of that.
pub const LONGEST: usize = 2 << 20;

impl Cell {
    /// What is known before anything is tried.
    pub(super) fn untried(format: &Format, capability: Capability) -> Self {
        let answer = if capability.needs(format).is_none() { Answer::None } else { Answer::Untried };
        Self { spec: answer, device: answer.into(), values: Answer::Untried.into() }
    }

    /// The fields of a line about it, messages as `escaped` has them.
    fn fields(&self, format: &Format, name: &str, escaped: fn(&str) -> String) -> [String; 7] {
        let Self { spec, device, values } = self;
        [
            format.name.into(),
            name.into(),
            spec.name().into(),
            device.answer.name().into(),
            escaped(&device.message),
            values.answer.name().into(),
            escaped(&values.message),
        ]
    }

    /// Whether the device did not do as the specification says, or with wrong values.
    pub fn differs(&self) -> bool {
        self.spec.contradicts(self.device.answer) || self.values.answer == Answer::No
    }
}

impl Report {
    /// What is known of a device before anything is tried.
    pub fn untried(adapter: Vec<(String, String)>, features: Vec<String>, language_features: Vec<String>) -> Self {
        let (limits, cells, claims) = (Vec::new(), Vec::new(), Vec::new());
        let mut report = Self { adapter, features, limits, language_features, cells, claims };
        report.forget();
        report
    }

    /// Forgets what was tried of the formats.
    pub fn forget(&mut self) {
        let set = self.set();
        let cell =
            |format, capability| Cell { spec: specified(format, capability, set), ..Cell::untried(format, capability) };
        let row = |format| CAPABILITIES.iter().map(|(_, capability)| cell(format, *capability)).collect();
        self.cells = FORMATS.iter().map(row).collect();
    }

    /// Those of the device's features that matter to formats.
    pub fn set(&self) -> Features {
        Features::of(|name| self.features.iter().any(|it| it == name))
    }

    /// The report that `json` holds. Formats and capabilities that are not known here are left out, those that it lacks
    /// are untried.
    ///
    /// # Errors
    /// Why it is none.
    pub fn parse(json: &str) -> Result<Self, Fault> {
        if json.len() > LONGEST {
            return Err(Fault::Huge);
        }
        let value = Value::parse(json.trim_start_matches('\u{feff}')).ok_or(Fault::Malformed)?;
        match value.get("texelarium") {
            Some(Value::Number(version)) if version == VERSION => Self::of(&value).ok_or(Fault::Malformed),
            Some(_) => Err(Fault::Version),
            None => Err(Fault::Foreign),
        }
    }

    fn of(value: &Value) -> Option<Self> {
        let formats = value.get("formats")?;
        let mut cells = Vec::new();
        for format in &FORMATS {
            let row = formats.get(format.name);
            let cell = |(name, capability): &(&str, Capability)| match row.and_then(|row| row.get(name)) {
                None => Some(Cell::untried(format, *capability)),
                Some(cell) => Some(Cell {
                    spec: answer(cell.get("spec")?)?,
                    device: Found { answer: answer(cell.get("device")?)?, message: message(cell, "message")? },
                    values: Found {
                        answer: match cell.get("values").map(answer) {
                            None => Answer::Untried,
                            Some(answer) => answer.filter(|it| matches!(it, Answer::Yes | Answer::No))?,
                        },
                        message: message(cell, "valuesMessage")?,
                    },
                }),
            };
            cells.push(CAPABILITIES.iter().map(cell).collect::<Option<_>>()?);
        }
        let tried = |(id, claim): (String, &Value)| {
            Some(Tried { id, verdict: claim.get("verdict")?.text()?.into(), message: message(claim, "message")? })
        };
        Some(Self {
            adapter: members(value.get("adapter")?, |value| Some(value.text()?.into()))?,
            features: texts(value.get("features")?)?,
            limits: members(value.get("limits")?, |value| match value {
                Value::Number(digits) => Some(digits.clone()),
                _ => None,
            })?,
            language_features: texts(value.get("wgslLanguageFeatures")?)?,
            cells,
            claims: members(value.get("claims")?, Some)?.into_iter().map(tried).collect::<Option<_>>()?,
        })
    }

    /// As JSON, the form that [`Self::parse`] reads; the members of the outer two objects stand on lines of their own.
    pub fn to_json(&self) -> String {
        let mut json = Writer::default();
        json.open('{');
        json.member("\n ", "texelarium");
        json.text.push_str(VERSION);
        json.member("\n ", "adapter");
        json.open('{');
        for (name, value) in &self.adapter {
            json.member("\n  ", name);
            json.text(value);
        }
        json.text.push_str("\n }");
        json.texts("features", &self.features);
        json.member("\n ", "limits");
        json.open('{');
        for (name, digits) in &self.limits {
            json.member("\n  ", name);
            json.text.push_str(digits);
        }
        json.text.push_str("\n }");
        json.texts("wgslLanguageFeatures", &self.language_features);
        json.member("\n ", "formats");
        json.open('{');
        let mut last = "";
        self.each(&mut |format, name, cell| {
            if format.name != last {
                json.text.push_str(if last.is_empty() { "" } else { "}" });
                json.member("\n  ", format.name);
                json.open('{');
                last = format.name;
            }
            let values = if cell.values.answer == Answer::Untried { "" } else { cell.values.answer.name() };
            if cell.spec != Answer::None {
                json.member("", name);
                json.members(&[
                    ("spec", cell.spec.name()),
                    ("device", cell.device.answer.name()),
                    ("message", &cell.device.message),
                    ("values", values),
                    ("valuesMessage", &cell.values.message),
                ]);
            }
        });
        json.text.push_str("}\n }");
        json.member("\n ", "claims");
        json.open('{');
        for Tried { id, verdict, message } in &self.claims {
            json.member("\n  ", id);
            json.members(&[("verdict", verdict), ("message", message)]);
        }
        json.text.push_str("\n }\n}\n");
        json.text
    }

    /// As CSV (RFC 4180), a line a cell.
    pub fn to_csv(&self) -> String {
        let mut csv = String::from("format,capability,spec,device,message,values,valuesMessage\r\n");
        self.each(&mut |format, name, cell| {
            if cell.spec != Answer::None {
                csv.push_str(&cell.fields(format, name, quoted).join(","));
                csv.push_str("\r\n");
            }
        });
        csv
    }

    /// As Markdown for an issue: the device, where it differs from the specification, and what it does.
    pub fn to_markdown(&self) -> String {
        let adapter: Vec<_> = self.adapter.iter().map(|(name, value)| [name, ": ", value].concat()).collect();
        let mut markdown = [
            "adapter: ",
            &code(&adapter.join(", ")),
            "\n\nfeatures: ",
            &code(&self.features.join(", ")),
            "\n\n| format | capability | spec | device | message | values | came ≠ should have |",
            "\n|---|---|---|---|---|---|---|\n",
        ]
        .concat();
        let mut answers = String::new();
        let mut last = "";
        self.each(&mut |format, name, cell| {
            if cell.differs() {
                markdown.push_str(&["| ", &cell.fields(format, name, code).join(" | "), " |\n"].concat());
            }
            if format.name != last {
                answers.push_str(&["\n| ", format.name, " |"].concat());
                last = format.name;
            }
            answers.push_str(match cell.device.answer {
                Answer::Yes => " yes |",
                Answer::No => " no |",
                Answer::Untried => " ? |",
                Answer::None => " |",
            });
        });
        markdown.push_str("\n| device |");
        for (name, _) in &CAPABILITIES {
            markdown.push_str(&[" ", name, " |"].concat());
        }
        [&markdown, "\n|---|", &"---|".repeat(CAPABILITIES.len()), &answers, "\n"].concat()
    }

    /// Hands every cell to `act`, those of a format after each other.
    fn each(&self, act: &mut dyn FnMut(&'static Format, &'static str, &Cell)) {
        for (format, cells) in FORMATS.iter().zip(&self.cells) {
            for ((name, _), cell) in CAPABILITIES.iter().zip(cells) {
                act(format, name, cell);
            }
        }
    }
}

fn answer(value: &Value) -> Option<Answer> {
    let text = value.text()?;
    [Answer::Yes, Answer::No, Answer::Untried, Answer::None].into_iter().find(|answer| answer.name() == text)
}

/// The message of that name in a cell or claim; empty if there is none.
fn message(value: &Value, name: &str) -> Option<String> {
    value.get(name).map_or(Some(""), Value::text).map(Into::into)
}

fn texts(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::List(values) => values.iter().map(|value| Some(value.text()?.into())).collect(),
        _ => None,
    }
}

fn members<'a, T>(value: &'a Value, is: impl Fn(&'a Value) -> Option<T>) -> Option<Vec<(String, T)>> {
    match value {
        Value::Map(members) => members.iter().map(|(name, value)| Some((name.clone(), is(value)?))).collect(),
        _ => None,
    }
}

/// `text` between `mark` and `mark`, each letter as `escaped` has it, if it has another.
fn between(mark: char, text: &str, escaped: fn(char) -> Option<&'static str>) -> String {
    let mut out = String::new();
    if !text.is_empty() {
        out.push(mark);
        for letter in text.chars() {
            match escaped(letter) {
                Some(escaped) => out.push_str(escaped),
                None => out.push(letter),
            }
        }
        out.push(mark);
    }
    out
}

/// A field of CSV. A spreadsheet would run what begins like a formula.
fn quoted(text: &str) -> String {
    let mut field = between('"', text, |letter| (letter == '"').then_some("\"\""));
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        field.insert(1, '\'');
    }
    field
}

/// A span of code on one line of a table, in which nothing is markup.
fn code(text: &str) -> String {
    between('`', text, |letter| match letter {
        '\n' | '\r' => Some(" "),
        '`' => Some("'"),
        '|' => Some("\\|"),
        _ => None,
    })
}
