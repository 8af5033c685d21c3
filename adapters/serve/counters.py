"""Counters of a server in the text format of Prometheus, and its log.

The format's version is 0.0.4: prometheus.io/docs/instrumenting/exposition_formats. Each kind of trouble is
logged once with all that is known, then only how often it came back: whoever can ask a server could otherwise
fill its disk.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from typing import Any

from reward_verifiers.verifiers.runtime.forks import new_lock

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
"""Seconds of a request."""
PREFIX = "reward_server_"


class Metrics:
    """Counts of a server. Only the event loop writes them, but for deaths of workers."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()
        self.rows: Counter[tuple[str, str]] = Counter()
        self.batches = 0
        self.deaths = 0
        self.under_way = 0
        self.queued_rows = 0
        self._buckets: Counter[tuple[str, float]] = Counter()
        self._seconds: Counter[str] = Counter()
        self._count: Counter[str] = Counter()

    def answered(self, path: str, status: int, seconds: float) -> None:
        """Count a finished request."""
        self.requests[path, status] += 1
        self._count[path] += 1
        self._seconds[path] += seconds  # type: ignore[assignment]  # a Counter adds floats as well
        for bound in BUCKETS:
            if seconds <= bound:
                self._buckets[path, bound] += 1

    def text(self) -> str:
        """Return all counts as text."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        yield from _head("requests_total", "counter", "Requests by path and status.")
        for (path, status), count in sorted(self.requests.items()):
            yield f"{PREFIX}requests_total{_labels(path=path, status=str(status))} {count}"
        yield from _head("rows_total", "counter", "Rows by recipe and status: scored, unscored, fault.")
        for (recipe, kind), count in sorted(self.rows.items()):
            yield f"{PREFIX}rows_total{_labels(recipe=recipe, status=kind)} {count}"
        for name, kind, value, what in (
            ("batches_total", "counter", self.batches, "Batches that were judged."),
            ("broken_batches_total", "counter", self.deaths, "Batches on which two workers in a row ended."),
            ("requests_under_way", "gauge", self.under_way, "Requests that wait for their answer."),
            ("queued_rows", "gauge", self.queued_rows, "Rows that wait or are being judged."),
        ):
            yield from _head(name, kind, what)
            yield f"{PREFIX}{name} {value}"
        yield from _head("request_seconds", "histogram", "Seconds until the answer, by path.")
        for path in sorted(self._count):
            for bound in BUCKETS:
                labels = _labels(path=path, le=f"{bound:g}")
                yield f"{PREFIX}request_seconds_bucket{labels} {self._buckets[path, bound]}"
            yield f"{PREFIX}request_seconds_bucket{_labels(path=path, le='+Inf')} {self._count[path]}"
            yield f"{PREFIX}request_seconds_sum{_labels(path=path)} {self._seconds[path]:.6f}"
            yield f"{PREFIX}request_seconds_count{_labels(path=path)} {self._count[path]}"


def _head(name: str, kind: str, what: str) -> Iterator[str]:
    yield f"# HELP {PREFIX}{name} {what}"
    yield f"# TYPE {PREFIX}{name} {kind}"


def _labels(**labels: str) -> str:
    escaped = (
        (name, value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n"))
        for name, value in labels.items()
    )
    return "{" + ",".join(f'{name}="{value}"' for name, value in escaped) + "}"


MOST_KINDS = 200
"""Kinds that are told apart; later ones count as one."""

Kind = tuple[str, ...]


class OncePerKind(logging.Filter):
    """Passes the first record of a kind, then the tenth, the hundredth ..., with their number.

    A kind is a logger's name, a message before its values are filled in, and the type of the exception.

    >>> heard = OncePerKind()
    >>> def told(row):
    ...     return heard.filter(logging.LogRecord("server", 30, "", 0, "row %s broke", (row,), None))
    >>> [number for number in range(1, 200) if told(number)]
    [1, 10, 100]
    >>> heard.summary()
    ['server: row %s broke: 199 times in all']
    """

    def __init__(self) -> None:
        super().__init__()
        self._lock = new_lock()
        self._counts: Counter[Kind] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """See `logging.Filter`."""
        kind = _kind(record)
        with self._lock:
            if kind not in self._counts and len(self._counts) >= MOST_KINDS:
                kind = ("others",)
            self._counts[kind] += 1
            count = self._counts[kind]
        if count == 1:
            return True
        if str(count).rstrip("0") != "1":
            return False
        record.msg, record.args = f"{record.getMessage()} ({count:,} times by now)", ()
        record.exc_info = record.exc_text = None  # it was told the first time
        return True

    def summary(self) -> list[str]:
        """Return a line for each kind that came more than once."""
        with self._lock:
            return [
                f"{': '.join(kind)}: {count:,} times in all"
                for kind, count in self._counts.items()
                if count > 1
            ]

    def watch(self, *loggers: logging.Logger) -> None:
        """Filter the records of loggers."""
        for each in loggers:
            each.addFilter(self)

    def leave(self, *loggers: logging.Logger) -> None:
        """Stop filtering the loggers."""
        for each in loggers:
            each.removeFilter(self)


def _kind(record: logging.LogRecord) -> Kind:
    error: Any = record.exc_info[0] if isinstance(record.exc_info, tuple) else None
    name = () if error is None else (error.__name__,)
    return (record.name, str(record.msg).strip()[:200], *name)


LOG = logging.getLogger("reward_verifiers.adapters.serve")
"""What all modules of the server log to."""
