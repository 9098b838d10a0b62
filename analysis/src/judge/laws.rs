//! What the laws of chess say of a game that was played: where it was over, what could be claimed, whether its result
//! is right.
//!
//! Source: FIDE Laws of Chess (2023), 5.1, 5.2, 6.9, 9.2, 9.3 and 9.6.

use std::time::Duration;

use movegen::unwinnable::winnable;
use movegen::{Board, Budget, Color, DrawReason, Game, GameResult, Life, Outcome, Rules, Verdict, Victory};
use pgn::{PgnGame, result_text};

use super::termination::contradictions;
use crate::model::{Claim, ClaimRule, End, Finding, FindingKind};
use crate::read::main_line::MainLine;

/// How hard to look whether the winner of a finished game could mate: a second at the most.
const AT_THE_END: Budget = Budget::nodes(500_000);

/// What the laws say.
#[derive(Default)]
pub(crate) struct LawReport {
    /// For each position, how the game ends there.
    pub ends: Vec<Option<End>>,
    /// For each position, what may be claimed.
    pub claims: Vec<Vec<Claim>>,
    /// In order of the positions.
    pub findings: Vec<Finding>,
}

impl LawReport {
    pub fn on(game: &PgnGame, main_line: &MainLine) -> Self {
        let mut report = Self {
            ends: main_line.boards.iter().map(end_on_board).collect(),
            claims: vec![Vec::new(); main_line.boards.len()],
            findings: Vec::new(),
        };
        let played = report.follow(main_line);
        report.judge_claims(main_line);
        report.judge_end(game, main_line, &played);
        report.findings.extend(contradictions(game, main_line));
        report.findings.sort_by_key(|finding| finding.position);
        report
    }

    /// Plays the game by the laws until it is over, a turn is passed or there are no more moves.
    fn follow(&mut self, main_line: &MainLine) -> Game {
        let rules = Rules::default();
        let alive = main_line.alive_positions();
        let life = |index| if index < alive { Life::Alive } else { Life::Open };
        let mut game = Game::new_given(main_line.boards[0], rules, life(0));
        let mut index = 0;
        loop {
            if let Some(outcome) = game.outcome() {
                self.ends[index] = Some(end(outcome));
                return game;
            }
            self.claims[index] = claims(&game);
            let Some(Some(mv)) = main_line.moves.get(index).copied() else { return game };
            if game.play_given(mv, Duration::ZERO, life(index + 1)).is_err() {
                return game;
            }
            index += 1;
        }
    }

    fn say(&mut self, position: usize, kind: FindingKind, text: String) {
        // A tree has far fewer nodes than that.
        let position = u32::try_from(position).unwrap_or(u32::MAX);
        self.findings.push(Finding { position, kind, text });
    }

    /// Tells of claims, once for as long as the same can be claimed.
    fn judge_claims(&mut self, main_line: &MainLine) {
        for rule in [ClaimRule::Threefold, ClaimRule::FiftyMoves] {
            let name = match rule {
                ClaimRule::Threefold => "threefold repetition",
                ClaimRule::FiftyMoves => "the fifty-move rule",
            };
            let mut was_claimable = false;
            for index in 0..self.claims.len() {
                let claim = self.claims[index].iter().find(|claim| claim.rule == rule).cloned();
                let player = name_of(main_line.boards[index].turn());
                let follows =
                    || main_line.moves.get(index).copied().flatten().map(|mv| main_line.boards[index].san(mv));
                let text = match &claim {
                    Some(Claim { with, .. }) if with.is_empty() => format!("{player} may claim a draw by {name}."),
                    // If the move is made, the claim is told with the position after it.
                    Some(Claim { with, .. }) if !follows().is_some_and(|san| with.contains(&san)) => {
                        format!("{player} may claim a draw by {name} with {}.", with.join(" or "))
                    }
                    _ => {
                        was_claimable = false;
                        continue;
                    }
                };
                if !std::mem::replace(&mut was_claimable, true) {
                    self.say(index, FindingKind::Claim, text);
                }
            }
        }
    }

    fn judge_end(&mut self, game: &PgnGame, main_line: &MainLine, played: &Game) {
        let index = played.records().len();
        let Some(outcome) = played.outcome() else {
            // Beyond a turn that is passed, no laws hold.
            if index + 1 == main_line.boards.len() {
                self.judge_open_end(game, &main_line.boards[index], index);
            }
            return;
        };
        if outcome == Outcome::Draw(DrawReason::DeadPosition) {
            let text = "A dead position: neither side can mate by any series of legal moves. The game is drawn.";
            self.say(index, FindingKind::DeadPosition, text.to_owned());
        }
        let rest = main_line.moves.len() - index;
        if rest > 0 {
            let moves = if rest == 1 { "1 move follows".to_owned() } else { format!("{rest} moves follow") };
            let text = format!("The game was over: {outcome}; but {moves}.");
            return self.say(index, FindingKind::Overrun, text);
        }
        if game.result.is_some_and(|result| result != outcome.result()) {
            let fell = if is_time(game) { "A flag fell, but the game was over: " } else { "" };
            let kind = if is_time(game) { FindingKind::WrongFlagFall } else { FindingKind::WrongResult };
            self.say(
                index,
                kind,
                format!(
                    "The result should be {}, not {}. {fell}{outcome}.",
                    outcome.result(),
                    result_text(game.result)
                ),
            );
        }
    }

    /// Judges a result that is not on the board.
    fn judge_open_end(&mut self, game: &PgnGame, board: &Board, index: usize) {
        let Some(result) = game.result else { return };
        match result.winner() {
            Some(winner) if winnable(board, winner, AT_THE_END).is_unwinnable() => {
                let (winner, loser) = (name_of(winner), name_of(!winner));
                let spared = format!("{winner} cannot mate by any series of legal moves: the result should be 1/2-1/2");
                if is_time(game) {
                    let text = format!("{loser}'s flag fell, but {spared}.");
                    self.say(index, FindingKind::WrongFlagFall, text);
                } else {
                    let text = format!("{loser} lost without being mated, but {spared}.");
                    self.say(index, FindingKind::NeedlessLoss, text);
                }
            }
            None if is_time(game) => {
                let (flagged, other) = (board.turn(), !board.turn());
                if let Verdict::Winnable(_) = winnable(board, other, AT_THE_END) {
                    let result = GameResult::win_of(other);
                    let (flagged, other) = (name_of(flagged), name_of(other));
                    let text = format!(
                        "{flagged}'s flag fell, and {other} can still mate by a series of legal moves: the result should be \
                         {result}."
                    );
                    self.say(index, FindingKind::WrongFlagFall, text);
                }
            }
            _ => {}
        }
    }
}

/// Whether the tags say that time ran out.
fn is_time(game: &PgnGame) -> bool {
    // `time forfeit` by the standard and at Lichess; `won on time`, `drawn by timeout vs insufficient material` elsewhere.
    let termination = game.tags.get("Termination").unwrap_or_default().to_lowercase();
    ["time forfeit", "on time", "timeout"].iter().any(|words| termination.contains(words))
}

fn claims(game: &Game) -> Vec<Claim> {
    let mut claims: Vec<Claim> = Vec::new();
    for (rule, mv) in game.claims() {
        let rule = match rule {
            movegen::Claim::Threefold => ClaimRule::Threefold,
            movegen::Claim::FiftyMoves => ClaimRule::FiftyMoves,
        };
        let san = mv.map(|mv| game.board().san(mv));
        match claims.iter_mut().find(|claim| claim.rule == rule) {
            Some(claim) => claim.with.extend(san),
            None => claims.push(Claim { rule, with: san.into_iter().collect() }),
        }
    }
    claims
}

/// The end that the pieces on the board show, whatever was before.
fn end_on_board(board: &Board) -> Option<End> {
    if board.has_legal_move() {
        board.has_insufficient_material().then_some(End::InsufficientMaterial)
    } else {
        Some(if board.in_check() { End::Checkmate } else { End::Stalemate })
    }
}

/// An end by the rules alone.
const fn end(outcome: Outcome) -> End {
    match outcome {
        Outcome::Win(_, Victory::Checkmate) => End::Checkmate,
        Outcome::Draw(DrawReason::Stalemate) => End::Stalemate,
        Outcome::Draw(DrawReason::InsufficientMaterial) => End::InsufficientMaterial,
        Outcome::Draw(DrawReason::Fivefold) => End::Fivefold,
        Outcome::Draw(DrawReason::SeventyFiveMoves) => End::SeventyFiveMoves,
        // A game of nothing but moves knows no other.
        Outcome::Draw(_) | Outcome::Win(..) | Outcome::BothLose => End::DeadPosition,
    }
}

const fn name_of(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgn::PgnReader;

    fn report(text: &str) -> LawReport {
        let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        LawReport::on(&game, &MainLine::of(&game))
    }

    fn findings(text: &str) -> Vec<(u32, FindingKind)> {
        report(text).findings.iter().map(|finding| (finding.position, finding.kind)).collect()
    }

    fn from(fen: &str, rest: &str) -> String {
        format!("[FEN \"{fen}\"]\n[SetUp \"1\"]\n{rest}\n")
    }

    #[test]
    fn a_regular_game_has_no_findings() {
        assert!(findings("1. f3 e5 2. g4 Qh4# 0-1").is_empty());
        assert!(findings("1. e4 e5 1/2-1/2").is_empty());
        assert!(findings("[Termination \"Time forfeit\"]\n\n1. e4 e5 1-0").is_empty());
        assert_eq!(report("1. f3 e5 2. g4 Qh4# 0-1").ends[4], Some(End::Checkmate));
    }

    #[test]
    fn repetition_may_be_claimed_once_it_is_there_or_can_be_brought_about() {
        let shuffled = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1";
        // With Ng8 the start comes up for the third time.
        assert_eq!(findings(&format!("{shuffled} Ng8 1/2-1/2")), [(8, FindingKind::Claim)]);
        let report = report(&format!("{shuffled} e5 1/2-1/2"));
        assert_eq!(report.findings.len(), 1);
        assert_eq!(report.findings[0].text, "Black may claim a draw by threefold repetition with Ng8.");
        assert_eq!(report.claims[7], [Claim { rule: ClaimRule::Threefold, with: vec!["Ng8".to_owned()] }]);
    }

    #[test]
    fn claims_are_told_once_as_long_as_they_last() {
        let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 98 80";
        // One from the hundredth half-move on.
        let found = report(&from(fen, "1. Ra2 Kd8 2. Ra3 Kd7 3. Ra4 Kd6 1-0"));
        let texts: Vec<_> = found.findings.iter().map(|finding| &finding.text[..]).collect();
        assert_eq!(texts, ["White may claim a draw by the fifty-move rule."]);
        assert_eq!(found.findings[0].position, 2);
        assert_eq!(found.claims[1].len(), 1, "with any king's move");
    }

    #[test]
    fn moves_after_the_end_are_overrun() {
        let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(5);
        let report = report(&format!("{shuffle} *"));
        assert_eq!(report.ends[16], Some(End::Fivefold));
        let last = report.findings.last().unwrap();
        assert_eq!((last.position, last.kind), (16, FindingKind::Overrun));
        assert_eq!(last.text, "The game was over: draw by fivefold repetition; but 4 moves follow.");
        assert!(report.claims[20].is_empty(), "nothing is claimed in a game that is over");
    }

    #[test]
    fn dead_positions_are_named() {
        let wall = "8/8/k7/p1p1p1p1/P1P1P1P1/3B4/8/K7 w - - 0 1";
        assert_eq!(findings(&from(wall, "1/2-1/2")), [(0, FindingKind::DeadPosition)]);
        assert_eq!(findings(&from(wall, "1-0")), [(0, FindingKind::DeadPosition), (0, FindingKind::WrongResult)]);
        assert_eq!(
            findings(&from(wall, "1. Be2 Kb7 1/2-1/2")),
            [(0, FindingKind::DeadPosition), (0, FindingKind::Overrun)]
        );
        // Too few pieces are no news.
        assert!(findings(&from("8/8/k7/8/8/4B3/8/K7 w - - 0 1", "1/2-1/2")).is_empty());
    }

    #[test]
    fn results_that_contradict_the_board_are_wrong() {
        let report = report("1. f3 e5 2. g4 Qh4# 1-0");
        assert_eq!(report.findings[0].kind, FindingKind::WrongResult);
        assert_eq!(report.findings[0].text, "The result should be 0-1, not 1-0. Black mates.");
        assert!(findings("1. f3 e5 2. g4 Qh4# *").is_empty());
    }

    #[test]
    fn a_flag_falls_in_vain_if_nobody_can_mate() {
        let bare = "7k/8/8/8/8/2K5/8/R7 w - - 0 1";
        let time = "[Termination \"Time forfeit\"]\n\n";
        let report = report(&from(bare, &format!("{time}1. Kb2 0-1")));
        assert_eq!(report.findings[0].kind, FindingKind::WrongFlagFall);
        assert_eq!(
            report.findings[0].text,
            "White's flag fell, but Black cannot mate by any series of legal moves: the result should be 1/2-1/2."
        );
        assert!(findings(&from(bare, &format!("{time}1. Kb2 1-0"))).is_empty());
        assert_eq!(findings(&from(bare, "1. Kb2 0-1")), [(1, FindingKind::NeedlessLoss)]);
        // King and knight against king and pawn: some sites call it a draw, the laws do not.
        let knight = "7k/7p/8/8/8/2K5/8/N7 b - - 0 1";
        assert_eq!(findings(&from(knight, &format!("{time}1/2-1/2"))), [(0, FindingKind::WrongFlagFall)]);
        // With two half-moves left before the seventy-five-move rule ends the game, nobody can mate any more.
        let late = "8/5r2/p3k3/P7/8/1K6/8/8 w - - 148 100";
        assert_eq!(
            findings(&from(late, &format!("{time}0-1"))),
            [(0, FindingKind::Claim), (0, FindingKind::WrongFlagFall)]
        );
        // Against a bare king with a bishop it is one indeed.
        assert!(findings(&from("7k/8/8/8/8/2K5/8/NR6 w - - 0 1", &format!("{time}1/2-1/2"))).is_empty());
    }

    #[test]
    fn nothing_is_said_beyond_a_pass() {
        assert!(findings("1. e4 -- 2. Nf3 1-0").is_empty());
    }
}
