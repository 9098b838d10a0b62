#!/usr/bin/env python3
"""The Parquet tables of `vancura analyse` and `vancura store export`, read by DuckDB and pandas: the questions of docs/analysis.md
have the answers that plain Python finds in the JSON Lines of the same run, and all cells are equal.

    tables.py VANCURA

Needs `pip install duckdb pandas pyarrow`.
"""

from __future__ import annotations

import collections
import datetime
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import pandas

ROOT = Path(__file__).resolve().parents[2]
GAMES = [ROOT / "docs" / name for name in ("profile.pgn", "arbiter.pgn", "opening.pgn", "example.pgn")]
DATED = """
[UTCDate "2024.02.29"]
[UTCTime "23:59:58"]
[White "Anna"]
[Black "Ben"]
[WhiteElo "1800"]
[BlackRatingDiff "-7"]
[Result "0-1"]

1. f3 {[%clk 0:01:00]} e5 {[%clk 0:01:00]} 2. g4 {[%clk 0:00:05]} Qh4# 0-1
"""


def read(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def labels(positions: list[dict], _: list[dict]) -> set[tuple]:
    losses = collections.defaultdict(list)
    for row in positions:
        if row["multipv"] == 1 and row["label"]:
            losses[row["label"]].append(row["loss"])
    return {(label, len(some), round(mean(some), 6)) for label, some in losses.items()}


def players(_: list[dict], games: list[dict]) -> set[tuple]:
    accuracies = collections.defaultdict(list)
    for row in games:
        for name, accuracy in ((row["White"], row["white_accuracy"]), (row["Black"], row["black_accuracy"])):
            if name is not None and accuracy is not None:
                accuracies[name].append(accuracy)
    return {(name, len(some), round(mean(some), 6)) for name, some in accuracies.items()}


def openings(positions: list[dict], games: list[dict]) -> set[tuple]:
    names = {row["game_id"]: row["Opening"] for row in games}
    moves: dict = collections.defaultdict(list)
    for row in positions:
        if row["multipv"] == 1 and row["label"]:
            moves[names[row["game_id"]]].append(row["label"] == "blunder")
    return {(name, len(some), round(mean(some), 6)) for name, some in moves.items()}


def check_answers(questions: list[str], folder: Path) -> None:
    positions, games = read(folder / "positions.jsonl"), read(folder / "games.jsonl")
    for question, answer in zip(questions, (labels, players, openings), strict=True):
        expected = answer(positions, games)
        found = {(name, count, round(value, 6)) for name, count, value in duckdb.sql(question).fetchall()}
        assert expected and found == expected, (question, found ^ expected)


def check_types(folder: Path) -> None:
    types = {name: kind for name, kind, *_ in duckdb.sql(f"DESCRIBE SELECT * FROM '{folder}/games*.parquet'").fetchall()}
    expected = {"WhiteElo": "SMALLINT", "UTCDate": "DATE", "complete": "BOOLEAN", "plies": "UINTEGER", "movetext": "VARCHAR"}
    assert {name: types[name] for name in expected} == expected, types
    assert types["UTCTime"].startswith("TIME"), types
    dated = duckdb.sql(
        f"SELECT UTCDate, CAST(UTCTime AS VARCHAR), WhiteElo, BlackRatingDiff FROM '{folder}/games*.parquet' WHERE White = 'Anna' "
        "AND UTCDate IS NOT NULL"
    ).fetchall()
    assert [(date, time[:8], *rest) for date, time, *rest in dated] == [(datetime.date(2024, 2, 29), "23:59:58", 1800, -7)], dated


def check_cells(table: Path, rows: list[dict]) -> None:
    """All cells, by another reader."""
    frame = pandas.read_parquet(table)
    assert len(frame) == len(rows) and set(frame.columns) == set(rows[0]), (table, list(frame.columns), list(rows[0]))
    for found, row in zip(frame.to_dict("records"), rows, strict=True):
        for name, value in row.items():
            cell = found[name]
            if isinstance(cell, datetime.date | datetime.time):
                cell = str(cell)[:10]
            is_unknown = cell is None or cell is pandas.NaT or (isinstance(cell, float) and math.isnan(cell))
            assert cell == value or (is_unknown and value is None), (table, name, cell, value)


def check_store(program: Path) -> None:
    for form in ("jsonl", "parquet"):
        command = [program, "store", "export", "store.db", "-o", f"results.{form}"]
        subprocess.run(command, check=True, capture_output=True)
    rows = []
    for result in read(Path("results.jsonl")):
        more = result.pop("more")
        rows += [result | line for line in [{}, *more]]
    assert len(rows) > 20 and any(row["multipv"] == 2 for row in rows)
    check_cells(Path("results.parquet"), rows)


def main() -> None:
    program = Path(sys.argv[1]).resolve()
    text = (ROOT / "docs" / "analysis.md").read_text(encoding="utf-8")
    questions = re.findall(r"```sql\n(.*?)```", text, re.DOTALL)
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        Path("dated.pgn").write_text(DATED, encoding="utf-8")
        command = [program, "analyse", *GAMES, "dated.pgn", "--nodes", "500", "--multipv", "2"]
        outputs = ["--parquet", "tables", "--jsonl", "tables/", "--store", "store.db"]
        subprocess.run([*command, *outputs], check=True, capture_output=True)
        folder = Path("tables")
        check_answers(questions, folder)
        check_types(folder)
        for table in ("positions", "games"):
            check_cells(folder / f"{table}.parquet", read(folder / f"{table}.jsonl"))
            (folder / f"{table}.parquet").unlink()
        check_store(program)
        # Parts in one folder are the same data set.
        for part in ("1/2", "2/2"):
            subprocess.run([*command, "--parquet", "tables", "--shard", part], check=True, capture_output=True)
        assert len(list(folder.glob("*.parquet"))) == 4
        check_answers(questions, folder)
    print(f"{len(questions)} questions answered, all cells equal")


if __name__ == "__main__":
    main()
