"""Reward functions without a hole that is known: certifying them should accuse none."""

from __future__ import annotations

import math
import re
import string
from collections import Counter
from fractions import Fraction


def exact(response: str, reference: str) -> float:
    """The whole response is the reference."""
    return float(response.strip() == reference.strip())


def last_box(response: str, reference: str) -> float:
    """The last box holds the reference."""
    boxes = re.findall(r"\\boxed\{([^{}]*)\}", response)
    return float(bool(boxes) and boxes[-1].strip() == reference)


def tagged_number(response: str, reference: str) -> float:
    """One tag, with one finite number that is equal."""
    tags = re.findall(r"<answer>([^<]*)</answer>", response)
    if len(tags) != 1 or not re.fullmatch(r"\s*-?\d+(\.\d+)?\s*", tags[0]):
        return 0.0
    return float(math.isclose(float(tags[0]), float(reference), rel_tol=1e-9))


def single_letter(response: str, reference: str) -> float:
    """The last line is one letter, or names one."""
    lines = response.strip().splitlines()
    match = (
        re.fullmatch(r"(?:(?:The )?[Aa]nswer(?: is|:) )?\(?([A-E])\)?\.?", lines[-1].strip())
        if lines
        else None
    )
    return float(match is not None and match.group(1) == reference)


def hash_marks(response: str, reference: str) -> float:
    """What stands behind the last marks, with commas taken out, is the reference."""
    _, marks, tail = response.rpartition("####")
    return float(bool(marks) and tail.strip().replace(",", "") == reference)


def word_overlap(response: str, reference: str) -> float:
    """F1 of words: a likeness."""
    given, wanted = Counter(response.lower().split()), Counter(reference.lower().split())
    common = sum((given & wanted).values())
    if not common:
        return 0.0
    precision, recall = common / sum(given.values()), common / sum(wanted.values())
    return 2 * precision * recall / (precision + recall)


def format_and_answer(response: str, reference: str) -> float:
    """A tenth for the form, the rest for the answer in it."""
    match = re.fullmatch(r"<think>.+?</think>\s*<answer>([^<]+)</answer>", response.strip(), re.DOTALL)
    if match is None:
        return 0.0
    return 1.0 if match.group(1).strip() == reference else 0.1


def as_fractions(response: str, reference: str) -> float:
    """Numbers as fractions, exactly."""
    match = re.search(r"\\boxed\{\s*(-?\d{1,12}(?:/\d{1,12}|\.\d{1,12})?)\s*\}\W*$", response)
    if match is None:
        return 0.0
    try:
        return float(Fraction(match.group(1)) == Fraction(reference))
    except (ValueError, ZeroDivisionError):
        return 0.0


def squad_exact(response: str, reference: str) -> float:
    """Texts without case, articles and signs are the same."""

    def plain(text: str) -> str:
        kept = "".join(char for char in text.lower() if char not in string.punctuation)
        return " ".join(word for word in kept.split() if word not in {"a", "an", "the"})

    return float(bool(plain(reference)) and plain(response) == plain(reference))


def plus_or_minus(completions, answer, **kwargs):  # type: ignore[no-untyped-def]
    """One for a right answer in the last tag, minus one otherwise."""
    rewards = []
    for completion, gold in zip(completions, answer, strict=True):
        tags = re.findall(r"<answer>\s*([^<]*?)\s*</answer>", completion[-1]["content"])
        rewards.append(1.0 if tags and tags[-1] == gold else -1.0)
    return rewards
