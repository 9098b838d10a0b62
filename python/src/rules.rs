//! What the rules of chess and the network say of positions, without a search.

use eval::Network;
use movegen::unwinnable::{Budget, Verdict, examine};
use movegen::{Board, Color, FenStyle};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;
use uci::StaticEvaluation;

use crate::position::{ParsedPosition, PositionInput};
use crate::work::{interruptible, pool};

/// The most plies of perft: beyond it no count fits.
const MAX_PERFT_DEPTH: u8 = 20;

/// What the network says of each position, on this many threads: centipawns for White, and of a thousand games those that White
/// wins, draws and loses. A dead position is a draw.
#[pyfunction]
pub(crate) fn evaluate(
    py: Python<'_>,
    positions: Vec<PositionInput>,
    threads: usize,
) -> PyResult<Vec<(i32, [u16; 3])>> {
    let boards = positions.iter().map(|input| Ok(*input.read()?.position.board())).collect::<PyResult<Vec<_>>>()?;
    let (network, pool) = (Network::embedded(), pool(threads)?);
    let evaluated = |board: &Board| {
        let StaticEvaluation { score, chances, .. } = StaticEvaluation::new(board, &network, Budget::MEDIUM);
        ((score * 100.0).round() as i32, chances)
    };
    interruptible(py, |_| pool.install(|| boards.par_iter().map(evaluated).collect()))
}

/// The position as a FEN that says all of it.
#[pyfunction]
pub(crate) fn fen(input: PositionInput) -> PyResult<String> {
    Ok(input.read()?.position.board().fen(FenStyle::Standard))
}

/// The legal moves in UCI's notation, in no certain order.
#[pyfunction]
pub(crate) fn legal_moves(input: PositionInput) -> PyResult<Vec<String>> {
    let ParsedPosition { position, style } = input.read()?;
    Ok(position.board().legal_moves().iter().map(|mv| mv.uci(style).to_string()).collect())
}

/// A move in UCI's notation, in Standard Algebraic Notation.
#[pyfunction]
pub(crate) fn san(input: PositionInput, mv: &str) -> PyResult<String> {
    let board = *input.read()?.position.board();
    let mv = board.parse_uci(mv).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(board.san(mv))
}

/// How many games of this many plies there are from the position.
#[pyfunction]
pub(crate) fn perft(py: Python<'_>, input: PositionInput, depth: u8) -> PyResult<u64> {
    if depth > MAX_PERFT_DEPTH {
        return Err(PyValueError::new_err(format!("no more than {MAX_PERFT_DEPTH} plies, not {depth}")));
    }
    let board = *input.read()?.position.board();
    if depth == 0 {
        return Ok(1);
    }
    let counts = interruptible(py, |stop| movegen::divide_until(&board, depth, stop))?;
    Ok(counts.unwrap_or_default().iter().map(|(_, count)| count).sum())
}

/// Whether White, and whether Black, can still mate by any legal moves, as far as this many positions tell.
#[pyfunction]
pub(crate) fn winnable(py: Python<'_>, input: PositionInput, nodes: u64) -> PyResult<[Option<bool>; 2]> {
    let board = *input.read()?.position.board();
    let proven = |winner| match examine(&board, winner, Budget::nodes(nodes)).verdict {
        Verdict::Winnable(_) => Some(true),
        Verdict::Unwinnable(_) => Some(false),
        Verdict::Undetermined => None,
    };
    py.detach(|| Ok([Color::White, Color::Black].map(proven)))
}
