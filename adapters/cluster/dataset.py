"""Scoring datasets of Ray Data, which reads and writes JSON Lines, Parquet and object stores by itself.

``score_dataset(ray.data.read_parquet("s3://bucket/rows"), "gsm8k_tags").write_parquet("s3://bucket/scored")``
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from reward_verifiers.rewards import Reward, load_recipe
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.core.columns_and_faults import (
    REFERENCE,
    reference_column,
    tell_reference,
    told,
)
from reward_verifiers.verifiers.runtime.packages import require
from reward_verifiers.verifiers.runtime.pool import WorkerPool

from ..files.chunk_scorer import WRITTEN, Scorer, dumps, ended, kept_scorer, shown
from ..files.columns import WORD, column_names, has_column
from ..files.engines import asked
from ..files.row_faults import Ended, apart, written
from .actors import Session, extend_search_path, search_path

PROBLEM = "problem"
"""The column that says why a row could not be scored at all; null where it was."""
ADDED = (*WRITTEN, PROBLEM)
"""The columns that a scored table has besides its own."""

FUNCTION = f"{__name__}:score_in_worker"


class TableScorer:
    """Adds the columns of scoring to tables; Ray Data calls it with its batches.

    Args:
        paths: Module search path of the caller.
        pickled: A `Scorer`.
    """

    def __init__(self, paths: list[str], pickled: bytes) -> None:
        extend_search_path(paths)
        self._pickled = pickled
        self._scorer: Scorer = pickle.loads(pickled)  # noqa: S301  (the caller's)
        self._pool = WorkerPool(1, memory=None, secrets=True)

    def __call__(self, table: Any) -> Any:
        """Return a table with the columns `ADDED`, which replace its own of the same names.

        Raises:
            RunError: No worker process can be started, or scoring as such is broken.
        """
        pyarrow = require("pyarrow", extra="ray")
        judged = _judged_columns(pyarrow, table)

        def attempt(rows: range) -> dict[str, list[Any]] | Ended:
            some = _to_bytes(pyarrow, judged.slice(rows.start, len(rows)))
            found: dict[str, list[Any]] | Ended = asked(self._pool, FUNCTION, self._pickled, some)
            return found

        def broken(rows: range, detail: str) -> dict[str, list[Any]]:
            payment = ended(self._scorer.reward, detail)
            return _scored_columns(self._scorer, [payment] * len(rows), [None] * len(rows))

        parts = (
            apart(attempt, broken, range(table.num_rows), whole=lambda: self._scorer.reward.needs_groups)
            if table.num_rows
            else []
        )
        table = table.drop_columns([name for name in ADDED if name in table.column_names])
        for name, kind in _types(pyarrow, self._scorer).items():
            values = [value for part in parts for value in part[name]]
            table = table.append_column(name, pyarrow.array(values, kind))
        return table


def score_in_worker(pickled: bytes, table: bytes) -> dict[str, list[Any]]:
    """Score a table in a worker process."""
    scorer = kept_scorer(pickled)
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
    return _scored_columns(scorer, [None if problem else next(payments) for problem in problems], problems)


def _scored_columns(scorer: Scorer, payments: list[Any], problems: list[str | None]) -> dict[str, list[Any]]:
    """Return the added columns as JSON data; None for the payment of an unreadable row."""
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
    """Return the types of the added columns: the same for every table, or blocks could not be joined."""
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
    """Return a table without columns that no verifier reads: pictures, tensors, earlier scores."""
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


BATCH_ROWS = 1024
"""Rows that are scored at a time."""


def score_dataset(
    ds: Any,
    recipe: str | Path | Reward,
    *,
    completion_field: str = "completion",
    reference_field: str = REFERENCE,
    prompt_field: str = "prompt",
    group_field: str = "prompt",
    tokens_field: str = "completion_tokens",
    progress: float = 1.0,
    actors: int | tuple[int, int] | None = None,
    batch_size: int = BATCH_ROWS,
) -> Any:
    """Score a dataset row by row, as `verify-cli score` does; nothing is computed before it is consumed.

    The rows come back with ``reward`` (null for a row that could not be judged), ``reward_parts`` (a struct),
    ``verdicts`` (JSON text), ``verdict_parts``, ``signature``, and ``problem``, which says why a row has no
    completion or columns to judge. A row that breaks costs its own reward. Their order is Ray Data's: keep a
    column that tells rows apart, or set ``preserve_order``.

    Args:
        ds: A ``ray.data.Dataset``.
        recipe: A reward, or what `rewards.load_recipe` takes.
        completion_field: The column with the completions; a dot goes into it: ``output.answer``.
        reference_field: The column with the references; where there is no ``answer``, a stand-in is taken.
        prompt_field: The column with the questions, which need not be there.
        group_field: The column that the completions of one prompt share, for rewards that compare them; the
            rows are brought together by it, so it holds texts or numbers.
        tokens_field: The column with the completions' lengths in tokens.
        progress: Share of training that is done, in [0, 1], for schedules.
        actors: The most, or the fewest and the most; None for as many as there are cores free. Where the
            fewest take all cores, nothing can be read, and Ray Data waits for ever.
        batch_size: Rows that an actor scores at a time.

    Returns:
        A ``ray.data.Dataset``.

    Raises:
        ConfigError: The recipe cannot be read, or the data set lacks a column.
        MissingDependencyError: Ray Data is not installed.
    """
    data = require("ray.data", extra="ray")
    if not 0.0 <= progress <= 1.0:
        raise ConfigError(f"progress is a share of training from 0 to 1, got {progress:g}")
    reward = recipe if isinstance(recipe, Reward) else load_recipe(recipe)
    fields = (completion_field, reference_field, group_field, tokens_field)
    scorer = Scorer(reward, *fields, progress, prompt_field=prompt_field)
    scorer = _fitted(scorer, _columns(ds))
    cores = Session().cores
    if reward.needs_groups:
        work = _work(scorer, _strategy(data, actors, cores), 0)
        return ds.groupby(group_field).map_groups(TableScorer, **work)
    # An actor on the only core would leave none for reading.
    work = _work(scorer, _strategy(data, actors, None), 1 if cores > 1 else 0)
    return ds.map_batches(TableScorer, batch_size=batch_size, **work)


def _work(scorer: Scorer, strategy: Any, cpus: int) -> dict[str, Any]:
    """Return Ray Data's arguments for the actors that score.

    Those that wait for groups ask for no core: a shuffle waited for ever, on two nodes, for the core that an
    actor after it had, which waited for the shuffle (Ray 2.60).
    """
    _ = scorer.signature  # one for all actors
    return {
        "fn_constructor_args": (search_path(), pickle.dumps(scorer)),
        "compute": strategy,
        "batch_format": "pyarrow",
        "num_cpus": cpus,
    }


def _strategy(data: Any, actors: int | tuple[int, int] | None, most: int | None) -> Any:
    if actors is None:
        return data.ActorPoolStrategy(min_size=1, max_size=most)
    fewest, most = (1, actors) if isinstance(actors, int) else actors
    if not 1 <= fewest <= most:
        raise ConfigError(f"actors is a number, or the fewest and the most, got {actors!r}")
    return data.ActorPoolStrategy(min_size=fewest, max_size=most)


def _columns(ds: Any) -> Mapping[str, Any]:
    """Return a dataset's columns by name, each with its nested names, or else with its own name."""
    schema = ds.schema()
    if schema is None:
        raise ConfigError("the dataset has no rows, or no columns that can be told")
    arrow = require("pyarrow", extra="ray")

    def inside(field: Any) -> Any:
        if not arrow.types.is_struct(field.type):
            return field.name
        return {each.name: inside(each) for each in field.type}

    base = schema.base_schema
    if not isinstance(base, arrow.Schema):  # a data set of pandas blocks
        return {name: name for name in schema.names}
    return {field.name: inside(field) for field in base}


def _fitted(scorer: Scorer, columns: Mapping[str, Any]) -> Scorer:
    """Return a scorer for a dataset with these columns, whose references may not be in `answer`.

    Raises:
        ConfigError: A column is missing, or there are several that could hold the references.
    """
    if scorer.reference_field == REFERENCE and scorer.reward.reads_references():
        found = reference_column(columns, "reference_field='NAME'")
        if found not in (None, REFERENCE):
            tell_reference(found)
            scorer = replace(scorer, reference_field=found)
    for column in scorer.columns:
        counted = column == "completion_tokens" and "completion_ids" in columns
        if not has_column(columns, column) and not counted:
            raise ConfigError(
                f"the dataset has no column {column!r}{nearest(column, column_names(columns))}; "
                "completion_field, reference_field, prompt_field, group_field and tokens_field choose others"
            )
    there = {key: name for key, name in scorer.names.items() if has_column(columns, name)}
    return replace(scorer, word=json.dumps(there, ensure_ascii=False))
