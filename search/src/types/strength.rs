//! A limited playing strength, as a rating.

/// How strongly to play, and the seed that decides the errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strength {
    elo: u16,
    seed: u64,
}

impl Strength {
    /// The least rating that can be asked for.
    pub const MIN_ELO: u16 = 800;
    /// The greatest rating that can be asked for; full strength is above it.
    pub const MAX_ELO: u16 = 2850;

    /// A strength as a rating, clamped to the limits. With the same seed, the same search makes the same errors.
    #[must_use]
    pub fn of_elo(elo: u16, seed: u64) -> Self {
        Self { elo: elo.clamp(Self::MIN_ELO, Self::MAX_ELO), seed }
    }

    /// The rating.
    #[must_use]
    pub const fn elo(self) -> u16 {
        self.elo
    }

    pub(crate) const fn seed(self) -> u64 {
        self.seed
    }
}
