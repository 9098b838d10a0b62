"""What the rules of chess and the network say of positions, without a search."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import _vancura
from ._engine import _cores, _within
from ._positions import Position, position_input, position_inputs

#: The most positions that a proof looks at, unless told otherwise.
PROOF_NODES = 100_000


def evaluate(positions: Iterable[Position], *, threads: int | None = None) -> Any:
    """What the network says of each position, in centipawns for White, on all cores. Nothing is searched; 100 wins half of the
    games, and a dead position is 0.

    Args:
        positions: FENs or boards; an array or table of Arrow, or a series or frame of pandas, with a column ``fen``.
        threads: How many threads to use; one for each core if not given.

    Returns:
        A NumPy array of 32-bit integers, or a list without NumPy.

    Raises:
        ValueError: A position cannot be read.
    """
    return _array([centipawns for centipawns, _ in _evaluated(positions, threads)], "int32")


def evaluate_wdl(positions: Iterable[Position], *, threads: int | None = None) -> Any:
    """As :func:`evaluate`: of a thousand games, how many White wins, draws and loses, a row for each position."""
    values = _array([tuple(chances) for _, chances in _evaluated(positions, threads)], "int16")
    return values if isinstance(values, list) else values.reshape(-1, 3)


def _evaluated(positions: Iterable[Position], threads: int | None) -> list[tuple[int, list[int]]]:
    threads = _cores() if threads is None else _within("threads", threads, range(1, 1025))
    return _vancura.evaluate(position_inputs(positions), threads)


def _array(values: list[Any], kind: str) -> Any:
    """An array of NumPy, or the list without it."""
    try:
        import numpy
    except ImportError:
        return values
    return numpy.asarray(values, dtype=kind)


def legal_moves(position: Position, moves: Iterable[Any] = ()) -> list[str]:
    """The legal moves in UCI's notation, sorted. In Chess960 the king takes his rook to castle."""
    return sorted(_vancura.legal_moves(position_input(position, moves)))


def san(position: Position, move: str) -> str:
    """A move in UCI's notation, in Standard Algebraic Notation.

    Raises:
        ValueError: It is not legal.
    """
    return _vancura.san(position_input(position), move)


def fen(position: Position, moves: Iterable[Any] = ()) -> str:
    """The position after these moves, as a FEN."""
    return _vancura.fen(position_input(position, moves))


def perft(position: Position, depth: int) -> int:
    """How many games of ``depth`` plies there are from a position."""
    return _vancura.perft(position_input(position), _within("depth", depth, range(0, 21)))


def winnable(position: Position, *, nodes: int = PROOF_NODES) -> tuple[bool | None, bool | None]:
    """Whether White, and whether Black, can still mate by any legal moves; ``None`` where ``nodes`` positions do not tell."""
    white, black = _vancura.winnable(position_input(position), _within("nodes", nodes, range(1, 1 << 63)))
    return white, black


def is_dead(position: Position, *, nodes: int = PROOF_NODES) -> bool:
    """Whether it is proven that neither side can mate any more: the game is drawn."""
    return winnable(position, nodes=nodes) == (False, False)
