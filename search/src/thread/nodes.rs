//! What the threads of a NUMA node share: a copy of the network in the node's own memory.
//!
//! On a machine of one node there is one network and no thread is bound.
//!
//! Source: Stockfish, which replicates its networks by node and binds threads.

use std::sync::Arc;

use eval::Network;
use platform::{Binding, Topology, has_room};

/// The nodes, and the network of each.
pub(crate) struct Nodes {
    topology: Topology,
    /// The node of each thread; none while threads are not bound.
    places: Vec<usize>,
    network: Arc<Network>,
    /// By node, made when the first thread there needs it.
    copies: Vec<Option<Arc<Network>>>,
}

impl Nodes {
    pub(crate) fn new(topology: Topology, network: Arc<Network>) -> Self {
        let copies = vec![None; topology.len()];
        Self { topology, places: Vec::new(), network, copies }
    }

    /// Decides which node each of so many threads is on. Returns whether threads that are there already are now on the
    /// wrong one.
    pub(crate) fn place(&mut self, threads: usize) -> bool {
        let were_bound = self.are_bound();
        let binds = self.topology.is_worth_binding(threads);
        self.places = if binds { self.topology.places(threads) } else { Vec::new() };
        were_bound != binds
    }

    /// From now on threads evaluate with this network.
    pub(crate) fn set_network(&mut self, network: Arc<Network>) {
        self.network = network;
        self.copies.fill(None);
    }

    /// Whether threads are bound to nodes.
    pub(crate) const fn are_bound(&self) -> bool {
        !self.places.is_empty()
    }

    /// The network that all copies are of.
    pub(crate) const fn shared_network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Binds this thread to the node of a search thread until the result is dropped: the search thread inherits that when
    /// this one starts it, and its memory is taken there.
    pub(crate) fn bind(&self, thread: usize) -> Option<Binding> {
        self.topology.bind(*self.places.get(thread)?)
    }

    /// The network for a thread: a copy in the memory of its node.
    pub(crate) fn network(&mut self, thread: usize) -> Arc<Network> {
        let Some(&node) = self.places.get(thread) else { return Arc::clone(&self.network) };
        // A copy is for speed alone.
        if self.copies[node].is_none() && has_room(Network::SIZE) {
            let _binding = self.topology.bind(node);
            self.copies[node] = Some(Arc::new(Network::clone(&self.network)));
        }
        Arc::clone(self.copies[node].as_ref().unwrap_or(&self.network))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine of two nodes, whose processors need not be there: nothing is bound.
    fn made_up() -> Topology {
        Topology::new(vec![(0..4).collect(), (4..6).collect()])
    }

    #[test]
    fn threads_of_a_node_share_a_copy() {
        let network = Network::embedded();
        let mut nodes = Nodes::new(made_up(), Arc::clone(&network));
        assert!(nodes.place(6), "threads that were not bound now are");
        let networks: Vec<_> = (0..6).map(|thread| nodes.network(thread)).collect();
        let is_on_second = made_up().places(6).into_iter().map(|node| node == 1);
        for (own, is_on_second) in networks.iter().zip(is_on_second) {
            assert!(**own == *network && !Arc::ptr_eq(own, &network));
            assert_eq!(Arc::ptr_eq(own, &networks[2]), is_on_second);
        }
        assert!(!nodes.place(5) && nodes.place(2), "two threads are not bound any more");
        assert!(Arc::ptr_eq(&nodes.network(0), &network) && nodes.bind(0).is_none());
    }

    #[test]
    fn one_node_changes_nothing() {
        for topology in [Topology::default(), Topology::new(vec![(0..64).collect()])] {
            let network = Network::embedded();
            let mut nodes = Nodes::new(topology, Arc::clone(&network));
            for threads in [1, 64, 1024] {
                assert!(!nodes.place(threads) && nodes.bind(0).is_none());
                assert!(Arc::ptr_eq(&nodes.network(threads - 1), &network));
            }
        }
    }
}
