"""The four workloads of the trial, and what must come out of each."""

import bz2
import subprocess
import tarfile
import time

from server import Failure

ENGINE = "Vancura"
POLL = 2  # seconds

COMMON = {
    "priority": "0",
    "throughput": "1000",
    "syzygy_wdl": "DISABLED",
    "syzygy_adj": "DISABLED",
    "win_adj": "movecount=3 score=400",
    "draw_adj": "movenumber=40 movecount=8 score=10",
    "scale_method": "BASE",
    "scale_nps": "1000000",
    "upload_pgns": "FALSE",
    "info": "",
}


def side(name, repository, commit, nodes, bench="", network="", options=""):
    """The fields of one of the two engines; without a bench, the commit's message has it."""
    fields = {
        "engine": ENGINE,
        "repo": repository,
        "branch": commit,
        "bench": str(bench),
        "network": network,
        "options": f"Threads=1 Hash=8 {options}".strip(),
        "time_control": f"N={nodes}",
    }
    return {f"{name}_{field}": value for field, value in fields.items()}


class Trial:
    """What the workloads have in common, and the four of them."""

    def __init__(self, server, book, repository, nodes):
        self.server = server
        self.common = {**COMMON, "book_name": book}
        self.repository = repository
        self.nodes = nodes

    def create_sprt(self, priority, better, worse):
        """Two commits, each with its bench, of which the first is known to be the better one."""
        fields = {
            **side("dev", self.repository, better[0], self.nodes, better[1]),
            **side("base", self.repository, worse[0], self.nodes, worse[1]),
            "test_mode": "SPRT",
            "test_bounds": "[0.00, 50.00]",
            "test_confidence": "[0.05, 0.05]",
            "test_max_games": "0",
            "workload_size": "8",
        }
        return self.server.create("test", {**self.common, **fields, "priority": str(priority)})

    def create_games(self, priority, commit, bench, network, network_bench, games):
        """The uploaded network built in, against the same network as an option of the plain build."""
        fields = {
            **side("dev", self.repository, commit, self.nodes, network_bench, network),
            **side("base", self.repository, commit, self.nodes, bench, options=f"EvalFile=../Networks/{network}"),
            "test_mode": "GAMES",
            "test_bounds": "",
            "test_confidence": "",
            "test_max_games": str(games),
            "workload_size": str(max(games // 8, 1)),
        }
        return self.server.create("test", {**self.common, **fields, "priority": str(priority)})

    def create_tune(self, priority, commit, bench, parameters, games):
        """All numbers of the search, as the engine prints them."""
        pairs = 32
        fields = {
            **side("dev", self.repository, commit, self.nodes, bench),
            "spsa_inputs": parameters,
            "spsa_reporting_type": "BATCHED",
            "spsa_distribution_type": "SINGLE",
            "spsa_alpha": "0.602",
            "spsa_gamma": "0.101",
            "spsa_A_ratio": "0.1",
            "spsa_iterations": str(-(-games // (2 * pairs))),
            "spsa_pairs_per": str(pairs),
        }
        return self.server.create("tune", {**self.common, **fields, "priority": str(priority)})

    def create_datagen(self, priority, commit, bench, games):
        fields = {
            **side("dev", self.repository, commit, self.nodes, bench),
            **side("base", self.repository, commit, self.nodes, bench),
            "book_name": "NONE",
            "upload_pgns": "COMPACT",
            "win_adj": "None",
            "draw_adj": "None",
            "workload_size": str(max(games // 4, 1)),
            "datagen_max_games": str(games),
            "datagen_custom_genfens": "",
            "datagen_play_reverses": "NO",
        }
        return self.server.create("datagen", {**self.common, **fields, "priority": str(priority)})


def wait(server, number, worker, end):
    """Waits until a workload has ended; returns what is known of it."""
    while not (state := server.workload(number))["finished"]:
        if not worker.is_alive() or "Traceback (most recent call last)" in worker.log.read_text(errors="replace"):
            raise Failure(f"the worker failed:\n{worker.tail()}")
        if time.monotonic() > end:
            raise Failure(f"workload {number} took too long; the worker:\n{worker.tail()}")
        time.sleep(POLL)
    if state["error"]:
        raise Failure(f"workload {number}: an engine crashed or made an illegal move:\n{worker.tail()}")
    return state


def check(name, state, server):
    """Checks what came out of a workload, and says it."""
    match name:
        case "SPRT":
            return check_sprt(state)
        case "fixed games":
            return check_games(state)
        case "SPSA":
            return check_tune(state, server.get(f"/api/spsa/{state['id']}/digest/").decode())
    return figures(state)


def check_sprt(state):
    if not state["passed"]:
        raise Failure(f"the better commit did not pass: {figures(state)}")
    return f"passed, LLR {state['currentllr']:.2f}; {figures(state)}"


def check_games(state):
    # With one thread and fixed nodes both sides play the same, so both games of a pair are the same game.
    if state["penta"][2] * 2 != state["games"]:
        raise Failure(f"the built-in network and the loaded one differ: {figures(state)}")
    return f"each pair even, as it must be; {figures(state)}"


def check_tune(state, digest):
    rows = [line.split(",") for line in digest.splitlines()[1:]]
    moved = [row for row in rows if float(row[1]) != float(row[2])]
    if not moved:
        raise Failure("no value moved")
    largest = max(moved, key=lambda row: abs(float(row[1]) - float(row[2])) / float(row[6]))
    example = f"{largest[0]} from {largest[2]} to {largest[1]}"
    return f"{state['games']} games; {len(moved)} of {len(rows)} values moved, {example}"


def check_games_of_datagen(server, number, programs, folder, end):
    """Downloads the games, adds them to a pool and prepares records from it; returns what the programs say."""
    archive = download(server, number, end)
    pgn = folder / "datagen.pgn"
    (folder / "pgn.tar").write_bytes(archive)
    with tarfile.open(folder / "pgn.tar") as tar, pgn.open("wb") as output:
        for member in tar:
            output.write(bz2.decompress(tar.extractfile(member).read()) + b"\n")
    said = []
    for command in (
        ["datagen", "import", "pool.games", str(pgn)],
        ["trainer", "prepare", "pool.games", "--train", "train.records", "--validation", "validation.records"],
    ):
        done = subprocess.run([str(programs / command[0]), *command[1:]], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0 or "warning" in done.stdout + done.stderr:
            raise Failure(f"{' '.join(command)}: {done.stdout}{done.stderr}")
        said += [f"  {command[0]} {command[1]}: {line}" for line in done.stdout.splitlines()]
    return "\n".join(said)


def download(server, number, end):
    """The games of a workload; the server keeps them back until no worker has been at it for two minutes."""
    while (answer := server.get(f"/api/pgns/{number}/")).startswith(b"{"):
        if time.monotonic() > end:
            raise Failure(f"no games of workload {number}: {answer.decode()}")
        time.sleep(POLL)
    return answer


def figures(state):
    losses, draws, wins = state["tri"]
    return f"{state['games']} games: {wins} won, {draws} drawn, {losses} lost; pairs {list(state['penta'])}"
