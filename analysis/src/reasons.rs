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
mod threat;
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
use self::threat::Threat;
use crate::model::{About, Analysis, End, Reason, ReasonKind};

/// No more is said of a move.
const MAX_REASONS: usize = 3;
/// A side that expected fewer points than this had no win to lose; one that still expects more than what this leaves of a point has
/// missed no draw.
const WINNING: f64 = 0.65;
/// A turn that is passed, as a move in a line.
const PASS_SAN: &str = "--";
const PASS_UCI: &str = "0000";
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
    if had[0] >= WINNING && is_drawn(fault.after) {
        reasons.extend(fault.draw(About::Allowed, &after, &reply, fault.end));
    }
    if had[1] <= 1.0 - WINNING && is_drawn(fault.before) {
        reasons.extend(fault.draw(About::Missed, fault.board, &best, None));
    }
    if allowed_mate.is_none() && fault.end.is_none() {
        reasons.extend(fault.allowed(&after, &best, &reply).into_iter().flatten().flatten());
    }
    if missed_mate.is_none() && fault.mated(fault.before) == 0 {
        reasons.extend(fault.missed(&after, &best, &reply));
    }
    reasons.extend(allowed_mate);
    reasons.extend(missed_mate);
    if reasons.is_empty() && fault.end.is_none() {
        let threats = [fault.allowed_threat(&after, &best, &reply), fault.missed_threat(&after, &best, &reply)];
        reasons.extend(threats.into_iter().flatten());
    }
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

/// Whether a draw is expected.
fn is_drawn(analysis: &Analysis) -> bool {
    analysis.score == EngineScore::Centipawns(0) || (analysis.white - 0.5).abs() < 0.05
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
        let verb = verb(about);
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

    /// The draw that a line from a position reaches for its side to move.
    fn draw(&self, about: About, start: &Board, line: &[Move], end: Option<End>) -> Option<Reason> {
        let drawn = draw(start, line, end)?;
        let line = &line[..drawn.shown.min(line.len())];
        let sans = sans(start, line);
        let text = match (about, drawn.text.ends_with('.')) {
            (About::Allowed, true) => drawn.text,
            (About::Missed, true) => format!("Misses a draw. {}", drawn.text),
            (_, false) => format!("{} {}: {}.", verb(about), drawn.text, sans[..sans.len().min(MAX_WORDS)].join(" ")),
        };
        Some(Reason {
            kind: drawn.kind,
            about,
            squares: named(&drawn.squares),
            arrows: arrows(&drawn.arrows),
            line: sans,
            uci: self.uci(line),
            material: 0,
            mate: None,
            // Other replies may lead elsewhere.
            forced: end.is_some(),
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

    /// What the reply threatens, if the opponent could not take as much already, nor would after the best move.
    fn allowed_threat(&self, after: &Board, best: &[Move], reply: &[Move]) -> Option<Reason> {
        let (&first, winner) = (reply.first()?, !self.side());
        let threat = Threat::of(after, first)?;
        let otherwise = self.board.after(*best.first()?);
        let is_old = threat.is_had(after) || threat.is_had(&otherwise);
        let is_won_anyway =
            threat.balance.is_some_and(|aim| lasting(self.board, best, winner).is_none_or(|had| had >= aim));
        let is_said = !is_old && !is_won_anyway && !threat.comes_by(first, after, &otherwise);
        is_said.then(|| self.threat_reason(About::Allowed, after, first, &threat))
    }

    /// What the best move threatens, if the mover could not take as much already, and the move played does not threaten it.
    fn missed_threat(&self, after: &Board, best: &[Move], reply: &[Move]) -> Option<Reason> {
        let &first = best.first()?;
        let threat = Threat::of(self.board, first)?;
        let is_won_anyway =
            threat.balance.is_some_and(|aim| lasting(after, reply, self.side()).is_none_or(|got| got >= aim));
        (!threat.is_had(self.board) && !threat.is_there(after) && !is_won_anyway)
            .then(|| self.threat_reason(About::Missed, self.board, first, &threat))
    }

    fn threat_reason(&self, about: About, start: &Board, first: Move, threat: &Threat) -> Reason {
        let won =
            || words::won(&threat.start, &threat.end, threat.start.turn()).unwrap_or_else(|| "material".to_owned());
        let what = if threat.balance.is_some() { format!("to win {}", won()) } else { "mate".to_owned() };
        let (san, then) = (start.san(first), sans(&threat.start, &threat.moves));
        let carried = threat.moves[0];
        Reason {
            kind: ReasonKind::Threat,
            about,
            squares: named(&[first.to(), carried.from(), carried.to()]),
            arrows: arrows(&[(first.from(), first.to()), (carried.from(), carried.to())]),
            text: format!(
                "{} {san}, which threatens {what}: {}.",
                verb(about),
                then[..then.len().min(MAX_WORDS)].join(" ")
            ),
            line: [san, PASS_SAN.to_owned()].into_iter().chain(then).collect(),
            uci: [self.uci(&[first]), vec![PASS_UCI.to_owned()], self.uci(&threat.moves)].concat(),
            material: threat.gain(),
            mate: None,
            forced: false,
            weight: threat.balance.map_or(0.4, |_| rounded((0.1 + 0.03 * f64::from(threat.gain())).min(0.35))),
        }
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

/// How a sentence about something other than material begins.
const fn verb(about: About) -> &'static str {
    match about {
        About::Allowed => "Allows",
        About::Missed => "Misses",
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
