"""Files of records (`train/src/records/record.rs`), and their positions on the device as the network's inputs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from . import InputError
from .arch import INPUTS, OUTPUT_BUCKETS, SCALE, Architecture

RECORD_LEN = 32
MAGIC = b"VANCDATA"
VERSION = 1
#: The most pieces of a position.
MAX_PIECES = 32
#: Records decoded at a time while a file is read.
CHUNK = 1 << 18
#: Bytes of a position whose features are kept ready.
DECODED_LEN = 2 * 2 * MAX_PIECES + 1 + 4 + 4
#: Memory of the device left to the training itself, in bytes.
RESERVE = 6 << 30


class Batch(NamedTuple):
    """Positions as the network's inputs and targets, n of them."""

    #: Integers [n, 2, 32]: of the side to move, then the other; free places hold the number of features.
    features: Tensor
    #: The output bucket, integers [n].
    buckets: Tensor
    #: The winning chance that the score stands for, f32 [n].
    chances: Tensor
    #: The game's result, 0 to 1, f32 [n]; the chance again where there is none.
    results: Tensor

    def targets(self, wdl: float | Tensor) -> Tensor:
        """The chances to learn, f32 [n], with this share of the result in them."""
        return torch.lerp(self.chances, self.results, wdl)


@dataclass(frozen=True)
class RecordFile:
    """A file whose header has been checked."""

    path: Path
    count: int
    fingerprint: int

    @classmethod
    def open(cls, path: Path) -> RecordFile:
        """Checks the header and the length of a file; raises `InputError` if it cannot be used."""
        try:
            with path.open("rb") as file:
                header = file.read(RECORD_LEN)
                found = os.fstat(file.fileno()).st_size
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}") from error
        if len(header) < RECORD_LEN or header[:8] not in (MAGIC, bytes(8)):
            raise InputError(f"{path}: not a file of training records")
        version, count, fingerprint = (int.from_bytes(header[at : at + 8], "little") for at in (8, 16, 24))
        if header[:8] == MAGIC and version != VERSION:
            raise InputError(f"{path}: record format version {version}, this program reads version {VERSION}")
        expected = (count + 1) * RECORD_LEN if header[:8] == MAGIC else 0
        if found != expected:
            raise InputError(f"{path}: {found} bytes instead of {expected}: incomplete")
        if count == 0:
            raise InputError(f"{path}: no records")
        return cls(path, count, fingerprint)

    def chunks(self, count: int) -> Iterator[tuple[int, Tensor]]:
        """The first `count` records in pieces: the number of the first, and bytes [n, 32]."""
        with self.path.open("rb") as file:
            file.seek(RECORD_LEN)
            for start in range(0, count, CHUNK):
                size = min(CHUNK, count - start)
                raw = np.fromfile(file, np.uint8, size * RECORD_LEN)
                if raw.size != size * RECORD_LEN:
                    at = RECORD_LEN * (start + 1) + raw.size
                    raise InputError(f"{self.path}: ends at byte {at}, while it was read")
                yield start, torch.from_numpy(raw).view(size, RECORD_LEN)


def damaged(raw: Tensor) -> Tensor:
    """Which records [n, 32] no writer of records has written, bool [n]."""
    pieces = occupied_squares(raw).sum(1)
    codes = torch.stack((raw[:, 8:24] & 15, raw[:, 8:24] >> 4), 2).flatten(1)
    foreign = ((codes & 7) > 5).any(1) | (raw[:, 26:30] > torch.tensor([2, 63, 63, 2], device=raw.device)).any(1)
    return foreign | (pieces < 2) | (pieces > MAX_PIECES)


def occupied_squares(raw: Tensor) -> Tensor:
    """Whether each square holds a piece, integers 0 and 1 [n, 64]."""
    squares = torch.arange(64, device=raw.device)
    return (raw.view(torch.int64)[:, :1] >> squares) & 1


def decode(raw: Tensor, arch: Architecture) -> Batch:
    """The inputs and targets of records, bytes [n, 32]; features are those of `eval/src/feature.rs`."""
    device, n = raw.device, len(raw)
    occupied = occupied_squares(raw)
    place = occupied.cumsum(1) - 1
    # What is no piece, or one too many, goes to a last column, which is cut off.
    place = torch.where((occupied == 1) & (place < MAX_PIECES), place, MAX_PIECES)
    squares = torch.zeros((n, MAX_PIECES + 1), dtype=torch.int64, device=device)
    squares = squares.scatter_(1, place, torch.arange(64, device=device).expand(n, 64))[:, :MAX_PIECES]
    pieces = occupied.sum(1).clamp(max=MAX_PIECES)

    codes = torch.stack((raw[:, 8:24] & 15, raw[:, 8:24] >> 4), 2).flatten(1).long()
    kinds, enemy = (codes & 7).clamp(max=5), codes >> 3
    table = torch.tensor(arch.king_buckets, device=device)
    kings = raw[:, 27:29].long() & 63
    mirror = torch.where((kings & 7) >= 4, 7, 0)
    seen = kings ^ mirror
    bases = table[(seen >> 3) * 4 + (seen & 7)] * INPUTS
    features = torch.stack(
        [
            bases[:, side, None] + ((enemy ^ side) * 6 + kinds) * 64 + (squares ^ (mirror[:, side, None] ^ (56 * side)))
            for side in (0, 1)
        ],
        1,
    )
    present = torch.arange(MAX_PIECES, device=device) < pieces[:, None]
    features = torch.where(present[:, None], features, arch.features).to(torch.int16)

    bands = ((pieces - 2) // 4).clamp(max=OUTPUT_BUCKETS - 2) + 1
    buckets = torch.where(pieces <= 4, 0, bands).to(torch.uint8)
    chances = torch.sigmoid(raw.view(torch.int16)[:, 12].float() / SCALE)
    results = torch.where(raw[:, 29] == 0, raw[:, 26].clamp(max=2).float() / 2, chances)
    return Batch(features, buckets, chances, results)


def free_memory(device: torch.device) -> int:
    """Bytes that can still be taken on a device."""
    if device.type == "cuda":
        return torch.cuda.mem_get_info(device)[0] - RESERVE
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


class Positions:
    """The positions of a file, all on the device: decoded if there is room for that, else as records."""

    def __init__(
        self,
        file: RecordFile,
        arch: Architecture,
        device: torch.device,
        most: int | None = None,
        decoded: bool | None = None,
    ) -> None:
        """Reads the first `most` positions of a file, or all; `decoded` overrides the choice by free memory.

        Raises `InputError` if a record is damaged or has no score, or the records do not fit into memory.
        """
        self.arch, self.count = arch, min(file.count, most or file.count)
        free = free_memory(device)
        if self.count * RECORD_LEN > free:
            needed = self.count * RECORD_LEN >> 20
            raise InputError(f"{file.path}: {self.count} records need {needed} MiB on {device}, {free >> 20} are free")
        self.is_decoded = self.count * DECODED_LEN <= free if decoded is None else decoded
        if self.is_decoded:
            shapes = decode(torch.zeros((0, RECORD_LEN), dtype=torch.uint8, device=device), arch)
            self.stored = [part.new_empty((self.count, *part.shape[1:])) for part in shapes]
        else:
            self.stored = [torch.empty((self.count, RECORD_LEN), dtype=torch.uint8, device=device)]
        for start, raw in file.chunks(self.count):
            raw = raw.to(device)
            require(file.path, start, damaged(raw), "a damaged record")
            require(file.path, start, raw[:, 29] == 2, "a position without a score: give it one with `trainer rescore`")
            for stored, part in zip(self.stored, decode(raw, arch) if self.is_decoded else [raw], strict=True):
                stored[start : start + len(raw)] = part

    def batch(self, indices: Tensor) -> Batch:
        """The positions of these numbers, integers [n]."""
        parts = [stored.index_select(0, indices) for stored in self.stored]
        return Batch(*parts) if self.is_decoded else decode(parts[0], self.arch)


def require(path: Path, start: int, bad: Tensor, what: str) -> None:
    """Raises `InputError` if any of these records, the first of which has the number `start`, is bad: bool [n]."""
    if bad.any():
        record = start + int(bad.nonzero()[0])
        raise InputError(f"{path}: record {record}, at byte {RECORD_LEN * (record + 1)}: {what}")


class Order:
    """In which order positions are learned from, epoch after epoch: the file's, or another for each epoch."""

    def __init__(self, count: int, device: torch.device, seed: int | None) -> None:
        """Of `count` positions; `seed` decides the orders, none keeps the file's."""
        self.count, self.device, self.seed = count, device, seed
        self.epoch, self.numbers = -1, torch.empty(0, device=device)

    def indices(self, start: int, count: int) -> Tensor:
        """The numbers of the positions from `start` on, counted through all epochs: integers [count]."""
        parts = []
        while count > 0:
            epoch, place = divmod(start, self.count)
            size = min(count, self.count - place)
            if self.seed is None:
                parts.append(torch.arange(place, place + size, device=self.device))
            else:
                parts.append(self.permutation(epoch)[place : place + size])
            start, count = start + size, count - size
        return parts[0] if len(parts) == 1 else torch.cat(parts)

    def permutation(self, epoch: int) -> Tensor:
        """The order of an epoch: integers [positions]."""
        if epoch != self.epoch:
            # Far apart even for neighbouring seeds and epochs: the golden ratio by 2^64.
            seed = (self.seed + epoch * 0x9E37_79B9_7F4A_7C15) & (1 << 63) - 1
            generator = torch.Generator(self.device).manual_seed(seed)
            # Never two of them at a time in memory.
            self.numbers = torch.empty(0, device=self.device)
            self.numbers = torch.randperm(self.count, generator=generator, device=self.device)
            self.epoch = epoch
        return self.numbers
