"""The files of weights: checkpoints as `trainer` reads and writes them, and networks to begin with.

Formats: `train/src/training/checkpoint.rs` and `eval/src/network/format.rs`.
"""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from . import InputError
from .arch import INPUTS, KING_BUCKETS, MAX_SECOND_SHIFT, OUTPUT_BUCKETS, QA, QB, SCALE, SECOND, THIRD, Architecture

CHECKPOINT_MAGIC = b"VANCTRN1"
NETWORK_MAGIC = b"VANCURA\0"
NETWORK_VERSION = 3
NETWORK_HEADER_LEN = 128
#: The number in a network's header that stands for products of pairs of hidden neurons.
PAIRWISE = 2
#: The most bytes read of a file that should hold weights.
MOST = 4 << 30

FNV_START, FNV_PRIME = 0xCBF2_9CE4_8422_2325, 0x0000_0100_0000_01B3
#: Bytes whose checksum is computed at a time.
BLOCK = 1 << 20


def checksum(data: bytes) -> int:
    """The 64-bit FNV-1a hash, for many bytes at a time.

    Exclusive or with a byte changes the lowest byte of the hash alone, and that one depends on lowest bytes alone. Once
    these are known, bit by bit, the hash is the sum of their changes times powers of the prime.
    """
    values = np.frombuffer(data, np.uint8)
    powers = np.cumprod(np.full(BLOCK, FNV_PRIME, np.uint64))[::-1]
    hashed = FNV_START
    for start in range(0, len(values), BLOCK):
        block = values[start : start + BLOCK]
        low = np.zeros(len(block) + 1, np.uint8)
        mixed = np.zeros(len(block), np.uint8)
        for bit in range(8):
            # What the lower bits of the product carry into this one.
            carried = (mixed * np.uint8(FNV_PRIME & 0xFF)) >> bit & 1
            own = block >> bit & 1
            first = np.uint8(hashed >> bit & 1)
            bits = np.concatenate(([first], np.bitwise_xor.accumulate(carried ^ own) ^ first))
            mixed |= (bits[:-1] ^ own) << bit
            low |= bits << bit
        changes = (low[:-1] ^ block).astype(np.uint64) - low[:-1]
        block_powers = powers[BLOCK - len(block) :]
        total = int((changes * block_powers).sum(dtype=np.uint64))
        hashed = (hashed * int(block_powers[0]) + total) % (1 << 64)
    return hashed


def write_aside(path: Path, data: bytes) -> None:
    """Writes a file so that, whatever happens, either the old or the new one is there and whole."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        try:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            os.chmod(file.name, 0o644)
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


@dataclass
class Checkpoint:
    """What a checkpoint holds."""

    arch: Architecture
    #: The recipe, the data, the batches done and the history, as in the JSON header.
    header: dict[str, Any]
    #: The weights by section, f32.
    weights: dict[str, Tensor]
    #: The means of gradients and of their squares, by section.
    moments: tuple[dict[str, Tensor], dict[str, Tensor]]

    def save(self, path: Path) -> None:
        """Writes the file aside, then puts it in its place."""
        header = self.header | {"hidden": self.arch.hidden, "numbers": self.arch.count}
        header |= {"king_buckets": self.arch.king_buckets}
        text = json.dumps(header, separators=(",", ":")).encode()
        parts = [CHECKPOINT_MAGIC, len(text).to_bytes(4, "little"), text]
        for sections in (self.weights, *self.moments):
            parts += [sections[name].cpu().numpy().astype("<f4").tobytes() for name in self.arch.sections()]
        data = b"".join(parts)
        write_aside(path, data + checksum(data).to_bytes(8, "little"))


def split(numbers: Tensor, arch: Architecture) -> dict[str, Tensor]:
    """Numbers in the order of a checkpoint, by section."""
    sections, start = {}, 0
    for name, shape in arch.sections().items():
        sections[name] = numbers[start : start + prod(shape)].view(shape)
        start += prod(shape)
    return sections


def read_file(path: Path) -> bytes:
    """The bytes of a file that should hold weights; of one without end, no more than `MOST`."""
    try:
        with path.open("rb") as file:
            start = file.read(8)
            return start + (file.read(MOST) if start in (CHECKPOINT_MAGIC, NETWORK_MAGIC) else b"")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error


def parse_checkpoint(path: Path, data: bytes) -> Checkpoint:
    """Reads a checkpoint; raises `InputError` if it is damaged."""
    found, expected = checksum(data[:-8]), int.from_bytes(data[-8:], "little")
    if len(data) < 20 or found != expected:
        message = f"its {max(len(data) - 8, 0)} bytes have checksum {found:016x}, its end says {expected:016x}"
        raise InputError(f"{path}: corrupt checkpoint: {message}")
    start = 12 + int.from_bytes(data[8:12], "little")
    try:
        header = json.loads(data[12:start])
        hidden, count = int(header["hidden"]), int(header["numbers"])
        table = header.get("king_buckets")
        if table is None:
            behind = Architecture(hidden).count - INPUTS * hidden
            table = KING_BUCKETS[(count - behind) // (INPUTS * hidden)]
        arch = Architecture(hidden, tuple(int(bucket) for bucket in table))
    except (ValueError, KeyError, TypeError, ZeroDivisionError, RecursionError) as error:
        raise InputError(f"{path}: corrupt checkpoint: its header, at byte 12, makes no sense") from error
    if arch.count != count or len(data) != start + 12 * count + 8:
        message = f"{len(data)} bytes and {count} weights instead of {arch.count}"
        raise InputError(f"{path}: corrupt checkpoint: {message} for {arch}")
    numbers = torch.from_numpy(np.frombuffer(data, "<f4", 3 * count, start).astype(np.float32)).view(3, count)
    weights, first, second = (split(part, arch) for part in numbers)
    return Checkpoint(arch, header, weights, (first, second))


def parse_network(path: Path, data: bytes) -> tuple[Architecture, dict[str, Tensor]]:
    """Reads a network as weights, f32 by section; raises `InputError` if it is damaged or of another kind."""
    if len(data) < NETWORK_HEADER_LEN:
        raise InputError(f"{path}: truncated network: {len(data)} bytes instead of {NETWORK_HEADER_LEN} of its header")
    version, activation, inputs, kings, hidden, outputs, *units = np.frombuffer(data, "<u4", 9, 8).tolist()
    if version != NETWORK_VERSION:
        raise InputError(f"{path}: network of format version {version}, this program reads version {NETWORK_VERSION}")
    found = (activation, inputs, outputs, *units, *np.frombuffer(data, "<u4", 2, 96).tolist())
    expected = (PAIRWISE, INPUTS, OUTPUT_BUCKETS, SCALE, QA, QB, SECOND, THIRD)
    arch = Architecture(hidden, tuple(data[48:80]))
    if found != expected or arch.king_bucket_count != kings or hidden == 0:
        raise InputError(f"{path}: network of another architecture: its header says {(*found, kings, hidden)}")
    hidden_count, second_count = (arch.features + 1) * hidden, OUTPUT_BUCKETS * SECOND * hidden
    length = 2 * hidden_count + second_count + 2 * OUTPUT_BUCKETS + 4 * (arch.count - hidden_count - second_count)
    if len(data) != NETWORK_HEADER_LEN + length:
        raise InputError(f"{path}: {len(data)} bytes instead of {NETWORK_HEADER_LEN + length}: damaged network")
    stated, sum_found = int.from_bytes(data[88:96], "little"), checksum(data[NETWORK_HEADER_LEN:])
    if stated != sum_found:
        message = f"its payload has checksum {sum_found:016x}, its header says {stated:016x}"
        raise InputError(f"{path}: corrupt network: {message}")
    start, parts = NETWORK_HEADER_LEN, []
    for kind, count in (("<i2", hidden_count), ("<i1", second_count), ("<i2", OUTPUT_BUCKETS), ("<f4", -1)):
        part = np.frombuffer(data, kind, count, start)
        parts.append(torch.from_numpy(part.astype(np.float32)))
        start += part.nbytes
    integers, second, shifts, exact = parts
    if ((shifts < 0) | (shifts > MAX_SECOND_SHIFT)).any():
        raise InputError(f"{path}: shifts {shifts.int().tolist()} are not all from 0 to {MAX_SECOND_SHIFT}")
    second = second.view(OUTPUT_BUCKETS, -1) / (QB * 2 ** shifts[:, None])
    return arch, split(torch.cat((integers / QA, second.flatten(), exact)), arch)


def load_weights(path: Path) -> tuple[Architecture, dict[str, Tensor]]:
    """The weights of a checkpoint or network; raises `InputError` if it is neither, or damaged."""
    data = read_file(path)
    if data.startswith(CHECKPOINT_MAGIC):
        checkpoint = parse_checkpoint(path, data)
        return checkpoint.arch, checkpoint.weights
    if data.startswith(NETWORK_MAGIC):
        return parse_network(path, data)
    raise InputError(f"{path}: neither a checkpoint nor a network: it starts with {data[:8]!r}")


def grow(
    path: Path, found: Architecture, weights: dict[str, Tensor], arch: Architecture, fresh: dict[str, Tensor]
) -> dict[str, Tensor]:
    """Weights of a network of this architecture that say what a smaller network says: `train/src/training/grow.rs`.

    It may have fewer hidden neurons, whose place `fresh` ones take without weights behind them, and one king bucket, of
    which all begin as copies. Raises `InputError` if it does not fit.
    """
    fits = found.hidden <= arch.hidden
    if not fits or found.king_bucket_count > 1 and found.king_buckets != arch.king_buckets:
        raise InputError(f"{path}: a network with {found} does not fit into one with {arch}")
    if found.king_bucket_count != arch.king_bucket_count:
        weights = weights | {"features": weights["features"].repeat(arch.king_bucket_count, 1)}
    if found.hidden == arch.hidden:
        return weights

    def halves(numbers: Tensor, hidden: int) -> Tensor:
        return numbers.view(*numbers.shape[:-1], 2, hidden // 2)

    grown = {name: fresh[name].clone() if name in ("features", "biases") else weights[name] for name in fresh}
    grown["second"] = torch.zeros_like(fresh["second"])
    for name in ("features", "biases", "second"):
        halves(grown[name], arch.hidden)[..., : found.hidden // 2] = halves(weights[name], found.hidden)
    return grown
