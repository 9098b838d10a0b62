//! One game of the player, as far as a profile is about it.

use movegen::{Board, Color};
use pgn::{Date, EngineScore, OpeningName, PgnGame};

use super::entry::GameEntry;
use crate::judge;
use crate::judge::assemble::phase_of;
use crate::judge::worth::rounded;
use crate::model::{Game, Judgement, Phase, Side};
use crate::read::main_line::MainLine;

/// A game of the player.
pub(super) struct Played {
    pub side: Side,
    /// What tells it from the others, for those who want to look at it.
    pub source: GameEntry,
    /// The player's points, doubled; `None` for a game without a result.
    pub points: Option<u8>,
    pub opening: String,
    pub opponent: String,
    pub opponent_rating: Option<u32>,
    /// Months since the year 0.
    pub month: Option<i64>,
    pub date: String,
    /// The player's moves that could be judged and had an alternative.
    pub moves: Vec<PlayedMove>,
}

/// A move of the player.
pub(super) struct PlayedMove {
    pub phase: Phase,
    pub loss: f64,
    pub accuracy: f64,
    pub judgement: Option<Judgement>,
    /// What the player's clock showed before, in milliseconds.
    pub left_ms: Option<u64>,
    pub spent_ms: Option<u64>,
    /// The position before, if the move was bad.
    pub mistake: Option<Mistake>,
}

/// A position in which the player erred.
pub(super) struct Mistake {
    pub board: Board,
    pub number: u32,
    pub played: String,
    pub best: Option<String>,
}

/// The opening of a game, for the table of openings: the code of the tag `ECO`, and the name in the tag `Opening` up to its
/// variation. Without both, what its moves lead to.
pub(super) fn opening(game: &PgnGame) -> String {
    let known = |name| game.tags.get(name).map(str::trim).filter(|value| !matches!(*value, "" | "?" | "-"));
    let code = known("ECO").and_then(|code| code.get(..3)).filter(|code| {
        code.starts_with(|letter: char| letter.is_ascii_uppercase()) && code[1..].bytes().all(|b| b.is_ascii_digit())
    });
    let family = |name: &str| name.split([':', ',']).next().unwrap_or(name).trim().chars().take(60).collect::<String>();
    match (code, known("Opening").map(family)) {
        (Some(code), Some(name)) => format!("{code} {name}"),
        (Some(code), None) => code.to_owned(),
        (None, Some(name)) => name,
        (None, None) => OpeningName::of_game(&game.tree)
            .map_or_else(|| "unknown".to_owned(), |opening| format!("{} {}", opening.eco, family(opening.name))),
    }
}

impl Played {
    /// A game of which no move has been judged yet.
    pub fn new(game: &PgnGame, side: Side, number: u32, file: Option<&str>) -> Self {
        let tags = &game.tags;
        let them = if side == Side::White { "Black" } else { "White" };
        let points = match (tags.get("Result").map(str::trim), side) {
            (Some("1-0"), Side::White) | (Some("0-1"), Side::Black) => Some(2),
            (Some("0-1"), Side::White) | (Some("1-0"), Side::Black) => Some(0),
            (Some("1/2-1/2"), _) => Some(1),
            _ => None,
        };
        let date = [tags.get("UTCDate"), tags.get("Date")].into_iter().flatten().find(|date| month(date).is_some());
        let date = date.unwrap_or_default().to_owned();
        let tag = |name: &str| tags.get(name).unwrap_or("?").to_owned();
        let source = GameEntry {
            number,
            file: file.map(str::to_owned),
            white: tag("White"),
            black: tag("Black"),
            result: tag("Result"),
            date: date.clone(),
            site: tags.get("Site").map(str::to_owned),
            accuracy: None,
            blunders: 0,
            repertoire: None,
        };
        Self {
            side,
            source,
            points,
            opening: opening(game),
            opponent: tags.get(them).unwrap_or("?").to_owned(),
            opponent_rating: tags.get(&format!("{them}Elo")).and_then(|elo| elo.trim().parse().ok()),
            month: month(&date),
            date,
            moves: Vec::new(),
        }
    }

    /// The game for the list of games, with what its moves amount to.
    pub fn entry(&self) -> GameEntry {
        let count = self.moves.len();
        let sum: f64 = self.moves.iter().map(|mv| mv.accuracy).sum();
        let blunders = self.moves.iter().filter(|mv| mv.judgement == Some(Judgement::Blunder)).count();
        GameEntry {
            accuracy: (count > 0).then(|| (sum / count as f64 * 100.0).round() / 100.0),
            blunders: u32::try_from(blunders).unwrap_or(u32::MAX),
            ..self.source.clone()
        }
    }

    /// The moves as a search judged them.
    pub fn add_searched(&mut self, game: &Game, main_line: &MainLine) {
        let mut clock = Clock::new(game.tag("TimeControl"));
        for (index, mv) in game.moves.iter().enumerate().filter(|(_, mv)| mv.side == self.side) {
            let (left_ms, spent_ms) = clock.moved(mv.clock_ms, mv.elapsed_ms);
            let (Some(loss), Some(accuracy), false) = (mv.loss, mv.accuracy, mv.forced) else { continue };
            let before = &game.positions[index];
            let mistake = is_bad(mv.judgement).then(|| Mistake {
                board: main_line.boards[index],
                number: mv.number,
                played: mv.san.clone(),
                best: before.analysis.as_ref().and_then(|analysis| analysis.lines.first()?.san.first().cloned()),
            });
            let (phase, judgement) = (before.phase, mv.judgement);
            self.moves.push(PlayedMove { phase, loss, accuracy, judgement, left_ms, spent_ms, mistake });
        }
    }

    /// The moves as the evaluations of the file judge them; whether they do, for most of them.
    pub fn add_evaluated(&mut self, game: &PgnGame) -> bool {
        let color = Color::from(self.side);
        let mut clock = Clock::new(game.tags.get("TimeControl"));
        let (mut before, mut phase) = (None, Phase::Opening);
        let (mut own, mut judged) = (0, 0);
        for (id, board) in game.tree.main_line() {
            let node = game.tree.node(id);
            phase = phase.max(phase_of(&board));
            let after = match node.mv {
                Some(mv) => worth(node.evaluation.map(|evaluation| evaluation.score), &board.after(mv)),
                None => None,
            };
            let had = std::mem::replace(&mut before, after);
            let (Some(mv), true) = (node.mv, board.turn() == color) else { continue };
            let millis = |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
            let (left_ms, spent_ms) = clock.moved(node.clock.map(millis), node.elapsed.map(millis));
            own += 1;
            let (Some(had), Some(has)) = (had, after) else { continue };
            judged += 1;
            if board.count_legal_moves() == 1 {
                continue;
            }
            let loss = rounded((self.side.points(had) - self.side.points(has)).max(0.0));
            let judgement = judge::judgement(loss);
            let mistake = is_bad(judgement).then(|| Mistake {
                board,
                number: board.fullmove_number(),
                played: board.san(mv),
                best: None,
            });
            let accuracy = judge::accuracy(loss);
            self.moves.push(PlayedMove { phase, loss, accuracy, judgement, left_ms, spent_ms, mistake });
        }
        let is_evaluated = judged > 0 && 2 * judged >= own;
        if !is_evaluated {
            self.moves.clear();
        }
        is_evaluated
    }
}

fn is_bad(judgement: Option<Judgement>) -> bool {
    matches!(judgement, Some(Judgement::Mistake | Judgement::Blunder))
}

/// The points that White may expect by an evaluation of the file.
///
/// Source: Lichess, which writes them: its curve from centipawns to chances, fitted to games of its players.
fn worth(score: Option<EngineScore>, board: &Board) -> Option<f64> {
    if !board.has_legal_move() {
        return Some(if !board.in_check() {
            0.5
        } else if board.turn() == Color::White {
            0.0
        } else {
            1.0
        });
    }
    Some(match score? {
        score @ EngineScore::Centipawns(_) => judge::lichess::win_percent(score) / 100.0,
        EngineScore::Mate(moves) => f64::from(u8::from(moves > 0)),
    })
}

/// Months since the year 0, of a date as PGN has it.
fn month(date: &str) -> Option<i64> {
    let date = Date::read(date).filter(|date| date.month > 0)?;
    Some(12 * i64::from(date.year) + i64::from(date.month) - 1)
}

/// The player's clock.
struct Clock {
    shown: Option<u64>,
    increment: u64,
}

impl Clock {
    /// By the tag `TimeControl`, such as `300+3`.
    fn new(control: Option<&str>) -> Self {
        let (base, increment) =
            control.unwrap_or_default().split_once('+').unwrap_or((control.unwrap_or_default(), "0"));
        let millis = |text: &str| text.trim().parse::<u64>().ok().and_then(|seconds| seconds.checked_mul(1000));
        Self { shown: millis(base), increment: millis(increment).unwrap_or(0) }
    }

    /// What was left before a move and what it took, by what the clock shows after it.
    fn moved(&mut self, shown: Option<u64>, elapsed: Option<u64>) -> (Option<u64>, Option<u64>) {
        let left = shown.and(self.shown);
        let took = |(before, after): (u64, u64)| before.saturating_add(self.increment).saturating_sub(after);
        let spent = elapsed.or_else(|| left.zip(shown).map(took));
        self.shown = shown;
        (left, spent)
    }
}

#[cfg(test)]
mod tests {
    use pgn::PgnReader;

    use super::*;

    fn game(text: &str) -> PgnGame {
        PgnReader::new(text.as_bytes()).next().unwrap().unwrap()
    }

    #[test]
    fn openings_are_named_by_their_tags_or_their_moves() {
        let named = |text: &str| opening(&game(&format!("{text}\n\n*")));
        assert_eq!(named("[ECO \"C46\"]\n[Opening \"Four Knights Game: Italian Variation\"]"), "C46 Four Knights Game");
        assert_eq!(named("[ECO \"B90h\"]"), "B90");
        assert_eq!(named("[ECO \"?\"]\n[Opening \"Réti, Advance\"]"), "Réti");
        assert_eq!(named("[ECO \"é9\"]"), "unknown");
        assert_eq!(named("[White \"x\"]"), "unknown");
        assert_eq!(opening(&game("1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 *")), "B90 Sicilian Defense");
    }

    #[test]
    fn evaluations_of_the_file_judge_its_moves() {
        let game = game(
            "[Black \"B\"]\n[BlackElo \"1500\"]\n[Result \"0-1\"]\n[Date \"2024.03.??\"]\n[TimeControl \"60+2\"]\n\n\
             1. f3 {[%eval -0.5] [%clk 0:00:59]} e5 {[%eval -0.4] [%clk 0:01:00]} 2. g4 {[%eval #-1] [%clk 0:00:40]} \
             Qh4# {[%clk 0:00:58]} 0-1",
        );
        let mut white = Played::new(&game, Side::White, 1, None);
        assert!(white.add_evaluated(&game));
        assert_eq!((white.points, white.opponent_rating, white.month), (Some(0), Some(1500), Some(12 * 2024 + 2)));
        let [blunder] = &white.moves[..] else { panic!("the first move has nothing before it") };
        assert_eq!(
            (blunder.judgement, blunder.left_ms, blunder.spent_ms),
            (Some(Judgement::Blunder), Some(59_000), Some(21_000))
        );
        assert!((blunder.loss - 0.4632).abs() < 0.001, "{}", blunder.loss);
        assert_eq!(blunder.mistake.as_ref().map(|mistake| &mistake.played[..]), Some("g4"));
        let mut black = Played::new(&game, Side::Black, 1, None);
        assert!(black.add_evaluated(&game));
        assert_eq!((black.points, black.moves.len()), (Some(2), 2));
        assert!(black.moves.iter().all(|mv| mv.loss < 0.02));
        assert_eq!(black.moves[1].spent_ms, Some(4000));
    }

    #[test]
    fn a_game_without_evaluations_is_not_judged_by_them() {
        let game = game("1. e4 {[%eval 0.2]} e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *");
        let mut played = Played::new(&game, Side::Black, 1, None);
        assert!(!played.add_evaluated(&game) && played.moves.is_empty() && played.points.is_none());
    }
}
