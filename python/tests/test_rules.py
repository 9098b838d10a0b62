"""Rules and evaluation."""

from __future__ import annotations

import random
import subprocess

import chess
import numpy
import pyarrow
import pytest
from conftest import played

import vancura


@pytest.mark.parametrize("chess960", [False, True])
def test_moves_are_those_of_another_library(chess960):
    for seed in range(150):
        board = played(seed, seed % 100, chess960)
        assert vancura.legal_moves(board) == sorted(move.uci() for move in board.legal_moves), board.fen()
        for move in board.legal_moves:
            assert vancura.san(board, move.uci()) == board.san(move)


def test_perft_counts():
    assert [vancura.perft("startpos", depth) for depth in range(6)] == [1, 20, 400, 8902, 197281, 4865609]
    assert vancura.perft("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4) == 4085603
    for depth in [-1, 21, 1.0]:
        with pytest.raises((ValueError, TypeError)):
            vancura.perft("startpos", depth)


def test_fens_are_read_as_people_write_them():
    start = chess.STARTING_FEN
    for text in [start, "startpos", f"  {start}  ", f"{start};", f'"{start}"', f"fen {start}", f'{start} bm e4; id "1";']:
        assert vancura.fen(text) == start
    assert vancura.fen("startpos", "e2e4 e7e5") == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"


def test_evaluations_are_those_of_the_program():
    boards = [played(seed, seed % 80) for seed in range(300)]
    fens = [board.fen() for board in boards]
    values = vancura.evaluate(fens)
    assert values.dtype == numpy.int32 and values.shape == (300,)
    told = subprocess.run(
        [vancura.engine_path(), "eval", "-"], input="\n".join(fens), capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert [round(float(line.rsplit(": ", 1)[1].split()[0]) * 100) for line in told] == values.tolist()
    chances = vancura.evaluate_wdl(fens, threads=2)
    assert chances.shape == (300, 3) and (chances.sum(axis=1) == 1000).all()
    assert vancura.evaluate(boards).tolist() == values.tolist()
    assert vancura.evaluate(fens, threads=1).tolist() == values.tolist()


def test_arrow_and_columns_are_taken():
    fens = [played(seed, 20).fen() for seed in range(5)]
    values = vancura.evaluate(fens).tolist()
    table = pyarrow.table({"id": range(5), "fen": fens})
    for positions in [table, table.column("fen"), pyarrow.array(fens), table.to_batches()[0], iter(fens)]:
        assert vancura.evaluate(positions).tolist() == values
    with pytest.raises((KeyError, ValueError)):
        vancura.evaluate(pyarrow.table({"id": [1]}))
    assert vancura.evaluate([]).tolist() == []


def test_dead_positions_are_proven():
    assert vancura.winnable("4k3/8/8/8/8/8/8/4K3 w - - 0 1") == (False, False)
    assert vancura.winnable("8/8/4k3/8/8/3KR3/8/8 b - - 0 1") == (True, False)
    assert vancura.is_dead("8/8/k7/p1p1p1p1/P1P1P1P1/3B4/8/K7 w - - 0 1")
    assert not vancura.is_dead("startpos")


def test_a_thousand_bad_inputs_raise():
    choice, start = random.Random(5), chess.STARTING_FEN
    letters = "KQRBNPkqrbnp12345678/ wb-0xé\x00"
    refused = 0
    for _ in range(1500):
        text = list(start)
        for _ in range(choice.randrange(3, 12)):
            text[choice.randrange(len(text))] = choice.choice(letters)
        fen = "".join(text)
        for ask in [vancura.legal_moves, vancura.fen, lambda fen: vancura.evaluate([fen])]:
            try:
                ask(fen)
            except ValueError as error:
                assert str(error)
                refused += 1
    assert refused > 1000
