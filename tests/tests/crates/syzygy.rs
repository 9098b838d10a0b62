//! Endgame tables as the engine reads them, against the library read in its own way and against python-chess; and
//! won endgames played out against the best defence.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use movegen::{Board, FenStyle, Move, Position};
use rayon::prelude::*;
use search::{Limits, Report, Reporter, Request, Score, Searcher, Settings, Tablebase, Wdl};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};
use shakmaty_syzygy::{Tablebase as Library, filesystem::OsFilesystem};
use tests::data::{announce, read, test_data};
use tests::play::Random;

/// All tables of 3 and 4 pieces, if the public test sets are there.
fn tables(test: &str) -> Option<(PathBuf, Tablebase)> {
    let folder = test_data(test)?.join("syzygy");
    let tables = Tablebase::open(std::slice::from_ref(&folder));
    assert_eq!((tables.files(), tables.largest()), ((35, 35), 4), "{}", folder.display());
    assert_eq!(tables.take_faults(), []);
    Some((folder, tables))
}

/// Kings and one or two pieces on any squares, with an en passant square where there may be one.
fn scatter(random: &mut Random) -> Option<Board> {
    let mut squares = [' '; 64];
    let mut pieces = vec!['K', 'k'];
    if random.below(20) == 0 {
        // Chance alone would hardly ever put two pawns beside each other.
        let square = random.pick(&[24, 32]) + random.below(7);
        let pawns = random.pick(&[['P', 'p'], ['p', 'P']]);
        squares[square..square + 2].copy_from_slice(&pawns);
    } else {
        pieces.extend((0..=random.below(2)).map(|_| random.pick(&['Q', 'R', 'B', 'N', 'P', 'q', 'r', 'b', 'n', 'p'])));
    }
    for piece in pieces {
        let free: Vec<_> = (0..64).filter(|&square| squares[square] == ' ').collect();
        squares[random.pick(&free)] = piece;
    }
    let ranks: Vec<String> = squares
        .chunks(8)
        .rev()
        .map(|rank| {
            let mut text: String = rank.iter().collect();
            for empty in (1..=8).rev() {
                text = text.replace(&" ".repeat(empty), &empty.to_string());
            }
            text
        })
        .collect();
    let turn = random.pick(&['w', 'b']);
    let (pawn, own, rank) = if turn == 'w' { ('p', 'P', 4) } else { ('P', 'p', 3) };
    let passed = (0..8_usize).find(|&file| {
        let square = rank * 8 + file;
        let beside = [file.checked_sub(1), Some(file + 1).filter(|&file| file < 8)];
        squares[square] == pawn && beside.into_iter().flatten().any(|file| squares[rank * 8 + file] == own)
    });
    let en_passant = passed
        .map_or("-".to_owned(), |file| format!("{}{}", (b'a' + file as u8) as char, if turn == 'w' { 6 } else { 3 }));
    Board::from_fen(&format!("{} {turn} - {en_passant} 0 1", ranks.join("/"))).ok()
}

#[test]
fn a_hundred_thousand_positions_agree_with_the_librarys_own_probe() {
    let Some((folder, ours)) = tables("Syzygy agreement") else { return };
    let mut theirs: Library<Chess> = Library::with_filesystem(Arc::new(OsFilesystem::new()));
    assert_eq!(theirs.add_directory(&folder).unwrap(), 70);
    let mut random = Random::new(2024);
    let boards: Vec<_> = std::iter::repeat_with(|| scatter(&mut random)).flatten().take(100_000).collect();
    let en_passant = boards.iter().filter(|board| board.en_passant().is_some()).count();
    assert!(en_passant > 500, "only {en_passant} positions with en passant");
    let counts = boards.par_iter().map(|board| {
        let fen = board.fen(FenStyle::Standard).to_string();
        let setup = fen.parse::<Fen>().unwrap();
        // Not every position the engine takes is one that a game can reach.
        let position = match setup.into_position::<Chess>(CastlingMode::Standard) {
            Ok(position) => position,
            Err(error) => error.ignore_impossible_check().unwrap(),
        };
        let wdl = theirs.probe_wdl_after_zeroing(&position).unwrap();
        assert_eq!(ours.wdl(board).map(i32::from), Some(i32::from(wdl)), "{fen}");
        let dtz = theirs.probe_dtz(&position).unwrap().ignore_rounding();
        assert_eq!(ours.dtz(board), Some(dtz.into()), "{fen}");
        BTreeMap::from([(i32::from(wdl), 1)])
    });
    let counts = counts.reduce(BTreeMap::new, |mut sum, part| {
        part.into_iter().for_each(|(wdl, count)| *sum.entry(wdl).or_insert(0) += count);
        sum
    });
    // With four pieces no result depends on the fifty-move rule.
    assert_eq!(counts.keys().copied().collect::<Vec<_>>(), [-2, 0, 2], "{counts:?}");
    assert_eq!(ours.take_faults(), []);
}

#[test]
fn positions_agree_with_python_chess() {
    let Some((folder, tables)) = tables("Syzygy against python-chess") else { return };
    let mut checked = 0;
    for name in ["../syzygy-tests/probe-open.csv", "../syzygy-tests/chess.csv"] {
        for line in read(&folder, name).lines().skip(1) {
            let [epd, wdl, dtz] = line.split(',').collect::<Vec<_>>()[..] else { panic!("{line}") };
            let board = Board::from_fen(epd).unwrap();
            if board.occupied().count() > 4 {
                assert!(!tables.covers(&board) && tables.wdl(&board).is_none() && tables.dtz(&board).is_none());
                continue;
            }
            assert_eq!(tables.wdl(&board).map(i32::from), wdl.parse().ok(), "{line}");
            assert_eq!(tables.dtz(&board), dtz.parse().ok(), "{line}");
            checked += 1;
        }
    }
    assert!(checked > 2000, "{checked}");
}

#[test]
fn positions_with_castling_rights_or_too_many_pieces_are_not_probed() {
    let Some((_, tables)) = tables("Syzygy limits") else { return };
    for fen in ["8/8/8/8/3k4/8/8/R3K3 w Q - 0 1", "8/8/8/3k4/8/3BB3/3PK3/8 w - - 0 1"] {
        let board = Board::from_fen(fen).unwrap();
        assert_eq!((tables.covers(&board), tables.wdl(&board), tables.dtz(&board)), (false, None, None), "{fen}");
    }
    let kings = Board::from_fen("8/8/8/8/3k4/8/8/4K3 w - - 0 1").unwrap();
    assert_eq!((tables.wdl(&kings), tables.dtz(&kings)), (Some(Wdl::Draw), Some(0)));
}

/// What a search said last of each line, and its move.
#[derive(Default)]
struct Said {
    lines: BTreeMap<usize, (Score, Vec<Move>, u64)>,
    best: Option<Move>,
}

struct Listener(Arc<Mutex<Said>>);

impl Reporter for Listener {
    fn line(&mut self, report: &Report<'_>) {
        let mut said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        said.lines.insert(report.multi_pv, (report.score, report.pv.to_vec(), report.tablebase_hits));
    }

    fn finished(&mut self, best: Option<Move>, _: Option<Move>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).best = best;
    }
}

struct Engine(Searcher);

impl Engine {
    fn new(folder: &Path) -> Self {
        let mut searcher = Searcher::new(1, 1);
        searcher.set_tablebase(Some(Arc::new(Tablebase::open(&[folder.to_owned()]))));
        Self(searcher)
    }

    fn search(&mut self, position: &Position, limits: Limits, settings: Settings) -> Said {
        let said = Arc::new(Mutex::new(Said::default()));
        let request = Request { position: position.clone(), limits, settings, received: Instant::now() };
        self.0.start(request, Box::new(Listener(Arc::clone(&said))));
        self.0.wait();
        std::mem::take(&mut *said.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn think(&mut self, position: &Position, nodes: u64) -> Said {
        self.search(position, Limits { nodes: Some(nodes), ..Limits::default() }, Settings::default())
    }
}

/// Checks that each line can be played, does not go on after the end, and ends in mate if it says so. Returns whether
/// the first does.
fn check_lines(position: &Position, said: &Said) -> bool {
    let mut mates = false;
    for (number, (score, line, _)) in &said.lines {
        let mut position = position.clone();
        let context = format!("{:?} {number} {score:?} {line:?}", position.board());
        for (index, &mv) in line.iter().enumerate() {
            assert!(position.board().is_legal(mv), "{mv:?}: {context}");
            position.play(mv);
            let is_drawn = position.earlier_occurrences() >= 2 || position.board().halfmove_clock() >= 100;
            assert!(!is_drawn || index + 1 == line.len(), "{mv:?} ends in a draw: {context}");
        }
        let is_mate = position.board().in_check() && !position.board().has_legal_move();
        if score.moves_to_mate().is_some() {
            assert!(is_mate, "{context}");
        }
        mates |= *number == 1 && is_mate;
    }
    mates
}

/// The move that holds out longest without a capture or pawn move, which would help the winner with the clock.
fn defend(tables: &Tablebase, position: &Position) -> Option<Move> {
    position.board().legal_moves().into_iter().max_by_key(|&mv| {
        let after = position.board().after(mv);
        let dtz = tables.dtz(&after).expect("all tables are there");
        (dtz <= 0, if after.halfmove_clock() == 0 { 0 } else { dtz })
    })
}

/// Won positions of four pieces with the winner to move.
fn won_positions(tables: &Tablebase, count: usize, seed: u64) -> Vec<Board> {
    let mut random = Random::new(seed);
    let boards = std::iter::repeat_with(|| scatter(&mut random)).flatten();
    boards.filter(|board| board.occupied().count() == 4 && tables.wdl(board) == Some(Wdl::Win)).take(count).collect()
}

/// Plays won positions out; the engine must mate each time, without the fifty-move rule or a repetition in between.
fn mates_from(count: usize, seed: u64, nodes: u64) {
    let Some((folder, tables)) = tables("won endgames") else { return };
    let boards = won_positions(&tables, count, seed);
    let longest = boards.par_iter().map_init(
        || Engine::new(&folder),
        |engine, &board| {
            let mut position = Position::from(board);
            engine.0.new_game();
            let mut plies = 0;
            loop {
                if !position.board().has_legal_move() {
                    assert!(position.board().in_check(), "stalemate from {board:?}");
                    return plies;
                }
                let clock = position.board().halfmove_clock();
                assert!(
                    clock < 100 && position.earlier_occurrences() < 2,
                    "no mate from {board:?}: {:?}",
                    position.board()
                );
                let mv = if position.board().turn() == board.turn() {
                    let said = engine.think(&position, nodes);
                    check_lines(&position, &said);
                    said.best
                } else {
                    defend(&tables, &position)
                };
                position.play(mv.expect("there is a legal move"));
                plies += 1;
            }
        },
    );
    let longest = longest.max();
    announce(&format!("{count} won endgames, {nodes} nodes a move: all mated, the longest in {longest:?} plies"));
}

#[test]
fn won_endgames_are_mated_against_the_best_defence() {
    mates_from(10, 7, 1000);
}

/// `VANCURA_TEST_DATA=../shared/data cargo test --release -p vancura-tests --test crates two_hundred -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn two_hundred_won_endgames_are_mated_against_the_best_defence() {
    for nodes in [1, 5000] {
        mates_from(200, 11, nodes);
    }
}

#[test]
fn lines_go_on_to_the_mate() {
    let Some((folder, _)) = tables("lines to the mate") else { return };
    let mut engine = Engine::new(&folder);
    for (fen, depth) in [
        ("8/8/8/3k4/8/3KBN2/8/8 w - - 0 1", 6),
        ("8/8/8/3k4/8/3KBN2/8/8 b - - 0 1", 6),
        ("8/8/8/8/8/8/2k5/KN5r b - - 0 1", 2),
        ("7k/8/8/8/4Q3/8/8/r4K2 w - - 0 1", 3),
        // A move before the tables begin.
        ("8/8/8/4k3/8/1q6/Q7/KR6 w - - 0 1", 4),
    ] {
        let position = Position::from(Board::from_fen(fen).unwrap());
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let said = engine.search(&position, limits, Settings::default());
        let (score, line, hits) = &said.lines[&1];
        assert!(score.is_decisive() && *hits > 0, "{fen}: {score:?}");
        assert!(check_lines(&position, &said), "{fen}: {score:?} {line:?}");
    }
}

#[test]
fn root_moves_are_ranked_by_the_tables() {
    let Some((folder, tables)) = tables("root moves") else { return };
    let mut engine = Engine::new(&folder);
    for fen in
        ["8/8/8/8/8/1k6/1p6/1K1R4 w - - 0 1", "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", "8/8/8/8/3n4/2k5/8/K2Q4 w - - 0 1"]
    {
        let position = Position::from(Board::from_fen(fen).unwrap());
        let all = position.board().legal_moves();
        let limits = Limits { depth: Some(5), ..Limits::default() };
        let said = engine.search(&position, limits.clone(), Settings { multi_pv: 256, ..Settings::default() });
        check_lines(&position, &said);
        let lines: Vec<_> = said.lines.values().map(|(score, line, _)| (*score, line[0])).collect();
        assert_eq!(lines.len(), all.len(), "{fen}");
        assert!(lines.is_sorted_by_key(|(score, _)| -score.0), "{fen}: {lines:?}");
        for (score, mv) in lines {
            let after = position.board().after(mv);
            let expected = -i32::from(tables.wdl(&after).unwrap()).signum();
            assert_eq!(if score.is_decisive() { score.0.signum() } else { 0 }, expected, "{fen} {mv:?} {score:?}");
        }
        // Bad moves may be searched too, if `searchmoves` names them.
        let worst = said.lines[&all.len()].1[0];
        let limits = Limits { search_moves: [worst].into_iter().collect(), ..limits };
        assert_eq!(engine.search(&position, limits, Settings::default()).best, Some(worst), "{fen}");
    }
}

#[test]
fn a_spent_fifty_move_clock_turns_a_win_into_a_draw_unless_the_rule_is_off() {
    let Some((folder, tables)) = tables("fifty-move rule") else { return };
    let mut engine = Engine::new(&folder);
    let fen = |clock| format!("8/8/8/3k4/8/3KBN2/8/8 w - - {clock} 90");
    let dtz = tables.dtz(&Board::from_fen(&fen(0)).unwrap()).unwrap();
    let mut score = |clock, fifty_moves| {
        let position = Position::from(Board::from_fen(&fen(clock)).unwrap());
        let mut settings = Settings::default();
        settings.tablebase.fifty_moves = fifty_moves;
        engine.0.new_game();
        let said = engine.search(&position, Limits { depth: Some(2), ..Limits::default() }, settings);
        check_lines(&position, &said);
        said.lines[&1].0
    };
    assert_eq!(score(0, true), Score::table_win_in(0));
    assert_eq!(score(98 - dtz, true), Score::table_win_in(0));
    assert!(!score(101 - dtz, true).is_decisive());
    assert_eq!(score(101 - dtz, false), Score::table_win_in(0));
}

#[test]
fn without_distances_results_guide_the_search() {
    let Some((folder, all)) = tables("WDL alone") else { return };
    let copy = tempfile::tempdir().unwrap();
    for entry in folder.read_dir().unwrap().map(|entry| entry.unwrap().path()) {
        if entry.extension().is_some_and(|extension| extension == "rtbw") {
            std::fs::copy(&entry, copy.path().join(entry.file_name().unwrap())).unwrap();
        }
    }
    assert_eq!(Tablebase::open(&[copy.path().to_owned()]).files(), (35, 0));
    let mut engine = Engine::new(copy.path());
    for board in won_positions(&all, 50, 3) {
        let position = Position::from(board);
        engine.0.new_game();
        let said = engine.think(&position, 500);
        check_lines(&position, &said);
        assert!(said.lines[&1].0.is_win(), "{board:?}: {:?}", said.lines);
        let after = board.after(said.best.unwrap());
        assert_eq!(all.wdl(&after), Some(Wdl::Loss), "{board:?} {:?}", said.best);
    }
}

#[test]
fn the_limit_keeps_tables_out() {
    let Some((folder, _)) = tables("probe limit") else { return };
    let mut engine = Engine::new(&folder);
    let position = Position::from(Board::from_fen("8/8/4k3/8/8/3KBN2/4p3/8 w - - 0 1").unwrap());
    for (limit, asks) in [(0, false), (4, true), (7, true)] {
        let mut settings = Settings::default();
        settings.tablebase.probe_limit = limit;
        engine.0.new_game();
        let said = engine.search(&position, Limits { depth: Some(8), ..Limits::default() }, settings);
        assert_eq!(said.lines[&1].2 > 0, asks, "limit {limit}");
    }
}

#[test]
fn hits_are_counted_over_all_threads() {
    let Some((folder, _)) = tables("hits of threads") else { return };
    let mut engine = Engine::new(&folder);
    engine.0.set_threads(3);
    let position = Position::from(Board::from_fen("8/8/4k3/8/8/3KBN2/4p3/8 w - - 0 1").unwrap());
    let said = engine.think(&position, 60_000);
    check_lines(&position, &said);
    assert!(said.lines[&1].2 > 0);
}

#[test]
fn moves_are_ranked_as_their_position_is_judged() {
    let Some((_, tables)) = tables("moves_are_ranked_as_their_position_is_judged") else { return };
    let mut random = Random::new(77);
    let mut seen = BTreeMap::<i32, usize>::new();
    while seen.values().sum::<usize>() < 2000 {
        let Some(board) = scatter(&mut random).filter(Board::has_legal_move) else { continue };
        let moves = tables.ranked_moves(&Position::from(board)).unwrap_or_else(|| panic!("{board:?}"));
        assert_eq!(moves.len(), board.count_legal_moves(), "{board:?}");
        let (best, wdl) = (moves[0], tables.wdl(&board).unwrap());
        assert_eq!(best.wdl.signum(), wdl.signum(), "{board:?}");
        // A win is as near as its best move, give or take what tables round.
        let distances = best.dtz.zip(tables.dtz(&board));
        assert!(distances.is_some_and(|(found, dtz)| wdl != Wdl::Win || found.abs_diff(dtz) <= 1), "{board:?}");
        assert!(moves.is_sorted_by_key(|ranked| -ranked.wdl.signum()), "{board:?}: {moves:?}");
        *seen.entry(wdl.signum()).or_default() += 1;
    }
    assert!([-1, 0, 1].iter().all(|sign| seen[sign] > 100), "{seen:?}");
}

#[test]
fn a_late_counter_makes_cursed_wins_of_the_slow_moves() {
    let Some((_, tables)) = tables("a_late_counter_makes_cursed_wins_of_the_slow_moves") else { return };
    let rank = |clock: u32| {
        let board = Board::from_fen(&format!("8/8/8/8/8/1k6/8/K6R w - - {clock} 90")).unwrap();
        tables.ranked_moves(&Position::from(board)).unwrap()
    };
    let wdls = |clock| rank(clock).iter().map(|ranked| ranked.wdl).collect::<Vec<_>>();
    assert!(wdls(0).iter().all(|&wdl| wdl == Wdl::Win));
    assert!(wdls(75).first() == Some(&Wdl::Win) && wdls(75).last() == Some(&Wdl::CursedWin), "{:?}", rank(75));
    assert!(wdls(95).iter().all(|&wdl| wdl == Wdl::CursedWin), "{:?}", rank(95));
}
