"""Whole trainings, beside those of the Rust trainer."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs PyTorch")

from vancura_torch.arch import KING_BUCKETS, Architecture  # noqa: E402
from vancura_torch.checkpoint import load_weights  # noqa: E402
from vancura_torch.model import Model  # noqa: E402
from vancura_torch.records import decode  # noqa: E402
from vancura_torch.train import Training  # noqa: E402

Trainer = Callable[..., str]
TorchTrainer = Callable[..., subprocess.CompletedProcess[str]]
SHORT = "--superbatches 2 --batches 8 --batch-size 64 --hidden 32 --lr-start 4e-3 --wdl-end 0.2"


def succeed(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done
    return done.stdout


def losses(folder: Path) -> list[list[float]]:
    lines = (folder / "loss.csv").read_text().splitlines()
    return [[float(cell) for cell in line.split(",")] for line in lines[1:]]


#: What both trainers are asked for, and how many lines of losses follow.
RECIPES = [
    ("--superbatches 4 --batches 50 --batch-size 128 --warm-up 10 --wdl-start 0.3 --wdl-end 0.2 --weight-decay 0.1", 4),
    ("--superbatches 1 --batches 12 --batch-size 128 --rounded", 1),
    ("--superbatches 1 --batches 12 --batch-size 128 --only-bucket 4", 1),
]


@pytest.mark.parametrize(("recipe", "lines"), RECIPES)
def test_losses_agree_with_those_of_the_rust_trainer(
    data: Path, trainer: Trainer, torch_trainer: TorchTrainer, tmp_path: Path, recipe: str, lines: int
) -> None:
    recipe += f" --from {data}/start/checkpoint --lr-start 2e-3 --lr-end 1e-4"
    files = f"--train {data}/train.records --validation {data}/validation.records"
    trainer("train", tmp_path / "rust", *f"{files} {recipe}".split())
    succeed(torch_trainer("train", tmp_path / "torch", recipe))
    expected, found = losses(tmp_path / "rust"), losses(tmp_path / "torch")
    assert len(expected) == len(found) == lines
    for ours, theirs in zip(found, expected, strict=True):
        assert ours == pytest.approx(theirs, rel=1e-4)
    # Something was learned at all, of which the comparison could tell the lack.
    assert lines == 1 or found[-1][4] < 0.7 * found[0][4]
    header = (tmp_path / "rust" / "loss.csv").read_text().splitlines()[0]
    assert (tmp_path / "torch" / "loss.csv").read_text().splitlines()[0] == header
    one, other = (load_weights(tmp_path / name / "checkpoint")[1] for name in ("rust", "torch"))
    # The optimizer makes whole steps of the smallest gradients, whose sign rounding may decide.
    for name, weights in one.items():
        assert ((weights - other[name]).abs() > 2e-3).float().mean() < 1e-3, name


def record_of(board: str) -> torch.Tensor:
    """The record [1, 32] of a position with White to move, the first field of a FEN."""
    record, pieces, rows = bytearray(32), [], board.split("/")[::-1]
    for rank, row in enumerate(rows):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
                continue
            pieces.append((8 * rank + file, "PNBRQKpnbrqk".index(letter)))
            file += 1
    record[:8] = sum(1 << square for square, _ in pieces).to_bytes(8, "little")
    for index, (square, kind) in enumerate(sorted(pieces)):
        record[8 + index // 2] |= (kind % 6 + (8 if kind > 5 else 0)) << 4 * (index % 2)
        if kind % 6 == 5:
            record[27 + kind // 6] = square ^ (56 if kind > 5 else 0)
    return torch.tensor(record, dtype=torch.uint8).view(1, 32)


BOARDS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1PN2/PP2BPPP/R1BQ1RK1",
    "8/5pk1/4p1p1/3pP2p/2pP3P/2P2PP1/4K3/8",
    "4k3/8/8/8/8/8/3Q4/4K3",
    "2kr3r/ppp2ppp/2n5/3qp3/8/2NP1N2/PPP2PPP/R2Q1RK1",
]


def test_a_checkpoint_becomes_a_network_that_says_the_same(
    data: Path, trainer: Trainer, torch_trainer: TorchTrainer, tmp_path: Path
) -> None:
    recipe = f"--from {data}/start/checkpoint --superbatches 1 --batches 20 --batch-size 256 --lr-start 4e-3 --lr-end 4e-3"
    succeed(torch_trainer("train", tmp_path / "run", recipe))
    network = tmp_path / "run.nnue"
    trainer("quantise", tmp_path / "run" / "checkpoint", network)
    said = trainer("evaluate", network, *(f"{board} w - - 0 1" for board in BOARDS))
    expected = [int(line.split()[0]) for line in said.splitlines()]
    arch, weights = load_weights(network)
    assert arch == Architecture()
    model = Model(arch, torch.device("cpu"), False, "fp32")
    for given, tolerance in ((weights, 6), (load_weights(tmp_path / "run" / "checkpoint")[1], 12)):
        model.load(given)
        batch = decode(torch.cat([record_of(board) for board in BOARDS]), arch)
        found = (400 * model.forward(batch.features, batch.buckets)[0]).tolist()
        assert found == pytest.approx(expected, abs=tolerance)
    assert max(expected) - min(expected) > 20, expected


def test_king_buckets_learn_and_are_not_for_this_engine(
    data: Path, trainer: Trainer, torch_trainer: TorchTrainer, tmp_path: Path
) -> None:
    recipe = "--superbatches 3 --batches 60 --batch-size 128 --lr-start 8e-3 --lr-end 1e-3 --warm-up 5 --reorder"
    for buckets in (4, 8):
        folder = tmp_path / str(buckets)
        succeed(torch_trainer("train", folder, f"{recipe} --hidden 64 --king-buckets {buckets}"))
        found = losses(folder)
        assert found[2][4] < 0.8 * found[0][4], (buckets, found)
        refused = trainer("quantise", folder / "checkpoint", tmp_path / "nnue", refused=True)
        assert "a network of another architecture" in refused and not (tmp_path / "nnue").exists()
        assert load_weights(folder / "checkpoint")[0] == Architecture(64, KING_BUCKETS[buckets])


def test_the_penalty_makes_products_smaller(data: Path, torch_trainer: TorchTrainer, tmp_path: Path) -> None:
    means = []
    batch = decode(torch.cat([record_of(board) for board in BOARDS]), Architecture(64))
    for penalty in (0, 1):
        folder = tmp_path / str(penalty)
        recipe = f"--superbatches 1 --batches 80 --batch-size 64 --lr-start 4e-3 --hidden 64 --l1-penalty {penalty}"
        succeed(torch_trainer("train", folder, recipe))
        arch, weights = load_weights(folder / "checkpoint")
        model = Model(arch, torch.device("cpu"), False, "fp32")
        model.load(weights)
        means.append(model.forward(batch.features, batch.buckets)[1].mean().item())
    assert means[1] < 0.5 * means[0], means


@pytest.mark.parametrize("options", ["--reorder", "--king-buckets 4 --reorder", "--l1-penalty 0.01"])
def test_resumed_training_gives_the_same_network(
    torch_trainer: TorchTrainer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: str
) -> None:
    succeed(torch_trainer("train", tmp_path / "straight", f"{SHORT} {options}"))
    superbatch = Training.superbatch

    def first(training: Training) -> dict[str, Any]:
        if training.step > 0:
            raise KeyboardInterrupt
        return superbatch(training)

    with monkeypatch.context() as context:
        context.setattr(Training, "superbatch", first)
        done = torch_trainer("train", tmp_path / "run", f"{SHORT} {options}")
    assert done.returncode == 130 and "resume" in done.stderr, done
    assert len(losses(tmp_path / "run")) == 1
    succeed(torch_trainer("resume", tmp_path / "run"))
    for name in ("checkpoint", "loss.csv"):
        assert (tmp_path / "run" / name).read_bytes() == (tmp_path / "straight" / name).read_bytes(), name


def test_the_rust_trainer_goes_on(data: Path, trainer: Trainer, torch_trainer: TorchTrainer, tmp_path: Path) -> None:
    recipe = f"--from {data}/start/checkpoint --superbatches 2 --batches 4 --batch-size 64"
    succeed(torch_trainer("train", tmp_path / "run", recipe))
    files = ["--train", data / "train.records", "--validation", data / "validation.records"]
    assert "quantised" in trainer("resume", tmp_path / "run", *files)
    assert list((tmp_path / "run").glob("vancura-*.nnue"))


def test_two_processes_give_the_loss_of_one(torch_trainer: TorchTrainer, tmp_path: Path) -> None:
    options = f"{SHORT} --batch-size 63 --reorder"
    succeed(torch_trainer("train", tmp_path / "one", options))
    launcher = "-m torch.distributed.run --standalone --nproc-per-node 2 -m vancura_torch"
    told = succeed(torch_trainer("train", tmp_path / "two", options, launcher=launcher))
    assert "2 processes" in told and told.count("superbatch 2/2") == 1
    for one, two in zip(losses(tmp_path / "one"), losses(tmp_path / "two"), strict=True):
        assert two == pytest.approx(one, rel=1e-5)


def test_bad_arguments_are_refused(data: Path, torch_trainer: TorchTrainer, tmp_path: Path) -> None:
    checkpoint = (data / "start" / "checkpoint").read_bytes()
    network = next((data / "start").glob("*.nnue")).read_bytes()
    damages = {
        "cut": (checkpoint[:-1], "corrupt checkpoint: its"),
        "flipped": (checkpoint[:9999] + bytes([checkpoint[9999] ^ 1]) + checkpoint[10000:], "corrupt checkpoint: its"),
        "header": (checkpoint[:10], "corrupt checkpoint"),
        "cut.nnue": (network[:-2], f"{len(network) - 2} bytes instead of {len(network)}"),
        "short.nnue": (network[:90], "truncated network: 90 bytes instead of 128"),
        "flipped.nnue": (network[:-1] + bytes([network[-1] ^ 1]), "corrupt network: its payload has checksum"),
        "future.nnue": (network[:8] + b"\x09" + network[9:], "network of format version 9"),
        "other.nnue": (network[:12] + b"\x01" + network[13:], "network of another architecture"),
        "foreign": (b"PK\x03\x04 something else", "neither a checkpoint nor a network"),
    }
    for name, (damaged, message) in damages.items():
        (tmp_path / name).write_bytes(damaged)
        done = torch_trainer("train", tmp_path / "run", f"{SHORT} --hidden 1024 --from {tmp_path / name}")
        assert done.returncode == 1 and done.stderr.startswith(f"error: {tmp_path / name}: "), done
        assert message in done.stderr and done.stderr.count("\n") == 1, done
    if not torch.cuda.is_available():
        assert "no CUDA device" in torch_trainer("train", tmp_path / "run", f"{SHORT} --device cuda").stderr
    for options, message in (
        ("--hidden 17", "--hidden 17: not a multiple of 32"),
        ("--king-buckets 3", "--king-buckets 3: one of [1, 4, 8]"),
        ("--king-buckets 1,2", "not 32 numbers"),
        ("--batch-size 0", "batch size is 0"),
        ("--wdl-start nan", "starting share of results is nan"),
        ("--only-bucket 9", "output bucket is 9, not from 0 to 8"),
    ):
        done = torch_trainer("train", tmp_path / "run", f"{SHORT} {options}")
        assert done.returncode == 1 and message in done.stderr and done.stderr.count("\n") == 1, done
    assert not (tmp_path / "run").exists()


def test_a_training_is_not_overwritten(data: Path, torch_trainer: TorchTrainer, tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert "holds no training" in torch_trainer("resume", run).stderr
    succeed(torch_trainer("train", run, SHORT))
    before = {path.name: path.read_bytes() for path in run.iterdir()}
    assert set(before) == {"checkpoint", "loss.csv", "state.pt"}
    assert "holds a training already" in torch_trainer("train", run, SHORT).stderr
    other = torch_trainer("resume", run, f"--train {data}/validation.records")
    assert "not the data this training began with" in other.stderr
    assert before == {path.name: path.read_bytes() for path in run.iterdir()}
    for length in (0, 10, len(before["state.pt"]) - 100):
        (run / "state.pt").write_bytes(before["state.pt"][:length])
        done = torch_trainer("resume", run)
        assert done.returncode == 1 and "state.pt: not the state of a training, or damaged" in done.stderr, done
