#!/usr/bin/env python3
"""Writes pgn/src/eco/openings.tsv from a checkout of https://github.com/lichess-org/chess-openings (CC0).

    tools/openings/update.py path/to/chess-openings COMMIT > pgn/src/eco/openings.tsv

The lines are sorted by their moves, and each gives only the moves in which it differs from the line before.
"""

import csv
import re
import subprocess
import sys


def main():
    folder, commit = sys.argv[1:]
    lines = []
    for letter in "abcde":
        text = subprocess.run(
            ["git", "-C", folder, "show", f"{commit}:{letter}.tsv"], capture_output=True, check=True, encoding="utf-8"
        ).stdout
        for row in csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE):
            moves = re.sub(r"\d+\.", " ", row["pgn"]).split()
            lines.append((moves, row["eco"], row["name"]))
    lines.sort()
    before = []
    for moves, eco, name in lines:
        shared = 0
        while shared < min(len(before), len(moves)) and before[shared] == moves[shared]:
            shared += 1
        print(eco, name, shared, " ".join(moves[shared:]), sep="\t")
        before = moves


main()
