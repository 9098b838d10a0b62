//! An engine of another behind a page: a child process that is spoken to by the one UCI client.

use std::io;
use std::net::TcpStream;
use std::thread;

use arena::client::UciClient;
use arena::play::Entrant;
use crossbeam_channel::Sender;
use tungstenite::protocol::frame::coding::CloseCode;

use super::form::{EngineOption, introduction, options};
use super::{Engines, RunningEngine};
use crate::server::engine::is_command;
use crate::server::outgoing::{Outgoing, close_frame, text_frame};

/// An engine that runs for a page. It ends when it is dropped, with all that it has started.
pub(in super::super) struct Guest<'a> {
    client: UciClient,
    /// What the engine said to `uci`; what the user has set for it are its defaults, to which a page goes back.
    introduction: Vec<String>,
    options: Vec<EngineOption>,
    output: Sender<Outgoing>,
    _running: RunningEngine<'a>,
}

impl<'a> Guest<'a> {
    /// Starts an engine whose output goes to the page.
    pub fn start(
        engines: &'a Engines,
        entry: &Entrant,
        page: &TcpStream,
        output: Sender<Outgoing>,
    ) -> io::Result<Self> {
        let running = engines.begin(Some(page));
        let client = engines.start(entry).map_err(io::Error::other)?;
        let lines = client.lines();
        let to_page = output.clone();
        let pass_on = move || {
            for (_, line) in lines.into_iter().flatten() {
                if text_frame(line).is_ok_and(|frame| to_page.send(frame).is_err()) {
                    return;
                }
            }
            for last in [text_frame("info string error: the engine has ended".to_owned()), close_frame(CloseCode::Away)]
            {
                let _ = last.map(|frame| to_page.send(frame));
            }
        };
        thread::Builder::new().spawn(pass_on)?;
        let introduction = introduction(client.introduction(), &entry.options);
        let options = options(&introduction);
        Ok(Self { client, introduction, options, output, _running: running })
    }

    /// Passes a line on, if a page may say it.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        let answer = if line.trim() == "uci" {
            // Engines expect it once, and have heard it.
            self.introduction.iter().map(String::as_str).chain(["uciok"]).collect::<Vec<_>>()
        } else if self.is_allowed(line) {
            self.client.send(line);
            return Ok(());
        } else {
            vec!["info string error: a page may not say this to the engine"]
        };
        for line in answer {
            self.output.send(text_frame(line.to_owned())?).map_err(|_| io::ErrorKind::BrokenPipe)?;
        }
        Ok(())
    }

    /// Whether a page may say this. Options with texts may name files, and are not for it to set.
    fn is_allowed(&self, line: &str) -> bool {
        let Some(option) = line.strip_prefix("setoption name ") else { return is_command(line) };
        if line.contains(['\n', '\r']) {
            return false;
        }
        let name = option.split_once(" value ").map_or(option, |(name, _)| name).trim();
        self.options.iter().any(|option| !option.fixed && option.name.eq_ignore_ascii_case(name))
    }
}
