"""Scored rows in a notebook: a table of them, and data frames."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from reward_verifiers.rewards import Payment
from reward_verifiers.verifiers import ConfigError, MissingDependencyError, Verdict
from reward_verifiers.verifiers.core.verdicts import table_html, text_html
from reward_verifiers.verifiers.runtime.forks import cached_property
from reward_verifiers.verifiers.runtime.packages import require

from ..files.chunk_scorer import WRITTEN, dumps
from ..files.columns import column_of, naming
from ..files.jsonl import Source, rows_of
from ..files.scored_candidates import check_scored

SHOWN = 10
"""Rows that a notebook shows."""


def load_scored(*paths: str | os.PathLike[str]) -> ScoredFile:
    """Load scored files for a notebook: shown as a table, iterated as rows, converted to a data frame.

    Args:
        *paths: Output of ``verify-cli score``, or a run's kept completions.

    Raises:
        ConfigError: One of them is not there, or not of a format that is read.
    """
    scored = ScoredFile(tuple(os.fspath(path) for path in paths))
    if not paths:
        raise ConfigError("which files? load_scored('scored.jsonl')")
    Source(list(scored.paths))
    return scored


@dataclass(frozen=True)
class ScoredFile:
    """Scored rows, read from their files at each use.

    Args:
        paths: The files.
    """

    paths: tuple[str, ...]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for line, row in rows_of(Source(list(self.paths)).chunks()):
            check_scored(row, line.where)
            yield row

    @cached_property
    def _summary(self) -> tuple[int, dict[str, list[float]], Counter[tuple[str, str]], list[dict[str, Any]]]:
        """Number of rows, sum and count of each part, count of each reason, and the first rows."""
        rows, reasons = 0, Counter[tuple[str, str]]()
        sums: dict[str, list[float]] = {}
        first: list[dict[str, Any]] = []
        for row in self:
            rows += 1
            for name, value in {"reward": row["reward"], **row["reward_parts"]}.items():
                total = sums.setdefault(name, [0.0, 0.0])
                if value is not None:
                    total[0], total[1] = total[0] + value, total[1] + 1
            for name, verdict in zip(row["verdict_parts"], row["verdicts"], strict=True):
                reasons[name, str(verdict.get("reason"))] += 1
            if len(first) < SHOWN:
                first.append(row)
        return rows, sums, reasons, first

    def to_pandas(self) -> Any:
        """Return a data frame with the rows' own columns, ``reward``, and the columns of each part.

        That is ``part.NAME``, its value; where it has a verdict also ``status.NAME``, ``reason.NAME``,
        ``extracted.NAME`` and ``expected.NAME``.
        A column of the rows with such a name is called ``input.NAME``.

        Raises:
            MissingDependencyError: pandas, of the extra ``report``, is not installed.
        """
        return _frame(map(_flat, self))

    def to_polars(self) -> Any:
        """Return a polars data frame with the columns of `to_pandas`.

        Raises:
            MissingDependencyError: polars, or pandas, is not installed.
        """
        try:
            polars = import_module("polars")
        except ImportError:
            raise MissingDependencyError("polars is not installed; run: pip install polars") from None
        rows = [{_whole(name): _plain(value) for name, value in _flat(row).items()} for row in self]
        return polars.DataFrame(rows, infer_schema_length=None)

    def _repr_html_(self) -> str:
        """Return means of parts, the most frequent reasons, and the first rows."""
        rows, sums, reasons, first = self._summary
        means = [
            (name, f"{total / count:.4g}" if count else "", f"{count:,.0f}")
            for name, (total, count) in sums.items()
        ]
        often = ((name, reason, f"{count:,}") for (name, reason), count in reasons.most_common(SHOWN))
        shown = [
            (number, row["reward"], column_of(row, own.prompt), column_of(row, own.completion), *_said(row))
            for number, row in enumerate(first, start=1)
            for own in (naming(row, f"row {number}", {}),)
        ]
        return (
            f"<p>{text_html(', '.join(self.paths))}: {rows:,} rows</p>"
            + table_html(("part", "mean", "rows"), means)
            + table_html(("part", "reason", "rows"), often)
            + table_html(("row", "reward", "prompt", "completion", "verdicts"), shown)
        )


def to_pandas(judged: Iterable[Verdict | Payment]) -> Any:
    """Return the verdicts, or the payments, of a batch as a data frame with a row for each.

    Args:
        judged: Result of `Verifier.verify_batch` or a reward.

    Raises:
        MissingDependencyError: pandas, of the extra ``report``, is not installed.
    """
    return _frame(_verdict(each) if isinstance(each, Verdict) else _payment(each) for each in judged)


def _frame(rows: Iterable[Mapping[str, Any]]) -> Any:
    pandas = require("pandas", extra="report")
    return pandas.DataFrame([{_whole(name): _whole(value) for name, value in row.items()} for row in rows])


def _whole(value: Any) -> Any:
    """Return a text without lone surrogates, of which pandas makes no column."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def _plain(value: Any) -> Any:
    """Return a value that has a type in a table, or its JSON."""
    if isinstance(value, Mapping | list):
        return dumps(value).decode()
    return _whole(value)


def _verdict(verdict: Verdict) -> dict[str, Any]:
    empty = dict.fromkeys(("verifier", "status", "score", "reason", "raw", "detail", "extracted", "expected"))
    return {**empty, "span": None, **verdict.to_dict(), "seconds": verdict.seconds}


def _payment(payment: Payment) -> dict[str, Any]:
    found: dict[str, Any] = {"reward": payment.value, "status": payment.status.value}
    found |= {f"part.{name}": value for name, value in payment.values().items()}
    for name, verdict in payment.judged():
        found |= _of_verdict(name, verdict.to_dict())
    return found


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"reward": row["reward"]}
    found |= {f"part.{name}": value for name, value in row["reward_parts"].items()}
    for name, verdict in zip(row["verdict_parts"], row["verdicts"], strict=True):
        found |= _of_verdict(name, verdict)
    own = {name: value for name, value in row.items() if name not in WRITTEN}
    return {**{f"input.{name}" if name in found else name: value for name, value in own.items()}, **found}


def _of_verdict(name: str, verdict: Mapping[str, Any]) -> dict[str, Any]:
    return {f"{key}.{name}": verdict.get(key) for key in ("status", "reason", "extracted", "expected")}


def _said(row: Mapping[str, Any]) -> tuple[str]:
    pairs = zip(row["verdict_parts"], row["verdicts"], strict=True)
    return ("\n".join(f"{name}: {verdict.get('score')} {verdict.get('reason')}" for name, verdict in pairs),)
