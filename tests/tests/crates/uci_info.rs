//! What `info` lines say, where a rule has to be checked with a board.

use movegen::{Board, Move, Position};
use tests::data::test_data;
use tests::session::Client;

const MIDDLE_GAME: &str = "r1bq1rk1/2pnbppp/p2p1n2/1p2p3/3PP3/1BP2N1P/PP3PP1/RNBQR1K1 w - - 1 11";

/// A scored line, read.
struct Info {
    text: String,
    words: Vec<String>,
}

impl Info {
    /// The word after `name`.
    fn get(&self, name: &str) -> Option<&str> {
        let index = self.words.iter().position(|word| word == name)?;
        self.words.get(index + 1).map(String::as_str)
    }

    fn number(&self, name: &str) -> Option<i64> {
        self.get(name)?.parse().ok()
    }

    fn is_bound(&self) -> bool {
        self.words.iter().any(|word| word.ends_with("bound"))
    }

    fn chances(&self) -> Option<[u32; 3]> {
        let index = self.words.iter().position(|word| word == "wdl")?;
        let numbers = self.words[index + 1..index + 4].iter().map(|word| word.parse().ok());
        numbers.collect::<Option<Vec<_>>>()?.try_into().ok()
    }

    fn line(&self) -> &[String] {
        let start = self.words.iter().position(|word| word == "pv").map_or(self.words.len(), |index| index + 1);
        &self.words[start..]
    }
}

/// The scored lines of a search and its best move.
fn search(client: &mut Client, go: &str) -> (Vec<Info>, String) {
    let lines = client.search(go);
    let best = lines.last().and_then(|line| line.split(' ').nth(1)).unwrap_or_default().to_owned();
    let scored = lines.into_iter().filter(|line| line.starts_with("info depth ") && line.contains(" score "));
    let read = |text: String| Info { words: text.split(' ').map(str::to_owned).collect(), text };
    (scored.map(read).collect(), best)
}

/// Plays a line and returns the positions in it, the first one included.
fn play(start: &Position, line: &[String]) -> Vec<Position> {
    let mut positions = vec![start.clone()];
    for text in line {
        let mut next = positions[positions.len() - 1].clone();
        let mv: Move = next.board().parse_uci(text).unwrap_or_else(|error| panic!("{line:?}: {error}"));
        next.play(mv);
        positions.push(next);
    }
    positions
}

fn position(fen: &str) -> Position {
    Position::from(Board::from_fen(fen).expect(fen))
}

#[test]
fn a4_the_move_at_hand_is_told_once_a_search_takes_long() {
    let mut client = Client::start();
    client.say("position startpos moves e2e4");
    assert!(!client.search("go nodes 20000").iter().any(|line| line.contains("currmove")));
    client.say("go infinite");
    let words = loop {
        let line = client.until("info depth ").pop().unwrap_or_default();
        if line.contains(" currmove ") {
            break line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        }
    };
    client.say("stop");
    client.until("bestmove");
    assert!(
        matches!(&words[..], [_, _, depth, _, mv, name, number]
        if depth.parse::<u32>().is_ok() && name == "currmovenumber" && (1..=20).contains(&number.parse::<u32>().unwrap())
            && position("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1").board().parse_uci(mv).is_ok()),
        "{words:?}"
    );
}

#[test]
fn a4_fields_are_integers_in_their_order() {
    const NAMES: [&str; 10] =
        ["depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "tbhits", "time", "pv"];
    for settings in ["", "setoption name UCI_ShowWDL value true", "setoption name Threads value 3"] {
        let mut client = Client::start();
        client.say(settings);
        client.say(&format!("position fen {MIDDLE_GAME}"));
        let (infos, best) = search(&mut client, "go nodes 30000");
        let mut last_depth = 0;
        for info in &infos {
            let places = NAMES.map(|name| info.words.iter().position(|word| word == name));
            assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{}", info.text);
            assert!(NAMES[..9].iter().all(|&name| name == "score" || info.number(name) >= Some(0)), "{}", info.text);
            assert!(info.number("cp").is_some() != info.number("mate").is_some(), "{}", info.text);
            assert!(info.number("seldepth") <= Some(246) && info.number("hashfull") <= Some(1000), "{}", info.text);
            assert!(info.number("depth") >= Some(last_depth), "{}", info.text);
            last_depth = info.number("depth").unwrap_or_default();
        }
        assert_eq!(infos.last().map(|info| info.line()[0].clone()), Some(best));
    }
}

#[test]
fn a4_cp_is_for_the_side_to_move_and_wdl_agrees_and_sums_to_a_thousand() {
    let mut client = Client::start();
    client.say("setoption name UCI_ShowWDL value true");
    for (fen, sign) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0),
        ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 1),
        ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", -1),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1", 1),
    ] {
        client.say(&format!("position fen {fen}"));
        for info in search(&mut client, "go nodes 3000").0 {
            let [win, draw, loss] = info.chances().unwrap_or_else(|| panic!("{}", info.text));
            assert_eq!(win + draw + loss, 1000, "{}", info.text);
            let cp = info.number("cp").expect("no mate here");
            assert!(sign == 0 || cp.signum() == sign, "{}", info.text);
            assert!(cp.signum() * (i64::from(win) - i64::from(loss)).signum() >= 0, "{}", info.text);
            // A hundred is the point at which half of the games are won.
            let share = win.max(loss);
            assert!(cp.abs() > 95 || share <= 505, "{}", info.text);
            assert!(cp.abs() < 105 || share >= 495, "{}", info.text);
        }
    }
}

#[test]
fn a4_mates_are_counted_in_moves_and_shown_to_their_end() {
    let mut client = Client::start();
    for (fen, moves) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
        ("k7/8/2K5/8/8/8/8/7R w - - 0 1", 2),
        ("k7/8/1K6/8/8/8/8/7R b - - 0 1", -1),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2),
    ] {
        for settings in ["MultiPV value 1", "MultiPV value 3", "Threads value 3"] {
            client.say("ucinewgame");
            client.say(&format!("setoption name {settings}"));
            client.say(&format!("position fen {fen}"));
            let (infos, best) = search(&mut client, "go depth 14");
            let last = infos.iter().rfind(|info| info.number("multipv") == Some(1)).expect("a line");
            assert_eq!(last.number("mate"), Some(moves), "{fen}, {settings}: {}", last.text);
            assert_eq!(last.line()[0], best);
            for info in infos.iter().filter(|info| !info.is_bound()) {
                let Some(mate) = info.number("mate") else { continue };
                let plies = if mate > 0 { 2 * mate - 1 } else { -2 * mate };
                assert_eq!(info.line().len() as i64, plies, "{fen}, {settings}: {}", info.text);
                let positions = play(&position(fen), info.line());
                let end = positions[positions.len() - 1].board();
                assert!(end.in_check() && !end.has_legal_move(), "{fen}, {settings}: {}", info.text);
            }
            client.say("setoption name MultiPV value 1");
            client.say("setoption name Threads value 1");
        }
    }
}

#[test]
fn a4_no_mate_is_claimed_from_a_bound() {
    let mut client = Client::start();
    for fen in ["Q7/8/4Nk2/K7/8/8/8/8 w - - 0 1", "8/K7/b3k3/6r1/8/8/8/8 b - - 0 1", "8/8/3k4/8/8/3KQ3/8/8 w - - 0 1"] {
        // A search that is cut short anywhere.
        for nodes in (200..20_000).step_by(700) {
            client.say(&format!("position fen {fen}"));
            let (infos, _) = search(&mut client, &format!("go nodes {nodes}"));
            for info in infos.iter().filter(|info| info.is_bound()) {
                assert_eq!(info.number("mate"), None, "{}", info.text);
            }
        }
    }
}

#[test]
fn a4_tables_score_twenty_thousand_less_the_way_there_and_a_draw_is_certain() {
    let Some(data) = test_data("scores from Syzygy tables") else { return };
    let mut client = Client::start();
    client.say("setoption name UCI_ShowWDL value true");
    client.say(&format!("setoption name SyzygyPath value {}", data.join("syzygy").display()));
    for (fen, score, chances) in [
        ("8/8/3k4/8/8/3K4/3B4/6n1 w - - 0 1", 0, [0, 1000, 0]),
        ("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", 0, [0, 1000, 0]),
        ("8/8/8/8/3k4/8/3P4/3KR3 w - - 0 1", 1, [1000, 0, 0]),
        ("8/8/8/8/3k4/8/3P4/3KR3 b - - 0 1", -1, [0, 0, 1000]),
    ] {
        client.say(&format!("position fen {fen}"));
        let (infos, _) = search(&mut client, "go depth 4");
        let last = infos.last().expect("a line");
        match (last.number("cp"), last.number("mate")) {
            (Some(cp), _) if score == 0 => assert_eq!(cp, 0, "{}", last.text),
            (Some(cp), _) => assert!(cp.signum() == score && (19_750..=20_000).contains(&cp.abs()), "{}", last.text),
            (None, mate) => assert_eq!(mate.map(i64::signum), Some(score), "{}", last.text),
        }
        assert_eq!(last.chances(), Some(chances), "{}", last.text);
    }
}

#[test]
fn a4_tables_lead_to_the_mate_and_a_win_that_comes_too_late_is_a_draw() {
    let Some(data) = test_data("lines from Syzygy tables") else { return };
    let mut client = Client::start();
    client.say("setoption name UCI_ShowWDL value true");
    client.say(&format!("setoption name SyzygyPath value {}", data.join("syzygy").display()));
    let fen = "8/8/8/8/8/1k6/8/K6R w - - 0 1";
    client.say(&format!("position fen {fen}"));
    let (infos, _) = search(&mut client, "go depth 3");
    for info in &infos {
        let positions = play(&position(fen), info.line());
        let end = positions[positions.len() - 1].board();
        assert!(end.in_check() && !end.has_legal_move(), "{}", info.text);
        assert!(info.line().len() % 2 == 1, "White mates: {}", info.text);
    }
    for (rule, chances) in [("true", [0, 1000, 0]), ("false", [1000, 0, 0])] {
        client.say(&format!("setoption name Syzygy50MoveRule value {rule}"));
        client.say("position fen 8/8/8/8/8/1k6/8/K6R w - - 90 120");
        let (infos, _) = search(&mut client, "go depth 3");
        let last = infos.last().expect("a line");
        assert_eq!(last.chances(), Some(chances), "{}", last.text);
        assert_eq!(last.number("cp") == Some(0), rule == "true", "{}", last.text);
    }
}

#[test]
fn a4_lines_are_legal_and_end_with_the_game() {
    for start in [
        "startpos",
        "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3",
        &format!("fen {MIDDLE_GAME}"),
        "fen 8/8/8/3k4/8/8/4R3/4K3 w - - 92 90",
        "fen 8/8/8/3k4/8/3p4/4R3/4K3 b - - 95 90",
        "fen 7k/8/8/8/8/5q2/7K/8 b - - 10 80",
        "fen 8/8/4k3/8/8/4K3/4P3/8 w - - 3 60",
        "fen bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/RKRNBBQN w CAge - 0 1",
    ] {
        let mut client = Client::start();
        client.say("setoption name MultiPV value 2");
        client.say("setoption name UCI_Chess960 value true");
        client.say(&format!("position {start}"));
        let root = match start.split_once(" moves ") {
            Some((_, moves)) => {
                let moves: Vec<_> = moves.split_ascii_whitespace().map(str::to_owned).collect();
                play(&Position::start(), &moves).pop().expect("the last position")
            }
            None => start.strip_prefix("fen ").map_or_else(Position::start, position),
        };
        let (infos, best) = search(&mut client, "go nodes 20000");
        assert!(infos.iter().any(|info| info.line().first() == Some(&best)));
        for info in infos {
            assert!(!info.line().is_empty(), "{}", info.text);
            let positions = play(&root, info.line());
            for before_end in &positions[1..positions.len() - 1] {
                let board = before_end.board();
                assert!(board.has_legal_move() && before_end.earlier_occurrences() < 2, "{start}: {}", info.text);
                assert!(board.halfmove_clock() < 100, "{start}: {}", info.text);
            }
        }
    }
}

#[test]
fn a4_all_lines_of_a_depth_come_together_with_one_time_and_count() {
    for threads in [1, 3] {
        let mut client = Client::start();
        client.say(&format!("setoption name Threads value {threads}"));
        client.say("setoption name MultiPV value 4");
        client.say(&format!("position fen {MIDDLE_GAME}"));
        let (infos, best) = search(&mut client, "go depth 9");
        assert_eq!(infos.len() % 4, 0);
        for lines in infos.chunks(4) {
            let ranks: Vec<_> = lines.iter().filter_map(|info| info.number("multipv")).collect();
            assert_eq!(ranks, [1, 2, 3, 4]);
            for name in ["depth", "nodes", "time", "nps", "hashfull", "tbhits"] {
                assert!(lines.iter().all(|info| info.get(name) == lines[0].get(name)), "{name}: {}", lines[0].text);
            }
            let worth = |info: &Info| info.number("cp").or(info.number("mate").map(|mate| 100_000 * mate.signum()));
            assert!(lines.is_sorted_by(|a, b| worth(a) >= worth(b)), "{}", lines[0].text);
        }
        assert_eq!(infos[infos.len() - 4].line()[0], best);
    }
}

#[test]
fn a4_nothing_but_scored_lines_comes_in_a_search() {
    let mut client = Client::start();
    client.say(&format!("position fen {MIDDLE_GAME}"));
    let lines = client.search("go nodes 50000");
    assert!(lines[..lines.len() - 1].iter().all(|line| line.starts_with("info depth ")), "{lines:?}");
}
