//! The embedded network.

use std::sync::Arc;

use once_cell::sync::Lazy;

use crate::network::Network;

static BYTES: &[u8] = include_bytes!(env!("VANCURA_NETWORK"));

static EMBEDDED: Lazy<Arc<Network>> = Lazy::new(|| match Network::from_bytes(BYTES) {
    Ok(network) => Arc::new(network),
    // Only a build with an unsuitable EVALFILE or a changed architecture gets here.
    Err(error) => panic!("the network this program was built with is not for it: {error}"),
});

impl Network {
    /// The network embedded in the program, read once.
    ///
    /// # Panics
    ///
    /// If the program was built with a file that is not a network of its architecture.
    #[must_use]
    pub fn embedded() -> Arc<Self> {
        Arc::clone(&EMBEDDED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_network_round_trips() {
        let network = Network::embedded();
        // Not compared with `assert_eq`, which would print both.
        assert!(network.to_bytes() == BYTES, "the embedded network is not written as it was read");
        let name = format!("{:016x}", network.hash());
        assert!(env!("VANCURA_NETWORK").contains(&name), "{} holds {name}", env!("VANCURA_NETWORK"));
    }
}
