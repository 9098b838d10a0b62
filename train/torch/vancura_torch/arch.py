"""The network's architecture: `eval/src/arch.rs` in Python."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

#: Inputs of one king bucket: 2 sides x 6 piece types x 64 squares.
INPUTS = 768
#: Sets of weights behind the hidden neurons, chosen by the number of pieces.
OUTPUT_BUCKETS = 9
#: Centipawns of an output of 1.
SCALE = 400
#: What 1 is quantised to in the feature transformer, and in weights of the second layer of shift 0.
QA, QB = 255, 64
MAX_SECOND_SHIFT = 6
#: The largest magnitude of any trained weight, and of integers in the feature transformer and the second layer.
MAX_WEIGHT = 1.98
MAX_HIDDEN_WEIGHT, MAX_SECOND_WEIGHT = 505, 127
#: Neurons of the second layer, whose inputs are products of hidden neurons, and of the third, whose inputs are those of the
#: second, plain and squared.
SECOND, THIRD = 16, 32

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

    #: Hidden neurons of one perspective, of which one half is multiplied by the other.
    hidden: int = 1024
    #: The king bucket of each square, ranks 1 to 8, files a to d.
    king_buckets: tuple[int, ...] = KING_BUCKETS[1]

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
        return {
            "features": (self.features, self.hidden),
            "biases": (self.hidden,),
            "second": (OUTPUT_BUCKETS, SECOND, self.hidden),
            "second_biases": (OUTPUT_BUCKETS, SECOND),
            "third": (OUTPUT_BUCKETS, THIRD, 2 * SECOND),
            "third_biases": (OUTPUT_BUCKETS, THIRD),
            "outputs": (OUTPUT_BUCKETS, THIRD),
            "output_biases": (OUTPUT_BUCKETS,),
        }

    @property
    def count(self) -> int:
        """How many weights there are."""
        return sum(prod(shape) for shape in self.sections().values())

    def __str__(self) -> str:
        return f"{self.king_bucket_count} king buckets x {INPUTS} inputs, {self.hidden} hidden neurons"
