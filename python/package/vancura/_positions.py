"""Positions as people have them: text, or a board of python-chess."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

#: A FEN, a line of EPD, ``"startpos"``, or a ``chess.Board``, which brings its moves along.
Position = str | Any

#: Folders of endgame tables: one, several, or text with the separator of the system's ``PATH`` between them.
Folders = str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None

#: What the extension module takes: a position, the moves from there, and whether castling is written as in Chess960.
PositionInput = tuple[str, list[str], bool]


def position_input(position: Position, moves: Iterable[Any] = ()) -> PositionInput:
    """The position after these moves, which are text in UCI's notation or moves of python-chess."""
    words = moves.split() if isinstance(moves, str) else moves
    after = [move if isinstance(move, str) else move.uci() for move in words]
    if isinstance(position, str):
        return position, after, False
    if not (hasattr(position, "fen") and hasattr(position, "move_stack")):
        raise TypeError(f"a position is a FEN or a chess.Board, not {type(position).__name__}")
    if getattr(position, "uci_variant", "chess") != "chess":
        raise ValueError(f"{position.uci_variant} is not played here")
    played = list(position.move_stack)
    start, chess960 = position, bool(position.chess960)
    # A null move has no place in a game, and nothing before it can repeat.
    if all(played):
        start = position.root()
    else:
        played = []
    return start.fen(en_passant="fen"), [move.uci() for move in played] + after, chess960


def position_inputs(positions: Iterable[Position]) -> list[PositionInput]:
    """The same for many: a list, an array or table of Arrow with a column ``fen``, a series or frame of pandas."""
    if isinstance(positions, (str, os.PathLike)):
        raise TypeError("a list of positions is needed, not one")
    if hasattr(positions, "column_names") and hasattr(positions, "column"):
        positions = positions.column("fen")
    elif hasattr(positions, "columns") and hasattr(positions, "__getitem__"):
        positions = positions["fen"]
    if hasattr(positions, "to_pylist"):
        positions = positions.to_pylist()
    return [position_input(position) for position in positions]


def folders(paths: Folders) -> list[str]:
    """The names of folders, each by itself."""
    if paths is None:
        return []
    if isinstance(paths, str):
        return [path for path in paths.split(os.pathsep) if path]
    if isinstance(paths, os.PathLike):
        return [os.fspath(paths)]
    return [os.fspath(path) for path in paths]
