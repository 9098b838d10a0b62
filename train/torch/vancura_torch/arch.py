"""The network's architecture: `eval/src/arch.rs` in Python, and those that are only trained so far.

Two of them: the hidden neurons, squared and clipped, feed one output (the network that plays); or a pairwise head, in which
products of neurons feed two more layers. Both have king buckets and output buckets.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

#: Inputs of one king bucket: 2 sides x 6 piece types x 64 squares.
INPUTS = 768
#: Sets of weights behind the hidden neurons, chosen by the number of pieces.
OUTPUT_BUCKETS = 9
#: Centipawns of an output of 1.
SCALE = 400
#: What 1 is quantised to in the feature transformer, and in output weights of shift 0.
QA, QB = 255, 64
MAX_OUTPUT_SHIFT = 6
#: The largest magnitude of any trained weight, and of integers in the feature transformer and the output layer.
MAX_WEIGHT = 1.98
MAX_HIDDEN_WEIGHT, MAX_OUTPUT_WEIGHT = 505, 127
#: Neurons of the second and third layer of the pairwise head.
HEAD = (16, 32)

#: Tables of king buckets by their number of buckets: ranks 1 to 8 from the king's own perspective, files a to d.
# fmt: off
KING_BUCKETS = {
    1: (0,) * 32,
    4: (0, 0, 1, 1,
        2, 2, 2, 2,
        *(3,) * 24),
    8: (0, 1, 2, 3,
        4, 4, 5, 5,
        *(6,) * 8,
        *(7,) * 16),
}
# fmt: on


@dataclass(frozen=True)
class Architecture:
    """Sizes of a network."""

    #: Hidden neurons of one perspective.
    hidden: int = 768
    #: The king bucket of each square, ranks 1 to 8, files a to d.
    king_buckets: tuple[int, ...] = KING_BUCKETS[1]
    #: Whether the pairwise head follows the hidden neurons.
    head: bool = False

    @property
    def king_bucket_count(self) -> int:
        """How many king buckets there are."""
        return max(self.king_buckets) + 1

    @property
    def features(self) -> int:
        """Rows of feature weights: the inputs of all king buckets."""
        return INPUTS * self.king_bucket_count

    def sections(self) -> dict[str, tuple[int, ...]]:
        """The shapes of all weights, in the order in which checkpoints hold them."""
        start = {"features": (self.features, self.hidden), "biases": (self.hidden,)}
        buckets = OUTPUT_BUCKETS
        if not self.head:
            return start | {"outputs": (buckets, 2 * self.hidden), "output_biases": (buckets,)}
        second, third = HEAD
        return start | {
            "l1": (buckets, second, self.hidden),
            "l1_biases": (buckets, second),
            "l2": (buckets, third, 2 * second),
            "l2_biases": (buckets, third),
            "outputs": (buckets, third),
            "output_biases": (buckets,),
        }

    @property
    def count(self) -> int:
        """How many weights there are."""
        return sum(prod(shape) for shape in self.sections().values())

    def __str__(self) -> str:
        head = "pairwise head" if self.head else "one output"
        return f"{self.king_bucket_count} king buckets x {INPUTS} inputs, {self.hidden} hidden neurons, {head}"
