"""A task for a small real model: word problems of two calculations, to be worked out and answered in tags.

The questions are put together from a handful of sentences, so that nothing has to be downloaded and every
answer is known. What a pretrained model of 135 million parameters brings is English and sums of small
numbers. Its lessons show two habits: half put both changes into one calculation, half make one after the
other. No lesson says which is better for a model of this size; GRPO pays for right answers alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal, NamedTuple

_PLACES = (("A shop", "pens"), ("A library", "books"), ("A farm", "hens"), ("A bakery", "cakes"),
           ("A school", "chairs"), ("A garage", "bikes"), ("A kitchen", "cups"),
           ("A museum", "coins"))  # fmt: skip
_MORE = ("buys {} more", "gets {} more", "finds {} more")
_FEWER = ("sells {}", "loses {}", "gives {} away")


class WordSum(NamedTuple):
    """A number of things in a place, which changes twice."""

    place: str
    things: str
    first: int
    changes: tuple[int, int]
    phrases: tuple[str, str]

    @property
    def answer(self) -> int:
        """The final number of things."""
        return self.first + sum(self.changes)


def asked(one: WordSum) -> str:
    """Return the question.

    >>> asked(WordSum("A shop", "pens", 12, (5, -8), ("buys {} more", "gives {} away")))
    'A shop has 12 pens. It buys 5 more, then gives 8 away. How many pens now?'
    """
    first, then = (
        phrase.format(abs(change)) for phrase, change in zip(one.phrases, one.changes, strict=True)
    )
    return f"{one.place} has {one.first} {one.things}. It {first}, then {then}. How many {one.things} now?"


def worked_out(one: WordSum) -> str:
    """Return a right completion with the working, in the tags.

    >>> print(worked_out(WordSum("A shop", "pens", 12, (5, -8), ("", ""))))
    <THINK>12 + 5 = 17. 17 - 8 = 9.</THINK>
    <SOLUTION>9</SOLUTION>
    """
    now, steps = one.first, []
    for change in one.changes:
        steps.append(f"{now} {'+' if change > 0 else '-'} {abs(change)} = {now + change}.")
        now += change
    return f"<THINK>{' '.join(steps)}</THINK>\n<SOLUTION>{now}</SOLUTION>"


def in_one_go(one: WordSum) -> str:
    """Return a right completion that puts both changes into one calculation.

    >>> print(in_one_go(WordSum("A shop", "pens", 12, (5, -8), ("", ""))))
    <THINK>12 + 5 - 8 = 9.</THINK>
    <SOLUTION>9</SOLUTION>
    """
    changes = " ".join(f"{'+' if change > 0 else '-'} {abs(change)}" for change in one.changes)
    return f"<THINK>{one.first} {changes} = {one.answer}.</THINK>\n<SOLUTION>{one.answer}</SOLUTION>"


def problems(
    part: Literal["train", "heldout"] = "train",
    train: int = 400,
    held: int = 200,
    seed: int = 0,
    most: int = 10,
    change: int = 5,
) -> Iterator[dict[str, Any]]:
    """Yield rows with ``question`` and ``answer``.

    Args:
        part: The questions to train on, or others: no three numbers are on both sides.
        train: Questions to train on.
        held: Questions held out.
        seed: Random seed of the questions.
        most: The largest number to begin with.
        change: The largest change.

    >>> sorted(next(problems()))
    ['answer', 'question']
    """
    for one in _split(train, held, seed, most, change)[part == "heldout"]:
        yield {"question": asked(one), "answer": str(one.answer)}


def lessons(
    rows: int = 96,
    work: float = 0.5,
    train: int = 400,
    held: int = 200,
    seed: int = 0,
    most: int = 10,
    change: int = 5,
) -> Iterator[dict[str, Any]]:
    """Yield the first training questions of `problems`, each with a right completion in the tags.

    `work` is the share of the rows that make one calculation after the other.
    """
    worked = set(random.Random(seed).sample(range(rows), round(work * rows)))  # noqa: S311
    for number, one in enumerate(_split(train, held, seed, most, change)[0][:rows]):
        said = worked_out(one) if number in worked else in_one_go(one)
        yield {"question": asked(one), "answer": str(one.answer), "completion": said}


@lru_cache(maxsize=4)
def _split(train: int, held: int, seed: int, most: int, change: int) -> tuple[list[WordSum], list[WordSum]]:
    rng = random.Random(seed)  # noqa: S311
    numbers: dict[tuple[int, int, int], None] = {}
    while len(numbers) < train + held:
        first = rng.randint(2, most)
        changes = [rng.choice((-1, 1)) * rng.randint(1, change) for _ in range(2)]
        if min(first + changes[0], first + sum(changes)) > 0:
            numbers[first, changes[0], changes[1]] = None
    made = []
    for first, one, two in numbers:
        place, things = rng.choice(_PLACES)
        phrases = tuple(rng.choice(_MORE if change > 0 else _FEWER) for change in (one, two))
        made.append(WordSum(place, things, first, (one, two), (phrases[0], phrases[1])))
    return made[held:], made[:held]
