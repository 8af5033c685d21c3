"""Findings of a certificate, and the shell line that reproduces each."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..audit.findings import LEVELS, MOST_ROWS, Level
from .certified_rows import DataRow

SECTIONS = ("golden", "floor", "search", "steadiness", "data")
"""What is looked at, in the order of a certificate."""


@dataclass(frozen=True)
class Found:
    """Something about a reward that a person should look at.

    Args:
        section: One of `SECTIONS`.
        name: Its name in snake_case.
        level: As in an audit; text that is paid though it does not answer is an alarm.
        message: The observation, in a sentence.
        rows: Lines of the data that show it; at most `MOST_ROWS`.
        paid: Number of rows that show it.
        tried: Number of tried rows.
        example: The completion, as short as it was found.
        reference: The reference that it was judged by.
        reward: Its reward; None if that is no number.
        right: Reward of a right answer.
        cure: Advice.
        texts: Further completions of the same cause.
        columns: The row's columns, for case rows.
    """

    section: str
    name: str
    level: Level
    message: str
    rows: Sequence[int] = ()
    paid: int = 0
    tried: int = 0
    example: str | None = None
    reference: Any = None
    reward: float | None = None
    right: float | None = None
    cure: str = ""
    texts: Sequence[str] = ()
    columns: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self, spec: str = "", *, two: bool = True) -> dict[str, Any]:
        """Return the finding as a dictionary for JSON.

        Args:
            spec: The reward, for the line that shows the finding again.
            two: Whether it is a function of a completion and a reference, and nothing else.
        """
        said = {name: value for name, value in vars(self).items() if name != "columns"}
        shown = {"rows": list(self.rows)[:MOST_ROWS], "texts": list(self.texts)[:5]}
        return {**said, **shown, "reproduce": self.reproduce(spec, two=two)}

    def reproduce(self, spec: str, *, two: bool = True) -> str:
        """Return one shell line that reproduces the finding; empty where one call does not show it."""
        if self.example is None:
            return ""
        path, _, name = spec.rpartition(":")
        if path.endswith(".py") and two and isinstance(self.reference, str):
            folder, _, file = path.removesuffix(".py").rpartition("/")
            code = f"from {file} import {name}; print({name}({self.example!r}, {self.reference!r}))"
            return f"{f'PYTHONPATH={shlex.quote(folder)} ' if folder else ''}python -c {_in_quotes(code)}"
        if path and "://" not in spec:
            asked = f", prompt={self.columns['prompt']!r}" if "prompt" in self.columns else ""
            call = f"paid({spec!r}, {self.example!r}, answer={self.reference!r}{asked})"
            code = f"from reward_verifiers.adapters.certify.loading import paid; print({call})"
            return f"python -c {_in_quotes(code)}"
        if not path and isinstance(self.reference, str):
            return (
                f"verify-cli explain --recipe {spec} --completion={shlex.quote(_visible(self.example))} "
                f"--reference={shlex.quote(self.reference)}"
            )
        return json.dumps(
            {"completion": self.example, "answer": self.reference}, ensure_ascii=True, default=str
        )


def _in_quotes(code: str) -> str:
    """Quote code for a shell, in double quotes where these are enough, since such a line can be read."""
    return shlex.quote(code) if re.search(r'["$`!]|\\[\\$"`\n]', code) else f'"{code}"'


def _visible(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode().replace("\x00", "\\x00")


def numbers_of(rows: Sequence[DataRow]) -> list[int]:
    """Return the line numbers of rows, each once, in order."""
    return sorted({row.number for row in rows})


def worst_first(findings: Sequence[Found]) -> list[Found]:
    """Return alarms, then warnings, then notes, each in the order of the sections."""
    return sorted(findings, key=lambda each: (-LEVELS.index(each.level), SECTIONS.index(each.section)))
