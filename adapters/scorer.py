"""Scoring a chunk of JSON lines: the work that `score` spreads over processes."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rewards import Batch, Payment, Reward
from verifiers import ConfigError, Status, split_completion
from verifiers._errors import nearest

from .jsonl import parse

WRITTEN = ("reward", "verdicts", "signature")
"""The fields that scoring adds; those of an earlier scoring are replaced."""
MAX_REASONS = 1000
"""Different reasons that a summary counts apart: a plug-in must not make memory grow with the file."""


@dataclass
class Tally:
    """What a summary says of one verifier, or of the reward as a whole."""

    rows: int = 0
    scored: int = 0
    passed: int = 0
    faults: int = 0
    total: float = 0.0
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, status: str, value: float | None, reason: str = "") -> None:
        """Count one row."""
        self.rows += 1
        if value is not None:
            self.scored += 1
            self.total += value
            self.passed += value >= 1.0
        elif status == Status.FAULT:
            self.faults += 1
        if reason and (reason in self.reasons or len(self.reasons) < MAX_REASONS):
            self.reasons[reason] += 1

    def merge(self, other: Tally) -> None:
        """Count the rows of another tally."""
        self.rows += other.rows
        self.scored += other.scored
        self.passed += other.passed
        self.faults += other.faults
        self.total += other.total
        self.reasons.update(other.reasons)


@dataclass
class Scored:
    """What became of a chunk.

    Args:
        output: The scored rows, in order, as lines.
        problems: Position in the chunk of each line that was rejected, and why.
        tallies: One for the reward ("reward"), one for each verifier.
    """

    output: bytes = b""
    problems: dict[int, str] = field(default_factory=dict)
    tallies: dict[str, Tally] = field(default_factory=dict)

    def to_bytes(self) -> bytes:
        """For the way from a worker process."""
        tallies = {name: vars(tally) for name, tally in self.tallies.items()}
        head = json.dumps({"problems": list(self.problems.items()), "tallies": tallies})
        return head.encode() + b"\n" + self.output

    @classmethod
    def from_bytes(cls, data: bytes) -> Scored:
        """What `to_bytes` wrote."""
        head, _, output = data.partition(b"\n")
        loaded = json.loads(head)
        tallies = {
            name: Tally(**{**values, "reasons": Counter(values["reasons"])})
            for name, values in loaded["tallies"].items()
        }
        return cls(output, dict(loaded["problems"]), tallies)


@dataclass(frozen=True)
class Scorer:
    """Scores rows with a reward.

    Args:
        reward: What pays.
        completion_field: The column with the completions.
        reference_field: The column that stands for ``answer``.
    """

    reward: Reward
    completion_field: str = "completion"
    reference_field: str = "answer"

    def columns(self) -> list[str]:
        """The columns that every row must have, the completion first."""
        needed = [self.completion_field]
        for name in self.reward.references():
            column = self.reference_field if name == "answer" else name
            if column not in needed:
                needed.append(column)
        return needed

    def check_columns(self, row: Mapping[str, Any], where: str) -> None:
        """Refuse a file whose first row lacks a column.

        Raises:
            ConfigError: It does; the message offers the nearest name.
        """
        for column in self.columns():
            if column not in row:
                flag = "--completion-field" if column == self.completion_field else "--reference-field"
                raise ConfigError(
                    f"{where} has no column {column!r}{nearest(column, row)} (choose it with {flag})"
                )

    def read(self, raw: bytes) -> dict[str, Any]:
        """The row of a line.

        Raises:
            ValueError: It cannot be scored; the message says why.
        """
        row = parse(raw)
        for column in self.columns():
            if column not in row:
                raise ValueError(f"no column {column!r}")
        if split_completion(row[self.completion_field]) is None:
            kind = type(row[self.completion_field]).__name__
            raise ValueError(f"{self.completion_field!r} is neither text nor chat messages but {kind}")
        return row

    def score(self, lines: Iterable[bytes]) -> Scored:
        """Score a chunk of lines."""
        result = Scored()
        rows: list[tuple[bytes, dict[str, Any]]] = []
        for index, raw in enumerate(lines):
            try:
                rows.append((raw, self.read(raw)))
            except ValueError as error:
                result.problems[index] = str(error)
        if not rows:
            return result
        payments = self.reward.pay(self._batch([row for _, row in rows]))
        signature = self.reward.signature()
        out: list[bytes] = []
        for (raw, row), payment in zip(rows, payments, strict=True):
            tally(result.tallies, payment.status, payment.value, [v.to_dict() for v in payment.verdicts])
            out.append(_scored_line(raw, row, payment, signature))
        result.output = b"".join(out)
        return result

    def _batch(self, rows: list[dict[str, Any]]) -> Batch:
        names = dict.fromkeys(name for row in rows for name in row)
        columns = {
            name: [row.get(name) for row in rows]
            for name in names
            if name not in WRITTEN and name != self.completion_field
        }
        if self.reference_field in columns:
            columns["answer"] = columns[self.reference_field]
        return Batch([row[self.completion_field] for row in rows], columns)


def tally(
    tallies: dict[str, Tally], status: str, value: float | None, verdicts: Iterable[Mapping[str, Any]]
) -> None:
    """Count one row for the reward and for each of its verifiers."""
    tallies.setdefault("reward", Tally()).add(status, value)
    for verdict in verdicts:
        one = tallies.setdefault(verdict["verifier"], Tally())
        one.add(verdict["status"], verdict["score"], verdict["reason"])


def _scored_line(raw: bytes, row: dict[str, Any], payment: Payment, signature: str) -> bytes:
    added = _dumps(
        {
            "reward": payment.value,
            "verdicts": [verdict.to_dict() for verdict in payment.verdicts],
            "signature": signature,
        }
    )
    if any(name in row for name in WRITTEN):
        raw = _dumps({name: value for name, value in row.items() if name not in WRITTEN})
    # The row's own bytes are kept, so that no number or escape in it is rewritten.
    body = raw.strip()[:-1].rstrip()
    separator = b"" if body == b"{" else b", "
    return body + separator + added[1:] + b"\n"


def _dumps(value: Any) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # a lone surrogate: it has no UTF-8, but JSON can escape it
        return json.dumps(value).encode()


_scorers: dict[bytes, Scorer] = {}


def score_in_worker(pickled: bytes, lines: list[bytes]) -> bytes:
    """Score a chunk in a worker process, which keeps its scorer."""
    if pickled not in _scorers:
        _scorers.clear()
        _scorers[pickled] = pickle.loads(pickled)  # noqa: S301  (from our parent)
    return _scorers[pickled].score(lines).to_bytes()


__all__ = ["WRITTEN", "Scored", "Scorer", "Tally", "score_in_worker", "tally"]
