//! The network: is it whole, and does every instruction set say the same of it?

use std::sync::Arc;

use eval::network::checksum;
use eval::{Evaluator, Network, NetworkError, Path};
use movegen::Board;

use super::diagnosis::Diagnosis;

const REMEDY: &str = "download or build the program again; if that does not help, report it with this page";

pub(super) fn examine() -> Vec<Diagnosis> {
    let network = Network::embedded();
    vec![whole(&network), alike(&network)]
}

/// Whether the network reads back from its own bytes, checksum and bounds included.
fn whole(network: &Network) -> Diagnosis {
    let name = format!("vancura-{:016x}", network.hash());
    let again: Result<Network, NetworkError> = Network::from_bytes(&network.to_bytes());
    match again {
        Ok(again) if again == *network => Diagnosis::good(format!("{name} is intact")),
        Ok(_) => {
            Diagnosis::fault(format!("{name} changed when it was copied: the memory is faulty"), "test the memory")
        }
        Err(error) => Diagnosis::fault(format!("{name}: {error}"), REMEDY),
    }
}

/// Whether evaluations by all paths, kept up to date from move to move, equal the plain definition. Their checksum is
/// the same on every machine.
fn alike(network: &Arc<Network>) -> Diagnosis {
    let paths: Vec<_> = Path::available().collect();
    let mut evaluators: Vec<_> = paths.iter().map(|&path| Evaluator::with_path(Arc::clone(network), path)).collect();
    let mut golden = Vec::new();
    for board in uci::BENCH_POSITIONS.iter().filter_map(|fen| Board::from_fen(fen).ok()) {
        let mut expect = |board: &Board, evaluators: &mut [Evaluator]| {
            let expected = network.evaluate(board);
            golden.push(expected);
            evaluators.iter_mut().position(|evaluator| evaluator.evaluate(board) != expected)
        };
        evaluators.iter_mut().for_each(|evaluator| evaluator.reset(&board));
        let mut wrong = expect(&board, &mut evaluators);
        for mv in board.legal_moves() {
            let mut child = board;
            for evaluator in &mut evaluators {
                child = board;
                child.play(mv, &mut evaluator.push());
            }
            wrong = wrong.or(expect(&child, &mut evaluators));
            evaluators.iter_mut().for_each(Evaluator::pop);
        }
        if let Some(path) = wrong.and_then(|index| paths.get(index)) {
            return Diagnosis::fault(format!("{path} evaluates {board:?} wrongly"), REMEDY);
        }
    }
    let names: Vec<_> = paths.iter().map(ToString::to_string).collect();
    let bytes: Vec<_> = golden.iter().flat_map(|score| score.to_le_bytes()).collect();
    Diagnosis::good(format!(
        "{} evaluations are equal by {}, checksum {:016x}",
        golden.len(),
        names.join(", "),
        checksum(&bytes)
    ))
}

#[cfg(test)]
mod tests {
    use super::super::diagnosis::Level;
    use super::*;

    #[test]
    fn the_embedded_network_is_in_order() {
        let diagnoses = examine();
        assert!(diagnoses.iter().all(|diagnosis| diagnosis.level == Level::Good), "{diagnoses:?}");
        assert!(diagnoses[0].text.contains(&format!("{:016x}", Network::embedded().hash())));
    }
}
