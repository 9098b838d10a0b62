//! Training: self-play data and the trainer.
