//! A position as an exercise: before a mistake, what is best there, and what is as good; or a puzzle with one solution.

use movegen::{Board, CastlingStyle};
use sha2::{Digest, Sha256};

use crate::judge::INACCURACY;
use crate::model::{About, Alternative, Game, Judgement, Move, Phase, Reason, ReasonKind, Side};

/// Lichess has one theme for mates in five moves and more.
const MAX_MATE_THEME: u32 = 5;
/// The most half-moves of a solution.
const MAX_SOLUTION: usize = 9;

/// A position and what is right in it.
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
    /// What was played, if it was a mistake.
    pub played: Option<Move>,
    /// What the opponent's last move allowed and the player missed, for the themes.
    reasons: Vec<Reason>,
    /// Whether the solution ends with mate.
    is_mate: bool,
    pub phase: Phase,
    /// The points of the best move for the player.
    best: f64,
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
        let bad = move |mv: &Move| is_bad(mv) && mv.side == side;
        game.moves.iter().enumerate().filter(move |(_, mv)| bad(mv)).filter_map(|(index, mv)| Self::of(game, index, mv))
    }

    /// A puzzle: the position of a game, and its solution.
    pub fn strict(game: &Game, index: usize, board: &Board, moves: &[movegen::Move]) -> Option<Self> {
        let style = if game.chess960 { CastlingStyle::Chess960 } else { CastlingStyle::Standard };
        let (mut at, mut solution, mut san) = (*board, Vec::new(), Vec::new());
        for &mv in moves {
            solution.push(mv.uci(style).to_string());
            san.push(at.san(mv));
            at.play(mv, &mut ());
        }
        let side = Side::from(board.turn());
        let best = side.points(game.positions[index].analysis.as_ref()?.white);
        let played = game.moves.get(index).filter(|mv| is_bad(mv) && solution.first() != Some(&mv.uci)).cloned();
        let mut exercise = Self::at(game, index, (solution, san), played, best)?;
        exercise.is_mate = at.in_check() && !at.has_legal_move();
        Some(exercise)
    }

    fn of(game: &Game, index: usize, mv: &Move) -> Option<Self> {
        let practice = mv.practice.as_ref()?;
        let best = practice.moves.first()?;
        // A longer search may find that the move was not so bad.
        if practice.moves.iter().any(|other| other.uci == mv.uci && other.loss <= INACCURACY) {
            return None;
        }
        let (solution, san) = solution(best, &mv.reasons);
        let as_good = practice.moves[1..].iter().take_while(|other| other.loss <= INACCURACY);
        let mut exercise = Self::at(game, index, (solution, san), Some(mv.clone()), mv.side.points(best.white))?;
        exercise.as_good = as_good.map(|other| other.san.clone()).collect();
        Some(exercise)
    }

    fn at(
        game: &Game,
        index: usize,
        (solution, san): (Vec<String>, Vec<String>),
        played: Option<Move>,
        best: f64,
    ) -> Option<Self> {
        let position = game.positions.get(index)?;
        let allowed = index.checked_sub(1).and_then(|before| game.moves.get(before)).into_iter();
        let allowed = allowed.flat_map(|mv| &mv.reasons).filter(|reason| reason.about == About::Allowed);
        let missed = played.iter().flat_map(|mv| &mv.reasons).filter(|reason| reason.about == About::Missed);
        // What another move would do is no theme of this one.
        let is_of_it = |reason: &&Reason| reason.uci.first() == solution.first();
        let reasons = missed.chain(allowed).filter(is_of_it).cloned().collect();
        let lead_in = index.checked_sub(1).and_then(|before| {
            let (position, mv) = (game.positions.get(before)?, game.moves.get(before)?);
            (mv.uci != "0000").then(|| (position.fen.clone(), mv.uci.clone()))
        });
        let tag = |name: &str| game.tag(name).unwrap_or("?").to_owned();
        Some(Self {
            id: id(&position.fen),
            fen: position.fen.clone(),
            side: position.turn,
            lead_in,
            solution,
            san,
            as_good: Vec::new(),
            played,
            reasons,
            is_mate: false,
            phase: position.phase,
            best,
            white: tag("White"),
            black: tag("Black"),
            date: game.tag("UTCDate").or(game.tag("Date")).unwrap_or("????.??.??").to_owned(),
            site: game.tag("Site").map(str::to_owned),
            opening: game.opening.as_ref().map(|opening| opening.name.clone()),
            ply: index,
        })
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
        let mut themes = vec![phase.to_owned(), length.to_owned()];
        let mates = self.reasons.iter().find_map(|reason| reason.mate);
        let mates = if self.is_mate { u32::try_from(self.solution.len().div_ceil(2)).ok() } else { mates };
        match mates {
            Some(moves) => themes.extend(["mate".to_owned(), format!("mateIn{}", moves.min(MAX_MATE_THEME))]),
            None => themes.push(goal.to_owned()),
        }
        for theme in self.reasons.iter().filter_map(|reason| theme(reason.kind)) {
            if !themes.iter().any(|other| other == theme) {
                themes.push(theme.to_owned());
            }
        }
        themes
    }
}

fn is_bad(mv: &Move) -> bool {
    matches!(mv.judgement, Some(Judgement::Mistake | Judgement::Blunder))
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
