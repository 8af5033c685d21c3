"""Scored rows as columns: what the detectors read, in some 150 bytes a row whatever the rows hold."""

from __future__ import annotations

import hashlib
import json
import math
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from verifiers import ConfigError, split_completion
from verifiers.core import nearest

from ..files.candidates import Reader, check_scored
from ..files.columns import column_of, has_column
from ..files.jsonl import Overlong, Source, parse
from .cheats import cheats_in
from .findings import MOST_ROWS
from .labels import Confusion, is_label
from .text_traits import SCRIPTS, traits_of

NAN = math.nan
STEP = "step"
STRICT = "strict"


def known(values: Iterable[float]) -> list[float]:
    """Those that are there: NaN stands for none."""
    return [value for value in values if not math.isnan(value)]


class Cases:
    """How often something occurs, and the first rows in which it does."""

    def __init__(self) -> None:
        self.count = 0
        self.rows: list[int] = []

    def add(self, row: int) -> None:
        """Count a row."""
        self.count += 1
        if len(self.rows) < MOST_ROWS:
            self.rows.append(row)


class Part:
    """A part of the reward, or the verdict on one, over all rows.

    Args:
        name: What the recipe calls it.
        verifier: That judges it; empty where rows have no verdict of it.
    """

    def __init__(self, name: str, rows: int) -> None:
        self.name, self.verifier = name, ""
        self.refers = False
        """Whether its verdicts say what was expected."""
        self.scores = array("d", [NAN] * rows)
        self.faults, self.unscored = Cases(), Counter[str]()
        self.first_unscored: dict[str, list[int]] = {}
        self.no_answer = array("b", bytes(rows))

    def extend(self, rows: int) -> None:
        """Make room: rows that do not have the part have no score of it."""
        missing = rows - len(self.scores)
        self.scores.extend([NAN] * missing)
        self.no_answer.extend([0] * missing)


class Rows:
    """All rows of scored files, as columns; a row's number counts from 1 over all files.

    Args:
        outcome: The part that says whether an answer is right; None to find it, where that is certain.
        strict: The part that measures, beside what is paid: by default a column or part named ``strict``.
        completion_field: The column with the completions.
        group_field: The column that the completions of a prompt share.
        labels: A column that says whether a completion is right.
    """

    def __init__(
        self,
        outcome: str | None = None,
        strict: str | None = None,
        completion_field: str = "completion",
        group_field: str = "prompt",
        labels: str | None = None,
    ) -> None:
        self.outcome, self._strict, self._labels = outcome, strict, labels
        self.confusion = Confusion()
        self._completion, self._group = completion_field, group_field
        self._reader: Reader | None = Reader(outcome, (), completion_field, group_field)
        self.count = 0
        self.parts: dict[str, Part] = {}
        self.group, self.text, self.last = array("q"), array("q"), array("q")
        self.step, self.reward, self.strict, self.right = (array("d") for _ in range(4))
        self.length, self.tags, self.repeated = (array("d") for _ in range(3))
        self.scripts = {name: array("d") for name in SCRIPTS}
        self.in_thinking = array("b")
        self.grouped = True
        self.cheats: dict[str, Cases] = {}

    def read(self, source: Source) -> Rows:
        """Take in all rows of a source.

        Raises:
            ConfigError: A line is not a scored row, or lacks a column.
        """
        for chunk in source.chunks():
            if isinstance(chunk, Overlong):
                raise ConfigError(f"{chunk.file}:{chunk.number}: longer than 16 MB")
            for line in chunk:
                where = f"{line.file}:{line.number}"
                try:
                    row = parse(line.raw)
                except ValueError as error:
                    raise ConfigError(f"{where}: {error}") from None
                self.add(row, where)
        return self

    def add(self, row: Mapping[str, Any], where: str = "the row") -> None:
        """Take in a row.

        Raises:
            ConfigError: It is not a scored row, or lacks a column.
        """
        check_scored(row, where)
        if not has_column(row, self._completion):
            raise ConfigError(
                f"{where} has no column {self._completion!r} (choose it with --completion-field)"
            )
        completion = column_of(row, self._completion)
        self.count += 1
        number = self.count
        split = split_completion(completion)
        text, thinking = (split.completion, split.thinking) if split is not None else ("", "")
        self.grouped = self.grouped and has_column(row, self._group)
        group = column_of(row, self._group) if has_column(row, self._group) else number
        self.group.append(_hash(group))
        self.text.append(_hash(text))
        self.step.append(_number(row.get(STEP)))
        self.reward.append(_number(row["reward"]))
        self._add_text(row, text)
        outcome = self._outcome_of(row, where)
        self.right.append(_number(outcome.get("score")))
        self._add_label(row, number, outcome, where)
        self._add_parts(row, number)
        self.strict.append(self._strict_of(row))
        expected = outcome.get("expected")
        shown = isinstance(expected, str) and 0 < len(expected) < 200 and expected in (thinking or "")
        self.in_thinking.append(outcome.get("reason") == "no_answer" and shown)
        paid = self.reward[-1]
        if paid > 0:
            for name in cheats_in(text):
                self.cheats.setdefault(name, Cases()).add(number)

    def measured(self) -> Sequence[float]:
        """What is right: by the strict outcome where there is one, else by the outcome that is paid."""
        return self.strict if known(self.strict) else self.right

    def by_group(self) -> Iterator[list[int]]:
        """The places (from 0) of each prompt's rows; each step of a run has groups of its own."""
        groups: dict[tuple[int, float], list[int]] = {}
        for place, (group, step) in enumerate(zip(self.group, self.step, strict=True)):
            groups.setdefault((group, -1.0 if math.isnan(step) else step), []).append(place)
        yield from groups.values()

    def by_step(self) -> dict[float, list[int]]:
        """The places of each step's rows, in order; empty where rows have no step."""
        steps: dict[float, list[int]] = {}
        for place, step in enumerate(self.step):
            if not math.isnan(step):
                steps.setdefault(step, []).append(place)
        return dict(sorted(steps.items()))

    def means_by_step(self, column: Sequence[float]) -> list[float]:
        """The mean of a column over the rows of each step that have it, in order."""
        means = []
        for places in self.by_step().values():
            values = known(column[place] for place in places)
            if values:
                means.append(sum(values) / len(values))
        return means

    # ------------------------------------------------------------------------------------------

    def _add_text(self, row: Mapping[str, Any], text: str) -> None:
        traits = traits_of(text)
        tokens = row.get("completion_tokens")
        counted = isinstance(tokens, int) and not isinstance(tokens, bool)
        self.length.append(float(tokens) if counted else float(len(text)))  # type: ignore[arg-type]
        self.tags.append(float(traits.tags))
        self.repeated.append(traits.repeated)
        for place, name in enumerate(SCRIPTS):
            self.scripts[name].append(traits.scripts[place] if traits.scripts else NAN)
        self.last.append(_hash(traits.last))

    def _add_label(self, row: Mapping[str, Any], number: int, outcome: Mapping[str, Any], where: str) -> None:
        if self._labels is None:
            return
        if not has_column(row, self._labels):
            raise ConfigError(f"{where} has no column {self._labels!r}{nearest(self._labels, row)}")
        label = is_label(column_of(row, self._labels))
        if label is None:
            raise ConfigError(
                f"{where}: {self._labels} is {column_of(row, self._labels)!r}; labels are true or "
                "false, 1 or 0"
            )
        if not outcome:
            raise ConfigError(f"{where}: which part is held against the labels? Name it with --outcome")
        self.confusion.add(number, label, _number(outcome.get("score")), str(outcome.get("reason", "")))

    def _outcome_of(self, row: Mapping[str, Any], where: str) -> Mapping[str, Any]:
        if self._reader is None:
            return {}
        try:
            return self._reader.outcome_of(row, where)
        except ConfigError:
            if self.outcome is not None:
                raise
            self._reader = None  # which part it is cannot be told: what needs to know it is left out
            return {}

    def _strict_of(self, row: Mapping[str, Any]) -> float:
        if self._strict is not None:
            if self._strict not in row["reward_parts"]:
                raise ConfigError(
                    f"no part {self._strict!r} for --strict; there are {', '.join(row['reward_parts'])}"
                )
            return _number(row["reward_parts"][self._strict])
        kept = row.get(STRICT)
        if isinstance(kept, Mapping):
            return _number(next(iter(kept.values()), None))
        return _number(kept) if kept is not None else _number(row["reward_parts"].get(STRICT))

    def _add_parts(self, row: Mapping[str, Any], number: int) -> None:
        verdicts = dict(zip(row["verdict_parts"], row["verdicts"], strict=True))
        for name in {**row["reward_parts"], **verdicts}:
            part = self.parts.get(name)
            if part is None:
                part = self.parts[name] = Part(name, number - 1)
            part.extend(number)
            verdict = verdicts.get(name)
            if verdict is None:
                part.scores[-1] = _number(row["reward_parts"][name])
                continue
            part.verifier = part.verifier or str(verdict["verifier"])
            part.scores[-1] = _number(verdict.get("score"))
            part.refers = part.refers or verdict.get("expected") is not None
            part.no_answer[-1] = verdict.get("reason") == "no_answer"
            status, reason = verdict.get("status"), str(verdict.get("reason"))
            if status == "fault":
                part.faults.add(number)
            elif status == "unscored":
                part.unscored[reason] += 1
                first = part.first_unscored.setdefault(reason, [])
                if len(first) < MOST_ROWS:
                    first.append(number)
        for part in self.parts.values():
            part.extend(number)


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return NAN
    return float(value) if math.isfinite(value) else NAN


def _hash(value: object) -> int:
    """Of anything that JSON holds, the same in every process."""
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
