//! The conversation with a page: a message that begins with a brace is for the rules, all others are lines of UCI.
//!
//! One thread reads and one writes. What the library wants to write while it reads, such as the answer to a ping, goes the
//! way of everything else, so that no two frames mix.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded};
use http::{Deadline, write_all};
use tungstenite::error::ProtocolError;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Error, Message, WebSocket, handshake};

use super::Server;
use super::engine::{Engine, is_allowed};
use super::engines::{Engines, Guest};
use super::outgoing::{Outgoing, close_frame, text_frame};
use super::response::PATIENCE;
use crate::rules;

/// The longest message: a file of games that is pasted.
const MAX_MESSAGE: usize = 64 << 20;
/// Messages that wait to be written. More than these, and who writes them waits.
const BACKLOG: usize = 256;

/// Who answers the lines of UCI.
enum Player<'a> {
    Own(Engine),
    Guest(Box<Guest<'a>>),
}

impl<'a> Player<'a> {
    /// Starts the engine of this name.
    fn start(server: &'a Server, id: &str, page: &TcpStream, output: &Sender<Outgoing>) -> io::Result<Self> {
        if !Engines::is_own(id) {
            let entry = server.engines.other(id).ok_or(io::ErrorKind::NotFound)?;
            return Guest::start(&server.engines, entry, page, output.clone()).map(Box::new).map(Self::Guest);
        }
        let mut engine = Engine::start(output.clone())?;
        for line in &server.settings {
            engine.send(line)?;
        }
        Ok(Self::Own(engine))
    }
}

/// Talks with the page until it goes, on behalf of the engine of this name. `part` is what the page has already said.
pub(super) fn talk(stream: TcpStream, part: Vec<u8>, key: &str, server: &Server, id: &str) -> io::Result<()> {
    let accept = handshake::derive_accept_key(key.as_bytes());
    let head = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
    );
    write_all(&stream, head.as_bytes(), Deadline::after(PATIENCE))?;
    // A page may be silent for hours.
    stream.set_read_timeout(None)?;
    stream.set_nodelay(true)?;
    let (output, outgoing) = bounded(BACKLOG);
    let writer = stream.try_clone()?;
    let writing = thread::Builder::new().spawn(move || write(writer, &outgoing))?;
    let result = listen(&stream, part, &output, server, id);
    drop(output);
    let _ = stream.shutdown(Shutdown::Read);
    // It ends when all who send have ended, or the page takes nothing any more.
    let _ = writing.join();
    result
}

fn write(stream: TcpStream, outgoing: &Receiver<Outgoing>) {
    for Outgoing(bytes) in outgoing {
        if write_all(&stream, &bytes, Deadline::after(PATIENCE)).is_err() {
            break;
        }
    }
    // Whoever still reads from the page is to know.
    let _ = stream.shutdown(Shutdown::Both);
}

fn listen(stream: &TcpStream, part: Vec<u8>, output: &Sender<Outgoing>, server: &Server, id: &str) -> io::Result<()> {
    let config = WebSocketConfig::default().max_message_size(Some(MAX_MESSAGE)).max_frame_size(Some(MAX_MESSAGE));
    let half = ReadHalf { stream, output: output.clone() };
    let mut socket = WebSocket::from_partially_read(half, part, Role::Server, Some(config));
    let mut player = match Player::start(server, id, stream, output) {
        Ok(player) => player,
        Err(error) => {
            let last = [text_frame(format!("info string error: {error}"))?, close_frame(CloseCode::Error)?];
            // The page may have gone, and then nobody is to know.
            last.into_iter().for_each(|frame| drop(output.send(frame)));
            return Ok(());
        }
    };
    loop {
        // Whatever cannot be read ends the conversation, its orderly end too.
        let message = match socket.read() {
            Ok(message) => message,
            Err(error) => {
                if let Some(code) = close_code(&error) {
                    // The page may have gone, and then nobody is to know.
                    let _ = output.send(close_frame(code)?);
                }
                return Ok(());
            }
        };
        let Message::Text(text) = message else { continue };
        let answer = match &mut player {
            _ if text.starts_with('{') => rules::answer(&text),
            Player::Guest(guest) => {
                guest.send(&text)?;
                continue;
            }
            Player::Own(engine) if is_allowed(&text) => {
                engine.send(&text)?;
                continue;
            }
            Player::Own(_) => "info string error: a page may not say this to the engine".to_owned(),
        };
        if output.send(text_frame(answer)?).is_err() {
            return Ok(());
        }
    }
}

/// What to tell a page whose words end the conversation; none where it has ended already.
fn close_code(error: &Error) -> Option<CloseCode> {
    match error {
        Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => None,
        Error::Protocol(_) => Some(CloseCode::Protocol),
        Error::Utf8(_) => Some(CloseCode::Invalid),
        Error::Capacity(_) => Some(CloseCode::Size),
        _ => None,
    }
}

/// Reads from the connection, and leaves writing to the one thread that does it.
struct ReadHalf<'a> {
    stream: &'a TcpStream,
    output: Sender<Outgoing>,
}

impl Read for ReadHalf<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.stream.read(bytes)
    }
}

impl Write for ReadHalf<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let sent = self.output.send(Outgoing(bytes.to_vec()));
        sent.map(|()| bytes.len()).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
