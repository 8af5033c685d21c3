"""Scored rows as candidates for selection, group by group."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rewards.select import Candidate
from rewards.select.vote import equal_by, strict
from verifiers import ConfigError, Verifier, split_completion
from verifiers._component import Component
from verifiers._errors import nearest
from verifiers._registry import get_class

from .grouping import whole_groups
from .jsonl import Line, Overlong, Source, parse


@dataclass(frozen=True)
class Reader:
    """Reads scored rows, the completions of one prompt next to one another.

    Args:
        outcome: The part that says whether the answer is right; None for the first part whose verifier
            needs a reference, or the first of all.
        require: Parts that must pass as well.
        completion_field: The column with the completions.
        group_field: The column that the completions of one prompt have in common.
    """

    outcome: str | None = None
    require: tuple[str, ...] = ()
    completion_field: str = "completion"
    group_field: str = "prompt"

    def groups(self, source: Source) -> Iterator[list[Candidate]]:
        """The candidates of each prompt, in order.

        Raises:
            ConfigError: A line that is no scored row, lacks a column, or stands apart from its group.
        """
        for chunk in whole_groups(source.chunks(), self.group_field):
            if isinstance(chunk, Overlong):
                raise ConfigError(f"{chunk.file}:{chunk.number}: longer than 16 MB")
            yield [self.candidate(line) for line in chunk]

    def candidate(self, line: Line) -> Candidate:
        """A row as a candidate.

        Raises:
            ConfigError: It is no scored row, or lacks a column; the message names the line.
        """
        where = f"{line.file}:{line.number}"
        try:
            row = parse(line.raw)
        except ValueError as error:
            raise ConfigError(f"{where}: {error}") from None
        if not isinstance(row.get("verdicts"), list) or "reward" not in row:
            raise ConfigError(f"{where}: is no scored row; score the file first with: verify-cli score")
        for column, flag in ((self.completion_field, "completion"), (self.group_field, "group")):
            if column not in row:
                raise ConfigError(
                    f"{where} has no column {column!r}{nearest(column, row)} (choose it with --{flag}-field)"
                )
        parts = row.get("reward_parts") or {}
        verdict = self._outcome(row, parts, where)
        return Candidate(
            completion=row[self.completion_field],
            outcome=verdict["score"],
            reward=row["reward"],
            length=_length(row, row[self.completion_field]),
            answer=verdict.get("extracted"),
            judge=verdict.get("verifier", ""),
            accepted=all(_part(row, parts, name, where) == 1.0 for name in self.require),
            hinted=bool(row.get("hinted")),
            row=row,
        )

    def _outcome(self, row: Mapping[str, Any], parts: Mapping[str, Any], where: str) -> Mapping[str, Any]:
        verdicts = row["verdicts"]
        if self.outcome is not None:
            named = dict(zip(parts, verdicts, strict=False)) if len(parts) == len(verdicts) else {}
            for verdict in verdicts:
                if verdict["verifier"] == self.outcome:
                    return dict(verdict)
            if self.outcome in named:
                return dict(named[self.outcome])
            return {"score": _part(row, parts, self.outcome, where)}
        for verdict in verdicts:
            kind = _class(verdict["verifier"])
            if kind is not None and issubclass(kind, Verifier) and kind.needs_reference:
                return dict(verdict)
        if not verdicts:
            raise ConfigError(
                f"{where}: has no verdicts; name the part that says what is right with --outcome"
            )
        return dict(verdicts[0])


def equality(group: Sequence[Candidate]) -> Callable[[str, str], bool] | None:
    """How answers are compared for a vote: strictly, by the verifier that took them; None if none were."""
    judge = next((each.judge for each in group if each.answer is not None), None)
    if judge is None:
        return None
    kind = _class(judge)
    if kind is not None and issubclass(kind, Verifier) and "extract" in kind.__dataclass_fields__:
        return equal_by(strict(kind()))
    return str.__eq__


def _class(name: str) -> type[Component] | None:
    try:
        return get_class(name)
    except ConfigError:
        return None


def _part(row: Mapping[str, Any], parts: Mapping[str, Any], name: str, where: str) -> float | None:
    if name in parts:
        value: float | None = parts[name]
        return value
    for verdict in row["verdicts"]:
        if verdict["verifier"] == name:
            score: float | None = verdict["score"]
            return score
    known = [*parts, *(verdict["verifier"] for verdict in row["verdicts"])]
    raise ConfigError(f"{where}: has no part {name!r}{nearest(name, set(known))}")


def _length(row: Mapping[str, Any], completion: object) -> int:
    tokens = row.get("completion_tokens")
    if isinstance(tokens, int) and not isinstance(tokens, bool):
        return tokens
    split = split_completion(completion)
    return 0 if split is None else len(split.text)
