//! A game by the FIDE Laws: moves, clocks, draw offers and claims, and how it ends.
//!
//! A [`Game`] is a start position, the [`Rules`], and the [`Event`]s since. Each event is checked and leads to a new
//! state, which is stored. Undo removes the last one, and replaying the same events gives the same game. The game never
//! measures time: it is told how long each move took.
//!
//! After every move the automatic ends are checked in this order: checkmate and stalemate, dead position, fivefold
//! repetition, the seventy-five-move rule. Other ends need a player: a claim, an agreement, a resignation, a time loss
//! or an illegal move. A player who would lose by one of the last three draws instead if the opponent cannot mate by
//! any series of legal moves. Both players may be declared lost. Some of this the [`Rules`] can change.
//!
//! What a program cannot see is not covered: touch-move and the way moves are made (4, 7.1 to 7.4), writing them down (8),
//! and behaviour away from the board (11, 12).
//!
//! Source: FIDE Laws of Chess (2023), 5, 6, 7.5, 9 and 11.

mod clock;
mod event;
mod life;
mod outcome;
mod rules;
#[cfg(test)]
mod tests;

use std::time::Duration;

pub use clock::{Bonus, Clock, Period, TimeControl, TimeControlError};
pub use event::{Claim, Event, GameError};
pub use life::Life;
pub use outcome::{DrawReason, Fault, GameResult, Outcome, Victory};
pub use rules::{IllegalMoves, Rules};

use crate::unwinnable::{is_dead, winnable};
use crate::{Board, ByColor, Color, Move, PieceType};

/// The state of the game between two events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct State {
    board: Board,
    clocks: ByColor<Option<Clock>>,
    /// The side with an open draw offer.
    offer: Option<Color>,
    illegal_moves: ByColor<u32>,
    /// The time used in this turn before the last illegal move or wrong claim.
    spent: Duration,
    outcome: Option<Outcome>,
}

/// An event and the state after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    event: Event,
    played: Option<Move>,
    after: State,
}

impl Record {
    /// The event. A move made after the flag fell is recorded as [`Event::TimeOut`].
    #[must_use]
    pub const fn event(&self) -> Event {
        self.event
    }

    /// The move played on the board, if any; for a wrong claim, the move that was claimed with.
    #[must_use]
    pub const fn played(&self) -> Option<Move> {
        self.played
    }

    /// The board after the event.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.after.board
    }

    /// A side's clock after the event.
    #[must_use]
    pub const fn clock(&self, color: Color) -> Option<Clock> {
        self.after.clocks.0[color as usize]
    }
}

/// A game with its whole history.
///
/// ```
/// use std::time::Duration;
///
/// use movegen::{Board, Color, Game, Outcome, Rules, Victory};
///
/// let mut game = Game::new(Board::start(), Rules::timed("60+1".parse()?));
/// for text in ["f3", "e5", "g4", "Qh4#"] {
///     let mv = game.board().parse_san(text)?;
///     game.play(mv, Duration::from_secs(2))?;
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Win(Color::Black, Victory::Checkmate)));
/// assert_eq!(game.clock(Color::White).unwrap().remaining(), Duration::from_secs(58));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    rules: Rules,
    start: State,
    records: Vec<Record>,
}

impl Game {
    /// A new game from a position, in which it may already be over.
    #[must_use]
    pub fn new(board: Board, rules: Rules) -> Self {
        Self::new_given(board, rules, Life::Open)
    }

    /// As [`new`](Self::new), for a caller that knows more of the position.
    #[must_use]
    pub fn new_given(board: Board, rules: Rules, life: Life) -> Self {
        let clocks = ByColor(Color::ALL.map(|color| rules.time[color].clock()));
        let (illegal_moves, spent) = (ByColor::default(), Duration::ZERO);
        let start = State { board, clocks, offer: None, illegal_moves, spent, outcome: None };
        let mut game = Self { rules, start, records: Vec::new() };
        game.start.outcome = game.automatic_end(life);
        game
    }

    /// The game that results from these events.
    ///
    /// # Errors
    ///
    /// If an event is not possible: its index, and why.
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

    /// The rules of the game.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The start position.
    #[must_use]
    pub const fn start(&self) -> &Board {
        &self.start.board
    }

    /// The current board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.state().board
    }

    /// How the game ended; `None` while it is running.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.state().outcome
    }

    /// A side's clock after its last move; `None` without a clock.
    #[must_use]
    pub fn clock(&self, color: Color) -> Option<Clock> {
        self.state().clocks[color]
    }

    /// The time the side to move has before its flag falls; `None` without a clock.
    #[must_use]
    pub fn allowance(&self) -> Option<Duration> {
        let turn = self.board().turn();
        let clock = self.clock(turn)?;
        Some(self.rules.time[turn].allowance(&clock).saturating_sub(self.state().spent))
    }

    /// The side with an open draw offer.
    #[must_use]
    pub fn offer(&self) -> Option<Color> {
        self.state().offer
    }

    /// How many illegal moves a side has made.
    #[must_use]
    pub fn illegal_moves(&self, color: Color) -> u32 {
        self.state().illegal_moves[color]
    }

    /// All events, in order.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The moves played.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.records.iter().filter_map(Record::played)
    }

    /// How often the current position has occurred, including now.
    #[must_use]
    pub fn occurrences(&self) -> usize {
        self.occurrences_of(self.board())
    }

    /// Whether a claim by the side to move would be correct, now or after an intended legal move.
    ///
    /// A move that mates ends the game at once (5.1.1), so no claim can be made with it.
    #[must_use]
    pub fn is_claimable(&self, claim: Claim, intended: Option<Move>) -> bool {
        if self.outcome().is_some() || intended.is_some_and(|mv| !self.board().is_legal(mv)) {
            return false;
        }
        match (claim, intended) {
            (Claim::Threefold, None) => self.occurrences() >= 3,
            (Claim::Threefold, Some(mv)) => self.occurrences_of(&self.board().after(mv)) >= 2,
            (Claim::FiftyMoves, _) if !self.rules.fifty_moves => false,
            (Claim::FiftyMoves, None) => self.board().halfmove_clock() >= FIFTY_MOVES,
            (Claim::FiftyMoves, Some(mv)) => {
                let after = self.board().after(mv);
                after.halfmove_clock() >= FIFTY_MOVES && (!after.in_check() || after.has_legal_move())
            }
        }
    }

    /// The correct claims: each without a move if it holds now, else with every move after which it holds.
    #[must_use]
    pub fn claims(&self) -> Vec<(Claim, Option<Move>)> {
        let mut claims = Vec::new();
        for claim in Claim::ALL {
            // Most positions come too soon after a capture or pawn move for any claim.
            let least = match claim {
                Claim::Threefold => THREEFOLD,
                Claim::FiftyMoves => FIFTY_MOVES,
            };
            if self.board().halfmove_clock() + 1 < least {
                continue;
            }
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

    /// As [`play`](Self::play), for a caller that knows more of the position after the move.
    ///
    /// # Errors
    ///
    /// If the game is over or the move is not legal.
    pub fn play_given(&mut self, mv: Move, elapsed: Duration, life: Life) -> Result<Option<Outcome>, GameError> {
        self.apply_given(Event::Move { mv, elapsed }, life)
    }

    /// Applies an event. Returns how the game has ended, if it has.
    ///
    /// # Errors
    ///
    /// If the event is not possible now; nothing changes.
    pub fn apply(&mut self, event: Event) -> Result<Option<Outcome>, GameError> {
        self.apply_given(event, Life::Open)
    }

    fn apply_given(&mut self, event: Event, life: Life) -> Result<Option<Outcome>, GameError> {
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
            Event::OfferDraw(_) if !self.may_offer() => {
                return Err(GameError::OfferTooEarly(self.rules.moves_before_offers));
            }
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
            Event::ForfeitBoth => (event, None, state.ended(Outcome::BothLose)),
        };
        self.records.push(Record { event, played, after });
        if played.is_some() {
            let end = self.automatic_end(life);
            self.state_mut().outcome = end;
        }
        Ok(self.outcome())
    }

    /// Undoes the last event and returns it.
    pub fn undo(&mut self) -> Option<Event> {
        self.records.pop().map(|record| record.event)
    }

    fn state(&self) -> &State {
        self.records.last().map_or(&self.start, |record| &record.after)
    }

    fn state_mut(&mut self) -> &mut State {
        self.records.last_mut().map_or(&mut self.start, |record| &mut record.after)
    }

    /// Whether the flag of the side to move has fallen after this time.
    fn is_late(&self, elapsed: Duration) -> bool {
        self.allowance().is_some_and(|allowance| elapsed > allowance)
    }

    fn moved(&self, mv: Move, elapsed: Duration) -> State {
        let mut next = State { board: self.board().after(mv), spent: Duration::ZERO, ..*self.state() };
        let turn = self.board().turn();
        let total = self.state().spent.saturating_add(elapsed);
        next.clocks[turn] = next.clocks[turn].and_then(|clock| self.rules.time[turn].press(&clock, total));
        // A move declines the opponent's offer; a player's own offer stays open.
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

    /// A correct claim ends the game. A wrong one costs time and counts as a draw offer, and its move is played.
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
        let offer = if self.may_offer() { Some(turn) } else { next.offer };
        let next = State { offer, ..next };
        (event, intended, next.with_more_time(!turn, self.rules.wrong_claim_bonus))
    }

    /// Whether the rules of the game allow an offer of a draw now.
    fn may_offer(&self) -> bool {
        // The player who has made fewer moves has made half of them, rounded down.
        self.moves().count() / 2 >= self.rules.moves_before_offers as usize
    }

    fn at_fault(&self, player: Color, fault: Fault) -> State {
        let budget = self.rules.counted(self.rules.faults);
        let can_be_mated = !winnable(self.board(), !player, budget).is_unwinnable();
        self.state().ended(Outcome::of_fault(player, fault, can_be_mated))
    }

    /// The end by the position alone, if it is one.
    fn automatic_end(&self, life: Life) -> Option<Outcome> {
        let board = self.board();
        if !board.has_legal_move() {
            let mated = Outcome::Win(!board.turn(), Victory::Checkmate);
            return Some(if board.in_check() { mated } else { Outcome::Draw(DrawReason::Stalemate) });
        }
        // Where too few half-moves are left to mate in, the seventy-five-move rule will end the game soon enough.
        let budget = self.rules.dead_positions.without_seventy_five_moves();
        let reason = if board.has_insufficient_material() {
            DrawReason::InsufficientMaterial
        } else if life == Life::Open && is_dead(board, budget) {
            DrawReason::DeadPosition
        } else if self.occurrences() >= 5 {
            DrawReason::Fivefold
        } else if board.halfmove_clock() >= SEVENTY_FIVE_MOVES && self.rules.seventy_five_moves {
            DrawReason::SeventyFiveMoves
        } else {
            return None;
        };
        Some(Outcome::Draw(reason))
    }

    /// How often a position has occurred up to now.
    fn occurrences_of(&self, board: &Board) -> usize {
        let played = self.records.iter().rev().filter(|record| record.played.is_some());
        let earlier = played.map(Record::board).chain([self.start()]);
        // No position before the last capture or pawn move can be the same.
        earlier.take(usize::from(board.halfmove_clock()) + 1).filter(|other| is_same_position(board, other)).count()
    }
}

const AGREED: Outcome = Outcome::Draw(DrawReason::Agreement);

/// In plies, as [`Board::halfmove_clock`] counts them; a position comes up for the third time after eight at the least.
const THREEFOLD: u16 = 8;
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

/// Whether two positions are the same for the repetition rules: the same pieces on the same squares, side to move,
/// castling rights, and en passant square where a capture is legal.
fn is_same_position(one: &Board, other: &Board) -> bool {
    one.key() == other.key()
        && one.turn() == other.turn()
        && one.castling() == other.castling()
        && one.en_passant() == other.en_passant()
        && Color::ALL.into_iter().all(|color| one.colors(color) == other.colors(color))
        && PieceType::ALL.into_iter().all(|piece_type| one.pieces(piece_type) == other.pieces(piece_type))
}
