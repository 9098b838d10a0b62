//! Sessions in memory: what they answer to lines and bytes.

use std::io;
use std::sync::Mutex;

use eval::Network;
use eval::network::PAYLOAD_LEN;
use movegen::Board;

use super::*;

mod queue;

/// An output that can be read while the session owns it.
#[derive(Clone, Default)]
struct Buffer(Arc<Mutex<Vec<u8>>>);

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Buffer {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

/// What a session answers to these bytes, up to the end of its input.
fn answer(input: impl AsRef<[u8]>) -> String {
    let buffer = Buffer::default();
    Session::new(buffer.clone()).run(input.as_ref());
    buffer.text()
}

/// The FEN that `d` shows after these lines.
fn fen_after(input: &str) -> String {
    let text = answer(format!("{input}\nd\n"));
    text.lines().find_map(|line| line.strip_prefix("Fen: ")).unwrap_or_else(|| panic!("{text}")).to_owned()
}

#[test]
fn uci_introduces_and_says_nothing_else() {
    let text = answer("uci\nquit\nisready\n");
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].starts_with("id name Vancura "), "{text}");
    assert!(lines[1].starts_with("id author "), "{text}");
    assert_eq!(lines.last(), Some(&"uciok"));
    assert_eq!(lines[2..].iter().filter(|line| line.starts_with("option name ")).count(), lines.len() - 3);
}

#[test]
fn openings_for_openbench_are_balanced_different_and_repeatable() {
    let openings = |line: &str| -> Vec<String> {
        let text = answer(line);
        let fens = text.lines().map(|line| line.strip_prefix("info string genfens ").expect(line).to_owned());
        fens.collect()
    };
    let first = openings("genfens 5 seed 3 book None\n");
    assert_eq!(first, openings("genfens 5 seed 3\n"));
    assert!(first.iter().all(|fen| Board::from_fen(fen).is_ok_and(|board| board.has_legal_move())), "{first:?}");
    assert_eq!(first.iter().collect::<std::collections::HashSet<_>>().len(), 5);
    assert_ne!(first, openings("genfens 5 seed 4 book None extra words\n"));
    assert!(openings("genfens 0 seed 1\n").is_empty());
    assert!(answer("genfens\n").starts_with("info string error: `genfens` needs a number"));
    assert!(answer("genfens 1 seed 1 book no/such.epd\n").starts_with("info string error: cannot use"));
}

#[test]
fn tuned_numbers_are_printed_for_openbench() {
    let text = answer("spsa\n");
    assert!(text.lines().count() > 30, "{text}");
    for line in text.lines() {
        let fields: Vec<_> = line.split(", ").collect();
        assert!(fields.len() == 7 && fields[1] == "int" && !fields[0].contains(' '), "{line}");
        let [value, least, greatest] = [2, 3, 4].map(|index: usize| fields[index].parse::<f64>().unwrap());
        assert!(least <= value && value <= greatest, "{line}");
    }
}

#[test]
#[cfg(feature = "tune")]
fn a_build_for_tuning_takes_numbers_as_options() {
    let text = answer("uci\nsetoption name lmr_base value 12\nsetoption name lmr_base value many\n");
    assert!(text.contains("option name lmr_base type spin default "), "{text}");
    assert!(text.ends_with("info string error: `lmr_base` needs a number, not \"many\"\n"), "{text}");
}

#[test]
fn the_network_can_be_written_and_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a network.nnue");
    let text = answer(format!(
        "export_net {0}\nsetoption name EvalFile value {0}\nsetoption name EvalFile value none\ngo depth 1\n",
        path.display()
    ));
    assert!(text.starts_with("info string network written to "), "{text}");
    assert!(text.contains("info string error: cannot use \"none\"") && text.contains("bestmove "), "{text}");
    assert_eq!(std::fs::read(&path).unwrap(), Network::embedded().to_bytes());
}

#[test]
fn the_bench_is_that_of_the_network_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("even.nnue");
    // To this network every position is even.
    let network = Network::from_payload(&vec![0; PAYLOAD_LEN]).unwrap();
    std::fs::write(&path, network.to_bytes()).unwrap();
    let nodes = |text: &str| text.lines().last().and_then(|line| line.split(' ').next()?.parse::<u64>().ok());
    let embedded = nodes(&answer("bench 3\n"));
    let other = nodes(&answer(format!("setoption name EvalFile value {}\nbench 3\n", path.display())));
    assert!(embedded.is_some() && other.is_some() && embedded != other, "{embedded:?}, {other:?}");
    assert_eq!(nodes(&answer("bench 3\n")), embedded);
}

#[test]
fn the_signature_is_that_of_the_bench() {
    if option_env!("EVALFILE").is_some() {
        println!("skipped: built with another network");
        return;
    }
    let text = answer("bench\n");
    let nodes = text.lines().last().and_then(|line| line.split(' ').next()?.parse().ok());
    assert_eq!(nodes, Some(crate::BENCH_SIGNATURE), "the play has changed: so must BENCH_SIGNATURE");
}

#[test]
fn stockfishs_bench_is_understood() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.epd");
    std::fs::write(&path, "4k3/8/8/8/8/8/4P3/4K3 w - -\n8/8/8/8/8/4k3/4p3/4K3 b - - 0 1\n").unwrap();
    let path = path.display();
    let lines = |line: &str| {
        let text = answer(format!("position startpos moves e2e4\n{line}\n"));
        let (last, before) =
            text.trim_end().rsplit_once('\n').map(|(rest, last)| (last.to_owned(), rest.to_owned())).unwrap();
        assert!(before.lines().last().unwrap().starts_with("Nodes/second    : "), "{text}");
        let nodes = last.split(' ').next().unwrap().parse::<u64>().unwrap();
        (nodes, text.lines().count() - 2)
    };
    assert_eq!(lines("bench 16 1 3 default depth"), lines("bench 3"));
    assert_eq!(lines("bench 1 1 2 current perft mixed"), (600, 1));
    assert_eq!(lines(&format!("bench 16 1 1 {path} perft")), (6 + 5, 2));
    assert_eq!(lines("bench 16 1 1 default eval"), (48, 48));
    let (nodes, positions) = lines(&format!("bench 16 2 500 {path} nodes classical"));
    assert!(nodes > 0 && positions == 2);
    assert_eq!(lines("bench 16 1 1 current movetime").1, 1);
    assert!(answer("bench 16 1 3 no/such/file depth\n").starts_with("info string error: cannot use \"no/such/file\""));
    assert!(answer("position none\nbench 16 1 3 current\n").ends_with("info string error: no valid position is set\n"));
}

#[test]
fn a_book_that_repeats_is_left_by_whoever_is_better() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one move.bin");
    // The start of the game, g1f3, weight 1: as the format's description has its key.
    let entry = [&0x463b_9618_1691_fc9c_u64.to_be_bytes()[..], &405_u16.to_be_bytes(), &[0, 1], &[0; 4]].concat();
    std::fs::write(&path, entry).unwrap();
    let shuffle = " g1f3 g8f6 f3g1 f6g8";
    // What a draw is worth says who would be better off with one.
    for (contempt, times, is_from_book) in [(100, 0, true), (100, 1, true), (100, 2, false), (-100, 2, true)] {
        let text = answer(format!(
            "setoption name OwnBook value true\nsetoption name BookFile value {}\nsetoption name Contempt value \
             {contempt}\nposition startpos moves{}\ngo depth 3\n",
            path.display(),
            shuffle.repeat(times)
        ));
        let book = "info depth 1 score cp 0 nodes 0 time 0 pv g1f3\nbestmove g1f3\n";
        assert_eq!(text == book, is_from_book, "{contempt}, {times}: {text}");
        assert_eq!(text.matches("bestmove ").count(), 1, "{text}");
    }
}

#[test]
fn a_log_holds_both_sides_of_the_conversation() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.txt");
    answer(format!("setoption name Debug Log File value {}\nisready\n\0odd\nquit\n", path.display()));
    let log = std::fs::read_to_string(&path).unwrap();
    assert!(log.starts_with(">> isready\n<< readyok\n>> \0odd\n<< info string error: "), "{log}");
    assert!(log.ends_with(">> quit\n"), "{log}");
    assert!(answer("setoption name Debug Log File value /no/such/folder\n").starts_with("info string error: "));
}

#[test]
fn a_speed_test_takes_its_arguments_in_order() {
    let text = answer("speedtest 2 3 1\n");
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].starts_with("2 threads, 3 MiB, "), "{text}");
    assert!(lines[1].contains(" nodes ") && lines[1].ends_with(" nps"), "{text}");
}

#[test]
fn any_line_end_and_a_byte_order_mark_are_read() {
    assert_eq!(answer(b"\xEF\xBB\xBFisready\r\n\tisready \n\nisready"), "readyok\n".repeat(3));
}

#[test]
fn silent_commands_are_silent_when_idle() {
    assert_eq!(answer("stop\nponderhit\nregister later\nxboard\ndebug off\nposition startpos\nucinewgame\nstop\n"), "");
    assert_eq!(answer("setoption name Ponder value true\nsetoption name Clear Hash\n"), "");
}

#[test]
fn garbage_is_named_once_and_survived() {
    let text = answer(b"\xFF\xFE\0\x01 garbage\n\0\nisready\n");
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[..2].iter().all(|line| line.starts_with("info string error: unknown command ")), "{text}");
    assert_eq!(lines[2], "readyok");
}

#[test]
fn debug_repeats_what_comes() {
    assert_eq!(
        answer("debug on\nisready\ndebug off\nisready\n"),
        "info string received isready\nreadyok\ninfo string received debug off\nreadyok\n"
    );
}

#[test]
fn positions_are_set_and_played_on() {
    assert_eq!(fen_after(""), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(
        fen_after("position startpos moves e2e4 c7c5 g1f3"),
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"
    );
    assert_eq!(
        fen_after("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - moves e1g1 e8a8"),
        "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2"
    );
}

#[test]
fn a_position_that_cannot_be_read_leaves_none() {
    let before = "position startpos moves d2d4\n";
    let (start, after_d4, after_e4) = (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    );
    for (line, reason, shown) in [
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "error: FEN: ", after_d4),
        ("position fen", "error: FEN: ", after_d4),
        ("position", "error: FEN: ", after_d4),
        ("position nowhere", "error: FEN: ", after_d4),
        ("position startpos moves e7e5 d2d4", "error: move 1: ", start),
        ("position startpos moves e2e4 e7e4 d2d4", "error: move 2: ", after_e4),
        ("position startpos moves e2e4 \0", "error: move 2: ", after_e4),
    ] {
        let text = answer(format!("{before}{line}\ngo depth 1\neval\nflip\nperft 1\ngo perft 2\nd\nisready\n"));
        let lines: Vec<_> = text.lines().collect();
        assert!(lines[0].starts_with(&format!("info string {reason}")), "{text}");
        let refusal = "info string error: no valid position is set";
        let count = ["", "Nodes searched: 0", "", refusal];
        assert_eq!(lines[1..4], [refusal, "info depth 0 score cp 0", "bestmove (none)"]);
        assert_eq!(lines[4..7], ["Final evaluation: none (no valid position)", refusal, refusal]);
        assert_eq!((&lines[7..11], &lines[11..15]), (&count[..], &count[..]), "{text}");
        // For the eye, the last legal board is shown all the same.
        assert_eq!(lines[15], "info string error: no valid position is set; this is the last legal one");
        assert!(lines[16..].contains(&&format!("Fen: {shown}")[..]), "{text}");
        assert_eq!(lines.last(), Some(&"readyok"));
    }
    assert!(fen_after("position nowhere\nposition startpos").starts_with("rnbqkbnr/pppppppp"));
}

#[test]
fn what_is_changed_in_a_fen_is_said() {
    let text = answer("position fen 4k3/8/8/8/8/8/8/4K2R w KQkq e3 0 1 junk\nisready\n");
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(lines[0].starts_with("info string warning: FEN: "), "{text}");
}

#[test]
fn perft_divides() {
    let text = answer("go perft 2\n");
    assert_eq!(text.lines().filter(|line| line.ends_with(": 20")).count(), 20);
    assert!(text.contains("\ne2e4: 20\n"));
    assert!(text.ends_with("\n\nNodes searched: 400\n\n"), "{text:?}");
    assert_eq!(answer("perft 2\n"), text);
    assert_eq!(answer("position fen 7k/5Q2/6K1/8/8/8/8/8 b - -\nperft 3\n"), "\nNodes searched: 0\n\n");
    // The position itself is the only sequence of no moves.
    assert_eq!(answer("go perft 0\nperft 0\n"), "\nNodes searched: 1\n\n".repeat(2));
    let below = "info string warning: perft -1 is out of range; using 0\n\nNodes searched: 1\n\n";
    assert_eq!(answer("perft -1\n"), below);
}

#[test]
fn castling_is_written_as_the_position_needs() {
    let moves = |input: &str| answer(format!("{input}\nperft 1\n"));
    let normal = "position fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    assert!(moves(normal).contains("\ne1g1: 1\n"));
    let chess960 = moves(&format!("setoption name UCI_Chess960 value true\n{normal}"));
    assert!(chess960.contains("\ne1h1: 1\n") && chess960.contains("\ne1a1: 1\n"));
    assert!(moves("position fen 4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1").contains("\nf1g1: 1\n"));
}

#[test]
fn flip_exchanges_the_sides_and_back() {
    for fen in [
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 3 9",
        "nnqrbbkr/pppppppp/8/8/8/8/PPPPPPPP/NNQRBBKR w HDhd - 0 1",
    ] {
        let (once, never) = (format!("position fen {fen}\nflip"), format!("position fen {fen}"));
        assert_ne!(fen_after(&once), fen_after(&never));
        assert_eq!(fen_after(&format!("{once}\nflip")), fen_after(&never));
    }
    assert_eq!(
        fen_after("position startpos moves e2e4\nflip"),
        "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    );
}

#[test]
fn texts_for_people_are_there() {
    assert!(answer("help\n").contains("\n  position startpos|fen F"));
    assert!(answer("license\n").contains("General Public License"));
    assert!(answer("compiler\n").contains("rustc"));
    assert!(answer("eval\n").contains("\nEvaluation: "));
}

#[test]
fn options_at_fault_are_named_and_survived() {
    let text = answer(
        "setoption name Hash value lots\nsetoption name Nonsense value 1\nsetoption name MultiPV value 0\n\
         setoption name Move Overhead value 99999\nsetoption\nisready\n",
    );
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 6, "{text}");
    assert!(lines[..2].iter().all(|line| line.starts_with("info string error: ")), "{text}");
    assert!(lines[2..4].iter().all(|line| line.starts_with("info string warning: ")), "{text}");
}

#[test]
fn a_script_ends_at_quit() {
    let buffer = Buffer::default();
    let mut session = Session::new(buffer.clone());
    assert!(session.run_script(["isready", "quit", "isready"]).is_break());
    assert_eq!(*buffer.0.lock().unwrap(), b"readyok\n");
    assert!(session.run_script(["isready"]).is_break());
}

#[test]
fn a_broken_output_ends_the_session() {
    struct Broken;
    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    // The input never ends: only the broken output lets the session return.
    Session::new(Broken).run(io::BufReader::new(Forever));
    struct Forever;
    impl io::Read for Forever {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            let line = b"isready\n";
            bytes[..line.len()].copy_from_slice(line);
            Ok(line.len())
        }
    }
}

#[test]
fn a_stop_ends_work_that_takes_long_and_nothing_else_does() {
    let position = "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    for (command, name) in [
        ("go perft 30", "perft"),
        ("perft 200", "perft"),
        ("bench 100", "bench"),
        ("speedtest 1 1 10000", "speedtest"),
        ("genfens 1000000000 seed 1", "genfens"),
    ] {
        let text = answer(format!("{position}\n{command}\nunknown\n\nstop\nisready\n"));
        let last: Vec<_> = text.lines().rev().take(2).collect();
        assert_eq!(last, ["readyok", &format!("info string {name} stopped")], "{command}");
        assert!(!text.contains("bestmove"), "{text}");
    }
    // Whatever else comes waits, so that scripts get their results.
    for end in ["quit\n", "", "isready\n", "position startpos\n", "go perft 1\n"] {
        assert!(answer(format!("{position}\ngo perft 3\n{end}")).contains("\nNodes searched: 97862\n"), "{end}");
    }
    // A stop that comes late stops nothing.
    assert!(answer("perft 1\nisready\nstop\nperft 2\n").contains("\nNodes searched: 400\n"));
}

/// What a session answers to these lines, each carried out to its end.
fn script(lines: &[&str]) -> String {
    let buffer = Buffer::default();
    assert!(Session::new(buffer.clone()).run_script(lines).is_break());
    let bytes = buffer.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_dead_position_is_a_draw_for_all_that_are_asked() {
    for fen in ["8/8/k7/p1p1p1p1/P1P1P1P1/3B4/8/K7 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"] {
        let position = format!("position fen {fen}");
        let options = ["setoption name UCI_ShowWDL value true", "setoption name Contempt value 50"];
        let text = script(&[options[0], options[1], &position, "d", "eval", "go depth 3"]);
        assert!(text.contains("; the position is dead\n"), "{text}");
        assert!(text.contains("\nEvaluation: +0.00 pawns for White (the position is dead), "), "{text}");
        let lines: Vec<_> = text.lines().filter(|line| line.starts_with("info depth ")).collect();
        assert!(!lines.is_empty() && lines.iter().all(|line| line.contains(" score cp 0 wdl 0 1000 0 ")), "{text}");
    }
}

#[test]
fn another_contempt_forgets_what_draws_were_worth() {
    let nodes = |lines: &[&str]| {
        let text = script(lines);
        let last = text.lines().rfind(|line| line.starts_with("info depth 7 ")).expect("it is searched").to_owned();
        last.split_once(" nodes ").and_then(|(_, rest)| rest.split(' ').next()?.parse::<u64>().ok()).expect("a count")
    };
    let (contempt, go) = ("setoption name Contempt value 9", "go depth 7");
    assert_eq!(nodes(&[go, contempt, go]), nodes(&[contempt, go]));
    assert_ne!(nodes(&[contempt, go, contempt, go]), nodes(&[contempt, go]), "the same value forgets nothing");
}
