"""A task of several steps: chains of three calculations, a small model, and a teacher who slips.

``17 pens. 5 come, 8 go, 2 times. How many?`` is worked out line by line. The teacher forgets carries, and
borrows most of the time, so that what a model learns is right about half the time, and its most frequent
answer is wrong wherever there is a borrow. After some slips the teacher writes down, as if from a look at the
solution, what would have been right: a right answer from wrong steps. What is right is known for each step.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from .chain_texts import (
    Chain,
    Kind,
    Language,
    StepTruth,
    asked,
    read,
    task_words,
    truth,
    worked_out,
    written,
)
from .small_models import TAGS, save_model

__all__ = [
    "Chain",
    "Language",
    "StepTruth",
    "asked",
    "lessons",
    "model",
    "problems",
    "read",
    "truth",
    "worked_out",
    "written",
]

SLIPS: Mapping[str, float] = {"add": 0.3, "take": 0.6, "double": 0.3}
"""How often the teacher forgets a carry or a borrow."""
_WORDS = re.compile(r" ?[^\W\d_]+|[\s\S]")


def problems(
    part: Literal["train", "heldout"] = "train",
    train: int = 3000,
    held: int = 200,
    seed: int = 0,
    steps: int = 3,
    language: Language = "en",
) -> Iterator[dict[str, Any]]:
    """Rows with ``question`` and ``answer``.

    Args:
        part: The chains to train on, or others.
        train: Chains to train on.
        held: Chains held out.
        seed: Of the chains.
        steps: Calculations in each.
        language: Of the question: English or Korean.

    >>> next(problems())["question"]
    '27 pens. 2 come, 2 times, 4 come. How many?\\n'
    """
    for chain in _split(train, held, seed, steps)[part == "heldout"]:
        yield {"question": asked(chain, language), "answer": str(chain.answer)}


def lessons(
    train: int = 3000,
    held: int = 200,
    seed: int = 0,
    steps: int = 3,
    language: Language = "en",
    slips: Mapping[str, float] = SLIPS,
    whim: float = 0.03,
    healed: float = 0.3,
) -> Iterator[dict[str, Any]]:
    """What the teacher says to the training chains: rows with ``question``, ``answer`` and ``completion``.

    Args:
        train: As for `problems`.
        held: As for `problems`.
        seed: Of the chains, and of the teacher's whims.
        steps: As for `problems`.
        language: As for `problems`.
        slips: How often a carry or a borrow is forgotten, by kind.
        whim: Share of steps that are off by one for no reason.
        healed: Share of slips after which the next step ends where it would have ended without.
    """
    rng = random.Random(f"{seed} lessons")  # noqa: S311
    for chain in _split(train, held, seed, steps)[0]:
        said = _said(rng, chain, language, slips, whim, healed)
        yield {"question": asked(chain, language), "answer": str(chain.answer), "completion": said}


def model(folder: Path, seed: int = 0, hidden: int = 128, layers: int = 4, language: Language = "en") -> None:
    """Save a small untrained Llama with a tokenizer of characters, words and tags.

    Args:
        folder: Where the model is saved.
        seed: Of the weights.
        hidden: Width.
        layers: Depth.
        language: What it is to read and write.
    """
    chain = Chain(10, (("add", 1), ("take", 2), ("double", 2)))
    said = [
        asked(chain._replace(thing=thing), language) + written(chain, (1, 9, 18), language)
        for thing in range(len(task_words()[language]["things"]))
    ]
    bare = re.sub("|".join(TAGS), "", "\n".join([*said, asked(chain, language)]))
    words = dict.fromkeys([*"0123456789 ", *_WORDS.findall(bare)])
    save_model(folder, list(words), _WORDS.pattern, seed, hidden, layers)


@lru_cache(maxsize=4)
def _split(train: int, held: int, seed: int, steps: int) -> tuple[list[Chain], list[Chain]]:
    """Two disjoint lists of chains."""
    rng = random.Random(f"{seed} chains")  # noqa: S311
    found: dict[Chain, None] = {}
    while len(found) < train + held:
        found[_drawn(rng, steps)] = None
    chains = list(found)
    return chains[held:], chains[:held]


def _drawn(rng: random.Random, steps: int) -> Chain:
    """A chain whose values have one or two digits."""
    start = rng.randint(10, 49)
    value = start
    changes: list[tuple[Kind, int]] = []
    kinds: list[tuple[Kind, int, int]] = [("add", 1, 9), ("take", 1, 9), ("double", 2, 2)]
    while len(changes) < steps:
        kind, least, most = rng.choice(kinds)
        number = rng.randint(least, most)
        if 10 <= worked_out(kind, value, number) <= 99:
            value = worked_out(kind, value, number)
            changes.append((kind, number))
    return Chain(start, tuple(changes), rng.randrange(3))


def _said(
    rng: random.Random,
    chain: Chain,
    language: Language,
    slips: Mapping[str, float],
    whim: float,
    healed: float,
) -> str:
    said = [chain.start]
    for (kind, number), before, right in zip(chain.changes, chain.values, chain.values[1:], strict=False):
        heals = said[-1] != before and rng.random() < healed
        said.append(right if heals else _slipped(rng, kind, said[-1], number, slips, whim))
    return written(chain, tuple(said[1:]), language)


def _slipped(
    rng: random.Random, kind: Kind, value: int, number: int, slips: Mapping[str, float], whim: float
) -> int:
    """What the teacher makes of a value."""
    result, ones = worked_out(kind, value, number), value % 10
    carries = {"add": ones + number > 9, "take": ones < number, "double": ones > 4}[kind]
    if carries and rng.random() < slips.get(kind, 0.0):
        result += 10 if kind == "take" else -10
    elif rng.random() < whim:
        result += rng.choice((-1, 1))
    return max(0, result)
