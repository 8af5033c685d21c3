"""Scoring the rows of an Arrow table: in the actor that has the table, and in that actor's worker process."""

from __future__ import annotations

import pickle
from typing import Any

from reward_verifiers.adapters.files.chunk_scorer import WRITTEN, Scorer, dumps, ended, shown
from reward_verifiers.adapters.files.columns.naming import WORD
from reward_verifiers.adapters.files.engines.apart import Ended, apart
from reward_verifiers.adapters.files.engines.row_faults import written
from reward_verifiers.adapters.files.scored_output import RunError
from reward_verifiers.verifiers.core.columns_and_faults import told
from reward_verifiers.verifiers.runtime.packages import require
from reward_verifiers.verifiers.runtime.pool import WorkerPool

from .session import extend_search_path

PROBLEM = "problem"
"""The column that says why a row could not be scored at all; null where it was."""
ADDED = (*WRITTEN, PROBLEM)
"""The columns that a scored table has besides its own."""

FUNCTION = f"{__name__}:score_in_worker"


class TableScorer:
    """Adds the columns of scoring to tables; Ray Data calls it with its batches.

    Args:
        paths: Where the caller finds modules.
        pickled: A `Scorer`.
    """

    def __init__(self, paths: list[str], pickled: bytes) -> None:
        extend_search_path(paths)
        self._pickled = pickled
        self._scorer: Scorer = pickle.loads(pickled)  # noqa: S301  (the caller's)
        self._pool = WorkerPool(1, memory=None, secrets=True)

    def __call__(self, table: Any) -> Any:
        """A table with the columns `ADDED`; its own of the same names are replaced.

        Raises:
            RunError: No worker process can be started, or scoring as such is broken.
        """
        pyarrow = require("pyarrow", extra="ray")
        judged = _judged_columns(pyarrow, table)

        def attempt(rows: range) -> dict[str, list[Any]] | Ended:
            some = _to_bytes(pyarrow, judged.slice(rows.start, len(rows)))
            outcome = self._pool.run(FUNCTION, (self._pickled, some), cpu_seconds=None)
            if outcome.ok:
                found: dict[str, list[Any]] = outcome.value
                return found
            if not outcome.by_task:
                raise RunError(f"a scoring process failed: {outcome.detail}")
            return Ended(outcome.detail)

        def broken(rows: range, detail: str) -> dict[str, list[Any]]:
            payment = ended(self._scorer.reward, detail)
            return _columns(self._scorer, [payment] * len(rows), [None] * len(rows))

        whole = self._scorer.reward.needs_groups
        parts = apart(attempt, broken, range(table.num_rows), whole=whole) if table.num_rows else []
        table = table.drop_columns([name for name in ADDED if name in table.column_names])
        for name, kind in _types(pyarrow, self._scorer).items():
            values = [value for part in parts for value in part[name]]
            table = table.append_column(name, pyarrow.array(values, kind))
        return table


def score_in_worker(pickled: bytes, table: bytes) -> dict[str, list[Any]]:
    """Score a table in a worker process, which keeps its scorer."""
    if pickled not in _scorers:
        _scorers.clear()
        _scorers[pickled] = pickle.loads(pickled)  # noqa: S301  (from our parent)
    scorer = _scorers[pickled]
    with require("pyarrow", extra="ray").ipc.open_stream(table) as reader:
        rows: list[dict[str, Any]] = reader.read_all().to_pylist()
    problems: list[str | None] = []
    for row in rows:
        try:
            scorer.check(row)
            problems.append(None)
        except ValueError as error:
            problems.append(str(error))
        except Exception as error:
            problems.append(f"cannot be taken as a row: {told(error)}")
    readable = [row for row, problem in zip(rows, problems, strict=True) if problem is None]
    paid = scorer.payments(readable, "row {}".format) if readable else []
    payments = iter([written(scorer.reward, each, shown)[0] for each in paid])
    return _columns(scorer, [None if problem else next(payments) for problem in problems], problems)


_scorers: dict[bytes, Scorer] = {}


def _columns(scorer: Scorer, payments: list[Any], problems: list[str | None]) -> dict[str, list[Any]]:
    """The values of the columns that are added, as JSON data; None for the payment of an unreadable row."""
    judged = [[] if each is None else list(each.judged()) for each in payments]
    return {
        "reward": [None if each is None else each.value for each in payments],
        "reward_parts": [{} if each is None else each.values() for each in payments],
        "verdicts": [dumps([verdict.to_dict() for _, verdict in each]).decode() for each in judged],
        "verdict_parts": [[name for name, _ in each] for each in judged],
        "signature": [scorer.signature] * len(payments),
        WORD: [scorer.word] * len(payments),
        PROBLEM: problems,
    }


def _types(pyarrow: Any, scorer: Scorer) -> dict[str, Any]:
    """Of the added columns: the same for every table, or blocks could not be put together."""
    number, text = pyarrow.float64(), pyarrow.string()
    # A struct must have a field; a reward of constants alone has no part.
    parts = [pyarrow.field(name, number) for name in scorer.reward.part_names() or ["none"]]
    return {
        "reward": number,
        "reward_parts": pyarrow.struct(parts),
        "verdicts": text,
        "verdict_parts": pyarrow.list_(text),
        "signature": text,
        WORD: text,
        PROBLEM: text,
    }


def _judged_columns(pyarrow: Any, table: Any) -> Any:
    """A table without what no verifier reads: pictures, tensors, earlier scores."""
    kinds = pyarrow.types
    left_out = [
        field.name
        for field in table.schema
        if field.name in ADDED
        or isinstance(field.type, pyarrow.BaseExtensionType)
        or kinds.is_binary(field.type)
        or kinds.is_large_binary(field.type)
        or kinds.is_fixed_size_binary(field.type)
    ]
    return table.drop_columns(left_out)


def _to_bytes(pyarrow: Any, table: Any) -> bytes:
    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    written: bytes = sink.getvalue().to_pybytes()
    return written
