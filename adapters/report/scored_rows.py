"""Scored rows as a report reads them: one at a time, and none of them can break it.

It also chooses the part that says whether an answer is right, and shows both sides of a verdict as read.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from reward_verifiers.verifiers import ConfigError, Verdict, Verifier, VerifierError, split_completion
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.core.completions import SplitCompletion
from reward_verifiers.verifiers.runtime.records import dataclass

from ..files.columns import Naming, column_of, naming
from ..files.jsonl import Line, Overlong, Source, parse
from ..files.scored_candidates import right_part, verifier_class

RUN = "run"
"""The column that says which run a row is of, wherever the row stands."""


def usual_naming(row: Mapping[str, Any], where: str) -> Naming:
    """Return the default column names."""
    return naming(row, where, {})


MAX_PROBLEMS = 5
"""Lines that cannot be read and are named."""


@dataclass(frozen=True)
class Columns:
    """Column names that the user gives; the others come from each file.

    Args:
        named: Names a first row's columns, and rejects a missing one.
        source: Column with the source of a row; None takes the first usual name that exists.
        pool: Whether the rows of all files, and of all runs, are taken for samples of one model.
    """

    named: Callable[[Mapping[str, Any], str], Naming] = usual_naming
    source: str | None = None
    pool: bool = False


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """One row that was scored.

    Args:
        file: Number of its file.
        line: In the file.
        size: Bytes of the line.
        row: All columns.
        named: The verdicts, by the part to which each belongs.
        parts: The value of each part; those of a strict recipe are called ``strict.NAME``.
        split: The completion, taken apart.
        names: Names of the columns in its file.
        run: Which run it is of; "" where there is one.
        path: Its file.
    """

    file: int
    line: int
    size: int
    row: Mapping[str, Any]
    named: Mapping[str, Mapping[str, Any]]
    parts: Mapping[str, float | None]
    split: SplitCompletion
    names: Naming
    run: str = ""
    path: str = ""


@dataclasses.dataclass
class ScoredFiles:
    """Scored files, which can be read several times.

    Args:
        paths: The files.
        columns: Names of their columns.
        runs: The run of each file, by its name.
    """

    paths: list[str]
    columns: Columns
    runs: Mapping[str, str] = dataclasses.field(default_factory=dict)
    problems: list[str] = dataclasses.field(default_factory=list)
    unreadable: int = 0
    _numbers: dict[str, int] = dataclasses.field(default_factory=dict)
    _names: dict[str, Naming] = dataclasses.field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The files that rows were read from, by number: a path may be a pattern of several."""
        return list(self._numbers)

    def rows(self) -> Iterator[ScoredRow]:
        """Yield every readable row; `problems` and `unreadable` hold the others.

        Raises:
            ConfigError: A file cannot be read, or the first row is not scored or has no completion.
        """
        self.problems, self.unreadable, self._numbers = [], 0, {}
        yield from self.taken(Source(self.paths).chunks())

    def taken(self, chunks: Iterable[list[Line] | Overlong]) -> Iterator[ScoredRow]:
        """Yield the readable rows of more lines."""
        for chunk in chunks:
            if isinstance(chunk, Overlong):
                self._problem(f"{chunk.file}:{chunk.number}: longer than 16 MB")
                continue
            for line in chunk:
                try:
                    row = parse(line.raw)
                    named, parts = judged(row)
                    names = self._names.get(line.file)
                    if names is None:
                        names = self._names[line.file] = self.columns.named(row, _place(line))
                    split = split_completion(column_of(row, names.completion))
                    if split is None:
                        raise ValueError(
                            f"the column {names.completion!r} holds no completion (choose it with "
                            "--completion-field)"
                        )
                except ConfigError:
                    raise
                except ValueError as error:
                    if not self._numbers:
                        raise ConfigError(f"{_place(line)}: {error}") from None
                    self._problem(f"{_place(line)}: {error}")
                    continue
                number = self._numbers.setdefault(line.file, len(self._numbers))
                run, size = self._run(line, row), len(line.raw)
                yield ScoredRow(number, line.number, size, row, named, parts, split, names, run, line.file)

    def _run(self, line: Line, row: Mapping[str, Any]) -> str:
        if self.columns.pool:
            return ""
        own = row.get(RUN)
        return str(own) if isinstance(own, str | int) else self.runs.get(line.file, "")

    def _problem(self, said: str) -> None:
        self.unreadable += 1
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(said)


def _place(line: Line) -> str:
    return f"{line.file}:{line.number}"


def judged(row: Mapping[str, Any]) -> tuple[dict[str, Mapping[str, Any]], dict[str, float | None]]:
    """Return the verdicts of a row by part, and the value of each part.

    Raises:
        ValueError: The row is not scored.
    """
    verdicts, names, parts = row.get("verdicts"), row.get("verdict_parts"), row.get("reward_parts")
    scored = (
        isinstance(verdicts, list)
        and isinstance(names, list)
        and len(names) == len(verdicts)
        and isinstance(parts, dict)
        and "reward" in row
    )
    if not scored or not {*map(type, names)} <= _NAMES or not {*map(type, verdicts)} <= _VERDICTS:  # type: ignore[arg-type]
        raise ValueError("is not a scored row; score the file first with: verify-cli score")
    assert isinstance(verdicts, list)  # noqa: S101
    assert isinstance(names, list)  # noqa: S101
    assert isinstance(parts, dict)  # noqa: S101
    named = dict(zip(names, verdicts, strict=True))
    values: dict[str, float | None] = {name: number(value) for name, value in parts.items()}
    for name, verdict in named.items():
        if name not in values:
            values[name] = number(verdict.get("score"))
    strict = row.get("strict")
    if isinstance(strict, dict):
        values |= {f"strict.{name}": number(value) for name, value in strict.items()}
    return named, values


_NAMES, _VERDICTS = frozenset((str,)), frozenset((dict,))


def number(value: object) -> float | None:
    """Return a finite number, or None for any other value in a row."""
    if type(value) is float and -_MOST < value < _MOST:  # as most are
        return value
    if value is None or isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        plain = float(value)
    except OverflowError:
        return None
    return plain if abs(plain) < _MOST else None


_MOST = 1e300


def outcome_part(
    named: Mapping[str, Mapping[str, Any]], parts: Collection[str], wished: str | None
) -> str | None:
    """Return the part that is the accuracy.

    Args:
        named: The verdicts of the first row, by part.
        parts: Parts of the first row.
        wished: Column that the user names; it must exist.

    Returns:
        The strict twin of the outcome where training kept one; the first part whose verifier needs a
        reference where that is certain; None where it is not.

    Raises:
        ConfigError: There is no such part.
    """
    if wished is not None:
        if wished not in parts:
            raise ConfigError(f"no part is called {wished!r}{nearest(wished, parts)}")
        return wished
    strict = [name for name in parts if name.startswith("strict.")]
    if strict:
        return strict[0]
    return right_part(named)


MOST = 20_000
"""Pairs of sides that are read: some twenty seconds. Verdicts beyond are shown without."""


class Readings:
    """Reads the sides of verdicts once for each pair; equal texts need no reading."""

    def __init__(self) -> None:
        self._verifiers: dict[str, Verifier | None] = {}
        self._kept: dict[tuple[str, str, str], dict[str, str]] = {}
        self.left_out = 0

    def added(self, verdict: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the verdict with ``read``, where its verifier explains its reading."""
        given, wanted = verdict.get("extracted"), verdict.get("expected")
        if not isinstance(given, str) or not isinstance(wanted, str) or given == wanted:
            return verdict
        verifier = self._verifier(str(verdict.get("verifier")))
        if verifier is None:
            return verdict
        key = (type(verifier).__name__, given, wanted)
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) >= MOST:
                self.left_out += 1
                return verdict
            found = self._kept[key] = _read(verifier, verdict)
        shown = {name: text for name, text in found.items() if text != verdict.get(name)}
        return {**verdict, "read": shown} if shown else verdict

    def _verifier(self, name: str) -> Verifier | None:
        if name not in self._verifiers:
            kind = verifier_class(name)
            own = kind is not None and kind.readings is not Verifier.readings
            try:
                self._verifiers[name] = kind() if kind is not None and own else None
            except (VerifierError, TypeError):  # it cannot be made without arguments
                self._verifiers[name] = None
        return self._verifiers[name]


def _read(verifier: Verifier, verdict: Mapping[str, Any]) -> dict[str, str]:
    plain = {"status", "verifier", "score", "reason", "extracted", "expected"}
    try:
        return verifier.readings(
            Verdict.from_dict({name: value for name, value in verdict.items() if name in plain})
        )
    except (VerifierError, KeyError, TypeError, ValueError):  # a verdict that somebody else wrote
        return {}
