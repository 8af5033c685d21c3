"""A server that speaks SandboxFusion's ``/run_code`` and runs programs, in this library's own sandbox."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from verifiers.code import Cause, Job, Limits, LocalEngine

_LANGUAGES = {"python": "python", "cpp": "cpp", "bash": "bash", "nodejs": "javascript"}


@dataclass
class Server:
    """What a test sees of it.

    Args:
        url: Where it listens.
        engine: What runs programs.
        requests: The bodies that came.
        before: Called with each body; what it returns, if anything, is sent instead: status and content.
    """

    url: str
    engine: LocalEngine
    requests: list[dict[str, Any]] = field(default_factory=list)
    before: Callable[[dict[str, Any]], tuple[int, bytes] | None] = lambda body: None
    most_at_once: int = 0
    _now: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, body: dict[str, Any]) -> tuple[int, bytes]:
        """Status and content for a request."""
        with self._lock:
            self.requests.append(body)
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
        try:
            return self.before(body) or (200, json.dumps(self._run(body)).encode())
        finally:
            with self._lock:
                self._now -= 1

    def _run(self, body: dict[str, Any]) -> dict[str, Any]:
        seconds = float(body.get("run_timeout", 10))
        limits = Limits(seconds, int(body["memory_limit_MB"]) << 20, wall_seconds=seconds)
        stdin = (body.get("stdin") or "").encode("utf-8", "surrogatepass")
        job = Job(_LANGUAGES[body["language"]], body["code"], limits, stdins=(stdin,))
        [report] = self.engine.run([job])
        [run] = report.runs
        timed_out = run.cause in (Cause.CPU_TIME, Cause.WALL_TIME)
        result = {
            "status": "TimeLimitExceeded" if timed_out else "Finished",
            "execution_time": run.cpu_seconds,
            "return_code": None if timed_out else int(run.cause is not Cause.OK),
            "stdout": run.output.decode("utf-8", "replace")[: 1 << 20],
            "stderr": run.errors.decode("utf-8", "replace"),
        }
        compiled = {**result, "stdout": ""} if run.cause is Cause.COMPILE_ERROR else None
        return {
            "status": "Success" if run.cause is Cause.OK else "Failed",
            "message": "",
            "compile_result": compiled,
            "run_result": None if compiled else result,
            "executor_pod_name": None,
            "files": {},
        }


@contextmanager
def serving() -> Iterator[Server]:
    """A server on this machine."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, content = server.answer(body) if self.path == "/run_code" else (404, b"{}")
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Nothing on the terminal."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server = Server(f"http://127.0.0.1:{http.server_port}", LocalEngine(size=2))
    thread = threading.Thread(target=http.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()
        server.engine.close()
