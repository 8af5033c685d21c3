"""A report on this machine's own address, brought up to date while its files grow.

Rows that were read stay, and what JSON Lines have gained, whole lines only, is added. The server is
http.server's: a report needs no extra, as FastAPI would.
"""

from __future__ import annotations

import codecs
import html
import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from reward_verifiers.verifiers import ConfigError

from ..files.jsonl import CHUNK_BYTES, CHUNK_ROWS, MAX_LINE, Line, Overlong
from .page import Packed, packed_about, page
from .report_data import Report, finished_report
from .report_table import Table
from .row_texts import Blocks, Spool
from .run_logs import RunLogs, run_logs
from .run_sides import run_names
from .scored_rows import Columns, Readings, ScoredFiles, ScoredRow, outcome_part


class GrowingReport:
    """Follows scored files, or the folder of a run.

    Args:
        paths: The files; or one folder.
        columns: Names of their columns.
        outcome: The part that is the accuracy; None to find it.
    """

    def __init__(self, paths: list[str], columns: Columns, outcome: str | None = None) -> None:
        self.paths, self.columns, self.outcome = paths, columns, outcome
        self._folder = Path(paths[0]) if len(paths) == 1 and Path(paths[0]).is_dir() else None
        self._seen: tuple[object, ...] | None = None
        self._logs: RunLogs | None = None
        self._runs = {} if self._folder is not None else run_names(paths)
        self._begin([])

    def _begin(self, paths: list[str]) -> None:
        self._files = ScoredFiles(list(paths), self.columns, self._runs)
        self._growing = {path: GrowingFile(path) for path in paths}
        self._table = Table(self.columns)
        self._blocks = Blocks(Readings(), None, Spool())
        self._part: str | None = None

    def refreshed(self) -> Report | None:
        """Return the current report; None where nothing has changed since the last call.

        Raises:
            ConfigError: There are no scored rows yet, or a file cannot be read.
        """
        seen = self._state()
        if seen == self._seen:
            return None
        try:
            report = self._read()
        except ConfigError:
            self._begin([])  # what was read of the first row's chunk is to be read again
            raise
        self._seen = seen
        return report

    def _read(self) -> Report:
        self._logs = None if self._folder is None else run_logs(self._folder)
        paths = self.paths if self._logs is None else self._logs.files
        anew = not set(self._growing) <= set(paths) or any(file.replaced() for file in self._growing.values())
        if anew or not all(map(grows, paths)):
            self._begin(paths)
        for path in paths:
            if path not in self._growing:
                self._growing[path] = GrowingFile(path)
                self._files.paths.append(path)
        for row in self._new_rows(paths):
            if not len(self._table):
                self._part = outcome_part(row.named, row.parts, self.outcome)
            place = len(self._table)
            self._table.add(row)
            self._blocks.add(place, row)
        self._blocks.close()
        return finished_report(self.paths, self._files, self._table, self._part, self._blocks, self._logs)

    def _new_rows(self, paths: list[str]) -> Iterator[ScoredRow]:
        if all(map(grows, paths)):
            for file in self._growing.values():
                yield from self._files.taken(file.chunks())
        else:
            yield from self._files.rows()

    def _state(self) -> tuple[object, ...]:
        """Return the stamps by which a change of the files is seen."""
        paths = [Path(path) for path in self.paths]
        if self._folder is not None:
            names = ("completions/train.rank*.jsonl", "history.jsonl", "alarms.jsonl", "*.json")
            stages = [self._folder, *self._folder.glob("[0-9]*-*")]
            paths = sorted(path for stage in stages for name in names for path in stage.glob(name))
        return tuple(_stamp(path) for path in paths)


def _stamp(path: Path) -> object:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return str(path), found.st_ino, found.st_size, found.st_mtime_ns


EVERY = 1.0
"""Seconds between looks at the files."""
SHARE = 0.1
"""Of a core that bringing the report up to date may take, on average: files of a million rows wait longer."""
LOOPBACK = "127.0.0.1"
_WAITING = """<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="2">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>
<p>{said}</p><p>This page looks again every two seconds. / 2초마다 다시 확인합니다.</p>
"""


@dataclass(frozen=True)
class Snapshot:
    """A report as it was at some time.

    Args:
        version: Counts up with each change.
        report: The report; its table may have more rows by now.
        packed: Data of the page, served and saved.
        data: Its figures and numbers, as the page asks for them.
    """

    version: int
    report: Report
    packed: Mapping[bool, Packed]
    data: bytes


class Follower:
    """Brings a report up to date in a thread of its own.

    Args:
        growing: The report.
        say: Function that shows a line about a problem.
    """

    def __init__(self, growing: GrowingReport, say: Callable[[str], object]) -> None:
        self.growing, self.say = growing, say
        self.snapshot: Snapshot | None = None
        self.problem = ""
        self._ended = threading.Event()

    def look(self) -> float:
        """Look once, and return the seconds to wait until the next look."""
        started = time.monotonic()
        try:
            report = self.growing.refreshed()
            self.problem = ""
        except (ConfigError, OSError) as error:
            # Files of a run come one after the other; what cannot be read now may be whole in a moment.
            if str(error) != self.problem:
                self.problem = str(error)
                self.say(f"waiting: {error}")
            return EVERY
        if report is not None:
            version = 1 if self.snapshot is None else self.snapshot.version + 1
            served = Packed.of(report, version)
            saved = Packed(packed_about(report), served.columns)
            data = json.dumps({"about": served.about, "columns": served.columns}).encode()
            self.snapshot = Snapshot(version, report, {True: served, False: saved}, data)
        return max(EVERY, (time.monotonic() - started) / SHARE)

    def run(self) -> None:
        """Look until `end` is called."""
        while not self._ended.wait(self.look()):
            pass

    def end(self) -> None:
        """Let `run` end."""
        self._ended.set()


def serve_page(
    growing: GrowingReport,
    library: str,
    port: int,
    *,
    say: Callable[[str], object],
    ready: Callable[[str], object],
) -> None:
    """Serve until the process is interrupted or asked to end (SIGTERM).

    Args:
        growing: The report.
        library: Library that draws its charts.
        port: Port of this machine's own address; 0 for any that is free.
        say: Function that shows a line about a problem.
        ready: Told the address.

    Raises:
        ConfigError: The port is taken.
    """
    follower = Follower(growing, say)
    try:
        server = PageServer((LOOPBACK, port), follower, library)
    except OSError as error:
        raise ConfigError(f"--port {port}: {error.strerror}; choose another one, or 0 for any") from None
    following = threading.Thread(target=follower.run, daemon=True)
    following.start()
    with server, _ended_by_sigterm():
        ready(f"http://{LOOPBACK}:{server.server_port}/")
        try:
            server.serve_forever(poll_interval=0.1)
        except KeyboardInterrupt:
            say("ended")
        finally:
            follower.end()


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """SIGTERM as an interrupt; a thread that is not the main one cannot ask for signals."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class PageServer(ThreadingHTTPServer):
    """Serves the follower's reports."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, address: tuple[str, int], follower: Follower, library: str) -> None:
        super().__init__(address, _Handler)
        self.follower, self.library = follower, library

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors of connections that a browser has closed."""


class _Handler(BaseHTTPRequestHandler):
    server: PageServer
    protocol_version = "HTTP/1.1"
    timeout = 60

    def do_GET(self) -> None:
        # A page of somebody else's that is called by a name which leads here must not read rows.
        if self.headers.get("Host", "").partition(":")[0] not in (LOOPBACK, "localhost"):
            self._send(HTTPStatus.FORBIDDEN, b"only this machine's own address is served", "text/plain")
            return
        path = self.path.partition("?")[0]
        snapshot = self.server.follower.snapshot
        if snapshot is None:
            self._wait(path)
        elif path in ("/", "/report.html"):
            self._page(snapshot, path == "/")
        elif path == "/version":
            self._send(HTTPStatus.OK, json.dumps({"version": snapshot.version}).encode(), "application/json")
        elif path == "/data":
            self._send(HTTPStatus.OK, snapshot.data, "application/json")
        elif path.startswith("/data/texts-"):
            self._block(snapshot, path.removeprefix("/data/texts-"))
        else:
            self._send(HTTPStatus.NOT_FOUND, b"not found", "text/plain")

    def _wait(self, path: str) -> None:
        """Before there is anything to show."""
        said = html.escape(self.server.follower.problem or "reading ...")
        body = _WAITING.format(title="waiting", said=said).encode("utf-8", "backslashreplace")
        status = HTTPStatus.OK if path == "/" else HTTPStatus.NOT_FOUND
        self._send(status, body, "text/html; charset=utf-8")

    def _page(self, snapshot: Snapshot, live: bool) -> None:
        """Piece by piece: all texts of a large file do not fit into memory."""
        self.send_response(HTTPStatus.OK)
        self._headers("text/html; charset=utf-8")
        if not live:
            self.send_header("Content-Disposition", 'attachment; filename="report.html"')
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in self._pieces(snapshot, live):
            data = piece.encode("utf-8", "backslashreplace")
            if data:
                self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.write(b"0\r\n\r\n")

    def _pieces(self, snapshot: Snapshot, live: bool) -> Iterator[str]:
        version = snapshot.version if live else None
        return page(snapshot.report, self.server.library, version, snapshot.packed[live])

    def _block(self, snapshot: Snapshot, number: str) -> None:
        texts = snapshot.report.blocks
        blocks = [] if texts is None else texts.blocks
        plain = number.isascii() and number.isdecimal() and len(number) < 10
        if not plain or int(number) >= len(blocks):
            self._send(HTTPStatus.NOT_FOUND, b"not found", "text/plain")
            return
        self._send(HTTPStatus.OK, blocks[int(number)].encode(), "text/plain; charset=us-ascii")

    def _send(self, status: HTTPStatus, body: bytes, kind: str) -> None:
        self.send_response(status)
        self._headers(kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _headers(self, kind: str) -> None:
        self.send_header("Content-Type", kind)
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("X-Frame-Options", "DENY")

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: the page requests updates every two seconds."""


class GrowingFile:
    """A file to which lines are appended; an unfinished line is left for the next time.

    Args:
        path: The file.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._at = self._number = 0
        self._identity: tuple[int, int] | None = None

    def replaced(self) -> bool:
        """Return whether another file has replaced it: a resumed run cuts off the part that it repeats."""
        try:
            found = os.stat(self.path)
        except OSError:
            return self._identity is not None
        return self._identity is not None and (
            self._identity != (found.st_dev, found.st_ino) or found.st_size < self._at
        )

    def chunks(self) -> Iterator[list[Line] | Overlong]:
        """Yield whole lines that were not read yet."""
        with open(self.path, "rb") as file:
            found = os.fstat(file.fileno())
            self._identity = (found.st_dev, found.st_ino)
            file.seek(self._at)
            chunk: list[Line] = []
            size = 0
            while raw := file.readline(MAX_LINE + 1):
                long = len(raw) > MAX_LINE
                while long and raw and not raw.endswith(b"\n"):
                    raw = file.readline(1 << 20)
                if not raw.endswith(b"\n"):
                    break
                self._number, self._at = self._number + 1, file.tell()
                if long:
                    yield Overlong(self.path, self._number, lambda write: None)
                    continue
                if self._number == 1:
                    raw = raw.removeprefix(codecs.BOM_UTF8)
                if raw.strip():
                    chunk.append(Line(self.path, self._number, raw.rstrip(b"\r\n")))
                    size += len(raw)
                if len(chunk) >= CHUNK_ROWS or size >= CHUNK_BYTES:
                    yield chunk
                    chunk, size = [], 0
            if chunk:
                yield chunk


def grows(path: str) -> bool:
    """Return whether a file is plain JSON Lines, to which lines can be appended."""
    try:
        with open(path, "rb") as file:
            head = file.read(1 << 12).removeprefix(codecs.BOM_UTF8).lstrip()
    except OSError:
        return False
    return head[:1] in (b"{", b"") and not Path(path).name.endswith((".gz", ".zst"))
