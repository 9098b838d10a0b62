//! From a game as it was read and what the searches found to the game as it is written.

use std::time::Duration;

use movegen::{Bitboard, Board, CastlingStyle, Color, FenStyle, PieceType, Rank};
use pgn::{Node, NodeId, OpeningName, PgnGame, Tree, result_text};
use search::{Found, FoundLine};

use crate::judge::judged::Judged;
use crate::judge::laws::LawReport;
use crate::judge::lichess;
use crate::judge::summary::summarise;
use crate::judge::times::times;
use crate::judge::worth::{Worth, rounded};
use crate::model::{
    Analysis, End, Game, Line, Move, Opening, Phase, PlayerSummary, Position, Side, Source, Tag, Variation,
    VariationMove,
};
use crate::read::games::Reading;
use crate::read::main_line::MainLine;

/// Puts all together. `found` has an entry for each position.
pub(crate) fn assemble(reading: &Reading, found: &[Option<Found>]) -> Game {
    let Reading { number, file, line, game, main_line, label: _ } = reading;
    let laws = LawReport::on(game, main_line);
    let style = castling_style(game);
    let mut phase = Phase::Opening;
    let positions: Vec<_> = (main_line.boards.iter().zip(found).enumerate())
        .map(|(index, (board, found))| {
            phase = phase.max(phase_of(board));
            let end = laws.ends[index];
            Position {
                fen: board.fen(FenStyle::Standard),
                turn: board.turn().into(),
                check: board.in_check(),
                phase,
                analysis: by_rules(end, board).or_else(|| Some(by_search(found.as_ref()?, board, style))),
                claims: laws.claims[index].clone(),
                end,
            }
        })
        .collect();
    let moves = moves(reading, &positions, style);
    let mut game = Game {
        number: *number,
        file: file.as_deref().map(str::to_owned),
        line: *line,
        tags: game.tags.iter().map(|(name, value)| Tag { name: name.to_owned(), value: value.to_owned() }).collect(),
        opening: OpeningName::of_game(&game.tree).map(Opening::from),
        chess960: style == CastlingStyle::Chess960,
        result: result_text(game.result),
        forfeit: game.is_forfeit,
        complete: positions.iter().skip(main_line.first).all(|position| position.analysis.is_some()),
        comment: game.tree.node(NodeId::ROOT).comment.clone(),
        positions,
        moves,
        variations: variations(&game.tree, style),
        findings: laws.findings,
        white: PlayerSummary::default(),
        black: PlayerSummary::default(),
    };
    for (mv, time) in times(&game).into_iter().enumerate() {
        game.moves[mv].spent_ms = time;
    }
    (game.white, game.black) = (summarise(&game, Side::White), summarise(&game, Side::Black));
    add_lichess(&mut game, main_line.boards[0].key() == Board::start().key());
    game
}

/// The accuracies as Lichess counts them, of the moves and of both sides.
fn add_lichess(game: &mut Game, is_standard: bool) {
    let Some(percents) = lichess::percents_of(game, is_standard) else { return };
    for (mv, pair) in game.moves.iter_mut().zip(percents.windows(2)) {
        let (before, after) = if mv.side == Side::White { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
        mv.lichess_accuracy = Some(rounded(lichess::move_accuracy(before, after)));
    }
    let first = game.moves.first().map_or(Side::White, |mv| mv.side);
    let [white, black] = lichess::game_accuracy(first, &percents).map(|accuracy| accuracy.map(rounded));
    (game.white.lichess_accuracy, game.black.lichess_accuracy) = (white, black);
}

/// As Chess960 needs it where the start or a tag says so.
pub(crate) fn castling_style(game: &PgnGame) -> CastlingStyle {
    if game.is_chess960() { CastlingStyle::Chess960 } else { CastlingStyle::Standard }
}

impl From<OpeningName> for Opening {
    fn from(OpeningName { eco, name }: OpeningName) -> Self {
        Self { eco: eco.to_owned(), name: name.to_owned() }
    }
}

fn by_rules(end: Option<End>, board: &Board) -> Option<Analysis> {
    let worth = match end? {
        End::Checkmate => Worth::of(search::Score::mated_in(0), board),
        End::Stalemate | End::InsufficientMaterial | End::DeadPosition => Worth::DRAW,
        // Moves may follow, and people go on to play them.
        End::Fivefold | End::SeventyFiveMoves => return None,
    };
    let Worth { score, points, wdl } = worth;
    Some(Analysis { by: Source::Rules, score, white: points, wdl, depth: 0, seldepth: 0, nodes: 0, lines: Vec::new() })
}

/// What a search found, as it is written.
pub(crate) fn by_search(found: &Found, board: &Board, style: CastlingStyle) -> Analysis {
    // A score without a search has no moves.
    let lines: Vec<_> =
        found.lines.iter().filter(|line| !line.moves.is_empty()).map(|line| written(line, board, style)).collect();
    let score = found.lines.first().map(|line| line.score).unwrap_or_default();
    let Worth { score, points, wdl } = Worth::of(score, board);
    let Found { depth, seldepth, nodes, .. } = *found;
    Analysis { by: Source::Search, score, white: points, wdl, depth, seldepth, nodes, lines }
}

fn written(line: &FoundLine, board: &Board, style: CastlingStyle) -> Line {
    let Worth { score, points, .. } = Worth::of(line.score, board);
    let mut board = *board;
    let (mut san, mut uci) = (Vec::new(), Vec::new());
    for &mv in &line.moves {
        san.push(board.san(mv));
        uci.push(mv.uci(style).to_string());
        board.play(mv, &mut ());
    }
    Line { score, white: points, san, uci }
}

/// The part of the game a position belongs to, if it stood alone.
///
/// The opening ends when ten or fewer queens, rooks, bishops and knights are left or a side has moved all but three pieces
/// from its first rank; the endgame begins with six of them.
pub(crate) fn phase_of(board: &Board) -> Phase {
    let pieces = board.occupied() & !board.pieces(PieceType::Pawn) & !board.pieces(PieceType::King);
    let at_home = |color: Color| (board.colors(color) & Bitboard::rank(Rank::One.relative_to(color))).count();
    match pieces.count() {
        0..=6 => Phase::Endgame,
        7..=10 => Phase::Middlegame,
        _ if Color::ALL.into_iter().any(|color| at_home(color) <= 3) => Phase::Middlegame,
        _ => Phase::Opening,
    }
}

fn moves(reading: &Reading, positions: &[Position], style: CastlingStyle) -> Vec<Move> {
    let Reading { game, main_line, .. } = reading;
    let book = book_moves(main_line);
    let mut last_capture = None;
    let mut given = None;
    let described = main_line.moves.iter().zip(&main_line.nodes).enumerate().map(|(index, (&mv, &id))| {
        let (board, node) = (&main_line.boards[index], game.tree.node(id));
        let (before, after) = (&positions[index], &positions[index + 1]);
        // Everybody sees that a piece must be taken back.
        let captures = mv.filter(|&mv| board.captured_by(mv).is_some()).map(|mv| mv.to());
        let retakes = captures.is_some() && captures == std::mem::replace(&mut last_capture, captures);
        let judged = match (mv, &before.analysis, &after.analysis) {
            (Some(mv), Some(before), Some(now)) => {
                let at = Judged {
                    board,
                    mv,
                    before,
                    after: now,
                    end: after.end,
                    style,
                    retakes,
                    is_book: index < book,
                    given,
                };
                Some(at.judged())
            }
            _ => None,
        };
        let quality = judged.as_ref().map(|(quality, ..)| *quality);
        given = quality.map(|quality| quality.loss);
        Move {
            number: board.fullmove_number(),
            side: board.turn().into(),
            san: san(mv, board),
            uci: uci(mv, style),
            clock_ms: node.clock.map(millis),
            elapsed_ms: node.elapsed.map(millis),
            spent_ms: None,
            forced: mv.is_some() && board.count_legal_moves() == 1,
            best: quality.is_some_and(|quality| quality.best),
            loss: quality.map(|quality| quality.loss),
            centipawn_loss: quality.map(|quality| quality.centipawn_loss),
            accuracy: quality.map(|quality| quality.accuracy),
            lichess_accuracy: None,
            judgement: quality.and_then(|quality| quality.judgement),
            label: judged.as_ref().map(|(_, label, _)| *label),
            only_move: quality.is_some_and(|quality| quality.only_move) && !retakes,
            good_move: quality.is_some_and(|quality| quality.good_move) && !retakes,
            missed_mate: quality.and_then(|quality| quality.missed_mate),
            reasons: judged.map(|(.., reasons)| reasons).unwrap_or_default(),
            practice: None,
            nags: node.nags.clone(),
            comment: node.comment.clone(),
            file_evaluation: node.evaluation.map(|evaluation| evaluation.to_string()),
        }
    });
    described.collect()
}

/// How many moves of a game come before the last position that the list of openings names; 0 if it does not start from the
/// standard position.
fn book_moves(main_line: &MainLine) -> usize {
    if main_line.boards[0].key() != Board::start().key() {
        return 0;
    }
    let played = main_line.moves.iter().take_while(|mv| mv.is_some()).count();
    (1..=played).rev().find(|&index| OpeningName::of_position(&main_line.boards[index]).is_some()).unwrap_or(0)
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn san(mv: Option<movegen::Move>, board: &Board) -> String {
    mv.map_or_else(|| "--".to_owned(), |mv| board.san(mv))
}

fn uci(mv: Option<movegen::Move>, style: CastlingStyle) -> String {
    mv.map_or_else(|| "0000".to_owned(), |mv| mv.uci(style).to_string())
}

/// The variations of a game, without the call stack: those of one line are noted down before they are followed.
fn variations(tree: &Tree, style: CastlingStyle) -> Vec<Variation> {
    /// A line that begins with this move, which is number `at` of the line `parent`.
    struct Start {
        id: NodeId,
        parent: Option<u32>,
        at: u32,
        before: Board,
    }
    let mut variations = Vec::new();
    let mut starts = Vec::new();
    let note = |starts: &mut Vec<Start>, id, line, at, before| {
        let siblings = tree.children(id).skip(1);
        starts.extend(siblings.map(|id| Start { id, parent: line, at, before }));
    };
    let mut at = NodeId::ROOT;
    for (number, (id, before)) in tree.main_line().enumerate() {
        note(&mut starts, at, None, u32::try_from(number).unwrap_or(u32::MAX), before);
        at = id;
    }
    starts.reverse();
    while let Some(Start { id, parent, at, before }) = starts.pop() {
        let number = u32::try_from(variations.len()).unwrap_or(u32::MAX);
        let (mut next, mut board, mut moves) = (Some(id), before, Vec::new());
        let mut inner = Vec::new();
        while let Some(id) = next {
            let node = tree.node(id);
            moves.push(variation_move(node, &board, style));
            match node.mv {
                Some(mv) => board.play(mv, &mut ()),
                None => board.play_null(),
            }
            note(&mut inner, id, Some(number), u32::try_from(moves.len()).unwrap_or(u32::MAX), board);
            next = tree.main_child(id);
        }
        starts.extend(inner.into_iter().rev());
        // There may be very many, most of a move or two.
        moves.shrink_to_fit();
        variations.push(Variation { parent, at, moves });
    }
    variations
}

fn variation_move(node: &Node, before: &Board, style: CastlingStyle) -> VariationMove {
    VariationMove {
        san: san(node.mv, before),
        uci: uci(node.mv, style),
        nags: node.nags.clone(),
        prelude: node.prelude.clone(),
        comment: node.comment.clone(),
    }
}

#[cfg(test)]
mod tests {
    use pgn::{EngineScore, PgnReader};

    use super::*;

    fn reading(text: &str) -> Reading {
        let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        Reading { number: 1, file: None, line: 1, main_line: MainLine::of(&game), game, label: None }
    }

    fn unsearched(text: &str) -> Game {
        let reading = reading(text);
        assemble(&reading, &vec![None; reading.main_line.boards.len()])
    }

    #[test]
    fn variations_are_listed_with_their_places() {
        let game = unsearched("1. e4 (1. d4 d5 (1... Nf6 2. c4 (2. Nf3) 2... e6) 2. c4) (1. c4) 1... e5 (1... c5) *");
        let listed: Vec<_> = game
            .variations
            .iter()
            .map(|variation| {
                let moves: Vec<_> = variation.moves.iter().map(|mv| &mv.san[..]).collect();
                (variation.parent, variation.at, moves.join(" "))
            })
            .collect();
        let expected =
            [(None, 0, "d4 d5 c4"), (Some(0), 1, "Nf6 c4 e6"), (Some(1), 1, "Nf3"), (None, 0, "c4"), (None, 1, "c5")];
        assert_eq!(listed, expected.map(|(parent, at, moves)| (parent, at, moves.to_owned())));
    }

    #[test]
    fn what_the_file_says_is_kept() {
        let game = unsearched("[White \"A\"]\n\n{before} 1. e4 $1 {[%clk 0:01:02.5] [%eval 0.3] good} -- *");
        assert_eq!((game.tag("White"), &game.comment[..], &game.result[..]), (Some("A"), "before", "*"));
        let mv = &game.moves[0];
        assert_eq!((mv.clock_ms, &mv.nags[..], &mv.comment[..]), (Some(62_500), &[1][..], "good"));
        assert_eq!(mv.file_evaluation.as_deref(), Some("0.30"));
        assert_eq!((&game.moves[1].san[..], &game.moves[1].uci[..]), ("--", "0000"));
        assert!(!game.complete && mv.loss.is_none() && game.white.game.moves == 0);
    }

    #[test]
    fn a_passed_turn_is_not_judged() {
        let reading = reading("1. e4 -- 2. d4 *");
        let found = |cp| {
            let line = FoundLine { score: search::Score(cp), bound: search::Bound::Exact, moves: vec![] };
            Some(Found { depth: 1, seldepth: 1, nodes: 1, lines: vec![line] })
        };
        let game = assemble(&reading, &[found(0), found(0), found(0), found(0)]);
        assert!(game.complete && game.moves[1].loss.is_none() && game.moves[2].loss.is_some());
    }

    #[test]
    fn rules_speak_before_searches() {
        let game = unsearched("1. f3 e5 2. g4 Qh4# 0-1");
        let last = game.positions.last().and_then(|position| position.analysis.as_ref()).unwrap();
        assert_eq!((last.by, last.score, last.white), (Source::Rules, EngineScore::Mate(0), 0.0));
        let stalemate = unsearched("[FEN \"7k/8/5K2/6Q1/8/8/8/8 w - - 0 1\"]\n\n1. Qg6 1/2-1/2");
        let last = stalemate.positions[1].analysis.as_ref().unwrap();
        assert_eq!((last.by, last.white, last.wdl.draw), (Source::Rules, 0.5, 1000));
    }

    #[test]
    fn parts_of_a_game_follow_each_other() {
        let phase = |fen: &str| phase_of(&Board::from_fen(fen).unwrap());
        assert_eq!(phase_of(&Board::start()), Phase::Opening);
        assert_eq!(phase("r2q1rk1/ppp2ppp/2n1bn2/3p4/3P4/2N1BN2/PPP2PPP/R2Q1RK1 w - - 0 1"), Phase::Opening);
        assert_eq!(phase("2r2rk1/pppq1ppp/2n1b3/3p4/3P4/2N1B3/PPPQ1PPP/2R2RK1 w - - 0 1"), Phase::Middlegame);
        assert_eq!(phase("2r2rk1/ppp2ppp/8/3p4/3P4/8/PPP2PPP/2R2RK1 w - - 0 1"), Phase::Endgame);
        // Once left, a part does not come again, even if a pawn becomes a queen.
        let game = unsearched(
            "[FEN \"r1b1k2r/P5pp/8/8/8/8/6PP/R1B1K2R w KQkq - 0 1\"]\n\n1. Kd1 Kd8 2. axb8=Q *"
                .replace("axb8=Q", "h3")
                .as_str(),
        );
        assert!(game.positions.windows(2).all(|pair| pair[0].phase <= pair[1].phase));
    }

    #[test]
    fn taking_back_is_no_only_move() {
        let reading = reading("1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 *");
        let lines = |first: &str, board: &Board| {
            let first = board.parse_san(first).unwrap();
            let other = board.legal_moves().into_iter().find(|&mv| mv != first).unwrap();
            let line =
                |score, mv| FoundLine { score: search::Score(score), bound: search::Bound::Exact, moves: vec![mv] };
            Some(Found { depth: 1, seldepth: 1, nodes: 1, lines: vec![line(0, first), line(-2_000, other)] })
        };
        let sans = ["e4", "d5", "exd5", "Qxd5", "Nc3", "Qa5", "d4"];
        let found: Vec<_> = sans.iter().zip(&reading.main_line.boards).map(|(san, board)| lines(san, board)).collect();
        let only: Vec<_> = assemble(&reading, &found).moves.iter().map(|mv| mv.only_move).collect();
        assert_eq!(only, [true, true, true, false, true, true]);
    }
}
