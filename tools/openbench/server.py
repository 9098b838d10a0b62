"""A server of OpenBench and a worker, both on the loopback address and in a temporary folder."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar

USER, PASSWORD = "vancura", "loopback-only"
PATIENCE = 60  # seconds for a process to start or to end

CREATE_USER = f"""
from django.contrib.auth.models import User
from OpenBench.models import Profile
user = User.objects.create_user({USER!r}, password={PASSWORD!r})
Profile.objects.create(user=user, enabled=True, approver=True)
"""

# The worker ends its games by `pkill -f` with a name, which would also end those of other workers on the machine. This
# one, found first in its path, sees only the processes of the worker's own session.
PKILL = '#!/bin/sh\nexec {pkill} --session 0 "$@"\n'


class Failure(Exception):
    """Something that was expected did not come about."""


class Process:
    """A program in a session of its own, which ends with all its children."""

    def __init__(self, command, log, **options):
        self.log = log
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True, **options
            )

    def is_alive(self):
        return self.process.poll() is None

    def tail(self, lines=30):
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(PATIENCE / 10)
        except subprocess.TimeoutExpired:
            pass
        # What the program started has its session, even where it has a process group of its own.
        subprocess.run(["pkill", "-KILL", "--session", str(self.process.pid)])
        self.process.wait()


def environment(hook):
    """What both programs need: the redirection of their requests, and no proxy between them."""
    return {**os.environ, "PYTHONPATH": str(hook), "PYTHONUNBUFFERED": "1", "NO_PROXY": "127.0.0.1"}


def make_venv(folder, checkout):
    """The Python of a virtual environment with what OpenBench asks for; made if it is not there."""
    python = folder / "bin" / "python"
    if not python.exists():
        print(f"installing OpenBench's requirements into {folder}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        for part in [".", "Client"]:
            requirements = checkout / part / "requirements.txt"
            subprocess.run([str(python), "-m", "pip", "install", "-q", "-r", str(requirements)], check=True)
    return python


class Server:
    """The website, and what a user does there."""

    def __init__(self, checkout, folder, python, hook, engine, books):
        """Copies the checkout into the folder and sets it up for one engine, a JSON file, and some books."""
        self.python = python
        self.created = 0
        self.folder = folder / "server"
        self.environment = environment(hook)
        shutil.copytree(checkout, self.folder, ignore=shutil.ignore_patterns(".git", "db.sqlite3", "Media"))
        self.configure(engine, books)
        self.manage("migrate", "-v", "0")
        self.manage("shell", "-c", CREATE_USER)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.cookies = CookieJar()
        # No proxy, whatever the environment says.
        handlers = [urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(self.cookies)]
        self.opener = urllib.request.build_opener(*handlers)

    def configure(self, engine, books):
        shutil.copy(engine, self.folder / "Engines")
        for name, checksum in books.items():
            source = f"https://raw.githubusercontent.com/books/{name}.zip"
            (self.folder / "Books" / f"{name}.json").write_text(json.dumps({"sha": checksum, "source": source}))
        path = self.folder / "Config" / "config.json"
        config = json.loads(path.read_text())
        path.write_text(json.dumps({**config, "engines": [engine.stem], "books": list(books)}))

    def manage(self, *arguments):
        command = [str(self.python), "manage.py", *arguments]
        done = subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failure(f"manage.py {arguments[0]}: {done.stderr}")

    def start(self, log):
        command = [str(self.python), "manage.py", "runserver", "--noreload", f"127.0.0.1:{self.port}"]
        return Process(command, log, cwd=self.folder, env=self.environment)

    def wait_until_ready(self, process):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and process.is_alive():
            try:
                return self.get("/api/config/")
            except OSError:
                time.sleep(0.2)
        raise Failure(f"the server does not answer:\n{process.tail()}")

    def get(self, path):
        with self.opener.open(self.address + path) as answer:
            return answer.read()

    def get_json(self, path):
        return json.loads(self.get(path))

    def post(self, path, fields):
        """Sends a form as the browser does; an error on the page that follows is an error here."""
        if not self.cookies:
            self.get("/login/")
            self.post("/login/", {"username": USER, "password": PASSWORD})
        token = next(cookie.value for cookie in self.cookies if cookie.name == "csrftoken")
        body = urllib.parse.urlencode({**fields, "csrfmiddlewaretoken": token}).encode()
        with self.opener.open(self.address + path, body) as answer:
            page = answer.read().decode()
        if found := re.search(r'class="error-message">\s*<pre>(.*?)</pre>', page, re.DOTALL):
            raise Failure(f"{path}: {found[1].strip()}")

    def upload(self, engine, name, file):
        """Uploads a network with OpenBench's script; returns the name the server knows it by."""
        script = [str(self.python), "Scripts/upload_net.py", "-U", USER, "-P", PASSWORD, "-S", self.address]
        script += ["-E", engine, "-N", name, "-F", str(file)]
        said = subprocess.run(script, cwd=self.folder, env=self.environment, capture_output=True, text=True)
        for network in self.get_json(f"/api/networks/{engine}/")["networks"]:
            if network["name"] == name:
                return network["sha256"]
        raise Failure(f"the network was not uploaded: {said.stdout}{said.stderr}")

    def create(self, kind, fields):
        """Creates a workload (`test`, `tune` or `datagen`); returns its number."""
        self.post(f"/{kind}/new/", fields)
        # They are numbered in order, and nobody else creates any.
        self.created += 1
        return self.created

    def workload(self, number):
        return self.get_json(f"/api/workload/{number}/info/")["info"]


def start_worker(server, folder, scratch, cores, log):
    """A worker with two threads, the fewest that tuning takes, on the given cores. Its programs stay in the folder."""
    shutil.copytree(server.folder / "Client", folder, dirs_exist_ok=True)
    tools = scratch / "tools"
    tools.mkdir()
    (tools / "pkill").write_text(PKILL.format(pkill=shutil.which("pkill")))
    (tools / "pkill").chmod(0o755)
    # Four builds in folders of their own share the crates that they depend on.
    builds = {"CARGO_BUILD_BUILD_DIR": os.environ.get("CARGO_BUILD_BUILD_DIR", str(scratch / "build"))}
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    command = ["taskset", "--cpu-list", cores, str(server.python), "client.py", "--no-client-downloads"]
    command += ["-U", USER, "-P", PASSWORD, "-S", server.address, "-T", "2", "-N", "1", "-I", "loopback"]
    return Process(command, log, cwd=folder, env={**server.environment, **builds, "PATH": path})


def end_cleanly_when_told():
    """SIGTERM and SIGHUP end this program as Ctrl-C does, so that nothing is left behind."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
