"""Vancura, a chess engine: search, evaluation, the rules of chess, and the program itself, with the network inside.

>>> import vancura
>>> engine = vancura.Engine(depth=8)
>>> engine.play("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
'd1d8'
>>> vancura.legal_moves("7k/8/5KQ1/8/8/8/8/8 b - - 0 1")
[]

All scores and chances are for White.
"""

from ._clusters import Analyser
from ._clusters import schema as spark_schema
from ._engine import DEFAULT_NODES, Engine, Infos
from ._program import analyse_pgn, engine_path
from ._results import Analysis, Line
from ._rules import evaluate, evaluate_wdl, fen, is_dead, legal_moves, perft, san, winnable
from ._vancura import NETWORK, __version__

__all__ = [
    "DEFAULT_NODES",
    "NETWORK",
    "Analyser",
    "Analysis",
    "Engine",
    "Infos",
    "Line",
    "__version__",
    "analyse_pgn",
    "engine_path",
    "evaluate",
    "evaluate_wdl",
    "fen",
    "is_dead",
    "legal_moves",
    "perft",
    "san",
    "spark_schema",
    "winnable",
]
