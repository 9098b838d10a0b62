//! One game: who moves, how long it took, and what the laws say to it.

use std::fmt::Write;
use std::time::Duration;

use movegen::{Board, CastlingStyle, Claim, Color, Event, FenStyle, Game, GameError, Move, Rules, TimeControl};
use pgn::{Evaluation, NodeId, Opening, PgnGame, result_text};

use super::adjudication::{Adjudication, AdjudicationRules, Adjudicator};
use super::error::PlayError;
use crate::client::{Answer, EngineCommand, EngineError, UciClient, UciError};
use crate::interruption::Interruption;

/// What bounds the engines.
pub(super) struct MatchConditions {
    pub time: TimeControl,
    pub move_time: Option<u64>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    /// Forgiven after the fall of a flag.
    pub margin: Duration,
    /// For answers that no clock bounds.
    pub patience: Duration,
    pub claim_draws: bool,
    pub adjudication: AdjudicationRules,
    pub chess960: bool,
    /// Closed when the match is to stop.
    pub interruption: Interruption,
    /// Whether the games are added to a file.
    pub has_file: bool,
}

impl MatchConditions {
    /// What a match that was interrupted ends with.
    pub const fn interrupted(&self) -> PlayError {
        PlayError::Interrupted { is_in_file: self.has_file }
    }
}

/// An engine and what it needs to be started again.
pub(super) struct Player {
    command: EngineCommand,
    options: Vec<(String, String)>,
    name: String,
    /// `None` after it has crashed or hung.
    client: Option<UciClient>,
    /// The position that it ponders on.
    ponders_on: Option<String>,
}

/// The option by which an engine is told that it may think on its opponent's time.
pub(super) const PONDER: &str = "Ponder";

/// How long a search may take to stop after its time has run out.
const STOPPING: Duration = Duration::from_secs(1);
/// How late a line may be delivered that was written in time.
const DELIVERY: Duration = Duration::from_millis(50);

impl Player {
    pub fn start(
        command: &EngineCommand,
        options: Vec<(String, String)>,
        name: Option<String>,
        conditions: &MatchConditions,
    ) -> Result<Self, PlayError> {
        let mut player =
            Self { command: command.clone(), options, name: String::new(), client: None, ponders_on: None };
        let client = player.client(conditions)?;
        let name = name.unwrap_or_else(|| client.name().to_owned());
        if let Some((option, _)) = player.options.iter().find(|(option, _)| !client_has(&player.client, option)) {
            return Err(EngineError::NoOption { command: player.command.to_string(), name: option.clone() }.into());
        }
        Ok(Self { name, ..player })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The engine, started anew if it has to be.
    fn client(&mut self, conditions: &MatchConditions) -> Result<&mut UciClient, PlayError> {
        self.stop_pondering();
        let client = match self.client.take() {
            Some(client) => client,
            None => {
                let interruption = conditions.interruption.clone();
                let started = UciClient::start_until(interruption, &self.command, conditions.patience);
                let mut client = started.map_err(|error| match error {
                    UciError::Interrupted => conditions.interrupted(),
                    error => EngineError::Start { command: self.command.to_string(), error }.into(),
                })?;
                self.options.iter().for_each(|(name, value)| client.set_option(name, value));
                client
            }
        };
        Ok(self.client.insert(client))
    }

    /// Prepares for a game; what goes wrong here is the engine's fault.
    fn begin(&mut self, chess960: bool, conditions: &MatchConditions) -> Result<Result<(), UciError>, PlayError> {
        let client = self.client(conditions)?;
        let ready = client.new_game(chess960, conditions.patience);
        if ready.is_err() {
            self.client = None;
        }
        Ok(ready)
    }

    /// Searches, when the engine has done all it was told before; it has `readiness` for that, which no clock counts.
    fn search(
        &mut self,
        position: &str,
        go: &str,
        patience: Duration,
        readiness: Duration,
    ) -> Result<Answer, UciError> {
        let hit = self.ponders_on.take_if(|expected| expected == position).is_some();
        self.stop_pondering();
        let Some(client) = &mut self.client else { return Err(UciError::Gone(None)) };
        let answer = if hit {
            client.ponder_hit(patience)
        } else {
            // What an abandoned search still writes comes before this answer.
            let ready = client.wait_until_ready(readiness);
            ready.and_then(|()| client.search(position, go, patience, |_, _| {}))
        };
        if let Err(error) = &answer {
            let recovers = matches!(error, UciError::Silent { .. }) && client.stop(STOPPING);
            if !recovers {
                self.client = None;
            }
        }
        answer
    }

    /// Whether it thinks on its opponent's time.
    fn ponders(&self) -> bool {
        // The last setting of an option counts.
        let set = self.options.iter().rev().find(|(name, _)| name.eq_ignore_ascii_case(PONDER));
        set.is_some_and(|(_, value)| value.eq_ignore_ascii_case("true"))
    }

    /// Lets it think on its opponent's time, on the position after the reply that it expects.
    fn ponder(&mut self, position: String, go: &str) {
        if let Some(client) = &mut self.client {
            client.ponder(&position, go);
            self.ponders_on = Some(position);
        }
    }

    /// Ends that, if another move was played or the game is over. An engine that does not stop is started anew.
    fn stop_pondering(&mut self) {
        if self.ponders_on.take().is_some() && !self.client.as_mut().is_some_and(|client| client.stop(STOPPING)) {
            self.client = None;
        }
    }
}

fn client_has(client: &Option<UciClient>, option: &str) -> bool {
    client.as_ref().is_some_and(|client| client.has_option(option))
}

/// Plays a game between White and Black.
///
/// # Errors
///
/// If an engine cannot be started again, or the match is interrupted. All else that engines do is judged.
pub(super) fn play_game(
    mut players: [&mut Player; 2],
    opening: &Opening,
    conditions: &MatchConditions,
) -> Result<PgnGame, PlayError> {
    let mut referee = Referee::new(opening, conditions);
    for color in Color::ALL {
        match players[color as usize].begin(referee.style == CastlingStyle::Chess960, conditions)? {
            Ok(()) => {}
            Err(UciError::Interrupted) => return Err(conditions.interrupted()),
            Err(error) => referee.judge(Event::Forfeit(color), Some(error.to_string())),
        }
    }
    while !referee.is_over() {
        let player = &mut *players[referee.game.board().turn() as usize];
        referee.next_move(player)?;
    }
    for player in &mut players {
        player.stop_pondering();
    }
    let mut game = referee.into_pgn();
    for (color, tag) in [(Color::White, "White"), (Color::Black, "Black")] {
        game.tags.set(tag, players[color as usize].name());
    }
    Ok(game)
}

struct Referee<'a> {
    conditions: &'a MatchConditions,
    game: Game,
    style: CastlingStyle,
    /// What the mover thought of each move, for White.
    evaluations: Vec<Option<Evaluation>>,
    /// What an engine did wrong.
    remark: Option<String>,
    adjudicator: Adjudicator<'a>,
    /// How the game was ended before the laws would.
    adjudication: Option<Adjudication>,
}

impl<'a> Referee<'a> {
    fn new(opening: &Opening, conditions: &'a MatchConditions) -> Self {
        let mut game = Game::new(opening.start, Rules::timed(conditions.time.clone()));
        for &mv in &opening.moves {
            if game.apply(Event::Opening { mv }).is_err() {
                // The game is already over, which the rest of the opening does not change.
                break;
            }
        }
        let needs_chess960 = conditions.chess960 || opening.start.is_chess960();
        let style = if needs_chess960 { CastlingStyle::Chess960 } else { CastlingStyle::Standard };
        let evaluations = vec![None; game.moves().count()];
        let adjudicator = Adjudicator::new(&conditions.adjudication);
        Self { conditions, game, style, evaluations, remark: None, adjudicator, adjudication: None }
    }

    fn is_over(&self) -> bool {
        self.game.outcome().is_some() || self.adjudication.is_some()
    }

    /// Lets something happen that the game allows.
    fn judge(&mut self, event: Event, remark: Option<String>) {
        match self.game.apply(event) {
            Ok(_) => self.remark = remark,
            // A game that is over, or a clock that is none, changes nothing.
            Err(
                GameError::Over(_)
                | GameError::NoClock
                | GameError::NoOffer
                | GameError::OfferTooEarly(_)
                | GameError::IllegalMove(_),
            ) => {}
        }
    }

    fn next_move(&mut self, player: &mut Player) -> Result<(), PlayError> {
        if self.claim(None, Duration::ZERO) {
            return Ok(());
        }
        let allowance = self.game.allowance();
        let patience =
            allowance.map_or(self.conditions.patience, |allowance| allowance + self.conditions.margin + DELIVERY);
        let turn = self.game.board().turn();
        match player.search(&self.position(None), &self.go(turn), patience, self.conditions.patience) {
            Ok(answer) => {
                self.take(&answer, allowance);
                if let Some(reply) = self.expected_reply(&answer).filter(|_| player.ponders()) {
                    let go = self.go(turn).replacen("go", "go ponder", 1);
                    player.ponder(self.position(Some(reply)), &go);
                }
            }
            Err(UciError::Silent { awaited: "bestmove", .. }) if allowance.is_some() => {
                self.judge(Event::TimeOut, None)
            }
            // Nobody is to blame.
            Err(UciError::Interrupted) => return Err(self.conditions.interrupted()),
            Err(error) => self.judge(Event::Forfeit(turn), Some(error.to_string())),
        }
        Ok(())
    }

    fn take(&mut self, answer: &Answer, allowance: Option<Duration>) {
        // Engines are told whole milliseconds, and only those that are over count, as in fastchess.
        let elapsed = whole_milliseconds(answer.elapsed);
        let late = allowance.map_or(Duration::ZERO, |allowance| elapsed.saturating_sub(allowance));
        let elapsed = if late <= self.conditions.margin { elapsed - late } else { elapsed };
        match self.game.board().parse_uci(&answer.best) {
            Ok(mv) => {
                if !self.claim(Some(mv), elapsed) {
                    let turn = self.game.board().turn();
                    self.judge(Event::Move { mv, elapsed }, None);
                    self.evaluations.push(evaluation(answer, turn));
                    self.adjudication =
                        self.adjudicator.judge(self.game.board(), self.evaluations.len(), answer.info.score);
                }
            }
            Err(error) => self.judge(Event::IllegalMove { elapsed }, Some(error.to_string())),
        }
    }

    /// The reply to the move just played that its player expects, if there is something to think about after it.
    fn expected_reply(&self, answer: &Answer) -> Option<Move> {
        let mut board = *self.game.board();
        let reply = board.parse_uci(answer.ponder.as_deref()?).ok().filter(|_| !self.is_over())?;
        board.play(reply, &mut ());
        board.has_legal_move().then_some(reply)
    }

    /// Claims a draw for the side to move, if that is wanted and right.
    fn claim(&mut self, intended: Option<Move>, elapsed: Duration) -> bool {
        let claims = Claim::ALL.into_iter().filter(|_| self.conditions.claim_draws);
        let right = claims.into_iter().find(|&claim| self.game.is_claimable(claim, intended));
        if let Some(claim) = right {
            self.judge(Event::Claim { claim, intended, elapsed }, None);
        }
        right.is_some()
    }

    /// The game so far, and perhaps a move that is yet to come.
    fn position(&self, expected: Option<Move>) -> String {
        let start = self.game.start();
        let mut text = if *start == Board::start() {
            "position startpos".to_owned()
        } else {
            format!("position fen {}", start.fen(FenStyle::Standard))
        };
        let mut moves = self.game.moves().chain(expected).peekable();
        if moves.peek().is_some() {
            text.push_str(" moves");
        }
        // Writing to a string cannot fail, here and below.
        moves.for_each(|mv| write!(text, " {}", mv.uci(self.style)).unwrap_or_default());
        text
    }

    /// What bounds the next move of a side.
    fn go(&self, turn: Color) -> String {
        let mut text = "go".to_owned();
        if let Some(millis) = self.conditions.move_time {
            let _ = write!(text, " movetime {millis}");
        } else {
            for (color, time, increment) in [(Color::White, "wtime", "winc"), (Color::Black, "btime", "binc")] {
                let Some(clock) = self.game.clock(color) else { continue };
                let control = &self.game.rules().time[color];
                // UCI knows no delays: for the engine it is time it has now, and again with the next move.
                let remaining = control.allowance(&clock).as_millis();
                let _ = write!(text, " {time} {remaining} {increment} {}", control.bonus(&clock).amount().as_millis());
            }
            let moves_to_go = self.game.clock(turn).and_then(|clock| self.game.rules().time[turn].moves_to_go(&clock));
            moves_to_go.into_iter().for_each(|moves| write!(text, " movestogo {moves}").unwrap_or_default());
        }
        self.conditions.nodes.into_iter().for_each(|nodes| write!(text, " nodes {nodes}").unwrap_or_default());
        self.conditions.depth.into_iter().for_each(|depth| write!(text, " depth {depth}").unwrap_or_default());
        text
    }

    fn into_pgn(self) -> PgnGame {
        let mut pgn = PgnGame::of_game(&self.game);
        let nodes: Vec<_> = pgn.tree.main_line().map(|(id, _)| id).collect();
        for (&id, evaluation) in nodes.iter().zip(self.evaluations) {
            pgn.tree.node_mut(id).evaluation = evaluation;
        }
        let comment = &mut pgn.tree.node_mut(nodes.last().copied().unwrap_or(NodeId::ROOT)).comment;
        if let Some(remark) = self.remark {
            let _ = write!(comment, " ({remark})");
        }
        // The laws come first.
        if let Some(Adjudication { result, reason }) = self.adjudication.filter(|_| self.game.outcome().is_none()) {
            let words = match result.winner() {
                Some(Color::White) => "White wins",
                Some(Color::Black) => "Black wins",
                None => "draw",
            };
            let blank = if comment.is_empty() { "" } else { " " };
            let _ = write!(comment, "{blank}{words} by adjudication: {reason}.");
            pgn.result = Some(result);
            pgn.tags.set("Result", result_text(Some(result)));
            pgn.tags.set("Termination", "adjudication");
        }
        pgn
    }
}

/// What the mover thought, for White.
fn evaluation(answer: &Answer, turn: Color) -> Option<Evaluation> {
    let score = answer.info.score?.relative_to(turn);
    Some(Evaluation { score, depth: answer.info.depth })
}

/// The time without a millisecond that has only begun.
const fn whole_milliseconds(time: Duration) -> Duration {
    time.saturating_sub(Duration::from_nanos(time.subsec_nanos() as u64 % 1_000_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_begun_millisecond_does_not_count() {
        let whole = |nanoseconds| whole_milliseconds(Duration::from_nanos(nanoseconds)).as_nanos();
        assert_eq!([0, 999_999, 1_000_000, 3_001_999_999].map(whole), [0, 0, 1_000_000, 3_001_000_000]);
    }
}
