"""What the tests share."""

from __future__ import annotations

import random

import chess
import chess.engine
import pytest

import vancura


def played(seed: int, plies: int, chess960: bool = False) -> chess.Board:
    """A board after random moves."""
    choice = random.Random(seed)
    board = chess.Board.from_chess960_pos(choice.randrange(960)) if chess960 else chess.Board()
    for _ in range(plies):
        moves = sorted(board.legal_moves, key=str)
        if not moves:
            break
        board.push(choice.choice(moves))
    return board


@pytest.fixture(scope="session")
def uci():
    """The program, driven by python-chess."""
    with chess.engine.SimpleEngine.popen_uci(vancura.engine_path()) as engine:
        yield engine
