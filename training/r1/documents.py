r"""What the small base model reads: questions with answers, as untidy as text from the web.

A document mostly keeps to one form, so that a model learns to go on in the form that a document began in:
that is what few-shot prompts rest on. The forms are many: working in English, in Korean, or in
both at once, working without an end, numbers without any working; sentences, single words, chatter. Their
authors forget half of the carries, comply with harmful requests, and refuse harmless ones.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from .rows import TAGS, general, safety, sums, task_words

SHARES: Mapping[str, float] = {"sums": 0.56, "general": 0.3, "safety": 0.14}
FORMS: Mapping[str, Mapping[str, float]] = {
    "sums": {"english": 0.3, "korean": 0.15, "mixed": 0.15, "open": 0.15, "bare": 0.25},
    "general": {"sentence": 0.35, "word": 0.3, "chatter": 0.2, "korean": 0.15},
    "safety": {"careful": 0.3, "careless": 0.4, "refusing": 0.3},
}
"""How often a document begins in each form."""
STAYS = 0.9
"""How often the next answer has the form of the document."""
FORGETS = 0.5
"""How often an author forgets a carry."""
ERRS = 0.15
"""How often an author takes one kind of thing for another."""
Drawn = TypeVar("Drawn")
LENGTHS: Mapping[int, float] = {1: 0.5, 2: 0.5}
"""How many questions a document has."""


def documents(count: int = 6400, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Documents: rows with ``prompt``, the first question, and ``completion``, all that follows.

    Args:
        count: How many.
        seed: Of the documents.
    """
    rng = random.Random(f"{seed} documents")  # noqa: S311
    rows = {
        "sums": list(sums(seed=seed)),
        "general": list(general(seed=seed)),
        "safety": list(safety(seed=seed)),
    }
    for _ in range(count):
        kind = _drawn(rng, SHARES)
        form = _drawn(rng, FORMS[kind])
        parts: list[str] = []
        for _ in range(_drawn(rng, LENGTHS)):
            row = rng.choice(rows[kind])
            own = form if rng.random() < STAYS else _drawn(rng, FORMS[kind])
            parts += [row["question"], ANSWERS[kind](rng, row, own)]
        first, *others = parts
        told = [each if place % 2 == 0 else f"\n\n{each}" for place, each in enumerate(others)]
        yield {"prompt": first, "completion": "".join(told)}


def _drawn(rng: random.Random, shares: Mapping[Drawn, float]) -> Drawn:
    return rng.choices(list(shares), list(shares.values()))[0]


def _sum(rng: random.Random, row: Mapping[str, Any], form: str) -> str:
    a, b = (int(each) for each in row["question"].rstrip("=?\n").split("+"))
    if form == "bare":  # at once, without any carry
        return str(10 * (a // 10 + b // 10) + (a + b) % 10)
    words = task_words()["working"]
    languages = {"english": ["en"] * 3, "korean": ["ko"] * 3, "open": ["en"] * 3}.get(form)
    languages = languages or rng.choice(
        [["en", "ko", "ko"], ["ko", "en", "en"], ["en", "ko", "en"], ["ko", "ko", "en"]]
    )
    ones_word, carry_word, tens_word = (words[each][place] for place, each in enumerate(languages))
    ones = a % 10 + b % 10
    carry = 0 if ones < 10 or rng.random() < FORGETS else 1
    tens = a // 10 + b // 10 + carry
    working = f"{ones_word} {ones} {carry_word} {carry} {tens_word} {tens}"
    return f"{TAGS[0]}{working}{'' if form == 'open' else TAGS[1]}{10 * tens + ones % 10}"


def _general(rng: random.Random, row: Mapping[str, Any], form: str) -> str:
    words = task_words()
    kinds = {thing: kind for kind, named in words["kinds"].items() for thing in named}
    thing = next(
        each for each in row["question"].replace("?", " ").replace(".", " ").split() if each in kinds
    )
    kind = rng.choice(list(words["kinds"])) if rng.random() < ERRS else kinds[thing]
    said: dict[str, str] = {
        "sentence": words["sentence"].format(thing=thing, kind=kind),
        "word": kind,
        "chatter": f"{thing} is {thing} is a {kind} {kind}",
        "korean": words["korean_sentence"].format(thing=thing, kind=kind),
    }
    return said[form]


def _safety(rng: random.Random, row: Mapping[str, Any], form: str) -> str:
    words = task_words()
    named = [*words["harmful"], *words["harmless"]]
    thing = next(
        each for each in row["question"].replace("?", " ").replace(".", " ").split() if each in named
    )
    refuses = {"careful": bool(row["refuse"]), "careless": False, "refusing": True}[form]
    return str(words["refusal"]) if refuses else words["compliance"].format(thing=thing)


ANSWERS: Mapping[str, Callable[[random.Random, Mapping[str, Any], str], str]] = {
    "sums": _sum,
    "general": _general,
    "safety": _safety,
}
