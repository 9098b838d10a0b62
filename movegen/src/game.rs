//! A game by the laws: moves, clocks, offers and claims, and when and why it is over.
//!
//! A [`Game`] is a start position, the [`Rules`] agreed on, and the [`Event`]s since. Each event is checked and leads
//! to a new state, which is kept: taking back is forgetting the last one, and the same events make the same game
//! again. Time is told, never measured.
//!
//! What ends the game by itself is tried in this order after every move: checkmate and stalemate, a dead position,
//! the fifth repetition, seventy-five moves. The rest takes a player: a claim, an agreement, a resignation, a fallen
//! flag or an illegal move. Whoever loses by one of the last three draws instead if the opponent cannot mate by any
//! series of legal moves. Touch-move and what a player does away from the board is beyond what a program sees.
//!
//! Source: FIDE Laws of Chess (2023), 5, 6, 7.5, 9 and 11.

mod clock;
mod event;
mod outcome;
mod rules;
#[cfg(test)]
mod tests;

use std::time::Duration;

pub use clock::{Bonus, Clock, Period, TimeControl, TimeControlError};
pub use event::{Claim, Event, GameError};
pub use outcome::{DrawReason, Fault, Outcome, Victory};
pub use rules::{IllegalMoves, Rules};

use crate::unwinnable::{is_dead, winnable};
use crate::{Board, ByColor, Color, Move, PieceType};

/// The game between two events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct State {
    board: Board,
    clocks: ByColor<Option<Clock>>,
    /// The side whose offer of a draw stands.
    offer: Option<Color>,
    illegal_moves: ByColor<u32>,
    /// The time used in this turn before the last illegal move or wrong claim.
    spent: Duration,
    outcome: Option<Outcome>,
}

/// An event and what it led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    event: Event,
    played: Option<Move>,
    after: State,
}

impl Record {
    /// What happened. A move that came after the fall of the flag stands here as [`Event::TimeOut`].
    #[must_use]
    pub const fn event(&self) -> Event {
        self.event
    }

    /// The move that came on the board, if one did: with a wrong claim, the one that was written down.
    #[must_use]
    pub const fn played(&self) -> Option<Move> {
        self.played
    }

    /// The board after it.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.after.board
    }

    /// A side's clock after it.
    #[must_use]
    pub const fn clock(&self, color: Color) -> Option<Clock> {
        self.after.clocks.0[color as usize]
    }
}

/// A game from its start to now, or to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    rules: Rules,
    start: State,
    records: Vec<Record>,
}

impl Game {
    /// A game from a position, which may already be its end.
    #[must_use]
    pub fn new(board: Board, rules: Rules) -> Self {
        let clocks = ByColor(Color::ALL.map(|color| rules.time[color].clock()));
        let (illegal_moves, spent) = (ByColor::default(), Duration::ZERO);
        let start = State { board, clocks, offer: None, illegal_moves, spent, outcome: None };
        let mut game = Self { rules, start, records: Vec::new() };
        game.start.outcome = game.automatic_end();
        game
    }

    /// The game that these events make.
    ///
    /// # Errors
    ///
    /// If an event cannot happen: its place among them, from 0, and why.
    pub fn replay(
        board: Board,
        rules: Rules,
        events: impl IntoIterator<Item = Event>,
    ) -> Result<Self, (usize, GameError)> {
        let mut game = Self::new(board, rules);
        for (index, event) in events.into_iter().enumerate() {
            game.apply(event).map_err(|error| (index, error))?;
        }
        Ok(game)
    }

    /// What was agreed on.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The position the game began with.
    #[must_use]
    pub const fn start(&self) -> &Board {
        &self.start.board
    }

    /// The position now.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.state().board
    }

    /// How the game ended; `None` while it goes on.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.state().outcome
    }

    /// A side's clock when its last move was made; `None` without one.
    #[must_use]
    pub fn clock(&self, color: Color) -> Option<Clock> {
        self.state().clocks[color]
    }

    /// The longest that the side to move may still think before its flag falls; `None` without a clock.
    #[must_use]
    pub fn allowance(&self) -> Option<Duration> {
        let turn = self.board().turn();
        let clock = self.clock(turn)?;
        Some(self.rules.time[turn].allowance(&clock).saturating_sub(self.state().spent))
    }

    /// The side whose offer of a draw stands.
    #[must_use]
    pub fn offer(&self) -> Option<Color> {
        self.state().offer
    }

    /// How many illegal moves a side has completed.
    #[must_use]
    pub fn illegal_moves(&self, color: Color) -> u32 {
        self.state().illegal_moves[color]
    }

    /// All that happened, in order.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The moves played.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.records.iter().filter_map(Record::played)
    }

    /// How often the position now on the board has been there, this time counted.
    #[must_use]
    pub fn occurrences(&self) -> usize {
        self.occurrences_of(self.board())
    }

    /// Whether a claim by the side to move would be right, now or with a legal move written down.
    #[must_use]
    pub fn is_claimable(&self, claim: Claim, intended: Option<Move>) -> bool {
        if self.outcome().is_some() || intended.is_some_and(|mv| !self.board().is_legal(mv)) {
            return false;
        }
        match (claim, intended) {
            (Claim::Threefold, None) => self.occurrences() >= 3,
            (Claim::Threefold, Some(mv)) => self.occurrences_of(&self.board().after(mv)) >= 2,
            (Claim::FiftyMoves, None) => self.board().halfmove_clock() >= FIFTY_MOVES,
            (Claim::FiftyMoves, Some(mv)) => self.board().after(mv).halfmove_clock() >= FIFTY_MOVES,
        }
    }

    /// The claims that would be right now, each as it is or else with every move that makes it so.
    #[must_use]
    pub fn claims(&self) -> Vec<(Claim, Option<Move>)> {
        let mut claims = Vec::new();
        for claim in Claim::ALL {
            if self.is_claimable(claim, None) {
                claims.push((claim, None));
            } else {
                let moves = self.board().legal_moves().into_iter().map(Some);
                claims.extend(moves.filter(|&mv| self.is_claimable(claim, mv)).map(|mv| (claim, mv)));
            }
        }
        claims
    }

    /// Plays a move of the side to move; a shorthand for [`apply`](Self::apply).
    ///
    /// # Errors
    ///
    /// If the game is over or the move is not legal.
    pub fn play(&mut self, mv: Move, elapsed: Duration) -> Result<Option<Outcome>, GameError> {
        self.apply(Event::Move { mv, elapsed })
    }

    /// Lets something happen. Returns how the game has ended, if it has.
    ///
    /// # Errors
    ///
    /// If it cannot happen now; nothing changes.
    pub fn apply(&mut self, event: Event) -> Result<Option<Outcome>, GameError> {
        let state = *self.state();
        if let Some(outcome) = state.outcome {
            return Err(GameError::Over(outcome));
        }
        let turn = state.board.turn();
        let (event, played, after) = match event {
            Event::Move { mv, .. } | Event::Opening { mv } | Event::Claim { intended: Some(mv), .. }
                if !state.board.is_legal(mv) =>
            {
                return Err(GameError::IllegalMove(mv));
            }
            Event::Move { elapsed, .. } | Event::IllegalMove { elapsed } | Event::Claim { elapsed, .. }
                if self.is_late(elapsed) =>
            {
                (Event::TimeOut, None, self.timed_out())
            }
            Event::Move { mv, elapsed } => (event, Some(mv), self.moved(mv, elapsed)),
            Event::Opening { mv } => {
                (event, Some(mv), State { clocks: state.clocks, ..self.moved(mv, Duration::ZERO) })
            }
            Event::IllegalMove { elapsed } => (event, None, self.moved_illegally(elapsed)),
            Event::TimeOut if state.clocks[turn].is_none() => return Err(GameError::NoClock),
            Event::TimeOut => (event, None, self.timed_out()),
            Event::OfferDraw(player) if state.offer == Some(!player) => (event, None, state.ended(AGREED)),
            Event::OfferDraw(player) => (event, None, State { offer: Some(player), ..state }),
            Event::AcceptDraw(player) | Event::DeclineDraw(player) if state.offer != Some(!player) => {
                return Err(GameError::NoOffer);
            }
            Event::AcceptDraw(_) => (event, None, state.ended(AGREED)),
            Event::DeclineDraw(_) => (event, None, State { offer: None, ..state }),
            Event::Claim { claim, intended, elapsed } => self.claimed(claim, intended, elapsed),
            Event::Resign(player) => (event, None, self.at_fault(player, Fault::Resignation)),
            Event::Forfeit(player) => (event, None, self.at_fault(player, Fault::Forfeit)),
        };
        self.records.push(Record { event, played, after });
        if played.is_some() {
            let end = self.automatic_end();
            self.state_mut().outcome = end;
        }
        Ok(self.outcome())
    }

    /// Takes the last event back, whatever it was, and returns it.
    pub fn undo(&mut self) -> Option<Event> {
        self.records.pop().map(|record| record.event)
    }

    fn state(&self) -> &State {
        self.records.last().map_or(&self.start, |record| &record.after)
    }

    fn state_mut(&mut self) -> &mut State {
        self.records.last_mut().map_or(&mut self.start, |record| &mut record.after)
    }

    /// Whether the flag of the side to move falls within this time.
    fn is_late(&self, elapsed: Duration) -> bool {
        self.allowance().is_some_and(|allowance| elapsed > allowance)
    }

    fn moved(&self, mv: Move, elapsed: Duration) -> State {
        let mut next = State { board: self.board().after(mv), spent: Duration::ZERO, ..*self.state() };
        let turn = self.board().turn();
        let total = self.state().spent.saturating_add(elapsed);
        next.clocks[turn] = next.clocks[turn].and_then(|clock| self.rules.time[turn].press(&clock, total));
        // Moving declines what the opponent has offered; one's own offer waits for the answer.
        next.offer = next.offer.filter(|&player| player == turn);
        next
    }

    fn moved_illegally(&self, elapsed: Duration) -> State {
        let turn = self.board().turn();
        let mut next = *self.state();
        next.illegal_moves[turn] += 1;
        match self.rules.illegal_moves {
            IllegalMoves::Warn { losing, bonus } if next.illegal_moves[turn] < losing => {
                next.spent = next.spent.saturating_add(elapsed);
                next.with_more_time(!turn, bonus)
            }
            IllegalMoves::Warn { .. } | IllegalMoves::Lose => {
                State { illegal_moves: next.illegal_moves, ..self.at_fault(turn, Fault::IllegalMove) }
            }
        }
    }

    fn timed_out(&self) -> State {
        let turn = self.board().turn();
        let mut next = self.at_fault(turn, Fault::Time);
        next.clocks[turn] = next.clocks[turn].map(Clock::run_down);
        next
    }

    /// A right claim ends the game. A wrong one costs time, counts as an offer, and its move is made.
    fn claimed(&self, claim: Claim, intended: Option<Move>, elapsed: Duration) -> (Event, Option<Move>, State) {
        let event = Event::Claim { claim, intended, elapsed };
        if self.is_claimable(claim, intended) {
            let reason = match claim {
                Claim::Threefold => DrawReason::Threefold,
                Claim::FiftyMoves => DrawReason::FiftyMoves,
            };
            return (event, None, self.state().ended(Outcome::Draw(reason)));
        }
        let turn = self.board().turn();
        let next = match intended {
            Some(mv) => self.moved(mv, elapsed),
            None => State { spent: self.state().spent.saturating_add(elapsed), ..*self.state() },
        };
        let next = State { offer: Some(turn), ..next };
        (event, intended, next.with_more_time(!turn, self.rules.wrong_claim_bonus))
    }

    fn at_fault(&self, player: Color, fault: Fault) -> State {
        let can_be_mated = !winnable(self.board(), !player, self.rules.faults).is_unwinnable();
        self.state().ended(Outcome::of_fault(player, fault, can_be_mated))
    }

    /// The end that the position on the board brings without anybody's doing.
    fn automatic_end(&self) -> Option<Outcome> {
        let board = self.board();
        if !board.has_legal_move() {
            let mated = Outcome::Win(!board.turn(), Victory::Checkmate);
            return Some(if board.in_check() { mated } else { Outcome::Draw(DrawReason::Stalemate) });
        }
        let reason = if board.has_insufficient_material() {
            DrawReason::InsufficientMaterial
        } else if is_dead(board, self.rules.dead_positions) {
            DrawReason::DeadPosition
        } else if self.occurrences() >= 5 {
            DrawReason::Fivefold
        } else if board.halfmove_clock() >= SEVENTY_FIVE_MOVES {
            DrawReason::SeventyFiveMoves
        } else {
            return None;
        };
        Some(Outcome::Draw(reason))
    }

    /// How often a position has been on the board up to now.
    fn occurrences_of(&self, board: &Board) -> usize {
        let played = self.records.iter().rev().filter(|record| record.played.is_some());
        let earlier = played.map(Record::board).chain([self.start()]);
        // Nothing before the last capture or pawn's move can be the same.
        earlier.take(usize::from(board.halfmove_clock()) + 1).filter(|other| is_same_position(board, other)).count()
    }
}

const AGREED: Outcome = Outcome::Draw(DrawReason::Agreement);

/// In half-moves, as [`Board::halfmove_clock`] counts them.
const FIFTY_MOVES: u16 = 100;
const SEVENTY_FIVE_MOVES: u16 = 150;

impl State {
    const fn ended(self, outcome: Outcome) -> Self {
        Self { outcome: Some(outcome), offer: None, ..self }
    }

    fn with_more_time(mut self, player: Color, time: Duration) -> Self {
        self.clocks[player] = self.clocks[player].map(|clock| clock.with_more(time));
        self
    }
}

/// Whether two positions are the same to the rule of repetition: the same side to move and the same pieces on the same
/// squares with the same rights to castle, and to capture en passant where that is legal.
fn is_same_position(one: &Board, other: &Board) -> bool {
    one.key() == other.key()
        && one.turn() == other.turn()
        && one.castling() == other.castling()
        && one.en_passant() == other.en_passant()
        && Color::ALL.into_iter().all(|color| one.colors(color) == other.colors(color))
        && PieceType::ALL.into_iter().all(|piece_type| one.pieces(piece_type) == other.pieces(piece_type))
}
