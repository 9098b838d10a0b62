//! The user's wish that engines end, in good order or at once.

use std::convert::Infallible;

use crossbeam_channel::{Receiver, Sender, bounded, never};

use crate::child::Children;

/// Ends all waiting for engines once it has come, and knows the engines that were started under it.
#[derive(Clone, Debug)]
pub struct Interruption {
    /// Closed when it has come. Nothing is ever sent.
    pub(crate) signal: Receiver<Infallible>,
    pub(crate) children: Children,
}

impl Interruption {
    /// One that comes with the first Ctrl-C. The second ends the engines at once, and then the program.
    #[must_use]
    pub fn on_ctrl_c() -> Self {
        let (running, interruption) = Self::channel();
        let all = interruption.children.clone();
        cli::on_ctrl_c(move || drop(running), move || all.kill());
        interruption
    }

    /// One that comes when the other end is dropped.
    #[must_use]
    pub fn channel() -> (Sender<Infallible>, Self) {
        let (running, signal) = bounded(0);
        (running, Self { signal, children: Children::default() })
    }

    /// One that never comes.
    #[must_use]
    pub fn never() -> Self {
        Self { signal: never(), children: Children::default() }
    }

    /// Whether it has come.
    pub(crate) fn has_come(&self) -> bool {
        self.signal.try_recv().is_err_and(|error| error.is_disconnected())
    }
}
