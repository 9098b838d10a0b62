//! The searcher of a session, kept as the options want it.

use std::io::Write;
use std::sync::Arc;

use eval::Network;
use platform::Topology;
use search::{Inbox, Searcher, Tablebase};

use crate::error::CommandError;
use crate::file::tablebase_folders;
use crate::option::Options;
use crate::print::Printer;

/// A searcher and the options it was built with.
pub(crate) struct Pool {
    pub(crate) searcher: Searcher,
    threads: usize,
    binds_threads: bool,
    hash_mib: usize,
    network: Arc<Network>,
    tablebase_path: Option<String>,
    /// `None` also if there are none in the folders.
    pub(crate) tablebase: Option<Arc<Tablebase>>,
}

impl Pool {
    /// The least there can be, to grow as the options want; without threads if there is an inbox.
    pub(crate) fn new(inbox: Option<Inbox>) -> Self {
        Self {
            searcher: inbox.map_or_else(|| Searcher::new(1, 1), |inbox| Searcher::without_threads(1, inbox)),
            threads: 1,
            binds_threads: false,
            hash_mib: 1,
            network: Network::embedded(),
            tablebase_path: None,
            tablebase: None,
        }
    }

    /// Changes what differs from what was asked for before: an option sent again with its value costs nothing.
    pub(crate) fn follow<W: Write>(&mut self, options: &Options, printer: &Printer<W>) {
        let tell_shortage = |name, wanted: usize, taken: usize| {
            if taken < wanted {
                printer.fault(&CommandError::Unavailable { name, wanted, taken });
            }
        };
        let table_before = self.searcher.hash_mib();
        if self.binds_threads != options.binds_threads {
            self.binds_threads = options.binds_threads;
            let topology = if self.binds_threads { Topology::of_system() } else { Topology::default() };
            self.searcher.set_topology(topology);
        }
        if self.threads != options.threads {
            self.threads = options.threads;
            tell_shortage("Threads", self.threads, self.searcher.set_threads(self.threads));
        }
        let is_resized = self.hash_mib != options.hash_mib;
        if is_resized {
            self.hash_mib = options.hash_mib;
            self.searcher.set_hash_mib(self.hash_mib);
        }
        // More threads may have made it smaller.
        if is_resized || self.searcher.hash_mib() != table_before {
            tell_shortage("Hash", self.hash_mib, self.searcher.hash_mib());
        }
        if self.network != options.network {
            self.network = Arc::clone(&options.network);
            self.searcher.set_network(Arc::clone(&options.network));
        }
        if self.tablebase_path != options.tablebase_path {
            self.tablebase_path.clone_from(&options.tablebase_path);
            let folders = self.tablebase_path.as_deref().map(tablebase_folders);
            let tablebase = folders.map(|folders| Arc::new(Tablebase::open(&folders)));
            if let Some(tablebase) = &tablebase {
                printer.tablebase(tablebase);
            }
            self.tablebase = tablebase.clone().filter(|tablebase| tablebase.files() != (0, 0));
            self.searcher.set_tablebase(tablebase);
        }
    }
}
