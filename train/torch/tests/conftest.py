"""Toy data for the tests, made by the programs `datagen` and `trainer`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

#: What a command came to.
Done = subprocess.CompletedProcess[str]

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="session")
def programs() -> Path:
    """The folder of the programs, the newest build of them."""
    found = [folder for folder in (ROOT / "target" / "debug", ROOT / "target" / "release") if (folder / "trainer").exists()]
    if not found:
        pytest.skip("needs datagen and trainer: cargo build -p vancura-train")
    return max(found, key=lambda folder: (folder / "trainer").stat().st_mtime)


@pytest.fixture(scope="session")
def trainer(programs: Path) -> Callable[..., str]:
    """Runs `trainer` with arguments; returns what it prints, its error where it is refused."""

    def run(*arguments: object, refused: bool = False) -> str:
        done = subprocess.run([programs / "trainer", *map(str, arguments)], capture_output=True, text=True, check=False)
        assert (done.returncode != 0) == refused, done
        return done.stderr if refused else done.stdout

    return run


@pytest.fixture(scope="session")
def data(programs: Path, trainer: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `train.records`, `validation.records`, and `start/checkpoint`, a training of one batch."""
    folder = tmp_path_factory.mktemp("data")
    generate = f"generate {folder}/pool.games --games 100 --soft-nodes 30 --harvest 0.3 --seed 1 --threads 1"
    subprocess.run([programs / "datagen", *generate.split()], check=True, capture_output=True)
    files = ["--train", folder / "train.records", "--validation", folder / "validation.records"]
    trainer("prepare", folder / "pool.games", *files, "--held-out", 100)
    trainer("train", folder / "start", *files, *["--superbatches", "1", "--batches", "1", "--batch-size", "64"])
    return folder


@pytest.fixture
def torch_trainer(data: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Runs a command of this package on the toy data; the arguments follow the folder of the training.

    With a launcher, the arguments of Python before those of the package, in a process of its own.
    """

    def run(command: str, folder: Path, arguments: str = "", launcher: str = "") -> Done:
        files = f"--train {data}/train.records --validation {data}/validation.records --device cpu"
        line = f"{command} {folder} {files} {arguments}".split()
        if launcher:
            environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1]), "OMP_NUM_THREADS": "1"}
            line = [sys.executable, *launcher.split(), *line]
            return subprocess.run(line, capture_output=True, text=True, check=False, env=environment)
        from vancura_torch.__main__ import main

        capsys.readouterr()
        status = main(line)
        return subprocess.CompletedProcess(line, status, *capsys.readouterr())

    return run
