//! What is said to those who ask what the program is for, or what one command of UCI does.

use std::ffi::OsString;

use crate::commands;

/// The answer, if these arguments ask for help.
pub fn answer(arguments: &[OsString]) -> Option<String> {
    match arguments {
        [first] if first == "help" => Some(overview()),
        [first, ..] if asks_for_help(first) => Some(overview()),
        [first, topic] if first == "help" && asks_for_help(topic) => Some(overview()),
        [first, topic] if first == "help" => uci::Command::usage(topic.to_str()?),
        [name, last] if asks_for_help(last) => uci::Command::usage(name.to_str()?),
        _ => None,
    }
}

fn asks_for_help(argument: &OsString) -> bool {
    argument == "--help" || argument == "-h"
}

/// The commands, and those of UCI.
fn overview() -> String {
    format!("{}\nUCI commands:\n{}", commands::overview(), uci::Command::help())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_is_for_all_or_for_one_command() {
        let answer_to = |words: &[&str]| answer(&words.iter().map(OsString::from).collect::<Vec<_>>());
        let all = answer_to(&["help"]).unwrap();
        assert!(all.contains("\n  ucinewgame "), "{all}");
        assert_eq!(all.contains("\n  analyse "), cfg!(feature = "tools"), "{all}");
        for words in [&["--help"][..], &["-h"], &["--help", "x"], &["help", "--help"]] {
            assert_eq!(answer_to(words).as_ref(), Some(&all), "{words:?}");
        }
        assert_eq!(answer_to(&["bench", "--help"]), uci::Command::usage("bench"));
        assert_eq!(answer_to(&["help", "bench"]), uci::Command::usage("bench"));
        for words in [&[][..], &["go"], &["help", "go depth 3"], &["help", "nonsense"], &["nonsense", "--help"]] {
            assert_eq!(answer_to(words), None, "{words:?}");
        }
    }
}
