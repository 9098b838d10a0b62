//! An engine that solves one position after the other.

use std::time::Duration;

use movegen::{Board, FenStyle};

use super::attempt::{Attempt, Watch};
use super::error::SuiteError;
use super::goal::Goal;
use crate::client::{EngineCommand, EngineError, UciClient, UciError};
use crate::interruption::Interruption;

/// What each engine gets for each position.
#[derive(Clone, Debug)]
pub(super) struct SuiteConditions {
    /// What follows `go`.
    pub go: String,
    /// How long an answer may take before the engine counts as hung.
    pub patience: Duration,
    /// What to set before the first position; an engine without such an option goes without.
    pub defaults: Vec<(String, String)>,
    /// What the user wants set; an engine without such an option is an error.
    pub options: Vec<(String, String)>,
    /// Closed when the run is to stop.
    pub interruption: Interruption,
}

/// An engine, started anew if it has to be.
pub(super) struct SuiteEngine {
    command: EngineCommand,
    name: String,
    client: Option<UciClient>,
}

/// How long an engine may take to get ready.
const READINESS: Duration = Duration::from_secs(60);

impl SuiteEngine {
    pub fn start(command: &EngineCommand, conditions: &SuiteConditions) -> Result<Self, SuiteError> {
        let mut engine = Self { command: command.clone(), name: String::new(), client: None };
        engine.name = engine.client(conditions)?.name().to_owned();
        Ok(engine)
    }

    /// What the engine calls itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Lets the engine solve a position with empty tables, or returns what it did instead.
    ///
    /// # Errors
    ///
    /// If it has to be started again and cannot be, or is interrupted.
    pub fn solve(
        &mut self,
        board: &Board,
        goal: &Goal,
        conditions: &SuiteConditions,
    ) -> Result<Result<Attempt, UciError>, SuiteError> {
        let client = self.client(conditions)?;
        let attempt = search(client, board, goal, conditions);
        if attempt.is_err() {
            // It may be gone, or still be busy with this position.
            self.client = None;
        }
        if matches!(attempt, Err(UciError::Interrupted)) { Err(SuiteError::Interrupted) } else { Ok(attempt) }
    }

    fn client(&mut self, conditions: &SuiteConditions) -> Result<&mut UciClient, SuiteError> {
        let client = match self.client.take() {
            Some(client) => client,
            None => self.launch(conditions)?,
        };
        Ok(self.client.insert(client))
    }

    fn launch(&self, conditions: &SuiteConditions) -> Result<UciClient, SuiteError> {
        let command = || self.command.to_string();
        let fault = |error| match error {
            UciError::Interrupted => SuiteError::Interrupted,
            error => EngineError::Start { command: command(), error }.into(),
        };
        let interruption = conditions.interruption.clone();
        let mut client = UciClient::start_until(interruption, &self.command, READINESS).map_err(fault)?;
        for (name, value) in &conditions.defaults {
            if client.has_option(name) {
                client.set_option(name, value);
            }
        }
        for (name, value) in &conditions.options {
            if !client.has_option(name) {
                return Err(EngineError::NoOption { command: command(), name: name.clone() }.into());
            }
            client.set_option(name, value);
        }
        client.wait_until_ready(READINESS).map_err(fault)?;
        Ok(client)
    }
}

fn search(
    client: &mut UciClient,
    board: &Board,
    goal: &Goal,
    conditions: &SuiteConditions,
) -> Result<Attempt, UciError> {
    client.new_game(board.is_chess960(), READINESS)?;
    let position = format!("position fen {}", board.fen(FenStyle::Standard));
    let mut watch = Watch::new(board, goal);
    let answer = client.search(&position, &conditions.go, conditions.patience, |info, elapsed| {
        watch.hear(info, elapsed);
    })?;
    Ok(watch.conclude(&answer))
}
