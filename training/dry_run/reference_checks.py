"""Whether references can be used: each is scored against itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reward_verifiers.adapters.files.chunk_scorer import WRITTEN
from reward_verifiers.adapters.files.reference_table import ReferenceTable
from reward_verifiers.rewards import Batch, Payment, Reward
from reward_verifiers.verifiers import Status

from ..data import Row
from ..run.reward_recipes import RESERVED, outcome_part
from .reward_attacks import forms

SOLUTIONS = ("solution_code", "canonical_solution", "reference_solution", "code", "solution")
"""Columns that hold a program that passes a row's tests, as HumanEval and MBPP name them."""
PROBE = "0"
"""An answer as good as any: it is what the verdict says of the reference that counts."""


@dataclass
class Reference:
    """The result of scoring a row's reference against itself.

    Args:
        row: Its number.
        shown: The reference, for a person.
        problem: Why it is unusable; empty for a usable one.
        tried: Whether there was a completion to try: tests without a solution can only be read.
    """

    row: int
    shown: str
    problem: str = ""
    tried: bool = True


def classes(rows: Sequence[Row], reward: Reward) -> ReferenceTable:
    """What the references can be used for, before any answer is looked at."""
    table = ReferenceTable(reward)
    for number, row in enumerate(rows):
        table.add_row(f"row {number}", row)
    return table


def check_references(rows: Sequence[Row], reward: Reward) -> list[Reference]:
    """Score each reference against itself.

    A reference is usable if it can be read, and if an honest completion that gives it is paid in full
    by the part that judges the answer.

    Args:
        rows: With their references.
        reward: What pays.
    """
    part = outcome_part(reward, None, "reward")
    probes = pay(rows, [PROBE] * len(rows), reward)
    found = [
        Reference(number, str(row.get("answer", "")), _problem(payment))
        for number, (row, payment) in enumerate(zip(rows, probes, strict=True))
    ]
    readable = [each for each in found if not each.problem]
    answers = right_answers([rows[each.row] for each in readable], reward)
    tries: dict[int, list[str]] = {}
    for each, own in zip(readable, answers, strict=True):
        each.tried = bool(own)
        if own:
            tries[each.row] = list(dict.fromkeys(form for text in own for form in forms(reward, text)))
    best: dict[int, float] = {}
    judged: set[int] = set()
    blank: dict[int, str] = {}
    for turn in range(max(map(len, tries.values()), default=0)):
        left = [row for row, own in tries.items() if best.get(row, 0.0) < 1.0 and turn < len(own)]
        payments = pay([rows[row] for row in left], [tries[row][turn] for row in left], reward)
        for row, payment in zip(left, payments, strict=True):
            best[row] = max(best.get(row, 0.0), payment.values().get(part) or 0.0)
            if payment.value is not None:
                judged.add(row)
            else:
                blank[row] = _problem(payment)
    for each in readable:
        if each.tried and each.row not in judged:
            # What is wrong about the set-up shows only where there is an answer to judge.
            each.problem = f"an honest answer is unscored: {blank.get(each.row, '')}"
        elif each.tried and best.get(each.row, 0.0) < 1.0:
            earned = best.get(each.row, 0.0)
            each.problem = f"the reference itself earns {earned:.2f} for {part}: no answer is right"
    return found


def _problem(payment: Payment) -> str:
    """Why a row cannot be judged; empty if it can."""
    verdict = next((each for _, each in payment.judged() if each.status is not Status.SCORED), None)
    if payment.value is not None:
        return ""
    if verdict is None:
        return payment.note or "unscored"
    return f"{verdict.verifier} says {verdict.reason}: {verdict.detail or 'unusable'}"


def right_answers(rows: Sequence[Row], reward: Reward) -> list[list[str]]:
    """What is right for each row: a solution if it holds one, else the reference, and what is taken from it.

    Args:
        rows: With usable references.
        reward: What pays.

    Returns:
        Nothing for a row of tests without a solution.
    """
    found = [_given(row) for row in rows]
    # What a verifier takes from a reference ("72" from a solution that ends in #### 72) is in a verdict
    # only where an answer was found, so a probe is made in every form.
    waiting = [number for number, row in enumerate(rows) if _is_text(row.get("answer"))]
    for probe in forms(reward, PROBE):
        payments = pay([rows[number] for number in waiting], [probe] * len(waiting), reward)
        for number, payment in zip(waiting, payments, strict=True):
            expected = [verdict.expected for verdict in payment.verdicts if verdict.expected]
            found[number] += [text for text in dict.fromkeys(expected) if text not in found[number]]
        waiting = [number for number in waiting if len(found[number]) < 2]
    return found


def _given(row: Row) -> list[str]:
    reference = row.get("answer")
    if _is_text(reference):
        return [str(reference)]
    if isinstance(reference, list) and reference and all(map(_is_text, reference)):
        return [str(reference[0])]
    return [row[name] for name in SOLUTIONS if isinstance(row.get(name), str)][:1]


def _is_text(reference: Any) -> bool:
    return isinstance(reference, str | int | float) and not isinstance(reference, bool)


def pay(rows: Sequence[Row], completions: Sequence[Any], reward: Reward) -> list[Payment]:
    """What completions of rows are paid; each is a group of its own."""
    if not rows:
        return []
    names = dict.fromkeys(
        name for row in rows for name in row if name not in RESERVED and name not in WRITTEN
    )
    columns: dict[str, Sequence[object]] = {name: [row.get(name) for row in rows] for name in names}
    columns["prompts"] = [row.get("prompt") for row in rows]
    columns.setdefault("completion_tokens", [len(str(each).split()) for each in completions])
    return Batch(list(completions), columns, progress=0.0, group_size=1).pay(reward)
