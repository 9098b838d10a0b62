//! Arguments as lines of UCI.
//!
//! Each argument is a whole line, as OpenBench and scripts for other engines have it: `vancura "go depth 10" d`.
//! One that does not begin with a command goes on with the line before it, so that the quotes may be left out.

use std::ffi::OsString;

use uci::Command;

/// The lines that these arguments make.
pub fn lines(arguments: impl IntoIterator<Item = OsString>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for argument in arguments {
        let text = formats::decode(argument.as_encoded_bytes()).into_owned();
        for part in text.lines() {
            match lines.last_mut().filter(|line| goes_on(line, part)) {
                Some(line) => {
                    line.push(' ');
                    line.push_str(part);
                }
                None => lines.push(part.to_owned()),
            }
        }
    }
    lines
}

/// Whether `part` belongs to `line` rather than being the next one.
fn goes_on(line: &str, part: &str) -> bool {
    let first = part.split_ascii_whitespace().next().unwrap_or_default();
    // The only word that is both a command and what another command takes.
    !Command::is_name(first) || (line, first) == ("go", "perft")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of<const N: usize>(arguments: [&str; N]) -> Vec<String> {
        lines(arguments.map(OsString::from))
    }

    #[test]
    fn an_argument_is_a_line() {
        assert_eq!(
            lines_of(["position startpos moves e2e4", "go depth 10", "quit"]),
            ["position startpos moves e2e4", "go depth 10", "quit"]
        );
        assert_eq!(lines_of(["uci\nisready\r\nquit"]), ["uci", "isready", "quit"]);
        assert!(lines_of([]).is_empty());
    }

    #[test]
    fn quotes_may_be_left_out() {
        assert_eq!(lines_of(["go", "depth", "10"]), ["go depth 10"]);
        assert_eq!(lines_of(["bench", "5"]), ["bench 5"]);
        assert_eq!(lines_of(["go", "perft", "5", "perft", "3"]), ["go perft 5", "perft 3"]);
        assert_eq!(
            lines_of(["position", "startpos", "d", "go", "nodes", "9"]),
            ["position startpos", "d", "go nodes 9"]
        );
    }

    #[test]
    fn what_is_no_command_is_a_line_as_well() {
        assert_eq!(lines_of(["nonsense", "uci"]), ["nonsense", "uci"]);
        assert_eq!(lines_of([""]), Vec::<String>::new());
    }

    #[cfg(unix)]
    #[test]
    fn an_argument_need_not_be_utf8() {
        use std::os::unix::ffi::OsStringExt;
        let argument = OsString::from_vec(b"setoption name Caf\xE9".to_vec());
        assert_eq!(lines([argument]), ["setoption name Café"]);
    }
}
