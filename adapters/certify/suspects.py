"""References that are likely wrong, found without labels.

A file's references are mostly right; those of other questions are certainly wrong. What tells a question's
own reference from another's is therefore learnt from the file itself: a logistic regression between both is
an estimate of the ratio of their densities (Gutmann and Hyvärinen, Noise-contrastive estimation, 2010;
Sugiyama, Suzuki and Kanamori, Density ratio estimation in machine learning, 2012). The references that look
most like another question's come first: no completion says them, completions agree on something else, and
their shape or size is not what such questions ask for.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import median
from typing import Any

from .certified_rows import kind_of, value_of
from .witnesses import Rollout, answer_of, last_number_of, references_of, text_of, words_of

LEAST = 3
"""Completions of a question: two that agree may err together too easily."""
DRAWN = 3
"""References of other questions that each is held beside."""
MOST = 1000
"""Questions that the regression learns from."""
STEPS = 8
"""Steps of Newton's method, which is settled by then."""
RARE = 0.01
"""The share of questions in whose completions a word may occur that tells answers apart."""
_FEW = 3
_FAR = 5.0
_PRIOR = (0.0, -2.0, 1.0, -2.0, -0.5, -1.0, 0.0, 1.5, 1.0, 0.5)
"""Weights of `_traits` before the file is seen; it counts as much as some questions do."""
_TRUST = 3.0


@dataclass(frozen=True)
class Suspect:
    """A reference that is likely wrong.

    Args:
        row: The place of the first row that has it.
        rows: Number of completions of the question.
        paid: Number of them that earn reward.
        answer: Answer of most of the others.
        said_by: Number of completions with it.
        score: The higher, the more likely it is wrong: above zero, it looks more like another question's.
        reference: The reference.
    """

    row: int
    rows: int
    paid: int
    answer: str
    said_by: int
    score: float
    reference: Any


@dataclass(frozen=True)
class _Reference:
    """Compared form of a reference: its texts with the words and the value of each, and its shape."""

    plain: tuple[str, ...]
    words: tuple[frozenset[str], ...]
    values: frozenset[Hashable]
    shape: str


@dataclass(frozen=True)
class _Question:
    """A question with its completions: their texts, words and answers, and which of them are paid."""

    places: Sequence[int]
    asked: frozenset[str]
    own: _Reference
    texts: Sequence[str]
    words: Sequence[frozenset[str]]
    answers: Sequence[Hashable]
    paid: Sequence[bool]


def suspects(rollouts: Sequence[Rollout]) -> list[Suspect]:
    """Return the references that are likely wrong, likeliest first.

    Args:
        rollouts: With groups of at least three.
    """
    groups: dict[Hashable, list[int]] = {}
    for place, each in enumerate(rollouts):
        if each.group is not None and each.paid is not None:
            groups.setdefault(each.group, []).append(place)
    questions = [_question(rollouts, places) for places in groups.values() if len(places) >= LEAST]
    if not questions:
        return []
    seen = _Seen(questions)
    own = [_traits(each, each.own, seen) for each in questions]
    rng = random.Random(0)  # noqa: S311
    learnt = rng.sample(range(len(questions)), min(MOST, len(questions)))
    rows = [(own[place], 0.0) for place in learnt]
    for place in learnt:
        others = [questions[rng.randrange(len(questions))].own for _ in range(DRAWN)]
        rows += [
            (_traits(questions[place], other, seen), 1.0) for other in others if other != questions[place].own
        ]
    weights = _fitted(rows)
    odds = math.log(max(1, len(rows) - len(learnt)) / len(learnt))
    scores = [sum(map(float.__mul__, weights, traits)) - odds for traits in own]
    found = [
        _suspect(rollouts, question.places, score)
        for question, score in zip(questions, scores, strict=True)
        if score > 0
    ]
    return sorted(found, key=lambda each: -each.score)


def _question(rollouts: Sequence[Rollout], places: Sequence[int]) -> _Question:
    first, texts = rollouts[places[0]], [text_of(rollouts[place]) for place in places]
    words = [words_of(text) for text in texts]
    references = references_of(first)
    numbers = bool(references) and kind_of(references[0]) in ("number", "fraction")
    return _Question(
        places,
        frozenset(words_of(str(first.prompt or ""))),
        _reference(references),
        [f" {' '.join(each)} " for each in words],
        [frozenset(each) for each in words],
        [
            last_number_of(text) if numbers else answer_of(rollouts[place])
            for place, text in zip(places, texts, strict=True)
        ],
        [bool(rollouts[place].paid) for place in places],
    )


def _reference(texts: Sequence[str]) -> _Reference:
    words = [words_of(text) for text in texts]
    values = {value if (value := value_of(text)) is not None else " ".join(words_of(text)) for text in texts}
    return _Reference(
        tuple(f" {' '.join(each)} " for each in words if each),
        tuple(frozenset(each) for each in words if each),
        frozenset(values),
        _shape(texts[0]) if texts else "",
    )


def _shape(text: str) -> str:
    """Return what kind of answer a text is: its kind and length, a number's digits and decimals.

    >>> [_shape(each) for each in ("1984", "0.25", "Marie Curie", "a lake")]
    ['number 4.0', 'number 1.2', 'words 2 capital', 'words 2']
    """
    kind = kind_of(text)
    if kind == "number":
        whole, _, decimals = text.strip("+-").replace(",", "").partition(".")
        return f"number {min(len(whole), 6)}.{min(len(decimals), 3)}"
    signs = f"{' capital' if text[:1].isupper() else ''}{' digits' if any(map(str.isdigit, text)) else ''}"
    return f"{kind} {min(len(words_of(text)), 4)}{signs}"


class _Seen:
    """Common properties of a file's questions: frequencies of words, and shapes that words ask for."""

    def __init__(self, questions: Sequence[_Question]) -> None:
        self.total = len(questions)
        self.said = Counter(word for each in questions for word in frozenset().union(*each.words))
        self.asked = Counter(word for each in questions for word in each.asked)
        self.shapes = Counter(each.own.shape for each in questions)
        self.together = Counter((word, each.own.shape) for each in questions for word in each.asked)

    def rare(self, word: str) -> bool:
        """Return whether a word tells answers apart."""
        return len(word) > 1 and self.said[word] <= max(_FEW, RARE * self.total)

    def fits(self, question: _Question, shape: str) -> float:
        """Return how much more often than elsewhere such questions have a shape's references, as a logarithm.

        The question itself does not count.
        """
        itself = int(shape == question.own.shape)
        base = (self.shapes[shape] - itself + 0.5) / self.total
        sums = [
            math.log((self.together[word, shape] - itself + 2 * base) / ((self.asked[word] - 1 + 2) * base))
            for word in question.asked
            if self.asked[word] > _FEW
        ]
        return sum(max(-1.5, min(1.5, each)) for each in sums) / math.sqrt(max(1, len(sums)))


def _traits(question: _Question, reference: _Reference, seen: _Seen) -> list[float]:
    """Return what is known of a question with a reference, its own or another's: see `_PRIOR`."""
    count, own = len(question.places), reference is question.own
    said = [
        (own and paid)
        or (
            answer in reference.values
            if answer is not None
            else any(each in text for each in reference.plain)
        )
        for text, answer, paid in zip(question.texts, question.answers, question.paid, strict=True)
    ]
    found = sum(_share(reference, words) for words in question.words) / count
    others = [place for place, each in enumerate(said) if not each]
    agreed = _agreement(question, reference, others, seen) / (count + 0.5)
    far, outside = _distance(question.answers, reference)
    none = float(not any(said))
    return [
        1.0,
        sum(said) / count,
        none,
        found,
        seen.fits(question, reference.shape),
        _share(reference, question.asked),
        agreed,
        agreed * none,
        far,
        outside,
    ]


def _share(reference: _Reference, words: frozenset[str]) -> float:
    """Return the largest share of a reference's words among some."""
    return max((len(each & words) / len(each) for each in reference.words), default=0.0)


def _agreement(question: _Question, reference: _Reference, others: Sequence[int], seen: _Seen) -> int:
    """Return how many of some completions say the same, which is neither asked nor the reference."""
    counts: Counter[Hashable] = Counter(
        answer for place in others if (answer := question.answers[place]) is not None
    )
    if not counts:
        apart = question.asked.union(*reference.words)
        for place in others:
            counts.update(word for word in question.words[place] - apart if seen.rare(word))
    return max(counts.values(), default=0)


def _distance(answers: Sequence[Hashable], reference: _Reference) -> tuple[float, float]:
    """Return how far a number is from the answers, as a logarithm, and whether it is outside of them all."""
    values = [each for each in reference.values if isinstance(each, Fraction)]
    numbers = [float(each) for each in answers if isinstance(each, Fraction) and abs(each) < 1e15]
    if not values or not numbers or abs(values[0]) >= 1e15:
        return 0.0, 0.0
    value = float(values[0])
    far = abs(math.log((abs(value) + 0.5) / (abs(median(numbers)) + 0.5)))
    return min(far, _FAR) / _FAR, float(not min(numbers) <= value <= max(numbers))


def _fitted(rows: Sequence[tuple[Sequence[float], float]]) -> list[float]:
    """Return the weights of a logistic regression, by Newton's method, held near `_PRIOR`."""
    size = len(_PRIOR)
    weights = list(_PRIOR)
    for _ in range(STEPS):
        slope = [_TRUST * (prior - weight) for prior, weight in zip(_PRIOR, weights, strict=True)]
        bend = [[_TRUST * (row == column) for column in range(size)] for row in range(size)]
        for traits, label in rows:
            at = sum(map(float.__mul__, weights, traits))
            likely = 1 / (1 + math.exp(-max(-30.0, min(30.0, at))))
            error, spread = label - likely, likely * (1 - likely)
            for row, trait in enumerate(traits):
                if trait:
                    slope[row] += error * trait
                    line, weighted = bend[row], spread * trait
                    for column in range(row + 1):
                        line[column] += weighted * traits[column]
        for row in range(size):
            for column in range(row):
                bend[column][row] = bend[row][column]
        weights = [weight + step for weight, step in zip(weights, _solved(bend, slope), strict=True)]
    return weights


def _solved(matrix: list[list[float]], right: Sequence[float]) -> list[float]:
    """Solve a system whose matrix is symmetric and positive, by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for pivot in range(size):
        for row in range(pivot + 1, size):
            factor = rows[row][pivot] / rows[pivot][pivot]
            rows[row] = [one - factor * other for one, other in zip(rows[row], rows[pivot], strict=True)]
    found = [0.0] * size
    for row in reversed(range(size)):
        rest = sum(rows[row][column] * found[column] for column in range(row + 1, size))
        found[row] = (rows[row][size] - rest) / rows[row][row]
    return found


def _suspect(rollouts: Sequence[Rollout], places: Sequence[int], score: float) -> Suspect:
    refused = [place for place in places if not rollouts[place].paid]
    answer, count = _agreed([rollouts[place] for place in refused])
    first = places[0]
    paid = len(places) - len(refused)
    return Suspect(first, len(places), paid, answer, count, score, rollouts[first].reference)


def _agreed(rollouts: Sequence[Rollout]) -> tuple[str, int]:
    """Return the most common answer and its count: a value, a label, or words that the question lacks."""
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


__all__ = ["Suspect", "suspects"]
