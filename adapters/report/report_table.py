"""The numbers of every row, as columns: some sixty bytes a row, however long the texts are."""

from __future__ import annotations

import math
import sys
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..audit.row_traits import stands_in
from ..files.columns import SOURCES, column_of, has_column
from ..files.line_groups import group_key
from .scored_rows import Columns, ScoredRow, number

STATUSES = ("", "scored", "unscored", "fault")
NOT_JUDGED, NOT_STRICT, SAME_TEXT, UNPAID, FLIPPED = 1, 2, 4, 8, 16
"""Why a row is flagged: no reward; paid as right and strictly not; a text that other prompts have as well;
the reference stands in the response and was not paid; another run says otherwise."""
MAX_PARTS, MAX_REASONS, MAX_SOURCES = 48, 60_000, 300
"""Names that are told apart. A file with more has no columns by these names, but rows."""
MANY_PROMPTS = 3
"""Prompts that one and the same completion answers, from which on it is flagged."""
SHORTEST = 40
"""Characters of a completion from which on it can be flagged so: many a prompt has the answer 12."""


@dataclass
class Part:
    """One part of the reward, row by row.

    Args:
        values: Its values; NaN if there is none.
        reasons: Number of the verdict's reason; 0 without a verdict.
        statuses: Number of its status in `STATUSES`.
    """

    values: array[float]
    reasons: array[int]
    statuses: array[int]


class Table:
    """Columns of numbers; `add` appends a row, `finish` sets the flags that need all rows.

    Args:
        columns: Names of the rows' columns.
    """

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.rewards, self.steps = array("d"), array("d")
        self.groups, self.prompts, self.lengths, self.lines = array("I"), array("I"), array("I"), array("I")
        self.sources, self.files, self.runs = array("H"), array("H"), array("H")
        self.run_names: dict[str, int] = {}
        self.pairs, self.changes = array("I"), array("d")
        """What a row has in common with its counterparts of other runs, and how it differs from them."""
        self._pair_numbers: dict[tuple[bytes | int | str, int], int] = {}
        self._turns: dict[tuple[bytes | int | str, int], int] = {}
        self.statuses, self.flags = array("B"), array("B")
        self.sizes = array("I")
        self.parts: dict[str, Part] = {}
        self.reasons: dict[str, int] = {"": 0}
        self.source_names: dict[str, int] = {}
        self.source_column = columns.source
        self.signatures: dict[str, int] = {}
        self.verifiers: dict[str, str] = {}
        self.recipe: tuple[str, str | None] = ("", None)
        """The first file that names a recipe, and the recipe."""
        self.tokens = self.characters = self.without_prompt = self.more_parts = 0
        self.unpaid: Counter[tuple[str, str]] = Counter()
        """By part and reason, the responses that hold the reference and are not paid."""
        self._prompt_numbers: dict[bytes, int] = {}
        self._group_numbers: dict[tuple[int, int, float], int] = {}
        self._texts: dict[bytes, list[int]] = {}
        self._hashes: array[int] = array("q")
        self._asked: tuple[object, bytes] = (None, b"")

    def __len__(self) -> int:
        return len(self.rewards)

    def add(self, scored: ScoredRow) -> None:
        """Append a row."""
        row, place = scored.row, len(self)
        if not place and self.source_column is None:
            self.source_column = next((name for name in SOURCES if isinstance(row.get(name), str)), None)
        reward = number(row["reward"])
        self.rewards.append(math.nan if reward is None else reward)
        self.files.append(min(scored.file, 65_535))
        self.runs.append(self.run_names.setdefault(scored.run[:200], len(self.run_names)))
        self.lines.append(scored.line)
        self.sizes.append(scored.size)
        self._add_parts(scored, place)
        self.statuses.append(1 if reward is not None else 3 if _has_fault(scored) else 2)
        self._add_group(scored, place)
        self._add_length(column_of(row, scored.names.tokens), scored.split.completion)
        self.sources.append(self._source(row))
        if self.recipe[1] is None and "recipe" in scored.names.said:
            self.recipe = (scored.path, scored.names.said["recipe"])
        signature = str(row.get("signature"))[:2000]
        if signature in self.signatures or len(self.signatures) < 20:
            self.signatures[signature] = self.signatures.get(signature, 0) + 1
        unpaid = False
        for name, verdict in scored.named.items():
            if verdict.get("score") == 0.0 and _unpaid(scored, verdict):
                self.unpaid[name, str(verdict.get("reason"))[:120]] += 1
                unpaid = True
        self.flags.append(
            (NOT_JUDGED if reward is None else 0)
            | (NOT_STRICT if _not_strict(scored) else 0)
            | (UNPAID if unpaid else 0)
        )

    def _add_parts(self, scored: ScoredRow, place: int) -> None:
        for name, value in scored.parts.items():
            part = self.parts.get(name)
            if part is None:
                if len(self.parts) >= MAX_PARTS:
                    self.more_parts += 1
                    continue
                part = Part(array("d", [math.nan]) * place, array("H", [0]) * place, array("B", [0]) * place)
                self.parts[name] = part
            part.values.append(math.nan if value is None else value)
            verdict = scored.named.get(name)
            if verdict is None:
                part.reasons.append(0)
                part.statuses.append(0)
                continue
            part.reasons.append(self._reason(verdict))
            part.statuses.append(_status(verdict))
            if name not in self.verifiers:
                self.verifiers[name] = str(verdict.get("verifier"))[:200]
        for part in self.parts.values():
            if len(part.values) == place:
                part.values.append(math.nan)
                part.reasons.append(0)
                part.statuses.append(0)

    def _reason(self, verdict: Mapping[str, Any]) -> int:
        reason = str(verdict.get("reason", ""))[:120]
        if reason not in self.reasons and len(self.reasons) >= MAX_REASONS:
            reason = "other_reasons"
        return self.reasons.setdefault(reason, len(self.reasons))

    def _add_group(self, scored: ScoredRow, place: int) -> None:
        row, column = scored.row, scored.names.group
        step = number(row.get("step"))
        self.steps.append(math.nan if step is None else step)
        if has_column(row, column):
            key = self._key(row, column)
        else:
            key = b"row" + place.to_bytes(8, sys.byteorder)
            self.without_prompt += 1
        prompt = self._prompt_numbers.setdefault(key, len(self._prompt_numbers))
        self.prompts.append(prompt)
        self._add_pair(row, key, place)
        # The same prompt in another run or step is another group: other weights answered it.
        group = (prompt, self.runs[place], -1.0 if step is None else step)
        self.groups.append(self._group_numbers.setdefault(group, len(self._group_numbers)))

    def _key(self, row: Mapping[str, Any], column: str) -> bytes:
        """Return the key of a prompt, once for rows that follow one another."""
        asked = row.get(column)
        if asked != self._asked[0] or type(asked) is not str:
            self._asked = asked, group_key(row, column)
        return self._asked[1]

    def _add_pair(self, row: Mapping[str, Any], prompt: bytes, place: int) -> None:
        """Pair the rows of one id, or of one prompt, in their order."""
        own = row.get("id")
        if own is None:
            key: bytes | int | str = prompt
        else:  # a short one takes no more room than its digest, and less time
            short = type(own) is int or (type(own) is str and len(own) < SHORTEST)
            key = own if short else group_key(row, "id")
        turn = self._turns.get((key, self.runs[place]), 0)
        self._turns[key, self.runs[place]] = turn + 1
        self.pairs.append(self._pair_numbers.setdefault((key, turn), len(self._pair_numbers)))

    def _add_length(self, counted: object, text: str) -> None:
        tokens = number(counted)
        self.tokens += tokens is not None
        length = len(text) if tokens is None else tokens
        self.lengths.append(int(min(max(length, 0), 2**32 - 1)))
        self._hashes.append(0 if len(text) < SHORTEST else hash(text))

    def _source(self, row: Mapping[str, Any]) -> int:
        if self.source_column is None:
            return 0
        name = str(column_of(row, self.source_column))[:120]
        if name not in self.source_names and len(self.source_names) >= MAX_SOURCES:
            name = "…"
        return self.source_names.setdefault(name, len(self.source_names))

    @property
    def several_runs(self) -> bool:
        """Whether rows are of more than one run."""
        return len(self.run_names) > 1

    def finish(self) -> None:
        """Set the flags that need all rows."""
        found: defaultdict[int, set[int]] = defaultdict(set)
        for code, prompt in zip(self._hashes, self.prompts, strict=True):
            if code and len(found[code]) < MANY_PROMPTS:
                found[code].add(prompt)
        many = {code for code, prompts in found.items() if len(prompts) >= MANY_PROMPTS}
        for place, code in enumerate(self._hashes):
            if code in many:
                self.flags[place] |= SAME_TEXT

    def by_group(self, keys: Iterable[int]) -> dict[int, list[int]]:
        """Return the places of the rows that share a number, in order."""
        found: defaultdict[int, list[int]] = defaultdict(list)
        for place, key in enumerate(keys):
            found[key].append(place)
        return dict(found)

    def arrays(self) -> Iterator[tuple[str, array[Any]]]:
        """Yield the columns that a page needs, the widest numbers first so that each is aligned."""
        yield "reward", self.rewards
        yield "step", self.steps
        if self.several_runs and len(self.changes) == len(self):
            yield "change", self.changes
        for index, part in enumerate(self.parts.values()):
            yield f"value.{index}", part.values
        for name in ("groups", "prompts", "lengths", "lines", *(["pairs"] if self.several_runs else [])):
            yield name, getattr(self, name)
        for name in ("sources", "files", *(["runs"] if self.several_runs else [])):
            yield name, getattr(self, name)
        for index, part in enumerate(self.parts.values()):
            yield f"reason.{index}", part.reasons
        yield "status", self.statuses
        yield "flags", self.flags
        for index, part in enumerate(self.parts.values()):
            yield f"status.{index}", part.statuses


def _status(verdict: Mapping[str, Any]) -> int:
    status = verdict.get("status")
    return STATUSES.index(status) if isinstance(status, str) and status in STATUSES else 0


def _has_fault(scored: ScoredRow) -> bool:
    return any(verdict.get("status") == "fault" for verdict in scored.named.values())


def _unpaid(scored: ScoredRow, verdict: Mapping[str, Any]) -> bool:
    """Return whether a verdict gives 0 for a response that contains its reference."""
    expected = verdict.get("expected")
    return (
        isinstance(expected, str)
        and number(verdict.get("score")) == 0.0
        and stands_in(expected, scored.split.completion)
    )


def _not_strict(scored: ScoredRow) -> bool:
    """Return whether a part accepts an answer that its strict measure does not."""
    for name, value in scored.parts.items():
        strict = scored.parts.get(f"strict.{name}") if value == 1.0 else None
        if strict is not None and strict < 1.0:
            return True
    return False
