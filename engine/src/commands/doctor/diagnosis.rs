//! What an examination finds.

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Level {
    /// As it should be.
    Good,
    /// It works, and could be better.
    Note,
    /// Something is wrong.
    Fault,
}

/// One thing found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Diagnosis {
    pub level: Level,
    pub text: String,
    /// What to do about it.
    pub remedy: Option<String>,
}

impl Diagnosis {
    pub fn good(text: impl Into<String>) -> Self {
        Self { level: Level::Good, text: text.into(), remedy: None }
    }

    pub fn note(text: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { level: Level::Note, text: text.into(), remedy: Some(remedy.into()) }
    }

    pub fn fault(text: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { level: Level::Fault, text: text.into(), remedy: Some(remedy.into()) }
    }
}
