#!/usr/bin/env python3
"""Plays games with the engine behind Polyglot, spoken to in xboard's protocol by python-chess as xboard does.

Needs `polyglot` and `pip install chess`. Exits with 1 after a fault: an illegal move, a crash, a hang.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import chess
import chess.engine

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("engine", type=Path, help="the engine under test")
parser.add_argument("--polyglot", default="polyglot", help="the adapter")
parser.add_argument("--games", type=int, default=2)
parser.add_argument("--seconds", type=int, default=1, help="for each move")
parser.add_argument("--plies", type=int, default=30, help="at most, for each game")
args = parser.parse_args()


def play(adapter, number):
    board = chess.Board()
    # A different first move for each game.
    board.push(list(board.legal_moves)[number % 20])
    while not board.is_game_over(claim_draw=True) and board.ply() < args.plies:
        limit = chess.engine.Limit(time=args.seconds)
        board.push(adapter.play(board, limit, game=number).move)
    return f"{board.result(claim_draw=True)} after {board.ply()} plies"


def main():
    with tempfile.TemporaryDirectory() as folder:
        ini = Path(folder) / "vancura.ini"
        ini.write_text(
            f"[PolyGlot]\nEngineDir = {folder}\nEngineCommand = {args.engine.resolve()}\nBook = false\n"
            "[Engine]\nHash = 8\nThreads = 1\n"
        )
        try:
            with chess.engine.SimpleEngine.popen_xboard([args.polyglot, str(ini)], timeout=30) as adapter:
                print("engine:", adapter.id.get("name"))
                for number in range(args.games):
                    print(f"game {number + 1}: {play(adapter, number)}", flush=True)
        except (chess.engine.EngineError, TimeoutError) as error:
            print(f"{type(error).__name__}: {error}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
