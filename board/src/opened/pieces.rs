//! A part of a text that comes in pieces from another thread.

use std::io::{self, BufRead, Read};

use crossbeam_channel::Receiver;

/// Reads what comes over a channel, up to its end.
pub(super) struct Pieces {
    pieces: Receiver<Vec<u8>>,
    piece: Vec<u8>,
    /// How much of the piece has been read.
    at: usize,
}

impl Pieces {
    pub const fn new(pieces: Receiver<Vec<u8>>) -> Self {
        Self { pieces, piece: Vec::new(), at: 0 }
    }
}

impl BufRead for Pieces {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.at >= self.piece.len() {
            let Ok(piece) = self.pieces.recv() else { return Ok(&[]) };
            (self.piece, self.at) = (piece, 0);
        }
        Ok(&self.piece[self.at..])
    }

    fn consume(&mut self, length: usize) {
        self.at += length;
    }
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(buffer)?;
        self.consume(length);
        Ok(length)
    }
}
