//! What a client asks: its lines become jobs, or end some.

use std::io::{self, BufRead};
use std::sync::Arc;

use serde_json::{Value, json};
use uci::NAME;

use crate::answer::Answer;
use crate::fields::Fault;
use crate::job::{PositionJob, PositionQueue};
use crate::query::{Command, Query};
use crate::session::Session;

/// The longest line, in bytes.
pub const MAX_LINE: usize = 1 << 20;

impl Session {
    /// Nobody hears the answers any more.
    pub fn leave(self: &Arc<Self>, queue: &PositionQueue) {
        if self.is_only_one {
            queue.abort();
        } else {
            queue.cancel(|job| Arc::ptr_eq(&job.session, self));
        }
    }

    /// Reads queries until the input ends.
    pub fn read(self: &Arc<Self>, mut input: impl BufRead, queue: &PositionQueue) -> io::Result<()> {
        let mut line = Vec::new();
        while let Some(is_whole) = next_line(&mut input, &mut line)? {
            if !is_whole {
                self.refuse(None, Fault::of_line(format_args!("the line is longer than {MAX_LINE} bytes")));
                continue;
            }
            match str::from_utf8(&line) {
                Ok(text) if text.trim().is_empty() => {}
                Ok(text) => self.take(text, queue),
                Err(_) => self.refuse(None, Fault::of_line("the line is not UTF-8")),
            }
            if self.has_failed() {
                self.leave(queue);
                break;
            }
        }
        Ok(())
    }

    fn take(self: &Arc<Self>, line: &str, queue: &PositionQueue) {
        let (id, command) = Command::parse(line.trim_start_matches('\u{FEFF}'));
        match command {
            Ok(Command::Query(query)) => self.ask(*query, queue),
            Ok(Command::Cancel { id, target }) => self.cancel(&id, target.as_ref(), queue),
            Ok(Command::Version { id }) => {
                let network = format!("vancura-{:016x}", uci::Options::default().network.hash());
                self.write(&json!({ "id": id, "action": "version", "version": NAME, "network": network }));
            }
            Err(fault) => self.refuse(id, fault),
        }
    }

    fn ask(self: &Arc<Self>, query: Query, queue: &PositionQueue) {
        let (id, name) = (query.id.clone(), query.id.to_string());
        let query = Arc::new(query);
        if self.open().contains_key(&name) {
            return self.refuse(Some(id), Fault::new("id", "there is a query with this id, which is not answered yet"));
        }
        self.open().insert(name.clone(), query.turns.len());
        let jobs = query.turns.iter().map(|&turn| PositionJob::new(Arc::clone(&query), turn, Arc::clone(self)));
        if !queue.push(jobs) {
            self.open().remove(&name);
            self.refuse(Some(id), Fault::of_line("too many positions wait already"));
        }
    }

    fn cancel(self: &Arc<Self>, id: &Value, target: Option<&Value>, queue: &PositionQueue) {
        let is_meant =
            |job: &PositionJob| Arc::ptr_eq(&job.session, self) && target.is_none_or(|target| job.query.id == *target);
        let (taken, stopped) = queue.cancel(is_meant);
        self.write(&json!({ "id": id, "action": "cancel", "cancelled": taken.len() + stopped }));
        self.answer_cancelled(&taken);
    }

    /// Ends all queries of this client.
    pub fn cancel_all(self: &Arc<Self>, queue: &PositionQueue) {
        let (taken, _) = queue.cancel(|job| Arc::ptr_eq(&job.session, self));
        self.answer_cancelled(&taken);
    }

    /// Answers what had not begun.
    fn answer_cancelled(&self, taken: &[Arc<PositionJob>]) {
        for job in taken {
            let task = job.query.at(job.turn);
            let answer = Answer::new(job.query.id.clone(), job.turn, task.position.board());
            self.answer(&Answer { cancelled: true, ..answer });
        }
    }
}

/// The next line without its end, into `line`. False if it is too long; then it was skipped. `None` at the end of the input.
///
/// # Errors
///
/// If the input cannot be read.
pub fn next_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
    line.clear();
    let mut length = 0;
    loop {
        let buffer = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            buffer => buffer?,
        };
        if buffer.is_empty() {
            return Ok((length > 0).then_some(length <= MAX_LINE));
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        length += part.len();
        if length <= MAX_LINE {
            line.extend_from_slice(part);
        }
        let used = end.map_or(buffer.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(Some(length <= MAX_LINE));
        }
    }
}
