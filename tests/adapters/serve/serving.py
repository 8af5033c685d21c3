"""A server as a user starts it, in a process of its own, ended with the test."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.support import ROOT

# Of servers and of clients in this process: tokens do not go into the home of who runs the tests.
os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())

START = 120
"""Seconds, on a machine that runs other tests."""


@dataclass
class Running:
    """A server that answers."""

    url: str
    process: subprocess.Popen[str]
    http: httpx.Client
    logged: list[str]
    token_file: Path | None = None

    def post(self, path: str, body: Any, **options: Any) -> httpx.Response:
        return self.http.post(path, content=json.dumps(body), **options)

    def score(self, rows: list[dict[str, Any]], **fields: Any) -> Any:
        answer = self.post("/score", {"rows": rows, **fields})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def with_token(self, path: str) -> str:
        """An address that carries the token in itself, for clients that send no headers of one's own."""
        if self.token_file is None:
            return f"{self.url}{path}"
        return f"{self.url}{path}?access_token={self.token_file.read_text(encoding='ascii').strip()}"

    def workers(self) -> list[int]:
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return [
            int(child)
            for thread in threads
            for child in thread.read_text().split()
            if b"reward_verifiers.verifiers.runtime.worker" in Path(f"/proc/{child}/cmdline").read_bytes()
        ]


def told(answer: httpx.Response, status: int) -> str:
    """What a refusal says; all refusals have one shape."""
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert error["status"] == status
    assert error["kind"]
    message: str = error["message"]
    return message


@contextmanager
def running(*arguments: str, token: str | None = None) -> Iterator[Running]:
    """A server on a port of its own.

    Args:
        *arguments: Of `verify-cli serve`.
        token: In its environment.
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    environment.pop("REWARD_SERVER_TOKEN", None)
    if token is not None:
        environment["REWARD_SERVER_TOKEN"] = token
    process = subprocess.Popen(
        [sys.executable, "-m", "adapters.cli", "serve", "--port", "0", *arguments],
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment,
        start_new_session=True,
    )
    assert process.stderr is not None
    said = []
    url = ""
    try:
        for line in process.stderr:
            said.append(line)
            if line.startswith("serving "):
                url = next(word for word in line.split() if word.startswith("http")).rstrip(";")
                break
        assert url, "".join(said)
        # What it says later must not fill the pipe.
        logged: list[str] = []
        threading.Thread(target=logged.extend, args=(process.stderr,), daemon=True).start()
        made = re.search(r"the token is in (\S+\.token),", line)
        token = token if made is None else Path(made[1]).read_text(encoding="ascii").strip()
        headers = {} if made is None else {"authorization": f"Bearer {token}"}
        with httpx.Client(base_url=url, timeout=START, trust_env=False, headers=headers) as http:
            yield Running(url, process, http, logged, None if made is None else Path(made[1]))
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(START)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(START)
        process.stderr.close()
