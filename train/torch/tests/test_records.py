"""Records and their decoding."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="needs PyTorch")

from vancura_torch import InputError  # noqa: E402
from vancura_torch.arch import KING_BUCKETS, Architecture  # noqa: E402
from vancura_torch.records import Order, Positions, RecordFile, decode  # noqa: E402

CPU = torch.device("cpu")


def slow_features(record: bytes, arch: Architecture) -> list[set[int]]:
    """The features of a record by the definition in `eval/src/feature.rs`, piece by piece."""
    occupied = int.from_bytes(record[:8], "little")
    squares = [square for square in range(64) if occupied >> square & 1]
    views: list[set[int]] = [set(), set()]
    for index, square in enumerate(squares):
        code = record[8 + index // 2] >> 4 * (index % 2) & 15
        for side in (0, 1):
            king = record[27 + side]
            mirror = 7 if king % 8 > 3 else 0
            bucket = arch.king_buckets[king // 8 * 4 + (king ^ mirror) % 8]
            is_enemy = (code >= 8) != (side == 1)
            seen = square ^ mirror if side == 0 else square ^ mirror ^ 56
            views[side].add(768 * bucket + (384 if is_enemy else 0) + 64 * (code % 8) + seen)
    return views


@pytest.mark.parametrize("buckets", [1, 4, 8])
def test_features_are_those_of_the_definition(data: Path, buckets: int) -> None:
    arch = Architecture(16, KING_BUCKETS[buckets])
    raw = next(RecordFile.open(data / "train.records").chunks(500))[1]
    batch = decode(raw, arch)
    with_result = 0
    for record, views, bucket, chance, result in zip(raw, *batch, strict=True):
        record = bytes(record.tolist())
        expected = slow_features(record, arch)
        for view, features in zip(views.tolist(), expected, strict=True):
            found = [feature for feature in view if feature < arch.features]
            assert len(found) == len(features) and set(found) == features
        pieces = len(expected[0])
        assert bucket == (0 if pieces <= 4 else 1 + min((pieces - 2) // 4, 7))
        score = int.from_bytes(record[24:26], "little", signed=True)
        assert chance.item() == pytest.approx(1 / (1 + 2.718281828459045 ** (-score / 400)), abs=1e-6)
        assert result == (record[26] / 2 if record[29] == 0 else chance)
        with_result += record[29] == 0
    assert 0 < with_result < 500


def test_positions_are_the_same_decoded_and_as_records(data: Path) -> None:
    file, arch = RecordFile.open(data / "train.records"), Architecture(16, KING_BUCKETS[4])
    indices = torch.tensor([5, 0, 77, file.count - 1, 5])
    kinds = [Positions(file, arch, CPU, decoded=decoded) for decoded in (True, False)]
    first, second = (positions.batch(indices) for positions in kinds)
    assert [positions.is_decoded for positions in kinds] == [True, False]
    for one, other in zip(first, second, strict=True):
        assert torch.equal(one, other)
    assert Positions(file, arch, CPU, most=10).count == 10


def test_orders_hold_each_position_once() -> None:
    count = 1000
    plain, mixed = Order(count, CPU, None), Order(count, CPU, 7)
    assert plain.indices(990, 20).tolist() == [*range(990, 1000), *range(10)]
    epochs = [mixed.indices(count * epoch, count) for epoch in (0, 1)]
    for epoch in epochs:
        assert torch.equal(epoch.sort().values, torch.arange(count))
    assert not torch.equal(*epochs)
    # An order is entered anywhere, across the end of an epoch, and other seeds have others.
    assert torch.equal(Order(count, CPU, 7).indices(900, 200), torch.cat(epochs)[900:1100])
    assert not torch.equal(Order(count, CPU, 8).indices(0, count), epochs[0])


def changed(whole: bytes, at: int, value: int) -> bytes:
    return whole[:at] + bytes([value]) + whole[at + 1 :]


DAMAGES: list[tuple[Callable[[bytes], bytes], str]] = [
    (lambda whole: whole[:-1], "bytes instead of"),
    (lambda whole: whole + b"x", "bytes instead of"),
    (lambda whole: whole[:20], "not a file of training records"),
    (lambda whole: b"", "not a file of training records"),
    (lambda whole: b"VANCURA\0" + whole[8:], "not a file of training records"),
    (lambda whole: bytes(320), "320 bytes instead of 0"),
    (lambda whole: changed(whole, 8, 9), "record format version 9, this program reads version 1"),
    (lambda whole: whole[:16] + bytes(16), "no records"),
    (lambda whole: changed(whole, 32 * 6 + 27, 64), "record 5, at byte 192: a damaged record"),
    (lambda whole: changed(whole, 32 * 6 + 8, 0x66), "record 5, at byte 192: a damaged record"),
    (lambda whole: whole[:192] + bytes(32) + whole[224:], "record 5, at byte 192: a damaged record"),
    (lambda whole: whole[:192] + b"\xff" * 8 + bytes(24) + whole[224:], "record 5, at byte 192: a damaged record"),
    (lambda whole: changed(whole, 32 * 3 + 29, 2), "record 2, at byte 96: a position without a score"),
]


@pytest.mark.parametrize(("damage", "message"), DAMAGES)
def test_bad_files_are_refused(data: Path, tmp_path: Path, damage: Callable[[bytes], bytes], message: str) -> None:
    path = tmp_path / "records"
    path.write_bytes(damage((data / "validation.records").read_bytes()))
    with pytest.raises(InputError, match=message) as refused:
        Positions(RecordFile.open(path), Architecture(16), CPU)
    assert str(path) in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"{tmp_path}/none: No such file"):
        RecordFile.open(tmp_path / "none")
