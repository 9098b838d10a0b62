//! `rules`: what the laws of chess say of a position.

use analysis::model::{End, FindingKind, Game};
use analysis::review::{Review, ReviewMethod};
use movegen::unwinnable::examine;
use movegen::{Budget, Color, Verdict};
use rmcp::schemars;
use rmcp::schemars::JsonSchema;
use serde::Serialize;
use serve::Fault;

use crate::call::{Pieces, Reply};
use crate::parameters::{MOVES, POSITION, Parameter, Values};
use crate::pool::Pool;
use crate::reply::object;
use crate::tools::played::{Played, in_capital};
use crate::tools::score::name_of;

/// How hard to look whether a side can still mate: some seconds at the most.
const EFFORT: Budget = Budget::nodes(500_000);

pub(crate) const PARAMETERS: &[Parameter] = &[POSITION, MOVES];

/// What the laws say.
#[derive(Serialize, JsonSchema)]
pub(crate) struct RulesResult {
    /// The position.
    pub fen: String,
    /// The side to move: `white` or `black`.
    pub turn: &'static str,
    /// Whether it is in check.
    pub check: bool,
    /// How the game has ended without anybody's doing: `checkmate`, `stalemate`, `insufficient_material`, `dead_position`,
    /// `fivefold` or `seventy_five_moves`; null if it goes on.
    pub end: Option<String>,
    /// After how many of the moves it ended; more than that do not count by the laws.
    pub ended_after: Option<usize>,
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` if it goes on.
    pub result: &'static str,
    /// All legal moves; none if the game is over.
    pub legal_moves: Vec<LegalMove>,
    /// The draws that the side to move may claim.
    pub claims: Vec<ClaimResult>,
    /// How often this position has been there, this time included.
    pub occurrences: usize,
    /// Half-moves since the last capture or pawn's move.
    pub halfmove_clock: u16,
    /// Whether neither side can mate any more by any legal moves: then the game is drawn at once.
    pub dead: bool,
    /// Whether White can still mate by any legal moves, however bad: `yes`, `no`, or `unknown` if that was not found out. If
    /// Black's flag falls, White wins only if so.
    pub white_can_win: &'static str,
    /// The same of Black.
    pub black_can_win: &'static str,
}

/// A legal move.
#[derive(Serialize, JsonSchema)]
pub(crate) struct LegalMove {
    /// In UCI's notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// In Standard Algebraic Notation.
    pub san: String,
}

/// A draw that may be claimed.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ClaimResult {
    /// `threefold` or `fifty_moves`.
    pub rule: String,
    /// The moves with which the claim is right, in Standard Algebraic Notation; none if it is right as the board stands.
    pub with: Vec<String>,
}

pub(crate) fn begin(values: &Values, _: &Pool) -> Result<Pieces, Fault> {
    let played = Played::read(values)?;
    let size = played.moves.len() * 8;
    Ok(Pieces::one(Box::new(move |_, _| Some(Ok(reply(&played)))), size))
}

/// The game by the laws; nothing is searched.
pub(crate) fn by_the_laws(played: &Played) -> Game {
    let method = ReviewMethod { nodes: 1, multi_pv: 1, hash_mib: 1, tablebase: None };
    Review::new(played.game(None), method).game([])
}

/// How a game has ended, and after how many moves.
pub(crate) fn end_of(game: &Game) -> Option<(usize, End)> {
    game.positions.iter().enumerate().find_map(|(index, position)| Some((index, position.end?)))
}

fn reply(played: &Played) -> Reply {
    let (board, game) = (played.board(), by_the_laws(played));
    let end = end_of(&game);
    let can_win = |color| match examine(board, color, EFFORT).verdict {
        Verdict::Winnable(_) => "yes",
        Verdict::Unwinnable(_) => "no",
        Verdict::Undetermined => "unknown",
    };
    let [white_can_win, black_can_win] = [Color::White, Color::Black].map(can_win);
    let mut legal_moves = Vec::new();
    if end.is_none() {
        let write = |&mv: &movegen::Move| LegalMove { mv: mv.uci(played.style()).to_string(), san: board.san(mv) };
        legal_moves = board.legal_moves().iter().map(write).collect();
    }
    let is_mate = matches!(end, Some((_, End::Checkmate)));
    let claims = game.positions.last().filter(|_| end.is_none()).map_or(&[][..], |position| &position.claims);
    let result = RulesResult {
        fen: played.fen(),
        turn: played.turn(),
        check: board.in_check(),
        end: end.map(|(_, end)| name_of(&end)),
        ended_after: end.map(|(moves, _)| moves),
        result: match (end, board.turn()) {
            (None, _) => "*",
            (Some(_), Color::White) if is_mate => "0-1",
            (Some(_), Color::Black) if is_mate => "1-0",
            (Some(_), _) => "1/2-1/2",
        },
        legal_moves,
        claims: claims
            .iter()
            .map(|claim| ClaimResult { rule: name_of(&claim.rule), with: claim.with.clone() })
            .collect(),
        occurrences: played.position.earlier_occurrences() + 1,
        halfmove_clock: board.halfmove_clock(),
        dead: !is_mate && [white_can_win, black_can_win] == ["no"; 2],
        white_can_win,
        black_can_win,
    };
    Reply { text: in_words(played, &game, &result), data: object(&result) }
}

fn in_words(played: &Played, game: &Game, result: &RulesResult) -> String {
    let mut lines = Vec::new();
    match (&result.end, result.ended_after) {
        (Some(end), Some(moves)) => {
            let before =
                if moves < played.moves.len() { format!(" after {moves} of the moves") } else { String::new() };
            lines.push(format!("The game is over{before}: {}, {}.", end.replace('_', " "), result.result));
        }
        _ => {
            let check = if result.check { " and in check" } else { "" };
            let moves: Vec<_> = result.legal_moves.iter().map(|mv| &mv.san[..]).collect();
            let count = cli::counted(moves.len(), "legal move");
            lines.push(format!("{} to move{check}, {count}: {}.", in_capital(played.board().turn()), moves.join(" ")));
        }
    }
    let mut claims = game.findings.iter().filter(|finding| finding.kind == FindingKind::Claim);
    if !result.claims.is_empty() {
        lines.extend(claims.next_back().map(|finding| finding.text.clone()));
    }
    for (side, can_win) in [("White", result.white_can_win), ("Black", result.black_can_win)] {
        if can_win == "no" && result.end.is_none() {
            lines.push(format!("{side} cannot mate any more by any legal moves: nor win on time."));
        }
    }
    lines.join("\n")
}
