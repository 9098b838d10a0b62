"""The network and its weights."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="needs PyTorch")

from vancura_torch import InputError  # noqa: E402
from vancura_torch import arch as constants
from vancura_torch.arch import INPUTS, KING_BUCKETS, MAX_WEIGHT, OUTPUT_BUCKETS, Architecture  # noqa: E402
from vancura_torch.checkpoint import checksum, grow  # noqa: E402
from vancura_torch.model import Model, random_weights, rounded_weights  # noqa: E402

CPU = torch.device("cpu")
ARCHITECTURES = [Architecture(hidden, KING_BUCKETS[buckets]) for hidden in (32, 96) for buckets in (1, 4)]


def model_of(arch: Architecture, factoriser: bool = False, scale: float = 4.0) -> Model:
    """A model with weights large enough that some neurons are clipped on either side."""
    model = Model(arch, CPU, factoriser, "fp32")
    model.load({name: weight * scale for name, weight in random_weights(arch, 3).items()})
    return model


def positions(arch: Architecture, count: int = 60) -> tuple[torch.Tensor, torch.Tensor]:
    """Features [count, 2, 32] and output buckets [count], at random; each with 20 pieces."""
    generator = torch.Generator().manual_seed(5)
    features = torch.full((count, 2, 32), arch.features)
    for position in range(count):
        for side in (0, 1):
            drawn = torch.randperm(INPUTS, generator=generator)[:20]
            bucket = torch.randint(arch.king_bucket_count, (1,), generator=generator)
            features[position, side, :20] = drawn + bucket * INPUTS
    return features.short(), torch.arange(count) % OUTPUT_BUCKETS


def slow_outputs(
    weights: dict[str, torch.Tensor], arch: Architecture, features: torch.Tensor, buckets: torch.Tensor
) -> list:
    """The outputs by the definition, one position after another, in double precision."""
    weights = {name: weight.double() for name, weight in weights.items()}
    outputs = []
    for views, bucket in zip(features.long(), buckets, strict=True):
        sides = [weights["biases"] + weights["features"][view[view < arch.features]].sum(0) for view in views]
        half = arch.hidden // 2
        neurons = [side.clamp(0, 1) for side in sides]
        products = torch.cat([side[:half] * side[half:] for side in neurons])
        second = weights["second"][bucket] @ products + weights["second_biases"][bucket]
        both = torch.cat((second.clamp(0, 1), (second * second).clamp(0, 1)))
        last = (weights["third"][bucket] @ both + weights["third_biases"][bucket]).clamp(0, 1) ** 2
        outputs.append((weights["outputs"][bucket] @ last + weights["output_biases"][bucket]).item())
    return outputs


@pytest.mark.parametrize("arch", ARCHITECTURES, ids=str)
@pytest.mark.parametrize("factoriser", [False, True])
def test_outputs_are_as_defined(arch: Architecture, factoriser: bool) -> None:
    model = model_of(arch, factoriser)
    features, buckets = positions(arch)
    found, _ = model.forward(features, buckets)
    assert found.tolist() == pytest.approx(slow_outputs(model.export(), arch, features, buckets), abs=1e-5)
    assert found.std() > 0.01


@pytest.mark.parametrize("arch", ARCHITECTURES, ids=str)
def test_gradients_are_slopes(arch: Architecture) -> None:
    model = model_of(arch)
    features, buckets = positions(arch)
    model.forward(features, buckets)[0].square().sum().backward()
    gradient = model.flat.grad.clone()

    def loss() -> float:
        outputs = slow_outputs(model.export(), arch, features, buckets)
        return sum(output * output for output in outputs)

    nonzero = 0
    for name, place in model.places.items():
        # The largest ones: of the others rounding leaves little.
        at = place.start + int(gradient[place].abs().argmax())
        with torch.no_grad():
            step = 2.0**-12
            model.flat[at] += step
            above = loss()
            model.flat[at] -= 2 * step
            below = loss()
            model.flat[at] += step
        assert gradient[at].item() == pytest.approx((above - below) / (2 * step), rel=0.02), name
        nonzero += gradient[at].item() != 0
    assert nonzero == len(model.places)


def test_half_precision_is_close() -> None:
    for arch in ARCHITECTURES:
        model = model_of(arch)
        features, buckets = positions(arch)
        exact, coarse = (model.forward(features, buckets, dtype=dtype)[0] for dtype in (torch.float32, torch.bfloat16))
        assert (exact - coarse).abs().max() < 0.03 * exact.abs().max()


def test_the_gradient_of_a_shared_row_is_the_sum_of_its_copies() -> None:
    arch = Architecture(32, KING_BUCKETS[4])
    model = model_of(arch, factoriser=True, scale=1.0)
    features, buckets = positions(arch)
    model.forward(features, buckets)[0].sum().backward()
    own = model.weights["features"].grad.view(4, INPUTS, 32)
    assert own.abs().sum() > 0
    assert torch.allclose(model.weights["shared"].grad, own.sum(0), atol=1e-6)


def test_a_grown_network_says_what_the_small_one_said() -> None:
    small, large = Architecture(32), Architecture(64, KING_BUCKETS[8])
    weights = random_weights(small, 1)
    grown = grow(Path("small"), small, weights, large, random_weights(large, 2))
    features, buckets = positions(large)
    model = Model(small, CPU, False, "fp32")
    model.load(weights)
    free = features == large.features
    expected = model.forward(torch.where(free, INPUTS, features % INPUTS), buckets)[0]
    for factoriser in (False, True):
        model = Model(large, CPU, factoriser, "fp32")
        model.load(grown)
        assert torch.allclose(model.forward(features, buckets)[0], expected, atol=1e-6)
    assert expected.std() > 0.001
    # New neurons can learn: their inputs are not all 0.
    assert grown["features"][:, 16:32].abs().min(1).values.max() > 0
    for other in (Architecture(32, KING_BUCKETS[4]), Architecture(96)):
        with pytest.raises(InputError, match="small: .* does not fit into"):
            grow(Path("small"), other, random_weights(other, 1), large, random_weights(large, 2))


def test_sums_with_shared_rows_stay_within_bounds() -> None:
    arch = Architecture(32, KING_BUCKETS[4])
    model = model_of(arch, factoriser=True)
    with torch.no_grad():
        model.flat.fill_(5.0)
    model.clip()
    assert model.flat.max().item() == pytest.approx(MAX_WEIGHT)
    assert model.export()["features"].max().item() == pytest.approx(MAX_WEIGHT)


def test_weights_are_rounded_as_fine_as_the_largest_allows() -> None:
    weights = {name: torch.zeros(shape) for name, shape in Architecture(32).sections().items()}
    weights["features"][0, 0], weights["output_biases"][1] = 1.0 / 255 * 0.6, 0.3 / (255 * 64)
    # As in the test of the Rust trainer: the largest weight of each bucket, and the units of 1.
    largest = [1.98, -1.0, 0.99, 0.94, -0.17, 0.031, 0.03, 0.0, 0.5]
    weights["second"][:, 5, 3] = torch.tensor(largest)
    found = rounded_weights(weights)
    units = [64 * 2**shift for shift in (0, 0, 1, 1, 3, 6, 6, 6, 1)]
    expected = [value / unit for value, unit in zip([127, -64, 127, 120, -87, 127, 123, 0, 64], units, strict=True)]
    assert found["second"][:, 5, 3].tolist() == pytest.approx(expected)
    assert found["features"][0, 0].item() == pytest.approx(1 / 255)
    assert torch.equal(found["output_biases"], weights["output_biases"])


def test_checksums_are_those_of_the_hash() -> None:
    for length in (0, 1, 7, 300, (1 << 20) + 5):
        data = bytes((index * index * 31 + length) >> 3 & 0xFF for index in range(length))
        hashed = 0xCBF2_9CE4_8422_2325
        for byte in data:
            hashed = (hashed ^ byte) * 0x0000_0100_0000_01B3 % (1 << 64)
        assert checksum(data) == hashed


def test_constants_are_those_of_the_engine() -> None:
    source = (Path(__file__).parents[3] / "eval" / "src" / "arch.rs").read_text()
    for name in ("INPUTS", "OUTPUT_BUCKETS", "SCALE", "QA", "QB", "MAX_SECOND_SHIFT", "MAX_WEIGHT", "SECOND", "THIRD"):
        (value,) = re.findall(rf"const {name}: \w+ = ([\d.]+);", source)
        assert float(value) == getattr(constants, name), name
    for name in ("MAX_HIDDEN_WEIGHT", "MAX_SECOND_WEIGHT"):
        (value,) = re.findall(rf"const {name}: \w+ = (\d+);", source)
        assert int(value) == getattr(constants, name), name
