//! JSON, as far as a report needs it: numbers stay the digits they are, so nothing is parsed or rounded.

/// A JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A string.
    Text(String),
    /// A number, as written.
    Number(String),
    /// An array.
    List(Vec<Self>),
    /// An object, its members in their order.
    Map(Vec<(String, Self)>),
    /// `true`, `false` or `null`.
    Literal(&'static str),
}

/// Values inside values, after which nobody reads on.
const DEEPEST: u32 = 8;

impl Value {
    /// The value that `text` is, if it is one and nothing else.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parser = Parser { rest: text };
        let value = parser.value(0)?;
        parser.skip();
        parser.rest.is_empty().then_some(value)
    }

    /// Its member of that name; the last, if there are several.
    pub fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Map(members) => members.iter().rev().find(|(it, _)| it == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Its text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// JSON that is written from its beginning to its end.
#[derive(Debug, Default)]
pub struct Writer {
    /// What is written.
    pub text: String,
}

impl Writer {
    /// Opens an object or an array.
    pub fn open(&mut self, bracket: char) {
        self.text.push(bracket);
    }

    /// What stands before the next value: a comma, unless it is the first, and `line`, or in the same line a space.
    pub fn separate(&mut self, line: &str) {
        if !self.text.ends_with(['{', '[']) {
            self.text.push_str(if line.is_empty() { ", " } else { "," });
        }
        self.text.push_str(line);
    }

    /// A member's name; its value comes next.
    pub fn member(&mut self, line: &str, name: &str) {
        self.separate(line);
        self.text(name);
        self.text.push_str(": ");
    }

    /// An object of texts in one line: the first, and those of the others that are not empty.
    pub fn members(&mut self, members: &[(&str, &str)]) {
        self.open('{');
        for (name, text) in members {
            if !text.is_empty() || self.text.ends_with('{') {
                self.member("", name);
                self.text(text);
            }
        }
        self.text.push('}');
    }

    /// A member that is an array of texts.
    pub fn texts(&mut self, name: &str, texts: &[String]) {
        self.member("\n ", name);
        self.open('[');
        for text in texts {
            self.separate("");
            self.text(text);
        }
        self.text.push(']');
    }

    /// A string.
    pub fn text(&mut self, text: &str) {
        const DIGITS: &[u8] = b"0123456789abcdef";
        let json = &mut self.text;
        json.push('"');
        for letter in text.chars() {
            match letter {
                '"' | '\\' => json.extend(['\\', letter]),
                '\n' => json.push_str("\\n"),
                '\0'..' ' => {
                    let code = letter as usize;
                    json.push_str("\\u00");
                    json.extend([DIGITS[code >> 4] as char, DIGITS[code & 15] as char]);
                }
                _ => json.push(letter),
            }
        }
        json.push('"');
    }
}

struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\n', '\r', '\t']);
    }

    fn eat(&mut self, what: &str) -> bool {
        let rest = self.rest.strip_prefix(what);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn value(&mut self, depth: u32) -> Option<Value> {
        self.skip();
        if depth > DEEPEST {
            return None;
        }
        if self.rest.starts_with('"') {
            return self.text().map(Value::Text);
        }
        if self.eat("[") {
            let mut values = Vec::new();
            self.items("]", |parser| {
                values.push(parser.value(depth + 1)?);
                Some(())
            })?;
            return Some(Value::List(values));
        }
        if self.eat("{") {
            let mut members = Vec::new();
            self.items("}", |parser| {
                let name = parser.text()?;
                parser.skip();
                parser.eat(":").then_some(())?;
                members.push((name, parser.value(depth + 1)?));
                Some(())
            })?;
            return Some(Value::Map(members));
        }
        let literal = ["true", "false", "null"].into_iter().find(|word| self.eat(word));
        literal.map(Value::Literal).or_else(|| self.number())
    }

    /// What stands between commas, up to `end`.
    fn items(&mut self, end: &str, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.skip();
        if self.eat(end) {
            return Some(());
        }
        loop {
            self.skip();
            item(self)?;
            self.skip();
            if self.eat(end) {
                return Some(());
            }
            self.eat(",").then_some(())?;
        }
    }

    fn text(&mut self) -> Option<String> {
        self.eat("\"").then_some(())?;
        let mut text = String::new();
        loop {
            let letter = self.letter()?;
            match letter {
                '"' => return Some(text),
                '\0'..' ' => return None,
                '\\' => text.push(match self.letter()? {
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    'b' => '\u{8}',
                    'f' => '\u{c}',
                    'u' => self.escaped()?,
                    letter @ ('"' | '\\' | '/') => letter,
                    _ => return None,
                }),
                _ => text.push(letter),
            }
        }
    }

    fn letter(&mut self) -> Option<char> {
        let mut letters = self.rest.chars();
        let letter = letters.next();
        self.rest = letters.as_str();
        letter
    }

    /// What follows `\u`: four digits, or a surrogate pair.
    fn escaped(&mut self) -> Option<char> {
        let code = match self.unit()? {
            high @ 0xd800..0xdc00 => {
                self.eat("\\u").then_some(())?;
                let low = self.unit().filter(|low| (0xdc00..0xe000).contains(low))?;
                0x10000 + ((high - 0xd800) << 10 | (low - 0xdc00))
            }
            code => code,
        };
        char::from_u32(code)
    }

    fn unit(&mut self) -> Option<u32> {
        (0..4).try_fold(0, |code, _| Some(code << 4 | self.letter()?.to_digit(16)?))
    }

    fn number(&mut self) -> Option<Value> {
        let text = self.rest;
        self.eat("-");
        let leading_zero = self.rest.starts_with('0');
        let whole = self.digits()?;
        if leading_zero && whole > 1 {
            return None;
        }
        if self.eat(".") {
            self.digits()?;
        }
        if self.eat("e") || self.eat("E") {
            let _ = self.eat("+") || self.eat("-");
            self.digits()?;
        }
        text.get(..text.len() - self.rest.len()).map(|digits| Value::Number(digits.into()))
    }

    /// How many digits stand here; at least one.
    fn digits(&mut self) -> Option<usize> {
        let rest = self.rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let count = self.rest.len() - rest.len();
        self.rest = rest;
        (count > 0).then_some(count)
    }
}
