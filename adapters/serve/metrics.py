"""What a server counts, in the text format of Prometheus.

Its version is 0.0.4: prometheus.io/docs/instrumenting/exposition_formats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

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
        """Count a request that is done."""
        self.requests[path, status] += 1
        self._count[path] += 1
        self._seconds[path] += seconds  # type: ignore[assignment]  # a Counter adds floats as well
        for bound in BUCKETS:
            if seconds <= bound:
                self._buckets[path, bound] += 1

    def text(self) -> str:
        """All of it."""
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
