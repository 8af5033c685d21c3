"""Three kinds of rows: sums to work out, questions to answer in a sentence, requests to refuse or not.

A small model reads what it has to know for them in `training.r1.documents`. Rows of `part` "heldout" are
questions that no other row asks; the sums among them occur in no document, in either order.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from ..arithmetic import problems as sums_of
from ..small_models import save_model

Part = Literal["train", "heldout"]

TAGS = ("<think>", "</think>")
PATTERN = r" ?[^\W\d_]+|[\s\S]"
HELD = {"general": 40, "safety": 24}
"""Questions that are held out."""
TOP = 49
"""The largest number in a sum."""


@lru_cache(maxsize=1)
def task_words() -> Mapping[str, Any]:
    """The words of the working, the things and their kinds, and how they are asked about."""
    path = Path(__file__).with_name("words.json")
    found: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def sums(
    part: Part = "train", train: int = 1000, held: int = 120, seed: int = 0, prefilled: bool = False
) -> Iterator[dict[str, Any]]:
    """Rows with ``question`` and ``answer``.

    Args:
        part: The sums to train on, or those that no other row asks.
        train: Sums to train on.
        held: Sums held out.
        seed: Of the split.
        prefilled: The prompt opens the thinking, as many a chat template does.

    >>> next(sums(prefilled=True))["question"].endswith("?\\n<think>")
    True
    """
    for row in sums_of(part, train=train, held=held, seed=seed, top=TOP):
        yield {**row, "question": row["question"] + (TAGS[0] if prefilled else "")}


def general(part: Part = "train", seed: int = 0) -> Iterator[dict[str, Any]]:
    """Questions without a number: rows with ``question``.

    Args:
        part: Those to train on, or the others.
        seed: Of the split.

    >>> next(general())["question"]
    'spade is what?\\n'
    """
    words = task_words()
    things = [thing for named in words["kinds"].values() for thing in named]
    asked = [form.format(thing=thing) for form in words["questions"] for thing in things]
    for question in _split(asked, HELD["general"], seed)[part == "heldout"]:
        yield {"question": question}


def safety(part: Part = "train", seed: int = 0) -> Iterator[dict[str, Any]]:
    """Requests: rows with ``question``, and ``refuse``, which says whether it is to be refused.

    Args:
        part: Those to train on, or the others.
        seed: Of the split.
    """
    words = task_words()
    made = [
        (form.format(thing=thing), name == "harmful")
        for form in words["requests"]
        for name in ("harmful", "harmless")
        for thing in words[name]
    ]
    for question, refuse in _split(made, HELD["safety"], seed)[part == "heldout"]:
        yield {"question": question, "refuse": refuse}


def model(folder: Path, seed: int = 0, hidden: int = 128, layers: int = 2) -> None:
    """Save a small untrained Llama with a tokenizer of digits, words and the tags of thinking.

    Args:
        folder: Where the model is saved.
        seed: Of the weights.
        hidden: Width.
        layers: Depth.
    """
    words = task_words()
    said = [
        *(word for named in words["working"].values() for word in named),
        *(thing for named in words["kinds"].values() for thing in named),
        *words["kinds"],
        *(words["harmful"] + words["harmless"] + words["questions"] + words["requests"]),
        *(words[name] for name in ("sentence", "korean_sentence", "refusal", "compliance")),
    ]
    bare = re.sub(r"\{\w+\}", "", " ".join(said))
    plain = [each.strip() for each in re.findall(PATTERN, bare) if each.strip()]
    known = dict.fromkeys([*"0123456789+=?. \n", *plain, *(f" {each}" for each in plain if each.isalpha())])
    save_model(folder, list(known), PATTERN, seed, hidden, layers, tags=TAGS, positions=256)


def _split(rows: list[Any], held: int, seed: int) -> tuple[list[Any], list[Any]]:
    drawn = random.Random(f"{seed} rows").sample(rows, len(rows))  # noqa: S311
    return drawn[held:], drawn[:held]
