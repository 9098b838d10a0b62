"""Following a recipe from weights to a checkpoint, on one device or several."""

from __future__ import annotations

import io
import math
import os
import pickle
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor

from . import InputError
from .arch import Architecture
from .checkpoint import Checkpoint, grow, load_weights, split, write_aside
from .model import Frozen, Model, random_weights
from .recipe import Recipe
from .records import Batch, Order, Positions, RecordFile

#: Names in the folder of a training.
CHECKPOINT_NAME, STATE_NAME, LOSSES_NAME = "checkpoint", "state.pt", "loss.csv"
#: As in the Rust trainer: the most validation positions used.
MAX_VALIDATION = 2_000_000
#: Validation positions worked at a time.
VALIDATION_BATCH = 16_384
COLUMNS = ("superbatch", "positions", "learning_rate", "wdl", "train_loss", "validation_loss", "score_loss", "result_loss")


@dataclass(frozen=True)
class Ranks:
    """This process among those that work on the same training, as `torchrun` starts them."""

    rank: int = 0
    count: int = 1

    @classmethod
    def join(cls, device: str) -> tuple[Ranks, torch.device]:
        """Meets the other processes, if there are any; also returns the device of this one: `auto`, `cpu` or `cuda`."""
        has_cuda = torch.cuda.is_available()
        if device == "cuda" and not has_cuda:
            raise InputError("PyTorch finds no CUDA device: use --device cpu")
        chosen = torch.device("cuda" if has_cuda and device != "cpu" else "cpu")
        if chosen.type == "cuda":
            chosen = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
            if chosen.index >= torch.cuda.device_count():
                raise InputError(f"{torch.cuda.device_count()} CUDA devices for more processes: start fewer")
            torch.cuda.set_device(chosen)
        if "WORLD_SIZE" not in os.environ:
            return cls(), chosen
        dist.init_process_group("nccl" if chosen.type == "cuda" else "gloo")
        return cls(dist.get_rank(), dist.get_world_size()), chosen

    def sum(self, values: Tensor) -> None:
        """Adds up the values of all processes, in place."""
        if self.count > 1:
            dist.all_reduce(values)

    def share(self, start: int, count: int) -> tuple[int, int]:
        """Where this process's part of a batch begins, and how many positions it has."""
        first, last = (count * rank // self.count for rank in (self.rank, self.rank + 1))
        return start + first, last - first


class Training:
    """A training in progress."""

    def __init__(
        self, recipe: Recipe, arch: Architecture, train: Path, validation: Path, device: torch.device, ranks: Ranks
    ) -> None:
        """Reads the data; the weights are still to be set. Raises `InputError` if something cannot be used."""
        recipe.check()
        if recipe.only_bucket is not None and recipe.factoriser:
            raise InputError("--only-bucket trains king buckets without a factoriser: give --no-factoriser")
        torch.set_float32_matmul_precision("high" if recipe.precision == "tf32" else "highest")
        self.recipe, self.arch, self.device, self.ranks = recipe, arch, device, ranks
        files = RecordFile.open(train), RecordFile.open(validation)
        self.data = {"count": files[0].count, "fingerprint": files[0].fingerprint}
        self.validation = Positions(files[1], arch, device, most=MAX_VALIDATION, decoded=False)
        self.positions = Positions(files[0], arch, device)
        self.order = Order(files[0].count, device, recipe.seed if recipe.reorder else None)
        self.model = Model(arch, device, recipe.factoriser, recipe.precision)
        # What changes from step to step lies on the device, where a recorded step finds it.
        self.rate, self.wdl = torch.zeros((), device=device), torch.zeros((), device=device)
        on_cuda, flat = device.type == "cuda", self.model.flat
        self.optimizer = torch.optim.AdamW(
            [flat], lr=self.rate, weight_decay=recipe.weight_decay, fused=True, capturable=on_cuda
        )
        self.set_moments(0, torch.zeros_like(flat.detach()), torch.zeros_like(flat.detach()))
        self.step, self.history = 0, []
        self.frozen: Frozen | None = None
        #: Whether to record a step, after how many others, and the recorded one.
        self.is_recording, self.before_recording = False, 3
        self.recorded: RecordedStep | None = None

    def set_moments(self, step: int, first: Tensor, second: Tensor) -> None:
        """Sets the means of the gradients and of their squares after so many steps, each like the weights."""
        counted = torch.tensor(float(step), device=self.device)
        self.optimizer.state[self.model.flat] = {"step": counted, "exp_avg": first, "exp_avg_sq": second}

    def moments(self) -> list[Tensor]:
        """The means of the gradients and of their squares, each like the weights."""
        return [self.optimizer.state[self.model.flat][name] for name in ("exp_avg", "exp_avg_sq")]

    def begin(self, start: Path | None) -> None:
        """Sets the weights to those of a checkpoint or network, or to random ones."""
        fresh = random_weights(self.arch, self.recipe.seed)
        self.model.load(grow(start, *load_weights(start), self.arch, fresh) if start else fresh)
        self.freeze()

    def freeze(self) -> None:
        """Keeps the weights as they are now, but for those of the one output bucket that the recipe may name."""
        if self.recipe.only_bucket is not None:
            self.frozen = Frozen(self.model, self.recipe.only_bucket)

    def batch(self) -> Tensor:
        """Learns from one batch; returns this process's sum of squared errors, without waiting for it."""
        recipe, step = self.recipe, self.step
        self.rate.fill_(recipe.learning_rate(step))
        self.wdl.fill_(recipe.wdl(step))
        batch = self.positions.batch(self.order.indices(*self.ranks.share(step * recipe.batch_size, recipe.batch_size)))
        if self.is_recording and self.recorded is None:
            self.before_recording -= 1
            if self.before_recording < 0:
                self.recorded = RecordedStep(self, batch)
        squares = self.learn(batch) if self.recorded is None else self.recorded.repeat(batch)
        self.step += 1
        return squares

    def learn(self, batch: Batch) -> Tensor:
        """Makes a step with what this process has of a batch; returns the sum of its squared errors."""
        recipe = self.recipe
        outputs, products = self.model.forward(batch.features, batch.buckets, recipe.rounded)
        squares = (torch.sigmoid(outputs) - batch.targets(self.wdl)).square().sum()
        loss = squares
        if recipe.l1_penalty > 0:
            loss = loss + recipe.l1_penalty * len(outputs) * products.mean(dtype=torch.float32)
        self.model.flat.grad.zero_()
        (loss / recipe.batch_size).backward()
        self.ranks.sum(self.model.flat.grad)
        self.optimizer.step()
        self.model.clip()
        if self.frozen is not None:
            self.frozen.restore(self.model)
        return squares.detach()

    def superbatch(self) -> dict[str, Any]:
        """Works one superbatch; returns its losses. Raises `InputError` if they are no numbers any more."""
        recipe = self.recipe
        loss = torch.zeros((), dtype=torch.float64, device=self.device)
        for _ in range(recipe.batches):
            loss += self.batch()
        self.ranks.sum(loss)
        last = self.step - 1
        target, score, result = self.losses(recipe.wdl_end)
        entry = {
            "superbatch": self.step // recipe.batches,
            "positions": self.step * recipe.batch_size,
            "learning_rate": recipe.learning_rate(last),
            "wdl": recipe.wdl(last),
            "train_loss": loss.item() / (recipe.batches * recipe.batch_size),
            "validation_loss": target,
            "score_loss": score,
            "result_loss": result,
        }
        if not (math.isfinite(entry["train_loss"]) and math.isfinite(target)):
            raise InputError(f"the loss of superbatch {entry['superbatch']} is not finite: lower the learning rate")
        self.history.append(entry)
        return entry

    @torch.no_grad()
    def losses(self, wdl: float) -> list[float]:
        """Mean squared errors on the validation positions, in f32: against the target, the score and the result."""
        sums = torch.zeros(3, dtype=torch.float64, device=self.device)
        for batch, outputs in self.outputs():
            chances = torch.sigmoid(outputs)
            sums += torch.stack([(chances - batch.targets(share)).square().sum() for share in (wdl, 0, 1)])
        return (sums / self.validation.count).tolist()

    @torch.no_grad()
    def outputs(self) -> Iterator[tuple[Batch, Tensor]]:
        """The validation positions in batches, with the network's outputs [n] in f32."""
        for start in range(0, self.validation.count, VALIDATION_BATCH):
            stop = min(start + VALIDATION_BATCH, self.validation.count)
            batch = self.validation.batch(torch.arange(start, stop, device=self.device))
            yield batch, self.model.forward(batch.features, batch.buckets, dtype=torch.float32)[0]

    def checkpoint(self) -> Checkpoint:
        """The training as a checkpoint; of a factoriser only the sums of the rows are left in it."""
        # Those of shared rows come last and are cut off.
        first, second = (split(moment, self.arch) for moment in self.moments())
        header = {"recipe": self.recipe.to_json(), "data": self.data, "step": self.step, "history": self.history}
        return Checkpoint(self.arch, header, self.model.export(), (first, second))

    def save(self, folder: Path) -> None:
        """Writes the checkpoint, the losses, and last the state to go on from."""
        self.checkpoint().save(folder / CHECKPOINT_NAME)
        write_aside(folder / LOSSES_NAME, losses_table(self.history).encode())
        state = {
            "recipe": self.recipe.to_json(),
            "architecture": [self.arch.hidden, list(self.arch.king_buckets)],
            "data": self.data,
            "step": self.step,
            "history": self.history,
            "flat": self.model.flat.detach(),
            "moments": self.moments(),
        }
        file = io.BytesIO()
        torch.save(state, file)
        write_aside(folder / STATE_NAME, file.getvalue())

    def run(self, folder: Path) -> None:
        """Follows the recipe to its end, and saves after each superbatch; the first process writes and tells."""
        folder.mkdir(parents=True, exist_ok=True)
        superbatches, positions = self.recipe.superbatches, self.recipe.batches * self.recipe.batch_size
        while self.step < self.recipe.steps:
            began = time.monotonic()
            entry = self.superbatch()
            rate = positions / (time.monotonic() - began) / 1e6
            if self.ranks.rank == 0:
                self.save(folder)
                print(
                    f"superbatch {entry['superbatch']}/{superbatches}  lr {entry['learning_rate']:.2e}"
                    f"  wdl {entry['wdl']:.2f}  loss {entry['train_loss']:.6f}"
                    f"  validation {entry['validation_loss']:.6f}  {rate:.2f} M positions/s",
                    flush=True,
                )


class RecordedStep:
    """A step as a CUDA graph: the device repeats it without waiting for Python to ask for each operation."""

    def __init__(self, training: Training, batch: Batch) -> None:
        """Records a step for batches of this size; it makes none. A step must have been made before."""
        self.batch = Batch(*(part.clone() for part in batch))
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.squares = training.learn(self.batch)

    def repeat(self, batch: Batch) -> Tensor:
        """Makes the step with another batch; returns the sum of its squared errors, which the next call overwrites."""
        for own, part in zip(self.batch, batch, strict=True):
            own.copy_(part)
        self.graph.replay()
        return self.squares


def losses_table(history: list[dict[str, Any]]) -> str:
    """The losses as comma-separated values, as the Rust trainer writes them."""
    lines = [",".join(COLUMNS)]
    for entry in history:
        mantissa, exponent = f"{entry['learning_rate']:.3e}".split("e")
        losses = ("" if entry.get(name) is None else f"{entry[name]:.7f}" for name in COLUMNS[4:])
        start = (str(entry["superbatch"]), str(entry["positions"]), f"{mantissa}e{int(exponent)}", f"{entry['wdl']:.4f}")
        lines.append(",".join((*start, *losses)))
    return "\n".join(lines) + "\n"


def check_unused(folder: Path) -> None:
    """Raises `InputError` if a folder holds a training, which a new one would overwrite."""
    if any((folder / name).exists() for name in (CHECKPOINT_NAME, STATE_NAME)):
        raise InputError(f"{folder} holds a training already: resume it, or choose another folder")


def resume(folder: Path, train: Path, validation: Path, device: torch.device, ranks: Ranks) -> Training:
    """Goes on with a saved training; raises `InputError` if there is none or the data is other data."""
    path = folder / STATE_NAME
    try:
        state = torch.load(path, map_location=device, weights_only=True)
        recipe = Recipe.from_json(state["recipe"])
        hidden, king_buckets = state["architecture"]
        arch = Architecture(hidden, tuple(king_buckets))
        data, step, history = state["data"], state["step"], state["history"]
        numbers = [state["flat"], *state["moments"]]
    except FileNotFoundError as error:
        raise InputError(f"{folder} holds no training, or one without a finished superbatch: begin it again") from error
    except (OSError, RuntimeError, pickle.UnpicklingError, KeyError, TypeError, ValueError, EOFError) as error:
        raise InputError(f"{path}: not the state of a training, or damaged") from error
    training = Training(recipe, arch, train, validation, device, ranks)
    if training.data != data:
        raise InputError(f"{train}: not the data this training began with")
    flat = training.model.flat
    if len(numbers) != 3 or any(part.shape != flat.shape for part in numbers):
        raise InputError(f"{path}: not three times {flat.numel()} numbers: damaged")
    with torch.no_grad():
        flat.copy_(numbers[0])
    training.set_moments(step, numbers[1], numbers[2])
    training.step, training.history = step, history
    training.freeze()
    return training
