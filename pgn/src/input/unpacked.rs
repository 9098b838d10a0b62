//! Forms within forms: a compressed archive of compressed files, taken apart as far as it goes.

use std::io::{self, BufRead, Cursor, Read};

use super::encoding::{Wide, units_of};
use super::{Form, Input, LAYERS, unpack_first, unread_form};

/// Enough bytes to recognise a form by.
const START: usize = 262;

/// The bytes of a text, beneath all compression.
pub(super) struct Unpacked {
    pub(super) bytes: Input,
    /// `None` for single bytes.
    pub(super) units: Option<Wide>,
    /// Whether there was any.
    pub(super) is_packed: bool,
}

impl Unpacked {
    /// What lies in this input beneath at most so many forms.
    pub(super) fn new(mut input: Input, layers: usize) -> io::Result<Self> {
        let mut left = layers;
        loop {
            let mut start = Vec::new();
            // What is damaged behind its beginning has a beginning all the same.
            let fault = input.by_ref().take(START as u64).read_to_end(&mut start).err();
            let fault = match fault {
                Some(error) if start.is_empty() => return Err(error),
                fault => fault,
            };
            if let Some(form) = unread_form(&start) {
                return Err(unpack_first(form));
            }
            let (form, units) = (Form::of(&start), units_of(&start));
            input = Box::new(Cursor::new(start).chain(Fault(fault)).chain(input));
            let Some(form) = form else { return Ok(Self { bytes: input, units, is_packed: left < layers }) };
            left = left.checked_sub(1).ok_or_else(|| {
                io::Error::new(io::ErrorKind::InvalidData, format!("packed more than {LAYERS} times; unpack it first"))
            })?;
            input = form.decoded(input, left);
        }
    }
}

/// An error where it was met, and then nothing.
struct Fault(Option<io::Error>);

impl Read for Fault {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

impl BufRead for Fault {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.0.take().map_or(Ok(&[]), Err)
    }

    fn consume(&mut self, _: usize) {}
}
