#!/usr/bin/env python3
"""Plays games with lichess-bot's engine wrapper and its default configuration, without lichess.

Both sides are the engine under test in a wrapper of its own, pondering as the default has it, in standard chess and
Chess960. An option the engine lacks, an illegal move, an unexpected line, a crash or a hang is a fault.

Needs a checkout of lichess-bot and what its requirements.txt names. Exits with 1 after a fault.
"""

import argparse
import logging
import sys
import time
from pathlib import Path
from types import SimpleNamespace

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("lichess_bot", type=Path, help="the folder of lichess-bot")
parser.add_argument("engine", type=Path, help="the engine under test")
parser.add_argument("--games", type=int, default=4)
parser.add_argument("--tc", default="3+0.05", help="seconds for the game + seconds a move")
parser.add_argument("--margin", type=float, default=0.0, help="seconds over the clock that a busy machine may cost")
parser.add_argument("--first-move", type=float, default=1.0, help="seconds for each side's first move")
args = parser.parse_args()
sys.path.insert(0, str(args.lichess_bot))

# The imports need the path.
import chess  # noqa: E402
import chess.engine  # noqa: E402
import yaml  # noqa: E402
from lib.config import Configuration  # noqa: E402
from lib.engine_wrapper import create_engine  # noqa: E402


class Complaints(logging.Handler):
    """What python-chess complains of but lives with; words about a folder of tables that is not there are no fault."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.texts = []
        logging.getLogger("chess.engine").addHandler(self)

    def emit(self, record):
        if "'info string " not in record.getMessage():
            self.texts.append(record.getMessage())


def default_configuration():
    text = (args.lichess_bot / "config.yml.default").read_text()
    config = yaml.safe_load(text)
    config["engine"]["dir"] = str(args.engine.resolve().parent)
    config["engine"]["name"] = args.engine.name
    # Blank in the file, which lichess-bot takes for the folder it is called from.
    config["engine"]["working_dir"] = str(Path.cwd())
    return Configuration(config)


def play(number):
    """One game between two wrappers; returns how it ended."""
    base, increment = (float(part) for part in args.tc.split("+"))
    board = chess.Board.from_chess960_pos(37 * number % 960) if number % 2 else chess.Board()
    opponent = SimpleNamespace(name="somebody", title="GM", rating=2800, is_bot=False)
    game = SimpleNamespace(opponent=opponent, me=SimpleNamespace(rating=2500))
    clocks = [base, base]
    with create_engine(default_configuration()) as white, create_engine(default_configuration()) as black:
        for side in (white, black):
            side.get_opponent_info(game)
            side.ping()
        while not board.is_game_over(claim_draw=True) and board.ply() < 300:
            side = white if board.turn == chess.WHITE else black
            if board.ply() < 2:
                limit = chess.engine.Limit(time=args.first_move, clock_id="first move")
            else:
                limit = chess.engine.Limit(
                    white_clock=clocks[0], black_clock=clocks[1], white_inc=increment, black_inc=increment,
                    clock_id="real time",
                )
            started = time.perf_counter()
            result = side.search(board, limit, ponder=True, draw_offered=False, root_moves=None)
            used = time.perf_counter() - started
            if board.ply() >= 2:
                clocks[board.ply() % 2] += increment - used
                if clocks[board.ply() % 2] < -args.margin:
                    raise TimeoutError(f"the clock ran out at ply {board.ply()}")
            side.add_comment(result, board)
            if not side.get_stats():
                raise ValueError("nothing to be told about a move")
            board.push(result.move)
    return f"{board.result(claim_draw=True)} after {board.ply()} plies"


def main():
    complaints = Complaints()
    faults = 0
    for number in range(args.games):
        try:
            print(f"game {number + 1}: {play(number)}", flush=True)
        except Exception as error:  # Whatever it is, it is a fault.
            faults += 1
            print(f"game {number + 1}: {type(error).__name__}: {error}", flush=True)
    for text in complaints.texts:
        print(f"complaint: {text}")
    return 1 if faults or complaints.texts else 0


if __name__ == "__main__":
    sys.exit(main())
