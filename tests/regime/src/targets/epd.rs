//! Lines of EPD.

use pgn::Epd;

use super::fen::round_trip;

/// A line that can be read has a position that can be written and read again, and finds each of its operations.
///
/// # Panics
///
/// If it does not.
pub fn check(data: &[u8]) {
    for line in data.split(|&byte| byte == b'\n') {
        let Some(Ok(epd)) = Epd::parse(&pgn::decode(line)) else { continue };
        round_trip(&epd.board);
        for operation in &epd.operations {
            assert!(epd.has(&operation.opcode), "{operation:?}");
            assert!(epd.operands(&operation.opcode).count() >= operation.operands.len(), "{operation:?}");
        }
    }
}
