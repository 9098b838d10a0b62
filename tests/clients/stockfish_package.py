#!/usr/bin/env python3
"""Every public method of the Python package `stockfish` with a UCI engine: a value or an exception, and never a wait
without end. The package reads in lock-step: it sends a line and reads until the line that Stockfish ends its answer with.

    python3 stockfish_package.py ENGINE

What is checked holds for Stockfish 15.1 too, so the script can be tried with it. Needs `pip install stockfish==5.2.0`.
"""

import faulthandler
import inspect
import sys
import warnings

from stockfish import Stockfish, StockfishException

# A call that takes longer ends the script, with the place where it waits. Generous: it is no measure of speed.
PATIENCE = 120

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
EN_PASSANT = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"
MATED = "R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1"
STALEMATED = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
BLACK_IS_LOST = "3qk3/8/8/8/8/8/QQQ5/4K3 b - - 0 1"
CHESS960 = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"

tried = set()


def call(engine, name, *arguments, **named):
    """Calls a method; the result, or the exception."""
    tried.add(name)
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    try:
        return getattr(engine, name)(*arguments, **named)
    except Exception as error:  # Which one is for the caller to judge.
        return error
    finally:
        faulthandler.cancel_dump_traceback_later()


def check(condition, *shown):
    assert condition, shown


def raises(kind, engine, name, *arguments, **named):
    result = call(engine, name, *arguments, **named)
    check(isinstance(result, kind), name, arguments, named, result)


def returns(expected, engine, name, *arguments, **named):
    result = call(engine, name, *arguments, **named)
    check(type(result) is type(expected) and result == expected, name, arguments, named, result, expected)


def is_move(value):
    return isinstance(value, str) and len(value) in (4, 5)


def positions(s):
    returns(START, s, "get_fen_position")
    returns(None, s, "make_moves_from_start", ["e2e4", "e7e5"])
    after = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    returns(after, s, "get_fen_position")
    # A move that cannot be played, at the end or before it: the package notices, and goes back.
    for moves in (["e2e4"], ["g1f3", "g1f3"], ["g1f3", "b8c6", "zz"], ["e4e6", "a7a6"]):
        raises(ValueError, s, "make_moves_from_current_position", moves)
        returns(after, s, "get_fen_position")
    raises(ValueError, s, "make_moves_from_current_position", ["g1f3 b8c6"])
    returns(None, s, "make_moves_from_current_position", ["g1f3", "b8c6"])
    returns(None, s, "make_moves_from_current_position", None)
    returns("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", s, "get_fen_position")
    raises(ValueError, s, "make_moves_from_start", ["e2e5"])
    returns(START, s, "get_fen_position")
    raises(ValueError, s, "set_fen_position", "no position")
    returns(None, s, "set_fen_position", MATED)
    returns(MATED, s, "get_fen_position")
    returns(None, s, "make_moves_from_start")
    returns(None, s, "flip")
    returns("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", s, "get_fen_position")
    returns(None, s, "send_ucinewgame_command")
    s.set_fen_position(START)
    for fen, expected in ((START, True), (STALEMATED, False), (MATED, False), (CHESS960, True), ("junk", False),
                          ("8/8/8/8/8/8/8/8 w - - 0 1", False), ("k7/8/8/8/8/8/8/7K w - - 0 1", True)):
        returns(expected, s, "is_fen_valid", fen)


def board(s):
    s.set_fen_position(START)
    white = call(s, "get_board_visual").splitlines()
    black = call(s, "get_board_visual", perspective_white=False).splitlines()
    check(len(white) == len(black) == 18, white, black)
    check(white[1] == "| r | n | b | q | k | b | n | r | 8" and white[17].split() == list("abcdefgh"), white)
    check(black[1] == "| R | N | B | K | Q | B | N | R | 1" and black[17].split() == list("hgfedcba"), black)
    returns(Stockfish.Piece.WHITE_KING, s, "get_what_is_on_square", "e1")
    returns(Stockfish.Piece.BLACK_QUEEN, s, "get_what_is_on_square", "D8")
    returns(None, s, "get_what_is_on_square", "e4")
    raises(ValueError, s, "get_what_is_on_square", "i1")
    count, moves = call(s, "get_perft", 3)
    check(count == 8902 and len(moves) == 20 and moves["e2e4"] == 600, count, moves)
    raises(ValueError, s, "get_perft", 0)
    returns(True, s, "is_move_legal", "e2e4")
    returns(False, s, "is_move_legal", "e2e5")
    s.set_fen_position(EN_PASSANT)
    returns(Stockfish.Capture.EN_PASSANT, s, "will_move_be_a_capture", "e5f6")
    returns(Stockfish.Capture.NO_CAPTURE, s, "will_move_be_a_capture", "g1f3")
    raises(ValueError, s, "will_move_be_a_capture", "e5d6")
    s.set_fen_position(MATED)
    returns((0, {}), s, "get_perft", 2)


def searches(s):
    s.set_fen_position(START)
    returns(None, s, "set_depth", 6)
    returns(6, s, "get_depth")
    raises(ValueError, s, "set_depth", 0)
    returns(None, s, "set_num_nodes", 3000)
    returns(3000, s, "get_num_nodes")
    raises(ValueError, s, "set_num_nodes", 0)
    check(is_move(call(s, "get_best_move")))
    check(is_move(call(s, "get_best_move", wtime=300, btime=300)))
    check(is_move(call(s, "get_best_move", btime=300)))
    check(is_move(call(s, "get_best_move_time", 50)))
    output = call(s, "raw_stockfish_output", Stockfish.get_best_move)
    check(output[-1].startswith("bestmove "), output)
    raises(ValueError, s, "raw_stockfish_output", Stockfish.get_static_eval)
    for result in (call(s, "get_evaluation"), call(s, "get_evaluation", searchtime=50)):
        check(result["type"] == "cp" and isinstance(result["value"], int), result)
    check(isinstance(call(s, "get_static_eval"), float))
    check(isinstance(call(s, "get_static_eval"), float))
    returns(START, s, "get_fen_position")
    for wdl in (call(s, "get_wdl_stats"), call(s, "get_wdl_stats", get_as_tuple=True, time=50)):
        check(len(wdl) == 3 and sum(wdl) == 1000, wdl)
    top = call(s, "get_top_moves", 3)
    check(len(top) == 3 and all(set(move) == {"Move", "Centipawn", "Mate"} for move in top), top)
    for result in (call(s, "get_top_moves", 2, verbose=True), call(s, "get_top_moves", 2, True, 2000)):
        check(len(result) == 2 and all(is_move(move["Move"]) and move["PVMoves"] and move["WDL"] for move in result), result)
    raises(ValueError, s, "get_top_moves", 0)
    s.set_fen_position(MATE_IN_ONE)
    returns("a1a8", s, "get_best_move")
    returns({"type": "mate", "value": 1}, s, "get_evaluation")
    returns([{"Move": "a1a8", "Centipawn": None, "Mate": 1}], s, "get_top_moves", 1)
    for fen, score in ((MATED, {"type": "mate", "value": 0}), (STALEMATED, {"type": "cp", "value": 0})):
        s.set_fen_position(fen)
        returns(None, s, "get_best_move")
        returns(None, s, "get_best_move_time", 50)
        returns(score, s, "get_evaluation")
        returns([], s, "get_top_moves", 3)
        returns(None, s, "get_wdl_stats")
    s.set_fen_position(MATED)
    returns(None, s, "get_static_eval")
    returns(None, s, "get_static_eval")
    s.set_fen_position(BLACK_IS_LOST)
    returns(True, s, "get_turn_perspective")
    check(call(s, "get_evaluation")["value"] < 0 and call(s, "get_static_eval") < 0)
    returns(None, s, "set_turn_perspective", False)
    returns(False, s, "get_turn_perspective")
    check(call(s, "get_evaluation")["value"] > 0 and call(s, "get_static_eval") > 0)
    s.set_turn_perspective(True)


def strengths(s):
    s.set_fen_position(START)
    s.set_depth(8)
    full = call(s, "get_evaluation")
    for name, value in (("set_elo_rating", 1400), ("set_skill_level", 5)):
        returns(None, s, name, value)
        check(is_move(call(s, "get_best_move")))
        check(call(s, "raw_stockfish_output", Stockfish.get_best_move)[-2].startswith("info depth 8 "), name)
        # What is not the move is of full strength, as the package promises.
        top = call(s, "get_top_moves", 3)
        check(len(top) == 3, name, top)
        check(abs(call(s, "get_evaluation")["value"] - full["value"]) < 60, name, full)
        check(sum(call(s, "get_wdl_stats")) == 1000)
    returns(None, s, "resume_full_strength")
    raises(ValueError, s, "set_elo_rating", 100)
    raises(ValueError, s, "set_skill_level", 21)
    parameters = call(s, "get_engine_parameters")
    check(parameters["Skill Level"] == 20 and parameters["UCI_LimitStrength"] is False, parameters)
    returns(None, s, "update_engine_parameters", {"Threads": 2, "Hash": 32, "MultiPV": 500, "Contempt": 10})
    check(len(call(s, "get_top_moves", 2)) == 2)
    raises(ValueError, s, "update_engine_parameters", {"Hash": "64"})
    raises(ValueError, s, "update_engine_parameters", {"No such": 1})
    returns(None, s, "reset_engine_parameters")
    check(call(s, "get_engine_parameters")["Threads"] == 1)
    s.update_engine_parameters({"UCI_Chess960": True})
    s.set_fen_position("1k6/8/8/8/8/8/8/R3KR2 w FA - 0 1")
    returns(Stockfish.Capture.NO_CAPTURE, s, "will_move_be_a_capture", "e1f1")
    s.reset_engine_parameters()


def rest(s):
    for name in ("get_parameters", "info"):
        raises(NotImplementedError, s, name)
    returns(True, s, "does_current_engine_version_have_wdl_option")
    check(isinstance(call(s, "get_stockfish_major_version"), int))
    check(isinstance(call(s, "get_stockfish_minor_version"), int))
    check("." in call(s, "get_stockfish_major_minor_version"))
    for name in ("get_stockfish_patch_version", "get_stockfish_sha_version"):
        check(isinstance(call(s, name), str), name)
    check(isinstance(call(s, "is_development_build_of_engine"), bool))
    returns(None, s, "set_debug_view", False)
    s.set_fen_position(START)
    for limit, kind in ((1, "depth"), (500, "nodes"), (2, "perft"), (1, "movetime")):
        parameters = s.BenchmarkParameters(ttSize=16, threads=1, limit=limit, limitType=kind)
        line = call(s, "benchmark", parameters)
        check(isinstance(line, str) and line.startswith("Nodes/second    : ") and int(line.split(":")[1]) > 0, kind, line)
    s.set_fen_position(EN_PASSANT)
    returns(EN_PASSANT, s, "get_fen_position")
    returns(None, s, "send_quit_command")
    raises(StockfishException, s, "get_best_move")


def main():
    # That an engine plays below its strength.
    warnings.simplefilter("ignore")
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    engine = Stockfish(sys.argv[1], depth=6)
    faulthandler.cancel_dump_traceback_later()
    for part in (positions, board, searches, strengths, rest):
        part(engine)
    public = {name for name, _ in inspect.getmembers(Stockfish, inspect.isfunction) if not name.startswith("_")}
    check(not public - tried, "not tried", public - tried)
    print(f"{len(public)} methods answer")


if __name__ == "__main__":
    main()
