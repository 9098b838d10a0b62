//! What is sent to a page.

use std::io;

use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{Data, OpCode};

/// Bytes that are to be written together.
pub(super) struct Outgoing(pub Vec<u8>);

/// A message of text.
pub(super) fn text_frame(text: String) -> io::Result<Outgoing> {
    let mut bytes = Vec::with_capacity(text.len() + 10);
    let frame = Frame::message(text.into_bytes(), OpCode::Data(Data::Text), true);
    frame.format(&mut bytes).map_err(io::Error::other)?;
    Ok(Outgoing(bytes))
}
