//! `vancura analyse` in this process, at toy limits: what goes in, what comes out, and that nothing is lost between.

mod positions;
mod resumed;
mod review;
mod tables;

use std::ffi::OsString;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use analysis::model::{BrokenGame, Document, FindingKind, Game, Judgement, SCHEMA};
use analysis::{AnalyseArguments, AnalyseError, run_until};
use clap::Parser;
use pgn::{EngineScore, NodeId, PgnGame, PgnReader};
use tempfile::TempDir;

#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    arguments: AnalyseArguments,
}

/// A folder with a file of games, and the command on it.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new(games: impl AsRef<[u8]>) -> Self {
        let bench = Self { folder: tempfile::tempdir().expect("a folder") };
        fs::write(bench.path("in.pgn"), games).expect("a file");
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn games(&self, name: &str) -> Vec<PgnGame> {
        let text = self.read(name);
        PgnReader::new(text.as_bytes()).map(|game| game.unwrap_or_else(|error| panic!("{error}"))).collect()
    }

    fn document(&self, name: &str) -> Document {
        serde_json::from_str(&self.read(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Runs with these arguments; those that begin with `@` are files of the folder.
    fn run_until(&self, arguments: &[&str], stop: &AtomicBool) -> Result<(), AnalyseError> {
        let arguments = arguments.iter().map(|argument| match argument.strip_prefix('@') {
            Some(name) => self.path(name).into_os_string(),
            None => argument.into(),
        });
        let line = CommandLine::try_parse_from([OsString::from("analyse")].into_iter().chain(arguments));
        run_until(&line.unwrap_or_else(|error| panic!("{error}")).arguments, stop)
    }

    fn run(&self, arguments: &[&str]) -> Result<(), AnalyseError> {
        self.run_until(arguments, &AtomicBool::new(false))
    }

    /// Analyses the games to `out.pgn`, `out.json` and `out.html`.
    fn analyse(&self, more: &[&str]) -> Document {
        let arguments = [&["@in.pgn", "-o", "@out.pgn", "--json", "@out.json", "--html", "@out.html"], more].concat();
        self.run(&arguments).unwrap_or_else(|error| panic!("{error}"));
        self.document("out.json")
    }
}

const TOY: [&str; 2] = ["--nodes", "60"];

/// Ten games with bad moves, comments and variations.
fn ten_games() -> String {
    let games = [
        "1. e4 {[%clk 0:05:00] the best} e5 2. Nf3 $1 (2. f4 exf4 (2... d5) 3. Nf3) Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 *",
        "1. f3 e5 2. g4 Qh4# 0-1",
        "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Nbd7 5. cxd5 exd5 6. Nxd5 Nxd5 7. Bxd8 Bb4+ 8. Qd2 Bxd2+ 9. Kxd2 Kxd8 0-1",
        "[FEN \"7k/8/5K2/6Q1/8/8/8/8 w - - 0 1\"]\n\n1. Qg6 1/2-1/2",
        "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 e5 1/2-1/2",
    ];
    (0..10).map(|number| format!("[Event \"{number}\"]\n{}\n\n", games[number % games.len()])).collect()
}

fn moves(game: &PgnGame) -> Vec<String> {
    game.tree.main_moves().map(|mv| mv.to_string()).collect()
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let bench = Bench::new(ten_games());
    bench.analyse(&[&TOY[..], &["--multipv", "2", "--threads", "1"]].concat());
    let [pgn, json, html] = ["out.pgn", "out.json", "out.html"].map(|name| bench.read(name));
    for threads in ["2", "5"] {
        bench.analyse(&[&TOY[..], &["--multipv", "2", "--threads", threads]].concat());
        assert_eq!(bench.read("out.pgn"), pgn, "{threads} threads");
        assert_eq!(bench.read("out.json"), json, "{threads} threads");
        assert!(bench.read("out.html") == html, "{threads} threads");
    }
}

#[test]
fn nothing_of_a_game_is_lost() {
    let bench = Bench::new(ten_games());
    let document = bench.analyse(&TOY);
    let (before, after) = (bench.games("in.pgn"), bench.games("out.pgn"));
    assert_eq!((before.len(), document.games.len()), (10, 10));
    for ((before, after), game) in before.iter().zip(&after).zip(&document.games) {
        assert_eq!(moves(before), moves(after));
        assert_eq!(before.result, after.result);
        let uci: Vec<_> = game.moves.iter().map(|mv| mv.uci.clone()).collect();
        assert_eq!(uci, moves(before), "no game of these castles");
        assert!(before.tags.iter().all(|(name, value)| after.tags.get(name) == Some(value)));
        for ((id, _), (old, _)) in after.tree.main_line().zip(before.tree.main_line()) {
            let (node, old_node) = (after.tree.node(id), before.tree.node(old));
            assert!(node.comment.starts_with(&old_node.comment) && node.nags.starts_with(&old_node.nags));
            assert_eq!(node.clock, old_node.clock);
            let board = after.tree.board(id);
            assert!(node.evaluation.is_some() || !board.has_legal_move() && board.in_check());
            let siblings = |game: &PgnGame, id| game.tree.parent(id).map(|parent| game.tree.children(parent).count());
            assert!(siblings(after, id) >= siblings(before, old));
        }
    }
}

#[test]
fn openings_are_named() {
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let games =
        format!("1. c4 e6 2. Nc3 d5 3. d4 Nf6 *\n\n[ECO \"E00\"]\n\n1. d4 Nf6 *\n\n[FEN \"{fen}\"]\n\n2. Nf3 *\n");
    let bench = Bench::new(games);
    let document = bench.analyse(&TOY);
    let names: Vec<_> =
        document.games.iter().map(|game| game.opening.as_ref().map(|opening| &opening.eco[..])).collect();
    assert_eq!(names, [Some("D35"), Some("A45"), None]);
    let tags: Vec<_> = bench
        .games("out.pgn")
        .iter()
        .map(|game| ["ECO", "Opening"].map(|name| game.tags.get(name).map(str::to_owned)))
        .collect();
    let text = |text: &str| Some(text.to_owned());
    let declined = text("Queen's Gambit Declined: Normal Defense");
    assert_eq!(tags, [[text("D35"), declined], [text("E00"), None], [None, None]]);
    assert!(bench.read("out.html").contains("D35 Queen's Gambit Declined: Normal Defense"));
}

#[test]
fn bad_moves_are_marked_and_mended() {
    let bench = Bench::new("[FEN \"7k/8/5K2/6Q1/8/8/8/8 w - - 0 1\"]\n\n1. Qg6 1/2-1/2\n\n1. f3 e5 2. g4 a6 *\n");
    let document = bench.analyse(&["--nodes", "2000"]);
    let [stalemate, missed] = &document.games[..] else { panic!("two games") };
    let mv = &stalemate.moves[0];
    assert_eq!((mv.judgement, mv.missed_mate, mv.loss), (Some(Judgement::Blunder), Some(1), Some(0.5)));
    assert_eq!(missed.moves[3].missed_mate, Some(1));
    assert_eq!(stalemate.white.game.blunders, 1);
    assert_eq!(missed.positions[3].analysis.as_ref().map(|analysis| analysis.score), Some(EngineScore::Mate(-1)));
    let text = bench.read("out.pgn").replace('\n', " ");
    assert!(text.contains("1. Qg6 $4 { [%eval 0.00] Blunder. Misses mate in 1. } ( 1. Qg7# { [%eval #1] }"), "{text}");
    assert!(text.contains("2... Qh4# { [%eval #-1] }"), "{text}");
}

#[test]
fn forfeits_are_told_from_games_that_were_played() {
    let ends = ["+:-", "-:+", "-/-", "1-0F", "1-0", "0-0", "1/2-1/2", "*"];
    let games = ends.map(|end| format!("[Result \"{end}\"]\n\n1. e4 e5 *\n\n"));
    let found = Bench::new(games.concat()).analyse(&[]).games;
    let found: Vec<_> =
        found.iter().map(|game| (game.tag("Result").unwrap(), &game.result[..], game.forfeit)).collect();
    assert_eq!(
        found,
        [
            ("+:-", "1-0", true),
            ("-:+", "0-1", true),
            ("-/-", "0-0", true),
            ("1-0F", "1-0", true),
            ("1-0", "1-0", false),
            ("0-0", "0-0", false),
            ("1/2-1/2", "1/2-1/2", false),
            ("*", "*", false),
        ]
    );
}

#[test]
fn the_laws_are_heard() {
    let games = "[FEN \"8/8/k7/p1p1p1p1/P1P1P1P1/4B3/8/K7 w - - 0 1\"]\n\n1. Bf2 1-0\n\n\
                 [FEN \"7k/8/8/8/8/2K5/8/R7 w - - 0 1\"]\n[Termination \"Time forfeit\"]\n\n1. Kb2 Kg8 0-1\n\n\
                 1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *\n";
    let bench = Bench::new(games);
    let document = bench.analyse(&TOY);
    let kinds = |game: &Game| game.findings.iter().map(|finding| finding.kind).collect::<Vec<_>>();
    assert_eq!(kinds(&document.games[1]), [FindingKind::WrongFlagFall]);
    assert_eq!(kinds(&document.games[2]), [FindingKind::Claim]);
    let text = bench.read("out.pgn").replace('\n', " ");
    assert!(text.contains("White's flag fell, but Black cannot mate by any series of legal moves"), "{text}");
    assert!(text.contains("White may claim a draw by threefold repetition."), "{text}");
}

#[test]
fn broken_games_are_named_and_the_others_go_on() {
    let bench = Bench::new(
        "1. e4 e5 *\n\n[White \"B\"]\n\n1. e4\nKe7 *\n\n1. d4 {never closed\n\n[Event \"D\"]\n\n1. c4 *\n\n\
                    [FEN \"x\"]\n\n1. e4 *\n",
    );
    let result = bench.run(&["@in.pgn", "-o", "@out.pgn", "--json", "@out.json", "--nodes", "10"]);
    assert!(matches!(result, Err(AnalyseError::Broken { count: 1 })), "{result:?}");
    let document = bench.document("out.json");
    let numbers: Vec<_> = document.games.iter().map(|game| (game.number, game.line)).collect();
    assert_eq!(numbers, [(1, 1), (2, 3), (3, 8), (4, 10)]);
    let broken = |document: &Document| -> Vec<_> {
        let told = |game: &BrokenGame| (game.number, game.line, game.in_part, game.fault[..8].to_owned());
        document.broken.iter().map(told).collect()
    };
    let expected = [(2, 3, true, "line 6: "), (3, 8, true, "line 8: "), (5, 14, false, "line 16:")];
    assert_eq!(broken(&document), expected.map(|(number, line, part, text)| (number, line, part, text.to_owned())));
    let games = bench.games("out.pgn");
    assert_eq!(games.len(), 4);
    let comment = &games[1].tree.node(games[1].tree.last_main()).comment;
    assert!(comment.contains("Not read from line 6 on (\"Ke7\" is not a legal move here): Ke7"), "{comment}");
    let result = bench.run(&["@in.pgn", "-o", "@out.pgn", "--json", "@out.json", "--nodes", "10", "--strict"]);
    assert!(matches!(result, Err(AnalyseError::Broken { count: 3 })), "{result:?}");
    let document = bench.document("out.json");
    assert_eq!((document.games.len(), broken(&document).iter().filter(|game| !game.2).count()), (2, 3));
    assert!(!bench.path("out.pgn.partial").exists(), "nothing is left to go on with");
}

#[test]
fn a_position_is_analysed_too() {
    let bench = Bench::new("");
    let fen = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1";
    bench.run(&[fen, "-o", "@out.pgn", "--json", "@out.json", "--depth", "4", "--multipv", "3"]).expect("a position");
    let document = bench.document("out.json");
    assert_eq!((document.schema, &document.run.source[..], document.run.multipv), (SCHEMA, "FEN", 3));
    assert_eq!((document.run.limits.nodes, document.run.limits.depth), (None, Some(4)));
    let position = &document.games[0].positions[0];
    let analysis = position.analysis.as_ref().expect("an analysis");
    assert_eq!((&position.fen[..], analysis.depth, analysis.lines.len()), (fen, 4, 3));
    assert_eq!((analysis.score, analysis.white, &analysis.lines[0].san[0][..]), (EngineScore::Mate(1), 1.0, "Qg7#"));
    let game = &bench.games("out.pgn")[0];
    assert!(game.tree.is_empty() && game.tree.node(NodeId::ROOT).comment.starts_with("#1: 1. Qg7#."));
}

#[test]
fn what_is_neither_file_nor_position_is_said() {
    let bench = Bench::new("");
    for (input, message) in [
        ("7k/8/5K2/6Q1/8/8/8 w - - 0 1", "is neither a file nor a position: "),
        ("/no/such/file.pgn", "/no/such/file.pgn"),
        ("nonsense", "nonsense"),
        ("", "No such file"),
    ] {
        let error = bench.run(&[input, "-o", "@other.pgn"]).expect_err("nothing to read").to_string();
        assert!(error.contains(message), "{error}");
        assert!(!bench.path("other.pgn").exists());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_read_is_a_broken_game() {
    let bench = Bench::new("");
    // Its first bytes belong to nobody.
    let result = bench.run(&["/proc/self/mem", "--json", "@out.json"]);
    assert!(matches!(result, Err(AnalyseError::Broken { count: 1 })), "{result:?}");
    assert!(bench.document("out.json").broken[0].fault.contains("cannot be read"));
}

#[test]
fn positions_without_a_move_need_no_search() {
    let bench = Bench::new("");
    for (fen, score, white) in [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", EngineScore::Mate(0), 1.0),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", EngineScore::Centipawns(0), 0.5),
        ("7k/8/6K1/8/8/8/8/8 b - - 0 1", EngineScore::Centipawns(0), 0.5),
    ] {
        bench.run(&[fen, "--json", "@out.json", "--nodes", "10"]).expect("a position");
        let document = bench.document("out.json");
        let analysis = document.games[0].positions[0].analysis.as_ref().expect("an analysis");
        assert_eq!(
            (analysis.score, analysis.white, analysis.lines.len(), analysis.depth),
            (score, white, 0, 0),
            "{fen}"
        );
    }
}

#[test]
fn chess960_castles_by_taking_the_rook() {
    let bench = Bench::new(
        "[Variant \"Chess960\"]\n[FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1\"]\n\n\
         1. Ng3 Ng6 2. O-O O-O *\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O *\n",
    );
    let document = bench.analyse(&TOY);
    let last = |game: &Game| (game.chess960, game.moves.last().map(|mv| mv.uci.clone()).unwrap_or_default());
    let last: Vec<_> = document.games.iter().map(last).collect();
    assert_eq!(last, [(true, "f8g8".to_owned()), (false, "e8g8".to_owned())]);
    assert_eq!(bench.games("out.pgn")[0].tree.main_moves().count(), 4);
}

#[test]
fn games_of_all_kinds_come_out_again() {
    let mut games = b"[White \"Caf\xE9\"]\n\n1. e4 {d\xE9j\xE0} -- 2. d4 *\n\n[White \"empty\"]\n\n*\n\n".to_vec();
    games.extend(b"[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 40\"]\n\n40... Kd7 41. e4 *\n");
    let bench = Bench::new(games);
    let document = bench.analyse(&TOY);
    assert_eq!(document.games[0].tag("White"), Some("Café"));
    assert_eq!(document.games[0].moves[0].comment, "déjà");
    assert_eq!((document.games[0].moves.len(), document.games[0].complete), (3, true));
    assert_eq!((document.games[1].moves.len(), document.games[1].positions.len()), (0, 1));
    assert_eq!((document.games[2].moves[0].number, document.games[2].line), (40, 9));
    assert_eq!(bench.games("out.pgn").len(), 3);
}

#[test]
fn an_empty_file_has_no_game() {
    let bench = Bench::new("\n\n");
    let result = bench.run(&["@in.pgn", "-o", "@out.pgn", "--json", "@out.json"]);
    assert_eq!(result.expect_err("no game").to_string(), "no game in in.pgn");
    assert!(bench.document("out.json").games.is_empty());
    assert!(!bench.path("out.pgn.partial").exists());
}

#[test]
fn what_cannot_be_written_is_said_before_the_work() {
    let bench = Bench::new(ten_games());
    fs::create_dir(bench.path("folder")).expect("a folder");
    for outputs in
        [&["-o", "@no/such/folder.pgn"][..], &["-o", "@out.pgn", "--json", "@folder"], &["--html", "@folder"]]
    {
        let result = bench.run(&[&["@in.pgn", "--nodes", "1000000000"], outputs].concat());
        assert!(matches!(result, Err(AnalyseError::Write(_) | AnalyseError::Journal(_))), "{outputs:?}: {result:?}");
        assert!(!bench.path("out.pgn.partial").exists(), "{outputs:?}");
    }
    let result = bench.run(&["@in.pgn", "-o", "@in.pgn"]);
    assert!(matches!(result, Err(AnalyseError::Overwrite(_))), "{result:?}");
    assert_eq!(bench.read("in.pgn"), ten_games());
    for outputs in [["-o", "@one", "--json", "@one"], ["--json", "-", "--html", "-"]] {
        let result = bench.run(&[&["@in.pgn"], &outputs[..]].concat());
        assert!(matches!(result, Err(AnalyseError::SameOutput(_))), "{outputs:?}: {result:?}");
    }
}

#[test]
fn all_limits_and_both_ways_to_share_threads_end() {
    let bench = Bench::new("1. e4 e5 *\n");
    for limits in [
        &["--time", "0.005"][..],
        &["--depth", "2"],
        &["--time", "10", "--nodes", "50"],
        &["--nodes", "500", "--parallel", "together", "--threads", "3"],
    ] {
        let document = bench.analyse(limits);
        assert!(document.games[0].complete, "{limits:?}");
    }
    assert_eq!(bench.document("out.json").run.threads_per_position, 3);
}

#[test]
fn several_files_and_folders_are_one_run() {
    let games = ten_games();
    let bench = Bench::new(&games);
    let alone = bench.analyse(&TOY);
    // The same games in three parts: compressed, in UTF-16 and in a folder, and one that cannot be read.
    let (first, rest) = games.split_at(games.find("[Event \"3\"]").expect("there are ten"));
    let (second, third) = rest.split_at(rest.find("[Event \"7\"]").expect("there are ten"));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(first.as_bytes()).expect("memory");
    fs::write(bench.path("1.pgn.gz"), gzip.finish().expect("memory")).expect("a file");
    let utf16: Vec<_> = format!("\u{FEFF}{second}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(bench.path("2.pgn"), utf16).expect("a file");
    fs::create_dir_all(bench.path("more/deep")).expect("a folder");
    fs::write(bench.path("more/deep/3.pgn"), format!("{third}\n1. e5 *\n")).expect("a file");
    let arguments = ["@1.pgn.gz", "@2.pgn", "@more", "--json", "@all.json"];
    let result = bench.run(&[&arguments[..], &TOY].concat());
    assert!(matches!(result, Err(AnalyseError::Broken { count: 1 })), "{result:?}");
    let document = bench.document("all.json");
    assert_eq!(document.run.source, "1.pgn.gz and 2 other files");
    assert_eq!(document.games.len(), alone.games.len());
    for (game, same) in document.games.iter().zip(&alone.games) {
        assert_eq!((game.number, &game.moves, &game.positions), (same.number, &same.moves, &same.positions));
        assert!(same.file.is_none() && game.file.is_some());
    }
    assert!(document.games[9].file.as_ref().is_some_and(|file| file.ends_with("3.pgn")));
    assert!(document.broken[0].fault.contains("3.pgn: line "), "{:?}", document.broken);
}

#[test]
fn an_output_may_be_none_of_the_inputs() {
    let bench = Bench::new("1. e4 *\n");
    fs::copy(bench.path("in.pgn"), bench.path("more.pgn")).expect("a file");
    let result = bench.run(&["@in.pgn", "@more.pgn", "-o", "@more.pgn", "--nodes", "9"]);
    assert!(matches!(result, Err(AnalyseError::Overwrite(_))), "{result:?}");
}

#[test]
fn a_folder_without_games_is_said() {
    let bench = Bench::new("");
    fs::create_dir(bench.path("empty")).expect("a folder");
    let error = bench.run(&["@empty"]).expect_err("there is nothing").to_string();
    assert!(error.contains("empty: no file .pgn in this folder"), "{error}");
}

#[test]
fn what_is_damaged_is_told_after_what_could_be_read() {
    let bench = Bench::new("");
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all("1. e4 e5 *\n\n".repeat(3).as_bytes()).expect("memory");
    let mut bytes = gzip.finish().expect("memory");
    bytes.truncate(bytes.len() - 6);
    fs::write(bench.path("cut.pgn.gz"), bytes).expect("a file");
    let result = bench.run(&["@cut.pgn.gz", "--json", "@out.json", "--nodes", "9"]);
    assert!(matches!(result, Err(AnalyseError::Broken { count: 1 })), "{result:?}");
    let document = bench.document("out.json");
    assert!(
        !document.games.is_empty() && document.broken[0].fault.contains("damaged gzip data"),
        "{:?}",
        document.broken
    );
}

#[test]
fn comments_are_for_readers_of_three_kinds() {
    let bench =
        Bench::new("[FEN \"7k/8/5K2/6Q1/8/8/8/8 w - - 0 1\"]\n\n1. Qg6 { [%eval 9.00] [%clk 0:01:00] pity } 1/2-1/2\n");
    let text = |style: &str| {
        bench.run(&["@in.pgn", "-o", "@out.pgn", "--nodes", "500", "--comments", style]).expect("it runs");
        let written = bench.read("out.pgn");
        let (tags, moves) = written.split_once("\n\n").expect("there are moves");
        assert_eq!(tags.contains("[Annotator \"Vancura "), style != "lichess", "{tags}");
        moves.replace('\n', " ")
    };
    let lichess = text("lichess");
    assert!(lichess.contains("[%eval 0.00]") && lichess.contains("pity Blunder. Misses mate in 1. }"), "{lichess}");
    let words = text("text");
    assert!(
        words.contains("pity Blunder: #1 to +0.00; Q") && words.contains(" was best. Misses mate in 1."),
        "{words}"
    );
    assert!(!words.contains("%eval") && words.contains("[%clk 0:01:00]") && words.contains("( 1. Q"), "{words}");
    let tags = text("tags");
    assert!(tags.contains("$4") && tags.contains("[%eval 0.00]") && tags.contains("pity"), "{tags}");
    assert!(!tags.contains("Blunder") && !tags.contains('('), "{tags}");
}
