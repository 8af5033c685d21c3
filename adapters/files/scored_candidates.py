"""Scored rows as candidates for selection, group by group."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reward_verifiers.rewards.select import Candidate
from reward_verifiers.rewards.select.vote import equal_by, strict
from reward_verifiers.verifiers import ConfigError, FunctionVerifier, Verifier, split_completion
from reward_verifiers.verifiers.core import EXTRACTORS, VERIFIERS, find_class, nearest

from .columns import column_names, column_of, has_column
from .gathering import gathered
from .jsonl import Line, Overlong, Source, parse
from .line_groups import parsed_groups

REWARD = "reward"
"""The outcome that is the whole of what a row is paid, where no part has that name."""


@dataclass(frozen=True)
class Reader:
    """Reads scored rows, the completions of one prompt next to one another.

    Args:
        outcome: The part that says whether the answer is right, or how good it is; None for the first part
            whose verifier needs a reference, where that is certain.
        require: Parts that must pass as well.
        pass_at: The least outcome that is right; None for 1, or for none where outcomes are grades.
        completion_field: The column with the completions.
        group_field: The column that the completions of one prompt have in common.
        sort: Whether the completions of a prompt may stand apart, and are brought together.
    """

    outcome: str | None = None
    require: tuple[str, ...] = ()
    completion_field: str = "completion"
    group_field: str = "prompt"
    sort: bool = False
    pass_at: float | None = None
    _right: dict[tuple[str, ...], int] = field(default_factory=dict, init=False, repr=False, compare=False)

    def groups(self, source: Source) -> Iterator[list[Candidate]]:
        """Yield the candidates of each prompt, in order.

        Raises:
            ConfigError: A line that is not a scored row, lacks a column, or is apart from its group.
        """
        chunks = source.chunks()
        if self.sort:
            chunks = gathered(chunks, self.group_field)
        for chunk in parsed_groups(chunks, self.group_field, together=self.sort):
            if isinstance(chunk, Overlong):
                raise ConfigError(f"{chunk.file}:{chunk.number}: longer than 16 MB")
            group = [self.candidate(line, row) for line, row in chunk]
            yield group if self.pass_at is not None else with_grades(group)

    def candidate(self, line: Line, row: dict[str, Any] | None = None) -> Candidate:
        """Return a row as a candidate.

        Args:
            line: Its line.
            row: Content of the line, if known.

        Raises:
            ConfigError: It is not a scored row, or lacks a column; the message names the line.
        """
        where = line.where
        try:
            row = parse(line.raw) if row is None else row
        except ValueError as error:
            raise ConfigError(f"{where}: {error}") from None
        check_scored(row, where)
        completion = column_of(row, self.completion_field)
        for column, flag in ((self.completion_field, "completion"), (self.group_field, "group")):
            if column not in row and not has_column(row, column):
                hint = nearest(column, column_names(row))
                raise ConfigError(f"{where} has no column {column!r}{hint} (choose it with --{flag}-field)")
        verdict = self.outcome_of(row, where)
        return Candidate(
            completion=completion,
            outcome=verdict["score"],
            reward=row["reward"],
            length=_length(row, completion),
            answer=verdict.get("extracted"),
            judge=verdict.get("verifier", ""),
            accepted=not self.require or all(_part(row, name, where) == 1.0 for name in self.require),
            hinted=bool(row.get("hinted")),
            pass_at=1.0 if self.pass_at is None else self.pass_at,
            row=row,
        )

    def outcome_of(self, row: Mapping[str, Any], where: str) -> Mapping[str, Any]:
        """Return the verdict that says whether the answer is right.

        Raises:
            ConfigError: Which part that is cannot be told, or there is none of that name.
        """
        names: list[str] = row["verdict_parts"]
        verdicts: list[Mapping[str, Any]] = row["verdicts"]
        if self.outcome is not None:
            found = dict(zip(names, verdicts, strict=True)).get(self.outcome)
            if found is None and self.outcome == REWARD and REWARD not in row["reward_parts"]:
                return {"score": row["reward"]}
            return found if found is not None else {"score": _part(row, self.outcome, where)}
        # The parts of a file are the same in most of its rows: which one it is, is found out once.
        kinds = (*names, *[str(each.get("verifier")) for each in verdicts])
        place = self._right.get(kinds, -2)
        if place == -2:
            part = right_part(dict(zip(names, verdicts, strict=True)))
            # Of several parts with one name the last one counts.
            place = -1 if part is None else len(names) - 1 - names[::-1].index(part)
            self._right[kinds] = place
        if place < 0:
            raise ConfigError(
                f"{where}: which of the parts {', '.join(row['reward_parts'])} says whether the answer is "
                "right? Name it with --outcome"
            )
        return verdicts[place]


def with_grades(group: list[Candidate]) -> list[Candidate]:
    """Return the candidates, marked if their outcomes are grades.

    A verifier declares whether its scores are grades. Without a known verifier, values other than 0 and 1
    tell it.
    """
    kinds = {judge: verifier_class(judge) for judge in {each.judge for each in group}}
    graded = any(kind is not None and kind.graded for kind in kinds.values()) or (
        None in kinds.values() and any(each.outcome not in (None, 0.0, 1.0) for each in group)
    )
    return [replace(each, graded=True) for each in group] if graded else group


def right_part(named: Mapping[str, Mapping[str, Any]]) -> str | None:
    """Return the part that judges correctness: the first whose verifier needs a reference.

    Args:
        named: The verdicts of a row, by part.

    Returns:
        None where it cannot be told: a verifier that is not registered may be the one.
    """
    kinds = {name: verifier_class(verdict.get("verifier")) for name, verdict in named.items()}
    unknown = [name for name, kind in kinds.items() if kind is None]
    sure = [name for name, kind in kinds.items() if kind is not None and kind.needs_reference]
    candidates = [*sure, *unknown] or [*named]
    return candidates[0] if len(candidates) == 1 or (sure and not unknown) else None


def check_scored(row: Mapping[str, Any], where: str) -> None:
    """Refuse a row that `verify-cli score` did not write.

    Raises:
        ConfigError: It is one; the message says what to do.
    """
    verdicts, parts, names = row.get("verdicts"), row.get("reward_parts"), row.get("verdict_parts")
    scored = (
        isinstance(verdicts, list)
        and isinstance(names, list)
        and len(names) == len(verdicts)
        and isinstance(parts, dict)
        and all(map(_is_value, parts.values()))
        and _is_value(row.get("reward", ""))
    )
    # Loops, since this is asked of every row: a generator would take as long as reading some of its columns.
    for name, each in zip(names, verdicts, strict=True) if scored else ():  # type: ignore[arg-type]
        scored = (
            scored
            and isinstance(name, str)
            and isinstance(each, dict)
            and isinstance(each.get("verifier"), str)
            and _is_value(each.get("score", ""))
        )
    if not scored:
        raise ConfigError(f"{where}: is not a scored row; score the file first with: verify-cli score")


_PLAIN = frozenset((float, int, type(None)))
"""The types that numbers of JSON, and null, have as they are read."""


def _is_value(value: object) -> bool:
    return type(value) in _PLAIN or (isinstance(value, int | float) and not isinstance(value, bool))


def equality(group: Sequence[Candidate]) -> Callable[[str, str], bool] | None:
    """Return the strict equality of answers for a vote, by their verifier; None if there are no answers."""
    judge = next((each.judge for each in group if each.answer is not None), None)
    if judge is None:
        return None
    kind = verifier_class(judge)
    if kind is not None and "extract" in kind.__dataclass_fields__:
        return equal_by(strict(kind()))
    return str.__eq__


def verifier_class(name: object) -> type[Verifier] | None:
    """Return a registered verifier class by name; None for a user's verifier or a function."""
    try:
        kind = find_class(str(name), VERIFIERS, EXTRACTORS)
    except ConfigError:
        return None
    return kind if issubclass(kind, Verifier) and kind is not FunctionVerifier else None


def _part(row: Mapping[str, Any], name: str, where: str) -> float | None:
    parts: Mapping[str, float | None] = row["reward_parts"]
    if name not in parts:
        raise ConfigError(f"{where}: has no part {name!r}{nearest(name, parts)}")
    return parts[name]


def _length(row: Mapping[str, Any], completion: object) -> int:
    tokens = row.get("completion_tokens")
    if isinstance(tokens, int) and not isinstance(tokens, bool):
        return tokens
    split = None if isinstance(completion, str) else split_completion(completion)
    return len(completion) if isinstance(completion, str) else len(split.completion) if split else 0
