use pgn::EngineScore;

use super::*;

const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn commands_are_split_as_a_shell_does() {
    let program = |words: &[&str]| Ok(EngineCommand::Program(words.iter().map(ToString::to_string).collect()));
    assert_eq!("self".parse(), Ok(EngineCommand::Own));
    assert_eq!("stockfish".parse(), program(&["stockfish"]));
    assert_eq!("nice -n 5 'my engine' --x".parse(), program(&["nice", "-n", "5", "my engine", "--x"]));
    for text in ["", " ", "''", "'open"] {
        assert_eq!(text.parse::<EngineCommand>(), Err(EngineCommandError(text.to_owned())));
    }
}

#[test]
fn our_own_engine_answers_within_the_process() {
    let mut client = UciClient::start(&EngineCommand::Own, PATIENCE).unwrap();
    assert!(client.name().starts_with("Vancura "));
    assert!(client.has_option("hash") && client.has_option("UCI_Chess960") && !client.has_option("none"));
    client.set_option("Hash", "1");
    client.wait_until_ready(PATIENCE).unwrap();
    let mut heard = 0;
    let position = "position fen 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";
    let answer = client.search(position, "go depth 3", PATIENCE, |_, _| heard += 1).unwrap();
    assert_eq!((&answer.best[..], answer.info.score), ("d1d8", Some(EngineScore::Mate(1))));
    assert!(heard > 0);
    let silent = client.search("position startpos", "go infinite", Duration::from_millis(50), |_, _| {});
    assert!(matches!(silent, Err(UciError::Silent { awaited: "bestmove", .. })));
    assert!(client.stop(PATIENCE));
    let answer = client.search("position startpos", "go nodes 100", PATIENCE, |_, _| {}).unwrap();
    assert_eq!(answer.best.len(), 4);
    // Left alone in the middle of a search, it ends with its client.
    client.send("go infinite");
}

#[test]
fn an_interruption_ends_all_waiting() {
    let (sender, interruption) = Interruption::channel();
    let mut client = UciClient::start_until(interruption.clone(), &EngineCommand::Own, PATIENCE).unwrap();
    let mut sender = Some(sender);
    let result = client.search("position startpos", "go infinite", PATIENCE, |_, _| drop(sender.take()));
    assert!(matches!(result, Err(UciError::Interrupted)));
    // What was said before the end of the waiting may still be heard.
    assert!(matches!(client.wait_until_ready(PATIENCE), Ok(()) | Err(UciError::Interrupted)));
    let another = UciClient::start_until(interruption, &EngineCommand::Program(vec!["cat".to_owned()]), PATIENCE);
    assert!(matches!(another, Err(UciError::Interrupted | UciError::Start(_))));
}

#[cfg(unix)]
#[test]
fn no_engine_keeps_its_client_waiting() {
    let start = |script: &str| {
        let command = EngineCommand::Program(["sh", "-c", script].map(str::to_owned).to_vec());
        UciClient::start(&command, Duration::from_millis(300))
    };
    assert!(matches!(start("exit 3"), Err(UciError::Gone(Some(status))) if status.code() == Some(3)));
    assert!(matches!(start("sleep 100"), Err(UciError::Silent { awaited: "uciok", .. })));
    assert!(matches!(start("exec yes garbage"), Err(UciError::Silent { .. })));
    assert!(matches!(start("exec cat /dev/zero"), Err(UciError::Silent { .. })));
    let missing = UciClient::start(&EngineCommand::Program(vec!["/no/such/engine".to_owned()]), PATIENCE);
    assert!(matches!(missing, Err(UciError::Start(_))));
    // It reads nothing, so its input fills up.
    let mut deaf = start("echo uciok; exec sleep 100").unwrap();
    for _ in 0..100 {
        deaf.send(&"x".repeat(10_000));
    }
    let silent = deaf.search("position startpos", "go", Duration::from_millis(50), |_, _| {});
    assert!(matches!(silent, Err(UciError::Silent { .. })));
}
