"""The program ``vancura``, which comes with the package."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any, NoReturn

from ._positions import Folders, folders


def engine_path() -> str:
    """The engine's program, for everything that speaks UCI: ``chess.engine.SimpleEngine.popen_uci(vancura.engine_path())``.

    Raises:
        FileNotFoundError: The package was built without it.
    """
    path = Path(__file__).parent / "bin" / ("vancura.exe" if os.name == "nt" else "vancura")
    if not path.is_file():
        raise FileNotFoundError(f"this build of the package has no program: {path} is missing")
    return str(path)


def main() -> NoReturn:
    """The command ``vancura``: becomes the program."""
    try:
        program = engine_path()
    except FileNotFoundError as error:
        sys.exit(str(error))
    arguments = [program, *sys.argv[1:]]
    if os.name != "nt":
        os.execv(program, arguments)
    # Windows has no such call: Ctrl-C goes to both, and this waits for the program.
    process = subprocess.Popen(arguments)
    while True:
        with contextlib.suppress(KeyboardInterrupt):
            sys.exit(process.wait())


def analyse_pgn(
    games: str | os.PathLike[str],
    *,
    nodes: int | None = None,
    depth: int | None = None,
    time: float | None = None,
    multipv: int = 1,
    threads: int | None = None,
    syzygy: Folders = None,
    strict: bool = False,
) -> list[dict[str, Any]]:
    """Analyses games move by move, as ``vancura analyse`` does, and returns them as its JSON has them.

    Args:
        games: A path to a file, compressed or not, or a folder of files; or the games themselves as PGN.
        nodes, depth, time: The limit of each search; 200,000 nodes if there is none. Time is in seconds.
        multipv: How many lines to find at each position.
        threads: How many cores to use; all if not given.
        syzygy: Folders of endgame tables.
        strict: Whether a game with a bad move is refused instead of cut there.

    Returns:
        A dictionary for each game: tags, result, moves with their judgements, positions with their lines (docs/analysis.md).

    Raises:
        ValueError: No game can be read, or a setting cannot be used. What is lost of some games is a ``UserWarning``.
        FileNotFoundError: There is no such file.
    """
    with tempfile.TemporaryDirectory(prefix="vancura-") as folder:
        output = Path(folder) / "games.json"
        command = [engine_path(), "analyse", _input(games, Path(folder)), "--json", str(output)]
        options = {"nodes": nodes, "depth": depth, "multipv": multipv, "threads": threads}
        command += [f"--{name}={value}" for name, value in options.items() if value is not None]
        if time is not None:
            command.append(f"--time={time}")
        if tables := folders(syzygy):
            command.append(f"--syzygy={os.pathsep.join(tables)}")
        if strict:
            command.append("--strict")
        nothing = subprocess.DEVNULL
        done = subprocess.run(command, check=False, stdin=nothing, stdout=nothing, stderr=subprocess.PIPE)
        messages = done.stderr.decode("utf-8", "replace").strip()
        if not output.is_file():
            raise ValueError(messages or f"the engine ended with status {done.returncode}")
        with output.open(encoding="utf-8") as file:
            found: list[dict[str, Any]] = json.load(file)["games"]
        if not found:
            raise ValueError(messages)
        if done.returncode != 0:
            warnings.warn(messages, stacklevel=2)
        return found


def _input(games: str | os.PathLike[str], folder: Path) -> str:
    """The path of a file or folder, or of a file that has the text."""
    if os.path.exists(games):
        return os.path.abspath(games)
    if not isinstance(games, str) or not (set("\n[") & set(games) or games.lstrip().startswith("1.")):
        raise FileNotFoundError(f"there is no file {os.fspath(games)!r}, nor are these games")
    path = folder / "games.pgn"
    path.write_text(games, encoding="utf-8")
    return str(path)
