"""The commands `train` and `resume`: as those of `trainer`, with the options of this one."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import torch
import torch.distributed as dist

from . import InputError
from .arch import KING_BUCKETS, Architecture
from .recipe import Recipe
from .train import Ranks, Training, check_unused, resume


def arguments() -> argparse.ArgumentParser:
    """What the program understands."""
    usual = Recipe()
    parser = argparse.ArgumentParser("vancura_torch", description="Trains Vancura's network with PyTorch.")
    commands = parser.add_subparsers(dest="command", required=True)

    data = argparse.ArgumentParser(add_help=False)
    data.add_argument("run", type=Path, help="the folder of the training")
    data.add_argument("--train", type=Path, required=True, help="the file of training records")
    data.add_argument("--validation", type=Path, required=True, help="the file of validation records")
    data.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto", help="where to train")
    data.add_argument("--compile", action="store_true", help="let torch.compile fuse operations")
    data.add_argument("--record-step", action="store_true", help="on CUDA, record a step once and let the device repeat it")
    commands.add_parser("resume", parents=[data], help="go on with a training that was interrupted")

    train = commands.add_parser("train", parents=[data], help="train a network from records")
    train.add_argument("--from", type=Path, dest="start", help="a checkpoint or network with the initial weights")
    train.add_argument("--superbatches", type=int, default=usual.superbatches)
    train.add_argument("--batches", type=int, default=usual.batches, help="batches in a superbatch")
    train.add_argument("--batch-size", type=int, default=usual.batch_size, help="positions in a batch")
    train.add_argument("--lr-start", type=float, default=usual.learning_rate_start, help="the first learning rate")
    train.add_argument("--lr-end", type=float, default=usual.learning_rate_end, help="the last learning rate")
    train.add_argument("--warm-up", type=int, default=usual.warm_up, help="batches of linear warm-up")
    train.add_argument("--wdl-start", type=float, default=usual.wdl_start, help="the result's share at the start")
    train.add_argument("--wdl-end", type=float, help="the same at the end; as at the start if not given")
    train.add_argument("--weight-decay", type=float, default=usual.weight_decay)
    train.add_argument("--reorder", action="store_true", help="draw another order of all records for each epoch")
    train.add_argument("--only-bucket", type=int, help="the one output bucket that learns")
    train.add_argument("--rounded", action="store_true", help="train the weights as rounded to integers")
    train.add_argument("--seed", type=int, default=usual.seed, help="of the random weights and orders")
    train.add_argument("--hidden", type=int, default=Architecture().hidden, help="hidden neurons of a perspective")
    train.add_argument("--king-buckets", default="1", help="1, 4, 8, or the buckets of a1 to d1, a2 to d2 ... with commas")
    train.add_argument("--no-factoriser", action="store_true", help="king buckets that share no rows")
    train.add_argument(
        "--l1-penalty", type=float, default=usual.l1_penalty, help="weight of the mean product of neurons in the loss"
    )
    train.add_argument("--precision", choices=("fp32", "tf32", "bf16"), help="bf16 on CUDA, fp32 elsewhere if not given")
    return parser


def king_buckets(text: str) -> tuple[int, ...]:
    """The table of king buckets that an argument names."""
    try:
        table = KING_BUCKETS[int(text)] if "," not in text else tuple(int(bucket) for bucket in text.split(","))
    except (ValueError, KeyError) as error:
        raise InputError(f"--king-buckets {text}: one of {sorted(KING_BUCKETS)}, or a table") from error
    if len(table) != 32 or set(table) != set(range(max(table) + 1)):
        raise InputError("--king-buckets: not 32 numbers in which each from 0 to the largest occurs")
    return table


def recipe_of(options: argparse.Namespace, arch: Architecture, device: torch.device) -> Recipe:
    """The recipe that the arguments ask for."""
    return Recipe(
        seed=options.seed,
        batch_size=options.batch_size,
        batches=options.batches,
        superbatches=options.superbatches,
        learning_rate_start=options.lr_start,
        learning_rate_end=options.lr_end,
        warm_up=options.warm_up,
        wdl_start=options.wdl_start,
        wdl_end=options.wdl_start if options.wdl_end is None else options.wdl_end,
        weight_decay=options.weight_decay,
        reorder=options.reorder,
        only_bucket=options.only_bucket,
        rounded=options.rounded,
        l1_penalty=options.l1_penalty,
        factoriser=arch.king_bucket_count > 1 and not options.no_factoriser,
        precision=options.precision or ("bf16" if device.type == "cuda" else "fp32"),
    )


def follow(options: argparse.Namespace) -> None:
    """Does what the arguments ask for."""
    ranks, device = Ranks.join(options.device)
    if options.command == "resume":
        training = resume(options.run, options.train, options.validation, device, ranks)
    else:
        check_unused(options.run)
        if not 32 <= options.hidden <= 16_384 or options.hidden % 32 != 0:
            raise InputError(f"--hidden {options.hidden}: not a multiple of 32 up to 16384")
        arch = Architecture(options.hidden, king_buckets(options.king_buckets))
        recipe = recipe_of(options, arch, device)
        training = Training(recipe, arch, options.train, options.validation, device, ranks)
        training.begin(options.start)
    if options.record_step:
        if device.type != "cuda" or ranks.count > 1:
            raise InputError("--record-step needs CUDA and a single process")
        training.is_recording = True
    if options.compile:
        training.model.outputs = torch.compile(training.model.outputs)
    if ranks.rank == 0:
        where = "decoded" if training.positions.is_decoded else "as records"
        print(f"{training.arch}; {training.positions.count} positions {where} on {device}, {ranks.count} processes")
        print(training.recipe, flush=True)
    training.run(options.run)


def main(line: list[str] | None = None) -> int:
    """Runs the command of the command line, or of another one; the exit status is 0, or 1 after an error."""
    options = arguments().parse_args(line)
    try:
        follow(options)
    except (InputError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except (RuntimeError, MemoryError) as error:
        # PyTorch has a class of its own for lack of memory on CUDA devices alone.
        if not isinstance(error, (torch.OutOfMemoryError, MemoryError)) and "alloc" not in str(error):
            raise
        print(f"error: not enough memory: {str(error).splitlines()[0]}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted: `resume` continues from the last superbatch", file=sys.stderr)
        return 130
    finally:
        if dist.is_available() and dist.is_initialized():
            dist.destroy_process_group()
    return 0


if __name__ == "__main__":
    sys.exit(main())
