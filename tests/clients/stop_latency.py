#!/usr/bin/env python3
"""Measures how long the engine takes from `stop` to its best move, for several numbers of threads.

Each search runs a moment drawn at random before it is stopped, in positions of many kinds. What a busy machine adds is
measured beside it: how late a sleeping process wakes up. Exits with 1 if of a hundred stops more than one takes longer
than the limit and what the machine adds.
"""

import argparse
import random
import subprocess
import sys
import time

POSITIONS = [
    "startpos",
    "startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1",
    "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "fen 8/8/4k3/1p1p1p1p/1P1P1P1P/3K4/8/8 w - - 0 1",
    "fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
    "fen R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "fen 8/2P1k3/8/1K6/8/5b2/r7/8 w - - 0 60",
]

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("engine", help="the engine under test")
parser.add_argument("--stops", type=int, default=300, help="for each number of threads")
parser.add_argument("--threads", type=int, nargs="+", default=[1, 2, 8])
parser.add_argument("--hash", type=int, default=64, help="MiB")
parser.add_argument("--multipv", type=int, default=1)
parser.add_argument("--longest", type=float, default=0.2, help="seconds that a search runs at most")
parser.add_argument("--limit", type=float, default=10.0, help="milliseconds")
args = parser.parse_args()


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def measure(threads):
    """The latencies of stops, and by how much the machine let this process oversleep, in milliseconds."""
    rng = random.Random(threads)
    engine = subprocess.Popen([args.engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(text):
        engine.stdin.write(text.encode() + b"\n")
        engine.stdin.flush()

    def until(start):
        while not (line := engine.stdout.readline()).startswith(start):
            if not line:
                sys.exit("the engine is gone")

    send(f"setoption name Threads value {threads}\nsetoption name Hash value {args.hash}")
    send(f"setoption name MultiPV value {args.multipv}")
    stops, oversleeps = [], []
    for number in range(args.stops):
        send(f"position {POSITIONS[number % len(POSITIONS)]}\nisready")
        until(b"readyok")
        send("go infinite")
        nap = rng.uniform(0.001, args.longest)
        before = time.perf_counter()
        time.sleep(nap)
        stopped = time.perf_counter()
        send("stop")
        until(b"bestmove")
        stops.append(1000 * (time.perf_counter() - stopped))
        oversleeps.append(1000 * (stopped - before - nap))
    send("quit")
    engine.wait()
    return stops, oversleeps


def main():
    failed = False
    for threads in args.threads:
        stops, oversleeps = measure(threads)
        median, late, worst = percentile(stops, 0.5), percentile(stops, 0.99), max(stops)
        machine = percentile(oversleeps, 0.99)
        failed |= late > args.limit + machine
        print(
            f"{threads} threads, {len(stops)} stops: median {median:.2f} ms, p99 {late:.2f} ms, worst {worst:.2f} ms; "
            f"the machine alone: p99 {machine:.2f} ms",
            flush=True,
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
