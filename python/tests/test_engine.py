"""Searches."""

from __future__ import annotations

import concurrent.futures
import pickle
import threading
import time

import chess
import chess.engine
import pytest
from conftest import played

import vancura

MATE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
NODES = 2_000


def told(info: chess.engine.InfoDict):
    score = info["score"].white()
    mate = score.mate()
    return score.score() if mate is None else None, mate, [move.uci() for move in info["pv"]]


def found(line: vancura.Line):
    return line.cp, line.mate, list(line.moves)


@pytest.mark.parametrize("chess960", [False, True])
def test_searches_find_what_the_program_finds(uci, chess960):
    engine = vancura.Engine(nodes=NODES)
    boards = [played(seed, 2 + seed % 90, chess960) for seed in range(290)]
    boards = [board for board in boards if not board.is_game_over()][:250]
    assert len(boards) == 250
    answers = engine.analyse_batch(boards)
    for index, (board, answer) in enumerate(zip(boards, answers, strict=True)):
        info = uci.analyse(board, chess.engine.Limit(nodes=NODES), game=index)
        assert told(info) == found(answer.lines[0]), board.fen()
        assert info["nodes"] == answer.nodes
        # One at a time and many at once are the same.
        if index % 10 == 0:
            single = engine.analyse(board)
            assert (single.fen, found(single.lines[0]), single.best) == (answer.fen, found(answer.lines[0]), answer.best)


def test_answers_do_not_depend_on_earlier_ones():
    engine = vancura.Engine(nodes=5_000, multipv=3)
    first = engine.analyse("startpos")
    engine.analyse(MATE)
    again = engine.analyse("startpos")
    assert [found(line) for line in first.lines] == [found(line) for line in again.lines]
    assert len(first.lines) == 3 and first.best == first.lines[0].moves[0] and first.ponder == first.lines[0].moves[1]


def test_scores_are_for_white():
    engine = vancura.Engine(nodes=NODES)
    assert engine.analyse(MATE).mate == 1
    mirrored = chess.Board(MATE).mirror()
    assert engine.analyse(mirrored).mate == -1
    up = "4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1"
    assert engine.analyse(up).lines[0].points > 0.9 and engine.analyse(up).wdl[0] > 900


def test_positions_without_a_move_have_a_score():
    engine = vancura.Engine(depth=3)
    mated = engine.analyse("R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1")
    assert (mated.best, mated.ponder, mated.mate, mated.lines[0].moves) == (None, None, 0, ())
    stalemate = engine.analyse("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert (stalemate.best, stalemate.cp, stalemate.wdl) == (None, 0, (0, 1000, 0))
    assert engine.play("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1") is None


def test_moves_before_the_position_count():
    engine = vancura.Engine(nodes=20_000)
    start = "7k/8/8/8/8/8/q7/5Q1K w - - 0 1"
    board = chess.Board(start)
    for move in ["f1f8", "h8h7", "f8f5", "h7h8", "f5f8", "h8h7", "f8f5", "h7h8"]:
        board.push_uci(move)
    text = engine.analyse(start, [move.uci() for move in board.move_stack])
    words = engine.analyse(start, " ".join(move.uci() for move in board.move_stack))
    assert found(text.lines[0]) == found(words.lines[0]) == found(engine.analyse(board).lines[0])
    # Without them nothing has been repeated, and other nodes are searched.
    alone = engine.analyse(board.fen())
    assert alone.fen == text.fen
    assert (found(alone.lines[0]), alone.lines[0].seldepth) != (found(text.lines[0]), text.lines[0].seldepth)
    assert text.fen == board.fen(en_passant="fen")


def test_null_moves_are_no_game():
    board = chess.Board()
    board.push_uci("e2e4")
    board.push(chess.Move.null())
    assert vancura.legal_moves(board) == sorted(move.uci() for move in board.legal_moves)


def test_other_limits_replace_those_of_the_engine():
    engine = vancura.Engine(nodes=100_000)
    assert engine.analyse("startpos", nodes=1_000).nodes <= 1_000
    assert engine.analyse("startpos", depth=4).depth == 4
    assert engine.analyse("startpos", time=0.05).nodes > 0
    only = engine.analyse("startpos", nodes=1_000, root_moves=["a2a3", "h2h3"], multipv=5)
    assert {line.moves[0] for line in only.lines} == {"a2a3", "h2h3"}
    assert engine.analyse("startpos", nodes=1_000, root_moves=[chess.Move.from_uci("a2a3")]).best == "a2a3"


def test_infos_come_one_after_the_other():
    engine = vancura.Engine(depth=8)
    with engine.infos("startpos") as infos:
        lines = list(infos)
        assert [line.depth for line in lines] == sorted(line.depth for line in lines)
        assert lines[-1].depth == 8 and infos.analysis().lines[0] == lines[-1]
        assert list(infos) == []


def test_an_endless_search_ends_when_it_is_left():
    engine = vancura.Engine()
    with engine.infos("startpos", infinite=True) as infos:
        for line in infos:
            if line.depth >= 6:
                break
        analysis = infos.analysis()
    assert analysis.best and analysis.depth >= 6
    # One that nobody closes ends as well.
    infos = engine.infos("startpos", infinite=True)
    next(infos)
    del infos
    assert engine.analyse("startpos", nodes=500).best


def test_two_threads_search_at_once():
    engine = vancura.Engine(nodes=300_000)
    started = threading.Barrier(2)
    spans = []

    def search():
        started.wait()
        begin = time.perf_counter()
        engine.analyse("startpos")
        spans.append((begin, time.perf_counter()))

    threads = [threading.Thread(target=search) for _ in range(2)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    (first, first_end), (second, second_end) = sorted(spans)
    assert second < first_end and second_end > first


def test_other_threads_run_meanwhile():
    engine, ticks = vancura.Engine(), []
    with engine.infos("startpos", infinite=True) as infos:
        thread = threading.Thread(target=lambda: ticks.extend(range(1000)))
        thread.start()
        next(infos)
        thread.join()
    assert len(ticks) == 1000


def test_engines_are_pickled_as_their_settings():
    engine = vancura.Engine(nodes=3_000, multipv=2, hash=4, contempt=10)
    again = pickle.loads(pickle.dumps(engine))
    assert repr(again) == repr(engine)
    lines = [found(line) for line in engine.analyse(MATE).lines]
    with concurrent.futures.ProcessPoolExecutor(2) as processes:
        for analysis in processes.map(engine.analyse, [MATE] * 4):
            assert [found(line) for line in analysis.lines] == lines


def test_strength_can_be_limited():
    weak = vancura.Engine(elo=900, seed=7, nodes=2_000)
    assert weak.play("startpos") == vancura.Engine(elo=900, seed=7, nodes=2_000).play("startpos")
    moves = {vancura.Engine(elo=900, seed=seed, nodes=2_000).play("startpos") for seed in range(20)}
    assert len(moves) > 2


@pytest.mark.parametrize(
    "settings",
    [
        {"nodes": 0},
        {"nodes": -5},
        {"nodes": 1.5},
        {"nodes": True},
        {"depth": 0},
        {"depth": 1 << 40},
        {"time": 0},
        {"time": -1.0},
        {"time": float("nan")},
        {"time": float("inf")},
        {"multipv": 0},
        {"multipv": 257},
        {"threads": 0},
        {"threads": 5000},
        {"hash": 0},
        {"hash": 1 << 30},
        {"contempt": 101},
        {"elo": 799},
        {"elo": 2851},
        {"syzygy": "/nowhere/at/all"},
        {"network": "/nowhere/at/all.nnue"},
        {"network": __file__},
    ],
)
def test_bad_settings_are_refused(settings):
    with pytest.raises((ValueError, TypeError), match="."):
        vancura.Engine(**settings)


def test_bad_questions_are_refused():
    engine = vancura.Engine(nodes=100)
    for position in ["", "nonsense", "8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K2X w - - 0 1", "\x00", "k" * 100_000]:
        with pytest.raises(ValueError, match="."):
            engine.analyse(position)
        with pytest.raises(ValueError, match="."):
            engine.analyse_batch(["startpos", position])
    for position in [None, 5, b"startpos", object(), ["startpos"]]:
        with pytest.raises(TypeError):
            engine.analyse(position)
    for moves in [["e2e5"], ["e2e4", "e2e4"], ["x"], ["0000"]]:
        with pytest.raises(ValueError, match="."):
            engine.analyse("startpos", moves)
    with pytest.raises(ValueError, match="."):
        engine.analyse("startpos", root_moves=["e2e5"])
    with pytest.raises(TypeError):
        engine.analyse_batch("startpos")
    # And it still works.
    assert engine.analyse("startpos").best


def test_tables_become_rows():
    rows = vancura.Engine(nodes=500, multipv=2).analyse("startpos").rows()
    assert [row["multipv"] for row in rows] == [1, 2]
    assert all((row["cp"] is None) != (row["mate"] is None) for row in rows)
    assert rows[0]["wdl_win"] + rows[0]["wdl_draw"] + rows[0]["wdl_loss"] == 1000
