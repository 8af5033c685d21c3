"""Recognition of a file's dataset by its first rows; a guess that could reward wrongly is refused."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reward_verifiers.rewards import Reward, load_recipe
from reward_verifiers.rewards.recipe import recipe_of

from ..files.columns import column_of
from .answer_sets import ANSWERS, INSTRUCTIONS, KOREAN
from .choice_sets import CHOICES
from .known_set import KnownSet, NotOfTheSetError, Recipe, Row
from .maths_sets import CODE, MATHS, TRAINERS

SETS: dict[str, KnownSet] = {
    each.name: each for each in (*TRAINERS, *INSTRUCTIONS, *MATHS, *CODE, *CHOICES, *KOREAN, *ANSWERS)
}
"""By name; of sets with the same columns the narrower one comes first."""
OPTIONS = (("choices",), ("options",), ("A", "B", "C", "D"))
"""Columns that hold options: with them an answer is hardly a number to compute."""
PROPOSED_BY = 256
"""Rows whose references are read for a proposal."""
MOST_WITHOUT = 0.9
"""Share of rows without a reference above which a set is none."""


@dataclass(frozen=True)
class Found:
    """The recognised dataset of a file.

    Args:
        known: The set; None where none is known.
        refusal: Why nothing may be guessed; empty where something may.
        rows: Rows that were looked at.
        unscored: Number of these without a reference.
    """

    known: KnownSet | None
    refusal: str = ""
    rows: int = 0
    unscored: int = 0


@dataclass(frozen=True)
class Reading:
    """Reading of a known set's rows by a scorer; it travels to other processes.

    Args:
        set_name: A key of `SETS`.
    """

    set_name: str

    @property
    def signature(self) -> str:
        """Signature of everything that verdicts depend on."""
        return self.set_name

    def reward(self) -> Reward:
        """Return the reward for the set's rows."""
        return recipe_of(SETS[self.set_name].recipe)

    def read(self, row: Row) -> dict[str, Any]:
        """Return a row with our names.

        Raises:
            ValueError: It is not of the set.
        """
        try:
            return SETS[self.set_name].read(row)
        except NotOfTheSetError as problem:
            raise ValueError(f"not a row of {self.set_name}, as the first are: {problem}") from None


def recognised(rows: Sequence[tuple[str, Row]]) -> Found:
    """Return the set that rows belong to.

    Args:
        rows: The first of a file, each with what messages call it.
    """
    if not rows:
        return Found(None)
    first = rows[0][1]
    named = [each for each in SETS.values() if each.has_columns(first)]
    fitting: list[tuple[KnownSet, int]] = []
    problems: dict[str, str] = {}
    for known in named:
        problem, without = _problem(known, rows)
        if problem is None:
            fitting.append((known, without))
        else:
            problems[known.name] = problem
    narrowest = [
        (known, without)
        for known, without in fitting
        if not any(known.columns < other.columns for other, _ in fitting) and not _covered(known, fitting)
    ]
    doubts = [doubt for known, _ in narrowest if (doubt := known.doubt([row for _, row in rows]))]
    certain = [each for each in narrowest if not each[0].doubt([row for _, row in rows])]
    if len(certain) == 1:
        return Found(certain[0][0], "", len(rows), certain[0][1])
    if len(certain) > 1:
        shown = " and ".join(known.name for known, _ in certain)
        return Found(None, f"its rows could be of {shown}; name a --recipe", len(rows))
    if doubts:
        return Found(None, doubts[0], len(rows))
    partly = [said for said in problems.values() if said]
    if partly:
        return Found(None, partly[0], len(rows))
    options = next(
        (names for names in OPTIONS if all(column_of(first, name) is not None for name in names)), None
    )
    if options is not None:
        shown = ", ".join(options)
        return Found(
            None, f"there are options in {shown}, and the meaning of its answers is not certain", len(rows)
        )
    return Found(None, "", len(rows))


def _covered(known: KnownSet, fitting: list[tuple[KnownSet, int]]) -> bool:
    """Return whether a set with the same columns comes before this one."""
    same = [other for other, _ in fitting if other.columns == known.columns]
    return same[0] is not known and not known.doubt([])


def _problem(known: KnownSet, rows: Sequence[tuple[str, Row]]) -> tuple[str | None, int]:
    """Return why rows are not of a set (None: they are; "": the first is not), and how many are unscored."""
    without = 0
    for place, (where, row) in enumerate(rows):
        try:
            without += known.read(row)["answer"] is None
        except NotOfTheSetError as problem:
            if place == 0:
                return "", 0
            return f"{rows[0][0]} is a row of {known.name}, and {where} is not: {problem}", 0
    if without == len(rows):
        return "", 0
    if without > MOST_WITHOUT * len(rows):
        return f"{without} of {len(rows)} rows have no reference in {known.name} has it", 0
    return None, without


def proposal(rows: Sequence[tuple[str, Row]], reference: str | None) -> tuple[Recipe | None, str]:
    """Return the verifier for rows of no known set, by their references, or None with the reason.

    Args:
        rows: The first of a file, each with what messages call it.
        reference: The column with the references.
    """
    if reference is None:
        return None, "there is no column with references"
    reward = load_recipe("MathEquivalence")
    kinds = Counter(_kind(column_of(row, reference), reward) for _, row in rows[:PROPOSED_BY])
    shown = ", ".join(f"{kind} ({count})" for kind, count in kinds.most_common())
    if set(kinds) == {"a letter"}:
        return "MultipleChoice", ""
    if set(kinds) == {"a small number"}:
        return None, f"the numbers in {reference!r} could be answers, or places of options"
    if set(kinds) <= {"mathematics", "a small number"}:
        return "MathEquivalence", ""
    return None, f"the references in {reference!r} are {shown}"


def _kind(value: object, reward: Reward) -> str:
    if isinstance(value, bool) or value is None or not isinstance(value, str | int | float):
        return f"of type {type(value).__name__}"
    text = str(value).strip()
    if len(text) == 1 and text in "ABCDEFGHIJ":
        return "a letter"
    if re.fullmatch(r"[0-5]", text):
        return "a small number"
    readable = all(about.kind == "readable" for _, about in reward.reference_classes({"answer": text}))
    return "mathematics" if readable else "words"
