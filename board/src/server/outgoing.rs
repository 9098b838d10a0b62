//! What is sent to a page.

use std::io;

use tungstenite::protocol::CloseFrame;
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{CloseCode, Data, OpCode};

/// Bytes that are to be written together.
pub(super) struct Outgoing(pub Vec<u8>);

/// A message of text.
pub(super) fn text_frame(text: String) -> io::Result<Outgoing> {
    written(Frame::message(text.into_bytes(), OpCode::Data(Data::Text), true))
}

/// The end of a conversation, and what was wrong with it.
pub(super) fn close_frame(code: CloseCode) -> io::Result<Outgoing> {
    written(Frame::close(Some(CloseFrame { code, reason: "".into() })))
}

fn written(frame: Frame) -> io::Result<Outgoing> {
    let mut bytes = Vec::with_capacity(frame.len());
    frame.format(&mut bytes).map_err(io::Error::other)?;
    Ok(Outgoing(bytes))
}
