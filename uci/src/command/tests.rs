use proptest::prelude::*;

use super::*;
use crate::option::Value;

fn command(line: &str) -> Command<'_> {
    let parsed = Command::parse(line);
    assert_eq!(parsed.fault, None, "{line}");
    parsed.command.expect(line)
}

fn fault(line: &str) -> String {
    let parsed = Command::parse(line);
    assert!(parsed.command.is_none(), "{line}");
    parsed.fault.expect(line).to_string()
}

fn placed(line: &str) -> (Option<&str>, Vec<&str>) {
    match command(line) {
        Command::Position(PositionCommand { fen, moves }) => (fen, Words::new(moves).collect()),
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn every_command_is_understood() {
    assert!(matches!(command("uci"), Command::Uci));
    assert!(matches!(command("isready"), Command::IsReady));
    assert!(matches!(command("ucinewgame"), Command::NewGame));
    assert!(
        matches!(command("setoption name Hash value 2"), Command::SetOption(setting) if (setting.name(), setting.value()) == ("Hash", Value::Number(2)))
    );
    assert!(matches!(command("position startpos"), Command::Position(_)));
    assert!(matches!(command("go"), Command::Go(go) if go.limits.infinite));
    assert!(matches!(command("stop"), Command::Stop));
    assert!(matches!(command("ponderhit"), Command::PonderHit));
    assert!(matches!(command("debug on"), Command::Debug(true)));
    assert!(matches!(command("debug off"), Command::Debug(false)));
    assert!(matches!(command("quit"), Command::Quit));
    assert!(matches!(command("register later"), Command::Ignored));
    assert!(matches!(command("xboard"), Command::Ignored));
    assert!(matches!(command("bench"), Command::Bench(bench) if bench == Bench::default()));
    assert!(matches!(command("perft 5"), Command::Perft(5)));
    assert!(matches!(command("perft 0"), Command::Perft(0)));
    for (line, taken, message) in [
        ("perft 1000", 255, "perft 1000 is out of range; using 255"),
        ("perft -1", 0, "perft -1 is out of range; using 0"),
        ("perft 3.0", 3, "`perft`: \"3.0\" is read as 3"),
    ] {
        let parsed = Command::parse(line);
        assert!(matches!(parsed.command, Some(Command::Perft(depth)) if depth == taken), "{line}");
        assert_eq!(parsed.fault.map(|fault| fault.to_string()).as_deref(), Some(message));
    }
    assert!(matches!(command("d"), Command::Display));
    assert!(matches!(command("eval"), Command::Eval));
    assert!(matches!(command("flip"), Command::Flip));
    assert!(matches!(command("help"), Command::Help));
    assert!(matches!(command("license"), Command::License));
    assert!(matches!(command("compiler"), Command::Compiler));
}

#[test]
fn names_are_unique_and_explained() {
    let help = Command::help();
    for (index, spec) in COMMANDS.iter().enumerate() {
        assert!(COMMANDS[..index].iter().all(|other| other.name != spec.name), "{}", spec.name);
        assert_eq!(help.contains(&format!("  {} ", spec.name)), !spec.help.is_empty(), "{}", spec.name);
        assert!(Command::is_name(spec.name));
    }
    assert!(!Command::is_name("depth"));
}

#[test]
fn each_command_that_is_listed_can_be_asked_about() {
    for name in Command::names() {
        let usage = Command::usage(name).expect(name);
        assert!(usage.contains(&format!("\nUsage: vancura {name}")), "{usage}");
    }
    assert!(Command::usage("bench").is_some_and(|text| text.contains("bench [DEPTH]") && text.contains("DEPTH is 13")));
    assert!(Command::usage("go").is_some_and(|text| text.contains("LIMITS: ") && text.contains(" movetime")));
    assert!(["xboard", "--version", "depth", ""].iter().all(|name| Command::usage(name).is_none()));
}

#[test]
fn positions_keep_their_text() {
    assert_eq!(placed("position startpos"), (None, vec![]));
    assert_eq!(placed("position startpos moves e2e4 e7e5"), (None, vec!["e2e4", "e7e5"]));
    assert_eq!(placed("position startpos moves"), (None, vec![]));
    assert_eq!(placed("position  fen  8/8 w -\t- 0 1  moves  a1a2 "), (Some("8/8 w -\t- 0 1"), vec!["a1a2"]));
    assert_eq!(placed("position fen 8/8 w - -"), (Some("8/8 w - -"), vec![]));
}

#[test]
fn moves_may_have_what_stands_between_them_in_a_text() {
    for line in [
        "position startpos moves e2e4, e7e5;",
        "position startpos moves e2e4 ; e7e5\"",
        "position startpos moves e2e4 e7e5",
    ] {
        let Command::Position(position) = command(line) else { panic!("{line}") };
        let arranged = position.set_up().unwrap();
        assert!(arranged.fault.is_none(), "{line}: {:?}", arranged.fault);
        assert_eq!(arranged.position.board().fullmove_number(), 2, "{line}");
    }
}

#[test]
fn a_position_without_its_word_is_taken_for_a_fen() {
    assert_eq!(placed("position"), (Some(""), vec![]));
    assert_eq!(placed("position moves startpos"), (Some(""), vec!["startpos"]));
    assert_eq!(placed("position 8/8 w - - moves fen"), (Some("8/8 w - -"), vec!["fen"]));
}

#[test]
fn words_that_a_position_does_not_know_are_skipped_and_said() {
    for (line, word, moves) in [
        ("position startpos e2e4 e7e5", "e2e4", ""),
        ("position startpos move e2e4", "move", ""),
        ("position well startpos now moves e2e4", "well", "e2e4"),
        ("position startpos now moves e2e4", "now", "e2e4"),
    ] {
        let parsed = Command::parse(line);
        assert_eq!(parsed.fault.expect(line).to_string(), format!("`position`: unknown word {word:?} ignored"));
        let expected = PositionCommand { fen: None, moves };
        assert!(matches!(parsed.command, Some(Command::Position(command)) if command == expected), "{line}");
    }
    let parsed = Command::parse("position this fen 8/8 w - -");
    assert!(
        parsed.fault.is_some()
            && matches!(parsed.command, Some(Command::Position(command)) if command.fen == Some("8/8 w - -"))
    );
}

#[test]
fn unknown_words_before_a_command_are_skipped_and_said() {
    let parsed = Command::parse("joho  debug on");
    assert!(matches!(parsed.command, Some(Command::Debug(true))));
    assert_eq!(parsed.fault.unwrap().to_string(), "unknown command \"joho\"; `help` lists the commands");
    assert_eq!(fault("UCI"), "unknown command \"UCI\"; `help` lists the commands");
    assert_eq!(fault("a b c\0"), "unknown command \"a\"; `help` lists the commands");
}

#[test]
fn arguments_that_are_missing_or_wrong_are_said() {
    assert_eq!(fault("debug"), "`debug` needs `on` or `off`, not nothing");
    assert_eq!(fault("debug maybe"), "`debug` needs `on` or `off`, not \"maybe\"");
    assert_eq!(fault("perft"), "`perft` needs a number, not nothing");
    assert_eq!(fault("perft x"), "`perft` needs a number, not \"x\"");
    assert_eq!(fault("speedtest fast"), "`speedtest` needs a number, not \"fast\"");
    assert_eq!(fault("speedtest 1 16 long"), "`speedtest` needs a number, not \"long\"");
    assert_eq!(fault("bench deep"), "`bench` needs a number, not \"deep\"");
    assert!(fault("setoption").contains("`name`"));
}

#[test]
fn an_empty_line_is_nothing() {
    for line in ["", " ", "\t \r"] {
        let parsed = Command::parse(line);
        assert!(parsed.command.is_none() && parsed.fault.is_none());
    }
}

#[test]
fn a_line_of_a_megabyte_is_read() {
    let moves = "e2e4 ".repeat(200_000);
    assert_eq!(placed(&format!("position startpos moves {moves}")).1.len(), 200_000);
    let message = fault(&moves);
    assert!(message.len() < 200, "{message}");
}

proptest! {
    #[test]
    fn no_text_is_too_much(line in "\\PC*|(go|setoption|position|perft|bench|debug| |name|value|fen|moves|[a-z0-9 -])*") {
        let parsed = Command::parse(&line);
        prop_assert!(parsed.command.is_some() || parsed.fault.is_some() || line.trim_ascii().is_empty());
    }
}
