//! An engine that takes part in a match: its command line, and before it what is set for it.

use std::str::FromStr;

use cli::read_option;

use crate::client::{EngineCommand, EngineCommandError};

/// An engine as the user names it: `name=new elo=2800 option.Hash=64 ./new --flag`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// The name in games and tables; without one it is what the engine calls itself.
    pub name: Option<String>,
    /// The rating for the PGN, if it is known.
    pub elo: Option<u32>,
    /// What is set for it, by name and value, in order.
    pub options: Vec<(String, String)>,
    /// The engine itself.
    pub command: EngineCommand,
}

impl Entrant {
    /// The options that are set for it, in their order; `None` if there are none.
    pub(super) fn options_text(&self) -> Option<String> {
        let options: Vec<_> = self.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        (!options.is_empty()).then(|| options.join(", "))
    }
}

/// Why a text names no engine for a match.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EntrantError {
    /// There is no command line.
    #[error(transparent)]
    Command(#[from] EngineCommandError),
    /// A word before the command line sets nothing.
    #[error("{word:?}: {fault}")]
    Word {
        /// The word.
        word: String,
        /// What is wrong with it.
        fault: String,
    },
}

impl FromStr for Entrant {
    type Err = EntrantError;

    fn from_str(text: &str) -> Result<Self, EntrantError> {
        let Some(mut words) = shlex::split(text) else {
            return Err(text.parse::<EngineCommand>().err().map_or_else(
                || EntrantError::Word { word: text.to_owned(), fault: "not a command line".to_owned() },
                EntrantError::Command,
            ));
        };
        let is_setting = |word: &String| {
            ["name=", "elo=", "option."].iter().any(|start| word.starts_with(start)) && word.contains('=')
        };
        let count = words.iter().take_while(|word| is_setting(word)).count();
        let rest = words.split_off(count);
        let mut entrant = Self { name: None, elo: None, options: Vec::new(), command: command_of(rest, text)? };
        for word in words {
            let fault = |fault: String| EntrantError::Word { word: word.clone(), fault };
            if let Some(name) = word.strip_prefix("name=") {
                let name = name.trim();
                if name.is_empty() {
                    return Err(fault("a name is expected".to_owned()));
                }
                entrant.name = Some(name.to_owned());
            } else if let Some(elo) = word.strip_prefix("elo=") {
                let elo = elo.parse().ok().filter(|elo| (1..=9999).contains(elo));
                entrant.elo = Some(elo.ok_or_else(|| fault("a rating from 1 to 9999 is expected".to_owned()))?);
            } else {
                let option = read_option(word.strip_prefix("option.").unwrap_or(&word)).map_err(fault)?;
                entrant.options.push(option);
            }
        }
        Ok(entrant)
    }
}

fn command_of(words: Vec<String>, text: &str) -> Result<EngineCommand, EntrantError> {
    match &words[..] {
        [only] if only == "self" => Ok(EngineCommand::Own),
        [program, ..] if !program.is_empty() => Ok(EngineCommand::Program(words)),
        _ => Err(EntrantError::Word { word: text.to_owned(), fault: "there is no command line".to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_stand_before_the_command_line() {
        let entrant: Entrant =
            "name='My engine' elo=2800 option.Hash=64 'option.Clear Hash=' ./new --x name=y".parse().unwrap();
        assert_eq!((entrant.name.as_deref(), entrant.elo), (Some("My engine"), Some(2800)));
        let options: Vec<_> = entrant.options.iter().map(|(name, value)| (&name[..], &value[..])).collect();
        assert_eq!(options, [("Hash", "64"), ("Clear Hash", "")]);
        assert_eq!(entrant.command, EngineCommand::Program(["./new", "--x", "name=y"].map(str::to_owned).to_vec()));
        assert_eq!("self".parse::<Entrant>().unwrap().command, EngineCommand::Own);
        assert_eq!("name=a self".parse::<Entrant>().unwrap().command, EngineCommand::Own);
    }

    #[test]
    fn what_is_no_engine_is_said() {
        for (text, message) in [
            ("''", "no command line"),
            ("name=x", "no command line"),
            ("'open", "is not a command line"),
            ("name= self", "a name is expected"),
            ("elo=x self", "a rating from 1 to 9999"),
            ("option.=3 self", "expected NAME=VALUE"),
        ] {
            let error = text.parse::<Entrant>().unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
