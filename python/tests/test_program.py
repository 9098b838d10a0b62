"""The program that comes with the package, and games."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import vancura

GAME = '[White "A"]\n[Black "B"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'


def command(*arguments: str, **options):
    return subprocess.run(
        [str(Path(sys.executable).with_name("vancura")), *arguments], capture_output=True, text=True, **options
    )


def test_the_command_is_the_program():
    assert (
        command("--version").stdout
        == subprocess.run([vancura.engine_path(), "--version"], capture_output=True, text=True, check=True).stdout
    )
    assert command("--version").stdout.startswith(f"Vancura {vancura.__version__}")
    assert command(input="uci\nquit\n").stdout.rstrip().endswith("uciok")
    assert command("nonsense").returncode == 2
    module = subprocess.run([sys.executable, "-m", "vancura", "perft", "3"], capture_output=True, text=True, check=True)
    assert "8902" in module.stdout


def test_games_are_analysed_from_text_and_from_files(tmp_path):
    (game,) = vancura.analyse_pgn(GAME, nodes=1_000)
    assert game["result"] == "0-1" and [move["san"] for move in game["moves"]] == ["f3", "e5", "g4", "Qh4#"]
    path = tmp_path / "-games.pgn"
    path.write_text(GAME + "\n" + GAME.replace("f3", "f4"))
    first, second = vancura.analyse_pgn(path, nodes=1_000)
    assert first["positions"] == game["positions"] and second["moves"][0]["san"] == "f4"
    assert vancura.analyse_pgn(str(path), nodes=1_000) == [first, second]
    assert vancura.analyse_pgn(tmp_path, nodes=1_000) == [first, second]


def test_games_that_cannot_be_read_are_said():
    with pytest.raises(FileNotFoundError):
        vancura.analyse_pgn("no-such-file.pgn")
    with pytest.raises(FileNotFoundError):
        vancura.analyse_pgn(Path("no-such-file.pgn"))
    with pytest.raises(ValueError, match="."):
        vancura.analyse_pgn("[nothing]\n")
    with pytest.warns(UserWarning, match="Qh5"):
        (game,) = vancura.analyse_pgn(GAME.replace("Qh4#", "Qh5#"), nodes=1_000)
    assert len(game["moves"]) == 3
    with pytest.raises(ValueError, match="Qh5"):
        vancura.analyse_pgn(GAME.replace("Qh4#", "Qh5#"), nodes=1_000, strict=True)
    with pytest.raises(ValueError, match="."):
        vancura.analyse_pgn(GAME, nodes=-1)


@pytest.mark.skipif(os.name == "nt", reason="sends a signal of Unix")
@pytest.mark.parametrize(
    "work",
    [
        "vancura.Engine().analyse('startpos', time=600)",
        "vancura.Engine(time=600).analyse_batch(['startpos'] * 8)",
        "list(vancura.Engine().infos('startpos', infinite=True))",
        "vancura.perft('startpos', 12)",
        f"vancura.analyse_pgn({GAME!r}, time=600)",
    ],
)
def test_ctrl_c_ends_all_work(work):
    # A job in the background has inherited that it ignores the signal.
    heeds = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    tries = (
        f"import vancura\nprint('ready', flush=True)\ntry:\n    {work}\nexcept KeyboardInterrupt:\n    print('interrupted')\n"
    )
    script = heeds + tries
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=60)[0] == "interrupted\n"
