//! Analysed games made up for the tests: legal moves, and figures that look like an engine's but come from a formula.

use analysis::judge;
use analysis::model::{
    Analysis, BrokenGame, Finding, FindingKind, Game, Line, Move, Opening, Phase, PlayerSummary, Position, Run,
    RunLimits, Side, Source, Tag, Tally, Variation, VariationMove, Wdl,
};
use movegen::{Board, CastlingStyle, Color, FenStyle};
use pgn::EngineScore;

/// The start of normal chess.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// What made the analysis.
pub fn run() -> Run {
    Run {
        engine: "Vancura 0.1.0".to_owned(),
        network: "0123456789abcdef".to_owned(),
        source: "games.pgn".to_owned(),
        limits: RunLimits { nodes: Some(100_000), ..RunLimits::default() },
        multipv: 2,
        hash_mib: 16,
        threads_per_position: 1,
        tablebase: None,
    }
}

/// A game that could not be read.
pub fn broken() -> BrokenGame {
    BrokenGame { number: 9, line: 213, fault: "line 214: \"Zz9\" is not a move".to_owned(), in_part: false }
}

/// An analysed game of moves in Standard Algebraic Notation.
pub fn game(number: u32, fen: &str, chess960: bool, moves: &str) -> Game {
    let mut board = Board::from_fen(fen).expect("a position");
    let mut boards = vec![board];
    let mut played = Vec::new();
    for san in moves.split_whitespace() {
        let mv = board.parse_san(san).expect("a legal move");
        let (number, side) = (board.fullmove_number(), side(board.turn()));
        played.push(plain_move(number, side, board.san(mv), mv.uci(style(chess960)).to_string()));
        board.play(mv, &mut ());
        boards.push(board);
    }
    let positions: Vec<_> = boards.iter().enumerate().map(|(ply, board)| position(ply, board, chess960)).collect();
    for (index, mv) in played.iter_mut().enumerate() {
        judge_move(mv, index, &positions);
    }
    let [white, black] = [Side::White, Side::Black].map(|side| summary(&played, side));
    let tags =
        [("Event", "Test match"), ("White", "Morphy, Paul"), ("Black", "Anderssen, Adolf"), ("Date", "1858.12.21")];
    Game {
        number,
        file: None,
        line: 1,
        tags: tags.map(|(name, value)| tag(name, value)).into(),
        opening: None,
        chess960,
        result: "1-0".to_owned(),
        forfeit: false,
        complete: true,
        comment: String::new(),
        positions,
        moves: played,
        variations: Vec::new(),
        findings: Vec::new(),
        white,
        black,
    }
}

/// A game with everything: en passant, a capture that promotes to a knight, castling, checks, clocks, comments,
/// variations within variations, what the laws say, and mate.
pub fn rich_game() -> Game {
    let moves = "e4 Nf6 e5 d5 exd6 Nc6 dxc7 Bf5 cxd8=N Rxd8 Nf3 e5 Be2 Bd6 O-O O-O Nxe5 Nxe5 d4 Nc6 Bg5 Bxh2+ Kxh2 Ng4+ \
                 Kg1 Rxd4 Qxd4 Nxd4 Bxg4 Bxg4 Nc3 Ne2+ Nxe2 Bxe2 Rfe1 Bg4 Re8 f5 Rxf8+ Kxf8 Re1 f4 Re8+ Kf7 Bh4 g5 Re7+ \
                 Kf6 Rxh7+ Kg6 Re7 gxh4";
    let mut game = game(1, START, false, moves);
    let name = "Alekhine Defense: Scandinavian Variation".to_owned();
    game.opening = Some(Opening { eco: "B02".to_owned(), name });
    game.comment = "A game for the tests.".to_owned();
    for (index, mv) in game.moves.iter_mut().enumerate() {
        mv.clock_ms = Some(5_400_000 - 60_000 * index as u64);
        mv.elapsed_ms = Some(1_000 * (7 * index as u64 % 240 + 1));
    }
    game.moves[3].comment = "Alekhine's own idea.".to_owned();
    game.moves[3].nags = vec![5, 146];
    game.moves[6].file_evaluation = Some("0.31".to_owned());
    game.moves[8].only_move = true;
    game.moves[14].good_move = true;
    game.moves[20].missed_mate = Some(3);
    game.variations = vec![
        variation(None, 4, &[("d4", "d2d4", "The quiet way."), ("Bf5", "c8f5", "")]),
        variation(Some(0), 1, &[("Ne4", "f6e4", ""), ("--", "0000", "A threat?"), ("Nxf2", "e4f2", "")]),
    ];
    let text = "White cannot mate by any series of legal moves.".to_owned();
    game.findings = vec![Finding { position: 12, kind: FindingKind::DeadPosition, text }];
    game
}

/// A variation of moves: in both notations, with comments.
pub fn variation(parent: Option<u32>, at: u32, moves: &[(&str, &str, &str)]) -> Variation {
    let one = |&(san, uci, comment): &(&str, &str, &str)| VariationMove {
        san: san.to_owned(),
        uci: uci.to_owned(),
        nags: vec![1],
        prelude: String::new(),
        comment: comment.to_owned(),
    };
    Variation { parent, at, moves: moves.iter().map(one).collect() }
}

pub fn tag(name: &str, value: &str) -> Tag {
    Tag { name: name.to_owned(), value: value.to_owned() }
}

/// The pieces and the turn after moves in UCI's notation, as the first two fields of a FEN.
pub fn after(fen: &str, moves: &[String]) -> String {
    let mut board = Board::from_fen(fen).expect("a position");
    for uci in moves {
        board.play(board.parse_uci(uci).expect("a legal move"), &mut ());
    }
    first_fields(&board.fen(FenStyle::Standard))
}

/// The pieces and the turn.
pub fn first_fields(fen: &str) -> String {
    fen.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

const fn style(chess960: bool) -> CastlingStyle {
    if chess960 { CastlingStyle::Chess960 } else { CastlingStyle::Standard }
}

const fn side(color: Color) -> Side {
    match color {
        Color::White => Side::White,
        Color::Black => Side::Black,
    }
}

fn plain_move(number: u32, side: Side, san: String, uci: String) -> Move {
    Move {
        number,
        side,
        san,
        uci,
        clock_ms: None,
        elapsed_ms: None,
        spent_ms: None,
        forced: false,
        best: false,
        loss: None,
        centipawn_loss: None,
        accuracy: None,
        lichess_accuracy: None,
        judgement: None,
        label: None,
        only_move: false,
        good_move: false,
        missed_mate: None,
        reasons: Vec::new(),
        practice: None,
        nags: Vec::new(),
        comment: String::new(),
        file_evaluation: None,
    }
}

fn position(ply: usize, board: &Board, chess960: bool) -> Position {
    let phase = match ply {
        0..20 => Phase::Opening,
        20..36 => Phase::Middlegame,
        _ => Phase::Endgame,
    };
    Position {
        fen: board.fen(FenStyle::Standard),
        turn: side(board.turn()),
        check: board.in_check(),
        phase,
        analysis: Some(analysis(ply, board, chess960)),
        claims: Vec::new(),
        end: None,
    }
}

fn analysis(ply: usize, board: &Board, chess960: bool) -> Analysis {
    // A wave that grows, so that there are all kinds of errors.
    let white = (0.5 + 0.012 * ply as f64 * (ply as f64 * 1.7).sin()).clamp(0.02, 0.98);
    let win = (1000.0 * white * white).round() as u16;
    let loss = (1000.0 * (1.0 - white) * (1.0 - white)).round() as u16;
    let cp = (800.0 * (white - 0.5)).round() as i32;
    let line = |rank| line(board, rank, white, cp, chess960);
    Analysis {
        by: Source::Search,
        score: EngineScore::Centipawns(cp),
        white,
        wdl: Wdl { win, draw: 1000 - win - loss, loss },
        depth: 18,
        seldepth: 27,
        nodes: 100_000,
        lines: (0..2).filter_map(line).collect(),
    }
}

/// Moves chosen by a rule that has nothing to do with chess, castling first, so that lines see many kinds of moves.
fn line(board: &Board, rank: usize, white: f64, cp: i32, chess960: bool) -> Option<Line> {
    let mut board = *board;
    let (mut san, mut uci) = (Vec::new(), Vec::new());
    for step in 0..14 {
        let moves = board.legal_moves();
        let castling = moves.iter().find(|mv| mv.is_castling() && step > 0);
        let Some(&mv) = castling.or_else(|| moves.get((7 * step + rank) % moves.len().max(1))) else { break };
        san.push(board.san(mv));
        uci.push(mv.uci(style(chess960)).to_string());
        board.play(mv, &mut ());
    }
    let score = if rank == 0 { EngineScore::Centipawns(cp) } else { EngineScore::Mate(-4) };
    (!san.is_empty()).then_some(Line { score, white, san, uci })
}

fn judge_move(mv: &mut Move, index: usize, positions: &[Position]) {
    let white = |ply: usize| positions[ply].analysis.as_ref().map_or(0.5, |analysis| analysis.white);
    let gain = white(index + 1) - white(index);
    let loss = if mv.side == Side::White { -gain } else { gain }.max(0.0);
    mv.loss = Some(loss);
    mv.centipawn_loss = Some((800.0 * loss) as u32);
    mv.accuracy = Some(judge::accuracy(loss));
    mv.judgement = judge::judgement(loss);
}

fn summary(moves: &[Move], side: Side) -> PlayerSummary {
    let tally = |plies: std::ops::Range<usize>| {
        let moves: Vec<_> =
            moves.iter().enumerate().filter(|(ply, mv)| plies.contains(ply) && mv.side == side).collect();
        let count = |judgement| moves.iter().filter(|(_, mv)| mv.judgement == Some(judgement)).count() as u32;
        let mean = |value: fn(&Move) -> Option<f64>| {
            let values: Vec<f64> = moves.iter().filter_map(|(_, mv)| value(mv)).collect();
            (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
        };
        Tally {
            moves: moves.len() as u32,
            accuracy: mean(|mv| mv.accuracy),
            centipawn_loss: mean(|mv| mv.centipawn_loss.map(f64::from)),
            loss: mean(|mv| mv.loss),
            inaccuracies: count(analysis::model::Judgement::Inaccuracy),
            mistakes: count(analysis::model::Judgement::Mistake),
            blunders: count(analysis::model::Judgement::Blunder),
            ..Tally::default()
        }
    };
    PlayerSummary {
        game: tally(0..usize::MAX),
        opening: tally(0..20),
        middlegame: tally(20..36),
        endgame: tally(36..usize::MAX),
        lichess_accuracy: None,
    }
}
