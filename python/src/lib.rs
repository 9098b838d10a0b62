//! The engine as a Python module. What people import is the package `vancura` in `package/`, which is written in Python and
//! asks this module for everything that needs the engine; here are only text, numbers and tuples.
//!
//! 1. `position`: a FEN and moves as a position of the engine.
//! 2. `report`: what a search reports, as tuples.
//! 3. `search`: the searches, one at a time or many on all cores.
//! 4. `rules`: what the rules of chess and the network say without a search.
//!
//! `work` keeps all of them apart from the interpreter.

mod position;
mod report;
mod rules;
mod search;
mod work;

use pyo3::prelude::*;

#[pymodule]
fn _vancura(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("NETWORK", format!("vancura-{:016x}", eval::Network::embedded().hash()))?;
    module.add_class::<search::Searcher>()?;
    module.add_class::<search::Search>()?;
    module.add_function(wrap_pyfunction!(search::analyse_many, module)?)?;
    module.add_function(wrap_pyfunction!(rules::evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(rules::fen, module)?)?;
    module.add_function(wrap_pyfunction!(rules::legal_moves, module)?)?;
    module.add_function(wrap_pyfunction!(rules::san, module)?)?;
    module.add_function(wrap_pyfunction!(rules::perft, module)?)?;
    module.add_function(wrap_pyfunction!(rules::winnable, module)?)?;
    Ok(())
}
