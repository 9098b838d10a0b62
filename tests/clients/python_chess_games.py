#!/usr/bin/env python3
"""Plays whole games between two UCI engines, refereed by python-chess, and counts what must not happen.

python-chess speaks UCI and knows the rules without us: an illegal move, a line it does not expect, a process that
dies or a clock that runs out is counted. Games alternate in colour; half are Chess960.

Needs `pip install chess`. Exits with 1 if the engine under test did anything wrong.
"""

import argparse
import logging
import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import chess
import chess.engine

# An engine that is silent for so long beyond its clock hangs, in seconds.
HANG = 10.0


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", help="the engine under test")
    parser.add_argument("opponent", help="another UCI engine")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--tc", default="1+0.01", help="seconds for the game + seconds a move")
    parser.add_argument("--elo", default="1350-2850", help="range of the opponent's UCI_Elo, drawn for each game")
    parser.add_argument("--margin", type=float, default=0.0, help="seconds over the clock that a busy machine may cost")
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


class Fault(Exception):
    """Something an engine must not do."""


class Complaints(logging.Handler):
    """What python-chess complains of but lives with: lines it did not expect."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.texts = []
        logging.getLogger("chess.engine").addHandler(self)

    def emit(self, record):
        self.texts.append(record.getMessage())


def think(engine, board, clocks, increment, margin, game):
    """One move, its time taken off the mover's clock."""
    limit = chess.engine.Limit(
        white_clock=clocks[chess.WHITE], black_clock=clocks[chess.BLACK], white_inc=increment, black_inc=increment
    )
    started = time.perf_counter()
    try:
        move = engine.play(board, limit, game=game, info=chess.engine.INFO_ALL).move
    except chess.engine.EngineTerminatedError as error:
        raise Fault(f"crash: {error}") from error
    except chess.engine.EngineError as error:
        raise Fault(f"illegal: {error}") from error
    except TimeoutError as error:
        raise Fault("hang") from error
    clocks[board.turn] -= time.perf_counter() - started
    if clocks[board.turn] < -margin:
        raise Fault(f"time: {-1000 * clocks[board.turn]:.0f} ms over")
    clocks[board.turn] += increment
    if move is None:
        raise Fault("illegal: no move in a position with legal moves")
    return move


def play(args, number):
    """One game; returns what happened as (score for the engine or None, fault of the engine or None, text)."""
    rng = random.Random(args.seed * 1_000_003 + number // 2)
    base, increment = (float(part) for part in args.tc.split("+"))
    chess960 = number // 2 % 2 == 1
    board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
    for _ in range(rng.randrange(4, 9)):
        board.push(rng.choice(list(board.legal_moves)))
        if board.is_game_over():
            board.pop()
            break
    low, high = (int(part) for part in args.elo.split("-"))
    our_color = chess.WHITE if number % 2 == 0 else chess.BLACK
    clocks = {chess.WHITE: base, chess.BLACK: base}
    timeout = base + HANG
    engines = {}
    try:
        engines[our_color] = chess.engine.SimpleEngine.popen_uci(args.engine, timeout=timeout)
        engines[not our_color] = chess.engine.SimpleEngine.popen_uci(args.opponent, timeout=timeout)
        engines[not our_color].configure({"UCI_LimitStrength": True, "UCI_Elo": rng.randint(low, high)})
        while not board.is_game_over(claim_draw=True):
            mover = board.turn
            try:
                board.push(think(engines[mover], board, clocks, increment, args.margin, number))
            except Fault as fault:
                text = f"{board.fen()}: {fault}"
                return (None, text, "fault") if mover == our_color else (None, None, f"opponent's {text}")
        outcome = board.outcome(claim_draw=True)
        score = 0.5 if outcome.winner is None else float(outcome.winner == our_color)
        return score, None, outcome.termination.name.lower()
    finally:
        for engine in engines.values():
            engine.close()


def main():
    args = options()
    complaints = Complaints()
    scores, faults, endings = [], [], {}
    with ThreadPoolExecutor(args.concurrency) as pool:
        for number, (score, fault, text) in enumerate(pool.map(lambda n: play(args, n), range(args.games)), 1):
            if fault:
                faults.append(fault)
                print(f"game {number}: {fault}", flush=True)
            elif score is None:
                print(f"game {number}: {text}", flush=True)
            else:
                scores.append(score)
            kind = text.split(":")[0] if score is not None else ("fault" if fault else "opponent's fault")
            endings[kind] = endings.get(kind, 0) + 1
            if number % 20 == 0:
                print(f"{number} games: {sum(scores)} of {len(scores)} points, {len(faults)} faults", flush=True)
    for text in complaints.texts:
        print(f"complaint: {text}")
    print(", ".join(f"{count} {ending}" for ending, count in sorted(endings.items())))
    print(f"{len(scores) + len(faults)} games counted, {sum(scores)} points, {len(faults)} faults of the engine, "
          f"{len(complaints.texts)} complaints about either engine's lines")
    sys.exit(1 if faults or complaints.texts or not scores else 0)


if __name__ == "__main__":
    main()
