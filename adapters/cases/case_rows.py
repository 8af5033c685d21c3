"""One row of a case file: a completion, its reference, and the verdict that is right."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import Spec, nearest

SUFFIX = ".jsonl"
_KEYS = ("id", "completion", "reference", "score", "reason", "reward", "spec", "note", "fields")
_MISSPELT = [key for key in _KEYS if key != "id"]
"""Keys that are long enough to be told from a column of another name."""
_TOLERANCE = 1e-6
_ALIKE = 0.8
"""How alike a column's name and a key are (difflib's ratio) where the one is the other misspelt."""


@dataclass(frozen=True)
class Case:
    """What one row asks for.

    Args:
        file: Where it stands.
        line: Its line, from 1.
        id: Its name; "line 7" where it has none.
        completion: What a model wrote: a text, or messages.
        reference: What the row's answer column would hold.
        fields: The row's other columns, such as ``prompt``.
        expected: What is asked for by key: ``score`` (a number, or None for a row that cannot be judged),
            ``reason``, and ``reward`` (a number or None) for what a recipe pays.
        spec: The verifier, where the row names one.
        note: What the row is about, for messages.
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
    """The case files that a path names: itself, or those of a folder.

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
    """The rows of a case file, in order.

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
    """Whether a number, or none, is another one than the row asks for."""
    if expected is None or found is None:
        return expected is not found
    return abs(expected - found) > _TOLERANCE
