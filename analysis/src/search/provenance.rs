//! Whose results a store has, and what they depend on: the same for all that keep results in one.

use eval::Network;
use movegen::Position;
use search::Tablebase;
use sha2::{Digest, Sha256};
use store::{Context, Identity};
use uci::BENCH_SIGNATURE;

use crate::model::RunTablebase;

/// From this many half-moves without a capture or a pawn's move on, they are a part of the score.
const MAX_CLOCK: u16 = 20;

/// Who this program's results are of when it evaluates with this network. Versions that search alike share them: what a
/// search finds changes with the bench signature, and only then.
pub(crate) fn identity(network: &Network) -> Identity {
    Identity { engine: format!("Vancura with search {BENCH_SIGNATURE}"), network: format!("{:016x}", network.hash()) }
}

/// Which endgame tables there are, for those who read results.
pub(crate) fn tables_of(tablebase: &Tablebase) -> RunTablebase {
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let (wdl_files, dtz_files) = tablebase.files();
    RunTablebase { wdl_files: number(wdl_files), dtz_files: number(dtz_files), pieces: number(tablebase.largest()) }
}

/// The endgame tables as a number; 0 for none.
pub(crate) fn number_of_tables(tables: Option<RunTablebase>) -> serde_json::Result<u64> {
    tables.map_or(Ok(0), |_| Ok(number_of(&serde_json::to_vec(&tables)?)))
}

/// A number that stands for some bytes.
pub(crate) fn number_of(bytes: &[u8]) -> u64 {
    let digest = Sha256::digest(bytes);
    u64::from_le_bytes(std::array::from_fn(|index| digest[index]))
}

/// The context that a hash of all its parts gives.
pub(crate) fn context_of(parts: Sha256) -> Context {
    let digest = parts.finalize();
    std::array::from_fn(|index| digest[index])
}

/// Whether what came before a position is no part of what it is worth: nothing was repeated since the last capture or
/// pawn move, which was not long ago.
pub(crate) fn is_general(position: &Position) -> bool {
    let mut keys: Vec<_> = position.history().iter().copied().chain([position.board().key()]).collect();
    let count = keys.len();
    keys.sort_unstable();
    keys.dedup();
    keys.len() == count && position.board().halfmove_clock() < MAX_CLOCK
}

#[cfg(test)]
mod tests {
    use movegen::Board;

    use super::*;

    #[test]
    fn repetitions_and_long_waits_belong_to_their_games() {
        let after = |moves: &str| {
            let mut position = Position::start();
            for text in moves.split(' ') {
                let mv = position.board().parse_uci(text).unwrap();
                position.play(mv);
            }
            position
        };
        assert!(is_general(&Position::start()) && is_general(&after("g1f3 g8f6 f3g1")));
        assert!(!is_general(&after("g1f3 g8f6 f3g1 f6g8")) && !is_general(&after("g1f3 g8f6 f3g1 f6g8 b1c3")));
        let waited = |clock| Position::from(Board::from_fen(&format!("7k/8/8/8/8/Q7/8/K7 w - - {clock} 90")).unwrap());
        assert!(is_general(&waited(19)) && !is_general(&waited(20)));
    }
}
