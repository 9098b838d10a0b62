"""The engine: searches with settings that are given once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from . import _vancura
from ._positions import Folders, Position, folders, position_input, position_inputs
from ._results import Analysis, Line

#: The nodes of a search for which no limit is given.
DEFAULT_NODES = 200_000

_HASH_RANGE = range(1, (1 << 20) + 1)
_THREADS_RANGE = range(1, 1025)
_LINES_RANGE = range(1, 257)
_ELO_RANGE = range(800, 2851)
_CONTEMPT_RANGE = range(-100, 101)


class Engine:
    """Vancura, with limits and settings that hold for all its searches.

    An answer depends on nothing but the question: each search begins with empty tables, and one that is limited by nodes or
    depth on one thread finds the same on every machine. Several Python threads may search at once; each gets a searcher of
    its own. Engines can be pickled, as their settings.

    Args:
        nodes: The most positions that a search visits. Without any limit these are 200,000.
        depth: The most full plies.
        time: The most seconds.
        multipv: How many lines to find, from 1 to 256.
        threads: How many threads search one position, from 1 to 1024.
        hash: The size of the transposition table in MiB.
        syzygy: Folders of Syzygy endgame tables.
        network: A file with another network.
        contempt: How many centipawns a draw is worth less than an even game to the side to move, from -100 to 100.
        elo: A limited strength, from 800 to 2850, whose moves depend on ``seed``.

    Raises:
        ValueError: A setting is out of range, or a file cannot be used.
    """

    def __init__(
        self,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        time: float | None = None,
        multipv: int = 1,
        threads: int = 1,
        hash: int = 16,
        syzygy: Folders = None,
        network: str | os.PathLike[str] | None = None,
        contempt: int = 0,
        elo: int | None = None,
        seed: int = 0,
    ) -> None:
        self._limits: dict[str, Any] = {"nodes": nodes, "depth": depth, "time": time, "multipv": multipv}
        self._settings: dict[str, Any] = {
            "threads": _within("threads", threads, _THREADS_RANGE),
            "hash": _within("hash", hash, _HASH_RANGE),
            "syzygy": folders(syzygy),
            "network": None if network is None else os.fspath(network),
            "contempt": _within("contempt", contempt, _CONTEMPT_RANGE),
            "elo": None if elo is None else _within("elo", elo, _ELO_RANGE),
            "seed": seed,
        }
        _checked(**self._limits)
        self._searcher = _vancura.Searcher(
            threads,
            hash,
            self._settings["network"],
            self._settings["syzygy"],
            contempt,
            None if elo is None else (elo, seed % (1 << 64)),
        )

    def analyse(
        self,
        position: Position,
        moves: Iterable[Any] = (),
        *,
        nodes: int | None = None,
        depth: int | None = None,
        time: float | None = None,
        multipv: int | None = None,
        root_moves: Iterable[Any] = (),
    ) -> Analysis:
        """Searches a position and returns what was found.

        Args:
            position: A FEN, ``"startpos"``, or a ``chess.Board``, whose moves count for repetitions.
            moves: Moves from there, in UCI's notation.
            nodes, depth, time, multipv: Other limits than the engine's; any of the first three replaces all three.
            root_moves: The only moves to consider.

        Raises:
            ValueError: The position, a move or a limit cannot be used.
        """
        infos = self.infos(position, moves, nodes=nodes, depth=depth, time=time, multipv=multipv, root_moves=root_moves)
        with infos:
            for _ in infos:
                pass
            return infos.analysis()

    def infos(
        self,
        position: Position,
        moves: Iterable[Any] = (),
        *,
        nodes: int | None = None,
        depth: int | None = None,
        time: float | None = None,
        multipv: int | None = None,
        root_moves: Iterable[Any] = (),
        infinite: bool = False,
    ) -> Infos:
        """Searches a position and yields each line as it is found, as :meth:`analyse` else.

        The iteration may be left at any time; ``infinite`` searches until then.
        """
        question = position_input(position, moves)
        limits = _limits_input(self._limits, nodes, depth, time, multipv, root_moves)
        if infinite:
            limits = (None, None, None, *limits[3:])
        return Infos(_vancura.fen(question), self._searcher.start(question, limits))

    def play(self, position: Position, moves: Iterable[Any] = (), **limits: Any) -> str | None:
        """The move to play, in UCI's notation; ``None`` if there is none."""
        return self.analyse(position, moves, **limits).best

    def analyse_batch(
        self,
        positions: Iterable[Position],
        *,
        nodes: int | None = None,
        depth: int | None = None,
        time: float | None = None,
        multipv: int | None = None,
        searches: int | None = None,
    ) -> list[Analysis]:
        """Searches many positions on all cores and returns what was found in each, in their order.

        Args:
            positions: FENs or boards; an array or table of Arrow, or a series or frame of pandas, with a column ``fen``.
            searches: How many positions to search at a time; as many as there are cores for if not given.
        """
        questions = position_inputs(positions)
        limits = _limits_input(self._limits, nodes, depth, time, multipv, ())
        if searches is None:
            searches = max(1, _cores() // self._settings["threads"])
        answers = _vancura.analyse_many(self._searcher, questions, limits, _within("searches", searches, _THREADS_RANGE))
        return [
            Analysis(_vancura.fen(question), tuple(Line.of(line) for line in lines), *best)
            for question, (lines, best) in zip(questions, answers, strict=True)
        ]

    def close(self) -> None:
        """Gives back the memory of all searches that have ended. The engine can be used again."""
        self._searcher.clear()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, ({**self._limits, **self._settings},)

    def __repr__(self) -> str:
        settings = {**self._limits, **self._settings}
        return f"Engine({', '.join(f'{name}={value!r}' for name, value in settings.items() if value not in (None, []))})"


class Infos(Iterator[Line]):
    """The lines of a running search, as they are found; ends the search when it is closed."""

    def __init__(self, fen: str, search: _vancura.Search) -> None:
        self._fen = fen
        self._search = search
        self._lines: dict[int, Line] = {}
        self._best: tuple[str | None, str | None] | None = None

    def __next__(self) -> Line:
        if self._best is not None:
            raise StopIteration
        raw, best = self._search.next()
        if raw is None:
            self._best = (best[0], best[1])
            raise StopIteration
        line = Line.of(raw)
        self._lines[line.multipv] = line
        return line

    def stop(self) -> None:
        """Asks the search to end; what it has found last may still follow."""
        self._search.stop()

    def analysis(self) -> Analysis:
        """What was found. A search that still runs is ended."""
        self.stop()
        for _ in self:
            pass
        assert self._best is not None
        return Analysis(self._fen, tuple(self._lines[rank] for rank in sorted(self._lines)), *self._best)

    def close(self) -> None:
        """Ends the search and waits for it."""
        self._search.close()

    def __enter__(self) -> Infos:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _again(settings: dict[str, Any]) -> Engine:
    return Engine(**settings)


def _limits_input(
    own: dict[str, Any],
    nodes: int | None,
    depth: int | None,
    time: float | None,
    multipv: int | None,
    root_moves: Iterable[Any],
) -> tuple[int | None, int | None, float | None, int, list[str]]:
    if nodes is None and depth is None and time is None:
        nodes, depth, time = own["nodes"], own["depth"], own["time"]
    multipv = own["multipv"] if multipv is None else multipv
    _checked(nodes, depth, time, multipv)
    if nodes is None and depth is None and time is None:
        nodes = DEFAULT_NODES
    words = root_moves.split() if isinstance(root_moves, str) else root_moves
    return nodes, depth, time, multipv, [move if isinstance(move, str) else move.uci() for move in words]


def _checked(nodes: int | None, depth: int | None, time: float | None, multipv: int) -> None:
    if nodes is not None:
        _within("nodes", nodes, range(1, 1 << 63))
    if depth is not None:
        _within("depth", depth, range(1, 1 << 31))
    if time is not None and not 0 < time < 1e9:
        raise ValueError(f"time must be positive and in seconds, not {time!r}")
    _within("multipv", multipv, _LINES_RANGE)


def _within(name: str, value: int, values: range) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be a whole number, not {value!r}")
    if value not in values:
        raise ValueError(f"{name} must be from {values[0]} to {values[-1]}, not {value}")
    return value


def _cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
