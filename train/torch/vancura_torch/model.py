"""The network in PyTorch: its weights, its output, its optimizer's limits."""

from __future__ import annotations

from math import prod
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .arch import (
    INPUTS,
    MAX_HIDDEN_WEIGHT,
    MAX_SECOND_SHIFT,
    MAX_SECOND_WEIGHT,
    MAX_WEIGHT,
    OUTPUT_BUCKETS,
    QA,
    QB,
    SECOND,
    THIRD,
    Architecture,
)
from .records import MAX_PIECES

#: Matrix products are fast where sides are multiples of this.
ALIGNMENT = 16


class Model:
    """All weights in one f32 vector, as checkpoints hold them, so that one step of the optimizer moves them all.

    The shared rows of the factoriser follow the weights of the network.
    """

    def __init__(self, arch: Architecture, device: torch.device, factoriser: bool, precision: str) -> None:
        """All weights 0; `precision` is that of a recipe."""
        self.arch, self.device = arch, device
        self.dtype = torch.bfloat16 if precision == "bf16" else torch.float32
        sections = arch.sections()
        if factoriser:
            sections |= {"shared": (INPUTS, arch.hidden)}
        count = sum(prod(shape) for shape in sections.values())
        self.flat = nn.Parameter(torch.zeros(count, device=device))
        self.flat.grad = torch.zeros_like(self.flat)
        #: The weights by section. They and their gradients lie in `flat`.
        self.weights: dict[str, Tensor] = {}
        self.places: dict[str, slice] = {}
        start = 0
        for name, shape in sections.items():
            place = slice(start, start + prod(shape))
            weight = self.flat.detach()[place].view(shape).requires_grad_()
            weight.grad = self.flat.grad[place].view(shape)
            self.weights[name], self.places[name] = weight, place
            start = place.stop
        #: Memory for inputs by their number and type, which is used again: a recorded step finds it where it was.
        self.one_hots: dict[tuple[int, torch.dtype], Tensor] = {}
        #: The outputs from the inputs; `torch.compile` may replace it.
        self.outputs = self._outputs

    @torch.no_grad()
    def load(self, numbers: dict[str, Tensor]) -> None:
        """Takes the weights of a network of this architecture, by section.

        With a factoriser the shared row begins as the mean of the buckets, their own rows as the rest.
        """
        for name, weight in self.weights.items():
            if name != "shared":
                weight.copy_(numbers[name])
        if "shared" in self.weights:
            rows = self.weights["features"].view(-1, INPUTS, self.arch.hidden)
            self.weights["shared"].copy_(rows.mean(0))
            rows -= self.weights["shared"]

    def features(self) -> Tensor:
        """The feature weights as the network will have them, f32 [features, hidden]: the shared row folded in."""
        own = self.weights["features"]
        if "shared" not in self.weights:
            return own
        rows = own.view(-1, INPUTS, self.arch.hidden) + self.weights["shared"]
        return rows.clamp(-MAX_WEIGHT, MAX_WEIGHT).view_as(own)

    @torch.no_grad()
    def export(self) -> dict[str, Tensor]:
        """Copies of the network's weights by section, the shared rows folded in."""
        numbers = {name: self.weights[name].detach().clone() for name in self.arch.sections()}
        return numbers | {"features": self.features().detach().clone()}

    @torch.no_grad()
    def clip(self) -> None:
        """Keeps weights within what quantisation can hold."""
        self.flat.clamp_(-MAX_WEIGHT, MAX_WEIGHT)

    def inputs(self, features: Tensor, dtype: torch.dtype) -> Tensor:
        """Features [n, 2, 32] as zeros and ones [2n, features]. The memory is used again by the next call."""
        rows, width = 2 * len(features), self.arch.features
        if (rows, dtype) not in self.one_hots:
            self.one_hots[rows, dtype] = torch.empty((rows, width + ALIGNMENT), dtype=dtype, device=self.device)
        one_hots = self.one_hots[rows, dtype].zero_()
        # Free places point to the first column behind the features.
        one_hots.scatter_(1, features.view(rows, MAX_PIECES).long(), 1)
        return one_hots[:, :width]

    def forward(
        self, features: Tensor, buckets: Tensor, rounded: bool = False, dtype: torch.dtype | None = None
    ) -> tuple[Tensor, Tensor]:
        """The outputs for the side to move, f32 [n], and what the L1 penalty is on, products [n, hidden].

        `features` [n, 2, 32] and `buckets` [n] are those of `records.Batch`.
        """
        dtype = dtype or self.dtype
        weights = self.weights | {"features": self.features()}
        if rounded:
            weights = straight_through(weights)
        return self.outputs(self.inputs(features, dtype), weights, buckets.long())

    def _hidden(self, inputs: Tensor, weights: dict[str, Tensor]) -> Tensor:
        dtype = inputs.dtype
        return torch.addmm(weights["biases"].to(dtype), inputs, weights["features"].to(dtype))

    def _outputs(self, inputs: Tensor, weights: dict[str, Tensor], buckets: Tensor) -> tuple[Tensor, Tensor]:
        clipped = F.hardtanh(self._hidden(inputs, weights), 0, 1)
        half = self.arch.hidden // 2
        products = (clipped[:, :half] * clipped[:, half:]).view(-1, self.arch.hidden)
        sums = F.linear(products, weights["second"].flatten(0, 1).to(products.dtype)).float()
        second = chosen(sums.view(-1, OUTPUT_BUCKETS, SECOND) + weights["second_biases"], buckets)
        both = F.hardtanh(torch.cat((second, second * second), 1), 0, 1)
        sums = F.linear(both, weights["third"].flatten(0, 1)).view(-1, OUTPUT_BUCKETS, THIRD)
        third = F.hardtanh(chosen(sums + weights["third_biases"], buckets), 0, 1).square()
        outputs = F.linear(third, weights["outputs"]) + weights["output_biases"]
        return chosen(outputs.unsqueeze(2), buckets).squeeze(1), products


def chosen(values: Tensor, buckets: Tensor) -> Tensor:
    """The values [n, m] of each position's own bucket, of those of all buckets [n, buckets, m]."""
    n, _, m = values.shape
    return values.gather(1, buckets.view(n, 1, 1).expand(n, 1, m)).squeeze(1)


def random_weights(arch: Architecture, seed: int) -> dict[str, Tensor]:
    """Weights to start from, uniform within the inverse square root of the number of inputs.

    The biases behind the hidden neurons are not below zero, where a neuron would stay out of use.
    """
    generator = torch.Generator().manual_seed(seed & (1 << 63) - 1)
    inputs = {"features": INPUTS, "biases": INPUTS, "second": arch.hidden, "second_biases": arch.hidden}
    inputs |= {"third": 2 * SECOND, "third_biases": 2 * SECOND, "outputs": THIRD, "output_biases": THIRD}
    weights = {}
    for name, shape in arch.sections().items():
        weight = 2 * torch.rand(shape, generator=generator) - 1
        if name == "features":
            # Each king bucket begins as a copy, so that what one learns is not noise to the others.
            weight = weight[:INPUTS].repeat(arch.king_bucket_count, 1)
        if name in ("second_biases", "third_biases"):
            weight = weight.abs()
        weights[name] = weight * inputs[name] ** -0.5
    return weights


def rounded_weights(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Weights as the network holds them, by section: `Parameters::round_into` in Rust."""

    def at(weight: Tensor, unit: Tensor | float, limit: int) -> Tensor:
        return (weight * unit).round().clamp(-limit, limit) / unit

    largest = weights["second"].abs().amax((1, 2), keepdim=True)
    units = QB * 2.0 ** torch.arange(MAX_SECOND_SHIFT + 1, device=largest.device)
    # As fine as the largest weight of the bucket allows; without a shift, weights beyond the bounds are clipped.
    fits = ((largest * units + 0.5).floor() <= MAX_SECOND_WEIGHT).sum(2, keepdim=True)
    unit = QB * 2.0 ** (fits - 1).clamp(min=0)
    return weights | {
        "features": at(weights["features"], QA, MAX_HIDDEN_WEIGHT),
        "biases": at(weights["biases"], QA, MAX_HIDDEN_WEIGHT),
        "second": at(weights["second"], unit, MAX_SECOND_WEIGHT),
    }


def straight_through(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Rounded weights whose gradients move the exact ones: the straight-through estimator of Bengio et al. (2013)."""
    with torch.no_grad():
        rounded = rounded_weights(weights)
    return {name: weights[name] + (rounded[name] - weights[name].detach()) for name in rounded}


class Frozen:
    """Training one output bucket alone, with the pairs of neurons that no other uses: `train/src/training/frozen.rs`."""

    def __init__(self, model: Model, bucket: int) -> None:
        """Of a model without a factoriser; all other weights are kept."""
        second = model.weights["second"].detach().view(OUTPUT_BUCKETS, 2 * SECOND, model.arch.hidden // 2)
        others = torch.arange(OUTPUT_BUCKETS, device=model.device) != bucket
        used = (second[others] != 0).any(0).any(0).repeat(2)
        self.kept = model.flat.detach().clone()
        self.mask = torch.zeros_like(self.kept, dtype=torch.bool)
        for name, place in model.places.items():
            shape = model.weights[name].shape
            of_features = name in ("features", "biases")
            frozen = used if of_features else others.view(-1, *(1,) * (len(shape) - 1))
            self.mask[place] = frozen.expand(shape).flatten()

    @torch.no_grad()
    def restore(self, model: Model) -> None:
        """Takes back what a step has changed of the frozen weights."""
        torch.where(self.mask, self.kept, model.flat, out=model.flat)
