//! How one search uses endgame tables.

use crate::state::job::Job;
use crate::tablebase::probe::Tablebase;

/// The tables and the conditions for probing them inside the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probing<'a> {
    pub(crate) tables: &'a Tablebase,
    /// The maximum number of pieces to probe with.
    pub(crate) pieces: usize,
    /// The minimum depth to probe at with that many pieces; with fewer, any depth will do.
    pub(crate) depth: i32,
    pub(crate) fifty_moves: bool,
}

impl<'a> Probing<'a> {
    /// `None` if there is nothing to probe.
    pub(crate) fn new(job: &'a Job<'_>) -> Option<Self> {
        let tables = job.tablebase.as_deref()?;
        let settings = &job.settings.tablebase;
        let pieces = settings.probe_limit.min(tables.largest());
        (pieces > 0).then_some(Self { tables, pieces, depth: settings.probe_depth, fifty_moves: settings.fifty_moves })
    }
}
