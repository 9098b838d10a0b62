//! A network: the file as it is, and the embedded network with stretches of its weights replaced.

use std::sync::Arc;

use eval::network::HEADER_LEN;
use eval::{Evaluator, Network, Path};
use movegen::Board;

/// Boards with few and with many pieces: the fullest makes the largest sums.
const BOARDS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
];

/// About as many bytes as the numbers behind the second layer take.
const BEHIND: usize = 40_000;

/// A network that is accepted is written as it was read, and every instruction set agrees with the definition of its
/// evaluation, however large its weights are.
///
/// # Panics
///
/// If one does not.
pub fn check(data: &[u8]) {
    if let Ok(network) = Network::from_bytes(data) {
        check_network(network);
    }
    let bytes = Network::embedded().to_bytes();
    let mut payload = bytes[HEADER_LEN..].to_vec();
    for &[highest, high, low, upper, lower, shift, a, b] in data.as_chunks::<8>().0 {
        // The numbers at the end, which are few, are meant as often as all together.
        let first = if highest >= 128 { payload.len().saturating_sub(BEHIND) } else { 0 };
        let start = first + u32::from_be_bytes([0, highest, high, low]) as usize % (payload.len() - first);
        let length = usize::from(u16::from_be_bytes([upper, lower])) << (shift % 8);
        let end = (start + length).min(payload.len());
        payload[start..end].iter_mut().zip([a, b].iter().cycle()).for_each(|(byte, &value)| *byte = value);
    }
    if let Ok(network) = Network::from_payload(&payload) {
        check_network(network);
    }
}

fn check_network(network: Network) {
    assert!(Network::from_bytes(&network.to_bytes()).as_ref() == Ok(&network), "{network:?} is read differently");
    let network = Arc::new(network);
    for path in Path::available() {
        let mut evaluator = Evaluator::with_path(Arc::clone(&network), path);
        for fen in BOARDS {
            let board = Board::from_fen(fen).expect("a legal position");
            evaluator.reset(&board);
            assert_eq!(evaluator.evaluate(&board), network.evaluate(&board), "{path:?} {fen}");
        }
    }
}
