"""The network in PyTorch: its weights, its output, its optimizer's limits."""

from __future__ import annotations

from math import prod
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .arch import (
    HEAD,
    INPUTS,
    MAX_HIDDEN_WEIGHT,
    MAX_OUTPUT_SHIFT,
    MAX_OUTPUT_WEIGHT,
    MAX_WEIGHT,
    OUTPUT_BUCKETS,
    QA,
    QB,
    Architecture,
)
from .records import MAX_PIECES

#: Matrix products are fast where sides are multiples of this.
ALIGNMENT = 16


class SquaredClippedLinear(torch.autograd.Function):
    """Neurons [n, m], clipped to 0..1 and squared, times weights [b, m]: sums [n, b].

    Written out because most of the time goes into reading and writing neurons: this way they are touched least. As in the
    Rust trainer the slope is 0 from 1 on.
    """

    @staticmethod
    def forward(ctx: Any, neurons: Tensor, weights: Tensor) -> Tensor:
        clipped = neurons.clamp(0, 1)
        squares = clipped * clipped
        ctx.save_for_backward(clipped, squares, weights)
        return F.linear(squares, weights)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor]:
        clipped, squares, weights = ctx.saved_tensors
        # The slope of the square is twice the neuron: the factor of 2 goes where there are few numbers.
        by_squares = (gradient + gradient) @ weights
        by_neurons = torch.ops.aten.hardtanh_backward(by_squares, clipped, 0, 1).mul_(clipped)
        return by_neurons, gradient.t() @ squares


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
        #: The outputs of all output buckets from the inputs; `torch.compile` may replace it.
        self.outputs = self._head_outputs if arch.head else self._plain_outputs

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
    ) -> tuple[Tensor, Tensor | None]:
        """The outputs for the side to move, f32 [n], and with a head what the L1 penalty is on, products [n, hidden].

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

    def _plain_outputs(self, inputs: Tensor, weights: dict[str, Tensor], buckets: Tensor) -> tuple[Tensor, None]:
        neurons = self._hidden(inputs, weights).view(-1, 2 * self.arch.hidden)
        # A whole multiple of rows; those behind the buckets are never chosen.
        padding = -OUTPUT_BUCKETS % ALIGNMENT
        rows = F.pad(weights["outputs"], (0, 0, 0, padding)).to(neurons.dtype)
        outputs = SquaredClippedLinear.apply(neurons, rows).float() + F.pad(weights["output_biases"], (0, padding))
        return chosen(outputs.unsqueeze(2), buckets).squeeze(1), None

    def _head_outputs(self, inputs: Tensor, weights: dict[str, Tensor], buckets: Tensor) -> tuple[Tensor, Tensor]:
        clipped = F.hardtanh(self._hidden(inputs, weights), 0, 1)
        half = self.arch.hidden // 2
        active = (clipped[:, :half] * clipped[:, half:]).view(-1, self.arch.hidden)
        second, third = HEAD
        sums = F.linear(active, weights["l1"].flatten(0, 1).to(active.dtype)).float()
        sums = sums.view(-1, OUTPUT_BUCKETS, second) + weights["l1_biases"]
        own = chosen(sums, buckets)
        both = F.hardtanh(torch.cat((own, own * own), 1), 0, 1)
        sums = F.linear(both, weights["l2"].flatten(0, 1)).view(-1, OUTPUT_BUCKETS, third) + weights["l2_biases"]
        last = F.hardtanh(chosen(sums, buckets), 0, 1).square()
        outputs = F.linear(last, weights["outputs"]) + weights["output_biases"]
        return chosen(outputs.unsqueeze(2), buckets).squeeze(1), active


def chosen(values: Tensor, buckets: Tensor) -> Tensor:
    """The values [n, m] of each position's own bucket, of those of all buckets [n, buckets, m]."""
    n, _, m = values.shape
    return values.gather(1, buckets.view(n, 1, 1).expand(n, 1, m)).squeeze(1)


def random_weights(arch: Architecture, seed: int) -> dict[str, Tensor]:
    """Weights to start from, uniform within the inverse square root of the number of inputs."""
    generator = torch.Generator().manual_seed(seed & (1 << 63) - 1)
    second, third = HEAD
    inputs = {"features": INPUTS, "biases": INPUTS, "outputs": 2 * arch.hidden, "output_biases": 2 * arch.hidden}
    if arch.head:
        inputs |= {"l1": arch.hidden, "l1_biases": arch.hidden, "l2": 2 * second, "l2_biases": 2 * second}
        inputs |= {"outputs": third, "output_biases": third}
    weights = {}
    for name, shape in arch.sections().items():
        weight = 2 * torch.rand(shape, generator=generator) - 1
        if name == "features":
            # Each king bucket begins as a copy, so that what one learns is not noise to the others.
            weight = weight[:INPUTS].repeat(arch.king_bucket_count, 1)
        weights[name] = weight * inputs[name] ** -0.5
    return weights


def rounded_weights(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Weights of a network with one output as its integers hold them, by section: `Parameters::round_into` in Rust."""

    def at(weight: Tensor, unit: Tensor | float, limit: int) -> Tensor:
        return (weight * unit).round().clamp(-limit, limit) / unit

    largest = weights["outputs"].abs().amax(1, keepdim=True)
    units = QB * 2.0 ** torch.arange(MAX_OUTPUT_SHIFT + 1, device=largest.device)
    # As fine as the largest weight of the bucket allows; without a shift, weights beyond the bounds are clipped.
    fits = ((largest * units + 0.5).floor() <= MAX_OUTPUT_WEIGHT).sum(1, keepdim=True)
    unit = QB * 2.0 ** (fits - 1).clamp(min=0)
    return {
        "features": at(weights["features"], QA, MAX_HIDDEN_WEIGHT),
        "biases": at(weights["biases"], QA, MAX_HIDDEN_WEIGHT),
        "outputs": at(weights["outputs"], unit, MAX_OUTPUT_WEIGHT),
        "output_biases": at(weights["output_biases"], QA * QB, (1 << 15) - 1),
    }


def straight_through(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Rounded weights whose gradients move the exact ones: the straight-through estimator of Bengio et al. (2013)."""
    with torch.no_grad():
        rounded = rounded_weights(weights)
    return {name: weights[name] + (rounded[name] - weights[name].detach()) for name in rounded}


class Frozen:
    """Training one output bucket alone, with the hidden neurons that no other uses: `train/src/training/frozen.rs`."""

    def __init__(self, model: Model, bucket: int) -> None:
        """Of a model with one output and one king bucket or several; all other weights are kept."""
        outputs = model.weights["outputs"].detach().view(OUTPUT_BUCKETS, 2, model.arch.hidden)
        others = torch.arange(OUTPUT_BUCKETS, device=model.device) != bucket
        used = (outputs[others] != 0).any(0).any(0)
        self.kept = model.flat.detach().clone()
        self.mask = torch.zeros_like(self.kept, dtype=torch.bool)
        for name, place in model.places.items():
            by_bucket = name.startswith("output")
            shape = model.weights[name].shape
            frozen = others.view(-1, *(1,) * (len(shape) - 1)) if by_bucket else used
            self.mask[place] = frozen.expand(shape).flatten()

    @torch.no_grad()
    def restore(self, model: Model) -> None:
        """Takes back what a step has changed of the frozen weights."""
        torch.where(self.mask, self.kept, model.flat, out=model.flat)
