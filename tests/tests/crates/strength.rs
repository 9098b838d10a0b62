//! Weak play that people enjoy: the errors are theirs, and what everybody can do is done.

use std::sync::mpsc::{Sender, channel};
use std::time::Instant;

use movegen::{Board, Move, MoveList, Position};
use search::{Limits, Report, Reporter, Request, Score, Searcher, Settings, Strength};

/// Every rating to be tried, from the least to the greatest.
fn ratings() -> impl Iterator<Item = u16> {
    (Strength::MIN_ELO..Strength::MAX_ELO).step_by(250).chain([Strength::MAX_ELO])
}

/// What a search told.
#[derive(Clone, PartialEq, Debug, Default)]
struct Told {
    /// Depth, rank, score, first move and nodes of each line.
    lines: Vec<(i32, usize, Score, Option<Move>, u64)>,
    best: Option<Move>,
}

struct Listener(Told, Sender<Told>);

impl Reporter for Listener {
    fn line(&mut self, report: &Report<'_>) {
        let first = report.pv.first().copied();
        self.0.lines.push((report.depth, report.multi_pv, report.score, first, report.nodes));
    }

    fn finished(&mut self, best: Option<Move>, _: Option<Move>) {
        self.0.best = best;
        // Whoever asked may have gone, and the test with it.
        let _ = self.1.send(self.0.clone());
    }
}

/// A limited search by a pool that has forgotten everything.
fn search(searcher: &mut Searcher, position: &Position, limits: Limits, settings: Settings) -> Told {
    let (sender, told) = channel();
    let request = Request { position: position.clone(), limits, settings, received: Instant::now() };
    searcher.new_game();
    searcher.start(request, Box::new(Listener(Told::default(), sender)));
    told.recv().expect("every search is answered")
}

fn limited(elo: u16, seed: u64) -> Settings {
    Settings { strength: Some(Strength::of_elo(elo, seed)), ..Settings::default() }
}

fn position(fen: &str) -> Position {
    Position::from(Board::from_fen(fen).expect(fen))
}

fn best(searcher: &mut Searcher, position: &Position, elo: u16, seed: u64) -> String {
    let told = search(searcher, position, Limits::default(), limited(elo, seed));
    told.best.map(|mv| mv.to_string()).unwrap_or_default()
}

/// Whether a move gives check, and a player of this level takes the queen after any reply, or plays a move that its search
/// counts as a queen won.
fn falls_after_a_check(searcher: &mut Searcher, board: &Board, first: Move, elo: u16, seed: u64) -> bool {
    let checked = board.after(first);
    checked.in_check()
        && checked.legal_moves().into_iter().all(|reply| {
            let position = Position::from(checked.after(reply));
            let told = search(searcher, &position, Limits::default(), limited(elo, seed));
            let is_won = told.lines.iter().any(|line| line.3 == told.best && line.2 >= Score(900));
            is_won || told.best.is_some_and(|mv| position.board().captured_by(mv) == Some(movegen::PieceType::Queen))
        })
}

#[test]
fn a_hanging_queen_is_taken_at_every_level() {
    let mut searcher = Searcher::new(1, 1);
    for (fen, expected) in [
        ("r1b1kb1r/pppp1ppp/2n2n2/4p1q1/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 0 1", &["c1g5", "f3g5"][..]),
        ("rnb1kbnr/pp2pppp/2p5/8/3q4/2P5/PP1P1PPP/RNBQKBNR w KQkq - 0 3", &["c3d4"]),
        ("6k1/pp3ppp/8/3q4/4P3/8/PP3PPP/3Q2K1 w - - 0 1", &["e4d5", "d1d5"]),
    ] {
        let position = position(fen);
        for elo in ratings().take_while(|&elo| elo < 2300) {
            for seed in 0..5 {
                let told = search(&mut searcher, &position, Limits::default(), limited(elo, seed));
                let first = told.best.expect("there is a move");
                if !expected.contains(&first.to_string().as_str()) {
                    let is_taken = falls_after_a_check(&mut searcher, position.board(), first, elo, seed);
                    assert!(is_taken, "{elo}, {seed}: {first} in {fen}");
                }
            }
        }
    }
}

/// The queen is attacked, or may be put where it can be taken: it is not given away for nothing in one move.
#[test]
fn a_queen_is_not_given_away_in_one_move() {
    let mut searcher = Searcher::new(1, 1);
    for fen in [
        "rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR b KQkq - 0 3",
        "r1bqkbnr/pppp1ppp/2n5/4p2Q/4P3/6P1/PPPP1P1P/RNB1KBNR w KQkq - 0 1",
        "rnbqkb1r/pppp1ppp/5n2/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 0 1",
    ] {
        let position = position(fen);
        for elo in ratings().take_while(|&elo| elo < 2300) {
            for seed in 0..5 {
                let told = search(&mut searcher, &position, Limits::default(), limited(elo, seed));
                let best = told.best.expect("there is a move");
                let after = position.board().after(best);
                let queens = |board: &Board| board.pieces(movegen::PieceType::Queen).count();
                let loses_it = after.legal_moves().into_iter().any(|reply| {
                    let child = after.after(reply);
                    let retakes = |mv: &Move| child.captured_by(*mv) == Some(movegen::PieceType::Queen);
                    queens(&child) < queens(&after) && !child.legal_moves().iter().any(retakes)
                });
                let takes_one = position.board().captured_by(best) == Some(movegen::PieceType::Queen);
                assert!(!loses_it || takes_one, "{elo}, {seed}: {best} in {fen}");
            }
        }
    }
}

#[test]
fn a_mate_in_one_is_played_at_every_level() {
    let mut searcher = Searcher::new(1, 1);
    for (fen, mate) in [
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1a8"),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "h5f7"),
        ("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4"),
    ] {
        let position = position(fen);
        for elo in ratings() {
            for seed in 0..3 {
                assert_eq!(best(&mut searcher, &position, elo, seed), mate, "{elo}, {seed}: {fen}");
            }
        }
    }
}

/// The defender heads for the middle, takes what it can and otherwise runs away from the other king.
fn defend(board: &Board) -> Move {
    let away = |mv: &Move| {
        let middle = [mv.to().file() as i32, mv.to().rank() as i32].map(|line| (2 * line - 7).abs());
        (
            board.captured_by(*mv).is_none(),
            middle[0] + middle[1],
            -i32::from(mv.to().distance(board.king(!board.turn()))),
        )
    };
    board.legal_moves().into_iter().min_by_key(away).expect("the defender has a move")
}

#[test]
fn king_and_rook_mate_at_every_level() {
    let mut searcher = Searcher::new(1, 1);
    for (fen, step) in [("8/8/8/3k4/8/8/8/R3K3 w - - 0 1", 1), ("8/8/4k3/8/8/3K4/8/7Q w - - 0 1", 3)] {
        for elo in ratings().step_by(step).take_while(|&elo| elo < 2300) {
            let mut game = position(fen);
            loop {
                let told = search(&mut searcher, &game, Limits::default(), limited(elo, 7));
                game.play(told.best.expect("the attacker has a move"));
                let board = game.board();
                if !board.has_legal_move() {
                    assert!(board.in_check(), "{elo}: stalemate");
                    break;
                }
                game.play(defend(board));
                let board = game.board();
                assert!(!board.has_insufficient_material(), "{elo}: the piece is lost");
                assert!(board.halfmove_clock() < 100, "{elo}: fifty moves without a mate");
                assert!(game.earlier_occurrences() < 2, "{elo}: threefold repetition");
            }
        }
    }
}

#[test]
fn the_seed_decides_and_nothing_else() {
    let (mut one, mut three) = (Searcher::new(1, 1), Searcher::new(3, 1));
    let start = Position::start();
    let mut choices = Vec::new();
    for seed in 0..12 {
        let told = search(&mut one, &start, Limits::default(), limited(1000, seed));
        assert_eq!(told, search(&mut one, &start, Limits::default(), limited(1000, seed)));
        // However many threads there are, one plays.
        assert_eq!(told, search(&mut three, &start, Limits::default(), limited(1000, seed)));
        assert_eq!(three.nodes(), one.nodes());
        choices.push(told.best.expect("there is a move").to_string());
    }
    choices.sort_unstable();
    choices.dedup();
    assert!(choices.len() > 2, "always the same: {choices:?}");
}

#[test]
fn full_strength_is_not_touched() {
    let mut searcher = Searcher::new(1, 1);
    let limits = || Limits { nodes: Some(20_000), ..Limits::default() };
    let before = search(&mut searcher, &Position::start(), limits(), Settings::default());
    search(&mut searcher, &Position::start(), limits(), limited(900, 3));
    assert_eq!(search(&mut searcher, &Position::start(), limits(), Settings::default()), before);
    assert_eq!(before.lines.last().expect("a line").4, 20_000);
}

/// In all positions together, at levels with nearly twice the nodes of the one before or more: an iteration that has begun
/// is finished, so that a level may visit more in one position than one with a few more nodes.
#[test]
fn stronger_levels_visit_more_nodes() {
    let mut searcher = Searcher::new(1, 4);
    let positions = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
        "r1bq1rk1/2pnbppp/p2p1n2/1p2p3/3PP3/1BP2N1P/PP3PP1/RNBQR1K1 w - - 1 11",
        "2r2rk1/pp1bqpp1/2nbpn1p/3p4/3P4/P1NBPN1P/1P1BQPP1/2R2RK1 b - - 0 14",
        "r4rk1/pp3ppp/2n1b3/3p4/3N4/2P1B3/PP3PPP/R4RK1 w - - 0 17",
        "8/5pk1/4p1p1/3pP2p/3P1P1P/6P1/2r2K2/R7 w - - 0 1",
        "8/pp3kpp/2n2p2/3p4/3N4/2P1P3/PP3PPP/5K2 b - - 0 25",
    ]
    .map(position);
    let mut nodes = |elo| -> u64 {
        let visited = positions.iter().map(|position| {
            search(&mut searcher, position, Limits::default(), limited(elo, 1));
            searcher.nodes()
        });
        visited.sum()
    };
    let visited = [800, 1500, 2000, 2500, 2700, 2850].map(&mut nodes);
    assert!(visited.is_sorted_by(|weak, strong| weak < strong), "{visited:?}");
}

#[test]
fn the_client_s_limits_hold_too() {
    let mut searcher = Searcher::new(1, 1);
    let start = Position::start();
    let told = search(&mut searcher, &start, Limits { depth: Some(2), ..Limits::default() }, limited(1500, 1));
    assert!(told.lines.iter().all(|line| line.0 <= 2), "{told:?}");
    let told = search(&mut searcher, &start, Limits { nodes: Some(50), ..Limits::default() }, limited(2000, 1));
    assert!(told.best.is_some() && searcher.nodes() <= 50);
    let wanted: MoveList =
        ["a2a3", "h2h4"].map(|text| start.board().parse_uci(text).expect(text)).into_iter().collect();
    for seed in 0..10 {
        let limits = Limits { search_moves: wanted.clone(), ..Limits::default() };
        let told = search(&mut searcher, &start, limits, limited(800, seed));
        assert!(wanted.contains(&told.best.expect("there is a move")));
    }
    let only = position("7k/8/5QK1/8/8/8/8/8 b - - 0 1");
    assert_eq!(best(&mut searcher, &only, 800, 1), "h8g8");
}

#[test]
fn the_last_line_is_that_of_the_move() {
    let mut searcher = Searcher::new(1, 1);
    for seed in 0..10 {
        let told = search(&mut searcher, &Position::start(), Limits::default(), limited(900, seed));
        assert_eq!(told.lines.last().expect("a line").3, told.best);
        assert!(told.lines.iter().all(|line| line.1 == 1));
    }
}

#[test]
fn what_is_asked_for_is_searched_and_the_move_is_still_that_of_the_level() {
    let start = Position::start();
    let mut differs = false;
    for seed in 0..10 {
        let told = |limits: Limits| search(&mut Searcher::new(1, 16), &start, limits, limited(900, seed));
        let own = told(Limits::default());
        for (limits, depth) in [
            (Limits { depth: Some(9), ..Limits::default() }, 9),
            (Limits { nodes: Some(20_000), ..Limits::default() }, 6),
        ] {
            let asked = told(limits);
            assert_eq!(asked.best, own.best, "the same is seen within the nodes of the level");
            let last = asked.lines.last().expect("a line");
            assert!(last.0 >= depth, "{asked:?}");
            differs |= last.3 != asked.best;
        }
    }
    assert!(differs, "the lines are not those of the best move");
}

#[test]
fn several_lines_are_the_best_ones_whatever_is_played() {
    let mut searcher = Searcher::new(1, 1);
    let mut differs = false;
    for seed in 0..10 {
        let settings = Settings { multi_pv: 3, ..limited(900, seed) };
        let told = search(&mut searcher, &Position::start(), Limits::default(), settings);
        for lines in told.lines.chunks(3) {
            assert_eq!([lines[0].1, lines[1].1, lines[2].1], [1, 2, 3], "{told:?}");
            assert!(lines.is_sorted_by(|a, b| a.2 >= b.2), "{told:?}");
        }
        differs |= told.lines.last_chunk::<3>().expect("three lines")[0].3 != told.best;
    }
    assert!(differs, "a weak player who always plays the best move");
}

#[test]
fn chess960_is_played_too() {
    let mut searcher = Searcher::new(1, 1);
    let mut game = position("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/RKRNBBQN w CAge - 0 1");
    for seed in 0..40 {
        let told = search(&mut searcher, &game, Limits::default(), limited(800, seed));
        let best = told.best.expect("there is a move");
        assert!(game.board().is_legal(best));
        game.play(best);
        if !game.board().has_legal_move() {
            break;
        }
    }
}
