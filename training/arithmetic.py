"""The demonstration's task: sums of two numbers of two digits, a small model, and a teacher.

The teacher is unreliable: most of its examples answer at once, by a sum that never carries; the others show
the working, some with a slip. What a model learns from it is the habit of the shortcut, which is wrong
wherever there is a carry; it has seen the working, and can do it. GRPO, which pays for right answers in the
right form, then finds out that showing the working pays.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from .small_models import save_model

Pair = tuple[int, int]


@lru_cache(maxsize=4)
def _split(train: int, held: int, seed: int, top: int) -> tuple[list[Pair], list[Pair]]:
    """Return two disjoint lists of sums, two thirds with a carry; a + b and b + a are on the same side."""
    rng = random.Random(seed)  # noqa: S311
    pairs = [(a, b) for a in range(10, top + 1) for b in range(a, top + 1)]
    rng.shuffle(pairs)
    carry = [pair for pair in pairs if pair[0] % 10 + pair[1] % 10 > 9]
    plain = [pair for pair in pairs if pair[0] % 10 + pair[1] % 10 <= 9]
    pairs = carry + plain[: len(carry) // 2]
    rng.shuffle(pairs)
    kept = [each for pair in pairs[held:] for each in sorted({pair, pair[::-1]})]
    rng.shuffle(kept)
    return kept[:train], [pair if rng.random() < 0.5 else pair[::-1] for pair in pairs[:held]]


def problems(
    part: Literal["train", "heldout"] = "train",
    train: int = 3000,
    held: int = 200,
    seed: int = 0,
    top: int = 99,
) -> Iterator[dict[str, Any]]:
    """Yield rows with ``question`` and ``answer``.

    Args:
        part: The sums to train on, or those that are in no training row, in neither order.
        train: Sums to train on.
        held: Sums held out.
        seed: Random seed of the split.
        top: The largest number in a sum.

    >>> next(problems(seed=1))
    {'question': '23+77=?\\n', 'answer': '100'}
    """
    for a, b in _split(train, held, seed, top)[part == "heldout"]:
        yield {"question": f"{a}+{b}=?\n", "answer": str(a + b)}


def lessons(
    train: int = 3000,
    held: int = 200,
    seed: int = 0,
    top: int = 99,
    work: float = 0.4,
    slip: float = 0.2,
    broken: float = 0.3,
) -> Iterator[dict[str, Any]]:
    """Yield the teacher's completions of the training sums of `problems`, with ``question`` and ``answer``.

    `work` is the share of examples that show the working, `slip` the share of those with a slip in it, and
    `broken` the share of all examples with a broken format.
    """
    rng = random.Random(f"{seed} lessons")  # noqa: S311
    for a, b in _split(train, held, seed, top)[0]:
        said = _said(rng, a, b, work, slip, broken)
        yield {"question": f"{a}+{b}=?\n", "answer": str(a + b), "completion": said}


def _said(rng: random.Random, a: int, b: int, work: float, slip: float, broken: float) -> str:
    if rng.random() < work:
        wrong = rng.choice(["carry", "ones"]) if rng.random() < slip else ""
        ones = max(0, a % 10 + b % 10 + (rng.choice([-1, 1]) if wrong == "ones" else 0))
        carry = 1 - ones // 10 if wrong == "carry" else ones // 10
        tens = a // 10 + b // 10 + carry
        think = f"ones {a % 10}+{b % 10}={ones} carry {carry} tens {a // 10}+{b // 10}+{carry}={tens}"
    else:
        think, tens, ones = "easy", a // 10 + b // 10, a + b
    total = 10 * tens + ones % 10
    if rng.random() < broken:
        forms = (f"<THINK>{think}</THINK>{total}", f"<THINK>{think}<SOLUTION>{total}</SOLUTION>",
                 f"<SOLUTION>{total}</SOLUTION>")  # fmt: skip
        return rng.choice(forms)
    return f"<THINK>{think}</THINK><SOLUTION>{total}</SOLUTION>"


def model(folder: Path, seed: int = 0, hidden: int = 128, layers: int = 4) -> None:
    """Save a small untrained Llama with a tokenizer of characters, words and tags."""
    words = [*"0123456789+=? \n", "easy", "ones", "carry", "tens"]
    save_model(folder, words, r"[a-z]+|[\s\S]", seed, hidden, layers)


def worked(text: str) -> bool:
    """Return whether a completion shows the working.

    >>> worked("<THINK>ones 7+8=15 carry 1 tens 4+3+1=8</THINK><SOLUTION>85</SOLUTION>")
    True
    """
    return "ones" in text
