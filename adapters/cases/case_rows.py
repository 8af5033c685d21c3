"""Cases: rows with the expected verdict of a verifier, a function or a reward, judged and compared."""

from __future__ import annotations

import difflib
import importlib
import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from reward_verifiers.rewards import Batch, Reward, load_recipe
from reward_verifiers.verifiers import ConfigError, Verdict, Verifier, from_spec, verifier, verifier_names
from reward_verifiers.verifiers.core import Spec, load, nearest

SUFFIX = ".jsonl"
_KEYS = ("id", "completion", "reference", "score", "reason", "reward", "spec", "note", "fields")
_MISSPELT = [key for key in _KEYS if key != "id"]
"""Keys that are long enough to be told from a column of another name."""
_TOLERANCE = 1e-6
_ALIKE = 0.8
"""How alike a column's name and a key are (difflib's ratio) where the one is the other misspelt."""


@dataclass(frozen=True)
class Case:
    """One row of a case file: a completion, its reference and the expected verdict.

    Args:
        file: Its file.
        line: Its line, from 1.
        id: Its name; "line 7" where it has none.
        completion: A completion: a text, or messages.
        reference: Value of the row's answer column.
        fields: The row's other columns, such as ``prompt``.
        expected: Expected values by key: ``score`` (a number, or None for an unscored row), ``reason``, and
            ``reward`` (a number or None) of a recipe.
        spec: The verifier, where the row names one.
        note: Subject of the row, for messages.
    """

    file: Path
    line: int
    id: str
    completion: Any
    reference: Any
    expected: Mapping[str, Any]
    fields: Mapping[str, Any] = field(default_factory=dict)
    spec: Spec | None = None
    note: str = ""

    @property
    def place(self) -> str:
        """``cases/even.jsonl:3``."""
        return f"{self.file}:{self.line}"


def case_files(path: Path) -> list[Path]:
    """Return the case files that a path names: itself, or those of a folder.

    Raises:
        ConfigError: There is nothing there.
    """
    if path.is_file():
        return [path]
    found = sorted(path.rglob(f"*{SUFFIX}")) if path.is_dir() else []
    if not found:
        raise ConfigError(f"{path} is neither a case file nor a folder with {SUFFIX} files")
    return found


def read_cases(file: Path) -> Iterator[Case]:
    """Yield the rows of a case file, in order.

    Raises:
        ConfigError: A line is no case; the message names it and what is missing.
    """
    seen: dict[str, int] = {}
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            case = _case(file, number, line)
            if case.id in seen:
                raise ConfigError(f"{case.place}: line {seen[case.id]} has the id {case.id!r}, too")
            seen[case.id] = number
            yield case


def _case(file: Path, number: int, line: str) -> Case:
    place = f"{file}:{number}"
    try:
        row = json.loads(line)
    except ValueError as error:
        raise ConfigError(f"{place}: not JSON: {error}") from error
    if not isinstance(row, dict):
        raise ConfigError(
            f"{place}: a case is an object with 'completion' and 'score', got {line.strip():.80}"
        )
    if "completion" not in row:
        raise ConfigError(f"{place}: the case has no 'completion'{nearest('completion', list(row))}")
    expected = {key: row[key] for key in ("score", "reason", "reward") if key in row}
    if not {"score", "reward"} & set(expected):
        raise ConfigError(
            f"{place}: the case asks for nothing; give 'score' (0.0 to 1.0, or null for an unscored row), or "
            "'reward' for the value of a recipe"
        )
    for key in ("score", "reward"):
        if isinstance(expected.get(key), bool) or not isinstance(expected.get(key), int | float | None):
            raise ConfigError(f"{place}: {key!r} is a number or null, got {expected[key]!r:.80}")
    if expected.get("score") is not None and not 0.0 <= expected["score"] <= 1.0:
        raise ConfigError(f"{place}: 'score' is from 0.0 to 1.0, got {expected['score']!r:.80}")
    fields = row.get("fields", {})
    if not isinstance(fields, dict):
        raise ConfigError(f"{place}: 'fields' is an object, the row's other columns by name")
    others = {key: value for key, value in row.items() if key not in _KEYS}
    for name in others:
        meant = difflib.get_close_matches(name.casefold(), _MISSPELT, n=1, cutoff=_ALIKE)
        if meant:
            raise ConfigError(
                f"{place}: {name!r} is no key of a case; did you mean {meant[0]!r}? A column of that name "
                "goes into 'fields'"
            )
    return Case(
        file=file,
        line=number,
        id=str(row.get("id", f"line {number}")),
        completion=row["completion"],
        reference=row.get("reference"),
        expected=expected,
        fields={**others, **fields},
        spec=row.get("spec"),
        note=str(row.get("note", "")),
    )


def differs(expected: float | None, found: float | None) -> bool:
    """Return whether a number, or None, differs from the one that the row expects."""
    if expected is None or found is None:
        return expected is not found
    return abs(expected - found) > _TOLERANCE


Judge = Verifier | Reward


@dataclass(frozen=True)
class Outcome:
    """Result of a case.

    Args:
        case: The case.
        problems: Differences from the expectation, one sentence each; none if it passed.
        verdict: The verdict, or what a recipe paid for, in one line.
    """

    case: Case
    problems: tuple[str, ...]
    verdict: str

    @property
    def passed(self) -> bool:
        """Whether nothing differs."""
        return not self.problems

    def describe(self) -> str:
        """Return the failure in a few lines, with the cure at the end."""
        note = f" ({self.case.note})" if self.case.note else ""
        lines = [f"{self.case.place}: {self.case.id}{note}", *(f"  {each}" for each in self.problems)]
        return "\n".join([*lines, f"  {self.verdict}"])


@contextmanager
def importing_from(folder: Path) -> Iterator[None]:
    """Put a folder on the import path, like a script's own: users' modules are beside their cases."""
    place = os.fspath(folder.resolve())
    added = place not in sys.path
    if added:
        sys.path.insert(0, place)
    try:
        yield
    finally:
        if added and place in sys.path:
            sys.path.remove(place)


def judge_of(spec: Spec) -> Judge:
    """Return the judge: a verifier by name or configuration, or an object by its import path.

    Args:
        spec: ``"ExactMatch"``, ``{"ExactMatch": {"ignore_case": true}}``, ``"package.module:name"`` of a
            verifier, a class of verifiers, a function or a reward, or a preset or recipe file.

    Raises:
        ConfigError: There is no such thing, or it judges nothing.
    """
    if not isinstance(spec, str):
        return _checked(from_spec(spec), spec)
    if ":" in spec and not Path(spec).is_file():
        importlib.invalidate_caches()
        return _checked(load(spec), spec)
    if spec in verifier_names():
        return _checked(from_spec(spec), spec)
    return load_recipe(spec)


def _checked(found: Any, spec: Spec) -> Judge:
    if isinstance(found, type) and issubclass(found, Verifier):
        found = found()
    if isinstance(found, Verifier | Reward):
        return found
    if callable(found):
        return verifier(found)
    raise ConfigError(f"{spec!r:.80} is neither a verifier nor a reward nor a function, but {found!r:.80}")


def judge_for(file: Path) -> Judge:
    """Return the verifier that a file is named after: ``exact_match.jsonl`` is ExactMatch's.

    Raises:
        ConfigError: None is called so.
    """
    folded = file.stem.replace("_", "").casefold()
    found = next((name for name in verifier_names() if name.casefold() == folded), None)
    if found is None:
        raise ConfigError(
            f"{file}: no verifier is called {file.stem!r}. Name one by the file's name in snake_case, in a "
            "row's 'spec', or with --verifier package.module:name (pytest: reward_cases_verifier). One of a "
            "package is known by its name once that is installed: pip install -e . in its folder"
        )
    return _checked(from_spec(found), found)


def run_case(case: Case, judge: Judge | None = None) -> Outcome:
    """Judge one case.

    Args:
        case: The row.
        judge: Verifier or reward of rows that name none; None takes the file's name.

    Raises:
        ConfigError: There is nothing to judge it with.
    """
    if case.spec is not None:
        judge = _by_spec(repr(case.spec), case.spec) if isinstance(case.spec, str) else judge_of(case.spec)
    elif judge is None:
        judge = judge_for(case.file)
    return _verified(case, judge) if isinstance(judge, Verifier) else _paid(case, judge)


@lru_cache(maxsize=256)
def _by_spec(_key: str, spec: str) -> Judge:
    return judge_of(spec)


def _verified(case: Case, judge: Verifier) -> Outcome:
    verdict = judge.verify(case.completion, case.reference, **case.fields)
    problems = []
    if "reward" in case.expected:
        problems.append("a verifier has a score and no reward: ask for 'score', or give a recipe")
    if "score" in case.expected and differs(case.expected["score"], verdict.score):
        problems.append(f"score {_number(case.expected['score'])} expected, {_number(verdict.score)} found")
    if "reason" in case.expected and case.expected["reason"] != verdict.reason:
        problems.append(f"reason {case.expected['reason']!r} expected, {verdict.reason!r} found")
    return Outcome(case, tuple(problems), _line(verdict))


def _paid(case: Case, judge: Reward) -> Outcome:
    columns = {"answer": [case.reference], **{name: [value] for name, value in case.fields.items()}}
    [payment] = Batch([case.completion], columns, group_size=1).pay(judge)
    problems = []
    wanted = case.expected["reward"] if "reward" in case.expected else case.expected["score"]
    if differs(wanted, payment.value):
        problems.append(f"reward {_number(wanted)} expected, {_number(payment.value)} found")
    return Outcome(case, tuple(problems), "\n  ".join(payment.lines()))


def _line(verdict: Verdict) -> str:
    return f"{verdict}  {verdict.detail}".rstrip()


def _number(value: float | None) -> str:
    return "null" if value is None else f"{value:g}"
