//! Why a move is bad, as far as it is proved.
//!
//! A search has told the best line before the move and the best line after it. Each is played by the rules, and something is
//! said only if it is there at the end: a mate, a draw, or material that the count shows once no capture changes it any more
//! (`material`, `proof`). What the first move of the line does to win it has a name, its `motif`: what is attacked
//! (`attack`), what stands on lines (`lines`), what is guarded (`defence`). `mates` and `draws` know how games end. Most
//! names are given only if all other replies lose as much, which a search of replies proves by counting pieces.
//!
//! Where nothing is proved, nothing is said.

mod attack;
mod defence;
mod detectors;
mod draws;
mod lines;
pub(crate) mod material;
mod mates;
mod motif;
mod proof;
mod words;

#[cfg(test)]
mod tests;

use movegen::{Board, CastlingStyle, Color, Move, Square};
use pgn::EngineScore;

use self::detectors::motif_of;
use self::draws::draw;
use self::material::{balance, settled};
use self::mates::mate;
use self::motif::Motif;
use self::proof::{Tactic, is_forced, lasting};
use crate::model::{About, Analysis, End, Reason, ReasonKind};

/// No more is said of a move.
const MAX_REASONS: usize = 3;
/// A side that expected fewer points than this had no win to lose.
const WINNING: f64 = 0.65;
/// The most half-moves of a mate that are shown in a sentence.
const MAX_WORDS: usize = 7;

/// A move that threw points away, and what is known around it.
pub(crate) struct Fault<'a> {
    /// The position before it.
    pub board: &'a Board,
    pub mv: Move,
    pub before: &'a Analysis,
    pub after: &'a Analysis,
    /// How the game ends after it, by the laws.
    pub end: Option<End>,
    pub style: CastlingStyle,
}

/// Why the move is bad, the weightiest reason first; nothing if nothing is proved.
pub(crate) fn reasons(fault: &Fault<'_>) -> Vec<Reason> {
    let after = fault.board.after(fault.mv);
    let best = moves_of(fault.board, fault.before);
    let reply = moves_of(&after, fault.after);
    let side = fault.board.turn();
    let had = [fault.before, fault.after]
        .map(|analysis| if side == Color::White { analysis.white } else { 1.0 - analysis.white });
    let mut reasons = Vec::new();
    let allowed_mate = fault.allowed_mate(&after, &reply);
    let missed_mate = fault.missed_mate(&best);
    if had[0] >= WINNING && fault.is_drawn() {
        reasons.extend(fault.draw(&after, &reply));
    }
    if allowed_mate.is_none() && fault.end.is_none() {
        reasons.extend(fault.allowed(&after, &best, &reply).into_iter().flatten().flatten());
    }
    if missed_mate.is_none() && fault.mated(fault.before) == 0 {
        reasons.extend(fault.missed(&after, &best, &reply));
    }
    reasons.extend(allowed_mate);
    reasons.extend(missed_mate);
    reasons.sort_by(|one, other| other.weight.total_cmp(&one.weight));
    reasons.truncate(MAX_REASONS);
    reasons
}

/// The moves of the best line of a position.
fn moves_of(board: &Board, analysis: &Analysis) -> Vec<Move> {
    let mut board = *board;
    let moves = analysis.lines.first().into_iter().flat_map(|line| &line.uci).map_while(|text| {
        let mv = board.parse_uci(text).ok()?;
        board.play(mv, &mut ());
        Some(mv)
    });
    moves.collect()
}

impl Fault<'_> {
    fn side(&self) -> Color {
        self.board.turn()
    }

    /// The moves in which the mover mates, negative if it is mated; 0 for neither.
    fn mated(&self, analysis: &Analysis) -> i32 {
        match analysis.score.relative_to(self.side()) {
            EngineScore::Mate(moves) => moves,
            EngineScore::Centipawns(_) => 0,
        }
    }

    /// Whether a draw is expected after the move.
    fn is_drawn(&self) -> bool {
        self.after.score == EngineScore::Centipawns(0) || (self.after.white - 0.5).abs() < 0.05
    }

    fn allowed_mate(&self, after: &Board, reply: &[Move]) -> Option<Reason> {
        let (was, is) = (self.mated(self.before), self.mated(self.after));
        if is >= 0 || was < 0 {
            return None;
        }
        let found = mate(after, reply).filter(|found| i32::try_from(found.moves) == Ok(-is))?;
        Some(self.mate_reason(About::Allowed, after, reply, &found))
    }

    fn missed_mate(&self, best: &[Move]) -> Option<Reason> {
        let (was, is) = (self.mated(self.before), self.mated(self.after));
        if was <= 0 || is > 0 {
            return None;
        }
        let found = mate(self.board, best).filter(|found| i32::try_from(found.moves) == Ok(was))?;
        Some(self.mate_reason(About::Missed, self.board, best, &found))
    }

    fn mate_reason(&self, about: About, start: &Board, line: &[Move], found: &mates::Mated) -> Reason {
        let kind = if found.on_back_rank { ReasonKind::BackRankMate } else { ReasonKind::Mate };
        let verb = if about == About::Allowed { "Allows" } else { "Misses" };
        let place = if found.on_back_rank { " on the back rank" } else { "" };
        let sans = sans(start, line);
        let dots = if sans.len() > MAX_WORDS { " ..." } else { "" };
        let shown = sans[..sans.len().min(MAX_WORDS)].join(" ");
        let in_moves =
            if found.moves > 1 || !found.on_back_rank { format!(" in {}", found.moves) } else { String::new() };
        Reason {
            kind,
            about,
            squares: named(&[found.by, found.king]),
            arrows: arrows(&[(line[0].from(), line[0].to())]),
            uci: self.uci(line),
            material: 0,
            mate: Some(found.moves),
            forced: true,
            weight: rounded((1.0 - 0.02 * f64::from(found.moves - 1)).max(0.8)),
            text: format!("{verb} mate{in_moves}{place}: {shown}{dots}."),
            line: sans,
        }
    }

    fn draw(&self, after: &Board, reply: &[Move]) -> Option<Reason> {
        let drawn = draw(after, reply, self.end)?;
        let line = &reply[..drawn.shown.min(reply.len())];
        let sans = sans(after, line);
        let text = if drawn.text.ends_with('.') {
            drawn.text
        } else {
            format!("{}: {}.", drawn.text, sans[..sans.len().min(MAX_WORDS)].join(" "))
        };
        Some(Reason {
            kind: drawn.kind,
            about: About::Allowed,
            squares: named(&drawn.squares),
            arrows: arrows(&drawn.arrows),
            line: sans,
            uci: self.uci(line),
            material: 0,
            mate: None,
            forced: true,
            weight: 0.95,
            text,
        })
    }

    /// What the opponent wins, and whether that was threatened already.
    fn allowed(&self, after: &Board, best: &[Move], reply: &[Move]) -> Option<[Option<Reason>; 2]> {
        let winner = !self.side();
        let before = balance(self.board, winner);
        let tactics = Tactic::all_of(after, reply, before);
        let (tactic, motif) = motif_of(&tactics)?;
        // Not if the best move would have lost as much, or another reply to this one loses nothing.
        let otherwise = lasting(self.board, best, winner)?;
        if tactic.sure == 0 || before + tactic.sure <= otherwise {
            return Some([None, None]);
        }
        let threat = self.threat(tactic, before);
        Some([Some(self.reason(About::Allowed, tactic, motif)), threat])
    }

    /// The first move of the tactic, a capture, would have won as much if the mover had passed. Of quieter moves counting
    /// pieces alone does not say that they threaten: there may have been better ones.
    fn threat(&self, tactic: &Tactic, before: i32) -> Option<Reason> {
        if self.board.in_check() {
            return None;
        }
        let mut passed = *self.board;
        passed.play_null();
        let first = tactic.first();
        let is_legal = passed.legal_moves().contains(&first);
        let is_same = is_legal && passed.piece_on(first.from()) == tactic.start.piece_on(first.from());
        let takes = tactic.start.captured_by(first).is_some();
        if !is_same || !takes || !is_forced(&passed, &[first], before + tactic.sure) {
            return None;
        }
        let san = tactic.start.san(first);
        let line = &tactic.moves[..];
        Some(Reason {
            kind: ReasonKind::ThreatIgnored,
            about: About::Allowed,
            squares: named(&[first.from(), first.to()]),
            arrows: arrows(&[(first.from(), first.to())]),
            line: sans(&tactic.start, line),
            uci: self.uci(line),
            material: tactic.sure,
            mate: None,
            forced: true,
            weight: rounded(weight(tactic.sure) - 0.1),
            text: format!("Does not meet the threat {san}."),
        })
    }

    /// What the mover could have won.
    fn missed(&self, after: &Board, best: &[Move], reply: &[Move]) -> Option<Reason> {
        let before = balance(self.board, self.side());
        let tactics = Tactic::all_of(self.board, best, before);
        let (tactic, motif) = motif_of(&tactics)?;
        let got =
            if reply.is_empty() { settled(after, self.side())?.balance } else { lasting(after, reply, self.side())? };
        (tactic.sure > 0 && got < before + tactic.sure).then(|| self.reason(About::Missed, tactic, motif))
    }

    fn reason(&self, about: About, tactic: &Tactic, motif: Motif) -> Reason {
        let sans = sans(&tactic.start, &tactic.moves);
        let last = tactic.boards.last().unwrap_or(&tactic.start);
        let what = if tactic.is_forced() {
            words::won(self.board, last, tactic.winner).unwrap_or_else(|| "material".to_owned())
        } else {
            words::at_least(tactic.sure)
        };
        let verb = if about == About::Allowed { "Loses" } else { "Misses the win of" };
        let how = if motif.clause.is_empty() {
            sans[..=tactic.decisive()].join(" ")
        } else {
            format!("{} {}", sans[0], motif.clause)
        };
        let missed = if about == About::Missed { 0.05 } else { 0.0 };
        Reason {
            kind: motif.kind,
            about,
            squares: named(&motif.squares),
            arrows: arrows(&motif.arrows),
            line: sans,
            uci: self.uci(&tactic.moves),
            material: tactic.sure,
            mate: None,
            forced: tactic.is_forced(),
            weight: rounded(weight(tactic.sure) - missed),
            text: format!("{verb} {what}: {how}."),
        }
    }

    fn uci(&self, line: &[Move]) -> Vec<String> {
        line.iter().map(|mv| mv.uci(self.style).to_string()).collect()
    }
}

/// By the pawns that are won.
fn weight(gain: i32) -> f64 {
    (0.2 + 0.07 * f64::from(gain)).min(0.9)
}

fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

fn sans(start: &Board, line: &[Move]) -> Vec<String> {
    let mut board = *start;
    let san = |mv: &Move| {
        let san = board.san(*mv);
        board.play(*mv, &mut ());
        san
    };
    line.iter().map(san).collect()
}

fn named(squares: &[Square]) -> Vec<String> {
    squares.iter().map(ToString::to_string).collect()
}

fn arrows(arrows: &[(Square, Square)]) -> Vec<String> {
    arrows.iter().map(|(from, to)| format!("{from}{to}")).collect()
}
