"""What is found, as data. All scores and chances are for White."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Line:
    """A line of play with its score, which is for White."""

    multipv: int
    """The line's rank among the best, from 1."""
    cp: int | None
    """Hundredths of a pawn, of which 100 win half of the games; there is this or ``mate``, and never both."""
    mate: int | None
    """Mate in this many moves; negative if White is mated, 0 if the side to move is."""
    wdl: tuple[int, int, int]
    """Of a thousand games, how many White wins, draws and loses."""
    bound: str
    """``exact``, or that the true score is at least (``lower``) or at most (``upper``) this."""
    depth: int
    """The full plies of the iteration."""
    seldepth: int
    """The deepest ply reached."""
    nodes: int
    """Positions visited so far."""
    time: float
    """Seconds so far."""
    tbhits: int
    """Hits of endgame tables so far."""
    dead: bool
    """Whether neither side can mate any more, by any legal moves."""
    moves: tuple[str, ...]
    """The moves in UCI's notation."""
    san: tuple[str, ...]
    """The same in Standard Algebraic Notation."""

    @property
    def points(self) -> float:
        """The points that White may expect, from 0 to 1."""
        win, draw, _ = self.wdl
        return (win + draw / 2) / 1000

    @classmethod
    def of(cls, raw: Any) -> Line:
        multipv, (depth, seldepth), (cp, mate, wdl), bound, nodes, time, tbhits, dead, moves, san = raw
        return cls(multipv, cp, mate, tuple(wdl), bound, depth, seldepth, nodes, time, tbhits, dead, tuple(moves), tuple(san))


@dataclass(frozen=True)
class Analysis:
    """What a search has found."""

    fen: str
    """The position."""
    lines: tuple[Line, ...]
    """The best lines, the best one first. Without a legal move there is one without moves."""
    best: str | None
    """The move to play, in UCI's notation; ``None`` without a legal move."""
    ponder: str | None
    """The expected answer."""

    @property
    def cp(self) -> int | None:
        """That of the best line."""
        return self.lines[0].cp

    @property
    def mate(self) -> int | None:
        """That of the best line."""
        return self.lines[0].mate

    @property
    def wdl(self) -> tuple[int, int, int]:
        """Those of the best line."""
        return self.lines[0].wdl

    @property
    def depth(self) -> int:
        """The full plies of the last iteration."""
        return self.lines[0].depth

    @property
    def nodes(self) -> int:
        """Positions visited."""
        return max(line.nodes for line in self.lines)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each line, with the columns that ``vancura analyse --jsonl`` has for a position."""
        win, draw, loss = self.wdl
        return [
            {
                "fen": self.fen,
                "multipv": line.multipv,
                "cp": line.cp,
                "mate": line.mate,
                "points": line.points,
                "line": " ".join(line.moves) or None,
                "wdl_win": win,
                "wdl_draw": draw,
                "wdl_loss": loss,
                "depth": self.depth,
                "knodes": self.nodes // 1000,
                "nodes": self.nodes,
            }
            for line in self.lines
        ]
