"""References that are likely wrong: completions of one question agree with one another, and not with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from .witnesses import Rollout, answer_of, text_of, words_found, words_of


@dataclass(frozen=True)
class Suspect:
    """A reference that is likely wrong.

    Args:
        row: The place of the first row that has it.
        rows: How many completions the question has.
        paid: How many of them are paid.
        answer: What most of the others say.
        said_by: How many say it.
        score: The higher, the more likely it is wrong.
        reference: The reference.
    """

    row: int
    rows: int
    paid: int
    answer: str
    said_by: int
    score: float
    reference: Any


def suspects(rollouts: Sequence[Rollout]) -> list[Suspect]:
    """The references that are likely wrong, the likeliest first.

    Args:
        rollouts: With groups of at least two.
    """
    groups: dict[Hashable, list[int]] = {}
    for place, each in enumerate(rollouts):
        if each.group is not None and each.paid is not None:
            groups.setdefault(each.group, []).append(place)
    found = [_suspect(rollouts, places) for places in groups.values()]
    return sorted((suspect for suspect in found if suspect is not None), key=lambda each: -each.score)


def _suspect(rollouts: Sequence[Rollout], places: Sequence[int]) -> Suspect | None:
    """The reference of a question, where the completions that it refuses agree."""
    refused = [place for place in places if not rollouts[place].paid]
    paid = len(places) - len(refused)
    answer, count = _agreed([rollouts[place] for place in refused])
    if len(places) < 2 or count < 2 or count <= paid:
        return None
    near = sum(words_found(rollouts[place]) for place in places) / len(places)
    score = count / (len(places) + 1) * (len(refused) / len(places)) ** 2 * (1.05 - near)
    first = places[0]
    return Suspect(first, len(places), paid, answer, count, score, rollouts[first].reference)


def _agreed(rollouts: Sequence[Rollout]) -> tuple[str, int]:
    """What most completions say, and how many: a value, a label, or words that the question does not have."""
    answers = Counter(answer for each in rollouts if (answer := answer_of(each)) is not None)
    if answers:
        answer, count = answers.most_common(1)[0]
        return str(answer), count
    said: Counter[str] = Counter()
    for each in rollouts:
        known = set(words_of(str(each.prompt or "")))
        said.update({word for word in words_of(text_of(each)) if len(word) > 2 and word not in known})
    if not said:
        return "", 0
    most = said.most_common(1)[0][1]
    telling = sorted((word for word, count in said.items() if count == most), key=lambda word: -len(word))
    return " ".join(telling[:4]), most
