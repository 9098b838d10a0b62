#!/usr/bin/env python3
"""Brings up a private OpenBench on the loopback address and runs four workloads on it, or lets it be used by hand."""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import workloads
from github import GitHub, git
from server import Failure, PASSWORD, USER, Server, end_cleanly_when_told, make_venv, start_worker

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CONFIGURATION = HERE / "Vancura.json"
BOOK = "vancura_genfens.epd"
OPENINGS = 500


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("openbench", type=Path, help="a checkout of OpenBench; it is copied and left as it is")
    parser.add_argument("fastchess", type=Path, help="a repository of fastchess, which the worker builds")
    parser.add_argument("--venv", type=Path, help="keep OpenBench's Python packages in this folder")
    parser.add_argument("--worker", type=Path, help="keep what the worker builds in this folder")
    parser.add_argument("--programs", type=Path, help="a folder with vancura, datagen and trainer; else they are built")
    parser.add_argument("--cores", default="0", help="the cores that the worker runs on, such as 0,1 (default 0)")
    parser.add_argument("--nodes", type=int, default=1000, help="nodes for each move (default 1000)")
    parser.add_argument("--games", type=int, default=512, help="games of the tuning; a quarter elsewhere (default 512)")
    parser.add_argument("--minutes", type=int, default=120, help="give up after so many minutes (default 120)")
    parser.add_argument("--serve", action="store_true", help="create no workloads, and run until Ctrl-C")
    return parser.parse_args()


def build():
    """The programs of this repository that the trial compares with; returns their folder."""
    command = ["cargo", "build", "--release", "-p", "vancura", "-p", "vancura-train"]
    subprocess.run(command, cwd=ROOT, check=True)
    return ROOT / "target" / "release"


class Commits:
    """The repository's commits in a bare clone, with branches of its own for the workloads."""

    def __init__(self, folder):
        self.path = folder / "vancura.git"
        subprocess.run(["git", "clone", "-q", "--bare", "--shared", str(ROOT), str(self.path)], check=True)
        self.head = git(ROOT, "rev-parse", "HEAD").decode().strip()
        # Always the same date, so the same changes give the same commit, which a worker's folder may hold already.
        date = git(ROOT, "log", "-1", "--format=%cI").decode().strip()
        dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        self.environment = {**os.environ, **dates, "GIT_INDEX_FILE": str(folder / "index")}

    def variant(self, branch, message, changes):
        """A branch with one commit on top, in which files have other contents, or are gone; returns the commit."""

        def run(*arguments, **options):
            return git(self.path, *arguments, env=self.environment, **options).decode().strip()

        run("read-tree", self.head)
        for path, content in changes.items():
            # Mode 0 removes a file.
            entry = f"0 {'0' * 40}\t{path}\n"
            if content is not None:
                entry = f"100644 {run('hash-object', '-w', '--stdin', input=content)}\t{path}\n"
            run("update-index", "--index-info", input=entry.encode())
        author = ["-c", "user.name=trial", "-c", "user.email=trial@localhost"]
        commit = run(*author, "commit-tree", run("write-tree"), "-p", self.head, "-m", message)
        run("update-ref", f"refs/heads/{branch}", commit)
        return commit

    def with_network(self, file, bench):
        """The engine with another network, as a commit."""
        files = git(ROOT, "ls-tree", "--name-only", self.head, "eval/networks/").decode().split()
        [old] = [path for path in files if path.endswith(".nnue")]
        message = f"Evaluate with another network\n\nBench: {bench}"
        return self.variant("network", message, {old: None, f"eval/networks/{file.name}": file.read_bytes()})

    def for_tuning(self, bench):
        """The engine whose numbers are options: a commit with one line of the Makefile changed."""
        makefile = git(ROOT, "show", f"{self.head}:Makefile").replace(b"\nFEATURES ?=\n", b"\nFEATURES ?= tune\n")
        return self.variant("tune", f"Build with the feature tune\n\nBench: {bench}", {"Makefile": makefile})


def ask(programs, *lines):
    """What the engine prints for these lines of UCI."""
    return subprocess.run([str(programs / "vancura"), *lines], check=True, capture_output=True, text=True).stdout


def bench(programs, *before):
    return int(ask(programs, *before, "bench").splitlines()[-1].split()[0])


def write_book(programs, path):
    """Openings drawn by the engine; returns their checksum."""
    lines = ask(programs, f"genfens {OPENINGS} seed 1", "quit").splitlines()
    path.write_text("".join(line.removeprefix("info string genfens ") + "\n" for line in lines))
    return hashlib.sha256(path.read_bytes()).hexdigest()


def create_workloads(server, commits, programs, folder, arguments):
    """Creates the four workloads; returns their numbers, by name, in the order in which the worker takes them."""
    repository = json.loads(CONFIGURATION.read_text())["source"]
    trial = workloads.Trial(server, BOOK, repository, arguments.nodes)
    network = folder / "seed.nnue"
    subprocess.run([str(programs / "trainer"), "seed", str(network)], check=True, capture_output=True)
    plain, other = bench(programs), bench(programs, f"setoption name EvalFile value {network}")
    uploaded = server.upload(workloads.ENGINE, "seed", network)
    few = arguments.games // 4
    parameters = ask(programs, "spsa").strip()
    # The server keeps the games of the first back until the worker has gone on to others.
    return {
        "datagen": trial.create_datagen(4, commits.head, plain, few),
        "SPRT": trial.create_sprt(3, (commits.head, plain), (commits.with_network(network, other), "")),
        "fixed games": trial.create_games(2, commits.head, plain, uploaded, other, few),
        "SPSA": trial.create_tune(1, commits.for_tuning(plain), plain, parameters, arguments.games),
    }


def follow_workloads(numbers, server, worker, programs, folder, minutes):
    """Waits for each workload, checks what came out and prints it."""
    started = time.monotonic()
    end = started + 60 * minutes
    for name, number in numbers.items():
        state = workloads.wait(server, number, worker, end)
        outcome = workloads.check(name, state, server)
        print(f"{name}: {time.monotonic() - started:.0f} s with its builds; {outcome}", flush=True)
        started = time.monotonic()
    said = workloads.check_games_of_datagen(server, numbers["datagen"], programs, folder, end)
    print(f"the games of the datagen:\n{said}", flush=True)


def run(arguments, stack):
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="openbench-")))
    programs = arguments.programs.resolve() if arguments.programs else build()
    python = make_venv((arguments.venv or folder / "venv").resolve(), arguments.openbench)
    commits = Commits(folder)
    book = folder / BOOK
    books = {BOOK: write_book(programs, book)}
    repositories = {"/".join(json.loads(CONFIGURATION.read_text())["source"].split("/")[-2:]): commits.path}
    config = json.loads((arguments.openbench / "Config" / "config.json").read_text())
    repositories["/".join(config["fastchess_repo_url"].split("/")[-2:])] = arguments.fastchess.resolve()
    github = GitHub(repositories, {BOOK: book})
    stack.callback(github.shutdown)
    hook = folder / "hook"
    hook.mkdir()
    github.write_redirect(hook)
    server = Server(arguments.openbench, folder, python, hook, CONFIGURATION, books)
    process = stack.enter_context(server.start(folder / "server.log"))
    server.wait_until_ready(process)
    numbers = {} if arguments.serve else create_workloads(server, commits, programs, folder, arguments)
    client = (arguments.worker or folder / "worker").resolve()
    worker = stack.enter_context(start_worker(server, client, folder, arguments.cores, folder / "worker.log"))
    print(f"OpenBench runs at {server.address}, user {USER}, password {PASSWORD}", flush=True)
    if not arguments.serve:
        return follow_workloads(numbers, server, worker, programs, folder, arguments.minutes)
    while process.is_alive() and worker.is_alive():
        time.sleep(workloads.POLL)
    raise Failure(f"the server or the worker has ended:\n{process.tail()}\n{worker.tail()}")


def main():
    end_cleanly_when_told()
    arguments = parse_arguments()
    try:
        with ExitStack() as stack:
            run(arguments, stack)
    except KeyboardInterrupt:
        sys.exit(130)
    except subprocess.CalledProcessError as error:
        sys.exit(f"error: {error}\n{(error.stderr or b'')!s}")
    except (Failure, OSError) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
