//! Messages as lines: what is none, or comes too soon or twice, is answered here, and the rest is the SDK's.
//!
//! A thread reads and another one writes, so that neither a client that is silent nor one that does not listen keeps
//! searches from ending. When the input has ended, the calls that are still open have a moment to be answered.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rmcp::ErrorData;
use rmcp::model::{ClientJsonRpcMessage, ClientNotification, JsonRpcMessage, RequestId, ServerJsonRpcMessage};
use rmcp::service::RoleServer;
use rmcp::transport::Transport;
use serde_json::Value;
use serve::{MAX_LINE, next_line};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};

use crate::McpError;
use crate::pool::Pool;

/// The most calls at a time.
const MAX_CALLS: usize = 4096;
/// The most bytes of these.
const MAX_BYTES: usize = 64 << 20;
/// Lines that wait on either side.
const BUFFERED: usize = 64;
/// How long calls have to be answered after the end of the input, before they are ended.
const PATIENCE: Duration = Duration::from_secs(1);

/// What comes in.
enum Input {
    Line(Vec<u8>),
    /// A line that is too long.
    TooLong,
    /// The input cannot be read.
    Fault(io::Error),
}

/// The messages of a client.
pub(crate) struct Lines {
    input: mpsc::Receiver<Input>,
    output: mpsc::Sender<Vec<u8>>,
    interrupted: watch::Receiver<bool>,
    pool: Arc<Pool>,
    /// The calls that are not answered yet, with their size in bytes.
    open: HashMap<RequestId, usize>,
    /// An answer of its own that is to be written before anything else is read.
    refusal: Option<Vec<u8>>,
    /// Until when open calls are waited for, once the input has ended.
    end: Option<Instant>,
    read_fault: Arc<Mutex<Option<io::Error>>>,
}

/// What has become of the streams.
pub(crate) struct Streams {
    writer: std::sync::mpsc::Receiver<io::Result<()>>,
    read_fault: Arc<Mutex<Option<io::Error>>>,
}

impl Streams {
    /// Waits until all is written, but not for a client that does not listen.
    pub fn finish(self) -> Result<(), McpError> {
        if let Some(error) = self.read_fault.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(McpError::Read(error));
        }
        match self.writer.recv_timeout(PATIENCE) {
            Ok(Err(error)) => Err(McpError::Write(error)),
            _ => Ok(()),
        }
    }
}

impl Lines {
    /// Starts to read and to write. The input is opened by the thread that reads it.
    pub fn new<R: BufRead>(
        open: impl FnOnce() -> R + Send + 'static,
        output: impl Write + Send + 'static,
        pool: Arc<Pool>,
        interrupted: watch::Receiver<bool>,
    ) -> io::Result<(Self, Streams)> {
        let (read, input) = mpsc::channel(BUFFERED);
        let (sender, written) = mpsc::channel(BUFFERED);
        let (finished, writer) = std::sync::mpsc::channel();
        // Nobody waits for the first: a read that waits for the client does not see that all is over.
        thread::Builder::new().name("messages".to_owned()).spawn(move || read_lines(open(), &read))?;
        thread::Builder::new().name("answers".to_owned()).spawn(move || {
            // That nobody waits any more is no error.
            let _ = finished.send(write_lines(output, written));
        })?;
        let read_fault = Arc::new(Mutex::new(None));
        let streams = Streams { writer, read_fault: Arc::clone(&read_fault) };
        let (open, refusal, end) = (HashMap::new(), None, None);
        Ok((Self { input, output: sender, interrupted, pool, open, refusal, end, read_fault }, streams))
    }

    /// The message of a line, or the answer to what is none.
    fn message(&mut self, line: &[u8]) -> Option<ClientJsonRpcMessage> {
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
        if line.is_empty() {
            return None;
        }
        let value: Value = match serde_json::from_slice(line) {
            Ok(value) => value,
            Err(error) => return self.refuse(ErrorData::parse_error(format!("no JSON: {error}"), None), None),
        };
        let Some(fields) = value.as_object() else {
            return self.refuse(ErrorData::invalid_request("a message is a JSON object", None), None);
        };
        let id = fields.get("id").cloned().and_then(|id| serde_json::from_value(id).ok());
        // Notifications have no answers, not even those that say nothing.
        let is_notification = fields.contains_key("method") && !fields.contains_key("id");
        match serde_json::from_value::<ClientJsonRpcMessage>(value) {
            Ok(message) => self.accept(message, line.len()),
            Err(_) if is_notification => None,
            Err(error) => self.refuse(ErrorData::invalid_request(format!("no message: {error}"), None), id),
        }
    }

    fn accept(&mut self, message: ClientJsonRpcMessage, size: usize) -> Option<ClientJsonRpcMessage> {
        match &message {
            JsonRpcMessage::Request(request) => {
                if self.open.contains_key(&request.id) {
                    let error = "there is a request with this id, which is not answered yet";
                    return self.refuse(ErrorData::invalid_request(error, None), None);
                }
                if self.open.len() >= MAX_CALLS || self.open.values().sum::<usize>() > MAX_BYTES {
                    let error = ErrorData::internal_error("too many requests wait already", None);
                    return self.refuse(error, Some(request.id.clone()));
                }
                self.open.insert(request.id.clone(), size);
            }
            // It has no answer then.
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.open.remove(id);
                }
            }
            _ => {}
        }
        Some(message)
    }

    /// Has an error written.
    fn refuse(&mut self, error: ErrorData, id: Option<RequestId>) -> Option<ClientJsonRpcMessage> {
        self.refusal = Some(line_of(&ServerJsonRpcMessage::error(error, id)));
        None
    }
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        match &message {
            JsonRpcMessage::Response(response) => drop(self.open.remove(&response.id)),
            JsonRpcMessage::Error(error) => drop(error.id.as_ref().and_then(|id| self.open.remove(id))),
            _ => {}
        }
        let (line, output) = (line_of(&message), self.output.clone());
        async move { output.send(line).await.map_err(|_| io::ErrorKind::BrokenPipe.into()) }
    }

    /// Nothing is lost when another event interrupts it: each step keeps what it has.
    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if self.end.is_some() && self.open.is_empty() && self.refusal.is_none() {
                return None;
            }
            let input = tokio::select! {
                Ok(permit) = self.output.reserve(), if self.refusal.is_some() => {
                    permit.send(self.refusal.take().unwrap_or_default());
                    continue;
                }
                input = self.input.recv(), if self.end.is_none() && self.refusal.is_none() => input,
                () = async { if let Some(end) = self.end { sleep_until(end).await } }, if self.end.is_some() => break,
                // Nobody listens any more, or Ctrl-C was pressed.
                () = self.output.closed() => break,
                Ok(_) = self.interrupted.wait_for(|is_raised| *is_raised) => break,
            };
            match input {
                Some(Input::Line(line)) => {
                    if let Some(message) = self.message(&line) {
                        return Some(message);
                    }
                }
                Some(Input::TooLong) => {
                    let error = format!("the line is longer than {MAX_LINE} bytes");
                    self.refuse(ErrorData::invalid_request(error, None), None);
                }
                Some(Input::Fault(error)) => {
                    *self.read_fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                }
                None => self.end = Some(Instant::now() + PATIENCE),
            }
        }
        self.pool.end();
        None
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn line_of(message: &ServerJsonRpcMessage) -> Vec<u8> {
    // All keys are strings, so nothing can fail.
    let mut line = serde_json::to_vec(message).unwrap_or_default();
    line.push(b'\n');
    line
}

/// Passes lines on until the input ends or nobody takes them.
fn read_lines(mut input: impl BufRead, lines: &mpsc::Sender<Input>) {
    let mut line = Vec::new();
    loop {
        let next = match next_line(&mut input, &mut line) {
            Ok(Some(true)) => Input::Line(std::mem::take(&mut line)),
            Ok(Some(false)) => Input::TooLong,
            Ok(None) => return,
            Err(error) => {
                let _ = lines.blocking_send(Input::Fault(error));
                return;
            }
        };
        if lines.blocking_send(next).is_err() {
            return;
        }
    }
}

fn write_lines(mut output: impl Write, mut lines: mpsc::Receiver<Vec<u8>>) -> io::Result<()> {
    while let Some(line) = lines.blocking_recv() {
        output.write_all(&line)?;
        output.flush()?;
    }
    Ok(())
}
