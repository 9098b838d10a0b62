//! The conversations in tests/tests/transcripts, replayed with the real program.

use tests::transcript::{Talk, conversations};

use crate::common::Engine;

impl Talk for Engine {
    fn send(&mut self, bytes: &[u8]) {
        self.send_bytes(bytes);
    }

    fn next_line(&mut self) -> Option<String> {
        Self::next_line(self)
    }

    fn close(&mut self) {
        self.close_input();
    }
}

#[test]
fn the_program_says_what_is_written() {
    for conversation in conversations() {
        let mut engine = Engine::start();
        conversation.replay(&mut engine);
        assert_eq!(engine.end(), (vec![], true), "{}", conversation.name);
    }
}
