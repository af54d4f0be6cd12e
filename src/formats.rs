//! The texture formats: what the specification says of each, and what the reader's device really does with it.
//!
//! [`table`] holds the 101 formats, [`capability`] what can be asked of them, [`features`] what the answer depends on.
//! An answer is a set of features that a device must have, so for any device it is one comparison of sets.

pub mod capability;
pub mod features;
pub mod guaranteed;
pub mod json;
pub mod line;
#[cfg(target_arch = "wasm32")]
pub mod probe;
pub mod report;
pub mod search;
pub mod table;
pub mod texels;
#[cfg(target_arch = "wasm32")]
pub mod values;

pub use capability::{CAPABILITIES, Capability};
pub use features::Features;
pub use table::{FORMATS, Format};

/// What the table says in one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// It can be done.
    Yes,
    /// It is refused.
    No,
    /// Nobody has tried.
    Untried,
    /// There is nothing to ask: the format has no such aspect.
    None,
}

impl Answer {
    /// Value in the page and in reports, and key of its word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Untried => "untried",
            Self::None => "none",
        }
    }

    /// Whether one of the two is a yes and the other a no.
    pub const fn contradicts(self, other: Self) -> bool {
        matches!((self, other), (Self::Yes, Self::No) | (Self::No, Self::Yes))
    }
}

/// What came of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// What it says.
    pub answer: Answer,
    /// The browser's first words, if it refused; of values that are wrong, those that came and those that should have
    /// come, with `≠` between them.
    pub message: String,
}

impl From<Answer> for Found {
    fn from(answer: Answer) -> Self {
        Self { answer, message: String::new() }
    }
}

/// The specification's answer for a device with `features`, which are closed (see [`Features::closed`]).
pub fn specified(format: &Format, capability: Capability, features: Features) -> Answer {
    match capability.needs(format) {
        None => Answer::None,
        Some(needs) if features.contains(needs) => Answer::Yes,
        Some(_) => Answer::No,
    }
}

/// The features each of which alone, with those it brings along, would turn that no into a yes.
pub fn cures(format: &Format, capability: Capability, features: Features) -> impl Iterator<Item = &'static str> {
    let is = move |features, answer| specified(format, capability, features) == answer;
    Features::each()
        .filter(move |(_, feature)| is(features, Answer::No) && is(features.and(*feature).closed(), Answer::Yes))
        .map(|(name, _)| name)
}
