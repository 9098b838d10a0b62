//! A mistake as an exercise: the position before it, what is best there, and what is as good.

use movegen::Board;
use sha2::{Digest, Sha256};

use crate::judge::INACCURACY;
use crate::model::{About, Alternative, Game, Judgement, Move, Phase, Reason, ReasonKind, Side};

/// By how many points the solution of a strict exercise is better than the next move: Lichess asks for 0.7 on a scale from -1
/// to 1.
const STRICT_LEAD: f64 = 0.35;
/// What it keeps at least.
const STRICT_KEEPS: f64 = 0.45;
/// The most half-moves of a solution.
const MAX_SOLUTION: usize = 9;

/// A position in which the player erred, and what would have been right.
pub(super) struct Exercise {
    /// Of the position and its side to move: ten letters and digits.
    pub id: String,
    /// The position.
    pub fen: String,
    pub side: Side,
    /// The position before the opponent's last move, and that move in UCI's notation; `None` if the game begins here.
    pub lead_in: Option<(String, String)>,
    /// The solution, the player's move first and last.
    pub solution: Vec<String>,
    pub san: Vec<String>,
    /// Other moves that are as good, within 0.05 points.
    pub as_good: Vec<String>,
    /// What was played, and what it lost.
    pub played: Move,
    pub phase: Phase,
    /// The points of the best move, and of the best that is not as good; for the player.
    pub best: f64,
    pub next: Option<f64>,
    /// The tags of the game.
    pub white: String,
    pub black: String,
    pub date: String,
    pub site: Option<String>,
    pub opening: Option<String>,
    /// How many half-moves of the game come before.
    pub ply: usize,
}

impl Exercise {
    /// The exercises of a side's mistakes in a game.
    pub fn all_of(game: &Game, side: Side) -> impl Iterator<Item = Self> {
        let bad =
            move |mv: &Move| matches!(mv.judgement, Some(Judgement::Mistake | Judgement::Blunder)) && mv.side == side;
        game.moves.iter().enumerate().filter(move |(_, mv)| bad(mv)).filter_map(|(index, mv)| Self::of(game, index, mv))
    }

    fn of(game: &Game, index: usize, mv: &Move) -> Option<Self> {
        let (practice, position) = (mv.practice.as_ref()?, game.positions.get(index)?);
        let best = practice.moves.first()?;
        // A longer search may find that the move was not so bad.
        if practice.moves.iter().any(|other| other.uci == mv.uci && other.loss <= INACCURACY) {
            return None;
        }
        let (solution, san) = solution(best, &mv.reasons);
        let as_good = practice.moves[1..].iter().take_while(|other| other.loss <= INACCURACY);
        let points = |alternative: &Alternative| mv.side.points(alternative.white);
        let lead_in = index.checked_sub(1).and_then(|before| {
            let (position, mv) = (game.positions.get(before)?, game.moves.get(before)?);
            (mv.uci != "0000").then(|| (position.fen.clone(), mv.uci.clone()))
        });
        let tag = |name: &str| game.tag(name).unwrap_or("?").to_owned();
        Some(Self {
            id: id(&position.fen),
            fen: position.fen.clone(),
            side: mv.side,
            lead_in,
            solution,
            san,
            as_good: as_good.map(|other| other.san.clone()).collect(),
            played: mv.clone(),
            phase: position.phase,
            best: points(best),
            next: practice.moves.get(1).map(points),
            white: tag("White"),
            black: tag("Black"),
            date: game.tag("UTCDate").or(game.tag("Date")).unwrap_or("????.??.??").to_owned(),
            site: game.tag("Site").map(str::to_owned),
            opening: game.opening.as_ref().map(|opening| opening.name.clone()),
            ply: index,
        })
    }

    /// Whether there is one good move, and nothing near it.
    pub fn is_strict(&self) -> bool {
        self.best >= STRICT_KEEPS && self.next.is_some_and(|next| self.best - next >= STRICT_LEAD)
    }

    /// What it is about, in the words of Lichess's puzzles.
    pub fn themes(&self) -> Vec<String> {
        let phase = match self.phase {
            Phase::Opening => "opening",
            Phase::Middlegame => "middlegame",
            Phase::Endgame => "endgame",
        };
        let length = match self.solution.len().div_ceil(2) {
            1 => "oneMove",
            2 => "short",
            3 => "long",
            _ => "veryLong",
        };
        let goal = match self.best {
            best if best >= 0.9 => "crushing",
            best if best >= 0.65 => "advantage",
            _ => "equality",
        };
        let mut themes = vec![phase.to_owned(), length.to_owned(), goal.to_owned()];
        for reason in self.played.reasons.iter().filter(|reason| reason.about == About::Missed) {
            themes.extend(theme(reason.kind).map(str::to_owned));
            if let Some(moves) = reason.mate {
                themes.extend(["mate".to_owned(), format!("mateIn{moves}")]);
            }
        }
        themes
    }
}

/// As far as the missed line proves it; else the best move alone.
fn solution(best: &Alternative, reasons: &[Reason]) -> (Vec<String>, Vec<String>) {
    let proved = reasons.iter().find(|reason| {
        reason.about == About::Missed
            && reason.uci.first() == Some(&best.uci)
            && (reason.forced || reason.mate.is_some())
    });
    match proved {
        Some(reason) => {
            // The last move is the player's.
            let odd = reason.uci.len() - usize::from(reason.uci.len().is_multiple_of(2));
            let length = odd.min(MAX_SOLUTION);
            (reason.uci[..length].to_vec(), reason.line[..length].to_vec())
        }
        None => (vec![best.uci.clone()], vec![best.san.clone()]),
    }
}

/// Ten letters and digits of a position, its counters left out.
fn id(fen: &str) -> String {
    const SIGNS: &[u8; 32] = b"abcdefghijkmnopqrstuvwxyz2345678";
    let place: Vec<_> = fen.split(' ').take(4).collect();
    let digest = Sha256::digest(place.join(" "));
    digest.iter().take(10).map(|&byte| char::from(SIGNS[usize::from(byte & 31)])).collect()
}

const fn theme(kind: ReasonKind) -> Option<&'static str> {
    Some(match kind {
        ReasonKind::BackRankMate => "backRankMate",
        ReasonKind::HangingPiece => "hangingPiece",
        ReasonKind::Fork => "fork",
        ReasonKind::Pin => "pin",
        ReasonKind::Skewer => "skewer",
        ReasonKind::DiscoveredAttack => "discoveredAttack",
        ReasonKind::DoubleCheck => "doubleCheck",
        ReasonKind::Deflection => "deflection",
        ReasonKind::RemovedDefender => "capturingDefender",
        ReasonKind::TrappedPiece => "trappedPiece",
        ReasonKind::Promotion => "promotion",
        _ => return None,
    })
}

/// The board of an exercise, for the few that want to draw it.
pub(super) fn board(exercise: &Exercise) -> Option<Board> {
    Board::from_fen(&exercise.fen).ok()
}
