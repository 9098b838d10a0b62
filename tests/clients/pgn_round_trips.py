#!/usr/bin/env python3
"""Reads files of games with the engine under test, and compares what it writes with what python-chess reads of them.

Each game goes through `analyse --comments tags --nodes 1`. No move, NAG, comment, tag or clock may be lost, node by node.
With pgn-extract, both files are also read through it, and compared in the nodes that it reads as python-chess does.

With --damage, games are damaged at random instead: bytes are changed, lines dropped, byte order marks put in. On every file
at least as many games with moves must be kept as python-chess keeps of those that begin in a legal position. Games without
moves are counted, too: python-chess makes two games of one with a damaged tag, of which the first has tags alone and the
second moves alone.

Needs `pip install chess`. Exits with 1 if anything is lost.
"""

import argparse
import io
import logging
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import chess.pgn

COMMAND = re.compile(r"\[%(\w+)\s*([^\]]*)\]")


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", help="the engine under test")
    parser.add_argument("files", nargs="+", type=Path, help="files of games as text")
    parser.add_argument("--pgn-extract", help="the program pgn-extract")
    parser.add_argument("--damage", type=int, metavar="COUNT", help="files of 25 damaged games each")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def read(text):
    """The games of a text, by python-chess."""
    source = io.StringIO(text.removeprefix("\ufeff"))
    return list(iter(lambda: chess.pgn.read_game(source), None))


def decoded(data):
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("windows-1252", errors="replace")


def analysed(engine, data):
    """What the engine writes of games."""
    arguments = [engine, "analyse", "-", "--nodes", "1", "--comments", "tags"]
    done = subprocess.run(arguments, input=data, capture_output=True, timeout=3600)
    if done.returncode not in (0, 2):
        sys.exit(f"exit status {done.returncode}: {done.stderr[-500:]}")
    return done.stdout.decode("utf-8")


def extracted(program, text):
    """The games of a text, by pgn-extract; it puts the result of a game without moves behind an empty line."""
    with tempfile.NamedTemporaryFile("w", suffix=".pgn") as file:
        file.write(text)
        file.flush()
        done = subprocess.run([program, "-s", "--allownullmoves", file.name], capture_output=True, timeout=3600)
    unknown = ("?", "????.??.??", "*")
    known = lambda game: any(value not in unknown for name, value in game.headers.items() if name != "Result")
    return [game for game in read(decoded(done.stdout)) if game.variations or known(game)]


def said(node):
    """The words and the commands of a node's comments, evaluations left out."""
    comment = f"{node.starting_comment if node.parent else ''} {node.comment}"
    commands = Counter((name, " ".join(value.split())) for name, value in COMMAND.findall(comment) if name != "eval")
    return Counter(COMMAND.sub(" ", comment).split()), commands


def nodes(game):
    """All nodes by the moves that lead to them, with NAGs, words and commands."""
    found, waiting = {}, [((), game)]
    while waiting:
        path, node = waiting.pop()
        entry = found.setdefault(path, [Counter(), Counter(), Counter()])
        for total, part in zip(entry, (Counter(node.nags), *said(node))):
            total.update(part)
        waiting += [(path + (child.move.uci(),), child) for child in node.variations]
    return found


def compare(before, after, lost, agreed=None):
    """Counts what is in a game before and not after, in the nodes that are agreed on."""
    first, second = nodes(before), nodes(after)
    for path, entry in first.items():
        if agreed is not None and agreed.get(path) != entry:
            continue
        lost["nodes"] += 1
        if path not in second:
            lost["moves"] += 1
            continue
        for kind, wanted, found in zip(("nags", "words", "commands"), entry, second[path]):
            lost[kind] += (wanted - found).total()
    for name, value in before.headers.items():
        # Control characters become blanks.
        plain = "".join(" " if ord(letter) < 32 or 127 <= ord(letter) < 160 else letter for letter in value)
        if (agreed is None or name != "Result") and after.headers.get(name) != plain:
            lost["tags"] += 1


KINDS = ("moves", "nags", "words", "commands", "tags")


def round_trip(options, path):
    data = path.read_bytes()
    games = read(decoded(data))
    text = analysed(options.engine, data)
    again = read(text)
    lost = Counter()
    if len(again) < len(games):
        lost["games"] = len(games) - len(again)
    for before, after in zip(games, again):
        compare(before, after, lost)
    report = [f"{path.name}: {len(games)} games, {lost['nodes']} nodes"]
    if options.pgn_extract:
        theirs, ours = (extracted(options.pgn_extract, part) for part in (decoded(data), text))
        both = Counter()
        if len(theirs) == len(games) == len(ours):
            for game, before, after in zip(games, theirs, ours):
                compare(before, after, both, nodes(game))
            report.append(f"{both['nodes']} as pgn-extract reads them")
        else:
            report.append(f"of pgn-extract {len(theirs)} and {len(ours)} games")
        lost.update({kind: both[kind] for kind in KINDS})
    kinds = [f"{lost[kind]} {kind}" for kind in ("games", *KINDS) if lost[kind]]
    print(", ".join(report), "- lost:", ", ".join(kinds) or "nothing", flush=True)
    return bool(kinds)


def damaged(game, chance):
    """A game with some bytes changed, a line dropped or a byte order mark before it; half of all stay as they are."""
    data = bytearray((game.strip() + "\n\n").encode())
    kind = chance.random()
    if kind < 0.25:
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
    elif kind < 0.45:
        lines = bytes(data).split(b"\n")
        del lines[chance.randrange(len(lines))]
        data = bytearray(b"\n".join(lines))
    elif kind < 0.5:
        data = bytearray(b"\xef\xbb\xbf") + data
    return bytes(data)


def begins_legally(game):
    try:
        return game.board().is_valid()
    except ValueError:
        # Of a variant that nobody knows.
        return False


def count(games):
    # A damaged line may hold dashes, which are null moves to python-chess and make no game.
    return len(games), sum(1 for game in games if any(game.mainline_moves()) and begins_legally(game))


def damage(options):
    sources = [game for path in options.files for game in re.split(r"\n\n(?=\[Event )", decoded(path.read_bytes()))]
    total = Counter()
    for number in range(options.damage):
        chance = random.Random(f"{options.seed} {number}")
        data = b"".join(damaged(game, chance) for game in chance.choices(sources, k=25))
        try:
            theirs = count(read(data.decode("utf-8", errors="replace")))
        except IndexError:
            # python-chess fails at a comment behind a variation that was closed too often.
            total["failed"] += 1
            theirs = (0, 0)
        # A damaged name of the standard variant stays as it is, and python-chess would read no move of such a game.
        ours = count(read(re.sub(r"(?m)^\[Variant .*\n", "", analysed(options.engine, data))))
        total.update(files=1, theirs=theirs[0], ours=ours[0], theirs_moves=theirs[1], ours_moves=ours[1])
        total["fewer"] += ours[0] < theirs[0]
        if ours[1] < theirs[1]:
            total["lost"] += 1
            print(f"file {number}: {ours[1]} games with moves, python-chess {theirs[1]}", flush=True)
    print(
        f"{total['files']} files: {total['ours']} games, {total['ours_moves']} with moves;"
        f" python-chess {total['theirs']}, {total['theirs_moves']} with moves, more games on {total['fewer']} files,"
        f" more with moves on {total['lost']}, no game on {total['failed']}"
    )
    return total["lost"] > 0


def main():
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    chosen = options()
    if chosen.damage:
        sys.exit(damage(chosen))
    sys.exit(any([round_trip(chosen, path) for path in chosen.files]))


if __name__ == "__main__":
    main()
