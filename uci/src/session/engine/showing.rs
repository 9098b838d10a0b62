//! What a session shows of its position.

use std::io::Write;

use movegen::Budget;

use crate::error::CommandError;
use crate::session::engine::Engine;
use crate::show;

impl<W: Write + Send + 'static> Engine<W> {
    /// How much a proof may take on this thread: during a search little, for a `stop` may come next.
    fn proof_budget(&mut self) -> Budget {
        if self.is_busy() { Budget::FAST } else { Budget::MEDIUM }
    }

    pub(super) fn display(&mut self) {
        let budget = self.proof_budget();
        if self.position.is_err() {
            self.printer.fault(&CommandError::LastBoard);
        }
        self.printer.line(show::board(self.last_board(), self.castling_style(), budget));
    }

    pub(super) fn eval(&mut self) -> Result<(), CommandError> {
        let budget = self.proof_budget();
        let board = self.board().inspect_err(|_| self.printer.line(show::NO_EVALUATION))?;
        self.printer.line(show::evaluation(board, &self.options.network, budget));
        Ok(())
    }
}
