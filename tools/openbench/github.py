"""A stand-in for GitHub on the loopback address: the few requests of OpenBench, answered from local repositories."""

import io
import json
import subprocess
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

# Loaded by every Python process that has its folder in PYTHONPATH. Nothing leaves the machine: what is not meant for
# the loopback address goes to the stand-in, with the host as the first part of the path.
REDIRECT = """\
import requests

_request = requests.Session.request


def _redirected(self, method, url, *arguments, **options):
    if not url.startswith("http://127.0.0.1:"):
        url = "{address}/" + url.split("://", 1)[1]
    return _request(self, method, url, *arguments, **options)


requests.Session.request = _redirected
"""


def git(repository, *arguments, **options):
    """What a git command prints, as bytes."""
    command = ["git", "-C", str(repository), *arguments]
    return subprocess.run(command, check=True, capture_output=True, **options).stdout


class NotServed(Exception):
    """A request for something that is not there."""


class GitHub(ThreadingHTTPServer):
    """Serves the `repositories`, a path for each `owner/name`, and `books`, a file for each name."""

    daemon_threads = True

    def __init__(self, repositories, books):
        super().__init__(("127.0.0.1", 0), Handler)
        self.repositories = repositories
        self.books = books
        self.address = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def write_redirect(self, folder):
        """Puts a `sitecustomize` into the folder, which sends the requests of Python processes here."""
        (folder / "sitecustomize.py").write_text(REDIRECT.format(address=self.address))

    def answer(self, path):
        """The body of the answer."""
        match path.strip("/").split("/"):
            case ["api.github.com", "repos", owner, name, "branches", *branch]:
                commit = self.commit(f"{owner}/{name}", f"refs/heads/{'/'.join(branch)}")
                return json.dumps({"commit": commit}).encode()
            case ["api.github.com", "repos", owner, name, "commits", *ref]:
                return json.dumps(self.commit(f"{owner}/{name}", "/".join(ref))).encode()
            case ["api.github.com", "repos", owner, name, "compare", pair]:
                ahead = git(self.repository(f"{owner}/{name}"), "rev-list", "--count", pair.replace("...", ".."))
                return json.dumps({"ahead_by": int(ahead), "status": "ahead" if int(ahead) else "behind"}).encode()
            case ["api.github.com", "repos", owner, name, "zipball", ref]:
                return self.archive(f"{owner}/{name}", ref)
            case ["github.com", owner, name, "archive", file]:
                return self.archive(f"{owner}/{name}", file.removesuffix(".zip"))
            case ["raw.githubusercontent.com", *_, file] if file.removesuffix(".zip") in self.books:
                return zipped(self.books[file.removesuffix(".zip")])
        raise NotServed(path)

    def repository(self, name):
        if name not in self.repositories:
            raise NotServed(name)
        return self.repositories[name]

    def commit(self, name, ref):
        """A commit as the API describes it, as far as OpenBench looks."""
        shown = git(self.repository(name), "log", "-1", "--format=%H%n%B", "--end-of-options", ref).decode()
        sha, message = shown.split("\n", 1)
        return {"sha": sha, "commit": {"message": message.strip()}}

    def archive(self, name, ref):
        """The files of a commit in one folder; of the newest one where the ref is not known, as in a snapshot."""
        repository = self.repository(name)
        known = subprocess.run(["git", "-C", str(repository), "rev-parse", "-q", "--verify", ref], capture_output=True)
        tree = ref if known.returncode == 0 else "HEAD"
        return git(repository, "archive", "--format=zip", f"--prefix={name.replace('/', '-')}-{ref}/", tree)


class Handler(BaseHTTPRequestHandler):
    """Answers a request, or says 404."""

    def do_GET(self):
        try:
            status, body = 200, self.server.answer(urlsplit(self.path).path)
        except (NotServed, subprocess.CalledProcessError):
            status, body = 404, b'{"message": "Not Found"}'
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def zipped(file: Path):
    """A zip archive of one file."""
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(file, file.name)
    return body.getvalue()
