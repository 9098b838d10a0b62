"""How to train: `train/src/training/recipe.rs`, and what only this trainer can do."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from math import cos, pi
from typing import Any

from . import InputError
from .arch import OUTPUT_BUCKETS


@dataclass(frozen=True)
class Recipe:
    """Everything that, with the data, decides what network comes out; the names are those in checkpoints."""

    seed: int = 1
    batch_size: int = 16_384
    batches: int = 6_104
    superbatches: int = 60
    learning_rate_start: float = 1e-3
    learning_rate_end: float = 2.43e-6
    warm_up: int = 0
    wdl_start: float = 0.4
    wdl_end: float = 0.4
    weight_decay: float = 0.01
    reorder: bool = False
    only_bucket: int | None = None
    rounded: bool = False
    #: Means something to `trainer resume` alone.
    parts: int = 2
    #: The weight of the mean pairwise product, from 0 to 1, in the loss.
    l1_penalty: float = 0.0
    #: Whether all king buckets share a row for each input, beside their own.
    factoriser: bool = False
    #: In what most of the arithmetic is done: `fp32`, `tf32` or `bf16`.
    precision: str = "bf16"

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Recipe:
        """A recipe of this or an older version."""
        known = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in values.items() if name in known})

    def to_json(self) -> dict[str, Any]:
        """The recipe as a checkpoint's header holds it."""
        return asdict(self)

    def check(self) -> None:
        """Raises `InputError` for the first number that makes no sense."""
        most = (1 << 32) - 1
        ranges = [
            ("seed", self.seed, 0, (1 << 64) - 1),
            ("batch size", self.batch_size, 1, 1 << 24),
            ("number of batches", self.batches, 1, most),
            ("number of superbatches", self.superbatches, 1, most),
            ("number of batches of warm-up", self.warm_up, 0, most),
            ("starting learning rate", self.learning_rate_start, 0, 1),
            ("final learning rate", self.learning_rate_end, 0, 1),
            ("starting share of results", self.wdl_start, 0, 1),
            ("final share of results", self.wdl_end, 0, 1),
            ("weight decay", self.weight_decay, 0, 1),
            ("L1 penalty", self.l1_penalty, 0, 1),
            ("output bucket", self.only_bucket or 0, 0, OUTPUT_BUCKETS - 1),
        ]
        for what, value, low, high in ranges:
            if not low <= value <= high:
                raise InputError(f"{what} is {value}, not from {low} to {high}")

    @property
    def steps(self) -> int:
        """Batches in all."""
        return self.batches * self.superbatches

    def learning_rate(self, step: int) -> float:
        """The learning rate of a batch, counted from 0: half a cosine wave, with a linear warm-up."""
        start, end = self.learning_rate_start, self.learning_rate_end
        full = end + (start - end) * 0.5 * (1 + cos(pi * self._progress(step)))
        return full * (step + 1) / self.warm_up if step < self.warm_up else full

    def wdl(self, step: int) -> float:
        """The share of the game's result in the target of a batch, counted from 0."""
        return self.wdl_start + (self.wdl_end - self.wdl_start) * self._progress(step)

    def _progress(self, step: int) -> float:
        """From 0 for the first batch to 1 for the last."""
        return step / max(self.steps - 1, 1)
